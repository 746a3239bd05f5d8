"""How match scores are spread: standard deviation and quantiles, with their intervals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from experiments.play.matches import Key, Run
from experiments.report import tables, words
from experiments.report.words import NOTHING, Shown

QUANTILES = (5, 25, 50, 75, 95)
"""In percent."""


@dataclass(frozen=True)
class Spread:
    """How a set of match scores lies."""

    n: int
    sd: float | None
    quantiles: tuple[int, ...]
    low: int
    high: int


def spread(counts: Counter[int]) -> Spread | None:
    """Describe scores by their counts; None without any.

    A quantile is the smallest score that at least so many percent of the results do not exceed.
    """
    n = counts.total()
    if n == 0:
        return None
    total = sum(score * times for score, times in counts.items())
    squares = sum(score * score * times for score, times in counts.items())
    # Whole numbers to the end: the two terms nearly cancel.
    sd = ((n * squares - total * total) / (n * (n - 1))) ** 0.5 if n > 1 else None
    found = []
    below = 0
    wanted = list(QUANTILES)
    for score in sorted(counts):
        below += counts[score]
        while wanted and below * 100 >= wanted[0] * n:
            found.append(score)
            wanted.pop(0)
    return Spread(n, sd, tuple(found), min(counts), max(counts))


@dataclass(frozen=True)
class ScoreRow:
    """One line of a table of score distributions."""

    label: str
    mean: Shown
    n: str
    blocks: str
    sd: str
    quantiles: list[str]


def sd_interval(counts: Counter[int], sd: float, blocks: int) -> tuple[float, float]:
    """Return the 95% interval of a standard deviation, from the fourth moment (Cramér 1946, section 28.1).

    The blocks stand for the independent results, which errs on the wide side.
    """
    n = counts.total()
    mean = sum(score * times for score, times in counts.items()) / n
    fourth = sum((score - mean) ** 4 * times for score, times in counts.items()) / n
    half = _NORMAL * math.sqrt(max(fourth - sd**4, 0.0) / blocks) / (2 * sd) if sd > 0 else 0.0
    return max(sd - half, 0.0), sd + half


def quantile_interval(counts: Counter[int], percent: int, blocks: int) -> tuple[int, int]:
    """Return the 95% interval of a quantile: the scores at the binomial limits of its rank (David 1981, 2.5)."""
    share = percent / 100
    half = _NORMAL * math.sqrt(share * (1 - share) / blocks)
    return _score_at(counts, share - half), _score_at(counts, share + half)


def _score_at(counts: Counter[int], share: float) -> int:
    below = 0
    for score in sorted(counts):
        below += counts[score]
        if below >= share * counts.total():
            return score
    return max(counts)


_NORMAL = 1.959963984540054


def _score_row(run: Run, name: str, key: Key, counts: Counter[int]) -> ScoreRow:
    found = spread(counts)
    mean = tables.row(run, key, name)
    if found is None:
        return ScoreRow(
            name, NOTHING, words.MISSING, words.MISSING, words.MISSING, [words.MISSING] * len(QUANTILES)
        )
    blocks = run.totals.blocks
    quantiles = [
        _with_interval(score, quantile_interval(counts, percent, blocks), 0)
        for percent, score in zip(QUANTILES, found.quantiles, strict=True)
    ]
    sd = (
        words.MISSING
        if found.sd is None
        else _with_interval(found.sd, sd_interval(counts, found.sd, blocks), 1)
    )
    return ScoreRow(name, mean.shown, words.number(found.n), mean.blocks, sd, quantiles)


def _with_interval(value: float, interval: tuple[float, float], decimals: int) -> str:
    low, high = (words.number(end, decimals) for end in interval)
    return f"{words.number(value, decimals)} ({low} to {high})"


def score_rows(run: Run, letter: str = "") -> list[ScoreRow]:
    """Return the distribution of scores over all seats or by bot, then by seat."""
    before = f"{letter}: " if letter else ""
    everyone = "all seats" if len(run.bots) == 1 else ""
    bots = [
        _score_row(run, before + (everyone or name), ("score", "bot", name), run.histogram(bot=name))
        for name in run.bots
    ]
    seats = [
        _score_row(run, f"{before}seat {seat}", ("score", "seat", seat), run.histogram(seat=seat))
        for seat in range(run.draft.players)
    ]
    return [*bots, *seats]
