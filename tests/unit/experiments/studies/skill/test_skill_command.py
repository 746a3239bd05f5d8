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
from experiments.report import terminal
from experiments.report.page import page
from experiments.store import folders
from experiments.studies.skill.play import Suites, by_matches, play
from experiments.studies.skill.spec import Spec, players_of
from sim import drafts
from sim.errors import UserError
from tests.support_cli import ROOT, call, flat, interrupt, start
from tests.support_pages import EVIL, elements
from tests.support_pages import read as read_page

QUICK = ["--best", "adapted", "--fictive", "clairvoyant:8", "--matches", "1000"]
WORDS = ["skill", "uplink/v1.1", *QUICK]


@pytest.fixture(scope="module")
def played() -> Suites:
    players = players_of("uplink", best="adapted", fictive="clairvoyant:8")
    return play(by_matches(Spec(drafts.load("uplink/v1.1"), players, 1), 1000))


def test_the_command_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *WORDS)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Between ")
    assert "of a seat's result is luck" in flat(lines[:2])
    assert "Some of this rests on only 10 deals" in flat(out)
    assert len(lines[: lines.index("")]) <= 12
    assert all(len(line) <= 80 for line in lines if "results/" not in line)
    folder = Path(lines[-1].removeprefix("report: ")).parent
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "numbers.parquet", "report.html"}
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["question"], manifest["partial"]) == ("skill", False)
    assert [manifest["spec"]["deals"]] == manifest["played"]["deals"]
    assert manifest["spec"]["players"]["best"] == "adapted"
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
    for key, value in (("players", {}), ("draft", []), ("seed", "1"), ("deals", 5)):
        with pytest.raises(UserError, match="m: damaged manifest"):
            Spec.read({**manifest, "spec": {**manifest["spec"], key: value}}, "m")
    for deals in ([], [{}], [{"luck": 0}], [{"luck": 9}, {"luck": 9}]):
        with pytest.raises(UserError, match="m: damaged manifest"):
            Spec.read({**manifest, "played": {"deals": deals}}, "m")
    with pytest.raises(UserError, match="m: made with version 99"):
        Spec.read({**manifest, "rules_version": 99}, "m")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS, "--json", "--no-save", "--set", "rules.players=3"]
    code, out, _ = call(capsys, *words)
    data = json.loads(out)
    assert (code, data["results"], data["complete"]) == (0, None, True)
    assert (data["draft"], data["players"]) == ("uplink/v1.1 [rules.players=3]", 3)
    assert data["yardsticks"]["ladder"] == ["random", "greedy", "heuristic", "adapted"]
    assert set(data["measures"]) >= {"luck", "ladder", "seats", "scores"}
    assert "of a seat's result is luck" in data["headline"][0]
    assert 4 <= len(data["headline"]) <= 6
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
        (["uplink/v1.1", "--seed", "-1"], ["--seed", "-1"]),
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
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
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
    assert flat(out).startswith("Interrupted. Measures that are missing or have fewer deals than planned: ")
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert [list(deals) for deals in manifest["played"]["deals"]] == [["luck"]]
    assert "Interrupted. Measures that are missing" in (folder / "report.html").read_text(encoding="utf-8")
    code, out, _ = call(capsys, "rerun", str(folder))
    assert (code, "byte for byte" in out) == (0, True)


def test_stopping_at_once_leaves_nothing_to_report(played: Suites) -> None:
    with pytest.raises(UserError, match="interrupted before"):
        play(played.spec, stop=lambda: True)


# ---- beside another draft -------------------------------------------------------------------------------


def test_two_drafts_beside_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*WORDS[:-1], "100", "--against", "uplink/v1.1:rules.heart_pair=off", "--study", "both"]
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    label = "uplink/v1.1 [rules.heart_pair=off]"
    assert f"; in {label}: " in flat(out)
    (folder,) = Path("results/both").iterdir()
    numbers = pd.read_parquet(folder / "numbers.parquet")
    assert list(dict.fromkeys(numbers["draft"])) == ["uplink/v1.1", label]
    assert "byte for byte" in call(capsys, "rerun", str(folder))[1]
    code, _, err = call(capsys, *WORDS, "--against", "daifugo/plain")
    assert code == 2
    assert "drafts of different games (uplink, daifugo) cannot be compared" in err


# ---- terminal and page ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [44, 60, 79, 100])
def test_lines_fit_the_terminal(played: Suites, width: int) -> None:
    for detail in ("brief", "usual"):
        assert all(len(line) <= width for line in terminal.lines(played.report, width, detail))  # type: ignore[arg-type]


def test_the_page_says_it_all(played: Suites) -> None:
    root = read_page(page(played.report, {}))
    assert root.all("h1")[0].text == "uplink/v1.1: how much luck, how much skill?"
    for sentence in played.report.headline:
        assert sentence in root.text
    tables = root.all("table")
    captions = [table.all("caption")[0].text for table in tables]
    assert sum(caption.startswith("Numbers") for caption in captions) == len(played.sections)
    for table in tables:
        assert table.all("caption")[0].text
        assert all("scope" in cell.attributes for cell in table.all("th"))
    for section in played.sections:
        assert section.caution in root.text
        for finding in section.findings:
            assert finding.text in root.text


def test_text_from_a_draft_is_escaped_and_nothing_is_loaded(played: Suites) -> None:
    wicked = dataclasses.replace(played.spec.draft, name=EVIL, notes="<b onclick='x()'>notes</b>")
    (suite,) = played.suites
    sections = [
        dataclasses.replace(
            section, title=EVIL, findings=[dataclasses.replace(section.findings[0], text=EVIL, items=[EVIL])]
        )
        for section in suite.sections
    ]
    spec = played.spec.changed(draft=wicked)
    result = Suites(spec, [dataclasses.replace(suite, spec=spec, sections=sections)], 1.0)
    html = page(result.report, {"command": ["<script>"], "versions": {"<i>": "<u>"}})
    root = read_page(html)
    for node in elements(root):
        assert node.tag not in ("script", "b", "i", "u", "link", "img", "iframe", "object", "form")
        assert not any(name.startswith("on") for name in node.attributes)
        assert node.attributes.get("href", "#").startswith("#")
    assert EVIL in root.all("h1")[0].text
    assert "<b onclick='x()'>notes</b>" in root.text
    assert "http" not in html.replace("http-equiv", "")
    assert "default-src 'none'" in html
