"""Bots that draw chance of their own, or ask the clock, are refused with the line, before anything is played."""

from __future__ import annotations

import datetime
import os
import random
import secrets
import time
import uuid
from collections.abc import Callable
from random import choice
from typing import Any

import numpy as np
import numpy.random as nr
import pytest

from sim import rng
from sim.bots import Bot
from sim.errors import UserError
from sim.jit import jit
from strategies import registry as strategies
from strategies import vetting

GENERATOR = np.random.default_rng(1)
pick_of = lambda cards: choice(cards)


class Thinker:
    """Something with a method, as a network has."""

    def think(self, card: int) -> float:
        return random.random() + card


THINKER = Thinker()


@jit
def drawn(count: int) -> int:
    return np.random.randint(count)  # noqa: NPY002


@jit
def deeper(count: int) -> int:
    return drawn(count)


def numpys(view: Any, rules: Any, me: Any) -> Any:
    return np.random.choice(4)  # noqa: NPY002


def an_alias(view: Any, rules: Any, me: Any) -> Any:
    return nr.randint(4)  # noqa: NPY002


def an_imported_name(view: Any, rules: Any, me: Any) -> Any:
    return choice([1, 2])


def a_generator_outside(view: Any, rules: Any, me: Any) -> Any:
    return GENERATOR.integers(4)


def a_generator_inside(view: Any, rules: Any, me: Any) -> Any:
    return np.random.default_rng(1).integers(4)


def a_seeded_one(view: Any, rules: Any, me: Any) -> Any:
    return random.Random(int(view["trick"])).random()


def a_lambda(view: Any, rules: Any, me: Any) -> Any:
    return pick_of([1, 2])


def a_method(view: Any, rules: Any, me: Any) -> Any:
    return THINKER.think(3)


def a_helper_of_a_helper(view: Any, rules: Any, me: Any) -> Any:
    return deeper(3)


def a_later_helper(view: Any, rules: Any, me: Any) -> Any:
    return later(3)


def an_import_inside(view: Any, rules: Any, me: Any) -> Any:
    from random import sample as some

    return some([1, 2], 1)


def a_module_by_another_name(view: Any, rules: Any, me: Any) -> Any:
    chance = np.random
    return chance.rand()


def the_systems(view: Any, rules: Any, me: Any) -> Any:
    return os.urandom(1)[0]


def secret(view: Any, rules: Any, me: Any) -> Any:
    return secrets.randbelow(4)


def unique(view: Any, rules: Any, me: Any) -> Any:
    return uuid.uuid4().int


def the_clock(view: Any, rules: Any, me: Any) -> Any:
    return time.time_ns() % 4


def the_date(view: Any, rules: Any, me: Any) -> Any:
    return datetime.datetime.now().second


def later(count: int) -> int:
    return random.randrange(count)


CHANCE: dict[Callable[..., Any], tuple[str, int]] = {
    numpys: ("np.random.choice", 1),
    an_alias: ("nr.randint", 1),
    an_imported_name: ("choice", 1),
    a_generator_outside: ("GENERATOR.integers", 1),
    a_generator_inside: ("np.random.default_rng", 1),
    a_seeded_one: ("random.Random", 1),
    a_lambda: ("choice", 0),
    a_method: ("random.random", 1),
    a_helper_of_a_helper: ("np.random.randint", 2),
    a_later_helper: ("random.randrange", 1),
    an_import_inside: ("some", 3),
    a_module_by_another_name: ("chance.rand", 2),
    the_systems: ("os.urandom", 1),
    secret: ("secrets.randbelow", 1),
    unique: ("uuid.uuid4", 1),
}
CLOCKS = {the_clock: "time.time_ns", the_date: "datetime.datetime.now"}
WHERE: dict[Callable[..., Any], Any] = {
    a_lambda: pick_of,
    a_method: Thinker.think,
    a_helper_of_a_helper: drawn,
    a_later_helper: later,
}
"""Where the line is that is told, if it is not in the bot itself."""


@pytest.mark.parametrize("decide", CHANCE, ids=lambda decide: decide.__name__)
def test_chance_outside_the_stream_is_refused_with_its_line(decide: Callable[..., Any]) -> None:
    with pytest.raises(UserError) as caught:
        vetting.check(Bot("mine", "uplink", decide))
    function = WHERE.get(decide, decide)
    first = getattr(function, "py_func", function).__code__.co_firstlineno
    call, lines = CHANCE[decide]
    assert f"test_vetting.py:{first + lines}: bot 'mine': {call} draws chance" in str(caught.value)
    assert 'rng.below(me["stream"], n)' in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("decide", CLOCKS, ids=lambda decide: decide.__name__)
def test_the_clock_is_refused(decide: Callable[..., Any]) -> None:
    with pytest.raises(UserError, match=rf"bot 'mine': {CLOCKS[decide]} asks the clock"):
        vetting.check(Bot("mine", "uplink", decide))


def test_what_can_be_repeated_is_let_through() -> None:
    def thinks(view: Any, rules: Any, me: Any) -> Any:
        time.sleep(0)
        order = np.argsort(np.zeros(3))
        name = os.fspath("ab")
        return rng.below(me["stream"], len(name)) + order[0]

    vetting.check(Bot("mine", "uplink", thinks))
    for game in ("uplink", "daifugo", "ninepeak"):
        for bot in strategies.known(game):
            vetting.check(bot)


def test_an_index_that_nothing_checks_is_refused_where_it_is_compiled() -> None:
    def flat(view: Any, rules: Any, me: Any) -> Any:
        table = np.zeros((2, 2))
        return int(table.flat[view["trick"] * 100])

    with pytest.raises(
        UserError, match=r"table\.flat\[view\['trick'\] \* 100\] is an index that nothing checks"
    ):
        vetting.check(Bot("mine", "uplink", flat))
    vetting.check(Bot("mine", "uplink", flat, jitted=False))
    vetting.check(Bot("mine", "uplink", flat, unchecked=True))
