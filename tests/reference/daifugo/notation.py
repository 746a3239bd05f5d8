"""Names of cards, the words of a move, and their one canonical order."""

from __future__ import annotations

from collections.abc import Iterable

SUITS = ("S", "H", "D", "C")
# Rising; the place of a rank is its index here.
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
JOKER = "JK"

BELOW, TOP, ABOVE = -1, len(RANKS) - 1, len(RANKS)  # D13: a joker may stand below 3 and above 2
PLACE_NAMES = {BELOW: "<3", **dict(enumerate(RANKS)), ABOVE: ">2"}

NATURALS = tuple(suit + rank for rank in RANKS for suit in SUITS)
PLACE = {suit + rank: place for place, rank in enumerate(RANKS) for suit in SUITS}  # of a natural card


def stated(suit: str, place: int) -> str:
    """A joker that stands for a card."""
    return f"{JOKER}={suit}{PLACE_NAMES[place]}"


STATED_JOKERS = tuple(stated(suit, place) for place in PLACE_NAMES for suit in SUITS)
ORDER = {word: i for i, word in enumerate((*NATURALS, *STATED_JOKERS, JOKER))}
NAMED = (*RANKS, JOKER)  # D28: what can be named, in order
SIGNS = str.maketrans("♠♥♦♣", "SHDC")


def pack(jokers: int) -> list[str]:
    """D1: the whole pack, in canonical order."""
    return [*NATURALS, *[JOKER] * jokers]


def card_order(word: str) -> int:
    """Where a card sorts; words that are no cards go last, and match no legal move."""
    return ORDER.get(word, len(ORDER))


def in_order(cards: Iterable[str]) -> list[str]:
    """Suits within ranks, then stated jokers, then jokers."""
    return sorted(cards, key=card_order)


def is_joker(word: str) -> bool:
    return word.startswith(JOKER)


def is_card(card: str) -> bool:
    return card in PLACE or card == JOKER


def rank_name(card: str) -> str:
    """D28: what a card is called by: its rank, or JK."""
    return card if card == JOKER else card[1:]


def as_cards(words: Iterable[str]) -> list[str]:
    """The cards themselves: what a joker was stated to be is dropped."""
    return [JOKER if is_joker(word) else word for word in words]


def cards_of(text: str | Iterable[str]) -> list[str]:
    """Cards from a string with blanks (or a list), in order; takes suit signs, and T for 10."""
    words = text.split() if isinstance(text, str) else list(text)
    return in_order(_plain(word) for word in words)


def canonical(move: str) -> str:
    """A move with its cards in order; whether it is legal is not looked at."""
    verb, *words = move.split() or [""]
    if verb == "name":
        return " ".join([verb, *sorted(map(_plain, words), key=_name_order)])
    return " ".join([verb, *cards_of(words)])


def _name_order(name: str) -> int:
    return NAMED.index(name) if name in NAMED else len(NAMED)


def _plain(word: str) -> str:
    word = word.translate(SIGNS)
    return word[:-1] + "10" if word.endswith("T") else word
