"""What rules and habits change: paired differences with intervals that hold at once, and how often a thing came."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks
from experiments.metrics.verdicts import careful
from experiments.stats import Estimate


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


def change(with_it: Any, without: Any, looks: int = 1, most: float = math.inf) -> Change:
    """Return the mean difference of a measure on the same deals.

    Deals on which nothing changes tell little of those on which something does, so the deviation is the `careful` one; the
    greatest difference of a deal is taken from how far the measure ranges in both.

    Parameters
    ----------
    with_it, without : float array, shape (blocks,)
    looks : int
        Of so many intervals made with it, all hold at once in 95 of 100 cases (Bonferroni).
    most : float
        The greatest difference that there can be.

    Raises
    ------
    ValueError
        If they are not as many, or too few, or not finite.
    """
    pairs = blocks.checked(np.stack([with_it, without], axis=1), 2, "measures")
    found = mean(pairs[:, 0] - pairs[:, 1], float(np.ptp(pairs)), looks, (-most, most))
    return Change(found, float(np.std(pairs[:, 1], ddof=1)))


def mean(values: Any, bound: float, looks: int = 1, bounds: tuple[float, float] = stats.UNBOUND) -> Estimate:
    """Return a mean over blocks with Student's interval of the `careful` deviation, cut off where the mean cannot be.

    Parameters
    ----------
    values : float array, shape (blocks,)
    bound : float
        About the greatest difference that a block can have.
    looks : int
        See `change`.
    bounds : tuple of float
        The least and the greatest that the mean can be.
    """
    values = blocks.checked(values, 1, "values")
    n, value = len(values), float(values.mean())
    se = float(careful(np.std(values, ddof=1), bound, n)) / math.sqrt(n)
    half = stats.quantile(n, looks) * se
    return Estimate(value, se, max(bounds[0], value - half), min(bounds[1], value + half), n)


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


def others_win(wins: Any, other_wins: Any, looks: int = 1) -> Estimate:
    """Return in which share of deals the win goes elsewhere, or is shared otherwise.

    Parameters
    ----------
    wins, other_wins : array, shape (blocks, seats)
        What each seat wins, in two ways to play the same deals.
    looks : int
        See `change`.
    """
    return blocks.share((np.asarray(wins) != np.asarray(other_wins)).any(axis=1).astype(float), looks)


# ---- restricted play ------------------------------------------------------------------------------------


def importance(wins: Any, looks: int = 1) -> Estimate:
    """Return how much a player loses that may never do something: 1/n − B, B being its win share (Jaffe et al. 2012).

    B is that of one such player among n − 1 others of its kind that may; without the restriction it would be 1/n exactly,
    as every deal is played in every seat.

    Parameters
    ----------
    wins : float array, shape (blocks, seats)
        Share of the win of the player in each seat.
    looks : int
        See `change`.
    """
    wins = blocks.checked(wins, 2, "wins")
    due = 1 / wins.shape[1]
    return mean(due - wins.mean(axis=1), max(due, 1 - due), looks, (due - 1, due))


def scaled(found: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit, `factor` above 0."""
    return Estimate(
        factor * found.value, factor * found.se, factor * found.low, factor * found.high, found.blocks
    )
