"""Sets of some out of many, counted and numbered: for games whose moves are sets of cards.

Sets are bit masks. Those with low bits come first.
"""

from __future__ import annotations

import math

import numpy as np

from sim.jit import jit, popcount

MOST = 54
"""Cards of the largest hand, a pack with its jokers."""

WAYS = np.array([[math.comb(n, k) for k in range(MOST + 1)] for n in range(MOST + 1)], dtype=np.int64)
"""How many sets of k there are among n."""


@jit
def nth_subset(bits: int, size: int, n: int) -> int:
    """Return subset number `n`, from 0, of `size` of the set bits."""
    chosen = 0
    left = size
    while left > 0:
        bit = bits & -bits
        bits &= bits - 1
        ways = WAYS[popcount(bits), left - 1]
        if n < ways:
            chosen |= bit
            left -= 1
        else:
            n -= ways
    return chosen
