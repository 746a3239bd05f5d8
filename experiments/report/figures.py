"""What each figure of the report shows, as plain data and in words (`experiments.report.draw` draws it)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from experiments.play.matches import Key, Run
from experiments.report import words
from experiments.report.words import letter, percent, signed


@dataclass(frozen=True)
class Point:
    """A value with its interval, in a row of a figure."""

    row: int
    series: int
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Dots:
    """Values with intervals, a row each, side by side for several series.

    Attributes
    ----------
    axis : str
        What the values are.
    rows, series : list of str
    points : list of Point
    references : list of (float, str)
        Lines to compare with, and their names.
    unit : str
        ``"%"``, ``"pp"`` or empty.
    bars : bool
        Drawn as bars from 0 too.
    """

    axis: str
    rows: list[str]
    series: list[str]
    points: list[Point]
    references: list[tuple[float, str]] = field(default_factory=list)
    unit: str = ""
    bars: bool = False


@dataclass(frozen=True)
class Steps:
    """Histograms over common bins, in percent of each series' results.

    Attributes
    ----------
    edges : list of float
        One more than there are bins.
    series : list of (str, list of float)
    width : int
        Scores a bin takes.
    what : str
        Of what, in one word or two.
    """

    edges: list[float]
    series: list[tuple[str, list[float]]]
    width: int
    what: str = "match score"


def draft_names(runs: list[Run]) -> list[str]:
    """Name the drafts of a study in a legend: in full where there are few, and not at all a single one."""
    if len(runs) > 4:
        return [letter(run.number) for run in runs]
    return [f"{letter(run.number)}  {run.draft.label}" for run in runs] if len(runs) > 1 else [""]


def _point(run: Run, key: Key, row: int, series: int) -> list[Point]:
    found = run.estimates.get(key)
    if found is None:
        return []
    return [Point(row, series, found.value * 100, found.low * 100, found.high * 100)]


def win_shares(runs: list[Run], by: str) -> Dots:
    """Return the win shares of runs in percent, with the fair share of each number of players.

    Parameters
    ----------
    runs : list of Run
    by : {"seat", "bot"}
    """
    places: list[Any] = (
        list(range(max(run.draft.players for run in runs))) if by == "seat" else list(runs[0].bots)
    )
    names = [f"Seat {place}" for place in places] if by == "seat" else places
    points = [
        point
        for row, place in enumerate(places)
        for series, run in enumerate(runs)
        for point in _point(run, ("win", by, place), row, series)
    ]
    axis = "Win share, over games" if runs[0].by_game else "Win share"
    return Dots(axis, names, draft_names(runs), points, fair_shares(runs), "%")


def fair_shares(runs: list[Run]) -> list[tuple[float, str]]:
    """Return the fair share of each number of players in percent, as lines to compare with."""
    players = sorted({run.draft.players for run in runs})
    return [
        (100 / n, f"fair {words.fair_share(n)}" if len(players) == 1 else f"fair, {n} players")
        for n in players
    ]


def win_differences(base: Run, run: Run) -> Dots:
    """Return the differences in win share from the first run, in percentage points."""
    keys: list[tuple[str, Key]] = [
        (f"Seat {seat}", ("win", "seat", seat)) for seat in range(run.draft.players)
    ]
    if len(run.bots) > 1:
        keys += [(name, ("win", "bot", name)) for name in run.bots]
    keys = [(name, key) for name, key in keys if key in run.differences]
    found = [run.differences[key] for _, key in keys]
    points = [Point(row, 0, d.value * 100, d.low * 100, d.high * 100) for row, d in enumerate(found)]
    axis = f"Win share of {letter(run.number)} less that of {letter(base.number)}, percentage points"
    return Dots(axis, [name for name, _ in keys], [""], points, [(0.0, "no difference")], "pp")


def bin_width(counts: Counter[int], most: int = 48) -> int:
    """Return how many scores a bin takes: one step of the scores that occur, or a round number of steps.

    Parameters
    ----------
    counts : Counter
    most : int
        Bins there may be.
    """
    low, high = min(counts), max(counts)
    step = reduce(math.gcd, (score - low for score in counts)) or 1
    steps = (high - low) // step + 1
    for power in range(20):
        for factor in (1, 2, 5):
            if steps <= most * factor * 10**power:
                return step * factor * 10**power
    return step * steps


def histograms(named: list[tuple[str, Counter[int]]], what: str = "match score") -> Steps:
    """Return score distributions over common bins; each adds up to 100.

    Parameters
    ----------
    named : list of (str, Counter)
        Scores that occurred, with how often.
    what : str
        See `Steps`.
    """
    together: Counter[int] = Counter()
    for _, counts in named:
        together.update(counts)
    width = bin_width(together)
    low, high = min(together), max(together)
    bins = (high - low) // width + 1
    heights = []
    for name, counts in named:
        found = [0] * bins
        for score, times in counts.items():
            found[(score - low) // width] += times
        n = counts.total()
        heights.append((name, [100 * times / n if n else 0.0 for times in found]))
    return Steps([low + width * k - 0.5 for k in range(bins + 1)], heights, width, what)


def score_histograms(runs: list[Run]) -> Steps:
    """Return the score distributions of a study: by draft, or of one run by bot, or of one bot by seat."""
    run = runs[0]
    if len(runs) > 1:
        named = [(name, run.histogram()) for name, run in zip(draft_names(runs), runs, strict=True)]
    elif len(run.bots) > 1:
        named = [(name, run.histogram(bot=name)) for name in run.bots]
    else:
        named = [(f"Seat {seat}", run.histogram(seat=seat)) for seat in range(run.draft.players)]
    return histograms(named, "match total" if run.by_game else "match score")


# ---- alternative texts ----------------------------------------------------------------------------------


def describe_dots(data: Dots) -> str:
    """Say what a figure of dots shows, for those who cannot see it."""
    values = []
    for point in data.points:
        name = " ".join(part for part in (data.rows[point.row], data.series[point.series]) if part)
        numbers = [_unit(value, data.unit) for value in (point.value, point.low, point.high)]
        values.append(f"{name} {numbers[0]} ({numbers[1]} to {numbers[2]})")
    references = ", ".join(name for _, name in data.references)
    line = f"; line: {references}" if references else ""
    return f"{data.axis}, with 95% intervals{line}. {'; '.join(values)}."


def _unit(value: float, unit: str) -> str:
    if math.isnan(value):
        return words.MISSING
    if unit == "%":
        return percent(value / 100)
    return signed(value, 1) if unit == "pp" else words.number(value, 1)


def describe_steps(data: Steps) -> str:
    """Say what a histogram shows: where each series is highest."""
    peaks = []
    for name, heights in data.series:
        top = heights.index(max(heights))
        low = math.ceil(data.edges[top])
        at = (
            words.number(low)
            if data.width == 1
            else f"{words.number(low)} to {words.number(low + data.width - 1)}"
        )
        peaks.append(f"{name} highest at {at} with {percent(heights[top] / 100)}")
    ends = f"{words.number(math.ceil(data.edges[0]))} to {words.number(math.floor(data.edges[-1]))}"
    return f"Step histogram of {data.what}s from {ends}. {'; '.join(peaks)}."
