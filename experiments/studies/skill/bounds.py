"""Numbers that noise leaves between two: the least, the middle and the most."""

from __future__ import annotations

from typing import Any

from experiments.metrics import blocks, effects
from experiments.metrics.debiased_course import Between
from experiments.studies.skill.section import Number, Unit


def numbers(what: str, found: Between, unit: Unit, most: float = 1.0) -> list[Number]:
    """Return the numbers of what lies between two: the least, the middle, the most.

    Parameters
    ----------
    what : str
    found : Between
    unit : Unit
    most : float
        That it can be on average; the least is 0.
    """
    return [Number(what, of, blocks.mean_within(values, (0.0, most)), unit) for of, values in _named(found)]


def counts(what: str, found: Between) -> list[Number]:
    """Return the three of how often something comes in a match."""
    return [Number(what, of, effects.rate(values, 1), "number") for of, values in _named(found)]


def _named(found: Between) -> list[tuple[str, Any]]:
    return [("at least", found.least), ("middle", found.middle), ("at most", found.most)]


def limits(found: list[Number]) -> str:
    """Say between which two of the three the true one lies."""
    return f"between {found[0].shown.value} and {found[-1].shown.value}, as noise is taken"
