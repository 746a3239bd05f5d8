"""A sequential test of two hypotheses on how much better one bot is than another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from experiments.metrics import ratings


@dataclass(frozen=True)
class RatioTest:
    """A generalised sequential probability ratio test of two mean scores.

    Attributes
    ----------
    llr : float
        Log-likelihood ratio of the second hypothesis to the first.
    approximate : float
        The same by the normal distribution.
    lower, upper : float
        Bounds: at or below the lower the first is accepted, at or above the upper the second.
    blocks : int
    """

    llr: float
    approximate: float
    lower: float
    upper: float
    blocks: int

    @property
    def accepted(self) -> Literal[0, 1] | None:
        """Which of the hypotheses is accepted, if one is."""
        if self.llr >= self.upper:
            return 1
        return 0 if self.llr <= self.lower else None


def ratio_test(
    counts: Any, scores: Any, elo: tuple[float, float], *, alpha: float = 0.05, beta: float = 0.05
) -> RatioTest:
    """Test whether a bot is elo[0] or elo[1] points better, from the scores of blocks (Wald 1945; Li, Liu and Ying 2014).

    The log-likelihood ratio is N·Σ p̂_i·log(p1_i/p0_i), p0 and p1 being the distributions of block scores most likely of
    those with the mean that the hypothesis says: p_i = p̂_i/(1 + x(a_i − s)), x such that their mean is s. About
    N(s1 − s0)(2m − s0 − s1)/(2v), with m and v the mean and variance of blocks. Own code: no package has it.

    Parameters
    ----------
    counts : int array, shape (classes,)
        Blocks of each score.
    scores : float array, shape (classes,)
        Increasing, from 0 to 1: for two seatings of a deal 0, ¼, ½, ¾, 1.
    elo : (float, float)
        Elo points of both hypotheses, the second the greater.
    alpha, beta : float
        Rates at which the second is accepted though the first is true, and the other way round.

    Raises
    ------
    ValueError
        If all blocks that came lie on one side of a hypothesis, so that it is impossible; or the order is wrong.
    """
    counts, scores = np.asarray(counts, dtype=float), np.asarray(scores, dtype=float)
    came = counts > 0
    counts, scores = counts[came], scores[came]
    wanted = [ratings.expected(points) for points in elo]
    if elo[0] >= elo[1] or len(scores) == 0 or not scores[0] < wanted[0] < wanted[1] < scores[-1]:
        raise ValueError("scores: blocks must lie on both sides of both hypotheses, the second the greater")
    n = counts.sum()
    share = counts / n
    first, second = (1 + _tilt(share, scores, s) * (scores - s) for s in wanted)
    llr = float((counts * (np.log(first) - np.log(second))).sum())
    mean = float(share @ scores)
    variance = float(share @ (scores - mean) ** 2)
    approximate = n * (wanted[1] - wanted[0]) * (2 * mean - sum(wanted)) / (2 * variance)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    return RatioTest(llr, float(approximate), lower, upper, int(n))


def _tilt(share: Any, scores: Any, wanted: float) -> float:
    """Return the x with Σ p_i(a_i − s)/(1 + x(a_i − s)) = 0, between the ends where a weight would be infinite."""
    from scipy.optimize import brentq

    off = scores - wanted
    ends = -1 / off[-1], -1 / off[0]
    inside = 1e-12 * (ends[1] - ends[0])
    return float(
        brentq(
            lambda x: float((share * off / (1 + x * off)).sum()),
            ends[0] + inside,
            ends[1] - inside,
            xtol=1e-14,
        )
    )
