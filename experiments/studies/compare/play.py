"""A comparison: drafts played on the same deals under one line-up or several, and a verdict on every measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from experiments import arguments
from experiments.metrics import verdicts
from experiments.metrics.scores import Distances
from experiments.metrics.verdicts import Looks, PairedSummary, Sequential, Verdict
from experiments.play import matches
from experiments.play.matches import Key, MatchSpec, Run, Study
from experiments.stats import Difference
from experiments.store.tables import INTERVAL, Columns, Stored
from experiments.studies.compare import distances, hypotheses
from experiments.studies.compare.hypotheses import METHOD, Claim, Design
from experiments.studies.compare.spec import Spec
from experiments.studies.result import Result
from experiments.studies.run.play import KEY, key_columns, run_tables
from sim import batch
from sim.batch import Result as BatchResult
from sim.errors import Interrupted, UserError

Word = Literal["higher", "lower", "equivalent", "undecided"]

_WORDS: dict[str, Word] = {
    "better": "higher", "worse": "lower", "equivalent": "equivalent", "undecided": "undecided",
}  # fmt: skip

_CUT = 2.0
"""Where several line-ups take turns, a turn is so many times as long as all before it together."""


DIFFERENCES = Columns(
    "differences",
    "every measure of every further draft less that of the first, with its interval",
    {
        "draft": "text", "base": "text", **KEY, "difference": "real", **INTERVAL,
        "blocks": "whole", "paired": "flag", "gain": "real",
    },
)  # fmt: skip
VERDICTS = Columns(
    "verdicts",
    "the verdict on every measure of a comparison, its margin, and the matches it would take",
    {
        "level": "text", "base": "text", "draft": "text", **KEY, "verdict": "text", "margin": "real",
        "more_matches": "whole", "difference": "real", **INTERVAL, "blocks": "whole",
    },
)  # fmt: skip
DISTANCES = Columns(
    "distances",
    "how far the scores of a draft lie from those of the first, and what noise alone does",
    {
        "level": "text", "base": "text", "draft": "text", "distance": "text", "unit": "text", "value": "real", **INTERVAL,
        "noise": "real", "p": "real", "deals": "whole", "paired": "flag",
    },
)  # fmt: skip


@dataclass(frozen=True)
class Judged:
    """A claim with the verdict on it.

    Attributes
    ----------
    verdict : Verdict or None
        None where there are no data.
    """

    claim: Claim
    verdict: Verdict | None

    @property
    def word(self) -> Word:
        """What is claimed: that a measure is higher or lower, or the same within the margin."""
        if self.verdict is None:
            return "undecided"
        return _WORDS[self.verdict.word]

    @property
    def differs(self) -> bool:
        """Whether it is claimed that the drafts differ."""
        return self.word not in ("equivalent", "undecided")


@dataclass(repr=False)
class Comparison(Result):
    """A comparison that has been played.

    Attributes
    ----------
    studies : list of Study
        One a line-up.
    judged : list of Judged
        Every claim that was made before the run.
    """

    spec: Spec
    studies: list[Study]
    judged: list[Judged]

    @property
    def complete(self) -> bool:
        """False if it was interrupted."""
        return all(study.complete for study in self.studies)

    @property
    def seconds(self) -> float:
        """Time of playing."""
        return sum(study.result.seconds for study in self.studies)

    @property
    def played(self) -> dict[str, Any]:
        """How many matches of each line-up, and by which method the verdicts were reached."""
        return {
            "method": METHOD,
            "matches": [study.matches for study in self.studies],
            "partial": not self.complete,
        }

    @property
    def about(self) -> dict[str, Any]:
        """The plan, and how far each draft was played."""
        return {
            "levels": self.levels,
            "matches_of_drafts": [[run.totals.matches for run in study.runs] for study in self.studies],
            "plan": plan(self),
        }

    def tables(self) -> list[Stored]:
        """Return estimates, scores, labels, differences, verdicts and distances."""
        several = len(self.studies) > 1
        rows = [
            {"level": run.level, **row}
            for study in self.studies
            for run in study.runs[1:]
            for row in difference_rows(run)
        ]
        return [
            *run_tables(self.studies, several=several),
            Stored(DIFFERENCES.after({"level": "text"}) if several else DIFFERENCES, rows),
            Stored(VERDICTS, verdict_rows(self)),
            Stored(DISTANCES, distance_rows(self)),
        ]

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints: drafts and differences, by line-up if there are several, and all verdicts."""
        from experiments.studies.compare import lineups

        by_level = [
            {
                "level": name,
                "drafts": [run.summary() for run in study.runs],
                "differences": [row for run in study.runs[1:] for row in difference_rows(run)],
            }
            for name, study in zip(self.levels, self.studies, strict=True)
        ]
        only = {key: by_level[0][key] for key in ("drafts", "differences")}
        return {
            **(only if len(by_level) == 1 else {"levels": by_level}),
            "verdicts": verdict_rows(self),
            "distances": distance_rows(self),
            "disagreements": lineups.disagreement_rows(self),
            "plan": plan(self),
            "complete": self.complete,
        }

    @property
    def levels(self) -> list[str]:
        """The line-ups by name."""
        return [study.runs[0].level for study in self.studies]

    @cached_property
    def by_place(self) -> dict[tuple[int, int, Key], Judged]:
        """Claims by level, draft and measure."""
        return {(judged.claim.level, judged.claim.draft, judged.claim.key): judged for judged in self.judged}

    @cached_property
    def distances(self) -> dict[tuple[int, int], Distances]:
        """How far the scores of a draft lie from those of the first, by level and draft, where it can be told.

        Nothing is claimed of it.
        """
        found = {
            (level, run.number): distances.between(one.runs[0], run)
            for level, one in enumerate(self.studies)
            for run in one.runs[1:]
        }
        return {place: one for place, one in found.items() if one is not None}

    def run_of(self, claim: Claim) -> Run:
        """Return the run of the draft that a claim is about."""
        return self.studies[claim.level].runs[claim.draft]

    def difference(self, judged: Judged) -> Difference:
        """Return the difference that a claim is about, with the interval that its verdict rests on.

        Until decided that holds at all looks, and is of the last look that bears the verdict out. There must be judged.
        """
        found = self.run_of(judged.claim).differences[judged.claim.key]
        if judged.verdict is None or not self.spec.design.until_decided:
            return found
        seen = judged.verdict.estimate
        return replace(found, value=seen.value, se=seen.se, low=seen.low, high=seen.high, blocks=seen.blocks)

    def simultaneous(self, judged: Judged) -> tuple[float, float]:
        """Return the interval of a claim's difference of the kind that holds for all claims at once.

        Raises
        ------
        ValueError
            If there are no data, and so no verdict.
        """
        if judged.verdict is None:
            raise ValueError("no verdict, and so no interval")
        return judged.verdict.simultaneous

    def more(self, judged: Judged) -> float | None:
        """Return about how many further matches of each draft it takes to decide; 0 if decided, None if unknown."""
        if judged.verdict is None or not math.isfinite(judged.verdict.more):
            return None
        return math.ceil(judged.verdict.more) * self.run_of(judged.claim).batch.period

    @property
    def undecided(self) -> list[Judged]:
        """Claims that are not decided."""
        return [judged for judged in self.judged if judged.word == "undecided"]


