"""The pack: numbers, names, masks."""

from __future__ import annotations

import random

import pytest

from sim import cards
from sim.errors import TooMany, UserError


def test_numbers_follow_rank_then_suit() -> None:
    assert len(cards.NAMES) == len(set(cards.NAMES)) == cards.PACK_SIZE == 52
    for rank, rank_name in enumerate(["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]):
        for suit, suit_name in enumerate("SHDC"):
            number = 4 * rank + suit
            assert cards.NAMES[number] == suit_name + rank_name
            assert cards.SIGNS[number] == "♠♥♦♣"[suit] + rank_name
            assert cards.number_of(suit_name + rank_name) == number
    assert (cards.number_of("S3"), cards.number_of("C2")) == (0, 51)


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        (["S10", "ST", "♠10", "♠T", "s10", "st"], "S10"),
        (["HQ", "♥Q", "hq", "♥q"], "HQ"),
        (["D2", "♦2", "d2"], "D2"),
        (["CA", "♣A", "ca"], "CA"),
    ],
)
def test_spellings(spellings: list[str], name: str) -> None:
    assert {cards.NAMES[cards.number_of(text)] for text in spellings} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "S",
        "10",
        "S1",
        "S11",
        "XQ",
        "SQQ",
        "S 3",
        "S03",
        "ST0",
        "TT",
        "♠",
        "SHQ",
        "3S",
        "JOKER",
        "SHT",
        "S1T",
    ],
)
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(UserError) as caught:
        cards.number_of(text)
    message = str(caught.value)
    assert message.startswith(f"unknown card {text!r}")
    assert len(message.splitlines()) == 1
    assert "S H D C" in message


def test_the_nearest_card_is_named() -> None:
    with pytest.raises(UserError, match="did you mean 'H10'"):
        cards.number_of("H100")


def test_parse_keeps_the_order_and_refuses_doubles() -> None:
    assert [cards.NAMES[number] for number in cards.parse(" C2  S3\n♥10 ")] == ["C2", "S3", "H10"]
    assert cards.parse("") == cards.parse("  \n") == []
    for double in ("S3 S3", "S10 H4 ST", "♠3 s3"):
        with pytest.raises(TooMany, match="is named twice"):
            cards.parse(double)


def test_masks_and_texts_are_inverse() -> None:
    dice = random.Random(1)
    for _ in range(200):
        numbers = dice.sample(range(52), dice.randint(0, 52))
        mask = cards.mask_of(numbers)
        assert mask.bit_count() == len(numbers)
        assert cards.members(mask) == sorted(numbers)
        assert cards.parse(cards.text(mask)) == sorted(numbers)
        assert cards.parse(cards.signs(mask)) == sorted(numbers)
    assert (cards.text(0), cards.signs(0), cards.members(0)) == ("", "", [])
    assert cards.mask_of(range(52)) == cards.PACK


def test_suits_share_out_the_pack() -> None:
    masks = [cards.suit_mask(suit) for suit in range(4)]
    assert sum(masks) == cards.PACK
    for suit, mask in enumerate(masks):
        assert {cards.NAMES[number][0] for number in cards.members(mask)} == {"SHDC"[suit]}
        assert mask.bit_count() == 13
