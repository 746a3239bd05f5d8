"""Every interval of the lab holds a known truth as often as it says, and no function that returns one is forgotten."""

from __future__ import annotations

import gc
from dataclasses import make_dataclass
from types import ModuleType

import numpy as np
import pytest

from experiments.metrics import blocks
from experiments.stats import Estimate
from tests.statistical import (
    cases_blocks,
    cases_causes,
    cases_differences,
    cases_null,
    cases_play,
    cases_skill,
    cases_splits,
    coverage,
)
from tests.statistical.coverage import Case, given

CASES = [
    *cases_blocks.CASES,
    *cases_differences.CASES,
    *cases_skill.CASES,
    *cases_play.CASES,
    *cases_causes.CASES,
    *cases_null.CASES,
    *cases_splits.CASES,
]


def test_every_function_that_returns_intervals_has_a_case() -> None:
    assert coverage.functions() == {case.name for case in CASES}
    assert len({str(case) for case in CASES}) == len(CASES)


def test_a_function_without_a_case_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = make_dataclass("Inner", [("parts", dict[str, list[Estimate]])])

    def deep() -> None: ...

    def number() -> None: ...

    deep.__annotations__["return"] = inner | None
    number.__annotations__["return"] = dict[str, float]
    module = ModuleType("apart")
    for thing in (deep, number):
        thing.__module__ = "apart"
        setattr(module, thing.__name__, thing)
    monkeypatch.setattr(coverage, "modules", lambda: [module])
    assert coverage.functions() == {"apart.deep"}


def test_a_place_without_a_truth_is_noticed() -> None:
    case = Case(blocks.mean, lambda dice, seed: given(dice.normal(size=10)), {"elsewhere": 0.0}, samples=1)
    with pytest.raises(AssertionError, match="without a truth"):
        case.coverage()


@pytest.mark.parametrize(("factor", "wrong"), [(0.8, True), (1.0, False), (1.25, True)])
def test_intervals_a_fifth_too_narrow_or_a_quarter_too_wide_are_wrong(factor: float, wrong: bool) -> None:
    def stretched(values: np.ndarray) -> tuple[float, float]:
        found = blocks.mean(values)
        half = factor * (found.high - found.value)
        return found.value - half, found.value + half

    case = Case(stretched, lambda dice, seed: given(dice.normal(size=100)), {"": 0.0})
    assert bool(case.wrong(case.coverage())) == wrong


@pytest.mark.parametrize(
    ("cautious", "at_most", "least_wrong"),
    [({}, {}, 0.98), ({"a": "why"}, {"a": 0.98}, 0.999), ({"a": "why"}, {}, None)],
)
def test_cautious_intervals_hold_no_more_often_than_is_stated(
    cautious: dict[str, str], at_most: dict[str, float], least_wrong: float | None
) -> None:
    case = Case(blocks.mean, lambda dice, seed: given(), {}, cautious=cautious, at_most=at_most)
    wrong = [share for share in (0.95, 0.98, 0.999, 1.0) if case.wrong({"a": share})]
    assert (wrong[0] if wrong else None) == least_wrong
    assert case.wrong({"a": 0.9})


@pytest.fixture
def uncollected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep statsmodels from collecting all garbage at every test of several claims: it takes a hundred times as long."""
    monkeypatch.setattr(gc, "collect", lambda *generation: 0)


@pytest.mark.slow
@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_intervals_hold_the_truth_as_often_as_they_say(case: Case) -> None:
    held = case.coverage()
    assert not case.wrong(held), held
