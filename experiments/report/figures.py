"""What each figure of the report shows, as plain data and in words (`experiments.report.draw` draws it)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import reduce

from experiments.report import words
from experiments.report.words import percent, signed


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
    width : int
        Scores a bin takes.
    what : str
        Of what, in one word or two.
    """

    edges: list[float]
    series: list[tuple[str, list[float]]]
    width: int
    what: str = "match score"


def bin_width(counts: Counter[int], most: int = 48) -> int:
    """Return how many scores a bin takes: one step of the scores that occur, or a round number of steps.

    Parameters
    ----------
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
