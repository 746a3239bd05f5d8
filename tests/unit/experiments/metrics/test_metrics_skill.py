"""Relative skill, the luck meter, depth and the skill trace on games whose numbers are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments.metrics import blocks, ratings, skill
from tests.support_metrics import (
    coverage,
    draw,
    kuhn_gains,
    one_swap,
    one_swap_deals,
    one_swap_seer,
    within,
)


@pytest.mark.parametrize(
    ("cards", "optimal", "relative"),
    [(3, 1 / 3, 1), (5, 3 / 10, 9 / 10), (10, 5 / 18, 5 / 6), (13, 7 / 26, 21 / 26)],
)
def test_one_swap(cards: int, optimal: float, relative: float) -> None:
    deals = one_swap_deals(cards)
    ladder = [one_swap(deals, threshold) for threshold in range(1, cards + 1)]
    best = max(ladder, key=np.mean)
    found = skill.relative_skill(ladder[0], best, one_swap_seer(deals))
    assert best.mean() == pytest.approx(optimal)
    assert found.skill.value == pytest.approx(relative)
    assert found.learning.value == pytest.approx(optimal)
    assert found.learning.value + found.random.value == pytest.approx(1 / 3)


def test_the_one_swap_ladder_of_13_cards() -> None:
    deals = one_swap_deals(13)
    wanted = [
        0,
        0.0769,
        0.1410,
        0.1923,
        0.2308,
        0.2564,
        0.2692,
        0.2692,
        0.2564,
        0.2308,
        0.1923,
        0.1410,
        0.0769,
        0,
    ]
    assert [one_swap(deals, t).mean() for t in range(1, 15)] == pytest.approx(wanted, abs=5e-5)


@pytest.mark.parametrize("q", [0.5, 0.6, 0.75, 1.0])
def test_a_biased_coin_takes_skill_2q_minus_1(q: float) -> None:
    # Out of 20 tosses q come heads; the beginner guesses, the optimal says heads, the fictive knows.
    heads = np.arange(20) < 20 * q
    found = skill.relative_skill(np.zeros(20), np.where(heads, 1, -1), np.ones(20))
    assert found.skill.value == pytest.approx(2 * q - 1)


@pytest.mark.parametrize("q", [0.5, 0.6, 0.75, 1.0])
def test_a_coin_that_falls_to_the_better_one_with_chance_q_is_2_minus_2q_luck(q: float) -> None:
    # The luck meter of the same coin: of 20 duels the better player wins q, the rest of skill is 2q − 1.
    found = skill.luck_meter(np.arange(20) < 20 * q, 2)
    assert found.skill.value == pytest.approx(2 * q - 1)
    assert found.luck.value == pytest.approx(2 - 2 * q)


def test_of_a_biased_coin_that_is_tossed_the_interval_holds_2q_minus_1() -> None:
    def make(dice: Any, seed: int) -> Any:
        heads = dice.random(200) < 0.75
        guess = dice.choice([-1, 1], 200)
        return [skill.relative_skill(guess, np.where(heads, 1, -1), np.ones(200)).skill]

    assert within(coverage(make, [0.5], times=500))


def test_kuhns_poker_with_a_seer_and_with_a_reader() -> None:
    gains = kuhn_gains()
    assert {name: float(one.mean()) for name, one in gains.items()} == pytest.approx(
        {"random": -1 / 6, "optimal": -1 / 18, "seer": 1 / 3, "reader": 7 / 18}
    )
    for fictive, wanted in (("seer", 2 / 9), ("reader", 1 / 5)):
        found = skill.relative_skill(gains["random"], gains["optimal"], gains[fictive])
        assert found.skill.value == pytest.approx(wanted)


def test_of_several_roles_the_averages_are_divided_not_the_ratios_averaged() -> None:
    beginner, optimal, fictive = np.zeros((2, 2)), np.array([[1.0, 0.0]] * 2), np.array([[1.0, 9.0]] * 2)
    assert skill.relative_skill(beginner, optimal, fictive).skill.value == pytest.approx(0.1)


def test_a_game_of_pure_luck_takes_no_skill() -> None:
    # Guessing a fair coin: whatever the "optimal" player says. The interval holds 0 as often as it says.
    def make(dice: Any, seed: int) -> Any:
        beginner, optimal = dice.choice([-1.0, 1.0], (2, 100))
        return [skill.relative_skill(beginner, optimal, np.ones(100)).skill]

    assert within(coverage(make, [0.0]))


def test_where_nothing_is_to_be_gained_the_ratio_is_not_bounded() -> None:
    dice = np.random.default_rng(1)
    found = skill.relative_skill(*dice.normal(size=(3, 30)))
    assert found.reach.low <= 0 <= found.reach.high
    assert np.isfinite(found.skill.value)
    assert np.isnan([found.skill.low, found.skill.high]).all()
    none = skill.relative_skill(np.zeros(5), np.ones(5), np.zeros(5))
    assert np.isnan(none.skill.value)
    assert (none.learning.value, none.reach.value) == (1, 0)
    less = skill.relative_skill(np.zeros(5), np.ones(5), -np.ones(5)).skill
    assert (less.value, np.isnan(less.low)) == (-1, True)
    with pytest.raises(ValueError, match="shapes differ"):
        skill.relative_skill(np.zeros(5), np.zeros(4), np.zeros(5))
    with pytest.raises(TypeError):
        skill.relative_skill(np.zeros(5), np.zeros(5), np.zeros(5), 1.0)  # type: ignore[misc]


def test_where_little_is_to_be_gained_the_interval_holds_the_ratio() -> None:
    """Of samples in which the fictive player is seen to gain: by 3.2 standard errors on average."""

    def make(dice: Any, seed: int) -> Any:
        while True:
            fictive, optimal = dice.normal(1, 3, 90), dice.normal(0.5, 3, 90)
            found = skill.relative_skill(np.zeros(90), optimal, fictive)
            if found.reach.low > 0:
                return [found.skill]

    assert within(coverage(make, [0.5]))


def test_of_many_deals_the_interval_is_fiellers() -> None:
    dice = np.random.default_rng(3)
    part, whole = dice.normal([[0.3], [0.7]], 1, (2, 20_000))
    found = skill.relative_skill(np.zeros(20_000), part, whole).skill
    for end in (found.low, found.high):
        off = blocks.mean(part - end * whole)
        assert min(abs(off.low), abs(off.high)) < 0.02 * (off.high - off.low)


def test_a_gain_that_never_came_may_still_be_there() -> None:
    """In 40 deals an event that comes in up to −ln(0.025)/40 of them may stay away; here it would be worth 2, as a win is."""
    part = np.array([2.0, 0, 0, 2, 0, -2, 2, 0] * 5)
    found = skill.relative_skill(np.zeros(40), part, part)
    unseen = -2 * np.log(0.025) / 40
    assert (found.random.value, found.random.low) == (0, 0)
    assert found.random.high == pytest.approx(unseen)
    assert found.skill.value == found.skill.high == 1
    # Where all that is learned is taken as it came, this is the rule of three in the ratio; that too may be less.
    assert 0.3 < found.skill.low < 0.5 / (0.5 + unseen)
    # What is worth 1 at the most cannot be more rare.
    assert skill.relative_skill(np.zeros(40), part / 2, part / 2, most=1.0).random.high == pytest.approx(
        unseen / 2
    )


def _one_swap_sample(dice: Any, deals: int) -> Any:
    sample = draw(dice, 13, deals)
    return one_swap(sample, 1), one_swap(sample, 7), one_swap_seer(sample)


def _one_swap_in_four_seats(dice: Any, deals: int) -> Any:
    return [gains.reshape(deals, 4) for gains in _one_swap_sample(dice, 4 * deals)]


def _kuhn_sample(dice: Any, deals: int) -> Any:
    gains = kuhn_gains()
    row = dice.integers(len(gains["random"]), size=deals)
    return [gains[name][row] for name in ("random", "optimal", "seer")]


def _coin_sample(dice: Any, deals: int) -> Any:
    heads = dice.random(deals) < 0.95
    return dice.choice([-1.0, 1.0], deals), np.where(heads, 1.0, -1.0), np.ones(deals)


@pytest.mark.slow
@pytest.mark.parametrize("deals", [20, 40, 60, 100, 200, 500])
@pytest.mark.parametrize(
    ("sample", "truth"),
    [
        (_one_swap_sample, 21 / 26),
        (_one_swap_in_four_seats, 21 / 26),
        (_kuhn_sample, 2 / 9),
        (_coin_sample, 0.9),
    ],
)
def test_relative_skill_holds_the_truth_at_every_number_of_deals(
    sample: Any, truth: float, deals: int
) -> None:
    """Also where the fictive player gains in one deal of thirty, as in One swap; too few deals give no interval."""
    dice, runs = np.random.default_rng(deals), 1000
    estimates = [skill.relative_skill(*sample(dice, deals)).skill for _ in range(runs)]
    told = [estimate for estimate in estimates if estimate.interval is not None]
    assert deals < 60 or len(told) > 0.95 * runs
    assert all(estimate.high > estimate.low for estimate in told)
    assert np.mean([estimate.low <= truth <= estimate.high for estimate in told]) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("deals", [60, 200, 1000])
@pytest.mark.parametrize("often", [0.05, 0.15, 0.54])
def test_relative_skill_holds_the_truth_where_a_gain_is_seen_about_once(often: float, deals: int) -> None:
    """The fictive player gains over the optimal one in so many deals of all on average."""
    learns, knows = 0.3, often / deals / 0.7
    truth, runs, held = learns / (1 - (1 - learns) * (1 - knows)), 500, 0
    dice = np.random.default_rng(deals)
    for _ in range(runs):
        optimal = (dice.random(deals) < learns).astype(float)
        fictive = np.maximum(optimal, dice.random(deals) < knows)
        found = skill.relative_skill(np.zeros(deals), optimal, fictive, most=1.0).skill
        held += found.low <= truth <= found.high
    assert held >= 0.93 * runs


def test_where_nobody_gains_there_is_no_ratio() -> None:
    """In Lots the move changes nothing: all three win as often on every deal."""
    lots = np.random.default_rng(4).choice([-1.0, 1.0], 60)
    found = skill.relative_skill(lots, lots, lots)
    assert np.isnan([found.skill.value, found.skill.low, found.skill.high]).all()
    assert (found.learning.value, found.random.value) == (0, 0)


# ---- the luck meter and games ---------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "luck"), [(0.7418, 0.516), (0.6009, 0.798), (0.9174, 0.165), (0.9799, 0.040)])
def test_the_luck_meter_of_two_players(p: float, luck: float) -> None:
    found = skill.luck_meter(np.full(50, p), 2)
    assert found.luck.value == pytest.approx(luck, abs=5e-4)
    assert found.luck.value + found.skill.value == pytest.approx(1)
    assert found.luck.low <= found.luck.value <= found.luck.high


def test_the_luck_meter_of_four_reads_a_mixture_back_and_holds_it() -> None:
    # In a third of the matches the strong player wins, else one of the four by lot.
    def make(dice: Any, seed: int) -> Any:
        won = (dice.random((60, 4)) < 1 / 3) | (dice.integers(4, size=(60, 4)) == 0)
        found = skill.luck_meter(won.mean(axis=1), 4)
        return [found.skill, found.luck]

    assert within(coverage(make, [1 / 3, 2 / 3]))
    with pytest.raises(ValueError, match="players"):
        skill.luck_meter([0.5, 0.5], 1)


# ---- depth ----------------------------------------------------------------------------------------------


def ladder_of(points: list[float], deals: int, seed: int) -> Any:
    """Return shares by pair and deal, of four games a deal, of bots with these Elo ratings."""
    dice = np.random.default_rng(seed)
    size = len(points)
    told = [ratings.expected(points[i] - points[j]) for i in range(size) for j in range(i + 1, size)]
    return np.array([dice.binomial(4, p, deals) / 4 for p in told])


def test_rungs_are_the_longest_chain_that_surely_reaches_the_share() -> None:
    standing = ratings.rate(4, ladder_of([600, 400, 200, 185], 400, 1), 0, replicates=50)
    assert skill.rungs(standing, 0.55) == [0, 1, 2]  # 52% of the last pair is not surely above 55%
    assert skill.rungs(standing, 0.7) == [0, 1, 2]  # 76%, within ±3%
    assert skill.rungs(standing, 0.75) == [0, 2]  # 76% is not surely above 75%
    assert skill.rungs(standing, 0.999) == [0]


def test_a_rung_of_depth_is_three_to_one() -> None:
    # Of two bots: 75% are 190.85 points, but for half a deal added to both sides.
    found = skill.depth(2, np.tile([[0.5, 1.0]], 5000), 0, replicates=20)
    assert round(skill.RUNG, 2) == 190.85
    assert found.value == pytest.approx(1, abs=1e-3)
    assert ratings.expected(skill.RUNG) == pytest.approx(0.75)


# ---- the skill trace ------------------------------------------------------------------------------------


def test_the_trace_of_a_straight_line_foretells_the_next_step() -> None:
    shares = np.tile((np.array([0.8, 0.6, 0.4, 0.2]) + 1) / 2, (10, 1))
    found = skill.trace(shares, 0)
    area = (0.64 + 0.36 + 0.16 + 0.04) / 4
    assert found.next.value == pytest.approx(0)
    assert found.trace.value == pytest.approx(area)
    assert [one.value for one in found.steps] == pytest.approx([0.8, 0.6, 0.4, 0.2])
    rising = skill.trace(shares[:, ::-1], 0)
    assert rising.next.value == pytest.approx(1)
    assert rising.trace.value == pytest.approx(1)


def test_a_trace_of_few_deals_in_which_nothing_is_seen_is_not_told_to_be_nothing() -> None:
    """Whether no doubling won a deal of some, or every doubling each, that may be chance."""
    for shares in (np.full((15, 3), 0.5), np.zeros((15, 3)), np.eye(15)[:, :3]):
        found = skill.trace(shares, 0)
        assert (found.trace.value, found.trace.low) == (0, 0)
        assert 0.01 < found.trace.high <= 1
        assert found.next.high > 0
    found = skill.trace(np.ones((15, 3)), 0)
    assert found.trace.value == 1
    assert 0 < found.trace.low < found.trace.high == 1
    # More deals tell more.
    assert skill.trace(np.zeros((500, 3)), 0).trace.high < 0.1


def test_the_trace_agrees_with_a_fitted_line_and_is_0_without_skill() -> None:
    shares = np.array([[0.9, 0.7, 0.75, 0.6, 0.65], [0.8, 0.7, 0.65, 0.6, 0.55]])
    utility = 2 * shares.mean(axis=0) - 1
    slope, intercept = np.polyfit(np.arange(5), utility, 1)
    coming = slope * 5 + intercept
    found = skill.trace(shares, 0)
    assert found.next.value == pytest.approx(coming)
    assert found.trace.value == pytest.approx(coming + (1 - coming) * (utility**2).mean())
    assert skill.trace(np.full((5, 3), 0.5), 0).trace.value == 0
    with pytest.raises(ValueError, match="two doublings"):
        skill.trace(np.full((5, 1), 0.5), 0)


def test_gains_of_shares_keep_within_bounds_and_of_few_deals_are_not_certain() -> None:
    """A beginner who won none of ten deals, and one who may gain 1 at the most."""
    fictive = np.array([1.0] * 9 + [0.4])
    found = skill.relative_skill(np.zeros(10), np.full(10, 0.25), fictive, most=1.0)
    assert found.learning.low < found.learning.value == 0.25 < found.learning.high
    assert found.reach.high <= 1
    assert skill.relative_skill(np.zeros(10), np.full(10, 0.25), fictive).reach.high > 1
