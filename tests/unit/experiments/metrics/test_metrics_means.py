"""Verdicts from sums alone: those of the blocks themselves, and careful with what came in few of them or in none."""

from __future__ import annotations

import gc
import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import means, verdicts
from experiments.metrics.means import Mean
from tests.support_metrics import at_most


def mean_of(values: Any, margin: float, bound: float = 1e-6) -> Mean:
    return Mean(float(np.mean(values)), float(np.std(values, ddof=1)), len(values), margin, bound)


def word(found: verdicts.Verdict | None) -> str:
    assert found is not None
    return found.word


def test_they_are_those_of_the_blocks() -> None:
    noise = np.random.default_rng(1).normal(size=400)
    noise = (noise - noise.mean()) / noise.std(ddof=1)  # standard error .05
    shifts = {"up": 1.0, "down": -1.0, "alike": 0.01, "unsure": 0.11}
    margins = dict.fromkeys(shifts, 0.15)
    wanted = verdicts.judge({name: noise + shift for name, shift in shifts.items()}, margins)
    came = means.judge([mean_of(noise + shift, 0.15) for shift in shifts.values()], len(shifts))
    assert len({one.word for one in wanted.values()}) == 4
    for one, other in zip(wanted.values(), came, strict=True):
        assert other is not None
        assert (one.word, one.margin) == (other.word, other.margin)
        assert other.more == pytest.approx(one.more, rel=1e-4)
        assert other.estimate.interval == pytest.approx(one.estimate.interval, rel=1e-4)


def test_a_plan_looks_at_a_mean_as_at_its_blocks() -> None:
    values = np.random.default_rng(2).uniform(-1, 1, 500)
    plan = verdicts.Plan(margin=0.05, bound=1, claims=4)
    assert plan.at(float(values.mean()), float(values.std(ddof=1)), 500) == plan.look(values)


def test_what_neither_has_shown_is_equivalent_only_once_a_difference_would_have_come() -> None:
    def never(blocks: int) -> str:
        return word(means.judge([Mean(0.0, 0.0, blocks, 0.01, 1.0)], 1)[0])

    assert never(30) == "undecided"
    assert never(2000) == "equivalent"
    # At 3 in 300 unseen by chance in one case of twenty, less than 300 blocks show nothing of 0.01.
    assert {never(blocks) for blocks in (100, 200, 230)} == {"undecided"}


@pytest.mark.parametrize("times", [1, 2, 3])
def test_what_came_a_few_times_in_one_draft_alone_is_not_different(times: int) -> None:
    blocks = np.zeros(10_000)
    blocks[:times] = 1
    assert word(means.judge([mean_of(blocks, 1e-6, 1.0)], 1)[0]) == "undecided"


def test_a_difference_in_every_block_is_one() -> None:
    assert word(means.judge([Mean(-20.0, 0.0, 40, 5.0, 5.0)], 100)[0]) == "worse"


def test_one_block_and_no_data_are_undecided_and_still_count() -> None:
    one, none, clear = means.judge(
        [Mean(5.0, math.nan, 1, 0.1, 1.0), None, Mean(0.1, 1.0, 1000, 0.01, 1.0)], 3
    )
    assert none is None
    assert one is not None
    assert (one.word, one.more >= 1, one.estimate.interval) == ("undecided", True, None)
    assert word(clear) == "better"
    # The same 3.2 standard errors among forty claims.
    assert word(means.judge([Mean(0.1, 1.0, 1000, 0.01, 1.0)], 40)[0]) == "undecided"


@pytest.mark.parametrize("value", [0.0, 0.013])
def test_after_the_blocks_that_were_said_the_last_claim_is_decided_in_four_of_five_runs(
    monkeypatch: pytest.MonkeyPatch, value: float
) -> None:
    monkeypatch.setattr(gc, "collect", lambda: 0)
    dice = np.random.default_rng(4)
    others = [0.0] * 21 if value == 0 else [0.05] * 21

    def last(blocks: int, came: float) -> verdicts.Verdict:
        # The others are as clearly what they are as can be.
        family = [Mean(one, 0.05, blocks, 0.01, 1.0) for one in others]
        found = means.judge([*family, Mean(came, 0.4, blocks, 0.01, 1.0)], 22)
        assert {word(one) for one in found[:-1]} == {"better" if value else "equivalent"}
        assert found[-1] is not None
        return found[-1]

    first = last(2000, value)
    assert first.word == "undecided"
    needed = round(2000 + first.more)
    decided = [
        last(needed, dice.normal(value, 0.4 / math.sqrt(needed))).word != "undecided" for _ in range(600)
    ]
    assert np.mean(decided) == pytest.approx(0.8, abs=3 * 0.0163)


def test_rare_counts_are_never_called_different_beyond_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "collect", lambda: 0)  # statsmodels does in every correction
    dice = np.random.default_rng(3)
    wrong = 0
    for _ in range(600):
        counts = dice.poisson(0.004, (2, 10, 1000))
        differences = (counts[0] - counts[1]).astype(float)
        found = means.judge([mean_of(row, 1e-4, 1.0) for row in differences], 10)
        wrong += any(word(one) in ("better", "worse") for one in found)
    assert wrong <= at_most(600)
