"""Verdicts: better, worse, equivalent or undecided, with error rates that are fixed before the first match.

Two ways. `judge` looks once, at a run of a size that was fixed before. A `Plan` may be looked at as often as one likes,
and stops when it knows. Both take differences by block: a measure of one draft less that of another on the same deals;
or, where a run is too long to keep them, their mean and deviation (`means.judge`, `Plan.at`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from experiments.metrics import blocks, sizes
from experiments.ratings import FEW_DEALS
from experiments.stats import Estimate

Word = Literal["better", "worse", "equivalent", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """What is known of one difference.

    Attributes
    ----------
    estimate : Estimate
        The difference. Of `judge`, with the 95% interval it would have alone; of a `Plan`, with one that holds at all
        looks.
    margin : float
        A difference of no more than this is none, in the units of the measure.
    word : {"better", "worse", "equivalent", "undecided"}
        "better" is above 0. A difference that is clear but within the margin is "equivalent".
    more : float
        Further blocks it would take, were mean and deviation just what they are; 0 if decided. Of `judge`: after which four of
        five runs would decide it, if of the other claims just those are decided that are now; where others are decided on the
        way it takes fewer.
    """

    estimate: Estimate
    margin: float
    word: Word
    more: float


def holm(p_values: Any, level: float = sizes.LEVEL) -> Any:
    """Return which hypotheses are rejected so that any false rejection has a chance of at most `level` (Holm 1979).

    Parameters
    ----------
    p_values : float array, shape (claims,)
    level : float
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, kind="stable")
    fits = p_values[order] <= level / np.arange(len(order), 0, -1)
    rejected = np.zeros(len(order), dtype=bool)
    rejected[order] = np.logical_and.accumulate(fits)  # none behind the first that does not fit
    return rejected


def screen(p_values: Any, level: float = sizes.LEVEL) -> Any:
    """Return which hypotheses are rejected so that of those at most `level` are false on average.

    Benjamini and Hochberg (1995): for a first look at many options, not for claims.

    Parameters
    ----------
    p_values : float array, shape (claims,)
    level : float
    """
    from scipy.stats import false_discovery_control

    return false_discovery_control(p_values, method="bh") <= level


def difference_p(values: Any) -> float:
    """Return the p-value of the two-sided paired t test that the mean difference is 0, by scipy.

    Parameters
    ----------
    values : float array, shape (blocks,)
    """
    from scipy.stats import ttest_1samp

    values = blocks.checked(values, 1, "values")
    if blocks.agree(values):
        return float(blocks.agree([*values, 0.0]) or len(values) < FEW_DEALS)
    return float(ttest_1samp(values, 0).pvalue)


def equivalence_p(values: Any, margin: float) -> float:
    """Return the p-value of the two one-sided t tests that the mean lies within ±margin, by scipy.

    Parameters
    ----------
    values : float array, shape (blocks,)
        If they are all alike there is no noise to judge by: 30 or more are taken at their word, fewer show nothing.
    margin : float
    """
    from scipy.stats import ttest_1samp

    values = blocks.checked(values, 1, "values")
    if blocks.agree(values):
        return float(abs(values[0]) >= margin or len(values) < FEW_DEALS)
    above = ttest_1samp(values, -margin, alternative="greater")
    below = ttest_1samp(values, margin, alternative="less")
    return float(max(above.pvalue, below.pvalue))


def won_and_lost(won: int, lost: int) -> tuple[float, float]:
    """Return McNemar's χ² (1947) and its p-value, of pairs of games on a deal of which one draft or bot won just one.

    Parameters
    ----------
    won, lost : int
        Deals on which only the first, or only the second, won; independent ones.
    """
    from scipy.stats import chi2

    statistic = (won - lost) ** 2 / (won + lost) if won + lost else 0.0
    return statistic, float(chi2.sf(statistic, 1))


# ---- one look -------------------------------------------------------------------------------------------


