"""The games: found by folder, or added from outside by the name of their package.

A game is a package with these modules (``sim/uplink`` is the model):

``options``
    ``Options``: a pydantic model of the draft's tables, of which ``rules`` has ``players``, with ``.record()``, the rules
    record for the engine, and ``.counted_games``, by which a match's wins, scores and events are divided; ``rows()``: the
    lines of ``tefuda options``; optionally ``canonical_key(table, key)``.
``state``
    dtypes ``RULES``, ``VIEW`` (what the seat to move may know; its field ``seat`` is −1 once the match is over) and
    ``STATE`` (everything; holds a ``view``, a ``tally`` and a ``seat_tally``), what they count (``EVENTS``,
    ``SEAT_EVENTS``, ``TALLY_SIZE``, ``SEAT_TALLY_SIZE``; there need be nothing), by what they tell matches apart
    (``LABELS``), whether equal scores share the win (``SHARED_WINS``), ``RULES_VERSION``.
``engine``
    jitted ``start, apply, is_legal, count_moves, nth_move, observe, redeal, result, label``; ``WIN``, the parts into which
    ``result`` divides the win; and, where more chance comes after the first deal, ``reshuffle(state, rules, stream)``: draws
    anew from the stream all that chance has still to bring, and leaves alone what has been dealt or shown. Without it what
    comes later counts as part of the deal.
``text``
    moves and positions as text, for scenarios, replays and people: ``verbs, parse_move, move_of, move_text,
    canonical_move, why_not, inspect, describe, opening, narrate, set_position``, and ``EXPECT``, what a scenario may expect
    beside what every game has; ``canonical_cards`` where that is cards, ``label_text`` where there are labels.
``switches``
    optional: ``SWITCHES``, the rules that can be switched off or on by themselves (`sim.switches`).
``holdings``
    optional, for what cards are worth: ``CARDS``, the names of the kinds of cards; ``pack(rules)``, how many there are of each; jitted
    ``hand``, who has which; of deals with two cards exchanged ``shared, undealt, swap, draw``; where cards are captured
    ``captured``, and what is printed on them, ``printed(rules)``. What is behind either of the last two semicolons may be missing.
``drafts/``
    the drafts that ship.
``strategies/``
    of a game from outside: its bots, a file a family. Those of the lab's own games are in ``strategies/GAME``.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import UserError, check_name, unknown

_HERE = Path(__file__).resolve().parent
_added: dict[str, str] = {}


@dataclass(frozen=True)
class Game:
    """One game; its modules are imported when first used."""

    name: str
    package: str
    strategies: str
    """Package of the bots, by its dotted name; there need be none."""

    def module(self, name: str) -> ModuleType:
        """Import one module of the game."""
        return importlib.import_module(f"{self.package}.{name}")

    @cached_property
    def options(self) -> Any:
        """The module of option tables."""
        return self.module("options")

    @cached_property
    def state(self) -> Any:
        """The module of record dtypes."""
        return self.module("state")

    @cached_property
    def engine(self) -> Any:
        """The module of the rules; importing it imports numba."""
        return self.module("engine")

    @cached_property
    def text(self) -> Any:
        """The module of moves and positions as text."""
        return self.module("text")

    @cached_property
    def switches(self) -> tuple[Any, ...]:
        """The rules that can be switched; none in a game that does not name them."""
        if importlib.util.find_spec(f"{self.package}.switches") is None:
            return ()
        return tuple(self.module("switches").SWITCHES)

    @cached_property
    def holdings(self) -> Any:
        """The module of who holds which cards, or None."""
        there = importlib.util.find_spec(f"{self.package}.holdings") is not None
        return self.module("holdings") if there else None

    @property
    def folder(self) -> Path:
        """The folder of the game's package."""
        spec = importlib.util.find_spec(self.package)
        assert spec is not None
        assert spec.origin is not None
        return Path(spec.origin).parent

    @property
    def drafts(self) -> Path:
        """The folder of the drafts that ship."""
        return self.folder / "drafts"


def add(name: str, package: str) -> None:
    """Make a game outside the lab known by the dotted name of its package.

    Raises
    ------
    UserError
        If there is another game of the name, it cannot be written as GAME/DRAFT, or there is no such package.
    """
    check_name("game", name)
    if name in names() and _added.get(name) != package:
        raise UserError(f"there is a game {name!r} already: choose another name")
    if not _is_package(package):
        raise UserError(f"game {name!r}: there is no package {package!r} where Python looks for modules")
    _added[name] = package
    find.cache_clear()


def _is_package(name: str) -> bool:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # what it is said to be in
        return False
    return spec is not None and spec.origin is not None


def remove(name: str) -> None:
    """Forget a game that was added."""
    del _added[name]
    find.cache_clear()


def names() -> list[str]:
    """List the known games."""
    found = [path.parent.name for path in _HERE.glob("*/options.py")]
    return sorted({*found, *_added})


@cache
def find(name: str, where: str = "") -> Game:
    """Return a game by name.

    Raises
    ------
    UserError
        For an unknown name, listing those known.
    """
    if name in _added:
        return Game(name, _added[name], f"{_added[name]}.strategies")
    if name not in names():
        raise unknown("game", name, names(), where)
    return Game(name, f"sim.{name}", f"strategies.{name}")


def per_game(function: Callable[..., Any]) -> Any:
    """Keep what a function returns by the engine of the game that its first argument names, not by the name.

    Another game may come to have the name (`remove`, `add`). Like `functools.cache` it can be emptied: ``cache_clear()``.
    """

    @cache
    def kept(engine: ModuleType, *arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    @wraps(function)
    def of_game(game: str, *arguments: Any, **named: Any) -> Any:
        return kept(find(game).engine, game, *arguments, **named)

    of_game.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
    return of_game
