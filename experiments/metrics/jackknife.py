"""Intervals where the bootstrap has none: a ratio whose denominator is 0 in some replicate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from experiments import stats
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
    rows = np.asarray(rows, dtype=float)
    n = len(rows)
    without = function((rows.sum(axis=0) - rows) / (n - 1)).reshape(n, -1)
    se = np.sqrt((n - 1) * without.var(axis=0))
    return [
        one if math.isfinite(one.low) else _student(one.value, float(error), n)
        for one, error in zip(found, se, strict=True)
    ]


def _student(value: float, se: float, n: int) -> Estimate:
    half = stats.quantile(n) * se
    return Estimate(value, se, value - half, value + half, n)
