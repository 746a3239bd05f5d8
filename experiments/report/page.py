"""Makes the report of a study: one self-contained HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.play.matches import Key, Run, Study
from experiments.report import draw, figures, findings, labels, players, spread, squares, tables, words
from experiments.report.frame import began, ended, folder_of, render
from experiments.report.tables import Row
from experiments.report.words import letter, listed, number, plural
from experiments.studies.compare import verdict_tables
from experiments.studies.compare.play import Comparison
from sim import registry


def comparison_page(comparison: Comparison, manifest: dict[str, Any]) -> str:
    """Return the report of a comparison with its verdicts, see `page`.

    Parameters
    ----------
    comparison : Comparison
    manifest : dict
        As `experiments.studies.compare.store.save` writes it.
    """
    return page(comparison.studies[0], manifest, comparison)


def page(study: Study, manifest: dict[str, Any], comparison: Comparison | None = None) -> str:
    """Return the report of a study as one HTML page that loads nothing.

    Parameters
    ----------
    study : Study
        One draft, or several compared with the first.
    manifest : dict
        As `experiments.store.runs.save` writes it; what is missing is shown as a dash.
    comparison : Comparison, optional
        The verdicts, and further studies with other line-ups.
    """
    runs = study.runs
    played = all(run.totals.matches > 0 for run in runs)
    several = len(runs) > 1
    studies = [study] if comparison is None else comparison.studies
    return render(
        "template.html",
        kicker="Comparison of drafts" if several else "Simulation of a draft",
        title=_title(runs),
        several=several,
        by_game=study.by_game,
        shared=study.shared,
        partial=_partial(studies),
        drafts=[_draft([one.runs[run.number] for one in studies], several) for run in runs],
        facts=_facts(study, comparison),
        findings=_findings(study, comparison) if played else [],
        verdicts=None if comparison is None else verdict_tables.section(comparison),
        single=_single(runs[0]) if played and not several else None,
        comparison=_comparison(study, comparison) if played and several else None,
        scores=_scores(runs) if played else None,
        labels=labels.sections(study) if played else [],
        squares=_squares(runs) if played else [],
        quantiles=spread.QUANTILES,
        made=_made(study, manifest, comparison),
        settings=tables.settings([run.draft for run in runs]),
        folder=folder_of(manifest),
        bots_file=study.spec.bots_file is not None,
        period=runs[0].batch.period,
        several_bots=any(len(run.bots) > 1 for run in runs),
        judged=_judged(runs) if played and comparison is None else 0,
        number=number,
    )


def _title(runs: list[Run]) -> str:
    labels = [run.draft.label for run in runs]
    if len(runs) < 3:
        return " against ".join(reversed(labels))
    return f"{len(runs) - 1} drafts against {labels[0]}"


def _partial(studies: list[Study]) -> str:
    """Say how far an interrupted run came, of one line-up or several; empty for a whole one."""
    if all(study.complete for study in studies):
        return ""
    study, wanted = studies[0], number(max(one.spec.matches for one in studies))
    if study.matches == 0:
        return f"Interrupted before the first of {wanted} matches was counted: there are no numbers."
    each = " of each draft" if len(study.runs) > 1 else ""
    if len(studies) > 1:
        each += " and line-up"
    done = listed([number(one.matches) for one in studies])
    return f"Interrupted: {done} of {wanted} matches{each} were played. All numbers are of these alone."


def _draft(runs: list[Run], several: bool) -> dict[str, Any]:
    """Return what stands of a draft under the title; `runs` are those of its line-ups."""
    run = runs[0]
    return {
        "letter": letter(run.number) if several else "",
        "label": run.draft.label,
        # A note that a draft only inherits is not shown twice.
        "notes": run.draft.notes
        if run.number == 0 or run.draft.notes != run.study.runs[0].draft.notes
        else "",
        "players": run.draft.players,
        "matches": "; ".join(_matches(one) for one in runs),
        "blocks": "; ".join(number(one.totals.blocks) for one in runs),
    }


def _matches(run: Run) -> str:
    matches = number(run.totals.matches)
    return f"{matches} of {plural(run.games, 'game')}" if run.by_game else matches


def _lineups(study: Study, comparison: Comparison | None) -> tuple[str, str]:
    studies = [study] if comparison is None else comparison.studies
    text = "; ".join(findings.lineup(one.runs[0]) for one in studies)
    return ("Line-up" if len(studies) == 1 else "Line-ups", text)


def _facts(study: Study, comparison: Comparison | None) -> list[tuple[str, str]]:
    run = study.runs[0]
    facts = [_lineups(study, comparison), ("Seed", str(study.spec.seed))]
    if len(study.runs) > 1:
        return facts
    size = run.batch.period
    blocks = f", in {plural(run.totals.blocks, 'block')} of {size}" if size > 1 else ""
    return [("Players", str(run.draft.players)), ("Matches", _matches(run) + blocks), *facts]


def _findings(study: Study, comparison: Comparison | None) -> list[findings.Finding]:
    studies = [study] if comparison is None else comparison.studies
    if comparison is not None:
        found = verdict_tables.of_comparison(comparison)
    else:
        found = findings.of_comparison(study) if len(study.runs) > 1 else findings.of_run(study.runs[0])
    bots = [bot for one in studies for bot in one.runs[0].batch.lineup]
    return [*found, *labels.findings(study), *players.findings(study.spec.drafts, bots)]


def _judged(runs: list[Run]) -> int:
    """Return how many differences the page judges."""
    return sum(findings.changes(runs[0], run, main=False).counted for run in runs[1:])


# ---- sections -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Measures of one run; `common` gives n and blocks where they are those of every row."""

    caption: str
    head: str
    value: str
    rows: list[Row]
    common: str
    remarks: bool


