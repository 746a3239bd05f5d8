"""The measures of a run by the names that people use, in groups, and as cells of tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from experiments.play.matches import Key, Run, in_square, says_something
from experiments.report import words
from experiments.report.figures import Dots, Point, Steps, histograms
from experiments.report.sections import Cell, Row, cell
from experiments.report.words import letter
from experiments.stats import Kind, kind_of
from sim.events import Event


def seat_name(seat: int) -> str:
    """Name a seat as people do: from 1."""
    return f"seat {seat + 1}"


def event_name(event: Event, place: int, players: int, whose: str = "") -> str:
    """Name an event: the text the game gives, or else its name with spaces.

    Parameters
    ----------
    place : int
        In its list.
    whose : str
        A seat or a bot, of what is counted by seat.
    """
    title = event.title or event.name.replace("_", " ").strip().capitalize()
    parts = [whose] if whose else []
    if event.kind == "rows":
        parts.append(f"{place // players + 1} to {place % players + 1}")
    elif event.length > 1:
        parts.append(str(place + 1 if whose else place + event.first))
    for part in list(parts):
        if "{}" in title:
            title = title.replace("{}", part, 1)
            parts.remove(part)
        elif "{th}" in title:
            title = title.replace("{th}", words.ordinal(int(part)), 1)
            parts.remove(part)
    return ", ".join([title, *parts])


_TIES = {
    "totals": "Matches with a shared highest total",
    "wins": "Matches with a shared win",
    "best scores": "Matches with a shared best score",
}


def name(run: Run, key: Key) -> str:
    """Name a measure so that it can stand alone in a sentence."""
    if key == ("ties",):
        return _TIES[run.study.shared]
    if key == ("decisions",):
        return "Decisions in a match"
    if key == ("branching",):
        return "Legal moves at a decision"
    if key[0] in ("event", "bot_event"):
        whose = "" if len(key) == 3 else seat_name(key[2]) if key[0] == "event" else str(key[2])
        return event_name(run.events[key[1]], key[-1], run.draft.players, whose)
    what, by_game = ("Win rate", ", over games") if key[0] == "win" else ("Mean score", ", a game")
    return f"{what}{_whose(run, key)}{by_game if run.by_game else ''}"


def _whose(run: Run, key: Key) -> str:
    if key[1] == "seat":
        return f" of {seat_name(key[2])}"
    if key[1] == "cell":
        return f" of {key[2]} in {seat_name(key[3])}"
    return ", all seats" if len(run.bots) == 1 else f" of {key[2]}"


def short_name(run: Run, key: Key) -> str:
    """Name a measure under the heading of its group."""
    if len(key) != 3 or key[0] in ("event", "bot_event"):
        return name(run, key)
    if key[1] == "seat":
        return seat_name(key[2]).capitalize()
    return "All seats" if len(run.bots) == 1 else str(key[2])


def kind(run: Run, key: Key) -> Kind:
    """Tell whether a measure is a share or a mean."""
    return kind_of(key, run.shares)


BY_CELL = "By bot and seat"
SQUARES = "From game to game"

_GROUPS: list[tuple[str, str, Callable[[Key], bool]]] = [
    ("Win rate by seat", ", over games", lambda key: key[:2] == ("win", "seat")),
    ("Win rate by bot", ", over games", lambda key: key[:2] == ("win", "bot")),
    ("Mean score", ", a game", lambda key: key[0] == "score" and key[1] != "cell"),
    ("The match", "", lambda key: key[0] in ("ties", "decisions", "branching")),
    ("Events", ", a game", lambda key: key[0] == "event" and len(key) == 3),
    ("Events by seat", ", a game", lambda key: key[0] == "event" and len(key) == 4),
    ("Events by bot", ", a game", lambda key: key[0] == "bot_event"),
    (BY_CELL, "", lambda key: len(key) > 1 and key[1] == "cell"),
]
"""How measures are put together, in the order of a report: title, what it gets where games are counted, keys."""


def grouped(runs: list[Run]) -> Iterator[tuple[str, list[Key]]]:
    """Yield each group's title with its measures: all that any of the runs has."""
    keys = dict.fromkeys(key for run in runs for key in run.estimates if says_something(key, run.bots))
    in_squares = [key for key in keys if in_square(runs[0].draft.game, key)]
    for title, by_game, belongs in _GROUPS:
        members = [key for key in keys if belongs(key) and key not in in_squares]
        if members:
            yield title + (by_game if runs[0].by_game else ""), members
    if in_squares:
        yield SQUARES, in_squares


