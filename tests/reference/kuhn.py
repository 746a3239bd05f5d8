"""A plain-Python twin of Kuhn poker, and its values by walking through all that can happen."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

CARDS = "JQK"

MOVES: dict[tuple[str, ...], tuple[int, tuple[str, str]]] = {
    (): (0, ("check", "bet")),
    ("check",): (1, ("check", "bet")),
    ("bet",): (1, ("fold", "call")),
    ("check", "bet"): (0, ("fold", "call")),
}
"""What was done → who moves, and how."""

Policy = Callable[[str, str, tuple[str, ...]], Fraction]
"""Own card, the other's, what was done → how often it bets or calls."""


class Match:
    """One match; each seat holds a card of `CARDS`."""

    def __init__(self, hands: tuple[str, str]) -> None:
        self.hands = hands
        self.done: tuple[str, ...] = ()

    def legal(self) -> list[str]:
        """Return the moves of the seat to move."""
        return list(MOVES[self.done][1]) if self.done in MOVES else []

    def play(self, move: str) -> None:
        """Make a move."""
        self.done = (*self.done, move)

    def inspect(self) -> dict[str, Any]:
        """Return the position."""
        over = self.done not in MOVES
        lead = self._lead() if over else 0
        return {
            "to_move": -1 if over else MOVES[self.done][0],
            "over": over,
            "hands": list(self.hands),
            "scores": [lead, -lead],
            "winners": [] if not over else [0 if lead > 0 else 1],
            "events": {
                "showdowns": int(over and self.done[-1] != "fold"),
                "bets": [sum(move in ("bet", "call") for move in self.done[seat::2]) for seat in range(2)],
            },
        }

    def _lead(self) -> int:
        if self.done[-1] == "fold":
            return 1 if len(self.done) == 2 else -1
        stake = 2 if self.done[-1] == "call" else 1
        return stake if CARDS.index(self.hands[0]) > CARDS.index(self.hands[1]) else -stake


def value(first: Policy, second: Policy, own: str = CARDS, other: str = CARDS) -> Fraction:
    """Return the mean score of seat 0 over the deals in which the seats hold one of the cards `own` and `other`."""
    deals = [hands for hands in permutations(CARDS, 2) if hands[0] in own and hands[1] in other]
    return sum((_value(hands, (), first, second) for hands in deals), Fraction(0)) / len(deals)


def _value(hands: tuple[str, ...], done: tuple[str, ...], first: Policy, second: Policy) -> Fraction:
    if done not in MOVES:
        match = Match((hands[0], hands[1]))
        match.done = done
        return Fraction(match.inspect()["scores"][0])
    seat, (passing, betting) = MOVES[done]
    chance = (first, second)[seat](hands[seat], hands[1 - seat], done)
    return chance * _value(hands, (*done, betting), first, second) + (1 - chance) * _value(
        hands, (*done, passing), first, second
    )


def even(own: str, other: str, done: tuple[str, ...]) -> Fraction:
    """Bet or call half of the time."""
    return Fraction(1, 2)


def equilibrium(alpha: Fraction) -> Policy:
    """Return Kuhn's equilibrium in which seat 0 bluffs with J as often as `alpha`."""
    third = Fraction(1, 3)
    table = {
        (): {"J": alpha, "Q": Fraction(0), "K": 3 * alpha},
        ("check", "bet"): {"J": Fraction(0), "Q": alpha + third, "K": Fraction(1)},
        ("check",): {"J": third, "Q": Fraction(0), "K": Fraction(1)},
        ("bet",): {"J": Fraction(0), "Q": third, "K": Fraction(1)},
    }
    return lambda own, other, done: table[done][own]


def seeing(against: Policy) -> Fraction:
    """Return what seat 0 gets at best if it sees both cards, against a policy that it knows."""
    total = Fraction(0)
    for hands in permutations(CARDS, 2):
        plans = [
            lambda own, other, done, bet=bet, call=call: Fraction(bet if done == () else call)
            for bet in (0, 1)
            for call in (0, 1)
        ]
        total += max(_value(hands, (), plan, against) for plan in plans)
    return total / 6
