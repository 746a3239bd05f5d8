"""The players of Kuhn poker that do not search."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.errors import UserError
from strategies import strategy
from tests.games.kuhn.state import BET, CHECKED, OPENING, PASS, RETURNED

ALPHA = {"alpha": 0.2}
"""How often seat 0 bluffs with J: 0 … 1/3, any of which is an equilibrium."""

_JACK, _KING = 0, 2


@strategy("kuhn", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Passes or bets, with equal chance."""
    return rng.below(me["stream"], 2)


def check_alpha(rules: Any, params: Any) -> None:
    """Refuse an `ALPHA` that is no equilibrium.

    Raises
    ------
    UserError
    """
    if not 0 <= params[0] <= 1 / 3:
        raise UserError(f"alpha = {params[0]:g}: must be from 0 to 1/3")


@strategy("kuhn", "equilibrium", parameters=ALPHA, prepare=check_alpha)
def equilibrium(view: Any, rules: Any, me: Any) -> int:
    """Cannot be beaten: in seat 0 one of Kuhn's equilibria, in seat 1 the only one."""
    alpha = me["params"][0]
    card = view["card"]
    phase = view["phase"]
    chance = 0.0
    if phase == OPENING:
        chance = alpha if card == _JACK else (3 * alpha if card == _KING else 0.0)
    elif phase == CHECKED:
        chance = 1 / 3 if card == _JACK else (1.0 if card == _KING else 0.0)
    elif card != _JACK:
        caller = alpha + 1 / 3 if phase == RETURNED else 1 / 3
        chance = 1.0 if card == _KING else caller
    return BET if rng.unit(me["stream"]) < chance else PASS
