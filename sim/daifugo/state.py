"""The records of Daifugō: what the engine keeps, what a player sees, what is counted.

Players are numbered by their first seats; where seats are drawn anew only the ring changes. Natural cards are
masks by card number (`sim.cards`), jokers a number beside them.
"""

from __future__ import annotations

import numpy as np

from sim.events import Event, Label
from sim.rng import STREAM

RULES_VERSION = 3
"""Changes when the same draft, seed and choices give another match; never for speed."""

MAX_PLAYERS = 8

PLAY, ANSWER, GIVE, DISCARD, NAME, EXCHANGE, OVER = range(7)
"""Phases: a turn; an answer to an eight cut (D23); the choices of D25, D27, D28; the rich's gift (D11)."""

NO_TABLE, GROUP, SEQUENCE, EMPEROR = range(4)
"""Kinds of plays."""

JOKERS_ONLY = 13
"""Rank of a group of jokers, one step above the strongest in either order (D12, D19)."""

EFFECTS = (
    "eleven_back", "eight_cut", "skip", "pass_on", "reverse", "discard", "bomber",
    "rokurokubi", "ambulance", "omen", "coup", "sandstorm",
)  # fmt: skip
"""Effects that hang on a rank; bit i of an effect mask is effect i. Then those that do not:"""
(
    ELEVEN_BACK, EIGHT_CUT, SKIP, PASS_ON, REVERSE, DISCARD_EFFECT, BOMBER,
    ROKUROKUBI, AMBULANCE, OMEN, COUP, SANDSTORM,
    REVOLUTION, SEQUENCE_REVOLUTION, ELEVEN_BACK_TRIPLE, SPADE_THREE_CLEARS, STRONGEST_CLEARS,
) = (1 << bit for bit in range(17))  # fmt: skip

FOULS = (
    "foul_joker", "foul_two", "foul_spade_three", "foul_eleven_back", "foul_eight_cut",
    "foul_pass_on", "foul_discard", "foul_bomber",
)  # fmt: skip

_COUNTED = (
    "plays", "passes", "forced_passes", "tricks", "revolutions",
    *EFFECTS, "four_stop", "spade_three", *FOULS,
    "suit_lock", "number_lock", "emperor", "down_number", "sequence_revolution", "eleven_back_triple",
    "miyako_ochi", "gekokujo", "tenpen_chii", "strongest_clears", "stalemate_passes", "lead_changes",
)  # fmt: skip
_TITLES = {
    "forced_passes": "Passes with nothing else to do",
    "tricks": "Leads",
    "suit_lock": "Suit locks set",
    "number_lock": "Number locks set",
    "emperor": "Emperors played",
    "down_number": "Plays one rank down",
    "lead_changes": "Games after which another player leads in points",
    "stalemate_passes": "Games whose open places were drawn",
}
TRANSITIONS = len(_COUNTED)
"""Where the table of places from game to game begins in the tally."""
EVENTS = (
    *(Event(name, title=_TITLES.get(name, "")) for name in _COUNTED),
    Event(
        "place_transitions",
        length=MAX_PLAYERS * MAX_PLAYERS,
        kind="rows",
        by_seat=True,
        title="From place {}, in the next game",
    ),
)
TALLY_SIZE = TRANSITIONS + MAX_PLAYERS * MAX_PLAYERS
TALLY = {name: place for place, name in enumerate(_COUNTED)}
"""Event → its place in the tally."""

TURNS = ("plays", "passes")
"""Events that together are the turns of a game."""

SYMPTOMS: dict[str, tuple[str, ...]] = {
    "games cut short": ("gekokujo", "stalemate_passes"),
    "fouls": FOULS,
    "overturned classes": ("miyako_ochi", "gekokujo", "tenpen_chii"),
    "games whose last places are drawn by lot": ("stalemate_passes",),
    "turns without a choice": ("forced_passes",),
}
"""By what a game shows that it breaks: what it is called, and the events that count for it; the last is of `TURNS`."""

SEAT_EVENTS = (
    Event("places", length=MAX_PLAYERS, kind="share", by_seat=True, title="Place of {}: {}"),
    Event("cards_left", title="Cards in hand at the end of a game, {}"),
)
CARDS_LEFT = MAX_PLAYERS
SEAT_TALLY_SIZE = MAX_PLAYERS + 1

