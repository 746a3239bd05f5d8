"""Results of a fairness matrix on disk: what its manifest and table say, and playing one again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.store import folders, user_files
from experiments.store import runs as store
from experiments.store.folders import Content, digest, file_digest
from experiments.studies.fairness.play import Matrix, Spec, seat_rows
from sim import registry
from sim.batch import MAX_MATCHES, MAX_SEED

KIND = "fairness"
"""What its manifest calls itself."""


def study_name(spec: Spec) -> str:
    """Return the name of the folder, from the draft."""
    return folders.as_name(f"{spec.drafts[0].game}-{spec.drafts[0].name}-fairness")


def save(
    matrix: Matrix,
    root: Path,
    *,
    name: str | None = None,
    report: Callable[[Matrix, dict[str, Any]], str] | None = None,
) -> Path:
    """Write a matrix into a new folder under `root`, as `experiments.store.runs.save` does a study."""
    spec = matrix.spec
    game = spec.drafts[0].game
    cell = {"studies": [store.cell(one) for one in spec.studies], "margin": spec.margin}
    content = Content(
        study_name(spec),
        digest(json.dumps(cell, sort_keys=True).encode()),
        {
            "kind": KIND,
            "game": game,
            "rules_version": registry.find(game).state.RULES_VERSION,
            "drafts": [store.described(draft) for draft in spec.drafts],
            "labels": [draft.label for draft in spec.drafts],
            "levels": spec.levels,
            "refused": spec.refused,
            "margin": spec.margin,
            "bots_file": None if spec.bots_file is None else file_digest(spec.bots_file),
            "weights": store.weights_of(spec.studies),
            "seed": spec.seed,
            "matches": spec.matches,
            "matches_done": [one.run.totals.matches for one in matrix.cells],
            "partial": not matrix.complete,
            "seconds": matrix.seconds,
        },
        lambda folder: folders.write_tables(folder, tables(matrix)),
        None if report is None else lambda manifest: report(matrix, manifest),
    )
    return folders.save(content, root, name)


def tables(matrix: Matrix) -> dict[str, tuple[list[dict[str, Any]], Any]]:
    """Return file name → rows and their schema."""
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    columns = [
        ("draft", text), ("players", whole), ("level", text), ("seat", whole), ("share", real), ("low", real),
        ("high", real), ("matches", whole), ("fair", text),
        *((f"more_matches{end}", whole) for end in ("", "_low", "_high")), ("furthest_seat", whole),
        *((f"deviation{end}", real) for end in ("", "_low", "_high")),
    ]  # fmt: skip
    return {"fairness.parquet": (seat_rows(matrix), pa.schema(columns))}


def spec_of(manifest: dict[str, Any], where: str, bots_file: Path | None = None) -> Spec:
    """Return the spec that a manifest describes, to be played again; see `experiments.store.runs.spec_of`.

    Raises
    ------
    UserError
        If the manifest is damaged, or of another version of the rules.
    """
    with store.reading(where):
        game = store.game_of(manifest, where)
        found = [store.draft_of(game, entry, where) for entry in manifest["drafts"]]
        levels, matches = manifest["levels"], manifest["matches_done"]
        refused = [
            (store.whole(players, "refused", 0, MAX_MATCHES), str(reason))
            for players, reason in manifest["refused"]
        ]
        seed, margin = store.whole(manifest["seed"], "seed", 0, MAX_SEED), manifest["margin"]
        matches = [store.whole(number, "matches_done", 0, MAX_MATCHES) for number in matches]
        if (
            not found
            or not isinstance(levels, list)
            or not all(isinstance(name, str) for name in levels)
            or len(matches) != len(found) * len(levels)
            or not any(matches)
            or not isinstance(margin, float)
            or not 0 < margin < 1
        ):
            raise KeyError("drafts, levels, matches_done or margin")
        user_files.check(manifest, where, bots_file)
    return Spec(found, levels, matches, seed, margin, refused, bots_file)
