"""Paired changes, rates and the importance of what is forbidden, by cases that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import poisson

from experiments import stats
from experiments.metrics import effects
from experiments.metrics.verdicts import PairedSummary


def test_a_change_is_paired() -> None:
    """What both share cancels: a hundredth is told from 0 beside deviations of 1."""
    dice = np.random.default_rng(1)
    without = dice.normal(size=2000)
    with_it = without + 0.01 + 0.02 * dice.normal(size=2000)
    found = effects.change(with_it, without)
    se = np.std(with_it - without, ddof=1) / math.sqrt(2000)
    assert found.found.value == pytest.approx(float((with_it - without).mean()))
    assert found.found.se == pytest.approx(se)
    assert found.spread == pytest.approx(float(without.std(ddof=1)))
    # What has not come yet is allowed for: an event as large as the measure ranges that came in no deal.
    assert found.found.high - found.found.value > 3 * np.ptp([with_it, without]) / 2000
    assert not found.told
    larger = effects.change(with_it + 0.2, without)
    assert larger.told
    assert larger.size == pytest.approx(larger.found.value / larger.spread)
    assert found.size == 0


def test_intervals_that_hold_at_once_are_wider() -> None:
    dice = np.random.default_rng(2)
    one, other = dice.random(100), dice.random(100)
    alone, many = (effects.change(one, other, family_size).found for family_size in (1, 40))
    assert many.value == alone.value
    summary = PairedSummary(alone.value, alone.se * 10, 100, 0.0, float(np.ptp([one, other])))
    for found, family_size in ((alone, 1), (many, 40)):
        assert summary.p_beyond(found.high - found.value) == pytest.approx(0.025 / family_size)
    frequent = effects.change(np.tile([1.0, -1.0], 5000), np.zeros(10_000), 40).found
    assert frequent.high == pytest.approx(stats.quantile(10_000, 40) * frequent.se, rel=0.03)


def test_all_of_forty_intervals_hold_in_most_runs() -> None:
    """Of 200 runs with 40 true differences of 0 each, at most about 5% have any that is told from 0."""
    dice = np.random.default_rng(3)
    wrong = 0
    for _ in range(200):
        shared = dice.random((80, 1))
        pairs = [shared[:, 0] + dice.normal(size=(2, 80)) for _ in range(40)]
        wrong += any(effects.change(*pair, 40).told for pair in pairs)
    assert wrong <= 20


def test_what_hardly_ever_changes_is_not_told_by_one_deal() -> None:
    without = np.tile([0.0, 1.0], 100)
    with_it = without.copy()
    with_it[7] = 0.0
    found = effects.change(with_it, without)
    assert found.found.value == -1 / 200
    assert not found.told
    none = effects.change(without, without).found
    assert none.low < 0 < none.high


@pytest.mark.parametrize(("trials", "family"), [(1, 1), (10, 60), (41, 410)])
def test_a_rare_change_is_called_none_no_more_often_than_stated(trials: int, family: int) -> None:
    """Of wins that go elsewhere in 1.01% of deals, by Poisson's law; that is more than the margin of 1%."""

    def is_small(changed: int, deals: int) -> bool:
        without = np.tile([0.0, 1.0], deals // 2)
        with_it = without.copy()
        with_it[: 2 * changed : 2] = 1.0
        found = effects.change(with_it, without, family, 1.0).found
        return max(-found.low, found.high) < 0.01

    for deals in (280, 480, 560, 740, 780, 980, 1500, 2200):
        most = next(changed for changed in range(deals) if not is_small(changed, deals)) - 1
        rate = float(poisson.cdf(most, 0.0101 * deals))
        assert 1 - (1 - rate) ** trials <= 0.05, deals


def test_what_never_came_has_an_upper_bound() -> None:
    found = effects.rate(np.zeros(50), 10)
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(-math.log(0.025) / 500)
    some = effects.rate(np.array([10, 20, 30, 40]), 10)
    assert some.value == 2.5
    assert some.low < 2.5 < some.high
    assert some.blocks == 4


def test_the_win_goes_elsewhere() -> None:
    wins = np.array([[840, 0], [0, 840], [420, 420], [840, 0]])
    other = np.array([[840, 0], [840, 0], [840, 0], [840, 0]])
    assert effects.others_win(wins, other).value == 0.5


def test_importance_is_what_is_lost_of_the_due() -> None:
    wins = np.array([[0.0, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.0]] * 50)
    found = effects.importance(wins)
    assert found.value == pytest.approx(1 / 4 - 1 / 8)
    assert found.low < found.value < found.high
    fair = effects.importance(np.array([[1.0, 0.0], [0.0, 1.0]] * 50))
    assert fair.value == 0
    assert fair.low < 0 < fair.high


def test_a_loss_is_no_greater_than_what_can_be_lost() -> None:
    lost = effects.importance(np.array([[0.0, 0.0], [0.1, 0.1], [0.0, 0.0]]))
    assert lost.low < lost.value < lost.high == 0.5
    with_it, without = np.array([1.0, 1.0, 0.8]), np.array([0.0, 0.1, 0.0])
    assert effects.change(with_it, without).found.high > 1
    assert effects.change(with_it, without, most=1.0).found.high == 1


def test_a_scaled_estimate_keeps_its_blocks() -> None:
    found = effects.scaled(effects.mean(np.array([1.0, 2.0, 3.0]), 1.0), 0.2)
    assert found.value == pytest.approx(0.4)
    assert found.blocks == 3
    assert found.high - 0.4 == pytest.approx(0.4 - found.low)


def test_measures_must_fit() -> None:
    with pytest.raises(ValueError, match="finite"):
        effects.change(np.array([1.0, math.nan]), np.array([1.0, 2.0]))


def test_the_change_of_the_largest_deviation_holds_the_truth() -> None:
    """A seat of four goes from 25% to 20% and its neighbour to 30%; the other way round it is the opposite."""
    dice = np.random.default_rng(7)
    right, none = 0, 0
    for _ in range(200):
        chance = dice.random(400)
        before = np.eye(4)[np.searchsorted([0.25, 0.5, 0.75], chance)]
        after = np.eye(4)[np.searchsorted([0.2, 0.5, 0.75], chance)]
        found, back = effects.balance(after, before), effects.balance(before, after)
        right += found.low <= 0.05 <= found.high
        assert (back.value, back.low, back.high) == pytest.approx((-found.value, -found.high, -found.low))
        again = np.eye(4)[dice.integers(0, 4, 400)]
        other = effects.balance(again, before)
        none += other.low <= 0 <= other.high
    assert right >= 185
    assert none >= 185
    chance = dice.random(20_000)
    before = np.eye(4)[np.searchsorted([0.25, 0.5, 0.75], chance)]
    after = np.eye(4)[np.searchsorted([0.2, 0.5, 0.75], chance)]
    found = effects.balance(after, before)
    assert 0.03 < found.low < 0.05 < found.high < 0.07


def test_as_many_blocks_as_are_asked_for_bound_a_change() -> None:
    dice = np.random.default_rng(7)
    without = dice.random(4000)
    with_it = without + 0.3 * (dice.random(4000) - 0.5)
    needed = round(effects.blocks_to_bound(with_it[:400], without[:400], 0.01, 20))
    assert 700 < needed < 4000
    found = effects.change(with_it[:needed], without[:needed], 20).found
    assert (found.high - found.low) / 2 == pytest.approx(0.01, rel=0.15)
    # Of what never changed, as many as an event that came in a hundredth of them would hardly stay away from.
    same = np.tile([0.0, 1.0], 200)
    needed = effects.blocks_to_bound(same, same, 0.01, 20, 1.0)
    assert needed == pytest.approx(-math.log(0.025 / 20) / 0.01)
    assert effects.blocks_to_bound(same, same, 1e9) == 2
    assert effects.blocks_to_bound(same, same, 0.0) == math.inf
