"""What duels tell of the bots: ratings, clear steps, circles. Knows no game."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import sizes
from experiments.stats import CONFIDENCE

ELO = 400 / math.log(10)
"""Elo points of one natural unit of log-odds."""

FEW_DEALS = 30
"""With fewer a bootstrap interval is too narrow."""

REPLICATES = 1000

POWER = sizes.POWER
"""How sure `Duel.deals_to_decide` is of its answer."""

_PRIOR = 0.5
_LEAST = 0.01
"""Deals lost at the least by who lost none, in a bootstrap sample; Jeffreys' posterior goes below it in 1 of 10."""

_STEPS = 1000

_SETTLED = 1e-8
"""Natural units that a step of Newton's method moves no rating by any more."""


@dataclass(frozen=True)
class Duel:
    """Two bots at one table, as many seats for one as for the other over all seatings.

    Attributes
    ----------
    by_deal : float array, shape (deals,)
        How often a player of the first bot finishes ahead of a player of the second, ties halved, over all
        matches of a deal.
    """

    by_deal: Any

    @property
    def deals(self) -> int:
        """How many there are."""
        return len(self.by_deal)

    @property
    def value(self) -> float:
        """Share of pairs of players in which the first bot's is ahead."""
        return float(np.mean(self.by_deal))

    @cached_property
    def deviation(self) -> float:
        """Sample standard deviation over deals."""
        return float(np.std(self.by_deal, ddof=1))

    @property
    def prior(self) -> float:
        """Deals to add to either side for a finite rating: half a result (Jeffreys' prior of a share).

        A deal of several matches says as much as several results; half a deal would pull ratings of few deals to the middle.
        """
        if self.deviation == 0:
            return _PRIOR
        return _PRIOR / max(1.0, self.value * (1 - self.value) / self.deviation**2)

    @property
    def one_sided(self) -> bool:
        """Whether it went all one way, in every deal."""
        return self.value in (0.0, 1.0)

    def interval(self, family_size: int = 1) -> tuple[float, float]:
        """Return the 95% interval over deals (`stats.share_interval`), not empty when all deals agree.

        Parameters
        ----------
        family_size : int
            Of so many intervals made with it, all hold at once in 95 of 100 cases (Bonferroni).
        """
        n = self.deals
        return stats.share_interval(self.value, self.deviation / math.sqrt(n), n, family_size)

    def turned(self) -> Duel:
        """Return the same duel, told from the other side."""
        return Duel(1 - self.by_deal)

    def deals_to_decide(self, family_size: int = 1) -> float:
        """Return how many deals would show who is ahead, in four of five ladders, were the share just what it is.

        Infinite where the duel is even, or came out alike in all deals and is yet not clear.
        """
        gap = abs(self.value - 0.5)
        if self.deviation == 0:
            return math.inf
        return sizes.to_differ(self.deviation, gap, alpha=(1 - CONFIDENCE) / family_size, power=POWER)


@dataclass(frozen=True)
class Standing:
    """How bots stand to each other.

    Attributes
    ----------
    order : list of int
        Numbers of the bots, from the strongest to the weakest; everything else is in this order.
    duels : dict of (int, int) to Duel
        Of every two places i < j in the order.
    ratings : float array, shape (bots,)
        Elo points by maximum likelihood (Bradley and Terry 1952, which is Plackett and Luce's model of pairs),
        with mean 0.
    low, high : float array, shape (bots,)
        95% interval by the bootstrap over deals, see `resampled`: its quantiles, or Student's where that is wider.
    cycles : float
        Share of threes that beat each other in a circle.
    cycles_low, cycles_high : float
        95% band of that share if the ratings were all there is, with the noise of so many deals.
    """

    order: list[int]
    duels: dict[tuple[int, int], Duel]
    ratings: Any
    low: Any
    high: Any
    cycles: float
    cycles_low: float
    cycles_high: float

    def duel(self, row: int, column: int) -> Duel:
        """Return the duel of two places, told from the side of the row."""
        return self.duels[row, column] if row < column else self.duels[column, row].turned()

    def expected(self, row: int, column: int) -> float:
        """Return how often the bot of the row would be ahead, by the ratings."""
        return expected(self.ratings[row] - self.ratings[column])

    @cached_property
    def clear(self) -> Any:
        """Whether the bot of the row beats that of the column clearly; bool array, shape (bots, bots).

        A duel is clear if its interval lies above one half, made wide enough for all duels of the ladder to be judged
        at once: of ladders of equals, at most one in twenty has any clear duel.
        """
        size = len(self.order)
        found = np.zeros((size, size), bool)
        for i, j in itertools.permutations(range(size), 2):
            found[i, j] = self.duel(i, j).interval(len(self.duels))[0] > 0.5
        return found

    @cached_property
    def chain(self) -> list[int]:
        """The longest row of places of which each beats the next clearly."""
        return longest_chain(self.clear)


