"""A report as one self-contained HTML page that loads nothing."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from experiments.report import draw, words
from experiments.report.output import printable
from experiments.report.sections import Report

_HERE = Path(__file__).resolve().parent

_MOST = 12
"""Rows of a table that are not folded away."""


@cache
def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        # Names and notes come from drafts that a stranger may have written.
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


@cache
def _css() -> Markup:
    return Markup((_HERE / "style.css").read_text(encoding="utf-8"))


def page(report: Report, manifest: dict[str, Any]) -> str:
    """Return a report as a page; what would hide or turn its text is escaped.

    Parameters
    ----------
    manifest : dict
        Of the run; what is missing is shown as a dash.
    """
    text = _template().render(
        report=report,
        css=_css(),
        draw=draw.draw,
        most=_MOST,
        made=[(name, value or words.MISSING) for name, value in [*_made(manifest), *report.made]],
        folder=_folder_of(manifest),
        bots_file=bool((manifest.get("files") or {}).get("bots")),
    )
    return "\n".join(map(printable, str(text).lstrip().split("\n")))


def _folder_of(manifest: dict[str, Any]) -> str:
    """Return a run's folder under the results; empty if the manifest names none."""
    study, run_id = manifest.get("study"), manifest.get("run_id")
    return f"{study}/{run_id}" if study and run_id else ""


def _made(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a manifest says of how a run was made; empty texts for what is missing."""
    command, git = manifest.get("command"), manifest.get("git")
    versions, seconds = manifest.get("versions") or {}, manifest.get("seconds")
    return [
        ("Command", "tefuda " + shlex.join(str(word) for word in command) if command else ""),
        ("Run", _folder_of(manifest)),
        ("Made at", str(manifest.get("created", ""))),
        ("Time of playing", "" if seconds is None else f"{words.number(seconds, 1)} s"),
        (
            "Game, and version of its rules",
            f"{manifest.get('game', '')} {manifest.get('rules_version', '')}".strip(),
        ),
        ("User's file of bots, SHA-256", str((manifest.get("files") or {}).get("bots") or "none")),
        ("tefuda", str(manifest.get("tefuda", ""))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
        (
            "Git commit",
            f"{git.get('commit', '')}{', with changes not committed' if git.get('changed') else ''}"
            if git
            else "",
        ),
        ("Fingerprint of the settings", str(manifest.get("cell", ""))),
    ]
