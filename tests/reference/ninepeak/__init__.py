"""A plain-Python twin of 9 Peak: slow and literal, the oracle for the fast engine.

Written from the rules alone (clauses P1-P20), sharing no code with the engine. Cards are names such as ``S3``
or ``J4``, moves are texts, and nothing is random in here: a match is given its deal.

``notation`` cards and moves · ``options`` the options · ``scoring`` what sets are worth · ``match`` a match ·
``chance`` the `random` strategy.
"""

from tests.reference.ninepeak.chance import random_move, random_odds
from tests.reference.ninepeak.match import VP_PARTS, Match
from tests.reference.ninepeak.notation import NUMBERS, PACK, SUITS, Move, canonical, holds, in_order, parse
from tests.reference.ninepeak.options import CHOICES, DEFAULT_RULES, DEFAULT_SCORING, settle
from tests.reference.ninepeak.scoring import points_of_set, recolour_gain

__all__ = [
    "CHOICES",
    "DEFAULT_RULES",
    "DEFAULT_SCORING",
    "NUMBERS",
    "PACK",
    "SUITS",
    "VP_PARTS",
    "Match",
    "Move",
    "canonical",
    "holds",
    "in_order",
    "parse",
    "points_of_set",
    "random_move",
    "random_odds",
    "recolour_gain",
    "settle",
]
