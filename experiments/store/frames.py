"""Results as pandas tables, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from experiments import arguments
from experiments.store import manifests
from experiments.store.tables import Stored
from sim.errors import UserError, nearest


class Frames(Mapping[str, pd.DataFrame]):
    """The tables of a result, each by its name: ``frames.estimates`` or ``frames["estimates"]``.

    ``list(frames)`` names them. Of several line-ups they have a column ``level`` too.

    Attributes
    ----------
    about : dict
        What is in each table.
    manifest : dict
        How it was made; empty for what was not stored.
    """

    def __init__(
        self,
        tables: Mapping[str, pd.DataFrame],
        about: Mapping[str, str],
        manifest: Mapping[str, Any] | None = None,
    ) -> None:
        self._tables = dict(tables)
        self.about = dict(about)
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
            (name, f"{len(table):,} × {len(table.columns)}", self.about.get(name, ""))
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


def of(tables: Sequence[Stored], manifest: Mapping[str, Any] | None = None) -> Frames:
    """Return tables that were just made."""
    return Frames(
        {table.name: table.arrow().to_pandas() for table in tables},
        {table.name: table.columns.about for table in tables},
        manifest,
    )


def load(folder: str | Path) -> Frames:
    """Return the tables of a stored run of any command.

    Parameters
    ----------
    folder : path
        Such as ``results/uplink-v1.1/20261130-120000-0a1b2c3d-4e5f``.

    Raises
    ------
    UserError
        If there is no run, naming those that there are below it; or if a table is missing or damaged.
    """
    folder = arguments.path(folder, "folder")
    if folder.name == "manifest.json":
        folder = folder.parent
    if folder.is_dir() and not (folder / "manifest.json").exists():
        below = sorted(path.parent for path in folder.glob("**/manifest.json"))
        hint = f"name one of the {len(below)} in it, such as {below[-1]}" if below else "there is none in it"
        raise UserError(f"{folder}: not the folder of a run: {hint}")
    manifest = manifests.read(folder)
    paths = {path.stem: path for path in sorted(folder.glob("*.parquet"))}
    with manifests.reading(str(folder)):
        lost = [name for name in manifest["tables"] if str(name).removesuffix(".parquet") not in paths]
    if lost:
        raise UserError(f"{folder}: {lost[0]} is missing")
    tables = {name: _read(path) for name, path in paths.items()}
    return Frames(
        {name: table.to_pandas() for name, table in tables.items()},
        {name: (table.schema.metadata or {}).get(b"about", b"").decode() for name, table in tables.items()},
        manifest,
    )


def _read(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
