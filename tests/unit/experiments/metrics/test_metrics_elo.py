"""Elo spreads: the p-deterministic yardstick against an independent replication, its limit, and known ladders."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import elo, ratings, sizes
from experiments.metrics.ratings import ELO
from tests.support_metrics import HELD


def deterministic(p: float, size: int, games: int, seed: int, table: int = 2) -> tuple[Any, Any]:
    """Return games of which the better wins with chance p, else a lot decides."""
    dice = np.random.default_rng(seed)
    players = np.empty((games, table), np.int64)
    if table == 2:
        players[:, 0] = dice.integers(size, size=games)
        players[:, 1] = (players[:, 0] + dice.integers(1, size, size=games)) % size
    else:
        players[:] = dice.random((games, size)).argpartition(table, axis=1)[:, :table]
    strength = np.where(dice.random((games, 1)) < p, players, dice.random((games, table)))
    return players, strength.argsort(axis=1).argsort(axis=1).astype(float)


# ---- game by game ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "s", "k"), [(0.2, 42.5, 1.90), (0.5, 120.7, 6.27), (0.8, 283.8, 19.5)])
def test_spread_of_p_deterministic_players(p: float, s: float, k: float) -> None:
    # 1000 players, a million games, as in the published replication; runs differ by 1.5% (one standard deviation).
    games = deterministic(p, 1000, 1_000_000, 1)
    best = elo.best_k(*games, 1000)
    assert best == pytest.approx(k, rel=0.04)
    assert elo.replay(*games, 1000, best)[0].std() == pytest.approx(s, rel=0.04)


def test_a_spread_says_what_it_rests_on_and_what_it_means() -> None:
    games = deterministic(0.5, 50, 10_000, 1)
    found = elo.spread(*games, 50, 0)
    assert found.k == elo.best_k(*games, 50)
    assert found.s.value == elo.replay(*games, 50, found.k)[0].std()
    assert found.s.low < found.s.value < found.s.high
    assert found.s.blocks == 10_000
    assert found.chance.value == ratings.expected(found.s.value)
    assert found.chance.low < found.chance.value < found.chance.high
    assert found.repetitions.low <= found.repetitions.value <= found.repetitions.high
    assert found.repetitions.value == sizes.to_lead(found.chance.value, 0.75)


def test_the_spread_hardly_depends_on_the_table() -> None:
    # Four at a table, p = .5: 118.5 with 1000 players and a million games; here with 100 and 60,000, two deviations.
    found = elo.spread(*deterministic(0.5, 100, 60_000, 2, table=4), 100, 0)
    assert found.s.value == pytest.approx(118.5, rel=0.06)


def test_coin_flips_have_no_spread() -> None:
    found = elo.spread(*deterministic(0.0, 100, 50_000, 3), 100, 0)
    assert found.k == 0
    assert found.s.value == 0
    assert found.chance.value == 0.5
    assert found.repetitions.value == math.inf


def test_expected_payoffs_are_those_of_all_orders() -> None:
    rating = np.array([200.0, 0.0, -50.0, 30.0])
    strength = np.exp(rating / ELO)
    wanted = np.zeros(4)
    for order in itertools.permutations(range(4)):
        chance = 1.0
        for place in range(4):
            chance *= strength[order[place]] / strength[list(order[place:])].sum()
        for place, player in enumerate(order):
            wanted[player] += chance * (3 - place)
    assert elo.expected_payoffs(rating) == pytest.approx(wanted)
    assert elo.expected_payoffs([200, 0, 0, 0]) == pytest.approx([2.27924, *[1.24025] * 3], abs=5e-6)


def test_elos_own_example() -> None:
    # Rated 1613, five games, 2.5 points, K = 32: E = 2.867 and 1601 after.
    others = [1609, 1477, 1388, 1586, 1720]
    told = sum(ratings.expected(1613 - one) for one in others)
    assert told == pytest.approx(2.8666, abs=1e-4)
    assert 1613 + 32 * (2.5 - told) == pytest.approx(1601.27, abs=5e-3)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_replay_is_elos_rule_by_hand() -> None:
    players = [[0, 1, 2], [2, 0, 1]]
    payoffs = [[2, 1, 0], [2, 0.5, 0.5]]
    rating, loss = np.zeros(3), 0.0
    for who, paid in zip(players, payoffs, strict=True):
        gap = np.array(paid) - elo.expected_payoffs(rating[who])
        loss += float((gap**2).mean()) / 2
        rating[who] += 24 / 2 * gap
    came, came_loss = elo.replay(players, payoffs, 3, 24)
    assert came == pytest.approx(rating)
    assert came_loss == pytest.approx(loss)
    assert came[2] > 0 > came[1]


def test_the_best_k_foretells_better_than_its_neighbours() -> None:
    games = deterministic(0.5, 50, 10_000, 4)
    k = elo.best_k(*games, 50)
    losses = [elo.replay(*games, 50, factor * k)[1] for factor in (0.7, 1, 1.4)]
    assert losses[1] == min(losses)


def test_orders_are_averaged() -> None:
    games = deterministic(0.5, 30, 3000, 5)
    one, more = (elo.spread(*games, 30, 0, orders=orders) for orders in (1, 5))
    assert one.k == more.k
    assert more.s.value == pytest.approx(one.s.value, rel=0.1)
    assert more.s.value != one.s.value


def test_the_spread_of_a_log_holds_as_often_as_it_says() -> None:
    # What is held is the spread that such logs of these players have on average.
    dice = np.random.default_rng(6)
    skill = 100 * dice.normal(size=30)
    found = []
    for number in range(200):
        players = np.stack([dice.permutation(30) for _ in range(150)]).reshape(-1, 2)
        first = dice.random(len(players)) < 1 / (
            1 + np.exp((skill[players[:, 1]] - skill[players[:, 0]]) / ELO)
        )
        found.append(elo.spread(players, np.stack([first, ~first], axis=1), 30, number).s)
    mean = np.mean([one.value for one in found])
    held = np.mean([one.low <= mean <= one.high for one in found])
    assert 0.905 <= held <= 0.995  # 200 samples: 1.5% a standard error, 2.9 of them
    # Ten parts: the jackknife's error is good to a quarter, its mean over 200 logs far better.
    assert np.mean([one.se for one in found]) == pytest.approx(np.std([one.value for one in found]), rel=0.25)


def test_games_that_cannot_be_are_refused() -> None:
    for players, payoffs, message in (
        ([[0, 1]], [[1.0, 0.5]], "add up to 1"),
        ([[0, 5]], [[1.0, 0.0]], "from 0 to 2"),
        ([[0]], [[0.0]], "do not fit"),
    ):
        with pytest.raises(ValueError, match=message):
            elo.replay(players, payoffs, 3, 1)


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
    told = elo.expected_payoffs(rating)
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


def test_rankings_give_the_ratings_of_plackett_and_luce() -> None:
    rankings = [[0, 1, 2]] * 3 + [[1, 0, 2]] * 2 + [[0, 2, 1], [2, 0, 1]]
    assert elo.of_rankings(rankings, 3) / ELO == pytest.approx([0.94942, 0.02256, -0.97198], abs=5e-6)
    with pytest.raises(ValueError, match="must name each"):
        elo.of_rankings(rankings, 4)


def test_three_to_one_is_the_logarithm_of_3() -> None:
    rating = ratings.maximum_likelihood(2, [0.75], 10**8)
    assert (rating[0] - rating[1]) / ELO == pytest.approx(math.log(3), abs=1e-6)
