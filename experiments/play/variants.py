"""A draft with one rule changed at a time: which changes are tried, and what is played to compare them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.play.sources import PLACES, Setting, event_columns
from sim import registry, switches
from sim.batch import Batch
from sim.drafts import Draft, with_tables
from sim.errors import UserError
from sim.loop import DECISIONS, FIXED
from sim.switches import Switch

_LENGTHS = ("rounds", "turns", "tricks")
"""Names of events that count how long a game is."""


@dataclass(frozen=True)
class Trial:
    """A change of one rule, to be compared with the draft as it is.

    Attributes
    ----------
    value : Any
        What its option is changed to.
    draft : Draft
        The draft with that value.
    counted : bool
        Whether the game counts how often the rule comes: with the change, or where that takes the rule out, without.
    """

    switch: Switch
    value: Any
    draft: Draft
    counted: bool

    @property
    def label(self) -> str:
        """The option and its new value, the same for all drafts: ``tied_top = second``."""
        return self.switch.said(self.value)

    @property
    def removes(self) -> bool:
        """Whether the change takes the rule out."""
        return bool(self.value == self.switch.off)


@dataclass(frozen=True)
class Trials:
    """What is compared, and what is not.

    Attributes
    ----------
    left_out : list of (str, str)
        What could not be tried, and the reason.
    """

    tried: list[Trial]
    left_out: list[tuple[str, str]]


def trials_of(draft: Draft) -> Trials:
    """Return the changes to compare.

    They are every other value of each rule that a draft has and of each option that is a choice; where it has fewer rules
    than it has not, also of those it has not.
    """
    known = switches.of_game(draft.game)
    few = 2 * sum(switch.is_on(draft) for switch in known) < len(known)
    found = Trials([], [])
    for switch in known:
        if not (few or switch.is_on(draft) or switch.is_choice(draft)):
            continue
        if reason := switches.idle(switch, draft):
            found.left_out.append((switch.name, reason))
            continue
        for value in switch.values(draft):
            if value == switch.value(draft):
                continue
            played = switch.value(draft) if value == switch.off else value
            counted = bool(switch.events) and played not in switch.uncounted
            try:
                found.tried.append(Trial(switch, value, switch.with_value(draft, value), counted))
            except UserError as error:
                found.left_out.append((switch.said(value), str(error)))
    return found


class Variants:
    """The drafts of some trials, all on the same deals: the players of a mirrored table, and one strong among weak.

    They are played in blocks of as many deals as there are seats. The mirrored tables play each deal once; the strong one
    plays a deal of the block in every seat. So both cost as many matches, and differences of both are about as sure.

    Parameters
    ----------
    strong, weak : str
        Names of bots; the former also sits at the mirrored tables.
    """

    def __init__(self, setting: Setting, tried: list[Trial], strong: str, weak: str) -> None:
        self._tried = tried
        self._several = setting.draft.options.counted_games > 1
        self._players = setting.draft.players
        drafts = [setting.draft, *(trial.draft for trial in tried)]
        same = [setting.bot(strong)] * self._players
        pair = [setting.bot(strong), *[setting.bot(weak)] * (self._players - 1)]
        self._tables = [Batch(draft, same, setting.seed, fixed_seats=True) for draft in drafts]
        self._games = [_first_game(draft, same, setting.seed) for draft in drafts] if self._several else []
        self._pairs = [] if strong == weak else [Batch(draft, pair, setting.seed) for draft in drafts]
        self._counts = [draft.options.counted_games for draft in drafts]
        self._win = registry.find(setting.draft.game).engine.WIN
        self._events = event_columns(setting.draft.game, self._players)

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return all(batch.jitted for batch in [*self._tables, *self._pairs])

    def warm_up(self) -> None:
        """Compile what playing needs."""
        for batch in [*self._tables, *self._games, *self._pairs]:
            batch.warm_up()

    def play(self, start: int, blocks: int) -> tuple[Any, ...]:
        """Play blocks; the first of the drafts is that of the setting, then come those of the trials.

        Returns
        -------
        strong : float array, shape (blocks, drafts), or (blocks, 0) where nobody is stronger
            Win share of the strong player among weak ones, over all seats.
        won : float array, shape (deals, drafts, seats)
            Share of the games that each seat of a mirrored table won; here and below, of each deal of the blocks.
        lengths : float array, shape (deals, drafts, 1 + lengths)
            Decisions of a game, and what else counts how long it is: see `lengths_of`.
        stays, first : float array, shape (deals, drafts), or (deals, 0) where places do not carry over
            Share of players who are in the same place in the next game, and of firsts who are first again.
        winners : int array, shape (deals, drafts, seats)
            What each seat won of the first game.
        came : int array, shape (deals, trials)
            How often the rule of each trial came: with the change, or where that takes the rule out, without.
        """
        deals = start * self._players, blocks * self._players
        rows = [batch.play(*deals).rows for batch in self._tables]
        games = [batch.play(*deals).rows for batch in self._games] or rows
        counted = list(zip(rows, self._counts, strict=True))
        moved = [self._carried(table) for table in rows] if self._several and PLACES in self._events else []
        came = [
            self._came(trial, rows[0 if trial.removes else number])
            for number, trial in enumerate(self._tried, 1)
        ]
        return (
            _side_by_side([self._share(batch, start, blocks) for batch in self._pairs], blocks),
            np.stack([self._winners(table) / (self._win * count) for table, count in counted], axis=1),
            np.stack([self._lengths(table, count) for table, count in counted], axis=1),
            _side_by_side([stays for stays, _ in moved], deals[1]),
            _side_by_side([first for _, first in moved], deals[1]),
            np.stack([self._winners(table) for table in games], axis=1),
            np.stack(came, axis=1),
        )

    def _winners(self, rows: Any) -> Any:
        return rows[:, FIXED + self._players : FIXED + 2 * self._players]

    def _lengths(self, rows: Any, games: int) -> Any:
        counts = [rows[:, self._events[name]].sum(axis=1) for name in lengths_of(self._events)]
        return np.stack([rows[:, DECISIONS], *counts], axis=1) / games

    def _came(self, trial: Trial, rows: Any) -> Any:
        """Return how often a rule came in each deal; −1 if the game does not count it."""
        if not trial.counted:
            return np.full(len(rows), -1)
        more, less = (
            sum(rows[:, self._events[name]].sum(axis=1) for name in names)
            for names in (trial.switch.events, trial.switch.less)
        )
        return more - less

    def _carried(self, rows: Any) -> tuple[Any, Any]:
        counts = rows[:, self._events[PLACES]].astype(float)
        side = int(counts.shape[1] ** 0.5)
        table = counts.reshape(len(rows), side, side)[:, : self._players, : self._players]
        with np.errstate(invalid="ignore"):  # where places are forgotten after every game there are none
            stays = np.trace(table, axis1=1, axis2=2) / table.sum(axis=(1, 2))
            return stays, table[:, 0, 0] / table[:, 0].sum(axis=1)

    def _share(self, batch: Batch, start: int, blocks: int) -> Any:
        rows = batch.play(start * batch.period, blocks * batch.period).rows
        cells = FIXED + len(batch.names) * self._players
        won = rows[:, cells : cells + self._players].sum(axis=1)
        return won / (self._win * batch.draft.options.counted_games * batch.period)


def lengths_of(events: Container[str]) -> list[str]:
    """Return which of the events of a game count how long it is, beside its decisions."""
    return [name for name in _LENGTHS if name in events]


def _first_game(draft: Draft, lineup: list[Any], seed: int) -> Batch:
    one = with_tables(draft, {"rules": {"games": 1}}, f"{draft.label}: the first game")
    return Batch(one, lineup, seed, fixed_seats=True)


def _side_by_side(columns: list[Any], rows: int) -> Any:
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0))
