"""Class mobility: chains worked out by hand, and intervals on simulated ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments.metrics import mobility
from tests.support_metrics import coverage, within

CHAIN = np.array([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]])
"""Of three classes that all are as common: rows and columns add up to 1."""


def counts_of(chain: Any, each: int = 60) -> Any:
    return np.tile(np.round(np.asarray(chain) * each), (4, 1, 1))


def test_the_chain_by_hand() -> None:
    found = mobility.mobility(counts_of(CHAIN), 0)
    assert np.array([[one.value for one in row] for row in found.matrix]) == pytest.approx(CHAIN)
    assert found.stays.value == pytest.approx(1.4 / 3)
    assert found.stickiness.value == pytest.approx((1.4 / 3 - 1 / 3) / (2 / 3))
    assert found.escape.value == pytest.approx(1 / 0.5)
    assert [one.value for one in found.stationary] == pytest.approx([1 / 3] * 3)
    assert found.transitions == 4 * 180
    # To the first class alone, from the last: t = 1 + .5t + .3u, u = 1 + .3t + .4u.
    top = mobility.mobility(counts_of(CHAIN), 0, goal=1)
    t, _ = np.linalg.solve([[0.5, -0.3], [-0.3, 0.6]], [1, 1])
    assert top.escape.value == pytest.approx(t)


def test_where_classes_are_not_alike_the_long_run_is_the_eigenvector() -> None:
    chain = np.array([[0.9, 0.1, 0.0], [0.2, 0.5, 0.3], [0.0, 0.6, 0.4]])
    found = mobility.mobility(counts_of(chain), 0)
    values, vectors = np.linalg.eig(chain.T)
    wanted = np.real(vectors[:, np.argmax(np.real(values))])
    assert [one.value for one in found.stationary] == pytest.approx(wanted / wanted.sum())


def test_games_that_forget_the_last_have_no_stickiness_and_fixed_ones_all() -> None:
    assert mobility.mobility(counts_of(np.full((3, 3), 1 / 3)), 0).stickiness.value == pytest.approx(0)
    sticky = np.array([[0.998, 0.002], [0.002, 0.998]])
    assert mobility.mobility(counts_of(sticky, 1000), 0).stickiness.value == pytest.approx(0.996)


def test_independent_games_are_not_sticky_as_often_as_it_says() -> None:
    def make(dice: Any, seed: int) -> Any:
        orders = dice.random((60, 6, 4)).argsort(axis=2)
        counts = np.zeros((60, 4, 4))
        for game in range(5):
            np.add.at(counts, (np.arange(60)[:, None], orders[:, game], orders[:, game + 1]), 1)
        return [mobility.mobility(counts, seed).stickiness]

    assert within(coverage(make, [0.0], 500))


def test_chains_that_fall_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="never reached"):
        mobility.mobility(counts_of(np.eye(3)), 0)
    with pytest.raises(ValueError, match="never came"):
        mobility.mobility(counts_of([[1, 0], [0, 0]]), 0)
    with pytest.raises(ValueError, match="goal"):
        mobility.mobility(counts_of(CHAIN), 0, goal=3)
