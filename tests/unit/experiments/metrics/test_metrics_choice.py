"""Branching, forced decisions, and decisions that matter beyond noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import choice


def test_options_by_hand() -> None:
    # Block 0: two matches with 1, 4, 2 moves; block 1: two matches with 8 and 1; block 2: two without decisions.
    found = choice.options([1, 4, 2, 8, 1], [0, 0, 0, 1, 1], [2, 2, 2])
    assert found.decisions.value == pytest.approx(5 / 6)
    assert found.branching.value == pytest.approx(16 / 5)
    assert found.forced.value == pytest.approx(2 / 5)
    assert found.heaviness.value == pytest.approx(16 / 6)
    assert found.heaviness.value == pytest.approx(found.decisions.value * found.branching.value)
    assert found.bits.value == pytest.approx((2 + 1 + 3) / 6)
    assert found.count == 5
    with pytest.raises(ValueError, match="legal move"):
        choice.options([0, 2], [0, 1], [1, 1])


def noisy(values: Any, sd: float, dice: Any) -> tuple[Any, Any]:
    first, second = (values + sd * dice.normal(size=(2, *values.shape))).tolist()
    return np.array(first), np.array(second)


def test_exact_values_tell_what_matters() -> None:
    values = np.array([[0.5, 0.9, np.nan], [0.3, 0.3, 0.1], [0.2, 0.1, 0.7]])
    found = choice.stakes(values, values, np.zeros(3), [0, 1, 2])
    assert found.matter.value == pytest.approx(2 / 3)
    assert found.gap.value == pytest.approx((0.4 + 0 + 0.5) / 3)
    assert found.stake.value == pytest.approx((0.4 + 0.2 + 0.6) / 3)
    assert found.by_noise == 0
    assert found.count == 3


def test_where_nothing_matters_only_noise_says_so_and_at_its_rate() -> None:
    dice = np.random.default_rng(2)
    values = np.zeros((20_000, 5))
    first, second = noisy(values, 0.1, dice)
    found = choice.stakes(first, second, np.full(20_000, 0.1 * math.sqrt(2)), np.arange(20_000))
    assert found.by_noise == pytest.approx(0.05)
    assert found.matter.value == pytest.approx(0.05, abs=4 * 0.0016)
    assert found.gap.value == pytest.approx(0, abs=4 * found.gap.se)
    # The same numbers twice would say that almost half of them matter.
    again = choice.stakes(first, first, np.full(20_000, 0.1 * math.sqrt(2)), np.arange(20_000))
    assert again.gap.value > 20 * again.gap.se


def test_estimates_of_different_moves_are_refused() -> None:
    with pytest.raises(ValueError, match="same moves"):
        choice.stakes([[1.0, np.nan, 0.0]], [[1.0, 0.0, np.nan]], [0.1], [0])
    with pytest.raises(ValueError, match="same moves"):
        choice.stakes([[1.0, np.nan]], [[1.0, np.nan]], [0.1], [0])


# ---- the move on which most hangs -----------------------------------------------------------------------


def test_the_killer_move_by_hand() -> None:
    first = np.array([[0.1, 0.4, 0.2], [0.0, np.nan, np.nan], [np.nan] * 3])
    second = np.array([[0.3, 0.2, 0.1], [-0.1, np.nan, np.nan], [np.nan] * 3])
    assert choice.killer_move(first, second) == pytest.approx([0.2, -0.1, 0.0])
    with pytest.raises(ValueError, match="same decisions"):
        choice.killer_move(first, first[:, ::-1])


@pytest.mark.parametrize(("gap", "low", "high"), [(0.0, -0.01, 0.01), (0.3, 0.24, 0.3)])
def test_noise_of_many_moves_makes_no_killer_move_and_hides_none(gap: float, low: float, high: float) -> None:
    """The furthest apart that one estimate names is too far if nothing hangs on any, and too near if one beats many."""
    dice = np.random.default_rng(8)
    values = np.zeros((4000, 8, 13))
    values[:, 3, 0] = gap
    first, second = values + dice.normal(size=(2, *values.shape)) / 14
    order = np.argsort(-first, axis=2)[:, :, :2]
    gaps = [np.take_along_axis(noisy_, order, axis=2) for noisy_ in (first, second)]
    alone, other = (told[:, :, 0] - told[:, :, 1] for told in gaps)
    found = choice.killer_move(alone, other).mean()
    assert low < found < high
    # What one estimate says of itself is further off.
    assert abs(choice.killer_move(alone, alone).mean() - gap) > abs(found - gap) + 0.03
