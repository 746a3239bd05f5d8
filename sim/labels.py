"""What a seat wins and scores for each value of a label: exact sums over blocks, as for the measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import rng
from sim.jit import jit, u64

ITEMS = 9
N, WINS, SCORES, NN, NW, WW, NS, SS, NB = range(ITEMS)
"""Sums over blocks of n (seats and matches with the value), their wins w and scores s, and of the products that the
intervals need; b counts the seats and matches of a block."""

Counts = dict[int, list[int]]
"""Value of a label → its `ITEMS` sums."""

_FREE = -1
_FIRST_SIZE = 1 << 10


def count(labels: Any, scores: Any, which: int, period: int) -> Counts:
    """Return the sums of one label over the matches played.

    Parameters
    ----------
    labels : int64 array, shape (matches, players, labels + 1)
        Values of 0 or more; see `sim.loop.play_matches`.
    scores : int64 array, shape (matches, players)
    which : int
        Number of the label.
    period : int
        Matches of a block.
    """
    size = _FIRST_SIZE
    while True:
        keys = np.full(size, _FREE, np.int64)
        sums = np.zeros((size, ITEMS), np.int64)
        block = np.zeros((size, 3), np.int64)
        if _count(labels, scores, which, period, keys, sums, block):
            used = np.flatnonzero(keys != _FREE)
            return {int(keys[slot]): [int(item) for item in sums[slot]] for slot in used}
        size *= 4


def add(total: Counts, part: Counts) -> None:
    """Add the sums of a part."""
    for key, sums in part.items():
        before = total.get(key)
        total[key] = sums if before is None else [a + b for a, b in zip(before, sums, strict=True)]


@jit
def _slot(keys: Any, key: int) -> Any:
    """Return where a value is, or is to be, in a table whose size is a power of two."""
    last = len(keys) - 1
    slot = np.int64(rng.mix(u64(key)) & u64(last))
    while keys[slot] != key and keys[slot] != _FREE:
        slot = (slot + 1) & last
    return slot


@jit
def _count(labels: Any, scores: Any, which: int, period: int, keys: Any, sums: Any, block: Any) -> bool:
    """Add everything to `sums`, block by block; return False if there are too many values for the table."""
    matches, players = scores.shape
    wins = labels.shape[2] - 1
    used = 0
    for first in range(0, matches, period):
        last = min(first + period, matches)
        for match in range(first, last):
            for seat in range(players):
                key = labels[match, seat, which]
                slot = _slot(keys, key)
                if keys[slot] == _FREE:
                    used += 1
                    if 2 * used > len(keys):
                        return False
                    keys[slot] = key
                block[slot, 0] += 1
                block[slot, 1] += labels[match, seat, wins]
                block[slot, 2] += scores[match, seat]
        seats = (last - first) * players
        for match in range(first, last):
            for seat in range(players):
                slot = _slot(keys, labels[match, seat, which])
                n = block[slot, 0]
                if n == 0:
                    continue  # already added
                w = block[slot, 1]
                s = block[slot, 2]
                sums[slot, N] += n
                sums[slot, WINS] += w
                sums[slot, SCORES] += s
                sums[slot, NN] += n * n
                sums[slot, NW] += n * w
                sums[slot, WW] += w * w
                sums[slot, NS] += n * s
                sums[slot, SS] += s * s
                sums[slot, NB] += n * seats
                block[slot, 0] = 0
                block[slot, 1] = 0
                block[slot, 2] = 0
    return True
