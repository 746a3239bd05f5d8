"""Every example of the README that can be run is run, with small budgets."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from experiments.cli import main as cli
from sim import drafts, registry

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)

BUDGETS = {
    "run": "--matches 40",
    "compare": "--matches 40",
    "fairness": "--matches 40 --players 4",
    "ladder": "--deals 4 --search-deals 2",
    "train": "--generations 1 --deals 20 --overwrite",
    "probe": "--generations 1 --deals 20",
    "skill": "--matches 10 --fictive clairvoyant:4",
    "bench": "--seconds 0.1 uplink",
}
"""What is added to a command, so that it takes seconds: of an option given twice the last counts."""

PLACES = {
    "GAME": "uplink", "[GAME]": "", "DRAFT": "uplink/v1.1", "DRAFT…": "uplink/personal-decks", "BOT": "greedy",
    "[BOT…]": "", "S": "1", "K": "0", "FOLDER": "kept", "SCENARIO…": "ruling.toml",
}  # fmt: skip
"""What stands for the words in capitals of the table of commands."""

ALONE = {"games", "bench"}
"""Commands that are whole without more."""

SLOW = ("skill", "run mine/a-draft")
"""What plays very many kinds of matches, or compiles a game anew."""


def commands() -> list[str]:
    """Return every command of the README, those of the table with something in their places."""
    in_blocks = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
    in_text = re.findall(r"`(tefuda [^`]*)`", README)
    found = []
    for line in [*in_blocks, *in_text]:
        words = [PLACES.get(word, word) for word in shlex.split(line, comments=True)]
        # A command that is but named, as `tefuda check` is, is no example.
        if words[:1] == ["tefuda"] and "--help" not in words and (len(words) > 2 or words[-1] in ALONE):
            found.append(shlex.join(word for word in words[1:] if word))
    return list(dict.fromkeys(found))


def small(command: str) -> list[str]:
    """Return the words of a command that takes seconds."""
    words = shlex.split(command.replace(":1000", ":20"))
    more = BUDGETS.get(words[0], "").split()
    if "--until-decided" in words:
        more = ["--at-most", "400"]
    if "--minutes" in words:
        at = words.index("--minutes")
        del words[at : at + 2]
    if words[0] == "skill" and "--best" not in words:
        more += ["--best", "adapted"]
    if words[0] == "skill" and words[1].startswith("daifugo"):
        more += ["--set", "rules.games=1"]
    if words[0] in BUDGETS and words[0] != "bench":
        more += ["--threads", "1"]
    return [*words, *more]


def run(words: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a command in a process of its own, which then knows the user's bots and games alone."""
    done = subprocess.run(
        [sys.executable, "-m", "experiments.cli.main", *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=900,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the README writes, and those that it supposes."""
    folder = tmp_path_factory.mktemp("readme")
    for language, text in BLOCKS:
        named = re.match(r"# ([\w-]+\.(?:py|toml))\b", text)
        if named:
            (folder / named[1]).write_text(text, encoding="utf-8")
        elif language == "toml":
            (folder / "ruling.toml").write_text(text, encoding="utf-8")
    (folder / "mine.toml").write_text('game = "uplink"\nname = "mine"\nextends = "v1.1"\n', encoding="utf-8")
    shutil.copy(ROOT / "strategies/uplink/weights/v1.1.toml", folder / "flat-faces-player.toml")
    package = folder / "my_package"
    shutil.copytree(ROOT / "tests/games/oneswap", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests/games/duels.py", package)
    (package / "drafts/thirteen.toml").rename(package / "drafts/a-draft.toml")
    for path in [*package.rglob("*.py"), *package.rglob("*.toml")]:
        text = re.sub(r"tests\.games(\.oneswap)?\b", "my_package", path.read_text(encoding="utf-8"))
        path.write_text(text.replace('"oneswap"', '"mine"'), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.slow if command.startswith(SLOW) else ())
        for command in commands()
    ],
)
def test_a_command_of_the_readme_runs(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    words = small(command)
    if words[0] == "rerun":
        assert (
            cli.main(["run", "uplink/v1.1", "--lineup", "random", "--matches", "8", "--study", "kept"]) == 0
        )
        words[1] = str(next((folder / "results" / "kept").iterdir()))
    into = words.index(">") if ">" in words else len(words)
    words = words[:into]
    if "--bots" in words:
        code, out, err = run(words, folder)
    else:
        capsys.readouterr()
        code = cli.main(words)
        out, err = capsys.readouterr()
    assert code == 0, err
    assert out
    assert "Traceback" not in err
    if words[:2] == ["drafts", "uplink/v1.1"]:
        assert tomllib.loads(out)["points"] == drafts.load("uplink/v1.1").tables()["points"]


def test_the_table_of_commands_has_every_command() -> None:
    rows = re.findall(r"^\| `tefuda (\w+)", README, re.MULTILINE)
    assert sorted(rows) == cli.cli.list_commands(click.Context(cli.cli))
    assert len(set(rows)) == len(rows)
    assert len(commands()) > 30


def _python(start: str) -> str:
    """Return the block of Python that begins with a line, ready to be run quickly."""
    (text,) = [text for language, text in BLOCKS if language == "python" and text.startswith(start)]
    for much, little in (("20_000", "40"), ("0.3, 100,", "0.3, 2,")):
        text = text.replace(much, little)
    return text


def _executed(text: str, folder: Path) -> dict[str, Any]:
    (folder / "example.py").write_text(text, encoding="utf-8")
    return runpy.run_path(str(folder / "example.py"))


def test_the_python_of_the_readme_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names = _executed(_python("from experiments.studies.run.play import"), folder)
    assert names["result"].run.totals.matches == 40
    assert names["table"].legal()


def test_openspiel_plays_as_the_readme_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    _executed(_python("import numpy as np\nfrom open_spiel"), folder)
    returns = [float(value) for value in capsys.readouterr().out.strip("[]\n").split(",")]
    assert len(returns) == 4


def test_all_blocks_are_of_kinds_that_are_run() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "toml", "python"}
    assert sum(language == "python" for language, _ in BLOCKS) == 4
    assert "mine" not in registry.names()
