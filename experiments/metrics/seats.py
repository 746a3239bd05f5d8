"""Seats: what each wins and scores, and whether they are fair within a margin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from experiments import stats
from experiments.metrics import blocks, sizes
from experiments.metrics.verdicts import careful, careful_blocks
from experiments.stats import Estimate, Kind

MARGIN = 0.01
"""A seat is fair if it wins no more than a point of share (1%) off its due."""


@dataclass(frozen=True)
class Within:
    """Whether a share lies within ±margin of its due.

    Attributes
    ----------
    estimate : Estimate
        Of the share less its due, with the 95% interval of `stats.share_interval`.
    margin : float
    p : float
        Of the two one-sided t tests, by the `careful` deviation.
    word : {"yes", "no", "undecided"}
        "yes" if they find it within; "no" if the interval lies wholly outside, and Student's of the `careful` deviation too.
    more : float
        Further blocks after which four of five runs would be decided, were mean and deviation just what they are;
        0 if decided, infinite if the mean sits on the margin.
    """

    estimate: Estimate
    margin: float
    p: float
    word: Literal["yes", "no", "undecided"]
    more: float


@dataclass(frozen=True)
class Fairness:
    """Whether all seats win their due within a margin.

    Attributes
    ----------
    seats : list of Within
        Of each seat's share less 1/n.
    word : {"yes", "no", "undecided"}
    more : float
        Further blocks: as a single seat that is off makes it "no", the fewest that any seat beyond the margin needs; if
        none is beyond, the most that any undecided seat needs.
    """

    seats: list[Within]
    word: Literal["yes", "no", "undecided"]
    more: float


@dataclass(frozen=True)
class Counts:
    """Wins by seat of independent matches.

    Attributes
    ----------
    shares : list of Estimate
        With simultaneous intervals.
    chi2, p : float
        Pearson's test that all win alike.
    """

    shares: list[Estimate]
    chi2: float
    p: float


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


def by_seat_max_t(values: Any, seed: int) -> list[Estimate]:
    """Return the same, with intervals by the bootstrap max-t: symmetric, and narrower where seats go together.

    Parameters
    ----------
    values : float array, shape (blocks, seats)
    seed : int
    """
    values = blocks.checked(values, 2, "seats")
    reach = blocks.at_once(values, seed)
    n = len(values)
    means, errors = values.mean(axis=0), np.std(values, axis=0, ddof=1) / math.sqrt(n)
    return [
        Estimate(float(m), float(se), float(m - reach * se), float(m + reach * se), n)
        for m, se in zip(means, errors, strict=True)
    ]


def raw_counts(wins: Any) -> Counts:
    """Return shares of independent matches with Goodman's simultaneous intervals (1965).

    For logs without deals in common. Matches of one deal are not independent: see `by_seat`.

    Parameters
    ----------
    wins : int array, shape (seats,)
    """
    from scipy.stats import chi2, chisquare

    wins = np.asarray(wins)
    total = int(wins.sum())
    limit = chi2.isf((1 - stats.CONFIDENCE) / len(wins), 1)
    # Wilson's interval, at Bonferroni's level.
    middles = (wins + limit / 2) / (total + limit)
    halves = np.sqrt(limit * (limit / 4 + wins * (1 - wins / total))) / (total + limit)
    shares = [
        Estimate(p, math.sqrt(p * (1 - p) / total), middle - half, middle + half, total)
        for p, middle, half in zip((wins / total).tolist(), middles.tolist(), halves.tolist(), strict=True)
    ]
    test = chisquare(wins)
    return Counts(shares, float(test.statistic), float(test.pvalue))


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


def within(share: Estimate, due: float, margin: float = MARGIN, looks: int = 1) -> Within:
    """Test whether a share lies within ±margin of its due: two one-sided t tests at 5% (Schuirmann 1987).

    In few blocks the deviation seen says little: a seat that has won none of them has none at all. So the tests are by the
    `careful` deviation, and "no" must also be borne out by an interval made for shares: of either word at most 5% are false
    from two blocks on.

    Parameters
    ----------
    share : Estimate
        From two blocks or more; of its value and standard error.
    due, margin : float
        In the same units.
    looks : int
        So many are tested at once: what says "no" is made wider (Bonferroni).

    Raises
    ------
    ValueError
        If the margin is not above 0.
    """
    from scipy.special import stdtr

    if margin <= 0:
        raise ValueError("margin: must be above 0")
    n, off = share.blocks, share.value - due
    low, high = (end - due for end in stats.share_interval(share.value, share.se, n, looks))
    found = Estimate(off, share.se, low, high, n)
    sd, bound = share.se * math.sqrt(n), max(due, 1 - due)
    # Of the two one-sided tests, the one on the nearer side has the greater p.
    beyond = (abs(off) - margin) / (float(careful(sd, bound, n)) / math.sqrt(n))
    p = float(stdtr(n - 1, beyond))
    if p <= sizes.LEVEL:
        return Within(found, margin, p, "yes", 0.0)
    if max(low, -high) > margin and beyond > stats.quantile(n, looks):
        return Within(found, margin, p, "no", 0.0)
    if abs(off) < margin:
        needed = sizes.to_match(1, margin, effect=off)
    else:
        needed = sizes.to_differ(1, abs(off) - margin, alpha=sizes.LEVEL / looks)
    return Within(found, margin, p, "undecided", max(careful_blocks(needed, sd, bound) - n, 1.0))


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
    seats = len(shares)
    return _fair([within(share, 1 / seats, margin, seats) for share in shares])


def _fair(found: list[Within]) -> Fairness:
    words = {one.word for one in found}
    if "no" in words:
        return Fairness(found, "no", 0.0)
    if words == {"yes"}:
        return Fairness(found, "yes", 0.0)
    beyond = [one.more for one in found if abs(one.estimate.value) > one.margin]
    return Fairness(found, "undecided", min(beyond) if beyond else max(one.more for one in found))


def greatest(found: Fairness) -> Estimate:
    """Return how far the seat that is furthest off wins from its due, with an interval from those of all seats at once.

    The greatest of the deviations lies between the greatest of what they are at least and the greatest of what they are
    at most. With a standard error of NaN: it has none that says anything.
    """
    least = max(max(one.estimate.low, -one.estimate.high, 0.0) for one in found.seats)
    most = max(max(one.estimate.high, -one.estimate.low) for one in found.seats)
    value = max(abs(one.estimate.value) for one in found.seats)
    return Estimate(value, math.nan, least, most, found.seats[0].estimate.blocks)


def raw_within(wins: int, matches: int, margin: float = MARGIN, due: float = 0.5) -> float:
    """Return the p-value of the two one-sided binomial tests that a share of matches is within ±margin of its due.

    The matches must be independent.

    Parameters
    ----------
    wins, matches : int
    margin, due : float
        In share of matches.
    """
    from scipy.stats import binomtest

    above = binomtest(wins, matches, due - margin, alternative="greater")
    below = binomtest(wins, matches, due + margin, alternative="less")
    return float(max(above.pvalue, below.pvalue))
