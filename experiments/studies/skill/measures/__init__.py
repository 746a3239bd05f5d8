"""The measures of the suite: each module here has a `MEASURE`; they are found, not listed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from experiments.play.sources import Source
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import Spec


@dataclass(frozen=True)
class Measure:
    """One part of the suite.

    Attributes
    ----------
    rank : int
        Its place in the report.
    part : float
        Its part of the time, in proportion to that of the others.
    each : float
        Matches of ``--matches`` for each of its deals.
    most : int
        Deals beyond which more would tell little.
    applies : callable
        Whether the draft and its players have what it measures.
    source : callable
        Makes what plays.
    read : callable
        Makes a section of what was played: the spec, then the arrays of the source.
    """

    name: str
    rank: int
    part: float
    each: float
    most: int
    applies: Callable[[Spec], bool]
    source: Callable[[Spec], Source]
    read: Callable[..., Section]


@cache
def known() -> list[Measure]:
    """List the measures in the order of the report."""
    modules = [
        importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)
    ]
    found: list[Any] = [module.MEASURE for module in modules]
    return sorted(found, key=lambda measure: measure.rank)
