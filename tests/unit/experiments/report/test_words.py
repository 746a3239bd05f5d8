"""The report's words and numbers, and what its figures and tables count."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from experiments.metrics import spread
from experiments.report import figures, words
from experiments.stats import Difference, Estimate
from experiments.studies.run import measures
from sim.events import Event

# ---- numbers in words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1234567, 0, "1,234,567"),
        (-1234.5, 1, "−1,234.5"),
        (-0.04, 1, "0.0"),
        (0.05, 2, "0.05"),
        (math.nan, 1, "–"),
        (None, 0, "–"),
        (math.inf, 0, "∞"),
    ],
)
def test_number(value: float | None, digits: int, text: str) -> None:
    assert words.number(value, digits) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.2531, 1, "25.3%"),
        (0.25314, 2, "25.31%"),
        (0.0, 1, "0.0%"),
        (0.0001, 1, "<0.1%"),
        (0.9999, 1, ">99.9%"),
        (1.0, 1, "100.0%"),
        (math.nan, 1, "–"),
    ],
)
def test_percent_never_rounds_something_to_nothing(value: float, digits: int, text: str) -> None:
    assert words.percent(value, digits) == text


@pytest.mark.parametrize(
    ("half", "kind", "digits"),
    [
        (0.02, "share", 1),
        (0.004, "share", 2),
        (math.nan, "share", 1),
        (0.39, "mean", 1),
        (0.12, "mean", 2),
        (40, "mean", 0),
    ],
)
def test_decimals_follow_the_width_of_the_interval(half: float, kind: str, digits: int) -> None:
    assert words.digits_of(half, kind) == digits  # type: ignore[arg-type]


def test_decimals_without_an_interval() -> None:
    assert words.digits_of(0.0, "mean", 104.0) == 0
    assert words.digits_of(0.0, "mean", 3.3077) == 2
    assert words.digits_of(math.nan, "mean", 15.25) == 2


def test_an_estimate_as_text() -> None:
    assert words.show(Estimate(0.25, 0.01, 0.231, 0.272, 400), "share") == words.Shown(
        "25.0%", "23.1% to 27.2%"
    )
    assert words.show(Estimate(-3.5, 0.2, -3.9, -3.1, 400), "mean").together == "−3.5 (−3.9 to −3.1)"
    assert words.show(Estimate(104.0, 0.0, 104.0, 104.0, 400), "mean") == words.Shown("104", "did not vary")
    assert words.show(Estimate(12.0, math.nan, math.nan, math.nan, 1), "mean") == words.Shown("12", "–")
    assert words.show(None, "mean") == words.NOTHING


# ---- differences in words -------------------------------------------------------------------------------


def _difference(value: float, half: float, *, paired: bool = True, gain: float = 2.0) -> Difference:
    return Difference(value, half / 2, value - half, value + half, 400, paired, gain)


@pytest.mark.parametrize(
    ("found", "kind", "verdict", "value", "interval"),
    [
        (_difference(0.03, 0.02), "share", "up", "+3.0 pp", "+1.0 to +5.0 pp"),
        (_difference(-3.0, 0.5), "mean", "down", "−3.0", "−3.5 to −2.5"),
        (_difference(0.0, 0.0), "mean", "open", "0", "did not vary"),
        (_difference(-21.0, 0.0), "mean", "down", "−21", "did not vary"),
        (_difference(1.0, math.nan), "mean", "unknown", "+1", "–"),
    ],
)
def test_a_difference_has_its_sign(
    found: Difference, kind: str, verdict: str, value: str, interval: str
) -> None:
    assert words.verdict(found) == verdict
    shown = words.show_difference(found, kind)  # type: ignore[arg-type]
    assert (
        shown.value.replace("\N{NO-BREAK SPACE}", " "),
        shown.interval.replace("\N{NO-BREAK SPACE}", " "),
    ) == (
        value,
        interval,
    )


def test_a_bound_is_true_when_rounded() -> None:
    assert words.bound(0.0244, 0.02, "share") == "2.5\N{NO-BREAK SPACE}pp"
    assert words.bound(0.0261, 0.02, "share") == "2.7\N{NO-BREAK SPACE}pp"


def test_places_in_an_order() -> None:
    assert [words.ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


def test_letters_of_drafts() -> None:
    assert [words.letter(index) for index in (0, 1, 25, 26, 27, 52)] == ["A", "B", "Z", "AA", "AB", "BA"]


# ---- counts -------------------------------------------------------------------------------------------


def test_histograms_have_common_bins_and_add_up() -> None:
    data = figures.histograms([("a", Counter({-2: 1, 0: 3})), ("b", Counter({1: 5}))])
    assert data.width == 1
    assert data.edges == [-2.5, -1.5, -0.5, 0.5, 1.5]
    assert data.series == [("a", [25.0, 0.0, 75.0, 0.0]), ("b", [0.0, 0.0, 0.0, 100.0])]


@pytest.mark.parametrize(
    ("scores", "width"),
    [
        ([5], 1),
        (range(40), 1),
        (range(60), 2),
        (range(0, 600, 5), 25),
        ([0, 10, 20], 10),
        ([-999, 999], 1998),
    ],
)
def test_bins_take_whole_steps_of_the_scores(scores: list[int], width: int) -> None:
    assert figures.bin_width(Counter(scores)) == width


def test_wide_histograms_count_every_score_once() -> None:
    data = figures.histograms([("a", Counter(range(-300, 300)))])
    assert len(data.edges) == len(data.series[0][1]) + 1
    assert sum(data.series[0][1]) == pytest.approx(100)
    assert max(data.series[0][1]) == pytest.approx(100 * data.width / 600)


def test_spread_of_scores() -> None:
    found = spread.spread(Counter({1: 50, 2: 45, 10: 5}))
    assert found is not None
    assert found.quantiles == (1, 1, 1, 2, 2)
    assert found.sd == pytest.approx(1.9306, abs=1e-4)
    assert (found.n, found.low, found.high) == (100, 1, 10)
    assert spread.spread(Counter()) is None
    single = spread.spread(Counter({-4: 1}))
    assert single is not None
    assert (single.sd, single.quantiles) == (None, (-4,) * 5)


def test_events_are_named_by_the_game_or_after_their_names() -> None:
    def of_match(place: int, **event: Any) -> str:
        return measures.event_name(Event("taken_by", **event), place, 4)

    assert of_match(0) == "Taken by"
    assert of_match(2, length=3) == "Taken by, 2"
    assert of_match(2, length=3, title="Taken by number {}") == "Taken by number 2"
    assert of_match(2, length=3, first=1, title="Taken by the {th} player") == "Taken by the 3rd player"
    # A square table counts from 1: place 6 of four players is the second row and the third column.
    assert of_match(6, length=64, kind="rows") == "Taken by, 2 to 3"
    assert of_match(6, length=64, kind="rows", title="From {}, later") == "From 2 to 3, later"


def test_events_by_seat_are_named_by_whose_they_are() -> None:
    def of(whose: str, place: int = 0, **event: Any) -> str:
        return measures.event_name(Event("cards_left", **event), place, 4, whose)

    assert of("seat 1") == "Cards left, seat 1"
    assert of("seat 1", title="Cards of {} left") == "Cards of seat 1 left"
    assert of("greedy", place=2, length=8, title="Place of {}: {}") == "Place of greedy: 3"
    assert of("greedy", place=2, length=8, title="Place of {}") == "Place of greedy, 3"
