"""Looks into matches: at the decisions of one player the rest is played out many times, to see what may still come.

In every seat sits the player with whom the game's search plays on. One seat is looked at, another for each deal in turn. At
its decisions all that it cannot see is dealt anew (`engine.redeal`, which reads its view alone): the chances found are those
of this player, not of somebody who sees every hand. `sim.jit.specialise` compiles the templates against a game; the names
that are None below are set in its copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.play.sources import Setting
from sim import bots, registry, rng
from sim.bots import Bot
from sim.jit import DISABLED, jit, specialise
from strategies import search, tree

MAX_TIMES = 128
"""Decisions of a match that are looked at; what comes after is only seen by how it ends."""

COLUMNS = 3
"""Of a choice: the best move, the second, and the worst."""

engine: Any = None
policy: Any = None
candidates: Any = None
play_on: Any = None

PLAN = np.dtype(
    [
        ("seed", "i8"),
        ("first", "i8"),  # number of the first deal
        ("players", "i8"),
        ("rollouts", "i8"),  # of each of two independent estimates
        ("rate", "f8"),  # part of the matches whose choices are weighed
        ("first_all", "i8"),  # of so many deals, the first of all, every match's are
    ],
    align=True,
)


# ---- templates ------------------------------------------------------------------------------------------


def watch(state: Any, rules: Any, seated: Any, plan: Any, states: Any, chances: Any, found: Any) -> None:
    """Write the chances of all seats at each decision of the seat that is looked at, twice, and then the outcome.

    Parameters
    ----------
    state : STATE record
        Scratch.
    rules : RULES record
    seated : array of PLAYER, shape (players + 1,)
        Who sits where, and last who plays on.
    plan : PLAN record
    states : array of STATE, shape (2,)
        Scratch.
    chances : float array, shape (deals, 2, MAX_TIMES + 1, players)
        Written: shares of the win, and NaN after the outcome.
    found : int array, shape (deals, MAX_TIMES)
        Written: legal moves of each decision, 0 where there was none.
    """
    players = plan["players"]
    model = seated[players]
    view = state["view"]
    wins = np.zeros(players, np.int64)
    scores = np.zeros(players, np.int64)
    for i in range(len(chances)):
        _open(seated, plan, i)
        engine.start(state, rules, plan["seed"], plan["first"] + i)
        time = 0
        while view["seat"] >= 0:
            seat = view["seat"]
            if seat == (plan["first"] + i) % players and time < MAX_TIMES:
                found[i, time] = engine.count_moves(view, rules)
                for half in range(2):
                    for _ in range(plan["rollouts"]):
                        engine.redeal(view, rules, model["stream"], states[0])
                        play_on(states[0], rules, model)
                        engine.result(states[0], rules, wins, scores)
                        for other in range(players):
                            chances[i, half, time, other] += wins[other]
                    for other in range(players):
                        chances[i, half, time, other] /= plan["rollouts"] * engine.WIN
                time += 1
            engine.apply(state, rules, policy(view, rules, seated[seat]))
        engine.result(state, rules, wins, scores)
        for half in range(2):
            for other in range(players):
                chances[i, half, time, other] = wins[other] / engine.WIN
            chances[i, half, time + 1 :, :] = np.nan


def weigh(
    state: Any, rules: Any, seated: Any, plan: Any, states: Any, values: Any, errors: Any, found: Any
) -> None:
    """Write what the best, the second and the worst move are worth to the seat that is looked at, twice, in some matches.

    Which moves they are is told by the first estimate alone.

    Parameters
    ----------
    state, rules, seated, plan, states
        As of `watch`.
    values : float array, shape (deals, 2, MAX_TIMES, COLUMNS)
        Written: shares of the win; NaN where a decision was not weighed, or for the worst of only two moves.
    errors : float array, shape (deals, MAX_TIMES)
        Written: the standard error of best less second by the second estimate, on the same deals for both.
    found : int array, shape (deals, MAX_TIMES)
        Written: legal moves of each decision, 0 where there was none.
    """
    players = plan["players"]
    model = seated[players]
    view = state["view"]
    moves = np.zeros(tree.MAX_CANDIDATES, np.int64)
    worth = np.zeros(tree.MAX_CANDIDATES)
    chosen = np.zeros(COLUMNS, np.int64)
    wins = np.zeros(players, np.int64)
    scores = np.zeros(players, np.int64)
    for i in range(len(values)):
        _open(seated, plan, i)
        engine.start(state, rules, plan["seed"], plan["first"] + i)
        values[i] = np.nan
        weighs = rng.unit(model["stream"]) < plan["rate"] or plan["first"] + i < plan["first_all"]
        time = 0
        while view["seat"] >= 0:
            seat = view["seat"]
            if seat == (plan["first"] + i) % players and time < MAX_TIMES:
                found[i, time] = engine.count_moves(view, rules)
                if weighs and found[i, time] > 1:
                    left = candidates(view, rules, model, moves)
                    worth[:left] = 0.0
                    for _ in range(plan["rollouts"]):
                        engine.redeal(view, rules, model["stream"], states[0])
                        for number in range(left):
                            states[1] = states[0]
                            engine.apply(states[1], rules, moves[number])
                            play_on(states[1], rules, model)
                            engine.result(states[1], rules, wins, scores)
                            worth[number] += wins[seat]
                    _rank(worth, left, chosen)
                    columns = min(left, COLUMNS)
                    for column in range(columns):
                        values[i, 0, time, column] = worth[chosen[column]] / (plan["rollouts"] * engine.WIN)
                        values[i, 1, time, column] = 0.0
                    total = 0.0
                    squares = 0.0
                    for _ in range(plan["rollouts"]):
                        engine.redeal(view, rules, model["stream"], states[0])
                        gap = 0.0
                        for column in range(columns):
                            states[1] = states[0]
                            engine.apply(states[1], rules, moves[chosen[column]])
                            play_on(states[1], rules, model)
                            engine.result(states[1], rules, wins, scores)
                            share = wins[seat] / engine.WIN
                            values[i, 1, time, column] += share / plan["rollouts"]
                            gap += share if column == 0 else (-share if column == 1 else 0.0)
                        total += gap
                        squares += gap * gap
                    n = plan["rollouts"]
                    errors[i, time] = math.sqrt(max(squares - total * total / n, 0.0) / (n * (n - 1)))
                time += 1
            engine.apply(state, rules, policy(view, rules, seated[seat]))


# ---- parts ----------------------------------------------------------------------------------------------


@jit
def _open(seated: Any, plan: Any, i: int) -> None:
    """Open the streams of a match: those of the seats as in a batch, and that of the play-outs."""
    deal = plan["first"] + i
    for seat in range(plan["players"]):
        rng.open_stream(seated[seat]["stream"], plan["seed"], deal, rng.SEAT, seat)
    rng.open_stream(seated[plan["players"]]["stream"], plan["seed"], deal, rng.PROBE, 0)


@jit
def _rank(worth: Any, left: int, chosen: Any) -> None:
    """Write the numbers of the best, the second and the worst move, the earlier first among equals."""
    best = 0
    worst = 0
    for number in range(1, left):
        if worth[number] > worth[best]:
            best = number
        if worth[number] <= worth[worst]:
            worst = number
    second = 1 if best == 0 else 0
    for number in range(left):
        if number != best and worth[number] > worth[second]:
            second = number
    if worst in (best, second):
        # All that are left are worth the same.
        for number in range(left):
            if number not in (best, second):
                worst = number
    chosen[0] = best
    chosen[1] = second
    chosen[2] = worst


# ---- what plays -----------------------------------------------------------------------------------------


@registry.per_game
def _kernel(game: str, template: Callable[..., None]) -> Any:
    known = search.searched(game)
    assert known is not None
    names: dict[str, Any] = {"engine": known.engine, "policy": jit(known.decide)}
    names["play_on"] = specialise(search.play_out, game, **names)
    names["candidates"] = specialise(search.few_or_some, game, **names)
    return specialise(template, game, **names)


class _Looked:
    """A source that looks into matches of one game."""

    jitted = not DISABLED

    def __init__(self, setting: Setting, rollouts: int, rate: float = 1.0, first_all: int = 0) -> None:
        known = search.searched(setting.draft.game)
        assert known is not None
        draft = setting.one_game
        self.players = draft.players
        self._seed = setting.seed
        self._rollouts, self._rate, self._first_all = rollouts, rate, first_all
        self._rules = draft.record()
        params = tuple(known.parameters.values())
        bot = Bot("model", draft.game, known.decide, params, prepare=known.prepare)
        self._seated = bots.players([bot] * (self.players + 1), self._rules)
        self._state = registry.find(draft.game).state.STATE
        self._game = draft.game

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self.play(0, 0)

    def _run(self, template: Callable[..., None], start: int, *written: Any) -> None:
        plan = np.zeros(1, PLAN)[0]
        plan["seed"], plan["first"], plan["players"] = self._seed, start, self.players
        plan["rollouts"], plan["rate"], plan["first_all"] = self._rollouts, self._rate, self._first_all
        states = np.zeros(3, self._state)
        kernel = _kernel(self._game, template)
        kernel(states[2], self._rules, self._seated.copy(), plan, states[:2], *written)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Look into matches start … start + deals − 1."""
        raise NotImplementedError


class Chances(_Looked):
    """The chances at each decision, see `watch`."""

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Return chances and legal moves of deals start … start + deals − 1, as `watch` writes them."""
        chances = np.zeros((deals, 2, MAX_TIMES + 1, self.players))
        found = np.zeros((deals, MAX_TIMES), np.int64)
        self._run(watch, start, chances, found)
        return chances, found


class Choices(_Looked):
    """What the moves are worth at all decisions of some matches, see `weigh`."""

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Return values, errors and legal moves of deals start … start + deals − 1, as `weigh` writes them."""
        values = np.zeros((deals, 2, MAX_TIMES, COLUMNS))
        errors = np.zeros((deals, MAX_TIMES))
        found = np.zeros((deals, MAX_TIMES), np.int64)
        self._run(weigh, start, values, errors, found)
        return values, errors, found
