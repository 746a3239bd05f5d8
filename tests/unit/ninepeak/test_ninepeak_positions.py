"""Positions of 9 Peak set up by hand: impossible ones are refused by name, possible ones are played on."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from sim.errors import UserError
from sim.table import Table
from tests import support_ninepeak as ninepeak
from tests.reference import ninepeak as twin

THREE = {"players": 3}
GOOD: dict[str, Any] = {
    "hands": ["S1 S1 H2 D3 J3", "S4 H4 D4", "C5 C6"],
    "to_move": 1,
    "area": "S3 H3 D5",
    "peaks": [6],
    "sets": [["S2 D2"], [], ["C4 S4 H4 J4", "C1 C1 C1 D1 D1"]],
    "won": [0, 3, 0],
    "stock": "D6 D1",
}

IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"hand": []}, "position.hand: unknown key; did you mean 'hands'"),
    ({"game": 2}, "position.game: unknown key (known: hands, to_move, stock, area, peaks, sets, won)"),
    ({"leader": 0}, "position.leader: unknown key"),
    ({"scores": [0, 0, 0]}, "position.scores: unknown key"),
    ({"start_player": 0}, "position.start_player: unknown key"),
    ({"hands": ["S1", "S2"]}, "position.hands must be a list of 3"),
    ({"hands": "S1"}, "position.hands must be a list of 3"),
    ({"hands": ["S1", "S2", None]}, "position.hands[2] = None: must be a list of cards in one string"),
    ({"hands": ["S1", ["S2"], "S3"]}, "position.hands[1] = ['S2']: must be a list of cards in one string"),
    ({"hands": ["S7", "S2", "S3"]}, "position.hands[0]: unknown card 'S7'"),
    ({"hands": ["S1", "S2 JK", "S3"]}, "position.hands[1]: unknown card 'JK'"),
    ({"hands": ["S1", "S2", "C5 C5 C5 C5"]}, "position.hands[2]: C5 is named 4 times, the pack holds 3"),
    ({"hands": ["S1", "J2 S2 J2", "S3"]}, "position.hands[1]: J2 is named 2 times, the pack holds 1"),
    ({"hands": ["", "", ""]}, "position.hands: nobody holds a card"),
    ({"hands": ["J4", "S2", "S3"]}, "position: J4 is there 2 times, the pack holds 1"),
    ({"hands": ["S1 S3 S3", "S2", "S3"]}, "position: S3 is there 4 times, the pack holds 3"),
    ({"to_move": 3}, "position.to_move = 3: must be an integer from 0 to 2"),
    ({"to_move": -1}, "position.to_move = -1: must be an integer from 0 to 2"),
    ({"to_move": True}, "position.to_move = True: must be an integer from 0 to 2"),
    ({"to_move": "1"}, "position.to_move = '1': must be an integer from 0 to 2"),
    ({"area": ["S3"]}, "position.area = ['S3']: must be a list of cards in one string"),
    ({"area": "S3 X3"}, "position.area: unknown card 'X3'"),
    ({"area": "J1 J1"}, "position.area: J1 is named 2 times, the pack holds 1"),
    ({"area": "S6 H6 J6", "peaks": []}, "position.area: 3 cards of number 6, which is at its peak"),
    ({"area": "S5 S5 S5 H5 D5"}, "position.area: 5 cards of number 5, which is at its peak"),
    ({"area": "S1 H1 H1 H1 D1 C2 J1 S3", "peaks": [1], "stock": "D1 D1"}, "position: D1 is there 5 times"),
    ({"peaks": 6}, "position.peaks = 6: must be a list of numbers from 1 to 6"),
    ({"peaks": [0]}, "position.peaks = [0]: must be a list of numbers from 1 to 6"),
    ({"peaks": [7]}, "position.peaks = [7]: must be a list of numbers from 1 to 6"),
    ({"peaks": [6.0]}, "position.peaks = [6.0]: must be a list of numbers from 1 to 6"),
    ({"peaks": [True]}, "position.peaks = [True]: must be a list of numbers from 1 to 6"),
    ({"peaks": ["6"]}, "position.peaks = ['6']: must be a list of numbers from 1 to 6"),
    ({"sets": [["S2 D2"], []]}, "position.sets must be a list of 3"),
    ({"sets": {}}, "position.sets must be a list of 3"),
    ({"sets": [["S2 D2"], "S5", []]}, "position.sets[1] = 'S5': must be a list of strings of cards"),
    ({"sets": [["S2 D2"], [["S5"]], []]}, "position.sets[1][0] = ['S5']: must be a list of cards"),
    ({"sets": [[], ["H5", ""], []]}, "position.sets[1][1]: 0 cards: a set has from 1 to 9"),
    ({"sets": [[], [], ["S6 S6 S6 H6 H6 H6 D6 C6 J6 J5"]]}, "position.sets[2][0]: 10 cards: a set has from 1 to 9"),
    ({"sets": [[], [], ["S8"]]}, "position.sets[2][0]: unknown card 'S8'"),
    ({"won": [0, 3]}, "position.won must be a list of 3"),
    ({"won": 3}, "position.won must be a list of 3"),
    ({"won": [0, -1, 0]}, "position.won = [0, -1, 0]: must be 3 numbers of cards"),
    ({"won": [0, True, 0]}, "position.won = [0, True, 0]: must be 3 numbers of cards"),
    ({"won": [0, "3", 0]}, "position.won = [0, '3', 0]: must be 3 numbers of cards"),
    ({"won": [0, 79, 0]}, "position.won = [0, 79, 0]: must be 3 numbers of cards"),
    ({"won": [20, 20, 13]}, "position.won: 53 cards, but only 52 are not elsewhere"),
    ({"stock": ["D6"]}, "position.stock = ['D6']: must be a list of cards in one string"),
    ({"stock": "D6 D0"}, "position.stock: unknown card 'D0'"),
    ({"stock": "D6 J6 J6"}, "position.stock: J6 is named 2 times, the pack holds 1"),
    ({"stock": "S1 S1"}, "position: S1 is there 4 times, the pack holds 3"),
]  # fmt: skip


def table_of(draft_rules: dict[str, Any] | None = None, seed: int = 0, **changes: Any) -> Table:
    return Table.from_position(ninepeak.draft_of(draft_rules or THREE), {**GOOD, **changes}, seed)


@pytest.mark.parametrize(("changes", "message"), IMPOSSIBLE)
def test_impossible_positions(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as caught:
        table_of(**changes)
    assert message in str(caught.value)
    assert str(caught.value).startswith("position")
    assert len(str(caught.value).splitlines()) == 1


def test_the_longest_hand() -> None:
    rest = [card for card in twin.PACK if card not in ("S6", "H6")]
    fields = {"hands": ["S6", "H6", " ".join(rest[:26])]}
    assert Table.from_position(ninepeak.draft_of(THREE), fields).count_moves() > 0
    fields["hands"][2] = " ".join(rest[:27])
    with pytest.raises(UserError, match=re.escape("position.hands[2]: 27 cards: must be 26 or fewer")):
        Table.from_position(ninepeak.draft_of(THREE), fields)


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_what_is_given_is_there() -> None:
    table = table_of()
    ninepeak.assert_conserved(table)
    seen = table.inspect()
    for key in ("to_move", "peaks", "won"):
        assert seen[key] == GOOD[key]
    assert [sorted(hand.split()) for hand in seen["hands"]] == [
        sorted(hand.split()) for hand in GOOD["hands"]
    ]
    for came, given in zip(seen["sets"], GOOD["sets"], strict=True):
        assert [sorted(cards.split()) for cards in came] == [sorted(cards.split()) for cards in given]
    assert Counter(seen["area"].split()) == Counter(GOOD["area"].split())
    assert (seen["phase"], seen["round"], seen["scores"], seen["turned"]) == ("turn", 1, [0, 0, 0], "")
    assert seen["stock"][:2] == ["D6", "D1"]
    assert int(table.state["view"]["last_round"]) == 0
    assert seen["known"] == ["", "", ""]
    # What seat 1 has won is aside; the rest is in the stock.
    named = " ".join([*GOOD["hands"], GOOD["area"], *(" ".join(own) for own in GOOD["sets"])]).split()
    assert len(seen["stock"]) == 78 - len(named) - 3
    assert len(seen["gone"].split()) == 11 + 3


def test_won_cards_are_of_peaked_numbers_as_far_as_there_are_any() -> None:
    for seed in range(5):
        gone = Counter(table_of(seed=seed, sets=[[], [], []], won=[4, 0, 5]).inspect()["gone"].split())
        assert {card[1] for card in gone} == {"6"}
        gone = Counter(table_of(seed=seed, sets=[[], [], []], won=[4, 0, 9]).inspect()["gone"].split())
        # All thirteen but one in a hand and one given as the next of the stock.
        assert sum(count for card, count in gone.items() if card[1] == "6") == 11
        assert gone.total() == 13


@pytest.mark.parametrize("peaks", [[6, 6], [1, 6, 1], [6, 5, 5]])
def test_a_peak_named_twice(peaks: list[int]) -> None:
    """The same as once, if it is not refused by name."""
    try:
        seen = table_of(peaks=peaks).inspect()["peaks"]
    except UserError as error:
        seen = str(error)
    assert seen == sorted(set(peaks)) or str(seen).startswith("position.peaks")


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"to_move": 2, "won": [0, 0, 40], "stock": ""},
        {"hands": ["S1 S1 H2 D3 J3", "", "C5 C6"], "to_move": 2},
        {"area": "", "peaks": [], "sets": [[], [], []], "won": [0, 0, 0]},
        {"peaks": [1, 2, 3, 4, 5, 6], "area": "S6 H6 J6 D6 C6 C5"},
        {"won": [17, 17, 16]},  # the stock is what is given, nothing more
    ],
    ids=["good", "two in the stock", "one is out", "bare", "all at their peaks", "the given stock"],
)
def test_positions_are_played_on(changes: dict[str, Any]) -> None:
    for seed in range(8):
        table = table_of(seed=seed, **changes)
        before = table.inspect()
        ninepeak.play_out(table, random.Random(seed))
        seen = table.inspect()
        for seat in range(3):
            assert seen["sets"][seat][: len(before["sets"][seat])] == before["sets"][seat]
            assert seen["won"][seat] >= before["won"][seat]
        assert set(before["peaks"]) <= set(seen["peaks"])
        assert [sum(points) for points in zip(*seen["vp"].values(), strict=True)] == seen["scores"]
        assert seen["vp"]["vp_sets"] == [sum(points) for points in seen["set_points"]]
        assert seen["vp"]["vp_peak_cards"] == seen["won"]


def test_an_empty_hand_means_the_last_round() -> None:
    table = table_of(hands=["S1 S1 H2", "", "C5 C6"], to_move=0)
    assert "(the last)" in table.describe()
    table.play("pass H2")
    assert table.to_move == 2, "nobody has a turn without cards"
    table.play("pass C5")
    assert table.over


@pytest.mark.parametrize(("to_move", "mover"), [(0, 0), (1, 2), (2, 2)])
def test_the_turn_goes_to_who_has_cards(to_move: int, mover: int) -> None:
    assert table_of(hands=["S1", "", "C5"], to_move=to_move).to_move == mover


def test_what_is_left_open_is_drawn_from_the_seed() -> None:
    stocks = [table_of(seed=seed).inspect()["stock"] for seed in (0, 1, 2, 2)]
    assert stocks[2] == stocks[3]
    assert len({str(stock) for stock in stocks}) == 3
    assert all(stock[:2] == ["D6", "D1"] for stock in stocks)
    last = Counter(table_of(seed=seed).inspect()["stock"][-1] for seed in range(300))
    assert len(last) > 20


def test_cards_in_any_spelling_and_order() -> None:
    spelt = {
        "hands": ["d3 s1 ♥2 j3 ♠1", "♦4 ♠4 h4", "c6 ♣5"],
        "area": "♦5 h3 s3",
        "stock": "♦6 d1",
        "sets": [["d2 ♠2"], [], ["♥4 j4 ♣4 s4", "d1 ♣1 d1 c1 ♣1"]],
    }
    assert table_of(**spelt).state.tobytes() == table_of().state.tobytes()


def test_positions_count_what_lies_there() -> None:
    """Sets, jokers and VP that a position begins with are those of its players at the end."""
    view = table_of().view(0)
    assert [int(count) for count in view["sets"]] == [1, 0, 2, 0, 0]
    assert [int(size) for size in view["last_size"]] == [2, 0, 5, 0, 0]
    assert [int(count) for count in view["jokers"]] == [0, 0, 1, 0, 0]
    seen = table_of().inspect()
    assert seen["events"]["sets_by_size"] == [0, 1, 0, 1, 1, 0, 0, 0, 0]
    # Two suits of two cards; four suits of four cards, the joker one of them; three of a suit of five cards.
    assert seen["set_points"] == [[2], [], [12, 15]]
