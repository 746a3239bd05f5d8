"""`tefuda compare` as a user meets it: its words, its JSON, what it leaves on disk, its page, and wrong input."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import hashlib
import json
import re
from pathlib import Path
from typing import Any, cast

import pyarrow.parquet as pq
import pytest

from experiments.cli import main as cli
from experiments.metrics.verdicts import Verdict
from experiments.play import margins
from experiments.play.matches import Spec as StudySpec
from experiments.report.page import comparison_page
from experiments.stats import Estimate
from experiments.store import frames
from experiments.studies.compare import lineups, verdict_words
from experiments.studies.compare import play as comparison
from experiments.studies.compare import show as show_comparison
from experiments.studies.compare import store as comparison_store
from experiments.studies.compare.hypotheses import Design
from experiments.studies.compare.play import Comparison, Spec
from sim import drafts
from sim.errors import UserError
from tests.unit.experiments.test_cli import call, interrupt, start

EVIL = '<script>alert(1)</script> & "x"'
CLUBS = ("points.CQ=4",)
FACES = ("points.J=-1", "points.Q=-1", "points.K=-1")
BASE = ("compare", "uplink/v1.1", "uplink/personal-decks")


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(
    names: tuple[str, ...], matches: int, *, until_decided: bool = False, draft: str = "uplink/personal-decks"
) -> Comparison:
    found = [drafts.load("uplink/v1.1"), drafts.load(draft)]
    design = Design.of(matches, margins.read([]), until_decided=until_decided)
    return comparison.play(Spec([StudySpec(found, name, matches, 1) for name in names], design), threads=2)


@pytest.fixture(scope="module")
def fixed() -> Comparison:
    return play(("random",), 3000)


@pytest.fixture(scope="module")
def disagreeing() -> Comparison:
    """Personal decks favour seat 2 among greedy players and hurt it among heuristic ones."""
    return play(("heuristic", "greedy"), 60_000, until_decided=True)


def flat(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


# ---- wrong input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--margin", "shares=1pp"], ["--margin shares=1pp", "did you mean 'share'"]),
        (["--margin", "share=1"], ["--margin share=1", "1pp (percentage points)"]),
        (["--margin", "score=0sd"], ["--margin score=0sd", "above 0"]),
        (["--levels", "heuristic"], ["--levels heuristic", "two line-ups", "--lineup"]),
        (["--levels", "heuristic,"], ["two line-ups"]),
        (["--levels", "greedy,greedy"], ["'greedy' is named twice"]),
        (["--levels", "heuristic,greddy"], ["greddy", "did you mean 'greedy'"]),
        (["--levels", "heuristic;greedy,random"], ["2 bots for 4 players"]),
        (["--levels", "heuristic,greedy", "--lineup", "random"], ["--levels", "in place of --lineup random"]),
        (["--at-most", "5"], ["--at-most 5", "--until-decided", "--matches 5"]),
        (["--until-decided", "--matches", "5"], ["--matches 5", "--at-most 5"]),
        (["--until-decided", "--at-most", "0"], ["--at-most"]),
        (["--until-decded"], ["--until-decded", "--until-decided"]),
        (["--matches", "0"], ["--matches 0"]),
    ],
)
def test_wrong_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    code, out, err = call(capsys, *BASE, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    for part in parts:
        assert part in err
    assert not Path("results").exists()


# ---- terminal -------------------------------------------------------------------------------------------


def test_every_line_says_its_verdict(fixed: Comparison) -> None:
    lines = show_comparison.lines(fixed)
    assert all(len(line) <= 79 for line in lines)
    by_title = {line[:34].strip(): line for line in lines if re.match(r"  \S.{30}\S? *[+-]", line)}
    for one in fixed.judged:
        name = show_comparison.show.title(fixed.run_of(one.claim), one.claim.key)
        assert by_title[name].split("]")[1].split()[0] == one.word, name
    assert "win share, all seats" not in by_title
    assert {one.word for one in fixed.judged} >= {"worse", "higher", "lower", "equivalent", "undecided"}
    text = flat(lines)
    assert (
        "Equivalent is a difference of no more than: shares 1 percentage point; scores 0.1 of a standard deviation ("
        in text
    )
    assert re.search(
        r"points\), 0\.01 at least; lengths and counts 5% of the first draft's, 0\.01 at least\.", text
    )
    assert not [
        line for line in lines if re.match(r"  win share.*%.*(better|worse|equivalent|undecided)", line)
    ]
    assert "22 claims" in text
    assert "Holm's correction" in text
    assert verdict_words.counts(fixed.judged) in text
    assert "WARNING" not in text


def test_distances_say_whether_they_are_more_than_noise(fixed: Comparison) -> None:
    lines = show_comparison.lines(fixed)
    place = lines.index("  how far the scores lie apart, over the first 2,000 deals (not judged):")
    assert re.fullmatch(
        r"  points to move a score {10}\d\.\d+ \[.*\] +beyond noise \(\d\.\d{3}\)", lines[place + 1]
    )
    assert re.fullmatch(
        r"  greatest gap of shares {10}[\d.]+ pp \[.*\] +beyond noise \(\d\.\d\d\)", lines[place + 2]
    )
    assert "Distances of distributions are no claims and get no verdict." in flat(lines)
    alike = show_comparison.lines(play(("random",), 300, draft="uplink/v1.1"))
    assert sum(line.endswith(("within noise (0.000)", "within noise (0.00)")) for line in alike) == 2
    assert not any(
        "apart" in line or "Distances" in line for line in show_comparison.lines(play(("random",), 1))
    )


def test_until_decided_says_what_it_rests_on(disagreeing: Comparison) -> None:
    text = flat(show_comparison.lines(disagreeing))
    assert (
        "called equivalent that is not (Holm's correction over all claims), whenever it ends, also by Ctrl-C"
        in text
    )
    assert "Ended at the limit of 60,000 matches" in text


def test_line_ups_that_disagree_are_warned_of(disagreeing: Comparison) -> None:
    lines = show_comparison.lines(disagreeing)
    assert all(len(line) <= 79 for line in lines)
    text = flat(lines)
    assert "WARNING: what the drafts change depends on who plays" in text
    assert "B, win share, seat 2: heuristic worse, greedy better" in text
    (row,) = [line for line in lines if line.startswith("  win share, seat 2") and line.endswith("disagree")]
    assert row.split()[4:10] == ["A", ">", "B", "B", ">", "A"]
    rows = lineups.disagreement_rows(disagreeing)
    assert rows[0]["verdicts"] == {"heuristic": "worse", "greedy": "better"}
    assert rows[0]["opposite"] is True
    # Undecided is no disagreement.
    assert not any("undecided" in found["verdicts"].values() for found in rows)


Said = tuple[str, float]


def saying(two: Comparison, first: Said, second: Said) -> Comparison:
    """Return a comparison in which both line-ups say this of the win share of seat 0: the verdict, and the difference."""
    said = dict(enumerate((first, second)))
    judged = []
    for one in two.judged:
        word, value = said[one.claim.level] if one.claim.key == ("win", "seat", 0) else ("undecided", 0.0)
        seen = Estimate(value, 0.001, value - 0.002, value + 0.002, 10_000)
        wide = value - 0.0035, value + 0.0035
        judged.append(dataclasses.replace(one, verdict=Verdict(seen, 0.01, cast("Any", word), 0.0, wide)))
    return dataclasses.replace(two, judged=judged)


@pytest.fixture(scope="module")
def two() -> Comparison:
    return play(("random", "first"), 60)


@pytest.mark.parametrize(
    ("first", "second", "told_apart"),
    [
        # Above 0 and within the margin: of one difference both are true.
        (("equivalent", 0.004), ("better", 0.005), False),
        # Intervals that each has alone do not overlap here, but those that hold for all claims at once do.
        (("equivalent", 0.004), ("better", 0.0085), False),
        (("equivalent", 0.004), ("better", 0.012), True),
        (("better", 0.012), ("equivalent", 0.004), True),
        (("equivalent", -0.004), ("worse", -0.012), True),
        (("better", 0.004), ("worse", -0.004), True),
        (("better", 0.004), ("better", 0.04), False),
        (("undecided", 0.004), ("better", 0.04), False),
    ],
)
def test_line_ups_disagree_only_where_their_differences_are_told_apart(
    two: Comparison, first: Said, second: Said, told_apart: bool
) -> None:
    found = saying(two, first, second)
    rows = lineups.disagreement_rows(found)
    text = flat(show_comparison.lines(found))
    assert ("WARNING" in text) is bool(rows) is told_apart
    assert ("No two line-ups are told apart by any measure" in text) is not told_apart
    if told_apart:
        opposite = {first[0], second[0]} == {"better", "worse"}
        assert [row["opposite"] for row in rows] == [opposite]
        assert rows[0]["verdicts"] == {"random": first[0], "first": second[0]}
        count = (
            "by 1 they decide to the opposite, by 0" if opposite else "by 0 they decide to the opposite, by 1"
        )
        assert f"By 1 measure line-ups are told apart: {count} they decide differently" in text


def test_intervals_of_all_claims_are_wider(two: Comparison) -> None:
    for found in (two, play(("random", "first"), 400, until_decided=True)):
        for one in found.judged:
            assert one.verdict is not None
            (low, high), seen = found.at_once(one), one.verdict.estimate
            assert low < seen.low <= seen.value <= seen.high < high


def test_line_ups_that_agree_say_so() -> None:
    text = flat(show_comparison.lines(play(("random", "first,random,random,first"), 400)))
    assert "No two line-ups are told apart by any measure" in text


def test_many_line_ups_take_a_line_each() -> None:
    names = ("random", "first,random,random,first", "first,first,random,random", "first,first,first,random")
    lines = show_comparison.lines(play(names, 4000))
    assert all(len(line) <= 79 for line in lines)
    place = lines.index("  sets_of_three")
    assert lines[place + 1 : place + 5] == [
        "    random                B > A",
        "    first,random,random,f B > A",
        "    first,first,random,ra B > A",
        "    first,first,first,ran B > A",
    ]


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, "unknown"), (0, "0"), (4, "4"), (101, "110"), (38_012, "39,000"), (999_999, "1.0 million"), (2.4e7, "24 million")],
)  # fmt: skip
def test_numbers_that_are_about_right_have_two_digits(count: float | None, text: str) -> None:
    assert verdict_words.about(count) == text


def test_where_games_are_counted_the_terminal_says_so() -> None:
    found = [drafts.load("daifugo/author", one) for one in ((), ("rules.exchange=[]",))]
    design = Design.of(120, margins.read([]), until_decided=False)
    played = comparison.play(Spec([StudySpec(found, "random", 120, 1)], design), threads=2)
    lines = show_comparison.lines(played)
    assert lines.count("  events, a game:") == 3
    assert any(line.startswith("  mean score a game, seat 0 ") for line in lines)
    assert all(len(line) <= 80 for line in lines)
    # What becomes of each place in the next game is a table of its own, and not judged.
    assert not any("place_transitions" in one.claim.key for one in played.judged)
    assert comparison_page(played, {})


def test_the_order_of_drafts() -> None:
    changes = [(), FACES, ("points.K=9",), ("points.K=-9",), ()]
    found = [drafts.load("uplink/v1.1", one) for one in changes]
    design = Design.of(3000, margins.read([]), until_decided=False)
    played = comparison.play(Spec([StudySpec(found, "random", 3000, 1)], design))
    scores = [one for one in played.judged if one.claim.key == ("score", "seat", 0)]
    assert lineups.ranking(scores) == "C > B > A = E > D"
    undecided = [dataclasses.replace(one, verdict=None) if one.claim.draft == 2 else one for one in scores]
    assert lineups.ranking(undecided) == "B > A = E > D; C?"


# ---- JSON -----------------------------------------------------------------------------------------------


def test_json_of_one_line_up_and_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*BASE, "--no-save", "--json", "--set", "points.K=-1"]
    code, out, _ = call(capsys, *words, "--matches", "300", "--lineup", "random", "--margin", "score=2points")
    data = json.loads(out)
    assert code == 0
    assert set(data) == {
        "drafts", "differences", "verdicts", "distances", "disagreements", "plan", "complete", "results",
    }  # fmt: skip
    assert data["plan"]["margins"] == {"share": "1pp", "score": "2points", "count": "5%"}
    assert len(data["plan"]["claims"]) == len(data["verdicts"]) == 22
    for row in data["verdicts"]:
        assert {
            "level",
            "draft",
            "base",
            "measure",
            "verdict",
            "margin",
            "low",
            "high",
            "more_matches",
        } <= set(row)
        assert row["more_matches"] > 0 if row["verdict"] == "undecided" else row["more_matches"] == 0
    assert [(row["distance"], row["unit"], row["deals"], row["paired"]) for row in data["distances"]] == [
        ("wasserstein", "points", 300, True),
        ("kolmogorov", "share", 300, True),
    ]
    for row in data["distances"]:
        assert 0 <= row["low"] <= row["value"] <= row["high"]
        assert 0 < row["noise"] < row["value"]
        assert 0 < row["p"] <= 0.05
    _, out, _ = call(capsys, *words, "--matches", "40", "--levels", "random;first,random,random,first")
    data = json.loads(out)
    assert [one["level"] for one in data["levels"]] == ["random", "first,random,random,first"]
    assert [len(one["drafts"]) for one in data["levels"]] == [2, 2]
    assert {row["level"] for row in data["verdicts"]} == {one["level"] for one in data["levels"]}


# ---- on disk --------------------------------------------------------------------------------------------


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.parquet")}


def test_the_manifest_holds_the_plan_and_the_tables_the_verdicts(
    disagreeing: Comparison, tmp_path: Path
) -> None:
    folder = comparison_store.save(disagreeing, tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["tables"] == digests(folder)
    plan = manifest["plan"]
    assert (plan["until_decided"], plan["first"], plan["growth"], plan["level"]) == (
        True,
        100,
        1.1,
        pytest.approx(0.05),
    )
    assert len(plan["claims"]) == len(disagreeing.judged)
    assert [one["aim"] for one in plan["claims"]] == [one.claim.aim for one in disagreeing.judged]
    assert [(one["name"], one["matches"]) for one in manifest["levels"]] == [
        ("heuristic", 60_000),
        ("greedy", 60_000),
    ]
    assert "scipy" in manifest["versions"]
    rows = pq.read_table(folder / "verdicts.parquet").to_pylist()
    assert [row["verdict"] for row in rows] == [one.word for one in disagreeing.judged]
    assert [row["margin"] for row in rows] == [one["margin"] for one in plan["claims"]]
    apart = pq.read_table(folder / "distances.parquet").to_pylist()
    assert apart == comparison_store.distance_rows(disagreeing)
    assert [(row["level"], row["deals"]) for row in apart] == [("heuristic", 2000)] * 2 + [
        ("greedy", 2000)
    ] * 2
    for name in ("estimates", "differences", "scores"):
        kept = pq.read_table(folder / f"{name}.parquet").to_pylist()
        assert {row["level"] for row in kept} == {"heuristic", "greedy"}
    assert len(frames.load(folder).verdicts) == len(rows)
    assert frames.load(folder).distances["p"].tolist() == [row["p"] for row in apart]
    assert disagreeing.frames.verdicts["verdict"].tolist() == [row["verdict"] for row in rows]


def test_one_line_up_needs_no_column_for_it(fixed: Comparison, tmp_path: Path) -> None:
    folder = comparison_store.save(fixed, tmp_path)
    assert "level" not in pq.read_table(folder / "estimates.parquet").column_names


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("until_decided", [False, True])
def test_a_run_again_is_the_same_to_the_byte(until_decided: bool, cut: bool, tmp_path: Path) -> None:
    found = [drafts.load("uplink/v1.1"), drafts.load("uplink/v1.1", FACES), drafts.load("uplink/v1.1")]
    matches = 10**7 if cut else 4000
    design = Design.of(matches, margins.read(["share=2pp"]), until_decided=until_decided)
    spec = Spec(
        [StudySpec(found, name, matches, 3) for name in ("random", "first,random,random,first")], design
    )
    done = [0]
    played = comparison.play(spec, threads=2, on_progress=done.append, stop=lambda: cut and done[-1] > 1000)
    folder = comparison_store.save(played, tmp_path)
    manifest = comparison_store.store.read_manifest(folder)
    assert manifest["partial"] is cut
    assert ("of each draft and line-up were played" in comparison_page(played, {})) is cut
    again_spec = comparison_store.spec_of(manifest, "m")
    assert again_spec.design == design
    again = comparison_store.save(comparison.play(again_spec, threads=1), tmp_path / "again")
    assert digests(again) == digests(folder)
    assert comparison_store.store.read_manifest(again)["plan"] == manifest["plan"]


def test_rerun_knows_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, *BASE, "--levels", "random,first", "--until-decided", "--at-most", "500", "--threads", "1")
    (folder,) = Path("results/uplink-v1.1-vs-personal-decks").iterdir()
    code, out, _ = call(capsys, "rerun", str(folder), "--threads", "2")
    assert code == 0
    assert "byte for byte" in out
    assert "not compared" not in out
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    # As an earlier version left it, which did not have the table.
    del manifest["tables"]["distances.parquet"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    code, out, _ = call(capsys, "rerun", str(folder))
    assert code == 0
    assert "byte for byte (new, so not compared: distances.parquet)" in out
    damaged: list[tuple[Any, str]] = [
        (None, "damaged manifest (tables"),
        ({}, "damaged manifest (tables"),
        ({**manifest["tables"], "more.parquet": "0" * 64}, "the tables differ"),
    ]
    for tables, seen in damaged:
        (folder / "manifest.json").write_text(json.dumps({**manifest, "tables": tables}), encoding="utf-8")
        code, _, err = call(capsys, "rerun", str(folder))
        assert code == 2
        assert seen in err
    for kind, seen in (("comparison", "differ"), ("thing", "'thing'")):
        manifest["plan"]["margins"]["share"] = "3pp"
        (folder / "manifest.json").write_text(json.dumps({**manifest, "kind": kind}), encoding="utf-8")
        code, _, err = call(capsys, "rerun", str(folder))
        assert code == 2
        assert seen in err


DAMAGE: list[tuple[str, Any, str]] = [
    ("plan", None, "damaged manifest"),
    ("plan/margins", {"share": "5"}, "m: --margin share=5"),
    ("plan/margins", [], "damaged manifest"),
    ("plan/first", "x", "damaged manifest"),
    ("plan/growth", 0.5, "damaged manifest"),
    (
        "plan/method",
        1,
        "m: its verdicts were reached by the method of another version; run the comparison anew",
    ),
    ("levels", [], "damaged manifest"),
    ("levels", 5, "damaged manifest"),
    ("levels/0/lineup", 5, "damaged manifest"),
    ("levels/0/matches", "5", "damaged manifest"),
]


@pytest.mark.parametrize(("place", "value", "message"), DAMAGE)
def test_damaged_manifests(fixed: Comparison, tmp_path: Path, place: str, value: Any, message: str) -> None:
    manifest = copy.deepcopy(comparison_store.store.read_manifest(comparison_store.save(fixed, tmp_path)))
    inside: Any = manifest
    *path, last = [int(part) if part.isdigit() else part for part in place.split("/")]
    for part in path:
        inside = inside[part]
    inside[last] = value
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        comparison_store.spec_of(manifest, "m")
    assert len(str(caught.value).splitlines()) == 1


def test_what_changes_the_verdicts_changes_the_cell(fixed: Comparison, tmp_path: Path) -> None:
    cells = []
    for stated, until_decided in ((["share=1pp"], False), (["share=2pp"], False), (["share=1pp"], True)):
        design = Design.of(3000, margins.read(stated), until_decided=until_decided)
        other = dataclasses.replace(fixed, spec=dataclasses.replace(fixed.spec, design=design))
        cells.append(comparison_store.store.read_manifest(comparison_store.save(other, tmp_path))["cell"])
    assert len(set(cells)) == 3


def test_ctrl_c_leaves_the_verdicts_of_what_was_played(tmp_path: Path) -> None:
    with start(
        *BASE, "--lineup", "random", "--margin", "share=0.001pp", "--until-decided", "--at-most", "2000000000",
        "--study", "long", cwd=tmp_path,
    ) as run:  # fmt: skip
        out, err = interrupt(run, tmp_path / "results" / "long", 4)
    assert run.returncode == cli.INTERRUPTED
    assert "Traceback" not in err
    assert "the verdicts hold none the less, since this plan is valid at any time" in flat(out.splitlines())
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert 0 < manifest["matches_done"] < 2_000_000_000
    assert "matches of each draft were played" in (folder / "report.html").read_text(encoding="utf-8")
    words = {row["verdict"] for row in pq.read_table(folder / "verdicts.parquet").to_pylist()}
    assert "undecided" in words
    assert words & {"better", "worse", "higher", "lower"}


# ---- the page -------------------------------------------------------------------------------------------


def test_the_page_says_the_verdict_of_every_measure(fixed: Comparison) -> None:
    html = comparison_page(fixed, {})
    text = re.sub(r"<[^>]*>", " ", html).replace("\N{NO-BREAK SPACE}", " ")
    assert "Verdict on B" in text
    assert "equivalent, within 1 pp" in text
    assert "equivalent, within 5.2" in text
    assert re.search(r"undecided; about [\d,]+ more matches would tell", text)
    assert re.search(r"worse by [\d.]+ to [\d.]+", text)
    assert "Holm" in text
    assert "Chance findings" not in text
    assert "Warning" not in text
    assert verdict_words.counts(fixed.judged) in " ".join(text.split())
    assert "over all seats and the first 2,000 deals. This is not among the claims" in text
    assert re.search(
        r"has to move by [\d.]+ points on average \([\d.]+ to [\d.]+\): more than noise, which", text
    )
    assert re.search(
        r"differs by [\d.]+ pp at the most \([\d.]+ pp to [\d.]+ pp\): more than noise, which", text
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (CLUBS, "came out distributed alike, over all seats and 40 deals."),
        (("points.SQ=4",), ": no more than noise, which alone stays below"),
        (
            (*CLUBS, "rules.players=3"),
            "over all seats and 40 deals, not paired since there are 3 players instead of 4.",
        ),
    ],
)
def test_the_page_says_how_far_scores_lie_apart(changes: tuple[str, ...], said: str) -> None:
    found = [drafts.load("uplink/v1.1", one) for one in (CLUBS, changes)]
    design = Design.of(40, margins.read([]), until_decided=False)
    played = comparison.play(Spec([StudySpec(found, "random", 40, 1)], design))
    assert said in comparison_page(played, {})


def test_the_page_warns_of_line_ups_that_disagree(disagreeing: Comparison) -> None:
    html = comparison_page(disagreeing, {})
    text = " ".join(re.sub(r"<[^>]*>", " ", html).split())
    assert "Warning: line-ups disagree" in text
    assert "B, Win share of seat 2: heuristic worse, greedy better" in text
    for heading in ("B against A, heuristic", "B against A, greedy", "The drafts under each line-up"):
        assert heading in text
    assert "From here on all is of the first line-up, heuristic." in text
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(set(ids)) == len(ids)


def test_a_draft_that_stopped_sooner_says_so() -> None:
    found = [drafts.load("uplink/v1.1", one) for one in ((), (), FACES)]
    design = Design.of(200_000, margins.read(["share=1pp"]), until_decided=True)
    played = comparison.play(Spec([StudySpec(found, "random", 200_000, 1)], design), threads=2)
    same = played.studies[0].runs[1]
    assert same.totals.matches < played.matches
    assert f"B was decided after {same.totals.matches:,} matches and not played further" in comparison_page(
        played, {}
    )


def test_the_page_escapes_what_a_stranger_wrote() -> None:
    plain = drafts.load("uplink/v1.1")
    wicked = dataclasses.replace(plain, name=EVIL, notes=EVIL)
    design = Design.of(60, margins.read([]), until_decided=False)
    studies = [StudySpec([plain, wicked], name, 60, 1) for name in ("random", "first")]
    html = comparison_page(comparison.play(Spec(studies, design)), {"command": ["compare", EVIL]})
    assert "<script" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "words",
    [
        ["--matches", "3", "--lineup", "greedy,random,random,random"],
        ["--until-decided", "--at-most", "3", "--lineup", "greedy,random,random,random"],
        ["--levels", "random;greedy,random,random,random", "--matches", "3"],
    ],
)
def test_less_than_a_block_is_refused_with_the_least_that_works(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    code, out, err = call(capsys, "compare", "uplink/v1.1", "uplink/personal-decks", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("tefuda: 3 matches of each draft: too few to compare")
    assert err.endswith("play at least 4\n")
    assert not Path("results").exists()
    again = ["4" if word == "3" else word for word in words]
    assert call(capsys, "compare", "uplink/v1.1", "uplink/personal-decks", *again)[0] == 0


@pytest.mark.parametrize("levels", [[], ["--levels", "random;greedy,random,random,random"]])
def test_stopped_before_the_first_block_there_is_nothing_to_keep(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, levels: list[str]
) -> None:
    monkeypatch.setattr(
        "experiments.studies.lifecycle.deferred", lambda: contextlib.nullcontext(lambda: True)
    )
    code, out, err = call(capsys, "compare", "uplink/v1.1", "uplink/personal-decks", *levels)
    assert (code, out) == (130, "")
    assert err == "tefuda: interrupted before the margins were fixed: nothing to keep\n"
