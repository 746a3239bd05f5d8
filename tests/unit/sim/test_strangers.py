"""Bots that are not the lab's own: whatever they write, the match goes by the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim import batch
from sim.batch import Batch
from sim.bots import Bot
from sim.kernels import BotFault
from sim.uplink import engine
from strategies import registry as strategies
from tests import support

DRAFT = support.draft_of({})


def meek(view: Any, rules: Any, me: Any) -> int:
    """Take the first legal move."""
    return engine.nth_move(view, rules, 0)


def scribbler(view: Any, rules: Any, me: Any) -> int:
    """Take the first legal move, and write over everything that is in reach."""
    move = engine.nth_move(view, rules, 0)
    for seat in range(4):
        view["scores"][seat] = 999
        view["piles"][seat] = 0
    view["choices"] = 0
    view["hand"] = 0
    view["seat"] = 3
    rules["pair_points"] = 500
    rules["least"] = 7
    me["bot"] = 5000
    me["address"] = 1
    return move


def forger(view: Any, rules: Any, me: Any) -> int:
    """Play the ace of spades whether or not it is in the hand."""
    view["choices"] = (1 << 52) - 1
    view["pick"] = 1
    return 1 << 44


def rememberer(view: Any, rules: Any, me: Any) -> int:
    """Count its own decisions in its parameters, and play by them."""
    me["params"][0] += 1.0
    return engine.nth_move(view, rules, int(me["params"][0]) % engine.count_moves(view, rules))


each_way = pytest.mark.parametrize("jitted", [True, False])


def scores_of(decide: Callable[..., int], jitted: bool, first: int = 0, count: int = 8) -> Any:
    return Batch(DRAFT, [Bot(decide.__name__, "uplink", decide, jitted=jitted)] * 4, 5).play(first, count)[1]


@each_way
def test_what_a_bot_writes_changes_nothing(jitted: bool) -> None:
    assert np.array_equal(scores_of(scribbler, jitted), scores_of(meek, jitted))


@each_way
def test_a_move_is_judged_by_the_real_view(jitted: bool) -> None:
    with pytest.raises(BotFault, match="not a legal move"):
        scores_of(forger, jitted)


@each_way
def test_parameters_are_no_memory(jitted: bool) -> None:
    # Whatever was played before in the same part, a match comes out the same.
    whole = scores_of(rememberer, jitted)
    assert np.array_equal(whole[5:], scores_of(rememberer, jitted, 5, 3))


def test_the_labs_own_bots_are_handed_the_record_itself() -> None:
    ours = strategies.lineup("uplink", 4, "greedy")
    strangers = [Bot(bot.name, "uplink", meek) for bot in ours]
    assert [int(slot["trusted"]) for slot in batch.bots.players(ours, None)] == [1] * 4
    assert [int(slot["trusted"]) for slot in batch.bots.players(strangers, None)] == [0] * 4
