"""What a bot is to the engines: a ``decide(view, rules, me)`` behind a pointer, with its own stream.

The contract, for every game and every bot:

``decide(view, rules, me) -> move``
    ``view`` is what the seat to move may know (the game's ``VIEW``), ``rules`` the draft (the game's
    ``RULES``), ``me`` the bot's own record (`PLAYER`): its stream of randomness and its parameters. It
    returns one legal move and changes nothing but ``me["stream"]``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim import faults, registry, user_code
from sim.errors import UserError
from sim.jit import DISABLED, address, is_covered, is_integer, is_ours, jit, record
from sim.rng import STREAM

MAX_PARAMETERS = 192

_LONGEST = 60
"""Characters of a wrong answer in a message."""

PLAYER = np.dtype(
    [
        ("stream", STREAM),  # the seat's own randomness in this match
        ("params", "f8", MAX_PARAMETERS),
        ("address", "i8"),  # where decide() is
        ("bot", "i8"),  # number of the bot among the different bots of the line-up
        ("cheats", "i8"),  # is shown everything
        (
            "table",
            "i8",
        ),  # of a cheat: where the whole STATE is (`sim.jit.record_at`); 0 where it is not shown
        ("trusted", "i8"),  # one of the lab's own, which are tested to change nothing but their stream
    ],
    align=True,
)
"""What a bot has of its own."""


@dataclass(frozen=True)
class Bot:
    """One player of a line-up.

    Attributes
    ----------
    name : str
        As on the command line.
    game : str
        The game it plays.
    decide : callable
        The plain Python function.
    params : tuple of float
        Values of its parameters, in the order of its `parameters`.
    summary : str
        How it plays, in a line.
    jitted : bool
        False for a bot that stays plain Python; a match with one runs slowly.
    parameters : tuple of (str, float)
        Names and defaults of its parameters.
    prepare : callable, optional
        ``prepare(rules, params)``: writes what it reckons with from the draft behind its parameters, once.
    cheats : bool
        It sees every card and all chance to come: a yardstick, no player. Only the lab's own bots can.
    unchecked : bool
        Compiled without checks of indices, if it is from outside the lab (see `sim.jit.jit`).
    """

    name: str
    game: str
    decide: Callable[..., Any] = field(repr=False)
    params: tuple[float, ...] = ()
    summary: str = ""
    jitted: bool = True
    parameters: tuple[tuple[str, float], ...] = ()
    prepare: Callable[[Any, Any], None] | None = field(default=None, repr=False)
    cheats: bool = False
    unchecked: bool = False


_compiled: dict[tuple[Any, ...], Any] = {}


def signature(game: str) -> Any:
    """Return numba's signature of a game's decide()."""
    from numba import int64

    state = registry.find(game).state
    return int64(record(state.VIEW), record(state.RULES), record(PLAYER))


def compiled(bot: Bot) -> Any:
    """Return the bot's function as the engines call it, compiled at the first need.

    In plain Python it raises `sim.faults.NotAMove` for what is no whole number.

    Raises
    ------
    UserError
        If numba cannot compile it, or it does not return whole numbers.
    """
    jitted = bot.jitted and not DISABLED
    key = (bot.game, bot.decide, jitted, bot.unchecked)
    if key not in _compiled:
        _compiled[key] = _compile(bot) if jitted else _answering(bot.decide)
    return _compiled[key]


def _answering(decide: Callable[..., Any]) -> Callable[..., int]:
    def answer(view: Any, rules: Any, me: Any) -> int:
        move = decide(view, rules, me)
        if isinstance(move, bool) or not isinstance(move, (int, np.integer)):
            raise faults.NotAMove(
                f"answered {str(move)[:_LONGEST]} ({type(move).__name__}): a move must be a whole number"
            )
        if not -(2**63) <= move < 2**63:
            raise faults.NotAMove("answered a number of more than 64 bits")
        return int(move)

    return answer


def _compile(bot: Bot) -> Any:
    wanted = signature(bot.game)
    if is_covered(bot.decide):
        return jit(bot.decide, signature=wanted)
    try:
        if not bot.unchecked:
            _check_indices(bot, bot.decide)
        # Without the type of what it returns, which numba would else cut to a whole number.
        function = jit(bot.decide, signature=wanted.args, unchecked=bot.unchecked)
        (overload,) = function.overloads.values()
        if overload.signature.return_type == wanted.return_type:
            return function
        if is_integer(overload.signature.return_type):
            return jit(bot.decide, signature=wanted, unchecked=bot.unchecked)
    except UserError:
        raise
    except Exception as error:  # whatever a stranger's function makes numba stumble over
        raise UserError(
            f"bot {bot.name!r} cannot be compiled: {faults.not_compiled(error, bot.decide)}; mend it, or register it "
            "with jit=False"
        ) from error
    raise UserError(f"bot {bot.name!r} cannot be compiled: {faults.not_a_number(bot.decide, overload)}")


def _check_indices(bot: Bot, function: Any) -> None:
    """Have numba check the indices of the functions that one of a bot's calls and that a user compiled with numba himself."""
    for helper in user_code.reached(function):
        options = getattr(helper, "targetoptions", {"boundscheck": False})
        if options.get("boundscheck") is not None:
            continue
        if helper.stats.cache_path is not None:
            raise UserError(
                f"bot {bot.name!r}: {user_code.place_of(helper)}: code that numba keeps (cache=True) may lack the checks "
                "of indices: decorate with jit of sim.jit, or register the bot with unchecked=True"
            )
        options["boundscheck"] = True
        if helper.overloads:
            helper.recompile()


