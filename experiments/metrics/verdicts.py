"""Verdicts: better, worse, equivalent or undecided, with error rates that are fixed before the first match.

Two ways. `judge` looks once, at a run of a size that was fixed before. A `Sequential` comparison is looked at time and again,
and stops when it knows. Both take what is known of each difference by block (a measure of one draft less that of another on
the same deals): `PairedSummary`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from experiments.metrics import sizes
from experiments.stats import Estimate

Word = Literal["better", "worse", "equivalent", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """What is known of one difference.

    Attributes
    ----------
    estimate : Estimate
        The difference, with the 95% interval it would have alone; of a `Sequential` comparison, with one that holds at all
        looks.
    margin : float
        A difference of no more than this is none, in the units of the measure.
    word : {"better", "worse", "equivalent", "undecided"}
        "better" is above 0. A difference that is clear but within the margin is "equivalent".
    more : float
        Further blocks it would take, were mean and deviation just what they are; 0 if decided. Of `judge`: after which four of
        five runs would decide it, if of the other claims just those are decided that are now; where others are decided on the
        way it takes fewer.
    simultaneous : (float, float)
        Interval of a kind that holds for all claims at once in 95 of 100 comparisons (Bonferroni).
    """

    estimate: Estimate
    margin: float
    word: Word
    more: float
    simultaneous: tuple[float, float]


@dataclass(frozen=True)
class PairedSummary:
    """What is kept of a difference by block, for runs too long to keep their blocks.

    Attributes
    ----------
    value, sd : float
        Mean and standard deviation over blocks.
    margin : float
        A difference of no more than this is none.
    bound : float
        About the greatest difference that a block can have: 1 for shares of wins.
    """

    value: float
    sd: float
    blocks: int
    margin: float
    bound: float

    def p_beyond(self, gap: float) -> float:
        """Return the one-sided p-value that the true mean is `gap` or more from the one seen, on a given side.

        The greater of Student's and of one that holds where the difference comes from few blocks. What is rare may not have
        come yet, and then mean and deviation are both too small, for which no normal interval makes up. The worst that a
        deviation allows is that all of it comes from k = n·sd²/bound² blocks that differ by all of `bound`, and the missing
        n·gap/bound would have been more of them: p = P(Poisson(k + n·gap/bound) ≤ k), of rare events with one outcome
        the exact test. Where sd² is large against bound·gap the two are nearly the same.

        Parameters
        ----------
        gap : float
            No p-value below 1 for a gap of 0 or less.
        """
        return float(self._p_beyond(gap, self.blocks)) if self.blocks > 1 else 1.0

    def p_later(self, gap: float, blocks: Any) -> Any:
        """Return `p_beyond` after so many blocks, an int array, of the same mean and deviation."""
        later = replace(self, sd=self.bound) if self.blocks < 2 else self
        return later._p_beyond(gap, blocks)

    def _p_beyond(self, gap: float, blocks: Any) -> Any:
        from scipy.special import gammaincc, stdtr

        if gap <= 0:
            return np.ones(np.shape(blocks))
        events = blocks * self.sd**2 / self.bound**2
        rare = gammaincc(events + 1, events + blocks * gap / self.bound)
        if self.sd == 0:
            return rare
        return np.maximum(rare, stdtr(blocks - 1, -gap * np.sqrt(blocks) / self.sd))

    def reach(self, p: float) -> float:
        """Return the gap whose one-sided p-value is `p`: how far to one side an interval reaches; infinite for one block."""
        from scipy.special import gammainccinv, stdtrit

        if self.blocks < 2:
            return math.inf
        events = self._events
        rare = (float(gammainccinv(events + 1, p)) - events) * self.bound / self.blocks
        return max(rare, -float(stdtrit(self.blocks - 1, p)) * self.sd / math.sqrt(self.blocks))

    @property
    def _events(self) -> float:
        """Blocks that differ by all of the bound and explain the deviation."""
        return self.blocks * self.sd**2 / self.bound**2

    @property
    def gaps(self) -> tuple[float, float]:
        """How far the mean is from 0, and how far within the margin."""
        return abs(self.value), self.margin - abs(self.value)

    def within(self, reach: float) -> tuple[float, float]:
        """Return the interval that reaches so far to both sides; NaN where it has no ends."""
        reach = reach if math.isfinite(reach) else math.nan
        return self.value - reach, self.value + reach


SIDES = (2, 1)
"""The tests of each family: that a mean is 0 has two sides, that it is outside the margin one, the nearer."""


def step_down(p_values: Any, level: Callable[[int], Any], sides: int = 1, rejected: Any = False) -> Any:
    """Return which hypotheses are rejected so that any false rejection has a chance of at most 5% (Holm 1979).

    As long as one is rejected, the level is shared by those that are left.

    Parameters
    ----------
    p_values : float array, shape (claims,)
    level : callable
        Takes into how many parts the 5% are shared; returns what the p-value of each must not exceed.
    sides : int
        Each hypothesis has so many tests that share its part, and this is the lesser p-value of them.
    rejected : bool array, shape (claims,)
        Those that were before.
    """
    p_values = np.asarray(p_values, dtype=float)
    rejected = np.broadcast_to(rejected, p_values.shape).copy()
    while not rejected.all():
        further = ~rejected & (p_values <= level(sides * int(np.sum(~rejected))))
        if not further.any():
            break
        rejected |= further
    return rejected


def careful(sd: Any, bound: float, n: Any) -> Any:
    """Return a standard deviation as if two further blocks differed by as much as can be, one each way.

    The idea of Agresti and Coull (1998). What differs in few blocks may not have come yet, and the deviation seen be far
    too small. For an interval; verdicts on what is rare need `PairedSummary.p_beyond`.

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


