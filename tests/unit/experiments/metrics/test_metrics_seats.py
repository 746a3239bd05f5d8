"""Seats: simultaneous intervals, fairness within a margin, and no unfair seat among equals beyond the stated rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from experiments.metrics import blocks, seats
from tests.support_metrics import wins_by_seat


def test_goodman_and_the_chi_square_of_raw_counts() -> None:
    came = seats.raw_counts([260, 240, 255, 245])
    assert (came.shares[0].low, came.shares[0].high) == pytest.approx((0.2269, 0.2961), abs=5e-5)
    assert (came.chi2, came.p) == pytest.approx((1.0, 0.8013), abs=5e-5)
    assert [one.value for one in came.shares] == [0.26, 0.24, 0.255, 0.245]


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


def test_within_says_yes_no_or_undecided_and_how_many_more() -> None:
    dice = np.random.default_rng(4)
    noise = dice.normal(0, 0.1, 400)
    noise = 0.1 * (noise - noise.mean()) / noise.std(ddof=1)
    yes, no, unsure = (seats.within(noise + off, 0.02) for off in (0.0, 0.04, 0.015))
    assert (yes.word, no.word, unsure.word) == ("yes", "no", "undecided")
    assert yes.more == no.more == 0
    assert unsure.more == pytest.approx((1.6449 + 0.8416) ** 2 * 0.1**2 / 0.005**2 - 400, rel=0.01)
    beyond = seats.within(noise + 0.026, 0.02)
    assert beyond.word == "undecided"
    assert beyond.more == pytest.approx((1.96 + 0.8416) ** 2 * 0.1**2 / 0.006**2 - 400, rel=0.01)
    assert seats.within(noise + 0.02, 0.02).more == math.inf
    with pytest.raises(ValueError, match="margin"):
        seats.within(noise, 0)


def test_blocks_that_all_agree_decide() -> None:
    assert seats.within(np.zeros(30)).word == "yes"
    assert seats.within(np.zeros(29)).word == "undecided"
    assert seats.within(np.full(30, 0.3)).word == "no"


def test_after_the_blocks_that_were_said_four_of_five_are_decided() -> None:
    dice = np.random.default_rng(5)
    sd = math.sqrt(0.25 / 4)
    first = dice.binomial(4, 0.5, 1000) / 4 - 0.5
    first *= sd / first.std(ddof=1)
    first -= first.mean()
    needed = round(1000 + seats.within(first).more)
    words = [seats.within(dice.binomial(4, 0.5, needed) / 4 - 0.5).word for _ in range(800)]
    assert words.count("yes") / 800 == pytest.approx(0.8, abs=3 * 0.0142)


def test_an_unfair_game_is_called_fair_and_a_fair_one_unfair_in_one_of_twenty_at_most() -> None:
    dice = np.random.default_rng(6)
    fair = [seats.fair(wins_by_seat(dice, 150, [1 / 3] * 3), 0.05).word for _ in range(1000)]
    # Chances are halved by the deal's luck, so this first seat wins 5 points of share above its due: just unfair.
    biased = [1 / 3 + 0.1, 1 / 3 - 0.05, 1 / 3 - 0.05]
    unfair = [seats.fair(wins_by_seat(dice, 150, biased), 0.05).word for _ in range(1000)]
    assert fair.count("no") <= 50
    assert fair.count("yes") > 100
    assert unfair.count("yes") <= 50


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
    dice = np.random.default_rng(12)
    for chances in ([0.25] * 4, [0.22, 0.25, 0.25, 0.28], [0.255, 0.245, 0.25, 0.25]):
        wins = dice.multinomial(1, chances, 20_000).astype(float)
        wanted = seats.fair(wins)
        came = seats.fair_means([blocks.mean(column) for column in wins.T])
        assert came.word == wanted.word
        assert came.more == pytest.approx(wanted.more)
        for one, other in zip(came.seats, wanted.seats, strict=True):
            assert (one.word, one.p) == (other.word, pytest.approx(other.p, abs=1e-12))
            assert one.estimate.interval == pytest.approx(other.estimate.interval)
    alike = np.full((40, 2), 0.5)
    assert (
        seats.fair_means([blocks.mean(column) for column in alike.T]).word == seats.fair(alike).word == "yes"
    )
    assert seats.fair_means([blocks.mean(column) for column in alike[:20].T]).word == "undecided"
