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
from experiments.report import terminal, words
from experiments.report.page import page
from experiments.report.sections import Cell, Section
from experiments.stats import Estimate
from experiments.store import frames, manifests
from experiments.studies import lifecycle
from experiments.studies.compare import findings, headline, lineups, verdicts
from experiments.studies.compare import play as comparison
from experiments.studies.compare.play import Comparison
from experiments.studies.compare.spec import Spec
from experiments.studies.run import measures
from sim import drafts
from sim.errors import UserError
from tests.support_cli import call, flat, interrupt, start, told

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
    spec = Spec(["uplink/v1.1", draft], lineups=names, matches=matches, until_decided=until_decided)
    return comparison.play(spec, threads=2)


def of_changes(*changes: tuple[str, ...], matches: int, **settings: Any) -> Comparison:
    loaded = [drafts.load("uplink/v1.1", change) for change in changes]
    return comparison.play(Spec(loaded, lineups=("random",), matches=matches, **settings), threads=2)


@pytest.fixture(scope="module")
def fixed() -> Comparison:
    return play(("random",), 3000)


@pytest.fixture(scope="module")
def disagreeing() -> Comparison:
    """Personal decks favour seat 3 among greedy players and hurt it among heuristic ones."""
    return play(("heuristic", "greedy"), 60_000, until_decided=True)


def section(played: Comparison, name: str) -> Section:
    return next(part for part in played.report.sections if part.name == name)


def text_of(played: Comparison) -> str:
    return flat(terminal.lines(played.report, 79, "all"))


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
        (["--matches", "0"], ["--matches", "x>=1"]),
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


# ---- the report -----------------------------------------------------------------------------------------


def test_every_measure_that_is_judged_has_its_verdict(fixed: Comparison) -> None:
    (table,) = section(fixed, "all-b-0").tables
    base, run = fixed.studies[0].runs
    rows = iter(table.rows)
    for group, keys in measures.grouped([base, run]):
        for key in keys:
            if measures.is_idle(run, key) and measures.is_idle(base, key):
                continue
            row, judged = next(rows), fixed.by_place.get((0, 1, key))
            assert (row.group, row.name) == (group, measures.short_name(run, key))
            verdict = row.cells[-1]
            if judged is None:
                assert verdict == "not judged"
            else:
                assert isinstance(verdict, Cell)
                assert verdict.text.startswith(judged.word)
    assert next(rows, None) is None
    assert {judged.word for judged in fixed.judged} == {"higher", "lower", "equivalent", "undecided"}
    differ = section(fixed, "pair-b-0").tables[0]
    assert [row.name for row in differ.rows] == [
        measures.name(run, judged.claim.key) for judged in fixed.judged if judged.differs
    ]
    assert verdicts.counts(fixed.judged) in section(fixed, "pair-b-0").sentences


def test_lines_fit_the_terminal(fixed: Comparison, disagreeing: Comparison) -> None:
    for played in (fixed, disagreeing):
        for detail in ("brief", "usual", "all"):
            assert all(len(line) <= 79 for line in terminal.lines(played.report, 79, detail))  # type: ignore[arg-type]


def test_how_the_verdicts_were_reached_is_told(fixed: Comparison, disagreeing: Comparison) -> None:
    text = " ".join(verdicts.method(fixed))
    assert "at least 95 of 100 such reports would contain no false" in text
    assert "22 measures" in text
    assert "Holm's correction" in text
    assert "one look, at the end" in text
    stated = verdicts.margins(fixed)
    assert stated.startswith("shares 1 percentage point; scores 0.1 of a standard deviation (")
    assert stated.endswith("0.01 at least; lengths and counts 5% of the first draft's, 0.01 at least")
    until = " ".join(verdicts.method(disagreeing))
    assert "whenever the comparison ends, also by Ctrl-C" in until
    assert "Ended at the limit of 60,000 matches" in until


def test_distances_say_what_noise_alone_does(fixed: Comparison) -> None:
    (_, note) = section(fixed, "pair-b-0").notes
    assert note.startswith("Distribution of scores, over 2,000 deals: ")
    assert re.search(
        r"move by \d\.\d+ \([\d. to]+\); noise alone stays below \d\.\d+ \(p < 0\.001\) points", note
    )
    assert re.search(r"differ by at most [\d.]+.pp \([\d.]+.pp to [\d.]+.pp\); noise alone stays below", note)
    alike = play(("random",), 300, draft="uplink/v1.1")
    assert section(alike, "pair-b-0").notes[-1] == "The scores came out distributed alike (over 300 deals)."
    assert not section(play(("random",), 1), "pair-b-0").notes


