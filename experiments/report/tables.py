"""The rows of the report's tables: measures with their names, in groups, each with interval and n."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from experiments.report import words
from experiments.report.words import NOTHING, Shown
from experiments.stats import Estimate, Kind, kind_of
from experiments.study import Key, Run
from sim import registry
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
        parts.append(str(place + 1 if whose else place))
    for part in list(parts):
        if "{}" in title:
            title = title.replace("{}", part, 1)
            parts.remove(part)
    return ", ".join([title, *parts])


def label(run: Run, key: Key) -> str:
    """Name a measure so that it can stand alone in a sentence."""
    if key == ("ties",):
        return "Matches with a shared win"
    if key == ("decisions",):
        return "Decisions in a match"
    if key == ("branching",):
        return "Legal moves at a decision"
    if key[0] in ("event", "bot_event"):
        whose = "" if len(key) == 3 else (f"seat {key[2]}" if key[0] == "event" else str(key[2]))
        return event_label(run.events[key[1]], key[-1], run.draft.players, whose)
    what = "Win share" if key[0] == "win" else "Mean score"
    if key[1] == "seat":
        return f"{what} of seat {key[2]}"
    if key[1] == "cell":
        return f"{what} of {key[2]} in seat {key[3]}"
    return f"{what}, all seats" if len(run.bots) == 1 else f"{what} of {key[2]}"


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


def _wanted(run: Run, key: Key) -> bool:
    # With one bot in every seat its win share is 1/n whatever happens, and its events are those of all seats.
    return not ((key[:2] == ("win", "bot") or key[0] == "bot_event") and len(run.bots) == 1)


BY_CELL = "By bot and seat"

GROUPS: list[tuple[str, Callable[[Key], bool]]] = [
    ("Win share by seat", lambda key: key[:2] == ("win", "seat")),
    ("Win share by bot", lambda key: key[:2] == ("win", "bot")),
    ("Mean score", lambda key: key[0] == "score" and key[1] != "cell"),
    ("The match", lambda key: key[0] in ("ties", "decisions", "branching")),
    ("Events", lambda key: key[0] == "event" and len(key) == 3),
    ("Events by seat", lambda key: key[0] == "event" and len(key) == 4),
    ("Events by bot", lambda key: key[0] == "bot_event"),
    (BY_CELL, lambda key: len(key) > 1 and key[1] == "cell"),
]
"""How measures are put together, in the order of the page."""


def grouped(runs: list[Run]) -> Iterator[tuple[str, list[Key]]]:
    """Yield each group's title with its measures: all that any of the runs has."""
    keys = dict.fromkeys(key for run in runs for key in run.estimates if _wanted(run, key))
    for title, belongs in GROUPS:
        found = [key for key in keys if belongs(key)]
        if found:
            yield title, found


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
    """Return shared wins, length and branching, then every event."""
    keys: list[Key] = [("ties",), ("decisions",), ("branching",)]
    keys += [key for key in run.estimates if key[0] in ("event", "bot_event") and _wanted(run, key)]
    return [row(run, key) for key in keys]


# ---- scores ---------------------------------------------------------------------------------------------

QUANTILES = (5, 25, 50, 75, 95)
"""In percent."""


@dataclass(frozen=True)
class Spread:
    """How a set of match scores lies."""

    n: int
    sd: float | None
    quantiles: tuple[int, ...]
    low: int
    high: int


def spread(counts: Counter[int]) -> Spread | None:
    """Describe scores by their counts; None without any.

    A quantile is the smallest score that at least so many percent of the results do not exceed.
    """
    n = counts.total()
    if n == 0:
        return None
    total = sum(score * times for score, times in counts.items())
    squares = sum(score * score * times for score, times in counts.items())
    # Whole numbers to the end: the two terms nearly cancel.
    sd = ((n * squares - total * total) / (n * (n - 1))) ** 0.5 if n > 1 else None
    found = []
    below = 0
    wanted = list(QUANTILES)
    for score in sorted(counts):
        below += counts[score]
        while wanted and below * 100 >= wanted[0] * n:
            found.append(score)
            wanted.pop(0)
    return Spread(n, sd, tuple(found), min(counts), max(counts))


@dataclass(frozen=True)
class ScoreRow:
    """One line of a table of score distributions."""

    label: str
    mean: Shown
    n: str
    blocks: str
    sd: str
    quantiles: list[str]


