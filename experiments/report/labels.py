"""What the report says of labels: by what seats are told apart, and what those seats score and win."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from experiments.play import labels
from experiments.play.labels import Value
from experiments.play.matches import Run, Study
from experiments.report import draw, figures, words
from experiments.report.figures import Dots, Point
from experiments.report.findings import Finding
from experiments.report.words import Shown, letter, listed, number, plural, show
from experiments.stats import Estimate, Kind
from sim.events import Label

_MOST = 12
"""Values in a table."""

_FOLDED = 200
"""Values in the table that is folded away."""

_DRAWN = 36
"""Points that a figure has room for."""

_ENOUGH = 100
"""Blocks that must be behind a value for a finding."""

_FEW = 10
"""Blocks that must be behind a value for a figure: a single interval as wide as the page would hide all others."""

_NAMED = 3
"""Values that a sentence lists."""

Pick = Callable[[Value], Estimate]


# ---- sections -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One value: how many seats had it in each draft, and a cell for each draft in three groups of columns."""

    name: str
    n: list[str]
    shares: list[Shown]
    scores: list[Shown]
    wins: list[Shown]


@dataclass(frozen=True)
class Section:
    """One label.

    Attributes
    ----------
    name, title : str
    heads : list of (str, str)
        Letter of each draft, empty for a single one, and the fair share of the win in it.
    lines, rest : list of Line
        The commonest values, and those after them.
    different : str
        How many values came, where not all are in the table.
    figures : list of (Markup, str)
        With what they show.
    """

    name: str
    title: str
    heads: list[tuple[str, str]]
    lines: list[Line]
    rest: list[Line]
    different: str
    figures: list[tuple[Markup, str]]


def sections(study: Study) -> list[Section]:
    """Return a section for each label of the game."""
    return [_section(study.runs, label) for label in labels.of_game(study.runs[0].draft.game)]


def _section(runs: list[Run], label: Label) -> Section:
    lists = [run.labels[label.name] for run in runs]
    shown = labels.commonest(label, lists, _MOST)
    more = labels.commonest(label, lists, _MOST + _FOLDED)
    rest = [value for value in more if value.key not in {one.key for one in shown}]
    different = len({value.key for values in lists for value in values})
    return Section(
        label.name,
        label.title,
        [(letter(run.number) if len(runs) > 1 else "", words.fair_share(run.draft.players)) for run in runs],
        _lines(lists, shown),
        _lines(lists, rest),
        number(different) if different > len(shown) else "",
        _figures(runs, label),
    )


def _lines(lists: list[list[Value]], shown: list[Value]) -> list[Line]:
    found = [{value.key: value for value in values} for values in lists]

    def cells(key: int, pick: Pick, kind: Kind) -> list[Shown]:
        return [show(pick(values[key]), kind) if key in values else words.NOTHING for values in found]

    return [
        Line(
            value.text,
            [number(values[value.key].appearances) if value.key in values else "" for values in found],
            cells(value.key, _share, "share"),
            cells(value.key, _score, "mean"),
            cells(value.key, _win, "share"),
        )
        for value in shown
    ]


def _share(value: Value) -> Estimate:
    return value.share


def _score(value: Value) -> Estimate:
    return value.score


def _win(value: Value) -> Estimate:
    return value.win


