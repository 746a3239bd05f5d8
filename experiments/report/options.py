"""The options of drafts side by side, as a reader wants them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.report import words
from experiments.report.sections import Row, Table
from sim import registry
from sim.drafts import Draft
from sim.options import shown as as_toml


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
    only_different : bool
        Leave out options that have one value in all.
    """
    tables = [draft.tables() for draft in drafts]
    keys = dict.fromkeys((table, key) for each in tables for table, values in each.items() for key in values)
    listed = []
    for table, key in keys:
        about = _described(drafts[0].game, f"{table}.{key}")
        unset = about.default if about is not None and about.key != f"{table}.{key}" else words.MISSING
        values = [_setting(each[table][key]) if key in each.get(table, {}) else unset for each in tables]
        if only_different and len(set(values)) == 1:
            continue
        texts = (about.clause, about.changes, about.favours) if about is not None else (words.MISSING, "", "")
        listed.append(Setting(f"{table}.{key}", values, *texts))
    return listed


def table(drafts: list[Draft], heads: list[str], *, only_different: bool = False) -> Table:
    """Return the options of drafts as a table, a column each under its head."""
    listed = settings(drafts, only_different=only_different)
    columns = ["Option", *heads, "Rule", "What it is"]
    return Table(
        "Options that differ" if only_different else "Every option",
        columns,
        [Row(setting.key, [*setting.values, setting.clause, setting.changes]) for setting in listed],
        texts=frozenset(range(1, len(columns))),
    )
