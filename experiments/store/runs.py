"""Results of a study on disk: what its manifest and tables say, and reading them back."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from experiments.play import labels
from experiments.play.matches import Run, Spec, Study
from experiments.store import folders, user_files
from experiments.store.folders import FORMAT, Content, digest, file_digest, write_tables
from sim import bots, drafts, registry
from sim.batch import MAX_MATCHES, MAX_SEED
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError

KIND = None
"""What a study's manifest calls itself: nothing, as it was the first."""

_MAX_MANIFEST = 10_000_000


def study_name(spec: Spec) -> str:
    """Return the name of a study's folder, from its drafts."""
    names = "-vs-".join(draft.name for draft in spec.drafts)
    return folders.as_name(f"{spec.drafts[0].game}-{names}")


def described(draft: Draft) -> dict[str, Any]:
    """Return a draft as a manifest describes it."""
    return {
        "name": draft.name,
        "notes": draft.notes,
        "changes": list(draft.changes),
        "tables": draft.tables(),
    }


def description(spec: Spec) -> dict[str, Any]:
    """Return all that determines the tables."""
    game = spec.drafts[0].game
    return {
        "game": game,
        "rules_version": registry.find(game).state.RULES_VERSION,
        "drafts": [described(draft) for draft in spec.drafts],
        "lineup": spec.lineup,
        "fixed_seats": spec.fixed_seats,
        "bots_file": None if spec.bots_file is None else file_digest(spec.bots_file),
        "seed": spec.seed,
        "matches": spec.matches,
    }


def weights_of(specs: list[Spec]) -> dict[str, Any]:
    """Return what a manifest keeps of the files of weights in the line-ups of some studies."""
    return user_files.weights_of(bot for spec in specs for one in spec.batches for bot in one.lineup)


def cell(spec: Spec) -> dict[str, Any]:
    """Return what a run's numbers depend on, whatever it is called: bots with their parameters, rules in full."""
    about = description(spec)
    known = [[identity(bot, one.draft) for bot in one.lineup] for one in spec.batches]
    named = {
        key: about[key] for key in ("game", "rules_version", "bots_file", "fixed_seats", "seed", "matches")
    }
    return {**named, "tables": [draft.tables() for draft in spec.drafts], "bots": known}


def identity(bot: Bot, draft: Draft) -> list[Any]:
    """Return what tells a bot from others, whatever it is called: also what it reckons with for a draft."""
    params = bots.players([bot], draft.record(), draft.label)[0]["params"]
    return [bot.decide.__module__, bot.decide.__name__, np.trim_zeros(params, "b").tolist()]


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
    about = description(study.spec)
    content = Content(
        study_name(study.spec),
        digest(json.dumps(cell(study.spec), sort_keys=True).encode()),
        {
            **about,
            "weights": weights_of([study.spec]),
            "labels": [draft.label for draft in study.spec.drafts],
            "matches_done": study.matches,
            "partial": not study.complete,
            "seconds": study.result.seconds,
        },
        lambda folder: write_tables(folder, tables([study])),
        None if report is None else lambda manifest: report(study, manifest),
    )
    return folders.save(content, root, name)


# ---- tables ---------------------------------------------------------------------------------------------


def key_columns(key: tuple[Any, ...]) -> dict[str, Any]:
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
            **key_columns(key),
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
            **key_columns(key),
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


def tables(studies: list[Study]) -> dict[str, tuple[list[dict[str, Any]], Any]]:
    """Return file name → rows and their schema; of several studies of the same drafts, each row with its line-up."""
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    key = [("measure", text), ("seat", whole), ("bot", text), ("place", whole)]
    interval = [("se", real), ("low", real), ("high", real)]
    made = {
        "estimates.parquet": (
            estimate_rows,
            [("draft", text), *key, ("value", real), *interval, ("matches", whole), ("blocks", whole)],
        ),
        "scores.parquet": (
            score_rows,
            [("draft", text), ("bot", text), ("seat", whole), ("score", whole), ("matches", whole)],
        ),
    }
    if len(studies[0].runs) > 1:
        extra = [("blocks", whole), ("paired", pa.bool_()), ("gain", real)]
        made["differences.parquet"] = (
            difference_rows,
            [("draft", text), ("base", text), *key, ("difference", real), *interval, *extra],
        )
    if labels.of_game(studies[0].spec.drafts[0].game):
        three = [(f"share{end}", real) for end in ("", "_low", "_high")]
        three += [("mean_score", real), *((f"score_{name}", kind) for name, kind in interval)]
        three += [("win_share", real), ("win_low", real), ("win_high", real)]
        made["labels.parquet"] = (
            label_rows,
            [("draft", text), ("label", text), ("value", text), ("appearances", whole), *three],
        )
    found = {}
    for name, (rows_of, columns) in made.items():
        rows = []
        for study in studies:
            runs = study.runs[1:] if name.startswith("differences") else study.runs
            rows += [{"level": run.level, **row} for run in runs for row in rows_of(run)]
        # Of one line-up alone there is no need to say which.
        columns = [("level", text), *columns] if len(studies) > 1 else columns
        found[name] = (rows, pa.schema(columns))
    return found


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
    with reading(where):
        game = game_of(manifest, where)
        found = [draft_of(game, entry, where) for entry in manifest["drafts"]]
        lineup, fixed = manifest["lineup"], manifest["fixed_seats"]
        if not found or not isinstance(lineup, str | None) or type(fixed) is not bool:
            raise KeyError("drafts, lineup or fixed_seats")
        matches = whole(manifest["matches_done"], "matches_done", 1, MAX_MATCHES)
        seed = whole(manifest["seed"], "seed", 0, MAX_SEED)
        user_files.check(manifest, where, bots_file)
    return Spec(found, lineup, matches, seed, fixed, bots_file)


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


def whole(value: Any, name: str, least: int, most: int) -> int:
    """Return a number of a manifest if it is a whole one within bounds.

    Raises
    ------
    ValueError
        If it is not.
    """
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}")
    return value


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


def game_of(manifest: dict[str, Any], where: str) -> str:
    """Return the game of a manifest.

    Raises
    ------
    UserError
        If it was played by another version of the rules.
    """
    game = registry.find(manifest["game"], where)
    if manifest["rules_version"] != game.state.RULES_VERSION:
        raise UserError(
            f"{where}: made with version {manifest['rules_version']} of the rules of {game.name}, "
            f"this is version {game.state.RULES_VERSION}: the tables would differ"
        )
    return game.name


def only_draft_of(manifest: dict[str, Any], where: str) -> Draft:
    """Return the draft of a manifest that has one; see `draft_of`.

    Raises
    ------
    KeyError
        If there is none.
    UserError
        If it is of another version of the rules.
    """
    game = game_of(manifest, where)
    if not manifest["drafts"]:
        raise KeyError("drafts")
    return draft_of(game, manifest["drafts"][0], where)


def draft_of(game: str, entry: dict[str, Any], where: str) -> Draft:
    """Return the draft that an entry of a manifest describes."""
    return Draft(
        game,
        str(entry["name"]),
        str(entry["notes"]),
        drafts.complete(game, entry["tables"], where),
        tuple(str(change) for change in entry["changes"]),
    )
