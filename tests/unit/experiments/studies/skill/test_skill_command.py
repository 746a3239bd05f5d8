"""``tefuda skill`` as a user meets it: terminal, JSON, files, page, errors, Ctrl-C."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from experiments import interrupts
from experiments.cli import main as cli
from experiments.report import skill as report
from experiments.store import folders
from experiments.studies.skill import show, store
from experiments.studies.skill.play import Job, Suite, play
from experiments.studies.skill.spec import Spec, players_of
from sim import drafts
from sim.errors import UserError
from tests.support_cli import call, interrupt, start
from tests.unit.experiments.test_report import EVIL, _elements, _read

QUICK = ["--best", "adapted", "--fictive", "clairvoyant:8", "--matches", "1000"]
WORDS = ["skill", "uplink/v1.1", *QUICK]


@pytest.fixture(scope="module")
def played() -> Suite:
    players = players_of("uplink", best="adapted", fictive="clairvoyant:8")
    return play(Job(Spec(drafts.load("uplink/v1.1"), players, 1)).by_matches(1000))


def test_the_command_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *WORDS)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("uplink/v1.1: luck and skill,")
    assert lines[2].startswith("How strong is luck: ")
    assert "Fair within 1 point: " in out
    assert all(len(line) <= 80 for line in lines if "results/" not in line)
    assert sum(line.startswith("Note: ") for line in lines) == sum(line.endswith(" deals)") for line in lines)
    folder = Path(lines[-1].removeprefix("report: ")).parent
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "numbers.parquet", "report.html"}
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["kind"], manifest["partial"]) == ("skill", False)
    assert manifest["deals"] == manifest["deals_done"]
    assert manifest["yardsticks"]["best"] == "adapted"
    assert "choix" in manifest["versions"]
    for name, digest in manifest["tables"].items():
        assert folders.digest((folder / name).read_bytes()) == digest
    numbers = pd.read_parquet(folder / "numbers.parquet")
    told = numbers.dropna(subset=["value", "low", "high"])
    assert len(told) > 50
    assert (told["low"] <= told["value"]).all()
    assert (told["value"] <= told["high"]).all()
    assert (numbers["n"] >= 2).all()


def test_a_suite_is_played_again_byte_for_byte_by_any_number_of_threads(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call(capsys, *WORDS, "--study", "mine", "--threads", "1")
    (folder,) = Path("results/mine").iterdir()
    code, out, _ = call(capsys, "rerun", str(folder), "--threads", "3")
    assert code == 0
    assert "byte for byte" in out
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    damage = [
        ("yardsticks", {}),
        ("drafts", []),
        ("seed", "1"),
        ("deals_done", {}),
        ("deals_done", {"mobility": 9}),
    ]
    for key, value in damage:
        with pytest.raises(UserError, match="m: damaged manifest"):
            store.spec_of({**manifest, key: value}, "m")
    with pytest.raises(UserError, match="m: made with version 99"):
        store.spec_of({**manifest, "rules_version": 99}, "m")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "--json", "--no-save", "--set", "rules.players=3"]
    code, out, _ = call(capsys, *words)
    data = json.loads(out)
    assert (code, data["results"], data["complete"]) == (0, None, True)
    assert (data["draft"], data["players"]) == ("uplink/v1.1 [rules.players=3]", 3)
    assert data["yardsticks"]["ladder"] == ["random", "greedy", "heuristic", "adapted"]
    assert set(data["measures"]) >= {"luck", "ladder", "seats", "scores"}
    assert data["answer"]["about"] == "How strong is luck"
    assert "of a seat's result is luck" in data["answer"]["text"]
    assert "deals" in data["answer"]["text"]
    for measure in data["measures"].values():
        assert set(measure) == {"title", "deals", "findings", "numbers", "caution"}
        assert measure["findings"]
        assert all(row["n"] >= 2 for row in measure["numbers"])
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["DRAFT"]),
        (["uplink/v1.2"], ["uplink/v1.2", "did you mean 'uplink/v1.1'"]),
        (["uplink/v1.1", "--best", "serch"], ["serch", "did you mean 'search'"]),
        (["uplink/v1.1", "--best", "clairvoyant"], ["clairvoyant cheats", "--fictive"]),
        (["uplink/v1.1", "--fictive", "heuristic"], ["heuristic does not cheat", "--fictive"]),
        (["uplink/v1.1", "--beginner", ""], ["--beginner ''", "names of bots"]),
        (["uplink/v1.1", "--beginner", ","], ["--beginner ','", "names of bots"]),
        (["uplink/v1.1", "--matches", "1"], ["--matches 1", "from 10"]),
        (["uplink/v1.1", "--matches", "100", "--minutes", "1"], ["not both"]),
        (["uplink/v1.1", "--minutes", "0"], ["--minutes 0", "above 0"]),
        (["uplink/v1.1", "--budget", "0"], ["--minutes 0", "above 0"]),
        (["uplink/v1.1", "--minutes", "nan"], ["--minutes nan", "above 0"]),
        (["uplink/v1.1", "--seed", "-1"], ["seed -1"]),
        (["uplink/v1.1", "--set", "rules.players=9"], ["rules.players = 9"]),
        (["uplink/v1.1", "--study", "../up"], ["--study ../up"]),
        (["uplink/v1.1", "--bots", "mine.py"], ["mine.py", "no such file"]),
    ],
)
def test_wrong_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    code, out, err = call(capsys, "skill", *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("tefuda: ")
    for part in parts:
        assert part in err
    assert not Path("results").exists()


def test_help_imports_no_engine() -> None:
    program = (
        "import sys; from experiments.cli import main; main.main(['skill', '--help'])\n"
        "print(sorted({'numba', 'numpy', 'scipy', 'choix'} & set(sys.modules)))"
    )
    root = Path(cli.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.endswith("[]\n")


def test_ctrl_c_leaves_what_was_finished_marked_partial(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Slow enough to be still playing, whatever the machine.
    words = ["skill", "uplink/v1.1", *QUICK[:-1], "1000000", "--study", "long"]
    with start(*words, cwd=tmp_path) as run:
        out, err = interrupt(run, tmp_path / "results" / "long", 6)
    assert run.returncode == cli.INTERRUPTED
    assert err == f"tefuda: {interrupts.STOPPING}\n"
    assert "(partial: interrupted)" in " ".join(out.split())
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert list(manifest["deals_done"]) == ["luck"]
    assert "Partial result." in (folder / "report.html").read_text(encoding="utf-8")
    code, out, _ = call(capsys, "rerun", str(folder))
    assert (code, "byte for byte" in out) == (0, True)


def test_stopping_at_once_leaves_nothing_to_report(played: Suite) -> None:
    with pytest.raises(UserError, match="interrupted before"):
        play(Job(played.spec), stop=lambda: True)


# ---- terminal and page ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [44, 60, 79, 100])
def test_lines_fit_the_terminal(played: Suite, width: int) -> None:
    assert all(len(line) <= width for line in show.lines(played, width))


def test_the_page_says_it_all(played: Suite) -> None:
    root = _read(report.page(played, {}))
    assert root.all("h1")[0].text == "uplink/v1.1: how strong is luck here?"
    assert root.all("dl")[1].text.strip().startswith("How strong is luck")
    tables = root.all("table")
    assert len(tables) == len(played.sections) + 1
    for table in tables:
        assert table.all("caption")[0].text
        assert all("scope" in cell.attributes for cell in table.all("th"))
    for section in played.sections:
        assert section.caution in root.text


def test_text_from_a_draft_is_escaped_and_nothing_is_loaded(played: Suite) -> None:
    wicked = dataclasses.replace(played.spec.draft, name=EVIL, notes="<b onclick='x()'>notes</b>")
    sections = [
        dataclasses.replace(
            section, title=EVIL, findings=[dataclasses.replace(section.findings[0], text=EVIL, items=[EVIL])]
        )
        for section in played.sections
    ]
    found = dataclasses.replace(
        played, spec=dataclasses.replace(played.spec, draft=wicked), sections=sections
    )
    html = report.page(found, {"command": ["<script>"], "versions": {"<i>": "<u>"}})
    root = _read(html)
    for node in _elements(root):
        assert node.tag not in ("script", "b", "i", "u", "link", "img", "iframe", "object", "form")
        assert not any(name.startswith("on") for name in node.attributes)
        assert node.attributes.get("href", "#").startswith("#")
    assert EVIL in root.all("h1")[0].text
    assert "<b onclick='x()'>notes</b>" in root.text
    assert "http" not in html.replace("http-equiv", "")
    assert "default-src 'none'" in html