def expected(gap: float) -> float:
    """Return how often a bot is ahead of one that is rated `gap` lower."""
    from scipy.special import expit

    return float(expit(gap / ELO))


def rate(size: int, shares: Any, seed: int, *, replicates: int = REPLICATES) -> Standing:
    """Rate bots by their duels.

    Parameters
    ----------
    size : int
        How many bots.
    shares : sequence of float array, shape (deals,)
        For the pairs (0, 1), (0, 2) … (1, 2) …, how often the first is ahead on each deal. The deals are the same
        for all pairs, so the bootstrap draws deals, not duels; a pair may have played only the first of them.
    seed : int
        Of the bootstrap.
    replicates : int
        Of the bootstrap.
    """
    pairs = list(itertools.combinations(range(size), 2))
    deals = [len(row) for row in shares]
    values = np.array([row.mean() for row in shares])
    priors = [Duel(row).prior for row in shares]
    ratings = maximum_likelihood(size, values, deals, priors=priors)
    drawn = resampled(shares, seed, replicates)
    replicas = each_likeliest(size, drawn, deals, ratings, priors)
    # Every rating leans on all duels: as if all had no more deals than the fewest, which errs to the wide side.
    fewest = min(deals)
    tail = stats.expanded_tail(fewest)
    low, high = np.quantile(replicas, [tail, 1 - tail], axis=0)
    if not any(Duel(row).one_sided for row in shares):
        # Quantiles of few deals are too near: the interval reaches no less far than Student's of the bootstrap's error.
        error = np.std(replicas, axis=0, ddof=1) * math.sqrt(fewest / (fewest - 1))
        half = stats.quantile(fewest) * error
        low, high = np.minimum(low, ratings - half), np.maximum(high, ratings + half)
    order = np.argsort(-ratings, kind="stable")
    place = np.argsort(order)
    duels = {}
    for number, (i, j) in enumerate(pairs):
        duel = Duel(shares[number])
        ahead = place[i] < place[j]
        duels[int(min(place[i], place[j])), int(max(place[i], place[j]))] = duel if ahead else duel.turned()
    told = np.array([expected(ratings[i] - ratings[j]) for i, j in pairs])
    noisy = told[:, None] + drawn - values[:, None]
    circles = cycles_of(matrix_of(size, noisy.T))
    band = np.quantile(circles, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Standing(
        [int(number) for number in order],
        duels,
        ratings[order],
        np.minimum(low, ratings)[order],
        np.maximum(high, ratings)[order],
        float(cycles_of(matrix_of(size, values))),
        float(band[0]),
        float(band[1]),
    )


def matrix_of(size: int, values: Any) -> Any:
    """Return the win matrix of the values of all pairs, shape (…, pairs); NaN on the diagonal."""
    values = np.asarray(values, dtype=float)
    found = np.full((*values.shape[:-1], size, size), np.nan)
    one, other = np.triu_indices(size, 1)
    found[..., one, other], found[..., other, one] = values, 1 - values
    return found


def resampled(shares: Any, seed: int, replicates: int) -> Any:
    """Return the means of all pairs over deals drawn anew; shape (pairs, replicates).

    Deals are drawn in strata, as many of each as were played: those that all pairs played, together for all pairs; those
    that only some pairs played, for these alone. For which pairs play a deal is settled before it is dealt, so that
    another ladder would have just as many of each. A deal drawn together keeps what its cards do to all duels at once; on
    the others the pairs with fewer deals share no luck with the rest. Drawn from all deals alike, the number of deals of
    such a pair would itself be a matter of chance, which it is not.

    Where a duel went all one way, drawing deals anew shows nothing: its share is drawn from what so many deals leave
    open, the posterior of Jeffreys' prior (without the half deal that `maximum_likelihood` adds).
    """
    dice = np.random.default_rng(seed)
    lengths = np.array([len(row) for row in shares])
    ends = np.unique(lengths)
    strata = []
    for start, end in itertools.pairwise([0, *ends]):
        rows = np.flatnonzero(lengths >= end)
        strata.append((rows, np.stack([shares[row][start:end] for row in rows])))
    found = np.zeros((len(shares), replicates))
    for number in range(replicates):
        for rows, stratum in strata:
            deals = stratum.shape[1]
            found[rows, number] += stratum @ np.bincount(dice.integers(deals, size=deals), minlength=deals)
    found /= lengths[:, None]
    for number, deals in enumerate(lengths):
        if Duel(shares[number]).one_sided:
            lost = dice.beta(_PRIOR, deals + _PRIOR, replicates)
            lost = np.maximum(lost, _LEAST / deals) - _PRIOR / deals
            found[number] = lost if shares[number][0] == 0 else 1 - lost
    return found


def maximum_likelihood(size: int, values: Any, deals: Any, start: Any = None, priors: Any = _PRIOR) -> Any:
    """Return Elo ratings with mean 0 by maximum likelihood, through `choix`.

    A duel that went all one way has no finite rating: to each some deals won and as many lost are added.

    Parameters
    ----------
    size : int
        How many bots.
    values : float array
        Of the pairs (0, 1), (0, 2) … (1, 2) …, how often the first is ahead.
    deals : int or sequence of int
        Behind each value: the weight of a duel.
    start : float array, optional
        Ratings to begin with.
    priors : float or sequence of float
        Deals added to either side of each duel, see `Duel.prior`.
    """
    import choix

    wins = _counted(size, values, deals, priors)
    first = None if start is None else np.asarray(start) / ELO
    found = np.asarray(choix.ilsr_pairwise_dense(wins, initial_params=first, max_iter=_STEPS))
    return ELO * (found - found.mean())


def _counted(size: int, values: Any, deals: Any, priors: Any) -> Any:
    """Return how many deals the one of the row won of the one of the column, with those that are added."""
    played, added = np.zeros((size, size)), np.zeros((size, size))
    played[np.triu_indices(size, 1)], added[np.triu_indices(size, 1)] = deals, priors
    wins = np.nan_to_num(matrix_of(size, values)) * (played + played.T) + added + added.T
    wins[..., np.arange(size), np.arange(size)] = 0.0
    return wins


def each_likeliest(size: int, values: Any, deals: Any, start: Any, priors: Any = _PRIOR) -> Any:
    """Return the ratings of `maximum_likelihood` for many sets of values at once, shape (sets, bots).

    Own code: `choix` rates them one by one, which takes a hundred times as long. Newton's method from ratings that are near.

    Parameters
    ----------
    size, deals, start, priors
        As for `maximum_likelihood`.
    values : float array, shape (pairs, sets)
    """
    from scipy.special import expit

    wins = _counted(size, values.T, deals, priors)
    both = wins + np.swapaxes(wins, -1, -2)
    rating = np.tile(np.asarray(start) / ELO, (len(wins), 1))
    bots = np.arange(size)
    for _ in range(_STEPS):
        told = expit(rating[:, :, None] - rating[:, None, :])
        slope = -both * told * (1 - told)
        slope[:, bots, bots] -= slope.sum(axis=2)
        gap = (wins - both * told).sum(axis=2)
        # Ratings are free but for a constant; adding it to the matrix makes it one that can be inverted.
        step = np.linalg.solve(slope + slope.max(), gap[:, :, None])[:, :, 0]
        rating += np.clip(step, -1, 1)
        if np.abs(step).max() < _SETTLED:
            return ELO * (rating - rating.mean(axis=1, keepdims=True))
    raise ValueError("values: ratings do not settle")


def longest_chain(clear: Any) -> list[int]:
    """Return the longest row of places of which each beats the next clearly.

    Parameters
    ----------
    clear : bool array, shape (bots, bots)
        Whether the one of the row clearly beats the one of the column, from strong to weak.
    """
    best: list[list[int]] = [[number] for number in range(len(clear))]
    for number in range(len(clear)):
        for before in range(number):
            if clear[before, number] and len(best[before]) + 1 > len(best[number]):
                best[number] = [*best[before], number]
    return max(best, key=len)


def cycles_of(matrix: Any) -> Any:
    """Return the share of threes that beat each other in a circle, 0 where there are fewer than three bots.

    Parameters
    ----------
    matrix : float array, shape (…, bots, bots)
        How often the one of the row is ahead of the one of the column.
    """
    beats = np.nan_to_num(matrix, nan=0.5) > 0.5
    size = matrix.shape[-1]
    if size < 3:
        return np.zeros(matrix.shape[:-2])
    # Every circle of three is met at each of its bots.
    number = beats.astype(np.int64)
    return np.trace(number @ number @ number, axis1=-2, axis2=-1) / 3 / math.comb(size, 3)
