"""How long a bot takes for a decision, measured in a time that is bounded whatever the bot."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np

from sim import bots, rng
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft
from sim.loop import DECISIONS
from sim.table import Table
from strategies import registry as strategies

_SECONDS = 0.2
_SLOW = 100e-6
"""A decision longer than this is measured by itself; what is shorter drowns in Python's own time."""

_PATIENCE = 10
"""Times so long by the wall clock a measurement may take on a busy machine."""

Clock = Callable[[], float]


def microseconds(
    draft: Draft, name: str, seconds: float = _SECONDS, *, clock: Clock = time.thread_time
) -> float:
    """Return the time of a decision of a bot, in microseconds of this thread: others on the machine do not count.

    A slow bot is asked at positions drawn from a match of the default bot; a fast one plays whole matches among its
    like, and the engine's part is counted too.

    Parameters
    ----------
    name : str
        Of the bot, as on the command line.
    seconds : float
        A slow bot is asked at so many positions of the match as take about this long.
    clock : callable
        Tells the seconds that this thread has worked.
    """
    bot = strategies.find(draft.game, name)
    alone = _asked(draft, bot, seconds, clock)
    return 1e6 * (alone if alone > _SLOW else _among_its_like(draft, bot, clock))


def _asked(draft: Draft, bot: Bot, seconds: float, clock: Clock) -> float:
    """Return the seconds of a decision, from positions drawn in a random order until time is up."""
    positions = _positions(draft)
    random.Random(1).shuffle(positions)
    decide, me = bots.compiled(bot), bots.players([bot], draft.record(), draft.label)[0]
    rng.open_stream(me["stream"], 1, 0, rng.SEAT, 0)
    total, count, end = 0.0, 0, time.monotonic() + _PATIENCE * seconds
    for table in positions:
        view = table.view()
        me["table"] = table.address() if me["cheats"] else 0
        began = clock()
        decide(view, table.rules, me)
        total += clock() - began
        count += 1
        if total > seconds or time.monotonic() > end:
            break
    return total / count


def _positions(draft: Draft) -> list[Table]:
    """Return the positions of a match of the default bot."""
    player = strategies.find(draft.game, strategies.default(draft.game))
    decide, me = bots.compiled(player), bots.players([player], draft.record(), draft.label)[0]
    rng.open_stream(me["stream"], 1, 0, rng.SEAT, 0)
    table = Table(draft, seed=1)
    found = []
    while not table.over:
        found.append(table.copy())
        table.apply(int(decide(table.view(), table.rules, me)))
    return found


def _among_its_like(draft: Draft, bot: Bot, clock: Clock) -> float:
    batch = Batch(draft, [bot] * draft.players, 1, fixed_seats=True)
    batch.warm_up()
    count, seconds, decisions = 1, 0.0, 1
    end = time.monotonic() + _PATIENCE * _SECONDS
    while seconds < _SECONDS / 2 and time.monotonic() < end:
        began = clock()
        rows = batch.play(0, count).rows
        seconds = clock() - began
        decisions = int(np.sum(rows[:, DECISIONS]))
        count *= 4
    return seconds / decisions
