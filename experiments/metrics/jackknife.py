"""Intervals by leaving out one block at a time: of ratios that the bootstrap does not bound, and of ratios of variances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks
from experiments.stats import Estimate


def bounded(found: list[Estimate], rows: Any, function: Callable[[Any], Any]) -> list[Estimate]:
    """Return the estimates, those without an interval with Student's by the jackknife over blocks (Tukey 1958).

    se² = (n − 1)/n·Σ(θ₋ᵢ − mean)². It asks only for the values with one block left out: where so few blocks vary that there
    is none in such a one either, the estimate stays without.

    Parameters
    ----------
    found : list of Estimate
        As `blocks.of_means` gives them.
    rows, function
        As given to it.
    """
    if all(math.isfinite(one.low) for one in found):
        return found
    se, n = _errors(rows, function), len(rows)
    return [
        one if math.isfinite(one.low) else _student(one.value, float(error), n)
        for one, error in zip(found, se, strict=True)
    ]


def positive(rows: Any, function: Callable[[Any], Any]) -> Estimate:
    """Estimate what is above 0 and computed from the means of columns, with Student's interval of its logarithm (Miller 1968).

    That of a ratio of variances, whose logarithm is about normal where it is not itself. As quick for a million blocks as the
    bootstrap is for a thousand.

    Parameters
    ----------
    rows : float array, shape (blocks, columns)
    function : callable
        Of an array of means, shape (…, columns); returns an array of shape (…).

    Returns
    -------
    Estimate
        Without an interval where there is no finite value with each of the blocks left out.
    """
    rows = blocks.checked(rows, 2, "rows")
    n, value = len(rows), float(function(rows.mean(axis=0)))
    if not (math.isfinite(value) and value > 0):
        return Estimate(value, math.nan, math.nan, math.nan, n)
    error = float(_errors(rows, lambda means: _log(function(means)))[0])
    reach = math.exp(stats.quantile(n) * error)
    return Estimate(value, value * error, value / reach, value * reach, n)


def _log(values: Any) -> Any:
    """Return logarithms, NaN of what is not above 0 or not finite."""
    values = np.asarray(values)
    return np.log(values, out=np.full_like(values, np.nan), where=np.isfinite(values) & (values > 0))


def _errors(rows: Any, function: Callable[[Any], Any]) -> Any:
    """Return the standard errors of what is computed from the means of columns."""
    rows = np.asarray(rows, dtype=float)
    n = len(rows)
    without = function((rows.sum(axis=0) - rows) / (n - 1)).reshape(n, -1)
    return np.sqrt((n - 1) * without.var(axis=0))


def _student(value: float, se: float, n: int) -> Estimate:
    half = stats.quantile(n) * se
    return Estimate(value, se, value - half, value + half, n)
