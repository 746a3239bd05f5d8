"""Results as text for a terminal: plain columns that fit 80."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import Any

from experiments.play import labels
from experiments.play.matches import Key, Run
from experiments.report import spread
from experiments.stats import Difference, Estimate
from sim.events import Event
from sim.options import OptionRow

WIDTH = 79

_VALUES = 5
"""Values of a label that are shown."""

_VALUE_WIDTH = 13

_SQUARE = 4
"""Columns of a square table that have room for intervals."""


def percent(value: float) -> str:
    """Return a share in percent."""
    return f"{100 * value:.2f}%"


def number(value: float, *, signed: bool = False) -> str:
    """Return a number with two or three decimals."""
    return f"{value:{'+' if signed else ''}.{3 if abs(value) < 10 else 2}f}"


def _interval(found: Estimate | Difference, shown: Any) -> str:
    if math.isnan(found.low):
        return "[no interval from one block]"
    low, high = (shown(end).removesuffix("%").removesuffix(" pp") for end in (found.low, found.high))
    return f"[{low}, {high}]"


def estimate(found: Estimate | Difference, *, share: bool) -> str:
    """Return a value with its interval."""
    shown = percent if share else number
    return f"{shown(found.value)} {_interval(found, shown)}"


def difference(found: Estimate | Difference, *, share: bool) -> str:
    """Return a difference with its interval, in percentage points for a share."""
    return gap(found, share=share, signed=True)


def gap(found: Estimate | Difference, *, share: bool, signed: bool = False) -> str:
    """Return how far two values lie apart, in percentage points (pp) for a share, with its interval."""

    def shown(value: float) -> str:
        return points(value, signed=signed) if share else number(value, signed=signed)

    return f"{shown(found.value)} {_interval(found, shown)}"


def points(value: float, *, signed: bool = False) -> str:
    """Return a difference of shares in percentage points."""
    return f"{100 * value:{'+' if signed else ''}.2f} pp"


def lineup(names: list[str]) -> str:
    """Return a line-up, shortened where all bots are the same."""
    return f"{names[0]} in every seat" if len(set(names)) == 1 else ",".join(names)


def head(run: Run) -> str:
    """Return the line that says what was played."""
    study = run.study
    partial = (
        ""
        if study.complete
        else f" (partial: interrupted at {run.totals.matches:,} of {study.spec.matches:,})"
    )
    seats = ", fixed seats" if study.spec.fixed_seats else ""
    names = lineup([bot.name for bot in run.batch.lineup])
    games = f" of {run.games} game{'s' if run.games > 1 else ''}" if run.by_game else ""
    unit = "block" if run.by_game else "deal"
    return (
        f"{run.draft.label}: {run.totals.matches:,} match{'es' if run.totals.matches > 1 else ''}{games}{partial}, "
        f"{run.totals.blocks:,} {unit}{'s' if run.totals.blocks > 1 else ''}, "
        f"{names}{seats}, seed {study.spec.seed}"
    )


_TITLES = {"ties": "ties", "decisions": "decisions a match", "branching": "legal moves a decision"}


def title(run: Run, key: Key) -> str:
    """Name a measure."""
    if key[0] in _TITLES:
        return "matches with a shared top total" if run.by_game and key[0] == "ties" else _TITLES[key[0]]
    if key[0] in ("win", "score"):
        what = "win share" if key[0] == "win" else _score(run)
        if key[1] == "seat":
            return f"{what}, seat {key[2]}"
        return f"{what}, {'all seats' if len(run.bots) == 1 else key[2]}"
    listed = run.events[key[1]].length > 1
    first = run.events[key[1]].first
    return f"{key[1]}, seat {key[2]}" if len(key) == 4 else key[1] + (f" {key[2] + first}" if listed else "")


def _score(run: Run) -> str:
    return "mean score a game" if run.by_game else "mean score"


def measure_lines(
    run: Run, found: Mapping[Key, Estimate | Difference], verdicts: Mapping[Key, str] | None = None
) -> list[str]:
    """Return a line a measure; where events are counted by game, under a heading that says so.

    Parameters
    ----------
    run : Run
    found : mapping
    verdicts : mapping, optional
        If given the numbers are differences, and what it says of them stands beside them.
    """
    lines = []
    headed = not run.by_game
    for key, item in found.items():
        if not fits_a_terminal(run, key):
            continue
        if key[0] == "event" and not headed:
            headed = True
            lines += ["", "  events, a game:"]
        shown = (estimate if verdicts is None else difference)(item, share=run.is_share(key))
        word = (verdicts or {}).get(key, "")
        lines += _measure_line(f"  {title(run, key)}", shown, word)
    return lines


def _measure_line(name: str, shown: str, word: str) -> list[str]:
    """Return a measure with what it is and what is said of it, which has a line of its own where it does not fit."""
    line = f"{name:<34}{shown:<24}{f' {word}' if word else ''}".rstrip()
    if len(line) > WIDTH:
        line = f"{name:<34}{shown} {word}"
    return [line] if len(line) <= WIDTH else [f"{name:<34}{shown}", f"{word:>{WIDTH}}"]


def fits_a_terminal(run: Run, key: Key) -> bool:
    """Tell whether a measure is listed on the terminal; tables, cells and bots' events are in the report."""
    if key[0] in ("win", "score"):
        return key[1] != "cell"
    if key[0] in _TITLES:
        return True
    event = run.events[key[1]]
    return key[0] == "event" and event.kind != "rows" and (len(key) == 3 or event.length == 1)