def test_line_ups_that_disagree_are_warned_of(disagreeing: Comparison) -> None:
    first = disagreeing.report.headline[0]
    assert first.startswith("What the drafts change depends on who plays: the line-ups disagree on ")
    who = section(disagreeing, "lineups")
    assert "B, Win rate of seat 3: heuristic lower, greedy higher." in who.sentences
    (row,) = [row for row in who.tables[0].rows if row.name == "Win rate of seat 3"]
    assert list(row.cells) == ["A > B", "B > A", "yes"]
    rows = lineups.disagreement_rows(disagreeing)
    assert rows[0]["verdicts"] == {"heuristic": "lower", "greedy": "higher"}
    assert rows[0]["opposite"] is True
    # Undecided is no disagreement.
    assert not any("undecided" in row["verdicts"].values() for row in rows)


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
    text = headline.dependence(found)
    assert bool(rows) is told_apart
    assert ("does not depend measurably on who plays" in text) is not told_apart
    if told_apart:
        opposite = {first[0], second[0]} == {"better", "worse"}
        neutral = {"better": "higher", "worse": "lower"}
        assert [row["opposite"] for row in rows] == [opposite]
        assert rows[0]["verdicts"] == {
            "random": neutral.get(first[0], first[0]),
            "first": neutral.get(second[0], second[0]),
        }
        assert "the line-ups disagree on 1 measure" in text
        assert ("in opposite directions" in text) is opposite


def test_intervals_of_all_claims_are_wider(two: Comparison) -> None:
    for found in (two, play(("random", "first"), 400, until_decided=True)):
        for one in found.judged:
            assert one.verdict is not None
            (low, high), seen = found.simultaneous(one), one.verdict.estimate
            assert low < seen.low <= seen.value <= seen.high < high


def test_line_ups_that_agree_say_so() -> None:
    agree = play(("random", "first,random,random,first"), 400)
    assert agree.report.headline[0] == "What the drafts change does not depend measurably on who plays."


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, "an unknown number of"), (0, "0"), (4, "4"), (101, "110"), (38_012, "39,000"), (999_999, "1.0 million"), (2.4e7, "24 million")],
)  # fmt: skip
def test_numbers_that_are_about_right_have_two_digits(count: float | None, text: str) -> None:
    assert words.about(count) == text


def test_where_games_are_counted_the_report_says_so() -> None:
    loaded = [drafts.load("daifugo/author", change) for change in ((), ("rules.exchange=[]",))]
    played = comparison.play(Spec(loaded, lineups=("random",), matches=120), threads=2)
    groups = {row.group for row in section(played, "all-b-0").tables[0].rows}
    assert {"Win rate by seat, over games", "Mean score, a game", "Events, a game"} <= groups
    # What becomes of each place in the next game is a table of its own, and not judged.
    assert not any("place_transitions" in judged.claim.key for judged in played.judged)
    assert section(played, "squares").tables
    assert page(played.report, {})


def test_the_order_of_drafts() -> None:
    changes = [(), FACES, ("points.K=9",), ("points.K=-9",), ()]
    played = of_changes(*changes, matches=3000)
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
    folder = lifecycle.save(disagreeing, tmp_path)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["tables"] == digests(folder)
    plan = manifest["about"]["plan"]
    assert (plan["until_decided"], plan["first"], plan["growth"], plan["level"]) == (
        True,
        100,
        1.1,
        pytest.approx(0.05),
    )
    assert len(plan["claims"]) == len(disagreeing.judged)
    assert [one["aim"] for one in plan["claims"]] == [one.claim.aim for one in disagreeing.judged]
    assert manifest["about"]["levels"] == ["heuristic", "greedy"]
    assert manifest["spec"]["matches"] == 60_000
    assert manifest["played"]["matches"] == [study.matches for study in disagreeing.studies]
    assert "scipy" in manifest["versions"]
    rows = pq.read_table(folder / "verdicts.parquet").to_pylist()
    assert [row["verdict"] for row in rows] == [one.word for one in disagreeing.judged]
    assert [row["margin"] for row in rows] == [one["margin"] for one in plan["claims"]]
    apart = pq.read_table(folder / "distances.parquet").to_pylist()
    assert apart == comparison.distance_rows(disagreeing)
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
    folder = lifecycle.save(fixed, tmp_path)
    assert "level" not in pq.read_table(folder / "estimates.parquet").column_names


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("until_decided", [False, True])
def test_a_run_again_is_the_same_to_the_byte(until_decided: bool, cut: bool, tmp_path: Path) -> None:
    loaded = [drafts.load("uplink/v1.1"), drafts.load("uplink/v1.1", FACES), drafts.load("uplink/v1.1")]
    matches = 10**7 if cut else 4000
    spec = Spec(
        loaded, lineups=("random", "first,random,random,first"), matches=matches, seed=3, margins=["share=2pp"],
        until_decided=until_decided,
    )  # fmt: skip
    done = [0]
    played = comparison.play(spec, threads=2, on_progress=done.append, stop=lambda: cut and done[-1] > 1000)
    folder = lifecycle.save(played, tmp_path)
    manifest = manifests.read(folder)
    assert manifest["partial"] is cut
    assert ("of each draft and line-up were played" in played.report.partial) is cut
    again_spec = Spec.read(manifest, "m")
    assert again_spec.design == spec.design
    again = lifecycle.save(comparison.play(again_spec, threads=1), tmp_path / "again")
    assert digests(again) == digests(folder)
    assert manifests.read(again)["about"]["plan"] == manifest["about"]["plan"]


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
    for question, seen in (("compare", "differ"), ("thing", "'thing'")):
        manifest["spec"]["margins"]["share"] = "3pp"
        (folder / "manifest.json").write_text(
            json.dumps({**manifest, "question": question}), encoding="utf-8"
        )
        code, _, err = call(capsys, "rerun", str(folder))
        assert code == 2
        assert seen in err


