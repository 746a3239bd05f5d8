"""What goes wrong because of input: one clear line each."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager


class UserError(Exception):
    """Bad input. The message is one line: what, where, what is allowed."""


class Interrupted(UserError):
    """Ctrl-C before there was anything to keep."""


class TooMany(UserError):
    """More of a card than there are: each is known, but nobody can hold them all."""


class IllegalMove(UserError):
    """A move that the rules refuse, at this moment or at any."""


@contextmanager
def reading_move(text: str) -> Iterator[None]:
    """Name the move in the errors met while it is read; with too many of a card it is well written, but never legal.

    Raises
    ------
    IllegalMove
        For `TooMany`, and for itself.
    UserError
        For any other.
    """
    try:
        yield
    except UserError as error:
        kind = IllegalMove if isinstance(error, TooMany | IllegalMove) else UserError
        raise kind(f"move {text!r}: {error}") from None


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name closest to `name`, or ``""``.

    Parameters
    ----------
    name : str
        What was written.
    known : iterable of str
        What could have been meant.
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if not close:
        folded = {known_name.casefold(): known_name for known_name in names}
        close = [folded[name.casefold()]] if name.casefold() in folded else []
    return f"; did you mean {close[0]!r}?" if close else ""


def check_keys(table: Mapping[str, object], known: Collection[str], where: str) -> None:
    """Raise `UserError` for a key of a table that is not among those known."""
    for key in table:
        if key not in known:
            raise UserError(f"{where}.{key}: unknown key{nearest(key, known)} (known: {', '.join(known)})")


def check_name(kind: str, name: str) -> None:
    """Raise `UserError` for a name of a bot or a game that could not be written on the command line."""
    if not name.replace("-", "").replace("_", "").isalnum():
        raise UserError(f"{kind} name {name!r}: must be letters, digits, - and _")


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> UserError:
    """Build the error for a name that is not among those known."""
    names = list(known)
    place = f"{where}: " if where else ""
    return UserError(f"{place}unknown {kind} {name!r}{nearest(name, names)} (known: {', '.join(names)})")
