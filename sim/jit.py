"""The one place that wraps numba: flags, the cache, function pointers, one source for many games.

Everything else decorates with :func:`jit`. With ``NUMBA_DISABLE_JIT=1`` the same code runs as plain
Python, which is what coverage and debugging need.

Compiled code is kept between runs, see `sim.code_cache`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from sim import code_cache

DISABLED = bool(numba.config.DISABLE_JIT)
"""True when the lab runs as plain Python (``NUMBA_DISABLE_JIT=1``)."""

# Integers of 64 bits without sign. Plain Python has no overflow, so there products are cut by U64_MASK.
u64: Callable[[int], Any] = int if DISABLED else np.uint64
U64_MASK = u64(0xFFFF_FFFF_FFFF_FFFF)


_made_of: dict[Any, tuple[Any, dict[str, Any]]] = {}
"""Of copies by `specialise`: the template and what was put in."""

_with_others: set[Any] = set()
"""Copies by `specialise` of which a part is from outside, such as the engine of a user's own game."""


def is_ours(function: Any) -> bool:
    """Tell whether a function is written in the lab's own packages."""
    code = getattr(function, "__code__", None)
    return code is not None and code_cache.is_ours(code.co_filename)


def is_covered(function: Any) -> bool:
    """Tell whether the fingerprint covers a function with all that `specialise` put in: only such code is cached."""
    return is_ours(function) and function not in _with_others


def fingerprint(function: Any) -> str:
    """Return what names the folder of a function's compiled code; see `code_cache.fingerprint`."""
    return code_cache.fingerprint(*_sources_and_constants(function))


@cache
def _sources_and_constants(function: Any) -> tuple[frozenset[Path], str]:
    if function not in _made_of:
        return code_cache.sources_of(function.__code__.co_filename), ""
    template, names = _made_of[function]
    sources, within = _sources_and_constants(template)
    constants = [within]
    for name, part in sorted(names.items()):
        plain = getattr(part, "py_func", part)
        if inspect.ismodule(part):
            assert part.__file__ is not None
            sources |= code_cache.sources_of(part.__file__)
        elif hasattr(plain, "__code__"):
            more, within = _sources_and_constants(plain)
            sources |= more
            constants.append(f"{name}: {plain.__qualname__} {within}")
        else:
            constants.append(f"{name} = {part!r}")
    return sources, "; ".join(constants)