def judge(differences: Mapping[str, Any], margins: Mapping[str, float]) -> dict[str, Verdict]:
    """Give a verdict on each of several differences, by one look at a run of a fixed size.

    Two families of tests, each with Holm's correction over all claims: t tests that a mean is 0, and pairs of one-sided t
    tests that it lies outside ±margin. So there is any false "better" or "worse" in at most 5% of runs, and any false
    "equivalent" in at most 5%. If a difference is both clear and within the margin, it is equivalent.

    Parameters
    ----------
    differences : mapping of str to float array, shape (blocks,)
        By measure, turned so that more is better. Where 30 blocks or more all differ by the same, that is taken for the
        truth.
    margins : mapping of str to float
        By measure, in its units, above 0.

    Raises
    ------
    ValueError
        If the names differ, or a margin is not above 0.
    """
    if set(differences) != set(margins) or not margins or min(margins.values()) <= 0:
        raise ValueError("margins: one above 0 for each difference")
    differs = holm([difference_p(values) for values in differences.values()])
    matches = holm([equivalence_p(values, margins[name]) for name, values in differences.items()])
    left = not_rejected(differs), not_rejected(matches)
    found = {}
    for (name, values), clear, alike in zip(differences.items(), differs, matches, strict=True):
        estimate = blocks.mean(values)
        sd = estimate.se * math.sqrt(estimate.blocks)
        found[name] = judged(estimate, sd, margins[name], (clear, alike), left)
    return found


def not_rejected(found: Any) -> int:
    """Return how many hypotheses of `holm` are not rejected: the next of them that is must have a p of level/so many.

    Parameters
    ----------
    found : bool array, shape (claims,)
    """
    return int(np.size(found) - np.sum(found))


def judged(
    estimate: Estimate,
    sd: float,
    margin: float,
    rejected: tuple[bool, bool],
    left: tuple[int, int],
    bound: float = 0.0,
) -> Verdict:
    """Give the verdict when it is known which of "no difference" and "outside the margin" are rejected.

    Parameters
    ----------
    estimate : Estimate
    sd : float
        Standard deviation over blocks.
    margin : float
    rejected : (bool, bool)
    left : (int, int)
        Of each how many are not rejected, this claim's and others': so many share the 5% when the next comes.
    bound : float
        The greatest difference of a block, where the tests are by the `careful` deviation.
    """
    clear, alike = rejected
    if alike:
        return Verdict(estimate, margin, "equivalent", 0.0)
    if clear:
        return Verdict(estimate, margin, "better" if estimate.value > 0 else "worse", 0.0)
    needed = min(
        sizes.to_differ(1, estimate.value, alpha=sizes.LEVEL / left[0]),
        sizes.to_match(1, margin, effect=estimate.value, alpha=sizes.LEVEL / left[1]),
    )
    more = careful_blocks(needed, sd, bound) - estimate.blocks
    return Verdict(estimate, margin, "undecided", max(more, 1.0))


def careful(sd: Any, bound: float, n: Any) -> Any:
    """Return a standard deviation as if two further blocks differed by as much as can be, one each way.

    The idea of Agresti and Coull (1998). What differs in few blocks may not have come yet, and the deviation seen be far
    too small: without this a count that neither draft has shown would at once be equivalent, or, shown once, different.

    Parameters
    ----------
    sd : float or float array
        Of the blocks alone.
    bound : float
        The greatest difference of a block.
    n : float or float array
        Blocks.
    """
    return np.sqrt(sd**2 + 2 * bound**2 / n)


def careful_blocks(blocks: float, sd: float, bound: float) -> float:
    """Return the n of which the `careful` deviation is small enough, n = blocks·(sd² + 2·bound²/n).

    Parameters
    ----------
    blocks : float
        What it takes at a deviation of 1, see `sizes`; the number grows as its square.
    sd : float
        Of the blocks alone.
    bound : float
        The greatest difference of a block.
    """
    if math.isinf(blocks):
        return math.inf
    plain = blocks * sd**2
    return (plain + math.sqrt(plain**2 + 8 * blocks * bound**2)) / 2


