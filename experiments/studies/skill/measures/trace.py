"""What more thinking is worth: a search against itself with half the budget."""

from __future__ import annotations

import itertools
from typing import Any

from experiments.metrics import skill
from experiments.play.sources import Duels
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section
from experiments.studies.skill.spec import Spec

_SEARCH = "search"
_BUDGETS = (25, 50, 100, 200)
"""Iterations a decision."""


def _pairs() -> list[tuple[str, str]]:
    return [(f"{_SEARCH}:{more}", f"{_SEARCH}:{less}") for less, more in itertools.pairwise(_BUDGETS)]


def read(spec: Spec, ahead: Any) -> Section:
    """Read the trace.

    Parameters
    ----------
    ahead : float array, shape (deals, pairs of `_pairs`)
    """
    result = skill.trace(ahead, seed=1)
    steps = [
        Number("twice the search is ahead", f"{more} against {less}", _as_share(step), "share")
        for (more, less), step in zip(_pairs(), result.steps, strict=True)
    ]
    whole = Number("skill trace", f"{_BUDGETS[0]} to {_BUDGETS[-1]} iterations", result.trace, "number")
    coming = Number("utility of the next doubling, foretold", "", result.next, "number")
    paying = [step for step in steps if step.found.low > 0.5]
    verdict = (
        "Thinking longer pays at each doubling"
        if len(paying) == len(steps)
        else "Thinking longer does not measurably pay at any doubling"
        if not paying
        else f"Thinking longer pays measurably at {len(paying)} of {len(steps)} doublings"
    )
    text = f"{verdict}. Skill trace: {whole.said}; 0 means that twice the search never helps, 1 that it always wins."
    items = [f"{step.of}: ahead in {step.said}." for step in steps]
    caution = (
        "The search plays on with the heuristic player after each move. So this is what looking ahead in that way is worth, not all "
        "that a person could find."
    )
    return Section(
        "trace",
        "More thinking",
        [Finding("More thinking", text, items)],
        [*steps, coming, whole],
        caution,
        len(ahead),
    )


def _as_share(utility: Estimate) -> Estimate:
    """Return how often it is ahead, of a utility from −1 to 1."""
    value, low, high = ((1 + end) / 2 for end in (utility.value, utility.low, utility.high))
    return Estimate(value, utility.se / 2, low, high, utility.blocks)


MEASURE = Measure(
    name="trace",
    rank=20,
    part=3.0,
    each=100.0,
    most=5_000,
    applies=lambda spec: spec.has(_SEARCH),
    source=lambda spec: Duels(spec.setting, _pairs()),
    read=read,
)