def _word(value: float, differs: bool, alike: bool) -> Word:
    if alike:
        return "equivalent"
    if differs:
        return "better" if value > 0 else "worse"
    return "undecided"


# ---- one look -------------------------------------------------------------------------------------------


def judge(summaries: Sequence[PairedSummary | None]) -> list[Verdict | None]:
    """Give a verdict on each of several differences, by one look at a run of a fixed size.

    Two families of tests, each with Holm's correction over all claims: that a mean is 0, and that it lies outside ±margin
    (two one-sided tests, Schuirmann 1987), both by `PairedSummary.p_beyond`. So there is any false "better" or "worse" in
    at most 5% of runs, and any false "equivalent" in at most 5%. If a difference is both clear and within the margin, it is
    equivalent.

    Parameters
    ----------
    summaries : sequence of PairedSummary or None
        None where there is no data: it stays undecided, but still counts as a claim.

    Returns
    -------
    list of Verdict or None
    """
    p_values = np.ones((2, len(summaries)))
    for number, summary in enumerate(summaries):
        if summary is not None:
            p_values[:, number] = [summary.p_beyond(gap) for gap in summary.gaps]
    rejected = [
        step_down(row, lambda parts: sizes.LEVEL / parts, sides)
        for row, sides in zip(p_values, SIDES, strict=True)
    ]
    left = [max(int(np.sum(~row)), 1) for row in rejected]
    return [
        None if summary is None else _of_one_look(summary, _word(summary.value, *flags), left, len(summaries))
        for summary, *flags in zip(summaries, *rejected, strict=True)
    ]


def _of_one_look(summary: PairedSummary, word: Word, left: list[int], claims: int) -> Verdict:
    n = summary.blocks
    ends = summary.within(summary.reach(sizes.LEVEL / 2))
    estimate = Estimate(summary.value, summary.sd / math.sqrt(n), *ends, n)
    wide = summary.within(summary.reach(sizes.LEVEL / (2 * claims)))
    more = 0.0
    if word == "undecided":
        sd = summary.sd if n > 1 else summary.bound
        levels = [sizes.LEVEL / (sides * count) for sides, count in zip(SIDES, left, strict=True)]
        needed = min(
            sizes.to_differ(sd, summary.value, alpha=2 * levels[0])
            + _to_see_rare(summary.gaps[0], summary.bound, levels[0]),
            sizes.to_match(sd, summary.margin, effect=summary.value, alpha=levels[1])
            + _to_see_rare(summary.gaps[1], summary.bound, levels[1]),
        )
        more = max(needed - n, 1.0)
    return Verdict(estimate, summary.margin, word, more, wide)


def _to_see_rare(gap: float, bound: float, level: float) -> float:
    """Return about how many blocks `PairedSummary.p_beyond` asks for beyond a normal test: z²·bound/gap."""
    from scipy.special import ndtri

    return float(ndtri(level)) ** 2 * bound / gap if gap > 0 else math.inf


# ---- until decided --------------------------------------------------------------------------------------

_SLOPE = 1.5
_SPAN = 30.0
"""So many times below and above the aim the boundaries are exact, and beyond on the safe side."""

_NODES = 48
_LOWEST = -6.0
"""Standard errors; what lies below cannot come back in time to matter."""


