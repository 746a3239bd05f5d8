"""A comparison: drafts played on the same deals under one line-up or several, and a verdict on every measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from experiments import arguments
from experiments.metrics import verdicts
from experiments.metrics.scores import Distances
from experiments.metrics.verdicts import Looks, PairedSummary, Sequential, Verdict
from experiments.play import margins
from experiments.play import matches as study
from experiments.play.matches import Run, Study
from experiments.stats import Difference
from experiments.studies.compare import distances, hypotheses
from experiments.studies.compare.hypotheses import Claim, Design
from experiments.studies.shown import Shown
from sim import batch
from sim.batch import Result
from sim.errors import Interrupted, UserError

Word = Literal["better", "worse", "higher", "lower", "equivalent", "undecided"]

_CUT = 2.0
"""Where several line-ups take turns, a turn is so many times as long as all before it together."""


@dataclass(frozen=True)
class Spec:
    """What a comparison plays and how it is judged; the same spec gives the same tables.

    Attributes
    ----------
    studies : list of study.Spec
        One a line-up, alike in all else but, where a comparison is played again that was cut short, in its matches.
    design : Design
    """

    studies: list[study.Spec]
    design: Design

    @classmethod
    def of(
        cls, studies: Sequence[study.Spec], stated: Sequence[str] = (), *, until_decided: bool = False
    ) -> Spec:
        """Return a comparison by what is stated, with the usual margins for the rest.

        Parameters
        ----------
        studies : list of study.Spec
            One a line-up.
        stated : list of str
            Margins as on the command line, such as ``"share=0.5pp"``.
        until_decided : bool
            Play on until every verdict is in, at most the matches of the studies.
        """
        blocks = max(-(-spec.matches // batch.period) for spec in studies for batch in spec.batches)
        return cls(list(studies), Design.of(blocks, margins.read(stated), until_decided=until_decided))

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written.

        Raises
        ------
        UserError
            If something does not fit, or some draft would not play one whole block.
        """
        for spec in self.studies:
            spec.prepare()
            longest = max(spec.batches, key=lambda batch: batch.period)
            if spec.matches < longest.period:
                lineup = ",".join(bot.name for bot in longest.lineup)
                raise UserError(
                    f"{spec.matches} match{'es' if spec.matches > 1 else ''} of each draft: too few to compare, since "
                    f"{lineup} plays each deal in {longest.period} rotations of the seats (a block): "
                    f"play at least {longest.period}"
                )

    @property
    def matches(self) -> int:
        """Of each draft and line-up, at most."""
        return max(spec.matches for spec in self.studies)


@dataclass(frozen=True)
class Judged:
    """A claim with the verdict on it.

    Attributes
    ----------
    claim : Claim
    verdict : Verdict or None
        None where there are no data.
    """

    claim: Claim
    verdict: Verdict | None

    @property
    def word(self) -> Word:
        """What is claimed: of shares of the win and scores "better" or "worse", for the seat or bot whose they are."""
        found = "undecided" if self.verdict is None else self.verdict.word
        if self.claim.key[0] in ("win", "score") or found in ("equivalent", "undecided"):
            return found
        return "higher" if found == "better" else "lower"

    @property
    def differs(self) -> bool:
        """Whether it is claimed that the drafts differ."""
        return self.word not in ("equivalent", "undecided")


@dataclass(repr=False)
class Comparison(Shown):
    """A comparison that has been played.

    Attributes
    ----------
    spec : Spec
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
        return all(found.complete for found in self.studies)

    @property
    def matches(self) -> int:
        """Matches played of the first draft under the first line-up."""
        return self.studies[0].matches

    @property
    def levels(self) -> list[str]:
        """The line-ups by name."""
        return [found.runs[0].level for found in self.studies]

    @cached_property
    def by_place(self) -> dict[tuple[int, int, study.Key], Judged]:
        """Claims by level, draft and measure."""
        return {(one.claim.level, one.claim.draft, one.claim.key): one for one in self.judged}

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

    def difference(self, one: Judged) -> Difference:
        """Return the difference that a claim is about, with the interval that its verdict rests on.

        Until decided that holds at all looks, and is of the last look that bears the verdict out. There must be one.
        """
        found = self.run_of(one.claim).differences[one.claim.key]
        if one.verdict is None or not self.spec.design.until_decided:
            return found
        seen = one.verdict.estimate
        return replace(found, value=seen.value, se=seen.se, low=seen.low, high=seen.high, blocks=seen.blocks)

    def at_once(self, one: Judged) -> tuple[float, float]:
        """Return the interval of a claim's difference of the kind that holds for all claims at once.

        Raises
        ------
        ValueError
            If there are no data, and so no verdict.
        """
        if one.verdict is None:
            raise ValueError("no verdict, and so no interval")
        return one.verdict.simultaneous

    def more(self, one: Judged) -> float | None:
        """Return about how many further matches of each draft it takes to decide; 0 if decided, None if unknown."""
        if one.verdict is None or not math.isfinite(one.verdict.more):
            return None
        return math.ceil(one.verdict.more) * self.run_of(one.claim).batch.period

    @property
    def undecided(self) -> list[Judged]:
        """Claims that are not decided."""
        return [one for one in self.judged if one.word == "undecided"]


def play(
    spec: Spec | study.Spec,
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Play a comparison: fix the claims by the pilot, then play and judge.

    Parameters
    ----------
    spec : Spec or study.Spec
        One of a study is judged by the usual margins.
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
    if not isinstance(spec, Spec | study.Spec):
        raise arguments.wrong("spec", spec, "a Spec, such as Spec(['uplink/v1.1', 'mine.toml'])")
    spec, threads = spec if isinstance(spec, Spec) else Spec.of([spec]), arguments.threads(threads)
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
        level.play(blocks, threads, study.after(before, on_progress), stop)
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

    def __init__(self, spec: study.Spec, claims: dict[int, Claim], until: Sequential | None) -> None:
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
        known = {number: study.differences(self.totals[number], self._bases[number]) for number in numbers}
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
        return Study(self.spec, self.spec.batches, Result(self.totals, complete, self._seconds), self._bases)


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
