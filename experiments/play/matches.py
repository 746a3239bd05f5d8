"""A study: one or more drafts played on the same deals, and what is reported of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from experiments import stats
from experiments.play import labels
from experiments.stats import Difference, Estimate
from sim import batch, registry
from sim.batch import Batch, Result, Totals
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import Interrupted
from sim.events import Event
from sim.moments import D
from strategies import registry as strategies

Key = tuple[Any, ...]


@dataclass(frozen=True)
class MatchSpec:
    """Matches of some drafts on the same deals; the same spec gives the same tables.

    Attributes
    ----------
    drafts : list of Draft
        Of one game; the first is that which the others are compared with.
    lineup : str or None
        As on the command line; None for the default bot in every seat.
    matches : int
        Of each draft.
    seed : int
        Names the deals.
    fixed_seats : bool
        Bots stay in their seats.
    """

    drafts: list[Draft]
    lineup: str | None
    matches: int
    seed: int
    fixed_seats: bool = False

    @cached_property
    def batches(self) -> list[Batch]:
        """The matches of each draft, made and their bots compiled at the first use.

        Raises
        ------
        UserError
            If the line-up does not fit a draft.
        """
        return [
            Batch(draft, self._bots(draft), self.seed, fixed_seats=self.fixed_seats) for draft in self.drafts
        ]

    @property
    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Who plays which draft."""
        return [(batch.draft, batch.lineup) for batch in self.batches]

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written."""
        for matches in self.batches:
            matches.warm_up()

    def _bots(self, draft: Draft) -> list[Bot]:
        return strategies.lineup(draft.game, draft.players, self.lineup)


@dataclass(repr=False)
class Study:
    """Matches that have been played.

    Attributes
    ----------
    bases : list of Totals or None
        For each draft the sums of the first one over the same blocks, where some drafts were played for longer; of these
        nothing but the measures is kept.
    """

    spec: MatchSpec
    batches: list[Batch]
    result: Result
    bases: list[Totals] | None = None

    @cached_property
    def runs(self) -> list[Run]:
        """One run a draft."""
        return [Run(self, number) for number in range(len(self.batches))]

    @property
    def complete(self) -> bool:
        """False if the study was interrupted."""
        return self.result.complete

    @property
    def by_game(self) -> bool:
        """Whether wins, mean scores and events are counted by game, since a match has several, or by match."""
        return any(draft.options.counted_games > 1 for draft in self.spec.drafts)

    @property
    def shared(self) -> str:
        """What is shared where the best scores are equal: wins, totals of a match's games, or just the scores."""
        if self.by_game:
            return "totals"
        return "wins" if registry.find(self.spec.drafts[0].game).state.SHARED_WINS else "best scores"

    @property
    def matches(self) -> int:
        """Matches played of each draft."""
        return self.result.totals[0].matches


