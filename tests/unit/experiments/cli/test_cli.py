"""The command line, as a user meets it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.cli import main as cli
from tests.support_cli import ROOT, call, flat, interrupt, start

SCENARIOS = ROOT / "tests" / "scenarios" / "uplink"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["rnu"], ["rnu", "run"]),
        (["run"], ["DRAFT"]),
        (["run", "uplink/v1.2"], ["uplink/v1.2", "did you mean 'uplink/v1.1'"]),
        (["run", "uplinc/v1.1"], ["uplinc", "uplink"]),
        (["run", "v1.1"], ["did you mean 'uplink/v1.1'"]),
        (["run", "."], ["folder"]),
        (["run", "missing.toml"], ["missing.toml", "no such file"]),
        (["run", "uplink/v1.1", "--matches", "0"], ["--matches", "0 is not in the range"]),
        (["run", "uplink/v1.1", "--matches", "many"], ["--matches", "many"]),
        (["run", "uplink/v1.1", "--mathces", "5"], ["--mathces", "--matches"]),
        (["run", "uplink/v1.1", "--seed", "-1"], ["--seed", "-1 is not in the range"]),
        (["run", "uplink/v1.1", "--seed", "9" * 30], ["seed = 999"]),
        (["run", "uplink/v1.1", "--threads", "0"], ["--threads"]),
        (["run", "uplink/v1.1", "--lineup", "greddy"], ["greddy", "did you mean 'greedy'"]),
        (["run", "uplink/v1.1", "--lineup", "random,random"], ["2 bots for 4 players"]),
        (["run", "uplink/v1.1", "--lineup", "heuristic:kep=1"], ["kep", "keep"]),
        (["run", "uplink/v1.1", "--lineup", "heuristic:keep=x"], ["keep", "number"]),
        (["run", "uplink/v1.1", "--set", "rules.player=3"], ["rules.player", "did you mean 'players'"]),
        (["run", "uplink/v1.1", "--set", "rules.players=5"], ["rules.players = 5", "from 2 to 4"]),
        (["run", "uplink/v1.1", "--set", "players=5"], ["TABLE.KEY=VALUE"]),
        (["run", "uplink/v1.1", "--bots", "mine.py"], ["mine.py", "no such file"]),
        (["run", "uplink/v1.1", "--study", "../up"], ["--study ../up"]),
        (["compare", "uplink/v1.1"], ["two drafts"]),
        (["options", "uplinc"], ["uplinc", "uplink"]),
        (["drafts", "uplink/none"], ["uplink/none"]),
        (["check", "none"], ["none", "no such file or folder"]),
        (["replay", "uplink/v1.1", "--match", "-1"], ["--match"]),
        (["rerun", "none"], ["none", "no such file"]),
    ],
)
def test_wrong_input_is_one_line_on_stderr(
    capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    code, out, err = call(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("tefuda: ")
    for part in parts:
        assert part in err
    assert not Path("results").exists()


def test_a_fault_of_the_lab_is_one_line_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[str]:
        raise RuntimeError("boom")

    monkeypatch.setattr("sim.registry.names", broken)
    code, _, err = call(capsys, "games")
    assert code == cli.INTERNAL
    assert "boom" in err
    assert err.count("\n") == 1


def test_help_of_every_command_imports_no_engine() -> None:
    program = "import sys; from experiments.cli import main; main.main(['run', '--help']); print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.endswith("False\n")
    assert "--lineup" in done.stdout


def test_run_json_has_the_public_names(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "run", "uplink/v1.1", "--matches", "200", "--lineup", "random,first,random,first", "--json"
    )
    data = json.loads(out)
    assert code == 0
    for name in (
        "game",
        "draft",
        "lineup",
        "seed",
        "matches",
        "players",
        "win_share",
        "mean_score",
        "sd_score",
    ):
        assert name in data
    for name in (
        "ties",
        "by_bot",
        "decisions_per_match",
        "branching_mean",
        "seconds",
        "matches_per_second",
        "events",
    ):
        assert name in data
    assert data["game"] == "uplink"
    assert data["draft"] == "uplink/v1.1"
    assert data["lineup"] == ["random", "first", "random", "first"]
    assert data["matches"] == 200
    assert sum(data["win_share"]) == pytest.approx(1)
    assert data["decisions_per_match"] == 104
    assert set(data["by_bot"]) == {"random", "first"}
    assert data["by_bot"]["random"]["seats"] == [0, 1, 2, 3]
    low, high = data["by_bot"]["random"]["interval"]
    assert low < data["by_bot"]["random"]["win_share"] < high
    for name in ("tricks_by_lead_position", "trick_share"):
        assert len(data["events"][name]) == 4
        assert sum(data["events"][name]) == pytest.approx(1)
    assert set(data["events"]) == {"heart_pairs", "sets_of_three", "tricks_by_lead_position", "trick_share"}
    folder = Path(data["results"])
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json", "estimates.parquet", "scores.parquet", "report.html",
    }  # fmt: skip


def test_compare_writes_differences_and_says_them(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys, "compare", "uplink/v1.1", "uplink/personal-decks", "--matches", "300", "--lineup", "random"
    )
    assert code == 0
    assert out.startswith('B changes rules.variant from "none" to "personal_decks".')
    folder = Path(out.strip().splitlines()[-1].removeprefix("report: ")).parent
    assert (folder / "differences.parquet").is_file()
    assert all(len(line) <= 80 for line in out.splitlines() if "results/" not in line)


def test_one_bot_name_and_fixed_seats(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(
        capsys, "run", "uplink/v1.1", "--matches", "40", "--no-save", "--json",
        "--lineup", "random,first,first,first", "--fixed-seats",
    )  # fmt: skip
    data = json.loads(out)
    assert data["by_bot"]["random"]["seats"] == [0]
    assert data["blocks"] == 40
    assert data["results"] is None


def test_set_reaches_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "uplink/v1.1", "--matches", "50", "--no-save", "--json", "--lineup", "random"]
    _, out, _ = call(capsys, *words, "--set", "rules.players=3", "--set", "points.K=-1")
    data = json.loads(out)
    assert data["players"] == 3
    assert len(data["win_share"]) == 3
    assert data["decisions_per_match"] == 3 + 3 * 20 + 20


def test_drafts_prints_a_draft_that_loads_again(capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = call(capsys, "drafts", "uplink/personal-decks")
    Path("mine.toml").write_text(text, encoding="utf-8")
    _, again, _ = call(capsys, "drafts", "mine.toml")
    assert again == text
    assert 'variant = "personal_decks"' in text


def test_options_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "options", "uplink")
    for name in (
        "players",
        "ace",
        "hand_size",
        "tied_top",
        "left_behind",
        "next_lead",
        "heart_pair",
        "games",
    ):
        assert f"rules.{name} = " in out
    assert "an integer from 2 to 4" in out


def test_check_reports_what_was_expected_what_came_and_the_position(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(capsys, "check", str(SCENARIOS))
    assert code == 0
    assert re.search(r"(\d+) of \1 scenarios pass", out)
    source = (SCENARIOS / "u09-tied-top-later.toml").read_text(encoding="utf-8")
    head, _, _ = source.partition("[expect]")
    Path("wrong.toml").write_text(head + '[expect]\nto_move = 2\nfield = "S3"\n', encoding="utf-8")
    Path("broken.toml").write_text('game = "uplink"\ndraft = "v1.1"\n[[step]]\n', encoding="utf-8")
    code, out, err = call(
        capsys, "check", "broken.toml", "wrong.toml", str(SCENARIOS / "u09-tied-top-later.toml")
    )
    assert code == 1
    assert "expected: 2" in out
    assert "came:     0" in out
    assert "led by seat 1" in out
    assert "1 of 3 scenarios pass" in out
    assert "did you mean 'steps'" in err


def test_replay_tells_the_match_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--lineup", "greedy,random,first,random", "--seed", "5"]
    _, out, _ = call(capsys, "replay", "uplink/v1.1", "--match", "2", *words)
    assert out.count("takes the trick") == 20
    assert out.count("End of game") == 4
    assert out.count(" puts out ") == 4
    scores = json.loads(out.strip().splitlines()[-1].partition("scores ")[2])
    from experiments.play.matches import MatchSpec as Spec
    from sim import drafts

    spec = Spec([drafts.load("uplink/v1.1")], "greedy,random,first,random", 4, 5)
    _, by_match = spec.batches[0].play(0, 4)[:2]
    assert scores == by_match[2].tolist()


def test_replay_tells_games_their_exchange_and_the_points_of_the_match(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["daifugo/everything", "--lineup", "random", "--seed", "5", "--match", "2"]
    code, out, _ = call(capsys, "replay", *words)
    assert code == 0
    lines = out.splitlines()
    assert [line for line in lines if line.startswith(("Game", "End of"))] == [
        part for game in range(1, 11) for part in (f"Game {game}", f"End of game {game}")
    ]
    assert sum("has to give" in line for line in lines) == 2 * 9
    assert sum("is the first to lead" in line for line in lines) == 10
    for told in (
        "eight cut",
        "skip",
        "reverse",
        "revolution by",
        "11-back",
        "suit lock",
        "foul of",
        "miyako ochi",
    ):
        assert any(line.startswith(f"    {told}") for line in lines), told
    last = [line for line in lines if line.endswith("in the match so far")][-4:]
    totals = {int(line.partition("player ")[2][0]): int(line.split()[-6]) for line in last}
    assert json.loads(lines[-1].partition("scores ")[2]) == [totals[player] for player in range(4)]


def test_rerun_gives_the_same_tables(capsys: pytest.CaptureFixture[str]) -> None:
    call(
        capsys,
        "run",
        "uplink/v1.1",
        "--matches",
        "300",
        "--lineup",
        "random,first,first,first",
        "--threads",
        "1",
    )
    (folder,) = Path("results/uplink-v1.1").iterdir()
    code, out, _ = call(capsys, "rerun", str(folder), "--threads", "2")
    assert code == 0
    assert "byte for byte" in out
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["spec"]["seed"] = 2
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    code, _, err = call(capsys, "rerun", str(folder))
    assert code == 2
    assert "differ" in err


BOT = '''
from strategies import strategy

@strategy("uplink", "{name}", jit={jit})
def decide(view, rules, me):
    """Takes the highest cards."""
    move, rest = 0, view["choices"]
    for _ in range(view["pick"]):
        card = 1
        while card * 2 <= rest:
            card *= 2
        move |= card
        rest &= ~card
    return {result}
'''


def test_bots_of_ones_own_jitted_and_plain(capsys: pytest.CaptureFixture[str]) -> None:
    shares = []
    for jit in (True, False):
        name = f"top{int(jit)}"
        Path(f"{name}.py").write_text(BOT.format(name=name, jit=jit, result="move"), encoding="utf-8")
        code, out, _ = call(
            capsys, "run", "uplink/v1.1", "--matches", "40", "--no-save", "--json",
            "--bots", f"{name}.py", "--lineup", f"{name},random,random,random",
        )  # fmt: skip
        assert code == 0
        shares.append(json.loads(out)["mean_score"])
    assert shares[0] == shares[1]


@pytest.mark.parametrize(
    ("name", "jit", "result", "parts"),
    [
        ("cheat", True, "0", ["cheat", "not a legal move", "seat", "match"]),
        ("cheat2", False, "0", ["cheat2", "not a legal move", "seat", "match"]),
        ("odd", True, "nonsense(move)", ["odd", "cannot be compiled", "jit=False"]),
        ("odd2", False, "nonsense(move)", ["nonsense", "match"]),
    ],
)
def test_a_bot_that_breaks_the_contract(
    capsys: pytest.CaptureFixture[str], name: str, jit: bool, result: str, parts: list[str]
) -> None:
    Path("bad.py").write_text(BOT.format(name=name, jit=jit, result=result), encoding="utf-8")
    code, _, err = call(
        capsys,
        "run",
        "uplink/v1.1",
        "--matches",
        "40",
        "--bots",
        "bad.py",
        "--lineup",
        f"{name},random,random,random",
    )
    assert code == 2
    assert err.count("\n") == 1
    for part in parts:
        assert part in err
    assert not list(Path().rglob("manifest.json"))


def test_a_bots_file_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    Path("fails.py").write_text("1 / 0\n", encoding="utf-8")
    Path("empty.py").write_text("", encoding="utf-8")
    assert "ZeroDivisionError" in call(capsys, "bots", "uplink", "--bots", "fails.py")[2]
    assert "registers no bot" in call(capsys, "bots", "uplink", "--bots", "empty.py")[2]


def test_ctrl_c_leaves_what_was_finished_marked_partial(tmp_path: Path) -> None:
    with start(
        "run", "uplink/v1.1", "--matches", "2000000000", "--lineup", "random", "--study", "long", cwd=tmp_path
    ) as run:
        out, err = interrupt(run, tmp_path / "results" / "long", 3)
    assert run.returncode == cli.INTERRUPTED
    assert flat(out).startswith("Interrupted: ")
    assert "of 2,000,000,000 matches were played" in flat(out)
    assert "Traceback" not in err
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert 0 < manifest["played"]["matches"] < 2_000_000_000


def test_a_closed_pipe_is_quiet() -> None:
    with start("replay", "uplink/v1.1", "--lineup", "random") as replay:
        assert replay.stdout is not None
        replay.stdout.readline()
        replay.stdout.close()
        assert replay.stderr is not None
        assert replay.stderr.read() == ""


def test_no_progress_in_a_pipe() -> None:
    with start("run", "uplink/v1.1", "--matches", "100", "--lineup", "random", "--no-save") as run:
        out, err = run.communicate(timeout=60)
    assert err == ""
    assert "100 matches" in out
