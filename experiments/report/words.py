"""Numbers and findings in words, for readers who are neither programmers nor statisticians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from experiments.stats import Difference, Estimate, Kind

MISSING = "–"
"""Shown where there is no number."""

MINUS = "−"
"""The true sign, longer than a hyphen."""

CONSTANT = "did not vary"
"""Shown in place of the interval of a mean that came out equal in every block."""

_DIGITS = 2
"""Of an estimate of how many matches it takes."""

_MILLION = 1_000_000

Verdict = Literal["up", "down", "open", "unknown"]


# ---- numbers --------------------------------------------------------------------------------------------


def number(value: float | None, digits: int = 0) -> str:
    """Write a number with thousands separators and a true minus sign.

    Parameters
    ----------
    value : float or None
        None and NaN give a dash.
    digits : int
        Decimals.
    """
    if value is None or math.isnan(value):
        return MISSING
    if math.isinf(value):
        return f"{MINUS}∞" if value < 0 else "∞"
    text = f"{abs(value):,.{digits}f}"
    # What rounds to zero has no sign.
    negative = value < 0 and any(mark in "123456789" for mark in text)
    return f"{MINUS}{text}" if negative else text


def signed(value: float, digits: int = 0) -> str:
    """Write a number with its sign, also if it is a plus."""
    text = number(value, digits)
    return f"+{text}" if value > 0 and any(mark in "123456789" for mark in text) else text


def percent(value: float | None, digits: int = 1) -> str:
    """Write a share in percent; a share that would be rounded to 0 or 100 but is not says so."""
    if value is None or math.isnan(value):
        return MISSING
    least = 10.0**-digits
    if 0 < value * 100 < least / 2:
        return f"<{least:.{digits}f}%"
    if 0 < (1 - value) * 100 < least / 2:
        return f">{100 - least:.{digits}f}%"
    return f"{number(value * 100, digits)}%"


def digits_of(half: float, kind: Kind, value: float = math.nan) -> int:
    """Return the decimals that an interval's half-width warrants.

    Parameters
    ----------
    half : float
        Half-width in the measure's own unit; NaN if there is none.
    kind : {"share", "mean"}
        Shares are written in percent, with one or two decimals.
    value : float, optional
        A whole number that has no interval, or did not vary, needs no decimals.
    """
    if kind == "share":
        return 2 if half < 0.005 else 1
    if math.isnan(half) or half == 0:
        return 0 if float(value).is_integer() else 2
    power = math.floor(math.log10(half))
    # One digit of the half-width, or two where it begins with 1 or 2: 17.1 ± 0.4, 17.11 ± 0.12.
    return max(0, min(4, -power + (half / 10**power < 3)))


def _half(found: Estimate | Difference) -> float:
    return (found.high - found.low) / 2


def plain(value: float, kind: Kind, digits: int) -> str:
    """Write a value of either kind."""
    return percent(value, digits) if kind == "share" else number(value, digits)


@dataclass(frozen=True)
class Shown:
    """An estimate, or a difference, as text."""

    value: str
    interval: str

    @property
    def together(self) -> str:
        """Value and interval as they stand in a sentence."""
        return f"{self.value} ({self.interval})"


NOTHING = Shown(MISSING, MISSING)


def show(found: Estimate | None, kind: Kind) -> Shown:
    """Write an estimate and its interval."""
    if found is None or math.isnan(found.value):
        return NOTHING
    digits = digits_of(_half(found), kind, found.value)
    return Shown(plain(found.value, kind, digits), _interval(found, kind, digits))


def _interval(found: Estimate, kind: Kind, digits: int) -> str:
    if math.isnan(found.low) or math.isnan(found.high):
        return MISSING
    if kind == "mean" and found.se == 0:
        return CONSTANT
    return f"{plain(found.low, kind, digits)} to {plain(found.high, kind, digits)}"


def show_difference(found: Difference | None, kind: Kind) -> Shown:
    """Write a difference and its interval; differences of shares are in percentage points (pp)."""
    if found is None or math.isnan(found.value):
        return NOTHING
    digits, factor, unit = _scale(found, kind)
    value = signed(found.value * factor, digits) + unit
    if math.isnan(found.low):
        return Shown(value, MISSING)
    if found.se == 0:
        return Shown(value, CONSTANT)
    return Shown(
        value, f"{signed(found.low * factor, digits)} to {signed(found.high * factor, digits)}{unit}"
    )


def _scale(found: Difference, kind: Kind) -> tuple[int, float, str]:
    return digits_of(_half(found), kind, found.value), *_unit(kind)


def _unit(kind: Kind) -> tuple[float, str]:
    return (100.0, "\N{NO-BREAK SPACE}pp") if kind == "share" else (1.0, "")


def bound(most: float, half: float, kind: Kind) -> str:
    """Write how large a difference is at most; the half-width of an interval gives the decimals."""
    digits = digits_of(half, kind)
    factor, unit = _unit(kind)
    return f"{number(rounded_up(most * factor, digits), digits)}{unit}"


def about(count: float | None) -> str:
    """Write a number of matches with two digits, as it is only about right."""
    if count is None:
        return "an unknown number of"
    if count < 1:
        return "0"
    step = 10 ** max(0, math.floor(math.log10(count)) + 1 - _DIGITS)
    rounded = math.ceil(count / step) * step
    if rounded < _MILLION:
        return number(rounded)
    millions = rounded / _MILLION
    return f"{number(millions, 1 if millions < 10 else 0)} million"


# ---- differences in words -------------------------------------------------------------------------------


def verdict(found: Difference) -> Verdict:
    """Tell which way a measure went; "open" if the interval contains 0."""
    if math.isnan(found.low) or math.isnan(found.high):
        return "unknown"
    if found.low <= 0 <= found.high:
        return "open"
    return "up" if found.low > 0 else "down"


def rounded_up(value: float, digits: int) -> float:
    """Round upwards: what is said to be "at most" must stay true when rounded."""
    return math.ceil(value * 10**digits - 1e-9) / 10**digits


# ---- shares against the fair share ----------------------------------------------------------------------


def against(found: Estimate, fair: float) -> Verdict:
    """Tell whether a share lies above or below the fair one; "open" if the interval contains it."""
    if math.isnan(found.low) or math.isnan(found.high):
        return "unknown"
    if found.low <= fair <= found.high:
        return "open"
    return "up" if found.low > fair else "down"


AGAINST = {
    "up": "above fair",
    "down": "below fair",
    "open": "no departure seen",
    "unknown": MISSING,
}
"""A verdict on a share as a table says it."""


def fair_share(players: int) -> str:
    """Write 1/n in percent: 25%, 33.3%."""
    return percent(1 / players, 0 if 100 % players == 0 else 1)


def listed(items: list[str]) -> str:
    """Join words with commas and an "and"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def plural(count: int, one: str, many: str = "") -> str:
    """Write a count with its noun."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def ordinal(place: int) -> str:
    """Write a place in an order: 1st, 2nd, 3rd, 4th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def shortened(text: str, length: int) -> str:
    """Cut a name that is too long for a figure."""
    return text if len(text) <= length else text[: length - 1] + "…"


def letter(index: int) -> str:
    """Name a draft of a comparison: A, B, … Z, AA, AB, …"""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
