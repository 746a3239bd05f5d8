"""R* and the transition number against theory and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from experiments.metrics import reliability
from tests.support_metrics import expected_r_star, games_of_spread


@pytest.mark.parametrize(
    ("spread", "wanted", "games"), [(0.05, 0.335, 99), (0.1, 0.677, 23.8), (0.2, 0.902, 5.4)]
)
def test_r_star_of_a_population_and_its_transition_number(spread: float, wanted: float, games: float) -> None:
    # The wanted values are of 20,000 players whose win rates were drawn about ½, those beyond [0, 1] moved to its ends:
    # their variance is that of a normal distribution with its ends cut, in a sample of so many good to 1%, which moves R*
    # by .2%.
    cut = 0.5 / spread
    inside = 1 - 2 * norm.sf(cut) - 2 * cut * norm.pdf(cut)
    sd = spread * math.sqrt(inside + 2 * cut**2 * norm.sf(cut))
    told = expected_r_star(sd, 50)
    assert told == pytest.approx(wanted, abs=0.0025)
    assert reliability.transition_number(told, 50) == pytest.approx(games, rel=0.015)
    wins = games_of_spread(np.random.default_rng(1), 20_000, spread)
    came = reliability.split_half(wins, 0, within_deals=False, replicates=20).r_star.value
    # Over 20,000 players R* = 2r/(1 + r) has a standard error of about (1 − r²)/√20000·2/(1 + r)².
    r = told / (2 - told)
    assert came == pytest.approx(told, abs=3 * (1 - r * r) / math.sqrt(20_000) * 2 / (1 + r) ** 2)


@pytest.mark.parametrize("within_deals", [False, True])
def test_without_skill_r_star_lies_in_its_null_band_as_often_as_it_says(within_deals: bool) -> None:
    dice = np.random.default_rng(2)
    inside = 0
    for number in range(500):
        found = reliability.split_half(
            games_of_spread(dice, 20, 0.0, 20), number, within_deals=within_deals, replicates=250
        )
        inside += found.null_low <= found.r_star.value <= found.null_high
    # 500 samples: a standard error of 1%, 3 of them.
    assert 0.92 <= inside / 500 <= 0.98


def test_the_null_band_narrows_with_players() -> None:
    dice = np.random.default_rng(3)
    bands = {}
    for players in (10, 30, 100, 1000):
        found = reliability.split_half(
            games_of_spread(dice, players, 0, 50), 0, within_deals=False, replicates=1000
        )
        bands[players] = (found.null_low, found.null_high)
    wanted = {10: (-3.0, 0.76), 30: (-1.1, 0.53), 100: (-0.48, 0.33), 1000: (-0.13, 0.12)}
    for players, (low, high) in wanted.items():
        # Tails of 1000 replicates have 25 on each side, so the ends are good to about a tenth; the far one to a fifth.
        assert bands[players][0] == pytest.approx(low, rel=0.25)
        assert bands[players][1] == pytest.approx(high, rel=0.15)


def test_luck_of_deals_that_all_share_is_no_skill_within_deals() -> None:
    # Every player of a column gets the same, so all records are alike, and nothing can be told.
    same = np.tile(np.random.default_rng(4).integers(0, 2, 40), (10, 1))
    noise = np.random.default_rng(5).integers(0, 2, (10, 40))
    found = reliability.split_half(same + noise, 0, within_deals=True, replicates=200)
    assert found.null_low <= found.r_star.value <= found.null_high


def test_r_star_is_the_spearman_brown_reliability_for_equal_halves() -> None:
    half = np.random.default_rng(6).integers(0, 2, (30, 25)).astype(float)
    other = half[np.random.default_rng(7).permutation(30)]
    r = np.corrcoef(half.mean(axis=1), other.mean(axis=1))[0, 1]
    found = reliability.split_half(
        np.concatenate([half, other], axis=1), 0, within_deals=False, replicates=10
    )
    assert found.r_star.value == pytest.approx(2 * r / (1 + r))


def test_two_skilled_halves_of_a_population() -> None:
    rates = np.repeat([0.25, 0.75], 5000)[:, None]
    wins = (np.random.default_rng(8).random((10_000, 50)) < rates).astype(float)
    found = reliability.split_half(wins, 0, within_deals=False, replicates=200)
    assert found.r_star.value == pytest.approx(0.943, abs=0.004)
    assert found.transition.value == pytest.approx(0.1875 / 0.0625, abs=0.25)  # E[θ(1 − θ)]/σ² games
    assert found.transition.low < found.transition.value < found.transition.high


def test_too_few_players_and_no_skill_have_no_number() -> None:
    with pytest.raises(ValueError, match="three players"):
        reliability.split_half(np.eye(2), 0, within_deals=False)
    assert reliability.transition_number(-0.2, 50) == math.inf


# ---- intraclass correlations ----------------------------------------------------------------------------
