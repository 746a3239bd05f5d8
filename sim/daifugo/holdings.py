"""Who holds which cards of Daifugō, and first deals with two cards exchanged."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import engine, knowledge, notation
from sim.jit import jit

_JOKER = cards.PACK_SIZE
CARDS = (*cards.NAMES, notation.JOKER)
"""Kinds of cards: each natural card, and jokers, which are alike."""


def pack(rules: Any) -> list[int]:
    """Return how many cards of each kind there are."""
    return [*[1] * _JOKER, int(rules["jokers"])]


@jit
def hand(state: Any, seat: int, counts: Any) -> None:
    """Write how many cards of each kind a player has in hand."""
    mask = state["hands"][seat]
    for card in range(_JOKER):
        counts[card] = (mask >> card) & 1
    counts[_JOKER] = state["jokers"][seat]


@jit
def shared(rules: Any) -> bool:
    """Tell whether a card of one hand could have been dealt to another: always."""
    return True


@jit
def undealt(state: Any, rules: Any, seat: int) -> int:
    """Return 0: blind cards (D4) are out of the game, and nobody could have been dealt one in place of ♦3."""
    return 0


@jit
def swap(state: Any, rules: Any, seat: int, card: int, other: int, other_card: int) -> None:
    """Exchange a card of a hand for one of another's, before the first move, as if they had been dealt so.

    Who leads is found anew (D5).
    """
    _move(state, card, seat, other)
    _move(state, other_card, other, seat)
    knowledge.clear(state)
    engine.ask_first(state, rules)


@jit
def _move(state: Any, card: int, giver: int, receiver: int) -> None:
    if card == _JOKER:
        state["jokers"][giver] -= 1
        state["jokers"][receiver] += 1
    else:
        state["hands"][giver] &= ~(1 << card)
        state["hands"][receiver] |= 1 << card


@jit
def draw(state: Any, rules: Any, seat: int, card: int, place: int) -> int:
    """Return the card: there are no undealt ones to exchange it for."""
    return card
