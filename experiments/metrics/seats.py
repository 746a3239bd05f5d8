"""Seats: what each wins and scores, and whether they are fair within a margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from experiments import stats
from experiments.metrics import blocks, sizes
from experiments.stats import Estimate, Kind

MARGIN = 0.01
"""A seat is fair if it wins no more than a point of share (1%) off its due."""

Word = Literal["yes", "no", "undecided"]

_DRAWS = 200
"""Plausible sets of deviations for which a plan is made, and futures of each."""

_RANGE = (0.02, 0.92)
"""Of the sizes that they need, between which parts the range of a plan lies: nine of ten. Few need less than a fair game, and
very many more where a seat may sit on the margin, so more is cut off above."""

_SPREADS = (0.05, 20.0)
"""Margins that seats may deviate by; from the least to the greatest, every magnitude is as likely as any other."""

_FINE = 2**0.125
_FEWEST, _STEPS = 0.02, 192
"""Sizes that a plan may have: the blocks played times the fewest, and so many steps up, each finer than an eighth."""


@dataclass(frozen=True)
class Within:
    """Whether a share lies within ±margin of its due.

    Attributes
    ----------
    estimate : Estimate
        Of the share less its due, with the 95% interval of `stats.share_interval`.
    word : {"yes", "no", "undecided"}
        "yes" if two one-sided tests find it within; "no" if a test finds it outside, and the interval lies wholly there.
    """

    estimate: Estimate
    margin: float
    word: Word


@dataclass(frozen=True)
class More:
    """About how many further blocks settle whether all seats are fair; infinite if no sensible number does.

    Attributes
    ----------
    value : float
        For deviations of middling size among those that the blocks played leave plausible.
    low, high : float
        Nine of ten plausible sets of deviations need a number between these.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fairness:
    """Whether all seats win their due within a margin.

    Attributes
    ----------
    seats : list of Within
        Of each seat's share less 1/n.
    word : {"yes", "no", "undecided"}
    """

    seats: list[Within]
    word: Word

    @cached_property
    def more(self) -> More:
        """How many further blocks it takes; 0 if it is decided. See `_plan`."""
        return More(0.0, 0.0, 0.0) if self.word != "undecided" else _plan(self.seats)

    @property
    def furthest(self) -> int:
        """The seat with the largest deviation."""
        return max(range(len(self.seats)), key=lambda seat: abs(self.seats[seat].estimate.value))


def by_seat(values: Any, kind: Kind) -> list[Estimate]:
    """Return each seat's mean with intervals that all hold at once in 95 of 100 cases (Bonferroni).

    Parameters
    ----------
    values : float array, shape (blocks, seats)
        What the seat won ("share", from 0 to 1) or scored ("mean", in points), the mean over the matches of the block.
    kind : {"share", "mean"}
    """
    values = blocks.checked(values, 2, "seats")
    return [blocks.of_kind(column, kind, values.shape[1]) for column in values.T]


def leaders_advantage(wins: Any, leader: Any = 0) -> Estimate:
    """Return what the seat that leads wins above its due: share − 1/n, in share of matches.

    Parameters
    ----------
    wins : float array, shape (blocks, seats)
        Shares won, in all of a deal's rotations together.
    leader : int, or int array, shape (blocks,)
        Its seat, where another leads in each deal in each.
    """
    wins = blocks.checked(wins, 2, "wins")
    due = 1 / wins.shape[1]
    found = blocks.share(wins[np.arange(len(wins)), leader])
    return Estimate(found.value - due, found.se, found.low - due, found.high - due, found.blocks)