draft_named: ContextVar[str] = ContextVar("draft_named", default="this draft")
"""What the draft is called that bots are prepared for, for what is to be said of it."""


def players(lineup: list[Bot], rules: Any, draft: str | None = None) -> Any:
    """Return the `PLAYER` records of a line-up for a draft, one a slot; slots with equal bots share a bot number.

    Parameters
    ----------
    lineup : list of Bot
    rules : RULES record
    draft : str, optional
        What the draft is called, see `draft_named`.
    """
    if draft is not None:
        named = draft_named.set(draft)
        try:
            return players(lineup, rules)
        finally:
            draft_named.reset(named)
    records = np.zeros(len(lineup), PLAYER)
    names = distinct(lineup)
    for slot, bot in enumerate(lineup):
        records[slot]["params"][: len(bot.params)] = bot.params
        if bot.prepare is not None:
            _prepare(bot, rules, records[slot]["params"])
        records[slot]["bot"] = names.index(bot.name)
        records[slot]["trusted"] = bot.jitted and is_covered(bot.decide)
        records[slot]["cheats"] = bot.cheats and is_ours(bot.decide)
    return records


def _prepare(bot: Bot, rules: Any, params: Any) -> None:
    assert bot.prepare is not None
    if not bot.unchecked:
        _check_indices(bot, bot.prepare)
    try:
        bot.prepare(rules, params)
    except (Exception, SystemExit) as error:
        where = faults.position(error, bot.prepare) or faults.position_of_prepare(bot, rules)
        if isinstance(error, UserError) or where is None:
            raise
        raise UserError(
            f"bot {bot.name!r}: its prepare() failed at {where}: {faults.reason_of(error)}"
        ) from error


def distinct(lineup: list[Bot]) -> list[str]:
    """Return the different bot names of a line-up in the order of their first slot."""
    return list(dict.fromkeys(bot.name for bot in lineup))


def period(lineup: list[Bot], *, fixed_seats: bool) -> int:
    """Return after how many rotations of the seats the line-up looks the same: the matches of a block."""
    if fixed_seats:
        return 1
    names = [bot.name for bot in lineup]
    return next(turn for turn in range(1, len(names) + 1) if names[turn:] + names[:turn] == names)


def set_addresses(records: Any, lineup: list[Bot]) -> None:
    """Compile the bots of a line-up and write where they are into its records."""
    for slot, bot in enumerate(lineup):
        records[slot]["address"] = address(compiled(bot))
