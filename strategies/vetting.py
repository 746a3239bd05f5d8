"""What makes a bot play differently from run to run, found in its source before it plays.

A bot draws from ``me["stream"]`` and from nothing else: a match is then the same in every run, whatever runs beside it.
"""

from __future__ import annotations

import ast
import importlib
import linecache
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from sim import user_code
from sim.bots import Bot
from sim.errors import UserError

Calls = dict[str, tuple[str, ...]]
"""Module → names of its functions, or of methods of its classes."""

_CHANCE = ("random", "secrets", "uuid", "numpy.random")
_CHANCE_CALLS: Calls = {"os": ("urandom", "getrandom")}
_CLOCKS: Calls = {
    "time": tuple(
        f"{clock}{unit}"
        for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
        for unit in ("", "_ns")
    ),
    "datetime": ("now", "utcnow", "today"),
}
_LOOKED_FOR = ("numpy", *_CHANCE, *_CHANCE_CALLS, *_CLOCKS)

_NO_CHANCE = (
    'draws chance outside the bot\'s own stream, so no run could be repeated: use sim.rng with me["stream"], '
    'as rng.below(me["stream"], n) or rng.unit(me["stream"])'
)
_NO_CLOCK = "asks the clock, so no run could be repeated: let the bot count what it does"
_NO_FLAT = "is an index that nothing checks: index the array itself"


def check(bot: Bot) -> None:
    """See that a user's bot, with the functions of his that it calls, takes no chance but from its stream.

    Raises
    ------
    UserError
        With file and line, and what to write instead.
    """
    own = [bot.decide] if bot.prepare is None else [bot.decide, bot.prepare]
    for function in [function for entry in own for function in user_code.reached(entry)]:
        python = user_code.python_of(function)
        for node in _trees(python):
            _check(bot, python, node)


def _trees(function: Any) -> Iterator[ast.AST]:
    """Yield the source of a function as a tree; of lambdas on one line each. None where the source is not known."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        module = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:  # the file has changed meanwhile
        return
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
            if first == code.co_firstlineno:
                yield node


def _check(bot: Bot, function: Any, tree: ast.AST) -> None:
    names: dict[str, Any] = {**function.__builtins__, **function.__globals__, **user_code.variables(function)}
    for local in function.__code__.co_varnames:
        names.pop(local, None)
    where = function.__code__.co_filename
    body = tree.body if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef) else [tree]
    for statement in body:
        for node in ast.walk(statement):
            _learn(names, node)
            reason = _objection(names, node, bot.jitted and not bot.unchecked)
            if reason:
                place = user_code.place(where, node.lineno)  # type: ignore[attr-defined]
                raise UserError(f"{place}: bot {bot.name!r}: {ast.unparse(node)} {reason}")


def _learn(names: dict[str, Any], node: ast.AST) -> None:
    """Follow imports inside a function, and other names for what is known."""
    if isinstance(node, ast.Import):
        for part in node.names:
            module = _module(part.name)
            names[part.asname or part.name.partition(".")[0]] = (
                module if part.asname else _module(part.name.partition(".")[0])
            )
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        for part in node.names:
            value = getattr(_module(node.module), part.name, None)
            names[part.asname or part.name] = (
                value if value is not None else _module(f"{node.module}.{part.name}")
            )
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        names[node.targets[0].id] = _value(names, node.value)


def _module(name: str) -> Any:
    """Return a module that is loaded, or one of those looked for here; of others the bot sees when it plays."""
    return importlib.import_module(name) if name in _LOOKED_FOR else sys.modules.get(name)


def _value(names: dict[str, Any], node: ast.AST) -> Any:
    """Return what a name, or a part of one, stands for; None if that is not known."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        whole = _value(names, node.value)
        return None if whole is None else getattr(whole, node.attr, None)
    return None


def _objection(names: dict[str, Any], node: ast.AST, compiled: bool) -> str:
    if compiled and isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        return _NO_FLAT if node.value.attr == "flat" else ""
    if not isinstance(node, ast.Name | ast.Attribute):
        return ""
    value = _value(names, node)
    if _is_chance(value):
        return _NO_CHANCE
    return _NO_CLOCK if _is_of(value, _CLOCKS) else ""


def _is_chance(value: Any) -> bool:
    """Tell whether a value is a function, a class or a generator of a module of chance, or a method of one."""
    if isinstance(value, ModuleType):
        return False  # what is taken of it counts, and is named in full
    owner = getattr(value, "__self__", None)
    kinds = [*type(value).__mro__, *type(owner).__mro__]
    modules = {str(getattr(part, "__module__", "")) for part in [value, *kinds]}
    if getattr(value, "__name__", "") == "rvs" and any(module.startswith("scipy.") for module in modules):
        return True
    chance = {module for module in modules if module.startswith(tuple(f"{name}." for name in _CHANCE))}
    return bool(chance or modules.intersection(_CHANCE)) or _is_of(value, _CHANCE_CALLS)


def _is_of(value: Any, calls: Calls) -> bool:
    """Tell whether a value is a function of a module, or a method of its classes, that is listed."""
    name = getattr(value, "__name__", "")
    owner = getattr(value, "__self__", None)
    module = getattr(value, "__module__", None) or getattr(owner, "__module__", None) or ""
    module = {"posix": "os", "nt": "os"}.get(str(module), str(module))
    return callable(value) and name in calls.get(module, ())
