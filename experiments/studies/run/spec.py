"""What ``tefuda run`` is asked: matches of a draft."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Self

from experiments import MATCHES, SEED
from experiments.play.matches import MatchSpec
from experiments.store import folders
from experiments.studies.asked import Asked, BotsFile, Lineup, OneDraft, Seed, flag, whole
from sim.batch import MAX_MATCHES
from sim.bots import Bot
from sim.drafts import Draft

Matches = Annotated[int, whole("matches", 1, MAX_MATCHES)]


class Spec(Asked):
    """Matches of a draft; the same spec gives the same tables.

    Parameters
    ----------
    draft : Draft or str
        By ``GAME/NAME``, by the path of its file, or as `sim.drafts.load` returns it.
    lineup : str or list of str, optional
        As on the command line, ``"heuristic,greedy,greedy,random"``; without it the default bot in every seat.
    seed : int
        Names the deals; 0 or more.
    fixed_seats : bool
        Bots stay in their seats.
    bots_file : path, optional
        A Python file with the user's own bots; it is run.
    """

    draft: OneDraft
    lineup: Lineup = None
    matches: Matches = MATCHES
    seed: Seed = SEED
    fixed_seats: Annotated[bool, flag("fixed_seats")] = False
    bots_file: BotsFile = None

    @cached_property
    def to_play(self) -> MatchSpec:
        """The matches."""
        return MatchSpec([self.draft], self.lineup, self.matches, self.seed, self.fixed_seats)

    @property
    def folder_name(self) -> str:
        """Name of the folder, from the draft."""
        return folders.as_name(f"{self.game}-{self.draft.name}")

    @property
    def steps(self) -> int:
        """Matches."""
        return self.matches

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays which draft."""
        return self.to_play.seated

    def prepare(self) -> None:
        """Read and compile everything that playing needs."""
        self.to_play.prepare()

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of as many matches as were played."""
        return self.changed(matches=played["matches"])
