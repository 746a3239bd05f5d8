"""What ``tefuda compare`` is asked: drafts on the same deals, under which line-ups, and how they are judged."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, PlainSerializer

from experiments import MATCHES, SEED, arguments
from experiments.play import margins
from experiments.play.margins import Margins
from experiments.play.matches import MatchSpec
from experiments.store import folders
from experiments.studies.asked import Asked, BotsFile, Drafts, Seed, flag, whole
from experiments.studies.compare.hypotheses import METHOD, Design
from sim.batch import MAX_MATCHES
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError, unknown

Goal = Literal["fairer", "closer", "skill", "shorter"]

GOALS: dict[Goal, str] = {
    "fairer": "the seats become fairer",
    "closer": "the scores lie closer together",
    "skill": "the stronger bot wins more",
    "shorter": "a match takes fewer decisions",
}
"""What a designer may want of a change."""


def _margins(given: Any) -> Margins:
    """Return margins, given by kind or as texts of the command line."""
    if isinstance(given, dict):
        return margins.read(f"{kind}={amount}" for kind, amount in given.items())
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(text, str) for text in texts):
        raise arguments.wrong("margins", given, "texts such as 'share=0.5pp'")
    return margins.read(texts)


def _lineups(given: Any) -> tuple[str | None, ...]:
    """Return line-ups: several in a list, or a single one."""
    if given is None or isinstance(given, str):
        given = [given]
    if not isinstance(given, list | tuple) or not given:
        raise arguments.wrong("lineups", given, "a list of line-ups, such as ['heuristic', 'greedy']")
    return tuple(arguments.lineup(lineup, name=f"lineups[{number}]") for number, lineup in enumerate(given))


def _goals(given: Any) -> tuple[str, ...]:
    """Return goals, given as a list or as a text with commas."""
    names = [part.strip() for part in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in GOALS:
            raise unknown("goal", str(name), GOALS, f"--goal {','.join(map(str, names))}")
    return tuple(names)


class Spec(Asked):
    """Drafts on the same deals; the same spec gives the same tables.

    Parameters
    ----------
    drafts : list of Draft or str
        Two or more of one game; the others are compared with the first. Each by ``GAME/NAME``, by the path of its file, or as
        `sim.drafts.load` returns it.
    lineups : list of str, optional
        Line-ups under which they are compared, each as on the command line; the default bot in every seat without it.
    matches : int
        Of each draft and line-up; with `until_decided`, at most.
    seed : int
        Names the deals; 0 or more.
    fixed_seats : bool
        Bots stay in their seats.
    margins : list of str
        Differences that are none, such as ``"share=0.5pp"``; the usual ones for the rest.
    until_decided : bool
        Play on until every verdict is in.
    goals : list of str
        What is wanted of a change, of `GOALS`: it makes higher and lower better and worse.
    bots_file : path, optional
        A Python file with the user's own bots; it is run.
    cut : list of int, optional
        Matches after which each line-up was cut short; of runs that are played again.
    """

    told_by_bots = frozenset({"lineups", "goals"})

    drafts: Drafts
    lineups: Annotated[tuple[str | None, ...], BeforeValidator(_lineups)] = (None,)
    matches: Annotated[int, whole("matches", 1, MAX_MATCHES)] = MATCHES
    seed: Seed = SEED
    fixed_seats: Annotated[bool, flag("fixed_seats")] = False
    margins: Annotated[
        Margins,
        BeforeValidator(_margins),
        PlainSerializer(lambda stated: {kind: str(margin) for kind, margin in stated.items()}),
    ] = margins.read(())
    until_decided: Annotated[bool, flag("until_decided")] = False
    goals: Annotated[tuple[str, ...], BeforeValidator(_goals)] = ()
    bots_file: BotsFile = None
    cut: list[Annotated[int, whole("cut", 1, MAX_MATCHES)]] | None = None

    @cached_property
    def studies(self) -> list[MatchSpec]:
        """The matches of each line-up."""
        sizes = self.cut or [self.matches] * len(self.lineups)
        return [
            MatchSpec(self.drafts, lineup, matches, self.seed, self.fixed_seats)
            for lineup, matches in zip(self.lineups, sizes, strict=True)
        ]

    @cached_property
    def design(self) -> Design:
        """How it is judged, fixed by the size that was planned."""
        periods = [batch.period for study in self.studies for batch in study.batches]
        blocks = max(-(-self.matches // period) for period in periods)
        return Design.of(blocks, self.margins, until_decided=self.until_decided)

    @property
    def folder_name(self) -> str:
        """Name of the folder, from the drafts."""
        return folders.as_name("-".join([self.game, "-vs-".join(draft.name for draft in self.drafts)]))

    @property
    def steps(self) -> int:
        """Matches of the first draft, of all line-ups together."""
        return sum(study.matches for study in self.studies)

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays which draft."""
        return [pair for study in self.studies for pair in study.seated]

    def prepare(self) -> None:
        """Read and compile everything that playing needs.

        Raises
        ------
        UserError
            If something does not fit, or some draft would not play one whole block.
        """
        if len(self.drafts) < 2:
            raise UserError(f"compare {self.drafts[0].label}: name two drafts or more")
        for study in self.studies:
            study.prepare()
            longest = max(study.batches, key=lambda batch: batch.period)
            if study.matches < longest.period:
                lineup = ",".join(bot.name for bot in longest.lineup)
                raise UserError(
                    f"{study.matches} match{'es' if study.matches > 1 else ''} of each draft: too few to compare, since "
                    f"{lineup} plays each deal in {longest.period} rotations of the seats (a block): "
                    f"play at least {longest.period}"
                )

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec that ends where what was played was cut short; what was whole ended by its own plan."""
        if played["method"] != METHOD:
            raise UserError(
                "its verdicts were reached by the method of another version; run the comparison anew"
            )
        if len(played["matches"]) != len(self.lineups):
            raise UserError("matches must be those of each line-up")
        cut = self.changed(cut=played["matches"])
        return cut if played["partial"] else self
