"""What a set of 9 Peak scores (P17), and what recolouring one of its cards would gain."""

from __future__ import annotations

from typing import Any

from sim.jit import jit
from sim.ninepeak.cards import JOKER_SHIFT


@jit
def set_points(suits: int, size: int, rules: Any) -> int:
    """Return the VP of a set by P17.

    Parameters
    ----------
    suits : int
        The set as one count: how many cards of each suit, whatever their numbers.
    size : int
    """
    same, different = multipliers(suits, size, suits >> JOKER_SHIFT, rules)
    base = rules["base"][size]
    return max(base * same, base * different)


@jit
def multipliers(suits: int, size: int, jokers: int, rules: Any) -> tuple[int, int]:
    """Return what a set of `size` cards can multiply its base by, (as the same suit, as different suits).

    Parameters
    ----------
    suits : int
        The cards to choose from as one count; exactly `size` where there is nothing to choose.
    jokers : int
        How many jokers the set has.
    """
    spades, hearts = suits & 15, (suits >> 4) & 15
    diamonds, clubs = (suits >> 8) & 15, (suits >> 12) & 15
    most_suits = 4
    if rules["colours"]:
        spades += clubs
        hearts += diamonds
        diamonds = 0
        clubs = 0
        most_suits = 2
    most = min(size, max(max(spades, hearts), max(diamonds, clubs)) + jokers)
    same = most + (rules["perfect"] if most == size else 0)
    if rules["same_only"]:
        return same, same
    shown = min(spades, 1) + min(hearts, 1) + min(diamonds, 1) + min(clubs, 1)
    shown = min(shown, size - jokers)
    shown = min(most_suits, shown + jokers) if rules["wild_only"] else shown + min(jokers, 1)
    return same, shown + rules["different"]


@jit
def recolour_gain(suits: int, size: int, rules: Any) -> int:
    """Return the most VP that counting one card of the set as another suit adds; 0 if it never adds any."""
    before = set_points(suits, size, rules)
    # A joker that is only a wild suit is no suit of its own to turn a card into.
    targets = JOKER_SHIFT if rules["wild_only"] else JOKER_SHIFT + 4
    best = 0
    for source in range(0, JOKER_SHIFT + 4, 4):
        if (suits >> source) & 15 == 0:
            continue
        for target in range(0, targets, 4):
            gain = set_points(suits - (1 << source) + (1 << target), size, rules) - before
            best = max(best, gain)
    return best