def run_lines(run: Run) -> list[str]:
    """Return a run for a terminal."""
    lines = textwrap.wrap(head(run), WIDTH, subsequent_indent="  ")
    wide = max(14, min(max(len(name) for name in run.bots) + 2, 40)) if len(run.bots) > 1 else 14
    lines += ["", f"  {'':<{wide}}{'win share':<26}{_score(run)}"]
    lines += [
        f"  {f'seat {seat}':<{wide}}{_pair(run, 'seat', seat)}".rstrip() for seat in range(run.draft.players)
    ]
    if len(run.bots) > 1:
        lines.append("")
        lines += [f"  {name[: wide - 1]:<{wide}}{_pair(run, 'bot', name)}".rstrip() for name in run.bots]
    lines += ["", *_deviations(run)]
    if run.by_game:
        lines += ["", "  win share: of first places, over games; sd: of the totals of matches"]
    lines.append("")
    lines += measure_lines(
        run, {key: found for key, found in run.estimates.items() if key[0] not in ("win", "score")}
    )
    lines += _square_lines(run)
    lines += _label_lines(run)
    speed = run.totals.matches / run.seconds if run.seconds > 0 else math.nan
    lines += ["", f"  95% intervals; {run.seconds:.2f} s of play, {speed:,.0f} matches a second"]
    return lines


def _pair(run: Run, *place: Any) -> str:
    win, score = run.estimates.get(("win", *place)), run.estimates.get(("score", *place))
    return (
        f"{'-' if win is None else estimate(win, share=True):<26}"
        f"{'-' if score is None else estimate(score, share=False):<28}"
    )


def _deviations(run: Run) -> list[str]:
    """Return the standard deviation of each seat's scores, with its interval."""
    parts = []
    for seat in range(run.draft.players):
        sd = run.sd_score(seat)
        if sd is not None:
            low, high = spread.sd_interval(run.histogram(seat=seat), sd, run.totals.blocks)
            parts.append(f"seat {seat} {sd:.2f} [{low:.2f}, {high:.2f}]")
    text = f"sd of scores: {'; '.join(parts)}" if parts else ""
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _square_lines(run: Run) -> list[str]:
    """Return the square tables; with their intervals as far as the columns fit."""
    lines: list[str] = []
    players = run.draft.players
    for event in run.events.values():
        if event.kind != "rows" or ("event", event.name, 0) not in run.estimates:
            continue
        rows = [_square_row(run, event, row, intervals=players <= _SQUARE) for row in range(players)]
        widths = [max(len(row[column]) for row in rows) + 2 for column in range(players)]
        heads = [str(column + 1) for column in range(players)]
        rest = "" if players <= _SQUARE else "; their intervals are in the report"
        lines += ["", f"  {event.title.replace('{}', '…')}, %{rest}:"]
        for name, cells in zip(["", *heads], [heads, *rows], strict=True):
            line = "".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
            lines.append(f"  {name:<3}{line}".rstrip())
    return lines


def _square_row(run: Run, event: Event, row: int, *, intervals: bool) -> list[str]:
    cells = []
    for column in range(run.draft.players):
        found = run.estimates.get(("event", event.name, row * run.draft.players + column))
        if found is None:
            cells.append("-")
            continue
        value, low, high = (f"{100 * number:.1f}" for number in (found.value, found.low, found.high))
        cells.append(f"{value} [{low}, {high}]" if intervals else value)
    return cells


def _label_lines(run: Run) -> list[str]:
    """Return a table of the commonest values of each label."""
    lines: list[str] = []
    for label in labels.of_game(run.draft.game):
        values = run.labels[label.name]
        shown = labels.commonest(label, [values], _VALUES)
        rows = [("", "share, %", "win share, %", "mean score"), *(_label_row(value) for value in shown)]
        widths = [max(len(row[column]) for row in rows) + 2 for column in range(4)]
        widths[0] = min(widths[0], _VALUE_WIDTH)
        lines += ["", *textwrap.wrap(label.title, WIDTH, initial_indent="  ", subsequent_indent="    ")]
        for name, *cells in rows:
            if len(name) > widths[0] - 2:
                lines += textwrap.wrap(name, WIDTH, initial_indent="  ", subsequent_indent="  ")
                name = ""
            line = "".join(f"{cell:<{width}}" for cell, width in zip([name, *cells], widths, strict=True))
            lines.append(f"  {line}".rstrip())
        if len(values) > _VALUES:
            lines.append(f"  and {len(values) - _VALUES:,} more")
    return lines


def _label_row(value: labels.Value) -> tuple[str, str, str, str]:
    share, win = (estimate(found, share=True).replace("%", "") for found in (value.share, value.win))
    score = estimate(value.score, share=False)
    if value.score.interval is None:
        score = f"{number(value.score.value)} [no interval]"
    return value.text, share, win, score


def option_lines(rows: list[OptionRow], width: int) -> list[str]:
    """Return the options of a game, a paragraph each."""
    lines: list[str] = []
    for row in rows:
        lines += [f"{row.key} = {row.default}   ({row.clause})"]
        for text in (row.allowed, row.changes, f"favours: {row.favours}"):
            lines += textwrap.wrap(text, max(width, 30), initial_indent="    ", subsequent_indent="      ")
    return lines


def table(rows: list[tuple[str, str]], width: int) -> list[str]:
    """Return names with a text beside each, wrapped."""
    if not rows:
        return []
    indent = min(max(len(name) for name, _ in rows) + 2, 26)
    lines = []
    for name, text in rows:
        wrapped = textwrap.wrap(text, max(width - indent, 24)) or [""]
        if len(name) >= indent:
            lines.append(name)
            name = ""
        lines.append(f"{name:<{indent}}{wrapped[0]}".rstrip())
        lines += [" " * indent + line for line in wrapped[1:]]
    return lines
