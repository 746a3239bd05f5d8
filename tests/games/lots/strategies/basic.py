"""The players of Lots."""

from __future__ import annotations

from typing import Any

from sim import rng
from strategies import search, strategy
from tests.games import duels
from tests.games.lots import engine, state
from tests.games.oneswap.state import KEEP, SWAP


@strategy("lots", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Keeps or swaps, with equal chance."""
    return rng.below(me["stream"], 2)


@strategy("lots", "greedy")
def greedy(view: Any, rules: Any, me: Any) -> int:
    """Swaps."""
    return SWAP


@strategy("lots", "heuristic")
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Keeps."""
    return KEEP


search.register(search.Searched("lots", engine, state, heuristic, {}, None, duels.value, search.to_the_end))
