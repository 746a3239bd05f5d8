"""Fairness: whether each seat wins its due, for every number of players and several bots."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from experiments import arguments
from experiments.metrics import seats
from experiments.metrics.seats import Fairness, More
from experiments.play import matches
from experiments.play.matches import Run, Study
from experiments.stats import Estimate
from experiments.store.tables import Columns, Stored
from experiments.studies.fairness.spec import Spec
from experiments.studies.result import Result
from sim.batch import Result as BatchResult
from sim.errors import Interrupted

FAIRNESS = Columns(
    "fairness",
    "what each seat wins with every number of players and bot, and whether that is fair",
    {
        "draft": "text", "players": "whole", "level": "text", "seat": "whole", "share": "real", "low": "real", "high": "real",
        "matches": "whole", "fair": "text", "more_matches": "whole", "more_matches_low": "whole", "more_matches_high": "whole",
        "furthest_seat": "whole", "deviation": "real", "deviation_low": "real", "deviation_high": "real",
    },
)  # fmt: skip

Word = Literal["yes", "no", "undecided"]


@dataclass
class Cell:
    """A number of players and a bot."""

    run: Run
    margin: float

    @property
    def players(self) -> int:
        """How many."""
        return self.run.draft.players

    @cached_property
    def shares(self) -> list[Estimate]:
        """What each seat wins; none of a cell that was not played, or of which there is one block."""
        rates = [self.run.estimates.get(("win", "seat", seat)) for seat in range(self.players)]
        return [rate for rate in rates if rate is not None and rate.blocks > 1]

    @cached_property
    def fairness(self) -> Fairness | None:
        """What is known of the seats, None of a cell without numbers."""
        return seats.fair_means(self.shares, self.margin) if self.shares else None

    @property
    def word(self) -> Word:
        """Whether every seat wins its due within the margin."""
        return self.fairness.word if self.fairness else "undecided"

    @property
    def more(self) -> More | None:
        """About how many more matches it takes to decide; 0 if decided, None of a cell without numbers."""
        if self.fairness is None:
            return None
        blocks, period = self.fairness.more, self.run.batch.period
        return More(*(_whole(end) * period for end in (blocks.value, blocks.low, blocks.high)))

    @property
    def deviation(self) -> Estimate | None:
        """How far the seat that is furthest off wins from its due."""
        return seats.greatest(self.fairness) if self.fairness else None


def _whole(blocks: float) -> float:
    return math.ceil(blocks) if math.isfinite(blocks) else math.inf


@dataclass(repr=False)
class Matrix(Result):
    """Every number of players with every bot, played."""

    spec: Spec
    cells: list[Cell]
    whole: bool

    @property
    def complete(self) -> bool:
        """Whether it was not interrupted."""
        return self.whole

    @property
    def seconds(self) -> float:
        """Time of playing."""
        return sum(cell.run.study.result.seconds for cell in self.cells)

    @property
    def played(self) -> dict[str, Any]:
        """How many matches of each cell."""
        return {"matches": [cell.run.totals.matches for cell in self.cells]}

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells of each number of players."""
        width = len(self.spec.levels)
        return [self.cells[first : first + width] for first in range(0, len(self.cells), width)]

    def tables(self) -> list[Stored]:
        """Return every seat of every cell."""
        return [Stored(FAIRNESS, seat_rows(self))]

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        spec = self.spec
        return {
            "game": spec.game,
            "draft": spec.label,
            "levels": list(spec.levels),
            "players": [draft.players for draft in spec.drafts],
            "refused": [{"players": players, "reason": reason} for players, reason in spec.refused],
            "margin": spec.margin,
            "seed": spec.seed,
            "complete": self.complete,
            "cells": [cell_row(cell) for cell in self.cells],
            "seconds": self.seconds,
        }


def play(
    spec: Spec,
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Matrix:
    """Play every cell.

    Parameters
    ----------
    threads : int, optional
        As many as there is room for if not given. The tables do not depend on it.
    on_progress : callable
        Told how many matches are done, of all cells together.
    stop : callable
        Asked now and then whether to end early; cells that were not played stay empty.

    Raises
    ------
    Interrupted
        If nothing was finished.
    UserError
        If something does not fit, or a bot breaks the contract.
    """
    if not isinstance(spec, Spec):
        raise arguments.wrong("spec", spec, "a Spec of experiments.studies.fairness.spec")
    count = arguments.threads(threads)
    cells, whole, done = [], True, 0
    for cell, wanted in zip(spec.cells, spec.sizes, strict=True):
        if whole and wanted:
            study = matches.play(cell, threads=count, on_progress=matches.after(done, on_progress), stop=stop)
            whole = study.complete
        else:
            nothing = [batch.totals() for batch in cell.batches]
            study = Study(cell, cell.batches, BatchResult(nothing, whole, 0.0))
        done += study.matches
        cells.append(Cell(study.runs[0], spec.margin))
    if done == 0:
        raise Interrupted("interrupted before a block was finished: nothing to keep")
    return Matrix(spec, cells, whole)


def cell_row(cell: Cell) -> dict[str, Any]:
    """Return a cell as a row, without its seats."""
    deviation, more = cell.deviation, cell.more
    planned = (None, None, None) if more is None else (more.value, more.low, more.high)
    return {
        "draft": cell.run.draft.label,
        "players": cell.players,
        "level": cell.run.level,
        "matches": cell.run.totals.matches,
        "fair": cell.word,
        **{
            f"more_matches{end}": None if matches is None or math.isinf(matches) else int(matches)
            for end, matches in zip(("", "_low", "_high"), planned, strict=True)
        },
        "furthest_seat": None if cell.fairness is None else cell.fairness.furthest,
        "deviation": None if deviation is None else deviation.value,
        "deviation_low": None if deviation is None else deviation.low,
        "deviation_high": None if deviation is None else deviation.high,
        "win_share": [ends["share"] for ends in _ends(cell)],
        "intervals": [[ends["low"], ends["high"]] for ends in _ends(cell)],
    }


def seat_rows(matrix: Matrix) -> list[dict[str, Any]]:
    """Return every seat of every cell as flat rows, with intervals that hold for all seats of a cell at once."""
    return [
        {
            **{key: value for key, value in cell_row(cell).items() if not isinstance(value, list)},
            "seat": seat,
            **ends,
        }
        for cell in matrix.cells
        for seat, ends in enumerate(_ends(cell))
    ]


def _ends(cell: Cell) -> list[dict[str, float]]:
    due = 1 / cell.players
    off = [seat.estimate for seat in cell.fairness.seats] if cell.fairness else []
    return [{"share": seat.value + due, "low": seat.low + due, "high": seat.high + due} for seat in off]
