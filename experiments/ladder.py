"""Bots against each other on duplicate deals, and how strong each is."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from experiments import duels, pace, pieces, ratings, stats
from experiments.ratings import Standing
from sim import registry
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from strategies import registry as strategies

MAX_DEALS = 1_000_000

_QUICK_SEARCH = "search:100"
"""The one player that searches in a ladder where no bot is named."""

_PIECE_SECONDS = 0.2
_MAX_PIECE = 64
"""Deals."""


@dataclass(frozen=True)
class Spec:
    """What a ladder plays; the same spec gives the same tables.

    Attributes
    ----------
    draft : Draft
    bots : list of str
        As on the command line; empty for all bots of the game that are fast and do not cheat.
    deals : int
        Of each pair, the same for all pairs.
    seed : int
    bots_file : Path or None
        The user's own bots.
    """

    draft: Draft
    bots: list[str]
    deals: int
    seed: int
    bots_file: Path | None = None

    @cached_property
    def players(self) -> list[Bot]:
        """The bots, in the order of their names, so that a duel does not depend on the order they were named in.

        Raises
        ------
        UserError
            For fewer than two bots, one named twice, or one that is unknown.
        """
        if self.bots_file is not None:
            strategies.load_file(self.bots_file)
        named = self.bots or usual(self.draft.game)
        found = [strategies.find(self.draft.game, name) for name in named]
        names = [bot.name for bot in found]
        if len(names) < 2:
            raise UserError(f"ladder of {' '.join(names)}: name two bots or more, or none for the usual ones")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UserError(f"ladder: {twice[0]} is named twice")
        return sorted(found, key=lambda bot: bot.name)

    @cached_property
    def duels(self) -> list[duels.Table]:
        """The tables of all pairs.

        Raises
        ------
        UserError
            If something does not fit.
        """
        if not 2 <= self.deals <= MAX_DEALS:
            raise UserError(
                f"--deals {self.deals}: must be from 2, since intervals need more than one, to {MAX_DEALS}"
            )
        return [
            duels.Table(self.draft, duels.lineups(self.draft.players, *pair), self.seed)
            for pair in itertools.combinations(self.players, 2)
        ]

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written."""
        ratings.check_choix()
        for table in self.duels:
            table.warm_up()


def usual(game: str) -> list[str]:
    """Return the bots of a ladder where none is named: all that are fast and do not cheat, and a quick search."""
    found = strategies.known(game)
    fast = [bot.name for bot in found if not bot.cheats and "iterations" not in dict(bot.parameters)]
    quick, _, _ = _QUICK_SEARCH.partition(":")
    return [*fast, _QUICK_SEARCH] if quick in {bot.name for bot in found} else fast


@dataclass(frozen=True)
class Ladder:
    """A ladder that has been played.

    Attributes
    ----------
    spec : Spec
    standing : Standing
    microseconds : list of float
        Time of a decision of each bot, in the order of the standing.
    seconds : float
        Of playing, by the clock.
    complete : bool
        False if it was interrupted.
    """

    spec: Spec
    standing: Standing
    microseconds: list[float]
    seconds: float
    complete: bool

    @property
    def bots(self) -> list[Bot]:
        """From the strongest to the weakest."""
        return [self.spec.players[number] for number in self.standing.order]

    @property
    def labels(self) -> list[str]:
        """The bots' names, from the strongest to the weakest; those that cheat say so."""
        return [label(bot) for bot in self.bots]

    @property
    def games(self) -> int:
        """Games of a match."""
        return int(self.spec.draft.options.counted_games)

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        spec, standing = self.spec, self.standing
        return {
            "game": spec.draft.game,
            "draft": spec.draft.label,
            "players": spec.draft.players,
            "games": self.games,
            "seed": spec.seed,
            "deals": standing.deals,
            "complete": self.complete,
            "confidence": stats.CONFIDENCE,
            "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
            "ratings": [
                {**row, "microseconds": time_taken}
                for row, time_taken in zip(rating_rows(self), self.microseconds, strict=True)
            ],
            "duels": duel_rows(self),
            "chain": [self.bots[place].name for place in standing.chain],
            "undecided": [
                {
                    "bot": self.bots[place].name,
                    "next": self.bots[place + 1].name,
                    "more_deals": more_deals(standing, place),
                }
                for place in undecided(standing)
            ],
            "circles": standing.cycles,
            "circles_by_noise": [standing.cycles_low, standing.cycles_high],
            "seconds": self.seconds,
        }