def within(share: Estimate, due: float, margin: float = MARGIN, family_size: int = 1) -> Within:
    """Test whether a share lies within ±margin of its due: two one-sided t tests at 5% (Schuirmann 1987).

    Few blocks may lack what is rare, and then show less deviation than there is. So all tests are by `_reach`, and "no"
    must also be borne out by an interval made for shares: of either word at most 5% are false from two blocks on.

    Parameters
    ----------
    share : Estimate
        From two blocks or more; of its value and standard error.
    due, margin : float
        In the same units.
    family_size : int
        So many are tested at once: what says "no" is made wider (Bonferroni).

    Raises
    ------
    ValueError
        If the margin is not above 0.
    """
    if margin <= 0:
        raise ValueError("margin: must be above 0")
    n, off = share.blocks, share.value - due
    low, high = (end - due for end in stats.share_interval(share.value, share.se, n, family_size))
    inside, outside = _limits(share.se * math.sqrt(n), n, due, margin, family_size)
    word: Word = "undecided"
    if inside[0] <= off <= inside[1]:
        word = "yes"
    elif (off < outside[0] and high < -margin) or (off > outside[1] and low > margin):
        word = "no"
    return Within(Estimate(off, share.se, low, high, n), margin, word)


def _reach(quantile: Any, sd: Any, most: float, n: Any) -> Any:
    """Return how far below its true value a mean of bounded values is found at most, but for the error of the quantile z.

    z·√((sd² + most²/n)/n) + most·(z² + 2)/(3n). Student's bound, with the correction for skewness by Johnson (1978) and Hall
    (1992) at its worst: the third moment of what rises no more than `most` above its mean is no more than most·variance.
    The rest makes up for what comes in whole events, one of which may be yet to come. Of no value but a common and a rare one
    the mean is found further off no more often than z says, and for k rare events seen it is close to Poisson's exact bound.

    Parameters
    ----------
    quantile : float or float array
        Student's, above 0.
    sd : float or float array
        Standard deviation over blocks.
    most : float
        The greatest rise of a block above the true mean.
    n : float or float array
        Blocks.
    """
    return quantile * np.sqrt((sd**2 + most**2 / n) / n) + most * (quantile**2 + 2) / (3 * n)


