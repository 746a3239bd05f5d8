"""What rules and habits change: paired differences with intervals that hold at once, and how often a thing came."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks
from experiments.metrics.verdicts import PairedSummary
from experiments.stats import Estimate

_MOST_BLOCKS = 1e15
"""More than anybody can play."""


@dataclass(frozen=True)
class Change:
    """What something changes in one measure.

    Attributes
    ----------
    found : Estimate
        Of the measure with it less without.
    spread : float
        Standard deviation of the measure over deals, without it.
    """

    found: Estimate
    spread: float

    @property
    def told(self) -> bool:
        """Whether the difference is told from 0."""
        return self.found.low > 0 or self.found.high < 0

    @property
    def size(self) -> float:
        """How large it is in standard deviations of a deal; 0 if it is not told from 0."""
        if not self.told:
            return 0.0
        return abs(self.found.value) / self.spread if self.spread > 0 else math.inf


def change(with_it: Any, without: Any, family_size: int = 1, most: float = math.inf) -> Change:
    """Return the mean difference of a measure on the same deals.

    Deals on which nothing changes tell little of those on which something does, so the interval is that of `mean`. Where it is
    not stated, the greatest difference of a deal is taken from how far the measure ranges in both.

    Parameters
    ----------
    with_it, without : float array, shape (blocks,)
    family_size : int
        Of so many intervals made with it, all hold at once in 95 of 100 cases (Bonferroni).
    most : float
        The greatest difference that there can be.

    Raises
    ------
    ValueError
        If they are not as many, or too few, or not finite.
    """
    pairs = blocks.checked(np.stack([with_it, without], axis=1), 2, "measures")
    found = mean(pairs[:, 0] - pairs[:, 1], _bound(pairs, most), family_size, (-most, most))
    return Change(found, float(np.std(pairs[:, 1], ddof=1)))


def _bound(pairs: Any, most: float) -> float:
    """Return the greatest difference of a deal; of a measure that is the same everywhere, any will do."""
    return most if math.isfinite(most) else float(np.ptp(pairs)) or 1.0


def blocks_to_bound(
    with_it: Any, without: Any, margin: float, family_size: int = 1, most: float = math.inf
) -> float:
    """Return after about how many blocks the interval of `change` would reach no further than a margin to each side.

    Parameters
    ----------
    margin : float
        In the unit of the measure; none suffice for one of 0.
    """
    from scipy.optimize import brentq

    if margin <= 0:
        return math.inf
    pairs = blocks.checked(np.stack([with_it, without], axis=1), 2, "measures")
    spread = float(np.std(pairs[:, 0] - pairs[:, 1], ddof=1))
    summary = PairedSummary(0.0, spread, len(pairs), margin, _bound(pairs, most))

    def beyond(size: float) -> float:
        return float(summary.p_later(margin, math.exp(size))) - _tail(family_size)

    ends = math.log(2), math.log(_MOST_BLOCKS)
    return 2.0 if beyond(ends[0]) <= 0 else math.exp(brentq(beyond, *ends))


def balance(wins: Any, other_wins: Any, family_size: int = 1) -> Estimate:
    """Return by how much the largest deviation of any seat from its fair share changes, in two ways to play the same deals.

    It is max |p − 1/n| − max |q − 1/n| over the n seats, p and q being their shares. A greatest value has no normal error, so
    the interval is made of simultaneous ones: with ±(p − 1/n) of each seat as x and ±(q − 1/n) as y, the change is both the
    greatest over x of the least over y of x − y, and the least over y of the greatest over x. Their 2n² intervals are those of
    `mean`, on the same deals, and all hold at once (Bonferroni); put in place of the differences, their ends bound the change.

    Parameters
    ----------
    wins, other_wins : float array, shape (blocks, seats)
        Shares of the win; the change is that of the former less the latter.
    family_size : int
        See `change`.

    Returns
    -------
    Estimate
        Without a standard error.
    """
    wins, other_wins = (blocks.checked(values, 2, "wins") for values in (wins, other_wins))
    seats, due = wins.shape[1], 1 / wins.shape[1]
    least, most = np.empty((2, 2 * seats, 2 * seats))
    for seat, other in np.ndindex(seats, seats):
        for sign in (1, -1):  # of y beside a positive x
            values = wins[:, seat] - due - sign * (other_wins[:, other] - due)
            found = mean(values, 1.0 if sign > 0 else 2.0, family_size * 2 * seats**2)
            y = other if sign > 0 else seats + other
            mirrored = seats + other if sign > 0 else other
            least[seat, y], most[seat, y] = found.low, found.high
            least[seats + seat, mirrored], most[seats + seat, mirrored] = -found.high, -found.low
    largest, other_largest = (float(np.abs(values.mean(axis=0) - due).max()) for values in (wins, other_wins))
    low, high = float(least.max(axis=0).min()), float(most.min(axis=1).max())
    return Estimate(largest - other_largest, math.nan, low, high, len(wins))


def mean(
    values: Any, bound: float, family_size: int = 1, bounds: tuple[float, float] = stats.UNBOUND
) -> Estimate:
    """Return a mean over blocks with an interval that holds where the mean comes from few of them.

    What is rare may not have come yet, and then mean and deviation are both too small. So the interval has all means that
    neither Student's test nor an exact one of rare blocks rejects (`PairedSummary.reach`), cut off where the mean cannot be.

    Parameters
    ----------
    values : float array, shape (blocks,)
    bound : float
        The greatest difference that a block can have.
    family_size : int
        See `change`.
    bounds : tuple of float
        The least and the greatest that the mean can be.
    """
    values = blocks.checked(values, 1, "values")
    n, value, sd = len(values), float(values.mean()), float(np.std(values, ddof=1))
    half = PairedSummary(value, sd, n, 0.0, bound).reach(_tail(family_size))
    return Estimate(value, sd / math.sqrt(n), max(bounds[0], value - half), min(bounds[1], value + half), n)


def _tail(family_size: int) -> float:
    """Return the chance that such an interval leaves to each side."""
    return (1 - stats.CONFIDENCE) / (2 * family_size)


def rate(counts: Any, trials: float) -> Estimate:
    """Return how often something came in each of the `trials` of a block.

    With the interval of `stats.count_interval`; if it never came, the upper end is the exact −ln(0.025)/n of a Poisson rate
    over the n trials.

    Parameters
    ----------
    counts : int array, shape (blocks,)
    trials : float
        Games of a block.
    """
    found = blocks.mean(np.asarray(counts) / trials)
    if found.value > 0:
        low, high = stats.count_interval(found.value, found.se, found.blocks)
        return Estimate(found.value, found.se, low, high, found.blocks)
    most = -math.log(0.5 - stats.CONFIDENCE / 2) / (len(counts) * trials)
    return Estimate(0.0, found.se, 0.0, most, found.blocks)


def others_win(wins: Any, other_wins: Any, family_size: int = 1) -> Estimate:
    """Return in which share of deals the win goes elsewhere, or is shared otherwise.

    Parameters
    ----------
    wins, other_wins : array, shape (blocks, seats)
        What each seat wins, in two ways to play the same deals.
    family_size : int
        See `change`.
    """
    return blocks.share((np.asarray(wins) != np.asarray(other_wins)).any(axis=1).astype(float), family_size)


# ---- restricted play ------------------------------------------------------------------------------------


def importance(wins: Any, family_size: int = 1) -> Estimate:
    """Return how much a player loses that may never do something: 1/n − B, B being its win share (Jaffe et al. 2012).

    B is that of one such player among n − 1 others of its kind that may; without the restriction it would be 1/n exactly,
    as every deal is played in every seat.

    Parameters
    ----------
    wins : float array, shape (blocks, seats)
        Share of the win of the player in each seat.
    family_size : int
        See `change`.
    """
    wins = blocks.checked(wins, 2, "wins")
    due = 1 / wins.shape[1]
    return mean(due - wins.mean(axis=1), max(due, 1 - due), family_size, (due - 1, due))


def scaled(found: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit, `factor` above 0."""
    return Estimate(
        factor * found.value, factor * found.se, factor * found.low, factor * found.high, found.blocks
    )
