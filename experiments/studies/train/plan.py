"""How many generations of how many deals a training has time for."""

from __future__ import annotations

import math
import time
import warnings

from experiments.studies.train import play
from experiments.studies.train.play import CHECK, FINAL, TRIALS
from experiments.studies.train.spec import LEAST_DEALS, MOST_DEALS, Spec

LEAST_GENERATIONS = 8
"""With fewer nothing is learned."""

_CLEARLY = 1.5
"""Times the minutes asked for, from where it is said beforehand."""

_TRIAL_SECONDS = 0.2


class Longer(UserWarning):
    """A training takes clearly longer than was asked for."""


def fitted(spec: Spec, minutes: float, threads: int, *, fixed: bool = False) -> Spec:
    """Return a training that takes about so long on this machine; warn if the shortest takes clearly longer.

    Where even `LEAST_DEALS` a generation would take too long there are fewer generations, but not below
    `LEAST_GENERATIONS`.

    Parameters
    ----------
    spec : Spec
        Its deals are not looked at; its generations are the most.
    fixed : bool
        Keep the generations, whatever the time.
    """
    pace, asked = seconds_a_deal(spec), 60 * minutes
    least = spec.generations if fixed else min(spec.generations, LEAST_GENERATIONS)
    generations = next(
        (
            number
            for number in range(spec.generations, least, -1)
            if pace * LEAST_DEALS * turns(spec, number, threads) <= asked
        ),
        least,
    )
    each = pace * turns(spec, generations, threads)
    deals = int(min(max(asked / each, LEAST_DEALS), MOST_DEALS))
    takes = each * deals / 60
    if takes > _CLEARLY * minutes:
        warnings.warn(
            f"{generations} generations of {LEAST_DEALS} deals, the fewest there can be, take about "
            f"{_minutes(takes)} minutes here, not {minutes:g}",
            Longer,
            stacklevel=2,
        )
    return spec.changed(generations=generations, deals=deals)


def turns(spec: Spec, generations: int, threads: int) -> int:
    """Return how often a training plays all deals of a generation one after the other, some at once in threads."""
    opponents = spec.opponents
    threads = threads if spec.jitted else 1
    crowns = generations // CHECK
    return (
        generations * math.ceil(play.population(spec) * opponents / threads)
        + crowns * math.ceil(spec.crown_duels / threads)
        + TRIALS * math.ceil(play.FINALISTS * opponents / threads)
        + FINAL
    )


def seconds_a_deal(spec: Spec) -> float:
    """Return the time of a deal in one thread, by a trial: a single deal where that takes long."""
    table = spec.table(
        spec.player.bot(spec.start, "trained"),
        spec.opponent or spec.player.bot(spec.player.start, "champion 0"),
    )
    table.warm_up()
    deals, seconds = 1, 0.0
    while True:
        began = time.perf_counter()
        table.play(0, deals)
        seconds = time.perf_counter() - began
        if seconds >= _TRIAL_SECONDS or deals >= MOST_DEALS:
            return seconds / deals
        deals *= 4


def _minutes(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"
