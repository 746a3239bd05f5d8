"""A report where Python or Jupyter shows a result: the headline, its figure, and the tables that matter."""

from __future__ import annotations

from markupsafe import Markup

from experiments.report import draw
from experiments.report.sections import Cell, Report, Table
from experiments.report.terminal import ROWS, table_lines

_COLUMNS = 100
_MORE = ".frames has all tables"


def _tables(report: Report) -> list[Table]:
    return [
        table.first(ROWS) for section in report.sections if not section.folded for table in section.tables
    ][:2]


def text(report: Report) -> str:
    """Return a report as text, for Python's own prompt."""
    parts = [report.title, *([report.partial] if report.partial else []), *report.headline]
    for table in _tables(report):
        parts += ["", *table_lines(table, _COLUMNS)]
    return "\n".join([*parts, _MORE])


def html(report: Report) -> str:
    """Return a report as HTML, for Jupyter."""
    paragraph = Markup("<p>{}</p>")
    parts = [Markup("<p><b>{}</b></p>").format(report.title)]
    parts += [paragraph.format(sentence) for sentence in ([report.partial] if report.partial else [])]
    parts += [paragraph.format(sentence) for sentence in report.headline]
    if report.figure is not None:
        drawn = draw.draw(report.figure.data, report.figure.name)
        parts.append(Markup("<div style='max-width:34em'>{}</div>").format(drawn))
    parts += [_table(table) for table in _tables(report)]
    parts.append(Markup("<p><code>.frames</code> has all tables.</p>"))
    # The figures take the colour of their lines from the page that they stand in.
    return str(Markup("<div style='--grid:#8884'>{}</div>").format(Markup("").join(parts)))


def _table(table: Table) -> Markup:
    def line(tag: str, cells: list[str]) -> Markup:
        return Markup("<tr>{}</tr>").format(
            Markup("").join(
                Markup(f"<{tag} style='text-align:left'>{{}}</{tag}>").format(text) for text in cells
            )
        )

    rows = [line("td", [row.name, *map(_cell, row.cells)]) for row in table.rows]
    return Markup("<table><caption>{}</caption><thead>{}</thead><tbody>{}</tbody></table>").format(
        f"{table.title} ({table.note})" if table.note else table.title,
        line("th", list(table.columns)),
        Markup("").join(rows),
    )


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell.text} ({cell.interval})" if cell.interval else cell.text
