"""Search for Daifugō: to the end of the game, since the next deal is another matter."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import engine, state
from sim.jit import jit, popcount
from strategies import endings, search
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


@jit
def opening(view: Any, rules: Any) -> int:
    """Tell how open a position is: when what was not seen must all be in one hand."""
    if view["phase"] == state.EXCHANGE:
        return endings.HIDDEN
    hidden = popcount(cards.PACK & ~(view["gone"] | view["hand"] | view["aside"]))
    hidden += rules["jokers"] - view["gone_jokers"] - view["jokers"] - view["aside_jokers"]
    missing = 0
    unknown = 0
    holders = 0
    for player in range(rules["players"]):
        if player != view["seat"] and view["held"][player] > 0:
            shown = popcount(view["known"][player]) + view["known_jokers"][player]
            hidden -= shown
            missing += view["held"][player] - shown
            unknown += 1 if view["held"][player] > shown else 0
            holders += 1
    if hidden != missing or unknown > 1:
        return endings.HIDDEN
    return endings.TWO if holders == 1 else endings.MORE


@jit
def unseen(view: Any, rules: Any) -> bool:
    """Tell whether cards are given, which only who gets them sees (D11, D25)."""
    return view["phase"] == state.GIVE or view["phase"] == state.EXCHANGE


search.register(
    search.Searched("daifugo", engine, state, heuristic, PARAMETERS, None, value, shorten, opening, unseen)
)