ANEW = "m: damaged manifest (its verdicts were reached by the method of another version; run the comparison anew)"

DAMAGE: list[tuple[str, Any, str]] = [
    ("spec/margins", {"share": "5"}, "--margin share=5"),
    ("spec/margins", {"width": "5pp"}, "unknown kind of measure 'width'"),
    ("spec/margins", 5, "margins = 5"),
    ("spec/margins", None, "margins = None"),
    ("spec/until_decided", 1, "until_decided = 1"),
    ("spec/matches", "5", "matches = '5'"),
    ("spec/growth", 0.5, "growth"),
    ("spec/goals", ["better"], "unknown goal 'better'"),
    ("spec/cut", [0], "cut = 0"),
    ("played/method", 1, ANEW),
    ("played/matches", [], "damaged manifest"),
    ("played", None, "damaged manifest"),
    ("spec/lineups", [], "lineups = []"),
    ("spec/lineups", 5, "lineups = 5"),
    ("spec/lineups/0", 5, "lineups[0] = 5"),
]


@pytest.mark.parametrize(("place", "value", "message"), DAMAGE)
def test_damaged_manifests(fixed: Comparison, tmp_path: Path, place: str, value: Any, message: str) -> None:
    manifest = copy.deepcopy(manifests.read(lifecycle.save(fixed, tmp_path)))
    inside: Any = manifest
    *path, last = [int(part) if part.isdigit() else part for part in place.split("/")]
    for part in path:
        inside = inside[part]
    inside[last] = value
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        Spec.read(manifest, "m")
    assert len(str(caught.value).splitlines()) == 1


def test_what_changes_the_verdicts_changes_the_cell(fixed: Comparison) -> None:
    cells = [
        json.dumps(fixed.spec.changed(margins=stated, until_decided=until_decided).cell(), sort_keys=True)
        for stated, until_decided in ((["share=1pp"], False), (["share=2pp"], False), (["share=1pp"], True))
    ]
    assert len(set(cells)) == 3
    # A goal changes the words alone.
    assert json.dumps(fixed.spec.changed(goals="fairer").cell(), sort_keys=True) == cells[0]


def test_ctrl_c_leaves_the_verdicts_of_what_was_played(tmp_path: Path) -> None:
    with start(
        *BASE, "--lineup", "random", "--margin", "share=0.001pp", "--until-decided", "--at-most", "2000000000",
        "--study", "long", cwd=tmp_path,
    ) as run:  # fmt: skip
        out, err = interrupt(run, tmp_path / "results" / "long", 4)
    assert run.returncode == cli.INTERRUPTED
    assert "Traceback" not in err
    assert "matches of each draft were played" in flat(out)
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert 0 < manifest["played"]["matches"][0] < 2_000_000_000
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "the verdicts hold all the same, since this plan is valid at any time" in html
    words = {row["verdict"] for row in pq.read_table(folder / "verdicts.parquet").to_pylist()}
    assert "undecided" in words
    assert words & {"higher", "lower"}


# ---- the page -------------------------------------------------------------------------------------------


