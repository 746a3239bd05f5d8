"""9 Peak, engine and plain-Python twin side by side: same chance, same moves, same position at every step."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim import drafts
from sim.jit import jit
from sim.table import Table
from tests import support_ninepeak as support
from tests.lockstep import ninepeak_mixes
from tests.lockstep.ninepeak_mixes import Played
from tests.reference import ninepeak as twin

MIXES = 300
CHUNKS = 15
FEW = (22, 28, 64, 74, 94, 155, 286)
"""A few short mixes that bring about all but the rarest between them."""

EVERYTHING = {
    "pass one", "pass two", "play", "keep", "release", *(f"set of {size}" for size in range(1, 10)),
    "takes a card just put", "takes a card that lay there", "takes of a peaked number", "puts of a peaked number",
    "wins by a peak", "two peaks at once", "falls back", "wins of a number it takes from", "jokers won",
    "peaks at set-up", "a card turned for its peak", "a card let go for its peak", "no card to turn",
    "a card turned at the very end", "kept by an empty hand", "out by a pass", "out by a play",
    "same size again", "by width", "below its number", "a joker in a set", "no set", "cards left", "a tie",
    "more than one round", "peak cards that cannot be split", "fixed", "recolour", "no joker per_set",
    "no joker flat", "less than nothing",
}  # fmt: skip


RARE = "two peaks at once"


@cache
def played(number: int) -> Played:
    return ninepeak_mixes.play_mix(number)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lockstep(chunk: int) -> None:
    for number in range(MIXES)[chunk::CHUNKS]:
        came = played(number)
        assert (
            came.seen["play"] + came.seen["pass one"] + came.seen["pass two"]
            <= came.decisions
            <= came.branching
        )


def test_the_mixes_bring_about_everything() -> None:
    """What the rules can do has been compared, and not only the simple things."""
    seen = sum((played(number).seen for number in range(MIXES)), Counter[str]())
    assert set(seen) == EVERYTHING
    assert {name for name in EVERYTHING if seen[name] < 5} <= {RARE}
    mixes = [ninepeak_mixes.mix(str(number)) for number in range(MIXES)]
    for name, values in twin.CHOICES.items():
        found = [({**each["rules"], **each["scoring"]})[name] for each in mixes]
        assert min(found.count(value) for value in values) > 40, name


@pytest.mark.boundscheck
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", drafts.shipped("ninepeak"))
def test_lockstep_of_the_shipped_drafts(name: str, players: int) -> None:
    draft = drafts.load(f"ninepeak/{name}", (f"rules.players={players}",))
    seen: Counter[str] = Counter()
    for number in range(4):
        # The largest seed there is, too.
        seen += ninepeak_mixes.play_draft(draft, 2**63 - 1 if number == 0 else number, number).seen
    assert seen["play"] > 0
    assert seen["pass one"] + seen["pass two"] > 0
    assert (seen["keep"] > 0) == (name == "draft12-draw")


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("number", FEW)
def test_lockstep_of_a_few(number: int) -> None:
    assert played(number).decisions > 0


def test_the_few_hold_nearly_all_of_it() -> None:
    assert set().union(*(played(number).seen for number in FEW)) == EVERYTHING - {RARE}


def test_mixes_are_run_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert ninepeak_mixes.main(["1", "3"]) == 0
    assert capsys.readouterr().out.startswith("2 mixes agree: ")


# ---- positions ------------------------------------------------------------------------------------------


def position(dice: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (options, fields) of a position in the middle, with sets, peaks, hands of any size and any stock.

    Two numbers are often one card short of their peaks.
    """
    options = ninepeak_mixes.mix(str(dice.random()))
    players = options["rules"]["players"]
    left = dice.sample(twin.PACK, len(twin.PACK))

    def some(most: int) -> list[str]:
        return [left.pop() for _ in range(min(dice.randint(0, most), len(left)))]

    hands = [some(9) for _ in range(players)]
    hands[0] = hands[0] or [left.pop()]
    area: list[str] = []
    for number in dice.sample(twin.NUMBERS, dice.choice([0, 2, 2])):
        area += [card for card in left if card[1] == str(number)][: 8 - number]
    for card in area:
        left.remove(card)
    fields: dict[str, Any] = {
        "hands": [" ".join(hand) for hand in hands],
        "to_move": dice.choice([seat for seat in range(players) if hands[seat]]),
        "sets": [
            [" ".join(cards) for cards in (some(9) for _ in range(dice.randint(0, 2))) if cards]
            for _ in hands
        ],
    }
    area += some(6)
    reached = [n for n in twin.NUMBERS if n + sum(card[1] == str(n) for card in area) >= 9]
    fields |= {
        "area": " ".join(area),
        "peaks": [n for n in twin.NUMBERS if n in reached or dice.random() < 0.2],
        "stock": " ".join(some(4)),
        "won": [0] * players,
    }
    for _ in range(len(left) if dice.random() < 0.5 else dice.randint(0, len(left))):
        fields["won"][dice.randrange(players)] += 1
    return options, fields


