"""Results as text for a terminal: plain columns that fit 80."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from experiments.stats import Difference, Estimate
from experiments.study import Run, Study
from sim.options import OptionRow

WIDTH = 79


def percent(value: float, *, signed: bool = False) -> str:
    """Return a share in percent."""
    return f"{100 * value:{'+' if signed else ''}.2f}%"


def number(value: float, *, signed: bool = False) -> str:
    """Return a number with two or three decimals."""
    return f"{value:{'+' if signed else ''}.{3 if abs(value) < 10 else 2}f}"


def _interval(found: Estimate | Difference, shown: Any) -> str:
    if math.isnan(found.low):
        return "[no interval from one block]"
    return f"[{shown(found.low).rstrip('%')}, {shown(found.high).rstrip('%')}]"


def estimate(found: Estimate, *, share: bool) -> str:
    """Return a value with its interval."""
    shown = percent if share else number
    return f"{shown(found.value)} {_interval(found, shown)}"


def difference(found: Difference, *, share: bool) -> str:
    """Return a difference with its interval, in percentage points for a share."""

    def points(value: float) -> str:
        return percent(value, signed=True) if share else number(value, signed=True)

    return f"{points(found.value)} {_interval(found, points)}"


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
    return (
        f"{run.draft.label}: {run.totals.matches:,} match{'es' if run.totals.matches > 1 else ''}{partial}, "
        f"{run.totals.blocks:,} deal{'s' if run.totals.blocks > 1 else ''}, "
        f"{names}{seats}, seed {study.spec.seed}"
    )


_TITLES = {"ties": "ties", "decisions": "decisions a match", "branching": "legal moves a decision"}


def _title(run: Run, key: tuple[Any, ...]) -> str:
    if key[0] in _TITLES:
        return _TITLES[key[0]]
    if key[0] in ("win", "score"):
        what = "win share" if key[0] == "win" else "mean score"
        return f"{what}, {'seat ' if key[1] == 'seat' else ''}{key[2]}"
    listed = run.events[key[1]].length > 1
    return f"{key[1]}, seat {key[2]}" if len(key) == 4 else key[1] + (f" {key[2]}" if listed else "")


def _fits_a_terminal(run: Run, key: tuple[Any, ...]) -> bool:
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
    lines += ["", f"  {'':<{wide}}{'win share':<26}{'mean score':<28}{'sd':>7}"]
    for seat in range(run.draft.players):
        deviation = run.sd_score(seat)
        shown = "-" if deviation is None else f"{deviation:.2f}"
        lines.append(f"  {f'seat {seat}':<{wide}}{_pair(run, 'seat', seat)}{shown:>7}")
    if len(run.bots) > 1:
        lines.append("")
        lines += [f"  {name[: wide - 1]:<{wide}}{_pair(run, 'bot', name)}".rstrip() for name in run.bots]
    lines.append("")
    for key, found in run.estimates.items():
        if key[0] not in ("win", "score") and _fits_a_terminal(run, key):
            lines.append(f"  {_title(run, key):<32}{estimate(found, share=run.is_share(key))}")
    speed = run.totals.matches / run.seconds if run.seconds > 0 else math.nan
    lines += ["", f"  95% intervals; {run.seconds:.2f} s of play, {speed:,.0f} matches a second"]
    return lines


def _pair(run: Run, *place: Any) -> str:
    win, score = run.estimates.get(("win", *place)), run.estimates.get(("score", *place))
    return (
        f"{'-' if win is None else estimate(win, share=True):<26}"
        f"{'-' if score is None else estimate(score, share=False):<28}"
    )


def compare_lines(study: Study) -> list[str]:
    """Return a comparison for a terminal: each run, then its difference from the first."""
    lines: list[str] = []
    for run in study.runs:
        lines += [*run_lines(run), ""]
    base = study.runs[0].draft.label
    for run in study.runs[1:]:
        found = run.differences
        paired = all(item.paired for item in found.values())
        how = (
            "paired: same shuffles, same seats" if paired else "not paired: other numbers of players or bots"
        )
        lines += textwrap.wrap(f"{run.draft.label} less {base} ({how})", WIDTH, subsequent_indent="  ")
        for key, item in found.items():
            if _fits_a_terminal(run, key):
                lines.append(f"  {_title(run, key):<32}{difference(item, share=run.is_share(key))}")
        lines.append("")
    return lines


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
