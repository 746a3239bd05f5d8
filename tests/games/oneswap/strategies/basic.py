"""The plain players of One swap."""

from __future__ import annotations

from typing import Any

from sim import rng
from strategies import strategy
from tests.games.oneswap.state import KEEP, SWAP


@strategy("oneswap", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Keeps or swaps, with equal chance."""
    return rng.below(me["stream"], 2)


@strategy("oneswap", "first")
def first(view: Any, rules: Any, me: Any) -> int:
    """Keeps whatever it gets."""
    return KEEP


@strategy("oneswap", "threshold", parameters={"t": 7.0})
def threshold(view: Any, rules: Any, me: Any) -> int:
    """Swaps all cards below t."""
    return SWAP if view["own"] < me["params"][0] else KEEP
