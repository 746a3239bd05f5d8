"""Sets of some out of many: the same numbers as counting them out."""

from __future__ import annotations

import itertools
import random

import pytest

from sim.subsets import MOST, WAYS, nth_subset


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("bits", [0b1, 0b1011010, 1 << 53 | 1 << 40 | 0b11, (1 << 9) - 1])
def test_every_subset_has_one_number(bits: int) -> None:
    places = [place for place in range(MOST) if bits >> place & 1]
    for size in range(len(places) + 1):
        wanted = [sum(1 << place for place in chosen) for chosen in itertools.combinations(places, size)]
        assert WAYS[len(places), size] == len(wanted)
        assert [int(nth_subset(bits, size, n)) for n in range(len(wanted))] == wanted


@pytest.mark.boundscheck
def test_the_largest_hand() -> None:
    dice = random.Random(5)
    whole = (1 << MOST) - 1
    for size in (1, 2, 27, 53, 54):
        ways = int(WAYS[MOST, size])
        for n in {0, ways - 1, *(dice.randrange(ways) for _ in range(20))}:
            assert int(nth_subset(whole, size, n)).bit_count() == size
    assert int(nth_subset(whole, 54, 0)) == whole
