"""Positions of Daifugō set up by hand: impossible ones are refused by name, possible ones are played on."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from sim import cards, drafts
from sim.errors import UserError
from sim.table import IllegalMove, Table
from tests import support_daifugo as daifugo

GOOD: dict[str, Any] = {
    "hands": ["S5 S9 JK", "HJ D2", "C8 CK H3", "D4 S4"],
    "to_move": 2,
    "scores": [1, -2, 3, 0],
    "revolution": True,
    "direction": -1,
    "previous_places": [2, 1, 4, 3],
}
DONE = {"hands": ["S5 S9", "", "C8 CK H3", ""], "places": [0, 1, 0, 4], "to_move": 2}

IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"hand": []}, "position.hand: unknown key; did you mean 'hands'"),
    ({"game": 2}, "position.game: unknown key"),
    ({"phase": "give"}, 'position.phase = \'give\': must be "play" or "exchange"'),
    ({"phase": 1}, "position.phase = 1: must be"),
    ({"hands": ["S5", "S6", "S7"]}, "position.hands must be a list of 4 strings of cards"),
    ({"hands": "S5"}, "position.hands must be a list of 4"),
    ({"hands": ["S5", "S6", "S7", 8]}, "position.hands must be a list of 4"),
    ({"hands": ["S5 S1", "S6", "S7", "S8"]}, "position.hands[0]: unknown card 'S1'"),
    ({"hands": ["S4", "S6 JK=S5", "S7", "S8"]}, "position.hands[1]: unknown card 'JK=S5'"),
    ({"hands": ["S5", "S6", "S7", "S8 S8"]}, "position.hands[3]: card S8 is named twice"),
    ({"hands": ["S5", "S6", "S7", "S8 S5"]}, "position: S5 is in hands[0] and in hands[3]"),
    ({"hands": ["S5 JK", "S6 JK", "S7", "S8 JK"]}, "position.hands: more jokers than rules.jokers = 2"),
    ({"hands": ["S5", "S6", "", "S8"]}, "position.hands[2]: player 2 has no place, so must hold cards"),
    ({**DONE, "hands": ["S5", "S6", "S7", ""]}, "position.hands[1]: player 1 has a place, so no cards"),
    ({"previous_places": [1, 2, 3]}, "position.previous_places must be a list of 4 integers"),
    ({"previous_places": "1234"}, "position.previous_places must be a list of 4 integers"),
    ({"previous_places": [1, 2, 3, True]}, "position.previous_places must be a list of 4 integers"),
    ({"previous_places": [1, 2, 3, 3]}, "position.previous_places = [1, 2, 3, 3]: must have every place"),
    ({"previous_places": [1, 2, 3, 0]}, "must have every place from 1 to 4 once"),
    ({"previous_places": [0, 0, 0, 0]}, "must have every place from 1 to 4 once"),
    ({"places": [1, 0]}, "position.places must be a list of 4 integers"),
    ({"places": [1, 1, 0, 0]}, "position.places = [1, 1, 0, 0]: must be places from 1 to 4, each once, or 0"),
    ({"places": [5, 0, 0, 0]}, "must be places from 1 to 4, each once, or 0"),
    ({"places": [-1, 0, 0, 0]}, "must be places from 1 to 4, each once, or 0"),
    ({"places": [1, 2, 3, 0]}, "position.places = [1, 2, 3, 0]: two or more places must be free"),
    ({"places": [2, 0, 0, 0]}, "two or more places must be free, and lie together"),
    ({"to_move": 4}, "position.to_move = 4: must be an integer from 0 to 3"),
    ({"to_move": -1}, "position.to_move = -1: must be an integer from 0 to 3"),
    ({"to_move": True}, "position.to_move = True: must be an integer"),
    ({**DONE, "to_move": 1}, "position.to_move = 1: player 1 has a place already"),
    ({"scores": [1, 2, 3]}, "position.scores = [1, 2, 3]: must be a list of 4 integers"),
    ({"scores": 5}, "position.scores = 5: must be a list of 4 integers"),
    ({"scores": [1, 2, 3, True]}, "must be a list of 4 integers up to 1,000,000"),
    ({"scores": [1, 2, 3, -1_000_001]}, "must be a list of 4 integers up to 1,000,000"),
    ({"revolution": 1}, "position.revolution = 1: must be true or false"),
    ({"direction": 0}, "position.direction = 0: must be 1 or -1"),
    ({"direction": True}, "position.direction = True: must be 1 or -1"),
]


@pytest.mark.parametrize(("changes", "message"), IMPOSSIBLE)
def test_impossible_positions(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        Table.from_position(daifugo.draft_of(), {**GOOD, **changes})
    assert message in str(caught.value)
    assert str(caught.value).startswith("position")
    assert len(str(caught.value).splitlines()) == 1


def test_an_exchange_needs_places_of_a_game_before() -> None:
    fields = {"hands": GOOD["hands"], "phase": "exchange"}
    with pytest.raises(UserError, match=re.escape('position.phase = "exchange": needs previous_places')):
        Table.from_position(daifugo.draft_of(), fields)
    table = Table.from_position(daifugo.draft_of(), {**fields, "previous_places": [2, 1, 4, 3]})
    assert (table.inspect()["phase"], table.to_move) == ("exchange", 1)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_what_is_given_is_there() -> None:
    table = Table.from_position(daifugo.draft_of(), GOOD)
    assert daifugo.assert_conserved(table.state, table.draft) == (0, 0), "what nobody holds is gone"
    seen = table.inspect()
    assert [set(hand.split()) for hand in seen["hands"]] == [set(hand.split()) for hand in GOOD["hands"]]
    for key in ("to_move", "scores", "revolution", "direction", "previous_places"):
        assert seen[key] == GOOD[key]
    assert (seen["phase"], seen["table"], seen["places"]) == ("play", "", [0, 0, 0, 0])
    assert int(table.view()["gone_jokers"]) == 1
    assert int(table.view()["gone"]).bit_count() == 52 - 9


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    "changes",
    [{}, DONE, {"phase": "exchange"}, {"to_move": 0, "previous_places": [1, 2, 3, 4]}],
    ids=["lead", "places", "exchange", "other places"],
)
def test_a_position_is_one_game(changes: dict[str, Any]) -> None:
    draft = daifugo.draft_of({"games": 10})
    fields = {**GOOD, **changes}
    for seed in range(15):
        table = Table.from_position(draft, fields, seed)
        assert table.inspect()["game"] == 1
        daifugo.play_out(table, random.Random(seed), 0.5)
        seen = table.inspect()
        assert sorted(seen["places"]) == [1, 2, 3, 4]
        given = fields.get("places", [0] * 4)
        assert all(place in (0, came) for place, came in zip(given, seen["places"], strict=True))
        points = [4 - place for place in seen["places"]]
        assert seen["scores"] == [a + b for a, b in zip(GOOD["scores"], points, strict=True)]


@pytest.mark.parametrize(
    ("hands", "more", "leader"),
    [
        (["S5", "D3 S6", "S7", "S8"], {}, 1),
        (["S5", "S6", "S7", "S8"], {}, 0),  # nobody has ♦3
        (["S5", "S6", "S7", "S8"], {"to_move": 3}, 3),
        (["S5", "D3", "S7", "S8"], {"to_move": 3}, 3),
        (["", "S6", "S7", "S8"], {"places": [1, 0, 0, 0]}, 1),
    ],
)
def test_who_leads(hands: list[str], more: dict[str, Any], leader: int) -> None:
    assert Table.from_position(daifugo.draft_of(), {"hands": hands, **more}).to_move == leader


# ---- the table itself -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "seat", "reason"),
    [
        ("play C9", None, "seat 2 may not play C9: ♣9 not in the hand"),
        (
            "play C8 CK",
            None,
            "seat 2 may not play C8 CK: not a legal play: it is no group and no sequence of 3",
        ),
        ("pass", None, "seat 2 may not pass: not a legal play: who leads has to play"),
        ("play JK", None, "seat 2 may not play JK: JK not in the hand"),
        ("give C8", None, "seat 2 has to play or pass, not to give"),
        ("exchange C8", None, "seat 2 has to play or pass, not to exchange"),
        ("name 3", None, "seat 2 has to play or pass, not to name"),
        ("play C8", 0, "seat 0 is not to move, seat 2 is"),
    ],
)
def test_a_refused_move_leaves_the_table_as_it_was(move: str, seat: int | None, reason: str) -> None:
    table = Table.from_position(daifugo.draft_of(), GOOD)
    before = table.state.tobytes()
    with pytest.raises(IllegalMove, match=f"^{re.escape(reason)}"):
        table.play(move, seat)
    assert table.state.tobytes() == before


def test_refusals_say_what_is_to_be_chosen() -> None:
    draft = daifugo.draft_of()
    table = Table.from_position(draft, {**GOOD, "hands": ["S7 S9 H9", "HJ D2", "C8", "D4"], "to_move": 0})
    table.play("play S7")
    for move, reason in (
        ("give S9 H9", "1 to choose, not 2"),
        ("give HJ", "♥J not in the hand"),
        ("give S9 JK JK", "JK JK not in the hand"),
    ):
        with pytest.raises(IllegalMove, match=f"seat 0 may not {move}: {reason}"):
            table.play(move)
    with pytest.raises(IllegalMove, match="has to give, not to pass"):
        table.play("pass")
    table.play("give S9")
    hands = table.inspect()["hands"]
    assert hands[0] == "H9"
    assert "S9" in hands[3], "the next in this direction"
    table = Table.from_position(draft, {**GOOD, "hands": ["SQ HQ S9", "HJ D2", "C8", "D4"], "to_move": 0})
    table.play("play SQ HQ")
    for move, count in (("name 3", 1), ("name 3 4 5", 3)):
        with pytest.raises(IllegalMove, match=f"seat 0 may not {move}: 2 to choose, not {count}"):
            table.play(move)
    table.play("name 3 A")
    for _ in range(2):
        table.play("pass")
    with pytest.raises(IllegalMove, match=r"seat 1 may not play HJ: not a legal play on ♠Q ♥Q"):
        table.play("play HJ")


def refused(rules: dict[str, Any], hands: list[str], *moves: str) -> str:
    """Return why the last of some moves is refused; player 0 leads."""
    draft = daifugo.draft_of({"players": len(hands), **rules})
    found = Table.from_position(draft, {"hands": hands, "to_move": 0})
    for move in moves[:-1]:
        found.play(move)
    with pytest.raises(IllegalMove) as caught:
        found.play(moves[-1])
    return str(caught.value).partition(" may not ")[2]


@pytest.mark.parametrize(
    ("rules", "hands", "moves", "reason"),
    [
        ({"jokers": 0}, ["SQ HQ S9", "HJ", "C8"], ["play SQ HQ", "name 5 JK"], "the pack has no joker"),
        ({"jokers": 0}, ["SQ HQ S9", "HJ", "C8"], ["play SQ HQ", "name JK"], "2 to choose, not 1"),
        (
            {},
            ["S7 H7 S8 S9 JK", "HJ", "C8"],
            ["play S7 H7", "give S8 JK=S5"],
            "a joker stands for no card here, so just JK",
        ),
        (
            {"lock_by_joker": True},
            ["S8 JK", "HJ D3", "C8 C9"],
            ["play S8 JK"],
            "not a legal play: each joker has to state a suit that the group does not show, as in play S8 JK=H8",
        ),
        (
            {"lock_by_joker": True},
            ["S8 JK JK", "HJ D3", "C8 C9"],
            ["play S8 JK=H8 JK"],
            "not a legal play: each joker has to state a suit that the group does not show, as in play S8 JK=H8 JK=D8",
        ),
        (
            {"lock_by_joker": True},
            ["S8 JK", "HJ D3", "C8 C9"],
            ["play S8 JK=S8"],
            "not a legal play: each joker has to state a suit that the group does not show, as in play S8 JK=H8",
        ),
        (
            # Under a lock on spades and diamonds the example is one that may be played.
            {"lock_by_joker": True, "number_lock": False},
            ["S4 D4 C3", "SK DK D3", "SA JK C9"],
            ["play S4 D4", "play SK DK", "play SA JK"],
            "not a legal play: each joker has to state a suit that the group does not show, as in play SA JK=DA",
        ),
        (
            {},
            ["S8 JK", "HJ D3", "C8 C9"],
            ["play S8 JK=H8"],
            "not a legal play: a joker in a group states nothing under these rules",
        ),
        ({}, ["S8 JK", "HJ D3", "C8 C9"], ["play JK=H8"], "not a legal play: jokers by themselves state nothing"),
        (
            {},
            ["S8 S9 JK", "HJ D3", "C8 C9"],
            ["play S8 S9 JK"],
            "not a legal play: a joker in a sequence has to state its card, as in JK=H10",
        ),
        (
            {"sequences": False, "emperor": True},
            ["S8 S9 S10", "HJ D3", "C8 C9"],
            ["play S8 S9 S10"],
            "not a legal play: it is no group and no emperor",
        ),
        (
            {"sequence_min": 4},
            ["S8 JK JK", "HJ D3", "C8 C9"],
            ["play S8 JK=S9 JK=S10"],
            "not a legal play: it is no group and no sequence of 4 or more",
        ),
        (
            {"first_lead_must_show": True},
            ["S8 D3", "HJ D4", "C8 C9"],
            ["play S8"],
            "not a legal play: the first of a game has to show ♦3",
        ),
    ],
)  # fmt: skip
def test_refusals_say_what_is_wrong(
    rules: dict[str, Any], hands: list[str], moves: list[str], reason: str
) -> None:
    assert refused(rules, hands, *moves).partition(": ")[2] == reason


def test_the_contest_s_rules_ask_for_a_suit() -> None:
    hands = ["S8 JK", "HJ D3", "C8 C9", "S3", "S4"]
    table = Table.from_position(drafts.load("daifugo/uecda"), {"hands": hands, "to_move": 0})
    with pytest.raises(IllegalMove, match=r"may not play S8 JK: .* state a suit .*, as in play S8 JK=H8$"):
        table.play("play S8 JK")


@pytest.mark.parametrize("setting", [(), ("play SQ HQ",), ("play S7 H7",), ("play S8",)])
def test_every_refusal_is_one_line(setting: tuple[str, ...]) -> None:
    for rules in ({}, {"lock_by_joker": True, "emperor": True, "joker_beyond_ends": True}):
        hands = ["S8 H9 SQ HQ S7 H7 D4 JK", "HJ D2 S4 H4", "C8 CK"]
        table = Table.from_position(daifugo.draft_of({"players": 3, **rules}), {"hands": hands, "to_move": 0})
        for move in setting:
            table.play(move)
        legal = set(table.moves())
        dice = random.Random(3)
        refused = [move for move in daifugo.strange_moves(list(legal), dice, 600) if move not in legal]
        assert len(refused) > 100
        for move in refused:
            with pytest.raises(IllegalMove, match=r"^seat [0-2] may not ") as caught:
                table.apply(move)
            assert len(str(caught.value).splitlines()) == 1


def test_a_player_sees_the_own_hand_and_chooses_only_when_asked() -> None:
    table = Table.from_position(daifugo.draft_of(), GOOD)
    for player, hand in enumerate(GOOD["hands"]):
        view = table.view(player)
        naturals = [card for card in hand.split() if card != "JK"]
        assert int(view["hand"]) == cards.mask_of(cards.parse(" ".join(naturals)))
        assert int(view["jokers"]) == hand.count("JK")
        assert (int(view["count"]) > 0) == (player == 2)
        assert view["seat"] == 2
    twin = table.copy()
    twin.play("play C8")
    assert (table.to_move, table.inspect()["table"]) == (2, "")