def label(bot: Bot) -> str:
    """Return the name of a bot; of one that cheats with a mark."""
    return f"{bot.name} (cheats)" if bot.cheats else bot.name


def rating_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return the ratings as flat rows, from the strongest to the weakest."""
    standing = ladder.standing
    return [
        {
            "rank": place + 1,
            "bot": bot.name,
            "cheats": bot.cheats,
            "rating": float(standing.ratings[place]),
            "low": float(standing.low[place]),
            "high": float(standing.high[place]),
            "deals": standing.deals,
        }
        for place, bot in enumerate(ladder.bots)
    ]


def duel_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return the duels as flat rows, the one rated higher first."""
    rows = []
    for (i, j), duel in sorted(ladder.standing.duels.items()):
        low, high = duel.interval()
        rows.append(
            {
                "first": ladder.bots[i].name,
                "second": ladder.bots[j].name,
                "value": duel.value,
                "low": low,
                "high": high,
                "clear": bool(ladder.standing.clear[i, j] or ladder.standing.clear[j, i]),
                "deals": ladder.standing.deals,
            }
        )
    return rows


def undecided(standing: Standing) -> list[int]:
    """Return the places that do not clearly beat the next."""
    return [place for place in range(len(standing.order) - 1) if not standing.clear[place, place + 1]]


def more_deals(standing: Standing, place: int) -> int | None:
    """Return about how many more deals would decide the step to the next place.

    None where no sensible number would, or where it is decided the other way round.
    """
    if standing.clear[place + 1, place]:
        return None
    wanted = standing.duels[place, place + 1].deals_to_decide(len(standing.duels))
    if wanted > MAX_DEALS:
        return None
    return math.ceil(max(wanted - standing.deals, 1))


def play(
    spec: Spec,
    *,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Ladder:
    """Play every bot against every other and rate them.

    Parameters
    ----------
    spec : Spec
    threads : int
        The result does not depend on it, but for the times.
    on_progress : callable
        Told how many deals of all pairs together are done.
    stop : callable
        Asked now and then whether to end early; what is reported is then of the deals that all pairs played.

    Raises
    ------
    UserError
        If something does not fit, a bot breaks the contract, or too little was played.
    """
    spec.prepare()
    began = time.perf_counter()
    shares = np.full((len(spec.duels), spec.deals), np.nan)
    done, complete = 0, True
    played = _pieces(spec, threads)
    try:
        for number, start, found in played:
            shares[number, start : start + len(found)] = found
            done += len(found)
            on_progress(done)
            if stop():
                complete = done == shares.size
                break
    finally:
        played.close()
    seconds = time.perf_counter() - began
    deals = int(np.all(~np.isnan(shares), axis=0).sum())
    if deals < 2:
        raise UserError("interrupted before every pair had played two deals: nothing to report")
    standing = ratings.rate(len(spec.players), shares[:, :deals], spec.seed)
    times = [pace.microseconds(spec.draft, spec.players[number].name) for number in standing.order]
    return Ladder(spec, standing, times, seconds, complete)


class _Cut:
    """Cuts a ladder into pieces: a few deals of every pair in turn, so that the slowest takes no time too long."""

    def __init__(self, spec: Spec) -> None:
        self._deals = spec.deals
        self._pairs = len(spec.duels)
        self._slowest = math.inf

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield number of the pair, first deal, deals."""
        start = 0
        while start < self._deals:
            size = min(_MAX_PIECE, self._deals - start, max(1, int(_PIECE_SECONDS / self._slowest)))
            for number in range(self._pairs):
                yield number, start, size
            start += size

    def learn(self, seconds: float) -> None:
        """Take note of how long a deal took."""
        slowest = 0.0 if math.isinf(self._slowest) else self._slowest
        self._slowest = max(slowest, seconds, 1e-9)


def _pieces(spec: Spec, threads: int) -> Generator[tuple[int, int, Any]]:
    """Yield number of the pair, first deal and shares of every piece, in the order they are cut."""
    cut = _Cut(spec)

    def work(piece: tuple[int, int, int]) -> tuple[int, int, Any, float]:
        number, start, deals = piece
        began = time.perf_counter()
        found = spec.duels[number].play(start, deals).ahead
        return number, start, found, time.perf_counter() - began

    # Plain Python does not run in two threads at once.
    count = threads if all(table.jitted for table in spec.duels) else 1
    done = pieces.in_order(iter(cut), work, count)
    try:
        for number, start, found, seconds in done:
            cut.learn(seconds / len(found))
            yield number, start, found
    finally:
        done.close()
