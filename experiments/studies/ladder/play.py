"""Bots against each other on duplicate deals, and how strong each is."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from experiments import DEALS, SEED, arguments, stats
from experiments.metrics import intransitivity, ratings, variance
from experiments.metrics.intransitivity import Transitivity
from experiments.metrics.ratings import Standing
from experiments.play import decision_time, duels, scheduler
from experiments.stats import Estimate
from experiments.studies.ladder.deal_budget import Tiers, tiers
from experiments.studies.shown import Shown
from sim import registry
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import Interrupted, UserError
from strategies import registry as strategies

MAX_DEALS = 1_000_000

_SEARCH_DEALS, _SEARCH_DEALS_OF_GAMES = 200, 60
"""Of a pair in which a bot searches, unless they are named; and where a match has several games."""

_SEARCH = "search:1000"
"""The one player that searches in a ladder where no bot is named."""


@dataclass(frozen=True)
class Spec:
    """What a ladder plays; the same spec gives the same tables.

    Attributes
    ----------
    draft : Draft
    bots : list of str
        As on the command line; empty for all bots of the game that are fast and do not cheat.
    deals : int
        Of each pair in which no bot searches, the same for all.
    seed : int
    bots_file : Path or None
        The user's own bots.
    search_deals : int or None
        Of each pair in which a bot searches, the first of the same deals; None for the usual number, or `deals` where
        that is less.
    """

    draft: Draft
    bots: list[str] = field(default_factory=list)
    deals: int = DEALS
    seed: int = SEED
    bots_file: Path | None = None
    search_deals: int | None = None

    def __post_init__(self) -> None:
        """Load the draft if it is given by its name."""
        object.__setattr__(self, "draft", arguments.draft(self.draft))

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
        return Tiers(self.deals, search_deals).of(self.searching)

    @property
    def asked(self) -> Tiers:
        """How many deals the pairs of either kind are to play."""
        return tiers(self.searching, self.goals)

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


def usual(game: str) -> list[str]:
    """Return the bots of a ladder where none is named: all that are fast and do not cheat, and one that searches."""
    found = strategies.known(game)
    fast = [bot.name for bot in found if not bot.cheats and not searches(bot)]
    name, _, _ = _SEARCH.partition(":")
    return [*fast, _SEARCH] if name in {bot.name for bot in found} else fast


def searches(bot: Bot) -> bool:
    """Tell whether a bot searches, and so takes thousands of times as long as one that does not."""
    return "iterations" in dict(bot.parameters)


@dataclass(frozen=True, repr=False)
class Ladder(Shown):
    """A ladder that has been played.

    Attributes
    ----------
    spec : Spec
    played : Tiers
        How many deals the pairs have played.
    shares : list of float array, shape (deals,)
        Of the pairs of the spec's players, in their order: how often the first is ahead on each deal.
    squares : list of float array, shape (deals,)
        Of the same in the single matches of a deal, the mean of the squares. All else is reckoned from both.
    standing : Standing
    microseconds : list of float
        Time of a decision of each bot, in the order of the standing.
    seconds : float
        Of playing, by the clock.
    complete : bool
        False if it was interrupted.
    """

    spec: Spec
    played: Tiers
    shares: list[Any]
    squares: list[Any]
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

    @cached_property
    def gains(self) -> dict[tuple[int, int], Estimate]:
        """What all seatings on one deal gain over matches on deals of their own, of every two places i < j in the standing.

        See `variance.duplicate_gain`.
        """
        place = np.argsort(self.standing.order)
        pairs = itertools.combinations(range(len(place)), 2)
        return {
            (int(min(place[i], place[j])), int(max(place[i], place[j]))): variance.duplicate_gain(
                shares, squares, self.matches_a_deal
            )
            for (i, j), shares, squares in zip(pairs, self.shares, self.squares, strict=True)
        }

    @cached_property
    def transitivity(self) -> Transitivity | None:
        """How much of the log-odds of the duels one scale explains; None for two bots."""
        size = len(self.spec.players)
        return None if size < 3 else intransitivity.transitivity(size, self.shares, self.spec.seed)

    @property
    def matches_a_deal(self) -> int:
        """Matches of a pair on each deal: in all rotations of all its seatings."""
        return duels.seatings([batch.lineup for batch in self.spec.duels[0].batches])

    @property
    def games(self) -> int:
        """Games of a match."""
        return int(self.spec.draft.options.counted_games)

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        spec, standing, scale = self.spec, self.standing, self.transitivity
        return {
            "game": spec.draft.game,
            "draft": spec.draft.label,
            "players": spec.draft.players,
            "games": self.games,
            "seed": spec.seed,
            "deals": self.played.deals,
            "search_deals": self.played.search_deals,
            "matches_a_deal": self.matches_a_deal,
            "complete": self.complete,
            "confidence": stats.CONFIDENCE,
            "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
            "ratings": [
                {**row, "microseconds": time_taken}
                for row, time_taken in zip(rating_rows(self), self.microseconds, strict=True)
            ],
            "duels": [{**row, "matches": row["deals"] * self.matches_a_deal} for row in duel_rows(self)],
            "chain": [self.bots[place].name for place in standing.chain],
            "undecided": [
                {
                    "bot": self.bots[place].name,
                    "next": self.bots[place + 1].name,
                    "deals": standing.duels[place, place + 1].deals,
                    "matches": standing.duels[place, place + 1].deals * self.matches_a_deal,
                    "more_deals": more_deals(standing, place),
                    "option": option_of(self, place),
                }
                for place in undecided(standing)
            ],
            "circles": standing.cycles,
            "circles_by_noise": [standing.cycles_low, standing.cycles_high],
            "transitive": None if scale is None else scale.value,
            "transitive_by_noise": None if scale is None else [scale.low, scale.high],
            "seconds": self.seconds,
        }


def label(bot: Bot) -> str:
    """Return the name of a bot; of one that cheats with a mark."""
    return f"{bot.name} (cheats)" if bot.cheats else bot.name


def rating_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return the ratings as flat rows, from the strongest to the weakest; deals are the most of one of its duels."""
    standing = ladder.standing
    places = range(len(ladder.bots))
    return [
        {
            "rank": place + 1,
            "bot": bot.name,
            "cheats": bot.cheats,
            "rating": float(standing.ratings[place]),
            "low": float(standing.low[place]),
            "high": float(standing.high[place]),
            "deals": max(standing.duel(place, other).deals for other in places if other != place),
        }
        for place, bot in enumerate(ladder.bots)
    ]