def _limits(
    sd: Any, n: Any, due: float, margin: float, family_size: int
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Return between which deviations a share is found within the margin, and beyond which outside.

    Parameters
    ----------
    sd, n : float or float array
        As for `_reach`.
    due, margin, family_size
        As for `within`.
    """
    from scipy.special import stdtrit

    least, most = max(due - margin, 0.0), min(due + margin, 1.0)
    one, both = stdtrit(n - 1, 1 - sizes.LEVEL), stdtrit(n - 1, 1 - sizes.LEVEL / 2 / family_size)
    inside = (_reach(one, sd, least, n) - margin, margin - _reach(one, sd, 1 - most, n))
    return inside, (-margin - _reach(both, sd, 1 - least, n), margin + _reach(both, sd, most, n))


def fair(wins: Any, margin: float = MARGIN) -> Fairness:
    """Tell whether every seat wins 1/n of the matches within ±margin.

    "yes" if the tests find each seat within: all must agree, so none needs a correction (Berger 1982). "no" if some seat is
    found to be outside, by intervals that hold for all at once.

    Parameters
    ----------
    wins : float array, shape (blocks, seats)
        Shares won, in all of a deal's rotations together.
    margin : float
        In share of matches.
    """
    return fair_means([blocks.share(column) for column in blocks.checked(wins, 2, "wins").T], margin)


def fair_means(shares: Sequence[Estimate], margin: float = MARGIN) -> Fairness:
    """Tell the same of shares of which only value and standard error are kept, for runs too long to keep their blocks.

    Parameters
    ----------
    shares : sequence of Estimate
        Of each seat, from two blocks or more.
    margin : float
        In share of matches.
    """
    seats = [within(share, 1 / len(shares), margin, len(shares)) for share in shares]
    words = {seat.word for seat in seats}
    return Fairness(seats, "no" if "no" in words else "yes" if words == {"yes"} else "undecided")


def greatest(found: Fairness) -> Estimate:
    """Return how far the seat that is furthest off wins from its due, with an interval from those of all seats at once.

    The greatest of the deviations lies between the greatest of what they are at least and the greatest of what they are
    at most. With a standard error of NaN: it has none that says anything.
    """
    least = max(max(one.estimate.low, -one.estimate.high, 0.0) for one in found.seats)
    most = max(max(one.estimate.high, -one.estimate.low) for one in found.seats)
    value = max(abs(one.estimate.value) for one in found.seats)
    return Estimate(value, math.nan, least, most, found.seats[0].estimate.blocks)


def change_of_largest(before: Fairness, after: Fairness, changes: Sequence[Estimate] = ()) -> Estimate:
    """Return by how much the largest deviation of any seat differs between two drafts.

    The interval holds in 95 of 100 cases: it is where the difference can lie if all seats' deviations, before and after, and
    their paired changes lie in intervals that hold at once (Bonferroni). Where one seat is clearly the furthest off in both, it
    is hardly wider than that of the seat's own change. With a standard error of NaN: it has none that says anything.

    Parameters
    ----------
    changes : sequence of Estimate
        Of each seat's share, after less before, on the same deals; none where the deals are not the same.
    """
    family = len(before.seats) + len(after.seats) + len(changes)
    first, last = (_boxes([seat.estimate for seat in found.seats], family) for found in (before, after))
    value = float(np.abs([seat.estimate.value for seat in after.seats]).max())
    value -= float(np.abs([seat.estimate.value for seat in before.seats]).max())
    low, high = (
        _least_of_largest(last) - _most_of_largest(first),
        _most_of_largest(last) - _least_of_largest(first),
    )
    if changes:
        moved = _boxes(changes, family)
        high = min(high, _rise(first, moved, _without_each(first)))
        low = max(low, -_rise(last, -moved[:, ::-1], _without_each(last)))
    return Estimate(
        value, math.nan, min(low, value), max(high, value), min(seat.estimate.blocks for seat in before.seats)
    )


def _boxes(found: Sequence[Estimate], family: int) -> Any:
    """Return intervals that hold for a family at once, shape (seats, 2)."""
    reach = [stats.quantile(estimate.blocks, family) * estimate.se for estimate in found]
    return np.array([[e.value - r, e.value + r] for e, r in zip(found, reach, strict=True)])


def _sizes_of(boxes: Any) -> tuple[Any, Any]:
    """Return the least and the greatest size of numbers that lie in intervals."""
    ends = np.abs(boxes)
    return np.where((boxes[:, 0] <= 0) & (boxes[:, 1] >= 0), 0.0, ends.min(axis=1)), ends.max(axis=1)


def _least_of_largest(boxes: Any) -> float:
    return float(_sizes_of(boxes)[0].max())


def _most_of_largest(boxes: Any) -> float:
    return float(_sizes_of(boxes)[1].max())


def _without_each(boxes: Any) -> Any:
    """Return the greatest of the least sizes over all seats but each."""
    least = _sizes_of(boxes)[0]
    return np.array([np.delete(least, seat).max() for seat in range(len(least))])


def _rise(before: Any, moved: Any, others: Any) -> float:
    """Return by how much the largest size can rise where numbers lie in `before` and move by `moved`.

    Seat i ends at b + d or its negative, and before it the largest was at least max(|b|, the least that the others had): the
    difference is greatest at the upper ends.

    Parameters
    ----------
    before, moved : float array, shape (seats, 2)
    others : float array, shape (seats,)
        The least that the largest of the other seats was.
    """
    up = moved[:, 1] + before[:, 1] - np.maximum(np.abs(before[:, 1]), others)
    down = -moved[:, 0] - before[:, 0] - np.maximum(np.abs(before[:, 0]), others)
    return float(np.maximum(up, down).max())


# ---- how many more blocks -------------------------------------------------------------------------------


def _plan(seats: list[Within]) -> More:
    """Plan for all seats at once: how many further blocks many plausible sets of deviations need.

    The deviations found are no plan: of a fair game some seat lies near the margin by chance, and there no number is enough.
    """
    estimates, margin = [seat.estimate for seat in seats], seats[0].margin
    n = estimates[0].blocks
    off = np.array([found.value for found in estimates])
    sd = np.array([found.se for found in estimates]) * math.sqrt(n)
    dice = np.random.default_rng(len(seats))
    deviations = _plausible(off, _wide(sd, n) / math.sqrt(n), margin, dice)
    needed = _needed(deviations, off, sd, n, margin, dice)
    least, value, most = np.quantile(needed, [_RANGE[0], 0.5, _RANGE[1]], method="higher")
    # A number lies between its step and the one before.
    return More(float(value), max(1.0, float(least) / _FINE), float(most))


def _wide(sd: Any, n: int) -> Any:
    """Return the standard deviations of seats over blocks as if one further block went all to each: it may yet come."""
    return np.sqrt(sd**2 + (1 - 1 / len(sd)) ** 2 / n)


def _needed(deviations: Any, off: Any, sd: Any, n: int, margin: float, dice: Any) -> Any:
    """Return after how many further blocks four of five runs are decided, those played included; shape (sets,).

    Parameters
    ----------
    deviations : float array, shape (sets, seats)
        The true ones.
    off, sd : float array, shape (seats,)
        Found in the blocks that were played.
    n : int
        Blocks played.
    """
    size = len(off)
    wide = _wide(sd, n)
    noise = dice.normal(size=(_DRAWS, size)) @ _root(np.outer(wide, wide) * _zero_sum(size)).T

    def is_enough(step: Any) -> Any:
        more = _blocks_at(step, n)[:, None]
        means = (off * n + more * deviations + np.sqrt(more) * noise[:, None, :]) / (n + more)
        inside, outside = _limits(sd, n + more, 1 / size, margin, size)
        yes = ((inside[0] <= means) & (means <= inside[1])).all(axis=2)
        no = ((means < outside[0]) | (means > outside[1])).any(axis=2)
        return (yes | no).mean(axis=0) >= sizes.POWER

    low, high = np.zeros(len(deviations), int), np.full(len(deviations), _STEPS)
    while (low < high).any():
        middle = (low + high) // 2
        enough = is_enough(middle)
        low, high = np.where(enough | (low == high), low, middle + 1), np.where(enough, middle, high)
    return np.where(high < _STEPS, _blocks_at(high, n), math.inf)


def _blocks_at(step: Any, n: int) -> Any:
    return np.maximum(1.0, _FEWEST * n * _FINE**step)


def _zero_sum(seats: int) -> Any:
    """Return the correlations of equals that share out a fixed sum."""
    return (seats * np.eye(seats) - 1) / (seats - 1)


def _root(covariance: Any) -> Any:
    """Return a matrix that makes independent normal numbers covary so, whatever the rank."""
    values, axes = np.linalg.eigh(covariance)
    return axes * np.sqrt(np.maximum(values, 0))


def _plausible(off: Any, se: Any, margin: float, dice: Any) -> Any:
    """Return plausible true deviations of all seats, shape (draws, seats), given those that were found.

    Normal with a standard deviation of which every magnitude is as likely (see `_SPREADS`), and a sum of 0; their posterior is
    a mixture over that deviation.

    Parameters
    ----------
    off, se : float array, shape (seats,)
    """
    # The last seat has what the others leave.
    some = len(off) - 1
    alike = _zero_sum(len(off))[:some, :some]
    error = (np.outer(se, se) * _zero_sum(len(off)))[:some, :some]
    parts = []
    for spread in margin * np.geomspace(*_SPREADS, 40):
        prior = spread**2 * alike
        total = prior + error
        pull = np.linalg.solve(total, prior).T
        middle = pull @ off[:some]
        fit = np.linalg.slogdet(total)[1] + off[:some] @ np.linalg.solve(total, off[:some])
        parts.append((-fit / 2, middle, _root(prior - pull @ prior)))
    weights = np.exp(np.array([part[0] for part in parts]) - max(part[0] for part in parts))
    chosen = np.searchsorted(np.cumsum(weights) / weights.sum(), (np.arange(_DRAWS) + 0.5) / _DRAWS)
    free = dice.normal(size=(_DRAWS, some))
    drawn = np.array([parts[part][1] + parts[part][2] @ free[draw] for draw, part in enumerate(chosen)])
    return np.column_stack([drawn, -drawn.sum(axis=1)])
