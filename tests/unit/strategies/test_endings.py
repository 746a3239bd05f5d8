"""Endings in which nothing is hidden: searching players do what an exact solution says; and what is not seen does not branch."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sim import bots, drafts, rng
from sim.drafts import Draft
from sim.jit import jit, specialise
from sim.table import Table
from strategies import endings, search, tree
from strategies import registry as strategies
from tests.unit.strategies.test_search import after, choice, lead

PLAYERS = ["search:100", "ismcts:100"]


def value_of(table: Table, seat: int, memo: dict[bytes, tuple[float, ...]]) -> tuple[float, ...]:
    """Return what every player ends with if all do what is best for themselves, by trying everything."""
    if table.over:
        return tuple(float(score) for score in table.inspect()["scores"])
    key = b"".join(
        table.state[name].tobytes() for name in ("view", "hands", "jokers") if name in table.state.dtype.names
    )
    if key not in memo:
        mover = table.to_move
        found = (value_of(after(table, move), seat, memo) for move in table.moves())
        memo[key] = max(found, key=lambda end: lead(end, mover))
    return memo[key]


def open_endings(draft: Draft, most: int, wanted: int) -> Iterator[tuple[Table, dict[int, float]]]:
    """Yield tables at which so few cards are left, with what each move is worth; only where it matters which."""
    opening = search.searched(draft.game)
    assert opening is not None
    seed = 0
    while wanted > 0:
        seed += 1
        table, dice = Table(draft, seed=seed), random.Random(seed)
        while not table.over:
            view = table.view()
            few = view["held"][: draft.players].sum() <= most and table.count_moves() > 1
            if few and opening.opening(view, table.rules) != endings.HIDDEN:
                break
            usual = choice("heuristic", table, seed)
            table.apply(usual if dice.random() < 0.7 else dice.choice(list(table.moves())))
        if table.over:
            continue
        memo: dict[bytes, tuple[float, ...]] = {}
        seat = table.to_move
        values = {move: lead(value_of(after(table, move), seat, memo), seat) for move in table.moves()}
        if len(set(values.values())) > 1:
            wanted -= 1
            yield table, values


SOLVED = [
    ("uplink/personal-decks", ["rules.players=2", "rules.games=1", "rules.hand_size=12"], 5, 10),
    ("uplink/personal-decks", ["rules.players=3", "rules.games=1", "rules.hand_size=12"], 5, 6),
    ("daifugo/plain", ["rules.players=2", "rules.games=1"], 7, 12),
    ("daifugo/author", ["rules.players=2", "rules.games=1"], 7, 12),
]


@pytest.mark.parametrize(("name", "changes", "most", "wanted"), SOLVED)
def test_open_endings_are_played_as_solved(name: str, changes: list[str], most: int, wanted: int) -> None:
    for table, values in open_endings(drafts.load(name, changes), most, wanted):
        best = max(values.values())
        for player in PLAYERS:
            move = choice(player, table)
            assert values[move] == best, (table.describe(), table.move_text(move))


def test_the_last_turns_of_nine_peak_are_played_as_solved() -> None:
    """Two players still hold cards, and the stock is gone: what the last player does can be foreseen."""
    draft = drafts.load("ninepeak/draft11", ["rules.players=3"])
    position = {
        "hands": ["", "S1 H2 H2", "S4 S4 H4 D5 C5 S6"],
        "area": "C4 C5 D2",
        "sets": [[], [], ["S2 H2"]],
        "to_move": 1,
        "won": [20, 24, 20],  # so many that no stock is left
    }
    table = Table.from_position(draft, position)
    known = search.searched("ninepeak")
    assert known is not None
    assert known.opening(table.view(), table.rules) == endings.MORE
    memo: dict[bytes, tuple[float, ...]] = {}
    values = {move: lead(value_of(after(table, move), 1, memo), 1) for move in table.moves()}
    assert len(set(values.values())) > 1
    for player in PLAYERS:
        assert values[choice(player, table)] == max(values.values())


OPENED = [
    ("uplink/personal-decks", ["rules.games=1", "rules.hand_size=12"]),
    ("daifugo/author", ["rules.games=2"]),
    ("daifugo/hometown", ["rules.games=2"]),
]


@pytest.mark.parametrize(("name", "changes"), OPENED)
def test_a_position_is_open_only_if_a_re_deal_has_one_outcome(name: str, changes: list[str]) -> None:
    draft = drafts.load(name, changes)
    known = search.searched(draft.game)
    assert known is not None
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, 1, 0, rng.REST, 0)
    opened = 0
    for seed in range(20):
        table, other = Table(draft, seed=seed), Table(draft, seed=seed)
        while not table.over:
            view = table.view()
            if known.opening(view, table.rules) != endings.HIDDEN:
                opened += 1
                for _ in range(5):
                    known.engine.redeal(view, table.rules, stream, other.state)
                    for field in {"hands", "jokers", "put"} & set(table.state.dtype.names):
                        assert np.array_equal(other.state[field], table.state[field])
            table.apply(choice("random", table, seed))
    assert opened > 0


def test_an_ending_that_is_too_long_is_searched_as_ever() -> None:
    draft = drafts.load("daifugo/plain", ["rules.players=2", "rules.games=1"])
    table = Table(draft, seed=3)
    known = search.searched("daifugo")
    assert known is not None
    assert known.opening(table.view(), table.rules) == endings.TWO
    assert choice("search:20", table) in list(table.moves())


# ---- what is not seen -----------------------------------------------------------------------------------


def test_what_others_do_unseen_does_not_branch_in_the_tree() -> None:
    """Of Uplink's first field only the searcher's own card is a move of the tree; all that is played openly is."""
    known = search.searched("uplink")
    assert known is not None
    table = Table(drafts.load("uplink/v1.1", ["rules.games=1"]), seed=4)
    branched: list[tuple[int, int]] = []

    def pick(nodes: Any, parent: int, moves: Any, count: int, usual: int, explore: float) -> Any:
        branched.append((int(states[1]["view"]["phase"]), int(states[1]["view"]["seat"])))
        return tree._pick(nodes, parent, moves, count, usual, explore)

    names: dict[str, Any] = {
        "engine": known.engine,
        "policy": jit(known.decide),
        "value": known.value,
        "shorten": known.shorten,
        "unseen": known.unseen,
        "allowed": lambda never, view, rules, moves, count: count,
        "_pick": pick,
    }
    names["candidates"] = specialise(search.few_or_some, "uplink", **names)
    names["play_on"] = specialise(search.play_out, "uplink", **names)
    names["deal"] = specialise(search.deal_unseen, "uplink_seen", **names)
    grow = specialise(tree.grow, "uplink_seen", compiled=False, **names)
    bot = strategies.find("uplink", "ismcts:iterations=60:ripe=0")
    me = bots.players([bot], table.rules)[0]
    rng.open_stream(me["stream"], 1, 0, rng.SEAT, 0)
    states = np.zeros(2, table.state.dtype)
    models = search.model_of(me)
    grow(table.view(), table.rules, me, states, models)
    put = known.state.PUT
    assert {seat for phase, seat in branched if phase == put} == {table.to_move}
    assert {seat for phase, seat in branched if phase != put} - {table.to_move}