@dataclass(frozen=True)
class Looks:
    """When a sequential comparison is looked at, and how small a p-value must be then.

    A group-sequential design with a spending function (Lan and DeMets 1983) and without an end: up to n blocks the part
    rˢ/(1 + rˢ) of the level is spent, r = n/aim and s = 1.5, so that the critical value is lowest around the aim, what a
    claim is expected to take. Chosen over Robbins' mixtures (Waudby-Smith et al. 2024), which hold after every block: this
    takes a quarter fewer blocks, since the looks are known. And over O'Brien and Fleming's boundaries, whose sizes are as
    small only if the end is planned for just the difference there is.

    Attributes
    ----------
    first : int
        Blocks before the first look.
    growth : float
        From look to look there are so many times as many.
    """

    first: int
    growth: float

    def stop(self, number: int) -> int:
        """Return after how many blocks a look is, the first having number 0."""
        return round(self.first * self.growth**number)

    def number(self, blocks: float) -> int:
        """Return the first look with so many blocks or more."""
        number = max(0, math.floor(math.log(max(blocks, 1) / self.first, self.growth)) - 1)
        while self.stop(number) < blocks:
            number += 1
        return number

    def stretches(self, blocks: int) -> Iterator[range]:
        """Yield the stretches of blocks between looks, the last to `blocks`."""
        start = number = 0
        while start < blocks:
            yield range(start, min(self.stop(number), blocks))
            start, number = self.stop(number), number + 1

    def level(self, parts: Any, place: Any, most: int) -> Any:
        """Return what a one-sided p-value must not exceed at a look, for a test at 5%/`parts` over all looks.

        Within `_SPAN` of the aim by `_boundaries`; outside it what is newly spent at that look, which is on the safe side.

        Parameters
        ----------
        place : int array
            Number of the look less that of the aim.
        most : int
            The greatest `parts` that will be asked for.
        """
        place = np.asarray(place)
        table = _boundaries(most, self.growth)
        half = table.shape[1] // 2
        inside = np.abs(place) <= half
        return np.where(
            inside,
            table[parts - 1, np.where(inside, place, 0) + half],
            sizes.LEVEL / parts * _spent_at(place, self.growth),
        )


def _spent_at(place: Any, growth: float) -> Any:
    """Return which part of the level is newly spent at a look."""
    ratio = growth ** np.clip(np.asarray(place, dtype=float), -2000, 2000)
    before = (ratio / growth) ** _SLOPE
    return (ratio**_SLOPE - before) / ((1 + ratio**_SLOPE) * (1 + before))


@cache
def _boundaries(most: int, growth: float) -> Any:
    """Return the one-sided levels of each look, shape (most, looks), for tests at 5%, 5%/2, … 5%/most over all looks.

    By the recursion of Armitage, McPherson and Rowe (1969): the density of the test statistic over what has not crossed, look
    by look, integrated at the nodes of Gauss and Legendre. The increments from look to look are taken for normal, and
    the number of blocks for just `growth` times that before.
    """
    from scipy.special import ndtr, ndtri

    reach = math.ceil(math.log(_SPAN, growth))
    spent = _spent_at(np.arange(-reach, reach + 1), growth)
    goals = sizes.LEVEL / np.arange(1, most + 1)[:, None] * spent
    points, weights = np.polynomial.legendre.leggauss(_NODES)
    critical = -ndtri(goals)  # of a first look; of later ones beyond what is sought
    at, mass = np.zeros((most, 1)), np.ones((most, 1))
    for look in range(goals.shape[1]):
        kept, fresh = (math.sqrt(1 / growth), math.sqrt(1 - 1 / growth)) if look > 0 else (0.0, 1.0)
        low, high = np.zeros(most), critical[:, look]
        for _ in range(40):
            middle = (low + high) / 2
            crossed = (mass * ndtr((kept * at - middle[:, None]) / fresh)).sum(axis=1)
            low, high = np.where(crossed > goals[:, look], (middle, high), (low, middle))
        critical[:, look] = high
        half = (high[:, None] - _LOWEST) / 2
        to = _LOWEST + half * (points + 1)
        steps = (to[:, :, None] - kept * at[:, None, :]) / fresh
        density = np.einsum("ljk,lk->lj", np.exp(-(steps**2) / 2), mass) / (fresh * math.sqrt(2 * math.pi))
        at, mass = to, density * half * weights
    return ndtr(-critical)


