"""What the measures read: results by deal, of line-ups that stay in their seats and of duels."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from experiments.play import duels
from sim import registry
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft, with_tables
from sim.loop import CELL_ITEMS, FIXED
from strategies import registry as strategies

PLACES = "place_transitions"
"""The event of games whose places carry over: from which place to which in the next game."""


@dataclass(frozen=True)
class Setting:
    """What sources play: a draft, on the deals of a seed."""

    draft: Draft
    seed: int

    def bot(self, name: str) -> Bot:
        """Return a bot of the game by name."""
        return strategies.find(self.draft.game, name)

    @cached_property
    def one_game(self) -> Draft:
        """The draft with matches of one game, for what looks into every decision."""
        if self.draft.options.counted_games == 1:
            return self.draft
        return with_tables(self.draft, {"rules": {"games": 1}}, "a match of one game")


class Source(Protocol):
    """Plays deals, and tells what came of each."""

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""

    def warm_up(self) -> None:
        """Compile what playing needs."""

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals start … start + deals − 1; return arrays of which the first axis is the deal."""


class Seated:
    """Line-ups that stay in their seats, all on the same deals, with the same chance for equal seats.

    Parameters
    ----------
    lineups : list of list of str
        A name for each seat.
    """

    def __init__(self, setting: Setting, lineups: list[list[str]]) -> None:
        self._lineups = lineups
        draft = setting.draft
        self._batches = {
            tuple(names): Batch(draft, [setting.bot(name) for name in names], setting.seed, fixed_seats=True)
            for names in lineups
        }
        self._games = draft.options.counted_games
        self._win = registry.find(draft.game).engine.WIN * self._games

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return all(batch.jitted for batch in self._batches.values())

    def warm_up(self) -> None:
        """Compile what playing needs."""
        for batch in self._batches.values():
            batch.warm_up()

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return wins (shares) and scores (points a game), each of shape (deals, line-ups, seats)."""
        found = {names: self._results(batch, start, deals) for names, batch in self._batches.items()}
        results = [found[tuple(names)] for names in self._lineups]
        wins, scores = (np.stack([one[kind] for one in results], axis=1) for kind in range(2))
        return wins, scores

    def _results(self, batch: Batch, start: int, deals: int) -> tuple[Any, Any]:
        played = batch.play(start, deals)
        players = len(batch.lineup)
        cells = len(batch.names) * players
        columns = [
            FIXED + cells + batch.names.index(bot.name) * players + seat
            for seat, bot in enumerate(batch.lineup)
        ]
        return played.rows[:, columns] / self._win, played.scores / self._games


def mirrors(setting: Setting, names: list[str]) -> list[list[str]]:
    """Return line-ups with the same bot in every seat."""
    return [[name] * setting.draft.players for name in names]


class Focal:
    """One player among others, in each seat in turn, all on the same deals.

    Parameters
    ----------
    pairs : list of (str, str)
        The player, and who sits in all other seats.
    """

    def __init__(self, setting: Setting, pairs: list[tuple[str, str]]) -> None:
        self._players = setting.draft.players
        seats = range(self._players)
        self._pairs = len(pairs)
        self._seated = Seated(
            setting,
            [[focal if seat == own else other for seat in seats] for focal, other in pairs for own in seats],
        )

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return self._seated.jitted

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self._seated.warm_up()

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return wins and scores of the player, each of shape (deals, pairs, seats)."""
        own = np.arange(self._players)
        found = []
        for array in self._seated.play(start, deals):
            found.append(array.reshape(deals, self._pairs, self._players, self._players)[:, :, own, own])
        return tuple(found)


def event_columns(game: str, cells: int) -> dict[str, slice]:
    """Return where the counts of the game's ``EVENTS`` are in a row of `Batch.play`, by name.

    Parameters
    ----------
    cells : int
        Different bots times seats.
    """
    state = registry.find(game).state
    found, first = {}, FIXED + (CELL_ITEMS + state.SEAT_TALLY_SIZE) * cells
    for event in state.EVENTS:
        found[event.name] = slice(first, first + event.length)
        first += event.length
    return found


class _Mirrored:
    """The same bot in every seat, match by match."""

    def __init__(self, setting: Setting, name: str) -> None:
        self._batch = Batch(
            setting.draft, [setting.bot(name)] * setting.draft.players, setting.seed, fixed_seats=True
        )

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return self._batch.jitted

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self._batch.warm_up()


class Tallied(_Mirrored):
    """The same bot in every seat, and how often events came that the game counts.

    Parameters
    ----------
    name : str
        Of the bot.
    events : sequence of str
        Of the game's ``EVENTS``.
    """

    def __init__(self, setting: Setting, name: str, events: Sequence[str]) -> None:
        super().__init__(setting, name)
        columns = event_columns(setting.draft.game, setting.draft.players)
        self._columns = np.concatenate([np.r_[columns[event]] for event in events])

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return the counts, shape (deals, lengths of the events)."""
        return (self._batch.play(start, deals).rows[:, self._columns],)


class Labelled(_Mirrored):
    """The same bot in every seat, and by what label a game tells its seats apart.

    Parameters
    ----------
    name : str
        Of the bot.
    label : str
        One of the game's ``LABELS``.
    """

    def __init__(self, setting: Setting, name: str, label: str) -> None:
        super().__init__(setting, name)
        game = registry.find(setting.draft.game)
        self._column = [one.name for one in game.state.LABELS].index(label)
        self._win = game.engine.WIN * setting.draft.options.counted_games

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return the value of the label and the share of the win, each of shape (deals, seats)."""
        told = self._batch.play(start, deals).labels
        return told[:, :, self._column], told[:, :, -1] / self._win


class Duels:
    """Bots against each other, two at a table (`experiments.play.duels`).

    Parameters
    ----------
    squares : bool
        Whether to return the mean squares of single matches (`duels.Deals`) too.
    """

    def __init__(self, setting: Setting, pairs: list[tuple[str, str]], *, squares: bool = False) -> None:
        self._squares = squares
        self._tables = [
            duels.Table(
                setting.draft,
                duels.lineups(setting.draft.players, setting.bot(one), setting.bot(other)),
                setting.seed,
            )
            for one, other in pairs
        ]

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return all(table.jitted for table in self._tables)

    def warm_up(self) -> None:
        """Compile what playing needs."""
        for table in self._tables:
            table.warm_up()

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return how often the first of each pair is ahead, shape (deals, pairs), and the squares, if asked for."""
        played = [table.play(start, deals) for table in self._tables]
        ahead = np.stack([one.ahead for one in played], axis=1)
        return (ahead, np.stack([one.squares for one in played], axis=1)) if self._squares else (ahead,)


def all_pairs(names: list[str]) -> list[tuple[str, str]]:
    """Return the pairs (0, 1), (0, 2) … (1, 2) … of names."""
    return list(itertools.combinations(names, 2))
