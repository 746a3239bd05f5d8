"""Sums by the value of a label: as plain Python adds them up, for any number of values and any split."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from sim import labels
from sim.labels import Counts

WHOLE = 840


def literal(values: Any, scores: Any, which: int, period: int) -> Counts:
    """Return the sums by their definition, block by block and seat by seat."""
    found: dict[int, list[int]] = defaultdict(lambda: [0] * 9)
    matches, players = scores.shape
    for first in range(0, matches, period):
        block: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for match in range(first, min(first + period, matches)):
            for seat in range(players):
                won = (int(values[match, seat, -1]), int(scores[match, seat]))
                block[int(values[match, seat, which])].append(won)
        size = sum(len(seats) for seats in block.values())
        for key, seats in block.items():
            n, w, s = len(seats), sum(win for win, _ in seats), sum(score for _, score in seats)
            products = (n, w, s, n * n, n * w, w * w, n * s, s * s, n * size)
            found[key] = [a + b for a, b in zip(found[key], products, strict=True)]
    return dict(found)


def drawn(matches: int, players: int, different: int, seed: int) -> tuple[Any, Any]:
    """Return (labels, scores): two labels of a few values to choose from, large ones too, and who has won."""
    dice = random.Random(seed)
    pools = [
        [dice.choice([dice.randrange(40), dice.getrandbits(54)]) for _ in range(different)],
        [0, 1, 2, 3],
    ]
    values = np.zeros((matches, players, 3), np.int64)
    scores = np.zeros((matches, players), np.int64)
    for match in range(matches):
        for seat in range(players):
            values[match, seat, :2] = [dice.choice(pool) for pool in pools]
            scores[match, seat] = dice.randint(-500, 999)
        winners = dice.sample(range(players), dice.choice([1, 1, 2]))
        for seat in winners:
            values[match, seat, 2] = WHOLE // len(winners)
    return values, scores


def test_the_sums_stand_in_this_order() -> None:
    """n, w, s, nn, nw, ww, ns, ss, nb; worked by hand for one block of two matches, three seats and two values."""
    values = np.array([[[7, 840], [7, 0], [2, 0]], [[7, 0], [2, 420], [2, 420]]])
    scores = np.array([[5, 1, -2], [4, 10, 10]])
    assert labels.ITEMS == 9
    assert labels.count(values, scores, 0, 2) == {
        7: [3, 840, 10, 9, 3 * 840, 840**2, 30, 100, 18],
        2: [3, 840, 18, 9, 3 * 840, 840**2, 54, 18**2, 18],
    }
    order = (labels.N, labels.WINS, labels.SCORES, labels.NN, labels.NW, labels.WW, labels.NS, labels.SS)
    assert (*order, labels.NB) == tuple(range(9))
    # The same, every match a block of its own.
    assert labels.count(values, scores, 0, 1) == {
        7: [3, 840, 10, 4 + 1, 2 * 840, 840**2, 2 * 6 + 4, 36 + 16, 9],
        2: [3, 840, 18, 1 + 4, 2 * 840, 840**2, -2 + 2 * 20, 4 + 400, 9],
    }


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("period", [1, 2, 3, 4])
def test_sums_are_those_of_plain_python(players: int, period: int) -> None:
    for seed, matches in enumerate((0, 1, period, 50, 53)):
        for different in (1, 2, 30):
            values, scores = drawn(matches, players, different, seed)
            for which in (0, 1):
                wanted = literal(values, scores, which, period)
                assert labels.count(values, scores, which, period) == wanted
                assert sum(sums[labels.N] for sums in wanted.values()) == matches * players


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("different", [511, 512, 513, 1500, 2048, 2049])
def test_a_table_grows_as_far_as_it_has_to(different: int) -> None:
    """There is room for 512 values, then for four times as many; nothing is counted twice when it grows."""
    matches, players = different, 3
    values, scores = drawn(matches, players, 1, different)
    keys = random.Random(different).sample(range(0, 2**54, 2**40 + 1), different)
    for number in range(matches * players):
        values[number // players, number % players, 0] = keys[number % different]
    counts = labels.count(values, scores, 0, 4)
    assert len(counts) == different
    assert counts == literal(values, scores, 0, 4)


@pytest.mark.boundscheck
@pytest.mark.parametrize("keys", [range(3000), range(0, 3000 * 1024, 1024), range(0, 3000 << 40, 1 << 40)])
def test_values_in_a_row_are_told_apart(keys: range) -> None:
    """Whatever the pattern of the values, and if most of them are new."""
    values = np.zeros((1000, 3, 2), np.int64)
    values[:, :, 0] = np.array(keys).reshape(1000, 3)
    scores = np.arange(3000).reshape(1000, 3)
    assert labels.count(values, scores, 0, 5) == {
        key: [1, 0, number, 1, 0, 0, number, number**2, 15] for number, key in enumerate(keys)
    }


@pytest.mark.parametrize("period", [1, 4, 5])
def test_any_split_into_parts_adds_up_to_the_same(period: int) -> None:
    values, scores = drawn(period * 300 + 2, 4, 700, period)
    whole = labels.count(values, scores, 0, period)
    assert len(whole) > 300
    dice, blocks = random.Random(period), -(-len(values) // period)
    for count in (1, 2, 7, blocks - 1):
        cuts = [0, *sorted(dice.sample(range(1, blocks), count)), blocks]
        parts = [
            labels.count(values[period * a : period * b], scores[period * a : period * b], 0, period)
            for a, b in itertools.pairwise(cuts)
        ]
        dice.shuffle(parts)
        total: Counts = {}
        for part in parts:
            before = {key: list(sums) for key, sums in part.items()}
            labels.add(total, part)
            assert part == before
        assert total == whole


def test_adding_does_not_share_what_was_added() -> None:
    part: Counts = {3: [1] * labels.ITEMS}
    total: Counts = {}
    labels.add(total, part)
    labels.add(total, part)
    assert total == {3: [2] * labels.ITEMS}
    assert part == {3: [1] * labels.ITEMS}
