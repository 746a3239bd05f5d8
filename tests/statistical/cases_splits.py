"""Cases of splits of variance by who sits at a seat, by the seat, and of shares that the bootstrap does not bound."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import jackknife, variance
from experiments.stats import Estimate
from tests.statistical.cases_blocks import DEALS
from tests.statistical.coverage import COSTLY, Case, given


def _ratio(means: Any) -> Any:
    return (means[..., 0] / means[..., 1])[..., None]


def _unbounded(dice: Any) -> Any:
    """Return a ratio of 2/3 without an interval, with the rows it is of."""
    whole = dice.gamma(4, size=DEALS)
    rows = np.stack([whole * dice.beta(4, 2, DEALS), whole], axis=1)
    found = Estimate(float(_ratio(rows.mean(axis=0))[0]), math.nan, math.nan, math.nan, DEALS)
    return given([found], rows, _ratio)


def _variances(means: Any) -> Any:
    return means[..., 0] / means[..., 1]


def _spreads(dice: Any) -> Any:
    """Return squares of deviations whose variances are 4 to 1."""
    return given(dice.normal(0, [2, 1], (DEALS, 2)) ** 2, _variances)


def _courses(dice: Any, seed: int) -> Any:
    """Return paths of which the seat brings 2/3, what is known first 1, and the rest 4."""
    seat = np.arange(DEALS) % 3
    path = np.stack([seat - 1 + dice.normal(size=DEALS), dice.normal(0, 2, DEALS)], axis=1).cumsum(axis=1)
    noise = 0.5 * dice.normal(size=(2, DEALS, 1)) * [1, 0]
    first, second = path + noise
    names = ["seat", "first", "rest"]
    return given(first, [2], names, np.arange(DEALS), seed, second=second, seat=seat)


COURSES = {"seat": 2 / 3, "first": 1.0, "rest": 4.0}


def _booked(parts: dict[str, float]) -> dict[str, float]:
    whole = sum(parts.values())
    shares = {f"shares[{name}]": part / whole for name, part in parts.items()}
    sums = {"total": whole, "variance": whole, "gap": 0.0}
    return {**{f"parts[{name}]": part for name, part in parts.items()}, **shares, **sums}


CASES = [
    Case(jackknife.bounded, lambda dice, seed: _unbounded(dice), {"[0]": 2 / 3}),
    Case(jackknife.positive, lambda dice, seed: _spreads(dice), {"": 4.0}),
    Case(variance.luck_ledger, _courses, _booked(COURSES), "of seats", samples=COSTLY),
]
