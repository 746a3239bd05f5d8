"""Results as pandas tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from experiments import arguments
from experiments.play.matches import Study
from experiments.store import folders
from experiments.store import runs as store
from experiments.studies.compare import store as comparison_store
from experiments.studies.compare.play import Comparison
from experiments.studies.fairness import store as fairness_store
from experiments.studies.fairness.play import Matrix
from experiments.studies.ladder import store as ladder_store
from experiments.studies.ladder.play import Ladder
from experiments.studies.skill import store as skill_store
from experiments.studies.skill.play import Suite
from experiments.studies.train import store as training_store
from experiments.studies.train.play import Trained
from sim.errors import UserError, nearest

ABOUT = {
    "estimates": "every measure of every draft with its 95% interval",
    "scores": "how often each match score came, by draft, bot and seat",
    "differences": "every measure of every further draft less that of the first, with its interval",
    "labels": "what the game names, such as a shape: how often each came, its mean score and win rate",
    "verdicts": "the verdict on every measure of a comparison, its margin, and the matches it would take",
    "distances": "how far the scores of a draft lie from those of the first, and what noise alone does",
    "fairness": "what each seat wins with every number of players and bot, and whether that is fair",
    "ratings": "every bot of a ladder with its rating in Elo points, from the strongest",
    "duels": "every pair of bots: how often the first is ahead, with its interval",
    "shares": "every pair on every deal: how often the first is ahead",
    "numbers": "every number of every measure of skill and luck, with its interval",
    "weights": "the weights of a trained player",
    "score": "how the trained player does on deals that nothing was chosen by",
}
"""What is in each table there may be."""

_STORES: dict[type, Any] = {
    Study: lambda played: store.tables([played]),
    Comparison: comparison_store.tables,
    Matrix: fairness_store.tables,
    Ladder: ladder_store.tables,
    Suite: skill_store.tables,
    Trained: training_store.tables,
}


class Frames(Mapping[str, pd.DataFrame]):
    """The tables of a result, each by its name: ``frames.estimates`` or ``frames["estimates"]``.

    ``list(frames)`` names them, and `ABOUT` says what is in each. Of several line-ups they have a column ``level`` too.

    Attributes
    ----------
    manifest : dict
        How it was made; empty for what was not stored.
    """

    def __init__(self, tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any] | None = None) -> None:
        self._tables = dict(tables)
        self.manifest = dict(manifest or {})

    def __getitem__(self, name: str) -> pd.DataFrame:
        """Return a table by its name."""
        if name not in self._tables:
            raise KeyError(self._missing(name))
        return self._tables[name]

    def __getattr__(self, name: str) -> pd.DataFrame:
        """Return a table by its name."""
        # Whatever looks for a method of Python's or Jupyter's own gets a plain answer, also while this is being copied.
        if name.startswith("_") or name not in self._tables:
            raise AttributeError(name if name.startswith("_") else self._missing(name))
        return self._tables[name]

    def _missing(self, name: str) -> str:
        return (
            f"no table {name!r} here{nearest(str(name), self._tables)} (there are: {', '.join(self._tables)})"
        )

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._tables)

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self._tables)

    def __dir__(self) -> list[str]:
        """Return the tables' names too, so that they are completed."""
        return [*super().__dir__(), *self._tables]

    def _rows(self) -> list[tuple[str, str, str]]:
        return [
            (name, f"{len(table):,} × {len(table.columns)}", ABOUT.get(name, ""))
            for name, table in self._tables.items()
        ]

    def __repr__(self) -> str:
        """Return the tables with their sizes and what is in them."""
        wide = max((len(name) for name in self._tables), default=0)
        return "\n".join(
            ["Frames(name, rows × columns):"]
            + [f"  {name:<{wide}}  {size:>12}  {about}".rstrip() for name, size, about in self._rows()]
        )

    def _repr_html_(self) -> str:
        """Return the same as a table."""
        row = Markup("<tr><td>{}</td><td>{}</td><td style='text-align:left'>{}</td></tr>")
        rows = Markup("").join(row.format(*texts) for texts in self._rows())
        head = Markup(
            "<tr><th>table</th><th>rows × columns</th><th style='text-align:left'>what is in it</th></tr>"
        )
        return str(Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(head, rows))


def of(played: Any) -> Frames:
    """Return the tables of what was just played; the same is its attribute ``frames``.

    Raises
    ------
    UserError
        If it is no result.
    """
    tables = _STORES.get(type(played))
    if tables is None:
        raise arguments.wrong("played", played, "what a `play` or `train` of the lab returned")
    return Frames(_made(tables(played)))


def _made(tables: Mapping[str, tuple[Any, Any]]) -> dict[str, pd.DataFrame]:
    return {
        name.removesuffix(".parquet"): folders.as_table(data, schema).to_pandas()
        for name, (data, schema) in tables.items()
    }


def load(folder: str | Path) -> Frames:
    """Return the tables of a stored run of any command, or of a trained player.

    Parameters
    ----------
    folder : path
        Such as ``results/uplink-v1.1/20261130-120000-0a1b2c3d-4e5f``, or the ``.toml`` file that ``tefuda train`` wrote.

    Raises
    ------
    UserError
        If there is no run, naming those that there are below it; or if a table is missing or damaged.
    """
    folder = arguments.path(folder, "folder")
    if folder.suffix == ".toml":
        tables, about = training_store.read(folder)
        return Frames(_made(tables), about)
    if folder.name == "manifest.json":
        folder = folder.parent
    if folder.is_dir() and not (folder / "manifest.json").exists():
        below = sorted(path.parent for path in folder.glob("**/manifest.json"))
        hint = f"name one of the {len(below)} in it, such as {below[-1]}" if below else "there is none in it"
        raise UserError(f"{folder}: not the folder of a run: {hint}")
    manifest = store.read_manifest(folder)
    paths = {path.stem: path for path in sorted(folder.glob("*.parquet"))}
    with store.reading(str(folder)):
        lost = [name for name in manifest["tables"] if str(name).removesuffix(".parquet") not in paths]
    if lost:
        raise UserError(f"{folder}: {lost[0]} is missing")
    return Frames({name: _read(path) for name, path in paths.items()}, manifest)


def _read(path: Path) -> pd.DataFrame:
    import pyarrow as pa

    try:
        return pd.read_parquet(path)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