def test_the_page_says_the_answer_first_and_every_verdict(fixed: Comparison) -> None:
    text = told(page(fixed.report, {}))
    places = [text.index(sentence) for sentence in fixed.report.headline]
    assert places == sorted(places)
    assert places[-1] < text.index("What differs: B against A")
    assert re.search(r"undecided \([\d,]+ more\)", text)
    assert "Chance findings" not in text
    ids = re.findall(r'\bid="([^"]+)"', page(fixed.report, {}))
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (CLUBS, "came out distributed alike (over 40 deals)"),
        (("points.SQ=4",), "noise alone stays below"),
        ((*CLUBS, "rules.players=3"), "over 40 deals, not paired: "),
    ],
)
def test_the_report_says_how_far_scores_lie_apart(changes: tuple[str, ...], said: str) -> None:
    assert said in " ".join(section(of_changes(CLUBS, changes, matches=40), "pair-b-0").notes)


def test_sections_of_several_line_ups_say_which(disagreeing: Comparison) -> None:
    titles = [part.title for part in disagreeing.report.sections]
    for title in ("What differs: B against A, heuristic", "What differs: B against A, greedy", "Who plays"):
        assert title in titles
    ids = re.findall(r'\bid="([^"]+)"', page(disagreeing.report, {}))
    assert len(set(ids)) == len(ids)


def test_a_draft_that_stopped_sooner_says_so() -> None:
    played = of_changes((), (), FACES, matches=200_000, margins=["share=1pp"], until_decided=True)
    same = played.studies[0].runs[1]
    assert same.totals.matches < played.studies[0].matches
    assert (
        f"(decided earlier: B {same.totals.matches:,})" in dict(played.report.facts)["Matches of each draft"]
    )


def test_the_page_escapes_what_a_stranger_wrote() -> None:
    plain = drafts.load("uplink/v1.1")
    wicked = dataclasses.replace(plain, name=EVIL, notes=EVIL)
    played = comparison.play(Spec([plain, wicked], lineups=("random", "first"), matches=60))
    html = page(played.report, {"command": ["compare", EVIL]})
    assert "<script" not in html
    assert "&lt;script&gt;" in html


# ---- the headline ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def changed() -> Comparison:
    loaded = [drafts.load("uplink/v1.1"), drafts.load("uplink/v1.1:points.K=-1,rules.tied_top=second")]
    return comparison.play(Spec(loaded, lineups=("heuristic",), matches=30_000), threads=2)


def test_the_headline_answers_in_at_most_six_sentences_of_neutral_words(changed: Comparison) -> None:
    said = changed.report.headline
    assert len(said) <= 6
    assert said[0] == 'B changes rules.tied_top from "later" to "second" and points.K from −2 to −1.'
    assert said[1].startswith(
        "The seats became fairer: the largest deviation of any seat from a fair share is "
    )
    assert "seat 4 loses most" in said[1]
    assert said[2] == "Matches are as long as before: 104.0 decisions."
    assert said[3].startswith("Scores lie wider apart: the winner leads by ")
    assert not re.search(r"\b(better|worse)\b", " ".join(said))


def test_a_goal_makes_higher_and_lower_better_and_worse(changed: Comparison) -> None:
    wanted = dataclasses.replace(changed, spec=changed.spec.changed(goals="fairer,closer"))
    said = findings.report(wanted).headline
    assert said[1].startswith("The seats became fairer (better): ")
    assert said[3].startswith("Scores lie wider apart (worse): ")


def test_skill_is_told_where_several_bots_play() -> None:
    loaded = [drafts.load("uplink/v1.1"), drafts.load("uplink/v1.1", ("rules.games=1", "rules.hand_size=12"))]
    played = comparison.play(
        Spec(loaded, lineups=("heuristic,random,random,random",), matches=8000), threads=2
    )
    said = " ".join(played.report.headline)
    assert re.search(r"Skill counts (more|less|as much as before).*heuristic, the strongest bot, wins", said)


def test_brief_goal_and_csv_on_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("compare", "uplink/v1.1", "uplink/v1.1:points.K=-1", "--lineup", "random", "--matches", "200")
    code, out, _ = call(capsys, *words, "--brief", "--goal", "fairer", "--csv")
    assert code == 0
    assert len(out.splitlines()) < 14
    assert "What differs" not in out
    (folder,) = Path("results/uplink-v1.1-vs-v1.1").iterdir()
    assert {path.stem for path in folder.glob("*.csv")} == {path.stem for path in folder.glob("*.parquet")}
    header = (folder / "verdicts.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.replace('"', "").split(",")[:4] == ["level", "base", "draft", "measure"]
    code, out, err = call(capsys, *words, "--goal", "fairest")
    assert (code, out) == (2, "")
    assert (
        err
        == "tefuda: --goal fairest: unknown goal 'fairest'; did you mean 'fairer'? (known: fairer, closer, skill, shorter)\n"
    )


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
