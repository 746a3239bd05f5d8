"""The players of tic-tac-toe that do not search."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from sim import rng
from strategies import strategy
from tests.games.tictactoe import engine
from tests.games.tictactoe.engine import FULL, has_line


@strategy("tictactoe", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Marks any empty cell, with equal chance."""
    return engine.nth_move(view, rules, rng.below(me["stream"], engine.count_moves(view, rules)))


@strategy("tictactoe", "heuristic")
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Wins at once if it can, else keeps the other from doing so, else marks any empty cell."""
    for marks in (view["marks"][view["seat"]], view["marks"][1 - view["seat"]]):
        for number in range(engine.count_moves(view, rules)):
            move = engine.nth_move(view, rules, number)
            if has_line(marks | (1 << move)):
                return move
    return engine.nth_move(view, rules, rng.below(me["stream"], engine.count_moves(view, rules)))


_BITS = 9


def _solved() -> Any:
    """Return the best that who is to move can get, 1, 0 or −1, by own marks and the other's."""
    table = np.zeros(1 << (2 * _BITS), np.int8)

    @cache
    def best(own: int, other: int) -> int:
        if has_line(other):
            found = -1
        elif own | other == FULL:
            found = 0
        else:
            free = [1 << cell for cell in range(_BITS) if not (own | other) >> cell & 1]
            found = max(-best(other, own | mark) for mark in free)
        table[own << _BITS | other] = found
        return found

    best(0, 0)
    return table


_BEST = _solved()


@strategy("tictactoe", "perfect")
def perfect(view: Any, rules: Any, me: Any) -> int:
    """Makes any of the moves that are best against best play, with equal chance."""
    own = view["marks"][view["seat"]]
    other = view["marks"][1 - view["seat"]]
    best = -2
    equals = 0
    chosen = 0
    for number in range(engine.count_moves(view, rules)):
        move = engine.nth_move(view, rules, number)
        found = -_BEST[(other << _BITS) | own | (1 << move)]
        if found > best:
            best = found
            equals = 0
        if found == best:
            equals += 1
            if rng.below(me["stream"], equals) == 0:
                chosen = move
    return chosen
