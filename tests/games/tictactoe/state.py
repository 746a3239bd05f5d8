"""The records of tic-tac-toe: it counts nothing and has no chance, so what a player sees is everything."""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label

RULES_VERSION = 1

CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
"""Names of the cells 0 … 8; a move is a cell."""

EVENTS: tuple[Event, ...] = ()
SEAT_EVENTS: tuple[Event, ...] = ()
TALLY_SIZE = 0
SEAT_TALLY_SIZE = 0

LABELS: tuple[Label, ...] = ()

SHARED_WINS = True

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move; -1 once the match is over
        ("marks", "i8", 2),  # cells of each seat, as a mask
        ("scores", "i8", 2),
    ],
    align=True,
)

STATE = np.dtype(
    [("view", VIEW), ("tally", "i8", TALLY_SIZE), ("seat_tally", "i8", (2, SEAT_TALLY_SIZE))], align=True
)

RULES = np.dtype([("players", "i8")], align=True)
