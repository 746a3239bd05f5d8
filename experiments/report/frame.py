"""What all pages have in common: the templates' surroundings, and how a run was made."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from experiments.report.output import printable

_HERE = Path(__file__).resolve().parent


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        # Names and notes come from drafts that a stranger may have written.
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _css() -> Markup:
    return Markup((_HERE / "style.css").read_text(encoding="utf-8"))


def render(template: str, **names: Any) -> str:
    """Return a page from one of the templates beside this module; what would hide or turn its text is escaped."""
    page = str(_environment().get_template(template).render(css=_css(), **names)).lstrip()
    return "\n".join(map(printable, page.split("\n")))


def folder_of(manifest: dict[str, Any]) -> str:
    """Return a run's folder under the results; empty if the manifest names none."""
    study, run_id = manifest.get("study"), manifest.get("run_id")
    return f"{study}/{run_id}" if study and run_id else ""


def began(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a manifest says of the command; empty texts for what is missing."""
    command = manifest.get("command")
    return [
        ("Command", "tefuda " + shlex.join(str(word) for word in command) if command else ""),
        ("Run", folder_of(manifest)),
        ("Made at", str(manifest.get("created", ""))),
    ]


def ended(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a manifest says of the surroundings; empty texts for what is missing."""
    versions = manifest.get("versions") or {}
    return [
        ("User's file of bots, SHA-256", str(manifest.get("bots_file") or "none")),
        ("tefuda", str(manifest.get("tefuda", ""))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("Git commit", _git(manifest)),
        ("Fingerprint of the settings", str(manifest.get("cell", ""))),
    ]


def _git(manifest: dict[str, Any]) -> str:
    git = manifest.get("git")
    if not git:
        return ""
    return f"{git.get('commit', '')}{', with changes not committed' if git.get('changed') else ''}"
