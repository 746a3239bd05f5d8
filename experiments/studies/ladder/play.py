"""Plays bots against each other on duplicate deals, and rates them."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from experiments import arguments, stats
from experiments.metrics import intransitivity, ratings, variance
from experiments.metrics.intransitivity import Transitivity
from experiments.metrics.ratings import Standing
from experiments.play import decision_time, duels, scheduler
from experiments.stats import Estimate
from experiments.store.tables import Columns, Stored
from experiments.studies.ladder.deal_budget import DealBudget, of_pairs
from experiments.studies.ladder.spec import MAX_DEALS, Spec, searches
from experiments.studies.result import Result
from sim import registry
from sim.bots import Bot
from sim.errors import Interrupted

RATINGS = Columns(
    "ratings",
    "every bot of a ladder with its rating in Elo points, from the strongest",
    {
        "rank": "whole", "bot": "text", "cheats": "flag", "rating": "real", "low": "real", "high": "real", "deals": "whole",
    },
)  # fmt: skip
DUELS = Columns(
    "duels",
    "every pair of bots: how often the first is ahead, with its interval",
    {
        "first": "text", "second": "text", "value": "real", "low": "real", "high": "real", "clear": "flag", "deals": "whole",
        "gain": "real", "gain_low": "real", "gain_high": "real",
    },
)  # fmt: skip
SHARES = Columns(
    "shares",
    "every pair on every deal: how often the first is ahead",
    {"first": "name", "second": "name", "deal": "whole", "share": "real", "square": "real"},
)


@dataclass(repr=False)
class Ladder(Result):
    """A ladder that has been played.

    Attributes
    ----------
    budget : DealBudget
        How many deals the pairs have played.
    shares : list of float array, shape (deals,)
        Of the pairs of the spec's players, in their order: how often the first is ahead on each deal.
    squares : list of float array, shape (deals,)
        Of the same in the single matches of a deal, the mean of the squares. All else is reckoned from both.
    microseconds : list of float
        Time of a decision of each bot, in the order of the standing.
    took : float
        Time of playing, by the clock.
    whole : bool
        Whether it was not interrupted.
    """

    spec: Spec
    budget: DealBudget
    shares: list[Any]
    squares: list[Any]
    standing: Standing
    microseconds: list[float]
    took: float
    whole: bool

    @property
    def complete(self) -> bool:
        """Whether it was not interrupted."""
        return self.whole

    @property
    def seconds(self) -> float:
        """Time of playing, by the clock."""
        return self.took

    @property
    def played(self) -> dict[str, Any]:
        """How many deals."""
        return dict(self.budget._asdict())

    @property
    def about(self) -> dict[str, Any]:
        """Who cheats, and the time of a decision: not in the tables, which must come out alike every time."""
        return {
            "cheats": [bot.name for bot in self.spec.players if bot.cheats],
            "microseconds": dict(zip([bot.name for bot in self.bots], self.microseconds, strict=True)),
        }

    def tables(self) -> list[Stored]:
        """Return ratings, duels, and the shares of every deal."""
        return [
            Stored(RATINGS, rating_rows(self)),
            Stored(DUELS, duel_rows(self)),
            Stored(SHARES, _share_columns(self)),
        ]

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
            "deals": self.budget.deals,
            "search_deals": self.budget.search_deals,
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


def _share_columns(ladder: Ladder) -> dict[str, Any]:
    """Return how often the first bot of each pair is ahead, deal by deal, and the mean square of the same in single matches.

    All else is reckoned from these columns.
    """
    import pyarrow as pa

    names = [bot.name for bot in ladder.spec.players]
    pairs = np.array(list(itertools.combinations(range(len(names)), 2)))
    lengths = [len(row) for row in ladder.shares]
    # By number, since there may be millions of deals.
    first, second = (
        pa.DictionaryArray.from_arrays(np.repeat(column, lengths).astype(np.int32), names)
        for column in pairs.T
    )
    return {
        "first": first,
        "second": second,
        "deal": np.concatenate([np.arange(length) for length in lengths]),
        "share": np.concatenate(ladder.shares),
        "square": np.concatenate(ladder.squares),
    }


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
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Ladder:
    """Play every bot against every other and rate them.

    Parameters
    ----------
    threads : int, optional
        As many as there is room for if not given. The result does not depend on it, but for the times.
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
    if not isinstance(spec, Spec):
        raise arguments.wrong(
            "spec", spec, "a Spec of experiments.studies.ladder.spec, such as Spec('uplink/v1.1')"
        )
    count = arguments.threads(threads)
    spec.prepare()
    began = time.perf_counter()
    shares, squares = ([np.full(goal, np.nan) for goal in spec.goals] for _ in range(2))
    done, complete = 0, True
    playing = scheduler.play(spec.duels, spec.goals, count)
    try:
        for number, start, deals in playing:
            some = slice(start, start + len(deals.ahead))
            shares[number][some], squares[number][some] = deals.ahead, deals.squares
            done += len(deals.ahead)
            on_progress(done)
            if stop():
                complete = done == sum(spec.goals)
                break
    finally:
        playing.close()
    seconds = time.perf_counter() - began
    # Up to the first gap: the chunks of a pair may end in another order than they were begun.
    budget = of_pairs(spec.searching, [int(np.isnan([*row, np.nan]).argmax()) for row in shares])
    lengths = budget.of(spec.searching)
    if min(lengths) < 2:
        raise Interrupted("interrupted before every pair had played two deals: nothing to keep")
    shares, squares = (
        [row[:length] for row, length in zip(kept, lengths, strict=True)] for kept in (shares, squares)
    )
    standing = ratings.rate(len(spec.players), shares, spec.seed)
    times = [decision_time.microseconds(spec.draft, spec.players[number].name) for number in standing.order]
    return Ladder(spec, budget, shares, squares, standing, times, seconds, complete)
