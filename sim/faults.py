"""What is said of a bot that cannot be compiled, fails, or answers what is no move: which, where, and what is allowed."""

from __future__ import annotations

import contextlib
import dis
import io
import linecache
import re
import signal
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import registry, user_code
from sim.errors import nearest

if TYPE_CHECKING:
    from sim.bots import Bot

_MOVES_SHOWN = 6
_LONGEST = 240
"""Characters of a reason."""


class NotAMove(TypeError):
    """A bot answered something that is no whole number."""


# ---- while it plays -------------------------------------------------------------------------------------


def failure(error: BaseException, bot: Bot, view: Any, rules: Any, me: Any) -> str | None:
    """Say how a bot failed, if it was the bot and not what called it.

    Compiled code does not tell where it failed, so such a bot is asked the same once more as plain Python.

    Parameters
    ----------
    error : BaseException
        What came out of the match loop.
    bot : Bot
        The bot of the seat to move.
    view, rules, me : records
        What it was asked with.

    Returns
    -------
    str or None
        As "failed at my_bots.py:12: IndexError: …".
    """
    if isinstance(error, NotAMove):
        place, moves = user_code.place_of(bot.decide), legal_moves(bot.game, view, rules)
        return f"{error} ({place}); legal: {moves}"
    where = position(error, bot.decide)
    if where is not None:
        if isinstance(error, KeyboardInterrupt) and not _raised_it(error):
            return None
        return f"failed at {where}: {reason_of(error)}"
    if not bot.jitted or isinstance(error, KeyboardInterrupt):
        return None
    again = _asked_again(bot, view, rules, me)
    where = None if again is None else position(again, bot.decide)
    if again is None or where is None or not _same_kind(again, error):
        return None
    return f"failed at {where}: {reason_of(error if isinstance(error, ZeroDivisionError) else again)}"


def position(error: BaseException, function: Any = None) -> str | None:
    """Return where in a user's code an error arose, with the line itself; None if it was elsewhere.

    Parameters
    ----------
    error : BaseException
    function : callable, optional
        Only what it was doing counts.
    """
    frames = list(_frames(error.__traceback__))
    if function is not None:
        code = user_code.python_of(function).__code__
        start = next((n for n, frame in enumerate(frames) if frame.tb_frame.f_code is code), len(frames))
        frames = frames[start:]
    inside = [frame for frame in frames if user_code.is_users_file(frame.tb_frame.f_code.co_filename)]
    if function is not None:
        inside = inside or frames  # of one of the lab's own
    if not inside:
        return None
    last = inside[-1]
    name = last.tb_frame.f_code.co_filename
    linecache.checkcache(name)
    line = linecache.getline(name, last.tb_lineno).strip()
    return user_code.place(name, last.tb_lineno) + (f" ({line})" if line else "")


def position_of_prepare(bot: Bot, rules: Any) -> str | None:
    """Return where the compiled prepare() of a bot fails, which is called once more as plain Python; None if it does not."""
    from sim.bots import MAX_PARAMETERS

    assert bot.prepare is not None
    params = np.zeros(MAX_PARAMETERS)
    params[: len(bot.params)] = bot.params
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            user_code.as_python(bot.prepare)(rules.copy(), params)
    except BaseException as error:  # noqa: BLE001 - whatever a stranger's function raises
        return position(error, bot.prepare)
    return None


def reason_of(error: BaseException) -> str:
    """Return the kind of an error and what it says, on one line."""
    text = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def legal_moves(game: str, view: Any, rules: Any) -> str:
    """List the legal moves of a view for people, with their numbers; the first few where there are many."""
    found = registry.find(game)
    count = int(found.engine.count_moves(view, rules))
    moves = [int(found.engine.nth_move(view, rules, number)) for number in range(min(count, _MOVES_SHOWN))]
    texts = [f"{move} ({found.text.move_text(view, move)})" for move in moves]
    more = f" and {count - len(moves):,} more" if count > len(moves) else ""
    return f"{', '.join(texts)}{more}"


def _frames(traceback: TracebackType | None) -> Any:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _raised_it(error: KeyboardInterrupt) -> bool:
    """Tell whether it was raised by a statement, or where no Ctrl-C can raise it."""
    if threading.current_thread() is not threading.main_thread():
        return True
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return True
    *_, last = _frames(error.__traceback__)
    return dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def _asked_again(bot: Bot, view: Any, rules: Any, me: Any) -> BaseException | None:
    """Ask a bot as plain Python; return what it raises, if it does."""
    quiet = contextlib.redirect_stdout(io.StringIO())
    try:
        with quiet, np.errstate(all="ignore", divide="raise", invalid="raise"):
            user_code.as_python(bot.decide)(view.copy(), rules.copy(), me.copy())
    except BaseException as error:  # noqa: BLE001 - whatever a stranger's function raises
        return error
    return None


