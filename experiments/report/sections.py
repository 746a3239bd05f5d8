"""What is told of a result, as plain data: neither HTML nor a terminal's text, which are made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from experiments.report.figures import Dots, Steps
from experiments.report.words import Shown

Mark = Literal["", "up", "down", "open"]
"""How a cell stands out: what differs, which way, or that it is open."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes
    ----------
    interval : str
        Beside the text in a terminal, below it on a page.
    shade : float
        From 0 to 1: how much colour it gets on a page.
    """

    text: str
    interval: str = ""
    mark: Mark = ""
    shade: float = 0.0


def cell(shown: Shown, mark: Mark = "", shade: float = 0.0) -> Cell:
    """Return an estimate or a difference as a cell."""
    return Cell(shown.value, "" if shown.interval == shown.value else shown.interval, mark, shade)


@dataclass(frozen=True)
class Row:
    """A row of a table: what it is of, and its cells; rows of a group stand under its name."""

    name: str
    cells: Sequence[Cell | str]
    group: str = ""


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    columns : list of str
        One more than a row has cells: the first is that of the rows' names.
    note : str
        What holds for all of it: how many matches are behind it.
    texts : frozenset of int
        Numbers of the columns of words, which are set flush left; column 0 always is.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    note: str = ""
    texts: frozenset[int] = frozenset()

    def first(self, most: int) -> Table:
        """Return its first rows, and say how many are left out."""
        left = len(self.rows) - most
        if left <= 0:
            return self
        more = f"{left:,} more row{'' if left == 1 else 's'}"
        return replace(
            self, rows=self.rows[:most], note=f"{self.note}; {more}" if self.note else f"and {more}"
        )


@dataclass(frozen=True)
class Figure:
    """A figure: the question that it answers, and its data.

    Attributes
    ----------
    name : str
        Tells the figures of a page apart.
    caption : str
        How it is to be read.
    """

    name: str
    question: str
    data: Dots | Steps
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Attributes
    ----------
    name : str
        Its stable id.
    more : list of str
        Further sentences: folded away on a page, and left out of a terminal unless all is asked for.
    details : list of Table
        Folded away on a page, and left out of a terminal unless all is asked for.
    notes : list of str
        How the tables are to be read.
    folded : bool
        Of little weight: folded away on a page, and left out of a terminal unless all is asked for.
    """

    name: str
    title: str
    sentences: Sequence[str] = ()
    more: Sequence[str] = field(default=(), kw_only=True)
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    details: Sequence[Table] = ()
    notes: Sequence[str] = ()
    folded: bool = False


@dataclass(frozen=True)
class Report:
    """All that is told of a result.

    Attributes
    ----------
    kicker, title : str
        What kind of question it is, and of what.
    headline : list of str
        The answer, in at most six short sentences.
    figure : Figure or None
        That which shows the answer.
    facts : list of (str, str)
        What was played, in a few words each.
    sections : list of Section
        What matters first.
    terms : list of (str, str)
        Words that a reader may not know, and what they mean.
    made : list of (str, str)
        How it was made, beside what every manifest says.
    partial : str
        How far it came, if it was interrupted.
    notes : str
        What the designer says of the draft.
    """

    kicker: str
    title: str
    headline: Sequence[str]
    figure: Figure | None
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    terms: Sequence[tuple[str, str]]
    made: Sequence[tuple[str, str]] = field(default=())
    partial: str = ""
    notes: str = ""
