"""Circles among bots: how much of who beats whom one scale of strength explains."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import ratings
from experiments.stats import CONFIDENCE


@dataclass(frozen=True)
class Transitivity:
    """Share of the log-odds that one scale explains.

    Attributes
    ----------
    value : float
        From 0 (all circles) to 1 (a scale explains all).
    low, high : float
        95% band of it if the ratings were all there is, with the noise of so many deals: below it there are circles.
    deals : int
        Of the pair that has the fewest.
    """

    value: float
    low: float
    high: float
    deals: int


def hodge(matrix: Any) -> float:
    """Return the transitive share of an antisymmetric matrix (Jiang, Lim, Yao and Ye 2011), a number of 0 … 1.

    T = Σ(r_i − r_j)²/ΣA_ij² over all pairs, r being the means of the rows; the rest turns in circles. 1 if all is 0.
    Own code: two lines of numpy.

    Parameters
    ----------
    matrix : float array, shape (bots, bots)
        A_ij = −A_ji, such as the log-odds that i beats j.

    Raises
    ------
    ValueError
        If it is not antisymmetric.
    """
    matrix = np.asarray(matrix, dtype=float)
    if matrix.ndim != 2 or not np.allclose(matrix, -matrix.T, atol=1e-9):
        raise ValueError("matrix: must be antisymmetric")
    return float(_transitive(matrix))


def _transitive(matrix: Any) -> Any:
    """Return the share of each of an array of matrices, shape (…, bots, bots)."""
    norm = (matrix**2).sum(axis=(-2, -1))
    rows = matrix.mean(axis=-1)
    explained = ((rows[..., :, None] - rows[..., None, :]) ** 2).sum(axis=(-2, -1))
    return np.divide(explained, norm, out=np.ones_like(norm), where=norm > 0)


def transitivity(size: int, shares: Any, seed: int, *, replicates: int = ratings.REPLICATES) -> Transitivity:
    """Return the transitive share of the log-odds of duels, beside what noise alone would give.

    Half a deal won and half a deal lost are added to each pair, as the ratings do, so that all odds are finite. Noise
    makes circles: the band is of the ratings' own odds with the noise of deals drawn anew.

    Parameters
    ----------
    size : int
        How many bots, 3 or more.
    shares : sequence of float array, shape (deals,)
        As for `ratings.rate`.

    Raises
    ------
    ValueError
        With fewer than three bots, where there are no circles.
    """
    if size < 3:
        raise ValueError("size: circles need three bots or more")
    deals = np.array([len(row) for row in shares])
    values = np.array([row.mean() for row in shares])
    scale = ratings.maximum_likelihood(size, values, deals)
    told = np.array(
        [ratings.expected(scale[i] - scale[j]) for i, j in itertools.combinations(range(size), 2)]
    )
    noisy = told[:, None] + ratings.resampled(shares, seed, replicates) - values[:, None]
    band = _transitive(_log_odds(size, noisy.T, deals))
    low, high = np.quantile(band, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Transitivity(hodge(_log_odds(size, values, deals)), float(low), float(high), int(deals.min()))


def _log_odds(size: int, values: Any, deals: Any) -> Any:
    inside = (np.clip(values, 0, 1) * deals + 0.5) / (deals + 1)
    found = ratings.matrix_of(size, inside)
    found[..., np.arange(size), np.arange(size)] = 0.5
    return np.log(found) - np.log(np.swapaxes(found, -1, -2))