LABELS: tuple[Label, ...] = ()

SHARED_WINS = True
"""A match has no winner but its games; the best total can be shared."""

VIEW = np.dtype(
    [
        ("seat", "i8"),  # to move; -1 once the match is over
        ("players", "i8"),
        ("phase", "i8"),
        ("game", "i8"),  # from 1
        ("count", "i8"),  # legal moves
        ("want", "i8"),  # cards or ranks to choose, in GIVE, DISCARD, NAME and EXCHANGE
        ("hand", "i8"),  # own natural cards
        ("jokers", "i8"),  # own jokers
        ("held", "i8", MAX_PLAYERS),  # hand sizes
        ("gone", "i8"),  # natural cards played or discarded
        ("gone_jokers", "i8"),
        ("table_kind", "i8"),
        ("table_low", "i8"),  # rank of a group, lowest rank of a sequence; -1 and 13 beyond the ends
        ("table_size", "i8"),
        ("table_suits", "i8"),  # suits shown, jokers as stated; a mask of 4
        ("table_jokers", "i8"),
        ("table_move", "i8"),  # the play as a move
        ("owner", "i8"),  # of the table's play; -1
        ("unbeatable", "i8"),  # but for a sandstorm
        ("lock_suits", "i8"),  # a mask of 4
        ("lock_number", "i8"),
        ("revolution", "i8"),
        ("temporary", "i8"),  # reversal until the table clears (D20)
        ("direction", "i8"),  # 1 or -1
        ("effects_off", "i8"),
        ("begun", "i8"),  # something has been put down in the game
        ("passed", "i8"),  # mask of players who passed since the last play; under a lockout, in the trick
        ("skipped", "i8"),  # mask of players whom the last play skipped (D24)
        ("passes_in_row", "i8"),
        ("places", "i8", MAX_PLAYERS),  # 0 while there is none
        ("previous", "i8", MAX_PLAYERS),  # places of the game before; 0 where there is none
        ("ring", "i8", MAX_PLAYERS),  # players in seat order
        ("position", "i8", MAX_PLAYERS),  # in the ring, by player
        ("scores", "i8", MAX_PLAYERS),  # place points of finished games
        ("known", "i8", MAX_PLAYERS),  # natural cards that the player to move knows another to hold
        ("known_jokers", "i8", MAX_PLAYERS),
        # More of what the player to move knows, see `knowledge`
        ("aside", "i8"),
        ("aside_jokers", "i8"),
        ("bound_seat", "i8"),
        ("bound_cards", "i8"),
        ("bound_loose", "i8"),
        ("astray", "i8"),
        ("astray_seats", "i8"),
        ("astray_from", "i8"),
        ("astray_most", "i8"),
        ("keepers", "i8"),  # mask of players who refused to stop a cut, and still hold what could have
        ("fours_kept", "i8", MAX_PLAYERS),
        ("storms_kept", "i8", MAX_PLAYERS),
        ("leader", "i8"),  # who has most points after the game before; -1
        ("cut_kind", "i8"),  # of the cut to be answered
        ("cut_size", "i8"),
        ("single", "i8"),  # a position: one game only
        ("fallback", "i8"),  # who leads where nobody holds ♦3, in a position
        # The turn that is being carried out
        ("turn_player", "i8"),
        ("turn_effects", "i8"),
        ("turn_kind", "i8"),
        ("turn_size", "i8"),
        ("turn_move", "i8"),
        ("turn_revolution", "i8"),  # when the play was put down (D34)
        ("turn_stage", "i8"),
        ("turn_emptied", "i8"),  # by what the player's hand was emptied
        ("victims", "i8"),  # mask of others whose hands a bomber emptied
        ("refused", "i8"),  # mask of players asked for an answer (D23)
        # The exchange
        ("gifts", "i8"),  # free choices still to be made
        ("gift_rich", "i8", 2),
        ("gift_poor", "i8", 2),
        ("gift_count", "i8", 2),
        ("sunk", "i8", MAX_PLAYERS),  # in the order of sinking (D39)
        ("sunk_count", "i8"),
    ],
    align=True,
)
"""What the player to move may know."""

