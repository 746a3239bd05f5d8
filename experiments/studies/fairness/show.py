"""A fairness matrix as text for a terminal."""

from __future__ import annotations

import textwrap

from experiments.studies.fairness import words
from experiments.studies.fairness.play import Cell, Matrix
from experiments.studies.run import show

_PLAYERS, _BOT, _VERDICT = 11, 20, 19


def lines(matrix: Matrix) -> list[str]:
    """Return the matrix, a line a cell, and what the words mean."""
    found = _wrapped(words.head(matrix))
    for lead, sentences in words.findings(matrix):
        found += ["", f"{lead}:"]
        found += [line for text in sentences for line in _wrapped(text, "  ")]
    found += ["", f"  {'':<{_PLAYERS}}{'bot in every seat':<{_BOT}}{'fair':<{_VERDICT}}largest deviation, pp"]
    for row in matrix.rows:
        for number, cell in enumerate(row):
            players = f"{cell.players} players" if number == 0 else ""
            found.append(f"  {players:<{_PLAYERS}}{_cell(cell)}".rstrip())
    found += ["", "  win share by seat, %"]
    for cell in matrix.cells:
        if cell.fairness is not None:
            title = f"{cell.players}, {cell.run.level}: "
            found += _wrapped(title + "; ".join(words.seats(cell)), "  ")
    refused = [line for text in words.refused(matrix) for line in _wrapped(text, "  ")]
    return [*found, *(["", *refused] if refused else []), "", *_wrapped(words.meaning(matrix), "  ")]


def _wrapped(text: str, first: str = "") -> list[str]:
    return textwrap.wrap(
        text, show.WIDTH, initial_indent=first, subsequent_indent=first + "  ", break_on_hyphens=False
    )


def _cell(cell: Cell) -> str:
    return f"{cell.run.level[: _BOT - 1]:<{_BOT}}{words.verdict(cell):<{_VERDICT}}{words.furthest(cell)}"
