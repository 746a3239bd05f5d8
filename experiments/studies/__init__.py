"""The questions of the lab, a folder each; they are found, not listed.

A question is a package with these modules:

- ``spec``: its class `Spec`, an `experiments.studies.asked.Asked`;
- ``play``: ``play(spec, *, threads, on_progress, stop)``, which returns an `experiments.studies.result.Result`;
- ``findings``: ``report(result)``, which returns an `experiments.report.sections.Report`;
- ``command``: `COMMANDS`, one command of the command line or several.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from importlib import import_module
from typing import Any

_added: dict[str, str] = {}


@dataclass(frozen=True)
class Question:
    """A question, by its name and its package; its modules are imported when they are needed."""

    name: str
    package: str

    def module(self, name: str) -> Any:
        """Return one of its modules."""
        return import_module(f"{self.package}.{name}")


def add(package: str) -> Question:
    """Make a package outside the lab one of its questions, and return it.

    Parameters
    ----------
    package : str
        Its dotted name; the last part is the question's name.
    """
    name = package.rpartition(".")[2]
    _added[name] = package
    return Question(name, package)


def remove(name: str) -> None:
    """Forget a question that was added."""
    _added.pop(name, None)


def questions() -> dict[str, Question]:
    """Return all questions by name."""
    found = {part.name: f"{__name__}.{part.name}" for part in pkgutil.iter_modules(__path__) if part.ispkg}
    return {name: Question(name, package) for name, package in sorted({**found, **_added}.items())}


def of(spec: Any) -> Question:
    """Return the question of a spec."""
    package = type(spec).__module__.rpartition(".")[0]
    return Question(package.rpartition(".")[2], package)
