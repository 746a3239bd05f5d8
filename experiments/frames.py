"""Results as pandas tables, for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import comparison_store, store
from experiments.comparison import Comparison
from experiments.study import Study


@dataclass(frozen=True)
class Tables:
    """The tables of a study.

    Attributes
    ----------
    manifest : dict
        How it was made; empty for a study that was not stored.
    estimates : DataFrame
        One row a draft and measure: value, se, low, high (95%), matches, blocks.
    scores : DataFrame
        How often each match score came: draft, bot, seat, score, matches.
    differences : DataFrame
        One row a draft and measure: the difference from the first draft, with its interval.
    labels : DataFrame
        One row a draft, label and value, the commonest first: appearances, share, mean score and win share, with
        their intervals; empty for a game without labels.
    verdicts : DataFrame
        One row a line-up, draft and measure of a comparison: the verdict, its margin, and the matches it would take.
    distances : DataFrame
        Two rows a line-up and draft of a comparison: how far its scores lie from those of the first draft, with the
        interval, what noise alone stays below in 95 of 100 cases, and p.

    Of several line-ups the other tables have a column ``level`` too.
    """

    manifest: dict[str, Any]
    estimates: pd.DataFrame
    scores: pd.DataFrame
    differences: pd.DataFrame
    labels: pd.DataFrame
    verdicts: pd.DataFrame
    distances: pd.DataFrame


def of_study(study: Study) -> Tables:
    """Return the tables of a study just played."""
    return _of(store.tables([study]))


def of_comparison(comparison: Comparison) -> Tables:
    """Return the tables of a comparison just played."""
    return _of(comparison_store.tables(comparison))


def _of(made: dict[str, tuple[list[dict[str, Any]], Any]]) -> Tables:
    def table(name: str) -> pd.DataFrame:
        rows, schema = made.get(f"{name}.parquet", ([], None))
        return pd.DataFrame(rows, columns=None if schema is None else schema.names)

    return _tables({}, table)


def _tables(manifest: dict[str, Any], table: Callable[[str], pd.DataFrame]) -> Tables:
    names = ("estimates", "scores", "differences", "labels", "verdicts", "distances")
    return Tables(manifest, *(table(name) for name in names))


def load(folder: str | Path) -> Tables:
    """Return the tables of a stored run.

    Parameters
    ----------
    folder : path
        Such as ``results/uplink-v1.1/20261130-120000-0a1b2c3d``.

    Raises
    ------
    UserError
        If there is no manifest in it.
    """
    folder = Path(folder)
    manifest = store.read_manifest(folder)

    def table(name: str) -> pd.DataFrame:
        path = folder / f"{name}.parquet"
        return pd.read_parquet(path) if path.is_file() else pd.DataFrame()

    return _tables(manifest, table)
