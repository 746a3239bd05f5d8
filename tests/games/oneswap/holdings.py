"""Who holds which card of One swap, and deals with two cards exchanged."""

from __future__ import annotations

from typing import Any

from sim.jit import jit
from tests.games.oneswap import engine
from tests.games.oneswap.state import MAX_CARDS

CARDS = tuple(str(card) for card in range(1, MAX_CARDS + 1))


def pack(rules: Any) -> list[int]:
    """Return how many cards of each kind there are."""
    return [int(card < rules["cards"]) for card in range(MAX_CARDS)]


@jit
def hand(state: Any, seat: int, counts: Any) -> None:
    """Write which card a seat has."""
    counts[:] = 0
    counts[state["pack"][seat] - 1] = 1


@jit
def shared(rules: Any) -> bool:
    """Tell whether a card of one seat could have been dealt to another: always."""
    return True


@jit
def undealt(state: Any, rules: Any, seat: int) -> int:
    """Return how many cards nobody has."""
    return rules["cards"] - 2


@jit
def swap(state: Any, rules: Any, seat: int, card: int, other: int, other_card: int) -> None:
    """Exchange the cards of both seats."""
    state["pack"][seat] = other_card + 1
    state["pack"][other] = card + 1
    engine.ask(state)


@jit
def draw(state: Any, rules: Any, seat: int, card: int, place: int) -> int:
    """Exchange a seat's card for one that nobody has; return which it was."""
    other_card = state["pack"][2 + place] - 1
    state["pack"][2 + place] = card + 1
    state["pack"][seat] = other_card + 1
    engine.ask(state)
    return other_card
