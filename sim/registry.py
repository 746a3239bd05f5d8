"""The games: found by folder, or added from outside by the name of their package.

A game is a package with these modules (``sim/uplink`` is the model):

``options``
    ``Options``: a pydantic model of the draft's tables, with ``.record()``, the rules record for the
    engine, and ``.counted_games``, by which a match's wins, scores and events are divided; ``rows()``: the lines of ``tefuda options``; optionally ``canonical_key(table, key)``.
``state``
    dtypes ``VIEW`` (what the seat to move may know; its field ``seat`` is −1 once the match is over) and
    ``STATE`` (everything; holds a ``view``, a ``tally`` and a ``seat_tally``), what they count (``EVENTS``,
    ``SEAT_EVENTS``, ``TALLY_SIZE``, ``SEAT_TALLY_SIZE``), by what they tell matches apart (``LABELS``), whether equal scores share the win (``SHARED_WINS``),
    ``RULES_VERSION``.
``engine``
    jitted ``start, apply, is_legal, count_moves, nth_move, observe, redeal, result, label``.
``text``
    moves and positions as text, for scenarios, replays and people; ``label_text`` where there are labels.
``drafts/``
    the drafts that ship.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import unknown

_HERE = Path(__file__).resolve().parent
_added: dict[str, str] = {}


@dataclass(frozen=True)
class Game:
    """One game; its modules are imported when first used."""

    name: str
    package: str

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
    """Make a game outside the lab known by the dotted name of its package."""
    _added[name] = package
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
        return Game(name, _added[name])
    if name not in names():
        raise unknown("game", name, names(), where)
    return Game(name, f"sim.{name}")
