"""What all commands that play something and leave it in a folder do alike."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import experiments
from experiments.interrupts import EXIT_CODE, deferred
from experiments.report import output as terminal
from experiments.studies import options as cli_parts


@dataclass(frozen=True)
class Kind:
    """Something that is played, shown, and left in a folder from which it can be played again.

    What takes time to import is named by its place, ``module:name``, so that ``--help`` does not wait for it.

    Attributes
    ----------
    module : str
        That keeps it, with `KIND`, `study_name`, `spec_of` and `save`.
    page : str
        Makes the report of what was played and its manifest.
    play : str
        Plays a spec, with ``threads``, ``on_progress`` and ``stop``; what was played has an attribute `complete`.
    length : callable
        Of the bar of progress of a spec.
    unit : str
        What the bar counts.
    lines : callable
        Tells what was played as text.
    summary : callable
        Tells what was played as data for JSON.
    """

    module: str
    page: str
    play: str
    length: Callable[[Any], int]
    unit: str
    lines: Callable[[Any], list[str]]
    summary: Callable[[Any], dict[str, Any]] = lambda played: dict(played.summary())

    @property
    def store(self) -> Any:
        """The module that keeps it."""
        return pkgutil.resolve_name(self.module)

    def played(self, spec: Any, threads: int | None, stop: Callable[[], bool]) -> Any:
        """Play a spec with a bar of progress."""
        play = pkgutil.resolve_name(self.play)
        with cli_parts.progress(self.length(spec), self.unit) as on_progress:
            return play(spec, threads=threads or experiments.threads(), on_progress=on_progress, stop=stop)

    def save(self, played: Any, root: Path, name: str | None) -> Path:
        """Write what was played and its report into a new folder."""
        folder: Path = self.store.save(played, root, name=name, report=pkgutil.resolve_name(self.page))
        return folder


def prepare(kind: Kind, spec: Any, settings: dict[str, Any]) -> None:
    """Make sure that results can be written, if they are to be, before anything is played.

    Parameters
    ----------
    kind : Kind
    spec
        What is to be played.
    settings : dict
        Of `cli_parts.save_options`.
    """
    from experiments.store import folders

    if not settings["no_save"]:
        folders.prepare(settings["out"], _name(kind, spec, settings))


def _name(kind: Kind, spec: Any, settings: dict[str, Any]) -> str:
    """Return the name of the folder: that which is given, be it empty, or else the usual."""
    given: str | None = settings["study_name"]
    return str(kind.store.study_name(spec)) if given is None else given


def carry_out(kind: Kind, spec: Any, settings: dict[str, Any]) -> None:
    """Play a spec, keep it, and print what came; Ctrl-C keeps what was finished, and shows in the exit code.

    Parameters
    ----------
    kind, spec, settings
        As of `prepare`.
    """
    with deferred() as stop:
        played = kind.played(spec, settings["threads"], stop)
        folder = None if settings["no_save"] else kind.save(played, settings["out"], settings["study_name"])
        if settings["as_json"]:
            where = None if folder is None else str(folder)
            terminal.say_json({**kind.summary(played), "results": where})
        else:
            terminal.say([*kind.lines(played), *cli_parts.report_line(folder)])
    leave(played)


def leave(played: Any) -> None:
    """End with the exit code of an interrupted command if it was."""
    if not played.complete:
        raise click.exceptions.Exit(EXIT_CODE)