def _table(caption: str, head: str, value: str, rows: list[Row], unit: str = "match") -> Table:
    counts = {(row.n, row.blocks) for row in rows}
    common = ""
    if len(counts) == 1:
        ((n, blocks),) = counts
        units = unit if n == "1" else f"{unit}es" if unit == "match" else f"{unit}s"
        common = f"n = {n} {units} in {blocks} block{'' if blocks == '1' else 's'}, for every row"
    return Table(caption, head, value, rows, common, any(row.remark for row in rows))


def _single(run: Run) -> dict[str, Any]:
    found: dict[str, Any] = {
        "players": run.draft.players,
        "doubt": words.percent(min(1.0, 0.05 * run.draft.players), 0),
        "mixed": findings.mixed(run),
        "seats": _table(f"Win share by seat{_over(run)}", "Seat", "Win share", tables.by_seat(run, "win")),
        "seat_figure": draw.draw_dots(figures.win_shares([run], "seat"), "seats"),
        "bots": None,
        "match": _match_tables(run),
    }
    if len(run.bots) > 1:
        rows = tables.by_bot(run, "win")
        found["bots"] = _table(f"Win share by bot{_over(run)}", "Bot", "Win share", rows, "place")
        found["bot_figure"] = draw.draw_dots(figures.win_shares([run], "bot"), "bots")
        found["cells"] = tables.by_cell(run, "win")
        found["score_cells"] = tables.by_cell(run, "score")
        found["blocks"] = number(run.totals.blocks)
    return found


def _over(run: Run) -> str:
    return ", over games" if run.by_game else ""


def _match_tables(run: Run) -> list[Table]:
    """Return what is counted by match, and the events: apart, where those are counted by game."""
    match, events = tables.match_rows(run), tables.event_rows(run)
    if not run.by_game:
        return [
            _table(f"Shared {run.study.shared}, length and events", "Measure", "Value", [*match, *events])
        ]
    return [
        _table("Shared totals and length, by match", "Measure", "Value", match),
        _table("Events, a game", "Event", "Value", events),
    ]


def _squares(runs: list[Run]) -> list[tuple[str, squares.Square]]:
    """Return the square tables, each with the letter of its draft."""
    return [
        (letter(run.number) if len(runs) > 1 else "", square)
        for run in runs
        for square in squares.squares(run)
    ]


