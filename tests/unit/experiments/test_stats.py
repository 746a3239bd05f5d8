"""Estimates, intervals and differences against brute force on the blocks themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments import stats
from sim import moments
from sim.batch import Totals
from tests.support_metrics import totals_of


def residuals(x: Any, d: Any) -> Any:
    """Return what each block adds to the ratio's error."""
    x, d = np.asarray(x, float), np.asarray(d, float)
    return (x - x.sum() / d.sum() * d) / d.sum()


def brute_se(errors: Any) -> float:
    n = len(errors)
    return math.sqrt(n / (n - 1) * float((errors**2).sum()))


def sample(seed: int, blocks: int = 300) -> tuple[Any, Any, Any, Any]:
    """Return (x, d) of two runs whose blocks go together."""
    dice = np.random.default_rng(seed)
    luck = dice.normal(0, 40, blocks)
    d = dice.integers(1, 9, blocks)
    d0 = dice.integers(1, 9, blocks)
    x = (d * (12 + luck + dice.normal(0, 15, blocks))).astype(np.int64)
    x0 = (d0 * (10 + luck + dice.normal(0, 15, blocks))).astype(np.int64)
    return x, d, x0, d0


# ---- means and ratios -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [1.0, 840.0])
def test_a_mean_is_the_ratio_of_sums_with_students_interval(seed: int, scale: float) -> None:
    x, d, *_ = sample(seed)
    came = stats.estimate(totals_of(x, d, scale), 0, "mean")
    assert came.value == pytest.approx(x.sum() / d.sum() / scale)
    assert came.se == pytest.approx(brute_se(residuals(x, d)) / scale)
    half = scipy_stats.t.ppf(0.975, 299) * came.se
    assert (came.low, came.high) == pytest.approx((came.value - half, came.value + half))
    assert came.blocks == 300


def test_with_equal_blocks_it_is_the_textbook_mean() -> None:
    x = np.array([3, -4, 10, 0, 7, 7, 1])
    came = stats.estimate(totals_of(x, np.ones(7, int)), 0, "mean")
    assert came.value == pytest.approx(x.mean())
    assert came.se == pytest.approx(scipy_stats.sem(x))
    wanted = scipy_stats.t.interval(0.95, 6, x.mean(), scipy_stats.sem(x))
    assert (came.low, came.high) == pytest.approx(wanted)


def test_the_error_of_a_ratio_agrees_with_the_jackknife() -> None:
    x, d, *_ = sample(9, 400)
    without = (x.sum() - x) / (d.sum() - d)
    jackknife = math.sqrt(399 / 400 * ((without - without.mean()) ** 2).sum())
    assert stats.estimate(totals_of(x, d), 0, "mean").se == pytest.approx(jackknife, rel=0.02)


def test_large_sums_that_nearly_cancel_keep_their_digits() -> None:
    """Scores near 10**7 with a spread of 1: in floats the squares would drown it."""
    x = 10**7 + np.array([0, 1, 2, 1] * 1000)
    came = stats.estimate(totals_of(x, np.ones(4000, int)), 0, "mean")
    assert came.se == pytest.approx(scipy_stats.sem(x - 10**7), rel=1e-12)


def test_one_block_has_no_mean_interval() -> None:
    came = stats.estimate(totals_of([7], [2]), 0, "mean")
    assert came.value == 3.5
    assert all(math.isnan(number) for number in (came.se, came.low, came.high))
    share = stats.estimate(totals_of([1], [2]), 0, "share")
    assert 0 <= share.low < 0.5 < share.high <= 1


# ---- shares ---------------------------------------------------------------------------------------------