def is_idle(run: Run, key: Key) -> bool:
    """Tell whether a measure says nothing of a run: it never came, or was the same in every block."""
    estimate = run.estimates.get(key)
    if estimate is None:
        return True
    return key[0] in ("event", "bot_event") and (estimate.value == 0 or estimate.se == 0)


# ---- cells and rows -------------------------------------------------------------------------------------


def shown(run: Run, key: Key) -> words.Shown:
    """Write an estimate of a run."""
    return words.show(run.estimates.get(key), kind(run, key))


def value_row(run: Run, key: Key, title: str = "", group: str = "") -> Row:
    """Return a measure as a row of value, and n where it is not that of the run; a win rate beside the fair share."""
    cells: list[Cell | str] = [cell(shown(run, key))]
    return Row(title or short_name(run, key), cells, group)


def against_fair(run: Run, key: Key) -> str:
    """Say whether a win rate is above or below the fair share, for a table."""
    estimate = run.estimates.get(key)
    return "" if estimate is None else words.AGAINST[words.against(estimate, 1 / run.draft.players)]


def head_note(run: Run) -> str:
    """Say how many matches and blocks are behind the numbers of a run."""
    matches = f"{words.plural(run.totals.matches, 'match', 'matches')}"
    return f"{matches} in {words.plural(run.totals.blocks, 'block')}"


# ---- figures --------------------------------------------------------------------------------------------


def draft_names(runs: list[Run]) -> list[str]:
    """Name the drafts of a study in a legend: in full where there are few, and not at all a single one."""
    if len(runs) > 4:
        return [letter(run.number) for run in runs]
    return [f"{letter(run.number)}  {run.draft.label}" for run in runs] if len(runs) > 1 else [""]


def win_rates(runs: list[Run], by: str) -> Dots:
    """Return the win rates of runs in percent, with the fair share of each number of players.

    Parameters
    ----------
    by : {"seat", "bot"}
    """
    places: list[Any] = (
        list(range(max(run.draft.players for run in runs))) if by == "seat" else list(runs[0].bots)
    )
    names = [seat_name(place).capitalize() for place in places] if by == "seat" else places
    points = [
        Point(row, series, *(100 * part for part in (estimate.value, estimate.low, estimate.high)))
        for row, place in enumerate(places)
        for series, run in enumerate(runs)
        for estimate in [run.estimates.get(("win", by, place))]
        if estimate is not None
    ]
    axis = "Win rate, over games" if runs[0].by_game else "Win rate"
    return Dots(axis, names, draft_names(runs), points, fair_shares(runs), "%")


def fair_shares(runs: list[Run]) -> list[tuple[float, str]]:
    """Return the fair share of each number of players in percent, as lines to compare with."""
    players = sorted({run.draft.players for run in runs})
    return [
        (100 / n, f"fair {words.fair_share(n)}" if len(players) == 1 else f"fair, {n} players")
        for n in players
    ]


def win_differences(base: Run, run: Run) -> Dots:
    """Return the differences in win rate from the first run, in percentage points."""
    keys: list[tuple[str, Key]] = [
        (seat_name(seat).capitalize(), ("win", "seat", seat)) for seat in range(run.draft.players)
    ]
    if len(run.bots) > 1:
        keys += [(bot, ("win", "bot", bot)) for bot in run.bots]
    keys = [(title, key) for title, key in keys if key in run.differences]
    differences = [run.differences[key] for _, key in keys]
    points = [Point(row, 0, d.value * 100, d.low * 100, d.high * 100) for row, d in enumerate(differences)]
    axis = f"Win rate in {letter(run.number)} less that in {letter(base.number)}, percentage points"
    return Dots(axis, [title for title, _ in keys], [""], points, [(0.0, "no difference")], "pp")


def score_histograms(runs: list[Run]) -> Steps:
    """Return the score distributions of runs: by draft, or of one run by bot, or of one bot by seat."""
    run = runs[0]
    named: list[tuple[str, Counter[int]]]
    if len(runs) > 1:
        named = [(title, run.histogram()) for title, run in zip(draft_names(runs), runs, strict=True)]
    elif len(run.bots) > 1:
        named = [(bot, run.histogram(bot=bot)) for bot in run.bots]
    else:
        named = [
            (seat_name(seat).capitalize(), run.histogram(seat=seat)) for seat in range(run.draft.players)
        ]
    return histograms(named, "match total" if run.by_game else "match score")
