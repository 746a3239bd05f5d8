"""`tefuda fairness`: every number of players with every bot, its words, its table and page, and playing it again."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from experiments.metrics import seats
from experiments.report import terminal
from experiments.report.page import page
from experiments.store import manifests
from experiments.studies import lifecycle
from experiments.studies.fairness import play as fairness
from experiments.studies.fairness.play import Matrix
from experiments.studies.fairness.spec import Spec, for_players
from sim import drafts, options
from sim.errors import UserError
from tests.support_cli import call, flat, told

EVIL = '<script>alert(1)</script> & "x"'


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def spec_of(
    matches: int = 4000, margin: float = 0.01, levels: tuple[str, ...] = ("random", "heuristic")
) -> Spec:
    found, refused = for_players("uplink/v1.1", (), [2, 3, 4, 9])
    return Spec(found, levels, matches, margin=margin, refused=tuple(refused))


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return fairness.play(spec_of(), threads=2)


# ---- what is played -------------------------------------------------------------------------------------


def test_every_number_of_players_that_the_game_knows_and_why_not_the_others() -> None:
    found, refused = for_players("uplink/v1.1", ())
    assert [draft.players for draft in found] == [2, 3, 4]
    assert refused == []
    found, refused = for_players("uplink/v1.1", ("rules.left_behind=3",), [2, 3, 5])
    assert [draft.players for draft in found] == [3]
    assert [players for players, _ in refused] == [2, 5]
    assert refused[0][1].startswith(
        "rules.left_behind = 3: must be an integer from 0 to the number of players, 2"
    )
    assert refused[1][1] == "rules.players = 5: must be an integer from 2 to 4"
    with pytest.raises(UserError, match=r"no such number of players: rules\.players = 9"):
        for_players("uplink/v1.1", (), [9])


def test_a_game_without_the_option_has_its_own_number() -> None:
    own = drafts.load("uplink/v1.1").options
    assert options.integers(own, "rules", "players") == range(2, 5)
    for table, key in (("rules", "next_lead"), ("rules", "nothing"), ("nothing", "players")):
        assert len(options.integers(own, table, key)) == 0


def test_a_cell_is_the_run_of_its_draft_and_bot(matrix: Matrix) -> None:
    assert [(cell.players, cell.run.level) for cell in matrix.cells] == [
        (players, level) for players in (2, 3, 4) for level in ("random", "heuristic")
    ]
    cell = matrix.cells[-1]
    rows = cell.run.batch.play(0, 4000).rows
    wins = []
    for seat in range(4):
        measure = cell.run.batch.measures.list[cell.run.batch.measures.keys.index(("win", "seat", seat))]
        wins.append(rows[:, list(measure.numerator)].sum(axis=1) / measure.scale)
    wanted = seats.fair(list(zip(*wins, strict=True)))
    assert cell.word == wanted.word == "no"
    row = fairness.cell_row(cell)
    for seat, one in enumerate(wanted.seats):
        assert row["win_share"][seat] == pytest.approx(one.estimate.value + 0.25)
        assert row["intervals"][seat] == pytest.approx([one.estimate.low + 0.25, one.estimate.high + 0.25])
    assert row["deviation"] == pytest.approx(max(abs(one.estimate.value) for one in wanted.seats))
    assert row["deviation_low"] > 0.01
    assert (row["more_matches"], row["more_matches_low"], row["more_matches_high"]) == (0, 0, 0)
    assert row["furthest_seat"] == 3
    unsure = fairness.cell_row(matrix.cells[-2])
    assert unsure["fair"] == "undecided"
    assert 0 < unsure["more_matches_low"] <= unsure["more_matches"] <= unsure["more_matches_high"]
    # 24,000 matches decide an exactly fair game of four in four of five runs.
    assert 8_000 < unsure["more_matches"] < 80_000


def test_nothing_depends_on_threads(matrix: Matrix) -> None:
    again = fairness.play(spec_of(), threads=1)
    assert fairness.seat_rows(again) == fairness.seat_rows(matrix)


# ---- words ----------------------------------------------------------------------------------------------


def test_the_terminal(matrix: Matrix) -> None:
    lines = terminal.lines(matrix.report, 79)
    assert all(len(line) <= 79 for line in lines)
    text = flat(lines)
    assert re.search(r"4 +heuristic +no +seat 4 +\+\d\.\d\d", "\n".join(lines))
    assert re.search(r"4 +random +undecided +seat \d +[+−]\d\.\d\d +[\d,]+", "\n".join(lines))
    assert "Not playable with 9 players: rules.players = 9: must be an integer from 2 to 4." in text
    fair = fairness.play(spec_of(20_000, 0.03, ("random",)), threads=2)
    assert fair.report.headline == [
        "uplink/v1.1 is fair with 2, 3 and 4 players, played by random: every seat wins its fair share within 3 percentage points."
    ]


def test_the_headline_names_what_is_not_fair_and_the_worst_seat(matrix: Matrix) -> None:
    first, *worst, more = matrix.report.headline
    assert first.startswith(
        "uplink/v1.1 is not fair for 2 players (heuristic), 3 players (heuristic) and 4 players (heuristic)"
    )
    assert "undecided for " in first
    assert any(
        re.match(r"With 4 players \(heuristic\), seat 4 wins \d\.\d points more than a fair share: 3", text)
        for text in worst
    )
    assert re.match(r"About [\d,]+ more matches of each \([\d,]+ to .*\) should settle the rest\.", more)
    assert len(matrix.report.headline) <= 6


def test_one_match_decides_nothing() -> None:
    few = fairness.play(spec_of(2).changed(cut=[1] * 6))
    assert {cell.word for cell in few.cells} == {"undecided"}
    assert all(row["more_matches"] is None for row in few.summary()["cells"])
    assert "–" in flat(terminal.lines(few.report, 79))
    assert page(few.report, {})


def test_the_page(matrix: Matrix) -> None:
    text = told(page(matrix.report, {}))
    assert "uplink/v1.1: is every seat fair?" in text
    assert "rules.players = 9: must be an integer from 2 to 4" in text
    for cell in matrix.cells:
        for share in fairness.cell_row(cell)["win_share"]:
            assert f"{100 * share:.2f}" in text


def test_the_page_escapes_what_a_stranger_wrote() -> None:
    spec = spec_of(30)
    wicked = dataclasses.replace(spec.drafts[0], name=EVIL, notes=EVIL)
    evil = spec.changed(drafts=[wicked, *spec.drafts[1:]], refused=((9, EVIL),))
    html = page(fairness.play(evil).report, {"command": ["fairness", EVIL]})
    assert "<script" not in html
    assert "&lt;script&gt;" in html


# ---- the command ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--players", "two"], ["--players two", "2,3,4"]),
        (["--players", "3,3"], ["--players 3,3", "twice"]),
        (["--players", "9"], ["rules.players = 9", "from 2 to 4"]),
        (["--levels", "greddy"], ["greddy", "did you mean 'greedy'"]),
        (["--levels", "greedy,greedy"], ["--levels greedy,greedy"]),
        (["--margin", "1"], ["share=1", "1pp"]),
        (["--matches", "0"], ["--matches"]),
        (["--level", "greedy"], ["--level", "--levels"]),
    ],
)
def test_wrong_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    code, out, err = call(capsys, "fairness", "uplink/v1.1", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    for part in parts:
        assert part in err
    assert not Path("results").exists()


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--matches",
        "200",
        "--players",
        "3,5",
        "--levels",
        "random,first",
        "--margin",
        "2pp",
        "--no-save",
        "--json",
    ]
    code, out, _ = call(capsys, "fairness", "uplink/v1.1", *words)
    data = json.loads(out)
    assert code == 0
    assert set(data) == {
        "game", "draft", "levels", "players", "refused", "margin", "seed", "complete", "cells", "seconds", "results",
    }  # fmt: skip
    assert (data["draft"], data["players"], data["margin"], data["results"]) == (
        "uplink/v1.1",
        [3],
        0.02,
        None,
    )
    assert data["refused"] == [{"players": 5, "reason": "rules.players = 5: must be an integer from 2 to 4"}]
    assert [(cell["players"], cell["level"]) for cell in data["cells"]] == [(3, "random"), (3, "first")]
    assert sum(data["cells"][0]["win_share"]) == pytest.approx(1)
    assert len(data["cells"][0]["intervals"]) == 3


def test_rerun_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "fairness", "uplink/v1.1", "--matches", "300", "--levels", "random", "--set", "points.K=3")
    (folder,) = Path("results/uplink-v1.1-fairness").iterdir()
    assert {path.name for path in folder.iterdir()} == {"manifest.json", "fairness.parquet", "report.html"}
    code, out, _ = call(capsys, "rerun", str(folder), "--threads", "1")
    assert code == 0
    assert "byte for byte" in out


def digests(folder: Path) -> str:
    return hashlib.sha256((folder / "fairness.parquet").read_bytes()).hexdigest()


def test_cut_short_it_leaves_the_cells_that_were_played_and_plays_them_again(tmp_path: Path) -> None:
    asked = itertools.count()
    spec = spec_of(10**7, levels=("random",))
    spec = spec.changed(cut=[200, 10**7, 10**7])
    cut = fairness.play(spec, stop=lambda: next(asked) > 8)
    assert not cut.complete
    done = [cell.run.totals.matches for cell in cut.cells]
    assert done[0] == 200
    assert 0 < done[1] < 10**6
    assert done[2] == 0
    assert "not played" in flat(terminal.lines(cut.report, 79))
    assert "Partial result" in page(cut.report, {})
    folder = lifecycle.save(cut, tmp_path)
    manifest = manifests.read(folder)
    assert manifest["partial"] is True
    again = lifecycle.save(fairness.play(Spec.read(manifest, "m")), tmp_path / "again")
    assert digests(again) == digests(folder)
    rows = pq.read_table(folder / "fairness.parquet").to_pylist()
    assert [row["players"] for row in rows] == [2] * 2 + [3] * 3
    with pytest.raises(UserError, match="interrupted before"):
        fairness.play(spec.changed(cut=[0, 0, 0]))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("spec/levels", 5), ("spec/levels", [5]), ("spec/levels", []), ("spec/margin", 2.0), ("spec/margin", "1"),
        ("spec/refused", 5), ("spec/drafts", []), ("spec/cut", ["x"]), ("played/matches", [1]), ("played/matches", ["x"] * 6),
        ("played/matches", [0] * 6),
    ],
)  # fmt: skip
def test_damaged_manifests(matrix: Matrix, tmp_path: Path, place: str, value: Any) -> None:
    manifest = copy.deepcopy(manifests.read(lifecycle.save(matrix, tmp_path)))
    part, key = place.split("/")
    with pytest.raises(UserError, match="m: damaged manifest") as caught:
        Spec.read({**manifest, part: {**manifest[part], key: value}}, "m")
    assert len(str(caught.value).splitlines()) == 1
