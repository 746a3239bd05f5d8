"""The rows of the report's tables: measures with their names, in groups, each with interval and n."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from experiments.play.matches import Key, Run, in_square, says_something
from experiments.report import words
from experiments.report.words import NOTHING, Shown
from experiments.stats import Difference, Estimate, Kind, kind_of
from sim import registry
from sim.drafts import Draft
from sim.events import Event
from sim.options import shown as as_toml

# ---- the names of measures ------------------------------------------------------------------------------


def event_label(event: Event, place: int, players: int, whose: str = "") -> str:
    """Name an event: the text the game gives, or else its name with spaces.

    Parameters
    ----------
    event : Event
    place : int
        In its list.
    players : int
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
    return ", ".join([title, *parts])


def label(run: Run, key: Key) -> str:
    """Name a measure so that it can stand alone in a sentence."""
    if key == ("ties",):
        return {
            "totals": "Matches with a shared highest total",
            "wins": "Matches with a shared win",
            "best scores": "Matches with a shared best score",
        }[run.study.shared]
    if key == ("decisions",):
        return "Decisions in a match"
    if key == ("branching",):
        return "Legal moves at a decision"
    if key[0] in ("event", "bot_event"):
        whose = "" if len(key) == 3 else (f"seat {key[2]}" if key[0] == "event" else str(key[2]))
        return event_label(run.events[key[1]], key[-1], run.draft.players, whose)
    what, by_game = ("Win share", ", over games") if key[0] == "win" else ("Mean score", ", a game")
    if key[1] == "seat":
        whose = f" of seat {key[2]}"
    elif key[1] == "cell":
        whose = f" of {key[2]} in seat {key[3]}"
    else:
        whose = ", all seats" if len(run.bots) == 1 else f" of {key[2]}"
    return what + whose + (by_game if run.by_game else "")


def short_label(run: Run, key: Key) -> str:
    """Name a measure under the heading of its group."""
    if len(key) != 3 or key[0] in ("event", "bot_event"):
        return label(run, key)
    if key[1] == "seat":
        return f"Seat {key[2]}"
    return "All seats" if len(run.bots) == 1 else str(key[2])


def kind(run: Run, key: Key) -> Kind:
    """Tell whether a measure is a share or a mean."""
    return kind_of(key, run.shares)


def count(run: Run, key: Key) -> int:
    """Return n, how many results are behind a measure: matches, or matches times places for a bot."""
    if key[0] not in ("win", "score"):
        return run.totals.matches
    if key[1] == "seat":
        return run.histogram(seat=key[2]).total()
    if key[1] == "bot":
        return run.histogram(bot=key[2]).total()
    return run.histogram(seat=key[3], bot=key[2]).total()


BY_CELL = "By bot and seat"
SQUARES = "From game to game"

GROUPS: list[tuple[str, str, Callable[[Key], bool]]] = [
    ("Win share by seat", ", over games", lambda key: key[:2] == ("win", "seat")),
    ("Win share by bot", ", over games", lambda key: key[:2] == ("win", "bot")),
    ("Mean score", ", a game", lambda key: key[0] == "score" and key[1] != "cell"),
    ("The match", "", lambda key: key[0] in ("ties", "decisions", "branching")),
    ("Events", ", a game", lambda key: key[0] == "event" and len(key) == 3),
    ("Events by seat", ", a game", lambda key: key[0] == "event" and len(key) == 4),
    ("Events by bot", ", a game", lambda key: key[0] == "bot_event"),
    (BY_CELL, "", lambda key: len(key) > 1 and key[1] == "cell"),
]
"""How measures are put together, in the order of the page: title, what it gets where games are counted, keys."""


def grouped(runs: list[Run]) -> Iterator[tuple[str, list[Key]]]:
    """Yield each group's title with its measures: all that any of the runs has."""
    keys = dict.fromkeys(key for run in runs for key in run.estimates if says_something(key, run.bots))
    in_squares = [key for key in keys if in_square(runs[0].draft.game, key)]
    for title, by_game, belongs in GROUPS:
        found = [key for key in keys if belongs(key) and key not in in_squares]
        if found:
            yield title + (by_game if runs[0].by_game else ""), found
    if in_squares:
        yield SQUARES, in_squares


# ---- one run --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One measure of one run."""

    label: str
    shown: Shown
    n: str
    blocks: str
    remark: str = ""


def row(run: Run, key: Key, name: str = "") -> Row:
    """Return a measure as a line of a table."""
    found = run.estimates.get(key)
    if found is None:
        return Row(name or label(run, key), NOTHING, words.MISSING, words.MISSING)
    remark = ""
    if key[0] == "win":
        remark = words.AGAINST[words.against(found, 1 / run.draft.players)]
    return Row(
        name or label(run, key),
        words.show(found, kind(run, key)),
        words.number(count(run, key)),
        words.number(found.blocks),
        remark,
    )


def by_seat(run: Run, what: str) -> list[Row]:
    """Return the win shares or mean scores by seat."""
    return [row(run, (what, "seat", seat), f"Seat {seat}") for seat in range(run.draft.players)]


def by_bot(run: Run, what: str) -> list[Row]:
    """Return the win shares or mean scores by bot."""
    return [row(run, (what, "bot", name), name) for name in run.bots]


