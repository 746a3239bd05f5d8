"""Cards, jokers and moves of Daifugō as text: read in any spelling, written in one, refused with a reason."""

from __future__ import annotations

import random

import pytest

from sim import cards
from sim.daifugo import notation, plays, text
from sim.errors import IllegalMove, UserError
from tests import support_daifugo as daifugo


@pytest.mark.parametrize(
    ("spelt", "written"),
    [
        ("play s9 h9", "play S9 H9"),
        ("play ♥T ♠10", "play S10 H10"),
        ("play jk H9", "play H9 JK"),
        ("play JK jk=♥t S9", "play S9 JK=H10 JK"),
        ("play JK=C4 jk=d<3 D3", "play D3 JK=D<3 JK=C4"),
        ("play JK=S>2 S2 JK=SA", "play S2 JK=SA JK=S>2"),
        ("  pass  ", "pass"),
        ("name jk t 3", "name 3 10 JK"),
        ("give C4 JK", "give C4 JK"),
        ("exchange JK JK", "exchange JK JK"),
        ("discard D3", "discard D3"),
    ],
)
def test_moves_in_any_spelling(spelt: str, written: str) -> None:
    assert text.canonical_move(spelt) == written
    assert text.canonical_move(written) == written


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("", "move '': unknown verb ''"),
        ("paly S3", "unknown verb 'paly'; did you mean 'play'"),
        ("put S3", "unknown verb 'put'"),
        ("pass it", "move 'pass it': unknown card 'it'"),
        ("play S1", "move 'play S1': unknown card 'S1'"),
        ("play S3 S3 S1", "unknown card 'S1'"),
        ("play JK=S1", "unknown card 'JK=S1': a joker stands for a suit of S H D C and a rank"),
        ("play JK=X3", "unknown card 'JK=X3'"),
        ("play JK=", "unknown card 'JK='"),
        ("play JK=S", "unknown card 'JK=S'"),
        ("play JK=S>3", "unknown card 'JK=S>3'"),
        ("play JK=JK", "unknown card 'JK=JK'"),
        ("name 1", "unknown rank '1' (one of 3 4 5 6 7 8 9 10 J Q K A 2 JK)"),
        ("name S3", "unknown rank 'S3'"),
    ],
)
def test_what_is_no_move(move: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        text.parse_move(move)
    assert not isinstance(caught.value, IllegalMove)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("play", "move 'play': names nothing"),
        ("name  ", "names nothing"),
        ("give", "names nothing"),
        ("pass S3", "move 'pass S3': a pass names no cards"),
        ("play S3 S3", "move 'play S3 S3': card S3 is named twice"),
        ("play JK JK=S3 JK", "3 jokers in 'JK JK=S3 JK': there are at most two"),
        ("name 3 T 10", "rank 10 is named twice in '3 T 10'"),
        ("name JK jk", "rank JK is named twice"),
    ],
)
def test_what_is_never_legal(move: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        text.parse_move(move)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.nojit
def test_every_joker_is_written_and_read_again() -> None:
    codes = [plays.BARE, *range(2, 2 + 4 * plays.PLACES)]
    dice = random.Random("codes")
    seen = set()
    for first in codes:
        for second in (0, *codes):
            naturals = cards.mask_of(dice.sample(range(52), dice.randint(0, 4)))
            high, low = max(first, second), min(first, second)
            move = daifugo.signed(naturals | high << plays.FIRST_CODE | low << plays.SECOND_CODE)
            names = notation.names(move)
            seen |= {name for name in names if name.startswith("JK")}
            dice.shuffle(names)
            assert notation.parse(" ".join(names)) == move
    assert len(seen) == 1 + 4 * plays.PLACES


def test_signs_are_for_people() -> None:
    move = notation.parse("S10 D3 JK=H>2 JK")
    assert notation.signs(move) == "♦3 ♠10 JK=♥>2 JK"
    assert notation.hand_signs(cards.mask_of(cards.parse("S10 D3")), 2) == "♦3 ♠10 JK JK"
    assert notation.hand_names(cards.mask_of(cards.parse("S10 D3")), 1) == "D3 S10 JK"
    assert notation.signs(notation.parse(notation.signs(move))) == notation.signs(move)
