"""The records of Kuhn poker."""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label
from sim.rng import STREAM

RULES_VERSION = 1

CARDS = ("J", "Q", "K")
"""Names of the cards 0, 1, 2."""

PASS, BET = 0, 1
"""Moves: check or fold; bet or call."""

OPENING, CHECKED, FACED, RETURNED = 0, 1, 2, 3
"""Phases: nothing yet; seat 1 after a check; seat 1 after a bet; seat 0 after a check and a bet."""

EVENTS = (Event("showdowns", title="Matches in which the cards are shown"),)
SEAT_EVENTS = (Event("bets", title="Bets and calls of {}"),)
TALLY_SIZE = 1
SEAT_TALLY_SIZE = 1

LABELS = (Label("card", title="Card dealt", ordered=True),)

SHARED_WINS = True

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move; -1 once the match is over
        ("phase", "i8"),
        ("card", "i8"),  # own
        ("scores", "i8", 2),
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("view", VIEW),
        ("cards", "i8", len(CARDS)),  # of the seats, and the one left over
        ("chance", STREAM),
        ("tally", "i8", TALLY_SIZE),
        ("seat_tally", "i8", (2, SEAT_TALLY_SIZE)),
    ],
    align=True,
)

RULES = np.dtype([("players", "i8")], align=True)
