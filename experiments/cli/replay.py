"""One match of a run, told move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import bots, kernels, loop, registry
from sim.batch import Batch
from sim.table import Table


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
    slots = bots.players(batch.lineup, batch.draft.record(), batch.draft.label)
    slot_of = np.zeros(players, np.int64)
    loop.seat_bots(slots, slot_of, batch.seed, match, turn)
    while not table.over:
        slot = int(slot_of[table.to_move])
        move = _answer(batch, table, match, slot, slots[slot])
        yield table, move, batch.lineup[slot].name
        table.apply(move)


def _answer(batch: Batch, table: Table, match: int, slot: int, record: Any) -> int:
    """Return the legal move of the bot of a slot; of what it writes nothing is kept but its stream, as in a batch."""
    bot, view, me = batch.lineup[slot], table.state["view"], record.copy()
    if me["cheats"]:
        me["table"] = table.address()
    fault = np.array([match, table.to_move, 0])

    def ask() -> int:
        fault[2] = bots.compiled(bot)(table.view(), table.rules.copy(), me)
        is_legal = registry.find(bot.game).engine.is_legal(view, table.rules, int(fault[2]))
        return loop.FAULT_FREE if is_legal else loop.ILLEGAL_MOVE

    where = f"{batch.draft.label}, seed {batch.seed}, match"
    kernels.run(ask, table.state, table.rules, fault, where, lambda match, seat: (bot, record))
    record["stream"] = me["stream"]
    return int(fault[2])


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
