"""What there is to say of fairness: a yes or no for each number of players and bot, with the worst seat."""

from __future__ import annotations

import math

from experiments.metrics.seats import More
from experiments.report import options, words
from experiments.report.figures import Dots, Point
from experiments.report.sections import Cell as TableCell
from experiments.report.sections import Figure, Report, Row, Section, Table
from experiments.report.words import MISSING, listed, number, percent, plural, signed
from experiments.studies.fairness.play import Cell, Matrix
from experiments.studies.run import findings as of_run
from experiments.studies.run.measures import seat_name


def report(matrix: Matrix) -> Report:
    """Return what there is to say of a matrix."""
    spec = matrix.spec
    figures = [seats_figure(row) for row in matrix.rows if any(cell.fairness for cell in row)]
    refused = [f"Not playable with {players} players: {reason}." for players, reason in spec.refused]
    return Report(
        kicker="Fairness of the seats",
        title=f"{spec.label}: is every seat fair?",
        headline=headline(matrix),
        figure=figures[0] if figures else None,
        facts=[
            ("Bots, each in every seat", ", ".join(spec.levels)),
            ("Matches of each cell", number(spec.matches)),
            ("Fair within", margin(matrix)),
            ("Seed", str(spec.seed)),
        ],
        sections=[
            Section("cells", "Every number of players and bot", refused, tables=[_table(matrix)]),
            Section(
                "seats", "What each seat wins", figures=figures[1:], tables=[_seats(matrix)], folded=True
            ),
            Section(
                "options",
                "Every option of the draft",
                tables=[options.table([spec.drafts[0]], ["Value"])],
                folded=True,
            ),
        ],
        terms=[("Fair", _meaning(matrix)), *of_run.terms(matrix.cells[0].run)],
        partial="" if matrix.complete else "Interrupted: cells without numbers were not played.",
        notes=spec.drafts[0].notes,
    )


def margin(matrix: Matrix) -> str:
    """Write the margin."""
    points = 100 * matrix.spec.margin
    return f"{points:g} percentage point{'' if points == 1 else 's'}"


# ---- the headline ---------------------------------------------------------------------------------------


def headline(matrix: Matrix) -> list[str]:
    """Say which numbers of players are fair under which bots, and which seat is furthest off."""
    played = [cell for cell in matrix.cells if cell.fairness is not None]
    by_word = {word: [cell for cell in played if cell.word == word] for word in ("no", "yes", "undecided")}
    text = []
    if len(by_word["no"]) == len(played):
        text.append(f"{matrix.spec.label} is not fair{_everywhere(played)}.")
    elif len(by_word["yes"]) == len(played):
        text.append(
            f"{matrix.spec.label} is fair{_everywhere(played)}: every seat wins its fair share within {margin(matrix)}."
        )
    else:
        parts = [
            f"{start} {listed([_who(cell) for cell in by_word[word]])}"
            for word, start in (("no", "not fair for"), ("yes", "fair for"), ("undecided", "undecided for"))
            if by_word[word]
        ]
        text.append(f"{matrix.spec.label} is {'; '.join(parts)}.")
    unfair = sorted(by_word["no"], key=lambda cell: -cell.deviation.value if cell.deviation else 0.0)
    text += [_worst(cell) for cell in unfair[:3]]
    if by_word["undecided"]:
        wanted = [cell.more for cell in by_word["undecided"] if cell.more is not None]
        text.append(planned(max(wanted, key=lambda more: more.value), "matches of each"))
    return text


def _everywhere(cells: list[Cell]) -> str:
    if len(cells) == 1:
        return f" for {_who(cells[0])}"
    players = sorted({cell.players for cell in cells})
    levels = list(dict.fromkeys(cell.run.level for cell in cells))
    return f" with {listed([str(n) for n in players])} players, played by {listed(levels)}"


def _who(cell: Cell) -> str:
    return f"{cell.players} players ({cell.run.level})"


