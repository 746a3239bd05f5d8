"""Intervals of sums of absolute differences and of the greatest, where they can be told by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments import stats
from experiments.metrics import nonsmooth

BLOCKS = 400
ENDS = [1 - stats.expanded_tail(BLOCKS), stats.expanded_tail(BLOCKS)]


def noise_of(size: int, seed: int = 1) -> Any:
    return 0.01 * np.random.default_rng(seed).normal(size=(4000, size))


def test_far_from_any_bend_they_are_the_usual_bootstrap_turned_round() -> None:
    noise, apart = noise_of(3), np.array([0.5, -0.2, 0.1])
    low, high = np.quantile(noise @ np.sign(apart) * 2, ENDS)
    assert nonsmooth.total_interval(apart, noise, BLOCKS, np.full(3, 2.0)) == pytest.approx(
        (1.6 - low, 1.6 - high)
    )
    found = nonsmooth.greatest_interval(apart, noise, BLOCKS)
    assert found[0] == pytest.approx(0.5 - np.quantile(noise[:, 0], ENDS[0]))
    assert found[1] == pytest.approx(0.5 + stats.quantile(BLOCKS) * noise[:, 0].std())


def test_the_sign_of_what_is_compared_does_not_matter() -> None:
    noise, apart, width = noise_of(3), np.array([0.012, -0.2, 0.19]), np.ones(3)
    for function, more in ((nonsmooth.total_interval, (width,)), (nonsmooth.greatest_interval, ())):
        assert function(apart, noise, BLOCKS, *more) == pytest.approx(function(-apart, -noise, BLOCKS, *more))


def test_where_noise_may_be_all_there_is_they_reach_down_to_0() -> None:
    noise = noise_of(5)
    assert nonsmooth.total_interval(noise[0], noise[1:], BLOCKS, np.ones(5))[0] == 0
    assert nonsmooth.greatest_interval(noise[0], noise[1:], BLOCKS)[0] == 0


def test_of_several_that_may_be_the_greatest_the_noise_of_all_counts() -> None:
    noise = noise_of(6)
    alone = nonsmooth.greatest_interval(np.array([0.5, 0, 0, 0, 0, 0]), noise, BLOCKS)
    together = nonsmooth.greatest_interval(np.full(6, 0.5), noise, BLOCKS)
    assert together[0] < alone[0]
    assert together[1] == pytest.approx(0.5 + stats.quantile(BLOCKS) * noise.std(axis=0).max())


def test_of_nothing_there_is_nothing() -> None:
    none = np.zeros((10, 0))
    assert (
        nonsmooth.total_interval(none[0], none, 10, none[0])
        == nonsmooth.greatest_interval(none[0], none, 10)
        == (0, 0)
    )
