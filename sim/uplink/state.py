"""The records of Uplink: what the engine keeps, what a player sees, what is counted.

Sets of cards are 64-bit masks by card number (`sim.cards`). All numbers are 64 bits wide: a record is
small, and mixing widths costs conversions in jitted code.
"""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label
from sim.rng import STREAM

RULES_VERSION = 1
"""Changes when the same draft, seed and choices give another match; never for speed."""

MAX_PLAYERS = 4

PUT, PLAY, LEAVE, OVER = 0, 1, 2, 3
"""Phases: putting out the first field (U6), playing to a trick (U8), leaving field cards (U10)."""

EVENTS = (
    Event("heart_pairs", title="Heart pairs scored in a match"),
    Event("sets_of_three", title="Sets of three scored in a match"),
    Event(
        "tricks_by_lead_position",
        length=MAX_PLAYERS,
        kind="share",
        by_seat=True,
        title="Tricks won by the {th} player of a trick",
        first=1,
    ),
)
SEAT_EVENTS = (Event("trick_share", kind="split", title="Tricks taken by {}"),)
HEART_PAIRS, SETS_OF_THREE, BY_LEAD_POSITION = 0, 1, 2
TALLY_SIZE = 2 + MAX_PLAYERS
TRICKS, SEAT_TALLY_SIZE = 0, 1

MAX_PLANES = 11
"""Bits of the largest difference between the points of two cards."""

LABELS: tuple[Label, ...] = ()

SHARED_WINS = True
"""All who have the best total win (U18)."""

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move; -1 once the match is over
        ("players", "i8"),
        ("phase", "i8"),
        ("game", "i8"),  # from 1
        ("trick", "i8"),  # from 1, in the game
        ("leader", "i8"),  # of the trick
        ("turn", "i8"),  # cards already played to the trick; in PUT: seats that have chosen
        ("choices", "i8"),  # the cards to choose from: own hand, or in LEAVE the field
        ("pick", "i8"),  # how many of them the move takes
        ("hand", "i8"),  # own hand
        ("field", "i8"),
        ("trick_cards", "i8"),  # cards played to the trick
        ("played", "i8", MAX_PLAYERS),  # card of each seat in the trick, -1 before
        ("best", "i8"),  # of the trick so far: 8 × strength + order among equals
        ("piles", "i8", MAX_PLAYERS),  # captured in this game
        ("out", "i8"),  # captured in the game before, from the same stock: out of play (U16)
        ("held", "i8", MAX_PLAYERS),  # hand sizes
        ("scores", "i8", MAX_PLAYERS),  # totals of finished games
        ("stock", "i8"),  # undealt cards, of all decks together
    ],
    align=True,
)
"""What the seat to move may know."""

STATE = np.dtype(
    [
        ("view", VIEW),
        ("hands", "i8", MAX_PLAYERS),
        ("put", "i8", MAX_PLAYERS),  # cards put out face down, not yet shown
        ("decks", "i1", (MAX_PLAYERS, 52)),  # stock order; row 0 only, or in personal_decks a row a seat
        ("deck_size", "i8", MAX_PLAYERS),
        ("dealt", "i8", MAX_PLAYERS),  # cards gone from the front of each deck
        ("chance", STREAM),  # used while a stock is shuffled
        ("seed", "i8"),
        ("deal", "i8"),  # number of the deal: with `seed` it names the chance of the match
        ("tally", "i8", TALLY_SIZE),
        ("seat_tally", "i8", (MAX_PLAYERS, SEAT_TALLY_SIZE)),
    ],
    align=True,
)
"""Everything. The engine keeps `view` true for the seat to move at all times."""

RULES = np.dtype(
    [
        ("players", "i8"),
        ("hand_size", "i8"),
        ("games", "i8"),
        ("left_behind", "i8"),
        ("tied_top", "i8"),  # 0 later, 1 earlier, 2 second
        ("rotate", "i8"),
        ("personal", "i8"),
        ("pairs", "i8"),  # heart pairs count
        ("pair_points", "i8"),
        ("set_points", "i8"),
        ("points", "i8", 52),
        ("least", "i8"),  # fewest points of a card
        ("planes", "i8", MAX_PLANES),  # cards whose points less `least` have bit 0, 1, …
        ("plane_count", "i8"),
        ("strength", "i8", 13),  # by rank index of `sim.cards`
        ("above", "i8", 13),  # by rank index: all cards of a stronger rank
    ],
    align=True,
)
"""A draft as the engine reads it."""
