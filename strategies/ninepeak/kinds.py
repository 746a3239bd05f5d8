"""Kinds of moves of 9 Peak: sets and passes; not whether a card turned up is kept."""

from __future__ import annotations

from typing import Any

from sim.jit import jit, lowest, popcount
from sim.ninepeak import cards, engine
from sim.ninepeak.cards import JOKER_SHIFT, NUMBERS, total
from sim.ninepeak.state import PEAK, TURN
from strategies.kinds import declare

_SMALL, _LARGE = 2, 6
"""Cards of a small set at most, and of a large one at least."""


@jit
def _size(view: Any, move: int) -> int:
    """Return how many cards a move plays as a set, 0 of a pass."""
    return engine.value_in(move) if view["phase"] == TURN else 0


@jit
def _is_pass(view: Any, move: int) -> bool:
    return view["phase"] == TURN and engine.value_in(move) == 0


@jit
def _suits(view: Any, rules: Any, move: int) -> int:
    """Return which suits and jokers a set has, as a mask of 5; of two colours, their first suits stand for both."""
    found = 0
    rest = engine.places_in(move)
    while rest != 0:
        suit = (engine.card_of(view, lowest(rest)) & 31) >> 2
        rest &= rest - 1
        if rules["colours"] and suit < 4:
            suit = min(suit, 3 - suit)
        found |= 1 << suit
    return found


@jit
def joker(view: Any, rules: Any, move: int) -> bool:
    """Sets with a joker."""
    return _size(view, move) > 0 and _suits(view, rules, move) >> (JOKER_SHIFT >> 2) != 0


@jit
def small(view: Any, rules: Any, move: int) -> bool:
    """Sets of one card or two."""
    return 0 < _size(view, move) <= _SMALL


@jit
def large(view: Any, rules: Any, move: int) -> bool:
    """Sets of six cards or more."""
    return _size(view, move) >= _LARGE


@jit
def one_suit(view: Any, rules: Any, move: int) -> bool:
    """Sets of two cards or more that are all of one suit, or jokers."""
    return _size(view, move) > 1 and popcount(_suits(view, rules, move) & 15) <= 1


@jit
def mixed(view: Any, rules: Any, move: int) -> bool:
    """Sets of several suits."""
    return _size(view, move) > 1 and popcount(_suits(view, rules, move) & 15) > 1


@jit
def take(view: Any, rules: Any, move: int) -> bool:
    """Passes of two cards, by which a card of the area is taken."""
    return _is_pass(view, move) and engine.taken_in(move) >= 0


@jit
def peak(view: Any, rules: Any, move: int) -> bool:
    """Passes that make a number peak."""
    if not _is_pass(view, move):
        return False
    widths = 0
    for number in range(NUMBERS):
        widths |= total(view["area"][number]) << (8 * number)
    places = engine.places_in(move)
    first = engine.card_of(view, lowest(places))
    widths += 1 << (8 * (first >> 5))
    taken = engine.taken_in(move)
    if taken >= 0:
        second = engine.card_of(view, lowest(places & (places - 1)))
        widths += 1 << (8 * (second >> 5))
        code = first if taken == view["area_size"] else second
        if taken < view["area_size"]:
            code = cards.card_at(view["area"], taken)
        widths -= 1 << (8 * (code >> 5))
    peaks = False
    for number in range(NUMBERS):
        wide = number + 1 + ((widths >> (8 * number)) & 255) >= PEAK
        peaks = peaks or (wide and (view["peaks"] >> number) & 1 == 0)
    return peaks


@jit
def _pass(view: Any, rules: Any, move: int) -> bool:
    """Passes of one's own will: with a set to play."""
    return _is_pass(view, move) and engine.playable(view) != 0


KINDS = declare("ninepeak", engine, joker, small, large, one_suit, mixed, take, peak, _pass)
