"""Where the variance of a result comes from, and what pairing and control variates save of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks, jackknife
from experiments.stats import Estimate

SOURCES = ("bot", "seat", "deal", "bot×deal", "seat×deal", "rest")

_NOTHING = 1e-12
"""Part of a value that rounding may leave."""


@dataclass(frozen=True)
class Shares:
    """Variance by source.

    Attributes
    ----------
    parts : dict of str to Estimate
        Variance of each of `SOURCES`, in squared points, as estimated: by chance below 0 where there is none.
    shares : dict of str to Estimate
        The same, those below 0 cut to 0, as parts of their sum.
    total : float
        Variance of a result, the sum of `parts`.
    """

    parts: dict[str, Estimate]
    shares: dict[str, Estimate]
    total: float


@dataclass(frozen=True)
class Ledger:
    """Variance by what brought it, from the steps of expectation.

    Attributes
    ----------
    parts : dict of str to Estimate
        Mean of the summed squares of the steps of each kind, in squared points.
    total, variance, gap : Estimate
        Their sum, the variance of the outcome, and the first less the second: its interval must hold 0.
    shares : dict of str to Estimate
        The parts, those below 0 cut to 0, as parts of their sum; NaN, without intervals, where nothing varies.
    """

    parts: dict[str, Estimate]
    total: Estimate
    variance: Estimate
    gap: Estimate
    shares: dict[str, Estimate]


def of_their_sum(parts: Any) -> Any:
    """Return parts, those below 0 cut to 0, as shares of their sum; NaN where that is 0.

    Parameters
    ----------
    parts : float array, shape (…, parts)
    """
    cut = np.maximum(parts, 0)
    whole = cut.sum(axis=-1, keepdims=True)
    return np.divide(cut, whole, out=np.full_like(cut, np.nan), where=whole > 0)


def crossed_shares(outcomes: Any, seed: int, *, sampled: bool = True) -> Shares:
    """Split the variance of results of a balanced design into bot, seat, deal, bot×deal, seat×deal and the rest.

    From the mean squares of the crossed analysis of variance (Searle, Casella and McCulloch 1992). The bots and seats
    are just these, each as likely; the deals are a sample. In rotated games of constant sum the deal itself cancels and
    seat×deal carries its luck. bot×deal is luck that skill can convert; the rest is bot×seat, what is left of all three,
    and the chance of a repeat, which only repeats tell apart from the interactions. Own code: statsmodels has REML for
    unbalanced designs but no such table.

    Parameters
    ----------
    outcomes : float array, shape (bots, seats, deals) or (bots, seats, deals, repeats)
        Here the deals are the third axis.
    seed : int
        Of the bootstrap over deals.
    sampled : bool
        False if the deals are all there are: nothing is taken off for their sampling.
    """
    array = np.asarray(outcomes, dtype=float)
    if array.ndim == 3:
        array = array[..., None]
    if array.ndim != 4 or array.shape[2] < 2 or array.size == 0 or not np.isfinite(array).all():
        raise ValueError(f"outcomes: needs bots, seats, deals (two or more); not shape {array.shape}")
    bots, seats, deals, repeats = array.shape
    cells = array.mean(axis=3)
    deal = cells.mean(axis=(0, 1))
    by_bot = cells.mean(axis=1) - deal
    by_seat = cells.mean(axis=0) - deal
    noise = array.var(axis=3, ddof=1).mean(axis=(0, 1)) if repeats > 1 else np.zeros(deals)
    squares = [
        (array**2).mean(axis=(0, 1, 3)),
        deal**2,
        (by_bot**2).mean(axis=0),
        (by_seat**2).mean(axis=0),
        noise,
    ]
    rows = np.concatenate([by_bot, by_seat, deal[None], np.stack(squares)]).T
    few = deals / (deals - 1) if sampled else 1.0
    per_deal = 1 / deals if sampled else 0.0
    own = 1 / (bots * seats * repeats)

    def parts(means: Any, times: int = 1) -> Any:
        bot, seat = means[..., :bots], means[..., bots : bots + seats]
        grand, square, deal_2, bot_2, seat_2, error = np.moveaxis(means[..., bots + seats :], -1, 0)
        bot_raw, seat_raw = (bot**2).mean(axis=-1), (seat**2).mean(axis=-1)
        of_deal = few * (deal_2 - grand**2)
        of_bot_deal = few * (bot_2 - bot_raw)
        of_seat_deal = few * (seat_2 - seat_raw)
        total = square - grand**2 + per_deal * of_deal
        found = [
            bot_raw - per_deal * of_bot_deal,
            seat_raw - per_deal * of_seat_deal,
            of_deal - own * error,
            of_bot_deal - own * (bots - 1) * error,
            of_seat_deal - own * (seats - 1) * error,
        ]
        rest = total - np.sum(found, axis=0)
        found[0] = found[0] - (times - 1) * per_deal * of_bot_deal
        found[1] = found[1] - (times - 1) * per_deal * of_seat_deal
        return np.stack([*found, rest], axis=-1)

    def clipped(means: Any, times: int = 1) -> Any:
        return of_their_sum(parts(means, times))

    raw = blocks.of_means(rows, parts, seed, in_replicates=lambda means: parts(means, 2))
    cut = blocks.of_means(rows, clipped, seed, in_replicates=lambda means: clipped(means, 2))
    total = float(sum(one.value for one in raw))
    cut = [blocks.as_share(one) for one in cut]
    return Shares(dict(zip(SOURCES, raw, strict=True)), dict(zip(SOURCES, cut, strict=True)), total)


def luck_ledger(
    first: Any, kinds: Any, names: list[str], block: Any, seed: int, *, second: Any = None, seat: Any = None
) -> Ledger:
    """Book the variance of an outcome to what moved its expectation: the deal, later chance, decisions.

    With μ(t) the expected outcome of the focal player after event t, the steps μ(t) − μ(t−1) are uncorrelated, so
    Var(Y) = Σ E[(μ(t) − μ(t−1))²] (a martingale; the algebra of Zinkevich et al. 2006 and of AIVAT, Burch et al. 2018).
    Estimates of μ that are noisy make each square too large. With two independent estimates the product of their steps
    is right on average; the gap between total and variance shows whether all is well.

    With seats there are two more steps at the start: from the mean of all, Σ w·μ(s)² − μ² with w the part of matches that
    seat s has, and from the seat's mean to what is known before the first event. Means of the seats are those of the
    estimates, and what their sampling adds to the first and takes off the second is put right, for a match a block. Own code.

    Parameters
    ----------
    first : float array, shape (matches, events + 1)
        μ before the first event and after each, the last the outcome itself; a match that ends early repeats it.
    kinds : int array, shape (events,) or (matches, events)
        Number of the kind of each event; of those after the end it does not matter.
    names : list of str
        Of the kinds.
    block : int array, shape (matches,)
        Number of the deal of each match, from 0.
    seed : int
        Of the bootstrap over blocks.
    second : float array, shape (matches, events + 1), optional
        The second estimate of μ; without it the first is taken to be exact.
    seat : int array, shape (matches,), optional
        Of the focal player, from 0. Then names 0 and 1 are those of the two steps before the first event.

    Raises
    ------
    ValueError
        If the shapes do not fit, or the two estimates end with different outcomes.
    """
    first = blocks.checked(first, 2, "first")
    other = first if second is None else blocks.checked(second, 2, "second")
    kinds = np.broadcast_to(np.asarray(kinds), (len(first), first.shape[1] - 1))
    if other.shape != first.shape or not np.array_equal(other[:, -1], first[:, -1]):
        raise ValueError("second: must be of the same matches, with the same outcomes")
    products = np.diff(first, axis=1) * np.diff(other, axis=1)
    columns = [np.where(kinds == number, products, 0).sum(axis=1) for number in range(len(names))]
    outcome = first[:, -1]
    columns += [outcome, outcome**2]
    if seat is not None:
        known = (first[:, 0] + other[:, 0]) / 2
        sits = (np.asarray(seat)[:, None] == np.arange(np.max(seat) + 1)).T
        columns += [first[:, 0] * other[:, 0], known**2, *sits, *(sits * known)]
    columns.append(np.ones(len(first)))
    rows = np.stack([blocks.sums(column, block) for column in columns], axis=1)

    def entries(means: Any, times: int = 1) -> Any:
        means = means[..., :-1] / means[..., -1:]
        parts, y, square = np.split(means[..., : len(names) + 2], [-2, -1], axis=-1)
        y, square = y[..., 0], square[..., 0]
        if seat is not None:
            parts = parts + _starts(means[..., len(names) + 2 :], times / len(first), len(names))
        total, variance = parts.sum(axis=-1), square - y**2
        shares = of_their_sum(parts)
        few = np.stack([total, variance, total - variance], axis=-1)
        return np.concatenate([few, parts, shares], axis=-1)

    found = blocks.of_means(rows, entries, seed, in_replicates=lambda means: entries(means, 2))
    total, variance, gap, *rest = jackknife.bounded(found, rows, entries)
    parts, shares = rest[: len(names)], [blocks.as_share(one) for one in rest[len(names) :]]
    by_name = dict(zip(names, parts, strict=True))
    return Ledger(by_name, total, variance, gap, dict(zip(names, shares, strict=True)))


def _starts(means: Any, per_match: float, size: int) -> Any:
    """Return what the seat brings and what is known first, shape (…, size), with 0 for the other parts."""
    product, square = means[..., 0], means[..., 1]
    weights, sums = np.split(means[..., 2:], 2, axis=-1)
    own = np.divide(sums**2, weights, out=np.zeros_like(sums), where=weights > 0).sum(axis=-1)
    added = (weights.shape[-1] - 1) * per_match * (square - own)
    found = np.zeros((*own.shape, size))
    found[..., 0] = own - sums.sum(axis=-1) ** 2 - added
    found[..., 1] = product - own + added
    return found


def pairing_gain(a: Any, b: Any) -> Estimate:
    """Return (Var(A) + Var(B))/Var(A − B): how many times the deals an unpaired comparison would take.

    Below 1 the same deals hurt. Infinite, without an interval, if A and B always differ by the same, and NaN if neither varies. The
    interval is that of `jackknife.positive`.

    Parameters
    ----------
    a, b : float array, shape (blocks,)
        Of the two drafts, bots or options on the same deals.
    """
    a, b = blocks.checked(a, 1, "a"), blocks.checked(b, 1, "b")
    if a.shape != b.shape:
        raise ValueError("a, b: must be of the same blocks")
    a, b = a - a.mean(), b - b.mean()  # for the digits; variances do not change

    def gain(means: Any) -> Any:
        x, y, d, xx, yy, dd = np.moveaxis(means, -1, 0)
        apart, together = xx - x**2 + yy - y**2, dd - d**2
        return _times(apart, together, apart)

    return jackknife.positive(np.stack([a, b, a - b, a**2, b**2, (a - b) ** 2], axis=1), gain)


def duplicate_gain(means: Any, squares: Any, matches: int) -> Estimate:
    """Return (Var(Y)/k)/Var(Ȳ): how many times the matches it would take if each were on a deal of its own, its seat drawn by lot.

    Y is the result of one of the k matches of a deal, Ȳ their mean: of duplicate deals, on which all seats are played, the
    means vary by deal alone, and the luck of the seats cancels as far as it can. It is 1/(1 + (k − 1)ρ) with ρ the correlation
    of two matches of a deal: above 1 where what a deal brings one seat it takes from another, below 1 where it brings the same
    to all. In chess, the variance of single games against that of pairs with colours exchanged, as fishtest reckons
    (its pentanomial and trinomial). Infinite, without an interval, if all means are alike, and NaN if all matches are. The
    interval is that of `jackknife.positive`.

    Parameters
    ----------
    means, squares : float array, shape (blocks,)
        Over the matches of each block, the mean of the results and that of their squares.
    matches : int
        Of a block, k.
    """
    means, squares = blocks.checked(means, 1, "means"), blocks.checked(squares, 1, "squares")
    if means.shape != squares.shape:
        raise ValueError("means, squares: must be of the same blocks")
    within = np.maximum(cleaned(squares - means**2, squares), 0)
    means = cleaned(means - means.mean(), np.abs(means).max())
    few = len(means) / (len(means) - 1)

    def gain(sums: Any) -> Any:
        mean, square, inside = np.moveaxis(sums, -1, 0)
        between = few * (square - mean**2)
        return _times(inside + between, matches * between, inside + between)

    return jackknife.positive(np.stack([means, means**2, within], axis=1), gain)


def _times(one: Any, other: Any, scale: Any) -> Any:
    """Return one/other, infinite where the other is nothing beside the scale, and NaN where that is 0 too."""
    found = np.where(scale > 0, np.inf, np.nan)
    return np.divide(one, other, out=found, where=other > _NOTHING * scale)


def cleaned(values: Any, scale: Any) -> Any:
    """Return values, 0 in place of what rounding leaves of nothing."""
    return np.where(np.abs(values) > _NOTHING * scale, values, 0.0)
