"""Runs the measures of a draft one after the other."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from experiments import stats
from experiments.play import scheduler
from experiments.play.sources import Source
from experiments.studies.shown import Shown
from experiments.studies.skill.measures import Measure, known
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import MAX_DEALS, Spec
from sim import registry
from sim.errors import Interrupted, UserError
from strategies import weights
from strategies.weights import OtherDraft

STEPS = 100
"""Of the bar of progress, for each measure."""

MAX_MINUTES = 24 * 60

LEAST = 10
"""Deals of a measure: fewer give intervals that say nothing, or none."""

_TRIAL_SECONDS = 0.3
"""For finding out how long a deal takes."""

_SLACK = 1.25
"""A machine that gets busy may take so many times as long as it was told to; then measures end with fewer deals."""

_PIECE_SECONDS = 0.2
_MAX_PIECE = 4096
"""Deals."""


@dataclass(frozen=True, repr=False)
class Suite(Shown):
    """A suite that has been played.

    Attributes
    ----------
    spec : Spec
    sections : list of Section
    done : dict of str to int
        Deals that were played of each measure.
    seconds : float
        Of playing and reckoning, by the clock.
    complete : bool
        False if it was interrupted.
    """

    spec: Spec
    sections: list[Section]
    done: dict[str, int]
    seconds: float
    complete: bool

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        spec = self.spec
        return {
            "game": spec.draft.game,
            "draft": spec.draft.label,
            "players": spec.draft.players,
            "games": int(spec.draft.options.counted_games),
            "seed": spec.seed,
            "complete": self.complete,
            "confidence": stats.CONFIDENCE,
            "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
            "yardsticks": {
                "beginners": list(spec.players.beginners),
                "others": spec.players.others,
                "best": spec.players.best,
                "fictive": spec.players.fictive,
                "ladder": spec.ladder,
            },
            "measures": {
                section.name: {
                    "title": section.title,
                    "deals": section.deals,
                    "findings": [
                        {"about": one.lead, "text": one.text, "items": one.items} for one in section.told
                    ],
                    "numbers": section.rows(),
                    "caution": section.caution,
                }
                for section in self.sections
            },
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Job:
    """A spec with what plays it.

    Attributes
    ----------
    spec : Spec
    minutes : float or None
        How long it may take by the clock, if that is what its deals were planned by.
    """

    spec: Spec
    minutes: float | None = None

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Name of each measure that applies → what plays it."""
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            made = {measure.name: measure.source(self.spec) for measure in self.measures}
        for note in notes:
            if not issubclass(note.category, OtherDraft):
                warnings.warn(note.message, note.category, stacklevel=2)
        # Said of the draft itself: its variants, of one game or without some rule, are played by the same players.
        draft = self.spec.draft
        game, rules = draft.game, draft.record()
        if any(issubclass(note.category, OtherDraft) for note in notes) and weights.nearest(game, rules)[1]:
            warnings.warn(weights.told(game, rules, draft.label), OtherDraft, stacklevel=2)
        return made

    @property
    def measures(self) -> list[Measure]:
        """The measures that apply."""
        return [measure for measure in known() if measure.applies(self.spec)]

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written.

        Raises
        ------
        UserError
            If something does not fit.
        """
        sources = self.sources.values()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OtherDraft)  # told when the sources were made
            for source in sources:
                source.warm_up()

    def by_matches(self, matches: int) -> Job:
        """Return the job with the deals that a number of matches gives each measure.

        Raises
        ------
        UserError
            If the number is out of bounds.
        """
        if not LEAST <= matches <= MAX_DEALS:
            raise UserError(f"--matches {matches}: must be from {LEAST} to {MAX_DEALS}")
        return self._with(
            {one.name: min(max(LEAST, round(matches / one.each)), one.most) for one in self.measures}
        )

    def by_minutes(self, minutes: float, threads: int) -> Job:
        """Return the job with the deals that there is time for: each measure is tried for a moment.

        Parameters
        ----------
        minutes : float
            See `checked_minutes`.
        threads : int
        """
        whole = sum(one.part for one in self.measures)
        deals = {}
        for one in self.measures:
            source = self.sources[one.name]
            room = 60 * minutes * one.part / whole * (threads if source.jitted else 1)
            wanted = room / _seconds_a_deal(source)
            digits = 10 ** max(0, math.floor(math.log10(max(wanted, 1))) - 1)
            deals[one.name] = min(max(LEAST, int(wanted // digits * digits)), one.most)
        return self._with(deals, minutes)

    def _with(self, deals: dict[str, int], minutes: float | None = None) -> Job:
        job = Job(replace(self.spec, deals=deals), minutes)
        # What is compiled does not depend on the deals.
        job.__dict__["sources"] = self.sources
        return job


def checked_minutes(minutes: float) -> float:
    """Return a time if it is one that a suite can be given.

    Raises
    ------
    UserError
        If it is out of bounds.
    """
    if not 0 < minutes <= MAX_MINUTES:
        raise UserError(f"--minutes {minutes:g}: must be above 0, and at most {MAX_MINUTES}")
    return minutes


def _seconds_a_deal(source: Source) -> float:
    deals, seconds = 1, 0.0
    source.play(0, 1)  # what only the first deal has to wait for does not count
    while True:
        began = time.perf_counter()
        source.play(0, deals)
        seconds = time.perf_counter() - began
        if seconds > _TRIAL_SECONDS / 2 or deals >= _MAX_PIECE:
            return max(seconds, 1e-9) / deals
        deals *= 4


def play(
    job: Job,
    *,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Suite:
    """Play and read the measures that the spec has deals for.

    Parameters
    ----------
    job : Job
    threads : int
        The result does not depend on it.
    on_progress : callable
        Told how far it is, `STEPS` for each measure.
    stop : callable
        Asked now and then whether to end early; what was then not begun is left out.

    Raises
    ------
    Interrupted
        If no measure had enough deals.
    UserError
        If a bot breaks the contract.
    """
    began, spec = time.perf_counter(), job.spec
    sections, done, planned = [], {}, dict(spec.deals)
    measures = [measure for measure in known() if measure.name in spec.deals]
    clock = _Clock(job.minutes, began, sum(measure.part for measure in measures))
    for number, measure in enumerate(measures):
        wanted = spec.deals[measure.name]

        def note(deals: int, base: int = number * STEPS, wanted: int = wanted) -> None:
            on_progress(base + deals * STEPS // wanted)

        if stop():
            break
        cut = _Cut(wanted, clock.end_of(measure.part))
        data = _played(job.sources[measure.name], cut, threads, note, stop)
        if data and len(data[0]) >= min(LEAST, wanted):
            done[measure.name] = len(data[0])
            if cut.late:
                planned[measure.name] = done[measure.name]
            sections.append(measure.read(spec, *data))
        on_progress((number + 1) * STEPS)
    if not sections:
        raise Interrupted("interrupted before a measure had enough deals: nothing to keep")
    spec = replace(spec, deals=planned)
    return Suite(spec, sections, done, time.perf_counter() - began, done == planned)


class _Clock:
    """Says when each measure must end: it has its part of the time, and what those before it did not need.

    Parameters
    ----------
    minutes : float or None
        For all; None for no end.
    began : float
        By `time.perf_counter`.
    parts : float
        Of all measures together.
    """

    def __init__(self, minutes: float | None, began: float, parts: float) -> None:
        self._of_part = math.inf if minutes is None else _SLACK * 60 * minutes / parts
        self._shared = began

    def end_of(self, part: float) -> float:
        """Return when the next measure, which has so large a part, must end."""
        own = self._of_part * part
        self._shared += own
        return max(self._shared, time.perf_counter() + own)


class _Cut:
    """Cuts the deals of a measure into pieces that take about `_PIECE_SECONDS`, as long as there is time.

    Parameters
    ----------
    deals : int
    latest : float
        When it must end, by `time.perf_counter`; no less than `LEAST` deals are played.
    """

    def __init__(self, deals: int, latest: float) -> None:
        self._deals = deals
        self._latest = latest
        self._size = 1
        self.late = False

    def __iter__(self) -> Iterator[tuple[int, int]]:
        start = 0
        while start < self._deals:
            self.late = start >= LEAST and time.perf_counter() > self._latest
            if self.late:
                return
            size = min(self._size, self._deals - start)
            yield start, size
            start += size

    def learn(self, deals: int, seconds: float) -> None:
        wanted = int(deals * _PIECE_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size, _MAX_PIECE))


def _played(
    source: Source, cut: _Cut, threads: int, note: Callable[[int], None], stop: Callable[[], bool]
) -> tuple[Any, ...]:
    """Return the arrays of all deals, or of the first of them if it is to stop or there is no more time."""

    def work(piece: tuple[int, int]) -> tuple[tuple[Any, ...], float]:
        began = time.perf_counter()
        return source.play(*piece), time.perf_counter() - began

    # Plain Python does not run in two threads at once.
    done = scheduler.in_threads(iter(cut), work, threads if source.jitted else 1, in_order=True)
    found: list[tuple[Any, ...]] = []
    count = 0
    try:
        for arrays, seconds in done:
            found.append(arrays)
            cut.learn(len(arrays[0]), seconds)
            count += len(arrays[0])
            note(count)
            if stop():
                break
    finally:
        done.close()
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))
