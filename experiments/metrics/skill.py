"""Skill against luck: relative skill, the luck meter, games to tell players apart, depth, the skill trace."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks, nonsmooth, ratings
from experiments.metrics.ratings import Standing
from experiments.stats import Estimate

RUNG = ratings.ELO * math.log(3)
"""Elo points, 190.85, of a player who is ahead in 75% of cases."""


@dataclass(frozen=True)
class RelativeSkill:
    """What skill moves, of all that skill and luck move.

    Attributes
    ----------
    learning, random : Estimate
        What the optimal player gains over the beginner, and the fictive one over the optimal, in points.
    skill : Estimate
        learning/(learning + random). Not forced into [0, 1]: a "fictive" player that gains less than the optimal shows.
        Without an interval where `reach` is not seen to be above 0, and NaN where it is 0.
    reach : Estimate
        What the fictive player gains over the beginner, learning + random.
    """

    learning: Estimate
    random: Estimate
    skill: Estimate
    reach: Estimate


@dataclass(frozen=True)
class LuckMeter:
    """A win rate read as a mixture of games that the stronger wins and games that a lot decides.

    Attributes
    ----------
    skill, luck : Estimate
        Parts of all games, together 1.
    """

    skill: Estimate
    luck: Estimate


@dataclass(frozen=True)
class Trace:
    """What doubling the search is worth.

    Attributes
    ----------
    steps : list of Estimate
        Utility from −1 to 1 of the side with twice the budget, at each doubling; the intervals hold at once.
    next : Estimate
        What a line through them foretells for the next doubling, cut to [0, 1].
    trace : Estimate
        The skill trace, from 0 to 1.
    """

    steps: list[Estimate]
    next: Estimate
    trace: Estimate


def relative_skill(beginner: Any, optimal: Any, fictive: Any, *, most: float = math.inf) -> RelativeSkill:
    """Return the relative skill of Borm and van der Genugten (2001), a share.

    RS = L/(L + R), with L = U_opt − U_beg what there is to learn and R = U_fic − U_opt what chance keeps from the optimal
    player. The U are means over roles and deals of what the three players gain in the same deals, roles and against the same
    opponents: the ratio of averages, not the average of ratios. It depends on who is the beginner, and a bot that is not
    optimal lowers it; so it says little without their names.

    The interval has all r for which that of (1 − r)·L − r·R holds 0, as Fieller's (1954), but with intervals of L and R that
    bear with rare gains (`_gain`), put together as by Zou and Donner (2008). So it has a width too where the fictive player
    gained nothing over the optimal one in the deals played. It is bounded where the 95% interval of U_fic − U_beg is above 0;
    where that is not so, the data do not bound the ratio, and it has no interval.

    Parameters
    ----------
    beginner, optimal, fictive : float array, shape (blocks,) or (blocks, roles)
        Gains in points. The fictive player knows in advance how chance will fall.
    most : float
        The greatest gain there can be, such as 1 of shares of the win.

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    gains = [np.asarray(of_player, dtype=float) for of_player in (beginner, optimal, fictive)]
    if len({of_player.shape for of_player in gains}) > 1:
        shapes = ", ".join(str(of_player.shape) for of_player in gains)
        raise ValueError(f"gains: shapes differ: {shapes}")
    rows = np.stack([of_player.reshape(len(of_player), -1).mean(axis=1) for of_player in gains], 1)
    rows = blocks.checked(rows, 2, "gains")
    part, rest, whole = rows[:, 1] - rows[:, 0], rows[:, 2] - rows[:, 1], rows[:, 2] - rows[:, 0]
    largest = float(np.ptp(rows, axis=1).max())
    learning, random = (_gain(values, largest, most) for values in (part, rest))
    reach = blocks.mean_within(whole, (-most, most))
    value = float(part.mean() / reach.value) if reach.value else math.nan
    low, high = math.nan, math.nan
    if reach.low > 0:
        low, high = _ends_of_ratio(value, learning, random, _correlation(part, rest))
    se = math.nan
    if not math.isnan(low):
        se = float(np.std(part - value * whole, ddof=1)) / math.sqrt(len(rows)) / reach.value
    return RelativeSkill(learning, random, Estimate(value, se, low, high, len(rows)), reach)


