"""What goes to a terminal, a pipe or a file: lines that are one line each, in characters that its encoding has.

Names, notes and titles come from files that a stranger may have written, and must neither move the cursor nor hide, nor
look like a line of the lab's own. So all that the command line prints goes through `say`, `say_json`, `say_data` or `complain`.
"""

from __future__ import annotations

import codecs
import io
import json
import math
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from sim.errors import UserError


class OutputGone(UserError):
    """Standard output is closed, or cannot be written; without a message if whoever read it has gone, as `head` does."""


_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks, by Unicode, that take no room or look like a space."""

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

_MOST = 4000
"""Characters of an error: a damaged file may hold a name of a million."""

_FALLBACKS = {
    **dict(zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True)),
    **dict.fromkeys("−–—―‐‑‒", "-"),
    **dict.fromkeys("‘’′", "'"),
    **dict.fromkeys("“”″", '"'),
    "±": "+/-", "×": "x", "÷": "/", "⁄": "/", "·": "*", "•": "*", "‖": "||", "√": "sqrt", "∞": "infinity",
    "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "→": "->", "←": "<-", "↔": "<->", "⇒": "=>", "↑": "^",
    "↓": "v", "✓": "yes", "✗": "no", "°": " degrees", "∇": "gradient", "Σ": "sum", "α": "alpha", "β": "beta",
    "θ": "theta", "κ": "kappa", "µ": "u", "μ": "mu", "π": "pi", "ρ": "rho", "σ": "sigma", "φ": "phi",
    "Φ": "Phi", "χ": "chi",
}  # fmt: skip
"""In ASCII what our own texts use, for encodings that lack it."""


def _is_harmless(char: str) -> bool:
    """Tell whether a character shows as what it is: no control, nothing that turns the reading order, no line end."""
    return (char.isprintable() or unicodedata.category(char) == "Zs") and char not in _INVISIBLE


def escaped(char: str) -> str:
    """Return a character as an escape that TOML reads, and JSON below U+10000."""
    number = ord(char)
    return _SHORT.get(char) or (f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}")


def printable(text: str) -> str:
    """Return a text as one line: controls, line ends and whatever else does not show as itself escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_harmless(char) else escaped(char) for char in text)


def say(lines: Iterable[str]) -> None:
    """Print lines to standard output, each as one line whatever is in it."""
    _write("".join(f"{printable(line)}\n" for line in lines))


def say_data(text: str, escape: Callable[[str], str] = escaped) -> None:
    """Print TOML or JSON to standard output so that it reads back the same from a file, in any encoding.

    Parameters
    ----------
    text : str
        With line ends as its only controls that are not escaped.
    escape : callable
        Returns a character as it is escaped within a string.
    """
    utf = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name == "utf-8"
    _write(
        "".join(
            char if char == "\n" or (_is_harmless(char) and (utf or char.isascii())) else escape(char)
            for char in text
        )
    )


def say_json(data: Any) -> None:
    """Print JSON to standard output; null for what is no number, which JSON does not know."""
    text = json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False)
    say_data(f"{text}\n", lambda char: json.dumps(char)[1:-1])


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def complain(message: str) -> None:
    """Print a line to standard error, after the name of the program; without an error if nobody reads it."""
    line = re.sub(r"\s+", " ", message.strip(), flags=re.ASCII)
    line = line if len(line) <= _MOST else f"{line[:_MOST]} ... ({len(line) - _MOST:,} characters more)"
    try:
        if sys.stderr is not None:
            sys.stderr.write(f"tefuda: {printable(line)}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        silence(2)


def _write(text: str) -> None:
    """Write to standard output.

    Raises
    ------
    OutputGone
        If it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        silence(1)
        is_pipe = isinstance(error, BrokenPipeError)
        raise OutputGone("" if is_pipe else f"the output cannot be written ({error.strerror})") from None


def silence(number: int) -> None:
    """Turn standard output (1) or error (2) away to nowhere: what is left to be written would only fail again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def prepare() -> None:
    """Let standard output and error write what their encodings lack in ASCII; see that no file takes the place of one.

    Raises
    ------
    OutputGone
        If standard output is closed.
    """
    codecs.register_error("tefuda", _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tefuda")
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
    if sys.stdout is None:
        raise OutputGone("the output cannot be written (standard output is closed)")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what is written for characters that an encoding lacks (`codecs.register_error`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_fallback, error.object[error.start : error.end])), error.end


def _fallback(char: str) -> str:
    """Return a character in ASCII: its usual stand-in, the letter without its marks, or an escape."""
    if char in _FALLBACKS:
        return _FALLBACKS[char]
    parts = unicodedata.normalize("NFKD", char)
    plain = "".join(_FALLBACKS.get(part, part) for part in parts if not unicodedata.combining(part))
    return plain if plain and plain.isascii() else escaped(char)
