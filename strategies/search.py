"""Search, written once for all games: what would the heuristic player make of each move?

Every iteration deals what the player cannot see anew (`engine.redeal`, which reads the view alone), makes a move and
lets the game's `heuristic` play on in every seat. `sim.jit.specialise` compiles the templates against a game; the names
that are None below are set in its copies.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from sim import registry as games
from sim import rng
from sim.bots import PLAYER
from sim.errors import UserError
from sim.jit import jit, record_at, specialise
from strategies import endings, kinds, race, tree
from strategies.registry import known, strategy

HALVING = {"iterations": 1000.0, "margin": 0.7, "trust": 0.4, "clear": 3.0, kinds.PARAMETER: 0.0}
"""Parameters of `search`:

iterations
    matches (games of Daifugō) played to the end for a decision, at most.
margin
    how much of the worth of an end is the difference of the scores; the rest is the win.
trust
    what the heuristic player's own move counts as better, in units of the root of the deals tried: another move
    must be better by more than chance brings.
clear
    standard errors by which a move must be behind the best to be dropped at once.
never
    the number of a kind of moves that the player itself does not make where it has a choice (`strategies.kinds`).
"""

TREE = {
    "iterations": 1000.0,
    "margin": 0.7,
    "explore": 0.4,
    "wide": 1.5,
    "ripe": 150.0,
    kinds.PARAMETER: 0.0,
}
"""Parameters of `ismcts`: as above, and

explore
    the weight of exploration in UCB.
wide
    how many moves of a node are tried, in units of the root of its visits.
ripe
    visits of a node before moves beyond it are tried; until then the heuristic player plays on from there.
"""

CHEAT = {**TREE, "ripe": 0.0}
"""Parameters of `clairvoyant`: the deal being the same each time, every visit tells."""

MAX_ITERATIONS = 1_000_000
"""More would take minutes a decision, and a tree a gigabyte."""

_ITERATIONS, _MARGIN, _TRUST, _CLEAR, _NEVER = range(5)
_MODEL = 6
"""Where the parameters of the player who plays on begin in the search player's own."""

_LOOK = 8
"""Deals between two looks at which moves are clearly worse."""

_FIRST_LOOK = 0.125
"""Part of the iterations before the first: the more there are, the surer it must be."""

engine: Any = None
policy: Any = None
of_kind: Any = None
some_other: Any = None
candidates: Any = None
allowed: Any = None
value: Any = None
shorten: Any = None
opening: Any = None
solve: Any = None
ending: Any = None
NEVER: Any = None
play_on: Any = None
deal: Any = None
grow: Any = None
STATE: Any = None


@jit
def always_hidden(view: Any, rules: Any) -> int:
    """Tell of no position that it is open (`Searched.opening`)."""
    return endings.HIDDEN


@jit
def all_seen(view: Any, rules: Any) -> bool:
    """Tell that all see what the player to move does (`Searched.unseen`)."""
    return False


@dataclass(frozen=True)
class Searched:
    """What search needs to know of a game.

    Attributes
    ----------
    game : str
    engine, state : module
    decide : callable
        Who plays on.
    parameters : dict
        Of `decide`.
    prepare : callable or None
        Of `decide`.
    value : callable
        ``value(state, rules, seat, margin) -> float``: what an end is worth to a seat, 0 … 1.
    shorten : callable
        ``shorten(state, rules)``: makes a dealt state end where a search should stop.
    opening : callable
        ``opening(view, rules) -> int``: how open a position is, see `strategies.endings`.
    unseen : callable
        ``unseen(view, rules) -> bool``: whether the others do not see what the player to move does.
    """

    game: str
    engine: ModuleType
    state: ModuleType
    decide: Callable[..., Any]
    parameters: dict[str, float]
    prepare: Callable[[Any, Any], None] | None
    value: Callable[..., Any]
    shorten: Callable[..., Any]
    opening: Callable[..., Any] = always_hidden
    unseen: Callable[..., Any] = all_seen


# ---- templates ------------------------------------------------------------------------------------------


def play_out(state: Any, rules: Any, model: Any) -> None:
    """Let the model play in every seat until the end."""
    view = state["view"]
    while view["seat"] >= 0:
        engine.apply(state, rules, policy(view, rules, model))


