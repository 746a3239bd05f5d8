"""How long a bot takes for a decision, measured in a time that is bounded whatever the bot."""

from __future__ import annotations

import random
import time

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


def microseconds(draft: Draft, name: str, seconds: float = _SECONDS) -> float:
    """Return the time of a decision of a bot, in microseconds.

    A slow bot is asked at positions drawn from a match of the default bot; a fast one plays whole matches among its
    like, and the engine's part is counted too.

    Parameters
    ----------
    draft : Draft
    name : str
        Of the bot, as on the command line.
    seconds : float
        A slow bot is asked at so many positions of the match as take about this long.
    """
    bot = strategies.find(draft.game, name)
    alone = _asked(draft, bot, seconds)
    return 1e6 * (alone if alone > _SLOW else _among_its_like(draft, bot))


def _asked(draft: Draft, bot: Bot, seconds: float) -> float:
    """Return the seconds of a decision, from positions drawn in a random order until time is up."""
    positions = _positions(draft)
    random.Random(1).shuffle(positions)
    decide, me = bots.compiled(bot), bots.players([bot], draft.record())[0]
    rng.open_stream(me["stream"], 1, 0, rng.SEAT, 0)
    total, count = 0.0, 0
    for table in positions:
        view = table.view()
        me["table"] = table.address() if me["cheats"] else 0
        began = time.perf_counter()
        decide(view, table.rules, me)
        total += time.perf_counter() - began
        count += 1
        if total > seconds:
            break
    return total / count


def _positions(draft: Draft) -> list[Table]:
    """Return the positions of a match of the default bot."""
    player = strategies.find(draft.game, strategies.default(draft.game))
    decide, me = bots.compiled(player), bots.players([player], draft.record())[0]
    rng.open_stream(me["stream"], 1, 0, rng.SEAT, 0)
    table = Table(draft, seed=1)
    found = []
    while not table.over:
        found.append(table.copy())
        table.apply(int(decide(table.view(), table.rules, me)))
    return found


def _among_its_like(draft: Draft, bot: Bot) -> float:
    batch = Batch(draft, [bot] * draft.players, 1, fixed_seats=True)
    batch.warm_up()
    count, seconds, decisions = 1, 0.0, 1
    while seconds < _SECONDS / 2:
        began = time.perf_counter()
        rows = batch.play(0, count).rows
        seconds = time.perf_counter() - began
        decisions = int(np.sum(rows[:, DECISIONS]))
        count *= 4
    return seconds / decisions
