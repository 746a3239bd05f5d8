"""Whether results persist: split halves, the transition number, intraclass correlations."""

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


@dataclass(frozen=True)
class Intraclass:
    """Correlations of ratings of the same target, the forms of Shrout and Fleiss (1979).

    Attributes
    ----------
    one, two, three : Estimate
        ICC(1,1): each target has raters of its own; ICC(2,1): all have the same, drawn at random; ICC(3,1): these
        raters and no others.
    one_k, two_k, three_k : Estimate
        The same of the mean over all raters.
    """

    one: Estimate
    two: Estimate
    three: Estimate
    one_k: Estimate
    two_k: Estimate
    three_k: Estimate


def spearman_brown(reliability: Any, factor: float) -> Any:
    """Return the reliability of a record `factor` times as long (Spearman 1910, Brown 1910): f·r/(1 + (f − 1)·r).

    Parameters
    ----------
    reliability : float or float array
        Of the record as it is, for example an ICC or the correlation of two halves.
    factor : float
    """
    return factor * reliability / (1 + (factor - 1) * reliability)


def transition_number(r_star: float, games: int) -> float:
    """Return the games after which R* is one half: N·(1 − R*)/R*; infinite if R* is not above 0.

    Parameters
    ----------
    r_star : float
    games : int
        Of both halves together.
    """
    return games * (1 - r_star) / r_star if r_star > 0 else math.inf


def expected_r_star(spread: float, games: int, mean: float = 0.5) -> float:
    """Return the R* of a population of win rates, for planning: 2σ²/(2σ² + E[θ(1−θ)]/h), h games a half.

    Parameters
    ----------
    spread : float
        Standard deviation σ of the players' true win rates θ.
    games : int
        Of both halves together, even.
    mean : float
        Mean win rate, so that E[θ(1−θ)] = mean·(1 − mean) − σ².
    """
    noise = (mean * (1 - mean) - spread**2) / (games / 2)
    return 2 * spread**2 / (2 * spread**2 + noise)


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
    replicates : int

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


def intraclass(table: Any) -> Intraclass:
    """Return the six intraclass correlations of Shrout and Fleiss (1979), without units, with their F intervals.

    From the mean squares of a table of targets × raters. ICC(1,1) = (B − W)/(B + (k−1)W) of a bot's results over k deals
    is the reliability of one deal; that of N is `spearman_brown`. Own code: neither scipy nor statsmodels has it.

    Parameters
    ----------
    table : float array, shape (targets, raters)
        For example bots × deals. Here the interval is over targets, by the F distribution.

    Raises
    ------
    ValueError
        With fewer than two raters, or without any variance left within targets.
    """
    from scipy.stats import f

    table = blocks.checked(table, 2, "table")
    n, k = table.shape
    if k < 2:
        raise ValueError("table: needs two raters or more")
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    between = k * ((rows - grand) ** 2).sum() / (n - 1)
    within = ((table - rows[:, None]) ** 2).sum() / (n * (k - 1))
    raters = n * ((columns - grand) ** 2).sum() / (k - 1)
    rest = ((table - rows[:, None] - columns + grand) ** 2).sum() / ((n - 1) * (k - 1))
    if rest <= 1e-12 * max(between, within):
        raise ValueError("table: raters agree but for a constant, so there is no error to judge by")
    upper = (1 + CONFIDENCE) / 2

    def one_way(ratio: float) -> float:
        return (ratio - 1) / (ratio + k - 1)

    def by_f(ratio: float, df: int) -> tuple[float, float, float]:
        low, high = ratio / f.ppf(upper, n - 1, df), ratio * f.ppf(upper, df, n - 1)
        return one_way(ratio), one_way(low), one_way(high)

    one = by_f(between / within, n * (k - 1))
    three = by_f(between / rest, (n - 1) * (k - 1))
    two_value = (between - rest) / (between + (k - 1) * rest + k * (raters - rest) / n)
    # Satterthwaite's degrees of freedom, as Shrout and Fleiss give them.
    tilt = raters / rest
    top = k * two_value * tilt + n * (1 + (k - 1) * two_value) - k * two_value
    bottom = (n - 1) * (k * two_value * tilt) ** 2 + (n * (1 + (k - 1) * two_value) - k * two_value) ** 2
    df = (k - 1) * (n - 1) * top**2 / bottom
    down, up = f.ppf(upper, n - 1, df), f.ppf(upper, df, n - 1)
    spare = k * raters + (k * n - k - n) * rest
    two = (
        two_value,
        n * (between - down * rest) / (down * spare + n * between),
        n * (up * between - rest) / (spare + n * up * between),
    )
    singles = [_estimate(values, n) for values in (one, two, three)]
    means = [_estimate([spearman_brown(value, k) for value in values], n) for values in (one, two, three)]
    return Intraclass(*singles, *means)


def _estimate(values: Any, n: int) -> Estimate:
    value, low, high = (float(one) for one in values)
    return Estimate(value, math.nan, low, high, n)
