"""Kinds of moves of Uplink: cards played to a trick, put out at the start, and left behind."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.jit import jit, lowest
from sim.uplink import engine
from sim.uplink.state import LEAVE, PLAY, PUT
from strategies.kinds import declare

_FACES = sum(15 << (4 * cards.RANKS.index(rank)) for rank in "JQK")


@jit
def _strength(rules: Any, move: int) -> int:
    return rules["strength"][lowest(move) >> 2]


@jit
def _follows(view: Any) -> bool:
    return view["phase"] == PLAY and view["turn"] > 0


@jit
def lead_high(view: Any, rules: Any, move: int) -> bool:
    """Leads of a card of the strongest rank in the hand, where there are weaker ones."""
    if view["phase"] != PLAY or view["turn"] > 0:
        return False
    strongest = True
    weaker = False
    rest = view["hand"]
    while rest != 0:
        other = rules["strength"][lowest(rest) >> 2]
        rest &= rest - 1
        strongest = strongest and other <= _strength(rules, move)
        weaker = weaker or other < _strength(rules, move)
    return strongest and weaker


@jit
def above(view: Any, rules: Any, move: int) -> bool:
    """Cards above all that lie in the trick."""
    return _follows(view) and _strength(rules, move) > view["best"] >> 3


@jit
def tie(view: Any, rules: Any, move: int) -> bool:
    """Cards of the rank that is the highest in the trick so far."""
    return _follows(view) and _strength(rules, move) == view["best"] >> 3


@jit
def below(view: Any, rules: Any, move: int) -> bool:
    """Cards below the highest in the trick, which go into the field."""
    return _follows(view) and _strength(rules, move) < view["best"] >> 3


@jit
def top(view: Any, rules: Any, move: int) -> bool:
    """Cards of the strongest rank of the pack, played to a trick."""
    return view["phase"] == PLAY and _strength(rules, move) == 12


@jit
def face(view: Any, rules: Any, move: int) -> bool:
    """Face cards (J, Q, K), played to a trick."""
    return view["phase"] == PLAY and (move & _FACES) != 0


@jit
def put_good(view: Any, rules: Any, move: int) -> bool:
    """Put-outs of a card of points above 0."""
    return view["phase"] == PUT and engine.card_points(move, rules) > 0


@jit
def leave_bad(view: Any, rules: Any, move: int) -> bool:
    """Leaving cards behind that are together worth less than 0."""
    return view["phase"] == LEAVE and engine.card_points(move, rules) < 0


KINDS = declare("uplink", engine, lead_high, above, tie, below, top, face, put_good, leave_bad)
