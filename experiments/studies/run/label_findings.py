"""What seats with each value of a label score and win: sections, for one draft or several."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from experiments.play import labels
from experiments.play.labels import Value
from experiments.play.matches import Run
from experiments.report import words
from experiments.report.figures import Dots, Point
from experiments.report.sections import Cell, Figure, Row, Section, Table, cell
from experiments.report.words import letter, listed, number, plural, show
from experiments.stats import Estimate, Kind
from experiments.studies.run import measures
from sim.events import Label

_MOST = 200
"""Values in a table."""

_DRAWN = 36
"""Points that a figure has room for."""

_ROWS = 12
"""Values in a figure, at most."""

_ENOUGH = 100
"""Blocks that must be behind a value for a finding."""

_FEW = 10
"""Blocks that must be behind a value for a figure: a single interval as wide as the page would hide all others."""

_NAMED = 3
"""Values that a sentence lists."""

Pick = Callable[[Value], Estimate]


# ---- sections -------------------------------------------------------------------------------------------


def sections(runs: list[Run]) -> list[Section]:
    """Return a section for each label of the game."""
    return [_section(runs, label) for label in labels.of_game(runs[0].draft.game)]


def _section(runs: list[Run], label: Label) -> Section:
    lists = [run.labels[label.name] for run in runs]
    shown = labels.commonest(label, lists, _MOST)
    different = len({value.key for values in lists for value in values})
    told = [_told(run, label) for run in runs]
    if len(runs) > 1:
        told = [f"{letter(run.number)}: {text}" for run, text in zip(runs, told, strict=True)]
    more = (
        f"Of {number(different)} values the {number(len(shown))} commonest are listed."
        if different > len(shown)
        else ""
    )
    return Section(
        f"label-{label.name}",
        label.title,
        told,
        _figures(runs, label),
        tables=_tables(runs, label, shown) if len(runs) > 1 else [_table(runs[0], shown)],
        notes=[note for note in (_caution(runs), more) if note],
    )


def _table(run: Run, shown: list[Value]) -> Table:
    fair = words.fair_share(run.draft.players)
    return Table(
        "What goes with each value",
        ["Value", "Seats of matches", "Share of all", "Mean score", f"Win rate (fair {fair})"],
        [
            Row(
                value.text,
                [number(value.appearances), *(_cell(pick(value), kind) for _, pick, kind in _MEASURES)],
            )
            for value in shown
        ],
    )


def _tables(runs: list[Run], label: Label, shown: list[Value]) -> list[Table]:
    """Return a table for each of the three measures, with a column a draft."""
    values = [{value.key: value for value in run.labels[label.name]} for run in runs]
    return [
        Table(
            title,
            ["Value", *(letter(run.number) for run in runs)],
            [
                Row(
                    value.text,
                    [
                        _cell(pick(of_run[value.key]), kind) if value.key in of_run else words.MISSING
                        for of_run in values
                    ],
                )
                for value in shown
            ],
        )
        for title, pick, kind in _MEASURES
    ]


def _cell(estimate: Estimate, kind: Kind) -> Cell:
    return cell(show(estimate, kind))


def _share(value: Value) -> Estimate:
    return value.share


def _score(value: Value) -> Estimate:
    return value.score


def _win(value: Value) -> Estimate:
    return value.win


_MEASURES: list[tuple[str, Pick, Kind]] = [
    ("Share of all seats and matches", _share, "share"),
    ("Mean score", _score, "mean"),
    ("Win rate", _win, "share"),
]


def _figures(runs: list[Run], label: Label) -> list[Figure]:
    lists = [[value for value in run.labels[label.name] if value.win.blocks >= _FEW] for run in runs]
    shown = labels.commonest(label, lists, max(4, min(_ROWS, _DRAWN // len(runs))))
    if not shown:
        return []
    names, series = [value.text for value in shown], measures.draft_names(runs)
    wins = Dots("Win rate", names, series, _points(lists, shown, _win, 100), measures.fair_shares(runs), "%")
    if label.ordered:
        few = any(value.win.blocks < _FEW for run in runs for value in run.labels[label.name])
        second = Figure(
            f"label {label.name} scores",
            "What do they score?",
            Dots("Mean score", names, series, _points(lists, shown, _score, 1)),
            f"Values with fewer than {_FEW} blocks behind them are not drawn." if few else "",
        )
    else:
        points = _points(lists, shown, _share, 100)
        axis = "Share of all seats and matches"
        second = Figure(
            f"label {label.name} shares",
            "How common is each?",
            Dots(axis, names, series, points, unit="%", bars=True),
        )
    return [Figure(f"label {label.name} wins", "Who wins with it?", wins), second]


def _points(lists: list[list[Value]], shown: list[Value], pick: Pick, scale: float) -> list[Point]:
    rows = {value.key: row for row, value in enumerate(shown)}
    return [
        Point(
            rows[value.key], series, *(part * scale for part in (estimate.value, estimate.low, estimate.high))
        )
        for series, values in enumerate(lists)
        for value in values
        if value.key in rows
        for estimate in [pick(value)]
    ]


# ---- sentences ------------------------------------------------------------------------------------------


def _caution(runs: list[Run]) -> str:
    text = "What goes with winning need not cause it: a good hand may do both."
    if any(len(run.bots) > 1 for run in runs):
        text += " The bots differ too: what a strong one does more often goes with winning for that alone."
    return (
        f"{text} The sentences judge many values at once, so their intervals are wider than the table's: all of one label hold "
        "together in 95 of 100 cases."
    )


def _told(run: Run, label: Label) -> str:
    """Say what the intervals of a label show, all of them at once, for the values with enough behind them."""
    values = run.labels[label.name]
    enough = sum(value.win.blocks >= _ENOUGH for value in values)
    if not enough:
        return f"Too few matches to judge: no value has {_ENOUGH} blocks behind it."
    # All values are judged by how common they are, and those with enough by two more measures.
    values = labels.values(run.batch, run.totals, label, family_size=len(values) + 2 * enough)
    judged = [value for value in values if value.win.blocks >= _ENOUGH]
    common, rivals = _first(values, _share)
    share, fair = show(common.share, "share").together, words.fair_share(run.draft.players)
    sentences = [
        f"Most common is “{common.text}”: {share} of all seats and matches{_may(rivals, 'be as common')}."
    ]
    if not label.ordered:
        sentences.insert(0, f"{plural(len(values), 'value')} came.")
    if len(judged) == 1:
        sentences.append(_alone(judged[0], fair))
    elif label.ordered:
        judged.sort(key=lambda value: value.key)
        sentences += [_trend(judged, _score, "mean"), _trend(judged, _win, "share")]
    else:
        sentences += _best(judged, fair)
    return " ".join(sentences)


def _first(judged: list[Value], pick: Pick) -> tuple[Value, list[Value]]:
    """Return the greatest value, and those whose intervals reach into its own."""
    order = sorted(judged, key=lambda value: -pick(value).value)
    return order[0], [value for value in order[1:] if pick(value).high >= pick(order[0]).low]


def _may(rivals: list[Value], do: str) -> str:
    if not rivals:
        return ""
    more = len(rivals) - _NAMED
    names = [f"“{value.text}”" for value in rivals[:_NAMED]] + ([f"{number(more)} more"] if more > 0 else [])
    return f"; {listed(names)} may {do}"


def _alone(value: Value, fair: str) -> str:
    return (
        f"Only “{value.text}” came often enough to judge: those with it win {show(value.win, 'share').together}, "
        f"where {fair} is fair, and score {show(value.score, 'mean').together}."
    )


def _best(judged: list[Value], fair: str) -> list[str]:
    """Say which values win and score most."""
    (winner, rivals), (top, others) = _first(judged, _win), _first(judged, _score)
    win, score = show(winner.win, "share").together, show(top.score, "mean").together
    first = f"Of the {number(len(judged))} that came often enough to judge, “{winner.text}” wins most: {win}"
    return [
        f"{first}, where {fair} is fair{_may(rivals, 'win as much')}.",
        f"“{top.text}” scores most: {score}{_may(others, 'score as much')}.",
    ]


def _trend(in_order: list[Value], pick: Pick, kind: Kind) -> str:
    """Say whether more goes with more: only where two intervals lie apart is there a difference."""
    what = "win rate" if kind == "share" else "mean score"

    def gap(pair: tuple[Value, Value]) -> float:
        """Return how far the interval of the second lies above that of the first."""
        return pick(pair[1]).low - pick(pair[0]).high

    def ends(pair: tuple[Value, Value]) -> str:
        return " to ".join(f"{show(pick(value), kind).together} with {value.text}" for value in pair)

    pairs = list(combinations(in_order, 2))
    up, down = max(pairs, key=gap), max(pairs, key=lambda pair: gap(pair[::-1]))
    rises, falls = gap(up) > 0, gap(down[::-1]) > 0
    if rises and falls:
        return f"The {what} goes both ways: up from {ends(up)}, but down from {ends(down)}."
    if rises:
        return f"The more, the higher the {what}: from {ends(up)}."
    if falls:
        return f"The more, the lower the {what}: from {ends(down)}."
    most = max(-gap(pair) for both in pairs for pair in (both, both[::-1]))
    low, high = in_order[0].text, in_order[-1].text
    return (
        f"From {low} to {high} the {what} did not differ measurably: by at most {words.bound(most, most / 2, kind)} between "
        "any two."
    )
