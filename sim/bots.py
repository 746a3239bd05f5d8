"""What a bot is to the engines: a ``decide(view, rules, me)`` behind a pointer, with its own stream.

The contract, for every game and every bot:

``decide(view, rules, me) -> move``
    ``view`` is what the seat to move may know (the game's ``VIEW``), ``rules`` the draft (the game's
    ``RULES``), ``me`` the bot's own record (`PLAYER`): its stream of randomness and its parameters. It
    returns one legal move and changes nothing but ``me["stream"]``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim import registry
from sim.errors import UserError
from sim.jit import DISABLED, address, is_covered, is_ours, jit, record
from sim.rng import STREAM

MAX_PARAMETERS = 192

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


_compiled: dict[Callable[..., Any], Any] = {}


def signature(game: str) -> Any:
    """Return numba's signature of a game's decide()."""
    from numba import int64

    state = registry.find(game).state
    return int64(record(state.VIEW), record(state.RULES), record(PLAYER))


def compiled(bot: Bot) -> Any:
    """Return the bot's function as the engines call it, compiled at the first need.

    Raises
    ------
    UserError
        If numba cannot compile it.
    """
    if not bot.jitted or DISABLED:
        return bot.decide
    if bot.decide not in _compiled:
        try:
            _compiled[bot.decide] = jit(bot.decide, signature=signature(bot.game))
        except Exception as error:  # whatever a stranger's function makes numba stumble over
            raise UserError(
                f"bot {bot.name!r} cannot be compiled: {_reason(error)}; mend it, or register it with jit=False"
            ) from error
    return _compiled[bot.decide]


def _reason(error: Exception) -> str:
    """Return what numba says of a failure, without its advice and its trail of passes."""
    lines = [line.strip() for line in str(error).splitlines()]
    telling = [
        line for line in lines if line and not line.startswith(("Failed in", "During", "File", ">>>", "^"))
    ]
    return " ".join(telling[:2])[:300] or type(error).__name__


def players(lineup: list[Bot], rules: Any) -> Any:
    """Return the `PLAYER` records of a line-up for a draft, one a slot; slots with equal bots share a bot number."""
    records = np.zeros(len(lineup), PLAYER)
    names = distinct(lineup)
    for slot, bot in enumerate(lineup):
        records[slot]["params"][: len(bot.params)] = bot.params
        if bot.prepare is not None:
            bot.prepare(rules, records[slot]["params"])
        records[slot]["bot"] = names.index(bot.name)
        records[slot]["trusted"] = bot.jitted and is_covered(bot.decide)
        records[slot]["cheats"] = bot.cheats and is_ours(bot.decide)
    return records


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