def few_or_some(view: Any, rules: Any, model: Any, moves: Any) -> int:
    """Write all legal moves if there are few; else the model's own and others drawn from them; return how many."""
    count = engine.count_moves(view, rules)
    if count <= tree.MAX_CANDIDATES:
        for number in range(count):
            moves[number] = engine.nth_move(view, rules, number)
        return count
    moves[0] = policy(view, rules, model)
    size = 1
    for _ in range(4 * tree.MAX_CANDIDATES):
        move = engine.nth_move(view, rules, rng.below(model["stream"], count))
        twice = False
        for i in range(size):
            twice = twice or moves[i] == move
        if not twice:
            moves[size] = move
            size += 1
            if size == tree.MAX_CANDIDATES:
                break
    return size


def without_kind(never: int, view: Any, rules: Any, moves: Any, count: int) -> int:
    """Keep of the moves those that are not of a kind, or any other legal move that is not; return how many.

    Where all legal moves are of that kind all are kept.
    """
    if never == 0:
        return count
    kept = 0
    for number in range(count):
        if not of_kind(never, view, rules, moves[number]):
            moves[kept] = moves[number]
            kept += 1
    if kept > 0:
        return kept
    other = some_other(never, view, rules, moves[0])
    if of_kind(never, view, rules, other):
        return count
    moves[0] = other
    return 1


def deal_unseen(view: Any, rules: Any, me: Any, states: Any) -> None:
    """Write into ``states[1]`` a deal that fits what is seen."""
    engine.redeal(view, rules, me["stream"], states[1])
    shorten(states[1], rules)


def deal_as_it_is(view: Any, rules: Any, me: Any, states: Any) -> None:
    """Write into ``states[1]`` the deal as it is; where that is not shown, one that fits what is seen."""
    if me["table"] == 0:
        engine.redeal(view, rules, me["stream"], states[1])
    else:
        states[1] = record_at(me["table"], states[0])
    shorten(states[1], rules)


def halve(view: Any, rules: Any, me: Any) -> int:
    """Try all moves on the same deals, and drop the worse half after each round.

    This is sequential halving (Karnin, Koren and Somekh 2013), with a race: what is clearly worse goes at once (Maron
    and Moore 1994), and when one is left the search ends before its iterations do.
    """
    if engine.count_moves(view, rules) == 1:
        return engine.nth_move(view, rules, 0)
    models = model_of(me)
    solved, best = ending(view, rules, me, models)
    if solved:
        return best
    moves = np.zeros(tree.MAX_CANDIDATES, np.int64)
    left = candidates(view, rules, models[0], moves)
    left = allowed(int(me["params"][_NEVER]), view, rules, moves, left)
    usual = policy(view, rules, models[0])
    order = np.arange(left)
    sums = np.zeros((race.ROWS + left, left))
    states = np.zeros(2, STATE)
    tried = 0
    deals = 0
    while left > 1:
        half = (left + 1) // 2
        rounds = 1
        while (1 << rounds) < left:
            rounds += 1
        until = tried + (me["params"][_ITERATIONS] - tried) / rounds
        going = True
        while going:
            deal(view, rules, me, states)
            states[0] = states[1]
            for i in range(left):
                states[1] = states[0]
                engine.apply(states[1], rules, moves[order[i]])
                play_on(states[1], rules, models[0])
                sums[race.WORTH, order[i]] = value(states[1], rules, view["seat"], me["params"][_MARGIN])
            race.count(sums, order, left)
            tried += left
            deals += 1
            if deals % _LOOK == 0 and tried >= me["params"][_ITERATIONS] * _FIRST_LOOK:
                bonus = me["params"][_TRUST] * math.sqrt(deals)
                left = race.without_the_clearly_worse(
                    sums, moves, order, left, usual, bonus, me["params"][_CLEAR], deals
                )
            going = left > 1 and tried + left <= until
        race.best_first(sums, moves, order, left, usual, me["params"][_TRUST] * math.sqrt(deals))
        left = min(left, half)
    return moves[order[0]]


def climb(view: Any, rules: Any, me: Any) -> int:
    """Grow a tree of the moves to come, see `strategies.tree`."""
    if engine.count_moves(view, rules) == 1:
        return engine.nth_move(view, rules, 0)
    models = model_of(me)
    solved, best = ending(view, rules, me, models)
    return best if solved else grow(view, rules, me, np.zeros(2, STATE), models)


