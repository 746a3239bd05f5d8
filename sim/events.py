"""What a game counts beside wins and scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Event:
    """One entry of a game's tally: `EVENTS` are counted for the match, `SEAT_EVENTS` for each seat.

    Attributes
    ----------
    name : str
        As in ``--json``.
    length : int
        1 for a number, more for a list.
    kind : {"mean", "share", "rows", "split"}
        ``mean``: per match (per game, where a game counts its games). ``share``: shares of the list's own
        sum. ``rows``: a square table, each row as shares of its sum. ``split``, of a seat: its share of the
        sum over all seats.
    by_seat : bool
        The list has an entry a player (a table a row and a column); `length` is that of the most players.
    title : str
        What it is in words, for reports; ``{}`` stands for the place in a list, ``{th}`` for the same as 1st,
        2nd, 3rd. Made from `name` if empty. Of
        ``rows``: what a row is, a comma, and what its columns are.
    first : int
        What the first place of a list is called.
    """

    name: str
    length: int = 1
    kind: Literal["mean", "share", "rows", "split"] = "mean"
    by_seat: bool = False
    title: str = ""
    first: int = 0

    @property
    def is_share(self) -> bool:
        """Whether its values lie between 0 and 1 and are shares of something."""
        return self.kind != "mean"

    def places(self, players: int) -> list[int]:
        """Return the places of the list that a match of so many players uses."""
        if not self.by_seat:
            return list(range(self.length))
        if self.kind != "rows":
            return list(range(players))
        side = math.isqrt(self.length)
        return [row * side + column for row in range(players) for column in range(players)]


@dataclass(frozen=True)
class Label:
    """Something by which the matches of a seat are told apart: what they win and score is reported for each value.

    Attributes
    ----------
    name : str
    title : str
        What it is in words, for reports.
    ordered : bool
        Its values are numbers of something, so that there is a more and a less.
    """

    name: str
    title: str
    ordered: bool = False
