"""The Elo spread: how far ratings lie apart, as a measure of skill, and the mixture with luck that it equals."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import ratings, sizes
from experiments.metrics.ratings import ELO
from experiments.metrics.sizes import Games
from experiments.stats import Estimate
from sim.jit import jit

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


def expected_payoffs(rating: Any) -> Any:
    """Return how many of the others each of n players is expected to finish ahead of.

    The expectation over all n! orders under the model of Plackett (1975) and Luce (1959). By independence of
    irrelevant alternatives it is the sum of the chances against each other player alone, n² terms.

    Parameters
    ----------
    rating : float array, shape (players,)
        Elo points.
    """
    strength = np.exp((np.asarray(rating, dtype=float) - np.max(rating)) / ELO)
    return (strength[:, None] / (strength[:, None] + strength)).sum(axis=1) - 0.5


def replay(players: Any, payoffs: Any, size: int, k: float) -> tuple[Any, float]:
    """Rate players game by game with step size k (Elo 1978; for more than two, Duersch et al. 2020).

    R += k/(n−1)·(a − e) for all at the table at once, a being a player's payoff and e that expected.

    Parameters
    ----------
    players : int array, shape (games, n)
        Who plays, all different.
    payoffs : float array, shape (games, n)
        How many of the others each finished ahead of, ties halved; for two players 1, ½, 0.
    size : int
        How many players there are in all.
    k : float
        In Elo points.

    Returns
    -------
    ratings : float array, shape (size,)
    loss : float
        Mean of (a − e)², by the ratings before each game.

    Raises
    ------
    ValueError
        If the shapes do not fit, or payoffs do not add up to n(n−1)/2.
    """
    players, payoffs = _games(players, payoffs, size)
    rating = np.zeros(size)
    return rating, float(_replay(players, payoffs, k, rating))


def _games(players: Any, payoffs: Any, size: int) -> tuple[Any, Any]:
    players, payoffs = np.asarray(players, dtype=np.int64), np.asarray(payoffs, dtype=float)
    if players.ndim != 2 or players.shape != payoffs.shape or players.size == 0 or players.shape[1] < 2:
        raise ValueError(f"games: players {players.shape} and payoffs {payoffs.shape} do not fit")
    if players.min() < 0 or players.max() >= size:
        raise ValueError(f"players: must be from 0 to {size - 1}")
    n = players.shape[1]
    if not np.allclose(payoffs.sum(axis=1), n * (n - 1) / 2):
        raise ValueError(f"payoffs: those of a game must add up to {n * (n - 1) / 2:g}")
    return players, payoffs


@jit
def _replay(players: Any, payoffs: Any, k: float, rating: Any) -> float:
    games, n = players.shape
    strength = np.empty(n)
    gap = np.empty(n)
    loss = 0.0
    for game in range(games):
        # Relative to the first at the table, so that no exponential overflows.
        base = rating[players[game, 0]]
        for i in range(n):
            strength[i] = math.exp((rating[players[game, i]] - base) / ELO)
        for i in range(n):
            expected = -0.5
            for j in range(n):
                expected += strength[i] / (strength[i] + strength[j])
            gap[i] = payoffs[game, i] - expected
            loss += gap[i] * gap[i]
        for i in range(n):
            rating[players[game, i]] += k / (n - 1) * gap[i]
    return loss / (games * n)


def best_k(players: Any, payoffs: Any, size: int, near: float = 0.0) -> float:
    """Return the step size whose ratings foretell the payoffs best, by squared error; 0 if none beats equal ratings.

    Parameters
    ----------
    players, payoffs, size
        As for `replay`.
    near : float
        A k from half to twice of which it is sought; from everywhere if it is 0.
    """
    from scipy.optimize import minimize_scalar

    players, payoffs = _games(players, payoffs, size)

    def loss(log_k: float) -> float:
        return float(_replay(players, payoffs, math.exp(log_k), np.zeros(size)))

    if near > 0:
        ends = (math.log(near / 2), math.log(near * 2))
    else:
        best = int(np.argmin([loss(log_k) for log_k in _GRID]))
        ends = (_GRID[max(best - 1, 0)], _GRID[min(best + 1, len(_GRID) - 1)])
    found = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-3})
    flat = float(_replay(players, payoffs, 0.0, np.zeros(size)))
    return math.exp(found.x) if found.fun < flat else 0.0


def spread(players: Any, payoffs: Any, size: int, seed: int, *, orders: int = 1) -> Spread:
    """Return the Elo spread s of a log of games (Duersch, Lambrecht and Oechssler, EER 127, 2020), in Elo points.

    The standard deviation of the ratings after the last game, made with the k that foretells best. It is one of the game
    *and* of who plays it: equals have a spread of 0 in any game. The interval is for these players, by the jackknife:
    a tenth of the games is left out in turn, and k sought again. For bots use `ladder_spread`, which has no order.

    Parameters
    ----------
    players, payoffs, size
        As for `replay`.
    seed : int
        Of the tenths, and of the orders.
    orders : int
        Over so many the ratings are averaged: that of the log, and shuffled ones.
    """
    players, payoffs = _games(players, payoffs, size)
    games = len(players)
    if games < 2 * _PARTS:
        raise ValueError(f"games: needs {2 * _PARTS} or more")
    dice = np.random.default_rng(seed)
    part = dice.permutation(games) % _PARTS
    shuffles = [np.arange(games), *(dice.permutation(games) for _ in range(orders - 1))]

    def deviation(keep: Any, k: float) -> float:
        rating = np.zeros(size)
        for order in shuffles:
            kept = order[keep[order]]
            rating += replay(players[kept], payoffs[kept], size, k)[0]
        return float(np.std(rating / orders))

    k = best_k(players, payoffs, size)
    value = deviation(np.ones(games, bool), k)
    without = []
    for number in range(_PARTS):
        keep = part != number
        without.append(deviation(keep, best_k(players[keep], payoffs[keep], size, k)))
    se = float(np.std(without)) * math.sqrt(_PARTS - 1)
    half = stats.quantile(_PARTS) * se
    return _spread(Estimate(value, se, max(value - half, 0.0), value + half, games), k)


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
    seed : int
    replicates : int
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


def of_rankings(rankings: list[list[int]], size: int) -> Any:
    """Return Elo ratings, mean 0, by maximum likelihood under Plackett and Luce's model, through `choix`.

    For tables of three or more and complete orders; pairs are `ratings.maximum_likelihood`'s.

    Parameters
    ----------
    rankings : list of list of int
        Of each game the players from first to last.
    size : int
        How many players there are. Each needs a place above and a place below some other, else no ratings are finite.
    """
    import choix

    known = set(itertools.chain.from_iterable(rankings))
    if known != set(range(size)):
        raise ValueError(f"rankings: must name each of the players 0 to {size - 1}")
    found = np.asarray(choix.ilsr_rankings(size, rankings))
    return ELO * (found - found.mean())
