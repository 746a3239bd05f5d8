"""The course of a match, from the chances of winning after each move: drama, leads, suspense, and their calibration.

A *path* is an array of shape (matches, times, players): at time t the chance of each player to win, or the expected share
of the win, adding up to 1 over players; NaN after the match has ended. Time 0 is before the first move, the last time of
a match is its outcome. Each function gives one number a match; `blocks.by_row` makes estimates of them, with the deal of
each match for its block. All read as much into noise as into play: see `calibration` first, and `noisy_course` for chances
that are estimates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments.metrics import blocks, jackknife
from experiments.stats import Estimate


@dataclass(frozen=True)
class Bin:
    """Predictions of about the same chance.

    Attributes
    ----------
    low, high : float
        Ends of the bin.
    predicted : float
        Their mean.
    came : Estimate
        How often it came; the intervals of all bins hold at once.
    count : int
        Predictions in it.
    """

    low: float
    high: float
    predicted: float
    came: Estimate
    count: int


@dataclass(frozen=True)
class Calibration:
    """Whether predicted chances come true.

    Attributes
    ----------
    bins : list of Bin
        Those with predictions.
    brier : Estimate
        Mean squared error of the predictions (Brier 1950).
    skill : Estimate
        1 − Brier score/that of always predicting the mean: 0 for predictions that say nothing.
    """

    bins: list[Bin]
    brier: Estimate
    skill: Estimate

    @property
    def calibrated(self) -> bool:
        """Whether the mean prediction lies in the interval of every bin."""
        return all(one.came.low <= one.predicted <= one.came.high for one in self.bins)


def checked(paths: Any) -> tuple[Any, Any]:
    """Return the paths as floats, and which times there are, shape (matches, times).

    Raises
    ------
    ValueError
        If the chances are no chances, or do not add up.
    """
    paths = np.asarray(paths, dtype=float)
    if paths.ndim != 3 or paths.shape[1] < 2 or paths.shape[2] < 2:
        raise ValueError(f"paths: needs matches × times (two or more) × players; not shape {paths.shape}")
    there = ~np.isnan(paths).any(axis=2)
    if (there[:, 1:] & ~there[:, :-1]).any() or not there[:, 1].all():
        raise ValueError("paths: each needs a time 0 and a time 1, and none after the first that is missing")
    chances = paths[there]
    if chances.min() < -1e-9 or not np.allclose(chances.sum(axis=1), 1, atol=1e-6):
        raise ValueError("paths: chances must be 0 or more and add up to 1 over players")
    return paths, there


def of_winner(paths: Any, winner: Any) -> Any:
    """Return the chances of the later winner at each time."""
    return np.take_along_axis(paths, np.asarray(winner)[:, None, None], axis=2)[:, :, 0]


def steps(paths: Any, there: Any) -> Any:
    """Return the changes of the chances from time to time, 0 after the end."""
    return np.where(there[:, 1:, None], np.diff(paths, axis=1), 0)


def leads(paths: Any, margin: float) -> tuple[Any, Any]:
    """Return who is first at each time, and whether by more than the margin, both of shape (matches, times)."""
    paths, there = checked(paths)
    known = np.where(there[:, :, None], paths, 0)
    ordered = np.sort(known, axis=2)
    return known.argmax(axis=2), there & (ordered[:, :, -1] - ordered[:, :, -2] > margin)


def passes(first: Any, clear: Any) -> Any:
    """Return how often the lead passes to another in each match.

    Parameters
    ----------
    first : int array, shape (matches, times)
        Who is first.
    clear : bool array, shape (matches, times)
        Whether so clearly that the lead is taken.
    """
    leader = np.full(len(first), -1)
    changes = np.zeros(len(first), np.int64)
    for time in range(first.shape[1]):
        taken = clear[:, time] & (first[:, time] != leader)
        changes += taken & (leader >= 0)
        leader = np.where(taken, first[:, time], leader)
    return changes


def squares(paths: Any) -> Any:
    """Return Σ_t ‖E(t) − E(t−1)‖²/2; for two players the squared changes of either's chance.

    Its mean is the variance of the outcome if the chances are exact (a martingale).

    Parameters
    ----------
    paths : float array, shape (matches, times, players)
    """
    paths, there = checked(paths)
    return (steps(paths, there) ** 2).sum(axis=(1, 2)) / 2


def surprise(paths: Any) -> Any:
    """Return Σ_t ‖E(t) − E(t−1)‖/√2 (Ely, Frankel and Kamenica 2015); for two players how far either's chance moved.

    Parameters
    ----------
    paths : float array, shape (matches, times, players)
    """
    paths, there = checked(paths)
    return np.sqrt((steps(paths, there) ** 2).sum(axis=2) / 2).sum(axis=1)


def calibration(
    predicted: Any, came: Any, block: Any, seed: int, *, bins: int = 10, family_size: int = 1
) -> Calibration:
    """Compare predicted chances with what came, in bins of equal width, and by the Brier score.

    Own code: scipy and statsmodels have none. Call it by phase of the match too: chances may be right on the whole and
    wrong early.

    Parameters
    ----------
    predicted : float array, shape (predictions,)
        Chances from 0 to 1.
    came : float array, shape (predictions,)
        1 if it came, 0 if not; a share for a shared win.
    block : int array, shape (predictions,)
        Number of the deal of each, from 0: predictions of one deal are not independent.
    seed : int
        Of the bootstrap over blocks.
    family_size : int
        Of so many calibrations the intervals of all bins hold at once.

    Raises
    ------
    ValueError
        If something is not from 0 to 1.
    """
    predicted, came = np.asarray(predicted, dtype=float), np.asarray(came, dtype=float)
    if (
        predicted.shape != came.shape
        or min(predicted.min(), came.min()) < 0
        or max(predicted.max(), came.max()) > 1
    ):
        raise ValueError("predicted, came: must be as many, and from 0 to 1")
    place = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    used = np.unique(place)
    found = []
    for number in used:
        here = place == number
        share = blocks.ratio(
            blocks.sums(np.where(here, came, 0), block),
            blocks.sums(here, block),
            "share",
            family_size * len(used),
        )
        low, high = number / bins, (number + 1) / bins
        found.append(Bin(float(low), float(high), float(predicted[here].mean()), share, int(here.sum())))
    squares, ones = (predicted - came) ** 2, np.ones(len(came))
    columns = [squares, came, came**2, ones]
    rows = np.stack([blocks.sums(column, block) for column in columns], axis=1)

    def skill(means: Any) -> Any:
        error, mean, square = (means[..., k] / means[..., 3] for k in range(3))
        whole = square - mean**2
        return 1 - np.divide(error, whole, out=np.full_like(error, np.nan), where=whole > 0)[..., None]

    brier = blocks.ratio(rows[:, 0], rows[:, 3], "share")
    # Where few predictions vary, a replicate may have none that do.
    (gained,) = jackknife.bounded(blocks.of_means(rows, skill, seed), rows, skill)
    return Calibration(found, brier, _skill_within(gained, brier, came))


def _skill_within(gained: Estimate, brier: Estimate, came: Any) -> Estimate:
    """Return a skill score of no more than 1, with the interval of its Brier score where so few blocks give none."""
    spread = float(np.var(came))
    if spread == 0:
        return gained
    low, high = gained.low, gained.high
    if math.isnan(low) or low == high:
        low, high = 1 - brier.high / spread, 1 - brier.low / spread
    return replace(gained, low=low, high=min(high, 1.0))
