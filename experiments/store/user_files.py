"""The user's own files behind a run: what a manifest keeps of them, and whether they are still what they were."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from experiments.store.folders import digest, file_digest
from sim.bots import Bot
from sim.errors import UserError
from strategies import weights


def weights_of(bots: Iterable[Bot]) -> dict[str, dict[str, Any]]:
    """Return what a manifest keeps of the files of weights among some bots, by their names in the line-up.

    The values are those that were played; the digest helps to find the file, and is None where it is gone or has other
    values by now.
    """
    found: dict[str, dict[str, Any]] = {}
    for bot in bots:
        path = weights.file_of(bot.name)
        if path is not None and str(path) not in found:
            values = weights.values_of(bot)
            found[str(path)] = {"sha256": _digest(path, values), "values": values}
    return found


def _digest(path: Path, values: dict[str, float]) -> str | None:
    try:
        same = weights.read(path)[1].values == values
        return digest(path.read_bytes()) if same else None
    except (UserError, OSError):
        return None


def check(manifest: dict[str, Any], where: str, bots_file: Path | None) -> None:
    """See that the user's files are those that a run was played with.

    Parameters
    ----------
    manifest : dict
        Within `experiments.store.manifests.reading`.
    where : str
        For error messages.

    Raises
    ------
    UserError
        If one is not, or is missing.
    """
    wanted = manifest["files"]["bots"]
    if wanted is not None and (bots_file is None or file_digest(bots_file) != wanted):
        raise UserError(f"{where}: played with a user's own bots: name the same file with --bots")
    for name, kept in manifest["files"]["weights"].items():
        _check_weights(name, kept["values"], kept["sha256"], where)


def _check_weights(name: str, values: dict[str, Any], sha256: Any, where: str) -> None:
    digest_told = f" (SHA-256 {sha256})" if isinstance(sha256, str) else ""
    try:
        found = weights.read(Path(name))[1].values
    except UserError as error:
        listed = ", ".join(f"{key} = {value}" for key, value in values.items())
        raise UserError(
            f"{where}: played with weights of a file: {error}; it held {listed}{digest_told}"
        ) from None
    changed = [
        f"{key} is {found.get(key)} and was {values.get(key)}"
        for key in {**values, **found}
        if found.get(key) != values.get(key)
    ]
    if changed:
        raise UserError(f"{where}: {name} has changed since{digest_told}: {', '.join(changed)}")
