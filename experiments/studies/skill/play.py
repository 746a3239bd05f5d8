"""Plays the measures of a draft one after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import arguments, stats
from experiments.play import matches, scheduler
from experiments.play.sources import Source
from experiments.store.tables import INTERVAL, Columns, Stored
from experiments.studies.result import Result
from experiments.studies.skill.measures import known
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import MAX_DEALS, STEPS, Spec
from sim import registry
from sim.errors import Interrupted, UserError

MAX_MINUTES = 24 * 60

LEAST = 10
"""Deals of a measure: fewer give intervals that say nothing, or none."""

_TRIAL_SECONDS = 0.3
"""For measuring how long a deal takes."""

_SLACK = 1.25
"""A machine that gets busy may take so many times as long as it was told to; then measures end with fewer deals."""

_CHUNK_SECONDS = 0.2
_MAX_CHUNK = 4096
"""Deals."""

NUMBERS = Columns(
    "numbers",
    "every number of every measure of skill and luck, with its interval",
    {
        "measure": "text", "number": "text", "of": "text", "value": "real", **INTERVAL,
        "infinite": "text", "unit": "text", "n": "whole",
    },
)  # fmt: skip


@dataclass(frozen=True)
class Suite:
    """The measures of a draft, played.

    Attributes
    ----------
    done : dict of str to int
        Deals that were played of each measure.
    planned : dict of str to int
        Deals that there was time for.
    """

    spec: Spec
    sections: list[Section]
    done: dict[str, int]
    planned: dict[str, int]

    @property
    def complete(self) -> bool:
        """Whether it was not interrupted."""
        return self.done == self.planned


@dataclass(repr=False)
class Suites(Result):
    """The measures of a draft, or of two side by side."""

    spec: Spec
    suites: list[Suite]
    took: float

    @property
    def complete(self) -> bool:
        """Whether it was not interrupted."""
        return len(self.suites) == len(self.spec.parts) and all(suite.complete for suite in self.suites)

    @property
    def seconds(self) -> float:
        """Of playing and reckoning, by the clock."""
        return self.took

    @property
    def sections(self) -> list[Section]:
        """Of the draft."""
        return self.suites[0].sections

    @property
    def done(self) -> dict[str, int]:
        """Deals that were played of each measure of the draft."""
        return self.suites[0].done

    @property
    def played(self) -> dict[str, Any]:
        """How many deals of each measure, by draft."""
        return {"deals": [suite.done for suite in self.suites]}

    def tables(self) -> list[Stored]:
        """Return all numbers; of two drafts each row with its draft."""
        rows = [
            {"draft": suite.spec.draft.label, **row}
            for suite in self.suites
            for section in suite.sections
            for row in section.rows()
        ]
        return [Stored(NUMBERS.after({"draft": "text"}) if self.spec.against else NUMBERS, rows)]

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        spec, players = self.spec, self.spec.who
        about = {
            "game": spec.draft.game,
            "draft": spec.draft.label,
            "players": spec.draft.players,
            "games": int(spec.draft.options.counted_games),
            "seed": spec.seed,
            "complete": self.complete,
            "confidence": stats.CONFIDENCE,
            "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
            "yardsticks": {
                "beginners": list(players.beginners),
                "others": players.others,
                "best": players.best,
                "fictive": players.fictive,
                "ladder": spec.ladder,
            },
            "headline": list(self.report.headline),
            "measures": _measures(self.suites[0]),
            "seconds": self.seconds,
        }
        if len(self.suites) > 1:
            about["against"] = {
                "draft": self.suites[1].spec.draft.label,
                "measures": _measures(self.suites[1]),
            }
        return about


def _measures(suite: Suite) -> dict[str, Any]:
    return {
        section.name: {
            "title": section.title,
            "deals": section.deals,
            "findings": [
                {"about": finding.lead, "text": finding.text, "items": list(finding.items)}
                for finding in section.told
            ],
            "numbers": section.rows(),
            "caution": section.caution,
        }
        for section in suite.sections
    }


# ---- how many deals -------------------------------------------------------------------------------------


def by_matches(spec: Spec, count: int) -> Spec:
    """Return the spec with the deals that a number of matches gives each measure.

    Raises
    ------
    UserError
        If the number is out of bounds.
    """
    if not LEAST <= count <= MAX_DEALS:
        raise UserError(f"--matches {count}: must be from {LEAST} to {MAX_DEALS}")
    return spec.sized(
        {
            measure.name: min(max(LEAST, round(count / measure.each)), measure.most)
            for part in reversed(spec.parts)
            for measure in part.measures
        }
    )


def by_minutes(spec: Spec, minutes: float, threads: int) -> Spec:
    """Return the spec with the deals that there is time for: each measure is tried for a moment.

    Parameters
    ----------
    minutes : float
        See `checked_minutes`.
    """
    deals = {}
    for part in reversed(spec.parts):
        whole = sum(measure.part for measure in part.measures)
        for measure in part.measures:
            source = part.sources[measure.name]
            room = 60 * minutes * measure.part / whole / len(spec.parts) * (threads if source.jitted else 1)
            wanted = room / _seconds_a_deal(source)
            digits = 10 ** max(0, math.floor(math.log10(max(wanted, 1))) - 1)
            deals[measure.name] = min(max(LEAST, int(wanted // digits * digits)), measure.most)
    return spec.sized(deals, minutes)


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
        if seconds > _TRIAL_SECONDS / 2 or deals >= _MAX_CHUNK:
            return max(seconds, 1e-9) / deals
        deals *= 4


def play(
    spec: Spec,
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Suites:
    """Play and read the measures that the spec has deals for.

    Parameters
    ----------
    threads : int, optional
        As many as there is room for if not given. The result does not depend on it.
    on_progress : callable
        Told how far it is, `STEPS` for each measure.
    stop : callable
        Asked now and then whether to end early; what was then not begun is left out.

    Raises
    ------
    Interrupted
        If no measure of the draft had enough deals.
    UserError
        If a bot breaks the contract.
    """
    if not isinstance(spec, Spec):
        raise arguments.wrong("spec", spec, "a Spec of experiments.studies.skill.spec")
    began, count = time.perf_counter(), arguments.threads(threads)
    deals = [measure.part for part in spec.parts for measure in _chosen(part)]
    clock = _Clock(spec.minutes, began, sum(deals))
    suites: list[Suite] = []
    for part in spec.parts:
        base = STEPS * sum(len(suite.planned) for suite in suites)
        suite = _play_part(part, clock, count, matches.after(base, on_progress), stop)
        if suite is not None:
            suites.append(suite)
    if not suites:
        raise Interrupted("interrupted before a measure had enough deals: nothing to keep")
    planned = [suite.planned for suite in suites]
    # What there was no time for is no longer asked.
    spec = spec.changed(
        deals=planned[0], against_deals=planned[1] if len(planned) > 1 else None, minutes=None
    )
    return Suites(spec, suites, time.perf_counter() - began)


def _chosen(spec: Spec) -> list[Any]:
    return [measure for measure in known() if measure.name in spec.deals and measure.name in spec.sources]


def _play_part(
    spec: Spec, clock: _Clock, threads: int, on_progress: Callable[[int], None], stop: Callable[[], bool]
) -> Suite | None:
    """Play and read the measures of a draft; None if none had enough deals."""
    sections, done = [], {}
    measures = _chosen(spec)
    planned = {measure.name: spec.deals[measure.name] for measure in measures}
    for number, measure in enumerate(measures):
        wanted = planned[measure.name]

        def note(deals: int, base: int = number * STEPS, wanted: int = wanted) -> None:
            on_progress(base + deals * STEPS // wanted)

        if stop():
            break
        chunks = _Chunks(wanted, clock.end_of(measure.part))
        data = _played(spec.sources[measure.name], chunks, threads, note, stop)
        if data and len(data[0]) >= min(LEAST, wanted):
            done[measure.name] = len(data[0])
            if chunks.late:
                planned[measure.name] = done[measure.name]
            sections.append(measure.read(spec, *data))
        on_progress((number + 1) * STEPS)
    return Suite(spec, sections, done, planned) if sections else None


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


class _Chunks:
    """Cuts the deals of a measure into chunks that take about `_CHUNK_SECONDS`, as long as there is time.

    Parameters
    ----------
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
        wanted = int(deals * _CHUNK_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size, _MAX_CHUNK))


def _played(
    source: Source, chunks: _Chunks, threads: int, note: Callable[[int], None], stop: Callable[[], bool]
) -> tuple[Any, ...]:
    """Return the arrays of all deals, or of the first of them if it is to stop or there is no more time."""

    def work(chunk: tuple[int, int]) -> tuple[tuple[Any, ...], float]:
        began = time.perf_counter()
        return source.play(*chunk), time.perf_counter() - began

    # Plain Python does not run in two threads at once.
    done = scheduler.in_threads(iter(chunks), work, threads if source.jitted else 1, in_order=True)
    results: list[tuple[Any, ...]] = []
    count = 0
    try:
        for arrays, seconds in done:
            results.append(arrays)
            chunks.learn(len(arrays[0]), seconds)
            count += len(arrays[0])
            note(count)
            if stop():
                break
    finally:
        done.close()
    return tuple(np.concatenate(parts) for parts in zip(*results, strict=True))
