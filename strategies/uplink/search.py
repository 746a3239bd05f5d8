"""Search for Uplink."""

from __future__ import annotations

from typing import Any

from sim.jit import jit, popcount
from sim.uplink import engine, state
from strategies import endings, search
from strategies.uplink.heuristic import PARAMETERS, heuristic

_SCALE = 8.0
"""Points of difference that count as half of everything."""


@jit
def value(end: Any, rules: Any, seat: int, margin: float) -> float:
    """Return what an end is worth: the win, and how far the score is above the best other or below it."""
    scores = end["view"]["scores"]
    best = -(1 << 40)
    equals = 1
    for other in range(rules["players"]):
        if other != seat:
            if scores[other] > best:
                best = scores[other]
                equals = 1
            elif scores[other] == best:
                equals += 1
    lead = float(scores[seat] - best)
    win = 1.0 if lead > 0 else (1.0 / (equals + 1) if lead == 0 else 0.0)
    return search.worth(win, lead, _SCALE, margin)


@jit
def opening(view: Any, rules: Any) -> int:
    """Tell how open a position is: in the last game, when what was not seen must all be in one hand."""
    if view["phase"] == state.PUT or view["game"] < rules["games"]:
        return endings.HIDDEN
    unseen = engine.unseen(view, rules)
    holders = 0
    for seat in range(rules["players"]):
        if seat != view["seat"] and view["held"][seat] > 0:
            holders += 1
            own = unseen & engine.suit_of(seat) if rules["personal"] else unseen
            if popcount(own) != view["held"][seat]:
                return endings.HIDDEN
    if holders > 1 and not rules["personal"]:
        return endings.HIDDEN
    return endings.TWO if rules["players"] == 2 else endings.MORE


@jit
def unseen(view: Any, rules: Any) -> bool:
    """Tell whether the card is put out face down (U6)."""
    return view["phase"] == state.PUT


search.register(
    search.Searched(
        "uplink", engine, state, heuristic, PARAMETERS, None, value, search.to_the_end, opening, unseen
    )
)
