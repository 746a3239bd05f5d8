"""Positions set up by hand: impossible ones are refused by name, possible ones hold every card once."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from sim import cards
from sim.errors import UserError
from sim.table import IllegalMove, Table
from tests import support

GOOD: dict[str, Any] = {
    "hands": ["S5 S9", "HJ D2", "C8 CK"],
    "to_move": 2,
    "field": "C3 D10 H6",
    "piles": ["SA", "", "HQ SQ"],
    "scores": [1, -2, 3],
    "game": 2,
}
THREE = {"players": 3}
PERSONAL = {"players": 3, "variant": "personal_decks"}

IMPOSSIBLE: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (THREE, {"hand": []}, "position.hand: unknown key; did you mean 'hands'"),
    (THREE, {"hands": ["S5 S9", "HJ D2"]}, "position.hands must be a list of 3"),
    (THREE, {"hands": "S5"}, "position.hands must be a list of 3"),
    (THREE, {"hands": ["S5 S9", "HJ D2", 3]}, "position.hands[2] = 3: must be a list of cards in one string"),
    (THREE, {"hands": ["S5 S9", "HJ D2", "C8"]}, "position.hands: [2, 2, 1] cards: at the start of a trick"),
    (THREE, {"hands": ["", "", ""]}, "position.hands: 0 cards each: must be from 1 to 5"),
    (THREE, {"hands": ["S2 S3 S4 S5 S6 S7", "H2 H3 H4 H5 H7 H8", "D2 D3 D4 D5 D6 D7"]}, "6 cards each"),
    (THREE, {"hands": ["S5 S5", "HJ D2", "C8 CK"]}, "position.hands[0]: card S5 is named twice"),
    (THREE, {"hands": ["S5 S1", "HJ D2", "C8 CK"]}, "position.hands[0]: unknown card 'S1'"),
    (THREE, {"hands": ["S5 S9", "HJ S5", "C8 CK"]}, "S5 is in hands[0] and in hands[1]"),
    (THREE, {"field": "C3 D10 S9"}, "S9 is in hands[0] and in field"),
    (THREE, {"field": ["C3"]}, "position.field = ['C3']: must be a list of cards in one string"),
    (THREE, {"piles": ["SA", "", "HQ SA"]}, "SA is in piles[0] and in piles[2]"),
    (THREE, {"piles": ["SA", ""]}, "position.piles must be a list of 3"),
    (THREE, {"stock": "H6"}, "H6 is in field and in stock"),
    (THREE, {"stock": "S2 S2"}, "position.stock: card S2 is named twice"),
    (THREE, {"scores": [1, 2]}, "position.scores = [1, 2]: must be a list of 3 integers"),
    (THREE, {"scores": [1, 2, True]}, "must be integers up to 1,000,000"),
    (THREE, {"scores": [1, 2, 1_000_001]}, "must be integers up to 1,000,000"),
    (THREE, {"game": 0}, "position.game = 0: must be an integer from 1 to 4"),
    (THREE, {"game": 5}, "position.game = 5: must be an integer from 1 to 4"),
    (THREE, {"game": True}, "position.game = True"),
    (THREE, {"to_move": 3}, "position.to_move = 3: must be an integer from 0 to 2"),
    (THREE, {"leader": -1}, "position.leader = -1"),
    (THREE, {"leader": 1}, "position.to_move = 2: a position is the start of a trick, so the"),
    (THREE, {"put_out": 1}, "position.put_out = 1: must be true or false"),
    (THREE, {"put_out": False}, "the match has just begun"),
    (THREE, {"put_out": False, "game": 1, "to_move": 0}, "the match has just begun"),
    (
        THREE,
        {"put_out": False, "game": 1, "to_move": 0, "field": "", "hands": ["S5", "HJ", "C8"], "piles": [""] * 3},
        "must be 6, as dealt, before the put-out",
    ),
    (
        {"players": 4, "hand_size": 6},
        {
            "hands": ["S5", "HJ", "C8", "D4"], "game": 1, "scores": [0, 0, 0, 0], "field": "H6",
            "piles": ["", "", "S2 S3 S4 S6 S7 S8 S9 S10 SJ SQ SK SA", "D2 D3 D5 D6 D7 D8 D9 D10 DJ DQ DK DA"],
        },
        "23 cards are left to deal for the next game, which needs 24",
    ),
    (PERSONAL, {}, "position.hands[1]: D2: in personal_decks seat 1 holds only H"),
    (PERSONAL, {"hands": ["S5", "HJ", "D8"], "field": "C3"}, "C3 has no owner with 3 players"),
    (PERSONAL, {"hands": ["S5", "HJ", "D8"], "field": "", "piles": ["", "C4 C5", ""]}, "C4 C5 has no owner"),
    (PERSONAL, {"hands": ["S5", "HJ", "D8"], "field": "", "stock": "C9"}, "C9 has no owner"),
    (
        PERSONAL,
        {"hands": ["S5", "HJ", "D8"], "game": 1, "field": "S2 S3 S4", "piles": ["S6 S7", "S8 S9", "S10"]},
        "4 cards are left to deal for the next game, which needs 5",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "changes", "message"), IMPOSSIBLE)
def test_impossible_positions(rules: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    fields = {**GOOD, **changes}
    if rules is PERSONAL and changes:
        fields = {"hands": GOOD["hands"], **changes}
    with pytest.raises(UserError) as caught:
        Table.from_position(support.draft_of(rules), fields)
    assert message in str(caught.value)
    assert str(caught.value).startswith("position")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("game", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", [THREE, PERSONAL], ids=["one pack", "personal decks"])
def test_every_card_is_somewhere_and_play_goes_on(rules: dict[str, Any], game: int) -> None:
    draft = support.draft_of(rules)
    hands = ["S5 S9", "HJ H2", "D8 DK"]
    fields = {**GOOD, "hands": hands, "field": "S3 H10 D6", "piles": ["SA H5", "D2", "HQ SQ"], "game": game}
    fields["stock"] = "S2 H3 D4"
    for seed in range(10):
        table = Table.from_position(draft, fields, seed)
        support.assert_conserved(table.state, draft)
        seen = table.inspect()
        assert [set(hand.split()) for hand in seen["hands"]] == [set(hand.split()) for hand in hands]
        assert (seen["to_move"], seen["trick"], seen["game"], seen["scores"]) == (2, 4, game, [1, -2, 3])
        stock = seen["stock"]
        first = [row[0] for row in stock] if rules is PERSONAL else stock[:3]
        assert first == ["S2", "H3", "D4"]
        # In every second game what the game before used is out of play, and the seat to move knows it.
        assert (int(table.state["view"]["out"]) != 0) == (game % 2 == 0)
        support.play_out(table, random.Random(seed))


def test_what_is_left_open_is_drawn_from_the_seed() -> None:
    draft = support.draft_of(THREE)
    stocks = [Table.from_position(draft, GOOD, seed).inspect()["stock"] for seed in (0, 1, 2, 2)]
    assert stocks[2] == stocks[3]
    assert len({str(stock) for stock in stocks}) == 3


def test_a_hand_made_start_asks_for_the_put_out() -> None:
    draft = support.draft_of({"players": 2})
    table = Table.from_position(
        draft, {"put_out": False, "hands": ["S2 S5 S9 SJ SK H3", "H5 H8 HQ D2 D7 DK"]}, 4
    )
    support.assert_conserved(table.state, draft)
    assert (table.inspect()["phase"], table.to_move, table.inspect()["trick"]) == ("put", 0, 1)
    assert table.legal() == [f"put {card}" for card in cards.text(int(table.view()["hand"])).split()]
    support.play_out(table, random.Random(1))


# ---- the table itself -----------------------------------------------------------------------------------


def test_a_refused_move_leaves_the_table_as_it_was() -> None:
    table = Table.from_position(support.draft_of(THREE), GOOD)
    before = table.state.tobytes()
    for text in ("", "S5", "C8 CK", "D10", "C8 S5"):
        move = cards.mask_of(cards.parse(text))
        with pytest.raises(IllegalMove, match=r"^seat 2 may not play"):
            table.apply(move)
        assert table.state.tobytes() == before
    with pytest.raises(IllegalMove, match=re.escape("♠5 not in the hand")):
        table.play("play S5")
    with pytest.raises(IllegalMove, match=re.escape("1 card(s) to choose, not 2")):
        table.apply(cards.mask_of(cards.parse("C8 CK")))
    assert table.state.tobytes() == before


def test_copies_are_independent() -> None:
    table = Table.from_position(support.draft_of(THREE), GOOD)
    twin = table.copy()
    twin.play("play CK")
    assert table.to_move == 2
    assert twin.to_move == 0
    assert table.copy().state.tobytes() == table.state.tobytes()


def test_a_seat_sees_its_own_hand_and_chooses_only_on_its_turn() -> None:
    table = Table.from_position(support.draft_of(THREE), GOOD)
    for seat, hand in enumerate(GOOD["hands"]):
        view = table.view(seat)
        assert int(view["hand"]) == cards.mask_of(cards.parse(hand))
        assert int(view["choices"]) == (int(view["hand"]) if seat == 2 else 0)
        assert int(view["pick"]) == (1 if seat == 2 else 0)
        assert view["seat"] == 2
    # A copy: writing into it changes nothing.
    table.view()["hand"] = 0
    assert int(table.view()["hand"]) != 0
