"""Results as pandas tables, for notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from experiments import store
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
    """

    manifest: dict[str, Any]
    estimates: pd.DataFrame
    scores: pd.DataFrame
    differences: pd.DataFrame
    labels: pd.DataFrame


def of_study(study: Study) -> Tables:
    """Return the tables of a study just played."""
    return Tables(
        {},
        pd.DataFrame([row for run in study.runs for row in store.estimate_rows(run)]),
        pd.DataFrame([row for run in study.runs for row in store.score_rows(run)]),
        pd.DataFrame([row for run in study.runs[1:] for row in store.difference_rows(run)]),
        pd.DataFrame([row for run in study.runs for row in store.label_rows(run)]),
    )


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

    return Tables(manifest, table("estimates"), table("scores"), table("differences"), table("labels"))
