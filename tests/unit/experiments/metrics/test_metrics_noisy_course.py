"""The course of a match from two noisy estimates: exact chances seen twice, pure noise, and noughts and crosses."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from experiments.metrics import blocks, course, debiased_course
from tests import support_course
from tests.support_metrics import coverage, noughts, noughts_path, within

WINNER = [0.5, 0.4, 0.3, 0.6, 0.8, 1.0]
ROLLOUTS = 100
"""Of each of the two estimates."""


def duel(own: Any) -> Any:
    own = np.asarray(own)
    return np.stack([own, 1 - own], axis=2)


# ---- exact chances seen twice ---------------------------------------------------------------------------


def test_the_path_by_hand() -> None:
    paths, winner = duel([WINNER]), np.array([0])
    assert debiased_course.squares(paths, paths) == pytest.approx(0.19)
    for found, exact in (
        (debiased_course.surprise(paths, paths), 0.9),
        (debiased_course.greatest_gain(paths, paths), 0.3),
        (debiased_course.threshold(paths, paths, winner), 0.7),
        (debiased_course.greatest_gap(paths, paths, winner), 0.4),
        (debiased_course.comeback(paths, paths, winner), 0.2),
        # The mean of gaps 0, .2, .4, 0, 0, 0.
        (debiased_course.drama(paths, paths, winner), 0.1),
        (debiased_course.low(paths, paths, winner), 0.3),
        (debiased_course.lead_changes(paths, paths, 0.0), 1.0),
    ):
        for one in (found.least, found.middle, found.most):
            assert one == pytest.approx(exact)
    assert debiased_course.decisiveness(paths, paths, winner) == pytest.approx(2 / 6)
    assert debiased_course.stability(paths, paths) == pytest.approx(np.var(WINNER))


def test_where_one_looks_the_other_measures() -> None:
    first, second = duel([[0.5, 0.7, 0.6, 1.0]]), duel([[0.5, 0.6, 0.4, 1.0]])
    # Changes: .2, -.1, .4 and .1, -.2, .6, of both players.
    assert debiased_course.squares(first, second) == pytest.approx(0.02 + 0.02 + 0.24)
    surprise = debiased_course.surprise(first, second)
    assert surprise.least == pytest.approx((0.7 + 0.9) / 2)
    assert surprise.most == pytest.approx(0.15 + 0.15 + 0.5)
    gain = debiased_course.greatest_gain(first, second)
    assert gain.least == pytest.approx((0.6 + 0.4) / 2)
    first, second = duel([[0.5, 0.4, 0.55, 1.0]]), duel([[0.5, 0.45, 0.2, 1.0]])
    limit = debiased_course.threshold(first, second, [0])
    # The loser's chances are .5, .6, .45 and .5, .55, .8.
    assert limit.least == pytest.approx((0.55 + 0.45) / 2)
    assert limit.middle == pytest.approx((0.5 + (0.6 + 0.8) / 2) / 2)
    assert limit.most == pytest.approx((0.45 + 0.8) / 2)
    # The winner's are .5, .4, .55 and .5, .45, .2: behind by .2 and .1, or by -.1 and .6.
    gap = debiased_course.greatest_gap(first, second, [0])
    assert gap.least == pytest.approx((0.1 - 0.1) / 2)
    assert gap.middle == pytest.approx((0.0 + (0.2 + 0.6) / 2) / 2)
    assert gap.most == pytest.approx((-0.1 + 0.6) / 2)
    back = debiased_course.comeback(first, second, [0])
    assert back.least == pytest.approx((0.05 - 0.05) / 2)
    assert back.most == pytest.approx(0.5 - (0.55 + 0.2) / 2)
    own = np.array([[0.5, 0.4, 0.55, 1.0], [0.5, 0.45, 0.2, 1.0]])
    assert debiased_course.stability(first, second) == pytest.approx(np.cov(own, bias=True)[0, 1])


def test_who_was_never_below_the_fair_chance_comes_back_from_nothing() -> None:
    paths = duel([[0.5, 0.7, 0.6, 1.0]])
    back = debiased_course.comeback(paths, paths, [0])
    assert (back.least, back.middle, back.most) == (0, 0, 0)


def test_matches_of_different_length_do_not_change_one_another() -> None:
    dice = np.random.default_rng(4)
    own = np.clip(dice.normal(0.5, 0.2, (2, 5)), 0, 1)
    paths = [np.concatenate([row, [1.0]]) for row in own]
    short = [np.array([*row[:3], 1.0, np.nan, np.nan]) for row in own]
    both = [duel([path, other]) for path, other in zip(paths, short, strict=True)]
    alone = [[duel([path]) for path in paths], [duel([path[:4]]) for path in short]]
    measures: list[Callable[[Any, Any], Any]] = [
        lambda a, b: debiased_course.surprise(a, b).middle,
        lambda a, b: debiased_course.greatest_gain(a, b).least,
        lambda a, b: debiased_course.threshold(a, b, np.zeros(len(a), int)).most,
        lambda a, b: debiased_course.greatest_gap(a, b, np.zeros(len(a), int)).middle,
        lambda a, b: debiased_course.comeback(a, b, np.zeros(len(a), int)).middle,
        lambda a, b: debiased_course.drama(a, b, np.zeros(len(a), int)).middle,
        lambda a, b: debiased_course.low(a, b, np.zeros(len(a), int)).most,
        lambda a, b: debiased_course.lead_changes(a, b, 0.1).least,
        debiased_course.squares,
        debiased_course.stability,
        lambda a, b: debiased_course.decisiveness(a, b, np.zeros(len(a), int)),
    ]
    for measure in measures:
        assert measure(*both) == pytest.approx([measure(*one)[0] for one in alone])
    with pytest.raises(ValueError, match="same times"):
        debiased_course.squares(both[0], both[1][::-1])


# ---- nothing but noise ----------------------------------------------------------------------------------


def test_noise_in_the_chances_makes_no_course() -> None:
    """Nothing is known until the end: whatever gap, low point or change there seems to be is noise."""
    dice = np.random.default_rng(1)
    matches, times, rollouts = 4000, 12, 20

    def noisy() -> np.ndarray:
        own = dice.binomial(rollouts, 0.5, (matches, times)) / rollouts
        return duel(np.concatenate([own, np.ones((matches, 1))], axis=1))

    first, second, winner = noisy(), noisy(), np.zeros(matches, np.int64)
    assert abs(debiased_course.drama(first, second, winner).least.mean()) < 0.005
    assert abs(debiased_course.low(first, second, winner).most.mean() - 0.5) < 0.01
    # Some changes of level chances are left, a few of those that one estimate shows.
    assert debiased_course.lead_changes(first, second, 0.3).least.mean() < 0.25
    assert support_course.lead_changes(first, 0.3).mean() > 1
    assert support_course.drama(first, winner).mean() > 0.05
    assert abs(debiased_course.greatest_gap(first, second, winner).least.mean()) < 0.01
    assert abs(debiased_course.comeback(first, second, winner).least.mean()) < 0.005
    assert support_course.comeback(first, winner).mean() > 0.1
    # One chance moves, the last, by one half: p(1 − p)/4 of it with p = 1/13 of the times.
    assert abs(debiased_course.stability(first, second).mean() - 12 / 13**2 / 4) < 0.0005
    assert support_course.stability(first).mean() > 0.02
    # All that comes is the last change, of one half.
    surprise = debiased_course.surprise(first, second)
    assert abs(surprise.least.mean() - 0.5) < 0.01
    assert surprise.most.mean() > 1
    assert abs(debiased_course.squares(first, second).mean() - 0.25) < 0.005
    assert abs(debiased_course.threshold(first, second, winner).least.mean() - 0.5) < 0.01
    assert debiased_course.threshold(first, second, winner).most.mean() > 0.6
    found = debiased_course.suspense(first, second, np.arange(times) // 4, np.arange(matches), 1)
    assert [one.value for one in found.curve] == pytest.approx([0, 0, 0.25], abs=0.02)
    # The root of what noise is left does not quite vanish.
    assert 0.95 < found.total.value < 1.15
    mean = (first + second) / 2
    plain = debiased_course.suspense(mean, mean, np.arange(times) // 4, np.arange(matches), 1)
    assert plain.total.value > 1.7


# ---- noughts and crosses at random, of 2 × 100 play-outs ------------------------------------------------


class Games:
    """Games with their exact chances, and two noisy estimates of them."""

    def __init__(self, count: int) -> None:
        dice = np.random.default_rng(2)
        played = [noughts_path(dice) for _ in range(count)]
        own = np.full((count, 10), np.nan)
        self.coming = np.full((count, 9), np.nan)
        for number, (path, coming) in enumerate(played):
            own[number, : len(path)] = path
            self.coming[number, : len(coming)] = coming
        self.end = np.array([path[-1] for path, _ in played])
        self.exact, last = duel(own), (~np.isnan(own)).sum(axis=1) - 1
        noisy = []
        for _ in range(2):
            seen = dice.binomial(ROLLOUTS, np.nan_to_num(own)) / ROLLOUTS
            seen[np.isnan(own)] = np.nan
            seen[np.arange(count), last] = self.end
            noisy.append(duel(seen))
        self.first, self.second = noisy
        self.mean = (self.first + self.second) / 2


@cache
def games() -> Games:
    return Games(6000)


def off(found: Any, exact: Any) -> float:
    """Return by what part of itself the mean of the exact numbers is missed, on the same games."""
    return float(found.mean() / exact.mean() - 1)


def test_surprise_of_noughts_and_crosses_from_noisy_chances() -> None:
    """The middle is within 2%, where one estimate says 13% too much, and the mean of both 7%."""
    own = games()
    exact = course.surprise(own.exact)
    assert exact.mean() == pytest.approx(noughts()[4], abs=4 * exact.std() / math.sqrt(len(exact)))
    found = debiased_course.surprise(own.first, own.second)
    assert abs(off(found.middle, exact)) < 0.02
    assert -0.12 < off(found.least, exact) < -0.05
    assert 0.05 < off(found.most, exact) < 0.1
    assert off(course.surprise(own.first), exact) > 0.1
    assert abs(found.middle.mean() - noughts()[4]) < 0.02


def test_squares_of_noughts_and_crosses_from_noisy_chances() -> None:
    own = games()
    found = debiased_course.squares(own.first, own.second)
    came = blocks.mean(found)
    assert came.value == pytest.approx(noughts()[6], abs=4 * came.se)
    assert abs(off(found, course.squares(own.exact))) < 0.01
    assert off(course.squares(own.mean), course.squares(own.exact)) > 0.06


def test_greatest_gain_and_threshold_of_noughts_and_crosses_from_noisy_chances() -> None:
    """Within half a percent, of which three quarters of the error is gone that the mean of both has."""
    own = games()
    gain = debiased_course.greatest_gain(own.first, own.second)
    exact = debiased_course.greatest_gain(own.exact, own.exact).least
    sole = own.end != 0.5
    winner = (own.end[sole] < 0.5).astype(int)
    limit = debiased_course.threshold(own.first[sole], own.second[sole], winner)
    true = support_course.threshold(own.exact[sole], winner)
    for found, truth in ((gain, exact), (limit, true)):
        assert abs(off(found.middle, truth)) < 0.005
        assert -0.04 < off(found.least, truth) < -0.01
        assert 0.01 < off(found.most, truth) < 0.03
        assert off(found.most, truth) > 3 * abs(off(found.middle, truth))


def test_gaps_and_comebacks_of_noughts_and_crosses_from_noisy_chances() -> None:
    """The middle is within 3%, with less than half of the error of either limit."""
    own = games()
    sole = own.end != 0.5
    winner = (own.end[sole] < 0.5).astype(int)
    for noisy, plain in (
        (debiased_course.greatest_gap, support_course.drama_max),
        (debiased_course.comeback, support_course.comeback),
        (debiased_course.drama, support_course.drama),
    ):
        found, truth = noisy(own.first[sole], own.second[sole], winner), plain(own.exact[sole], winner)
        assert abs(off(found.middle, truth)) < 0.03
        assert off(found.least, truth) < -2 * abs(off(found.middle, truth))
        assert off(found.most, truth) > 2 * abs(off(found.middle, truth))
    lowest = debiased_course.low(own.first[sole], own.second[sole], winner)
    exact = np.nanmin(course.of_winner(own.exact[sole], winner), axis=1)
    assert abs(off(lowest.middle, exact)) < 0.01
    assert off(lowest.least, exact) < -0.01
    assert off(lowest.most, exact) > 0.01
    steady = debiased_course.stability(own.first, own.second)
    exact = support_course.stability(own.exact)
    assert abs(off(steady, exact)) < 0.01
    assert off(support_course.stability(own.mean), exact) > 0.02


def test_lead_changes_of_noughts_and_crosses_from_noisy_chances() -> None:
    """They lie between, where one estimate alone is a tenth off."""
    own, margin = games(), 2 / math.sqrt(2 * ROLLOUTS)
    exact = support_course.lead_changes(own.exact, margin)
    found = debiased_course.lead_changes(own.first, own.second, margin)
    assert found.least.mean() < exact.mean() < found.most.mean()
    assert abs(off(found.middle, exact)) < 0.08
    assert off(support_course.lead_changes(own.first, margin), exact) > 0.04


def test_decisiveness_of_noughts_and_crosses_from_noisy_chances() -> None:
    """Within a percent."""
    own = games()
    sole = own.end != 0.5
    winner = (own.end[sole] < 0.5).astype(int)
    found = debiased_course.decisiveness(own.first[sole], own.second[sole], winner)
    exact = support_course.decisiveness(own.exact[sole], winner)
    assert 0.4 < exact.mean() < 0.9
    assert abs(off(found, exact)) < 0.01


def test_suspense_of_noughts_and_crosses_from_noisy_chances() -> None:
    """It is what it says, a root mean square by ply, and a tenth above the suspense of who sees the board."""
    own = games()
    plies = np.arange(9)
    there = ~np.isnan(own.coming)
    by_ply = np.sqrt(np.nansum(own.coming, axis=0) / there.sum(axis=0))
    exact = float((there.mean(axis=0) * by_ply).sum())
    matches = np.arange(len(own.first))
    found = debiased_course.suspense(own.first, own.second, plies, matches, 1)
    assert found.total.value == pytest.approx(exact, abs=4 * found.total.se)
    assert found.total.se < 0.01
    for one, truth in zip(found.curve, by_ply, strict=True):
        assert one.value == pytest.approx(truth, abs=4 * one.se)
    assert 1 < found.total.value / noughts()[5] < 1.15
    noisy = debiased_course.suspense(own.mean, own.mean, plies, matches, 1)
    assert noisy.total.low > exact

    def make(dice: Any, seed: int) -> Any:
        chosen = dice.integers(len(own.first), size=200)
        sample = debiased_course.suspense(
            own.first[chosen], own.second[chosen], plies // 3, matches[:200] // 2, seed
        )
        return [sample.total, *sample.curve]

    whole = debiased_course.suspense(own.first, own.second, plies // 3, matches, 1)
    assert within(coverage(make, [whole.total.value, *(one.value for one in whole.curve)], 400))


def test_few_matches_that_are_decided_at_once_may_have_hidden_suspense() -> None:
    paths = duel(np.ones((10, 6)))
    found = debiased_course.suspense(paths, paths, [0, 0, 0, 1, 1], np.arange(10), 1)
    assert found.total.value == found.total.low == 0
    assert 0 < found.total.high < 5
    assert all(0 == one.low < one.high < 1 for one in found.curve)
