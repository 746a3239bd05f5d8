"""Whether the parts of a variance add up to it, and in what words."""

from __future__ import annotations

from experiments.report import words
from experiments.stats import Estimate
from experiments.studies.skill.section import Number

GAP = "the first less the second (0 if all is well)"
"""The number that tells the sum of the parts less the variance."""

_CLOSE = 0.1
"""Off by no more than this part of the variance, parts are said to add up to it."""

_ROUGH = 0.2
"""Adding up to a sum that is so far off, shares are called rough."""


_BEYOND = 0.5
"""Where they may be off by more than this part of the variance, nothing is told."""


def check(total: Estimate, variance: Estimate, gap: Estimate, *, of: str, why: str = "") -> str:
    """Say whether parts add up, as far as the interval of the gap allows.

    Parameters
    ----------
    total, variance, gap : Estimate
        The sum of the parts, what it must be, and the first less the second.
    of : str
        What it must be, in words.
    why : str
        Why parts may not add up.
    """
    said = f"difference {Number(GAP, '', gap, 'number').said}"
    sum_ = f"{words.number(100 * total.value / variance.value)}%"
    most = max(-gap.low, gap.high) / variance.value
    if not gap.low <= 0 <= gap.high:
        return f"The parts add up to {sum_} of {of}, not to 100%, so take them as rough{why} ({said})."
    if most <= _CLOSE:
        return f"The parts add up to {of}, as they should ({said})."
    if most > _BEYOND:
        return f"Too few matches to say whether the parts add up to {of}: take the shares as rough ({said})."
    rough = "" if abs(total.value / variance.value - 1) <= _ROUGH else " Take the shares as rough."
    bound = words.number(100 * words.rounded_up(most, 2))
    return f"The parts add up to {sum_} of {of} (100% is right): with so few matches they may be off by up to {bound}% ({said}).{rough}"
