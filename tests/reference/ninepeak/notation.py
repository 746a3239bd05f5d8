"""The pack, and cards and moves as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Cards = str | Sequence[str]  # "S3 J4" or ["S3", "J4"]

JOKER = "J"
SUITS = ("S", "H", "D", "C", JOKER)
NUMBERS = (1, 2, 3, 4, 5, 6)
PEAK = 9
COPIES = {"S": 3, "H": 3, "D": 3, "C": 3, JOKER: 1}
PACK = tuple(f"{suit}{number}" for number in NUMBERS for suit in SUITS for _ in range(COPIES[suit]))  # P1
KINDS = ("pass one", "pass two", "play")


def suit_of(card: str) -> str:
    return card[0]


def number_of(card: str) -> int:
    return int(card[1:])


def cards_of(cards: Cards) -> list[str]:
    """The cards of a text or a sequence; ValueError where one is no card."""
    names = cards.split() if isinstance(cards, str) else list(cards)
    if wrong := [name for name in names if name not in PACK]:
        raise ValueError(f"no card of the pack: {wrong[0]!r}")
    return names


def in_order(cards: Iterable[str]) -> list[str]:
    """By number, then by suit in the order S H D C J; alike cards stay alike."""
    return sorted(cards, key=PACK.index)


def holds(cards: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the cards include those wanted, each as often as it is wanted."""
    return Counter(wanted) <= Counter(cards)


class Move(NamedTuple):
    """A move taken apart: ``kind`` is one of `KINDS`, ``keep`` or ``release``."""

    kind: str
    cards: tuple[str, ...] = ()  # in order
    taken: str = ""  # P6
    value: int = 0  # P10

    @property
    def text(self) -> str:
        if self.kind == "play":
            return f"play {self.value}: {' '.join(self.cards)}"
        if self.kind in ("keep", "release"):
            return self.kind
        return " ".join(("pass", *self.cards, *(("take", self.taken) if self.taken else ())))


def parse(text: str) -> Move:
    """Take a move apart; ValueError where it has not the form of one."""
    verb, *words = text.split() or [""]
    if verb in ("keep", "release") and not words:
        return Move(verb)
    if verb == "pass" and len(words) == 1:
        return Move("pass one", tuple(cards_of(words)))
    if verb == "pass" and len(words) == 4 and words[2] == "take":
        first, second, taken = cards_of([words[0], words[1], words[3]])
        return Move("pass two", tuple(in_order((first, second))), taken)
    if verb == "play" and words and words[0] in {f"{value}:" for value in range(1, PEAK + 1)}:
        return Move("play", tuple(in_order(cards_of(words[1:]))), value=int(words[0][:-1]))
    raise ValueError(f"not a move: {text!r}")


def canonical(text: str) -> str:
    """The one text of all those that mean the same move: its cards in order."""
    return parse(text).text
