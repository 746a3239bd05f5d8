"""The deals of many duels, cut into pieces for threads so that all duels get on alike."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from experiments.duels import Table

_PIECE_SECONDS = 0.2
_MAX_PIECE = 64
"""Deals."""


class Cut:
    """Cuts duels into pieces, and next always the one of which the least has been cut, by the share of its own deals.

    So all are about equally far whenever playing ends. The size of a piece follows the duel's own pace: none takes
    too long, and a slow duel does not make the pieces of the others small.

    Parameters
    ----------
    goals : list of int
        Deals of each duel.
    """

    def __init__(self, goals: list[int]) -> None:
        self._goals = np.array(goals)
        self._begun = np.zeros(len(goals), np.int64)
        self._played = np.zeros(len(goals), np.int64)
        self._seconds = np.zeros(len(goals))

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield number of the duel, first deal, deals."""
        while (self._begun < self._goals).any():
            number = int(np.argmin(self._begun / self._goals))
            start = int(self._begun[number])
            size = min(_MAX_PIECE, int(self._goals[number]) - start, self._in_time(number))
            self._begun[number] += size
            yield number, start, size

    def _in_time(self, number: int) -> int:
        """Return how many deals a piece has time for: one as long as the pace is unknown."""
        if self._played[number] == 0:
            return 1
        return max(1, int(_PIECE_SECONDS * self._played[number] / max(self._seconds[number], 1e-9)))

    def learn(self, number: int, deals: int, seconds: float) -> None:
        """Take note of how long some deals of a duel took."""
        self._played[number] += deals
        self._seconds[number] += seconds


def play(tables: list[Table], goals: list[int], threads: int) -> Generator[tuple[int, int, Any]]:
    """Yield number of the duel, first deal and who was ahead (`duels.Deals.ahead`) of every piece, as they end.

    Parameters
    ----------
    tables : list of Table
    goals : list of int
        Deals of each.
    threads : int
    """
    cut = Cut(goals)
    todo = iter(cut)

    def work(number: int, start: int, deals: int) -> tuple[int, int, Any, float]:
        began = time.perf_counter()
        found = tables[number].play(start, deals).ahead
        return number, start, found, time.perf_counter() - began

    # Plain Python does not run in two threads at once.
    count = threads if all(table.jitted for table in tables) else 1
    waiting: set[Future[tuple[int, int, Any, float]]] = set()
    pool = ThreadPoolExecutor(max_workers=count)
    try:
        while True:
            while len(waiting) < 2 * count and (piece := next(todo, None)) is not None:
                waiting.add(pool.submit(work, *piece))
            if not waiting:
                return
            # With a time-out Ctrl-C is noticed on every platform.
            ended, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in ended:
                number, start, found, seconds = future.result()
                cut.learn(number, len(found), seconds)
                yield number, start, found
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
