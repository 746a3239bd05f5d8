"""Tables of results: their columns are declared once, for Parquet, CSV, pandas and readers alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from experiments.store.folders import digest

Kind = Literal["text", "whole", "real", "flag", "name"]
"""Of a column; a name is a text that comes again and again."""

INTERVAL: dict[str, Kind] = {"se": "real", "low": "real", "high": "real"}
"""Columns of whatever has an interval."""


@dataclass(frozen=True)
class Columns:
    """The columns of a table.

    Attributes
    ----------
    name : str
        Of the table, and of its file without the ending.
    about : str
        What is in it, in a few words.
    kinds : mapping
        Column → what it holds.
    """

    name: str
    about: str
    kinds: Mapping[str, Kind]

    def after(self, kinds: Mapping[str, Kind]) -> Columns:
        """Return the same with further columns before these."""
        return replace(self, kinds={**kinds, **self.kinds})

    def schema(self) -> Any:
        """Return them as a schema of Arrow."""
        import pyarrow as pa

        types = {
            "text": pa.string(),
            "whole": pa.int64(),
            "real": pa.float64(),
            "flag": pa.bool_(),
            "name": pa.dictionary(pa.int32(), pa.string()),
        }
        return pa.schema(
            [(name, types[kind]) for name, kind in self.kinds.items()], metadata={"about": self.about}
        )


@dataclass(frozen=True)
class Stored:
    """A table as it is stored.

    Attributes
    ----------
    rows : list of dict, or dict of arrays
        Rows, or whole columns by their names.
    """

    columns: Columns
    rows: Any

    @property
    def name(self) -> str:
        """Its name."""
        return self.columns.name

    def arrow(self) -> Any:
        """Return it as a table of Arrow."""
        import pyarrow as pa

        made = pa.Table.from_pydict if isinstance(self.rows, dict) else pa.Table.from_pylist
        return made(self.rows, schema=self.columns.schema())


def write(folder: Path, tables: list[Stored], *, csv: bool = False) -> dict[str, str]:
    """Write tables as Parquet, and as CSV too if wanted; return the Parquet files' names with their SHA-256.

    Nothing in the tables may depend on the time or the machine's load.
    """
    import pyarrow.csv
    import pyarrow.parquet as pq

    digests = {}
    for table in tables:
        path, data = folder / f"{table.name}.parquet", table.arrow()
        pq.write_table(data, path)
        digests[path.name] = digest(path.read_bytes())
        if csv:
            pyarrow.csv.write_csv(data, folder / f"{table.name}.csv")
    return digests
