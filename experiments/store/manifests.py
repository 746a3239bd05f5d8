"""Manifests: what they say of a run, read back with care, since they may come from strangers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from experiments.store import folders
from experiments.store.folders import FORMAT
from sim import drafts, registry
from sim.errors import UserError

_MOST_BYTES = 10_000_000


def read(path: Path) -> dict[str, Any]:
    """Read a manifest, given it or its folder.

    Raises
    ------
    UserError
        If it is none, or of another format.
    """
    path = path / "manifest.json" if path.is_dir() else path
    text = drafts.read_text(path, _MOST_BYTES)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not a manifest (not JSON)") from None
    if isinstance(data, dict) and data.get("format") == 1:
        raise UserError(
            f"{path}: a manifest of format 1, from a version before the tables were renamed: its report and tables can "
            "still be opened, but it cannot be read or played again by this version"
        )
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"{path}: not a manifest of format {FORMAT}")
    return data


@contextlib.contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn what goes wrong while a manifest is taken apart into an error of the user's.

    Raises
    ------
    UserError
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise UserError(f"{where}: damaged manifest ({error} is missing or of a wrong type)") from None
    except (ValueError, OverflowError) as error:
        raise UserError(f"{where}: damaged manifest ({error})") from None
    except RecursionError:
        raise UserError(f"{where}: damaged manifest (nested too deeply)") from None


def tables_of(manifest: dict[str, Any]) -> dict[str, str]:
    """Return file name → SHA-256 of a manifest's tables; within `reading`."""
    tables: dict[str, str] = manifest["tables"]
    if not tables or not all(isinstance(sha256, str) for sha256 in tables.values()):
        raise ValueError("tables must be names of files with their SHA-256")
    return tables


def study_of(manifest: dict[str, Any]) -> str | None:
    """Return the name of a manifest's study, None if it has none; within `reading`."""
    name = manifest.get("study")
    try:
        return None if name is None else folders.check_study(name)
    except UserError:
        raise ValueError("study must be the name of a folder") from None


def check_rules(manifest: dict[str, Any], where: str) -> None:
    """See that a manifest is of a game of this lab and of this version of its rules; within `reading`.

    Raises
    ------
    UserError
        If it is not.
    """
    game = registry.find(manifest["game"], where)
    if manifest["rules_version"] != game.state.RULES_VERSION:
        raise UserError(
            f"{where}: made with version {manifest['rules_version']} of the rules of {game.name}, "
            f"this is version {game.state.RULES_VERSION}: the tables would differ"
        )
