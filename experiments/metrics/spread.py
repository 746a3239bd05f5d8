"""How match scores are spread: standard deviation and quantiles, with their intervals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

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
