"""Results of a comparison on disk: what its manifest and tables say, and playing one again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.store import folders
from experiments.store import runs as store
from experiments.store.folders import Content, digest
from experiments.studies.compare import distances
from experiments.studies.compare.hypotheses import Design
from experiments.studies.compare.play import Comparison, Judged, Spec
from sim.batch import MAX_MATCHES
from sim.errors import UserError

KIND = "comparison"
"""What a comparison's manifest calls itself."""


def study_name(spec: Spec) -> str:
    """Return the name of a comparison's folder, from its drafts."""
    return store.study_name(spec.studies[0])


def save(
    comparison: Comparison,
    root: Path,
    *,
    name: str | None = None,
    report: Callable[[Comparison, dict[str, Any]], str] | None = None,
) -> Path:
    """Write a comparison into a new folder under `root`, as `experiments.store.runs.save` does a study."""
    spec = comparison.spec
    cell = {"studies": [store.cell(one) for one in spec.studies], "design": spec.design.described()}
    content = Content(
        study_name(spec),
        digest(json.dumps(cell, sort_keys=True).encode()),
        {
            "kind": KIND,
            **store.description(spec.studies[0]),
            "weights": store.weights_of(spec.studies),
            "labels": [draft.label for draft in spec.studies[0].drafts],
            "matches_done": comparison.matches,
            "levels": [
                {
                    "name": study.runs[0].level,
                    "lineup": study.spec.lineup,
                    "matches": study.spec.matches,
                    "matches_done": study.matches,
                    "matches_of_drafts": [run.totals.matches for run in study.runs],
                }
                for study in comparison.studies
            ],
            "plan": plan(comparison),
            "partial": not comparison.complete,
            "seconds": sum(study.result.seconds for study in comparison.studies),
        },
        lambda folder: folders.write_tables(folder, tables(comparison)),
        None if report is None else lambda manifest: report(comparison, manifest),
    )
    return folders.save(content, root, name)


def plan(comparison: Comparison) -> dict[str, Any]:
    """Return what was fixed before the first match: how it is judged, and every claim with its margin."""
    return {
        **comparison.spec.design.described(),
        "claims": [
            {
                "level": comparison.run_of(one.claim).level,
                **_measure(comparison, one),
                "margin": one.claim.margin,
                "aim": one.claim.aim,
            }
            for one in comparison.judged
        ],
    }


def _measure(comparison: Comparison, one: Judged) -> dict[str, Any]:
    return {"draft": comparison.run_of(one.claim).draft.label, **store.key_columns(one.claim.key)}


def verdict_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return every claim with its verdict as flat rows."""
    rows = []
    for one in comparison.judged:
        run = comparison.run_of(one.claim)
        found = None if one.verdict is None else comparison.difference(one)
        rows.append(
            {
                "level": run.level,
                "base": run.study.runs[0].draft.label,
                **_measure(comparison, one),
                "verdict": one.word,
                "margin": one.claim.margin,
                "more_matches": comparison.more(one),
                **{end: getattr(found, name, None) for end, name in _ENDS.items()},
            }
        )
    return rows


_ENDS = {"difference": "value", "se": "se", "low": "low", "high": "high", "blocks": "blocks"}


def distance_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return how far the scores of each draft lie from those of the first, two distances a draft, as flat rows."""
    rows = []
    for (level, number), found in comparison.distances.items():
        base, run = (comparison.studies[level].runs[which] for which in (0, number))
        for kind, unit in (("wasserstein", "points"), ("kolmogorov", "share")):
            one = getattr(found, kind)
            rows.append(
                {
                    "level": run.level,
                    "base": base.draft.label,
                    "draft": run.draft.label,
                    "distance": kind,
                    "unit": unit,
                    **{name: getattr(one.value, name) for name in ("value", "se", "low", "high")},
                    "noise": one.alike,
                    "p": one.p,
                    "deals": one.value.blocks,
                    "paired": distances.are_paired(base, run),
                }
            )
    return rows


def tables(comparison: Comparison) -> dict[str, tuple[list[dict[str, Any]], Any]]:
    """Return file name → rows and their schema."""
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    columns = [
        *((name, text) for name in ("level", "base", "draft", "measure")), ("seat", whole), ("bot", text),
        ("place", whole), ("verdict", text), ("margin", real), ("more_matches", whole),
        *((name, real) for name in ("difference", "se", "low", "high")), ("blocks", whole),
    ]  # fmt: skip
    apart = [
        *((name, text) for name in ("level", "base", "draft", "distance", "unit")),
        *((name, real) for name in ("value", "se", "low", "high", "noise", "p")), ("deals", whole),
        ("paired", pa.bool_()),
    ]  # fmt: skip
    return {
        **store.tables(comparison.studies),
        "verdicts.parquet": (verdict_rows(comparison), pa.schema(columns)),
        "distances.parquet": (distance_rows(comparison), pa.schema(apart)),
    }


def spec_of(manifest: dict[str, Any], where: str, bots_file: Path | None = None) -> Spec:
    """Return the spec that a manifest describes, to be played again; see `experiments.store.runs.spec_of`.

    Raises
    ------
    UserError
        If the manifest is damaged, or of another version of the rules.
    """
    first = store.spec_of(manifest, where, bots_file)
    with store.reading(where):
        studies = []
        for level in manifest["levels"]:
            # What was cut short ends where it was cut; what was whole may have ended before its limit by its own plan.
            lineup, matches = level["lineup"], level["matches_done" if manifest["partial"] else "matches"]
            if not isinstance(lineup, str | None):
                raise KeyError("levels")
            matches = store.whole(matches, "matches of a line-up", 1, MAX_MATCHES)
            studies.append(replace(first, lineup=lineup, matches=matches))
        try:
            design = Design.read(manifest["plan"])
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
        if not studies:
            raise KeyError("levels")
    return Spec(studies, design)
