"""What the tests of the small games from outside have in common: playing them, and setting them beside their twins."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import Run, play
from experiments.stats import Estimate
from sim import bots, drafts, registry, rng
from sim.batch import Batch
from sim.table import Table
from strategies import registry as strategies
from tests import support

SIGMAS = 4
"""Standard errors that what is played may lie off what is known. The seeds are fixed."""


def run_of(draft: str, lineup: str, matches: int, *changes: str, fixed_seats: bool = True) -> Run:
    """Return a run, the first bot in seat 0 unless the seats rotate."""
    spec = Spec([drafts.load(draft, changes)], lineup, matches, 1, fixed_seats)
    return play(spec, threads=1).runs[0]


def assert_near(found: Estimate, exact: Fraction, most: float) -> None:
    """Check an estimate, and that it is one of which the standard error is at most `most`."""
    assert 0 < found.se <= most
    assert abs(found.value - float(exact)) < SIGMAS * found.se, (found, float(exact))


def scores_of(draft: str, lineup: str, matches: int) -> list[int]:
    """Return the scores of seat 0, match by match, the line-up in fixed seats."""
    found = drafts.load(draft)
    line = strategies.lineup(found.game, found.players, lineup)
    return [int(score) for score in Batch(found, line, 1, fixed_seats=True).play(0, matches).scores[:, 0]]


def choice(name: str, table: Table, seed: int = 1) -> str:
    """Return what a bot does at a table, of which it is shown what it may see."""
    bot = strategies.find(table.draft.game, name)
    me = bots.players([bot], table.rules)[0]
    rng.open_stream(me["stream"], seed, 0, rng.SEAT, table.to_move)
    return table.move_text(int(bots.compiled(bot)(table.view(), table.rules, me)))


def shuffled(numbers: range, seed: int, deal: int) -> list[int]:
    """Return numbers in the order that the chance of a deal gives them."""
    order = np.array(numbers)
    rng.shuffle(support.new_stream(seed, deal, rng.DEAL, 0), order, len(order))
    return [int(number) for number in order]


class Twin(Protocol):
    """A match of a twin, in the words of the engine's `text`."""

    def legal(self) -> list[str]:
        """Return the moves of the seat to move."""

    def play(self, move: str) -> None:
        """Make a move."""

    def inspect(self) -> dict[str, Any]:
        """Return the position."""


def lockstep(table: Table, match: Twin, dice: random.Random) -> str:
    """Play a table and a twin side by side at random; return the moves that were made."""
    told = []
    while True:
        seen, wanted = table.inspect(), match.inspect()
        assert {key: seen[key] for key in wanted} == wanted
        assert sorted(table.legal()) == sorted(match.legal())
        assert table.count_moves() == len(match.legal())
        if table.over:
            _result_is_as_told(table, wanted)
            return ", ".join(told)
        told.append(dice.choice(match.legal()))
        table.play(told[-1])
        match.play(told[-1])


def _result_is_as_told(table: Table, wanted: dict[str, Any]) -> None:
    """Check what a batch would count: whole scores, and one win, shared by those who have the most."""
    engine = registry.find(table.draft.game).engine
    wins, scores = np.zeros(2, np.int64), np.zeros(2, np.int64)
    tie = engine.result(table.state, table.rules, wins, scores)
    winners = wanted["winners"]
    assert scores.tolist() == wanted["scores"]
    assert [int(part) * len(winners) for part in wins] == [
        engine.WIN if seat in winners else 0 for seat in range(2)
    ]
    assert tie == (len(winners) > 1)
