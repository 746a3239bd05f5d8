"""Players that may never make moves of some kind, among others that may: what they win, and what they still had to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.play.sources import Setting
from sim import bots, jit, registry, rng
from sim.jit import DISABLED, specialise
from strategies import kinds

engine: Any = None
of_kind: Any = None
call_bot: Any = jit.call

PLAN = np.dtype(
    [
        ("seed", "i8"),
        ("first", "i8"),  # number of the first deal
        ("games", "i8"),  # of a match
        ("seat", "i8"),  # whose moves are noted; −1 for those of all
        ("from_kind", "i8"),
        ("to_kind", "i8"),  # kinds that are noted, the last one included
    ],
    align=True,
)


def note(state: Any, rules: Any, seated: Any, plan: Any, wins: Any, made: Any) -> None:
    """Play matches; write what each seat wins, and how many moves of some kinds were made.

    Parameters
    ----------
    state : STATE record
        Scratch.
    rules : RULES record
    seated : array of PLAYER, shape (players,)
        With their addresses.
    plan : PLAN record
    wins : float array, shape (deals, players)
        Written: shares of the win.
    made : int array, shape (deals, kinds + 1)
        Added to: decisions, then the moves of each kind.
    """
    players = len(seated)
    view = state["view"]
    won = np.zeros(players, np.int64)
    scores = np.zeros(players, np.int64)
    for i in range(len(wins)):
        deal = plan["first"] + i
        for seat in range(players):
            rng.open_stream(seated[seat]["stream"], plan["seed"], deal, rng.SEAT, seat)
        engine.start(state, rules, plan["seed"], deal)
        while view["seat"] >= 0:
            seat = view["seat"]
            me = seated[seat]
            move = call_bot(me["address"], view, rules, me)
            if seat == plan["seat"] or plan["seat"] < 0:
                made[i, 0] += 1
                for kind in range(plan["from_kind"], plan["to_kind"] + 1):
                    if of_kind(kind, view, rules, move):
                        made[i, kind] += 1
            engine.apply(state, rules, move)
        engine.result(state, rules, won, scores)
        for seat in range(players):
            wins[i, seat] = won[seat] / (engine.WIN * plan["games"])


@registry.per_game
def _kernel(game: str) -> Any:
    names: dict[str, Any] = {
        "engine": registry.find(game).engine,
        "of_kind": kinds.of_game(game).of_kind,
    }
    return specialise(note, game, **names)


class Restrained:
    """One player held back in some way among unrestricted ones, in each seat in turn, all on the same deals.

    Parameters
    ----------
    player : str
        Name of one of the lab's own bots that can be told what it may never do.
    error : float
        How often it moves at random, in the last of the ways.
    """

    jitted = not DISABLED

    def __init__(self, setting: Setting, player: str, error: float) -> None:
        draft = setting.draft
        self._players = draft.players
        self._kinds = kinds.of_game(draft.game).kinds
        self._rules = draft.record()
        names = [f"{player}:{kinds.PARAMETER}={kind.name}" for kind in self._kinds]
        line = [setting.bot(name) for name in [player, *names, f"{player}:error={error}"]]
        self._records = np.concatenate([bots.players([bot], self._rules) for bot in line])
        bots.set_addresses(self._records, line)
        self._state = registry.find(draft.game).state.STATE
        self._game = draft.game
        self._plan = np.zeros(1, PLAN)[0]
        self._plan["seed"] = setting.seed
        self._plan["games"] = draft.options.counted_games

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self.play(0, 0)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals.

        Returns
        -------
        wins : float array, shape (deals, ways, seats)
            Win share of the player held back; a way for each kind in order, then that of errors.
        usual : int array, shape (deals, kinds + 1)
            Decisions of a match among unrestricted players, all seats together, and moves of each kind.
        forced : int array, shape (deals, kinds, 2)
            Decisions of the restricted player in all seats, and those in which it had to make a move of the kind.
        """
        count, seats = len(self._kinds), range(self._players)
        usual = np.zeros((deals, count + 1), np.int64)
        self._run(start, 0, -1, range(1, count + 1), usual)
        wins = np.zeros((deals, count + 1, self._players))
        forced = np.zeros((deals, count, 2), np.int64)
        for way in range(1, count + 2):
            noted = range(way, way + 1) if way <= count else range(1, 1)
            made = np.zeros((deals, count + 2), np.int64)
            for seat in seats:
                wins[:, way - 1, seat] = self._run(start, way, seat, noted, made)[:, seat]
            if way <= count:
                forced[:, way - 1] = made[:, [0, way]]
        return wins, usual, forced

    def _run(self, start: int, way: int, seat: int, noted: range, made: Any) -> Any:
        """Play with the player held back in a way in one seat (−1: in none); return what each seat wins."""
        plan = self._plan.copy()
        plan["first"], plan["seat"] = start, seat
        plan["from_kind"], plan["to_kind"] = noted.start, noted.stop - 1
        seated = np.repeat(self._records[:1], self._players)
        if seat >= 0:
            seated[seat] = self._records[way]
        wins = np.zeros((len(made), self._players))
        _kernel(self._game)(np.zeros(1, self._state)[0], self._rules, seated, plan, wins, made)
        return wins
