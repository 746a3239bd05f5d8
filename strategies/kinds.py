"""Kinds of moves that a player can be told never to make: `adapted:never=joker`.

A game declares its kinds in ``strategies/GAME/kinds.py``. A player who may never make a move of a kind takes the best of
the others by its own judgement; where there are no others it moves as it likes.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim import registry as games
from sim.errors import UserError, nearest
from sim.jit import jit, specialise

PARAMETER = "never"
"""The parameter of a player that holds the number of a kind; 0 for none."""

MOST = 8
"""Kinds of a game."""


@dataclass(frozen=True)
class Kind:
    """A kind of moves.

    Attributes
    ----------
    name : str
    number : int
        From 1.
    summary : str
        Which moves it has, in a line.
    """

    name: str
    number: int
    summary: str


@dataclass(frozen=True)
class Kinds:
    """The kinds of a game, and what tells them.

    Attributes
    ----------
    kinds : tuple of Kind
    of_kind : callable
        Jitted ``of_kind(number, view, rules, move) -> bool``; of no kind with number 0.
    some_other : callable
        Jitted ``some_other(number, view, rules, usual) -> int``: the first legal move that is not of the kind; `usual` if
        all are.
    """

    kinds: tuple[Kind, ...]
    of_kind: Any
    some_other: Any


# ---- templates ------------------------------------------------------------------------------------------


@jit
def _none(view: Any, rules: Any, move: int) -> bool:
    return False


engine: Any = None
kind_1 = kind_2 = kind_3 = kind_4 = kind_5 = kind_6 = kind_7 = kind_8 = _none


def _of_kind(number: int, view: Any, rules: Any, move: int) -> bool:
    """Tell whether a move is of a kind; `sim.jit.specialise` sets the predicates of a game."""
    # One by one, since numba cannot pick one of several functions by a number.
    if number == 1:
        return kind_1(view, rules, move)
    if number == 2:
        return kind_2(view, rules, move)
    if number == 3:
        return kind_3(view, rules, move)
    if number == 4:
        return kind_4(view, rules, move)
    if number == 5:
        return kind_5(view, rules, move)
    if number == 6:
        return kind_6(view, rules, move)
    if number == 7:
        return kind_7(view, rules, move)
    if number == 8:
        return kind_8(view, rules, move)
    return False


of_kind: Any = None


def _some_other(number: int, view: Any, rules: Any, usual: int) -> int:
    """Return the first legal move that is not of a kind; `usual` if all are."""
    for n in range(engine.count_moves(view, rules)):
        move = engine.nth_move(view, rules, n)
        if not of_kind(number, view, rules, move):
            return move
    return usual


# ---- of a game ------------------------------------------------------------------------------------------


def declare(game: str, engine: Any, *predicates: Callable[..., Any]) -> Kinds:
    """Declare the kinds of a game; their order gives the numbers, their functions' names and docstrings the rest.

    Parameters
    ----------
    game : str
    engine : module
        Of the game.
    *predicates : jitted functions
        ``predicate(view, rules, move) -> bool``, of legal moves.
    """
    assert len(predicates) <= MOST
    found = []
    for number, predicate in enumerate(predicates, 1):
        plain = getattr(predicate, "py_func", predicate)
        summary = (plain.__doc__ or "").strip().splitlines()[0].rstrip(".")
        found.append(Kind(plain.__name__.strip("_"), number, summary))
    names: dict[str, Any] = {f"kind_{number}": predicate for number, predicate in enumerate(predicates, 1)}
    tells = specialise(_of_kind, game, **names)
    return Kinds(tuple(found), tells, specialise(_some_other, game, engine=engine, of_kind=tells))


NOTHING = Kinds((), None, None)
"""Of a game that declares none."""


def of_game(game: str) -> Kinds:
    """Return the kinds of a game; `NOTHING` where it declares none."""
    name = f"{games.find(game).strategies}.kinds"
    try:
        there = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # a game without bots
        there = False
    found: Kinds = importlib.import_module(name).KINDS if there else NOTHING
    return found


def number_of(game: str, name: str, where: str) -> float:
    """Return the number of a kind by its name.

    Raises
    ------
    UserError
        If the game has no such kind.
    """
    known = {kind.name: kind.number for kind in of_game(game).kinds}
    if name in known:
        return float(known[name])
    if not known:
        raise UserError(f"{where}: {game} has no kinds of moves to be never made")
    raise UserError(
        f"{where}: unknown kind of move {name!r}{nearest(name, known)} (known: {', '.join(known)})"
    )
