"""Rules of the repository that no linter knows: who imports whom, what only one module may do, docstrings."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import drafts, registry
from tests import support

ROOT = support.ROOT
PACKAGES = ("sim", "strategies", "experiments")


def sources(*packages: str) -> list[Path]:
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def imported(path: Path) -> Iterator[tuple[str, ast.AST]]:
    """Yield every module that a file imports, wherever in the file, by statement or by name."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(path.relative_to(ROOT).parts[: -node.level]) if node.level else ""
            base = ".".join(part for part in (package, node.module) if part)
            yield base, node
            yield from ((f"{base}.{alias.name}".lstrip("."), node) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            for argument in node.args[:1]:
                text = ast.unparse(argument).strip("f'\"")
                yield text, node


# ---- imports --------------------------------------------------------------------------------------------


def test_imports_go_from_layer_to_layer() -> None:
    """The layers stand in pyproject.toml."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kept, 0 broken" in done.stdout


def test_the_import_check_sees_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    folder = tmp_path / "sim" / "inner"
    folder.mkdir(parents=True)
    forms = [
        "import strategies", "import strategies.uplink as x", "from strategies import registry",
        "def f():\n    from strategies.registry import find", "from ... import strategies",
        "import importlib\nimportlib.import_module('strategies')",
        "importlib.import_module(f'strategies.{x}')",
    ]  # fmt: skip
    for form in forms:
        (folder / "case.py").write_text(form, encoding="utf-8")
        assert "strategies" in {name.split(".")[0] for name, _ in imported(folder / "case.py")}, form
    (folder / "case.py").write_text("from sim import strategies_of\nimport sim.strategies", encoding="utf-8")
    assert "strategies" not in {name.split(".")[0] for name, _ in imported(folder / "case.py")}


def test_games_do_not_import_one_another() -> None:
    games = registry.names()
    for game in games:
        for path in sorted(registry.find(game).folder.rglob("*.py")):
            for name, node in imported(path):
                parts = name.split(".")
                foreign = parts[0] == "sim" and len(parts) > 1 and parts[1] in games and parts[1] != game
                assert not foreign, place(path, node)


def test_what_all_games_share_names_no_game() -> None:
    for path in sorted((ROOT / "sim").glob("*.py")):
        for name, node in imported(path):
            assert not any(name.startswith(f"sim.{game}") for game in registry.names()), place(path, node)


# ---- one place for some things --------------------------------------------------------------------------


def test_chance_comes_from_streams_alone() -> None:
    """No module of the lab draws from Python's or numpy's generators: a seed would not say everything."""
    for path in sources("sim", "strategies"):
        for name, node in imported(path):
            assert name.split(".")[0] not in ("random", "secrets"), place(path, node)
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Attribute):
                assert not ast.unparse(node).startswith(("np.random", "numpy.random", "time.time_ns")), place(
                    path, node
                )


# ---- docstrings -----------------------------------------------------------------------------------------


def public(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the public functions, classes and methods of a module, also under ``if``."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from public([*node.body, *node.orelse], owner)
        elif isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ) and not node.name.startswith("_"):
            yield f"{owner}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


def test_everything_public_has_a_docstring() -> None:
    missing, seen = [], 0
    for path in sources(*PACKAGES):
        tree = parsed(path)
        assert ast.get_docstring(tree), path
        for name, node in public(tree.body):
            seen += 1
            if not ast.get_docstring(node):  # type: ignore[arg-type]
                missing.append(f"{place(path, node)} {name}")
    assert not missing
    assert seen > 100


def test_every_test_file_says_what_it_is_about() -> None:
    for path in sources("tests"):
        assert ast.get_docstring(parsed(path)), path


# ---- files ----------------------------------------------------------------------------------------------


def tracked() -> list[Path]:
    """Return the files of the repository; without git, those of the packages."""
    paths: list[Path] = []
    if shutil.which("git") and (ROOT / ".git").exists():
        done = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        paths = [ROOT / name for name in done.stdout.split("\0") if name]
    if not paths:
        paths = [path for package in (*PACKAGES, "tests") for path in (ROOT / package).rglob("*")]
    return [path for path in paths if path.is_file() and "__pycache__" not in path.parts]


def test_no_paths_of_one_machine() -> None:
    folders = "home|root|work|tmp|Users"
    pattern = re.compile(rf"(?<![\w.~{{}}/\\-])/(?:{folders})/\w|[A-Z]:\\Users\\")
    wrong = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        wrong += [
            f"{path.relative_to(ROOT)}: {line.strip()[:90]}"
            for line in text.splitlines()
            if pattern.search(line)
        ]
    assert not wrong
    assert pattern.search('open("/' + 'home/someone/x")')
    assert len(tracked()) > 50


def test_no_file_is_left_over() -> None:
    names = [path.name for path in tracked()]
    assert not [
        name
        for name in names
        if name.endswith((".orig", ".rej", ".bak", ".swp", ".pyc", "~")) or name == ".DS_Store"
    ]
    assert not [path for path in tracked() if path.stat().st_size > 2_000_000]


@pytest.mark.parametrize(
    "name", [f"{game}/{draft}" for game in registry.names() for draft in drafts.shipped(game)]
)
def test_shipped_drafts_load(name: str) -> None:
    draft = drafts.load(name)
    assert f"{draft.game}/{draft.name}" == name
    assert draft.record()["players"] == draft.players


def test_the_check_runner_calls_the_test_command_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in readme.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert f"{commands[1]} --all" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
