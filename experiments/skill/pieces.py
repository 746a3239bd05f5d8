"""Work cut into pieces for threads, and taken in the order it was cut."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")


def in_order(todo: Iterator[Piece], work: Callable[[Piece], Done], threads: int) -> Generator[Done]:
    """Yield what `work` makes of each piece, in the order of the pieces, worked at in threads.

    A piece is asked for only when a thread will soon need it, so its size may depend on how long the last ones took.

    Parameters
    ----------
    todo : iterator
    work : callable
    threads : int
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
            wait(waiting[:1], timeout=0.2)
            while waiting and waiting[0].done():
                yield waiting.pop(0).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
