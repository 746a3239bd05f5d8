"""Daifugō, engine and plain-Python twin side by side: same chance, same moves, same position at every step."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from sim import drafts
from sim.table import Table
from tests import support_daifugo as support
from tests.lockstep import daifugo_mixes
from tests.lockstep.daifugo_mixes import Played
from tests.reference import daifugo as twin

MIXES = 250
CHUNKS = 25
FEW = (1, 4, 11, 17, 26, 40)
"""A few short mixes that bring about every phase between them."""
GAMES = {"uecda": 6}
"""Of a shipped draft whose matches are long."""


@cache
def played(number: int) -> Played:
    return daifugo_mixes.play_mix(number)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lockstep(chunk: int) -> None:
    for number in range(MIXES)[chunk::CHUNKS]:
        came = played(number)
        assert came.events["plays"] + came.events["passes"] <= came.decisions <= came.events["branching"]


def test_the_mixes_bring_about_everything() -> None:
    """What the rules can do has been compared, and not only the simple things."""
    everything = [played(number) for number in range(MIXES)]
    seen = sum((one.events for one in everything), Counter[str]())
    assert {name for name in twin.EVENTS if not seen[name]} <= {"tenpen_chii"}
    assert set().union(*(one.phases for one in everything)) == support.ALL_PHASES
    mixes = [daifugo_mixes.mix(number).rules for number in range(MIXES)]
    for name, default in twin.DEFAULT_RULES.items():
        found = [rules.get(name, default) for rules in mixes]
        if isinstance(default, bool):
            assert min(found.count(True), found.count(False)) > 40, name
        else:
            assert len({str(value) for value in found}) > 1, name
    assert {rules["players"] for rules in mixes} == set(range(2, 9))


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", drafts.shipped("daifugo"))
def test_lockstep_of_the_shipped_drafts(name: str) -> None:
    changes = (f"rules.games={GAMES[name]}",) if name in GAMES else ()
    draft = drafts.load(f"daifugo/{name}", changes)
    phases = set()
    for number, taste in enumerate(("any", "no joker", "many cards")):
        # The largest seed there is, too.
        seed = 2**63 - 1 if number == 0 else number
        phases |= daifugo_mixes.play_draft(draft, seed, eager=number / 3, taste=taste).phases
    assert {"play", "exchange"} <= phases


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("number", FEW)
def test_lockstep_of_a_few(number: int) -> None:
    assert played(number).decisions > 0


def test_the_few_are_in_every_phase() -> None:
    assert set().union(*(played(number).phases for number in FEW)) == support.ALL_PHASES


def test_the_swap_of_hands_in_lockstep() -> None:
    """D42 is so rare in a match dealt at random that the hand is set up: one without a card above the ten."""
    rules = {"tenpen_chii": True, "miyako_ochi": True, "gekokujo": True, "jokers": 1}
    draft = support.draft_of(rules)
    fields = {
        "hands": ["SJ D3 H2", "S9 JK", "H9 HA", "S4 C5 C10"],
        "previous_places": [1, 2, 3, 4],
        "phase": "exchange",
    }
    for seed in range(30):
        table = Table.from_position(draft, fields, seed)
        settled = draft.tables()
        match = twin.Match.from_position(settled, support.Chance(settled["rules"], seed, 0), **fields)
        dice = random.Random(seed)
        while not table.over:
            move = dice.choice(daifugo_mixes.compare(table, match, f"swap, seed {seed}"))
            table.play(move)
            match.play(move)
            support.assert_conserved(table.state, draft)
        daifugo_mixes.compare(table, match, f"swap, seed {seed}, end")
        assert match.events["tenpen_chii"] == 1


@pytest.mark.boundscheck
@pytest.mark.parametrize("exchange", [[0, 1], [1, 2], [0, 3], [4, 4]])
@pytest.mark.parametrize("points", [[9, 4, 4, 1, -3, 7], [5, 4, 3, 2]])
def test_lockstep_of_odd_exchanges_and_of_points_for_more_places(
    exchange: list[int], points: list[int]
) -> None:
    draft = support.draft_of({"games": 4, "exchange": exchange, "place_points": points})
    for seed in range(3):
        daifugo_mixes.play_draft(draft, seed, eager=0.5, taste="any")


def test_mixes_are_run_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert daifugo_mixes.main(["1", "3"]) == 0
    assert capsys.readouterr().out.startswith("2 mixes agree: ")
