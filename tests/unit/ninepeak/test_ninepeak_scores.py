"""What sets of 9 Peak score: every set there can be, in many scoring tables, against the twin's trying of all ways."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from sim import drafts
from sim.ninepeak import score
from tests import support_ninepeak as ninepeak
from tests.lockstep import ninepeak_mixes
from tests.reference import ninepeak as twin

MOST = (9, 9, 9, 9, 6)
"""Cards of each suit that a set can have."""


def every_set(size: int, suit: int = 0) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of ♠ ♥ ♦ ♣ and jokers of all sets of a size."""
    if suit == 4:
        if size <= MOST[4]:
            yield (size,)
        return
    for count in range(min(size, MOST[suit]) + 1):
        for rest in every_set(size - count, suit + 1):
            yield (count, *rest)


SETS = [counts for size in range(1, 10) for counts in every_set(size)]


def cards_of(counts: tuple[int, ...]) -> list[str]:
    """Return cards of these suits; of which numbers does not matter."""
    return [
        f"{suit}{1 + i % 6}" for suit, count in zip(twin.SUITS, counts, strict=True) for i in range(count)
    ]


def compare(tables: dict[str, Any], chosen: list[tuple[int, ...]], *, recolour: bool) -> None:
    draft = ninepeak.draft_of(tables.get("rules"), tables["scoring"])
    record = draft.record()
    _, scoring = twin.settle(draft.tables())
    for counts in chosen:
        cards, suits = cards_of(counts), sum(count << (4 * suit) for suit, count in enumerate(counts))
        points = score.set_points(suits, len(cards), record)
        assert points == twin.points_of_set(cards, scoring), (scoring, cards)
        if recolour:
            gain = score.recolour_gain(suits, len(cards), record)
            assert gain == twin.recolour_gain([cards], scoring), (scoring, cards)


def test_every_set_is_there() -> None:
    # Of five suits, less those of seven, eight and nine jokers.
    assert len(SETS) == len(set(SETS)) == math.comb(14, 5) - 1 - 15 - 5 - 1
    assert (0, 0, 0, 0, 6) in SETS
    assert (9, 0, 0, 0, 0) in SETS
    assert all(1 <= sum(counts) <= 9 for counts in SETS)


@pytest.mark.parametrize("name", drafts.shipped("ninepeak"))
def test_every_set_in_the_shipped_drafts(name: str) -> None:
    compare(drafts.load(f"ninepeak/{name}").tables(), SETS, recolour=False)


@pytest.mark.parametrize("number", range(12))
def test_sets_in_other_scoring_tables(number: int) -> None:
    dice = random.Random(number)
    options = ninepeak_mixes.mix(f"scores {number}")
    compare(options, SETS, recolour=False)
    compare(options, dice.sample(SETS, 100), recolour=True)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_a_few_sets() -> None:
    dice = random.Random("few")
    for number in range(20):
        compare(ninepeak_mixes.mix(f"few {number}"), dice.sample(SETS, 8), recolour=True)
