"""The wrapper around numba: copies of one source, calls through addresses, faults that arrive."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from sim import bots, drafts, jit, loop
from sim.batch import Batch
from sim.bots import Bot
from sim.errors import UserError
from sim.kernels import BotFault
from tests import support


@pytest.mark.nojit
def test_jit_takes_arguments_or_none() -> None:
    @jit.jit(cached=False)
    def one(x: int) -> int:
        return x + 1

    @jit.jit(signature=numba.int64(numba.int64))
    def two(x: int) -> int:
        return x + 2

    assert (one(1), two(1)) == (2, 3)
    if not jit.DISABLED:
        assert len(two.overloads) == 1


# ---- specialise -----------------------------------------------------------------------------------------

engine: Any = None


def template(x: int) -> int:
    return engine.change(x)


@jit.jit
def _double(x: int) -> int:
    return 2 * x


@jit.jit
def _negate(x: int) -> int:
    return -x


@pytest.mark.nojit
@pytest.mark.parametrize("compiled", [True, False])
def test_specialise_makes_copies_with_their_own_globals(compiled: bool) -> None:
    made = []
    for name, change in (("double", _double), ("negate", _negate)):
        module = ModuleType(name)
        module.change = change  # type: ignore[attr-defined]
        made.append(jit.specialise(template, name, compiled=compiled, engine=module))
    assert [function(21) for function in made] == [42, -21]
    assert [function.__name__ for function in made] == ["template__double", "template__negate"]
    assert engine is None
    assert hasattr(made[0], "overloads") == (compiled and not jit.DISABLED)
    assert loop.engine is None


# ---- bits and pointers ----------------------------------------------------------------------------------


@jit.jit
def _popcount(bits: int) -> int:
    return jit.popcount(bits)


@jit.jit
def _lowest(bits: int) -> int:
    return jit.lowest(bits)


@pytest.mark.nojit
def test_popcount_and_lowest() -> None:
    masks = [1 << n for n in range(63)] + [2**52 - 1, 2**63 - 1, 0b1011000, 0x123456789ABCD]
    for bits in masks:
        digits = f"{bits:b}"
        assert _popcount(bits) == digits.count("1")
        assert _lowest(bits) == len(digits) - len(digits.rstrip("0"))
    assert _popcount(0) == 0


def _answer(view: Any, rules: Any, me: Any) -> int:
    return view["hand"] * 100 + rules["players"] * 10 + int(me["params"][0])


def _other(view: Any, rules: Any, me: Any) -> int:
    me["stream"]["a"] = 77
    return 5


def _fails(view: Any, rules: Any, me: Any) -> int:
    if view["trick"] == 2:
        raise ValueError("no such thing")
    return view["choices"] & -view["choices"]


@jit.jit
def _call(target: int, view: Any, rules: Any, me: Any) -> int:
    return jit.call(target, view, rules, me)


def _bot(name: str, decide: Any, *, jitted: bool = True) -> Bot:
    return Bot(name, "uplink", decide, (3.0,), jitted=jitted)


@pytest.mark.nojit
def test_calls_through_an_address_reach_the_function_and_its_arguments() -> None:
    records = bots.players([_bot("answer", _answer), _bot("other", _other)], None)
    bots.set_addresses(records, [_bot("answer", _answer), _bot("other", _other)])
    assert records[0]["address"] != records[1]["address"]
    view, rules = np.zeros(1, support.UPLINK.state.VIEW)[0], drafts.load("uplink/v1.1").record()
    view["hand"] = 6
    assert _call(records[0]["address"], view, rules, records[0]) == 643
    assert records[0]["stream"]["a"] == 0
    assert _call(records[1]["address"], view, rules, records[1]) == 5
    assert records[1]["stream"]["a"] == 77
    # The same function again is the same address.
    assert jit.address(bots.compiled(_bot("answer", _answer))) == records[0]["address"]


@pytest.mark.nojit
@pytest.mark.parametrize("jitted", [True, False])
def test_an_exception_in_a_bot_arrives_as_a_bot_fault(jitted: bool) -> None:
    draft = drafts.load("uplink/v1.1")
    batch = Batch(draft, [_bot("fails", _fails, jitted=jitted)] * 4, seed=3)
    with pytest.raises(BotFault, match="ValueError: no such thing") as caught:
        batch.play(8, 2)
    assert issubclass(BotFault, UserError)
    assert "seed 3" in str(caught.value)
    assert "8" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_namespace_is_no_module_of_the_lab() -> None:
    assert jit._is_module_ours(support.ENGINE)
    assert not jit._is_module_ours(ModuleType("elsewhere"))
    assert not jit.is_ours(SimpleNamespace(__code__=SimpleNamespace(co_filename=__file__)))
    assert not jit.is_ours(3)
