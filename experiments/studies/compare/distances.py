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
    kept = [_by_block(one) for one in (base, run)]
    deals = min(len(one) for one in kept)
    while deals > 1 and deals * _different([one[:deals] for one in kept]) > _CELLS:
        deals //= 2
    return scores.distances(kept[0][:deals], kept[1][:deals], run.study.spec.seed) if deals > 1 else None


def are_paired(base: Run, run: Run) -> bool:
    """Tell whether a deal is the same shuffle, dealt to the same seats, in both: for as many players it is."""
    return base.draft.players == run.draft.players


def _by_block(run: Run) -> Any:
    """Return the scores kept of whole blocks, shape (blocks, matches, players)."""
    blocks = len(run.totals.kept) // run.batch.period
    return run.totals.kept[: blocks * run.batch.period].reshape(blocks, run.batch.period, run.draft.players)


def _different(kept: list[Any]) -> int:
    return len(np.unique(np.concatenate([one.ravel() for one in kept])))
