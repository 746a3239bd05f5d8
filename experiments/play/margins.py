"""Margins: differences that are none, by kind of measure, as a designer states them before a run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from experiments import stats
from experiments.play.matches import Key
from sim.errors import UserError, unknown

Kind = Literal["share", "score", "count"]

DEFAULTS: dict[Kind, str] = {"share": "1pp", "score": "0.1sd", "count": "5%"}

LEAST = 0.01
"""Points, or a count: a part of what hardly varies, or hardly comes, is no less than this."""

UNITS: dict[Kind, dict[str, str]] = {
    "share": {"pp": "percentage points"},
    "score": {"sd": "standard deviations of a player's score", "points": "points"},
    "count": {"%": "percent of the first draft's"},
}
"""Of each kind, what a margin may be stated in."""

_TEXT = re.compile(r"([0-9]*\.?[0-9]+)([a-z%]+)")
_WHOLE = {"pp": 100.0, "%": 100.0}
"""Of these units so many are all there is; a margin must be less."""


@dataclass(frozen=True)
class Margin:
    """A margin as stated: so many of a unit."""

    amount: float
    unit: str

    def __str__(self) -> str:
        """Return it as written on the command line."""
        return f"{self.amount:g}{self.unit}"


Margins = dict[Kind, Margin]


def kind_of(key: Key, shares: frozenset[str]) -> Kind:
    """Return the kind of a measure; `shares` names the events that are shares."""
    if stats.kind_of(key, shares) == "share":
        return "share"
    return "score" if key[0] == "score" else "count"


def read(texts: Iterable[str]) -> Margins:
    """Return the margins of each kind: the usual ones, but for those stated as ``KIND=AMOUNT``.

    Raises
    ------
    UserError
        If one cannot be read.
    """
    found: Margins = {kind: _read(kind, text, text) for kind, text in DEFAULTS.items()}
    for text in texts:
        name, _, amount = text.partition("=")
        kind = next((known for known in DEFAULTS if known == name), None)
        if kind is None:
            raise unknown("kind of measure", name, DEFAULTS, f"--margin {text}")
        found[kind] = _read(kind, amount, text)
    return found


def _read(kind: Kind, text: str, whole: str) -> Margin:
    match = _TEXT.fullmatch(text)
    units = UNITS[kind]
    if match is None or match[2] not in units:
        told = " or ".join(
            f"{DEFAULTS[kind] if unit in DEFAULTS[kind] else '0.5' + unit} ({name})"
            for unit, name in units.items()
        )
        raise UserError(f"--margin {whole}: a {kind} takes a number with its unit, such as {told}")
    amount, unit = float(match[1]), match[2]
    if not 0 < amount < _WHOLE.get(unit, math.inf):
        most = f" and below {_WHOLE[unit]:g}" if unit in _WHOLE else ""
        raise UserError(f"--margin {whole}: must be above 0{most}")
    return Margin(amount, unit)


def absolute(margin: Margin, value: float, sd_score: float) -> float:
    """Return a margin in the units of a measure.

    Parameters
    ----------
    value : float
        Of the measure, in the first draft.
    sd_score : float
        Standard deviation of a player's score.
    """
    if margin.unit == "pp":
        return margin.amount / 100
    if margin.unit == "points":
        return margin.amount
    part = margin.amount * sd_score if margin.unit == "sd" else margin.amount / 100 * abs(value)
    return max(part, LEAST)
