"""The rules of Lots: those of One swap, but for what a move does."""

from __future__ import annotations

from typing import Any

from sim.jit import jit
from tests.games.oneswap.engine import (
    WIN,
    count_moves,
    is_legal,
    label,
    nth_move,
    observe,
    redeal,
    reshuffle,
    result,
    start,
)
from tests.games.oneswap.state import DEALER

__all__ = [
    "WIN",
    "apply",
    "count_moves",
    "is_legal",
    "label",
    "nth_move",
    "observe",
    "redeal",
    "reshuffle",
    "result",
    "start",
]


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Compare the cards that were dealt, whatever the move."""
    view = state["view"]
    view["dealer"] = state["pack"][DEALER]
    view["scores"][0] = 1 if view["own"] > view["dealer"] else -1
    view["scores"][1] = -view["scores"][0]
    view["seat"] = -1
