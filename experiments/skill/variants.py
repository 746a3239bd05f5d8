"""A draft without each of its rules, and where it has few, with each that it has not: what is played to compare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.skill.sources import PLACES, event_columns
from experiments.skill.spec import Spec
from sim import registry, switches
from sim.batch import Batch
from sim.drafts import Draft, with_tables
from sim.errors import UserError
from sim.loop import DECISIONS, FIXED
from sim.switches import Switch


@dataclass(frozen=True)
class Trial:
    """A rule that is compared: the draft with it, and the same without.

    Attributes
    ----------
    switch : Switch
    turned : Draft
        The draft without the rule; with it, if it has it not.
    is_on : bool
        Whether the draft has it.
    """

    switch: Switch
    turned: Draft
    is_on: bool

    @property
    def label(self) -> str:
        """Its name, marked if the draft does not have it."""
        return self.switch.name if self.is_on else f"{self.switch.name} (tried)"


@dataclass(frozen=True)
class Trials:
    """What is compared, and what is not.

    Attributes
    ----------
    tried : list of Trial
    left_out : list of (Switch, str)
        With the reason.
    """

    tried: list[Trial]
    left_out: list[tuple[Switch, str]]


def trials_of(draft: Draft) -> Trials:
    """Return the rules to compare: those that a draft has, and where it has fewer than it has not, those too."""
    known = switches.of_game(draft.game)
    has = [switch for switch in known if switch.is_on(draft)]
    has_not = [switch for switch in known if not switch.is_on(draft)]
    found = Trials([], [])
    for switch in [*has, *(has_not if len(has) < len(has_not) else [])]:
        reason = switches.idle(switch, draft)
        if not reason:
            try:
                found.tried.append(Trial(switch, switch.turned(draft), switch.is_on(draft)))
                continue
            except UserError as error:
                reason = str(error)
        found.left_out.append((switch, reason))
    return found


class Variants:
    """The drafts of some trials, all on the same deals: the players of a mirrored table, and one strong among weak.

    Parameters
    ----------
    spec : Spec
    tried : list of Trial
    strong, weak : str
        Names of bots; the former also sits at the mirrored tables.
    """

    def __init__(self, spec: Spec, tried: list[Trial], strong: str, weak: str) -> None:
        self._tried = tried
        self._several = spec.draft.options.counted_games > 1
        self._players = spec.draft.players
        found = [spec.draft, *(trial.turned for trial in tried)]
        same = [spec.bot(strong)] * self._players
        pair = [spec.bot(strong), *[spec.bot(weak)] * (self._players - 1)]
        self._tables = [Batch(draft, same, spec.seed, fixed_seats=True) for draft in found]
        self._games = [_first_game(draft, same, spec.seed) for draft in found] if self._several else []
        self._pairs = [] if strong == weak else [Batch(draft, pair, spec.seed) for draft in found]
        self._counts = [draft.options.counted_games for draft in found]
        self._win = registry.find(spec.draft.game).engine.WIN
        self._events = event_columns(spec.draft.game, self._players)

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return all(batch.jitted for batch in [*self._tables, *self._pairs])

    def warm_up(self) -> None:
        """Compile what playing needs."""
        for batch in [*self._tables, *self._games, *self._pairs]:
            batch.warm_up()

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; the first of the drafts is that of the spec, then come the turned ones.

        Returns
        -------
        decisions : float array, shape (deals, drafts)
            Of a game.
        strong : float array, shape (deals, drafts), or (deals, 0) where nobody is stronger
            Win share of the strong player among weak ones, over all seats.
        stays, first : float array, shape (deals, drafts), or (deals, 0) where places do not carry over
            Share of players who are in the same place in the next game, and of firsts who are first again.
        winners : int array, shape (deals, drafts, seats)
            What each seat won of the first game.
        came : int array, shape (deals, trials)
            How often each rule came, in the draft that has it.
        """
        rows = [batch.play(start, deals).rows for batch in self._tables]
        decisions = [one[:, DECISIONS] / games for one, games in zip(rows, self._counts, strict=True)]
        games = [batch.play(start, deals).rows for batch in self._games] or rows
        seats = slice(FIXED + self._players, FIXED + 2 * self._players)
        winners = np.stack([one[:, seats] for one in games], axis=1)
        came = [
            self._came(trial.switch, rows[0 if trial.is_on else number])
            for number, trial in enumerate(self._tried, 1)
        ]
        moved = [self._carried(one) for one in rows] if self._several and PLACES in self._events else []
        strong = [self._share(batch, start, deals) for batch in self._pairs]
        return (
            np.stack(decisions, axis=1),
            _side_by_side(strong, deals),
            _side_by_side([stays for stays, _ in moved], deals),
            _side_by_side([first for _, first in moved], deals),
            winners,
            np.stack(came, axis=1),
        )

    def _came(self, switch: Switch, rows: Any) -> Any:
        """Return how often a rule came in each deal; −1 if the game does not count it."""
        if not switch.events:
            return np.full(len(rows), -1)
        more, less = (
            sum(rows[:, self._events[name]].sum(axis=1) for name in names)
            for names in (switch.events, switch.less)
        )
        return more - less

    def _carried(self, rows: Any) -> tuple[Any, Any]:
        counts = rows[:, self._events[PLACES]].astype(float)
        side = int(counts.shape[1] ** 0.5)
        table = counts.reshape(len(rows), side, side)[:, : self._players, : self._players]
        with np.errstate(invalid="ignore"):  # where places are forgotten after every game there are none
            stays = np.trace(table, axis1=1, axis2=2) / table.sum(axis=(1, 2))
            return stays, table[:, 0, 0] / table[:, 0].sum(axis=1)

    def _share(self, batch: Batch, start: int, deals: int) -> Any:
        rows = batch.play(start * batch.period, deals * batch.period).rows
        cells = FIXED + len(batch.names) * self._players
        won = rows[:, cells : cells + self._players].sum(axis=1)
        return won / (self._win * batch.draft.options.counted_games * batch.period)


def _first_game(draft: Draft, lineup: list[Any], seed: int) -> Batch:
    one = with_tables(draft, {"rules": {"games": 1}}, f"{draft.label}: the first game")
    return Batch(one, lineup, seed, fixed_seats=True)


def _side_by_side(columns: list[Any], deals: int) -> Any:
    return np.stack(columns, axis=1) if columns else np.zeros((deals, 0))
