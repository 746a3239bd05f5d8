"""Playing styles: parameters that all the lab's thinking players have, and names for some settings of them.

Designers ask how a draft plays for beginners, or at a table of hoarders: `heuristic:beginner`, `heuristic:error=0.1`,
`adapted:hoarder:caution=-0.5`.
"""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.jit import jit
from strategies import kinds

PARAMETERS = {"error": 0.0, "caution": 0.0, "hoard": 0.0, kinds.PARAMETER: 0.0}
"""The first parameters of a thinking player:

error
    how often, 0 … 1, it moves as `random` does.
caution
    it takes a chance p that things go well for p to the power 2**caution: above 0 cautious, below 0 reckless.
hoard
    what it keeps for later counts 2**hoard times.
never
    the number of a kind of moves that it does not make where it has a choice (`strategies.kinds`); 0 for none.
"""

ERROR, CAUTION, HOARD, NEVER = range(len(PARAMETERS))
COUNT = len(PARAMETERS)
"""Where a player's own weights begin in its parameters."""

RANGES = {"error": (0.0, 1.0), "caution": (-4.0, 4.0), "hoard": (-4.0, 4.0)}
"""What they may be."""

NAMES: dict[str, dict[str, float]] = {
    "beginner": {"error": 0.2},
    "cautious": {"caution": 1.0},
    "reckless": {"caution": -1.0},
    "hoarder": {"hoard": 1.0},
}
"""Styles as they can be named in a line-up."""


@jit
def slips(me: Any) -> bool:
    """Tell whether the player errs now; draws from its stream only where it ever does."""
    error = me["params"][ERROR]
    return error > 0.0 and rng.unit(me["stream"]) < error


@jit
def never(params: Any) -> int:
    """Return the number of the kind of moves that the player does not make; 0 for none."""
    return int(params[NEVER])


@jit
def believed(chance: float, params: Any) -> float:
    """Return what a player of this caution takes a chance for."""
    caution = params[CAUTION]
    return chance if caution == 0.0 or chance <= 0.0 else chance ** (2.0**caution)


@jit
def hoarded(params: Any) -> float:
    """Return how many times what is kept for later counts."""
    hoard = params[HOARD]
    return 1.0 if hoard == 0.0 else 2.0**hoard
