"""A ladder as text for a terminal."""

from __future__ import annotations

import textwrap

from experiments.report.words import number, plural
from experiments.studies.ladder import words as ladder_words
from experiments.studies.ladder.play import Ladder

_NARROW = 24
_LEAST = 44
_CELL = 6
"""Columns of a share: 100.0, a mark and a space."""


def lines(ladder: Ladder, width: int) -> list[str]:
    """Return a ladder as lines of at most `width` columns, or of 44 where it is less; names of bots aside."""
    width = max(width, _LEAST)
    found = [*_wrapped(head(ladder), width), "", *_ratings(ladder, width), "", *_matrix(ladder, width), ""]
    for finding in ladder_words.findings(ladder):
        found += _wrapped(f"{finding.lead}: {finding.text}", width)
        for item in finding.items:
            found += textwrap.wrap(item, width, initial_indent="  - ", subsequent_indent="    ")
    return found


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)


def head(ladder: Ladder) -> str:
    """Say what was played."""
    partial = "" if ladder.complete else f" (partial: interrupted at {ladder_words.of_asked(ladder)})"
    games = f", matches of {plural(ladder.games, 'game')}" if ladder.games > 1 else ""
    return (
        f"{ladder.spec.draft.label}: ladder of {len(ladder.bots)} bots, {ladder_words.deals(ladder)}{partial}{games}, "
        f"seed {ladder.spec.seed}"
    )


def _ratings(ladder: Ladder, width: int) -> list[str]:
    """Return rank, bot, rating, interval and time of a decision; a long name has a line of its own."""
    standing = ladder.standing
    figures = [("rating", "95% interval", "decision")]
    for place, taken in enumerate(ladder.microseconds):
        interval = f"[{number(standing.low[place])}, {number(standing.high[place])}]"
        figures.append((number(standing.ratings[place]), interval, ladder_words.time_taken(taken)))
    first, second, third = (max(len(row[column]) for row in figures) for column in range(3))
    wide = min(
        max(len("bot"), *(len(name) for name in ladder.labels)), max(3, width - first - second - third - 11)
    )
    found = []
    for place, (name, row) in enumerate(zip(["bot", *ladder.labels], figures, strict=True)):
        rank = str(place or "")
        text = f"  {row[0]:>{first}}  {row[1]:<{second}}  {row[2]:>{third}}"
        if len(name) > wide:
            found.append(f"  {rank:<3}{name}")
            rank = name = ""
        found.append(f"  {rank:<3}{name:<{wide}}{text}")
    return found


def _matrix(ladder: Ladder, width: int) -> list[str]:
    """Return the win matrix, in several pieces where the bots are many for the width."""
    size = len(ladder.bots)
    names = [ladder_words.short_label(bot, _NARROW) for bot in ladder.bots]
    wide = min(max(len(name) for name in names), max(14, width - 5 - 4 * (_CELL + 1)))
    columns = max(2, (width - 5 - wide) // (_CELL + 1))
    found = _wrapped(
        "how often, in percent, a player of the bot on the left finishes ahead of one of the bot above "
        "(by its rank); *: clear",
        width,
    )
    for start in range(0, size, columns):
        some = range(start, min(size, start + columns))
        found.append(f"  {'':3}{'':<{wide}}" + "".join(f"{place + 1:>{_CELL}} " for place in some).rstrip())
        for row, bot in enumerate(ladder.bots):
            cells = "".join(_cell(ladder, row, column) for column in some)
            found.append(f"  {row + 1:<3}{ladder_words.short_label(bot, wide):<{wide}}{cells}".rstrip())
    return found


def _cell(ladder: Ladder, row: int, column: int) -> str:
    if row == column:
        return f"{'-':>{_CELL}} "
    clear = ladder.standing.clear
    mark = "*" if clear[row, column] or clear[column, row] else " "
    return f"{100 * ladder.standing.duel(row, column).value:>{_CELL}.1f}{mark}"
