"""Two bots at one table on duplicate deals: who finishes ahead of whom."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim import bots, registry
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft
from sim.loop import FIXED


def lineups(players: int, first: Bot, second: Bot) -> list[list[Bot]]:
    """Return the line-ups of a duel: seats shared evenly, in two ways where their number is odd."""
    half = [first, second] * (players // 2)
    return [half] if players % 2 == 0 else [[*half, first], [*half, second]]


def seatings(lineups: list[list[Bot]]) -> int:
    """Return in how many ways each deal is played: in all rotations of all line-ups."""
    return sum(bots.period(lineup, fixed_seats=False) for lineup in lineups)


def ahead(scores: Any, is_first: Any) -> Any:
    """Return for each match how often a seat of the first bot has more points than one of the second, ties halved.

    Parameters
    ----------
    scores : int array, shape (matches, players)
    is_first : bool array, shape (matches, players)

    Returns
    -------
    float array, shape (matches,)
        Of all pairs of a seat of the one and a seat of the other, the share.
    """
    above = np.sign(scores[:, :, None] - scores[:, None, :])
    pairs = is_first[:, :, None] & ~is_first[:, None, :]
    return ((above + 1) / 2 * pairs).sum(axis=(1, 2)) / pairs.sum(axis=(1, 2))


class Deals(NamedTuple):
    """How a bot did against another on some deals, by deal, over all seatings.

    Attributes
    ----------
    ahead : float array, shape (deals,)
        How often a player of the first bot finishes ahead of a player of the second, ties halved.
    wins : float array, shape (deals,)
        A player's share of the win (Daifugō: of first places over games), of the first bot.
    squares : float array, shape (deals,)
        Of the shares of ahead in the single matches, the mean of the squares.
    """

    ahead: Any
    wins: Any
    squares: Any


class Table:
    """Two bots at one table, played deal by deal.

    Parameters
    ----------
    lineups : list of list of Bot
        Every deal is played with each of them, in all rotations. The first bot is that of the first seat.
    seed : int
        Names the deals.
    """

    def __init__(self, draft: Draft, lineups: list[list[Bot]], seed: int) -> None:
        self._first = lineups[0][0].name
        self.batches = [Batch(draft, lineup, seed) for lineup in lineups]
        self._win = registry.find(draft.game).engine.WIN * draft.options.counted_games
        self._seats = [
            np.array(
                [
                    [batch.bot_at(turn, seat) == self._first for seat in range(draft.players)]
                    for turn in range(batch.period)
                ]
            )
            for batch in self.batches
        ]

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return all(batch.jitted for batch in self.batches)

    def warm_up(self) -> None:
        """Compile what playing needs."""
        for batch in self.batches:
            batch.warm_up()

    def play(self, start: int, deals: int) -> Deals:
        """Play deals start … start + deals − 1."""
        shares, wins, squares = np.zeros((3, deals))
        for batch, seats in zip(self.batches, self._seats, strict=True):
            played = batch.play(start * batch.period, deals * batch.period)
            share = ahead(played.scores, np.tile(seats, (deals, 1))).reshape(deals, batch.period)
            shares += share.mean(axis=1)
            squares += (share**2).mean(axis=1)
            wins += self._wins(batch, played.rows)
        return Deals(*(one / len(self.batches) for one in (shares, wins, squares)))

    def _wins(self, batch: Batch, rows: Any) -> Any:
        players = batch.draft.players
        cells = len(batch.names) * players
        first = FIXED + batch.names.index(self._first) * players
        plays = rows[:, first : first + players].sum(axis=1)
        return rows[:, first + cells : first + cells + players].sum(axis=1) / (plays * self._win)
