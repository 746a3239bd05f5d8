"""Arguments given in Python: what can be meant is taken, and for the rest there is a sentence."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from experiments import threads as all_threads
from sim import drafts as all_drafts
from sim.drafts import Draft
from sim.errors import UserError


def wrong(name: str, given: Any, allowed: str) -> UserError:
    """Build the error for an argument that is not of a kind that is allowed."""
    return UserError(f"{name} = {reprlib.repr(given)}: must be {allowed}")


def draft(given: Any, *, name: str = "draft") -> Draft:
    """Return a draft, given as such, by ``GAME/NAME`` or by the path of its file.

    Raises
    ------
    UserError
        If there is none such, with the nearest that there is.
    """
    if isinstance(given, Draft):
        return given
    if isinstance(given, str | Path):
        return all_drafts.load(str(given))
    raise wrong(name, given, "a draft, such as 'uplink/v1.1' or drafts.load('mine.toml')")


def drafts(given: Any, *, name: str = "drafts") -> list[Draft]:
    """Return one draft or several, see `draft`.

    Raises
    ------
    UserError
        If there is none, or one is unknown.
    """
    if isinstance(given, str | Path | Draft):
        given = [given]
    # A mapping would be taken by its keys.
    if not isinstance(given, Iterable) or isinstance(given, bytes | dict):
        raise wrong(name, given, "a list of drafts, such as ['uplink/v1.1', 'mine.toml']")
    loaded = [draft(item, name=f"{name}[{number}]") for number, item in enumerate(given)]
    if not loaded:
        raise wrong(name, [], "at least one draft, such as ['uplink/v1.1']")
    return loaded


def lineup(given: Any, *, name: str = "lineup") -> str | None:
    """Return a line-up as text, given as such or as a list of the names of bots; None stays None.

    Raises
    ------
    UserError
        If it is something else. Whether there are such bots shows when they are looked for.
    """
    if given is None or isinstance(given, str):
        return given
    names = list(given) if isinstance(given, list | tuple) else []
    if not names or not all(isinstance(bot, str) for bot in names):
        raise wrong(name, given, "names of bots with commas between them, such as 'heuristic,greedy,greedy'")
    return ",".join(names)


def whole(given: Any, *, name: str, least: int = 0, most: int | None = None) -> int:
    """Return a whole number within bounds.

    Raises
    ------
    UserError
        If it is none: 1000.0 is not, nor is True.
    """
    try:
        if isinstance(given, bool):
            raise TypeError
        number = operator.index(given)
    except TypeError:
        raise wrong(name, given, "a whole number, such as 1000") from None
    if number < least or (most is not None and number > most):
        raise wrong(name, given, f"{least:,} or more" if most is None else f"from {least:,} to {most:,}")
    return number


def path(given: Any, name: str) -> Path:
    """Return a path, given as such or as text.

    Raises
    ------
    UserError
        If it is something else.
    """
    if not isinstance(given, str | Path):
        raise wrong(name, given, "a path, such as 'my_bots.py'")
    return Path(given)


def flag(given: Any, *, name: str = "flag") -> bool:
    """Return True or False.

    Raises
    ------
    UserError
        If it is something else.
    """
    if not isinstance(given, bool):
        raise wrong(name, given, "True or False")
    return given


def threads(given: Any) -> int:
    """Return a number of threads, of None as many as there is room for.

    Raises
    ------
    UserError
        If it is no number of 1 or more.
    """
    return all_threads() if given is None else whole(given, name="threads", least=1)
