"""Work cut into pieces for threads; the deals of many duels, cut so that all duels get on alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from experiments.play.duels import Deals, Table

Piece = TypeVar("Piece")
Done = TypeVar("Done")

_PIECE_SECONDS = 0.2
_MAX_PIECE = 64
"""Deals."""


def in_threads(
    todo: Iterator[Piece], work: Callable[[Piece], Done], threads: int, *, in_order: bool
) -> Generator[Done]:
    """Yield what `work` makes of each piece, worked at in threads.

    A piece is asked for only when a thread will soon need it, so its size may depend on how long the last ones took.

    Parameters
    ----------
    in_order : bool
        Yield in the order of the pieces, not as they end.
    """
    waiting: list[Future[Done]] = []
    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        while True:
            while len(waiting) < 2 * threads:
                for piece in todo:
                    waiting.append(pool.submit(work, piece))
                    break
                else:
                    break
            if not waiting:
                return
            # With a time-out Ctrl-C is noticed on every platform.
            wait(waiting[:1] if in_order else waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in [*waiting]:
                if future.done():
                    waiting.remove(future)
                    yield future.result()
                elif in_order:
                    break
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


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


def play(tables: list[Table], goals: list[int], threads: int) -> Generator[tuple[int, int, Deals]]:
    """Yield number of the duel, first deal and what came of every piece, as they end.

    Parameters
    ----------
    goals : list of int
        Deals of each.
    """
    cut = Cut(goals)

    def work(piece: tuple[int, int, int]) -> tuple[int, int, Deals, float]:
        number, start, deals = piece
        began = time.perf_counter()
        found = tables[number].play(start, deals)
        return number, start, found, time.perf_counter() - began

    # Plain Python does not run in two threads at once.
    count = threads if all(table.jitted for table in tables) else 1
    done = in_threads(iter(cut), work, count, in_order=False)
    try:
        for number, start, found, seconds in done:
            cut.learn(number, len(found.ahead), seconds)
            yield number, start, found
    finally:
        done.close()
