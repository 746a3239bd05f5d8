"""What a draft changes in what designers ask for: fairness of the seats, skill, length, how close the scores are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from experiments import stats
from experiments.metrics import blocks, seats
from experiments.play.matches import Key, Run
from experiments.stats import Estimate
from experiments.studies.compare import distances
from experiments.studies.compare.play import Comparison
from experiments.studies.compare.spec import Goal

Way = Literal["up", "down", "same", "open"]
"""Up, down, the same within the margin, or not measurably different."""


@dataclass(frozen=True)
class Change:
    """What a draft changes in one respect.

    Attributes
    ----------
    before, after : float
        In the first draft, and in this.
    low, high : float
        The 95% interval of the difference.
    """

    before: float
    after: float
    low: float
    high: float
    way: Way

    def is_better(self, goal: Goal) -> bool | None:
        """Tell whether it is what a goal wants; None where nothing changed measurably."""
        if self.way not in ("up", "down"):
            return None
        return (self.way == "up") == (goal == "skill")


def _way(low: float, high: float) -> Way:
    return "up" if low > 0 else "down" if high < 0 else "open"


def of_seats(base: Run, run: Run) -> Change | None:
    """Return the change of the largest deviation of any seat from its fair share; None of a single block."""
    fair = []
    for each in (base, run):
        rates = [each.estimates["win", "seat", seat] for seat in range(each.draft.players)]
        if rates[0].blocks < 2:
            return None
        fair.append(seats.fair_means(rates))
    moved = [run.differences[key] for key in run.differences if key[:2] == ("win", "seat")]
    paired = [
        Estimate(change.value, change.se, change.low, change.high, change.blocks)
        for change in moved
        if change.paired
    ]
    found = seats.change_of_largest(fair[0], fair[1], paired if len(paired) == len(fair[0].seats) else ())
    before, after = (seats.greatest(each).value for each in fair)
    return Change(before, after, found.low, found.high, _way(found.low, found.high))


def judged(comparison: Comparison, level: int, run: Run, key: Key) -> Change | None:
    """Return the change of a measure that has a verdict; None if it has none."""
    claim = comparison.by_place.get((level, run.number, key))
    if claim is None or claim.verdict is None or key not in run.differences:
        return None
    base, difference = run.study.runs[0], comparison.difference(claim)
    ways: dict[str, Way] = {"higher": "up", "lower": "down", "equivalent": "same", "undecided": "open"}
    return Change(
        base.estimates[key].value, run.estimates[key].value, difference.low, difference.high, ways[claim.word]
    )


def best_bot(base: Run) -> str | None:
    """Return the strongest bot of a line-up of several in all seats; None where skill cannot be told from seats."""
    if len(base.bots) < 2 or base.study.spec.fixed_seats:
        return None
    return max(base.bots, key=lambda name: base.estimates["win", "bot", name].value)


def of_lead(base: Run, run: Run) -> Change | None:
    """Return the change of the points by which the first leads the second at the end; None of fewer than two blocks."""
    leads = [_leads(each) for each in (base, run)]
    deals = min(len(lead) for lead in leads)
    if deals < 2:
        return None
    first, second = (lead[:deals] for lead in leads)
    if distances.are_paired(base, run):
        change = blocks.mean(second - first)
        low, high = change.low, change.high
    else:
        errors = [lead.std(ddof=1) / math.sqrt(deals) for lead in (first, second)]
        reach = stats.quantile(deals) * math.hypot(*errors)
        value = float(second.mean() - first.mean())
        low, high = value - reach, value + reach
    return Change(float(first.mean()), float(second.mean()), low, high, _way(low, high))


def _leads(run: Run) -> Any:
    """Return by how many points the first led the second, the mean of each block."""
    in_order = distances.by_block(run)
    in_order.sort(axis=2)
    return (in_order[:, :, -1] - in_order[:, :, -2]).mean(axis=1)
