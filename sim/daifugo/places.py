"""Who is still in the game, who is next, and who has which place (D8, D9, D39)."""

from __future__ import annotations

from typing import Any

from sim.jit import jit


@jit
def active(view: Any, player: int) -> bool:
    """Tell whether a player has no place yet."""
    return view["places"][player] == 0


@jit
def active_count(view: Any) -> int:
    """Return how many players have no place yet."""
    count = 0
    for player in range(view["players"]):
        count += 1 if view["places"][player] == 0 else 0
    return count


@jit
def next_active(view: Any, player: int) -> int:
    """Return the next active player after `player` in the current direction; `player` if there is none."""
    place = view["position"][player]
    for _ in range(view["players"]):
        place += view["direction"]
        if place < 0:
            place += view["players"]
        elif place >= view["players"]:
            place -= view["players"]
        other = view["ring"][place]
        if view["places"][other] == 0:
            return other
    return player


@jit
def rise(state: Any, player: int) -> None:
    """Take the best free place (D9)."""
    view = state["view"]
    taken = 0
    for other in range(view["players"]):
        taken |= 1 << view["places"][other]
    place = 1
    while (taken >> place) & 1:
        place += 1
    view["places"][player] = place


@jit
def sink(state: Any, rules: Any, player: int) -> None:
    """Take the worst free place; under ``latest_is_last`` all who sank before move up by one (D39)."""
    view = state["view"]
    players = view["players"]
    state["view"]["sunk"][state["view"]["sunk_count"]] = player
    state["view"]["sunk_count"] += 1
    count = state["view"]["sunk_count"]
    for i in range(count):
        who = state["view"]["sunk"][i]
        view["places"][who] = players - count + 1 + i if rules["latest_is_last"] else players - i
