"""The Elo spread: how far ratings lie apart, as a measure of skill, and the mixture with luck that it equals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import ratings, sizes
from experiments.metrics.ratings import ELO
from experiments.metrics.sizes import Games
from experiments.stats import Estimate

SURE = 0.75
"""How sure `Spread.repetitions` is of the better player, as in the paper."""

_GRID = np.linspace(math.log(0.01), math.log(200), 24)
"""Logarithms of the step sizes k tried before the best is sought between its neighbours."""

_PARTS = 10
"""Of a log, each left out in turn for the error of its spread."""

_STEPS = 100
"""Of Newton's method at the most."""


@dataclass(frozen=True)
class Spread:
    """Standard deviation of ratings.

    Attributes
    ----------
    s : Estimate
        In Elo points, and how many units (players, or deals) are behind it.
    k : float or None
        Step size that foretells best; None where ratings are not made step by step.
    chance : Estimate
        How often a player wins that is rated s above the other.
    repetitions : Games
        After which that player is ahead with probability `SURE`.
    """

    s: Estimate
    k: float | None
    chance: Estimate
    repetitions: Games


def _spread(s: Estimate, k: float | None) -> Spread:
    value, low, high = (ratings.expected(points) for points in (s.value, s.low, s.high))
    chance = Estimate(value, math.nan, low, high, s.blocks)
    return Spread(s, k, chance, sizes.games_until_ahead(chance, SURE))


# ---- ratings made game by game --------------------------------------------------------------------------


# ---- ratings from a win matrix --------------------------------------------------------------------------


def limit_ratings(wins: Any) -> Any:
    """Return the ratings that infinitely many games would settle at, mean 0, by Newton's method with halved steps.

    The r with Σ_j L(r_i − r_j) = Σ_j P_ij for all i: the maximum likelihood of Bradley and Terry (1952) for a
    round-robin. Own code: `choix`, which rates the ladder, needs hundreds of rounds for as many players as the
    p-deterministic curve has.

    Parameters
    ----------
    wins : float array, shape (players, players)
        How often the row beats the column, P_ij = 1 − P_ji; the diagonal does not matter.

    Raises
    ------
    ValueError
        If that does not hold, or some always win against all the others, so that no ratings are finite.
    """
    from scipy.sparse.csgraph import connected_components

    wins = np.array(wins, dtype=float)
    np.fill_diagonal(wins, 0.5)
    size = len(wins)
    if wins.shape != (size, size) or not np.allclose(wins + wins.T, 1):
        raise ValueError("wins: needs P_ij = 1 − P_ji")
    beats = wins > 0
    if connected_components(beats, connection="strong")[0] > 1:
        raise ValueError("wins: some players always beat all the others, so no ratings are finite")
    won = wins.sum(axis=1)
    rating = np.zeros(size)  # in natural units until the end
    gap, slope = _gap(rating, won)
    for _ in range(_STEPS):
        if np.abs(gap).max() < 1e-10 * size:
            return ELO * (rating - rating.mean())
        # Ratings are free but for a constant; adding it to the matrix makes it one that can be inverted.
        step = np.linalg.solve(slope + 1 / size, gap)
        reach = 1.0
        tried, tried_slope = _gap(rating + step, won)
        while np.linalg.norm(tried) > np.linalg.norm(gap) and reach > 1e-6:
            reach /= 2
            tried, tried_slope = _gap(rating + reach * step, won)
        rating, gap, slope = rating + reach * step, tried, tried_slope
    raise ValueError("wins: ratings do not settle; some players nearly always beat all the others")


def _gap(rating: Any, won: Any) -> tuple[Any, Any]:
    """Return wins less those told by the ratings, and how the latter change with each rating."""
    from scipy.special import expit

    told = expit(rating[:, None] - rating)
    pull = told * (1 - told)
    slope = -pull
    slope[np.diag_indices_from(slope)] += pull.sum(axis=1)
    return won - told.sum(axis=1), slope


def deterministic_spread(p: float, size: int) -> float:
    """Return the spread, in Elo points, of players of whom the better wins with chance p, and else a coin decides.

    The "p-deterministic" yardstick of Duersch, Lambrecht and Oechssler (2020), for infinitely many games of each pair.
    It hardly depends on how many sit at a table.

    Parameters
    ----------
    p : float
        From 0 up to, but without, 1.
    size : int
        How many players there are.
    """
    if not 0 <= p < 1 or size < 2:
        raise ValueError("p must be at least 0 and below 1, and size 2 or more")
    ahead = np.sign(np.arange(size) - np.arange(size)[:, None])
    return float(np.std(limit_ratings((1 + p * ahead) / 2)))


def p_equivalent(s: float, size: int) -> float:
    """Return the p of the p-deterministic players that have the same spread: skill as a part of all games.

    Parameters
    ----------
    s : float
        Elo points.
    size : int
        How many players there are; compare drafts on the same ladder.

    Returns
    -------
    float
        From 0 to 0.999, which also stands for all above.
    """
    from scipy.optimize import brentq

    most = 0.999
    if s <= 0:
        return 0.0
    if s >= deterministic_spread(most, size):
        return most
    return float(brentq(lambda p: deterministic_spread(p, size) - s, 0, most, xtol=1e-5))


def ladder_spread(size: int, shares: Any, seed: int, *, replicates: int = ratings.REPLICATES) -> Spread:
    """Return the spread of the bots of a ladder, in Elo points, from all their duels: no order, no k.

    Noise spreads ratings too: so much as drawing deals anew adds to s² is taken off it, and twice that off the ends of the
    interval of the replicates, which have the noise of both. Below 0 it is cut to 0.

    Parameters
    ----------
    size : int
        How many bots.
    shares : float array, shape (pairs, deals)
        As for `ratings.rate`.
    """
    deals = shares.shape[1]
    scale = ratings.maximum_likelihood(size, shares.mean(axis=1), deals)
    drawn = ratings.resampled(shares, seed, replicates)
    squares = ratings.each_likeliest(size, drawn, deals, scale).var(axis=1)
    tail = stats.expanded_tail(deals)
    own = float(scale.var())
    noise = squares.mean() - own
    ends = np.quantile(squares, [tail, 1 - tail]) - 2 * noise
    value, low, high = np.sqrt(np.maximum([own - noise, *ends], 0))
    return _spread(Estimate(float(value), math.nan, float(low), float(high), deals), None)
