"""Players trained for a draft: weights found by play, kept as small TOML files, and the player `adapted`.

A file holds the draft it was trained for in full, so it is found for a draft by its rules, whatever that is called;
where none fits, the nearest is taken, with a notice. An option that is newer than the file has its default.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim import drafts
from sim import registry as games
from sim.bots import Bot, draft_named
from sim.errors import UserError, check_keys, unknown
from sim.options import shown
from strategies import styles
from strategies.registry import known, strategy

NAME = "adapted"
"""The player trained for the draft at hand."""

BEGINNING = "heuristic"
"""The player as which a training begins."""

FORMAT = 1
"""Of the files."""

MOST = 1000.0
"""Of a weight, up or down: a hundred times what training comes to; with far larger ones players miss every move."""

_KEYS = ("format", "game", "name", "training", "score", "weights", "draft")

_SHOWN = 40
"""Characters of a wrong value in a message."""


class OtherDraft(UserWarning):
    """Weights of another draft are used."""


@dataclass(frozen=True)
class Weights:
    """A trained player.

    Attributes
    ----------
    name : str
        The draft it was trained for.
    rules : RULES record
        The rules of that draft.
    values : dict
        Weight → value.
    """

    name: str
    rules: Any
    values: dict[str, float]


@dataclass(frozen=True)
class Trainable:
    """The player of a game whose weights can be trained.

    Attributes
    ----------
    game : str
    decide : callable
        Its parameters are those of `strategies.styles`, then the weights.
    prepare : callable or None
        See `sim.bots.Bot`.
    start : dict
        Weight → value to begin with: that of the game's `heuristic`.
    steps : dict
        Weight → how far a first try may reasonably be from there.
    unseen : tuple of str
        Fields of the rules record that no decision of the player depends on: drafts that differ in these are the same to it.
    """

    game: str
    decide: Callable[..., Any]
    prepare: Callable[[Any, Any], None] | None
    start: dict[str, float]
    steps: dict[str, float]
    unseen: tuple[str, ...] = ()

    def bot(self, values: dict[str, float], name: str) -> Bot:
        """Return the player with these weights."""
        parameters = {**styles.PARAMETERS, **values}
        params = tuple(parameters.values())
        return Bot(
            name, self.game, self.decide, params, parameters=tuple(parameters.items()), prepare=self.prepare
        )


_STEP = 0.4
_LEAST_STEP = 0.1


def steps(start: dict[str, float], **others: float) -> dict[str, float]:
    """Return how far to try each weight: a part of its size, or what is named."""
    return {name: others.get(name, max(_LEAST_STEP, _STEP * abs(value))) for name, value in start.items()}


_trainable: dict[str, Trainable] = {}


def trainable(game: str) -> Trainable:
    """Return what can be trained for a game.

    Raises
    ------
    UserError
        If the game has no such player.
    """
    known(game)
    if games.find(game).strategies not in _trainable:
        raise UserError(
            f"{game} has no player that can be trained: no bot of it gives `strategies.weights` one"
        )
    return _trainable[games.find(game).strategies]


# ---- files ----------------------------------------------------------------------------------------------


def folder(game: str) -> Path:
    """Return where the weights of a game ship."""
    spec = importlib.util.find_spec(games.find(game).strategies)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(next(iter(spec.submodule_search_locations))) / "weights"


def read(path: Path) -> tuple[str, Weights]:
    """Read a file of weights, which may come from a stranger.

    Returns
    -------
    game : str
    weights : Weights

    Raises
    ------
    UserError
        If it is none, or does not name just the weights that the game's player has.
    """
    data = drafts.read_toml(path)
    check_keys(data, _KEYS, str(path))
    form = data.get("format")
    if type(form) is not int or form != FORMAT:
        raise UserError(f"{path}: format = {_short(form)}: must be {FORMAT}, for a file of weights")
    game = data.get("game")
    if not isinstance(game, str):
        raise UserError(f"{path}: game is missing")
    start = trainable(game).start
    values = _table(data, "weights", f"must be a table of {', '.join(start)}", path)
    for key in values:
        if key not in start:
            raise unknown("weight", key, start, f"{path}: weights")
    for key in start:
        if key not in values:
            raise UserError(f"{path}: weights.{key} is missing")
        value = values[key]
        # Compared before it is a float: an integer of hundreds of digits is none.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MOST:
            raise UserError(
                f"{path}: weights.{key} = {_short(value)}: must be a number from {-MOST:,.0f} to {MOST:,.0f}"
            )
    tables = _table(data, "draft", "must hold the tables of the draft", path)
    options = drafts.complete(game, tables, f"{path}: draft")
    name = data.get("name", path.stem)
    if not isinstance(name, str):
        raise UserError(f"{path}: name = {_short(name)}: must be a string")
    return game, Weights(name, options.record(), {key: float(values[key]) for key in start})


def _table(data: dict[str, Any], key: str, wanted: str, path: Path) -> dict[str, Any]:
    found = data.get(key)
    if not isinstance(found, dict):
        raise UserError(f"{path}: {key} is missing: {wanted}")
    return found


def _short(value: Any) -> str:
    """Return a stranger's value as it is written in TOML, cut where it is long."""
    text = shown(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


@games.per_game
def shipped(game: str) -> tuple[Weights, ...]:
    """Return the weights that ship for a game."""
    return tuple(read(path)[1] for path in sorted(folder(game).glob("*.toml")))


def bot_of(path: Path, game: str) -> Bot:
    """Return the player with the weights of a file.

    Raises
    ------
    UserError
        If it is no such file, or one of another game.
    """
    of, weights = read(path)
    if of != game:
        raise UserError(f"{path}: weights of a player of {of}, not of {game}")
    return trainable(game).bot(weights.values, str(path))


def file_of(name: str) -> Path | None:
    """Return the file of weights that a bot's name names, if it does."""
    path, _, _ = name.partition(":")
    return Path(path) if path.endswith(".toml") else None


def values_of(bot: Bot) -> dict[str, float]:
    """Return the weights of a bot that was read from a file, whatever its settings."""
    return {key: value for key, value in bot.parameters if key not in styles.PARAMETERS}


# ---- the player -----------------------------------------------------------------------------------------


def distance(rules: Any, other: Any, unseen: tuple[str, ...] = ()) -> int:
    """Return in how many numbers two rules records differ, but for fields that the player does not see."""
    return sum(
        int(np.count_nonzero(np.atleast_1d(rules[key] != other[key])))
        for key in rules.dtype.names
        if key not in unseen
    )


def nearest(game: str, rules: Any) -> tuple[Weights | None, int]:
    """Return the weights that fit rules best and in how many numbers their draft differs; None if none ship."""
    found = shipped(game)
    if not found:
        return None, 0
    unseen = trainable(game).unseen
    best = min(found, key=lambda weights: distance(rules, weights.rules, unseen))
    return best, distance(rules, best.rules, unseen)


def told(game: str, rules: Any, draft: str = "this draft") -> str:
    """Say with which weights `adapted` plays a draft; empty if none ship for the game."""
    found, differs = nearest(game, rules)
    if found is None:
        return ""
    if not differs:
        return f"{NAME} plays with weights trained for {draft}"
    numbers = "number" if differs == 1 else "numbers"
    return (
        f"no player was trained for {draft}: {NAME} plays with the weights of {game}/{found.name}, whose rules differ "
        f"in {differs} {numbers}"
    )


def register(player: Trainable) -> None:
    """Register `adapted` for a game."""
    game = player.game

    def prepare(rules: Any, params: Any) -> None:
        weights, differs = nearest(game, rules)
        if weights is None:
            raise UserError(f"{game} {NAME}: no weights ship for this game; train some (tefuda train)")
        if differs:
            warnings.warn(told(game, rules, draft_named.get()), OtherDraft, stacklevel=2)
        params[styles.COUNT : styles.COUNT + len(player.start)] = list(weights.values.values())
        if player.prepare is not None:
            player.prepare(rules, params)

    _trainable[games.find(game).strategies] = player
    summary = "As heuristic, with weights trained for the draft, or for the nearest that some ship for"
    strategy(game, NAME, parameters=styles.PARAMETERS, prepare=prepare, summary=summary)(player.decide)
