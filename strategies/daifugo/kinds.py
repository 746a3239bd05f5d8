"""Kinds of moves of Daifugō: what a player puts down in a turn, or that it passes; not what it gives, discards or names."""

from __future__ import annotations

from typing import Any

from sim.daifugo import engine, plays
from sim.daifugo.state import (
    ANSWER,
    COUP,
    EIGHT_CUT,
    ELEVEN_BACK_TRIPLE,
    GROUP,
    OMEN,
    PLAY,
    REVOLUTION,
    SEQUENCE,
    SEQUENCE_REVOLUTION,
)
from sim.jit import jit
from strategies.kinds import declare

_TURNS = REVOLUTION | SEQUENCE_REVOLUTION | ELEVEN_BACK_TRIPLE | OMEN | COUP
_TWO = 15 << 48
_THREE = 15


@jit
def _puts_down(view: Any, move: int) -> bool:
    return move != 0 and (view["phase"] == PLAY or view["phase"] == ANSWER)


@jit
def _sets_off(view: Any, rules: Any, move: int) -> int:
    """Return what a move sets off, as an effect mask; an answer to a cut sets off nothing."""
    if move == 0 or view["phase"] != PLAY or view["effects_off"]:
        return 0
    kind, low, size, _suits, _bare = plays.read(move, rules)
    return engine.effects_of(kind, low, size, move, rules)


@jit
def joker(view: Any, rules: Any, move: int) -> bool:
    """Plays with a joker in them."""
    return _puts_down(view, move) and plays.jokers_of(move) > 0


@jit
def top(view: Any, rules: Any, move: int) -> bool:
    """Plays with a 2 in them, or in a revolution with a 3."""
    return _puts_down(view, move) and (move & (_THREE if view["revolution"] else _TWO)) != 0


@jit
def group(view: Any, rules: Any, move: int) -> bool:
    """Pairs and larger groups of a rank."""
    if not _puts_down(view, move):
        return False
    kind, _low, size, _suits, _bare = plays.read(move, rules)
    return kind == GROUP and size > 1


@jit
def sequence(view: Any, rules: Any, move: int) -> bool:
    """Sequences of a suit."""
    return _puts_down(view, move) and plays.read(move, rules)[0] == SEQUENCE


@jit
def cut(view: Any, rules: Any, move: int) -> bool:
    """Plays that cut, as eights do."""
    return (_sets_off(view, rules, move) & EIGHT_CUT) != 0


@jit
def revolution(view: Any, rules: Any, move: int) -> bool:
    """Plays that turn the order for the rest of the game."""
    return (_sets_off(view, rules, move) & _TURNS) != 0


@jit
def effect(view: Any, rules: Any, move: int) -> bool:
    """Plays that set off any effect, be it a cut, a revolution or another."""
    return _sets_off(view, rules, move) != 0


@jit
def _pass(view: Any, rules: Any, move: int) -> bool:
    """Passes of one's own will: with something to play."""
    return move == 0 and view["phase"] == PLAY and view["count"] > 1


KINDS = declare("daifugo", engine, joker, top, group, sequence, cut, revolution, effect, _pass)
