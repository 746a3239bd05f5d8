"""Random matches of the 9 Peak twin over random options, and its `random` strategy."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from tests.lockstep.ninepeak_mixes import mix
from tests.reference import ninepeak as twin

MIXES = 240
ALL_MOVES = 1500  # positions with more moves are not listed whole


def shuffled(seed: str) -> list[str]:
    return random.Random(seed).sample(twin.PACK, len(twin.PACK))


def steps(match: twin.Match, dice: random.Random) -> Iterator[str]:
    while not match.over:
        move = twin.random_move(match, dice.randrange)
        yield move
        match.apply(move)


def check_moves(match: twin.Match) -> None:
    counts = match.legal_counts()
    assert sum(counts.values()) == match.count_legal()
    assert all(twin.canonical(text) == text and match.is_legal(text) for text in counts)
    odds = twin.random_odds(match)
    assert odds.keys() == counts.keys()
    assert sum(odds.values()) == 1


@pytest.mark.parametrize("number", range(MIXES))
def test_random_matches(number: int) -> None:
    options = mix(f"twin {number}")
    match = twin.Match.from_pack(options, shuffled(f"pack {number}"))
    dice = random.Random(number)
    bound = 2 * sum(map(len, [*match.hands, match.stock]))
    for move in steps(match, dice):
        assert match.decisions < bound
        assert match.is_legal(move)
        assert sorted(match.all_cards()) == sorted(twin.PACK)
        if match.count_legal() <= ALL_MOVES and dice.random() < 0.2:
            check_moves(match)
    assert sorted(match.all_cards()) == sorted(twin.PACK)
    assert match.legal() == []
    for sets in match.sets:
        sizes = [len(cards) for cards in sets]
        assert sizes == sorted(sizes)
    assert match.events()["went_out"] >= 1
    assert match.peaks_won + match.peaks_discarded == len(match.peaks)
    assert match.scores == [sum(vp) for vp in zip(*match.vp.values(), strict=True)]
    assert sum(match.scores) == sum(match.events()[f"vp_{part}"] for part in twin.VP_PARTS)


def test_the_mixes_vary() -> None:
    mixes = [mix(f"twin {number}") for number in range(MIXES)]
    assert mixes[0] == mix("twin 0")
    for name, values in twin.CHOICES.items():
        assert {repr({**each["rules"], **each["scoring"]}[name]) for each in mixes} == set(map(repr, values))
    left = [78 - m["rules"]["area_size"] - m["rules"]["players"] * m["rules"]["hand_size"] for m in mixes]
    assert min(left) == 0
    assert {m["rules"]["hand_size"] for m in mixes} >= {1, 2, 3, 13, 18}
    assert {m["rules"]["area_size"] for m in mixes} >= set(range(13))
    bases = [base for m in mixes for base in m["scoring"]["base"]]
    assert min(bases) < -100
    assert 0 in bases
    assert max(bases) > 100


def every_draw(choose: Callable[[Callable[[int], int]], str]) -> dict[str, Fraction]:
    """Follow every way the draws can fall; return the chance of each result."""
    chances: dict[str, Fraction] = {}
    falls: list[tuple[int, ...]] = [()]
    while falls:
        fall = falls.pop()
        drawn: list[int] = []  # how many each draw was of

        def below(n: int, fall: tuple[int, ...] = fall, drawn: list[int] = drawn) -> int:
            drawn.append(n)
            return fall[len(drawn) - 1] if len(drawn) <= len(fall) else 0

        result = choose(below)
        if len(drawn) > len(fall):  # the first draw not fixed yet: once for each way it can fall
            falls += [(*fall, i) for i in range(drawn[len(fall)])]
            continue
        chance = Fraction(1)
        for n in drawn:
            chance /= n
        chances[result] = chances.get(result, Fraction(0)) + chance
    return chances


@pytest.mark.parametrize(
    ("hand", "area", "kinds"),
    [
        ("S1", "", 2),
        ("S3", "", 1),
        ("S1 S1 H1 H2", "C1 S4 S4", 3),
        ("S3 S3 H3 D3", "C3", 3),
        ("S3 H4", "S1", 2),
    ],
)
def test_the_random_strategy_step_by_step(hand: str, area: str, kinds: int) -> None:
    match = twin.Match.from_position({"rules": {"players": 3}}, hands=[hand, "S6", "S6"], area=area)
    assert len(match.kinds()) == kinds
    odds = twin.random_odds(match)
    assert every_draw(lambda below: twin.random_move(match, below)) == odds
    if hand == "S1 S1 H1 H2":
        assert odds["pass S1"] == Fraction(1, 3) * Fraction(2, 4)
        assert odds["pass S1 S1 take S4"] == Fraction(1, 3) * Fraction(1, 6) * Fraction(2, 5)
        # 1 and 2 are playable: any of three cards, or any two of four.
        assert odds["play 1: S1"] == Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 3)
        assert odds["play 2: S1 H2"] == Fraction(1, 3) * Fraction(1, 2) * Fraction(2, 6)
