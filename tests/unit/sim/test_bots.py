"""Bots in a batch: plain Python plays like compiled code, and who breaks the contract is named."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
import pytest

from sim import batch, drafts, kernels
from sim.batch import Batch
from sim.bots import Bot
from sim.kernels import BotFault
from strategies import registry as strategies
from tests import support

BASE = drafts.load("uplink/v1.1")
FOUR = "random,first,random,first"


def lineup(text: str) -> list[Bot]:
    return strategies.lineup("uplink", len(text.split(",")), text)


@pytest.mark.nojit
@pytest.mark.parametrize("which", [(0,), (1, 2), (0, 1, 2, 3)])
def test_bots_in_plain_python_play_the_same_matches(which: tuple[int, ...]) -> None:
    line = lineup(FOUR)
    plain = [dataclasses.replace(bot, jitted=slot not in which) for slot, bot in enumerate(line)]
    wanted = batch.run([Batch(BASE, line, 7)], 30, threads=2).totals[0]
    assert support.same_totals(wanted, batch.run([Batch(BASE, plain, 7)], 30, threads=2).totals[0])


def test_line_ups_in_plain_python_leave_nothing_behind() -> None:
    line = [dataclasses.replace(bot, jitted=False) for bot in lineup(FOUR)]
    Batch(BASE, line, 7)
    before = len(kernels._python_bots)
    for seed in range(5):
        Batch(BASE, line, seed)
    assert len(kernels._python_bots) == before


SAMPLE = """
import json
from sim import drafts, jit
from sim.batch import Batch
from strategies import registry
line = registry.lineup("uplink", 4, "random,first,random,first")
rows, scores = Batch(drafts.load("uplink/personal-decks"), line, 9).play(0, 12)[:2]
print(json.dumps([jit.DISABLED, rows.tolist(), scores.tolist()]))
"""


def test_the_same_matches_compiled_and_as_plain_python() -> None:
    compiled, plain = (
        json.loads(support.run_python(SAMPLE, NUMBA_DISABLE_JIT=value)) for value in (None, "1")
    )
    assert (compiled[0], plain[0]) == (False, True)
    assert compiled[1:] == plain[1:]


def _no_move(view: Any, rules: Any, me: Any) -> int:
    return 0


def _python_cheat(view: Any, rules: Any, me: Any) -> int:
    return 3 if view["trick"] == 2 else int(view["choices"]) & -int(view["choices"])


def _python_fails(view: Any, rules: Any, me: Any) -> int:
    raise RuntimeError("broken\nin two lines")


@pytest.mark.parametrize(("decide", "move"), [(_no_move, 0), (_python_cheat, 3)], ids=["compiled", "plain"])
def test_an_illegal_move_names_bot_seat_and_match(decide: Any, move: int) -> None:
    cheat = Bot("cheat", "uplink", decide, jitted=move == 0)
    first = dataclasses.replace(lineup("first,first")[0], jitted=move == 0)
    the_batch = Batch(BASE, [first, cheat, first, first], 12)
    with pytest.raises(BotFault) as caught:
        batch.run([the_batch], 40, threads=2)
    message = str(caught.value)
    assert "bot 'cheat' in seat 1" in message
    assert "seed 12, match 0" in message
    line = decide.__code__.co_firstlineno
    assert (
        f"answered {move}, which is not a legal move (tests/unit/sim/test_bots.py:{line}); legal: " in message
    )
    legal = message.partition("legal: ")[2]
    assert legal == {
        0: "8 (put C3), 16384 (put D6), 65536 (put S7), 1048576 (put S8), 268435456 (put S10), 274877906944 (put DQ)"
    }.get(move, "65536 (play S7), 1048576 (play S8), 268435456 (play S10), 274877906944 (play DQ)")
    with pytest.raises(BotFault, match=r"match 6: bot 'cheat' in seat 3"):
        the_batch.play(6, 1)  # period 4: two seats on
    assert len(message.splitlines()) == 1


def test_an_exception_names_the_matches_and_is_one_line() -> None:
    bot = Bot("fails", "uplink", _python_fails, jitted=False)
    with pytest.raises(BotFault) as caught:
        Batch(BASE, [bot] * 4, 12).play(3, 2)
    line = _python_fails.__code__.co_firstlineno + 1
    assert re.fullmatch(
        rf".*seed 12, match 3: bot 'fails' in seat 0 failed at \S*test_bots\.py:{line} \(raise RuntimeError.*\): "
        "RuntimeError: broken in two lines",
        str(caught.value),
    )


def test_a_bot_in_plain_python_cannot_change_the_match() -> None:
    def meddles(view: Any, rules: Any, me: Any) -> int:
        move = int(support.ENGINE.nth_move(view, rules, 0))
        view["scores"][:] = 999
        view["hand"] = 0
        view["choices"] = 0
        return move

    first = dataclasses.replace(lineup("first,first")[0], jitted=False)
    _, wanted = Batch(BASE, [first] * 4, 1).play(0, 4)[:2]
    _, came = Batch(BASE, [Bot("meddles", "uplink", meddles, jitted=False)] * 4, 1).play(0, 4)[:2]
    assert np.array_equal(wanted, came)