@dataclass(repr=False)
class Run:
    """One draft of a study."""

    study: Study
    number: int

    def __repr__(self) -> str:
        """Say which it is."""
        return f"<Run of {self.draft.label}, {self.totals.matches:,} matches>"

    @property
    def draft(self) -> Draft:
        """The draft."""
        return self.study.spec.drafts[self.number]

    @property
    def batch(self) -> Batch:
        """The matches."""
        return self.study.batches[self.number]

    @property
    def totals(self) -> Totals:
        """The sums."""
        return self.study.result.totals[self.number]

    @property
    def base(self) -> Totals:
        """The sums of the study's first draft over as many blocks."""
        return (self.study.bases or [self.study.result.totals[0]] * len(self.study.batches))[self.number]

    @property
    def by_game(self) -> bool:
        """As of the study."""
        return self.study.by_game

    @property
    def games(self) -> int:
        """Games of a match by which is counted: 1 where it is counted by match."""
        return int(self.draft.options.counted_games)

    @property
    def bots(self) -> list[str]:
        """The different bots of the line-up."""
        return self.batch.names

    @property
    def level(self) -> str:
        """The line-up by name: the bot's, where it sits in every seat."""
        return self.bots[0] if len(self.bots) == 1 else ",".join(bot.name for bot in self.batch.lineup)

    @cached_property
    def events(self) -> dict[str, Event]:
        """What the game counts, by name."""
        return events_of(self.draft.game)

    @cached_property
    def shares(self) -> frozenset[str]:
        """Names of the events that are shares of a sum."""
        return shares_of(self.draft.game)

    def is_share(self, key: Key) -> bool:
        """Tell whether a measure is a share, and so shown in percent."""
        return stats.kind_of(key, self.shares) == "share"

    @property
    def seconds(self) -> float:
        """Time of playing; of a study of several drafts, this one's part."""
        everything = sum(totals.seconds for totals in self.study.result.totals)
        part = self.totals.seconds / everything if everything > 0 else 1.0
        return self.study.result.seconds * part

    @cached_property
    def estimates(self) -> dict[Key, Estimate]:
        """Every measure that has data (see `sim.counted.measures_of` for the keys)."""
        return {
            key: stats.estimate(self.totals, m, stats.kind_of(key, self.shares), fixed=self._is_fixed(key))
            for m, key in enumerate(self.totals.keys)
            if self.totals.sums[D, m] > 0
        }

    def _is_fixed(self, key: Key) -> bool:
        """Tell whether a share is the same in every block by construction: that of a bot in every seat."""
        return key[:2] == ("win", "bot") and len(self.bots) == 1

    @cached_property
    def differences(self) -> dict[Key, Difference]:
        """Every measure less that of the first run of the study."""
        return differences(self.totals, self.base, self.shares, self._is_fixed)

    @cached_property
    def labels(self) -> dict[str, list[labels.Value]]:
        """The values of each label of the game, the commonest first."""
        return {
            label.name: labels.values(self.batch, self.totals, label)
            for label in labels.of_game(self.draft.game)
        }

    def histogram(self, seat: int | None = None, bot: str | None = None) -> Counter[int]:
        """Return how often each match score came, in a seat, for a bot, or over all."""
        total: Counter[int] = Counter()
        for (name, place), counts in self.totals.scores.items():
            if (seat is None or place == seat) and (bot is None or name == bot):
                total.update(counts)
        return total

    def weight(self, key: Key) -> int:
        """Return how often it came what a share is a share of."""
        return int(self.totals.sums[D, self.totals.keys.index(key)])

    def sd_score(self, seat: int) -> float | None:
        """Return the sample standard deviation of a seat's match scores; None for a single match."""
        return deviation(self.histogram(seat))

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints of a run."""
        players = self.draft.players
        seats = range(players)
        return {
            "game": self.draft.game,
            "draft": self.draft.label,
            "lineup": [bot.name for bot in self.batch.lineup],
            "fixed_seats": self.study.spec.fixed_seats,
            "seed": self.study.spec.seed,
            "matches": self.totals.matches,
            "complete": self.study.complete,
            "players": players,
            "blocks": self.totals.blocks,
            "matches_per_block": self.batch.period,
            "confidence": stats.CONFIDENCE,
            "rules_version": registry.find(self.draft.game).state.RULES_VERSION,
            "win_share": [self.value("win", "seat", seat) for seat in seats],
            "mean_score": [self.value("score", "seat", seat) for seat in seats],
            "sd_score": [self.sd_score(seat) for seat in seats],
            "ties": self.value("ties"),
            "by_bot": {name: self._by_bot(name) for name in self.bots},
            "decisions_per_match": self.value("decisions"),
            "branching_mean": self.value("branching"),
            "seconds": self.seconds,
            "matches_per_second": self.totals.matches / self.seconds if self.seconds > 0 else None,
            "events": self._events(self.value),
            "labels": {name: labels.summary(values) for name, values in self.labels.items()},
            "intervals": {
                "win_share": [self.interval("win", "seat", seat) for seat in seats],
                "mean_score": [self.interval("score", "seat", seat) for seat in seats],
                "ties": self.interval("ties"),
                "decisions_per_match": self.interval("decisions"),
                "branching_mean": self.interval("branching"),
                "events": self._events(self.interval),
            },
        }

    def value(self, *key: Any) -> float | None:
        """Return one estimate's value, None without data."""
        found = self.estimates.get(key)
        return None if found is None else found.value

    def interval(self, *key: Any) -> list[float] | None:
        """Return one estimate's 95% interval, None without one."""
        found = self.estimates.get(key)
        return None if found is None else found.interval

    def _events(self, pick: Callable[..., Any]) -> dict[str, Any]:
        """Return event → what `pick` says of its keys: a number, a list, or a list of lists."""
        state, players = registry.find(self.draft.game).state, self.draft.players
        events: dict[str, Any] = {}
        for event in state.EVENTS:
            values = [pick("event", event.name, number) for number in range(len(event.places(players)))]
            if event.kind == "rows":
                values = [values[row * players : (row + 1) * players] for row in range(players)]
            events[event.name] = values if event.length > 1 else values[0]
        for event in state.SEAT_EVENTS:
            events[event.name] = [self._listed(event, pick, "event", seat) for seat in range(players)]
        return events

    def _bot_events(self, bot: str) -> dict[str, Any]:
        """Return what a game counts by seat, for a bot."""
        state = registry.find(self.draft.game).state
        return {event.name: self._listed(event, self.value, "bot_event", bot) for event in state.SEAT_EVENTS}

    def _listed(self, event: Event, pick: Callable[..., Any], kind: str, whose: int | str) -> Any:
        values = [pick(kind, event.name, whose, place) for place in event.places(self.draft.players)]
        return values if event.length > 1 else values[0]

    def _by_bot(self, name: str) -> dict[str, Any]:
        seats = sorted({seat for bot, seat in self.totals.scores if bot == name})
        return {
            "win_share": self.value("win", "bot", name),
            "mean_score": self.value("score", "bot", name),
            "interval": self.interval("win", "bot", name),
            "score_interval": self.interval("score", "bot", name),
            "seats": seats,
            "appearances": self.histogram(bot=name).total(),
            "events": self._bot_events(name),
        }


