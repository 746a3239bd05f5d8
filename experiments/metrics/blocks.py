"""Estimates from arrays with a row a block: means, shares, ratios, and anything computed from means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from experiments import stats
from experiments.stats import Estimate, Kind
from sim.jit import jit

REPLICATES = 2000
"""Of a bootstrap. BCa reads the tails, which takes more than a plain percentile interval."""

_AS_GOOD_AS_NORMAL = 4000
"""Blocks."""

_AT_ONCE = 1_000_000
"""Draws held in memory at a time."""


def checked(values: Any, axes: int, what: str) -> Any:
    """Return `values` as an array of floats.

    Raises
    ------
    ValueError
        If it has another number of axes, fewer than two blocks, or a value that is not finite.
    """
    array = np.asarray(values, dtype=float)
    if array.ndim != axes or len(array) < 2 or array.size == 0 or not np.isfinite(array).all():
        raise ValueError(
            f"{what}: needs finite numbers on {axes} axes, of two blocks or more; not shape {array.shape}"
        )
    return array


def agree(values: Any) -> bool:
    """Tell whether all of some numbers are the same, but for rounding."""
    values = np.asarray(values, dtype=float)
    return bool(np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())))


def mean(values: Any, family_size: int = 1, bounds: tuple[float, float] = stats.UNBOUND) -> Estimate:
    """Return the mean over blocks with the interval of `stats.mean_interval`: without bounds, Student's.

    Parameters
    ----------
    values : float array, shape (blocks,)
    family_size : int
        Of so many intervals made with it, all hold at once in 95 of 100 cases (Bonferroni).
    bounds : tuple of float
        The least and the greatest that the mean can be.
    """
    values = checked(values, 1, "values")
    n, se, value = len(values), _se(values), float(values.mean())
    return Estimate(value, se, *stats.mean_interval(value, se, n, family_size, bounds), n)


def mean_within(values: Any, bounds: tuple[float, float]) -> Estimate:
    """Return the mean over blocks of what noise may put where the mean cannot be, with Student's interval.

    Value and ends that lie beyond the bounds are put there: what is left holds the truth as often as the whole. Where few
    blocks all agree, which may be chance, the interval is that of a share of the way from one bound to the other; where
    there is none to go, the error is that of two more blocks that differ by all of the value, one each way.

    Parameters
    ----------
    values : float array, shape (blocks,)
    bounds : tuple of float
        The least and the greatest that the mean can be.
    """
    found = mean(values)
    n, se = found.blocks, found.se
    ends = found.value, found.low, found.high
    if agree(values) and n < stats.AGREEING:
        if math.isfinite(bounds[1] - bounds[0]):
            value = min(max(found.value, bounds[0]), bounds[1])
            ends = value, *stats.mean_interval(value, 0.0, n, bounds=bounds)
        else:
            se = math.sqrt(2) * abs(found.value) / n
            half = stats.quantile(n) * se
            ends = found.value, found.value - half, found.value + half
    value, low, high = (min(max(end, bounds[0]), bounds[1]) for end in ends)
    return Estimate(value, se, low, high, n)


def as_share(found: Estimate) -> Estimate:
    """Return the estimate of a share with what of its interval lies between 0 and 1.

    Of few blocks that leave nothing between its ends, it is the interval of `stats.share_interval`.
    """
    if math.isnan(found.low):
        return found
    low, high = (min(max(end, 0.0), 1.0) for end in (found.low, found.high))
    if low == high and found.blocks < stats.AGREEING:
        low, high = stats.share_interval(min(max(found.value, 0.0), 1.0), 0.0, found.blocks)
    return replace(found, low=low, high=high)


def share(values: Any, family_size: int = 1) -> Estimate:
    """Return the mean share over blocks with the interval of `stats.share_interval`.

    Parameters
    ----------
    values : float array, shape (blocks,)
        Each from 0 to 1.
    family_size : int
        See `mean`.
    """
    values = checked(values, 1, "shares")
    if values.min() < 0 or values.max() > 1:
        raise ValueError("shares: must be from 0 to 1")
    n, se, value = len(values), _se(values), float(values.mean())
    return Estimate(value, se, *stats.share_interval(value, se, n, family_size), n)


def of_kind(values: Any, kind: Kind, family_size: int = 1) -> Estimate:
    """Return `share` or `mean`."""
    return share(values, family_size) if kind == "share" else mean(values, family_size)


def ratio(
    x: Any, d: Any, kind: Kind, family_size: int = 1, bounds: tuple[float, float] = stats.UNBOUND
) -> Estimate:
    """Return Σx/Σd over blocks, its error by linearisation (Cochran 1977, section 6.3).

    What `stats.estimate` does for whole-number sums, here for the blocks themselves. The error rests on n²/Σn²
    blocks, n being the d of each: their number if it is the same in all.

    Parameters
    ----------
    x, d : float array, shape (blocks,)
        A block without any of what is counted has 0 in both.
    kind : {"share", "mean"}
    family_size, bounds
        See `mean`; a share has bounds of its own.

    Raises
    ------
    ValueError
        If nothing was counted in any block.
    """
    x, d = checked(x, 1, "numerators"), checked(d, 1, "denominators")
    if d.sum() <= 0:
        raise ValueError("denominators: nothing was counted in any block")
    value, se = float(x.sum() / d.sum()), _se(influence(x, d))
    n = max(1, int(d.sum() ** 2 / (d**2).sum() + 1e-9))
    if kind == "share":
        return Estimate(value, se, *stats.share_interval(value, se, n, family_size), n)
    if n < 2:
        return Estimate(value, math.nan, math.nan, math.nan, n)
    return Estimate(value, se, *stats.mean_interval(value, se, n, family_size, bounds), n)


def influence(x: Any, d: Any) -> Any:
    """Return what each block adds to the error of Σx/Σd, times the number of blocks; the mean is 0.

    Parameters
    ----------
    x, d : float array, shape (blocks,) or (blocks, measures)
    """
    return (x - x.sum(axis=0) / d.sum(axis=0) * d) / d.mean(axis=0)


def sums(values: Any, block: Any) -> Any:
    """Return the sums by block of what was noted by match or by decision.

    Parameters
    ----------
    values : float array, shape (rows,)
    block : int array, shape (rows,)
        Number of the block of each, from 0.

    Returns
    -------
    float array, shape (blocks,)
        0 in a block without rows.
    """
    return np.bincount(np.asarray(block), weights=np.asarray(values, dtype=float))


def by_row(
    values: Any, block: Any, kind: Kind, family_size: int = 1, bounds: tuple[float, float] = stats.UNBOUND
) -> Estimate:
    """Return the mean of what was noted by match or by decision; NaN is where there is nothing to note.

    Parameters
    ----------
    values : float array, shape (rows,)
    block : int array, shape (rows,)
        Number of the block of each, from 0.
    kind : {"share", "mean"}
    family_size, bounds
        See `ratio`.
    """
    values = np.asarray(values, dtype=float)
    there = ~np.isnan(values)
    return ratio(sums(np.where(there, values, 0.0), block), sums(there, block), kind, family_size, bounds)


def _se(values: Any) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


# ---- the bootstrap --------------------------------------------------------------------------------------


def drawn_means(rows: Any, seed: int, replicates: int = REPLICATES) -> Any:
    """Return the means over blocks drawn anew, shape (replicates, columns).

    Parameters
    ----------
    rows : float array, shape (blocks, columns)
    """
    dice = np.random.default_rng(seed)
    rows = np.ascontiguousarray(rows, dtype=float)
    found = np.zeros((replicates, rows.shape[1]))
    step = max(1, _AT_ONCE // len(rows))
    for first in range(0, replicates, step):
        size = min(step, replicates - first)
        drawn = dice.integers(len(rows), size=(size, len(rows)), dtype=np.int32)
        _add_drawn(rows, drawn, found[first : first + size])
    return found / len(rows)


@jit
def _add_drawn(rows: Any, drawn: Any, found: Any) -> None:
    for replicate in range(drawn.shape[0]):
        for place in range(drawn.shape[1]):
            row = drawn[replicate, place]
            for column in range(rows.shape[1]):
                found[replicate, column] += rows[row, column]


def of_means(
    rows: Any,
    function: Callable[[Any], Any],
    seed: int,
    *,
    in_replicates: Callable[[Any], Any] | None = None,
    replicates: int = REPLICATES,
    family_size: int = 1,
) -> list[Estimate]:
    """Estimate what is computed from the means of columns, with the interval BCa over blocks (Efron 1987).

    Own code: scipy's `bootstrap` takes a number of steps that grows with the square of the blocks for the same
    interval; means need no more than sums. Like the ladder's, the interval is widened for few blocks (Hesterberg 2015).

    Parameters
    ----------
    rows : float array, shape (blocks, columns)
    function : callable
        Of an array of means, shape (…, columns); returns an array of shape (…, measures), one value for each.
    in_replicates : callable, optional
        What is computed in the replicates, where it must be something else: their means have the noise of the blocks and
        that of the draw, so what takes off the square of the noise must do so twice.
    family_size : int
        See `mean`.

    Returns
    -------
    list of Estimate
        One a measure; without an interval where the function has no value in some replicate.
    """
    rows = checked(rows, 2, "rows")
    n = len(rows)
    values = np.atleast_1d(function(rows.mean(axis=0)))
    drawn = (in_replicates or function)(drawn_means(rows, seed, replicates)).reshape(replicates, -1)
    without = function((rows.sum(axis=0) - rows) / (n - 1)).reshape(n, -1)
    return [_bca(float(values[m]), drawn[:, m], without[:, m], family_size) for m in range(len(values))]


def _bca(value: float, drawn: Any, without: Any, family_size: int) -> Estimate:
    from scipy.special import ndtr, ndtri

    n = len(without)
    if not (math.isfinite(value) and np.isfinite(drawn).all()):
        return Estimate(value, math.nan, math.nan, math.nan, n)
    # Replicas that differ from the value only by rounding are the value.
    near = 1e-12 * max(1.0, abs(value))
    below = float(np.mean(drawn < value - near)) + float(np.mean(np.abs(drawn - value) <= near)) / 2
    least = 0.5 / len(drawn)
    bias = float(ndtri(min(max(below, least), 1 - least)))
    pull = without.mean() - without
    squares = float((pull**2).sum())
    skew = float((pull**3).sum()) / (6 * squares**1.5) if squares > n * near**2 else 0.0
    reach = -float(ndtri(stats.expanded_tail(n, family_size)))
    tails = []
    for side in (-reach, reach):
        shrink = 1 - skew * (bias + side)
        tails.append(float(ndtr(bias + (bias + side) / shrink)) if shrink > 0 else float(side > 0))
    low, high = np.quantile(drawn, tails)
    return Estimate(value, float(np.std(drawn, ddof=1)), float(min(low, value)), float(max(high, value)), n)


def simultaneous(errors: Any, seed: int, replicates: int = REPLICATES) -> float:
    """Return how many standard errors reach all of several means at once in 95 of 100 cases: the bootstrap max-t.

    Narrower than Bonferroni's where the means go together (Romano and Wolf 2005). Widened as Student's t is for few
    blocks. Of very many blocks the means are as good as normal, and normal ones as much correlated are drawn in place of
    blocks: that takes no longer for more of them.

    Parameters
    ----------
    errors : float array, shape (blocks, measures)
        What each block adds to the error of each mean.
    """
    from scipy.special import ndtr, stdtrit

    centred = errors - errors.mean(axis=0)
    n = len(centred)
    se = np.std(centred, axis=0, ddof=1) / math.sqrt(n)
    moves = se > 0
    if not moves.any():
        return stats.quantile(n)
    if n < _AS_GOOD_AS_NORMAL:
        drawn = drawn_means(centred[:, moves], seed, replicates) / se[moves] * math.sqrt(n / (n - 1))
    else:
        correlation = np.atleast_2d(np.corrcoef(centred[:, moves], rowvar=False))
        values, axes = np.linalg.eigh(correlation)
        dice = np.random.default_rng(seed)
        drawn = dice.normal(size=(10 * replicates, len(values))) * np.sqrt(np.maximum(values, 0)) @ axes.T
    reach = float(np.quantile(np.abs(drawn).max(axis=1), stats.CONFIDENCE))
    return float(stdtrit(n - 1, ndtr(reach)))
