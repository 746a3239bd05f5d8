"""Results on disk: ``results/<study>/<run-id>/`` with a manifest, Parquet tables and a report."""

from __future__ import annotations

import datetime
import hashlib
import json
import math
import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from experiments import labels
from experiments.study import Run, Spec, Study
from sim import drafts, registry
from sim.drafts import Draft
from sim.errors import UserError

FORMAT = 1
"""Of the manifest."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MAX_MANIFEST = 10_000_000
_PACKAGES = ("numpy", "numba", "pandas", "pyarrow", "scipy")


def study_name(spec: Spec) -> str:
    """Return the name of a study's folder, from its drafts."""
    first = spec.drafts[0]
    names = "-vs-".join(draft.name for draft in spec.drafts)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", f"{first.game}-{names}")[:80].strip("-.")


def check_study(name: str) -> str:
    """Return `name` if it can be a folder's name.

    Raises
    ------
    UserError
        If it has other characters than letters, digits and ``. _ -``.
    """
    if not _NAME.fullmatch(name):
        raise UserError(
            f"--study {name}: must be letters, digits, '.', '_' and '-', starting with a letter or digit"
        )
    return name


def _description(spec: Spec) -> dict[str, Any]:
    """Return all that determines the tables."""
    game = spec.drafts[0].game
    return {
        "game": game,
        "rules_version": registry.find(game).state.RULES_VERSION,
        "drafts": [
            {
                "name": draft.name,
                "notes": draft.notes,
                "changes": list(draft.changes),
                "tables": draft.tables(),
            }
            for draft in spec.drafts
        ],
        "lineup": spec.lineup,
        "fixed_seats": spec.fixed_seats,
        "bots_file": None if spec.bots_file is None else _file_digest(spec.bots_file),
        "seed": spec.seed,
        "matches": spec.matches,
    }


def _cell(spec: Spec, description: dict[str, Any]) -> dict[str, Any]:
    """Return what a run's numbers depend on, whatever it is called: bots with their parameters, rules in full."""
    bots = [
        [[bot.name.partition(":")[0], bot.decide.__module__, list(bot.params)] for bot in one.lineup]
        for one in spec.batches
    ]
    named = {
        key: description[key]
        for key in ("game", "rules_version", "bots_file", "fixed_seats", "seed", "matches")
    }
    return {**named, "tables": [draft.tables() for draft in spec.drafts], "bots": bots}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file_digest(path: Path) -> str:
    try:
        return _digest(path.read_bytes())
    except OSError as error:
        raise UserError(f"--bots {path}: cannot be read ({error.strerror})") from None


def prepare(root: Path, name: str) -> Path:
    """Make the folder of a study and see that it can be written, before anything is played.

    Raises
    ------
    UserError
        If it cannot.
    """
    parent = root / check_study(name)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=parent):
            pass
    except OSError as error:
        raise UserError(f"{parent}: cannot be written ({error.strerror})") from None
    return parent


