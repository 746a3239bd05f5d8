"""A race of moves that are tried on the same deals: their sums, and which are clearly behind."""

from __future__ import annotations

import math
from typing import Any

from sim.jit import jit

WORTH, _SUM, _SQUARES = range(3)
"""Rows of a race, by move: what it was worth on the deal at hand; the sum; and from there on, a row for each move,
the sum of the squares of the differences from that move."""

ROWS = 2
"""Of a race, beside those of the moves."""


@jit
def count(sums: Any, order: Any, left: int) -> None:
    """Add what the moves were worth on one deal, and the squares of their differences."""
    for i in range(left):
        one = order[i]
        sums[_SUM, one] += sums[WORTH, one]
        for j in range(i):
            other = order[j]
            gap = sums[WORTH, one] - sums[WORTH, other]
            sums[_SQUARES + one, other] += gap * gap
            sums[_SQUARES + other, one] += gap * gap


@jit
def _weight(sums: Any, moves: Any, number: int, usual: int, bonus: float) -> float:
    return sums[_SUM, number] + (bonus if moves[number] == usual else 0.0)


@jit
def without_the_clearly_worse(
    sums: Any, moves: Any, order: Any, left: int, usual: int, bonus: float, clear: float, deals: int
) -> int:
    """Put the moves that are not clearly worse than the best before the others; return how many they are."""
    best_first(sums, moves, order, left, usual, bonus)
    best = order[0]
    kept = 1
    for i in range(1, left):
        number = order[i]
        gap = sums[_SUM, best] - sums[_SUM, number]
        error = math.sqrt(max(0.0, sums[_SQUARES + best, number] - gap * gap / deals))
        ahead = _weight(sums, moves, best, usual, bonus) - _weight(sums, moves, number, usual, bonus)
        if ahead <= clear * error:
            order[kept] = number
            kept += 1
    return kept


@jit
def best_first(sums: Any, moves: Any, order: Any, left: int, usual: int, bonus: float) -> None:
    """Sort the numbers of the moves that are left by their sums, the best first, with `bonus` for the move `usual`."""
    for i in range(1, left):
        number = order[i]
        weight = _weight(sums, moves, number, usual, bonus)
        at = i
        while at > 0 and _weight(sums, moves, order[at - 1], usual, bonus) < weight:
            order[at] = order[at - 1]
            at -= 1
        order[at] = number
