"""The `random` strategy: step by step, alike cards being different ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.reference.ninepeak.match import Match
from tests.reference.ninepeak.notation import Move, in_order, parse


def random_odds(match: Match) -> dict[str, Fraction]:
    """The chance that `random` gives to each legal text; slow where a hand is long."""
    counts = match.legal_counts()
    if match.phase != "turn":
        return {text: Fraction(1, 2) for text in counts}
    kinds = match.kinds()
    parsed = {text: parse(text) for text in counts}
    steps: Counter[tuple[str, int]] = Counter()  # kind and value -> ways to go on
    for text, move in parsed.items():
        steps[move.kind, move.value] += counts[text]
    values = Counter(kind for kind, _ in steps)
    return {
        text: Fraction(counts[text], len(kinds) * values[move.kind] * steps[move.kind, move.value])
        for text, move in parsed.items()
    }


def random_move(match: Match, below: Callable[[int], int]) -> str:
    """A move of the strategy; ``below(n)`` draws one of 0 … n - 1."""

    def one(of: Sequence[str]) -> str:
        return of[below(len(of))]

    def some(cards: Sequence[str], count: int) -> tuple[str, ...]:
        left = list(cards)
        return tuple(in_order(left.pop(below(len(left))) for _ in range(count)))

    if match.phase == "keep":
        return one(("keep", "release"))
    assert match.to_move is not None, "the match is over"
    hand = match.hands[match.to_move]
    kind = one(match.kinds())
    if kind == "pass one":
        return Move(kind, some(hand, 1)).text
    if kind == "pass two":
        pair = some(hand, 2)
        return Move(kind, pair, one([*match.area, *pair])).text
    values = match.playable()
    value = values[below(len(values))]
    return Move(kind, some(match.usable(value), value), value=value).text