def _same_kind(again: BaseException, error: BaseException) -> bool:
    return isinstance(again, type(error)) or (
        isinstance(error, ZeroDivisionError) and isinstance(again, ArithmeticError)
    )


# ---- when it is compiled --------------------------------------------------------------------------------

_TRAIL = ("Failed in", "During", "File", ">>>", "^", "Overload", "With argument", "There are", "- Of")


def not_compiled(error: BaseException, function: Any) -> str:
    """Say in a sentence what numba objects to in a function, and where."""
    text = str(error)
    code = user_code.python_of(function).__code__
    where = _place_told(text) or _place_met(error) or (code.co_filename, code.co_firstlineno)
    return f"{user_code.place(*where)}: {_sentence(error, text)}"


def not_a_number(function: Any, overload: Any) -> str:
    """Say where and what a compiled function returns that is no whole number."""
    from numba import types
    from numba.core import ir

    notes = overload.type_annotation
    code = user_code.python_of(function).__code__
    for block in notes.blocks.values():
        if not isinstance(block.terminator, ir.Return):
            continue
        cast = next(
            (
                step.value.value.name
                for step in block.body
                if isinstance(step, ir.Assign)
                and step.target.name == block.terminator.value.name
                and getattr(step.value, "op", "") == "cast"
            ),
            block.terminator.value.name,
        )
        kind = types.unliteral(notes.typemap[cast])
        if not isinstance(kind, types.Integer):
            place = user_code.place(code.co_filename, block.terminator.loc.line)
            return f"{place}: a move must be a whole number, and this returns {_kind_name(kind)}{_cure(kind)}"
    return f"{user_code.place_of(function)}: a move must be a whole number"


def _kind_name(kind: Any) -> str:
    from numba import types

    names = ((types.Float, "a float"), (types.Boolean, "a truth value"), (types.NoneType, "nothing (None)"))
    return next((name for sort, name in names if isinstance(kind, sort)), _shortened(str(kind)))


def _cure(kind: Any) -> str:
    from numba import types

    return " (// divides whole numbers, int(…) cuts off)" if isinstance(kind, types.Float) else ""


def _place_told(text: str) -> tuple[str, int] | None:
    """Return the innermost place in a user's file that numba's message names."""
    for match in re.finditer(r"(?:at|from) (\S.*?\.py) \((\d+)\)", text):
        if user_code.is_users_file(match[1]):
            return match[1], int(match[2])
    return None


def _place_met(error: BaseException) -> tuple[str, int] | None:
    """Return the place that the innermost function of numba was at that knew of one in a user's file."""
    for frame in reversed(list(_frames(error.__traceback__))):
        for value in frame.tb_frame.f_locals.values():
            loc = getattr(value, "loc", value)
            name, line = getattr(loc, "filename", None), getattr(loc, "line", None)
            if isinstance(name, str) and isinstance(line, int) and user_code.is_users_file(name):
                return name, line
    return None


def _sentence(error: BaseException, text: str) -> str:
    field = re.search(r"Field '(.+?)' was not found in record with fields \((.*?)\)", text)
    if field:
        known = re.findall(r"'(.+?)'", field[2])
        return f"there is no field {field[1]!r}{nearest(field[1], known)} (known: {', '.join(known)})"
    if isinstance(error, KeyError):
        return f"there is no field or key {text}"
    call = re.search(r"No implementation of function .*?>>> (.*?)\n", text, re.DOTALL)
    if call:
        return f"numba has no {_shortened(call[1])}"
    lines = [line.strip() for line in text.splitlines()]
    telling = [line for line in lines if line and not line.startswith(_TRAIL)]
    first = telling[0].partition(". Raised from")[0].rstrip(". ") if telling else type(error).__name__
    return _shortened(first)


def _shortened(text: str) -> str:
    """Return what numba writes of types without the fields of records, and cut where it is long."""
    cuts = 1
    while cuts:  # from the innermost
        text, cuts = re.subn(r"Record\((?:(?!Record\().)*?;\d+;(?:True|False)\)", "record", text)
    text = re.sub(r"Literal\[\w+\]\((.*?)\)|<iv=None>|type\((CPUDispatcher)\(.*?\)\)", r"\1\2", text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
