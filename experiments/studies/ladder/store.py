"""Results of a ladder on disk: what its manifest and tables say, and playing one again."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from experiments.store import folders, user_files
from experiments.store import runs as store
from experiments.store.folders import Content, digest, file_digest
from experiments.studies.ladder.play import MAX_DEALS, Ladder, Spec, duel_rows, rating_rows
from sim import registry
from sim.batch import MAX_SEED

KIND = "ladder"
"""What a ladder's manifest calls itself."""


def study_name(spec: Spec) -> str:
    """Return the name of a ladder's folder, from its draft."""
    return folders.as_name(f"{spec.draft.game}-{spec.draft.name}-ladder")


def save(
    ladder: Ladder,
    root: Path,
    *,
    name: str | None = None,
    report: Callable[[Ladder, dict[str, Any]], str] | None = None,
) -> Path:
    """Write a ladder into a new folder under `root`, as `experiments.store.runs.save` does a study."""
    spec = ladder.spec
    description = {
        "game": spec.draft.game,
        "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
        "drafts": [store.described(spec.draft)],
        "bots": [bot.name for bot in spec.players],
        "bots_file": None if spec.bots_file is None else file_digest(spec.bots_file),
        "seed": spec.seed,
        **spec.asked._asdict(),
    }
    cell = {
        **description,
        "drafts": [spec.draft.tables()],
        "bots": [store.identity(bot, spec.draft) for bot in spec.players],
    }
    content = Content(
        study_name(spec),
        digest(json.dumps(cell, sort_keys=True).encode()),
        {
            "kind": KIND,
            **description,
            "weights": user_files.weights_of(spec.players),
            "cheats": [bot.name for bot in spec.players if bot.cheats],
            "labels": [spec.draft.label],
            **{f"{key}_done": value for key, value in ladder.played._asdict().items()},
            "partial": not ladder.complete,
            "seconds": ladder.seconds,
            # Not in the tables, which must come out alike every time.
            "microseconds": dict(zip([bot.name for bot in ladder.bots], ladder.microseconds, strict=True)),
        },
        lambda folder: folders.write_tables(folder, tables(ladder)),
        None if report is None else lambda manifest: report(ladder, manifest),
        ("choix",),
    )
    return folders.save(content, root, name)


def tables(ladder: Ladder) -> dict[str, tuple[Any, Any]]:
    """Return file name → rows and their schema."""
    import pyarrow as pa

    text, whole, real, truth = pa.string(), pa.int64(), pa.float64(), pa.bool_()
    ends = [("low", real), ("high", real)]
    ratings = [("rank", whole), ("bot", text), ("cheats", truth), ("rating", real), *ends, ("deals", whole)]
    duels = [("first", text), ("second", text), ("value", real), *ends, ("clear", truth), ("deals", whole)]
    duels += [("gain", real), ("gain_low", real), ("gain_high", real)]
    return {
        "ratings.parquet": (rating_rows(ladder), pa.schema(ratings)),
        "duels.parquet": (duel_rows(ladder), pa.schema(duels)),
        "shares.parquet": _shares(ladder),
    }


def _shares(ladder: Ladder) -> tuple[Any, Any]:
    """Return how often the first bot of each pair is ahead, deal by deal, and the mean square of the same in single matches.

    All else is reckoned from these columns.
    """
    import pyarrow as pa

    names = [bot.name for bot in ladder.spec.players]
    pairs = np.array(list(itertools.combinations(range(len(names)), 2)))
    lengths = [len(row) for row in ladder.shares]
    # By number, since there may be millions of deals.
    first, second = (
        pa.DictionaryArray.from_arrays(np.repeat(column, lengths).astype(np.int32), names)
        for column in pairs.T
    )
    deal = np.concatenate([np.arange(length) for length in lengths])
    kind = pa.dictionary(pa.int32(), pa.string())
    schema = [("first", kind), ("second", kind), ("deal", pa.int64())]
    schema += [("share", pa.float64()), ("square", pa.float64())]
    columns = {"first": first, "second": second, "deal": deal}
    columns |= {"share": np.concatenate(ladder.shares), "square": np.concatenate(ladder.squares)}
    return columns, pa.schema(schema)


def spec_of(manifest: dict[str, Any], where: str, bots_file: Path | None = None) -> Spec:
    """Return the spec that a manifest describes, to be played again; see `experiments.store.runs.spec_of`.

    Raises
    ------
    UserError
        If the manifest is damaged, or of another version of the rules.
    """
    with store.reading(where):
        draft = store.only_draft_of(manifest, where)
        bots = manifest["bots"]
        deals = store.whole(manifest["deals_done"], "deals_done", 2, MAX_DEALS)
        seed = store.whole(manifest["seed"], "seed", 0, MAX_SEED)
        # Older ladders, which do not have the key, played as many deals of each pair.
        search_deals = manifest.get("search_deals_done", deals)
        if search_deals is not None:
            store.whole(search_deals, "search_deals_done", 2, deals)
        if not isinstance(bots, list) or not bots or not all(isinstance(name, str) for name in bots):
            raise KeyError("bots")
        user_files.check(manifest, where, bots_file)
    return Spec(draft, bots, deals, seed, bots_file, search_deals)
