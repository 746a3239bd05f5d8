"""Endings in which nothing is hidden any more, solved exactly; written once for all games.

Where a re-deal has one outcome, more play-outs tell nothing new, and those of a player who does not look ahead miss what
can be forced. So such an ending is walked to its end, every player doing what is best for themselves: between two
opponents by alpha-beta (Knuth and Moore 1975), among more by max^n (Luckhardt and Irani 1986).

`sim.jit.specialise` compiles the template against a game; the names that are None below are set in its copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import jit

HIDDEN, TWO, MORE = range(3)
"""What a game tells of a position (`strategies.search.Searched.opening`): something is hidden, or chance still to come;
all is open and what one of two opponents gains the other loses; all is open, but more than that is at stake."""

MOST_PLIES = 96
"""Moves to the end: longer endings are not tried."""

POSITIONS = 40
"""Looked at, for each of the player's iterations; an ending that has more is not solved."""

PLY = np.dtype(
    [
        ("moves", "i8"),  # to be tried: the model's, then all
        ("tried", "i8"),
        ("usual", "i8"),  # the model's
        ("low", "f8"),  # what the player who searches is sure of, on the way here,
        ("high", "f8"),  # and what the opponent allows at the most
    ],
    align=True,
)
"""A position of the line that is looked at."""

_ITERATIONS, _MARGIN = range(2)

engine: Any = None
policy: Any = None
value: Any = None
shorten: Any = None
reach: Any = None
STATE: Any = None


def solve(view: Any, rules: Any, me: Any, models: Any, kind: int) -> tuple[bool, int]:
    """Return whether the ending could be solved, and the best move: of equals the model's, else the first.

    Parameters
    ----------
    view : VIEW record
        In which nothing is hidden.
    rules : RULES record
    me : PLAYER record
        Its parameters begin with iterations and margin.
    models : array of PLAYER, shape (1,)
        Who names the move to be tried first.
    kind : int
        `TWO` or `MORE`.
    """
    seat, margin = view["seat"], me["params"][_MARGIN]
    line = np.zeros(MOST_PLIES + 1, STATE)
    plies = np.zeros(MOST_PLIES + 1, PLY)
    ends = np.zeros((MOST_PLIES + 1, rules["players"]))  # the best that was found, for each player
    engine.redeal(view, rules, me["stream"], line[0])
    shorten(line[0], rules)
    plies[0]["low"], plies[0]["high"] = -np.inf, np.inf
    reach(line[0]["view"], rules, models[0], plies[0])
    left = int(me["params"][_ITERATIONS] * POSITIONS)
    depth, chosen, at_root = 0, plies[0]["usual"], plies[0]["usual"]
    while True:
        ply, mover = plies[depth], line[depth]["view"]["seat"]
        if ply["tried"] == ply["moves"] or (kind == TWO and ply["low"] >= ply["high"]):
            if depth == 0:
                return True, chosen
            depth -= 1
            if _take(ends, plies, depth, line[depth]["view"]["seat"], seat) and depth == 0:
                chosen = at_root
            continue
        move = ply["usual"]
        if ply["tried"] > 0:
            move = engine.nth_move(line[depth]["view"], rules, ply["tried"] - 1)
            if move == ply["usual"]:
                ply["tried"] += 1
                continue
        left -= 1
        if left < 0 or depth == MOST_PLIES:
            return False, 0
        if depth == 0:
            at_root = move
        line[depth + 1] = line[depth]
        after = line[depth + 1]
        engine.apply(after, rules, move)
        if after["view"]["seat"] < 0:
            for player in range(rules["players"]):
                ends[depth + 1, player] = value(after, rules, player, margin)
            if _take(ends, plies, depth, mover, seat) and depth == 0:
                chosen = move
        else:
            depth += 1
            plies[depth]["low"], plies[depth]["high"] = ply["low"], ply["high"]
            reach(after["view"], rules, models[0], plies[depth])


def reach_of(view: Any, rules: Any, model: Any, ply: Any) -> None:
    """Note what there is to be tried in a position."""
    count = engine.count_moves(view, rules)
    ply["tried"] = 0
    ply["moves"] = 1 if count == 1 else 1 + count
    ply["usual"] = engine.nth_move(view, rules, 0) if count == 1 else policy(view, rules, model)


@jit
def _take(ends: Any, plies: Any, depth: int, mover: int, seat: int) -> bool:
    """Give the mover the end that was found below if it is better for them; tell whether it is."""
    ply = plies[depth]
    better = ply["tried"] == 0 or ends[depth + 1, mover] > ends[depth, mover]
    ply["tried"] += 1
    if better:
        ends[depth] = ends[depth + 1]
        if mover == seat:
            ply["low"] = max(ply["low"], ends[depth, seat])
        else:
            ply["high"] = min(ply["high"], ends[depth, seat])
    return better
