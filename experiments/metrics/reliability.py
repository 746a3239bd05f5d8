"""Whether results persist: split halves and the transition number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks
from experiments.metrics.sizes import Games
from experiments.stats import CONFIDENCE, Estimate


@dataclass(frozen=True)
class SplitHalf:
    """R*, how far the first half of each player's games foretells the second.

    Attributes
    ----------
    r_star : Estimate
        0 for coin flips, 1 for pure skill, below 0 by chance; the interval is over players.
    null_low, null_high : float
        95% band of it if all players were alike.
    transition : Games
        After which skill and luck weigh the same, infinite if R* is not above 0.
    """

    r_star: Estimate
    null_low: float
    null_high: float
    transition: Games


def transition_number(r_star: float, games: int) -> float:
    """Return the games after which R* is one half: N·(1 − R*)/R*; infinite if R* is not above 0.

    Parameters
    ----------
    games : int
        Of both halves together.
    """
    return games * (1 - r_star) / r_star if r_star > 0 else math.inf


def split_half(
    outcomes: Any, seed: int, *, within_deals: bool, replicates: int = blocks.REPLICATES
) -> SplitHalf:
    """Return R* of Getty, Li, Yano, Gao and Hosoi (2018), without units, with the band that luck alone would give.

    With x and y a player's means of the first and second half: R* = 1 − Var(x − y)/Var(x + y), which for halves of equal
    variance is the Spearman–Brown reliability 2r/(1 + r) of the whole record. It speaks of a population of players:
    here the unit is the player, since drawing deals anew would add noise to what is itself a measure of noise. With few
    players the band is so wide that R* says nothing.

    Parameters
    ----------
    outcomes : float array, shape (players, games)
        In the order played; of an odd number the last is left out.
    seed : int
        Of the interval and the band.
    within_deals : bool
        Column g is the same deal for all: the band shuffles players within deals. Otherwise it draws every outcome
        anew from all that came.

    Raises
    ------
    ValueError
        With fewer than three players or two games.
    """
    outcomes = blocks.checked(outcomes, 2, "outcomes")
    half = outcomes.shape[1] // 2
    if len(outcomes) < 3 or half < 1:
        raise ValueError("outcomes: needs three players or more, of two games or more")
    outcomes = outcomes[:, : 2 * half]
    x, y = outcomes[:, :half].mean(axis=1), outcomes[:, half:].mean(axis=1)
    rows = np.stack([x, y, (x - y) ** 2, (x + y) ** 2], axis=1)
    (found,) = blocks.of_means(rows, _r_star, seed, replicates=replicates)
    # A seed of its own, so that the band does not share its draws with the interval.
    dice = np.random.default_rng([seed, 1])
    make = _shuffled if within_deals else _redrawn
    null = []
    for _ in range(replicates):
        first, second = make(outcomes, half, dice)
        null.append(float(_r_star(_moments(first, second))[0]))
    band = np.nanquantile(null, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    games, least, most = (transition_number(r, 2 * half) for r in (found.value, found.high, found.low))
    return SplitHalf(found, float(band[0]), float(band[1]), Games(games, least, most, found.blocks))


def _moments(x: Any, y: Any) -> Any:
    return np.array([x.mean(), y.mean(), ((x - y) ** 2).mean(), ((x + y) ** 2).mean()])


def _r_star(means: Any) -> Any:
    noise = means[..., 2] - (means[..., 0] - means[..., 1]) ** 2
    whole = means[..., 3] - (means[..., 0] + means[..., 1]) ** 2
    return np.divide(whole - noise, whole, out=np.full_like(whole, np.nan), where=whole > 1e-12)[..., None]


def _shuffled(outcomes: Any, half: int, dice: Any) -> tuple[Any, Any]:
    mixed = dice.permuted(outcomes, axis=0)
    return mixed[:, :half].mean(axis=1), mixed[:, half:].mean(axis=1)


def _redrawn(outcomes: Any, half: int, dice: Any) -> tuple[Any, Any]:
    values, counts = np.unique(outcomes, return_counts=True)
    times = dice.multinomial(half, counts / counts.sum(), size=(2, len(outcomes)))
    first, second = times @ values / half
    return first, second