def test_wilson_gives_the_published_interval() -> None:
    """81 of 263 (Newcombe 1998: 0.2553 to 0.3662); with t for z and n−1 for n it is a little wider."""
    x = np.array([1] * 81 + [0] * 182)
    came = stats.estimate(totals_of(x, np.ones(263, int)), 0, "share")
    assert came.value == pytest.approx(81 / 263)
    assert (came.low, came.high) == pytest.approx((0.2553, 0.3662), abs=6e-4)
    assert came.low < 0.2553
    assert came.high > 0.3662
    # The same share of a thousand times as many: the limit of z, exactly.
    many = stats.estimate(totals_of(np.tile(x, 1000), np.ones(263_000, int)), 0, "share")
    wanted = scipy_stats.binomtest(81_000, 263_000).proportion_ci(method="wilson")
    assert (many.low, many.high) == pytest.approx((wanted.low, wanted.high), abs=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_the_ends_of_a_share_solve_wilsons_equation(seed: int) -> None:
    """At each end π: (p − π)² = t² π(1 − π) / trials, with the trials that give the error found."""
    dice = np.random.default_rng(seed)
    d = dice.integers(1, 6, 80)
    x = dice.binomial(d, dice.beta(2, 5, 80))
    came = stats.estimate(totals_of(840 * x, d, 840.0), 0, "share")
    se = brute_se(residuals(x, d))
    assert came.se == pytest.approx(se)
    p = x.sum() / d.sum()
    trials = p * (1 - p) / se**2
    t = scipy_stats.t.ppf(0.975, 79)
    for end in (came.low, came.high):
        assert (p - end) ** 2 == pytest.approx(t**2 * end * (1 - end) / trials, rel=1e-9)
    assert 0 < came.low < p < came.high < 1


@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize("blocks", [1, 2, 50])
def test_a_share_of_nothing_or_all_still_has_an_interval(p: int, blocks: int) -> None:
    """All blocks agree: each counts as a trial, and the rule of Wilson for 0 of n gives z² / (n + z²)."""
    came = stats.estimate(totals_of([3 * p] * blocks, [3] * blocks), 0, "share")
    z = scipy_stats.t.ppf(0.975, blocks - 1) if blocks > 1 else scipy_stats.norm.ppf(0.975)
    reach = z**2 / (blocks + z**2)
    assert came.value == p
    assert (came.low, came.high) == pytest.approx((0, reach) if p == 0 else (1 - reach, 1))
    assert (came.low if p == 0 else came.high) == p


def test_what_is_a_share() -> None:
    shares = frozenset({"trick_share"})
    kinds = {
        ("win", "seat", 0): "share",
        ("win", "bot", "x"): "share",
        ("ties",): "share",
        ("event", "trick_share", 1, 0): "share",
        ("bot_event", "trick_share", "greedy", 0): "share",
        ("bot_event", "heart_pairs", "greedy", 0): "mean",
        ("event", "heart_pairs", 0): "mean",
        ("score", "seat", 0): "mean",
        ("decisions",): "mean",
        ("branching",): "mean",
    }
    assert {key: stats.kind_of(key, shares) for key in kinds} == kinds


# ---- differences ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_paired_difference_is_that_of_the_blocks(seed: int) -> None:
    x, d, x0, d0 = sample(seed)
    base = totals_of(x0, d0, 2.0)
    came = stats.difference(totals_of(x, d, 840.0, (x0, d0)), 0, base, 0, paired=True)
    one, other = residuals(x, d) / 840, residuals(x0, d0) / 2
    assert came.value == pytest.approx(x.sum() / d.sum() / 840 - x0.sum() / d0.sum() / 2)
    assert came.se == pytest.approx(brute_se(one - other))
    half = scipy_stats.t.ppf(0.975, 299) * came.se
    assert (came.low, came.high) == pytest.approx((came.value - half, came.value + half))
    assert came.gain == pytest.approx(
        (brute_se(one) ** 2 + brute_se(other) ** 2) / brute_se(one - other) ** 2
    )
    assert came.paired


def test_pairing_gains_where_blocks_go_together_and_loses_where_they_go_apart() -> None:
    x, d, x0, d0 = sample(1)
    ones = np.ones(300, int)
    together = stats.difference(
        totals_of(x0, d0, 1, (x0 + 3 * d0, d0)), 0, totals_of(x0 + 3 * d0, d0), 0, paired=True
    )
    assert together.value == pytest.approx(-3)
    assert together.se == pytest.approx(0, abs=1e-9)
    assert together.gain > 1e6
    real = stats.difference(totals_of(x, d, 1, (x0, d0)), 0, totals_of(x0, d0), 0, paired=True)
    assert real.gain > 2
    against = stats.difference(totals_of(-x0, ones, 1, (x0, ones)), 0, totals_of(x0, ones), 0, paired=True)
    assert against.gain == pytest.approx(0.5)
    nothing = stats.difference(
        totals_of(ones, ones, 1, (ones, ones)), 0, totals_of(ones, ones), 0, paired=True
    )
    assert (nothing.value, nothing.se, nothing.gain) == (0, 0, 1)


def test_an_unpaired_difference_adds_the_variances() -> None:
    x, d, x0, d0 = sample(3)
    came = stats.difference(totals_of(x[:120], d[:120]), 0, totals_of(x0, d0), 0, paired=False)
    assert came.se == pytest.approx(
        math.hypot(brute_se(residuals(x[:120], d[:120])), brute_se(residuals(x0, d0)))
    )
    assert (came.blocks, came.paired, came.gain) == (120, False, 1.0)
    half = scipy_stats.t.ppf(0.975, 119) * came.se
    assert came.high - came.value == pytest.approx(half)


def test_a_difference_of_single_blocks_has_no_interval() -> None:
    one = totals_of([4], [2], 1.0, ([3], [1]))
    came = stats.difference(one, 0, totals_of([3], [1]), 0, paired=True)
    assert came.value == -1
    assert all(math.isnan(number) for number in (came.se, came.low, came.high, came.gain))


def _paired(x: list[int], x0: list[int], of: int, key: tuple[str, ...], **named: Any) -> stats.Difference:
    d = [of] * len(x)
    base = totals_of(x0, d, key=key)
    return stats.difference(totals_of(x, d, 1.0, (x0, d), key), 0, base, 0, paired=True, **named)


@pytest.mark.parametrize(
    ("x", "x0", "of", "key", "kind"),
    [
        ([0, 0], [0, 0], 4, ("win", "x"), "share"),
        ([2, 2], [1, 1], 4, ("win", "x"), "share"),
        ([4, 4], [0, 0], 4, ("win", "x"), "share"),
        ([2, 1], [2, 1], 4, ("win", "x"), "share"),
        ([0, 0], [0, 0], 1, ("event", "x"), "mean"),
        ([3, 3], [2, 2], 1, ("event", "x"), "mean"),
        ([1, 2], [1, 2], 1, ("event", "x"), "mean"),
        ([5, 8], [2, 5], 1, ("score", "x"), "mean"),
        ([0] * 500, [0] * 500, 1, ("event", "x"), "mean"),
        ([1, 0] * 250, [1, 0] * 250, 1, ("win", "x"), "share"),
    ],
)
def test_two_runs_alike_so_far_leave_an_interval_of_what_is_possible(
    x: list[int], x0: list[int], of: int, key: tuple[str, ...], kind: stats.Kind
) -> None:
    came = _paired(x, x0, of, key, kind=kind)
    assert came.low < came.value < came.high or abs(came.value) == 1
    assert came.high - came.low > 1 / len(x)
    if kind == "share":
        assert -1 <= came.low < came.high <= 1


def test_the_difference_of_what_never_came_is_bound_by_how_often_it_may_come() -> None:
    came = _paired([0] * 400, [0] * 400, 1, ("event", "x"))
    most = -math.log(0.025) / 400
    assert (came.low, came.high) == pytest.approx((-most, most))


def test_a_difference_that_is_fixed_by_construction_has_no_width() -> None:
    came = _paired([1] * 50, [1] * 50, 4, ("win", "x"), kind="share", fixed=True)
    assert (came.low, came.value, came.high) == (0, 0, 0)


def test_the_interval_of_a_difference_of_large_shares_is_students() -> None:
    dice = np.random.default_rng(5)
    x, x0 = dice.binomial(4, dice.beta(9, 9, (1, 5000)), (2, 5000))
    came = _paired(x, x0, 4, ("win", "x"), kind="share")
    half = scipy_stats.t.ppf(0.975, 4999) * came.se
    assert (came.low, came.high) == pytest.approx((came.value - half, came.value + half), abs=0.01 * half)


# ---- counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 5, 40])
def test_the_ends_of_a_count_are_the_rates_that_just_may_bring_as_many(times: int) -> None:
    x = np.zeros(400, int)
    x[:times] = 1
    came = stats.estimate(totals_of(x, np.ones(400, int), key=("event", "x")), 0, "mean")
    z = scipy_stats.t.ppf(0.975, 399)
    # The variance seen is that of so many events; of the upper rate it is as much greater as the rate is.
    off = z * came.se * math.sqrt(came.high / came.value)
    assert came.high - came.value == pytest.approx(off)
    # At the lower one so many come by Poisson's law as rarely as an interval may be too high.
    assert came.low * 400 == pytest.approx(scipy_stats.chi2.ppf(0.025, 2 * times) / 2, rel=0.05)
    assert 0 < came.low < came.value < came.high


def test_the_interval_of_a_count_that_came_often_is_students() -> None:
    x = np.random.default_rng(8).poisson(50, 400)
    plain, count = (
        stats.estimate(totals_of(x, np.ones(400, int), key=key), 0, "mean")
        for key in (("score", "x"), ("event", "x"))
    )
    assert (count.low, count.high) == pytest.approx((plain.low, plain.high), rel=2e-3)


def test_few_blocks_with_the_same_count_may_do_so_by_chance() -> None:
    few, many = (stats.estimate(totals_of([3] * n, [1] * n, key=("event", "x")), 0, "mean") for n in (2, 30))
    assert 0 < few.low < 3 < few.high
    assert (many.low, many.high) == (3, 3)


# ---- coverage -------------------------------------------------------------------------------------------

REPETITIONS = 2000


def covered(truth: float, ends: list[tuple[float, float]]) -> float:
    return sum(low <= truth <= high for low, high in ends) / len(ends)


@pytest.mark.parametrize(("a", "b"), [(3, 9), (1, 30), (50, 50)])
def test_the_interval_of_a_win_share_covers_it_95_times_in_100(a: float, b: float) -> None:
    """Four matches a block, with a chance to win that goes with the deal."""
    dice = np.random.default_rng(1)
    ends = []
    for _ in range(REPETITIONS):
        wins = dice.binomial(4, dice.beta(a, b, 120))
        came = stats.estimate(totals_of(840 * wins, np.full(120, 4), 840.0), 0, "share")
        ends.append((came.low, came.high))
    assert 0.93 < covered(a / (a + b), ends) < 0.97


@pytest.mark.parametrize(("often", "blocks"), [(0.01, 100), (0.003, 600), (0.4, 80)])
def test_the_mean_of_what_comes_in_few_blocks_is_covered_too(often: float, blocks: int) -> None:
    """Sixteen places a block, of which most have not what is counted, and some blocks much of it."""
    dice = np.random.default_rng(4)
    means, shares = [], []
    for _ in range(REPETITIONS):
        n = dice.binomial(16, np.minimum(1, often * dice.gamma(0.5, 2, blocks)))
        luck = dice.beta(3, 5, blocks)
        scores = np.rint(100 * n * luck + np.sqrt(n) * dice.normal(0, 20, blocks)).astype(int)
        if n.sum() == 0:
            continue
        behind = int(n.sum() ** 2 // (n**2).sum())
        score = stats.estimate(totals_of(scores, n), 0, "mean", blocks=behind)
        win = stats.estimate(totals_of(dice.binomial(n, luck), n), 0, "share", blocks=behind)
        assert score.blocks == win.blocks == behind
        means += [(score.low, score.high)] if behind > 1 else []
        shares.append((win.low, win.high))
    assert 0.93 < covered(37.5, means) < 0.97
    assert 0.93 < covered(0.375, shares) < 0.995


def test_many_looks_hold_all_at_once() -> None:
    x, d, *_ = sample(6)
    for family_size in (1, 40):
        came = stats.estimate(totals_of(x, d), 0, "mean", family_size=family_size)
        assert came.high - came.value == pytest.approx(
            scipy_stats.t.ppf(1 - 0.025 / family_size, 299) * came.se, rel=1e-9
        )
    # Of 20 means of nothing but chance, all hold in 95 of 100 cases.
    dice = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        ends = [
            stats.estimate(totals_of(dice.integers(-50, 51, 60), np.ones(60, int)), 0, "mean", family_size=20)
            for _ in range(20)
        ]
        held += all(came.low <= 0 <= came.high for came in ends)
    assert 0.92 < held / 400 < 0.98


def _totals_of(key: tuple[Any, ...], x: list[int], d: list[int]) -> Totals:
    measures = moments.Measures([moments.Measure(key, (0,), (1,))])
    found = measures.values(np.array([x, d], dtype=np.int64).T.copy())
    return Totals(measures.keys, [1.0], moments.sums(*found).astype(object), blocks=len(x), matches=sum(d))


def test_blocks_that_happen_to_agree_give_no_empty_interval() -> None:
    totals = _totals_of(("win", "bot", "one"), [1] * 100, [3] * 100)
    found = stats.estimate(totals, 0, "share")
    assert found.low < 1 / 3 < found.high
    assert found.high - found.low > 0.1
    fixed = stats.estimate(totals, 0, "share", fixed=True)
    assert (fixed.low, fixed.high) == (fixed.value, fixed.value)


def test_a_count_that_never_came_has_an_upper_bound() -> None:
    totals = _totals_of(("event", "rare", 0), [0] * 1000, [1] * 1000)
    found = stats.estimate(totals, 0, "mean")
    assert found.value == found.low == 0
    # The rate at which 1,000 matches stay without one in 2.5% of all cases.
    assert math.exp(-found.high * 1000) == pytest.approx(0.025)


def test_no_count_is_expected_below_zero() -> None:
    found = stats.estimate(_totals_of(("event", "rare", 0), [1] + [0] * 11, [1] * 12), 0, "mean")
    assert 0 < found.low < found.value
    assert found.high > found.value
