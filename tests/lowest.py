"""Print the lowest versions that the project states, as constraints for pip: ``python -m tests.lowest > lowest.txt``."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def constraints() -> Iterator[str]:
    """Yield ``name==version`` for what the base install states as ``name>=version``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in project["dependencies"]:
        stated = re.match(r"([\w.-]+)>=([\w.]+)", text)
        if stated is None:
            raise ValueError(f"{text}: a dependency states its lowest version as NAME>=VERSION")
        yield f"{stated[1]}=={stated[2]}"


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in constraints()))
