"""Makes the report of a fairness matrix: one self-contained HTML page."""

from __future__ import annotations

from typing import Any

from experiments.report import draw, tables, words
from experiments.report.figures import Dots, Point
from experiments.report.findings import Finding
from experiments.report.frame import began, ended, folder_of, render
from experiments.report.words import number
from experiments.studies.fairness import words as fairness_words
from experiments.studies.fairness.play import Cell, Matrix
from sim import registry


def page(matrix: Matrix, manifest: dict[str, Any]) -> str:
    """Return the report of a fairness matrix as one HTML page that loads nothing.

    Parameters
    ----------
    matrix : Matrix
    manifest : dict
        As `experiments.studies.fairness.store.save` writes it; what is missing is shown as a dash.
    """
    spec = matrix.spec
    draft = spec.drafts[0]
    return render(
        "fairness.html",
        kicker="Fairness of the seats",
        title=f"{spec.label}: is every seat fair?",
        partial="" if matrix.complete else "Interrupted: cells without numbers were not played.",
        notes=draft.notes,
        facts=[
            ("Bots", ", ".join(spec.levels)),
            ("Matches of each cell", number(max(spec.matches))),
            ("Margin", fairness_words.margin(matrix)),
            ("Seed", str(spec.seed)),
        ],
        findings=_findings(matrix),
        levels=spec.levels,
        rows=[(row[0].players, [_cell(cell) for cell in row]) for row in matrix.rows],
        meaning=fairness_words.meaning(matrix),
        figures=[
            (row[0].players, draw.draw_dots(seat_dots(row), f"players {row[0].players}"))
            for row in matrix.rows
        ],
        made=_made(matrix, manifest),
        settings=tables.settings([draft]),
        folder=folder_of(manifest),
        bots_file=spec.bots_file is not None,
    )


def _findings(matrix: Matrix) -> list[Finding]:
    found = [
        Finding(lead, f"{words.plural(len(cells), 'cell')} of {len(matrix.cells)}:", cells)
        for lead, cells in fairness_words.findings(matrix)
    ]
    refused = fairness_words.refused(matrix)
    return [*found, *([Finding("Not played", "The draft refuses:", refused)] if refused else [])]


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "verdict": fairness_words.verdict(cell),
        "mark": {"yes": "open", "no": "up"}.get(cell.word, ""),
        "deviation": fairness_words.furthest(cell),
        "seats": fairness_words.seats(cell),
        "n": number(cell.run.totals.matches),
    }


def seat_dots(row: list[Cell]) -> Dots:
    """Return the shares of all seats as a figure, a series a bot."""
    players = row[0].players
    due = 100 / players
    points = [
        Point(seat, series, *(100 * part + due for part in (found.value, found.low, found.high)))
        for series, cell in enumerate(row)
        for seat, found in enumerate([one.estimate for one in cell.fairness.seats] if cell.fairness else [])
    ]
    names = [cell.run.level for cell in row]
    return Dots(
        "Win share", [f"Seat {seat}" for seat in range(players)], names, points,
        [(due, f"fair {words.fair_share(players)}")], "%",
    )  # fmt: skip


def _made(matrix: Matrix, manifest: dict[str, Any]) -> list[tuple[str, str]]:
    spec = matrix.spec
    game = spec.drafts[0].game
    facts = [
        *began(manifest),
        ("Game", game),
        ("Version of its rules", str(registry.find(game).state.RULES_VERSION)),
        ("Seed", str(spec.seed)),
        ("Time of playing", f"{number(matrix.seconds, 1)} s"),
        *ended(manifest),
    ]
    return [(name, text or words.MISSING) for name, text in facts]