def sd_interval(counts: Counter[int], sd: float, blocks: int) -> tuple[float, float]:
    """Return the 95% interval of a standard deviation, from the fourth moment (Cramér 1946, section 28.1).

    The blocks stand for the independent results, which errs on the wide side.
    """
    n = counts.total()
    mean = sum(score * times for score, times in counts.items()) / n
    fourth = sum((score - mean) ** 4 * times for score, times in counts.items()) / n
    half = _NORMAL * math.sqrt(max(fourth - sd**4, 0.0) / blocks) / (2 * sd) if sd > 0 else 0.0
    return max(sd - half, 0.0), sd + half


def quantile_interval(counts: Counter[int], percent: int, blocks: int) -> tuple[int, int]:
    """Return the 95% interval of a quantile: the scores at the binomial limits of its rank (David 1981, 2.5)."""
    share = percent / 100
    half = _NORMAL * math.sqrt(share * (1 - share) / blocks)
    return _score_at(counts, share - half), _score_at(counts, share + half)


def _score_at(counts: Counter[int], share: float) -> int:
    below = 0
    for score in sorted(counts):
        below += counts[score]
        if below >= share * counts.total():
            return score
    return max(counts)


_NORMAL = 1.959963984540054


def _score_row(run: Run, name: str, key: Key, counts: Counter[int]) -> ScoreRow:
    found = spread(counts)
    mean = row(run, key, name)
    if found is None:
        return ScoreRow(
            name, NOTHING, words.MISSING, words.MISSING, words.MISSING, [words.MISSING] * len(QUANTILES)
        )
    blocks = run.totals.blocks
    quantiles = [
        _with_interval(score, quantile_interval(counts, percent, blocks), 0)
        for percent, score in zip(QUANTILES, found.quantiles, strict=True)
    ]
    sd = (
        words.MISSING
        if found.sd is None
        else _with_interval(found.sd, sd_interval(counts, found.sd, blocks), 1)
    )
    return ScoreRow(name, mean.shown, words.number(found.n), mean.blocks, sd, quantiles)


def _with_interval(value: float, interval: tuple[float, float], decimals: int) -> str:
    low, high = (words.number(end, decimals) for end in interval)
    return f"{words.number(value, decimals)} ({low} to {high})"


def score_rows(run: Run, letter: str = "") -> list[ScoreRow]:
    """Return the distribution of scores over all seats or by bot, then by seat."""
    before = f"{letter}: " if letter else ""
    everyone = "all seats" if len(run.bots) == 1 else ""
    bots = [
        _score_row(run, before + (everyone or name), ("score", "bot", name), run.histogram(bot=name))
        for name in run.bots
    ]
    seats = [
        _score_row(run, f"{before}seat {seat}", ("score", "seat", seat), run.histogram(seat=seat))
        for seat in range(run.draft.players)
    ]
    return [*bots, *seats]


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


def differences(base: Run, run: Run, letters: tuple[str, str]) -> list[Group]:
    """Return every measure of two runs with the difference, and what it shows in words."""
    groups = []
    for title, keys in grouped([base, run]):
        groups.append(Group(title, [_difference_line(base, run, key, letters) for key in keys]))
    return groups


def _difference_line(base: Run, run: Run, key: Key, letters: tuple[str, str]) -> Line:
    runs = [base, run]
    name, cells = short_label(_named_by(runs, key), key), [_cell(one, key) for one in runs]
    found = run.differences.get(key)
    if found is None:
        only = letters[0] if key in base.estimates else letters[1]
        return Line(name, cells, reading=f"only in {only}")
    measured = kind(run, key)
    return Line(
        name,
        cells,
        words.show_difference(found, measured),
        words.reading(found, measured),
        words.verdict(found),
        words.gain_cell(found),
    )


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


def settings(runs: list[Run], *, only_different: bool = False) -> list[Setting]:
    """Return the options of one or more drafts of a game, side by side.

    Parameters
    ----------
    runs : list of Run
    only_different : bool
        Leave out options that have one value in all.
    """
    tables = [run.draft.tables() for run in runs]
    keys = dict.fromkeys((table, key) for each in tables for table, values in each.items() for key in values)
    found = []
    for table, key in keys:
        about = _described(runs[0].draft.game, f"{table}.{key}")
        unset = about.default if about is not None and about.key != f"{table}.{key}" else words.MISSING
        values = [_setting(each[table][key]) if key in each.get(table, {}) else unset for each in tables]
        if only_different and len(set(values)) == 1:
            continue
        texts = (about.clause, about.changes, about.favours) if about is not None else (words.MISSING, "", "")
        found.append(Setting(f"{table}.{key}", values, *texts))
    return found
