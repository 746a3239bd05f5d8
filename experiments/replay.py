"""One match of a run, told move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import bots, loop, registry
from sim.batch import Batch
from sim.kernels import BotFault
from sim.table import IllegalMove, Table


def moves(batch: Batch, match: int) -> Iterator[tuple[Table, int, str]]:
    """Play match number `match` of a batch through the table, as the batch plays it.

    Yields
    ------
    table : Table
        Before the move; after the last one the match is over.
    move : int
    bot : str

    Raises
    ------
    BotFault
        If a bot breaks the contract.
    """
    players = batch.draft.players
    turn = match % batch.period
    table = Table(batch.draft, seed=batch.seed, deal=match // batch.period)
    slots = bots.players(batch.lineup, batch.draft.record())
    slot_of = np.zeros(players, np.int64)
    loop.seat_bots(slots, slot_of, batch.seed, match, turn)
    while not table.over:
        seat = table.to_move
        slot = int(slot_of[seat])
        bot = batch.lineup[slot]
        # Copies, as in a batch: a bot keeps nothing but its stream.
        me = slots[slot].copy()
        if me["cheats"]:
            me["table"] = table.address()
        move = int(bots.compiled(bot)(table.view(), table.rules.copy(), me))
        slots[slot]["stream"] = me["stream"]
        yield table, move, bot.name
        try:
            table.apply(move)
        except IllegalMove as error:
            raise BotFault(f"bot {bot.name!r} in match {match}: {error}") from None


def lines(batch: Batch, match: int) -> Iterator[str]:
    """Tell one match of a batch for people: who does what, the field, the points."""
    text = registry.find(batch.draft.game).text
    names = [batch.bot_at(match % batch.period, seat) for seat in range(batch.draft.players)]
    yield f"{batch.draft.label}, seed {batch.seed}, match {match}"
    last: tuple[Any, int] | None = None
    table = Table(batch.draft, seed=batch.seed, deal=match // batch.period)
    yield from text.opening(table.state)
    for table, move, _ in moves(batch, match):
        if last is not None:
            yield from text.narrate(*last, table.state, table.rules, names)
        last = (table.state.copy(), move)
    assert last is not None
    yield from text.narrate(*last, table.state, table.rules, names)
    found = table.inspect()
    winners = " and ".join(f"seat {seat} ({names[seat]})" for seat in found["winners"])
    yield ""
    yield f"{winners} win{'s' if len(found['winners']) == 1 else ' together'}; scores {found['scores']}"
