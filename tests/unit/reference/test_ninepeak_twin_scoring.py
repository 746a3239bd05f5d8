"""What the 9 Peak twin makes of sets (P17, the recoloured card), with figures computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference import ninepeak as twin

BASE9 = [1, 2, 3, 4, 5, 7, 9, 11, 13]
SIMPLE_JOKER = {"joker": "wild_only", "different": 0, "perfect": 1, "early_finish": "none"}
DRAFTS: dict[str, dict[str, Any]] = {
    "draft11": {},
    "draft12-simple-joker": SIMPLE_JOKER,
    "draft12-base9": {**SIMPLE_JOKER, "base": BASE9},
    "draft12-draw": {**SIMPLE_JOKER, "base": BASE9, "no_joker": "draw_to_hand"},
    "draft12-recolour": {**SIMPLE_JOKER, "base": BASE9, "early_finish": "recolour"},
    "simple": {"suits": "colours", "modes": "same"},
}
ONE_OF_ALL = ["S1", "S3 H3 D3", "S4 H4 D4 C4", "S5 H5 D5 C5 S6"]
FIVE_OF_ONE = "S5 S5 S5 S6 S6 H6 H6"
FOUR_OF_ONE = "S5 S5 S5 S6 H6 H6 D6"


def scored(cards: str, draft: str = "draft11", **scoring: Any) -> int:
    _, table = twin.settle({"scoring": {**DRAFTS[draft], **scoring}})
    return twin.points_of_set(cards, table)


def gained(*sets: str, draft: str = "draft11", **scoring: Any) -> int:
    _, table = twin.settle({"scoring": {**DRAFTS[draft], **scoring}})
    return twin.recolour_gain([cards.split() for cards in sets], table)


@pytest.mark.parametrize(
    ("cards", "draft", "points"),
    [
        ("S1", "draft11", 1),
        ("J1", "draft11", 1),
        ("S5 S5 S6 S6 H1 H2 D3", "draft11", 28),  # seven cards, four of a suit
        ("S5 S5 S6 S6 S1", "draft11", 25),
        ("S1 H1 D1", "draft11", 6),
        ("S1 H2 J3", "draft11", 6),  # 3 x 2 by either way
        ("S1 H1 D1 C1 J1", "draft11", 20),  # 5 x (5 - 1)
        ("S1 H1 J1 J2 J3", "draft11", 20),  # four of a suit; jokers are one suit: 5 x (3 - 1)
        ("J1 J2 J3", "draft11", 9),
        ("S1", "draft12-simple-joker", 2),
        ("J1", "draft12-simple-joker", 2),
        ("S5 S5 H5 H5 D5 D6 C6", "draft12-simple-joker", 28),  # seven cards of four suits
        ("S5 S5 S5 S6 S6", "draft12-simple-joker", 30),
        ("S5 S5 S5 S6 J6", "draft12-simple-joker", 30),
        ("S1 H1 D1 C1 J1", "draft12-simple-joker", 20),  # the joker is no fifth suit
        ("S1 H1 J1 J2", "draft12-simple-joker", 16),  # jokers as the suits that are missing
        (FIVE_OF_ONE, "draft12-base9", 45),
        (FOUR_OF_ONE, "draft12-base9", 36),
        ("S1 C1 S2 H2", "simple", 12),
        ("S1 C1 H2 D2 J3", "simple", 15),
    ],
)
def test_a_set_scores(cards: str, draft: str, points: int) -> None:
    assert scored(cards, draft) == points


@pytest.mark.parametrize("draft", ["draft12-simple-joker", "draft12-base9"])
def test_one_three_four_five_of_different_suits(draft: str) -> None:
    assert [scored(cards, draft) for cards in ONE_OF_ALL] == [2, 9, 16, 20]
    assert sum(scored(cards, draft) for cards in ONE_OF_ALL) == 47


def test_base_stands_for_the_count_in_both_ways() -> None:
    base = [0, 0, 10, -10, 0, 0, 0, 0, 0]
    assert scored("S1 S1 H1", base=base) == 20
    assert scored("S1 H1 D1", base=base) == 20
    assert scored("S1 H1 D1", base=base, modes="same") == 10
    assert scored("S1 S1 S1 H1", base=base) == -10  # the better of -30 and -10
    assert scored("S1 S1 S1 H1", base=base, modes="same") == -30
    assert scored("S1 H1", base=base) == 0


def test_perfect_is_for_the_same_suit_alone_with_jokers_or_without() -> None:
    assert scored("S1 S1 J1", perfect=4) == 3 * 7
    assert scored("J1 J2", perfect=4) == 2 * 6
    assert scored("S1 H1", perfect=4) == 2
    assert scored("S1 H1", perfect=4, different=0) == 4
    assert scored("S1 C1", perfect=4, suits="colours") == 2 * 6
    assert scored("S1 S1 J1", perfect=-3, modes="same") == 0  # the joker counts as the suit, like it or not


def test_jokers_in_different_suits() -> None:
    assert scored("J1 J2 J3", different=5) == 3 * 6  # together one suit
    assert scored("J1 J2 J3", different=5, joker="wild_only") == 3 * 8
    assert scored("J1 J2 J3 J4 J5", different=5, joker="wild_only") == 5 * 9
    assert scored("J1 J2 J3", different=5, joker="wild_only", suits="colours") == 3 * 7
    assert scored("S1 C1 J3", different=5, suits="colours") == 3 * 7
    assert scored("S1 H1 J3", different=5, suits="colours") == 3 * 8
    assert scored("S1 H1 J3", different=5, suits="colours", joker="wild_only") == 3 * 7


def test_recolouring_takes_the_best_card_of_the_best_set() -> None:
    assert gained(FOUR_OF_ONE, draft="draft12-recolour") == 9  # 36 becomes 45
    assert gained("S1", FOUR_OF_ONE, draft="draft12-recolour") == 9
    assert gained("S1", "S3 S3 H3", draft="draft12-recolour") == 12 - 6  # all one suit
    assert gained("S3 S3 S3", draft="draft12-recolour") == 0
    assert gained("S3 S3 S3", base=[-1] * 9, modes="same") == 1
    assert gained(draft="draft12-recolour") == 0


def test_recolouring_makes_jokers_where_they_are_a_suit() -> None:
    assert gained("S1 S1 H1 D1 C1") == 5  # a fifth suit: 15 becomes 20
    assert gained("S1 S1 H1 D1 C1", joker="wild_only") == 0
    assert gained("J1 J2 S3", different=2) == 3  # a joker as a third suit: 12 becomes 15
    assert gained("S1 C1 S1 H1", suits="colours", modes="same") == 4
