"""What a game counts beside wins and scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Event:
    """One entry of a game's tally.

    Attributes
    ----------
    name : str
        As in ``--json``.
    length : int
        1 for a number, more for a list.
    kind : {"mean", "share"}
        Reported per match, or as shares of the list's own sum.
    by_seat : bool
        The list has an entry a player; `length` is the largest number of players.
    title : str
        What it is in words, for reports; ``{}`` stands for the place in a list. Made from `name` if empty.
    """

    name: str
    length: int = 1
    kind: Literal["mean", "share"] = "mean"
    by_seat: bool = False
    title: str = ""
