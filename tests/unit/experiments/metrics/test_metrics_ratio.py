"""The sequential ratio test: published values, the best distributions, and no more errors than it says."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.metrics import ratio
from tests.support_metrics import at_most


def test_the_ratio_test_on_the_pentanomials_of_fishtest() -> None:
    scores = [0, 0.25, 0.5, 0.75, 1]
    found = ratio.ratio_test([10_789, 19_328, 33_806, 19_402, 10_543], scores, (-3, 1))
    assert (found.llr, found.approximate) == pytest.approx((2.13107, 2.13124), abs=6e-6)
    assert (found.lower, found.upper) == pytest.approx((-2.94444, 2.94444), abs=5e-6)
    assert found.accepted is None
    assert found.blocks == 93_868
    other = ratio.ratio_test([39, 2226, 31_451, 2412, 40], scores, (0.2, 0.9))
    assert other.llr == pytest.approx(2.16254, abs=6e-6)
    # The same games without their pairs say less.
    games = ratio.ratio_test([65_804, 56_553, 65_388], [0, 0.5, 1], (-3, 1))
    assert games.llr == pytest.approx(2.04904, abs=6e-6)


def test_the_ratio_test_is_the_likelihood_ratio_of_the_best_distributions() -> None:
    from scipy.optimize import minimize

    counts, scores = np.array([20.0, 50, 30]), np.array([0, 0.5, 1])

    def best(mean: float) -> float:
        found = minimize(
            lambda p: -(counts * np.log(p)).sum(), [0.3, 0.4, 0.3], bounds=[(1e-6, 1)] * 3, method="SLSQP",
            constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ scores - mean}],
            options={"ftol": 1e-12},
        )  # fmt: skip
        return -float(found.fun)

    means = [1 / (1 + 10 ** (-elo / 400)) for elo in (0, 50)]
    found = ratio.ratio_test(counts, scores, (0, 50))
    assert found.llr == pytest.approx(best(means[1]) - best(means[0]), abs=1e-4)


def test_the_ratio_test_accepts_the_wrong_hypothesis_no_more_often_than_stated() -> None:
    dice = np.random.default_rng(1)
    scores = np.array([0, 0.25, 0.5, 0.75, 1])
    wrong = {0: 0, 1: 0}
    for truth, elo in enumerate((0, 60)):
        win = 1 / (1 + 10 ** (-elo / 400))
        for _ in range(150):
            counts = np.zeros(5)
            accepted = None
            while accepted is None:
                counts += np.bincount(dice.binomial(4, win, 25), minlength=5)
                if counts[0] and counts[4]:
                    accepted = ratio.ratio_test(counts, scores, (0, 60)).accepted
            wrong[truth] += accepted != truth
    assert max(wrong.values()) <= at_most(150)


def test_hypotheses_beyond_the_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="both sides"):
        ratio.ratio_test([5, 0, 0], [0, 0.5, 1], (0, 10))
    with pytest.raises(ValueError, match="the greater"):
        ratio.ratio_test([5, 5, 5], [0, 0.5, 1], (10, 0))