def _gain(values: Any, largest: float, most: float) -> Estimate:
    """Return the mean of what one player gains over another, with an interval that bears with rare gains.

    Gains and losses are counted apart, each with the score interval of a rare count (`stats.count_interval`), and put
    together (Zou and Donner 2008): of frequent ones that is about Student's. A gain that never came may still be as frequent
    as −ln(0.025)/n (the rule of three for both sides), and as large as the largest of anybody. A loss that never came is
    taken for impossible: who knows more can do no worse.
    """
    if largest == 0:
        return blocks.mean_within(values, (-most, most))
    n, value = len(values), float(values.mean())
    gained, lost = np.maximum(values, 0), np.maximum(-values, 0)
    unseen = -math.log(0.5 - stats.CONFIDENCE / 2) / n * largest
    (up, up_low, up_high), (down, down_low, down_high) = _counted(gained, unseen), _counted(lost, 0.0)
    r = _correlation(gained, lost)
    low = value - _apart(up - up_low, down_high - down, r)
    high = value + _apart(up_high - up, down - down_low, r)
    se = float(np.std(values, ddof=1)) / math.sqrt(n)
    return Estimate(value, se, max(low, -most), min(high, most), n)


def _counted(values: Any, unseen: float) -> tuple[float, float, float]:
    """Return the mean of what is not below 0, and its ends; `unseen` is the upper one where nothing came."""
    n, value = len(values), float(values.mean())
    if value == 0:
        return 0.0, 0.0, unseen
    se = float(np.std(values, ddof=1)) / math.sqrt(n)
    return value, *stats.count_interval(value, se, n)


def _correlation(x: Any, y: Any) -> float:
    """Return the correlation over blocks, lowered as if two more did not go together."""
    if blocks.agree(x) or blocks.agree(y):
        return 0.0
    r, n = float(np.corrcoef(x, y)[0, 1]), len(x)
    return min(max(r, -1.0), r * n / (n + 2))


def _apart(a: float, b: float, r: float) -> float:
    """Return how far the difference of two numbers may be off that may be off by a and b, with correlation r."""
    return math.sqrt(max(a * a + b * b - 2 * r * a * b, 0.0))


def _ends_of_ratio(value: float, learning: Estimate, random: Estimate, r: float) -> tuple[float, float]:
    """Return the least and the greatest ratio ρ for which (1 − ρ)·learning − ρ·random may be 0; NaN if unbounded."""
    from scipy.optimize import brentq

    def reach(ratio: float, side: int) -> float:
        """Return the upper (side 1) or the lower end (−1) of the interval of the difference."""
        of_learning, of_random = 1 - ratio, -ratio
        first, second = (
            abs(weight) * abs((estimate.high if side * weight > 0 else estimate.low) - estimate.value)
            for weight, estimate in ((of_learning, learning), (of_random, random))
        )
        centre = of_learning * learning.value + of_random * random.value
        opposite = -math.copysign(1.0, of_learning * of_random)
        return centre + side * _apart(first, second, opposite * r)

    ends = []
    for side in (-1, 1):
        step = 1 / 16
        while side * reach(value + side * step, side) > 0 and step < _UNBOUNDED:
            step *= 2
        if step >= _UNBOUNDED:
            return math.nan, math.nan
        at_value = side * reach(value, side)
        end = brentq(reach, value, value + side * step, args=(side,)) if at_value > 1e-15 else value
        ends.append(float(end))
    return ends[0], ends[1]


_UNBOUNDED = 1e6
"""A ratio that may be so far off is not bounded."""


def luck_meter(wins: Any, players: int) -> LuckMeter:
    """Return the part of games that skill decides: (p − 1/n)/(1 − 1/n), and that of luck, the rest.

    The mixture of Duersch, Lambrecht and Oechssler (2020) for one strong player: with some chance the better wins, else
    all n alike. Below 0 if the strong player is none.

    Parameters
    ----------
    wins : float array, shape (blocks,)
        Share won by the one strong player, over its seats.
    players : int
        At the table, the weak ones included.
    """
    if players < 2:
        raise ValueError("players: must be 2 or more")
    found = blocks.share(wins)
    due = 1 / players
    value, low, high = ((p - due) / (1 - due) for p in (found.value, found.low, found.high))
    se = found.se / (1 - due)
    skill = Estimate(value, se, low, high, found.blocks)
    return LuckMeter(skill, Estimate(1 - value, se, 1 - high, 1 - low, found.blocks))


