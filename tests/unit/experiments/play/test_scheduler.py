"""Deals of many duels in pieces: each deal once, all duels equally far, no slow duel in the way."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from experiments.play import scheduler


def test_all_duels_are_equally_far_and_each_has_pieces_of_its_own_size() -> None:
    goals, seconds = [2000, 200, 150], [1e-5, 3.0, 0.045]
    cut, done = scheduler.Cut(goals), [0, 0, 0]
    sizes: list[list[int]] = [[], [], []]
    for number, start, size in cut:
        assert start == done[number]
        assert done[number] / goals[number] == min(a / b for a, b in zip(done, goals, strict=True))
        done[number] += size
        sizes[number].append(size)
        cut.learn(number, size, size * seconds[number])
    assert done == goals
    # The first tells the pace, the last is what is left.
    assert [set(some[1:-1]) for some in sizes] == [{64}, {1}, {4}]
    assert [some[0] for some in sizes] == [1, 1, 1]


def test_a_slow_piece_keeps_no_other_back() -> None:
    goal = threading.Event()

    def slow(start: int, deals: int) -> Any:
        return SimpleNamespace(ahead=np.full(deals, float(goal.wait(timeout=20))))

    def fast(start: int, deals: int) -> Any:
        return SimpleNamespace(ahead=np.zeros(deals))

    tables: Any = [SimpleNamespace(jitted=True, play=slow), SimpleNamespace(jitted=True, play=fast)]
    deals = [0, 0]
    for number, _, found in scheduler.play(tables, [2, 10_000], threads=2):
        deals[number] += len(found.ahead)
        if deals[1] > 1_000:
            goal.set()
        if number == 0:
            assert found.ahead.all()
    assert deals == [2, 10_000]
