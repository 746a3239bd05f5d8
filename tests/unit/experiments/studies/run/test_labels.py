"""Labels: estimates against literal ones from every match, tables, and what the report and the terminal say."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats as scipy_stats

from experiments.cli import main as cli
from experiments.play import labels
from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import Study, play
from experiments.report import draw, figures
from experiments.report.page import page
from experiments.stats import Estimate
from experiments.store import frames, manifests
from experiments.studies import lifecycle
from experiments.studies.compare import play as compare
from experiments.studies.compare.spec import Spec as CompareSpec
from experiments.studies.run import label_findings as told
from experiments.studies.run import play as run_play
from experiments.studies.run.spec import Spec as RunSpec
from sim import drafts, registry
from sim import labels as sums

LINEUP = "greedy,random,first,random"
NAMES = ("shape", "jokers_dealt", "jokers_played")
WIN = registry.find("ninepeak").engine.WIN
MATCHES = 402
"""The last block is shorter than the others."""


def _spec(*names: str, matches: int = MATCHES, lineup: str = LINEUP) -> Spec:
    return Spec([drafts.load(f"ninepeak/{name}") for name in names], lineup, matches, 5)


@pytest.fixture(scope="module")
def study() -> Study:
    return play(_spec("draft11"), threads=1)


@pytest.fixture(scope="module")
def two() -> Study:
    return play(_spec("draft11", "simple"), threads=2)


# ---- estimates ------------------------------------------------------------------------------------------


def _literal(x: Any, d: Any, kind: str, blocks: int) -> Estimate:
    """Estimate Σx/Σd from the numbers of every block, `blocks` of them standing for independent ones."""
    ratio = x.sum() / d.sum()
    se = math.nan
    if blocks > 1:
        errors = (x - ratio * d) / d.sum()
        se = math.sqrt(blocks / (blocks - 1) * float((errors**2).sum()))
    z = float(scipy_stats.t.ppf(0.975, blocks - 1) if blocks > 1 else scipy_stats.norm.ppf(0.975))
    if kind == "mean":
        return Estimate(ratio, se, ratio - z * se, ratio + z * se, blocks)
    trials = ratio * (1 - ratio) / se**2 if se > 1e-12 else blocks
    ends = np.roots([1 + z * z / trials, -2 * ratio - z * z / trials, ratio * ratio])
    return Estimate(ratio, se, float(min(ends.real)), float(max(ends.real)), blocks)


@pytest.mark.parametrize("which", range(3))
def test_estimates_are_those_of_every_match_counted_one_by_one(study: Study, which: int) -> None:
    (run,) = study.runs
    played = run.batch.play(0, MATCHES)
    blocks = run.totals.blocks
    assert (blocks, run.batch.period) == (101, 4)
    block_of = np.repeat(np.arange(MATCHES) // 4, 4)
    values, wins = played.labels[:, :, which].ravel(), played.labels[:, :, -1].ravel() / WIN

    def by_block(what: Any) -> Any:
        return np.bincount(block_of, weights=what, minlength=blocks)

    places = by_block(np.ones(4 * MATCHES))
    assert sorted(set(places)) == [8, 16]
    found = {value.key: value for value in run.labels[NAMES[which]]}
    assert set(found) == set(values.tolist())
    for key, value in found.items():
        has = (values == key).astype(float)
        n, w, s = by_block(has), by_block(has * wins), by_block(has * played.scores.ravel())
        assert value.appearances == n.sum()
        behind = int(n.sum() ** 2 // (n**2).sum())
        assert 1 <= behind <= (n > 0).sum()
        for came, wanted in (
            (value.share, _literal(n, places, "share", blocks)),
            (value.score, _literal(s, n, "mean", behind)),
            (value.win, _literal(w, n, "share", behind)),
        ):
            assert astuple(came) == pytest.approx(astuple(wanted), rel=1e-6, abs=1e-9, nan_ok=True)
    assert sum(value.share.value for value in found.values()) == pytest.approx(1)


def _with(study: Study, name: str, counts: sums.Counts, blocks: int, matches: int) -> Study:
    """Return the study as if it had counted this of a label."""
    (run,) = study.runs
    totals = run.batch.totals()
    totals.labels, totals.blocks, totals.matches = {name: counts}, blocks, matches
    result = type(study.result)([totals], True, 1.0)
    return Study(study.spec, study.batches, result)


def test_three_blocks_by_hand(study: Study) -> None:
    """Ten matches of four, in blocks of 4, 4 and 2: 16, 16 and 8 places."""
    # By block n = 2, 1, 0; w = 1, 0, 0; s = 30, 12, 0. And n = 1, 1, 1; w = 0, 0, 0; s = 10, 20, 30.
    counts = {
        3: [3, WIN, 42, 5, 2 * WIN, WIN**2, 72, 30**2 + 12**2, 2 * 16 + 16],
        1: [3, 0, 60, 3, 0, 0, 60, 100 + 400 + 900, 16 + 16 + 8],
    }
    one, three = _with(study, "jokers_dealt", counts, 3, 10).runs[0].labels["jokers_dealt"]
    assert [(value.key, value.text, value.appearances) for value in (one, three)] == [
        (1, "1", 3),
        (3, "3", 3),
    ]
    # n less 3/40 of the places: 0.8, −0.2, −0.6.
    assert three.share.value == pytest.approx(3 / 40)
    assert three.share.se == pytest.approx(math.sqrt(3 / 2 * (0.64 + 0.04 + 0.36)) / 40)
    assert three.share.blocks == 3
    # 9/5 blocks, not even two.
    assert (three.score.value, three.score.blocks) == (14, 1)
    assert three.score.interval is None
    z = 1.959963984540054
    middle, half = (1 / 3 + z**2 / 2) / (1 + z**2), z / (1 + z**2) * math.sqrt(2 / 9 + z**2 / 4)
    assert three.win.interval == pytest.approx([middle - half, middle + half])
    # Three means of one: 10, 20 and 30.
    half = 4.302652729911275 * 10 / math.sqrt(3)
    assert one.score.interval == pytest.approx([20 - half, 20 + half])
    # No win in three blocks: Wilson for 0 of 3, with t instead of z.
    assert one.win.interval == pytest.approx([0, 4.302652729911275**2 / (3 + 4.302652729911275**2)])


def test_looks_widen_the_intervals(study: Study) -> None:
    (run,) = study.runs
    label = labels.of_game("ninepeak")[1]
    plain, wide = run.labels[label.name], labels.values(run.batch, run.totals, label, family_size=10)
    for one, other in zip(plain, wide, strict=True):
        assert other.score.value == one.score.value
        if one.score.blocks > 1:
            ratio = scipy_stats.t.ppf(1 - 0.0025, one.score.blocks - 1) / scipy_stats.t.ppf(
                0.975, one.score.blocks - 1
            )
            assert other.score.high - other.score.value == pytest.approx(
                ratio * (one.score.high - one.score.value)
            )
        assert other.win.low <= one.win.low <= one.win.high <= other.win.high


def test_the_commonest_come_first_and_equals_in_order(two: Study) -> None:
    for run in two.runs:
        for name in NAMES:
            order = [(-value.appearances, value.key) for value in run.labels[name]]
            assert order == sorted(order)
            assert sum(value.appearances for value in run.labels[name]) == 4 * MATCHES


def test_the_commonest_of_several_lists(two: Study) -> None:
    shape, dealt, _ = labels.of_game("ninepeak")
    lists = [run.labels["shape"] for run in two.runs]
    shown = labels.commonest(shape, lists, 5)
    together = {
        key: sum(value.share.value for values in lists for value in values if value.key == key)
        for key in {value.key for values in lists for value in values}
    }
    assert [value.key for value in shown] == sorted(together, key=lambda key: (-together[key], key))[:5]
    in_order = [value.key for value in labels.commonest(dealt, [two.runs[0].labels["jokers_dealt"]], 3)]
    assert in_order == sorted(in_order)


# ---- tables and JSON ------------------------------------------------------------------------------------


def test_a_table_of_every_value(tmp_path: Path) -> None:
    spec = CompareSpec(["ninepeak/draft11", "ninepeak/simple"], LINEUP, MATCHES, seed=5)
    played = compare.play(spec, threads=2)
    folder = lifecycle.save(played, tmp_path)
    manifest = manifests.read(folder)
    assert "labels.parquet" in manifest["tables"]
    table = pq.read_table(folder / "labels.parquet")
    assert table.schema.names == [
        "draft", "label", "value", "appearances", "share", "share_low", "share_high",
        "mean_score", "score_se", "score_low", "score_high", "win_share", "win_low", "win_high",
    ]  # fmt: skip
    wanted = [
        (
            run.draft.label,
            name,
            value.text,
            value.appearances,
            value.share.value,
            value.score.value,
            value.win.high,
        )
        for study in played.studies
        for run in study.runs
        for name in NAMES
        for value in run.labels[name]
    ]
    columns = ("draft", "label", "value", "appearances", "share", "mean_score", "win_high")
    assert [tuple(row[column] for column in columns) for row in table.to_pylist()] == wanted
    assert frames.load(folder).labels.equals(played.frames.labels)
    again = compare.play(CompareSpec.read(manifest), threads=1)
    assert manifests.read(lifecycle.save(again, tmp_path / "again"))["tables"] == manifest["tables"]


def test_a_game_without_labels_has_no_table(tmp_path: Path) -> None:
    uplink = run_play.play(RunSpec("uplink/v1.1", "random", 8, 1), threads=1)
    folder = lifecycle.save(uplink, tmp_path)
    assert not (folder / "labels.parquet").exists()
    assert "labels" not in frames.load(folder)
    assert "labels" not in uplink.frames
    assert uplink.summary()["labels"] == {}
    assert told.sections([uplink.run]) == []


def test_json_lists_the_commonest_values(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "ninepeak/draft11", "--matches", "2000", "--lineup", LINEUP, "--no-save", "--json"]
    assert cli.main(words) == 0
    found = json.loads(capsys.readouterr().out)["labels"]
    assert tuple(found) == NAMES
    assert len(found["shape"]["values"]) == min(found["shape"]["different"], 400) > 40
    assert found["jokers_dealt"]["different"] == len(found["jokers_dealt"]["values"])
    for value in found["shape"]["values"]:
        assert set(value) == {"value", "appearances", "share", "mean_score", "win_share", "intervals"}
        low, high = value["intervals"]["share"]
        assert low < value["share"] < high


@pytest.mark.parametrize("matches", ["1", "7", "3000"])
def test_the_terminal_shows_a_few_values(capsys: pytest.CaptureFixture[str], matches: str) -> None:
    words = ["run", "ninepeak/draft11", "--matches", matches, "--lineup", LINEUP, "--no-save"]
    assert cli.main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    at = lines.index("Jokers in the dealt hand")
    at = next(number for number in range(at, len(lines)) if lines[number].startswith("  What goes with"))
    rows = [line.split()[0] for line in lines[at + 2 : lines.index("", at)]]
    assert rows
    assert rows == sorted(rows)


def test_a_long_value_is_wrapped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.find("ninepeak").text, "label_text", lambda name, key: "1·" * 40 + str(key))
    assert cli.main(["run", "ninepeak/draft11", "--matches", "40", "--lineup", LINEUP, "--no-save"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "1·1·1·1·" in "".join(lines)


# ---- findings -------------------------------------------------------------------------------------------


def _counted(study: Study, values: Any, scores: Any, wins: Any, name: str = "jokers_dealt") -> str:
    """Return the finding of a label, were these the results of each seat of each match."""
    kinds = np.stack([values, wins], axis=2).astype(np.int64)
    matches = len(values)
    counts = sums.count(kinds, np.asarray(scores, np.int64), 0, 4)
    (label,) = [label for label in labels.of_game("ninepeak") if label.name == name]
    return told._told(_with(study, name, counts, -(-matches // 4), matches).runs[0], label)


def _results(slope: list[float], matches: int = 2000) -> Iterator[Any]:
    """Yield values 0, 1, … and scores that go with them by `slope`, then who wins: whoever scores most."""
    dice = np.random.default_rng(3)
    values = dice.integers(0, len(slope), (matches, 4))
    scores = np.rint(20 + np.asarray(slope)[values] + dice.normal(0, 5, (matches, 4)))
    yield from (values, scores, WIN * (scores.argmax(axis=1)[:, None] == np.arange(4)))


def test_more_goes_with_more_or_less_or_both(study: Study) -> None:
    text = _counted(study, *_results([0, 4, 8]))
    assert "The more, the higher the mean score: from " in text
    assert "The more, the higher the win rate: from " in text
    assert ") with 0 to " in text
    assert text.endswith(") with 2.")
    text = _counted(study, *_results([0, -4, -8]))
    assert "The more, the lower the mean score: from " in text
    assert "The more, the lower the win rate: from " in text
    text = _counted(study, *_results([0, 6, 0]))
    assert "The mean score goes both ways: up from " in text
    assert "The more" not in text.partition("The mean score goes both ways")[2].partition(".")[0]


def test_no_difference_is_not_called_equality(study: Study) -> None:
    text = _counted(study, *_results([0, 0, 0]))
    assert "From 0 to 2 the mean score did not differ measurably: by at most " in text
    assert "the win rate did not differ measurably" in text
    assert text.endswith(" between any two.")
    # Three values of a third each: none is the commonest for sure.
    assert "may be as common." in text


def test_few_matches_settle_nothing(study: Study) -> None:
    values, scores, wins = _results([0, 9], 40)
    assert "Too few matches to judge" in _counted(study, values, scores, wins)
    values, scores, wins = _results([0], 2000)
    text = _counted(study, values, scores, wins)
    assert "Only “0” came often enough to judge: those with it win 25.0% (" in text


def test_which_shape_wins_most(study: Study) -> None:
    values, scores, wins = _results([0, 3, 6, 25])
    text = _counted(study, 1 << 6 * values, scores, wins, "shape")
    assert text.startswith("4 values came. Most common is “")
    assert "Of the 4 that came often enough to judge, “4” wins most: " in text
    assert ", where 25% is fair. “4” scores most: " in text
    # A rare value with nothing but wins is no winner yet.
    values, scores, wins = _results([0, 3, 6])
    values[7, 2] = 3
    wins[7] = WIN * (np.arange(4) == 2)
    text = _counted(study, 1 << 6 * values, scores, wins, "shape")
    assert "Of the 3 that came often enough to judge, “3” wins most" in text
    level, scores, wins = _results([0, 0])
    assert "may win as much. " in _counted(study, 1 << 6 * level, scores, wins, "shape")


# ---- the page -------------------------------------------------------------------------------------------


def test_a_section_has_every_number_with_its_interval(study: Study, two: Study) -> None:
    (run,) = study.runs
    shape, dealt, _ = told.sections([run])
    (table,) = shape.tables
    assert [row.name for row in table.rows] == [value.text for value in run.labels["shape"][:200]]
    assert table.columns[-1] == "Win rate (fair 25%)"
    for section in (shape, dealt):
        for row in section.tables[0].rows:
            _, *cells = row.cells
            assert all(" to " in cell.interval or cell.interval in ("–", "did not vary") for cell in cells), (
                row
            )
    both = told.sections(two.runs)[0]
    assert [table.columns for table in both.tables] == [["Value", "A", "B"]] * 3


def test_a_value_of_one_draft_alone_has_dashes_in_the_other() -> None:
    changed = play(_spec("draft11", "draft11"), threads=1)
    for value in list(changed.result.totals[1].labels["jokers_dealt"])[1:]:
        del changed.result.totals[1].labels["jokers_dealt"][value]
    for table in told.sections(changed.runs)[1].tables:
        first, second = table.rows[-1].cells
        assert second == "–"
        assert first != "–"


def test_text_of_a_label_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "<script>alert(1)</script> $x$"
    monkeypatch.setattr(registry.find("ninepeak").text, "label_text", lambda name, key: f"{evil} {key}")
    html = page(run_play.play(RunSpec("ninepeak/draft11", LINEUP, 60), threads=1).report, {})
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; $x$ 0" in html


def test_the_page_is_small_and_has_figures_for_every_label() -> None:
    html = page(run_play.play(RunSpec("ninepeak/draft11", "random", 800), threads=1).report, {})
    assert html.count("<svg role") == 2 + 2 * len(NAMES)
    assert len(html.encode()) < 500_000
    ids = re.findall(r' id="([^"]*)"', html)
    assert len(set(ids)) == len(ids)


def test_bars_begin_at_zero_and_a_figure_without_a_line_names_none() -> None:
    data = figures.Dots("Share", ["a", "b"], [""], [figures.Point(0, 0, 80, 79, 81)], unit="%", bars=True)
    assert figures.describe_dots(data) == "Share, with 95% intervals. a 80.0% (79.0% to 81.0%)."
    assert ">0%<" in draw.draw_dots(data, "x")
    assert ">0%<" not in draw.draw_dots(replace(data, bars=False), "x")
    scores = figures.Dots("Mean score", ["a"], [""], [figures.Point(0, 0, 20, 19.5, math.nan)])
    assert figures.describe_dots(scores).endswith("a 20.0 (19.5 to –).")
