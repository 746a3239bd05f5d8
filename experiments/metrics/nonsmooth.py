"""Intervals of the sum of absolute differences and of the greatest: what bends where a difference is 0 or two are as great.

There the usual bootstrap fails: among equals the greatest of several differences is never 0. The intervals take the derivative
in the direction of the noise (Fang and Santos 2019; of the greatest Cárcamo, Cuevas and Rodríguez 2020, of the sum Sommerfeld
and Munk 2018). A difference of less than √ln(blocks) standard errors may have either sign, so that noise counts in full, and
the greatest in truth may be any that is that near to it (the limit of Andrews and Soares 2010). Where several are, the ends
are the farther ones: no interval can hold just so often wherever the others lie, and these hold more often, not less. Own
code: no package has them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments import stats


def total_interval(differences: Any, noise: Any, blocks: int, width: Any) -> tuple[float, float]:
    """Return the ends of the 95% interval of Σ|d|·width, the lower at least 0.

    Parameters
    ----------
    differences : float array, shape (differences,)
    noise : float array, shape (replicates, differences)
        What drawing blocks anew adds to each.
    blocks : int
        Behind them.
    width : float array, shape (differences,)
    """
    if len(differences) == 0:
        return 0.0, 0.0
    value, tail = float((np.abs(differences) * width).sum()), 1 - stats.expanded_tail(blocks)
    # No product of matrices: what it rounds to depends on the machine.
    outwards, inwards = (
        float(np.quantile((_moved(differences, side * noise, blocks) * width).sum(axis=1), tail))
        for side in (1, -1)
    )
    return max(value - outwards, 0.0), value + inwards


def greatest_interval(differences: Any, noise: Any, blocks: int) -> tuple[float, float]:
    """Return the ends of the 95% interval of max |d|, the lower at least 0.

    Parameters
    ----------
    differences, noise, blocks
        As for `total_interval`.
    """
    if len(differences) == 0:
        return 0.0, 0.0
    size = np.abs(differences)
    first = int(size.argmax())
    signed = noise * np.where(differences < 0, -1, 1)
    near = size >= size[first] - _limit(blocks) * np.std(signed - signed[:, [first]], axis=0)
    moved = _moved(differences, noise, blocks)[:, near].max(axis=1)
    low = size[first] - float(np.quantile(moved, 1 - stats.expanded_tail(blocks)))
    # Whichever is the greatest in truth, it is one of these, and noise moves it alone.
    high = (size + stats.quantile(blocks) * np.std(noise, axis=0))[near].max()
    return max(low, 0.0), float(high)


def _limit(blocks: int) -> float:
    """Return the standard errors within which noise may have hidden a sign, or an order."""
    return math.sqrt(math.log(blocks))


def _moved(differences: Any, noise: Any, blocks: int) -> Any:
    """Return by how much noise makes each absolute difference look greater, at the most."""
    unsure = np.abs(differences) <= _limit(blocks) * np.std(noise, axis=0)
    return np.where(unsure, np.abs(noise), noise * np.sign(differences))
