"""The records of 9 Peak: what the engine keeps, what a player sees, what is counted.

Groups of cards are lists of six counts (`sim.ninepeak.cards`).
"""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label
from sim.ninepeak.cards import NUMBERS, PACK_SIZE
from sim.rng import STREAM

RULES_VERSION = 1
"""Changes when the same draft, seed and choices give another match; never for speed."""

MAX_PLAYERS = 5
MAX_HAND = 26
"""Cards of the longest hand: three players share the whole pack."""

PEAK = 9

TURN, KEEP, OVER = range(3)
"""Phases: a turn; whether to keep the card turned up (``no_joker = "draw_to_hand"``)."""

VP_PARTS = ("vp_sets", "vp_no_joker", "vp_peak_cards", "vp_unplaced_peaks", "vp_early_finish")
_VP_TITLES = (
    "VP of sets",
    "VP for playing no joker",
    "VP of cards won by peaks",
    "VP of unplaced peak cards",
    "VP for going out, fixed or by a recoloured card",
)

EVENTS = (
    Event("rounds", title="Rounds of a match"),
    Event("sets", title="Sets played"),
    Event("sets_by_size", length=PEAK, title="Sets of size {}", first=1),
    Event("peaks_won", title="Numbers whose peak a player won"),
    Event("peaks_discarded", title="Numbers that peaked and were discarded"),
    Event("went_out", title="Players who went out"),
    *(Event(name, title=title) for name, title in zip(VP_PARTS, _VP_TITLES, strict=True)),
)
ROUNDS, SETS, BY_SIZE = 0, 1, 2
PEAKS_WON, PEAKS_DISCARDED, WENT_OUT, VP = range(BY_SIZE + PEAK, BY_SIZE + PEAK + 4)
TALLY_SIZE = VP + len(VP_PARTS)

SEAT_EVENTS = (
    Event("own_sets", title="Sets of {}"),
    Event("own_out", title="Matches in which {} goes out"),
    Event("own_cards_left", title="Cards left in the hand of {}"),
    *(Event(f"own_{name}", title=title + " of {}") for name, title in zip(VP_PARTS, _VP_TITLES, strict=True)),
)
OWN_SETS, OWN_OUT, OWN_LEFT, OWN_VP = range(4)
SEAT_TALLY_SIZE = OWN_VP + len(VP_PARTS)

SHARED_WINS = False
"""A tie for the most VP has one winner (P20)."""

LABELS = (
    Label("shape", title="Sizes of the sets played"),
    Label("jokers_dealt", title="Jokers in the dealt hand", ordered=True),
    Label("jokers_played", title="Jokers played", ordered=True),
)
SHAPE_BITS = 6
"""Bits for each size in a shape: how many sets of it."""

ABLE_BITS = 7
"""Room for the longest hand, and for a bit above it that tells whether a size can be played."""

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move; -1 once the match is over
        ("players", "i8"),
        ("phase", "i8"),
        ("round", "i8"),  # from 1
        ("last_round", "i8"),
        ("count", "i8"),  # legal moves, cards alike being different ones
        ("hand", "i8", NUMBERS),  # own
        ("ends", "i8"),  # place after the last own card of each number, in fields of 8 bits
        ("able", "i8"),  # how many own cards can be used as 1 … 9, in fields of `ABLE_BITS` bits
        ("smallest", "i8"),  # least N that may be played (P11)
        ("turned", "i8"),  # code of the card turned up, while its player is asked; -1
        ("area", "i8", NUMBERS),
        ("area_size", "i8"),
        ("peaks", "i8"),  # mask of the numbers whose peak card lies
        ("stock", "i8"),  # cards left in it
        ("gone", "i8", NUMBERS),  # played, won and discarded
        ("held", "i8", MAX_PLAYERS),  # hand sizes
        ("known", "i8", (MAX_PLAYERS, NUMBERS)),  # of each hand: cards taken from the area and still held
        ("sets", "i8", MAX_PLAYERS),  # how many each has played
        ("last_size", "i8", MAX_PLAYERS),  # N of each one's last set; 0
        ("jokers", "i8", MAX_PLAYERS),  # jokers in each one's sets
        ("set_vp", "i8", MAX_PLAYERS),  # by P17
        ("recolour", "i8", MAX_PLAYERS),  # best gain of one recoloured card, where the draft has it
        ("won", "i8", MAX_PLAYERS),  # cards won by peaks
        ("plays", "i8"),  # sets on the table, of all players together
        ("play_seat", "i1", PACK_SIZE),  # who played each, in order
        ("play_cards", "i8", (PACK_SIZE, 2)),  # the counts of three numbers in each word, 20 bits each
        ("scores", "i8", MAX_PLAYERS),  # once the match is over
    ],
    align=True,
)
"""What the player to move may know."""

STATE = np.dtype(
    [
        ("view", VIEW),
        ("hands", "i8", (MAX_PLAYERS, NUMBERS)),
        ("deck", "u1", PACK_SIZE),  # codes; the stock is what follows `dealt`, next card first
        ("dealt", "i8"),
        ("turned", "i8"),  # code of the card turned up, while its player is asked
        ("chance", STREAM),
        ("shapes", "i8", MAX_PLAYERS),
        ("jokers_dealt", "i8", MAX_PLAYERS),
        ("tally", "i8", TALLY_SIZE),
        ("seat_tally", "i8", (MAX_PLAYERS, SEAT_TALLY_SIZE)),
    ],
    align=True,
)
"""Everything. The engine keeps `view` true for the player to move at all times."""

RULES = np.dtype(
    [
        ("players", "i8"),
        ("area_size", "i8"),
        ("hand_size", "i8"),
        ("base", "i8", PEAK + 1),  # by size
        ("wild_only", "i8"),
        ("different", "i8"),
        ("perfect", "i8"),
        ("no_joker", "i8"),  # 0 none, 1 per_set, 2 flat, 3 draw_to_hand
        ("no_joker_vp", "i8"),
        ("early_finish", "i8"),  # 0 none, 1 peak_cards, 2 fixed, 3 recolour
        ("early_finish_vp", "i8"),
        ("peak_card_vp", "i8"),
        ("unplaced_peak_vp", "i8"),
        ("colours", "i8"),
        ("same_only", "i8"),
    ],
    align=True,
)
"""A draft as the engine reads it."""

PER_SET, FLAT, DRAW_TO_HAND = 1, 2, 3
PEAK_CARDS, FIXED, RECOLOUR = 1, 2, 3
