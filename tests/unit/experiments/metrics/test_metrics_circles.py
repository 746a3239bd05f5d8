"""Circles among bots: Hodge's share by hand, and its band on ladders with and without circles."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from experiments.metrics import intransitivity, ratings

PAPER = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
"""Rock, paper, scissors."""


def duels(dice: Any, shares: list[float], deals: int = 100) -> Any:
    return np.array([dice.binomial(4, p, deals) / 4 for p in shares])


def test_a_chain_of_equal_steps_is_eight_ninths_transitive() -> None:
    assert intransitivity.hodge([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]]) == pytest.approx(8 / 9)


def test_rock_paper_scissors_is_all_circle_and_a_scale_none() -> None:
    assert intransitivity.hodge(PAPER) == pytest.approx(0)
    scale = np.array([3.0, 1.0, 0.5, -2.0])
    assert intransitivity.hodge(scale[:, None] - scale) == pytest.approx(1)
    assert intransitivity.hodge(np.zeros((3, 3))) == 1
    # Both at once: squared, they add up.
    mixed = 2 * np.array(PAPER) + (np.arange(3)[:, None] - np.arange(3))
    assert intransitivity.hodge(mixed) == pytest.approx(12 / (12 + 24))
    with pytest.raises(ValueError, match="antisymmetric"):
        intransitivity.hodge(np.ones((2, 2)))


def test_circles_fall_below_the_band_and_scales_stay_in_it_at_the_rate() -> None:
    dice = np.random.default_rng(1)
    told = [ratings.expected(a - b) for a, b in itertools.combinations([200, 50, 0], 2)]
    inside = 0
    for number in range(80):
        found = intransitivity.transitivity(3, duels(dice, told), number, replicates=100)
        inside += found.low <= found.value <= found.high
        assert found.deals == 100
    assert inside >= 70  # 80 ladders of 95%, with ends from 100 replicates: 76 are expected, 2.4 a deviation
    circle = intransitivity.transitivity(3, duels(dice, [0.7, 0.3, 0.7]), 0, replicates=100)
    assert circle.value < 0.2
    bent = intransitivity.transitivity(3, duels(dice, [0.8, 0.5, 0.8], 400), 0, replicates=100)
    assert bent.value < bent.low


def test_pairs_with_fewer_deals_leave_more_to_noise() -> None:
    shares = duels(np.random.default_rng(1), [0.8, 0.9, 0.7], 400)
    whole = intransitivity.transitivity(3, shares, 0, replicates=200)
    fewer = intransitivity.transitivity(3, [*shares[:2], shares[2][:20]], 0, replicates=200)
    assert (whole.deals, fewer.deals) == (400, 20)
    assert fewer.low < whole.low


def test_two_bots_have_no_circles() -> None:
    with pytest.raises(ValueError, match="three bots"):
        intransitivity.transitivity(2, np.full((1, 10), 0.5), 0)
