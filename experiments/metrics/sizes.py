"""How many blocks or games it takes to tell something."""

from __future__ import annotations

import math
from dataclasses import dataclass

from experiments.stats import CONFIDENCE, Estimate

LEVEL = 1 - CONFIDENCE
"""Rate of errors that tests accept."""

POWER = 0.8
"""How sure a plan is that what is so will be found."""


@dataclass(frozen=True)
class Games:
    """A number of games, infinite if none is enough.

    Attributes
    ----------
    value, low, high : float
        At an estimate and at both ends of its interval.
    blocks : int
        Behind the estimate.
    """

    value: float
    low: float
    high: float
    blocks: int


def to_differ(sd: float, effect: float, *, alpha: float = LEVEL, power: float = POWER) -> float:
    """Return the blocks that show a mean to differ from 0: n = ((z(1−α/2) + z(power))·sd/effect)².

    Parameters
    ----------
    sd : float
        Standard deviation over blocks.
    effect : float
        The true mean; infinitely many blocks if it is 0.
    alpha, power : float
        Rate of false alarms of the two-sided test, and of true ones.
    """
    from scipy.special import ndtri

    if effect == 0:
        return math.inf
    return float(((ndtri(1 - alpha / 2) + ndtri(power)) * sd / effect) ** 2)


def to_match(
    sd: float, margin: float, *, effect: float = 0.0, alpha: float = LEVEL, power: float = POWER
) -> float:
    """Return the blocks after which two one-sided tests find a mean within ±`margin` (Schuirmann 1987).

    The n with Φ((margin − effect)·√n/sd − z(1−α)) + Φ((margin + effect)·√n/sd − z(1−α)) − 1 = power; for an effect of 0
    that is n = ((z(1−α) + z((1 + power)/2))·sd/margin)². Infinitely many if the effect is no smaller than the margin.

    Parameters
    ----------
    sd : float
        Standard deviation over blocks.
    margin : float
        In the units of the measure.
    effect : float
        The true mean.
    alpha, power : float
        Rates of false and of true findings.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    near, far = margin - abs(effect), margin + abs(effect)
    if near <= 0:
        return math.inf
    if sd == 0:
        return 0.0
    z = float(ndtri(1 - alpha))

    def lacking(root: float) -> float:
        return float(ndtr(near * root / sd - z) + ndtr(far * root / sd - z)) - 1 - power

    most = (z + float(ndtri((1 + power) / 2)) + 1) * sd / near
    return float(brentq(lacking, 0, most)) ** 2


def to_lead(p: float, sure: float) -> float:
    """Return the smallest odd number of games m with P(Binomial(m, p) > m/2) ≥ `sure`; infinite for p ≤ ½.

    Parameters
    ----------
    p : float
        How often the better player wins a game.
    sure : float
        For example 0.75, as Duersch, Lambrecht and Oechssler (2020) ask.
    """
    from scipy.stats import binom

    if p <= 0.5:
        return math.inf

    def enough(half: int) -> bool:
        return float(binom.sf(half, 2 * half + 1, p)) >= sure

    high = 1
    while not enough(high):
        high *= 2
        if high > 2**50:
            return math.inf
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(2 * high + 1)


def games_until_ahead(share: Estimate, sure: float) -> Games:
    """Return the odd number of games after which the better player has won most of them, with probability `sure`.

    The binomial of `to_lead` (Duersch, Lambrecht and Oechssler 2020 call it repetitions, with `sure` 0.75), for
    games that do not share deals.

    Parameters
    ----------
    share : Estimate
        Of games that the player believed better wins, ties halved.
    sure : float
        For example 0.75 or 0.95.
    """
    value, low, high = (to_lead(p, sure) for p in (share.value, share.high, share.low))
    return Games(value, low, high, share.blocks)
