"""What `pip install` brings is what the code imports: no more, and nothing that a command then misses."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAITING = {"joblib"}
"""Required before anything uses it: pyproject.toml says for what."""

PACKAGES = ("sim", "strategies", "experiments")


@cache
def distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


def distribution(module: str) -> str:
    names = distributions().get(module, [module])
    return re.sub(r"[-_.]+", "-", names[0]).lower()


def names_of(requirements: list[str]) -> set[str]:
    heads = (re.match(r"[\w.-]+", line) for line in requirements)
    return {re.sub(r"[-_.]+", "-", head[0]).lower() for head in heads if head}


def imported() -> dict[str, set[str]]:
    """Return distribution → files that import it, wherever in the file."""
    found: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    modules = [node.module]
                for module in {name.partition(".")[0] for name in modules}:
                    if module not in sys.stdlib_module_names and module not in PACKAGES:
                        found.setdefault(distribution(module), set()).add(str(path.relative_to(ROOT)))
    return found


def test_the_plain_install_brings_what_the_code_imports_and_no_more() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = names_of(project["dependencies"])
    # OpenSpiel has no wheels for some machines, and no command needs it.
    extra = names_of(project["optional-dependencies"]["openspiel"])
    missing = {name: files for name, files in imported().items() if name not in base | extra}
    assert missing == {}
    assert base - imported().keys() == WAITING
    assert not base & {
        name for lines in project["optional-dependencies"].values() for name in names_of(lines)
    }


def test_no_text_names_an_extra_that_there_is_not() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = [ROOT / "README.md", *(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))]
    named = {
        (extra, path.name)
        for path in files
        for extra in re.findall(r"(?:tefuda|\.)\[(\w+)\]['\"`]", path.read_text(encoding="utf-8"))
    }
    assert {extra for extra, _ in named} >= {"test", "openspiel"}
    assert {pair for pair in named if pair[0] not in project["optional-dependencies"]} == set()
