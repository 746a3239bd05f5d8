"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), written once for all games.

One tree for the player who searches. Every iteration walks it with a fresh deal of what the player cannot see: at each
node the moves legal in that deal are weighed by UCB with availability counts, now and then a new one is added
(progressive widening, the heuristic player's move first), and the `heuristic` plays on from there. Every player in the
tree maximises what the end is worth to them.

`sim.jit.specialise` compiles the template against a game; the names that are None below are set in its copies.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.jit import jit

MAX_CANDIDATES = 64
"""Moves weighed at a node."""

NODE = np.dtype(
    [
        ("move", "i8"),
        ("mover", "i8"),
        ("child", "i8"),  # the first, 0 for none: 0 is the root
        ("sibling", "i8"),  # the next, 0 for none
        ("visits", "i8"),
        ("available", "i8"),  # iterations that could have gone here
        ("value", "f8"),  # sum over the visits, for the mover
    ],
    align=True,
)

_ITERATIONS, _MARGIN, _EXPLORE, _WIDE, _RIPE, _NEVER = range(6)

engine: Any = None
policy: Any = None
candidates: Any = None
allowed: Any = None
value: Any = None
play_on: Any = None
deal: Any = None
OWN_ONLY: Any = False
"""Only the searcher's moves branch; the others play as the model does."""


def grow(view: Any, rules: Any, me: Any, states: Any, models: Any) -> int:
    """Return the move of the most visited child of the root.

    Parameters
    ----------
    view : VIEW record
    rules : RULES record
    me : PLAYER record
        Its parameters begin with iterations, margin, explore, wide, ripe, never.
    states : array of STATE, shape (2,)
        Scratch.
    models : array of PLAYER, shape (1,)
        The player who plays on.
    """
    size = max(1, int(me["params"][_ITERATIONS]))
    nodes = np.zeros(size + 1, NODE)
    moves = np.zeros(MAX_CANDIDATES, np.int64)
    path = np.zeros(size + 1, np.int64)
    used = 1
    for _ in range(size):
        deal(view, rules, me, states)
        depth = 0
        node = 0
        fresh = False
        while states[1]["view"]["seat"] >= 0 and not fresh:
            if node != 0 and nodes[node]["visits"] < me["params"][_RIPE]:
                break
            mover = states[1]["view"]["seat"]
            usual = policy(states[1]["view"], rules, models[0])
            if OWN_ONLY and mover != view["seat"]:
                engine.apply(states[1], rules, usual)
                continue
            count = candidates(states[1]["view"], rules, models[0], moves)
            if node == 0:
                count = allowed(int(me["params"][_NEVER]), view, rules, moves, count)
            chosen, unknown, known = _pick(nodes, node, moves, count, usual, me["params"][_EXPLORE])
            if unknown >= 0 and known < 1 + me["params"][_WIDE] * math.sqrt(nodes[node]["visits"]):
                chosen = used
                used += 1
                nodes[chosen]["move"] = moves[unknown]
                nodes[chosen]["mover"] = mover
                nodes[chosen]["sibling"] = nodes[node]["child"]
                nodes[chosen]["available"] = 1
                nodes[node]["child"] = chosen
                fresh = True
            engine.apply(states[1], rules, nodes[chosen]["move"])
            path[depth] = chosen
            depth += 1
            node = chosen
        play_on(states[1], rules, models[0])
        nodes[0]["visits"] += 1
        for i in range(depth):
            node = path[i]
            nodes[node]["visits"] += 1
            nodes[node]["value"] += value(states[1], rules, nodes[node]["mover"], me["params"][_MARGIN])
    return _most_visited(nodes)


@jit
def _pick(
    nodes: Any, parent: int, moves: Any, count: int, usual: int, explore: float
) -> tuple[int, int, int]:
    """Return (the best child by UCB, the number of a move without a child or −1, how many have one).

    Counts every child among the moves as available. Of the moves without a child, `usual` comes first.
    """
    chosen = 0
    unknown = -1
    known = 0
    best = -1.0
    for i in range(count):
        found = nodes[parent]["child"]
        while found != 0 and nodes[found]["move"] != moves[i]:
            found = nodes[found]["sibling"]
        if found == 0:
            if unknown < 0 or moves[i] == usual:
                unknown = i
            continue
        known += 1
        nodes[found]["available"] += 1
        visits = nodes[found]["visits"]
        worth = nodes[found]["value"] / visits + explore * math.sqrt(
            math.log(nodes[found]["available"]) / visits
        )
        if worth > best:
            best = worth
            chosen = found
    return chosen, unknown, known


@jit
def _most_visited(nodes: Any) -> int:
    """Return the move of the most visited child of the root; of equals the one with the greatest value."""
    found = nodes[0]["child"]
    best = found
    while found != 0:
        if nodes[found]["visits"] > nodes[best]["visits"] or (
            nodes[found]["visits"] == nodes[best]["visits"] and nodes[found]["value"] > nodes[best]["value"]
        ):
            best = found
        found = nodes[found]["sibling"]
    return nodes[best]["move"]
