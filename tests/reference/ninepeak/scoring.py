"""What sets are worth (P17), and the best change of one suit (P15): by trying everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from tests.reference.ninepeak.notation import JOKER, SUITS, Cards, cards_of, number_of, suit_of


def plain_suits(scoring: Mapping[str, Any]) -> tuple[str, ...]:
    """The suits that are no joker's: four, or a letter for each colour."""
    return SUITS[:2] if scoring["suits"] == "colours" else SUITS[:4]


def suits_in(cards: Iterable[str], scoring: Mapping[str, Any]) -> tuple[str, ...]:
    """The suit of each card as this scoring sees it: of two colours S is black and H is red."""
    colour = {"C": "S", "D": "H"} if scoring["suits"] == "colours" else {}
    return tuple(sorted(colour.get(suit_of(card), suit_of(card)) for card in cards))


@cache
def _dressed(suits: tuple[str, ...], plain: tuple[str, ...]) -> frozenset[tuple[int, int]]:
    """For every way to give jokers a suit: (cards of the most frequent suit, number of suits)."""
    ways = product(*(plain if suit == JOKER else (suit,) for suit in suits))
    return frozenset((max(Counter(way).values()), len(set(way))) for way in ways)


def multipliers(cards: Sequence[str], scoring: Mapping[str, Any]) -> list[int]:
    """What the base is multiplied by: for the same suit, then (unless left out) for different suits."""
    suits = suits_in(cards, scoring)
    ways = _dressed(suits, plain_suits(scoring))
    most = max(same for same, _ in ways)
    found = [most + (scoring["perfect"] if most == len(cards) else 0)]
    if scoring["modes"] == "both":
        own = scoring["joker"] == "wild_and_own"
        kinds = len(set(suits)) if own else max(different for _, different in ways)
        found.append(kinds + scoring["different"])
    return found


def points_of_set(cards: Cards, scoring: Mapping[str, Any]) -> int:
    """P17: the better way of scoring a set."""
    names = cards_of(cards)
    base: int = scoring["base"][len(names) - 1]
    return max(base * multiplier for multiplier in multipliers(names, scoring))


def recolour_gain(sets: Sequence[Sequence[str]], scoring: Mapping[str, Any]) -> int:
    """P15: what the best change of one card's suit adds to the sets; no change is a choice too."""
    suits = SUITS if scoring["joker"] == "wild_and_own" else SUITS[:4]
    plain = sum(points_of_set(cards, scoring) for cards in sets)
    totals = [plain]
    for chosen, cards in enumerate(sets):
        for i, suit in product(range(len(cards)), suits):
            changed = [*cards[:i], f"{suit}{number_of(cards[i])}", *cards[i + 1 :]]
            now = [changed if k == chosen else list(other) for k, other in enumerate(sets)]
            totals.append(sum(points_of_set(each, scoring) for each in now))
    return max(totals) - plain
