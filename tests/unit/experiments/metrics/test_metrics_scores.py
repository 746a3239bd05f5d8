"""Distributions of scores by hand, against scipy, and their intervals on known distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.metrics import scores
from tests.support_metrics import coverage, within

HAND = np.array([[[4, 4, 1], [6, 0, 0]], [[2, 1, 0], [3, 3, 3]]], dtype=float)
"""Two deals of two matches of three players."""


def test_a_summary_by_hand() -> None:
    found = scores.summary(HAND, 0)
    flat = HAND.ravel()
    assert found.mean.value == pytest.approx(flat.mean())
    assert found.sd.value == pytest.approx(flat.std())
    assert found.skew.value == pytest.approx(scipy_stats.skew(flat))
    assert found.ties.value == pytest.approx(0.5)
    assert found.blow_outs.value == pytest.approx(0.25)  # 6 against 0, at a deviation of 1.9
    assert found.matches == 4
    pairs = [
        abs(a - b)
        for match in HAND.reshape(4, 3)
        for a, b in ((match[0], match[1]), (match[0], match[2]), (match[1], match[2]))
    ]
    assert found.difference.value == pytest.approx(np.mean(pairs))
    assert found.gini is not None
    assert found.gini.value == pytest.approx(np.mean(pairs) / 2 / flat.mean())
    counts = np.unique(flat, return_counts=True)[1] / 12
    assert found.distinct.value == pytest.approx(math.exp(scipy_stats.entropy(counts)))
    assert found.quantiles[0.5].value == np.quantile(flat, 0.5, method="inverted_cdf")


def test_scores_below_zero_have_no_gini() -> None:
    assert scores.summary(HAND - 1, 0).gini is None
    assert scores.summary(HAND - 1, 0).difference.value == pytest.approx(
        scores.summary(HAND, 0).difference.value
    )


def test_equally_likely_scores_count_in_full() -> None:
    assert scores.summary(np.arange(24).reshape(3, 4, 2), 0).distinct.value == pytest.approx(24)


def test_intervals_of_a_summary_hold_the_truth_as_often_as_they_say() -> None:
    # Three players' scores with luck of the deal in common, of two matches a deal.
    def sample(dice: Any, deals: int) -> Any:
        return dice.poisson(dice.integers(1, 4, (deals, 1, 1)), (deals, 2, 3))

    big = sample(np.random.default_rng(1), 1_000_000)
    flat = big.ravel()
    ordered = np.sort(big, axis=2)
    lead = ordered[..., 2] - ordered[..., 1]
    apart = float(
        (2 * (ordered[..., 2] - ordered[..., 0]) / 3).mean()
    )  # of the three pairs two sum to the third
    counts = np.bincount(flat) / len(flat)
    names = ("mean", "sd", "skew", "ties", "blow_outs", "difference", "gini")
    truths = [
        flat.mean(),
        flat.std(),
        scipy_stats.skew(flat),
        (lead == 0).mean(),
        (lead > 2 * flat.std()).mean(),
    ]
    truths += [apart, apart / 2 / flat.mean()]

    held_quantiles = np.zeros(len(scores.QUANTILES))
    exact = np.quantile(flat, scores.QUANTILES, method="inverted_cdf")
    distinct = []

    def make(dice: Any, seed: int) -> Any:
        found = scores.summary(sample(dice, 300), seed)
        ends = [found.quantiles[q] for q in scores.QUANTILES]
        held_quantiles[:] += [one.low <= truth <= one.high for one, truth in zip(ends, exact, strict=True)]
        distinct.append(found.distinct.low <= math.exp(scipy_stats.entropy(counts)) <= found.distinct.high)
        return [getattr(found, name) for name in names]

    assert within(coverage(make, [float(one) for one in truths], 400))
    # Scores are whole numbers: an interval that holds one holds all that rounds to it, so it is never too short.
    assert (held_quantiles / 400).min() >= 0.93
    # The entropy of a sample is too low by half a score over the scores counted; the interval bears with it.
    assert np.mean(distinct) >= 0.9


@pytest.mark.parametrize(
    "bad", [np.zeros((3, 2)), np.zeros((1, 2, 2)), np.full((2, 2, 2), np.nan), np.zeros((3, 2, 1))]
)
def test_what_are_no_scores_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match="needs"):
        scores.summary(bad, 0)


# ---- distances ------------------------------------------------------------------------------------------


def test_distances_are_scipys() -> None:
    dice = np.random.default_rng(2)
    a, b = dice.poisson(3, (40, 2, 3)), dice.poisson(4, (40, 3, 2))
    found = scores.distances(a, b, 0)
    assert found.wasserstein.value.value == pytest.approx(
        scipy_stats.wasserstein_distance(a.ravel(), b.ravel())
    )
    assert found.kolmogorov.value.value == pytest.approx(scipy_stats.ks_2samp(a.ravel(), b.ravel()).statistic)
    assert found.wasserstein.p < 0.01


def test_a_shift_moves_every_score_by_as_much() -> None:
    a = np.random.default_rng(3).integers(0, 100, (50, 2, 2))
    found = scores.distances(a, a + 7, 0)
    assert found.wasserstein.value.value == pytest.approx(7)
    same = scores.distances(a, a, 0)
    assert same.wasserstein.value.value == same.kolmogorov.value.value == 0
    assert same.wasserstein.p == 1
    with pytest.raises(ValueError, match="same deals"):
        scores.distances(a, a[:20], 0)


def test_like_drafts_come_out_apart_no_more_often_than_stated() -> None:
    dice = np.random.default_rng(4)
    far = np.zeros((2, 2))
    for number in range(400):
        luck = dice.integers(1, 5, (60, 1, 1))
        found = scores.distances(
            dice.poisson(luck, (60, 2, 2)), dice.poisson(luck, (60, 2, 2)), number, replicates=400
        )
        for place, one in enumerate((found.wasserstein, found.kolmogorov)):
            far[place] += [one.p <= 0.05, one.value.value > one.alike]
    # 400 samples of 5%: a standard error of 1.1%, 2.8 of them.
    assert (far / 400).max() <= 0.08
    assert (far / 400).min() >= 0.02


def test_the_interval_of_a_true_distance_holds_it_as_often_as_it_says() -> None:
    # Apart by a whole point: two Poisson distributions of which one lies above the other, so W1 is the gap of means.
    def make(dice: Any, seed: int) -> Any:
        found = scores.distances(dice.poisson(3, (100, 2, 2)), dice.poisson(4, (100, 2, 2)), seed)
        return [found.wasserstein.value, found.kolmogorov.value]

    gap = scipy_stats.poisson.cdf(np.arange(20), 3) - scipy_stats.poisson.cdf(np.arange(20), 4)
    held = coverage(make, [1.0, float(gap.max())], 400)
    assert within(held[:1])
    # The greatest of several gaps is biased upward, and its interval with it.
    assert held[1] >= 0.88
