"""What ``tefuda ladder`` is asked: which bots, on how many deals of a draft."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator

from experiments import DEALS, SEED, arguments
from experiments.play import duels
from experiments.store import folders
from experiments.studies.asked import Asked, BotsFile, OneDraft, Seed, whole
from experiments.studies.ladder.deal_budget import DealBudget, of_pairs
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from strategies import registry as strategies

MAX_DEALS = 1_000_000

_SEARCH_DEALS, _SEARCH_DEALS_OF_GAMES = 200, 60
"""Of a pair in which a bot searches, unless they are named; and where a match has several games."""

_SEARCH = "search:1000"
"""The one player that searches in a ladder where no bot is named."""


def _bots(given: Any) -> tuple[str, ...]:
    """Return names of bots."""
    names = tuple(
        given.split(",") if isinstance(given, str) else given if isinstance(given, Iterable) else [given]
    )
    if not all(isinstance(name, str) for name in names):
        raise arguments.wrong("bots", given, "names of bots, such as ['heuristic', 'greedy']")
    return names


def _search_deals(given: Any) -> int | None:
    return None if given is None else arguments.whole(given, name="search_deals", least=2, most=MAX_DEALS)


class Spec(Asked):
    """Bots against each other; the same spec gives the same tables.

    Parameters
    ----------
    bots : list of str, optional
        As on the command line; without them all bots of the game that are fast and do not cheat, and one that searches.
    deals : int
        Of each pair in which no bot searches, the same for all; two or more, since intervals need them.
    bots_file : path, optional
        The user's own bots.
    search_deals : int, optional
        Of each pair in which a bot searches, the first of the same deals; without it the usual number, or `deals` where
        that is less.
    """

    told_by_bots = frozenset({"bots"})
    packages = ("choix",)

    draft: OneDraft
    bots: Annotated[tuple[str, ...], BeforeValidator(_bots)] = ()
    deals: Annotated[int, whole("deals", 2, MAX_DEALS)] = DEALS
    seed: Seed = SEED
    bots_file: BotsFile = None
    search_deals: Annotated[int | None, BeforeValidator(_search_deals)] = None

    @cached_property
    def players(self) -> list[Bot]:
        """The bots, in the order of their names, so that a duel does not depend on the order they were named in.

        Raises
        ------
        UserError
            For fewer than two bots, one named twice, or one that is unknown.
        """
        named = self.bots or usual(self.draft.game)
        chosen = [strategies.find(self.draft.game, name) for name in named]
        names = [bot.name for bot in chosen]
        if len(names) < 2:
            raise UserError(f"ladder of {' '.join(names)}: name two bots or more, or none for the usual ones")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UserError(f"ladder: {twice[0]} is named twice")
        return sorted(chosen, key=lambda bot: bot.name)

    @cached_property
    def searching(self) -> list[bool]:
        """Of each pair, whether a bot of it searches."""
        return [any(map(searches, pair)) for pair in itertools.combinations(self.players, 2)]

    @cached_property
    def goals(self) -> list[int]:
        """How many deals each pair is to play."""
        search_deals = self.search_deals
        if search_deals is None:
            several = self.draft.options.counted_games > 1
            search_deals = min(_SEARCH_DEALS_OF_GAMES if several else _SEARCH_DEALS, self.deals)
        return DealBudget(self.deals, search_deals).of(self.searching)

    @property
    def asked(self) -> DealBudget:
        """How many deals the pairs of either kind are to play."""
        return of_pairs(self.searching, self.goals)

    @cached_property
    def duels(self) -> list[duels.Table]:
        """The tables of all pairs.

        Raises
        ------
        UserError
            If something does not fit.
        """
        if self.search_deals is not None and not 2 <= self.search_deals <= self.deals:
            raise UserError(
                f"--search-deals {self.search_deals}: must be from 2 to the {self.deals} of --deals, of which they are "
                "the first"
            )
        return [
            duels.Table(self.draft, duels.lineups(self.draft.players, *pair), self.seed)
            for pair in itertools.combinations(self.players, 2)
        ]

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written."""
        for table in self.duels:
            table.warm_up()

    @property
    def folder_name(self) -> str:
        """Name of the folder, from the draft."""
        return folders.as_name(f"{self.game}-{self.draft.name}-ladder")

    @property
    def steps(self) -> int:
        """Deals of all pairs together."""
        return sum(self.goals)

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays."""
        return [(self.draft, self.players)]

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of as many deals as were played."""
        names = tuple(bot.name for bot in self.players)
        return self.changed(bots=names, deals=played["deals"], search_deals=played["search_deals"])


def usual(game: str) -> list[str]:
    """Return the bots of a ladder where none is named: all that are fast and do not cheat, and one that searches."""
    known = strategies.known(game)
    fast = [bot.name for bot in known if not bot.cheats and not searches(bot)]
    name, _, _ = _SEARCH.partition(":")
    return [*fast, _SEARCH] if name in {bot.name for bot in known} else fast


def searches(bot: Bot) -> bool:
    """Tell whether a bot searches, and so takes thousands of times as long as one that does not."""
    return "iterations" in dict(bot.parameters)
