"""The way of every question through the command line: prepare, play, save, tell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments import studies
from experiments.interrupts import EXIT_CODE, deferred
from experiments.report import output
from experiments.studies import options

if TYPE_CHECKING:
    from experiments.studies.asked import Asked
    from experiments.studies.result import Result


def carry_out(spec: Asked, settings: dict[str, Any], fit: Callable[[Any], Any] = lambda spec: spec) -> None:
    """Play what is asked, keep it, and tell what came; Ctrl-C keeps what was finished, and shows in the exit code.

    Parameters
    ----------
    settings : dict
        Of `experiments.studies.options.save_options`.
    fit : callable
        Returns the spec in the size that there is time for; called when all else is known to be right.
    """
    from experiments.store import folders

    spec.prepare()
    if not settings["no_save"]:
        given = settings["study_name"]
        folders.prepare(settings["out"], spec.folder_name if given is None else given)
    spec = fit(spec)
    with deferred() as stop:
        result = play(spec, settings["threads"], stop)
        folder = (
            None
            if settings["no_save"]
            else save(result, settings["out"], settings["study_name"], csv=settings["csv"])
        )
        tell(result, settings, folder)
    leave(result)


def play(spec: Asked, threads: int | None, stop: Callable[[], bool]) -> Result:
    """Play what is asked, with a bar of progress."""
    question = studies.of(spec)
    with options.progress(spec.steps, question.name) as on_progress:
        result: Result = question.module("play").play(
            spec, threads=threads or experiments.threads(), on_progress=on_progress, stop=stop
        )
    return result


def save(result: Result, root: Path, study: str | None = None, *, csv: bool = False) -> Path:
    """Write a result and its report into a new folder under `root`; it appears only when it is whole.

    Parameters
    ----------
    root : Path
        Such as ``results``.
    study : str, optional
        Name of the folder in it; from the drafts otherwise.
    csv : bool
        The tables as CSV too.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    UserError
        If it cannot be written.
    """
    from experiments.report.page import page
    from experiments.store import folders, tables
    from sim import registry

    spec = result.spec
    content = folders.Content(
        spec.folder_name,
        folders.digest(json.dumps(spec.cell(), sort_keys=True).encode()),
        {
            "question": studies.of(spec).name,
            "game": spec.game,
            "rules_version": registry.find(spec.game).state.RULES_VERSION,
            "labels": [draft.label for draft in spec.all_drafts],
            "spec": spec.model_dump(mode="json"),
            "played": result.played,
            "partial": not result.complete,
            "seconds": result.seconds,
            "about": result.about,
            "files": {"bots": spec.bots_digest, "weights": spec.weights()},
        },
        lambda folder: tables.write(folder, result.tables(), csv=csv),
        lambda manifest: page(result.report, manifest),
        packages=spec.packages,
    )
    return folders.save(content, root, study)


def tell(result: Result, settings: dict[str, Any], folder: Path | None) -> None:
    """Print a result: as JSON, or its headline and what matters."""
    if settings["as_json"]:
        output.say_json({**result.summary(), "results": None if folder is None else str(folder)})
        return
    from experiments.report import terminal

    detail: terminal.Detail = "brief" if settings["brief"] else "all" if settings["show_all"] else "usual"
    output.say([*terminal.lines(result.report, options.width(), detail), *report_line(folder)])


def report_line(folder: Path | None) -> list[str]:
    """Return the last line of a command: where its report is, if it left one."""
    return [] if folder is None else [f"report: {folder / 'report.html'}"]


def leave(result: Result) -> None:
    """End with the exit code of an interrupted command if it was."""
    if not result.complete:
        raise click.exceptions.Exit(EXIT_CODE)
