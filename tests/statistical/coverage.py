"""How often the intervals of a function hold a known truth; and which functions return any."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import math
import pkgutil
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from experiments import metrics, stats
from experiments.metrics.sizes import Games
from experiments.stats import Difference, Estimate

SAMPLES = 2000
COSTLY = 1000
"""Where a sample takes longer than a few milliseconds."""

LEAST, MOST = 0.93, 0.97
"""What a coverage must lie between.

Over `SAMPLES` samples it is good to half a point (a standard error of 0.49 points at 95%), so that an interval of just 95%
comes out beyond either end but once in 20,000 times, and one of 92% or of 98% inside in one of twenty at most. Over `COSTLY`
samples the standard error is 0.69 points: once in 250 times, and one of nine.
"""


@dataclass(frozen=True)
class Case:
    """A function, and samples for it of something whose truth is known.

    Attributes
    ----------
    of : callable
        Of the lab.
    sample : callable
        Takes a generator and a number for a seed; returns arguments for `of`, and those by name.
    truths : mapping of str to float, or callable that returns one
        Of every interval in what `of` returns, by its place there (see `intervals`).
    label : str
        Which case of the function it is.
    together : tuple of str
        Where places begin whose intervals hold all at once; they count as one.
    cautious : mapping of str to str
        Where places begin whose intervals may hold more often, and why they do by construction. They have no upper bound of
        their own: at the edge of what is possible, or of whole numbers of which one has most of the chance, an interval that is
        right holds in all samples, and how far below that others stay hangs on the case.
    at_most : mapping of str to float
        Of cautious ones, where it can be stated, how often they may hold: what theory says, without the error of the samples.
    read : callable, optional
        Turns what `of` returns into something `intervals` knows.
    samples : int
        How many are taken.
    """

    of: Callable[..., Any]
    sample: Callable[[Any, int], tuple[tuple[Any, ...], dict[str, Any]]]
    truths: Mapping[str, float] | Callable[[], Mapping[str, float]]
    label: str = ""
    together: tuple[str, ...] = ()
    cautious: Mapping[str, str] = field(default_factory=dict)
    at_most: Mapping[str, float] = field(default_factory=dict)
    read: Callable[[Any], Any] = lambda found: found
    samples: int = SAMPLES

    @property
    def name(self) -> str:
        """Of the function, as `functions` has it."""
        return f"{self.of.__module__}.{self.of.__qualname__}"

    def __str__(self) -> str:
        """Return the name and the label."""
        return f"{self.name.removeprefix('experiments.')} {self.label}".strip()

    def coverage(self) -> dict[str, float]:
        """Return by place how often its interval held the truth, or those of several places all at once."""
        dice = np.random.default_rng(20_240_229)
        truths = self.truths() if callable(self.truths) else self.truths
        held: dict[str, int] = {}
        for number in range(self.samples):
            args, named = self.sample(dice, number)
            ends = dict(intervals(self.read(self.of(*args, **named))))
            assert set(ends) == set(truths), "a place without a truth, or a truth without a place"
            outcome: dict[str, bool] = {}
            for place, (low, high) in ends.items():
                group = next((one for one in self.together if place.startswith(one)), place)
                outcome[group] = outcome.get(group, True) and bool(low <= truths[place] <= high)
            for group, came in outcome.items():
                held[group] = held.get(group, 0) + came
        return {group: times / self.samples for group, times in held.items()}

    def wrong(self, coverage: Mapping[str, float]) -> dict[str, float]:
        """Return those that are beyond `LEAST` or their greatest: `MOST`, or of cautious ones that in `at_most`, if any."""
        return {
            place: share for place, share in coverage.items() if not LEAST <= share <= self._greatest(place)
        }

    def _greatest(self, place: str) -> float:
        stated = [most for one, most in self.at_most.items() if place.startswith(one)]
        if stated:
            # Four standard errors.
            return stated[0] + 4 * math.sqrt(stated[0] * (1 - stated[0]) / self.samples)
        return 1.0 if any(place.startswith(one) for one in self.cautious) else MOST


def given(*args: Any, **named: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments as a case's sample does."""
    return args, named


def intervals(found: Any, place: str = "") -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield place and ends of every interval in a result: fields by name, items by number or key."""
    if isinstance(found, Estimate | Difference):
        yield place, (found.low, found.high)
    elif isinstance(found, Games):
        yield place, (min(found.low, found.high), max(found.low, found.high))
    elif isinstance(found, tuple) and len(found) == 2 and all(isinstance(end, float | int) for end in found):
        yield place, (float(found[0]), float(found[1]))
    elif isinstance(found, dict):
        for key, one in found.items():
            yield from intervals(one, f"{place}[{key}]")
    elif isinstance(found, list | tuple):
        for number, one in enumerate(found):
            yield from intervals(one, f"{place}[{number}]")
    elif dataclasses.is_dataclass(found):
        for one in dataclasses.fields(found):
            yield from intervals(getattr(found, one.name), f"{place}.{one.name}".lstrip("."))


EXTREMES = {"experiments.metrics.spread.spread": "the least and the greatest score, no interval"}

# ---- which functions there are --------------------------------------------------------------------------


def modules() -> list[ModuleType]:
    """Return the modules that make intervals."""
    found = [
        importlib.import_module(f"{metrics.__name__}.{one.name}")
        for one in pkgutil.iter_modules(metrics.__path__)
    ]
    return [*found, stats]


def functions() -> set[str]:
    """Return the names of all public functions and methods of these modules that return intervals."""
    found = set()
    for module in modules():
        for name, thing in _public(module, module.__name__):
            if inspect.isclass(thing):
                members = [(f"{name}.{key}", one) for key, one in _public(thing, module.__name__)]
            else:
                members = [(name, thing)]
            found |= {
                f"{module.__name__}.{key}"
                for key, one in members
                if inspect.isfunction(one) and _returns_intervals(one)
            }
    return found - set(EXTREMES)


def _public(owner: Any, module: str) -> list[tuple[str, Any]]:
    return [
        (name, thing)
        for name, thing in vars(owner).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module
    ]


def _returns_intervals(function: Any) -> bool:
    hint = typing.get_type_hints(function).get("return")
    return "interval" in function.__name__ or _bears(hint)


def _bears(hint: Any) -> bool:
    """Tell whether a type is one with the ends of an interval, or holds such a one."""
    if typing.get_args(hint):
        return any(_bears(one) for one in typing.get_args(hint))
    if not (inspect.isclass(hint) and dataclasses.is_dataclass(hint)):
        return False
    fields = dataclasses.fields(hint)
    if any(one.name == "low" or one.name.endswith("_low") for one in fields):
        return True
    hints = typing.get_type_hints(hint)
    return any(_bears(hints[one.name]) for one in fields)
