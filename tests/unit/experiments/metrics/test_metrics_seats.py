"""Seats: simultaneous intervals, fairness within a margin, and no unfair seat among equals beyond the stated rate."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.weightstats import DescrStatsW

from experiments.metrics import blocks, seats
from experiments.metrics.seats import Within
from experiments.stats import Estimate
from tests.support_metrics import at_most, wins_by_seat


def test_scores_by_seat_have_students_interval_for_all_seats() -> None:
    scores = np.random.default_rng(1).normal([1, 2], 3, (50, 2))
    one, other = seats.by_seat(scores, "mean")
    assert (one.value, other.value) == pytest.approx(tuple(scores.mean(axis=0)))
    assert (one.high - one.low) / one.se == pytest.approx(2 * 2.3124, abs=1e-3)  # t(49) at 1 − .05/4


def test_the_leaders_advantage_is_its_share_above_its_due() -> None:
    wins = np.array([[0.5, 0.25, 0.25], [0.75, 0.25, 0.0], [0.25, 0.5, 0.25]])
    assert seats.leaders_advantage(wins).value == pytest.approx(0.5 - 1 / 3)
    other = seats.leaders_advantage(wins, 2)
    assert other.value == pytest.approx(0.5 / 3 - 1 / 3)
    assert other.low < other.value < other.high
    by_deal = seats.leaders_advantage(wins, np.array([0, 0, 1]))
    assert by_deal.value == pytest.approx((0.5 + 0.75 + 0.5) / 3 - 1 / 3)


def within(values: Any, margin: float = seats.MARGIN) -> Within:
    return seats.within(blocks.share(values), 0.5, margin)


def test_within_says_yes_no_or_undecided() -> None:
    dice = np.random.default_rng(4)
    noise = dice.normal(0, 0.1, 400)
    noise = 0.5 + 0.1 * (noise - noise.mean()) / noise.std(ddof=1)
    assert [within(noise + off, 0.02).word for off in (0.0, 0.04, 0.015)] == ["yes", "no", "undecided"]
    assert within(np.tile([0.5, 1.0], 200), 0.25).word == "undecided"
    with pytest.raises(ValueError, match="margin"):
        within(noise, 0)


def test_blocks_that_all_agree_decide_once_others_would_have_come() -> None:
    # A seat that takes all of 2.04% of deals, and its share of the others, stays unseen in 145 deals in 5% of runs.
    assert within(np.full(145, 0.5)).word == "undecided"
    assert within(np.full(165, 0.5)).word == "yes"
    assert within(np.full(3, 0.9)).word == "undecided"
    assert within(np.full(30, 0.9)).word == "no"


def test_of_ordinary_games_nearly_nothing_is_lost_to_rare_events() -> None:
    # 25,000 matches of four players: what the plain t tests (margin − 1.645 se) find, but for a twelfth of se.
    sd, n = math.sqrt(0.1875 / 4), 6250
    se = sd / math.sqrt(n)
    for off, word in ((0.01 - 1.73 * se, "yes"), (0.01 - 1.645 * se, "undecided"), (0.01 + 2.65 * se, "no")):
        for side in (-1, 1):
            share = Estimate(0.25 + side * off, se, math.nan, math.nan, n)
            assert seats.within(share, 0.25, 0.01, 4).word == word


# ---- plans ----------------------------------------------------------------------------------------------


def pilot(dice: Any, count: int, chances: Any) -> Any:
    return dice.multinomial(len(chances), chances, count) / len(chances)


def test_what_is_decided_needs_no_more() -> None:
    found = seats.fair(pilot(np.random.default_rng(2), 20_000, [0.25] * 4))
    assert found.word == "yes"
    assert (found.more.value, found.more.low, found.more.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("size", "off", "needed"),
    [(4, 0.0, 5_958), (4, 0.005, 12_360), (4, 0.02, 5_610), (2, 0.0, 10_970)],
)
def test_the_plan_is_about_what_it_takes_and_its_range_holds_it(size: int, off: float, needed: int) -> None:
    """Blocks in all after which four of five runs are decided: see the simulation in the next test."""
    dice = np.random.default_rng(31)
    chances = np.full(size, (1 - 1 / size - off) / (size - 1))
    chances[0] = 1 / size + off
    plans = [seats.fair(pilot(dice, 1000, chances)) for _ in range(30)]
    plans = [found.more for found in plans if found.word == "undecided"]
    middle = float(np.median([plan.value for plan in plans]))
    assert 0.4 < middle / (needed - 1000) < 2.6
    assert sum(
        plan.low <= 1.3 * (needed - 1000) and needed - 1000 <= plan.high for plan in plans
    ) >= 0.8 * len(plans)


def test_after_the_blocks_that_were_planned_four_of_five_fair_games_are_decided() -> None:
    dice = np.random.default_rng(5)
    decided = 0
    for _ in range(60):
        first = pilot(dice, 1000, [0.25] * 4)
        more = seats.fair(first).more.value
        further = pilot(dice, round(more), [0.25] * 4)
        decided += seats.fair(np.concatenate([first, further])).word != "undecided"
    assert decided >= 60 * 0.8 - 3 * math.sqrt(60 * 0.16)
    # Played at once they take 5,958 blocks (23,834 matches), within the error of 500 runs.
    at_once = sum(seats.fair(pilot(dice, 5_958, [0.25] * 4)).word == "yes" for _ in range(500))
    assert at_once / 500 == pytest.approx(0.8, abs=3 * 0.018)


def test_few_blocks_and_blocks_that_agree_have_plans() -> None:
    for wins in (np.full((60, 4), 0.25), np.eye(4)[[0, 1, 1, 2]], np.full((2, 2), 0.5)):
        plan = seats.fair(wins).more
        assert 1 <= plan.low <= plan.value <= plan.high
    assert seats.fair(np.full((60, 4), 0.25)).more.value < 1000


# ---- seldom wrong ---------------------------------------------------------------------------------------


def matches(dice: Any, n: int, seats: int) -> Any:
    return np.eye(seats)[dice.integers(0, seats, n)]


def rotations(dice: Any, n: int, seats: int) -> Any:
    return np.eye(seats)[dice.integers(0, seats, (n, seats))].mean(axis=1)


def cards_or_seat(dice: Any, n: int, seats: int) -> Any:
    """Return deals of which the cards decide most, so that each seat wins once, and the seat the rest."""
    return np.where(dice.random((n, 1)) < 0.25, matches(dice, n, seats), 1 / seats)


@pytest.mark.parametrize("deal", [matches, rotations, cards_or_seat])
@pytest.mark.parametrize("size", [2, 4, 8])
def test_fair_seats_are_called_unfair_no_more_often_than_stated_from_two_blocks_on(
    deal: Any, size: int
) -> None:
    dice = np.random.default_rng(21)
    for n in (2, 4, 8, 10, 20, 30, 50):
        for margin in (0.01, 0.0001):
            wrong = sum(seats.fair(deal(dice, n, size), margin).word == "no" for _ in range(400))
            assert wrong <= at_most(400), (n, margin)


@pytest.mark.parametrize("size", [2, 4])
def test_unfair_seats_are_called_fair_no_more_often_than_stated_from_two_blocks_on(size: int) -> None:
    dice = np.random.default_rng(22)
    for n in (2, 4, 8, 10, 20, 30, 50):
        for margin in (0.05, 0.2, 0.4):
            chances = np.full(size, (1 - 1 / size - margin) / (size - 1))
            chances[0] = 1 / size + margin
            played = [dice.multinomial(1, chances, n).astype(float) for _ in range(400)]
            wrong = sum(seats.fair(wins, margin).word == "yes" for wins in played)
            assert wrong <= at_most(400), (n, margin)


def chance_of(word: str, n: int, p: float, common: float, rare: float, size: int, margin: float) -> float:
    """Return how often a seat is found so that wins one share in most blocks, another in a part p, exactly."""
    found = 0.0
    for events in range(int(binom.ppf(1e-7, n, p)), int(binom.ppf(1 - 1e-7, n, p)) + 1):
        part = events / n
        se = abs(rare - common) * math.sqrt(part * (1 - part) / (n - 1))
        share = Estimate(common + (rare - common) * part, se, math.nan, math.nan, n)
        if seats.within(share, 1 / size, margin, size).word == word:
            found += float(binom.pmf(events, n, p))
    return found


@pytest.mark.parametrize("size", [2, 3, 4, 8])
def test_a_seat_that_takes_rare_deals_is_called_fair_no_more_often_than_stated(size: int) -> None:
    # The win is shared but in a few deals, which one seat takes: it wins just a margin more than its fair share.
    p = 0.01 / (1 - 1 / size)
    for n in (100, 150, 175, 200, 250, 300, 400, 600, 1000, 2000, 5000):
        assert chance_of("yes", n, p, 1 / size, 1.0, size, 0.01) <= 0.05, n


@pytest.mark.slow
def test_no_common_and_rare_outcome_is_misjudged_more_often_than_stated() -> None:
    dice = np.random.default_rng(8)
    tried = 0
    while tried < 1500:
        size, n = int(dice.integers(2, 9)), int(np.exp(dice.uniform(math.log(2), math.log(10_000))))
        margin = float(dice.choice([0.01, np.exp(dice.uniform(math.log(0.0003), math.log(0.3)))]))
        mean = 1 / size + dice.choice([-1, 1]) * margin
        rare = float(dice.choice([0.0, 1.0, dice.random()]))
        p = min(0.95, dice.uniform(0.3, 25) / n)
        common = (mean - p * rare) / (1 - p)
        if 0 < mean < 1 and 0 <= common <= 1:
            tried += 1
            # At the margin either word is false.
            assert chance_of("yes", n, p, common, rare, size, margin) <= 0.05
            assert chance_of("no", n, p, common, rare, size, margin) <= 0.05 / size


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 4, 8])
def test_rare_deals_among_ordinary_ones_do_not_make_an_unfair_seat_fair(size: int) -> None:
    dice = np.random.default_rng(9)
    for n in (100, 200, 400, 800):
        for noise in (0.1, 0.3):
            # Most deals are shared or nearly so; one seat takes the rare ones, a margin more than its fair share.
            rare = dice.random((2000, n)) < 0.01 / (1 - 1 / size)
            base = np.where(dice.random((2000, n)) < noise, dice.choice([-0.25, 0.25], (2000, n)) / size, 0)
            first = np.where(rare, 1.0, 1 / size + base)
            wrong = sum(
                seats.within(blocks.share(column), 1 / size, family_size=size).word == "yes"
                for column in first
            )
            assert wrong <= at_most(2000), (n, noise)


def test_a_seat_that_never_won_has_an_interval_that_says_how_little_that_is() -> None:
    wins = np.eye(4)[[0, 1, 1, 2] * 2]
    found = seats.fair(wins)
    assert found.word == "undecided"
    for seat, one in enumerate(found.seats):
        low, high = (end + 0.25 for end in (one.estimate.low, one.estimate.high))
        assert 0 <= low <= wins[:, seat].mean() <= high <= 1
        assert high - low > 0.5
    assert seats.greatest(found).low == 0
    # One of equals that wins everything is found soon enough.
    assert seats.fair(np.eye(4)[[2] * 10]).word == "no"


def test_an_unfair_game_is_called_fair_and_a_fair_one_unfair_in_one_of_twenty_at_most() -> None:
    dice = np.random.default_rng(6)
    # Chances are halved by the deal's luck, so this first seat wins 5 points of share above its due: just unfair.
    biased = [1 / 3 + 0.1, 1 / 3 - 0.05, 1 / 3 - 0.05]
    found = {}
    for count in (200, 300):
        fair, unfair = (
            [seats.fair(wins_by_seat(dice, count, chances), 0.05).word for _ in range(1000)]
            for chances in ([1 / 3] * 3, biased)
        )
        assert fair.count("no") <= 50
        assert unfair.count("yes") <= 50
        found[count] = fair.count("yes")
    # More blocks find more of what is fair; what rare deals may hide takes a few more than plain t tests do.
    assert found[200] > 100
    assert found[300] > 400


def test_a_clearly_unfair_game_is_found_and_one_seat_is_enough() -> None:
    wins = wins_by_seat(np.random.default_rng(7), 1000, [0.6, 0.2, 0.2])
    found = seats.fair(wins, 0.05)
    assert found.word == "no"
    assert found.seats[0].word == "no"
    assert found.furthest == 0


def test_fairness_is_undecided_until_every_seat_is() -> None:
    sure, unsure, unfair = (
        Estimate(0.25 + off, 0.001, math.nan, math.nan, 50_000) for off in (0, 0.009, -0.05)
    )
    assert seats.fair_means([sure] * 4).word == "yes"
    assert seats.fair_means([sure, unsure, sure, sure]).word == "undecided"
    assert seats.fair_means([sure, unsure, sure, unfair]).word == "no"


def test_fairness_of_means_is_that_of_the_blocks() -> None:
    wins = np.random.default_rng(12).multinomial(1, [0.22, 0.25, 0.25, 0.28], 20_000).astype(float)
    wanted = seats.fair(wins)
    # Of what is given only value and error are used, not an interval made for something else.
    kept = [dataclasses.replace(blocks.share(column), low=math.nan, high=math.nan) for column in wins.T]
    assert seats.fair_means(kept) == wanted
    assert {one.word for one in wanted.seats} == {"yes", "no"}
    for seat, one in enumerate(wanted.seats):
        plain = DescrStatsW(wins[:, seat] - 0.25).ttost_mean(-seats.MARGIN, seats.MARGIN)[0]
        assert (one.word == "yes") == (plain <= 0.05)
