"""The records of One swap."""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label
from sim.rng import STREAM

RULES_VERSION = 1

MAX_CARDS = 13

KEEP, SWAP = 0, 1
"""Moves."""

OWN, DEALER, TABLE = 0, 1, 2
"""Whose each card from the top of the pack is."""

EVENTS = (Event("swaps", title="Swaps"),)
SEAT_EVENTS: tuple[Event, ...] = ()
TALLY_SIZE = 1
SEAT_TALLY_SIZE = 0

LABELS: tuple[Label, ...] = ()

SHARED_WINS = True

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move: 0, and -1 once the match is over
        ("own", "i8"),  # the player's card; the dealer, who does not know it, sees 0 until the end
        ("dealer", "i8"),  # the dealer's card; 0 for the player until the end
        ("scores", "i8", 2),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("view", VIEW),
        ("pack", "i8", MAX_CARDS),
        ("chance", STREAM),
        ("tally", "i8", TALLY_SIZE),
        ("seat_tally", "i8", (2, SEAT_TALLY_SIZE)),
    ],
    align=True,
)

RULES = np.dtype([("players", "i8"), ("cards", "i8")], align=True)
