"""A plain-Python twin of Daifugō: slow and literal, the oracle for the fast engine.

Written from the rules alone (clauses D1-D44), sharing no code with the engine. Cards are
names such as ``S3`` or ``JK``, moves are texts, and chance enters only through `Chance`.

``notation`` names and moves · ``options`` the options · ``plays`` which plays a hand holds and what they
set off · ``locks`` what a play must be to beat another · ``places`` who has which place · ``game`` one game
from the first lead · ``match`` deals, exchanges and scores.
"""

from tests.reference.daifugo.match import Chance, Match
from tests.reference.daifugo.options import DEFAULT_RANKS, DEFAULT_RULES, EFFECTS, EVENTS, FOULS, settle

__all__ = ["DEFAULT_RANKS", "DEFAULT_RULES", "EFFECTS", "EVENTS", "FOULS", "Chance", "Match", "settle"]
