"""Elo spreads: the p-deterministic yardstick against an independent replication, its limit, and known ladders."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import elo, ratings
from experiments.metrics.ratings import ELO
from tests.support_metrics import HELD

# ---- game by game ---------------------------------------------------------------------------------------


def test_elos_own_example() -> None:
    # Rated 1613, five games, 2.5 points, K = 32: E = 2.867 and 1601 after.
    others = [1609, 1477, 1388, 1586, 1720]
    told = sum(ratings.expected(1613 - one) for one in others)
    assert told == pytest.approx(2.8666, abs=1e-4)
    assert 1613 + 32 * (2.5 - told) == pytest.approx(1601.27, abs=5e-3)


# ---- from a win matrix ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "s"), [(0.1, 20.17), (0.5, 117.02)])
def test_the_limit_of_infinitely_many_games(p: float, s: float) -> None:
    assert elo.deterministic_spread(p, 1000) == pytest.approx(s, abs=0.005)


@pytest.mark.parametrize(
    ("p", "s"), [(0.2, 41.00), (0.3, 63.29), (0.7, 201.44), (0.8, 276.99), (0.9, 435.20)]
)
def test_the_limit_is_almost_reached_by_a_hundred_players(p: float, s: float) -> None:
    assert elo.deterministic_spread(p, 100) == pytest.approx(s, rel=5e-4)


def test_the_limit_of_exact_odds_is_the_ratings_they_came_from() -> None:
    points = np.array([700.0, 300.0, 0.0, -40.0, -960.0])
    wins = 1 / (1 + np.exp((points - points[:, None]) / ELO))
    assert elo.limit_ratings(wins) == pytest.approx(points, abs=1e-6)
    shares = wins[np.triu_indices(5, 1)]
    assert ratings.maximum_likelihood(5, shares, 10**7) == pytest.approx(points, abs=0.05)


def test_the_limit_is_where_wins_equal_those_told() -> None:
    dice = np.random.default_rng(7)
    wins = dice.uniform(0.02, 0.98, (6, 6))
    wins = np.triu(wins, 1) + np.tril(1 - wins.T, -1)
    rating = elo.limit_ratings(wins)
    told = [sum(ratings.expected(own - other) for other in rating) - 0.5 for own in rating]
    assert told == pytest.approx(wins.sum(axis=1))


def test_who_always_wins_has_no_finite_rating() -> None:
    with pytest.raises(ValueError, match="no ratings are finite"):
        elo.limit_ratings([[0, 1, 1], [0, 0, 0.5], [0, 0.5, 0]])
    circle = elo.limit_ratings([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert circle == pytest.approx(np.zeros(3), abs=1e-9)
    with pytest.raises(ValueError, match="P_ij"):
        elo.limit_ratings([[0, 0.7], [0.7, 0]])


@pytest.mark.parametrize("p", [0.05, 0.5, 0.95])
def test_the_p_equivalent_turns_the_curve_round(p: float) -> None:
    assert elo.p_equivalent(elo.deterministic_spread(p, 8), 8) == pytest.approx(p, abs=1e-4)


def test_the_p_equivalent_has_ends() -> None:
    assert elo.p_equivalent(0, 8) == 0
    assert elo.p_equivalent(1e5, 8) == 0.999
    assert elo.deterministic_spread(0, 8) == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="below 1"):
        elo.deterministic_spread(1.0, 8)


def test_published_chances_of_a_player_one_deviation_better() -> None:
    for s, percent in ((123.4, 67.0), (52.4, 57.5), (28.1, 54.0), (14.7, 52.1), (6.0, 50.9)):
        assert 100 * ratings.expected(s) == pytest.approx(percent, abs=0.06)


# ---- ladders and rankings -------------------------------------------------------------------------------


def ladder(dice: Any, points: list[float], deals: int) -> Any:
    told = [ratings.expected(a - b) for a, b in itertools.combinations(points, 2)]
    return np.array([dice.binomial(4, p, deals) / 4 for p in told])


def test_noise_is_taken_off_the_spread_of_equals() -> None:
    dice = np.random.default_rng(8)
    found = [
        elo.ladder_spread(4, ladder(dice, [0.0] * 4, 30), number, replicates=40).s for number in range(40)
    ]
    squares = [one.value**2 for one in found]
    plain = np.var(ratings.maximum_likelihood(4, ladder(dice, [0.0] * 4, 30).mean(axis=1), 30))
    assert plain > 0
    assert np.mean([one.low == 0 for one in found]) >= HELD[0] - 3 * 0.034
    assert np.median(squares) < 10**2  # the noise of one rating is about 16 points


def test_three_to_one_is_the_logarithm_of_3() -> None:
    rating = ratings.maximum_likelihood(2, [0.75], 10**8)
    assert (rating[0] - rating[1]) / ELO == pytest.approx(math.log(3), abs=1e-6)