def rungs(standing: Standing, share: float) -> list[int]:
    """Return the longest row of places of which each beats the next at least so often: the depth of the ladder.

    "At least" means that the lower end of the interval is, made wide enough for all duels (Bonferroni).

    Parameters
    ----------
    share : float
        For example 0.55, 0.6 or 0.75.
    """
    size = len(standing.order)
    clear = np.zeros((size, size), bool)
    for i, j in itertools.permutations(range(size), 2):
        clear[i, j] = standing.duel(i, j).interval(len(standing.duels))[0] >= share
    return ratings.longest_chain(clear)


def depth(size: int, shares: Any, seed: int, *, replicates: int = ratings.REPLICATES) -> Estimate:
    """Return the range of Elo ratings from the weakest to the strongest bot, in rungs of 75% (190.85 points).

    Which bots are the extremes is read off the same data: among equals the range is biased upward. The interval bears with
    that: it is that of the greatest of all differences of two ratings, see `gaps`.

    Parameters
    ----------
    size : int
        How many bots.
    shares : float array, shape (pairs, deals)
        As for `ratings.rate`.
    seed : int
        Of the bootstrap over deals, the same for all pairs.
    """
    deals = shares.shape[1]
    scale = ratings.maximum_likelihood(size, shares.mean(axis=1), deals)
    drawn = ratings.each_likeliest(size, ratings.resampled(shares, seed, replicates), deals, scale)
    one, other = np.triu_indices(size, 1)
    apart, noise = ((array[..., one] - array[..., other]) / RUNG for array in (scale, drawn - scale))
    low, high = nonsmooth.greatest_interval(apart, noise, deals)
    ranges = np.ptp(drawn, axis=1) / RUNG
    return Estimate(float(np.ptp(scale)) / RUNG, float(np.std(ranges, ddof=1)), low, high, deals)


def _utility(share: Estimate) -> Estimate:
    value, low, high = (2 * end - 1 for end in (share.value, share.low, share.high))
    return Estimate(value, 2 * share.se, low, high, share.blocks)


def trace(shares: Any, seed: int) -> Trace:
    """Return the skill trace over doublings of a search's budget, as the general game system Ludii defines it.

    At each doubling the side with twice the budget has utility y = 2·share − 1. With ŷ the next doubling's by least
    squares, cut to [0, 1]: trace = ŷ + (1 − ŷ)·mean of max(y, 0)². Divided by the number of doublings, which the
    published program leaves out, it lies in [0, 1]. Ludii: Piette et al. (2020). Noise alone gives some utility above 0, and
    a trace with it: where no doubling is clearly won, the interval reaches down to 0.

    Parameters
    ----------
    shares : float array, shape (blocks, doublings)
        How often the side with the larger budget wins, ties halved, all doublings on the same deals; two or more.
    seed : int
        Of the bootstrap over blocks.
    """
    shares = blocks.checked(shares, 2, "shares")
    doublings = shares.shape[1]
    if doublings < 2:
        raise ValueError("shares: a line needs two doublings or more")
    place = np.arange(doublings) - (doublings - 1) / 2
    # The line's value one step beyond the last, (doublings + 1)/2 from the middle, is this sum of the utilities.
    weights = 1 / doublings + (doublings + 1) / 2 * place / (place**2).sum()

    def both(means: Any) -> Any:
        utility = 2 * means - 1
        coming = np.clip(utility @ weights, 0, 1)
        area = (np.maximum(utility, 0) ** 2).mean(axis=-1)
        return np.stack([coming, coming + (1 - coming) * area], axis=-1)

    coming, whole = blocks.of_means(shares, both, seed)
    steps = [_utility(blocks.share(column, doublings)) for column in shares.T]
    if all(step.low <= 0 for step in steps):
        whole = replace(whole, low=0.0)
    if whole.low == whole.high:
        # All replicates are cut to the same: what the steps may still be, all at once, bounds it.
        ends = np.array([[step.low, step.high] for step in steps])
        furthest = np.sort(ends * weights[:, None], axis=1).sum(axis=0)
        low, high = np.clip(furthest, 0, 1)
        least, most = (np.maximum(ends, 0) ** 2).mean(axis=0)
        coming = replace(coming, low=float(low), high=float(high))
        whole = replace(whole, low=float(low + (1 - low) * least), high=float(high + (1 - high) * most))
    return Trace(steps, coming, whole)
