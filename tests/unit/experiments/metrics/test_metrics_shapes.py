"""How kinds are spread: by hand, and where all are as common."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.metrics import shapes


def test_a_spread_by_hand() -> None:
    keys = [[7, 7], [7, 3], [3, 9], [7, 7]]
    wins = [[1, 0], [0, 1], [0.5, 0.5], [1, 0]]
    found = shapes.spread(keys, wins, 0)
    assert found.count == 3
    assert [one.key for one in found.shapes] == [7, 3, 9]
    assert [one.share.value for one in found.shapes] == pytest.approx([5 / 8, 2 / 8, 1 / 8])
    assert [one.of_wins.value for one in found.shapes] == pytest.approx([2 / 4, 1.5 / 4, 0.5 / 4])
    assert [one.win.value for one in found.shapes] == pytest.approx([2 / 5, 1.5 / 2, 0.5])
    shares = np.array([5, 2, 1]) / 8
    squares = np.array([1 + 0.25 + 0 + 1, 0.25 + 0.25, 0.25]) / 4
    lacking = ((squares - shares**2) / 3 / (2 * shares)).sum()
    assert found.distinct.value == pytest.approx(math.exp(lacking - (shares * np.log(shares)).sum()))
    assert [one.key for one in shapes.spread(keys, wins, 0, most=2).shapes] == [7, 3]


def test_as_many_as_there_are_if_all_are_as_common_and_one_if_there_is_no_other() -> None:
    dice = np.random.default_rng(3)
    keys = dice.integers(12, size=(3000, 4))
    found = shapes.spread(keys, np.eye(4)[dice.integers(4, size=3000)], 0)
    assert found.distinct.value == pytest.approx(12, abs=0.05)
    assert found.winning.value == pytest.approx(12, abs=0.1)
    alone = shapes.spread(np.full((50, 4), 5), np.eye(4)[dice.integers(4, size=50)], 0)
    assert (alone.distinct.value, alone.winning.value, alone.count) == (1, 1, 1)
    assert alone.shapes[0].share.low > 0.9  # even so, others may come


def test_seats_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="same deals and seats"):
        shapes.spread(np.zeros((3, 2), int), np.zeros((3, 3)), 0)
