"""Search for Uplink."""

from __future__ import annotations

from typing import Any

from sim.jit import jit
from sim.uplink import engine, state
from strategies import search
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


search.register(
    search.Searched("uplink", engine, state, heuristic, PARAMETERS, None, value, search.to_the_end)
)
