"""Which bots there are: those in the package that the game names, and those of a user's own file."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import math
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim import faults, user_code
from sim import registry as games
from sim.bots import MAX_PARAMETERS, Bot
from sim.errors import UserError, check_name, nearest, unknown
from strategies import kinds, styles, vetting

DEFAULTS = ("heuristic", "random")
"""The bot in every seat unless a line-up is given: the first of these that the game has."""

_bots: dict[tuple[str, str], Bot] = {}
"""By the package of a game's bots and their names: another game may come to have the name of one that was removed."""

_loaded: set[str] = set()
"""Packages whose bots have been found."""

_files: dict[str, bytes] = {}
"""Users' files that have been run, and what was in them."""


def strategy(
    game: str,
    name: str,
    *,
    jit: bool = True,
    parameters: dict[str, float] | None = None,
    prepare: Callable[[Any, Any], None] | None = None,
    cheats: bool = False,
    unchecked: bool = False,
    summary: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register ``decide(view, rules, me)`` as a bot (see `sim.bots` for the contract).

    Parameters
    ----------
    game : str
        Name of the game, such as ``"uplink"``.
    name : str
        Name on the command line: letters, digits, ``-`` and ``_``.
    jit : bool
        False for a bot that numba cannot compile; it then runs as plain Python, slowly.
    parameters : dict, optional
        Names and defaults of what can be set as ``name:parameter=value``; the bot reads them in this
        order from ``me["params"]``.
    prepare : callable, optional
        ``prepare(rules, params)``, called once for a draft: writes into the parameters behind the named ones.
    cheats : bool
        It is shown every card (the lab's own `clairvoyant` only).
    unchecked : bool
        True to compile it without checks of indices: somewhat faster, but a wrong index writes anywhere or ends the process.
    summary : str
        How it plays, in a line; that of the function's docstring if it is not given.
    """
    package = games.find(game).strategies
    check_name("bot", name)
    defaults = tuple((parameters or {}).items())
    if len(defaults) > MAX_PARAMETERS:
        raise UserError(f"bot {name!r}: {len(defaults)} parameters, at most {MAX_PARAMETERS}")

    def register(decide: Callable[..., Any]) -> Callable[..., Any]:
        before = _bots.get((package, name))
        if before is not None and before.decide.__module__ != decide.__module__:
            raise UserError(f"there is a bot {name!r} for {game} already: choose another name")
        if not hasattr(decide, "__name__") or not _takes_three(decide):
            raise UserError(
                f"{user_code.place_of(decide)}: bot {name!r}: must be a function of three, decide(view, rules, me)"
            )
        lines = (summary or decide.__doc__ or "").strip().splitlines() or [""]
        params = tuple(float(value) for _, value in defaults)
        _bots[package, name] = Bot(
            name, game, decide, params, lines[0].rstrip("."), jit, defaults, prepare, cheats, unchecked
        )
        return decide

    return register


def _takes_three(decide: Callable[..., Any]) -> bool:
    try:
        inspect.signature(decide).bind(None, None, None)
    except TypeError:
        return False
    return True


def _load(game: str) -> None:
    package = games.find(game).strategies
    if package in _loaded:
        return
    _loaded.add(package)
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        return
    for module in pkgutil.iter_modules(spec.submodule_search_locations):
        importlib.import_module(f"{package}.{module.name}")


def known(game: str) -> list[Bot]:
    """List the bots of a game by name."""
    _load(game)
    package = games.find(game).strategies
    return [_bots[key] for key in sorted(_bots) if key[0] == package]


def find(game: str, text: str) -> Bot:
    """Return a bot by ``name`` or ``name:setting:…``.

    A name that ends in ``.toml`` is the path of a file of weights (`strategies.weights`). A setting is
    ``parameter=value``, a style (`strategies.styles`), or a number, the value of the first parameter. The value of
    ``never`` is the name of a kind of moves (`strategies.kinds`).

    Raises
    ------
    UserError
        For an unknown bot or parameter, with the nearest known one.
    """
    _load(game)
    name, *settings = text.strip().split(":")
    if name.endswith(".toml"):
        from strategies import weights  # which registers players, so it is imported here

        bot = weights.bot_of(Path(name), game)
    elif (games.find(game).strategies, name) in _bots:
        bot = _bots[games.find(game).strategies, name]
    else:
        raise unknown("bot", name, [bot.name for bot in known(game)], game)
    vetting.check(bot)
    values = dict(bot.parameters)
    for setting in settings:
        _set(bot, text, values, setting)
    params = tuple(float(value) for value in values.values())
    return replace(bot, name=text.strip(), params=params)


def _set(bot: Bot, text: str, values: dict[str, float], setting: str) -> None:
    """Change the values of a bot's parameters as one setting says."""
    key, equals, value = setting.partition("=")
    known_styles = [name for name, style in styles.NAMES.items() if style.keys() <= values.keys()]
    if not equals and setting in known_styles:
        values.update(styles.NAMES[setting])
        return
    if not equals and values and not set(setting) - set("0123456789.e+-"):
        key, equals, value = next(iter(values)), "=", setting
    if not equals:
        hint = nearest(setting, known_styles)
        listing = f" or a style ({', '.join(known_styles)})" if known_styles else ""
        raise UserError(f"bot {text!r}: {setting!r} must be PARAMETER=VALUE{listing}{hint}")
    if key not in values:
        listing = ", ".join(values) or "none"
        raise UserError(f"bot {text!r}: unknown parameter {key!r}{nearest(key, values)} (known: {listing})")
    styled = list(values)[: styles.COUNT] == list(styles.PARAMETERS)
    if key == kinds.PARAMETER and (styled or next(iter(values)) == "iterations"):
        values[key] = kinds.number_of(bot.game, value, f"bot {text!r}: {key}")
        return
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UserError(f"bot {text!r}: {key} = {value!r} must be a number")
    low, high = styles.RANGES.get(key, (-math.inf, math.inf)) if styled else (-math.inf, math.inf)
    if not low <= number <= high:
        raise UserError(f"bot {text!r}: {key} = {value}: must be from {low:g} to {high:g}")
    values[key] = number


def default(game: str) -> str:
    """Return the name of the bot in every seat unless a line-up is given.

    Raises
    ------
    UserError
        If the game has no bots.
    """
    names = [bot.name for bot in known(game)]
    if not names:
        raise UserError(f"{game} has no bots: bring some with --bots")
    return next((name for name in DEFAULTS if name in names), names[0])


def lineup(game: str, players: int, text: str | None = None) -> list[Bot]:
    """Return the bots of a line-up ``a,b,c,d``; the default bot in every seat if there is none.

    Raises
    ------
    UserError
        If a bot is unknown or there is not one for each player. One name alone fills every seat.
    """
    if text is not None and not text.strip():
        raise UserError(f"--lineup {text!r}: name a bot, or one for each player")
    names = (text or default(game)).split(",")
    if len(names) == 1:
        names = names * players
    if len(names) != players:
        raise UserError(
            f"--lineup {text}: {len(names)} bots for {players} players: name one, or one for each"
        )
    return [find(game, name) for name in names]


def load_file(path: Path) -> None:
    """Run a user's Python file, unless it has been and is as it was, so that its games and bots can be named.

    What lies beside it, such as the package of a game, can be imported from then on.

    Raises
    ------
    UserError
        If there is no such file, it fails, or it registers neither a bot nor a game.
    """
    if not path.is_file():
        raise UserError(f"--bots {path}: no such file")
    # By the whole path: two files of the same name must not replace each other's bots unseen.
    label = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"--bots {path}: cannot be read ({error.strerror})") from None
    if _files.get(label) == content:
        return
    before = dict(_bots), games.names()
    spec = importlib.util.spec_from_file_location(f"tefuda_bots_{label}", path)
    if spec is None or spec.loader is None:
        raise UserError(f"--bots {path}: must be a Python file (.py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    beside = str(path.resolve().parent)
    if beside not in sys.path:
        sys.path.append(beside)  # last, so that it hides nothing
    try:
        with contextlib.redirect_stdout(sys.stderr):  # results alone go to the output
            spec.loader.exec_module(module)
    except UserError as error:
        raise UserError(f"--bots {path}: {error}") from None
    except (Exception, SystemExit) as error:
        where = faults.position(error) or str(path)
        raise UserError(f"--bots {where}: {faults.reason_of(error)}") from error
    if (_bots, games.names()) == before:
        raise UserError(
            f"--bots {path}: registers no bot (decorate one with @strategy(game, name)) and no game"
        )
    for key, bot in list(_bots.items()):
        if before[0].get(key) != bot:
            vetting.check(bot)
    _files[label] = content
