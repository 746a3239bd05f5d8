"""Results of matches that have causes in common, of which every part of the variance is known."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import variance_components

PLAYERS = 3

_SPREAD = 2 / 3
"""Variance of a player's number, −1, 0 or 1."""

PARTS = {
    variance_components.DEAL: 1.0,
    variance_components.LATER: 2.0,
    variance_components.PLAYER: 0.36 * _SPREAD,
    variance_components.OTHERS: 0.16 * _SPREAD,
    variance_components.SEATED: 0.25 * _SPREAD**2,
    variance_components.FIT: (0.49 + 0.25) * _SPREAD,
    variance_components.DICE: 0.64,
    variance_components.LOTS: 0.81,
}

TOTAL = sum(PARTS.values())

LOWER = {
    **{
        name: PARTS[name]
        for name in (
            variance_components.DEAL,
            variance_components.LATER,
            variance_components.PLAYER,
            variance_components.OTHERS,
            variance_components.DICE,
        )
    },
    variance_components.CHANCE: 3.0,
    variance_components.PLAYERS: PARTS[variance_components.PLAYER]
    + PARTS[variance_components.OTHERS]
    + PARTS[variance_components.SEATED],
}

UPPER = {
    variance_components.DEAL: 1.0 + 0.49 * _SPREAD + 0.81,
    variance_components.LATER: 2.0 + 0.25 * _SPREAD,
    variance_components.PLAYER: PARTS[variance_components.PLAYER]
    + PARTS[variance_components.SEATED]
    + 0.49 * _SPREAD,
    variance_components.OTHERS: PARTS[variance_components.OTHERS]
    + PARTS[variance_components.SEATED]
    + 0.25 * _SPREAD,
    variance_components.DICE: 0.64 + 0.81,
    variance_components.CHANCE: TOTAL - LOWER[variance_components.PLAYERS] - 0.64,
    variance_components.PLAYERS: LOWER[variance_components.PLAYERS] + PARTS[variance_components.FIT],
}


def played(dice: Any, deals: int, *, redraws: int = 2, fits: bool = True) -> tuple[Any, Any, Any]:
    """Return outcomes, swapped and who of three seats, as `nested.causes` takes them, with these `PARTS`.

    A seat gets something of the deal, of later chance, of its own player p and the next one's q, of p·q and of dice. Half of
    the deals suit strong players at the seat, and double what dice do; half of later chance suits a strong one on the next.

    Parameters
    ----------
    dice : numpy Generator
    deals, redraws : int
    fits : bool
        False to leave out what causes bring together.
    """
    who = dice.integers(PLAYERS, size=(deals, 2, 3))
    own = who - 1.0
    other = np.roll(own, -1, axis=2)
    deal, later = dice.normal(size=(deals, 2, 1, 1, 1, 3)), dice.normal(size=(deals, 2, redraws, 1, 1, 3))
    suits = fits * dice.choice([-1, 1], (deals, 2, 1, 1, 1, 3))
    suits_other = fits * dice.choice([-1, 1], (deals, 2, redraws, 1, 1, 3))

    def result(own: Any, other: Any, lots: Any, draws: slice) -> Any:
        together = 0.5 * fits * own * other + 0.7 * suits * own + 0.5 * suits_other[:, :, draws] * other
        known = deal + math.sqrt(2) * later[:, :, draws] + 0.6 * own + 0.4 * other
        return known + together + (0.8 + 0.9 * suits) * lots

    def seated(players: Any) -> Any:
        return players[:, None, None, :, None]

    outcomes = result(seated(own), seated(other), dice.normal(size=(deals, 1, 1, 2, 2, 3)), slice(None))
    lots = dice.normal(size=(deals, 2, 1, 2, 1, 3))
    swapped = result(seated(own[:, ::-1]), seated(other), lots, slice(0, 1))
    return outcomes, swapped[:, :, 0, :, 0], who


def exact(
    table: Any, deal: tuple[int, ...], later: int, player: int, others: int, dice: int
) -> dict[str, Any]:
    """Return the parts and both shares of a table of all that can come, each cell as likely, by going through it.

    Parameters
    ----------
    table : float array
    deal, later, player, others, dice
        The axes that each cause turns.

    Returns
    -------
    dict
        "parts", "lower" and "upper", each by name; the last two as shares.
    """

    def explained(*axes: int) -> float:
        rest = tuple(axis for axis in range(table.ndim) if axis not in axes)
        return float(table.mean(axis=rest).var())

    whole, seats = float(table.var()), (player, others)
    chance = (*deal, later)
    only_deal, all_chance = explained(*deal), explained(*chance)
    own, rest, everybody = explained(player), explained(others), explained(*seats)
    no_chance, no_dice = explained(*seats, dice), explained(*chance, *seats)
    no_later = explained(*deal, *seats, dice)
    lots = no_chance - everybody
    parts = {
        variance_components.DEAL: only_deal,
        variance_components.LATER: all_chance - only_deal,
        variance_components.PLAYER: own,
        variance_components.OTHERS: rest,
        variance_components.SEATED: everybody - own - rest,
        variance_components.FIT: no_dice - all_chance - everybody,
        variance_components.DICE: lots,
        variance_components.LOTS: whole - no_dice - lots,
    }
    lower = {
        name: parts[name]
        for name in (
            variance_components.DEAL,
            variance_components.LATER,
            variance_components.PLAYER,
            variance_components.OTHERS,
            variance_components.DICE,
        )
    }
    upper = {
        variance_components.DEAL: no_later - no_chance,
        variance_components.LATER: whole - no_later,
        variance_components.PLAYER: no_dice - explained(*chance, others),
        variance_components.OTHERS: no_dice - explained(*chance, player),
        variance_components.DICE: whole - no_dice,
        variance_components.CHANCE: whole - no_chance,
        variance_components.PLAYERS: no_dice - all_chance,
    }
    lower |= {variance_components.CHANCE: all_chance, variance_components.PLAYERS: everybody}
    return {
        "parts": parts,
        "lower": {name: value / whole for name, value in lower.items()},
        "upper": {name: value / whole for name, value in upper.items()},
    }
