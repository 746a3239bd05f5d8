"""Code from outside the lab: which functions a bot reaches, where they are, and the same functions as plain Python."""

from __future__ import annotations

import inspect
import os
import sysconfig
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from sim import code_cache

_LIBRARIES = tuple(
    Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


def python_of(function: Any) -> Any:
    """Return the Python function behind what `numba.jit`, a method or `functools.partial` made of it."""
    while isinstance(function, partial):
        function = function.func
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType | MethodType):
        function = getattr(function, "__wrapped__", function)  # of functools.cache
    return function.__func__ if isinstance(function, MethodType) else function


def is_users(function: Any) -> bool:
    """Tell whether a function is written neither in the lab nor in a library."""
    code = getattr(function, "__code__", None)
    return isinstance(code, CodeType) and is_users_file(code.co_filename)


def is_users_file(name: str) -> bool:
    """Tell whether code of a file, or of a cell of a notebook, belongs neither to the lab nor to a library."""
    path = Path(name).resolve()
    installed = {"site-packages", "dist-packages"}.intersection(path.parts)
    inside = installed or name.startswith("<frozen") or code_cache.is_ours(name)
    return not inside and not any(path.is_relative_to(library) for library in _LIBRARIES)


def place(filename: str, line: int) -> str:
    """Return ``file:line`` for people: the file from the working folder, where it lies below it."""
    path, here = Path(filename), Path.cwd()
    if path.is_absolute() and path.resolve().is_relative_to(here):
        return f"{os.fspath(path.resolve().relative_to(here))}:{line}"
    return f"{filename}:{line}"


def place_of(function: Any) -> str:
    """Return where a function is written, as `place`; its name if that is not known."""
    code = getattr(python_of(function), "__code__", None)
    if not isinstance(code, CodeType):
        return str(getattr(function, "__name__", function))
    return place(code.co_filename, code.co_firstlineno)


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes that code uses, that of functions written inside it too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def variables(function: Any) -> dict[str, Any]:
    """Return the globals that a function uses and the variables of the functions around it, by name."""
    used = {
        name: function.__globals__[name]
        for name in names_in(function.__code__)
        if name in function.__globals__
    }
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if cell != CellType():  # not assigned yet
            used[name] = cell.cell_contents
    return used


def reached(function: Any) -> list[Any]:
    """Return the functions of a user's code that a function reaches by name, itself first.

    They are Python functions and numba's dispatchers, as they were found. What is only handed on as a value is not seen.
    """
    todo, functions = [function], []
    seen: set[Any] = set()
    while todo:
        value = todo.pop(0)
        python = python_of(value)
        if inspect.isclass(python):
            todo += [member for member in vars(python).values() if inspect.isfunction(member)]
        if not is_users(python) or python in seen:
            continue
        seen.add(python)
        functions.append(value)
        for used in variables(python).values():
            todo += _within(used, set(names_in(python.__code__)))
    return functions


def _within(value: Any, names: set[str]) -> list[Any]:
    """Return what may be called of a value: itself, of a module what is named of it, of an object its methods."""
    if isinstance(value, list | tuple | set | frozenset):
        return [part for part in value if callable(part)]
    if isinstance(value, dict):
        return [part for part in value.values() if callable(part)]
    if isinstance(value, ModuleType):
        return [part for name in names if (part := getattr(value, name, None)) is not None]
    if is_users(python_of(value)) or inspect.isclass(value):
        return [value]
    return [type(value)]


def as_python(function: Any, copies: dict[Any, Any] | None = None) -> Callable[..., Any]:
    """Return a function as plain Python, with the user's compiled functions that it calls as plain Python too."""
    copies = {} if copies is None else copies
    python = python_of(function)
    if python in copies:
        return copies[python]
    names = dict(python.__globals__)
    cells = tuple(CellType() for _ in python.__closure__ or ())
    copy = FunctionType(python.__code__, names, python.__name__, python.__defaults__, cells)
    copy.__kwdefaults__ = python.__kwdefaults__
    copies[python] = copy
    used = {
        name: as_python(value, copies) if hasattr(value, "py_func") and is_users(value.py_func) else value
        for name, value in variables(python).items()
    }
    names |= {name: value for name, value in used.items() if name in names}
    for name, cell in zip(python.__code__.co_freevars, cells, strict=True):
        if name in used:
            cell.cell_contents = used[name]
    return copy