def jit(
    function: Any = None,
    *,
    signature: Any = None,
    cached: bool = True,
    inlined: bool = False,
    unchecked: bool = False,
) -> Any:
    """Compile `function` with numba, releasing the GIL, with the lab's flags and cache.

    Parameters
    ----------
    function : callable
        Written so that it runs the same as plain Python.
    signature : numba signature, or tuple of argument types, optional
        Compile at once for it; without one, at the first call.
    cached : bool
        Keep the compiled code on disk. Ignored for files outside the lab's packages, since the
        fingerprint of the cache does not cover them.
    inlined : bool
        Write its code into that of whoever calls it before anything is compiled: for parts of loops in which every
        nanosecond counts. LLVM, which else decides what to inline, shuns large functions.
    unchecked : bool
        Leave out the checks that every index of an array is within it, which code outside the lab's packages gets: a wrong
        one then writes anywhere, or ends the process.

    Returns
    -------
    callable
        numba's dispatcher, or `function` itself when the JIT is disabled.
    """
    if function is None:
        return lambda wrapped: jit(
            wrapped, signature=signature, cached=cached, inlined=inlined, unchecked=unchecked
        )
    if DISABLED:
        return function
    options: dict[str, Any] = {"nogil": True, "inline": "always" if inlined else "never"}
    if not is_ours(function):
        options["boundscheck"] = not unchecked
    dispatcher = numba.njit(**options)(function)
    if cached and is_covered(function):
        folder = code_cache.folder_of(fingerprint(function))
        if folder is not None:
            with code_cache.at(folder):
                dispatcher._cache = code_cache.HealingCache(function)
    _share_among_literals(dispatcher)
    if signature is not None:
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def _share_among_literals(dispatcher: Any) -> None:
    """Make calls with different constants share one compiled function.

    numba compiles a function anew, with all that it calls, for every constant that it is called with: for an
    engine that doubles the time to compile, and brings nothing where LLVM can inline.
    """
    template_of = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(kind) for kind in args)
        return template_of(plain, {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


def record(dtype: np.dtype[Any]) -> Any:
    """Return numba's type of a record of `dtype`."""
    return numba.from_dtype(dtype)


def is_integer(kind: Any) -> bool:
    """Tell whether a type of numba is one of integers."""
    return isinstance(types.unliteral(kind), types.Integer)


def specialise(
    template: Callable[..., Any], name: str, *, compiled: bool = True, inlined: bool = False, **names: Any
) -> Any:
    """Compile one source against a game: `template` with some of its module's globals replaced.

    numba inlines and caches what it calls through globals, but not what it is handed as an argument.
    So a loop that is the same for all games is written once, with ``engine`` as a global.

    Parameters
    ----------
    template : function
        A plain function.
    name : str
        Tells the copies apart, in the cache and in tracebacks.
    compiled : bool
        False for the same copy as plain Python.
    inlined : bool
        See `jit`.
    **names
        Globals to set, for example ``engine=`` a module of jitted functions.
    """
    label = f"{template.__name__}__{name}"
    code = template.__code__.replace(co_name=label)
    copy = FunctionType(code, {**template.__globals__, **names}, label)
    copy.__qualname__ = label
    copy.__module__ = template.__module__
    if all(_is_part_covered(part) for part in names.values()):
        _made_of[copy] = template, names
    else:
        _with_others.add(copy)
    return jit(copy, inlined=inlined) if compiled else copy


def _is_part_covered(part: Any) -> bool:
    """Tell whether the fingerprint covers a global of a copy: a module, a function, or else no code."""
    if inspect.ismodule(part):
        return _is_module_ours(part)
    return not hasattr(part, "__code__") or is_covered(getattr(part, "py_func", part))


def _is_module_ours(module: ModuleType) -> bool:
    path = getattr(module, "__file__", None)
    return path is not None and code_cache.is_ours(path)


# ---- functions called through pointers ------------------------------------------------------------------

_python_functions: list[Callable[..., Any]] = []


def address(function: Any) -> int:
    """Return a number through which :func:`call` reaches `function`.

    Parameters
    ----------
    function : dispatcher or callable
        A function that :func:`jit` compiled with an explicit signature. With the JIT disabled, any
        callable; it is kept alive for good.

    Returns
    -------
    int
        The machine address, or with the JIT disabled a position in a list. Never stored.
    """
    if DISABLED:
        if function not in _python_functions:
            _python_functions.append(function)
        return _python_functions.index(function)
    (compiled,) = function.overloads.values()
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _call_address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kinds = signature.args[1:]
    pointer = builder.inttoptr(
        arguments[0], context.call_conv.get_function_type(signature.return_type, kinds).as_pointer()
    )
    status, result = context.call_conv.call_function(
        builder, pointer, signature.return_type, kinds, arguments[1:]
    )
    with cgutils.if_unlikely(builder, status.is_error):
        context.call_conv.return_status_propagate(builder, status)
    return result


if DISABLED:

    def call(target: int, view: Any, rules: Any, me: Any) -> int:
        """Call the ``decide(view, rules, me)`` behind an :func:`address`."""
        return _python_functions[target](view, rules, me)

else:

    @intrinsic
    def call(typing_context: Any, target: Any, view: Any, rules: Any, me: Any) -> Any:
        """Call the ``decide(view, rules, me)`` behind an :func:`address`.

        numba's own first-class functions do the same through a tuple, whose length would become part
        of every engine's signature; an address also fits into a record.
        """
        return types.int64(target, view, rules, me), _call_address


# ---- records by address ---------------------------------------------------------------------------------

_records: dict[int, Any] = {}


def _address_of_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.ptrtoint(arguments[0], context.get_value_type(types.int64))


def _record_at_address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))


if DISABLED:

    def address_of(record: Any) -> int:
        """Return a number through which `record_at` finds the record, as long as it lives."""
        _records[id(record)] = record
        return id(record)

    def record_at(target: int, like: Any) -> Any:
        """Return the record behind an `address_of`; `like` is any record of its dtype."""
        return _records[target]

else:

    @intrinsic
    def address_of(typing_context: Any, record: Any) -> Any:
        """Return a number through which `record_at` finds the record, as long as it lives."""
        return types.int64(record), _address_of_record

    @intrinsic
    def record_at(typing_context: Any, target: Any, like: Any) -> Any:
        """Return the record behind an `address_of`; `like` is any record of its dtype."""
        return like(target, like), _record_at_address


@jit
def whereabouts(record: Any) -> int:
    """Return the `address_of` a record, for callers in plain Python."""
    return address_of(record)


# ---- bits -----------------------------------------------------------------------------------------------


def popcount(bits: int) -> int:
    """Return how many bits are set; `bits` is not negative."""
    return int(bits).bit_count()


def lowest(bits: int) -> int:
    """Return the position of the lowest set bit; 64, which is no position, of 0."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits != 0 else 64


@intrinsic
def _population(typing_context: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic
def _trailing_zeros(typing_context: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), build


# In jitted code the two above are single instructions. numba wants the same signature twice, so no annotations.
@overload(popcount)
def _jitted_popcount(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _population(bits)


@overload(lowest)
def _jitted_lowest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _trailing_zeros(bits)