def solve_if_open(view: Any, rules: Any, me: Any, models: Any) -> tuple[bool, int]:
    """Return whether the position is an ending that can be solved (`strategies.endings`), and the best move."""
    kind = endings.HIDDEN if me["params"][NEVER] != 0.0 else opening(view, rules)
    if kind == endings.HIDDEN:
        return False, 0
    solved, best = solve(view, rules, me, models, kind)
    return solved, best


# ---- parts ----------------------------------------------------------------------------------------------


@jit
def worth(win: float, lead: float, scale: float, margin: float) -> float:
    """Return what an end is worth, 0 … 1: the win, and by `margin` the lead, of which `scale` counts as half."""
    return (1.0 - margin) * win + margin * 0.5 * (1.0 + lead / (scale + abs(lead)))


@jit
def to_the_end(dealt: Any, rules: Any) -> None:
    """Let a search play to the end of the match (`Searched.shorten`)."""


@jit
def _leave_endings(view: Any, rules: Any, me: Any, models: Any) -> tuple[bool, int]:
    """Solve no ending: the cheat plays against those who play on in its tree, not against the best of answers."""
    return False, 0


@jit
def _all_of_them(never: int, view: Any, rules: Any, moves: Any, count: int) -> int:
    """Keep all moves: the game declares no kinds."""
    return count


@jit
def model_of(me: Any) -> Any:
    """Return the player who plays on, in an array: in jitted code a record alone does not keep its memory."""
    models = np.zeros(1, PLAYER)
    for i in range(len(me["params"]) - _MODEL):
        models[0]["params"][i] = me["params"][i + _MODEL]
    rng.branch_stream(models[0]["stream"], me["stream"])
    return models


# ---- the players ----------------------------------------------------------------------------------------

_PLAYERS = (
    (
        "search",
        halve,
        HALVING,
        False,
        "Plays what does best when the heuristic player plays on, over deals that fit what it sees",
    ),
    (
        "ismcts",
        climb,
        TREE,
        False,
        "Searches a tree of everybody's moves, each time over another deal that fits what it sees",
    ),
    (
        "clairvoyant",
        climb,
        CHEAT,
        True,
        "A cheat to measure luck by: searches its own moves, shown every card and all chance to come",
    ),
)


_games: dict[str, Searched] = {}


def searched(game: str) -> Searched | None:
    """Return what search knows of a game; None for a game that has no players that search."""
    known(game)  # which loads what the game has
    return _games.get(games.find(game).strategies)


def register(game: Searched) -> None:
    """Register the players of a game that search."""
    _games[games.find(game.game).strategies] = game

    def prepare(rules: Any, params: Any) -> None:
        if not 1 <= params[_ITERATIONS] <= MAX_ITERATIONS:
            raise UserError(
                f"iterations = {params[_ITERATIONS]:g}: must be from 1 to {MAX_ITERATIONS:,} for a player of "
                f"{game.game} that searches"
            )
        model = params[_MODEL:]
        model[: len(game.parameters)] = list(game.parameters.values())
        if game.prepare is not None:
            game.prepare(rules, model)

    declared = kinds.of_game(game.game)
    for name, template, parameters, cheats, summary in _PLAYERS:
        names: dict[str, Any] = {
            "engine": game.engine,
            "policy": jit(game.decide),
            "value": game.value,
            "shorten": game.shorten,
            "opening": game.opening,
            "unseen": game.unseen,
            "NEVER": list(parameters).index(kinds.PARAMETER),
            "STATE": game.state.STATE,
            "OWN_ONLY": cheats,
        }
        label = f"{name}_{game.game}"
        if declared.kinds:
            names["of_kind"], names["some_other"] = declared.of_kind, declared.some_other
            names["allowed"] = specialise(without_kind, game.game, **names)
        else:
            names["allowed"] = _all_of_them
        names["candidates"] = specialise(few_or_some, game.game, **names)
        names["play_on"] = specialise(play_out, game.game, **names)
        names["deal"] = specialise(deal_as_it_is if cheats else deal_unseen, label, **names)
        if cheats:
            names["ending"] = _leave_endings
        else:
            names["reach"] = specialise(endings.reach_of, game.game, **names)
            names["solve"] = specialise(endings.solve, game.game, **names)
            names["ending"] = specialise(solve_if_open, label, **names)
        names["grow"] = specialise(tree.grow, label, **names)
        decide = specialise(template, label, compiled=False, **names)
        decide.__doc__ = summary
        strategy(game.game, name, parameters=parameters, prepare=prepare, cheats=cheats)(decide)
