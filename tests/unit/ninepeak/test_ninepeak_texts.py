"""Cards and moves of 9 Peak as text: read in any spelling, written in one, refused with a reason."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim.errors import IllegalMove, UserError
from sim.ninepeak import cards, text
from sim.table import Table
from tests import support_ninepeak as ninepeak
from tests.reference import ninepeak as twin

GOOD: dict[str, Any] = {
    "hands": ["S1 S1 H2 D3 J3", "S4 H4 D4", "C5 C6"],
    "area": "S3 H3 D5",
    "sets": [["S2 D2"], [], []],
    "peaks": [6],
    "stock": "D6 D1",
}


def table_of(scoring: dict[str, Any] | None = None, **changes: Any) -> Table:
    return Table.from_position(ninepeak.draft_of({"players": 3}, scoring), {**GOOD, **changes})


@pytest.mark.parametrize(
    ("spelt", "written"),
    [
        ("pass s5", "pass S5"),
        ("  pass   ♥3 ", "pass H3"),
        ("pass h6 ♦5 take j1", "pass D5 H6 take J1"),
        ("pass S2 S2 take S2", "pass S2 S2 take S2"),
        ("play 2: d2 ♠2", "play 2: S2 D2"),
        ("play 5:C3 S5 h3 D5 j4", "play 5: H3 C3 J4 S5 D5"),
        ("play 1 : C1", "play 1: C1"),
        ("play  9: J6 J5 J4 J3 J2 J1 S1 S1 S1", "play 9: S1 S1 S1 J1 J2 J3 J4 J5 J6"),
        (" keep ", "keep"),
        ("release", "release"),
    ],
)
def test_moves_in_any_spelling(spelt: str, written: str) -> None:
    assert text.canonical_move(spelt) == written
    assert text.canonical_move(written) == written
    assert twin.canonical(written) == written


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("", "unknown verb ''"),
        ("ply 1: S1", "unknown verb 'ply'; did you mean 'play'"),
        ("Pass S1", "unknown verb 'Pass'; did you mean 'pass'"),
        ("put S3", "unknown verb 'put'"),
        ("take S1", "unknown verb 'take'"),
        ("pass A B", "unknown card 'A' (a suit of S H D C, or J for a joker"),
        ("pass S1 H7 take S1", "unknown card 'H7'"),
        ("pass S1 H2 take X1", "unknown card 'X1'"),
        ("pass S0", "unknown card 'S0'"),
        ("pass JK", "unknown card 'JK'"),
        ("play S1", "must be play N: CARDS with N from 1 to 9"),
        ("play 1 S1", "must be play N: CARDS with N from 1 to 9"),
        ("play : S1", "must be play N: CARDS with N from 1 to 9"),
        ("play -1: S1", "must be play N: CARDS with N from 1 to 9"),
        ("play 1.0: S1", "must be play N: CARDS with N from 1 to 9"),
        ("play ２: S2 D2", "must be play N: CARDS with N from 1 to 9"),
        ("play ²: S2 D2", "must be play N: CARDS with N from 1 to 9"),
        ("play two: S2 D2", "must be play N: CARDS with N from 1 to 9"),
        ("play 2: S2 D2 take S2", "unknown card 'take'"),
        ("play 2: S2, D2", "unknown card 'S2,'; did you mean 'S2'"),
        ("play 2: S9 S2", "unknown card 'S9'"),
        ("play 10: S9", "unknown card 'S9'"),
        ("keep it", "unknown card 'it'"),
        ("release it", "unknown card 'it'"),
    ],
)
def test_what_is_no_move(move: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        text.parse_move(move)
    assert not isinstance(caught.value, IllegalMove)
    assert str(caught.value).startswith(f"move {move!r}: {message}")
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(UserError):
        table_of().allows(move)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("pass", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass  ", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 H2", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 H2 take", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass take S1", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 take S2", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 H2 D3", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 H2 D3 take S1", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass S1 H2 take S1 H2", "must be pass CARD, or pass CARD CARD take CARD"),
        ("pass J1 J1 take S1", "J1 is named 2 times, the pack holds 1"),
        ("play", "must be play N: CARDS with N from 1 to 9"),
        ("play 0: S1", "must be play N: CARDS with N from 1 to 9"),
        ("play 10: S1 S1", "must be play N: CARDS with N from 1 to 9"),
        (f"play {'9' * 5000}: S1", "must be play N: CARDS with N from 1 to 9"),
        ("play 4: S1 S1 S1 S1", "S1 is named 4 times, the pack holds 3"),
        ("play 2: J4 J4", "J4 is named 2 times, the pack holds 1"),
        ("keep S1", "keep stands alone"),
        ("release J1 S1", "release stands alone"),
    ],
)
def test_what_no_position_allows(move: str, message: str) -> None:
    """Written as a move is, but never legal: so it may stand in a scenario as one that is refused."""
    with pytest.raises(IllegalMove) as caught:
        text.parse_move(move)
    assert str(caught.value).startswith(f"move {move!r}: {message}")
    assert len(str(caught.value).splitlines()) == 1
    assert not table_of().allows(move)


# ---- cards ----------------------------------------------------------------------------------------------


def test_every_card_is_written_and_read_again() -> None:
    codes = [int(code) for code in cards.PACK]
    assert [cards.NAMES[code] for code in codes] == list(twin.PACK)
    for card in dict.fromkeys(twin.PACK):
        code = cards.code_of(card)
        assert cards.NAMES[code] == card
        assert cards.code_of(card.lower()) == cards.code_of(cards.sign(code)) == code
    assert cards.sign(cards.code_of("H4")) == "♥4"
    assert cards.sign(cards.code_of("J4")) == "J4"


@pytest.mark.nojit
def test_groups_of_cards() -> None:
    dice = random.Random("groups")
    for _ in range(300):
        names = dice.sample(twin.PACK, dice.randint(0, 40))
        codes = cards.parse(" ".join(names))
        counts = np.array(cards.counts_of(codes))
        assert ninepeak.names(counts) == Counter(names)
        assert cards.codes_of(counts) == codes == sorted(codes)
        assert cards.text(counts) == " ".join(twin.in_order(names))
        assert cards.size_of(counts) == len(names)
        assert [cards.card_at(counts, place) for place in range(len(codes))] == codes
        assert text.canonical_cards(" ".join(names)) == cards.text(counts)
        assert cards.parse(cards.signs(counts)) == codes


@pytest.mark.parametrize(
    "card", ["", "S", "1", "S10", "S7", "S0", "X1", "1S", "SS1", "JK", "S 1", "♠", "S１", "J"]
)
def test_unknown_cards(card: str) -> None:
    with pytest.raises(UserError, match=f"unknown card {re.escape(repr(card))}") as caught:
        cards.code_of(card)
    assert "a suit of S H D C, or J for a joker, then a number of 1 … 6" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


# ---- refusals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "seat", "reason"),
    [
        ("pass S2", None, "pass S2: not all of these cards are in the hand"),
        ("pass H2 H2 take S3", None, "pass H2 H2 take S3: not all of these cards are in the hand"),
        ("pass S1 S4 take S3", None, "pass S1 S4 take S3: not all of these cards are in the hand"),
        ("pass S1 H2 take S5", None, "pass S1 H2 take S5: ♠5 is not in the area"),
        ("pass S1 H2 take D3", None, "pass S1 H2 take D3: ♦3 is not in the area"),
        ("play 4: S4 H4 D4 D3", None, "play 4: D3 S4 H4 D4: not all of these cards are in the hand"),
        ("play 1: S1", None, "seat 0 may not play 1: S1: sets never shrink, so 2 or more"),
        ("play 2: S1 H2", None, "seat 0 may not play 2: S1 H2: not all of these cards can be used as 2 now"),
        ("play 5: S1 S1 H2 D3 J3", None, "not all of these cards can be used as 5 now"),
        ("play 3: D3 J3", None, "seat 0 may not play 3: D3 J3: 2 cards, where a set of 3 has 3"),
        ("play 3: S1 H2 D3 J3", None, "seat 0 may not play 3: S1 H2 D3 J3: 4 cards, where a set of 3 has 3"),
        ("keep", None, "seat 0 has to pass or play, not to keep"),
        ("release", None, "seat 0 has to pass or play, not to release"),
        ("pass S4", 1, "seat 1 is not to move, seat 0 is"),
        ("keep", 2, "seat 2 is not to move, seat 0 is"),
    ],
)
def test_a_refused_move_leaves_the_table_as_it_was(move: str, seat: int | None, reason: str) -> None:
    table = table_of()
    before = table.state.tobytes()
    with pytest.raises(IllegalMove) as caught:
        table.play(move, seat)
    assert reason in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert table.state.tobytes() == before
    if seat is None:
        assert not table.allows(move)


PLACES = 0b11  # the first two cards, S1 S1


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (0, "seat 0 may not pass: a pass puts one card, or two and takes one"),
        (PLACES, "seat 0 may not pass S1 S1: a pass puts one card, or two and takes one"),
        (0b111 | 1 << 32, "seat 0 may not pass S1 S1 H2 take S3: a pass puts one card, or two and takes one"),
        (0b1 | 1 << 32, "seat 0 may not pass S1 take S3: a pass puts one card, or two and takes one"),
        (1 << 5, f"seat 0 may not make move {1 << 5}: it names cards beyond the hand"),
        (1 << 25 | 1, f"seat 0 may not make move {1 << 25 | 1}: it names cards beyond the hand"),
        (
            PLACES | 6 << 32,
            f"seat 0 may not make move {PLACES | 6 << 32}: it takes a card that is not in the area",
        ),
        (PLACES | 127 << 32, "it takes a card that is not in the area"),
        (1 | 4 << 32, "it takes a card that is not in the area"),
        (1 << 26, "it is none of 9 Peak here"),
        (1 << 31 | 1, "it is none of 9 Peak here"),
        (1 << 44, f"seat 0 may not make move {1 << 44}: it is none of 9 Peak here"),
        (1 << 45, "it is none of 9 Peak here"),
        (1 << 62, "it is none of 9 Peak here"),
        (-1, "seat 0 may not make move -1: it is none of 9 Peak here"),
        (-(2**63), "it is none of 9 Peak here"),
        (2**63, f"{2**63} is no move"),
        (1 | 1 << 40, "seat 0 may not play 1: S1: sets never shrink, so 2 or more"),
        (PLACES | 2 << 40, "seat 0 may not play 2: S1 S1: not all of these cards can be used as 2 now"),
        (PLACES | 3 << 40, "seat 0 may not play 3: S1 S1: 2 cards, where a set of 3 has 3"),
    ],
)
def test_refused_numbers(move: int, reason: str) -> None:
    table = table_of()
    before = table.state.tobytes()
    with pytest.raises(IllegalMove) as caught:
        table.apply(move)
    assert reason in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert table.state.tobytes() == before


def strange(table: Table, seed: int) -> list[int]:
    legal = list(table.moves())
    moves = list(ninepeak.strange_moves(legal, random.Random(seed), 4000))
    return [move for move in moves if not ninepeak.allows(table, move)]


@pytest.mark.parametrize("asked", [False, True])
def test_every_refusal_is_one_line(asked: bool) -> None:
    table = table_of({"no_joker": "draw_to_hand"}, sets=[[], [], []])
    if asked:
        table.play("play 1: S1")
        assert table.legal() == ["keep", "release"]
    refused = strange(table, 5)
    assert len(refused) > 1000
    for move in refused:
        with pytest.raises(IllegalMove, match=r"^seat 0 may not ") as caught:
            table.apply(move)
        assert len(str(caught.value).splitlines()) == 1


def test_no_refusal_names_a_move_that_is_legal() -> None:
    """That would be no reason."""
    table = table_of()
    legal = set(table.legal())
    for move in [*strange(table, 6), 1 | 1 << 39, 0b11000 | 3 << 40 | 1 << 32]:
        said, _, reason = table.why_not(move).rpartition(": ")
        assert said not in legal, (move, reason)
        if said.startswith("pass"):
            assert "used as" not in reason, (move, said)


def test_why_a_question_is_refused() -> None:
    table = table_of({"no_joker": "draw_to_hand"}, sets=[[], [], []])
    table.play("play 1: S1")
    for move in ("pass S1", "play 1: S1"):
        with pytest.raises(IllegalMove, match=r"^seat 0 has to keep or release, not to (pass|play)$"):
            table.play(move)
    with pytest.raises(IllegalMove, match=re.escape("seat 0 may not make move 1: it is none of 9 Peak here")):
        table.apply(1)
    table.play("keep")
    assert "D6" in table.inspect()["hands"][0]


def test_a_match_that_is_over_takes_no_moves() -> None:
    table = table_of(hands=["S1", "", ""])
    table.play("pass S1")
    assert table.over
    with pytest.raises(IllegalMove, match=r"^the match is over$"):
        table.play("pass S1")
    with pytest.raises(IllegalMove, match=r"^the match is over$"):
        table.apply(1)
    assert table.legal() == []
    assert not table.allows("pass S1")
    assert text.verbs(table.state["view"]) == ()


# ---- for people -----------------------------------------------------------------------------------------


def test_positions_for_people() -> None:
    lines = table_of().describe().splitlines()
    assert lines[0] == "round 1; area: ♠3 ♥3 ♦5; peaks: 6; 63 cards in the stock"
    assert lines[1] == "> seat 0: hand ♠1 ♠1 ♥2 ♦3 J3; sets ♠2 ♦2 (2); won 0 card(s)"
    assert lines[2] == "  seat 1: hand ♠4 ♥4 ♦4; sets -; won 0 card(s)"
    assert len(lines) == 4
    over = table_of(hands=["S1", "", ""])
    over.play("pass S1")
    assert "; score " in over.describe().splitlines()[1]


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (0, "none"),
        (1, "1"),
        (1 << 12 | 1 | 2 << 18, "1·3·4·4"),
        (1 << 48 | 3 << 6, "2·2·2·9"),
        (63, "·".join("1" * 63)),
    ],
)
def test_shapes(key: int, shape: str) -> None:
    assert text.label_text("shape", key) == shape
    assert text.label_text("jokers_dealt", key) == str(key)
