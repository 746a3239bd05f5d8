"""What ``tefuda fairness`` is asked: a draft with every number of players, under several bots."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator

from experiments import SEED, arguments
from experiments.metrics.seats import MARGIN
from experiments.play.matches import MatchSpec
from experiments.store import folders
from experiments.studies.asked import Asked, BotsFile, Drafts, Seed, whole
from sim import drafts, options
from sim.batch import MAX_MATCHES
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError

MATCHES = 50_000
"""Of each cell, where nothing is said."""

_PLAYERS = "rules.players="


def _levels(given: Any) -> tuple[str, ...]:
    """Return bots, each to sit in every seat."""
    names = tuple(name.strip() for name in given.split(",")) if isinstance(given, str) else tuple(given)
    if not names or not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
        raise UserError(f"levels = {given!r}: must be different bots with commas between them")
    return names


def _margin(given: Any) -> float:
    if not isinstance(given, float) or not 0 < given < 1:
        raise arguments.wrong("margin", given, "a share above 0 and below 1, such as 0.01")
    return given


class Spec(Asked):
    """A draft with several numbers of players, each under several bots; the same spec gives the same tables.

    Parameters
    ----------
    drafts : list of Draft
        The draft, one for each number of players: see `for_players`.
    levels : list of str
        Bots, each to sit in every seat.
    matches : int
        Of each number of players and bot.
    margin : float
        So far a seat may be off its fair share, in share of matches.
    refused : list of (int, str)
        Numbers of players that cannot be played, and why.
    cut : list of int, optional
        Matches of each cell, by draft and within that by level, of a matrix that was cut short.
    """

    told_by_bots = frozenset({"levels", "refused"})

    drafts: Drafts
    levels: Annotated[tuple[str, ...], BeforeValidator(_levels)]
    matches: Annotated[int, whole("matches", 2, MAX_MATCHES)] = MATCHES
    seed: Seed = SEED
    margin: Annotated[float, BeforeValidator(_margin)] = MARGIN
    refused: tuple[tuple[int, str], ...] = ()
    bots_file: BotsFile = None
    cut: list[Annotated[int, whole("cut", 0, MAX_MATCHES)]] | None = None

    @property
    def sizes(self) -> list[int]:
        """Matches of each cell, by draft and within that by level."""
        return self.cut or [self.matches] * (len(self.drafts) * len(self.levels))

    @cached_property
    def cells(self) -> list[MatchSpec]:
        """The matches of each cell; one that is not to be played is made ready all the same, as it has its place."""
        pairs = [(draft, level) for draft in self.drafts for level in self.levels]
        return [
            MatchSpec([draft], level, max(matches, 1), self.seed)
            for (draft, level), matches in zip(pairs, self.sizes, strict=True)
        ]

    @property
    def label(self) -> str:
        """The draft, whatever the number of players."""
        first = self.drafts[0]
        changes = tuple(change for change in first.changes if not change.startswith(_PLAYERS))
        return replace(first, changes=changes).label

    @property
    def folder_name(self) -> str:
        """Name of the folder, from the draft."""
        return folders.as_name(f"{self.game}-{self.drafts[0].name}-fairness")

    @property
    def steps(self) -> int:
        """Matches of all cells together."""
        return sum(self.sizes)

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays which draft."""
        return [pair for cell in self.cells for pair in cell.seated]

    def prepare(self) -> None:
        """Read and compile everything that playing needs."""
        for cell in self.cells:
            cell.prepare()

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of as many matches as each cell had."""
        matches = played["matches"]
        if len(matches) != len(self.drafts) * len(self.levels) or not any(matches):
            raise UserError("matches must be those of each cell, and not all 0")
        return self if set(matches) == {self.matches} else self.changed(cut=matches)


def for_players(
    name: str, changes: tuple[str, ...], wanted: list[int] | None = None
) -> tuple[list[Draft], list[tuple[int, str]]]:
    """Return a draft for each number of players, and the numbers that it refuses with the reasons.

    Parameters
    ----------
    name : str
        Of the draft, or its path.
    changes : tuple of str
        As of ``--set``.
    wanted : list of int, optional
        Numbers of players; all that the game knows if not given.

    Raises
    ------
    UserError
        If the draft cannot be loaded, or not for any of the numbers.
    """
    own = drafts.load(name, changes)
    loaded, refused = [], []
    for players in wanted or options.integers(own.options, "rules", "players") or [own.players]:
        more = (*changes, f"{_PLAYERS}{players}")
        try:
            loaded.append(own if players == own.players else drafts.load(name, more))
        except UserError as error:
            refused.append((players, str(error).removeprefix(f"--set {' '.join(more)}: ")))
    if not loaded:
        raise UserError(
            f"{own.label}: no such number of players: {'; '.join(reason for _, reason in refused)}"
        )
    return loaded, refused
