"""What a measure finds: an answer in a sentence, numbers with their intervals, and what they mean in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.metrics.ratings import FEW_DEALS
from experiments.report import words
from experiments.report.figures import Dots
from experiments.report.words import Shown
from experiments.stats import Estimate

Unit = Literal["share", "pp", "gap", "points", "Elo", "games", "deals", "number"]
"""Of a number: a share (shown in percent), a difference of shares (in percentage points, with its sign), how far shares lie
apart (the same without a plus), or itself."""


@dataclass(frozen=True)
class Number:
    """A number of a section.

    Attributes
    ----------
    what : str
        Which number, the same for all drafts and players.
    of : str
        Of which seat, player or card; may be empty.
    found : Estimate
        Its n counts deals, unless `what` says otherwise; of a number without an interval both ends are NaN.
    listed : bool
        Whether the page has it in its table; where there are very many, the rest is in the Parquet table alone.
    """

    what: str
    of: str
    found: Estimate
    unit: Unit
    listed: bool = field(default=True, compare=False)

    @property
    def shown(self) -> Shown:
        """Value and interval as text."""
        return show(self.found, self.unit)

    @property
    def said(self) -> str:
        """Value and interval as they stand in a sentence."""
        shown = self.shown
        return shown.value if shown.interval == words.MISSING else shown.together


@dataclass(frozen=True)
class Finding:
    """What a measure found in one respect: its subject, a few sentences, and perhaps a list."""

    lead: str
    text: str
    items: Sequence[str] = ()


@dataclass(frozen=True)
class Answer:
    """The answer of a measure, for the headline.

    Attributes
    ----------
    topic : str
        What it is about, in a word or two.
    sentence : str
        The whole answer.
    short : str
        The same in a few words, to stand beside that of another draft.
    """

    topic: str
    sentence: str
    short: str


@dataclass(frozen=True)
class Section:
    """What a measure found.

    Attributes
    ----------
    findings : list of Finding
        In words, the verdict first.
    caution : str
        What the numbers do not mean.
    deals : int
        Played for it.
    answer : Answer or None
        For the headline.
    """

    name: str
    title: str
    findings: list[Finding]
    numbers: list[Number]
    caution: str
    deals: int
    figure: Dots | None = field(default=None, compare=False)
    answer: Answer | None = field(default=None, compare=False)

    @property
    def told(self) -> list[Finding]:
        """The findings, and a warning where they rest on too few deals."""
        if self.deals >= FEW_DEALS:
            return self.findings
        text = f"With {self.deals} deals these intervals are too narrow; {FEW_DEALS} or more are needed, and better some hundreds."
        return [*self.findings, Finding("Few deals", text)]

    def rows(self) -> list[dict[str, Any]]:
        """Return the numbers as flat rows; what is missing has None, and so has what is infinite, which is named."""
        return [
            {
                "measure": self.name,
                "number": number.what,
                "of": number.of,
                **{name: _finite(getattr(number.found, name)) for name in ("value", "se", "low", "high")},
                "infinite": _infinite(number.found),
                "unit": number.unit,
                "n": number.found.blocks,
            }
            for number in self.numbers
        ]


def _infinite(estimate: Estimate) -> str:
    """Name what of value, low and high is infinite."""
    return " ".join(name for name in ("value", "low", "high") if math.isinf(getattr(estimate, name)))


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def show(estimate: Estimate, unit: Unit) -> Shown:
    """Write an estimate in its unit."""
    if unit == "share":
        return words.show(estimate, "share")
    if unit in ("pp", "gap"):
        return _in_points(estimate, words.signed if unit == "pp" else words.number)
    if unit in ("games", "deals"):
        return _counted(estimate)
    return words.show(estimate, "mean")


def _in_points(estimate: Estimate, write: Callable[[float, int], str]) -> Shown:
    if math.isnan(estimate.value):
        return words.NOTHING
    digits = words.digits_of((estimate.high - estimate.low) / 2, "share")
    value = f"{write(100 * estimate.value, digits)}\N{NO-BREAK SPACE}pp"
    if math.isnan(estimate.low):
        return Shown(value, words.MISSING)
    low, high = (write(100 * end, digits) for end in (estimate.low, estimate.high))
    return Shown(value, f"{low} to {high}\N{NO-BREAK SPACE}pp")


def _counted(estimate: Estimate) -> Shown:
    """Write a number of games or deals, which may be infinite, with two digits: more would be noise."""
    low, high = (round_count(end) for end in (estimate.low, estimate.high))
    interval = words.MISSING if math.isnan(estimate.low) else f"{low} to {high}"
    return Shown(round_count(estimate.value), interval)


def round_count(value: float) -> str:
    """Write a count rounded to two digits."""
    if not math.isfinite(value) or abs(value) < 100:
        return words.number(value)
    step = 10 ** (math.floor(math.log10(abs(value))) - 1)
    return words.number(round(value / step) * step)


def unlisted(what: str, estimates: dict[str, Estimate]) -> list[Number]:
    """Return a number of each of several, by whose it is, for the Parquet table alone; none of what has no interval."""
    return [
        Number(what, of, estimate, "number", listed=False)
        for of, estimate in estimates.items()
        if estimate.interval is not None
    ]


def exactly(value: float, blocks: int) -> Estimate:
    """Return a number without an interval: it follows from others, or so few blocks do not bound it."""
    return Estimate(value, math.nan, math.nan, math.nan, blocks)
