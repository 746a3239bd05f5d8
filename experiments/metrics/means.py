"""Verdicts from means and deviations over blocks alone, for runs too long to keep their blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from experiments import stats
from experiments.metrics.verdicts import Verdict, careful, holm, judged, not_rejected
from experiments.stats import Estimate


@dataclass(frozen=True)
class Mean:
    """A difference of which only this is kept.

    Attributes
    ----------
    value, sd : float
        Mean and standard deviation over blocks.
    blocks : int
    margin : float
        A difference of no more than this is none.
    bound : float
        About the greatest difference that a block can have.
    """

    value: float
    sd: float
    blocks: int
    margin: float
    bound: float


def judge(means: Sequence[Mean | None], claims: int) -> list[Verdict | None]:
    """Give the verdicts of `verdicts.judge`, by t tests on means and their `careful` deviations.

    Parameters
    ----------
    means : sequence of Mean or None
        None where there is no data: it stays undecided, but still counts as a claim.
    claims : int
        As many share the 5%: no fewer than there are means. Those that are missing count as not rejected.

    Returns
    -------
    list of Verdict or None
        With the interval that each would have alone, of the deviation that was seen; where none was, of the careful one.
    """
    from scipy.special import stdtr

    differ, alike = np.ones(claims), np.ones(claims)
    for number, mean in enumerate(means):
        if mean is None or mean.blocks < 2:
            continue
        se = float(careful(mean.sd, mean.bound, mean.blocks)) / math.sqrt(mean.blocks)
        off = abs(mean.value)
        differ[number] = 2 * stdtr(mean.blocks - 1, -off / se)
        # Of the two one-sided tests, the one on the nearer side has the greater p.
        alike[number] = stdtr(mean.blocks - 1, (off - mean.margin) / se)
    rejected = holm(differ), holm(alike)
    left = not_rejected(rejected[0]), not_rejected(rejected[1])
    found: list[Verdict | None] = []
    for mean, clear, within in zip(means, *rejected, strict=False):
        if mean is None:
            found.append(None)
            continue
        se, half, sd = math.nan, math.nan, mean.bound
        if mean.blocks > 1:
            sd = mean.sd
            se = (sd or float(careful(sd, mean.bound, mean.blocks))) / math.sqrt(mean.blocks)
            half = stats.quantile(mean.blocks) * se
        estimate = Estimate(mean.value, se, mean.value - half, mean.value + half, mean.blocks)
        found.append(judged(estimate, sd, mean.margin, (clear, within), left, mean.bound))
    return found