def play(
    spec: Spec,
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Play a comparison: fix the claims by the pilot, then play and judge.

    Parameters
    ----------
    threads : int, optional
        As many as there is room for if not given. The tables do not depend on it.
    on_progress : callable
        Told how many matches of the first draft are done, of all line-ups together.
    stop : callable
        Asked now and then whether to end early.

    Raises
    ------
    Interrupted
        If some line-up did not finish a block.
    UserError
        If something does not fit, or a bot breaks the contract.
    """
    if not isinstance(spec, Spec):
        raise arguments.wrong(
            "spec",
            spec,
            "a Spec of experiments.studies.compare.spec, such as Spec(['uplink/v1.1', 'mine.toml'])",
        )
    threads = arguments.threads(threads)
    made = hypotheses.fix(spec.studies, spec.design, threads=threads, stop=stop)
    if not made:
        raise UserError("these drafts have no measure in common that could be compared")
    until = Sequential([claim.aim for claim in made if claim.aim is not None], spec.design.looks)
    levels = [
        _Level(one, {place: claim for place, claim in enumerate(made) if claim.level == number},
               until if spec.design.until_decided else None)
        for number, one in enumerate(spec.studies)
    ]  # fmt: skip
    for level, blocks in _turns(levels, spec.design):
        before = sum(one.totals[0].matches for one in levels)
        level.play(blocks, threads, matches.after(before, on_progress), stop)
        if level.interrupted:
            break
    if any(level.totals[0].matches == 0 for level in levels):
        raise Interrupted("interrupted before each line-up had finished a block: nothing to keep")
    cut = any(level.interrupted for level in levels)
    studies = [level.study(complete=not cut) for level in levels]
    if spec.design.until_decided:
        said = until.verdicts()
    else:
        known = [level.summaries(range(1, len(level.totals))) for level in levels]
        said = verdicts.judge([known[claim.level].get(place) for place, claim in enumerate(made)])
    return Comparison(spec, studies, [Judged(*one) for one in zip(made, said, strict=True)])


class _Level:
    """A line-up: its drafts as far as they are played; and where to say so, if it is judged on the way."""

    def __init__(self, spec: MatchSpec, claims: dict[int, Claim], until: Sequential | None) -> None:
        self.spec = spec
        self.totals = [one.totals() for one in spec.batches]
        self.interrupted = False
        self._claims = claims
        self._until = until
        self._bases = list(self.totals)
        self._seconds = 0.0

    @property
    def blocks(self) -> int:
        """Blocks to be played at most, of the draft that has most."""
        return max(-(-self.spec.matches // one.period) for one in self.spec.batches)

    @property
    def playing(self) -> list[int]:
        """Numbers of the drafts that are compared with the first, but for those of which all is decided."""
        until = self._until
        if until is None:
            return list(range(1, len(self.totals)))
        return sorted({claim.draft for place, claim in self._claims.items() if not until.is_decided(place)})

    def play(
        self, blocks: range, threads: int, on_progress: Callable[[int], None], stop: Callable[[], bool]
    ) -> None:
        """Play further blocks of the first draft and of all that are not decided; look, if that is planned."""
        others = self.playing
        numbers = [0, *others]
        result = batch.run(
            [self.spec.batches[number] for number in numbers], self.spec.matches,
            blocks=blocks, keep=distances.BLOCKS, threads=threads, on_progress=on_progress, stop=stop,
        )  # fmt: skip
        for number, totals in zip(numbers, result.totals, strict=True):
            self.totals[number].add(totals)
        for number in others:
            self._bases[number] = replace(self.totals[0], scores={}, labels={}, kept=self.totals[0].kept[:0])
        self._seconds += result.seconds
        self.interrupted = not result.complete
        if self._until is not None and result.totals[0].blocks > 0:
            self._until.look(self.summaries(others), blocks.stop)

    def summaries(self, numbers: Iterable[int]) -> dict[int, PairedSummary]:
        """Return the differences that are judged, of some drafts, as far as there are data; by place among all claims."""
        numbers = list(numbers)
        known = {number: matches.differences(self.totals[number], self._bases[number]) for number in numbers}
        far = {
            number: [hypotheses.farthest(one[number]) for one in (self.totals, self._bases)]
            for number in numbers
        }
        found = {}
        for place, claim in self._claims.items():
            one = known.get(claim.draft, {}).get(claim.key)
            if one is not None:
                sd = one.se * math.sqrt(one.blocks)
                # What was seen to be further off than the pilot has it makes a verdict harder to reach, never easier.
                bound = max(claim.bound, *(of_draft[claim.key] for of_draft in far[claim.draft]))
                found[place] = PairedSummary(one.value, sd, one.blocks, claim.margin, bound)
        return found

    def study(self, *, complete: bool) -> Study:
        """Return what was played."""
        return Study(
            self.spec, self.spec.batches, BatchResult(self.totals, complete, self._seconds), self._bases
        )


def _turns(levels: list[_Level], design: Design) -> Iterator[tuple[_Level, range]]:
    """Yield which line-up plays which blocks, until all is decided or played."""
    most = max(level.blocks for level in levels)
    if design.until_decided:
        stretches = design.looks.stretches(most)
    elif len(levels) == 1:
        stretches = iter([range(most)])
    else:
        stretches = Looks(design.first, _CUT).stretches(most)
    for blocks in stretches:
        for level in levels:
            rest = blocks[: max(0, level.blocks - blocks.start)]
            if rest and level.playing:
                yield level, rest


# ---- tables ---------------------------------------------------------------------------------------------


def difference_rows(run: Run) -> list[dict[str, Any]]:
    """Return the differences of a run from the first of its study as flat rows."""
    base = run.study.runs[0].draft.label
    return [
        {
            "draft": run.draft.label,
            "base": base,
            **key_columns(key),
            "difference": difference.value,
            **{name: getattr(difference, name) for name in ("se", "low", "high", "blocks", "paired")},
            "gain": difference.gain if math.isfinite(difference.gain) else None,
        }
        for key, difference in run.differences.items()
    ]


def plan(comparison: Comparison) -> dict[str, Any]:
    """Return what was fixed before the first match: how it is judged, and every claim with its margin."""
    return {
        **comparison.spec.design.described(),
        "claims": [
            {
                "level": comparison.run_of(judged.claim).level,
                **_measure(comparison, judged),
                "margin": judged.claim.margin,
                "aim": judged.claim.aim,
            }
            for judged in comparison.judged
        ],
    }


def _measure(comparison: Comparison, judged: Judged) -> dict[str, Any]:
    return {"draft": comparison.run_of(judged.claim).draft.label, **key_columns(judged.claim.key)}


def verdict_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return every claim with its verdict as flat rows."""
    rows = []
    for judged in comparison.judged:
        run = comparison.run_of(judged.claim)
        difference = None if judged.verdict is None else comparison.difference(judged)
        rows.append(
            {
                "level": run.level,
                "base": run.study.runs[0].draft.label,
                **_measure(comparison, judged),
                "verdict": judged.word,
                "margin": judged.claim.margin,
                "more_matches": comparison.more(judged),
                "difference": getattr(difference, "value", None),
                **{name: getattr(difference, name, None) for name in ("se", "low", "high", "blocks")},
            }
        )
    return rows


def distance_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return how far the scores of each draft lie from those of the first, two distances a draft, as flat rows."""
    rows = []
    for (level, number), apart in comparison.distances.items():
        base, run = (comparison.studies[level].runs[which] for which in (0, number))
        for kind, unit in (("wasserstein", "points"), ("kolmogorov", "share")):
            distance = getattr(apart, kind)
            rows.append(
                {
                    "level": run.level,
                    "base": base.draft.label,
                    "draft": run.draft.label,
                    "distance": kind,
                    "unit": unit,
                    **{name: getattr(distance.value, name) for name in ("value", "se", "low", "high")},
                    "noise": distance.alike,
                    "p": distance.p,
                    "deals": distance.value.blocks,
                    "paired": distances.are_paired(base, run),
                }
            )
    return rows
