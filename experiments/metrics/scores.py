"""The distribution of scores of a draft, and how far those of two drafts lie apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks, nonsmooth
from experiments.metrics.shapes import effective_number
from experiments.stats import CONFIDENCE, Estimate

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

FAR = 2.0
"""A match is a blow-out if the first leads the second by more standard deviations of scores than this."""


@dataclass(frozen=True)
class Summary:
    """A distribution of scores; intervals are over deals.

    Attributes
    ----------
    mean, sd : Estimate
        In points, over all seats and matches.
    skew : Estimate
        Third standardised moment.
    quantiles : dict of float to Estimate
        In points, of `QUANTILES`.
    ties : Estimate
        Share of matches in which more than one has the best score.
    blow_outs : Estimate
        Share of matches won by more than `FAR` standard deviations. Of few different scores it jumps, where that many
        deviations are close to a possible lead.
    distinct : Estimate
        Effective number of distinct scores: exp of the entropy, which is the number of scores if all are as likely. What
        the entropy of so few deals lacks is added (Miller 1955, by the error that deals give each share).
    difference : Estimate
        Mean difference of two players of a match, in points (Gini's mean difference).
    gini : Estimate or None
        Inequality within a match: mean difference over twice the mean; None if some score is below 0.
    """

    mean: Estimate
    sd: Estimate
    skew: Estimate
    quantiles: dict[float, Estimate]
    ties: Estimate
    blow_outs: Estimate
    distinct: Estimate
    difference: Estimate
    gini: Estimate | None
    matches: int


@dataclass(frozen=True)
class Distance:
    """How far two distributions lie apart.

    Attributes
    ----------
    value : Estimate
        Never below 0, so noise makes it too large; the interval bears with that, and reaches down to 0 where noise may be
        all there is.
    alike : float
        What 95 of 100 comparisons stay below that differ by noise alone.
    p : float
        Share of such comparisons that are at least as far apart: the p-value of a permutation test.
    """

    value: Estimate
    alike: float
    p: float

    @property
    def beyond_noise(self) -> bool:
        """Whether noise alone comes out as far apart in no more than 5 of 100 cases."""
        return self.p <= 1 - CONFIDENCE


@dataclass(frozen=True)
class Distances:
    """Two ways to measure it.

    Attributes
    ----------
    wasserstein : Distance
        In points: how far points have to be moved on average to turn one into the other (Vaserstein 1969).
    kolmogorov : Distance
        Greatest difference of the shares below a score, without units (Smirnov 1939).
    """

    wasserstein: Distance
    kolmogorov: Distance


def _scores(scores: Any, what: str) -> Any:
    array = np.asarray(scores, dtype=float)
    if array.ndim != 3 or len(array) < 2 or array.size == 0 or not np.isfinite(array).all():
        raise ValueError(f"{what}: needs deals (two or more) × matches × seats; not shape {array.shape}")
    return array


def _histogram(scores: Any, values: Any) -> Any:
    """Return the share of each value in each deal, shape (deals, values)."""
    deals = len(scores)
    flat = scores.reshape(deals, -1)
    place = np.searchsorted(values, flat) + len(values) * np.arange(deals)[:, None]
    return np.bincount(place.ravel(), minlength=deals * len(values)).reshape(deals, -1) / flat.shape[1]


def summary(scores: Any, seed: int) -> Summary:
    """Summarise the scores of a draft.

    Moments are those of the distribution itself (divided by n). Own code for the intervals, since all matches of a deal
    are drawn together; for the entropy see Hill (1973), for the mean difference Gini (1912).

    Parameters
    ----------
    scores : float array, shape (deals, matches, seats)
        Final scores in points.
    seed : int
        Of the bootstrap over deals.

    Raises
    ------
    ValueError
        With fewer than two seats.
    """
    scores = _scores(scores, "scores")
    seats = scores.shape[2]
    if seats < 2:
        raise ValueError("scores: needs two seats or more")
    ordered = np.sort(scores, axis=2)
    leads = ordered[:, :, -1:] - ordered[:, :, -2:-1]
    weights = 2 * np.arange(1, seats + 1) - seats - 1
    apart = 2 * (ordered * weights).sum(axis=2).mean(axis=1) / (seats * (seats - 1))
    values, margins = np.unique(scores), np.unique(leads)
    spread = _histogram(scores, values)
    rows = np.concatenate([apart[:, None], spread, spread**2, _histogram(leads, margins)], axis=1)
    ends = np.cumsum([1, len(values), len(values)])

    def numbers(means: Any, times: int = 1) -> Any:
        first, shares, squares, lead = np.split(means, ends, axis=-1)
        mean = shares @ values
        off = values - mean[..., None]
        variance = (shares * off**2).sum(axis=-1)
        sd = np.sqrt(variance)
        third = (shares * off**3).sum(axis=-1)
        skew = np.divide(third, sd**3, out=np.full_like(sd, np.nan), where=sd > 0)
        tied = lead @ (margins == 0)
        # A deviation or mean that rounds to a margin must not decide by its last digit.
        far = (lead * (margins > FAR * sd[..., None] + 1e-9)).sum(axis=-1)
        distinct = effective_number(shares, squares, len(rows), times)
        difference = first[..., 0]
        gini = np.divide(difference, 2 * mean, out=np.full_like(mean, np.nan), where=mean > 0)
        return np.stack([mean, sd, skew, tied, far, distinct, difference, gini], axis=-1)

    mean, sd, skew, _, far, distinct, difference, gini = blocks.of_means(
        rows, numbers, seed, in_replicates=lambda means: numbers(means, 2)
    )
    # Of what is rare a bootstrap draws only what came; its error has the noise of the deviation, which moves the limit.
    low, high = stats.share_interval(far.value, far.se, far.blocks)
    far = replace(far, low=low, high=high)
    ties = blocks.share((leads[:, :, 0] == 0).mean(axis=1))
    quantiles = _quantiles(spread, values, seed)
    inequality = gini if values[0] >= 0 else None
    matches = scores.shape[0] * scores.shape[1]
    return Summary(mean, sd, skew, quantiles, ties, far, distinct, difference, inequality, matches)


def _quantiles(spread: Any, values: Any, seed: int) -> dict[float, Estimate]:
    """Return quantiles with percentile intervals: they are no smooth function of means, which BCa takes them for."""
    deals = len(spread)
    tail = stats.expanded_tail(deals)
    drawn = np.cumsum(blocks.drawn_means(spread, seed), axis=1)
    whole = np.cumsum(spread.mean(axis=0))
    found = {}
    for q in QUANTILES:
        # The first score with at least q of all at or below it; sums of shares round.
        value = float(values[int(np.argmax(whole >= q - 1e-9))])
        replicas = values[np.argmax(drawn >= q - 1e-9, axis=1)]
        low, high = np.quantile(replicas, [tail, 1 - tail])
        found[q] = Estimate(
            value, float(np.std(replicas, ddof=1)), min(float(low), value), max(float(high), value), deals
        )
    return found


def distances(a: Any, b: Any, seed: int, *, replicates: int = blocks.REPLICATES) -> Distances:
    """Measure how far the scores of two drafts lie apart, played on the same deals.

    What noise alone gives comes from swapping the two drafts in half of the deals at random, which keeps what a deal has
    in common. A difference of means, paired by deal, shows with far fewer deals: this is for shapes. Own code, since scipy
    does not draw deals; its distances are the same.

    Distances are the sum and the greatest of the absolute gaps of two distribution functions; for their intervals see
    `gaps`. Matches and seats of a deal may be others in the two drafts: each draft's scores weigh the same by deal.

    Parameters
    ----------
    a, b : float array, shape (deals, matches, seats)
        Final scores in points.
    seed : int
        Of the bootstrap over deals and of the swaps.

    Raises
    ------
    ValueError
        If the numbers of deals differ.
    """
    a, b = _scores(a, "a"), _scores(b, "b")
    deals = len(a)
    if len(b) != deals:
        raise ValueError(f"a, b: must be of the same deals, not of {deals} and {len(b)}")
    values = np.unique(np.concatenate([a.ravel(), b.ravel()]))
    width = np.diff(values)
    # In whole numbers, which add up to the same in any order: in a product of matrices that is the machine's. After the
    # last score both have all.
    whole = math.lcm(a[0].size, b[0].size)
    apart = _histogram(a, values) - _histogram(b, values)
    between = np.cumsum(np.rint(whole * apart), axis=1)[:, :-1]

    def both(means: Any) -> Any:
        size = np.abs(means)
        return np.stack([(size * width).sum(axis=-1), size.max(axis=-1, initial=0.0)], axis=-1)

    dice = np.random.default_rng([seed, 1])
    swapped = dice.choice([-1.0, 1.0], size=(replicates, deals))
    null = both(swapped @ between / deals / whole)
    mean = between.sum(axis=0) / deals / whole
    drawn = blocks.drawn_means(between, seed, replicates) / whole
    noise = drawn - mean
    low, most = nonsmooth.greatest_interval(mean, noise, deals)
    ends = nonsmooth.total_interval(mean, noise, deals, width), (low, min(most, 1.0))
    spread = np.std(both(drawn), axis=0, ddof=1)
    found = [
        Estimate(float(value), float(se), *interval, deals)
        for value, se, interval in zip(both(mean), spread, ends, strict=True)
    ]
    return Distances(*[_distance(one, null[:, m]) for m, one in enumerate(found)])


def _distance(found: Estimate, null: Any) -> Distance:
    far = int((null >= found.value - 1e-12).sum())
    return Distance(found, float(np.quantile(null, CONFIDENCE)), (far + 1) / (len(null) + 1))
