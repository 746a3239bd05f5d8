"""Results of a suite on disk: what its manifest and table say, and playing one again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.store import folders, user_files
from experiments.store import runs as store
from experiments.store.folders import Content, digest, file_digest
from experiments.studies.skill.play import Job, Suite
from experiments.studies.skill.spec import MAX_DEALS, Players, Spec
from sim import registry
from sim.batch import MAX_SEED
from sim.errors import UserError

KIND = "skill"
"""What a suite's manifest calls itself."""


def study_name(job: Job) -> str:
    """Return the name of a suite's folder, from its draft."""
    return _study_name(job.spec)


def _study_name(spec: Spec) -> str:
    return folders.as_name(f"{spec.draft.game}-{spec.draft.name}-skill")


def save(
    suite: Suite,
    root: Path,
    *,
    name: str | None = None,
    report: Callable[[Suite, dict[str, Any]], str] | None = None,
) -> Path:
    """Write a suite into a new folder under `root`, as `experiments.store.runs.save` does a study."""
    spec, players = suite.spec, suite.spec.players
    description = {
        "game": spec.draft.game,
        "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
        "drafts": [store.described(spec.draft)],
        "yardsticks": {
            "beginners": list(players.beginners),
            "others": players.others,
            "best": players.best,
            "fictive": players.fictive,
        },
        "bots_file": None if spec.bots_file is None else file_digest(spec.bots_file),
        "seed": spec.seed,
        "deals": spec.deals,
    }
    everyone = [*spec.ladder, *([players.fictive] if players.fictive else [])]
    cell = {
        **description,
        "drafts": [spec.draft.tables()],
        "yardsticks": [store.identity(spec.bot(name), spec.draft) for name in everyone],
    }
    content = Content(
        _study_name(spec),
        digest(json.dumps(cell, sort_keys=True).encode()),
        {
            "kind": KIND,
            **description,
            "weights": user_files.weights_of(map(spec.bot, everyone)),
            "labels": [spec.draft.label],
            "deals_done": suite.done,
            "partial": not suite.complete,
            "seconds": suite.seconds,
        },
        lambda folder: folders.write_tables(folder, tables(suite)),
        None if report is None else lambda manifest: report(suite, manifest),
        ("choix",),
    )
    return folders.save(content, root, name)


def tables(suite: Suite) -> dict[str, tuple[list[dict[str, Any]], Any]]:
    """Return file name → rows and their schema."""
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    columns = [("measure", text), ("number", text), ("of", text), ("value", real), ("se", real)]
    columns += [("low", real), ("high", real), ("infinite", text), ("unit", text), ("n", whole)]
    rows = [row for section in suite.sections for row in section.rows()]
    return {"numbers.parquet": (rows, pa.schema(columns))}


def spec_of(manifest: dict[str, Any], where: str, bots_file: Path | None = None) -> Job:
    """Return the job that a manifest describes, to be done again; see `experiments.store.runs.spec_of`.

    Raises
    ------
    UserError
        If the manifest is damaged, or of another version of the rules.
    """
    with store.reading(where):
        draft = store.only_draft_of(manifest, where)
        named, seed = manifest["yardsticks"], store.whole(manifest["seed"], "seed", 0, MAX_SEED)
        beginners, fictive = named["beginners"], named["fictive"]
        players = Players(tuple(beginners), named["others"], named["best"], fictive)
        deals = {
            name: store.whole(count, "deals_done", 1, MAX_DEALS)
            for name, count in manifest["deals_done"].items()
        }
        names = [*players.honest, *([] if fictive is None else [fictive])]
        if (
            not isinstance(beginners, list)
            or not beginners
            or not all(isinstance(name, str) for name in names)
        ):
            raise KeyError("yardsticks")
        if not deals:
            raise KeyError("deals_done")
        user_files.check(manifest, where, bots_file)
    job = Job(Spec(draft, players, seed, deals, bots_file))
    for name in deals.keys() - {measure.name for measure in job.measures}:
        raise UserError(f"{where}: damaged manifest (no measure {name!r} of this draft)")
    return job