STATE = np.dtype(
    [
        ("view", VIEW),
        ("hands", "i8", MAX_PLAYERS),
        ("jokers", "i8", MAX_PLAYERS),
        ("known", "i8", (MAX_PLAYERS, MAX_PLAYERS)),  # by who knows and who holds
        ("known_jokers", "i8", (MAX_PLAYERS, MAX_PLAYERS)),
        # The same by who knows
        ("aside", "i8", MAX_PLAYERS),
        ("aside_jokers", "i8", MAX_PLAYERS),
        ("bound_seat", "i8", MAX_PLAYERS),
        ("bound_cards", "i8", MAX_PLAYERS),
        ("bound_loose", "i8", MAX_PLAYERS),
        ("astray", "i8", MAX_PLAYERS),
        ("astray_seats", "i8", MAX_PLAYERS),
        ("astray_from", "i8", MAX_PLAYERS),
        ("astray_most", "i8", MAX_PLAYERS),
        ("noted", "i8"),  # cards that tell somebody more than where they are, once seen
        ("ended", "i8"),  # the move being made has decided the last place of the game
        ("gift_cards", "i8", 2),  # not yet given, where the rich may not see it
        ("gift_jokers", "i8", 2),
        ("chance", STREAM),
        ("seed", "i8"),
        ("deal", "i8"),
        ("tally", "i8", TALLY_SIZE),
        ("seat_tally", "i8", (MAX_PLAYERS, SEAT_TALLY_SIZE)),
    ],
    align=True,
)
"""Everything."""

RULES = np.dtype(
    [
        ("players", "i8"),
        ("jokers", "i8"),
        ("deal_daifugo", "i8"),
        ("blind_cards", "i8"),
        ("first_lead", "i8"),  # 0 diamond_three, 1 daihinmin, 2 daifugo
        ("must_show", "i8"),
        ("leader_may_pass", "i8"),
        ("lockout", "i8"),
        ("all_passed", "i8"),
        ("games", "i8"),
        ("points", "i8", MAX_PLAYERS),
        ("reseat_every", "i8"),
        ("reset_every", "i8"),
        ("exchange", "i8", 2),
        ("see_first", "i8"),
        ("sequences", "i8"),
        ("sequence_min", "i8"),
        ("beyond", "i8"),  # joker_beyond_ends, where there are jokers
        ("lowest", "i8"),
        ("sequence_revolution", "i8"),
        ("sequence_effects", "i8"),  # effect mask
        ("emperor", "i8"),
        ("down_number", "i8"),
        ("suit_lock", "i8"),  # 0 off, 1 full, 2 partial
        ("lock_by_joker", "i8"),
        ("joker_clears", "i8"),
        ("number_lock", "i8"),
        ("stay", "i8"),  # eleven_back_again
        ("triple", "i8"),
        ("revolution", "i8"),
        ("four_stop", "i8"),
        ("four_rank", "i8"),
        ("sandstorm_rank", "i8"),  # -1 where it is off
        ("storm_stops", "i8"),
        ("spade_three", "i8"),
        ("spade_clears", "i8"),
        (
            "specials",
            "i8",
        ),  # sandstorm, spade three or four stop: one look instead of many where they are off
        ("locks", "i8"),  # suit or number lock, or a joker that clears them
        ("by_rank", "i8", 13),  # effects of a group of the rank
        ("foul_joker", "i8"),
        ("foul_two", "i8"),
        ("foul_spade", "i8"),  # 0 off, 1 any, 2 alone
        ("foul_eleven_back", "i8"),
        ("foul_eight_cut", "i8"),
        ("foul_pass_on", "i8"),
        ("foul_discard", "i8"),
        ("foul_bomber", "i8"),
        ("latest_is_last", "i8"),
        ("miyako_ochi", "i8"),
        ("gekokujo", "i8"),
        ("tenpen_chii", "i8"),
        ("strongest", "i8"),
        ("stalemate", "i8"),
    ],
    align=True,
)
"""A draft as the engine reads it."""