def _worst(cell: Cell) -> str:
    """Say which seat is furthest off."""
    assert cell.fairness is not None
    seat = cell.fairness.furthest
    off, due = cell.fairness.seats[seat].estimate.value, 1 / cell.players
    which = "more" if off > 0 else "less"
    return (
        f"With {_who(cell)}, {seat_name(seat)} wins {number(100 * abs(off), 1)} points {which} than a fair share: "
        f"{percent(off + due)} instead of {words.fair_share(cell.players)}."
    )


def planned(more: More, unit: str) -> str:
    """Say how many more matches or deals should settle it."""
    if math.isinf(more.value):
        return (
            f"No sensible number of {unit} would settle the rest: a seat seems to deviate by just the margin."
        )
    most = f"to {words.about(more.high)}" if math.isfinite(more.high) else "or very many more"
    return f"About {words.about(more.value)} more {unit} ({words.about(more.low)} {most}) should settle the rest."


# ---- tables and figures ---------------------------------------------------------------------------------


def _table(matrix: Matrix) -> Table:
    return Table(
        "Is every seat fair?",
        ["Players", "Bot in every seat", "Fair?", "Furthest off", "Deviation, points", "More matches needed"],
        [_row(cell) for cell in matrix.cells],
        f"within {margin(matrix)}; {plural(max(matrix.spec.sizes), 'match', 'matches')} each",
        frozenset({1, 2, 3}),
    )


def _row(cell: Cell) -> Row:
    if cell.fairness is None:
        word = "not played" if cell.run.totals.matches == 0 else "undecided"
        return Row(str(cell.players), [cell.run.level, word, MISSING, MISSING, MISSING])
    seat = cell.fairness.furthest
    off = cell.fairness.seats[seat].estimate
    value, low, high = (signed(100 * part, 2) for part in (off.value, off.low, off.high))
    more = cell.more
    wanted = "" if cell.word != "undecided" or more is None else words.about(more.value)
    return Row(
        str(cell.players),
        [
            cell.run.level,
            TableCell(cell.word, mark="up" if cell.word == "no" else "open"),
            seat_name(seat),
            TableCell(value, f"{low} to {high}"),
            wanted,
        ],
    )


def _seats(matrix: Matrix) -> Table:
    rows = []
    for cell in matrix.cells:
        due = 1 / cell.players
        for seat, within in enumerate(cell.fairness.seats if cell.fairness else []):
            off = within.estimate
            value, low, high = (number(100 * (part + due), 2) for part in (off.value, off.low, off.high))
            rows.append(
                Row(seat_name(seat), [TableCell(value, f"{low} to {high}"), within.word], group=_who(cell))
            )
    return Table("Win rate of each seat, %", ["Seat", "Win rate, %", "Fair?"], rows, texts=frozenset({2}))


def seats_figure(row: list[Cell]) -> Figure:
    """Return what all seats win with a number of players, a series a bot."""
    players = row[0].players
    due = 100 / players
    points = [
        Point(seat, series, *(100 * part + due for part in (off.value, off.low, off.high)))
        for series, cell in enumerate(row)
        for seat, off in enumerate(
            [within.estimate for within in cell.fairness.seats] if cell.fairness else []
        )
    ]
    data = Dots(
        "Win rate",
        [seat_name(seat).capitalize() for seat in range(players)],
        [cell.run.level for cell in row],
        points,
        [(due, f"fair {words.fair_share(players)}")],
        "%",
    )
    return Figure(
        f"players {players}", f"What does each seat win with {players} players?", data, of_run.SEATS
    )


def _meaning(matrix: Matrix) -> str:
    return (
        f"Every seat wins 1/n within {margin(matrix)}. Intervals hold for all seats of a cell at once. Each cell is judged alone: "
        "of 100 runs of an unfair cell at most 5 call it fair, and of 100 runs of a fair cell at most 5 call it not fair. That "
        "holds for seats that win rarely, but then by far, too."
    )