@pytest.mark.parametrize("chunk", range(4))
def test_lockstep_from_positions(chunk: int) -> None:
    """From the middle of matches that hardly ever come about: large sets beside small hands, peaks all over."""
    dice = random.Random(f"positions {chunk}")
    seen: Counter[str] = Counter()
    for number in range(60):
        options, fields = position(dice)
        table = Table.from_position(support.draft_of(**options), fields, number)
        tastes = [ninepeak_mixes.Taste.draw(dice) for _ in fields["hands"]]
        match = support.twin_of(table)
        # Aside lies what was won, no matter which cards; the rest is the stock, in its order.
        assert len(match.discarded) == sum(fields["won"])
        assert table.inspect()["stock"][: len(fields["stock"].split())] == fields["stock"].split()
        seen += ninepeak_mixes.play(table, match, tastes, f"{fields}, seed {number}").seen
    assert {
        "play",
        "out by a play",
        "falls back",
        "takes of a peaked number",
        "same size again",
    } <= seen.keys()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_way_to_share_unplaced_peak_cards(players: int) -> None:
    """P15, for any number of them, and any seats that are out."""
    draft = support.draft_of({"players": players}, {"unplaced_peak_vp": 10})
    shares = set()
    for left, out in itertools.product(range(7), range(1, 2**players)):
        cards = ["S1", "H1", "D1", "C1", "S2"][:players]
        hands = [card if out >> seat & 1 else f"{card} {card}" for seat, card in enumerate(cards)]
        fields = {"hands": hands, "peaks": list(twin.NUMBERS)[left:]}
        table = Table.from_position(draft, fields)
        match = support.twin_of(table)
        for card in cards:
            table.play(f"pass {card}")
            match.apply(f"pass {card}")
        assert match.over
        where = f"{left} peak cards, out {out:b}"
        ninepeak_mixes.compare(table, match, where)
        came = table.inspect()["vp"]["vp_unplaced_peaks"]
        # Said once more, by arithmetic.
        among = [seat for seat in range(players) if out >> seat & 1]
        wanted = [0] * players
        for turn, seat in enumerate(among):
            wanted[seat] = 10 * (left // len(among) + (turn < left % len(among)))
        assert came == wanted, where
        shares.add(tuple(came))
    assert len(shares) > 20


# ---- numbers of moves -----------------------------------------------------------------------------------


@jit
def _check_all(engine_nth: Any, engine_is_legal: Any, view: Any, rules: Any, moves: Any) -> int:
    """Write all moves in their order; return how many of them are legal."""
    legal = 0
    for number in range(len(moves)):
        moves[number] = engine_nth(view, rules, number)
        legal += 1 if engine_is_legal(view, rules, moves[number]) else 0
    return legal


@pytest.mark.parametrize(
    ("hands", "more", "count"),
    [
        # Everything is anything: 26 passes of one, 325 pairs and two to take; sets of one to nine among 26.
        (26, {"peaks": [1, 2, 3, 4, 5, 6]}, 26 + 325 * 2 + 5_658_536),
        (26, {"peaks": [2, 4, 6], "area": "H1 D1 C1 D3 C3 H5"}, None),
        (13, {"area": "H1 D1 C1 D2 C2 D3 C3 J4 H5"}, None),
        (2, {"area": "H1 D1 C1 D2 C2 D3 C3 J4 H5"}, None),
        (1, {}, 1 + 1),
    ],
)
def test_moves_are_numbered_without_a_gap_or_a_repetition(
    hands: int, more: dict[str, Any], count: int | None
) -> None:
    rest = Counter(twin.PACK)
    rest.subtract(more.get("area", "").split())
    cards = twin.in_order(rest.elements())
    hand = cards[:: len(cards) // hands][:hands]
    fields = {"hands": [" ".join(hand), "", ""], **more}
    table = Table.from_position(support.draft_of({"players": 3}), fields)
    wanted = support.twin_of(table).count_legal()
    assert table.count_moves() == wanted
    assert count in (None, wanted)
    moves = np.zeros(wanted, np.int64)
    engine = support.ENGINE
    legal = _check_all(engine.nth_move, engine.is_legal, table.state["view"], table.rules, moves)
    assert legal == wanted == len(np.unique(moves))