def events_of(game: str) -> dict[str, Event]:
    """Return what a game counts, by name."""
    state = registry.find(game).state
    return {event.name: event for event in (*state.EVENTS, *state.SEAT_EVENTS)}


def shares_of(game: str) -> frozenset[str]:
    """Return the names of the events of a game that are shares of a sum."""
    return frozenset(name for name, event in events_of(game).items() if event.is_share)


def in_square(game: str, key: Key) -> bool:
    """Tell whether a measure is a cell of a square table."""
    return key[0] == "event" and events_of(game)[key[1]].kind == "rows"


def says_something(key: Key, bots: list[str]) -> bool:
    """Tell whether a measure depends on the rules and is told but once, with these bots in the line-up.

    With one bot in every seat its win share is 1/n whatever happens, and its events are those of all seats.
    """
    return not ((key[:2] == ("win", "bot") or key[0] == "bot_event") and len(bots) == 1)


def deviation(counts: Counter[int]) -> float | None:
    """Return the sample standard deviation of what came so often; None if it came but once."""
    n = counts.total()
    if n < 2:
        return None
    total = sum(score * count for score, count in counts.items())
    squares = sum(score * score * count for score, count in counts.items())
    return math.sqrt((n * squares - total * total) / (n * (n - 1)))


def differences(
    totals: Totals,
    base: Totals,
    shares: frozenset[str] = frozenset(),
    is_fixed: Callable[[Key], bool] = lambda key: False,
) -> dict[Key, Difference]:
    """Return every measure that both have data of, less that of the run compared against.

    Parameters
    ----------
    shares : frozenset of str
        Names of the events that are shares.
    is_fixed : callable
        Tells whether a measure is the same in every block by construction.
    """
    paired = totals.keys == base.keys and totals.blocks == base.blocks
    places = {key: m for m, key in enumerate(base.keys) if base.sums[D, m] > 0}
    return {
        key: stats.difference(
            totals,
            m,
            base,
            places[key],
            paired=paired,
            kind=stats.kind_of(key, shares),
            fixed=is_fixed(key),
        )
        for m, key in enumerate(totals.keys)
        if key in places and totals.sums[D, m] > 0
    }


def play(
    spec: MatchSpec,
    *,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Study:
    """Play matches.

    Parameters
    ----------
    threads : int
        The tables do not depend on it.
    on_progress : callable
        Told how many matches of the first draft are done.
    stop : callable
        Asked now and then whether to end early.

    Raises
    ------
    Interrupted
        If nothing was finished.
    UserError
        If the line-up does not fit, or a bot breaks the contract.
    """
    result = batch.run(spec.batches, spec.matches, threads=threads, on_progress=on_progress, stop=stop)
    study = Study(spec, spec.batches, result)
    if study.matches == 0:
        raise Interrupted("interrupted before a block was finished: nothing to keep")
    return study


def after(before: int, on_progress: Callable[[int], None]) -> Callable[[int], None]:
    """Return what tells of progress when so many matches were done before."""
    return lambda done: on_progress(before + done)
