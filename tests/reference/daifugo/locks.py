"""The order of strength (D12-D14, D17) and the locks of a trick (D18, D19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.reference.daifugo.notation import TOP
from tests.reference.daifugo.plays import ONLY_JOKERS, Play


class Locks(NamedTuple):
    suits: frozenset[str] = frozenset()
    number: bool = False


def same_shape(play: Play, other: Play) -> bool:
    """D6: of the same kind and size; an emperor is of its own kind (D16)."""
    return play.kind == other.kind and play.size == other.size


def strength(play: Play, is_reversed: bool) -> int:
    """Of a group: 0 … 12, and 13 for jokers in either order."""
    return play.low if play.low == ONLY_JOKERS or not is_reversed else TOP - play.low


def step(play: Play, before: Play, is_reversed: bool) -> int:
    """How many steps stronger a group is than another."""
    return strength(play, is_reversed) - strength(before, is_reversed)


def stronger(play: Play, before: Play, is_reversed: bool, rules: Mapping[str, Any]) -> bool:
    """Whether a play is stronger than one of the same shape, whatever the locks."""
    if play.kind == "group":
        return step(play, before, is_reversed) > 0
    if rules["sequence_beats"] == "lowest":  # D14: the weakest ranks are compared
        return play.high < before.high if is_reversed else play.low > before.low
    return play.high < before.low if is_reversed else play.low > before.high


def steps_down(play: Play, before: Play, is_reversed: bool) -> bool:
    """D17: a single card on one of the same suit, exactly one rank weaker."""
    singles = play.kind == before.kind == "group" and play.size == before.size == 1
    natural = not play.jokers and not before.jokers
    return singles and natural and play.suits == before.suits and step(play, before, is_reversed) == -1


def beats(play: Play, before: Play, locks: Locks, is_reversed: bool, rules: Mapping[str, Any]) -> bool:
    """Whether a play may go on another by D6, D17, D18 and D19; D31 and D32 are not looked at."""
    if not same_shape(play, before):
        return False
    if play.is_single_joker:  # D18, D19: whatever the locks
        return not before.is_single_joker
    if not fits_suits(play, locks, rules):
        return False
    if locks.number:  # also forbids a step down
        return step(play, before, is_reversed) == 1
    return stronger(play, before, is_reversed, rules) or (
        rules["down_number"] and steps_down(play, before, is_reversed)
    )


def fits_suits(play: Play, locks: Locks, rules: Mapping[str, Any]) -> bool:
    """D18: shows the locked suits, jokers that are not stated standing for missing ones."""
    if not locks.suits or (play.kind == "group" and play.low == ONLY_JOKERS):
        return True
    if len(locks.suits - play.suits) > play.bare_jokers:
        return False
    return rules["suit_lock"] == "partial" or play.suits <= locks.suits


def locks_after(
    play: Play, before: Play | None, locks: Locks, is_reversed: bool, rules: Mapping[str, Any]
) -> Locks:
    """D18, D19: the locks once a play lies on another; the order is the one before the play acts."""
    if play.is_single_joker and rules["joker_clears_lock"]:
        return Locks()  # Open: it makes no number lock either
    if before is None or not same_shape(play, before):
        return locks
    suits, number = locks
    # Open: that neither play has a joker is asked of `partial` as well.
    if rules["lock_by_joker"] or not (play.jokers or before.jokers):
        if rules["suit_lock"] == "full" and play.suits == before.suits:
            suits = play.suits
        elif rules["suit_lock"] == "partial":
            suits = suits | (play.suits & before.suits)
    if rules["number_lock"] and play.kind == "group" and step(play, before, is_reversed) == 1:
        number = True
    return Locks(suits, number)
