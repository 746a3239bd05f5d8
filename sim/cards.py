"""The 52-card pack and its jokers: numbers, names, sets of cards as bit masks.

Card number = 4 × rank + suit, with the ranks 3 4 … K A 2 and the suits S H D C; jokers are 52 and 53.
So the four cards of a rank lie side by side, and consecutive ranks of a suit lie four bits apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from sim.errors import TooMany, UserError, nearest

SUITS = ("S", "H", "D", "C")
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
PACK_SIZE = 52
PACK = (1 << PACK_SIZE) - 1
"""All 52 cards as a mask."""

NAMES = tuple(suit + rank for rank in RANKS for suit in SUITS)
"""Names of the cards 0 … 51."""

SIGNS = tuple(SUIT_SIGNS[name[0]] + name[1:] for name in NAMES)
"""The same for people: ♠3 …"""

_NUMBERS = {name: number for number, name in enumerate(NAMES)}


def suit_mask(suit: int) -> int:
    """Return all cards of suit number `suit` (0 … 3 for S H D C) as a mask."""
    return sum(1 << (4 * rank + suit) for rank in range(len(RANKS)))


def number_of(name: str) -> int:
    """Return the number of a card; takes ``S10``, ``ST`` and ``♠10``.

    Raises
    ------
    UserError
        If there is no such card.
    """
    plain = name
    for suit, sign in SUIT_SIGNS.items():
        plain = plain.replace(sign, suit)
    plain = plain.upper()
    if plain.endswith("T") and len(plain) == 2:
        plain = plain[0] + "10"
    if plain not in _NUMBERS:
        raise UserError(
            f"unknown card {name!r}{nearest(plain, NAMES)} (a suit of S H D C, then a rank of 2 … 10 J Q K A)"
        )
    return _NUMBERS[plain]


def parse(text: str) -> list[int]:
    """Return the numbers of a list of cards, ``"S3 H10"``, in the order written.

    Raises
    ------
    TooMany
        For a card that is named twice.
    UserError
        For an unknown card.
    """
    numbers = [number_of(name) for name in text.split()]
    for position, number in enumerate(numbers):
        if number in numbers[:position]:
            raise TooMany(f"card {NAMES[number]} is named twice in {text!r}")
    return numbers


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of cards as a bit mask."""
    mask = 0
    for number in numbers:
        mask |= 1 << int(number)
    return mask


def members(mask: int) -> list[int]:
    """Return the card numbers in a mask, lowest first."""
    mask = int(mask)
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def text(mask: int) -> str:
    """Return a set of cards as names, ``"S3 H10"``, lowest card number first."""
    return " ".join(NAMES[number] for number in members(mask))


def signs(mask: int) -> str:
    """Return a set of cards for people, ``"♠3 ♥10"``."""
    return " ".join(SIGNS[number] for number in members(mask))
