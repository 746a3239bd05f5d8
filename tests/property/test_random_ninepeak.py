"""The `random` strategy of 9 Peak plays as it says: its moves as often as the twin works out, exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sim import bots
from sim.bots import Bot
from sim.table import Table
from strategies import registry as strategies
from tests import support
from tests import support_ninepeak as ninepeak
from tests.reference import ninepeak as twin

LEVEL = 1e-4  # the seeds are fixed, so a test that passes goes on passing
DRAWS = 60_000
LEAST = 8  # expected of a move counted by itself; the others are counted together

RANDOM = strategies.find("ninepeak", "random")

POSITIONS: dict[str, dict[str, Any]] = {
    "one card that is no set": {"hands": ["S3", "S6", "S6"]},
    "one card that is a set": {"hands": ["S1", "S6", "S6"], "area": "D4"},
    "no set": {"hands": ["S3 H5 D6", "S6", "S6"], "area": "C4 C4 D1"},
    "an empty area": {"hands": ["S1 S1 H2", "S6", "S6"]},
    "cards alike": {"hands": ["S1 S1 H1 H2", "S6", "S6"], "area": "C1 S4 S4"},
    # The kinds are as likely as each other, though there are 10 passes of one, 540 of two and 176 plays.
    "many sizes": {"hands": ["S1 S1 H2 H2 D3 C3 J3 S4 S5 J6", "S6", "S6"], "area": "D1 D1 D2 D2 C4 C4 C4 D3 H5 D5"},
    "a peaked number": {"hands": ["S6 S6 H6 D6 C6 J6", "S5", "S5"], "peaks": [6], "area": "D2"},
    "sets never shrink": {"hands": ["S1 H2 D2 S3 H3 D3", "S5", "S5"], "sets": [["S4 H4"], [], []]},
    "all nine": {
        "hands": ["S1 S1 S2 H2 D3 D3 C4 C5 J6 H6", "H5", "H5"],
        "peaks": [1, 2, 3, 4, 5, 6],
        "sets": [["S4 H4 S3 H3 D4 H4 S6"], [], []],
    },
    "of another seat": {"hands": ["S6", "S5", "S1 S1 H2 D4"], "area": "C4 D1", "to_move": 2},
}  # fmt: skip


def decide_often(bot: Bot, table: Table, draws: int, seed: int) -> Counter[str]:
    """Return how often a bot makes which move in a position."""
    me = bots.players([bot], table.rules)[0]
    me["stream"] = support.new_stream(seed, 0, 1, 0)
    decide, view = bots.compiled(bot), table.view()
    moves = Counter(int(decide(view, table.rules, me)) for _ in range(draws))
    assert all(ninepeak.allows(table, move) for move in moves)
    found: Counter[str] = Counter()
    for move, count in moves.items():
        found[table.move_text(move)] += count
    return found


def agree(counts: Counter[str], odds: dict[str, Fraction]) -> float:
    """Return the p value of counts against odds, rare moves taken together; 1 where there is no choice."""
    assert set(counts) <= set(odds)
    draws = counts.total()
    common = [text for text in odds if odds[text] * draws >= LEAST]
    rare = set(odds).difference(common)
    observed = [counts[text] for text in common]
    expected = [float(odds[text] * draws) for text in common]
    if rare:
        observed.append(sum(counts[text] for text in rare))
        expected.append(float(sum(odds[text] for text in rare) * draws))
    return support.chi_square_p(observed, expected) if len(observed) > 1 else 1.0


@pytest.mark.parametrize("name", POSITIONS)
def test_the_moves_of_random_come_as_often_as_worked_out(name: str) -> None:
    table = Table.from_position(ninepeak.draft_of({"players": 3}), POSITIONS[name])
    odds = twin.random_odds(ninepeak.twin_of(table))
    assert sum(odds.values()) == 1
    counts = decide_often(RANDOM, table, DRAWS, 21)
    assert agree(counts, odds) > LEVEL
    # Each step by itself, where the differences add up: the kind of move, the size of a set, which cards.
    for step in (kind_of, size_of, cards_of, taken_of):
        chances: dict[str, Fraction] = {}
        found: Counter[str] = Counter()
        for text, chance in odds.items():
            chances[step(text)] = chances.get(step(text), Fraction(0)) + chance
            found[step(text)] += counts[text]
        assert agree(found, chances) > LEVEL, step


def kind_of(text: str) -> str:
    return twin.parse(text).kind


def size_of(text: str) -> str:
    return str(twin.parse(text).value)


def cards_of(text: str) -> str:
    return f"{kind_of(text)}, {size_of(text)}: {' '.join(twin.parse(text).cards)}"


def taken_of(text: str) -> str:
    return twin.parse(text).taken


def test_random_keeps_every_second_card() -> None:
    draft = ninepeak.draft_of({"players": 3}, {"no_joker": "draw_to_hand"})
    table = Table.from_position(draft, {"hands": ["S1 H2", "S6", "S6"], "stock": "D4"})
    table.play("play 1: S1")
    assert (
        agree(decide_often(RANDOM, table, DRAWS, 22), dict.fromkeys(("keep", "release"), Fraction(1, 2)))
        > LEVEL
    )


def test_random_in_the_middle_of_matches() -> None:
    """Positions as they come about, with few moves enough to list; all together."""
    p_values = []
    for seed in range(40):
        table = Table(ninepeak.draft_of({"players": 3, "hand_size": 7}), seed=seed)
        match = ninepeak.twin_match(table.draft, seed, 0)
        me = bots.players([RANDOM], table.rules)[0]
        me["stream"] = support.new_stream(23, seed, 1, 0)
        for _ in range(seed % 9):
            text = table.move_text(int(bots.compiled(RANDOM)(table.view(), table.rules, me)))
            table.play(text)
            match.apply(text)
        if not match.over and 1 < match.count_legal() < 1500:
            p_values.append(agree(decide_often(RANDOM, table, 4000, seed), twin.random_odds(match)))
    assert len(p_values) > 25
    assert min(p_values) > LEVEL / 10
    # Uniform if all is well: so their mean is near one half.
    assert abs(np.mean(p_values) - 0.5) < 4 / np.sqrt(12 * len(p_values))


def test_the_test_tells_other_odds_apart() -> None:
    """A uniform choice among all legal moves is not the strategy, and is found out."""
    table = Table.from_position(ninepeak.draft_of({"players": 3}), POSITIONS["cards alike"])
    stream = support.new_stream(24, 0, 1, 0)
    count = table.count_moves()
    numbers = [int(support.rng.below(stream, count)) for _ in range(DRAWS)]
    uniform = Counter(table.move_text(ninepeak.nth(table, number)) for number in numbers)
    match = ninepeak.twin_of(table)
    assert agree(uniform, twin.random_odds(match)) < 1e-9
    assert agree(uniform, {text: Fraction(n, count) for text, n in match.legal_counts().items()}) > LEVEL
