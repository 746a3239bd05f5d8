"""How many games or blocks: known values, and whether the plans keep their word."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from experiments.metrics import ratings, sizes
from experiments.metrics.verdicts import PairedSummary
from experiments.stats import Estimate

TABLE = [
    (0.51, 6_763),
    (0.52, 1_691),
    (0.55, 269),
    (0.60, 67),
    (0.65, 29),
    (0.70, 17),
    (0.75, 9),
    (0.80, 7),
    (0.90, 3),
]
"""Share won, games until most are won with 95%."""


@pytest.mark.parametrize(("p", "games"), TABLE)
def test_games_to_tell_players_apart(p: float, games: int) -> None:
    assert sizes.to_lead(p, 0.95) == games


def test_a_lead_is_the_least_odd_number_that_is_enough() -> None:
    for p in (0.51, 0.6, 0.83):
        m = int(sizes.to_lead(p, 0.75))
        assert m % 2 == 1
        assert stats.binom.sf(m // 2, m, p) >= 0.75
        assert m == 1 or stats.binom.sf(m // 2 - 1, m - 2, p) < 0.75


def test_repetitions_at_published_spreads() -> None:
    # Duersch, Lambrecht and Oechssler: 3 for chess, about 100 for poker.
    assert [sizes.to_lead(ratings.expected(s), 0.75) for s in (171, 23.4, 2.08)] == [3, 101, 12_693]


def test_even_players_are_never_told_apart() -> None:
    assert sizes.to_lead(0.5, 0.75) == sizes.to_lead(0.4, 0.75) == math.inf
    assert sizes.to_differ(1, 0) == math.inf


def test_blocks_for_equivalence_of_a_share() -> None:
    # n = (z(.95) + z((1 + power)/2))²·p(1 − p)/.01²
    for p, power, wanted in (
        (0.5, 0.8, 21_410),
        (0.5, 0.9, 27_056),
        (1 / 3, 0.8, 19_031),
        (0.25, 0.8, 16_058),
    ):
        assert math.ceil(sizes.to_match(math.sqrt(p * (1 - p)), 0.01, power=power)) == wanted


def test_equivalence_off_the_middle_takes_more_and_at_the_margin_for_ever() -> None:
    sizes_at = [sizes.to_match(1, 0.1, effect=effect) for effect in (0, 0.02, 0.05, 0.09)]
    assert sizes_at == sorted(sizes_at)
    assert sizes.to_match(1, 0.1, effect=0.1) == sizes.to_match(1, 0.1, effect=-0.3) == math.inf
    assert sizes.to_match(1, 0.1, effect=-0.05) == sizes.to_match(1, 0.1, effect=0.05)
    assert sizes.to_match(0, 0.1) == 0


@pytest.mark.parametrize("effect", [0.0, 0.04])
def test_plans_find_equivalence_as_often_as_they_say(effect: float) -> None:
    n = math.ceil(sizes.to_match(1, 0.1, effect=effect))
    dice = np.random.default_rng(1)
    means = dice.normal(effect, 1, (1000, n)).mean(axis=1)
    found = np.mean(
        [PairedSummary(mean, 1.0, n, 0.1, 1e-6).p_beyond(0.1 - abs(mean)) <= 0.05 for mean in means]
    )
    assert found == pytest.approx(0.8, abs=3 * 0.0127)


def test_plans_find_a_difference_as_often_as_they_say() -> None:
    n = math.ceil(sizes.to_differ(2, 0.3))
    dice = np.random.default_rng(1)
    found = np.mean([stats.ttest_1samp(dice.normal(0.3, 2, n), 0).pvalue <= 0.05 for _ in range(1000)])
    assert found == pytest.approx(0.8, abs=3 * 0.0127)


def test_games_until_ahead_come_with_the_ends_of_the_share() -> None:
    found = sizes.games_until_ahead(Estimate(0.6, 0.05, 0.51, 0.7, 77), 0.95)
    assert found == sizes.Games(67, 17, 6763, 77)
    assert sizes.games_until_ahead(Estimate(0.6, 0.06, 0.49, 0.7, 77), 0.95).high == math.inf