# ---- until decided --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A sequential comparison; written down before the first match.

    After every block from the `first` on there is an interval for the mean difference, and with probability 95% all of
    them hold, however often one looks and whenever one stops. So any verdict read off them, false "better", "worse" and
    "equivalent" together, is wrong in at most 5% of comparisons.

    They are the asymptotic confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024): Robbins' normal
    mixture with the estimated deviation, m ± s·√(2(nρ² + 1)/(n²ρ²)·log(√(nρ² + 1)/α)). Chosen over a group-sequential
    design since looks need not be planned, and over empirical-Bernstein bounds since these cost several times the blocks
    where differences are far smaller than they could be. The price is that they lean on the central limit theorem from the
    first look on. Drafts that play alike on most deals would break it; so s is the `careful` deviation. Own code: no
    package that is kept up has them.

    Attributes
    ----------
    margin : float
        A difference of no more than this is none.
    bound : float
        The greatest difference that a block can have: 1 for shares of wins.
    claims : int
        So many comparisons share the 5% (Bonferroni).
    first : int
        Blocks before the first look.
    aim : int
        Number of blocks at which the interval is narrowest for its level: what one expects to need.
    """

    margin: float
    bound: float
    claims: int = 1
    first: int = 100
    aim: int = 2000

    def __post_init__(self) -> None:
        """Refuse what makes no plan.

        Raises
        ------
        ValueError
            If the margin is not above 0, the bound below it, or a number is too small.
        """
        if not 0 < self.margin <= self.bound or self.claims < 1 or self.first < 30 or self.aim < self.first:
            raise ValueError(
                "plan: margin above 0, bound no less, one claim or more, first look from 30 blocks on, aim no sooner"
            )

    def half_width(self, n: Any, sd: Any) -> Any:
        """Return half the width of the interval after `n` blocks with this standard deviation.

        Parameters
        ----------
        n : int or int array
        sd : float or float array
            Of the blocks alone.
        """
        n = np.asarray(n, dtype=float)
        alpha = sizes.LEVEL / self.claims
        tight = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / self.aim
        seen = n * tight + 1
        return careful(sd, self.bound, n) * np.sqrt(2 * seen / (n**2 * tight) * np.log(np.sqrt(seen) / alpha))

    def look(self, values: Any) -> Verdict:
        """Give the verdict after these blocks.

        Parameters
        ----------
        values : float array, shape (blocks,)
            Differences by block so far, all of them.

        Raises
        ------
        ValueError
            If one is beyond the bound.
        """
        values = self._checked(values)
        return self.at(float(values.mean()), float(np.std(values, ddof=1)), len(values))

    def at(self, value: float, sd: float, n: int) -> Verdict:
        """Give the verdict after `n` blocks, two or more, of this mean and standard deviation.

        Parameters
        ----------
        value, sd : float
        n : int
        """
        half = float(self.half_width(n, sd))
        estimate = Estimate(value, sd / math.sqrt(n), value - half, value + half, n)
        if n < self.first:
            more = max(float(self.first - n), self._more(n, value, sd))
            return Verdict(estimate, self.margin, "undecided", more)
        word = self._word(value, half)
        return Verdict(estimate, self.margin, word, self._more(n, value, sd) if word == "undecided" else 0.0)

    def _checked(self, values: Any) -> Any:
        values = blocks.checked(values, 1, "values")
        if np.abs(values).max() > self.bound * (1 + 1e-12):
            raise ValueError(f"values: some block differs by more than the bound, {self.bound:g}")
        return values

    def _word(self, value: float, half: float) -> Word:
        if abs(value) + half <= self.margin:
            return "equivalent"
        if abs(value) > half:
            return "better" if value > 0 else "worse"
        return "undecided"

    def _more(self, n: int, value: float, sd: float) -> float:
        """Return the further blocks until the interval is narrow enough for one verdict or the other."""
        enough = max(abs(value), self.margin - abs(value))
        reach = n
        while self.half_width(reach, sd) > enough:
            reach *= 2
        low, high = n, reach
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.half_width(middle, sd) <= enough else (middle, high)
        return float(high - n)

    def stop(self, values: Any, every: int = 1) -> Verdict:
        """Give the verdict at the first look that decides, or at the last.

        Parameters
        ----------
        values : float array, shape (blocks,)
            Differences in the order played.
        every : int
            Blocks between looks.
        """
        values = self._checked(values)
        n = np.arange(self.first, len(values) + 1, every)
        if len(n) == 0:
            return self.look(values)
        centred = values - values[0]  # for the digits of the running variance
        total, squares = np.cumsum(centred)[n - 1], np.cumsum(centred**2)[n - 1]
        mean = np.abs(values[0] + total / n)
        half = self.half_width(n, np.sqrt(np.maximum(squares - total**2 / n, 0) / (n - 1)))
        decided = (mean + half <= self.margin) | (mean > half)
        return self.look(values[: n[int(np.argmax(decided))]] if decided.any() else values)