def _figures(runs: list[Run], label: Label) -> list[tuple[Markup, str]]:
    lists = [[value for value in run.labels[label.name] if value.win.blocks >= _FEW] for run in runs]
    shown = labels.commonest(label, lists, max(4, min(_MOST, _DRAWN // len(runs))))
    if not shown:
        return []
    names, series = [value.text for value in shown], figures.draft_names(runs)
    wins = _points(lists, shown, _win, 100)
    marks = "Mark: what was found; bar: its 95% interval; dashed line: the fair share."
    drawn = [
        (
            Dots("Win share", names, series, wins, figures.fair_shares(runs), "%"),
            f"Win share of those with each value. {marks}",
        )
    ]
    if label.ordered:
        scores = _points(lists, shown, _score, 1)
        few = any(value.win.blocks < _FEW for run in runs for value in run.labels[label.name])
        rest = f" Values with fewer than {_FEW} blocks behind them are not drawn." if few else ""
        drawn.append(
            (
                Dots("Mean score", names, series, scores),
                f"Mean score of those with each value, with its 95% interval.{rest}",
            )
        )
    else:
        shares = _points(lists, shown, _share, 100)
        axis = "Share of all seats and matches"
        drawn.insert(
            0,
            (
                Dots(axis, names, series, shares, unit="%", bars=True),
                "How common each value is, with its 95% interval.",
            ),
        )
    return [
        (draw.draw_dots(dots, f"label {label.name} {number}"), caption)
        for number, (dots, caption) in enumerate(drawn)
    ]


def _points(lists: list[list[Value]], shown: list[Value], pick: Pick, scale: float) -> list[Point]:
    rows = {value.key: row for row, value in enumerate(shown)}
    return [
        Point(rows[value.key], series, found.value * scale, found.low * scale, found.high * scale)
        for series, values in enumerate(lists)
        for value in values
        if value.key in rows
        for found in [pick(value)]
    ]


# ---- findings -------------------------------------------------------------------------------------------


def findings(study: Study) -> list[Finding]:
    """Return a finding for each label of the game, and what none of them shows."""
    runs = study.runs
    found = []
    for label in labels.of_game(runs[0].draft.game):
        texts = [_told(run, label) for run in runs]
        if len(runs) > 1:
            items = [f"{letter(run.number)}: {text}" for run, text in zip(runs, texts, strict=True)]
            found.append(Finding(label.title, "In each draft:", items))
        else:
            found.append(Finding(label.title, texts[0]))
    if found:
        found.append(Finding("No cause shown", _caution(runs)))
    return found


def _caution(runs: list[Run]) -> str:
    titles = listed([f"“{label.title}”" for label in labels.of_game(runs[0].draft.game)])
    text = f"{titles}: what goes with winning need not bring it about, as a good hand may do both."
    if any(len(run.bots) > 1 for run in runs):
        text += " The bots differ too: whatever a strong one does more often than the others goes with winning for that alone."
    return (
        f"{text} Many values are judged at once, so these findings have wider intervals than the tables: "
        "all intervals of one label hold together in 95 of 100 cases."
    )


def _told(run: Run, label: Label) -> str:
    """Say what the intervals of a label show, all of them at once, for the values with enough behind them."""
    found = run.labels[label.name]
    enough = sum(value.win.blocks >= _ENOUGH for value in found)
    if not enough:
        return f"Too few matches to judge: no value has {_ENOUGH} blocks behind it."
    # All values are judged by how common they are, and those with enough by two more measures.
    found = labels.values(run.batch, run.totals, label, looks=len(found) + 2 * enough)
    judged = [value for value in found if value.win.blocks >= _ENOUGH]
    common, rivals = _first(found, _share)
    share, fair = show(common.share, "share").together, words.fair_share(run.draft.players)
    sentences = [
        f"The commonest is “{common.text}”: {share} of all seats and matches{_may(rivals, 'be as common')}."
    ]
    if not label.ordered:
        sentences.insert(0, f"{plural(len(found), 'value')} came.")
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
    what = "win share" if kind == "share" else "mean score"

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
        return f"More goes with a higher {what}: from {ends(up)}."
    if falls:
        return f"More goes with a lower {what}: from {ends(down)}."
    most = max(-gap(pair) for one in pairs for pair in (one, one[::-1]))
    low, high = in_order[0].text, in_order[-1].text
    return (
        f"No difference in {what} is seen from {low} to {high}; between any two it is at most "
        f"{words.bound(most, most / 2, kind)}."
    )
