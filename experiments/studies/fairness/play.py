"""Fairness: whether each seat wins its due, for every number of players and several bots."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from experiments.metrics import seats
from experiments.metrics.seats import Fairness, More
from experiments.play import matches as study
from experiments.play.matches import Run, Study
from experiments.stats import Estimate
from experiments.studies.shown import Shown
from sim import drafts, options
from sim.batch import Result
from sim.drafts import Draft
from sim.errors import Interrupted, UserError

Word = Literal["yes", "no", "undecided"]

_PLAYERS = "rules.players="


@dataclass(frozen=True)
class Spec:
    """What is played; the same spec gives the same tables.

    Attributes
    ----------
    drafts : list of Draft
        The draft, one for each number of players.
    levels : list of str
        Bots, each to sit in every seat.
    matches : list of int
        Of each cell, by draft and within that by level.
    seed : int
    margin : float
        So far a seat may be off its due, in share of matches.
    refused : list of (int, str)
        Numbers of players that cannot be played, and why.
    bots_file : Path or None
    """

    drafts: list[Draft]
    levels: list[str]
    matches: list[int]
    seed: int
    margin: float
    refused: list[tuple[int, str]]
    bots_file: Path | None = None

    @cached_property
    def studies(self) -> list[study.Spec]:
        """The cells, by draft and within that by level."""
        cells = [(draft, level) for draft in self.drafts for level in self.levels]
        return [
            # A cell that is not to be played is made ready all the same: it has its place in the matrix.
            study.Spec([draft], level, max(matches, 1), self.seed, bots_file=self.bots_file)
            for (draft, level), matches in zip(cells, self.matches, strict=True)
        ]

    @property
    def label(self) -> str:
        """The draft, whatever the number of players."""
        first = self.drafts[0]
        changes = tuple(change for change in first.changes if not change.startswith(_PLAYERS))
        return replace(first, changes=changes).label

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written."""
        for one in self.studies:
            one.prepare()


def for_players(
    name: str, changes: tuple[str, ...], wanted: list[int] | None = None
) -> tuple[list[Draft], list[tuple[int, str]]]:
    """Return a draft for each number of players, and the numbers that it refuses with the reasons.

    Parameters
    ----------
    name : str
        Of the draft, or its path.
    changes : tuple of str
        As of ``--set``.
    wanted : list of int, optional
        Numbers of players; all that the game knows if not given.

    Raises
    ------
    UserError
        If the draft cannot be loaded, or not for any of the numbers.
    """
    own = drafts.load(name, changes)
    found, refused = [], []
    for players in wanted or options.integers(own.options, "rules", "players") or [own.players]:
        more = (*changes, f"{_PLAYERS}{players}")
        try:
            found.append(own if players == own.players else drafts.load(name, more))
        except UserError as error:
            refused.append((players, str(error).removeprefix(f"--set {' '.join(more)}: ")))
    if not found:
        raise UserError(
            f"{own.label}: no such number of players: {'; '.join(reason for _, reason in refused)}"
        )
    return found, refused


@dataclass
class Cell:
    """A number of players and a bot.

    Attributes
    ----------
    run : Run
    margin : float
    """

    run: Run
    margin: float

    @property
    def players(self) -> int:
        """How many."""
        return self.run.draft.players

    @cached_property
    def shares(self) -> list[Estimate]:
        """What each seat wins; none of a cell that was not played, or of which there is one block."""
        found = [self.run.estimates.get(("win", "seat", seat)) for seat in range(self.players)]
        return [one for one in found if one is not None and one.blocks > 1]

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
class Matrix(Shown):
    """Every number of players with every bot, played."""

    spec: Spec
    cells: list[Cell]
    complete: bool
    seconds: float

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells of each number of players."""
        width = len(self.spec.levels)
        return [self.cells[first : first + width] for first in range(0, len(self.cells), width)]

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        first = self.spec.drafts[0]
        return {
            "game": first.game,
            "draft": self.spec.label,
            "levels": self.spec.levels,
            "players": [draft.players for draft in self.spec.drafts],
            "refused": [{"players": players, "reason": reason} for players, reason in self.spec.refused],
            "margin": self.spec.margin,
            "seed": self.spec.seed,
            "complete": self.complete,
            "cells": [cell_row(cell) for cell in self.cells],
            "seconds": self.seconds,
        }


def play(
    spec: Spec,
    *,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Matrix:
    """Play every cell.

    Parameters
    ----------
    spec : Spec
    threads : int
        The tables do not depend on it.
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
    cells, complete, done = [], True, 0
    for one, wanted in zip(spec.studies, spec.matches, strict=True):
        if complete and wanted:
            played = study.play(one, threads=threads, on_progress=study.after(done, on_progress), stop=stop)
            complete = played.complete
        else:
            nothing = [batch.totals() for batch in one.batches]
            played = Study(one, one.batches, Result(nothing, complete, 0.0))
        done += played.matches
        cells.append(Cell(played.runs[0], spec.margin))
    if done == 0:
        raise Interrupted("interrupted before a block was finished: nothing to keep")
    return Matrix(spec, cells, complete, sum(cell.run.study.result.seconds for cell in cells))


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
    found = [one.estimate for one in cell.fairness.seats] if cell.fairness else []
    return [{"share": one.value + due, "low": one.low + due, "high": one.high + due} for one in found]
