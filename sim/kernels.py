"""What runs the loops of `sim.loop`: compiled or plain Python, the bots they call, and what is said of a fault."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from sim import bots, faults, jit, loop, registry, user_code
from sim.bots import Bot
from sim.errors import UserError
from sim.jit import specialise


class BotFault(UserError):
    """A bot broke the contract: an illegal move, or an exception."""


@registry.per_game
def parts(game: str, *, compiled: bool = True) -> dict[str, Any]:
    """Return what `sim.jit.specialise` sets in a template that plays a game with bots.

    These are the game's ``engine``; `loop.ask` and `loop.play_match` for it, as ``ask_bot`` and ``play_one``; and the
    engine's ``reshuffle``, or `loop.leave_chance` where it has none.

    Parameters
    ----------
    game : str
    compiled : bool
        False for a copy as plain Python, for bots that are.
    """
    engine = registry.find(game).engine
    names: dict[str, Any] = {
        "engine": engine,
        "reshuffle": getattr(engine, "reshuffle", loop.leave_chance),
    }
    if not compiled:
        names |= {"call_bot": _call_python, "address_of": jit.whereabouts}
    names["ask_bot"] = specialise(loop.ask, game, compiled=compiled, inlined=True, **names)
    names["play_one"] = specialise(loop.play_match, game, compiled=compiled, inlined=True, **names)
    return names


@registry.per_game
def kernel(game: str, template: Callable[..., int] = loop.play_matches, *, compiled: bool = True) -> Any:
    """Return a loop over matches of a game, jitted or as plain Python for bots that are; see `parts`."""
    return specialise(template, game, compiled=compiled, **parts(game, compiled=compiled))


_python_bots: dict[int, Callable[..., Any]] = {}
"""By their `id`, which is theirs as long as they are in here."""


def _call_python(target: int, view: Any, rules: Any, me: Any) -> int:
    return _python_bots[target](view, rules, me)


def slots(lineup: list[Bot], rules: Any, draft: str | None = None) -> Any:
    """Return the `PLAYER` records of a line-up, with the addresses that its kernel calls."""
    records = bots.players(lineup, rules, draft)
    if all(bot.jitted for bot in lineup):
        bots.set_addresses(records, lineup)
    else:
        for slot, bot in enumerate(lineup):
            function = bots.compiled(bot)
            _python_bots[id(function)] = function
            records[slot]["address"] = id(function)
    return records


def run(
    loop_over: Callable[[], int],
    state: Any,
    rules: Any,
    fault: Any,
    where: str,
    seated: Callable[[int, int], tuple[Bot, Any]],
) -> None:
    """Run a loop over matches; what bots print meanwhile goes to the standard error, away from results.

    Parameters
    ----------
    loop_over : callable
        Calls a kernel.
    state : STATE record
        The kernel's own.
    rules : RULES record
    fault : int64 array, shape (3,)
        Which it writes.
    where : str
        What is played, up to the number of the match.
    seated : callable
        ``seated(match, seat)``: the bot that sits there and its `PLAYER` record.

    Raises
    ------
    BotFault
        If a bot breaks the contract: whatever it raises, also what would else end the process.
    """
    try:
        with _printed_apart():
            code = loop_over()
    except BaseException as error:
        match, seat = int(fault[0]), int(state["view"]["seat"])
        bot, me = seated(match, seat)
        told = faults.failure(error, bot, state["view"], rules, me)
        if told is not None:
            raise BotFault(f"{where} {match}: bot {bot.name!r} in seat {seat} {told}") from error
        if isinstance(error, UserError | MemoryError) or not isinstance(error, Exception):
            raise
        raise BotFault(
            f"{where} {match}: bot {bot.name!r} in seat {seat} ({user_code.place_of(bot.decide)}), or the engine, failed "
            f"({faults.reason_of(error)})"
        ) from error
    if code != loop.FAULT_FREE:
        match, seat, move = (int(value) for value in fault)
        bot, _ = seated(match, seat)
        raise BotFault(
            f"{where} {match}: bot {bot.name!r} in seat {seat} answered {move}, which is not a legal move "
            f"({user_code.place_of(bot.decide)}); legal: {faults.legal_moves(bot.game, state['view'], rules)}"
        )


_printing = threading.Lock()
_loops = 0
_output: Any = None


@contextlib.contextmanager
def _printed_apart() -> Iterator[None]:
    """Send what is printed to the standard error until the last of the threads in here has left."""
    global _loops, _output
    with _printing:
        if _loops == 0:
            _output, sys.stdout = sys.stdout, sys.stderr
        _loops += 1
    try:
        yield
    finally:
        with _printing:
            _loops -= 1
            if _loops == 0:
                sys.stdout = _output
