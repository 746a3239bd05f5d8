"""The 78-card pack of 9 Peak: cards alike are interchangeable, so a group of cards is counted by suit.

A *count* holds the cards of one number: five fields of four bits, for S H D C and jokers. A group of cards is a
list of six counts, for the numbers 1 … 6. A single card is a *code*, 32 × (number − 1) + 4 × suit. Nothing tells
copies of a card apart, so nothing that is played can give away which copy it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.errors import TooMany, UserError, nearest
from sim.jit import jit

NUMBERS = 6
SUITS = ("S", "H", "D", "C", "J")
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "J": "J"}
JOKER_SHIFT = 16
"""Where the jokers are in a count."""

ALL_OF_A_NUMBER = 0x13333
PACK_SIZE = 78
PACK = np.array(
    [
        32 * number + 4 * suit
        for number in range(NUMBERS)
        for suit in range(5)
        for _ in range(3 if suit < 4 else 1)
    ],
    dtype=np.uint8,
)
"""Every card, in order."""

_ONES = 0x11111
NAMES = {
    32 * number + 4 * suit: f"{SUITS[suit]}{number + 1}" for number in range(NUMBERS) for suit in range(5)
}
_CODES = {name: code for code, name in NAMES.items()}


@jit
def total(count: int) -> int:
    """Return how many cards a count holds (up to 13)."""
    return ((count * _ONES) >> 16) & 15


@jit
def suit_shift(count: int, place: int) -> int:
    """Return the shift (4 × suit) of card number `place` of a count, in the order of the suits."""
    ends = count * _ONES  # in field s: cards of the suits 0 … s
    suit = 0
    for field in range(0, 16, 4):
        suit += 1 if place >= ((ends >> field) & 15) else 0
    return 4 * suit


@jit
def card_at(counts: Any, place: int) -> int:
    """Return the code of card number `place` of a group, by number and then by suit."""
    number = 0
    size = total(counts[0])
    while place >= size:
        place -= size
        number += 1
        size = total(counts[number])
    return 32 * number + suit_shift(counts[number], place)


@jit
def size_of(counts: Any) -> int:
    """Return how many cards a group holds."""
    size = 0
    for number in range(NUMBERS):
        size += total(counts[number])
    return size


# ---- text -----------------------------------------------------------------------------------------------


def code_of(name: str) -> int:
    """Return the code of a card; takes ``S3``, ``♠3`` and ``J4``.

    Raises
    ------
    UserError
        If there is no such card.
    """
    plain = name
    for suit, sign in SIGNS.items():
        plain = plain.replace(sign, suit)
    plain = plain.upper()
    if plain not in _CODES:
        raise UserError(
            f"unknown card {name!r}{nearest(plain, list(_CODES))} (a suit of S H D C, or J for a joker, "
            "then a number of 1 … 6)"
        )
    return _CODES[plain]


def parse(text: str) -> list[int]:
    """Return the codes of a list of cards, ``"S3 S3 J4"``, sorted.

    Raises
    ------
    TooMany
        For a card that is named more often than the pack holds it.
    UserError
        For an unknown card.
    """
    codes = sorted(code_of(name) for name in text.split())
    for code in codes:
        copies = 1 if code % 32 == JOKER_SHIFT else 3
        if codes.count(code) > copies:
            raise TooMany(f"{NAMES[code]} is named {codes.count(code)} times, the pack holds {copies}")
    return codes


def codes_of(counts: Any) -> list[int]:
    """Return the codes of a group, sorted."""
    return [
        32 * number + shift
        for number, count in enumerate(counts)
        for shift in range(0, 20, 4)
        for _ in range(int(count) >> shift & 15)
    ]


def counts_of(codes: list[int]) -> list[int]:
    """Return a list of codes as a group."""
    counts = [0] * NUMBERS
    for code in codes:
        counts[code // 32] += 1 << code % 32
    return counts


def text(counts: Any) -> str:
    """Return a group as names, ``"S3 S3 J4"``, by number and then by suit."""
    return " ".join(NAMES[code] for code in codes_of(counts))


def signs(counts: Any) -> str:
    """Return a group for people, ``"♠3 ♠3 J4"``."""
    return " ".join(SIGNS[name[0]] + name[1:] for name in text(counts).split())


def sign(code: int) -> str:
    """Return a card for people."""
    name = NAMES[code]
    return SIGNS[name[0]] + name[1:]
