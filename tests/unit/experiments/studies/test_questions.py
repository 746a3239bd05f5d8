"""Questions are found, not listed; one from outside the lab takes the same way as the lab's own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from experiments import studies
from experiments.cli import main as cli
from tests.support_cli import call

MODULES = {
    "__init__": "",
    "spec": '''
from typing import Any, Self

from experiments.play.matches import MatchSpec
from experiments.studies.asked import Asked, OneDraft


class Spec(Asked):
    """The deals of a draft that end in a shared win."""

    draft: OneDraft

    @property
    def steps(self) -> int:
        return 40

    @property
    def to_play(self) -> MatchSpec:
        return MatchSpec([self.draft], "random", self.steps, self.seed)

    def seated(self) -> Any:
        return self.to_play.seated

    def prepare(self) -> None:
        self.to_play.prepare()

    def as_played(self, played: Any) -> Self:
        return self
''',
    "play": """
from dataclasses import dataclass
from typing import Any

from experiments.play import matches
from experiments.store.tables import Columns, Stored
from experiments.studies.result import Result

TIES = Columns("ties", "how many wins were shared", {"draft": "text", "shared": "real"})


@dataclass(repr=False)
class Played(Result):
    spec: Any
    study: Any
    complete = True
    seconds = 0.0
    played = {"matches": 40}

    def tables(self) -> Any:
        run = self.study.runs[0]
        return [Stored(TIES, [{"draft": run.draft.label, "shared": run.estimates["ties",].value}])]

    def summary(self) -> Any:
        return {"shared": self.study.runs[0].estimates["ties",].value}


def play(spec: Any, *, threads: Any = None, on_progress: Any = None, stop: Any = None) -> Played:
    return Played(spec, matches.play(spec.to_play, threads=1))
""",
    "findings": """
from experiments.report.sections import Report


def report(played):
    return Report(kicker="", title="Shared", headline=["Few wins are shared."], figure=None, facts=[], sections=[], terms=[])
""",
    "command": '''
import click

from experiments.studies import lifecycle, options


@click.command()
@click.argument("draft")
@options.seed_option
@options.set_option
@options.bots_option
@options.save_options
def shared(draft, **settings):
    """Tell how many wins are shared in a DRAFT."""
    from outside.shared.spec import Spec

    lifecycle.carry_out(Spec(options.load(draft, settings["changes"]), seed=settings["seed"]), settings)


COMMANDS = (shared,)
''',
}


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "outside" / "shared"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    for name, text in MODULES.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    studies.add("outside.shared")
    yield tmp_path
    studies.remove("shared")
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]


def test_the_questions_of_the_lab() -> None:
    assert list(studies.questions()) == ["compare", "fairness", "ladder", "run", "skill", "train"]


def test_a_question_from_outside_is_played_stored_told_and_played_again(
    outside: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "shared" in call(capsys, "--help")[1]
    code, out, err = call(capsys, "shared", "uplink/v1.1", "--csv")
    assert (code, err) == (0, "")
    assert out.startswith("Few wins are shared.\n")
    folder = Path(out.strip().splitlines()[-1].removeprefix("report: ")).parent
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["question"] == "shared"
    assert pd.read_parquet(folder / "ties.parquet").equals(pd.read_csv(folder / "ties.csv"))
    assert "Few wins are shared." in (folder / "report.html").read_text(encoding="utf-8")
    code, out, _ = call(capsys, "rerun", str(folder))
    assert (code, "byte for byte" in out) == (0, True)


def test_without_it_the_command_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "shared" not in cli.cli.list_commands(None)  # type: ignore[arg-type]
    code, _, err = call(capsys, "shared", "uplink/v1.1")
    assert code == 2
    assert "unknown command 'shared'" in err
