"""Seats: simultaneous intervals, fairness within a margin, and no unfair seat among equals beyond the stated rate."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.weightstats import DescrStatsW

from experiments.metrics import blocks, seats
from experiments.metrics.seats import Within
from tests.support_metrics import at_most, wins_by_seat


def test_goodman_and_the_chi_square_of_raw_counts() -> None:
    came = seats.raw_counts([260, 240, 255, 245])
    assert (came.shares[0].low, came.shares[0].high) == pytest.approx((0.2269, 0.2961), abs=5e-5)
    assert (came.chi2, came.p) == pytest.approx((1.0, 0.8013), abs=5e-5)
    assert [one.value for one in came.shares] == [0.26, 0.24, 0.255, 0.245]


def test_goodmans_intervals_are_those_of_statsmodels_where_a_seat_never_won_too() -> None:
    from statsmodels.stats.proportion import multinomial_proportions_confint

    wins = [0, 3, 17]
    came = seats.raw_counts(wins)
    known = multinomial_proportions_confint(wins, method="goodman")
    assert np.array([(one.low, one.high) for one in came.shares]) == pytest.approx(known, abs=1e-12)


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


def test_the_exact_equivalence_test_of_counts() -> None:
    assert seats.raw_within(10_720, 21_410) == pytest.approx(0.00331, abs=5e-6)
    assert seats.raw_within(10_930, 21_410) > 0.5  # 51.05%
    assert seats.raw_within(3_000, 12_000, due=0.25) < 0.05


def within(values: Any, margin: float = seats.MARGIN) -> Within:
    return seats.within(blocks.share(values), 0.5, margin)


def test_within_says_yes_no_or_undecided_and_how_many_more() -> None:
    dice = np.random.default_rng(4)
    noise = dice.normal(0, 0.1, 400)
    noise = 0.5 + 0.1 * (noise - noise.mean()) / noise.std(ddof=1)
    yes, no, unsure = (within(noise + off, 0.02) for off in (0.0, 0.04, 0.015))
    assert (yes.word, no.word, unsure.word) == ("yes", "no", "undecided")
    assert yes.more == no.more == 0

    def variance(n: float) -> float:
        # As if two further blocks were half a win off, one each way.
        return 0.1**2 + 2 * 0.5**2 / n

    needed = 400 + unsure.more
    assert needed == pytest.approx((1.6449 + 0.8416) ** 2 * variance(needed) / 0.005**2, rel=1e-3)
    beyond = within(noise + 0.026, 0.02)
    assert beyond.word == "undecided"
    needed = 400 + beyond.more
    assert needed == pytest.approx((1.96 + 0.8416) ** 2 * variance(needed) / 0.006**2, rel=1e-3)
    assert within(np.tile([0.5, 1.0], 200), 0.25).more == math.inf
    with pytest.raises(ValueError, match="margin"):
        within(noise, 0)


def test_blocks_that_all_agree_decide_once_others_would_have_come() -> None:
    assert within(np.full(100, 0.5)).word == "undecided"
    assert within(np.full(150, 0.5)).word == "yes"
    assert within(np.full(3, 0.9)).word == "undecided"
    assert within(np.full(30, 0.9)).word == "no"
    # What was said it would take, at a power of four of five.
    few = within(np.full(100, 0.5))
    assert 150 < 100 + few.more < 250


def test_after_the_blocks_that_were_said_four_of_five_are_decided() -> None:
    dice = np.random.default_rng(5)

    def blocks_of(count: int, off: float) -> Any:
        return 0.5 + off + 0.1 * (dice.binomial(4, 0.5, count) - 2)

    for off, word in ((0.0, "yes"), (0.02, "no")):
        first = blocks_of(300, 0)
        first = 0.5 + off + 0.1 * (first - first.mean()) / first.std(ddof=1)
        needed = round(300 + within(first).more)
        words = [within(blocks_of(needed, off)).word for _ in range(800)]
        assert words.count(word) / 800 == pytest.approx(0.8, abs=3 * 0.0142)


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


def test_a_seat_that_never_won_has_an_interval_that_says_how_little_that_is() -> None:
    wins = np.eye(4)[[0, 1, 1, 2] * 2]
    found = seats.fair(wins)
    assert found.word == "undecided"
    assert found.more > 1
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
    for count in (150, 200):
        fair, unfair = (
            [seats.fair(wins_by_seat(dice, count, chances), 0.05).word for _ in range(1000)]
            for chances in ([1 / 3] * 3, biased)
        )
        assert fair.count("no") <= 50
        assert unfair.count("yes") <= 50
        found[count] = fair.count("yes")
    # More blocks find more of what is fair; the careful deviation asks for a few more than the plain one.
    assert found[200] > 100
    assert found[200] > found[150] > 50


def test_a_clearly_unfair_game_is_found_and_one_seat_is_enough() -> None:
    wins = wins_by_seat(np.random.default_rng(7), 1000, [0.6, 0.2, 0.2])
    found = seats.fair(wins, 0.05)
    assert found.word == "no"
    assert found.seats[0].word == "no"
    assert found.more == 0


def test_fairness_is_undecided_until_every_seat_is() -> None:
    wins = wins_by_seat(np.random.default_rng(8), 30, [0.25] * 4)
    found = seats.fair(wins, 0.01)
    assert found.word == "undecided"
    # One seat that is off is enough for a no; and all must be within for a yes.
    beyond = [one.more for one in found.seats if abs(one.estimate.value) > 0.01]
    assert found.more == min(beyond) > 1000
    near = seats.fair(wins, 1.2 * max(abs(one.estimate.value) for one in found.seats))
    assert near.word == "undecided"
    assert near.more == max(one.more for one in near.seats) > 0


def test_fairness_of_means_is_that_of_the_blocks() -> None:
    wins = np.random.default_rng(12).multinomial(1, [0.22, 0.25, 0.25, 0.28], 20_000).astype(float)
    wanted = seats.fair(wins)
    # Of what is given only value and error are used, not an interval made for something else.
    kept = [dataclasses.replace(blocks.share(column), low=math.nan, high=math.nan) for column in wins.T]
    assert seats.fair_means(kept) == wanted
    assert {one.word for one in wanted.seats} == {"yes", "no"}
    for seat, one in enumerate(wanted.seats):
        plain = DescrStatsW(wins[:, seat] - 0.25).ttost_mean(-seats.MARGIN, seats.MARGIN)[0]
        assert one.p == pytest.approx(plain, rel=1e-2, abs=1e-6)
