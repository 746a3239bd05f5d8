"""A plain-Python twin of One swap, and its values by counting all deals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any


class Match:
    """One match; the cards are the player's, the dealer's and the one on the table."""

    def __init__(self, own: int, dealer: int, table: int) -> None:
        self.own, self.dealer, self.table = own, dealer, table
        self.over = False

    def legal(self) -> list[str]:
        """Return the moves of the player."""
        return [] if self.over else ["keep", "swap"]

    def play(self, move: str) -> None:
        """Keep or swap."""
        if move == "swap":
            self.own, self.table = self.table, self.own
        self.over = True

    def inspect(self) -> dict[str, Any]:
        """Return the position."""
        won = 0 if not self.over else (1 if self.own > self.dealer else -1)
        return {
            "to_move": -1 if self.over else 0,
            "over": self.over,
            "own": self.own,
            "dealer": self.dealer,
            "table": self.table,
            "scores": [won, -won],
            "winners": [] if not self.over else [0 if won > 0 else 1],
        }


def value(cards: int, swaps: Callable[[int, int, int], bool]) -> Fraction:
    """Return the mean score of a player who swaps where `swaps` of own, dealer's and table's card says so."""
    total = 0
    deals = list(permutations(range(1, cards + 1), 3))
    for own, dealer, table in deals:
        match = Match(own, dealer, table)
        match.play("swap" if swaps(own, dealer, table) else "keep")
        total += match.inspect()["scores"][0]
    return Fraction(total, len(deals))


def threshold(cards: int, least: int) -> Fraction:
    """Return the value of swapping all cards below `least`."""
    return value(cards, lambda own, dealer, table: own < least)


def seeing(cards: int) -> Fraction:
    """Return the value of seeing all cards."""
    return value(cards, lambda own, dealer, table: own < dealer < table)
