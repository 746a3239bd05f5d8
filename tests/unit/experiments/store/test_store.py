"""Stored studies: whole or not at all, complete enough to be played again byte for byte, safe to read."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from experiments.store import folders, manifests
from experiments.studies import lifecycle
from experiments.studies.compare.play import Comparison, play
from experiments.studies.compare.spec import Spec
from experiments.studies.run.play import play as play_run
from experiments.studies.run.spec import Spec as RunSpec
from sim import drafts
from sim.drafts import Draft
from sim.errors import UserError
from strategies import registry as strategies
from tests import support

LINEUP = "random,first,first,random"
SEED = 2**63 - 1
SPEC = Spec(
    [
        drafts.load("uplink/v1.1"),
        drafts.load("uplink/v1.1", ("rules.left_behind=2", "points.HQ=4")),
        drafts.load("uplink/personal-decks"),
    ],
    LINEUP,
    402,
    seed=SEED,
)


@pytest.fixture(scope="module")
def played() -> Comparison:
    return play(SPEC, threads=1)


@pytest.fixture
def saved(played: Comparison, tmp_path: Path) -> Path:
    return lifecycle.save(played, tmp_path)


def _small(**changes: Any) -> RunSpec:
    return RunSpec(**{"draft": SPEC.drafts[0], "lineup": LINEUP, "matches": 4, **changes})


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.parquet")}


# ---- writing --------------------------------------------------------------------------------------------


def test_the_manifest_says_what_was_played(saved: Path) -> None:
    manifest = json.loads((saved / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == manifests.read(saved) == manifests.read(saved / "manifest.json")
    assert (manifest["format"], manifest["question"], manifest["game"]) == (2, "compare", "uplink")
    spec = manifest["spec"]
    assert (spec["lineups"], spec["seed"], spec["matches"]) == ([LINEUP], SEED, 402)
    assert (manifest["played"]["matches"], manifest["partial"]) == ([402], False)
    assert spec["fixed_seats"] is False
    assert manifest["files"] == {"bots": None, "weights": {}}
    assert (manifest["study"], manifest["run_id"]) == (saved.parent.name, saved.name)
    assert f"-{manifest['cell'][:8]}-" in manifest["run_id"]
    # The drafts in full: nothing has to be looked up in a file that may change.
    assert [entry["tables"] for entry in spec["drafts"]] == [draft.tables() for draft in SPEC.drafts]
    assert spec["drafts"][1]["changes"] == ["rules.left_behind=2", "points.HQ=4"]
    assert manifest["labels"][1] == "uplink/v1.1 [rules.left_behind=2, points.HQ=4]"
    assert manifest["tables"] == digests(saved)
    assert {"estimates.parquet", "scores.parquet", "differences.parquet"} < set(manifest["tables"])
    assert {"python", "numpy", "numba"} <= set(manifest["versions"])
    assert manifest["seconds"] >= 0
    assert manifest["created"].startswith("20")
    # Nothing of where it was run, but for what was typed.
    del manifest["command"]
    assert str(saved.parent.parent) not in json.dumps(manifest)


def test_the_tables_hold_every_estimate(saved: Path, played: Comparison) -> None:
    (study,) = played.studies
    estimates = pq.read_table(saved / "estimates.parquet").to_pylist()
    assert len(estimates) == sum(len(run.estimates) for run in study.runs)
    row = next(
        r
        for r in estimates
        if r["draft"] == "uplink/personal-decks"
        and r["measure"] == "win"
        and r["seat"] == 3
        and r["bot"] is None
    )
    estimate = study.runs[2].estimates["win", "seat", 3]
    assert [row[key] for key in ("value", "se", "low", "high", "blocks")] == list(
        dataclasses.astuple(estimate)
    )
    keys = [tuple(r[key] for key in ("draft", "measure", "seat", "bot", "place")) for r in estimates]
    assert len(set(keys)) == len(keys)
    scores = pq.read_table(saved / "scores.parquet").to_pylist()
    for draft in LABELS:
        assert sum(r["matches"] for r in scores if r["draft"] == draft) == 4 * 402
    differences = pq.read_table(saved / "differences.parquet").to_pylist()
    assert {r["draft"] for r in differences} == set(LABELS[1:])
    assert {r["base"] for r in differences} == {"uplink/v1.1"}
    assert all(r["paired"] for r in differences)


LABELS = [draft.label for draft in SPEC.drafts]


def test_tables_as_csv_stand_beside(tmp_path: Path) -> None:
    result = play_run(_small(), threads=1)
    folder = lifecycle.save(result, tmp_path, csv=True)
    assert {path.stem for path in folder.glob("*.csv")} == {path.stem for path in folder.glob("*.parquet")}
    for path in folder.glob("*.csv"):
        table = pq.read_table(path.with_suffix(".parquet"))
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].replace('"', "").split(",") == table.schema.names
        assert len(lines) == table.num_rows + 1
    assert not list(lifecycle.save(result, tmp_path).glob("*.csv"))


def test_a_single_draft_has_no_differences(tmp_path: Path) -> None:
    folder = lifecycle.save(play_run(_small(matches=8), threads=1), tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [
        "estimates.parquet",
        "manifest.json",
        "report.html",
        "scores.parquet",
    ]


def test_a_failing_report_leaves_nothing_behind(tmp_path: Path) -> None:
    def fails(manifest: dict[str, Any]) -> str:
        raise RuntimeError("no report")

    content = folders.Content("s", "c" * 64, {}, lambda folder: None, fails)
    with pytest.raises(RuntimeError, match="no report"):
        folders.save(content, tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert [path for path in tmp_path.rglob("*") if len(path.relative_to(tmp_path).parts) > 1] == []


def test_the_report_gets_the_manifest_and_stands_beside_it(tmp_path: Path) -> None:
    def tells(manifest: dict[str, Any]) -> str:
        return f"<p>{manifest['run_id']} ♠</p>"

    content = folders.Content("s", "c" * 64, {}, lambda folder: None, tells)
    folder = folders.save(content, tmp_path, "my.study-1")
    assert (folder / "report.html").read_text(encoding="utf-8") == f"<p>{folder.name} ♠</p>"
    assert folder.parent == tmp_path / "my.study-1"


def test_two_runs_of_a_second_do_not_meet(tmp_path: Path) -> None:
    result = play_run(_small(), threads=1)
    made = [lifecycle.save(result, tmp_path) for _ in range(3)]
    assert len(set(made)) == 3
    assert all(digests(folder) == digests(made[0]) for folder in made)
    assert {folder.parent for folder in made} == {made[0].parent}
    assert not list(tmp_path.rglob(".part-*"))


def test_a_folder_that_cannot_be_written(played: Comparison, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be written"):
        lifecycle.save(played, tmp_path / "file")


# ---- names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "A.b_c-1", "0", "x" * 100, "ä", "大富豪", "카드", "क्ष", "a-", "comic"])
def test_study_names(name: str) -> None:
    assert folders.check_study(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        ".hidden",
        "-x",
        "_x",
        "a/b",
        "a\\b",
        "../a",
        "a/../b",
        "/a",
        "a b",
        "a\n",
        "a\0",
        "a.",
        "con",
        "Aux.txt",
        "COM1",
        "札" * 41,
        "a\u202eb",
        "\u0301a",
        "札\u3000札",
        "🂡",
        "C:",
        "~",
        "x" * 101,
    ],
)
def test_refused_study_names(name: str, played: Comparison, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--study"):
        folders.check_study(name)
    if name:
        with pytest.raises(UserError, match="--study"):
            lifecycle.save(played, tmp_path / "root", name)
        assert not (tmp_path / "root").exists()
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("大富豪 ローカル", "大富豪-ローカル"),
        ("\u30cf\u3099\u30c8\u30eb", "バトル"),  # the dots as a character of their own, as macOS writes them
        ("Überraschung, heute!", "Überraschung-heute"),
        ("हिन्दी", "हिन्दी"),
        ("uplink/v1.1 [rules.players=3]", "uplink-v1.1-rules.players-3"),
        ('a\\b:c|d"e*f?g<h>i', "a-b-c-d-e-f-g-h-i"),
        ("../../etc", "etc"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("evil\u202egpj.exe\u2066\u200f", "evil-gpj.exe"),
        ("a\x00b\x1b[31mc\x9bd\ne", "a-b-31mc-d-e"),
        ("trailing. . .", "trailing.-.-"),
        ("dots...", "dots"),
        ("con", "x-con"),
        ("Lpt9.old.txt", "x-Lpt9.old.txt"),
        ("console", "console"),
        ("札" * 300, "札" * 40),
        ("a" + "札" * 300, "a" + "札" * 39),
        ("x" * 300, "x" * 100),
        ("x" * 99 + "..y", "x" * 99),
        ("\ud800x", "x"),
    ],
)
def test_names_of_folders_keep_the_letters_of_every_script(name: str, folder: str, tmp_path: Path) -> None:
    made = folders.as_name(name)
    assert made == folder
    assert folders.check_study(made) == made
    (tmp_path / made).mkdir()
    assert [path.name for path in tmp_path.iterdir()] == [made]


@pytest.mark.parametrize("name", ["../../x", "/etc", "a b", "札", "..", "x" * 300, "a\nb", "con"])
def test_names_made_from_drafts_are_safe(name: str) -> None:
    draft = dataclasses.replace(SPEC.drafts[0], name=name)
    for made in (SPEC.changed(drafts=[draft, draft]).folder_name, _small(draft=draft).folder_name):
        assert folders.check_study(made) == made
        assert "/" not in made


def test_a_japanese_draft_has_a_folder_of_its_name(tmp_path: Path) -> None:
    draft = dataclasses.replace(SPEC.drafts[0], name="役札なし 改")
    result = play_run(_small(draft=draft), threads=1)
    folder = lifecycle.save(result, tmp_path)
    assert folder.parent.name == "uplink-役札なし-改"
    assert manifests.read(folder)["study"] == "uplink-役札なし-改"
    again = lifecycle.save(result, tmp_path, "\u30cf\u3099\u30c8\u30eb")
    assert again.parent.name == "バトル"


# ---- played again ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_again_from_the_manifest_is_the_same_to_the_byte(
    saved: Path, threads: int, tmp_path: Path
) -> None:
    spec = Spec.read(manifests.read(saved))
    assert (spec.seed, spec.matches, spec.lineups, spec.fixed_seats) == (SEED, 402, (LINEUP,), False)
    assert [draft.label for draft in spec.drafts] == LABELS
    again = lifecycle.save(play(spec, threads=threads), tmp_path / "again")
    assert digests(again) == digests(saved)
    first, second = manifests.read(saved), manifests.read(again)
    assert first["cell"] == second["cell"]
    assert first["spec"] == second["spec"]


def test_a_partial_run_again_plays_what_was_done(tmp_path: Path) -> None:
    def stop(done: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    folder = lifecycle.save(play_run(_small(matches=10**9), threads=2, on_progress=stop), tmp_path)
    manifest = manifests.read(folder)
    assert manifest["partial"]
    assert manifest["spec"]["matches"] == 10**9
    again = lifecycle.save(play_run(RunSpec.read(manifest), threads=1), tmp_path / "again")
    assert digests(again) == digests(folder)
    assert manifests.read(again)["spec"]["matches"] == manifest["played"]["matches"] < 10**6


def test_everything_that_changes_the_tables_changes_the_cell(tmp_path: Path) -> None:
    others: list[dict[str, Any]] = [
        {},
        {"seed": 5},
        {"matches": 8},
        {"lineups": "first,random,first,random"},
        {"fixed_seats": True},
        {"drafts": SPEC.drafts[:2]},
        {"drafts": SPEC.drafts[1::-1]},
    ]
    cells = set()
    for number, changes in enumerate(others):
        folder = lifecycle.save(
            play(SPEC.changed(**{"matches": 4, **changes}), threads=1), tmp_path / str(number)
        )
        cells.add(manifests.read(folder)["cell"])
    assert len(cells) == len(others)


BOTS = '''
from strategies import strategy

@strategy("uplink", "from_a_file", jit=False)
def from_a_file(view, rules, me):
    """Plays the last card."""
    move, choices = 0, int(view["choices"])
    for _ in range(int(view["pick"])):
        top = 1 << (choices.bit_length() - 1)
        move, choices = move | top, choices & ~top
    return move
'''


def test_a_users_own_bots_are_asked_for_and_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategies, "_bots", dict(strategies._bots))
    bots, others = tmp_path / "bots.py", tmp_path / "others.py"
    bots.write_text(BOTS, encoding="utf-8")
    others.write_text(BOTS + "\n", encoding="utf-8")
    spec = RunSpec("uplink/v1.1", "from_a_file", 4, bots_file=bots)
    folder = lifecycle.save(play_run(spec, threads=1), tmp_path / "out")
    manifest = manifests.read(folder)
    assert manifest["files"]["bots"] == hashlib.sha256(bots.read_bytes()).hexdigest()
    assert str(bots) not in (folder / "manifest.json").read_text(encoding="utf-8")
    for wrong in (None, others):
        with pytest.raises(UserError, match="name the same file with --bots"):
            RunSpec.read(manifest, "m", wrong)
    again = lifecycle.save(play_run(RunSpec.read(manifest, "m", bots), threads=1), tmp_path / "again")
    assert digests(again) == digests(folder)


# ---- damaged manifests ----------------------------------------------------------------------------------


def test_files_that_are_no_manifest(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    cases: list[tuple[bytes, str]] = [
        (b"", "not a manifest"),
        (b"{", "not a manifest"),
        (b"\xff\xfe", "not a text file"),
        (b"[" * 100_000, "not a manifest"),
        (b"[]", "not a manifest of format 2"),
        (b"{}", "not a manifest of format 2"),
        (b'{"format": 3}', "not a manifest of format 2"),
        (b'{"format": "2"}', "not a manifest of format 2"),
        (b'{"format": 1}', "a manifest of format 1, from a version before"),
        (b" " * 10_000_001, "larger than"),
    ]
    for data, message in cases:
        path.write_bytes(data)
        with pytest.raises(UserError, match=message) as caught:
            manifests.read(path)
        assert str(caught.value).startswith(str(path))
    with pytest.raises(UserError, match="no such file"):
        manifests.read(tmp_path / "none")


DAMAGE: list[tuple[str, Any, str]] = [
    ("game", "uplnk", "did you mean 'uplink'"),
    ("game", 5, "m: "),
    ("game", ["uplink"], "damaged manifest"),
    ("rules_version", 99, "version 99 of the rules"),
    ("rules_version", None, "of the rules"),
    ("spec", [], "damaged manifest"),
    ("spec", None, "damaged manifest"),
    ("spec/drafts", [], "m: "),
    ("spec/drafts", 5, "m: "),
    ("spec/drafts", [5], "damaged manifest"),
    ("spec/drafts", [{}], "damaged manifest"),
    ("spec/lineups", 5, "m: "),
    ("spec/more", 5, "unknown key, 'more'"),
    ("played", 5, "damaged manifest"),
    ("played/matches", "4", "m: "),
    ("played/matches", [4.5], "m: "),
    ("played/matches", [True], "m: "),
    ("spec/seed", None, "m: "),
    ("spec/drafts/0/tables", [], "damaged manifest"),
    (
        "spec/drafts/0/tables",
        {"rules": {"players": 9}},
        "m: rules.players = 9: must be an integer from 2 to 4",
    ),
    ("spec/drafts/0/tables", {"rulez": {}}, "m: rulez: unknown table"),
    ("spec/drafts/0/tables", {"rules": {"plyers": 3}}, "m: rules.plyers: unknown key"),
    ("spec/drafts/0/tables", {"rules": 5}, "m: "),
    ("spec/drafts/0/tables", {"points": {"Q": True}}, "m: points.Q = True"),
    ("spec/drafts/0/tables", {"points": 5}, "m: "),
    ("spec/drafts/0/changes", 5, "damaged manifest"),
]


@pytest.mark.parametrize(("place", "value", "message"), DAMAGE)
def test_damaged_manifests(place: str, value: Any, message: str, saved: Path) -> None:
    manifest = copy.deepcopy(manifests.read(saved))
    inside: Any = manifest
    *path, last = [int(part) if part.isdigit() else part for part in place.split("/")]
    for part in path:
        inside = inside[part]
    inside[last] = value
    with pytest.raises(UserError) as caught:
        Spec.read(manifest, "m")
    assert message in str(caught.value)
    assert str(caught.value).startswith("m: ")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("key", ["game", "rules_version", "spec", "played", "files"])
def test_a_manifest_without_a_key(key: str, saved: Path) -> None:
    manifest = {name: value for name, value in manifests.read(saved).items() if name != key}
    with pytest.raises(UserError, match=rf"m: damaged manifest \('{key}'"):
        Spec.read(manifest, "m")


def test_a_manifest_cannot_make_a_draft_unlike_a_file(saved: Path) -> None:
    """The same checks: what a manifest may hold is what a draft may hold."""
    (draft, *_) = Spec.read(manifests.read(saved)).drafts
    assert isinstance(draft, Draft)
    assert draft.tables() == SPEC.drafts[0].tables()
    assert draft.record().tobytes() == SPEC.drafts[0].record().tobytes()


# ---- what a killed run leaves ---------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be held there")
def test_what_killed_runs_left_is_cleared_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    """A killed process, a living one that writes, and a folder named after a living process."""
    program = (
        "import sys, time; from pathlib import Path; from experiments.store import folders\n"
        "def wait(part):\n"
        "    (part / 'x').touch(); print('writing', flush=True); time.sleep(600)\n"
        "content = folders.Content('s', 'c' * 64, {}, wait, str)\n"
        "folders.save(content, Path(sys.argv[1]))\n"
    )
    words = [sys.executable, "-c", program, str(tmp_path)]
    runs = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=support.ROOT) for _ in range(2)]
    try:
        for run in runs:
            assert run.stdout is not None
            assert run.stdout.readline() == "writing\n"
        killed, living = runs
        killed.kill()
        killed.wait()
        parent = tmp_path / "s"
        named = parent / f".part-of-an-earlier-version-{os.getpid()}"
        named.mkdir()
        left = parent / f".part-x.toml-{killed.pid}"
        left.touch()
        folders.prepare(tmp_path, "s")
        kept = {path.name.rpartition("-")[2] for path in parent.glob(".part-*")}
        assert kept == {str(living.pid), str(os.getpid())}
        assert len(list(parent.glob(f".part-*-{living.pid}/x"))) == 1
    finally:
        for run in runs:
            run.kill()
            run.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be held there")
def test_a_part_is_kept_while_it_is_held_even_where_its_process_is_not_seen(tmp_path: Path) -> None:
    """As from another container, which has numbers of its own for its processes."""
    import fcntl

    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    part = tmp_path / "s" / f".part-run-{gone.pid}"
    part.mkdir(parents=True)
    handle = os.open(part, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    folders.prepare(tmp_path, "s")
    assert part.exists()
    os.close(handle)
    folders.prepare(tmp_path, "s")
    assert not part.exists()


def test_a_name_that_the_file_system_cannot_write_is_told_in_a_line(tmp_path: Path) -> None:
    draft = tmp_path / "ja.toml"
    draft.write_text('game = "uplink"\nname = "面札"\nextends = "v1.1"\n', encoding="utf-8")
    words = ["run", "ja.toml", "--matches", "8", "--lineup", "random", "--threads", "1"]
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-m", "experiments", *words], cwd=tmp_path, capture_output=True, check=False,
        env={**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONPATH": str(support.ROOT)},
    )  # fmt: skip
    if done.returncode == 0:
        pytest.skip("the file system takes every letter here")
    assert done.returncode == 2
    assert b"encoding" in done.stderr
    assert done.stderr.count(b"\n") == 1
