"""A fairness matrix in words, for the page and the terminal."""

from __future__ import annotations

from experiments.fairness import Cell, Matrix
from experiments.report import words
from experiments.report.verdict_words import about
from experiments.report.words import number


def head(matrix: Matrix) -> str:
    """Say what was played."""
    spec = matrix.spec
    partial = "" if matrix.complete else " (partial: interrupted)"
    return f"{spec.label}: fairness by players and bot, {number(max(spec.matches))} matches a cell{partial}, seed {spec.seed}"


def margin(matrix: Matrix) -> str:
    """Write the margin."""
    points = 100 * matrix.spec.margin
    return f"{points:g} percentage point{'' if points == 1 else 's'}"


def verdict(cell: Cell) -> str:
    """Say whether a cell is fair."""
    if cell.fairness is None:
        return "not played" if cell.run.totals.matches == 0 else "undecided"
    if cell.word != "undecided":
        return cell.word
    return "undecided" if cell.more is None else f"undecided ({about(cell.more)})"


def deviation(cell: Cell) -> str:
    """Write how far the seat that is furthest off is off, in percentage points."""
    found = cell.deviation
    if found is None:
        return words.MISSING
    value, low, high = (number(100 * part, 2) for part in (found.value, found.low, found.high))
    return f"{value} [{low}, {high}]"


def seats(cell: Cell) -> list[str]:
    """Write what each seat wins, in percent."""
    if cell.fairness is None:
        return []
    due = 1 / cell.players
    return [
        f"seat {seat} {number(100 * (one.estimate.value + due), 2)} "
        f"[{number(100 * (one.estimate.low + due), 2)}, {number(100 * (one.estimate.high + due), 2)}]"
        for seat, one in enumerate(cell.fairness.seats)
    ]


def refused(matrix: Matrix) -> list[str]:
    """Say which numbers of players cannot be played, and why."""
    return [f"Not with {players} players: {reason}." for players, reason in matrix.spec.refused]


def meaning(matrix: Matrix) -> str:
    """Say what the verdicts mean."""
    return (
        f"Fair: every seat wins 1/n within {margin(matrix)}; undecided (n): about so many more matches would tell. Intervals "
        "hold for all seats of a cell at once. Each cell is judged alone: it is called fair though it is not, or not fair though "
        "it is, in at most 5% of cases."
    )


def findings(matrix: Matrix) -> list[tuple[str, list[str]]]:
    """Return the cells by verdict."""
    found = []
    for word, lead in (("yes", "Fair"), ("no", "Not fair"), ("undecided", "Undecided")):
        cells = [
            f"{cell.players} players, {cell.run.level}: furthest off by {deviation(cell)} pp"
            for cell in matrix.cells
            if cell.word == word and cell.fairness is not None
        ]
        if cells:
            found.append((lead, cells))
    return found
