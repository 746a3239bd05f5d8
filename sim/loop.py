"""The match loop, written once for all games; `sim.jit.specialise` compiles it against an engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import jit, rng
from sim.bots import PLAYER

engine: Any = None
"""The game's engine module; set in the copies that `specialise` makes."""

play_one: Any = None
"""`play_match`, as `specialise` made it for the same engine."""

call_bot: Any = jit.call
address_of: Any = jit.address_of
ask_bot: Any = None
"""The copy of `ask` that calls the bots at hand."""

PLAN = np.dtype(
    [
        ("seed", "i8"),
        ("first", "i8"),  # number of the first match; a multiple of `period`
        ("count", "i8"),
        ("period", "i8"),  # matches of a block: one deal, every rotation of the line-up
        ("players", "i8"),
    ],
    align=True,
)
"""Which matches to play."""

FAULT_FREE, ILLEGAL_MOVE = 0, 1

MATCHES, TIES, DECISIONS, BRANCHING, FIXED = 0, 1, 2, 3, 4
"""Columns of a row before the cells: then by (bot, seat) plays, wins, scores and the game's seat tally, then
the game's tally."""

CELL_ITEMS = 3
"""Plays, wins, scores."""


def columns(bots: int, players: int, seat_items: int, tally_size: int) -> int:
    """Return how many columns a row has."""
    return FIXED + (CELL_ITEMS + seat_items) * bots * players + tally_size


@jit.jit
def seat_bots(slots: Any, slot_of: Any, seed: int, match: int, turn: int) -> None:
    """Seat the line-up for a match: slot k at seat (k + turn) mod players, each seat with a fresh stream."""
    players = len(slot_of)
    for seat in range(players):
        slot = (seat - turn) % players
        slot_of[seat] = slot
        rng.open_stream(slots[slot]["stream"], seed, match, rng.SEAT, seat)


def scratch_of(game_state: Any) -> np.dtype[Any]:
    """Return the dtype of what a bot that is not ours is handed: copies, which it may spoil."""
    return np.dtype([("view", game_state.VIEW), ("rules", game_state.RULES), ("me", PLAYER)], align=True)


def ask(view: Any, rules: Any, me: Any, scratch: Any) -> int:
    """Return what a bot answers.

    Parameters
    ----------
    view : VIEW record
        Of the seat to move.
    rules : RULES record
    me : PLAYER record
    scratch : record of `scratch_of`
    """
    if me["trusted"]:
        return call_bot(me["address"], view, rules, me)
    # Copies: whatever the bot writes, the match goes by the rules, and it remembers nothing.
    scratch["view"] = view
    scratch["rules"] = rules
    scratch["me"] = me
    move = call_bot(me["address"], scratch["view"], scratch["rules"], scratch["me"])
    me["stream"] = scratch["me"]["stream"]
    return move


def play_match(
    state: Any, rules: Any, slots: Any, slot_of: Any, counts: Any, fault: Any, scratch: Any
) -> int:
    """Let the bots play a match that has begun to its end.

    Parameters
    ----------
    state : STATE record
    rules : RULES record
    slots : array of PLAYER
        Their streams are open.
    slot_of : int64 array, shape (players,)
        Who sits in each seat.
    counts : int64 array, shape (2,)
        Written: decisions, and legal moves of all of them together.
    fault, scratch
        As of `play_matches`, which tells the match.

    Returns
    -------
    int
        `FAULT_FREE` or `ILLEGAL_MOVE`.
    """
    view = state["view"]
    for slot in range(len(slots)):
        if slots[slot]["cheats"]:
            slots[slot]["table"] = address_of(state)
    decisions = 0
    branching = 0
    while view["seat"] >= 0:
        me = slots[slot_of[view["seat"]]]
        branching += engine.count_moves(view, rules)
        decisions += 1
        move = ask_bot(view, rules, me, scratch)
        if not engine.is_legal(view, rules, move):
            fault[1] = view["seat"]
            fault[2] = move
            return ILLEGAL_MOVE
        engine.apply(state, rules, move)
    counts[0] = decisions
    counts[1] = branching
    return FAULT_FREE


@jit.jit
def leave_chance(state: Any, rules: Any, stream: Any) -> None:
    """Draw nothing anew: the ``reshuffle`` of games whose engine has none."""


def play_matches(
    state: Any,
    rules: Any,
    slots: Any,
    plan: Any,
    rows: Any,
    scores: Any,
    labels: Any,
    fault: Any,
    scratch: Any,
) -> int:
    """Play matches; add what they count to `rows`, one row a block.

    Parameters
    ----------
    state : STATE record
        Scratch.
    rules : RULES record
    slots : array of PLAYER, shape (players,)
        The line-up; in match m slot k sits at seat (k + m mod period) mod players.
    plan : PLAN record
    rows : int64 array, shape (blocks, columns)
        Added to; a block's row is the sum over its matches, in integers, so any split adds up exactly.
    scores : int64 array, shape (matches, players)
        Written: the score of each seat.
    labels : int64 array, shape (matches, players, labels + 1), or (matches, players, 0) in a game without any
        Written: the game's labels of each seat, and its part of the win.
    fault : int64 array, shape (3,)
        Written: the match; on a fault also seat and move.
    scratch : record of `scratch_of`

    Returns
    -------
    int
        `FAULT_FREE` or `ILLEGAL_MOVE`.
    """
    players = plan["players"]
    seat_items = state["seat_tally"].shape[1]
    cells = (rows.shape[1] - FIXED - len(state["tally"])) // (CELL_ITEMS + seat_items)
    wins = np.zeros(players, np.int64)
    slot_of = np.zeros(players, np.int64)
    counts = np.zeros(2, np.int64)
    for i in range(plan["count"]):
        match = plan["first"] + i
        turn = match % plan["period"]
        row = rows[i // plan["period"]]
        seat_bots(slots, slot_of, plan["seed"], match, turn)
        fault[0] = match
        engine.start(state, rules, plan["seed"], match // plan["period"])
        code = play_one(state, rules, slots, slot_of, counts, fault, scratch)
        if code != FAULT_FREE:
            return code
        row[TIES] += engine.result(state, rules, wins, scores[i])
        if labels.shape[2] > 0:
            engine.label(state, rules, labels[i])
            for seat in range(players):
                labels[i, seat, labels.shape[2] - 1] = wins[seat]
        row[MATCHES] += 1
        row[DECISIONS] += counts[0]
        row[BRANCHING] += counts[1]
        for seat in range(players):
            cell = FIXED + slots[slot_of[seat]]["bot"] * players + seat
            row[cell] += 1
            row[cell + cells] += wins[seat]
            row[cell + 2 * cells] += scores[i, seat]
            for item in range(seat_items):
                row[cell + (CELL_ITEMS + item) * cells] += state["seat_tally"][seat, item]
        tally = FIXED + (CELL_ITEMS + seat_items) * cells
        for item in range(len(state["tally"])):
            row[tally + item] += state["tally"][item]
    return FAULT_FREE