def duel_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """Return the duels as flat rows, the one rated higher first; a gain that has no bounds is None."""
    rows = []
    for (i, j), duel in sorted(ladder.standing.duels.items()):
        low, high = duel.interval()
        gain = ladder.gains[i, j]
        gain_low, gain_high = gain.interval or (None, None)
        rows.append(
            {
                "first": ladder.bots[i].name,
                "second": ladder.bots[j].name,
                "value": duel.value,
                "low": low,
                "high": high,
                "clear": bool(ladder.standing.clear[i, j] or ladder.standing.clear[j, i]),
                "deals": duel.deals,
                "gain": gain.value if math.isfinite(gain.value) else None,
                "gain_low": gain_low,
                "gain_high": gain_high,
            }
        )
    return rows


def undecided(standing: Standing) -> list[int]:
    """Return the places that do not clearly beat the next."""
    return [place for place in range(len(standing.order) - 1) if not standing.clear[place, place + 1]]


def more_deals(standing: Standing, place: int) -> int | None:
    """Return about how many more deals would decide the step to the next place, see `option_of`.

    None where no sensible number would, or where it is decided the other way round.
    """
    if standing.clear[place + 1, place]:
        return None
    duel = standing.duels[place, place + 1]
    wanted = duel.deals_to_decide(len(standing.duels))
    if wanted > MAX_DEALS:
        return None
    return math.ceil(max(wanted - duel.deals, 1))


def option_of(ladder: Ladder, place: int) -> str:
    """Return the option that says how many deals the step to the next place is played."""
    return "--search-deals" if any(map(searches, ladder.bots[place : place + 2])) else "--deals"


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
        Asked now and then whether to end early; what is reported is then of the deals that all pairs played, and where
        a bot searches, of those that all such pairs played.

    Raises
    ------
    Interrupted
        If some pair did not come to two deals.
    UserError
        If something does not fit, or a bot breaks the contract.
    """
    spec.prepare()
    began = time.perf_counter()
    shares, squares = ([np.full(goal, np.nan) for goal in spec.goals] for _ in range(2))
    done, complete = 0, True
    playing = scheduler.play(spec.duels, spec.goals, threads)
    try:
        for number, start, found in playing:
            some = slice(start, start + len(found.ahead))
            shares[number][some], squares[number][some] = found.ahead, found.squares
            done += len(found.ahead)
            on_progress(done)
            if stop():
                complete = done == sum(spec.goals)
                break
    finally:
        playing.close()
    seconds = time.perf_counter() - began
    # Up to the first gap: the pieces of a pair may end in another order than they were begun.
    played = tiers(spec.searching, [int(np.isnan([*row, np.nan]).argmax()) for row in shares])
    lengths = played.of(spec.searching)
    if min(lengths) < 2:
        raise Interrupted("interrupted before every pair had played two deals: nothing to keep")
    shares, squares = (
        [row[:deals] for row, deals in zip(kept, lengths, strict=True)] for kept in (shares, squares)
    )
    standing = ratings.rate(len(spec.players), shares, spec.seed)
    times = [decision_time.microseconds(spec.draft, spec.players[number].name) for number in standing.order]
    return Ladder(spec, played, shares, squares, standing, times, seconds, complete)
