"""Exact sums of rows: enough for every ratio of columns, its interval, and paired differences.

A measure is the ratio of two sums over blocks, x over d (wins over matches played, legal moves over
decisions). For its variance the sums of x, d, x², xd, d² are kept, and for a difference from another run
on the same blocks the four cross products too. All are integers: any split of a run into parts adds up to
the same sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.jit import jit

X, D, XX, XD, DD, XX0, XD0, DX0, DD0 = range(9)
"""Rows of a table of sums; those with 0 are products with the run compared against."""


@dataclass(frozen=True)
class Measure:
    """One ratio.

    Attributes
    ----------
    key : tuple
        What it is, for example ``("win", "seat", 2)``.
    numerator, denominator : tuple of int
        Columns of the rows to add up.
    scale : float
        The ratio is divided by it (a win counts in units of 1/840).
    """

    key: tuple[Any, ...]
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    scale: float = 1.0


class Measures:
    """A list of measures, ready for the jitted sums."""

    def __init__(self, measures: list[Measure]) -> None:
        self.list = measures
        self.keys = [measure.key for measure in measures]
        self._numerators = _flat([measure.numerator for measure in measures])
        self._denominators = _flat([measure.denominator for measure in measures])

    def __len__(self) -> int:
        return len(self.list)

    def values(self, rows: Any) -> tuple[Any, Any]:
        """Return x and d of each block, int64 arrays of shape (blocks, measures)."""
        return _gather(rows, *self._numerators), _gather(rows, *self._denominators)

    def sums(self, rows: Any) -> Any:
        """Return the table of sums of a run that is compared with nothing: as `sums`, without x and d in memory."""
        table = np.zeros((9, len(self)), np.int64)
        _add_row_sums(rows, *self._numerators, *self._denominators, table)
        return table


def sums(x: Any, d: Any, x0: Any = None, d0: Any = None) -> Any:
    """Return the table of sums, int64 of shape (9, measures); `x0` and `d0` are the run compared against."""
    table = np.zeros((9, x.shape[1]), np.int64)
    _add_sums(x, d, table)
    if x0 is not None:
        _add_cross_sums(x, d, x0, d0, table)
    return table


def ends(x: Any, d: Any) -> Any:
    """Return the least and the greatest ratio of a block, shape (2, measures); infinite where no block has one."""
    table = np.empty((2, x.shape[1]))
    table[0], table[1] = np.inf, -np.inf
    _widen(x, d, table)
    return table


def _flat(groups: list[tuple[int, ...]]) -> tuple[Any, Any]:
    ends = np.cumsum([0, *(len(group) for group in groups)]).astype(np.int64)
    return ends, np.array([column for group in groups for column in group], dtype=np.int64)


@jit
def _total(rows: Any, block: int, ends: Any, columns: Any, measure: int) -> int:
    total = 0
    for k in range(ends[measure], ends[measure + 1]):
        total += rows[block, columns[k]]
    return total


@jit
def _gather(rows: Any, ends: Any, columns: Any) -> Any:
    result = np.zeros((rows.shape[0], len(ends) - 1), np.int64)
    for block in range(rows.shape[0]):
        for measure in range(len(ends) - 1):
            result[block, measure] = _total(rows, block, ends, columns, measure)
    return result


@jit
def _add_row_sums(rows: Any, ends: Any, columns: Any, d_ends: Any, d_columns: Any, table: Any) -> None:
    for block in range(rows.shape[0]):
        for m in range(table.shape[1]):
            x = _total(rows, block, ends, columns, m)
            d = _total(rows, block, d_ends, d_columns, m)
            table[X, m] += x
            table[D, m] += d
            table[XX, m] += x * x
            table[XD, m] += x * d
            table[DD, m] += d * d


@jit
def _add_sums(x: Any, d: Any, table: Any) -> None:
    for block in range(x.shape[0]):
        for m in range(x.shape[1]):
            table[X, m] += x[block, m]
            table[D, m] += d[block, m]
            table[XX, m] += x[block, m] * x[block, m]
            table[XD, m] += x[block, m] * d[block, m]
            table[DD, m] += d[block, m] * d[block, m]


@jit
def _add_cross_sums(x: Any, d: Any, x0: Any, d0: Any, table: Any) -> None:
    for block in range(x.shape[0]):
        for m in range(x.shape[1]):
            table[XX0, m] += x[block, m] * x0[block, m]
            table[XD0, m] += x[block, m] * d0[block, m]
            table[DX0, m] += d[block, m] * x0[block, m]
            table[DD0, m] += d[block, m] * d0[block, m]


@jit
def _widen(x: Any, d: Any, table: Any) -> None:
    for block in range(x.shape[0]):
        for m in range(x.shape[1]):
            if d[block, m] > 0:
                ratio = x[block, m] / d[block, m]
                table[0, m] = min(table[0, m], ratio)
                table[1, m] = max(table[1, m], ratio)
