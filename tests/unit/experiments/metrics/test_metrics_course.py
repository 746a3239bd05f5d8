"""The course of a match: a path worked out by hand, noughts and crosses exactly, and calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments.metrics import blocks, course
from tests import support_course
from tests.support_metrics import coverage, noughts, noughts_path, within

WINNER = [0.5, 0.4, 0.3, 0.6, 0.8, 1.0]


def duel(*winners: list[float]) -> Any:
    """Return paths of two players, the first of whom wins, cut to the longest."""
    longest = max(len(one) for one in winners)
    first = np.array([one + [np.nan] * (longest - len(one)) for one in winners])
    return np.stack([first, 1 - first], axis=2)


def test_the_path_by_hand() -> None:
    path = duel(WINNER)
    assert support_course.drama(path, [0]) == pytest.approx(0.10)
    assert support_course.drama_max(path, [0]) == pytest.approx(0.40)
    assert support_course.lead_changes(path) == 1
    assert support_course.comeback(path, [0]) == pytest.approx(0.2)
    assert support_course.threshold(path, [0]) == pytest.approx(0.7)
    assert support_course.decisiveness(path, [0]) == pytest.approx(2 / 6)
    assert course.surprise(path) == pytest.approx(0.9)
    assert course.squares(path) == pytest.approx(0.19)
    assert support_course.stability(path) == pytest.approx(np.var(WINNER))


def test_matches_of_different_length_do_not_change_one_another() -> None:
    short = [0.5, 0.9, 1.0]
    both = duel(WINNER, short)
    measures = [
        lambda p, w: support_course.drama(p, w),
        lambda p, w: support_course.drama_max(p, w),
        lambda p, w: support_course.comeback(p, w),
        lambda p, w: support_course.threshold(p, w),
        lambda p, w: support_course.decisiveness(p, w),
        lambda p, w: support_course.lead_changes(p),
        lambda p, w: support_course.stability(p),
        lambda p, w: course.surprise(p),
        lambda p, w: course.squares(p),
    ]
    for measure in measures:
        alone = [measure(duel(one), [0])[0] for one in (WINNER, short)]
        assert measure(both, [0, 0]) == pytest.approx(alone)


def test_three_players_pass_the_lead_around() -> None:
    path = np.array(
        [
            [
                [1 / 3] * 3,
                [0.5, 0.3, 0.2],
                [0.3, 0.5, 0.2],
                [0.3, 0.4, 0.3],
                [0.4, 0.4, 0.2],
                [0.2, 0.2, 0.6],
                [0, 0, 1],
            ]
        ]
    )
    assert support_course.lead_changes(path) == 2
    assert support_course.drama(path, [2]) == pytest.approx((0 + 0.3 + 0.3 + 0.1 + 0.2 + 0 + 0) / 7)
    assert support_course.threshold(path, [2]) == pytest.approx(0.5)
    assert support_course.decisiveness(path, [2]) == pytest.approx(2 / 7)
    assert support_course.comeback(path, [2]) == pytest.approx(1 / 3 - 0.2)


def test_noise_within_the_margin_changes_no_lead() -> None:
    trembling = duel([0.5, 0.52, 0.48, 0.53, 0.47, 0.9, 1.0])
    assert support_course.lead_changes(trembling) == 4
    assert support_course.lead_changes(trembling, margin=0.1) == 0
    crossing = duel([0.5, 0.3, 0.51, 0.7, 1.0])
    assert support_course.lead_changes(crossing, margin=0.1) == 1


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.full((1, 3, 2), 0.6), "add up to 1"),
        ([[[1.2, -0.2], [1, 0]]], "0 or more"),
        (np.full((1, 3), 0.5), "matches × times"),
        ([[[0.5, 0.5], [np.nan, np.nan], [1, 0]]], "none after the first"),
    ],
)
def test_paths_that_are_none_are_refused(bad: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        course.squares(bad)


# ---- noughts and crosses at random ----------------------------------------------------------------------


def test_noughts_and_crosses_at_random_exactly() -> None:
    part, first, nobody, plies, surprise, suspense, squares, moment, _ = noughts()
    assert first == pytest.approx(737 / 1260)
    assert 1 - first - nobody == pytest.approx(121 / 420)
    assert nobody == pytest.approx(8 / 63)
    assert plies == pytest.approx(3203 / 420)
    assert surprise == pytest.approx(0.8107525, abs=5e-8)
    assert suspense == pytest.approx(0.9197716, abs=5e-8)
    assert squares == pytest.approx(moment - part**2)
    assert squares == pytest.approx(0.196228, abs=5e-7)


def test_surprise_and_squares_hold_what_noughts_and_crosses_has() -> None:
    dice = np.random.default_rng(1)
    pool = [noughts_path(dice) for _ in range(4000)]
    path = duel(*(one for one, _ in pool))
    coming = np.full((len(pool), 9), np.nan)
    for number, (_, squares) in enumerate(pool):
        coming[number, : len(squares)] = squares
    found = {
        "surprise": (course.surprise(path), noughts()[4]),
        "squares": (course.squares(path), noughts()[6]),
        "length": ((~np.isnan(coming)).sum(axis=1).astype(float), noughts()[3]),
    }
    for values, truth in found.values():
        came = blocks.by_row(values, np.arange(len(values)), "mean")
        assert came.value == pytest.approx(truth, abs=4 * came.se)
        assert came.se < 0.025

    def make(dice: Any, seed: int) -> Any:
        chosen = dice.integers(len(pool), size=200)
        return [blocks.by_row(values[chosen], np.arange(200) // 2, "mean") for values, _ in found.values()]

    assert within(coverage(make, [float(values.mean()) for values, _ in found.values()]))


# ---- calibration ----------------------------------------------------------------------------------------


def test_true_chances_are_calibrated_and_bent_ones_are_not() -> None:
    dice = np.random.default_rng(2)
    chance = dice.random(4000)
    came = (dice.random(4000) < chance).astype(float)
    deal = np.arange(4000) // 4
    honest = course.calibration(chance, came, deal, 0)
    bold = course.calibration(np.clip(2 * chance - 0.5, 0, 1), came, deal, 0)
    assert honest.calibrated
    assert not bold.calibrated
    assert honest.brier.value == pytest.approx(1 / 6, abs=4 * honest.brier.se)
    assert honest.skill.value == pytest.approx(1 / 3, abs=4 * honest.skill.se)
    assert bold.brier.value > honest.brier.value
    assert len(honest.bins) == 10
    assert sum(one.count for one in honest.bins) == 4000
    assert honest.brier.blocks == 1000


def test_saying_the_mean_has_no_skill() -> None:
    came = np.tile([0.0, 1.0, 1.0, 1.0], 50)
    found = course.calibration(np.full(200, 0.75), came, np.arange(200), 0)
    assert found.skill.value == pytest.approx(0)
    assert found.brier.value == pytest.approx(0.75 * 0.25)
    assert [(one.low, one.high, one.count) for one in found.bins] == [(0.7, 0.8, 200)]
    with pytest.raises(ValueError, match="0 to 1"):
        course.calibration([1.2, 0.1], [0, 1], [0, 1], 0)


def test_few_predictions_of_which_some_replicates_are_all_alike_have_a_skill_with_an_interval() -> None:
    came = np.array([1.0] * 2 + [0.0] * 8)
    found = course.calibration(np.linspace(0.1, 0.3, 10), came, np.arange(10), 0)
    assert found.skill.low < found.skill.value < found.skill.high


def test_a_skill_score_is_1_at_the_most_and_has_an_interval_where_the_bootstrap_gives_none() -> None:
    for came in ([1.0] + [0.0] * 9, [1.0] * 5 + [0.0] * 5):
        exact = course.calibration(came, came, np.arange(10), 0)
        assert exact.skill.value == 1 == exact.skill.high
        assert exact.skill.low < 0.5
        assert 0 == exact.brier.low < exact.brier.high
    good = course.calibration(
        np.r_[np.full(50, 0.97), np.full(50, 0.03)], np.repeat([1.0, 0.0], 50), np.arange(100), 0
    )
    assert 0.99 < good.skill.low <= good.skill.value <= good.skill.high <= 1


def test_bins_of_several_calibrations_hold_at_once() -> None:
    dice = np.random.default_rng(6)
    chance = dice.random(400)
    came = (dice.random(400) < chance).astype(float)
    one, three = (
        course.calibration(chance, came, np.arange(400), 0, family_size=family_size) for family_size in (1, 3)
    )
    for narrow, wide in zip(one.bins, three.bins, strict=True):
        assert wide.came.low < narrow.came.low < narrow.came.high < wide.came.high
    assert one.skill == three.skill