def _scores(runs: list[Run]) -> dict[str, Any]:
    named = [letter(run.number) if len(runs) > 1 else "" for run in runs]
    rows = [row for run, name in zip(runs, named, strict=True) for row in spread.score_rows(run, name)]
    what = "draft, all seats together" if len(runs) > 1 else "bot" if len(runs[0].bots) > 1 else "seat"
    return {
        "figure": draw.draw_steps(figures.score_histograms(runs), "scores"),
        "rows": rows,
        "what": what,
        "mixed": any(findings.mixed(run) for run in runs),
    }


def _pairs(study: Study, comparison: Comparison | None) -> list[dict[str, Any]]:
    if comparison is None:
        return [_pair(study.runs[0], run) for run in study.runs[1:]]
    return [
        _pair(one.runs[0], one.runs[run.number], verdict_tables.told(comparison, level, one.runs[run.number]))
        for run in study.runs[1:]
        for level, one in enumerate(comparison.studies)
    ]


def _comparison(study: Study, comparison: Comparison | None) -> dict[str, Any]:
    runs = study.runs
    by = ["seat", "bot"] if any(len(run.bots) > 1 for run in runs) else ["seat"]
    return {
        "figures": [
            (f"Win share by {which}", draw.draw_dots(figures.win_shares(runs, which), f"{which}s"))
            for which in by
        ],
        "pairs": _pairs(study, comparison),
        "first_level": runs[0].level if comparison is not None and len(comparison.studies) > 1 else "",
        "all": [group for group in tables.side_by_side(runs) if group.title != tables.SQUARES]
        if len(runs) > 2
        else [],
        "heads": [_head(run) for run in runs],
    }


def _head(run: Run) -> tuple[str, str]:
    """Return a draft's letter, and the n that holds for its column unless a cell says otherwise."""
    return letter(run.number), f"n {number(run.totals.matches)} in {plural(run.totals.blocks, 'block')}"


def _pair(base: Run, run: Run, told: dict[Key, tables.Told] | None = None) -> dict[str, Any]:
    names = (letter(base.number), letter(run.number))
    groups = tables.differences(base, run, names, told)
    figure = None
    if base.draft.players == run.draft.players:
        figure = draw.draw_dots(figures.win_differences(base, run), f"differences {names[1]} {run.level}")
    return {
        "letters": names,
        "level": run.level,
        "shorter": run.totals.matches < base.totals.matches and number(run.totals.matches),
        "labels": (base.draft.label, run.draft.label),
        "settings": tables.settings([base.draft, run.draft], only_different=True),
        "pairing": findings.pairing(base, run),
        "heads": [_head(base), _head(run)],
        "groups": [group for group in groups if group.title not in (tables.BY_CELL, tables.SQUARES)],
        "squares": squares.square_differences(run),
        "cells": [group for group in groups if group.title == tables.BY_CELL],
        "figure": figure,
    }


# ---- how it was made ------------------------------------------------------------------------------------


def _made(study: Study, manifest: dict[str, Any], comparison: Comparison | None) -> list[tuple[str, str]]:
    """Return what the manifest says, in the order of interest."""
    run = study.runs[0]
    studies = [study] if comparison is None else comparison.studies
    played = [f"{number(one.matches)} of {number(one.spec.matches)} asked for" for one in studies]
    facts = [
        *began(manifest),
        ("Game", run.draft.game),
        ("Version of its rules", str(registry.find(run.draft.game).state.RULES_VERSION)),
        ("Seed", str(study.spec.seed)),
        ("Matches of each draft", "; ".join(played)),
        _lineups(study, comparison),
        ("Bots", "; ".join(f"{bot.name}: {bot.summary}" for bot in _different(studies))),
        ("Time of playing", f"{number(sum(one.result.seconds for one in studies), 1)} s"),
        *ended(manifest),
    ]
    return [(name, text or words.MISSING) for name, text in facts]


def _different(studies: list[Study]) -> list[Any]:
    return list({bot.name: bot for study in studies for bot in study.batches[0].lineup}.values())
