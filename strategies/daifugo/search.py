"""Search for Daifugō: to the end of the game, since the next deal is another matter."""

from __future__ import annotations

from typing import Any

from sim.daifugo import engine, state
from sim.jit import jit
from strategies import search
from strategies.daifugo.heuristic import PARAMETERS, heuristic


@jit
def value(end: Any, rules: Any, seat: int, margin: float) -> float:
    """Return what a place is worth: the first, and its points between the worst and the best."""
    view = end["view"]
    place = view["places"][seat]
    least = rules["points"][0]
    most = rules["points"][0]
    for other in range(rules["players"]):
        least = min(least, rules["points"][other])
        most = max(most, rules["points"][other])
    share = (rules["points"][place - 1] - least) / max(1, most - least)
    return (1.0 - margin) * (1.0 if place == 1 else 0.0) + margin * share


@jit
def shorten(dealt: Any, rules: Any) -> None:
    """End with the game now played."""
    dealt["view"]["single"] = 1


search.register(search.Searched("daifugo", engine, state, heuristic, PARAMETERS, None, value, shorten))
