"""Means, shares, ratios and the bootstrap against scipy, the textbook, and games with a known answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments import stats
from experiments.metrics import blocks
from tests.support_metrics import coverage, draw, one_swap, within


def test_a_mean_has_students_interval() -> None:
    values = np.random.default_rng(1).normal(3, 2, 40)
    came = blocks.mean(values)
    wanted = scipy_stats.t.interval(0.95, 39, values.mean(), scipy_stats.sem(values))
    assert (came.low, came.high) == pytest.approx(wanted)
    assert came.blocks == 40


def test_more_looks_make_an_interval_wider() -> None:
    values = np.random.default_rng(1).random(40)
    for kind in ("share", "mean"):
        one, ten = (blocks.of_kind(values, kind, family_size) for family_size in (1, 10))  # type: ignore[arg-type]
        assert ten.low < one.low < one.high < ten.high


def test_the_error_of_a_ratio_agrees_with_the_jackknife() -> None:
    dice = np.random.default_rng(3)
    d = dice.integers(1, 9, 400).astype(float)
    x = d * dice.normal(5, 1, 400)
    without = (x.sum() - x) / (d.sum() - d)
    jackknife = np.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    assert blocks.ratio(x, d, "mean").se == pytest.approx(jackknife, rel=0.02)


def test_a_ratio_rests_on_the_blocks_that_have_any() -> None:
    x, d = np.array([1.0, 0, 0, 2]), np.array([1.0, 0, 0, 2])
    assert blocks.ratio(x, d, "mean").blocks == 1  # 9/5
    assert blocks.ratio(x[:1].repeat(3), d[:1].repeat(3), "share").blocks == 3
    with pytest.raises(ValueError, match="nothing was counted"):
        blocks.ratio(np.zeros(3), np.zeros(3), "share")


def test_rows_add_up_by_block_and_gaps_are_left_out() -> None:
    came = blocks.by_row([1.0, np.nan, 3.0, 5.0], [0, 0, 1, 2], "mean")
    assert came.value == pytest.approx(3.0)
    assert came.blocks == 3


@pytest.mark.parametrize("bad", [[1.0], [[1.0, 2.0]], [1.0, np.nan], []])
def test_what_is_no_sample_of_blocks_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="needs finite numbers on 1 axes"):
        blocks.mean(bad)


def test_a_share_beyond_its_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        blocks.share([0.5, 1.5])


# ---- the bootstrap --------------------------------------------------------------------------------------


def test_bca_is_scipys_but_for_the_widening() -> None:
    dice = np.random.default_rng(4)
    values = dice.exponential(1, 300)

    def variance(means: Any) -> Any:
        return (means[..., 1] - means[..., 0] ** 2)[..., None]

    (came,) = blocks.of_means(np.stack([values, values**2], 1), variance, 0, replicates=20_000)
    theirs = scipy_stats.bootstrap(
        (values,), np.var, n_resamples=20_000, method="BCa", rng=np.random.default_rng(5)
    ).confidence_interval
    # Widened by √(300/299)·t/z = 1.006; the ends of two bootstraps of 20,000 differ by about 1% of the width.
    width = theirs.high - theirs.low
    assert came.low == pytest.approx(theirs.low, abs=0.02 * width)
    assert came.high == pytest.approx(theirs.high, abs=0.03 * width)
    # Skewed data: it must not be the symmetric one.
    assert came.high - came.value > 1.3 * (came.value - came.low)


def test_the_bootstrap_is_repeatable_and_its_error_is_that_of_the_mean() -> None:
    values = np.random.default_rng(4).normal(0, 1, (2000, 1))
    one, again, other = (blocks.of_means(values, lambda m: m, seed)[0] for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert one.se == pytest.approx(
        blocks.mean(values[:, 0]).se, rel=0.07
    )  # 2000 replicates: 1.6% a deviation


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_value_that_cannot_change_has_an_interval_of_a_point() -> None:
    (came,) = blocks.of_means(np.ones((20, 1)), lambda m: m / 3, 0)
    assert came.low == pytest.approx(came.high)


def test_where_a_replicate_has_no_value_there_is_no_interval() -> None:
    (came,) = blocks.of_means(np.eye(2), lambda m: np.where(m[..., :1] > 0, m[..., :1], np.nan), 0)
    assert came.value == 0.5
    assert came.interval is None


def test_means_shares_and_ratios_hold_the_truth_as_often_as_they_say() -> None:
    def make(dice: Any, seed: int) -> Any:
        won = one_swap(draw(dice, 13, 100), 7)
        d = dice.integers(1, 4, 100)
        return [blocks.mean(won), blocks.share((won + 1) / 2), blocks.ratio(won * d, d, "mean")]

    assert within(coverage(make, [7 / 26, (7 / 26 + 1) / 2, 7 / 26], 2000))


def test_max_t_is_narrower_than_bonferroni_where_means_go_together() -> None:
    dice = np.random.default_rng(6)
    together = dice.normal(size=(300, 1)) + 0.05 * dice.normal(size=(300, 20))
    apart = dice.normal(size=(300, 20))
    alone = scipy_stats.t.ppf(0.975, 299)
    bonferroni = scipy_stats.t.ppf(1 - 0.025 / 20, 299)
    assert blocks.simultaneous(together, 0) == pytest.approx(alone, rel=0.08)
    assert blocks.simultaneous(apart, 0) == pytest.approx(bonferroni, rel=0.05)
    assert blocks.simultaneous(np.ones((300, 2)), 0) == pytest.approx(alone)


def test_max_t_of_very_many_blocks_is_that_of_normal_means() -> None:
    dice = np.random.default_rng(16)
    rows = dice.normal(size=(6000, 1)) + dice.normal(size=(6000, 12)) * np.arange(12)
    rows[:, 3] = 7.0
    by_blocks = blocks.simultaneous(rows[:3900], 0)
    assert blocks.simultaneous(rows, 0) == pytest.approx(by_blocks, rel=0.03)
    alone = scipy_stats.norm.ppf(0.975)
    assert blocks.simultaneous(np.repeat(rows[:, :1], 5, axis=1), 0) == pytest.approx(alone, rel=0.01)
    apart = scipy_stats.norm.ppf((1 + 0.95 ** (1 / 20)) / 2)
    assert blocks.simultaneous(dice.normal(size=(5000, 20)), 0) == pytest.approx(apart, rel=0.01)


@pytest.mark.parametrize("bounds", [(-1.0, 1.0), (0.0, math.inf)])
def test_a_mean_stays_within_its_bounds(bounds: tuple[float, float]) -> None:
    values = [0.0, 0.0, 1.0]
    plain, found = blocks.mean(values), blocks.mean(values, bounds=bounds)
    assert plain.low < -1
    assert plain.high > 1
    assert bounds[0] <= found.low < found.value == plain.value < found.high <= bounds[1]
    rows = blocks.by_row(values, [0, 1, 2], "mean", bounds=bounds)
    assert (rows.low, rows.high) == pytest.approx((found.low, found.high))


def test_far_from_its_bounds_a_mean_has_students_interval() -> None:
    values = np.random.default_rng(3).normal(5, 1, 5000)
    plain = blocks.mean(values)
    for bounds in ((-100.0, 110.0), (0.0, math.inf)):
        found = blocks.mean(values, bounds=bounds)
        assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-3)


def test_a_mean_within_stays_where_a_mean_can_be() -> None:
    whole = blocks.mean([-0.3, 0.1, 0.1])
    found = blocks.mean_within([-0.3, 0.1, 0.1], (0.0, 1.0))
    assert whole.value < 0 < whole.high < 1
    assert (found.value, found.low, found.high, found.se) == (0.0, 0.0, whole.high, whole.se)
    assert blocks.mean_within([0.4, 0.6], (-9.0, 9.0)) == blocks.mean([0.4, 0.6])
    # Noise that leaves nothing of the interval puts all of it at the end.
    below = blocks.mean_within([-0.5, -0.6, -0.4], (0.0, 1.0))
    assert (below.value, below.low, below.high) == (0.0, 0.0, 0.0)


def test_few_blocks_that_agree_do_not_make_a_mean_certain() -> None:
    nothing = blocks.mean_within([0.0] * 10, (0.0, 2.0))
    assert (nothing.value, nothing.low) == (0.0, 0.0)
    assert nothing.high == pytest.approx(2 * stats.share_interval(0.0, 0.0, 10)[1])
    assert blocks.mean_within([0.0] * 100, (0.0, 2.0)).high == 0.0
    alike = blocks.mean_within([0.25] * 10, (-1.0, 1.0))
    assert -1 < alike.low < 0.25 < alike.high < 1
    rounded = blocks.mean_within([0.25] * 9 + [0.25 + 3e-17], (-1.0, 1.0))
    assert rounded.low == pytest.approx(alike.low)
    alike = blocks.mean_within([4.0] * 10, (-np.inf, np.inf))
    assert alike.high - 4 == pytest.approx(stats.quantile(10) * np.sqrt(2) * 4 / 10)


def test_a_share_keeps_within_0_and_1_and_of_few_blocks_is_not_certain() -> None:
    wide = blocks.as_share(stats.Estimate(0.9, 0.1, 0.7, 1.1, 20))
    assert (wide.low, wide.high) == (0.7, 1.0)
    few = blocks.as_share(stats.Estimate(0.0, 0.0, 0.0, 0.0, 10))
    assert few.high == stats.share_interval(0.0, 0.0, 10)[1]
    many = stats.Estimate(0.0, 0.0, 0.0, 0.0, 100)
    assert blocks.as_share(many) == many
    assert np.isnan(blocks.as_share(stats.Estimate(0.5, np.nan, np.nan, np.nan, 9)).low)