class Sequential:
    """A comparison that is looked at time and again; its plan is written down before the first match.

    Each test has a p-value that may be looked at as often as is planned, see `Looks`, and both families of `judge` have Holm's
    correction over these (Maurer and Bretz 2013): a test that is rejected leaves its part of the level to the others at once.
    So in at most 5% of comparisons there is any false "better" or "worse", and in at most 5% any false "equivalent",
    whenever it is stopped, unless who stops it has seen what came since the last look. What is decided stays so.

    Parameters
    ----------
    aims : sequence of int
        Of each claim the number of blocks that it is expected to take, see `aim`.
    """

    def __init__(self, aims: Sequence[int], looks: Looks) -> None:
        self._looks = looks
        self._aims = np.array([looks.number(aim) for aim in aims])
        self._places = np.zeros(len(aims), int)
        self._p_values = np.ones((2, len(aims)))
        self._rejected = np.zeros((2, len(aims)), bool)
        self._words: list[Word] = ["undecided"] * len(aims)
        self._shown: list[tuple[PairedSummary, int] | None] = [None] * len(aims)

    def is_decided(self, claim: int) -> bool:
        """Tell whether there is a verdict on a claim."""
        return self._words[claim] != "undecided"

    def look(self, seen: Mapping[int, PairedSummary], blocks: int) -> None:
        """Look at what is known of some claims now.

        Parameters
        ----------
        seen : mapping of int to PairedSummary
            By number of the claim.
        blocks : int
            So many are planned by now: more than there are where playing was cut short or a draft has no more.
        """
        number = self._looks.number(blocks)
        for claim, summary in seen.items():
            self._places[claim] = number - self._aims[claim]
            self._p_values[:, claim] = [summary.p_beyond(gap) for gap in summary.gaps]
        for family, sides in enumerate(SIDES):
            self._rejected[family] = step_down(
                self._p_values[family],
                lambda parts: self._level(parts, self._places),
                sides,
                self._rejected[family],
            )
        known = {claim: shown[0] for claim, shown in enumerate(self._shown) if shown is not None} | dict(seen)
        for claim, summary in known.items():
            if not self.is_decided(claim):
                self._words[claim] = _word(summary.value, *self._rejected[:, claim])
        for claim, summary in seen.items():
            place, word = int(self._places[claim]), self._words[claim]
            if word == "undecided" or self._shown[claim] is None or word == self._alone(summary, place):
                self._shown[claim] = summary, place

    def _level(self, parts: int, place: Any) -> Any:
        return self._looks.level(parts, place, 2 * len(self._aims))

    def _alone(self, summary: PairedSummary, place: int) -> Word:
        """Return what a claim would be found to be if it were the only one."""
        flags = [
            summary.p_beyond(gap) <= self._level(sides, place)
            for sides, gap in zip(SIDES, summary.gaps, strict=True)
        ]
        return _word(summary.value, *flags)

    def verdicts(self) -> list[Verdict | None]:
        """Return the verdict on every claim, with the numbers of the last look that bears it out; None without data."""
        left = [max(int(np.sum(~row)), 1) for row in self._rejected]
        found: list[Verdict | None] = []
        for word, shown in zip(self._words, self._shown, strict=True):
            if shown is None:
                found.append(None)
                continue
            summary, place = shown
            alone, wide = (
                summary.within(summary.reach(float(self._level(2 * parts, place))))
                for parts in (1, len(self._aims))
            )
            estimate = Estimate(summary.value, summary.sd / math.sqrt(summary.blocks), *alone, summary.blocks)
            more = self._more(summary, place, left) if word == "undecided" else 0.0
            found.append(Verdict(estimate, summary.margin, word, more, wide))
        return found

    def _more(self, summary: PairedSummary, place: int, left: list[int]) -> float:
        """Return the further blocks to the look that would decide, of the same mean and deviation."""
        now = self._looks.number(summary.blocks)
        numbers = np.arange(now + (self._looks.stop(now) == summary.blocks), _LAST)
        stops = np.array([self._looks.stop(number) for number in numbers.tolist()])
        decides = np.zeros(len(numbers), bool)
        for sides, count, gap in zip(SIDES, left, summary.gaps, strict=True):
            decides |= summary.p_later(gap, stops) <= self._level(sides * count, numbers - now + place)
        return float(stops[decides.argmax()] - summary.blocks) if decides.any() else math.inf


_LAST = 300
"""Number of a look after more blocks than anybody can play."""


def aim(sd: float, margin: float, bound: float, claims: int) -> float:
    """Return how many blocks it takes to find no difference equivalent, as one of so many claims.

    Parameters
    ----------
    sd : float
        Over blocks.
    margin, bound : float
        See `PairedSummary`.
    """
    level = sizes.LEVEL / claims
    return sizes.to_match(sd, margin, alpha=level) + _to_see_rare(margin, bound, level)
