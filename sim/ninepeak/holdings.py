"""Who holds which cards of 9 Peak, and deals with two cards exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import jit
from sim.ninepeak import cards, engine
from sim.ninepeak.cards import NUMBERS

_SUITS = len(cards.SUITS)
CARDS = tuple(cards.NAMES.values())
"""Kinds of cards, by number and then by suit; the pack has several cards of most."""


def pack(rules: Any) -> list[int]:
    """Return how many cards of each kind there are."""
    return [int(np.count_nonzero(code == cards.PACK)) for code in cards.NAMES]


@jit
def hand(state: Any, seat: int, counts: Any) -> None:
    """Write how many cards of each kind a player has in hand."""
    for number in range(NUMBERS):
        count = state["hands"][seat, number]
        for suit in range(_SUITS):
            counts[_SUITS * number + suit] = (count >> (4 * suit)) & 15


@jit
def shared(rules: Any) -> bool:
    """Tell whether a card of one hand could have been dealt to another: always."""
    return True


@jit
def undealt(state: Any, rules: Any, seat: int) -> int:
    """Return how many cards are in the stock; those of the area (P3) stay where they are."""
    return state["view"]["stock"]


@jit
def swap(state: Any, rules: Any, seat: int, card: int, other: int, other_card: int) -> None:
    """Exchange a card of a hand for one of another's, before the first move, as if they had been dealt so."""
    _replace(state, seat, card, other_card)
    _replace(state, other, other_card, card)
    _ask_again(state)


@jit
def draw(state: Any, rules: Any, seat: int, card: int, place: int) -> int:
    """Exchange a card of a hand for one of the stock, counted from the next, as if dealt so; return its kind."""
    at = state["dealt"] + place
    code: Any = np.int64(state["deck"][at])
    state["deck"][at] = 32 * (card // _SUITS) + 4 * (card % _SUITS)
    other_card = _SUITS * (code >> 5) + ((code & 31) >> 2)
    _replace(state, seat, card, other_card)
    _ask_again(state)
    return other_card


@jit
def _replace(state: Any, seat: int, old: int, new: int) -> None:
    """Put a card of another kind into a hand in place of one of its cards."""
    state["hands"][seat, old // _SUITS] -= 1 << (4 * (old % _SUITS))
    state["hands"][seat, new // _SUITS] += 1 << (4 * (new % _SUITS))
    state["jokers_dealt"][seat] = 0
    engine.note_jokers(state, seat)


@jit
def _ask_again(state: Any) -> None:
    engine.ask(state, state["view"]["phase"], state["view"]["seat"])
