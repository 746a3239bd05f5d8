"""A report on a terminal: the answer first, tables that fit, and what is left out without asking."""

from __future__ import annotations

import pytest

from experiments.report import terminal
from experiments.report.sections import Cell, Report, Row, Section, Table

ROWS = [Row(f"row {number}", [Cell(f"{number}.5%", "1.0% to 2.0%"), "some words"]) for number in range(30)]
TABLE = Table("All of them", ["Of", "Win rate", "Reading"], ROWS, "400 matches", frozenset({2}))
SHORT = Table("A few", ["Of", "Win rate", "Reading"], ROWS[:2], texts=frozenset({2}))


def _report(**changes: object) -> Report:
    given = {
        "kicker": "Test",
        "title": "A title",
        "headline": ["This is the answer to the question that was asked, in a sentence of some length."],
        "figure": None,
        "facts": [("Players", "4")],
        "sections": [
            Section("one", "First section", ["A sentence."], more=["More of it."], tables=[TABLE]),
            Section("two", "Folded section", tables=[SHORT], folded=True),
        ],
        "terms": [],
        "partial": "",
        "notes": "",
        **changes,
    }
    return Report(**given)  # type: ignore[arg-type]


def test_brief_is_the_headline_and_whether_it_is_whole() -> None:
    assert " ".join(terminal.lines(_report(), 40, "brief")) == _report().headline[0]
    assert terminal.lines(_report(partial="Interrupted."), 80, "brief")[0] == "Interrupted."


def test_usual_has_the_first_rows_and_says_how_many_are_left_out() -> None:
    lines = terminal.lines(_report(), 80)
    text = "\n".join(lines)
    assert sum("row " in line for line in lines) == terminal.ROWS
    assert "(400 matches; 18 more rows)" in text
    assert "A sentence." in text
    assert "More of it." not in text
    assert "Folded section" not in text


def test_all_has_everything() -> None:
    text = "\n".join(terminal.lines(_report(), 80, "all"))
    assert text.count("row ") == 32
    assert "More of it." in text
    assert "Folded section" in text
    assert "more rows" not in text


@pytest.mark.parametrize("width", [40, 52, 80])
def test_intervals_are_shown_where_there_is_room(width: int) -> None:
    lines = terminal.table_lines(SHORT, width)
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    assert ("[1.0%, 2.0%]" in text or "[1.0, 2.0]" in text) != ("intervals: in the report" in text)


def test_what_a_stranger_wrote_is_no_markup() -> None:
    table = Table("Names", ["Of", "Value"], [Row("[bold]x[/bold] [link=http://y]z[/link]", ["[red]1[/red]"])])
    text = "\n".join(terminal.table_lines(table, 80))
    assert "[bold]x[/bold]" in text
    assert "[red]1[/red]" in text
