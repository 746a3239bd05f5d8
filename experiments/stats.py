"""Estimates with their intervals. The unit is the block: one deal in every rotation of the line-up.

All come from exact integer sums over blocks (`sim.moments`), so they are the same for any split of a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from sim.batch import Totals
from sim.moments import DD, DD0, DX0, XD, XD0, XX, XX0, D, X

CONFIDENCE = 0.95

UNBOUND = (-math.inf, math.inf)

AGREEING = 30
"""Blocks that all agree, from which on that is no chance."""

_NOTHING = 1e-12
"""Part of a variance that rounding may leave."""

Kind = Literal["share", "mean"]


@dataclass(frozen=True)
class Estimate:
    """A ratio over blocks.

    Attributes
    ----------
    se : float
        Standard error; NaN with a single block.
    low, high : float
        95% interval; NaN where one block gives none.
    blocks : int
        Independent units behind it.
    """

    value: float
    se: float
    low: float
    high: float
    blocks: int

    @property
    def interval(self) -> list[float] | None:
        """Both ends of the interval, None without one."""
        return None if math.isnan(self.low) else [self.low, self.high]


@dataclass(frozen=True)
class Difference:
    """One run's estimate less that of the run compared against.

    Attributes
    ----------
    value, se, low, high : float
        As in `Estimate`.
    paired : bool
        Both were played on the same deals, and the error takes that into account.
    gain : float
        Variance of the difference had the deals been independent, over its variance as they were paired.
    """

    value: float
    se: float
    low: float
    high: float
    blocks: int
    paired: bool
    gain: float


def kind_of(key: tuple[Any, ...], shares: frozenset[str]) -> Kind:
    """Tell whether a measure is a share of something; `shares` names the events that are."""
    if key[0] in ("win", "ties") or (key[0] in ("event", "bot_event") and key[1] in shares):
        return "share"
    return "mean"


@cache
def quantile(blocks: int, family_size: int = 1) -> float:
    """Return how many standard errors an interval reaches: Student's t, or for a single block the normal's."""
    from scipy.special import ndtri, stdtrit

    below = 1 - (0.5 - CONFIDENCE / 2) / family_size
    return float(stdtrit(blocks - 1, below) if blocks > 1 else ndtri(below))


def expanded_tail(blocks: int, family_size: int = 1) -> float:
    """Return where to cut a bootstrap distribution, further out for few blocks (Hesterberg 2015)."""
    from scipy.special import ndtr

    return float(ndtr(-quantile(blocks, family_size) * math.sqrt(blocks / (blocks - 1))))


def _residuals(sums: Any, m: int) -> tuple[float, float]:
    """Return (ratio x/d, sum over blocks of ((x − ratio·d) / mean d)², without the factor blocks²).

    The linearisation of a ratio (Cochran 1977, section 6.3), from exact integers: the sums are large and
    nearly cancel.
    """
    x, d, xx, xd, dd = (int(sums[row, m]) for row in (X, D, XX, XD, DD))
    squares = xx * d * d - 2 * x * xd * d + x * x * dd
    return x / d, squares / d**4


def estimate(
    totals: Totals,
    m: int,
    kind: Kind,
    *,
    fixed: bool = False,
    blocks: int | None = None,
    family_size: int = 1,
) -> Estimate:
    """Estimate measure number `m` of a run.

    A mean gets Student's interval. A share gets Wilson's (1927), with the number of trials that would give
    the standard error found over blocks (Korn and Graubard 1998): it stays inside [0, 1] and is not empty
    when all blocks agree. A count gets that of `count_interval`; one that never came the exact upper bound
    −ln(0.025)/n of a Poisson rate, the two-sided form of the rule of three.

    Parameters
    ----------
    kind : {"share", "mean"}
    fixed : bool
        The share is the same in every block by construction.
    blocks : int, optional
        Independent units behind it, where they are fewer than the blocks of the run.
    family_size : int
        Of so many intervals made with it, all hold at once in 95 of 100 cases (Bonferroni).
    """
    n = totals.blocks if blocks is None else blocks
    ratio, squares = _residuals(totals.sums, m)
    scale = totals.scales[m]
    value = ratio / scale
    se = math.sqrt(max(squares, 0.0) * n / (n - 1)) / scale if n > 1 else math.nan
    if fixed:
        low = high = value
    elif kind == "share" or _is_count(totals, m):
        low, high = _ends(totals, m, Estimate(value, se, math.nan, math.nan, n), kind, family_size)
    elif n > 1:
        half = quantile(n, family_size) * se
        low, high = value - half, value + half
    else:
        low = high = math.nan
    return Estimate(value, se, low, high, n)


def _is_count(totals: Totals, m: int) -> bool:
    return totals.keys[m][0] in ("event", "bot_event")


def _ends(totals: Totals, m: int, found: Estimate, kind: Kind, family_size: int = 1) -> tuple[float, float]:
    """Return the interval of a share or a count, see `estimate`."""
    if kind == "share":
        return share_interval(found.value, found.se, found.blocks, family_size)
    if found.value == 0:
        return 0.0, -math.log(0.5 - CONFIDENCE / 2) / int(totals.sums[D, m]) / totals.scales[m]
    if found.blocks > 1:
        return count_interval(found.value, found.se, found.blocks, family_size)
    return math.nan, math.nan


def mean_interval(
    value: float, se: float, blocks: int, family_size: int = 1, bounds: tuple[float, float] = UNBOUND
) -> tuple[float, float]:
    """Return the interval of a mean that must lie within bounds.

    Between two ends it is that of a share of the way from one to the other; above a lower end that of a count from there on;
    else Student's.

    Parameters
    ----------
    blocks, family_size : int
        As for `share_interval`.
    bounds : tuple of float
        The least and the greatest that the mean can be; no greatest without a least.
    """
    least, most = bounds
    if math.isfinite(most - least):
        width = most - least
        low, high = share_interval((value - least) / width, se / width, blocks, family_size)
        return least + width * low, least + width * high
    if math.isfinite(least) and value > least and se > 0:
        low, high = count_interval(value - least, se, blocks, family_size)
        return least + low, least + high
    half = quantile(blocks, family_size) * se
    return value - half, value + half


def share_interval(p: float, se: float, blocks: int, family_size: int = 1) -> tuple[float, float]:
    """Return the interval of a share, see `estimate`."""
    z = quantile(blocks, family_size)
    trials = p * (1 - p) / se**2 if se > 0 and 0 < p < 1 else float(blocks)
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(max(p * (1 - p) / trials + z * z / (4 * trials**2), 0.0))
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def count_interval(value: float, se: float, blocks: int, family_size: int = 1) -> tuple[float, float]:
    """Return the interval of a mean count above 0, as of N = (value/se)² events: for independent ones that is their number.

    What comes more often varies more, so that it reaches further up than down, and stays above 0. The upper end is that of
    the score interval of a Poisson rate (Wilson's of a rare share), value·(1 + z²/2N + z·√(1/N + z²/4N²)). The lower one is
    the exact end of N events (Garwood 1936): that of the score interval is too high for few, .18 for one of which .025 is
    right, and rates below it would be missed whenever any event came.

    Parameters
    ----------
    value, se : float
        Where fewer than 30 blocks all agree, the error is that of two more that differ by all of `value`, one each way.
    blocks, family_size : int
        As for `share_interval`.
    """
    from scipy.special import gammaincinv, ndtr

    z = quantile(blocks, family_size)
    if se == 0 and blocks < AGREEING:
        se = math.sqrt(2) * value / blocks
    share = se**2 / value**2
    high = 1 + z * z * share / 2 + z * math.sqrt(share + (z * share) ** 2 / 4)
    low = share * float(gammaincinv(1 / share, ndtr(-z))) if share > 0 else 1.0
    return value * low, value * high


def difference(
    totals: Totals, m: int, base: Totals, m0: int, *, paired: bool, kind: Kind = "mean", fixed: bool = False
) -> Difference:
    """Estimate measure `m` of one run less measure `m0` of the run compared against.

    A mean gets Student's interval. A share or a count gets one made of the runs' own intervals p − a to p + b and
    p₀ − a₀ to p₀ + b₀ (Zou and Donner 2008, after Newcombe 1998): d − √(a² + b₀² − 2r·a·b₀) to d + √(b² + a₀² − 2r·b·a₀).
    It stays within what is possible, and is not empty if neither run has seen anything. The correlation r of the blocks is
    lowered as if two more did not go together: what tells the runs apart may not have come yet.

    Parameters
    ----------
    totals, base : Totals
        `totals` holds the cross products with `base` if the runs were paired.
    paired : bool
        Whether they were played on the same deals block by block.
    kind : {"share", "mean"}
    fixed : bool
        The measure is the same in every block of both by construction.
    """
    scale, scale0 = totals.scales[m], base.scales[m0]
    ratio, squares = _residuals(totals.sums, m)
    ratio0, squares0 = _residuals(base.sums, m0)
    n, n0 = totals.blocks, base.blocks
    few = min(n, n0)
    value = ratio / scale - ratio0 / scale0
    if few < 2:
        return Difference(value, math.nan, math.nan, math.nan, few, paired, math.nan)
    variance = squares * n / (n - 1) / scale**2
    variance0 = squares0 * n0 / (n0 - 1) / scale0**2
    product = 0.0
    if paired:
        product = _product(totals.sums, m, base.sums, m0) * n / (n - 1) / (scale * scale0)
    apart = variance + variance0
    together = max(apart - 2 * product, 0.0)
    se = math.sqrt(together)
    gain = apart / together if together > 0 else (1.0 if apart == 0 else math.inf)
    if (kind == "share" or _is_count(totals, m)) and not fixed:
        one = Estimate(ratio / scale, math.sqrt(max(variance, 0.0)), math.nan, math.nan, n)
        other = Estimate(ratio0 / scale0, math.sqrt(max(variance0, 0.0)), math.nan, math.nan, n0)
        r = product / (one.se * other.se) if one.se * other.se > 0 else 0.0
        ends, ends0 = _ends(totals, m, one, kind), _ends(base, m0, other, kind)
        low, high = _apart(one.value, ends, other.value, ends0, min(max(r, -1.0), r * n / (n + 2)))
    else:
        # Few blocks that all differ by the same may do so by chance.
        chance = few < AGREEING and together <= _NOTHING * apart
        half = quantile(few) * (math.sqrt(apart) if chance else se)
        low, high = value - half, value + half
    return Difference(value, se, low, high, few, paired, gain)


def _apart(
    p: float, ends: tuple[float, float], p0: float, ends0: tuple[float, float], r: float
) -> tuple[float, float]:
    """Return the interval of p − p0 from those of both, see `difference`."""

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(one**2 + other**2 - 2 * r * one * other, 0.0))

    (low, high), (low0, high0) = ends, ends0
    return p - p0 - reach(p - low, high0 - p0), p - p0 + reach(high - p, p0 - low0)


def _product(sums: Any, m: int, sums0: Any, m0: int) -> float:
    """Return the sum over blocks of the products of the two runs' residuals (see `_residuals`)."""
    x, d = int(sums[X, m]), int(sums[D, m])
    x0, d0 = int(sums0[X, m0]), int(sums0[D, m0])
    xx0, xd0, dx0, dd0 = (int(sums[row, m]) for row in (XX0, XD0, DX0, DD0))
    products = xx0 * d * d0 - x0 * xd0 * d - x * dx0 * d0 + x * x0 * dd0
    return products / (d * d * d0 * d0)
