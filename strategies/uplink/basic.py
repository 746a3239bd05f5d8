"""The plainest players of Uplink, which others are measured against."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.jit import popcount
from sim.uplink import engine
from strategies import strategy


@strategy("uplink", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Plays at random: uniform over the legal moves, whatever they are."""
    choices = view["choices"]
    move = 0
    for _ in range(view["pick"]):
        card = rng.pick_bit(me["stream"], choices, popcount(choices))
        choices &= ~card
        move |= card
    return move


@strategy("uplink", "first")
def first(view: Any, rules: Any, me: Any) -> int:
    """Takes the first legal move: the lowest cards, in the order 3 4 … K A 2 and S H D C."""
    return engine.nth_move(view, rules, 0)
