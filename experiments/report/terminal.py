"""A report as text for a terminal: the answer first, then the tables that matter, as wide as there is room."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable
from typing import Any, Literal

from experiments.report.sections import Cell, Report, Section, Table

Detail = Literal["brief", "usual", "all"]

ROWS = 12
"""Of a table, unless all is asked for."""


def lines(report: Report, width: int, detail: Detail = "usual") -> list[str]:
    """Return a report as lines.

    Parameters
    ----------
    width : int
        Columns there are.
    detail : {"brief", "usual", "all"}
        The headline alone; with the tables that matter, their first rows; or with all there is.
    """
    text = [*_wrapped([report.partial, *report.headline] if report.partial else report.headline, width)]
    if detail == "brief":
        return text
    text += ["", *_wrapped([f"{name}: {value}" for name, value in report.facts], width, "  ")]
    for section in report.sections:
        if detail == "all" or not section.folded:
            text += ["", *_section(section, width, detail)]
    return text


def _section(section: Section, width: int, detail: Detail) -> list[str]:
    more = section.more if detail == "all" else ()
    text = [section.title, *_wrapped([*section.sentences, *more], width, "  ")]
    for table in [*section.tables, *(section.details if detail == "all" else ())]:
        text += ["", *table_lines(table if detail == "all" else table.first(ROWS), width, "  ")]
    notes = _wrapped(section.notes, width, "  ") if detail == "all" else []
    return [*text, *(["", *notes] if notes else [])]


def _wrapped(sentences: Iterable[str], width: int, indent: str = "") -> list[str]:
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(
            sentence, max(width, 20), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
    ]


def table_lines(table: Table, width: int, indent: str = "") -> list[str]:
    """Return a table as lines; the intervals are left out where the columns would not fit beside one another."""
    from rich.console import Console

    room = max(width - len(indent), 40)
    console = Console(
        file=io.StringIO(), width=room, color_system=None, force_terminal=False, legacy_windows=False
    )
    has_intervals = any(isinstance(cell, Cell) and cell.interval for row in table.rows for cell in row.cells)
    fits = not has_intervals or _natural_width(table) <= room
    note = "; ".join(text for text in (table.note, "" if fits else "intervals: in the report") if text)
    with console.capture() as capture:
        console.print(_grid(table, intervals=fits))
    head = f"{table.title} ({note})" if note else table.title
    return [
        *_wrapped([head], width, indent),
        *(f"{indent}{line}".rstrip() for line in capture.get().splitlines()),
    ]


def _grid(table: Table, *, intervals: bool) -> Any:
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    for number, title in enumerate(table.columns):
        left = number == 0 or number in table.texts
        grid.add_column(Text(title), justify="left" if left else "right", overflow="fold")
    group = ""
    for row in table.rows:
        if row.group != group:
            group = row.group
            grid.add_row(Text(group))
        name = f"  {row.name}" if row.group else row.name
        grid.add_row(Text(name), *(Text(_cell(cell, intervals=intervals)) for cell in row.cells))
    return grid


def _natural_width(table: Table) -> int:
    """Return how many columns a table takes with intervals and no cell wrapped."""
    lines = [list(table.columns)]
    lines += [
        [f"  {row.name}" if row.group else row.name, *(_cell(cell, intervals=True) for cell in row.cells)]
        for row in table.rows
    ]
    columns = zip(*lines, strict=True)
    return sum(max(len(text) for text in column) + 2 for column in columns) - 2


def _cell(cell: Cell | str, *, intervals: bool) -> str:
    if isinstance(cell, str):
        return cell
    if not cell.interval or not intervals:
        return cell.text
    ends = cell.interval.replace("%", "").replace("\N{NO-BREAK SPACE}pp", "").replace(" to ", ", ")
    return f"{cell.text} [{ends}]"
