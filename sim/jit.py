"""The one place that wraps numba: flags, the cache, function pointers, one source for many games.

Everything else decorates with :func:`jit`. With ``NUMBA_DISABLE_JIT=1`` the same code runs as plain
Python, which is what coverage and debugging need.

The compiled code is kept in a folder whose name is a fingerprint of all sources of the lab, numba's
version and the flags that change the code. numba itself looks only at the file of the function compiled,
so without the fingerprint a changed callee in another file, or a run with bounds checks, would get old code.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import platform
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

DISABLED = bool(numba.config.DISABLE_JIT)
"""True when the lab runs as plain Python (``NUMBA_DISABLE_JIT=1``)."""

_ROOT = Path(__file__).resolve().parent.parent
_CACHED_PACKAGES = ("sim", "strategies", "experiments")
_KEEP_SECONDS = 30 * 24 * 3600

# Integers of 64 bits without sign. Plain Python has no overflow, so there products are cut by U64_MASK.
u64: Callable[[int], Any] = int if DISABLED else np.uint64
U64_MASK = u64(0xFFFF_FFFF_FFFF_FFFF)


def _sources() -> Iterator[Path]:
    for package in _CACHED_PACKAGES:
        yield from sorted((_ROOT / package).rglob("*.py"))


@cache
def fingerprint() -> str:
    """Return 16 hex digits that change with the lab's sources, numba, Python and the code flags."""
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(str(path.relative_to(_ROOT)).encode())
        digest.update(path.read_bytes())
    flags = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUG_TYPEINFER)
    digest.update(repr((numba.__version__, np.__version__, sys.version, platform.machine(), flags)).encode())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    named = os.environ.get("TEFUDA_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tefuda"


@cache
def cache_dir() -> Path:
    """Return the folder of compiled code, made if need be; a temporary one where none can be written."""
    try:
        root = _cache_root()
        folder = root / f"numba-{fingerprint()}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _forget_old(root)
    except (OSError, RuntimeError):
        folder = _temporary_cache() / f"numba-{fingerprint()}"
        folder.mkdir(exist_ok=True, mode=0o700)
    return folder


def _temporary_cache() -> Path:
    """Return a folder for compiled code that no other account can write to.

    What numba caches is code and pickles, so a folder that somebody else made at the known place is not used.
    """
    if not hasattr(os, "getuid"):
        return Path(tempfile.mkdtemp(prefix="tefuda-"))
    folder = Path(tempfile.gettempdir()) / f"tefuda-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp(prefix="tefuda-"))


def _forget_old(root: Path) -> None:
    """Remove code compiled for sources that have not been used for a month."""
    limit = time.time() - _KEEP_SECONDS
    for folder in root.glob("numba-*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)


_with_others: set[Any] = set()
"""Copies by `specialise` of which a part is from outside, such as the engine of a user's own game."""


def is_ours(function: Any) -> bool:
    """Tell whether a function is written in the lab's own packages."""
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    path = Path(code.co_filename).resolve()
    return any(path.is_relative_to(_ROOT / package) for package in _CACHED_PACKAGES)


def is_covered(function: Any) -> bool:
    """Tell whether the fingerprint covers a function with all that `specialise` put in: only such code is cached."""
    return is_ours(function) and function not in _with_others


@contextlib.contextmanager
def _own_cache() -> Iterator[None]:
    # numba reads the folder when a function is decorated; a user's own cached code keeps its place.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_dir())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def jit(function: Any = None, *, signature: Any = None, cached: bool = True, inlined: bool = False) -> Any:
    """Compile `function` with numba, releasing the GIL, with the lab's flags and cache.

    Parameters
    ----------
    function : callable
        Written so that it runs the same as plain Python.
    signature : numba signature, optional
        Compile at once for it; without one, at the first call.
    cached : bool
        Keep the compiled code on disk. Ignored for files outside the lab's packages, since the
        fingerprint of the cache does not cover them.
    inlined : bool
        Write its code into that of whoever calls it before anything is compiled: for parts of loops in which every
        nanosecond counts. LLVM, which else decides what to inline, shuns large functions.

    Returns
    -------
    callable
        numba's dispatcher, or `function` itself when the JIT is disabled.
    """
    if function is None:
        return lambda wrapped: jit(wrapped, signature=signature, cached=cached, inlined=inlined)
    if DISABLED:
        return function
    arguments = () if signature is None else (signature,)
    options = {"nogil": True, "inline": "always" if inlined else "never"}
    if cached and is_covered(function):
        with _own_cache():
            return _one_for_all_literals(numba.njit(*arguments, cache=True, **options)(function))
    return _one_for_all_literals(numba.njit(*arguments, **options)(function))


def _one_for_all_literals(dispatcher: Any) -> Any:
    """Make calls with different constants share one compiled function.

    numba compiles a function anew, with all that it calls, for every constant that it is called with: for an
    engine that doubles the time to compile, and brings nothing where LLVM can inline.
    """
    template_of = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(kind) for kind in args)
        return template_of(plain, {name: types.unliteral(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def record(dtype: np.dtype[Any]) -> Any:
    """Return numba's type of a record of `dtype`."""
    return numba.from_dtype(dtype)


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
    if not all(_is_part_covered(part) for part in names.values()):
        _with_others.add(copy)
    return jit(copy, inlined=inlined) if compiled else copy


def _is_part_covered(part: Any) -> bool:
    """Tell whether the fingerprint covers a global of a copy: a module, a function, or else no code."""
    if inspect.ismodule(part):
        return _is_module_ours(part)
    return not hasattr(part, "__code__") or is_covered(getattr(part, "py_func", part))


def _is_module_ours(module: ModuleType) -> bool:
    path = getattr(module, "__file__", None)
    return path is not None and any(
        Path(path).resolve().is_relative_to(_ROOT / package) for package in _CACHED_PACKAGES
    )


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
        return int(_python_functions[target](view, rules, me))

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
    """Return the position of the lowest set bit; `bits` is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def _population(typing_context: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic
def _trailing_zeros(typing_context: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.int64), build


# In jitted code the two above are single instructions. numba wants the same signature twice, so no annotations.
@overload(popcount)
def _jitted_popcount(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _population(bits)


@overload(lowest)
def _jitted_lowest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _trailing_zeros(bits)
