"""The plainest players of Daifugō, which others are measured against."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.daifugo import engine, legal, plays
from sim.daifugo.state import ANSWER, PLAY
from sim.jit import jit, lowest, popcount
from strategies import strategy


@strategy("daifugo", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Plays at random: uniform over the legal moves, a pass being one of them."""
    return engine.nth_move(view, rules, rng.below(me["stream"], view["count"]))


@strategy("daifugo", "first")
def first(view: Any, rules: Any, me: Any) -> int:
    """Plays the weakest legal play, with the fewest cards; gives and discards the lowest cards."""
    return _best(view, rules, 0, -1)


@strategy("daifugo", "greedy")
def greedy(view: Any, rules: Any, me: Any) -> int:
    """Sheds the most cards at every turn, the weakest of them; gives and discards the lowest cards."""
    return _best(view, rules, 1, -1)


@jit
def _best(view: Any, rules: Any, by_size: int, by_strength: int) -> int:
    """Return the play with the greatest weighted sum of size and strength, size first; a pass if there is none."""
    if view["phase"] != PLAY and view["phase"] != ANSWER:
        return engine.nth_move(view, rules, 0)
    best = -(1 << 40)
    chosen = 0
    for number in range(view["count"]):
        move = engine.nth_move(view, rules, number)
        if move == 0:
            continue
        size = popcount(plays.naturals_of(move)) + plays.jokers_of(move)
        worth = (
            1000 * by_size * size + 20 * by_strength * strength(move, view) - size - 4 * plays.jokers_of(move)
        )
        if worth > best:
            best = worth
            chosen = move
    return chosen


@jit
def strength(move: int, view: Any) -> int:
    """Return how strong a play's weakest card is, 0 … 12 in the order of the moment; 13 for jokers only."""
    naturals = plays.naturals_of(move)
    if naturals == 0:
        return 13
    if legal.is_reversed(view):
        rank = 0
        while naturals >> (4 * (rank + 1)) != 0:
            rank += 1
        return 12 - rank
    return lowest(naturals) >> 2
