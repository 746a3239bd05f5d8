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
from experiments.report.fairness import page
from experiments.studies import lifecycle as store
from experiments.studies.fairness import play as fairness
from experiments.studies.fairness import show as show_fairness
from experiments.studies.fairness import store as fairness_store
from experiments.studies.fairness.play import Matrix, Spec
from sim import drafts, options
from sim.errors import UserError
from tests.support_cli import call

EVIL = '<script>alert(1)</script> & "x"'


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def spec_of(
    matches: int = 4000, margin: float = 0.01, levels: tuple[str, ...] = ("random", "heuristic")
) -> Spec:
    found, refused = fairness.for_players("uplink/v1.1", (), [2, 3, 4, 9])
    return Spec(found, list(levels), [matches] * (len(found) * len(levels)), 1, margin, refused)


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return fairness.play(spec_of(), threads=2)


def flat(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


# ---- what is played -------------------------------------------------------------------------------------


def test_every_number_of_players_that_the_game_knows_and_why_not_the_others() -> None:
    found, refused = fairness.for_players("uplink/v1.1", ())
    assert [draft.players for draft in found] == [2, 3, 4]
    assert refused == []
    found, refused = fairness.for_players("uplink/v1.1", ("rules.left_behind=3",), [2, 3, 5])
    assert [draft.players for draft in found] == [3]
    assert [players for players, _ in refused] == [2, 5]
    assert refused[0][1].startswith(
        "rules.left_behind = 3: must be an integer from 0 to the number of players, 2"
    )
    assert refused[1][1] == "rules.players = 5: must be an integer from 2 to 4"
    with pytest.raises(UserError, match=r"no such number of players: rules\.players = 9"):
        fairness.for_players("uplink/v1.1", (), [9])


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
    lines = show_fairness.lines(matrix)
    assert all(len(line) <= 79 for line in lines)
    text = flat(lines)
    assert text.startswith("uplink/v1.1: fairness by players and bot, 4,000 matches a cell, seed 1")
    assert re.search(r"heuristic +no +seat \d [+−]\d\.\d\d \[[+−]\d\.\d\d, [+−]\d\.\d\d\]", "\n".join(lines))
    assert re.search(
        r"random +undecided \([\d,.]+M?\) +seat \d [+−]\d\.\d\d \[[+−]\d\.\d\d, [+−]\d\.\d\d\]",
        "\n".join(lines),
    )
    assert "Not with 9 players: rules.players = 9: must be an integer from 2 to 4." in text
    assert "every seat wins 1/n within 1 percentage point" in text
    assert "yes" in flat(show_fairness.lines(fairness.play(spec_of(20_000, 0.03, ("random",)), threads=2)))


def test_one_match_decides_nothing() -> None:
    few = fairness.play(spec_of(1))
    assert {cell.word for cell in few.cells} == {"undecided"}
    assert all(row["more_matches"] is None for row in few.summary()["cells"])
    assert "–" in flat(show_fairness.lines(few))
    assert page(few, {})


def test_the_page(matrix: Matrix) -> None:
    text = " ".join(re.sub(r"<[^>]*>", " ", page(matrix, {})).split())
    assert "uplink/v1.1: is every seat fair?" in text
    assert "Not fair" in text
    assert "4 players, heuristic: seat 0 wins less than its fair share, 21" in text
    assert "seat 3 wins more than its fair share, 3" in text
    assert "A fair share is 25%." in text
    assert re.search(r"random: not enough matches yet\. About [\d,]+ more matches \([\d,]+ to", text)
    assert "rules.players = 9: must be an integer from 2 to 4" in text
    for cell in matrix.cells:
        for share in fairness.cell_row(cell)["win_share"]:
            assert f"{100 * share:.2f}" in text


def test_the_page_escapes_what_a_stranger_wrote() -> None:
    spec = spec_of(30)
    wicked = dataclasses.replace(spec.drafts[0], name=EVIL, notes=EVIL)
    evil = dataclasses.replace(spec, drafts=[wicked, *spec.drafts[1:]], refused=[(9, EVIL)])
    html = page(fairness.play(evil), {"command": ["fairness", EVIL]})
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
    spec = dataclasses.replace(spec, matches=[200, 10**7, 10**7])
    cut = fairness.play(spec, stop=lambda: next(asked) > 8)
    assert not cut.complete
    done = [cell.run.totals.matches for cell in cut.cells]
    assert done[0] == 200
    assert 0 < done[1] < 10**6
    assert done[2] == 0
    assert "not played" in flat(show_fairness.lines(cut))
    assert "Partial result" in page(cut, {})
    folder = fairness_store.save(cut, tmp_path)
    manifest = store.read_manifest(folder)
    assert manifest["partial"] is True
    again = fairness_store.save(fairness.play(fairness_store.spec_of(manifest, "m")), tmp_path / "again")
    assert digests(again) == digests(folder)
    rows = pq.read_table(folder / "fairness.parquet").to_pylist()
    assert [row["players"] for row in rows] == [2] * 2 + [3] * 3
    with pytest.raises(UserError, match="interrupted before"):
        fairness.play(dataclasses.replace(spec, matches=[0, 0, 0]))


@pytest.mark.parametrize(
    ("key", "value"),
    [("levels", 5), ("levels", [5]), ("matches_done", [1]), ("matches_done", ["x"]), ("margin", 2.0), ("refused", 5), ("drafts", [])],
)  # fmt: skip
def test_damaged_manifests(matrix: Matrix, tmp_path: Path, key: str, value: Any) -> None:
    manifest = copy.deepcopy(store.read_manifest(fairness_store.save(matrix, tmp_path)))
    with pytest.raises(UserError, match="m: damaged manifest"):
        fairness_store.spec_of({**manifest, key: value}, "m")
