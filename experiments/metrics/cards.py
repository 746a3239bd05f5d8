"""What cards are worth: of those in a hand or captured, by what came of it, and by exchange for others on the same deal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from experiments import stats
from experiments.metrics import blocks, verdicts
from experiments.metrics.ratings import FEW_DEALS
from experiments.stats import Estimate

Word = Literal["dominant", "burden", "dead", "undecided"]


@dataclass(frozen=True)
class Worth:
    """One card, or one kind of cards alike.

    Attributes
    ----------
    card : int
        Its column.
    value : Estimate
        What it is worth, in the units of the outcome; the intervals of all cards hold at once. NaN if it cannot be told,
        as of a card that was dealt always or never. Its blocks are those that tell of it.
    times : int
        Hands that had it, or exchanges of it.
    reach : float
        Standard errors from the value to the ends of the interval, if more than a few blocks tell of the card.
    """

    card: int
    value: Estimate
    times: int
    reach: float


@dataclass(frozen=True)
class Role:
    """What a card is to the hand that holds it.

    Attributes
    ----------
    word : {"dominant", "burden", "dead", "undecided"}
        See `role`.
    factor : float
        How many times as many blocks would decide, were the card worth just what was found; 0 if decided.
    """

    word: Word
    factor: float


def role(worth: Worth, margin: float, bound: float) -> Role:
    """Tell what a card is to a hand, by its worth against a random other card.

    Dominant: it is worth more than the margin, for sure. A burden: a random other card is worth more than the margin more. Dead:
    neither; its whole interval lies within ±margin, so that it does not matter whether one holds this card or another. All
    else is undecided. Since the intervals of all cards hold at once, any such word is wrong in at most 5% of runs.

    Parameters
    ----------
    worth : Worth
        By `swap_worth`.
    margin : float
        A worth of no more than this is none; above 0.
    bound : float
        The greatest difference that an exchange can make: what a card seldom does may not have come yet, so its interval
        reaches as far as `verdicts.PairedSummary` has it.
    """
    from scipy.special import ndtr

    found = worth.value
    if math.isnan(found.value):
        return Role("undecided", math.nan)
    n = found.blocks
    summary = verdicts.PairedSummary(found.value, found.se * math.sqrt(n), n, margin, bound)
    half = summary.reach(float(ndtr(-worth.reach)))
    off = abs(found.value)
    if n >= FEW_DEALS:
        if off - half > margin:
            return Role("dominant" if found.value > 0 else "burden", 0.0)
        if off + half < margin:
            return Role("dead", 0.0)
    gap = abs(off - margin)
    return Role("undecided", max((half / gap) ** 2, FEW_DEALS / n, 1.0) if gap > 0 else math.inf)


# ---- by what came of it ---------------------------------------------------------------------------------


def _checked(held: Any, outcome: Any, block: Any) -> tuple[Any, Any, Any]:
    held, outcome, block = (
        np.asarray(held, dtype=float),
        np.asarray(outcome, dtype=float),
        np.asarray(block),
    )
    if held.ndim != 2 or outcome.shape != held.shape[:1] or block.shape != outcome.shape:
        raise ValueError(f"held {held.shape}, outcome {outcome.shape}, block {block.shape}: do not fit")
    if (held < 0).any() or (held % 1 != 0).any() or not np.isfinite(outcome).all():
        raise ValueError("held: must be numbers of cards; outcome: must be finite")
    return held, outcome, np.unique(block, return_inverse=True)[1]


def plain_worth(
    held: Any, outcome: Any, block: Any, seed: int, *, seat: Any = None, most: float = math.inf
) -> list[Worth]:
    """Return what one more card of a kind goes with, other cards included: for a single card with it less without.

    The slope of the outcome on the number of cards, cov(x, y)/var(x), which for 0 and 1 is the difference of the means. Its
    error by linearisation, with the hands of a block together; intervals by the bootstrap max-t.

    Parameters
    ----------
    held : int array, shape (hands, kinds)
        How many cards of each kind a seat has.
    outcome : float array, shape (hands,)
        What that seat won, from 0 to 1, or scored, in points.
    block : int array, shape (hands,)
        Number of the deal of each hand.
    seat : int array, shape (hands,), optional
        Hands are compared with those of the same seat, numbered from 0; with all if not given.
    most : float
        The greatest worth there can be, such as 1 of shares of the win.
    """
    held, outcome, block = _checked(held, outcome, block)
    blocks_in_all = int(block.max()) + 1
    centred, deviation = held.copy(), outcome.copy()
    seat = np.zeros(len(held), np.int64) if seat is None else np.asarray(seat)
    for one in np.unique(seat):
        centred[seat == one] -= held[seat == one].mean(axis=0)
        deviation[seat == one] -= outcome[seat == one].mean()
    squares = (centred**2).sum(axis=0)
    known = squares > 1e-9
    values = np.full(held.shape[1], np.nan)
    errors = np.zeros((blocks_in_all, held.shape[1]))
    for kind in np.flatnonzero(known):
        values[kind] = centred[:, kind] @ deviation / squares[kind]
        pull = centred[:, kind] * (deviation - values[kind] * centred[:, kind]) / squares[kind]
        errors[:, kind] = blocks.sums(pull, block) * blocks_in_all
    return _worths(values, errors, _of_hands(held, block), seed, outcome, most)


@dataclass(frozen=True)
class _Told:
    """By what each kind is told: how many hands have it, or exchanges, and by how many blocks."""

    times: Any
    blocks: Any
    counts: Any
    """What `Estimate.blocks` says."""


def _of_hands(held: Any, block: Any) -> _Told:
    in_all = int(block.max()) + 1
    having = (held > 0).T
    with_it, without = (
        np.array([len(np.unique(block[rows])) for rows in some]) for some in (having, ~having)
    )
    return _Told(having.sum(axis=1), np.minimum(with_it, without), np.full(len(having), in_all))


def _worths(values: Any, errors: Any, told: _Told, seed: int, outcome: Any, most: float) -> list[Worth]:
    """Return worths from what each block adds to the error of each, times the number of blocks as in `blocks.influence`.

    Of a kind that few blocks tell of, what it may do may not have come yet: the interval is that of the `careful` error.
    """
    n = len(errors)
    if n < 2:
        raise ValueError("block: needs two blocks or more")
    known = ~np.isnan(values)
    reach = blocks.simultaneous(errors[:, known], seed) if known.any() else math.nan
    se = np.where(known, np.std(errors, axis=0, ddof=1) / math.sqrt(n), np.nan)
    half = reach * se
    few = known & (told.blocks < stats.AGREEING)
    bound = most if math.isfinite(most) else float(np.ptp(outcome))
    some = np.maximum(told.blocks[few], 1)
    half[few] = reach * verdicts.careful(se[few] * np.sqrt(some), bound, some) / np.sqrt(some)
    return [
        Worth(
            card,
            Estimate(
                float(value),
                float(s),
                float(max(value - half[card], min(-most, value))),
                float(min(value + half[card], max(most, value))),
                int(told.counts[card]),
            ),
            int(told.times[card]),
            reach,
        )
        for card, (value, s) in enumerate(zip(values, se, strict=True))
    ]


def adjusted_worth(
    held: Any,
    outcome: Any,
    block: Any,
    seed: int,
    *,
    seat: Any = None,
    copies: Any = None,
    from_mean: bool = True,
    most: float = math.inf,
) -> list[Worth]:
    """Return what one more card of a kind is worth with the others held fixed: by regression on all cards.

    Least squares; the error over blocks is that of Liang and Zeger (1986), intervals by the bootstrap max-t.

    Parameters
    ----------
    held, outcome, block, seed, seat, most
        As for `plain_worth`: seats have means of their own. Kinds of which every hand has as many have no value, and do not
        count for the mean.
    copies : float array, shape (kinds,), optional
        How many cards of each kind the pack has; as many of each if not given.
    from_mean : bool
        Tell values from that of the mean card. In hands of one size nothing else can be told, since there a card only comes
        in place of another.

    Raises
    ------
    ValueError
        If there are too few hands for so many cards, cards always come together, or hands of one size are not to be told
        from the mean.
    """
    held, outcome, block = _checked(held, outcome, block)
    hands, kinds = held.shape
    known = np.ptp(held, axis=0) > 0
    count = int(known.sum())
    # In hands of one size the cards add up to a constant, and stand for it.
    one_size = np.ptp(held[:, known].sum(axis=1)) == 0
    seat = np.zeros(hands, np.int64) if seat is None else np.asarray(seat)
    means = seat[:, None] == np.unique(seat)[1 if one_size else 0 :]
    design = np.column_stack([held[:, known], means])
    squares = design.T @ design
    if hands <= design.shape[1] + 1 or np.linalg.matrix_rank(squares, hermitian=True) < design.shape[1]:
        raise ValueError("held: the cards came too seldom, or always together, to be told apart")
    if one_size and not from_mean:
        raise ValueError("held: in hands of one size cards can only be told from the mean")
    inverse = np.linalg.inv(squares)
    found = inverse @ (design.T @ outcome)
    contrast = np.eye(count)
    if from_mean:
        in_pack = np.ones(count) if copies is None else np.asarray(copies, dtype=float)[known]
        contrast -= in_pack / in_pack.sum()
    values = np.full(kinds, np.nan)
    values[known] = contrast @ found[:count]
    # What each hand adds to the error of each value; summed by block, times the number of blocks as in `influence`.
    pulls = design @ (inverse[:, :count] @ contrast.T)
    pulls *= (outcome - design @ found)[:, None]
    blocks_in_all = int(block.max()) + 1
    errors = np.zeros((blocks_in_all, kinds))
    errors[:, known] = np.stack([blocks.sums(column, block) for column in pulls.T], axis=1) * blocks_in_all
    # Residuals are smaller than errors, by as much as the parameters took from the hands.
    errors *= math.sqrt(hands / (hands - design.shape[1]))
    return _worths(values, errors, _of_hands(held, block), seed, outcome, most)


# ---- by exchange ----------------------------------------------------------------------------------------


def swap_worth(
    given: Any, partner: Any, gain: Any, block: Any, kinds: int, seed: int, most: float = math.inf
) -> list[Worth]:
    """Return what a card in hand is worth against a random other card, by exchanging the two on the same deal.

    Let every card of a hand be exchanged for one drawn at random from all that could have come in its place. Given that the
    hand has the card c, the hand after it is a random one without c: the mean of gain is E(Y | c) − E(Y | no c), just what
    `plain_worth` estimates, but without the luck of all other cards, which are the same before and after. Read backwards each
    exchange is one of its other card, so it counts for both. Of cards alike it tells what one more is worth; exchanges of
    cards alike are to be left out. The error of a ratio over blocks (Cochran 1977, section 6.3), intervals by the bootstrap
    max-t. Blocks with an exchange of the card are its n.

    Parameters
    ----------
    given, partner : int array, shape (exchanges,)
        Kind of the card that was dealt, and of the one it was exchanged for.
    gain : float array, shape (exchanges,)
        Outcome of the seat with the card dealt less that with the other.
    block : int array, shape (exchanges,)
        Number of the deal of each, from 0.
    kinds : int
        How many kinds there are.
    most : float
        The greatest gain there can be, such as 1 of shares of the win.
    """
    given, partner, block = (np.asarray(one, dtype=np.int64) for one in (given, partner, block))
    gain = np.asarray(gain, dtype=float)
    if len({len(one) for one in (given, partner, gain, block)}) > 1 or (given == partner).any():
        raise ValueError("exchanges: must be as many of each, of cards that differ")
    if len(block) == 0:
        raise ValueError("exchanges: there are none")
    size = (int(block.max()) + 1) * kinds
    told, times = np.zeros(size), np.zeros(size)
    for card, sign in ((given, 1.0), (partner, -1.0)):
        told += np.bincount(block * kinds + card, sign * gain, size)
        times += np.bincount(block * kinds + card, minlength=size)
    x, d = told.reshape(-1, kinds), times.reshape(-1, kinds)
    known = d.any(axis=0)
    values = np.full(kinds, np.nan)
    errors = np.zeros(x.shape)
    values[known] = x[:, known].sum(axis=0) / d[:, known].sum(axis=0)
    errors[:, known] = blocks.influence(x[:, known], d[:, known])
    by = np.count_nonzero(d, axis=0)
    return _worths(values, errors, _Told(d.sum(axis=0), by, by), seed, gain, most)
