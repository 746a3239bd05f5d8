"""Ratings, chains and circles from duels whose truth is known."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import ratings
from experiments.metrics.ratings import ELO, Duel


def shares_of(strengths: list[float]) -> list[float]:
    """Return the exact shares of all pairs under the model of Bradley and Terry; strengths are positive."""
    return [a / (a + b) for a, b in itertools.combinations(strengths, 2)]


def duels_between(
    strengths: list[float], deals: int, dice: Any, games: int = 4, luckiness: float = 0.1
) -> Any:
    """Return simulated duels whose deals have luck of their own in common."""
    pairs = list(itertools.combinations(range(len(strengths)), 2))
    luck = np.where(dice.random(deals) < 0.5, 1, -1)
    found = []
    for (i, j), share in zip(pairs, shares_of(strengths), strict=True):
        reach = luckiness if (i + j) % 2 else -luckiness
        found.append(dice.binomial(games, share + reach * luck) / games)
    return np.array(found)


# ---- ratings --------------------------------------------------------------------------------------------


def test_exact_shares_give_the_ratings_they_came_from() -> None:
    strengths = [8.0, 4.0, 1.0, 0.5, 0.25]
    found = ratings.maximum_likelihood(5, shares_of(strengths), 10_000_000)
    wanted = ELO * (np.log(strengths) - np.log(strengths).mean())
    assert found == pytest.approx(wanted, abs=0.01)
    assert found.mean() == pytest.approx(0, abs=1e-9)


def test_ten_to_one_are_400_points_and_choix_finds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import choix

    calls = []
    plain = choix.ilsr_pairwise_dense
    monkeypatch.setattr(
        choix, "ilsr_pairwise_dense", lambda *args, **more: calls.append(args) or plain(*args, **more)
    )
    found = ratings.maximum_likelihood(2, [10 / 11], 10_000_000)
    assert found[0] - found[1] == pytest.approx(400, abs=0.01)
    assert len(calls) == 1


@pytest.mark.parametrize("size", [2, 3, 12])
@pytest.mark.parametrize("deals", [2, 500, 1_000_000])
def test_duels_all_one_way_have_finite_ratings(size: int, deals: int) -> None:
    found = ratings.maximum_likelihood(size, np.ones(math.comb(size, 2)), deals)
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0).all()
    assert found.mean() == pytest.approx(0, abs=1e-6)


def test_a_duel_all_one_way_has_intervals_that_are_not_empty() -> None:
    standing = ratings.rate(2, np.ones((1, 100)), 1)
    assert standing.low[0] < standing.ratings[0] - 50
    assert standing.high[0] > standing.ratings[0] + 50
    low, high = standing.duels[0, 1].interval()
    assert 0.9 < low < 0.99
    assert high == 1


def test_ranks_duels_and_matrix_go_together() -> None:
    # Given from the weakest to the strongest.
    standing = ratings.rate(3, duels_between([0.4, 1.0, 2.5], 300, np.random.default_rng(1)), 1)
    assert standing.order == [2, 1, 0]
    assert (np.diff(standing.ratings) < 0).all()
    assert (standing.low <= standing.ratings).all()
    assert (standing.ratings <= standing.high).all()
    for i, j in itertools.permutations(range(3), 2):
        assert standing.duel(i, j).value == pytest.approx(1 - standing.duel(j, i).value)
        assert (standing.duel(i, j).value > 0.5) == (i < j)
        assert standing.expected(i, j) == pytest.approx(standing.duel(i, j).value, abs=0.05)
    assert standing.clear.tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert standing.chain == [0, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("deals", [30, 60])
def test_intervals_of_few_deals_hold_the_ratings(deals: int) -> None:
    strengths = [0.5, 1.0, 2.0, 4.0]
    truth = ELO * (np.log(strengths) - np.log(strengths).mean())
    dice = np.random.default_rng(deals)
    held = []
    for seed in range(600):
        standing = ratings.rate(4, duels_between(strengths, deals, dice, luckiness=0), seed, replicates=400)
        wanted = truth[standing.order]
        held += ((standing.low <= wanted) & (wanted <= standing.high)).tolist()
    # The four ratings of a ladder go together: as if there were half as many.
    assert np.mean(held) == pytest.approx(0.95, abs=2.6 * math.sqrt(0.95 * 0.05 / 1200))


def test_what_is_added_to_a_duel_is_half_a_result_not_half_a_deal() -> None:
    # Of four independent matches a deal, each deal says as much as four results.
    shares = np.repeat([1.0, 0.75, 0.5, 0.25], [20, 27, 14, 4])
    duel = Duel(shares)
    assert duel.prior == pytest.approx(0.5 * duel.deviation**2 / (duel.value * (1 - duel.value)))
    assert Duel(np.array([1.0, 0.0] * 20)).prior == pytest.approx(0.5, rel=0.03)
    assert Duel(np.ones(30)).prior == 0.5
    found = ratings.rate(2, [shares], 1)
    plain = ELO * math.log(duel.value / (1 - duel.value))
    assert 0.98 * plain < found.ratings[0] - found.ratings[1] < plain


def test_the_bootstrap_draws_the_same_deals_for_all_pairs() -> None:
    # Two duels that are the same deal by deal stay the same in every bootstrap sample.
    dice = np.random.default_rng(3)
    one = dice.random(50)
    drawn = ratings.resampled(np.stack([one, one, 1 - one]), 7, 200)
    assert drawn[0] == pytest.approx(drawn[1])
    assert drawn[0] == pytest.approx(1 - drawn[2])
    assert drawn[0].std() == pytest.approx(one.std() / math.sqrt(50), rel=0.15)


def test_deals_that_only_some_played_are_drawn_for_these_alone() -> None:
    dice = np.random.default_rng(3)
    few = dice.random(50)
    # The first says nothing beyond the deals in common, the last nothing but beyond them.
    only, more, beyond = np.zeros(500), dice.random(500), dice.random(500)
    only[:50], beyond[:50] = few, 0
    drawn = ratings.resampled([few, only, more, beyond], 7, 4000)
    assert drawn[0] * 50 == pytest.approx(drawn[1] * 500)
    assert drawn[0].std() == pytest.approx(few.std() / math.sqrt(50), rel=0.05)
    variance = (50 * more[:50].var() + 450 * more[50:].var()) / 500**2
    assert drawn[2].std() == pytest.approx(math.sqrt(variance), rel=0.05)
    both = np.cov(more[50:], beyond[50:], ddof=0)[0, 1] * 450 / 500**2
    assert np.cov(drawn[2], drawn[3])[0, 1] == pytest.approx(both, abs=0.05 * variance)
    assert abs(np.corrcoef(drawn[0], drawn[3])[0, 1]) < 0.06


def test_a_duel_weighs_as_much_as_it_has_deals() -> None:
    # Shares that no ratings explain: the duels with many deals are told best.
    values, deals = np.array([0.7, 0.3, 0.7]), [1000, 100, 10]
    found = ratings.maximum_likelihood(3, values, deals)
    told = [ratings.expected(found[i] - found[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    # Where the likelihood is greatest each bot wins as often as its rating says, half a deal added to either side.
    over = (values - told) * deals + 0.5 - np.array(told)
    assert over[0] + over[1] == pytest.approx(0, abs=1e-3)
    assert over[2] - over[0] == pytest.approx(0, abs=1e-3)
    assert (np.diff(np.abs(values - told)) > 0).all()


def test_a_duel_of_few_deals_all_one_way_has_the_width_of_its_own_number() -> None:
    dice = np.random.default_rng(9)
    drawn = ratings.resampled([np.ones(40), dice.random(1000), np.ones(1000)], 1, 4000)
    lost = 1 - np.quantile(drawn[[0, 2]], 0.025, axis=1)
    assert lost == pytest.approx([2 / 40, 2 / 1000], rel=0.25)


@pytest.mark.parametrize("top", [0.6, 0.95, 1.0])
def test_many_sets_are_rated_at_once_as_choix_rates_each(top: float) -> None:
    dice = np.random.default_rng(10)
    shares = dice.binomial(4, np.linspace(0.5, top, 15)[:, None], (15, 80)) / 4
    deals = [80] * 15
    near = ratings.maximum_likelihood(6, shares.mean(axis=1), deals)
    drawn = ratings.resampled(shares, 1, 50)
    found = ratings.each_likeliest(6, drawn, deals, near)
    wanted = [ratings.maximum_likelihood(6, column, deals) for column in drawn.T]
    assert found == pytest.approx(np.array(wanted), abs=1e-4)


# ---- intervals cover ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "deals"), [(0.5, 40), (0.65, 100), (0.9, 100)])
def test_intervals_of_duels_cover_the_truth_in_95_of_100_cases(share: float, deals: int) -> None:
    dice = np.random.default_rng(11)
    hits = 0
    for _ in range(2000):
        low, high = Duel(dice.binomial(8, share, deals) / 8).interval()
        hits += low <= share <= high
    assert 0.93 <= hits / 2000 <= 0.97


def test_of_equals_at_most_one_ladder_in_twenty_has_a_clear_step() -> None:
    dice = np.random.default_rng(2)
    clear = 0
    for _ in range(1000):
        duels = [Duel(row) for row in duels_between([1.0] * 5, 60, dice)]
        clear += any(not low <= 0.5 <= high for low, high in (duel.interval(len(duels)) for duel in duels))
    assert clear <= 65


def test_the_band_of_circles_holds_for_bots_that_strength_explains() -> None:
    dice = np.random.default_rng(8)
    outside = 0
    for number in range(150):
        standing = ratings.rate(5, duels_between([1.3, 1.1, 1.0, 0.95, 0.8], 60, dice), number, replicates=60)
        outside += standing.cycles > standing.cycles_high
    assert outside <= 10


def test_the_band_of_circles_is_as_wide_as_the_deals_of_each_duel_leave_it() -> None:
    # 60% each: with 400 deals noise makes no circle, with 10 deals of one bot it does.
    many = np.tile([1.0, 0.0, 1.0, 0.0, 1.0], 80)
    other = np.roll(many, 1)
    assert ratings.rate(3, [many, other, many], 1).cycles_high == 0
    assert ratings.rate(3, [many[:10], other[:10], many], 1).cycles_high == 1


# ---- what would decide a step ---------------------------------------------------------------------------


def test_so_many_deals_decide_it_four_times_in_five() -> None:
    dice = np.random.default_rng(4)
    deals = round(Duel(np.array([0.0] * 42 + [1.0] * 58)).deals_to_decide(3))
    assert 200 < deals < 600
    clear = sum(Duel(1.0 * (dice.random(deals) < 0.58)).interval(3)[0] > 0.5 for _ in range(1000))
    assert 750 <= clear <= 850


def test_an_even_duel_is_never_decided() -> None:
    assert Duel(np.array([0.0, 1.0, 0.5])).deals_to_decide() == math.inf
    assert Duel(np.full(5, 0.5)).deals_to_decide() == math.inf


# ---- chains and circles ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "steps", "chain"),
    [
        (1, [], [0]),
        (3, [], [0]),
        (3, [(0, 1), (1, 2)], [0, 1, 2]),
        (4, [(0, 2), (2, 3), (0, 1)], [0, 2, 3]),
        (4, [(0, 3)], [0, 3]),
        (5, [(0, 1), (1, 4), (2, 3), (3, 4), (0, 2)], [0, 2, 3, 4]),
        (3, [(2, 0), (1, 0)], [0]),  # a weaker one that wins its duel is no step down
    ],
)
def test_longest_chain(size: int, steps: list[tuple[int, int]], chain: list[int]) -> None:
    clear = np.zeros((size, size), bool)
    for step in steps:
        clear[step] = True
    assert ratings.longest_chain(clear) == chain


def matrix_of(size: int, values: list[float]) -> Any:
    found = np.full((size, size), np.nan)
    for (i, j), value in zip(itertools.combinations(range(size), 2), values, strict=True):
        found[i, j], found[j, i] = value, 1 - value
    return found


@pytest.mark.parametrize(
    ("size", "values", "share"),
    [
        (2, [0.6], 0),
        (3, [0.6, 0.6, 0.6], 0),
        (3, [0.6, 0.4, 0.6], 1),
        (3, [0.4, 0.6, 0.4], 1),
        (3, [0.6, 0.5, 0.6], 0),
        # 0 > 1 > 2 > 0, and all beat 3.
        (4, [0.6, 0.4, 0.6, 0.6, 0.6, 0.6], 1 / 4),
    ],
)
def test_cycles_of(size: int, values: list[float], share: float) -> None:
    assert ratings.cycles_of(matrix_of(size, values)) == pytest.approx(share)


def test_stone_paper_scissors_is_beyond_the_band() -> None:
    dice = np.random.default_rng(1)
    duels = np.array([dice.binomial(8, share, 200) / 8 for share in (0.7, 0.3, 0.7)])
    standing = ratings.rate(3, duels, 1)
    assert standing.cycles == 1
    assert np.abs(standing.ratings).max() < 40
    assert standing.chain  # of something, and no error
