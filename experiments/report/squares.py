"""Square tables: what became of what from one game to the next, as shares of each row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from experiments.play.matches import Key, Run
from experiments.report import words
from experiments.report.words import NOTHING, Shown
from sim.events import Event


@dataclass(frozen=True)
class SquareCell:
    """One share of a row, or a difference between two; `shade` is from 0 to 1."""

    shown: Shown
    shade: float = 0.0
    verdict: str = ""


@dataclass(frozen=True)
class Square:
    """What became of what: an event of kind ``rows``, each row as shares of its sum.

    Attributes
    ----------
    caption, columns_are : str
    columns : list of str
    rows : list of (str, list of SquareCell, str)
        What a row is, its cells, and how often it came (empty for a difference).
    """

    caption: str
    columns_are: str
    columns: list[str]
    rows: list[tuple[str, list[SquareCell], str]]


def _square(run: Run, event: Event, cell: Callable[[Key], SquareCell], *, counted: bool) -> Square:
    players = run.draft.players
    row_is, _, columns_are = event.title.partition(", ")
    rows = []
    for row_number in range(players):
        keys: list[Key] = [("event", event.name, row_number * players + column) for column in range(players)]
        n = words.number(run.weight(keys[0])) if counted else ""
        rows.append((row_is.replace("{}", str(row_number + 1)), [cell(key) for key in keys], n))
    caption = event.name.replace("_", " ").capitalize()
    numbers = [str(column + 1) for column in range(players)]
    return Square(caption, columns_are[:1].upper() + columns_are[1:], numbers, rows)


def _square_events(run: Run) -> list[Event]:
    return [
        event
        for event in run.events.values()
        if event.kind == "rows" and ("event", event.name, 0) in run.estimates
    ]


def squares(run: Run) -> list[Square]:
    """Return the square tables of a run."""

    def cell(key: Key) -> SquareCell:
        found = run.estimates.get(key)
        return SquareCell(words.show(found, "share"), 0.0 if found is None else found.value)

    return [_square(run, event, cell, counted=True) for event in _square_events(run)]


def square_differences(run: Run) -> list[Square]:
    """Return the differences of a run's square tables from those of the first of its study."""

    def cell(key: Key) -> SquareCell:
        found = run.differences.get(key)
        if found is None:
            return SquareCell(NOTHING)
        return SquareCell(words.show_difference(found, "share"), 0.0, words.verdict(found))

    if run.draft.players != run.study.runs[0].draft.players:
        return []
    return [_square(run, event, cell, counted=False) for event in _square_events(run)]
