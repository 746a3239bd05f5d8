"""Search for 9 Peak: over the sets and passes that the heuristic player weighs."""

from __future__ import annotations

from typing import Any

from sim.jit import jit
from sim.ninepeak import engine, state
from sim.ninepeak.cards import size_of
from strategies import endings, search
from strategies.ninepeak.heuristic import heuristic
from strategies.ninepeak.plan import PARAMETERS, prepare

_SCALE = 10.0
"""VP of difference that count as half of everything."""


@jit
def value(end: Any, rules: Any, seat: int, margin: float) -> float:
    """Return what an end is worth: the win (P20), and how far the VP are above the best other or below it."""
    scores = end["view"]["scores"]
    best = -(1 << 40)
    ahead = True
    for other in range(rules["players"]):
        if other != seat:
            best = max(best, scores[other])
            if scores[other] > scores[seat] or (scores[other] == scores[seat] and other < seat):
                ahead = False
    lead = float(scores[seat] - best)
    return search.worth(1.0 if ahead else 0.0, lead, _SCALE, margin)


@jit
def opening(view: Any, rules: Any) -> int:
    """Tell how open a position is: when there is no stock, and what was not seen must all be in one hand."""
    unknown = 0
    for seat in range(rules["players"]):
        if seat != view["seat"] and view["held"][seat] > size_of(view["known"][seat]):
            unknown += 1
    return endings.MORE if view["stock"] == 0 and unknown <= 1 else endings.HIDDEN


search.register(
    search.Searched(
        "ninepeak", engine, state, heuristic, PARAMETERS, prepare, value, search.to_the_end, opening
    )
)