def by_cell(run: Run, what: str) -> list[tuple[str, list[Row]]]:
    """Return the win shares or mean scores by bot and seat: a line a bot, a column a seat."""
    seats = range(run.draft.players)
    return [(name, [row(run, (what, "cell", name, seat)) for seat in seats]) for name in run.bots]


def match_rows(run: Run) -> list[Row]:
    """Return shared wins, length and branching."""
    return [row(run, key) for key in (("ties",), ("decisions",), ("branching",))]


def event_rows(run: Run) -> list[Row]:
    """Return every event but those that have a table of their own."""
    return [
        row(run, key)
        for key in run.estimates
        if key[0] in ("event", "bot_event")
        and says_something(key, run.bots)
        and not in_square(run.draft.game, key)
    ]


# ---- two drafts side by side ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """One draft's value in a comparison; `n` where it is not the number of matches."""

    shown: Shown
    n: str


@dataclass(frozen=True)
class Line:
    """One measure of a comparison."""

    label: str
    cells: list[Cell]
    difference: Shown = NOTHING
    reading: str = ""
    verdict: str = ""
    gain: str = words.MISSING


@dataclass
class Group:
    """Lines under one heading."""

    title: str
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Told:
    """What is said of a difference that is judged.

    Attributes
    ----------
    difference : Difference
    text : str
    mark : str
        "up", "down" or "open".
    """

    difference: Difference
    text: str
    mark: str


def _cell(run: Run, key: Key) -> Cell:
    found: Estimate | None = run.estimates.get(key)
    if found is None:
        return Cell(NOTHING, "")
    n = count(run, key)
    return Cell(words.show(found, kind(run, key)), words.number(n) if n != run.totals.matches else "")


def _named_by(runs: list[Run], key: Key) -> Run:
    return next(run for run in runs if key in run.estimates)


def side_by_side(runs: list[Run]) -> list[Group]:
    """Return every measure with a column a run, without differences."""
    return [
        Group(
            title,
            [Line(short_label(_named_by(runs, key), key), [_cell(run, key) for run in runs]) for key in keys],
        )
        for title, keys in grouped(runs)
    ]


def differences(
    base: Run, run: Run, letters: tuple[str, str], told: Mapping[Key, Told] | None = None
) -> list[Group]:
    """Return every measure of two runs with the difference, and what it shows in words.

    Parameters
    ----------
    base, run : Run
    letters : (str, str)
        By which the page calls them.
    told : mapping, optional
        What is said of measures that are judged, in place of what their intervals show.
    """
    return [
        Group(title, [_difference_line(base, run, key, letters, (told or {}).get(key)) for key in keys])
        for title, keys in grouped([base, run])
    ]


def _difference_line(base: Run, run: Run, key: Key, letters: tuple[str, str], told: Told | None) -> Line:
    runs = [base, run]
    name, cells = short_label(_named_by(runs, key), key), [_cell(one, key) for one in runs]
    found = run.differences.get(key)
    if found is None:
        only = letters[0] if key in base.estimates else letters[1]
        return Line(name, cells, reading=f"only in {only}")
    measured = kind(run, key)
    told = told or Told(found, words.reading(found, measured), words.verdict(found))
    shown = words.show_difference(told.difference, measured)
    return Line(name, cells, shown, told.text, told.mark, words.gain_cell(found))


# ---- options --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """One option of a draft, or of several."""

    key: str
    values: list[str]
    clause: str
    changes: str
    favours: str


def _described(game: str, key: str) -> Any:
    """Return the game's description of an option; for a key of an open table, that of its placeholder."""
    rows = registry.find(game).options.rows()
    for known in rows:
        if known.key == key:
            return known
    table, _, name = key.partition(".")
    # An open table such as [points] is described by lines like ``points.RANK``: the one whose text names the
    # key, or else the last, which is the most special.
    places = [
        known
        for known in rows
        if known.key.startswith(f"{table}.") and known.key.rpartition(".")[2].isupper()
    ]
    named = [known for known in places if name in known.default.replace(",", " ").split()]
    return (named or places[-1:] or [None])[0]


def _setting(value: Any) -> str:
    text = as_toml(value)
    return text.replace("-", words.MINUS) if isinstance(value, (int, float)) else text


def settings(drafts: list[Draft], *, only_different: bool = False) -> list[Setting]:
    """Return the options of one or more drafts of a game, side by side.

    Parameters
    ----------
    drafts : list of Draft
    only_different : bool
        Leave out options that have one value in all.
    """
    tables = [draft.tables() for draft in drafts]
    keys = dict.fromkeys((table, key) for each in tables for table, values in each.items() for key in values)
    found = []
    for table, key in keys:
        about = _described(drafts[0].game, f"{table}.{key}")
        unset = about.default if about is not None and about.key != f"{table}.{key}" else words.MISSING
        values = [_setting(each[table][key]) if key in each.get(table, {}) else unset for each in tables]
        if only_different and len(set(values)) == 1:
            continue
        texts = (about.clause, about.changes, about.favours) if about is not None else (words.MISSING, "", "")
        found.append(Setting(f"{table}.{key}", values, *texts))
    return found
