"""What the bots of 9 Peak promise: `greedy` takes most VP at once, `heuristic` goes out when that pays."""

from __future__ import annotations

import pytest

from sim import bots, drafts, rng
from sim.drafts import Draft
from sim.table import Table
from strategies import registry as strategies
from tests.reference.ninepeak import parse, points_of_set

PEAK = 9


def choice(name: str, table: Table) -> str:
    bot = strategies.find("ninepeak", name)
    record = bots.players([bot], table.rules)[0]
    rng.open_stream(record["stream"], 1, 0, rng.SEAT, 0)
    return table.move_text(int(bots.compiled(bot)(table.view(), table.rules, record)))


def gain(table: Table, text: str) -> int:
    """Return the VP that a move brings at once, by the cards alone."""
    scoring = table.draft.tables()["scoring"]
    move = parse(text)
    if move.kind == "play":
        return points_of_set(list(move.cards), scoring)
    seen = table.inspect()
    area = [*seen["area"].split(), *move.cards]
    if move.taken:
        area.remove(move.taken)
    widths = {number: sum(card[1] == str(number) for card in area) for number in range(1, 7)}
    peaks = [n for n, width in widths.items() if n + width >= PEAK and n not in seen["peaks"]]
    return int(scoring["peak_card_vp"] * sum(widths[number] for number in peaks))


@pytest.mark.parametrize("name", drafts.shipped("ninepeak"))
def test_no_move_brings_more_at_once_than_that_of_greedy(name: str) -> None:
    draft = drafts.load(f"ninepeak/{name}")
    looked = 0
    for deal in range(16):
        table = Table(draft, seed=9, deal=deal)
        while not table.over:
            move = choice("greedy", table)
            if not table.inspect()["turned"] and table.count_moves() < 600:
                looked += 1
                best = max(gain(table, text) for text in set(table.legal()))
                assert gain(table, move) == best, table.describe()
            table.play(move)
    assert looked > 40


def emptied(early_finish: str, last_round: bool) -> Table:
    """A player has just put down the last cards and is asked about the card turned up."""
    draft: Draft = drafts.load(
        "ninepeak/draft12-draw", ["rules.players=3", f'scoring.early_finish="{early_finish}"']
    )
    hands = ["", "S2 H2", "C5 C5 C5"] if last_round else ["S3 H3", "S2 H2", "C5 C5 C5"]
    table = Table.from_position(draft, {"hands": hands, "to_move": 1, "stock": "D4", "area": "C1"})
    table.play("play 2: S2 H2")
    return table


@pytest.mark.parametrize("early_finish", ["fixed", "peak_cards", "none"])
def test_an_emptied_hand_is_not_filled_in_the_last_round(early_finish: str) -> None:
    assert choice("heuristic", emptied(early_finish, True)) == "release"


def test_an_emptied_hand_goes_out_where_that_pays_more_than_a_card() -> None:
    assert choice("heuristic", emptied("fixed", False)) == "release"
    assert choice("heuristic", emptied("none", False)) == "keep"
