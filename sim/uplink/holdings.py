"""Who holds which cards of Uplink, and deals with two cards exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards
from sim.jit import jit
from sim.uplink import engine

CARDS = cards.NAMES
"""Kinds of cards: each card is one of its own."""


def pack(rules: Any) -> list[int]:
    """Return how many cards of each kind there are."""
    return [1] * cards.PACK_SIZE


@jit
def hand(state: Any, seat: int, counts: Any) -> None:
    """Write how many cards of each kind a seat has in its hand."""
    _count(state["hands"][seat], counts)


@jit
def captured(state: Any, seat: int, counts: Any) -> None:
    """Write how many cards of each kind a seat has captured in the game."""
    _count(state["view"]["piles"][seat], counts)


@jit
def _count(mask: int, counts: Any) -> None:
    for card in range(52):
        counts[card] = (mask >> card) & 1


def printed(rules: Any) -> list[int]:
    """Return the points of a captured card of each kind (U4)."""
    return [int(points) for points in rules["points"]]


@jit
def shared(rules: Any) -> bool:
    """Tell whether a card of one hand could have been dealt to another: not from decks of their own (U20)."""
    return not rules["personal"]


@jit
def undealt(state: Any, rules: Any, seat: int) -> int:
    """Return how many cards are left that could have been dealt to a seat."""
    row = seat if rules["personal"] else 0
    return state["deck_size"][row] - state["dealt"][row]


@jit
def swap(state: Any, rules: Any, seat: int, card: int, other: int, other_card: int) -> None:
    """Exchange a card of a seat's hand for one of another's, before the first move, as if they had been dealt so."""
    both = (1 << card) | (1 << other_card)
    state["hands"][seat] ^= both
    state["hands"][other] ^= both
    _ask_again(state)


@jit
def draw(state: Any, rules: Any, seat: int, card: int, place: int) -> int:
    """Exchange a card of a seat's hand for an undealt one, counted from the next, as if dealt so; return which it was."""
    row = seat if rules["personal"] else 0
    at = state["dealt"][row] + place
    other_card: Any = np.int64(state["decks"][row][at])
    state["decks"][row][at] = card
    state["hands"][seat] ^= (1 << card) | (1 << other_card)
    _ask_again(state)
    return other_card


@jit
def _ask_again(state: Any) -> None:
    engine.ask(state, state["view"]["phase"], state["view"]["seat"])