def save(
    study: Study,
    root: Path,
    *,
    name: str | None = None,
    report: Callable[[Study, dict[str, Any]], str] | None = None,
) -> Path:
    """Write a study into a new folder under `root`; the folder appears only when it is whole.

    Parameters
    ----------
    study : Study
    root : Path
        Such as ``results``.
    name : str, optional
        Of the study; from the drafts otherwise.
    report : callable, optional
        Makes the page of a study and its manifest.

    Returns
    -------
    Path
        The run's folder.

    Raises
    ------
    UserError
        If it cannot be written.
    """
    now = datetime.datetime.now(datetime.UTC)
    description = _description(study.spec)
    cell = _digest(json.dumps(_cell(study.spec, description), sort_keys=True).encode())
    parent = prepare(root, name or study_name(study.spec))
    try:
        # The random end keeps runs that end in the same second apart.
        folder = parent / f"{now:%Y%m%d-%H%M%S}-{cell[:8]}-{secrets.token_hex(2)}"
        part = parent / f".part-{folder.name}-{os.getpid()}"
        part.mkdir()
        try:
            written = _write_tables(study, part)
            manifest = {
                "format": FORMAT,
                "tefuda": metadata.version("tefuda"),
                "study": parent.name,
                "run_id": folder.name,
                "cell": cell,
                **description,
                "labels": [draft.label for draft in study.spec.drafts],
                "matches_done": study.matches,
                "partial": not study.complete,
                "tables": written,
                "created": now.isoformat(timespec="seconds"),
                "command": sys.argv[1:],
                "seconds": study.result.seconds,
                "versions": _versions(),
                "git": _git(),
            }
            _write(part / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
            if report is not None:
                _write(part / "report.html", report(study, manifest))
            part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise UserError(f"{error.filename or parent}: cannot be written ({error.strerror})") from None
    return folder


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def _versions() -> dict[str, str]:
    found = {name: metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def _git() -> dict[str, Any] | None:
    """Return the commit of the lab's own checkout, and whether it has changes; None for an installed copy."""
    here = Path(__file__).resolve().parent.parent
    if not (here / ".git").exists():
        return None
    try:
        commit = _git_says(here, "rev-parse", "HEAD").strip()
        return {"commit": commit, "changed": bool(_git_says(here, "status", "--porcelain").strip())}
    except (OSError, subprocess.SubprocessError):
        return None


def _git_says(where: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=where, capture_output=True, text=True, check=True, timeout=10
    ).stdout


# ---- tables ---------------------------------------------------------------------------------------------


def _key_columns(key: tuple[Any, ...]) -> dict[str, Any]:
    """Return a measure's key as columns."""
    row: dict[str, Any] = {"measure": key[0], "seat": None, "bot": None, "place": None}
    if key[0] in ("event", "bot_event"):
        row["measure"], row["place"] = key[1], key[-1]
        if len(key) == 4:
            row["bot" if key[0] == "bot_event" else "seat"] = key[2]
    elif len(key) > 1:
        row["bot"] = key[2] if key[1] in ("bot", "cell") else None
        row["seat"] = key[-1] if key[1] in ("seat", "cell") else None
    return row


def estimate_rows(run: Run) -> list[dict[str, Any]]:
    """Return the estimates of a run as flat rows."""
    return [
        {
            "draft": run.draft.label,
            **_key_columns(key),
            "value": found.value,
            "se": found.se,
            "low": found.low,
            "high": found.high,
            "matches": run.totals.matches,
            "blocks": found.blocks,
        }
        for key, found in run.estimates.items()
    ]


def difference_rows(run: Run) -> list[dict[str, Any]]:
    """Return the differences of a run from the first of its study as flat rows."""
    base = run.study.runs[0].draft.label
    return [
        {
            "draft": run.draft.label,
            "base": base,
            **_key_columns(key),
            "difference": found.value,
            "se": found.se,
            "low": found.low,
            "high": found.high,
            "blocks": found.blocks,
            "paired": found.paired,
            "gain": found.gain if math.isfinite(found.gain) else None,
        }
        for key, found in run.differences.items()
    ]


def score_rows(run: Run) -> list[dict[str, Any]]:
    """Return the distribution of match scores by bot and seat as flat rows."""
    return [
        {"draft": run.draft.label, "bot": bot, "seat": seat, "score": score, "matches": count}
        for (bot, seat), counts in sorted(run.totals.scores.items())
        for score, count in sorted(counts.items())
    ]


def label_rows(run: Run) -> list[dict[str, Any]]:
    """Return the values of every label as flat rows."""
    return [
        {"draft": run.draft.label, "label": name, **labels.row(value)}
        for name, values in run.labels.items()
        for value in values
    ]


def _write_tables(study: Study, folder: Path) -> dict[str, str]:
    """Write the tables; return file name → SHA-256. Nothing in them depends on the time or the machine's load."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    key = [("measure", text), ("seat", whole), ("bot", text), ("place", whole)]
    interval = [("se", real), ("low", real), ("high", real)]
    tables = {
        "estimates.parquet": (
            estimate_rows,
            [("draft", text), *key, ("value", real), *interval, ("matches", whole), ("blocks", whole)],
        ),
        "scores.parquet": (
            score_rows,
            [("draft", text), ("bot", text), ("seat", whole), ("score", whole), ("matches", whole)],
        ),
    }
    if len(study.runs) > 1:
        extra = [("blocks", whole), ("paired", pa.bool_()), ("gain", real)]
        tables["differences.parquet"] = (
            difference_rows,
            [("draft", text), ("base", text), *key, ("difference", real), *interval, *extra],
        )
    if labels.of_game(study.spec.drafts[0].game):
        three = [(f"share{end}", real) for end in ("", "_low", "_high")]
        three += [("mean_score", real), *((f"score_{name}", kind) for name, kind in interval)]
        three += [("win_share", real), ("win_low", real), ("win_high", real)]
        tables["labels.parquet"] = (
            label_rows,
            [("draft", text), ("label", text), ("value", text), ("appearances", whole), *three],
        )
    digests = {}
    for name, (rows_of, columns) in tables.items():
        runs = study.runs[1:] if name.startswith("differences") else study.runs
        rows = [row for run in runs for row in rows_of(run)]
        pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(columns)), folder / name)
        digests[name] = _digest((folder / name).read_bytes())
    return digests


# ---- reading back ---------------------------------------------------------------------------------------


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a manifest, given it or its folder.

    Raises
    ------
    UserError
        If it is none.
    """
    path = path / "manifest.json" if path.is_dir() else path
    text = drafts.read_text(path, _MAX_MANIFEST)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not a manifest (not JSON)") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"{path}: not a manifest of format {FORMAT}")
    return data


def spec_of(manifest: dict[str, Any], where: str, bots_file: Path | None = None) -> Spec:
    """Return the spec that a manifest describes, to be played again.

    Parameters
    ----------
    manifest : dict
    where : str
        For error messages.
    bots_file : Path, optional
        The user's own bots, if the run had any: a manifest names no file to be run.

    Raises
    ------
    UserError
        If the manifest is damaged, or of another version of the rules.
    """
    try:
        game = registry.find(manifest["game"], where)
        if manifest["rules_version"] != game.state.RULES_VERSION:
            raise UserError(
                f"{where}: made with version {manifest['rules_version']} of the rules of {game.name}, "
                f"this is version {game.state.RULES_VERSION}: the tables would differ"
            )
        found = [
            Draft(
                game.name,
                str(entry["name"]),
                str(entry["notes"]),
                drafts.complete(game.name, entry["tables"], where),
                tuple(str(change) for change in entry["changes"]),
            )
            for entry in manifest["drafts"]
        ]
        lineup = manifest["lineup"]
        numbers = [manifest["matches_done"], manifest["seed"]]
        if (
            not found
            or not isinstance(lineup, str | None)
            or any(type(number) is not int for number in numbers)
        ):
            raise KeyError("lineup, matches_done or seed")
        wanted = manifest["bots_file"]
        fixed = bool(manifest["fixed_seats"])
    except (KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{where}: damaged manifest ({error} is missing or of a wrong type)") from None
    if wanted is not None and (bots_file is None or _file_digest(bots_file) != wanted):
        raise UserError(f"{where}: played with a user's own bots: name the same file with --bots")
    return Spec(found, lineup, numbers[0], numbers[1], fixed, bots_file)
