"""A fairness matrix in words, for the page and the terminal."""

from __future__ import annotations

import math
from dataclasses import replace

from experiments.metrics.seats import More
from experiments.report import words
from experiments.report.words import number
from experiments.studies.compare.verdict_words import about
from experiments.studies.fairness.play import Cell, Matrix


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
    if cell.more is None:
        return "not played" if cell.run.totals.matches == 0 else "undecided"
    if cell.word != "undecided":
        return cell.word
    return (
        f"undecided ({about(cell.more.value).replace(' million', 'M')})"
        if math.isfinite(cell.more.value)
        else "undecided"
    )


def furthest(cell: Cell) -> str:
    """Write the largest deviation of any seat, with its sign, in percentage points."""
    if cell.fairness is None:
        return words.MISSING
    seat = cell.fairness.furthest
    found = cell.fairness.seats[seat].estimate
    value, low, high = (words.signed(100 * part, 2) for part in (found.value, found.low, found.high))
    return f"seat {seat} {value} [{low}, {high}]"


def sentence(cell: Cell, margin: str) -> str:
    """Say whether a cell is fair, and which seats deviate in which direction."""
    assert cell.fairness is not None
    assert cell.more is not None
    who, due = f"{cell.players} players, {cell.run.level}", words.fair_share(cell.players)
    found = cell.fairness
    if cell.word == "yes":
        return f"{who}: every seat wins {due} of the matches within {margin}; the largest deviation: {_wins(cell, found.furthest)}."
    if cell.word == "no":
        unfair = [seat for seat, of in enumerate(found.seats) if of.word == "no"]
        return f"{who}: {words.listed([_wins(cell, seat) for seat in unfair])}. A fair share is {due}."
    return f"{who}: not enough matches yet. {planned(cell.more, 'matches')} So far {_wins(cell, found.furthest)}; a fair share is {due}."


def planned(more: More, unit: str) -> str:
    """Say how many more matches or deals should settle it."""
    if math.isinf(more.value):
        return f"No sensible number of {unit} would settle it: a seat seems to deviate by just the margin."
    most = f"to {about(more.high)}" if math.isfinite(more.high) else "or very many more"
    return f"About {about(more.value)} more {unit} ({about(more.low)} {most}) should settle it."


def _wins(cell: Cell, seat: int) -> str:
    """Say what a seat wins, and whether that is more or less than its fair share."""
    assert cell.fairness is not None
    found, due = cell.fairness.seats[seat].estimate, 1 / cell.players
    off = found.value
    ends = replace(found, value=off + due, low=found.low + due, high=found.high + due)
    share = words.show(ends, "share").together
    if cell.word == "undecided":
        return f"seat {seat} wins {share}"
    which = "more than" if off > 0 else "less than" if off < 0 else "just"
    return f"seat {seat} wins {which} its fair share, {share}"


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
        f"Fair: every seat wins 1/n within {margin(matrix)}. Undecided (n): about n more matches should settle it; a range in "
        "which nine of ten plausible cases lie stands beside it. Intervals hold for all seats of a cell at once. Each cell is "
        "judged alone: if it is not fair, it is called fair in at most 5% of runs; if it is fair, it is called not fair in at "
        "most 5%. That holds for seats that win rarely, but then by far, too."
    )


def findings(matrix: Matrix) -> list[tuple[str, list[str]]]:
    """Return the cells by verdict."""
    found = []
    for word, lead in (("no", "Not fair"), ("yes", "Fair"), ("undecided", "Undecided")):
        cells = [
            sentence(cell, margin(matrix))
            for cell in matrix.cells
            if cell.word == word and cell.fairness is not None
        ]
        if cells:
            found.append((lead, cells))
    return found
