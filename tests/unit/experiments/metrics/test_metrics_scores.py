"""Distributions of scores by hand, against scipy, and their intervals on known distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.metrics import scores

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
    of_deals = np.array([[np.mean(deal == score) for score in np.unique(flat)] for deal in HAND])
    shares = of_deals.mean(axis=0)
    lacking = (
        of_deals.var(axis=0) / (2 * shares)
    ).sum()  # of two deals the mean has the variance of one over 2 − 1
    assert found.distinct.value == pytest.approx(math.exp(scipy_stats.entropy(shares) + lacking))
    assert found.quantiles[0.5].value == np.quantile(flat, 0.5, method="inverted_cdf")


def test_what_has_not_come_yet_has_an_interval() -> None:
    """Nobody of 150 matches is far ahead, nor is any tied: of either there may be more than 2 in 100."""
    first = np.tile(np.arange(10.0), 15)
    found = scores.summary(np.stack([first, first + 1], axis=1)[:, None], 1)
    for one in (found.ties, found.blow_outs):
        assert one.value == one.low == 0
        assert 0.02 < one.high < 0.03


def test_scores_below_zero_have_no_gini() -> None:
    assert scores.summary(HAND - 1, 0).gini is None
    assert scores.summary(HAND - 1, 0).difference.value == pytest.approx(
        scores.summary(HAND, 0).difference.value
    )


def test_equally_likely_scores_count_in_full() -> None:
    deals = np.tile(np.arange(24).reshape(1, 4, 6), (5, 1, 1))
    assert scores.summary(deals, 0).distinct.value == pytest.approx(24)


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


def test_distances_do_not_depend_on_the_order_in_which_deals_are_added_up() -> None:
    """Not by a digit, also where shares are thirds: machines have orders of their own."""
    dice = np.random.default_rng(5)
    a, b = dice.poisson(3, (41, 1, 3)), dice.poisson(4, (41, 1, 5))
    wanted = scores.distances(a, b, 0)
    for _ in range(20):
        order = dice.permutation(41)
        found = scores.distances(a[order], b[order], 0)
        assert found.wasserstein.value.value == wanted.wasserstein.value.value
        assert found.kolmogorov.value.value == wanted.kolmogorov.value.value


def test_like_drafts_of_other_seats_come_out_apart_no_more_often_than_stated() -> None:
    dice = np.random.default_rng(6)
    far = np.zeros(2)
    for number in range(400):
        luck = dice.integers(1, 5, (60, 1, 1))
        found = scores.distances(
            dice.poisson(luck, (60, 1, 3)), dice.poisson(luck, (60, 1, 5)), number, replicates=400
        )
        far += [found.wasserstein.beyond_noise, found.kolmogorov.beyond_noise]
    # 400 samples of 5%: a standard error of 1.1%, 2.8 of them.
    assert (far / 400).max() <= 0.08
    assert (far / 400).min() >= 0.02


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


def test_no_blow_out_though_the_limit_moves_has_an_interval() -> None:
    """The limit hangs on the deviation, which the bootstrap moves: there are blow-outs in replicates where there are none."""
    found = scores.summary(np.random.default_rng(17).integers(0, 4, (20, 1, 2)), 1).blow_outs
    assert found.value == 0
    assert found.se > 0
    assert 0 == found.low < found.high < 0.5
