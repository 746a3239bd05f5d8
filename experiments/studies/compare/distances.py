"""How far the scores of a draft lie from those of the first draft of its study, as distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import scores
from experiments.metrics.scores import Distances
from experiments.play.matches import Run

BLOCKS = 2000
"""The first of a run, whose scores are kept match by match."""

_CELLS = 400_000
"""Deals times different scores, at the most: more would take seconds."""


def between(base: Run, run: Run) -> Distances | None:
    """Return the distances of the scores of all seats over the whole blocks that both drafts played.

    Parameters
    ----------
    base, run : Run
        With scores kept.

    Returns
    -------
    Distances or None
        None where there are fewer than two such blocks. Of very many different scores it is of the first deals only.
    """
    kept = [by_block(each) for each in (base, run)]
    deals = min(map(len, kept))
    while deals > 1 and deals * _different([scores_of[:deals] for scores_of in kept]) > _CELLS:
        deals //= 2
    return scores.distances(kept[0][:deals], kept[1][:deals], run.study.spec.seed) if deals > 1 else None


def are_paired(base: Run, run: Run) -> bool:
    """Tell whether a deal is the same shuffle, dealt to the same seats, in both: for as many players it is."""
    return base.draft.players == run.draft.players


def by_block(run: Run) -> Any:
    """Return the scores kept of whole blocks, shape (blocks, matches, players)."""
    blocks = len(run.totals.kept) // run.batch.period
    kept = run.totals.kept[: blocks * run.batch.period]
    return kept.reshape(blocks, run.batch.period, run.draft.players).copy()


def _different(kept: list[Any]) -> int:
    return len(np.unique(np.concatenate([scores_of.ravel() for scores_of in kept])))
