"""What the three games have in common: two players, and a score that one loses as the other wins it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from sim.errors import UserError
from sim.jit import jit
from strategies import search

PLAYERS = 2

WIN = 2
"""One whole win; a draw is half of it."""

_SCALE = 2.0
"""A difference of the scores that counts as half of everything: the least there is."""


class DuelOptions(BaseModel):
    """The tables of a draft that has only ``[rules]``, each option a field of the same name in the rules record."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    RECORD: ClassVar[Any]
    rules: Any

    @property
    def counted_games(self) -> int:
        """A match is one game."""
        return 1

    def record(self) -> Any:
        """Return the rules record that the engine reads."""
        record = np.zeros(1, self.RECORD)[0]
        for name in self.RECORD.names:
            record[name] = getattr(self.rules, name)
        return record


@jit
def result(state: Any, rules: Any, wins: Any, scores: Any) -> int:
    """Write each seat's score and its part of the win; return 1 for a draw, else 0."""
    ends = state["view"]["scores"]
    for seat in range(PLAYERS):
        scores[seat] = ends[seat]
        wins[seat] = WIN if ends[seat] > 0 else (1 if ends[seat] == 0 else 0)
    return 1 if ends[0] == 0 else 0


@jit
def label(state: Any, rules: Any, labels: Any) -> None:
    """Tell nothing apart, in a game without labels."""


@jit
def value(end: Any, rules: Any, seat: int, margin: float) -> float:
    """Return what an end is worth to a seat (see `strategies.search`)."""
    lead = float(2 * end["view"]["scores"][seat])
    win = 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)
    return search.worth(win, lead, _SCALE, margin)


def winners(view: Any) -> list[int]:
    """Return who wins, once the match is over: both in a draw."""
    scores = [int(score) for score in view["scores"]]
    return [seat for seat in range(PLAYERS) if view["seat"] < 0 and scores[seat] == max(scores)]


def told_score(view: Any) -> str:
    """Return the scores for people."""
    return ", ".join(f"seat {seat} {int(score):+d}" for seat, score in enumerate(view["scores"]))


def number(fields: dict[str, Any], key: str, least: int, most: int) -> int:
    """Return an integer of a scenario's position.

    Raises
    ------
    UserError
        If it is not one from `least` to `most`.
    """
    found = fields[key]
    if type(found) is not int or not least <= found <= most:
        raise UserError(f"position.{key} = {found!r}: must be an integer from {least} to {most}")
    return found
