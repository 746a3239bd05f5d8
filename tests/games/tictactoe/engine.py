"""The rules of tic-tac-toe: a move is the number of a cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import jit, lowest, popcount
from tests.games.duels import WIN, label, result

__all__ = [
    "WIN",
    "apply",
    "count_moves",
    "is_legal",
    "label",
    "nth_move",
    "observe",
    "redeal",
    "result",
    "start",
]

FULL = 0b111_111_111
_LINES = np.array(
    [0b000_000_111, 0b000_111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100,
     0b100_010_001, 0b001_010_100]
)  # fmt: skip


@jit
def _free(view: Any) -> int:
    return FULL & ~(view["marks"][0] | view["marks"][1])


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is an empty cell (T2)."""
    return 0 <= move < 9 and (_free(view) >> move) & 1 == 1


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of empty cells."""
    return popcount(_free(view))


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return empty cell number `n`."""
    free = _free(view)
    for _ in range(n):
        free &= free - 1
    return lowest(free)


@jit
def has_line(marks: int) -> bool:
    """Tell whether a row, a column or a diagonal is all marked (T3)."""
    found = False
    for line in _LINES:
        found = found or marks & line == line
    return found


@jit
def start(state: Any, rules: Any, seed: int, deal: int) -> None:
    """Begin with an empty board (T1), whatever the seed and the deal."""
    view = state["view"]
    view["seat"] = 0
    for seat in range(2):
        view["marks"][seat] = 0
        view["scores"][seat] = 0


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Mark an empty cell, with what follows from it (T2, T3, T4)."""
    view = state["view"]
    seat = view["seat"]
    view["marks"][seat] |= 1 << move
    if has_line(view["marks"][seat]):
        view["scores"][seat] = 1
        view["scores"][1 - seat] = -1
        view["seat"] = -1
    elif _free(view) == 0:
        view["seat"] = -1
    else:
        view["seat"] = 1 - seat


@jit
def observe(state: Any, rules: Any, seat: int, views: Any) -> None:
    """Write into ``views[0]`` what `seat` may know: everything."""
    views[0] = state["view"]


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with the one state in which the seat to move sees `view`."""
    state["view"] = view
