"""What a run says: its headline, its tables, its page and its lines for the terminal; safe and self-contained."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from experiments.metrics import spread
from experiments.play.matches import Run
from experiments.report import draw, figures, terminal, words
from experiments.report.page import page
from experiments.stats import Estimate
from experiments.studies.run import findings, measures
from experiments.studies.run.play import Played, play
from experiments.studies.run.spec import Spec
from sim import drafts
from tests.support_cli import flat
from tests.support_pages import EVIL, Node, elements, read, rows, table_of

LENGTH = "Length, shared wins and events"


def _play(
    lineup: str = "random", matches: int = 400, *, changes: tuple[str, ...] = (), fixed: bool = False
) -> Played:
    spec = Spec(drafts.load("uplink/v1.1", changes), lineup, matches, 7, fixed)
    return play(spec, threads=1)


def _games(
    changes: tuple[str, ...] = (), matches: int = 60, lineup: str = "random,first,random,random"
) -> Played:
    return play(
        Spec(drafts.load("daifugo/author", ("rules.games=3", *changes)), lineup, matches, 7), threads=1
    )


@pytest.fixture(scope="module")
def alike() -> Played:
    return _play()


@pytest.fixture(scope="module")
def mixed() -> Played:
    return _play("random,first,random,random")


@pytest.fixture(scope="module")
def games() -> Played:
    return _games()


def _page(played: Played, manifest: dict[str, Any] | None = None) -> Node:
    return read(page(played.report, manifest or {}))


def _terminal(played: Played, width: int = 80) -> list[str]:
    return terminal.lines(played.report, width, "all")


# ---- data of figures and tables -------------------------------------------------------------------------


def test_score_histograms_are_by_seat_or_bot(alike: Played, mixed: Played) -> None:
    names = [name for name, _ in measures.score_histograms([alike.run]).series]
    assert names == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    assert [name for name, _ in measures.score_histograms([mixed.run]).series] == ["random", "first"]


def test_the_figure_of_win_rates_shows_the_estimates(alike: Played) -> None:
    data = measures.win_rates([alike.run], "seat")
    assert data.references == [(25.0, "fair 25%")]
    for seat, point in enumerate(data.points):
        estimate = alike.run.estimates["win", "seat", seat]
        assert (point.row, point.value) == (seat, pytest.approx(100 * estimate.value))
        assert (point.low, point.high) == pytest.approx((100 * estimate.low, 100 * estimate.high))


# ---- the headline ---------------------------------------------------------------------------------------


def _with(run: Run, **values: tuple[float, float, float]) -> Run:
    """Return a run whose win rates are given as value, low, high: s0=… of a seat, else of a bot."""
    changed = Run(run.study, run.number)
    estimates = dict(run.estimates)
    for name, (value, low, high) in values.items():
        key = ("win", "seat", int(name[1])) if name[0] == "s" else ("win", "bot", name)
        estimates[key] = Estimate(value, 0.01, low, high, 400)
    changed.__dict__["estimates"] = estimates
    return changed


def test_a_favoured_seat_is_named(alike: Played) -> None:
    level = (0.25, 0.23, 0.27)
    text = findings.seats_sentence(
        _with(alike.run, s0=(0.3, 0.28, 0.32), s1=(0.2, 0.18, 0.22), s2=level, s3=level)
    )
    assert (
        text
        == "Seat 1 wins most, 30.0% of matches; seat 2 wins least, 20.0% of matches. A fair share is 25%."
    )
    only = findings.seats_sentence(_with(alike.run, s0=level, s1=level, s2=level, s3=(0.3, 0.28, 0.32)))
    assert only == "Seat 4 wins most, 30.0% of matches. A fair share is 25%."


def test_no_favoured_seat_leaves_a_bound(alike: Played) -> None:
    level = (0.25, 0.23, 0.27)
    text = findings.seats_sentence(_with(alike.run, s0=(0.26, 0.24, 0.282), s1=level, s2=level, s3=level))
    assert (
        text == "No seat is measurably favoured: each wins its fair share, 25% of matches, within 3.2 points."
    )


def test_the_winning_bot_is_named_or_left_open(mixed: Played) -> None:
    clear = findings.headline(_with(mixed.run, random=(0.2, 0.18, 0.22), first=(0.4, 0.38, 0.42)))[1]
    assert clear == (
        "first is the strongest of this line-up: it wins 40.0% of its matches; random wins least, 20.0%."
    )
    undecided = findings.headline(_with(mixed.run, random=(0.25, 0.23, 0.27), first=(0.26, 0.2, 0.32)))[1]
    assert undecided == "first (26.0%) and random (25.0%) are too close to say which is the stronger."


def test_fixed_seats_mix_seat_and_bot(mixed: Played) -> None:
    fixed = _play("random,first,random,random", 100, fixed=True)
    assert "this mixes the seat with its bot" in fixed.report.headline[0]
    assert "mixes" not in mixed.report.headline[0]


def test_every_headline_is_short(alike: Played, mixed: Played, games: Played) -> None:
    for played in (alike, mixed, games):
        assert 1 <= len(played.report.headline) <= 6
        assert all(len(text) < 200 for text in played.report.headline)


# ---- pages ----------------------------------------------------------------------------------------------


def test_page_of_a_run(alike: Played) -> None:
    root = _page(
        alike, {"study": "s", "run_id": "r", "command": ["run", "a b"], "versions": {"numpy": "9.9"}}
    )
    assert [node.text for node in root.all("h1")] == ["uplink/v1.1"]
    for text in ("tefuda rerun results/s/r", "tefuda run 'a b'", "numpy 9.9", *alike.report.headline):
        assert text in root.text
    assert "partial" not in root.text.lower()
    of_seats = rows(table_of(root, "By seat"))[1:]
    for seat, row in enumerate(of_seats):
        shown = words.show(alike.run.estimates["win", "seat", seat], "share")
        assert row[0].text == f"Seat {seat + 1}"
        assert shown.value in row[1].text
        assert shown.interval in row[1].text
    assert "400 matches in 400 blocks" in table_of(root, "By seat").text


def test_every_event_that_came_is_on_the_page(alike: Played) -> None:
    run = alike.run
    names = {row[0].text for row in rows(table_of(_page(alike), LENGTH))}
    events = [key for key in run.estimates if key[0] == "event" and not measures.is_idle(run, key)]
    assert len(events) > 5
    assert {measures.name(run, key) for key in [*events, ("ties",), ("decisions",), ("branching",)]} < names


def test_bots_and_cells_are_shown_where_bots_differ(alike: Played, mixed: Played) -> None:
    captions = [caption.text for caption in _page(mixed).all("caption")]
    for start in ("By bot", "Win rate by bot and seat", "Mean score by bot and seat"):
        assert sum(caption.startswith(start) for caption in captions) == 1, start
    assert not any("bot" in caption.text for caption in _page(alike).all("caption"))


def _check_intervals(root: Node) -> int:
    """Check that every value has an interval; return how many there are."""
    checked = 0
    for cell in (cell for table in root.all("table") for cell in table.all("td")):
        spans = [(set(span.attributes.get("class", "").split()), span.text) for span in cell.all("span")]
        if any("v" in classes for classes, _ in spans):
            (interval,) = [text for classes, text in spans if "i" in classes]
            assert re.search(r"\d.* to .*\d|did not vary", interval), cell.text
            checked += 1
    return checked


def test_every_number_of_a_table_has_its_interval(alike: Played, mixed: Played, games: Played) -> None:
    for played in (alike, mixed, games):
        run = played.run
        written = sum(
            isinstance(cell, findings.Cell) and bool(cell.interval)
            for section in played.report.sections
            for table in section.tables
            for row in table.rows
            for cell in row.cells
        )
        assert _check_intervals(_page(played)) == written >= 2 * run.draft.players + 6 * run.draft.players


def test_an_interrupted_run_is_marked() -> None:
    played = _play(matches=40)
    played.study.spec = replace(played.study.spec, matches=1000)
    played.study.result.complete = False
    root = _page(played)
    assert "Interrupted: 40 of 1,000 matches were played." in root.text
    assert root.all("title")[0].text.startswith("(partial)")
    assert "Interrupted: 40 of 1,000 matches were played." in flat(_terminal(played))


def test_a_single_match_shows_dashes_for_intervals() -> None:
    by_name = {row[0].text: row for row in rows(table_of(_page(_play(matches=1)), LENGTH))}
    assert by_name["Decisions in a match"][1].text == "104–"


# ---- games of a match -----------------------------------------------------------------------------------


def test_a_page_says_of_each_number_whether_it_is_of_a_game_or_of_a_match(games: Played) -> None:
    root = _page(games)
    headline = " ".join(games.report.headline)
    assert "25% of games" in headline or "% of games" in headline
    assert "A match of 3 games takes " in headline
    assert "Half of all match totals lie between " in headline
    assert "of matches end with the highest total shared." in headline
    assert ("Matches", "60 of 3 games, in 15 blocks") in games.report.facts
    captions = [caption.text for caption in root.all("caption")]
    assert any(caption.startswith("How match totals are spread") for caption in captions)
    labels = {
        svg.attributes["aria-label"].partition(" with")[0].partition(" from")[0] for svg in root.all("svg")
    }
    assert labels == {"Win rate, over games,", "Step histogram of match totals"}
    assert "other events are counted per game." in root.text
    assert "per match" not in root.text


def test_a_match_of_a_single_game_speaks_of_matches(alike: Played, mixed: Played) -> None:
    single = _games(("rules.games=1",), 20, "random")
    for played in (alike, mixed, single):
        text = _page(played).text
        assert not played.run.by_game
        assert not re.search(r", a game|over games|match total|From game to game", text)
        assert "other events are counted per match." in text


def test_labels_of_games_stand_alone(games: Played) -> None:
    run = games.run
    assert measures.name(run, ("win", "seat", 2)) == "Win rate of seat 3, over games"
    assert measures.name(run, ("win", "cell", "first", 1)) == "Win rate of first in seat 2, over games"
    assert measures.name(run, ("score", "bot", "first")) == "Mean score of first, a game"
    assert [title for title, _ in measures.grouped([run])] == [
        "Win rate by seat, over games", "Win rate by bot, over games", "Mean score, a game", "The match",
        "Events, a game", "Events by seat, a game", "Events by bot, a game", "By bot and seat", "From game to game",
    ]  # fmt: skip


def test_what_became_of_what_is_a_square(games: Played) -> None:
    lines = rows(table_of(_page(games), "Place transitions"))
    body = [
        row for row in lines if len(row) == 5 and row[0].text.strip()[-1:].isdigit() and row[1].all("span")
    ]
    assert len(body) == 4
    for place, row in enumerate(body):
        shares = []
        for column, cell in enumerate(row[1:]):
            estimate = games.run.estimates["event", "place_transitions", 4 * place + column]
            shown = words.show(estimate, "share")
            assert shown.value in cell.text
            assert shown.interval in cell.text
            shares.append(estimate.value)
        assert sum(shares) == pytest.approx(1)
    assert findings.squares([_games(("rules.games=1",), 5).run]) == []


def test_squares_of_other_numbers_of_players() -> None:
    runs = [_games().run, _games(("rules.players=3",), lineup="random").run]
    (section,) = findings.squares(runs)
    assert [len(table.rows) for table in section.tables] == [4, 3]


# ---- the terminal ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_says_it_too(games: Played, width: int) -> None:
    lines = _terminal(games, width)
    assert all(len(line) <= width for line in lines)
    text = flat(lines)
    for sentence in games.report.headline:
        assert sentence in text
    assert "60 matches in 15 blocks" in text


def test_brief_is_the_headline_alone(games: Played) -> None:
    text = flat(terminal.lines(games.report, 80, "brief"))
    assert all(sentence in text for sentence in games.report.headline)
    assert "Seat 1 " not in text.replace("Seat 1 wins", "")
    assert len(text) < 900


def test_usual_lists_are_at_most_twelve_rows_long_and_all_of_them_on_request(games: Played) -> None:
    usual, everything = (terminal.lines(games.report, 80, detail) for detail in ("usual", "all"))
    assert len(usual) < len(everything)
    assert "Every option of the draft" not in usual


# ---- safety, form ---------------------------------------------------------------------------------------


def test_text_from_a_draft_is_escaped_everywhere() -> None:
    wicked = replace(drafts.load("uplink/v1.1"), name=EVIL, notes="<b onclick='x()'>notes</b> & more")
    played = play(Spec(wicked, "random", 60, 1), threads=1)
    root = _page(played, {"command": ["<script>"], "versions": {"<i>": "<u>"}, "study": "<s>", "run_id": "x"})
    assert not {"script", "b", "i", "u", "s"} & {node.tag for node in elements(root)}
    assert not [name for node in elements(root) for name in node.attributes if name.startswith("on")]
    assert root.all("h1")[0].text == f"uplink/{EVIL}"
    assert "<b onclick='x()'>notes</b> & more" in root.text


def test_names_of_bots_are_escaped_and_may_be_of_any_script() -> None:
    data = figures.Dots(
        "Win rate", ["日本語 <b>", "$y$"], ["", ""], [figures.Point(0, 0, 1, 0, 2)], [(1.0, "fair")]
    )
    shown = [text.text for text in read(draw.draw_dots(data, "x")).all("text")]
    assert {"日本語 <b>", "$y$"} < set(shown)


def test_nothing_is_loaded_from_outside(mixed: Played) -> None:
    html = page(mixed.report, {})
    assert "http" not in html.replace("http-equiv", "")
    assert "@import" not in html
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", html))
    for node in elements(read(html)):
        assert node.tag not in ("script", "link", "img", "iframe", "object", "base", "form")
        assert node.attributes.get("href", "#").startswith("#")
        assert "src" not in node.attributes
        assert not any(name.startswith("on") for name in node.attributes)
    assert "default-src 'none'" in html


def test_links_and_clips_point_at_a_single_element_each(mixed: Played) -> None:
    html = page(mixed.report, {})
    nodes = elements(read(html))
    ids = Counter(node.attributes["id"] for node in nodes if "id" in node.attributes)
    wanted = {node.attributes["href"][1:] for node in nodes if "href" in node.attributes}
    wanted |= set(re.findall(r"url\(#([^)]*)\)", html))
    assert wanted
    assert wanted <= set(ids)
    assert ids.most_common(1)[0][1] == 1


def test_tables_and_figures_can_be_read_out(mixed: Played, games: Played) -> None:
    for played in (mixed, games):
        root = _page(played)
        for table in root.all("table"):
            assert table.all("caption")[0].text
            assert all("scope" in cell.attributes for cell in table.all("th"))
        assert len(root.all("svg")) == 3
        for svg in root.all("svg"):
            assert svg.attributes["role"] == "img"
            assert len(svg.attributes["aria-label"]) > 40
        assert len(root.all("h1")) == 1
        assert root.all("html")[0].attributes["lang"] == "en"


def test_figures_come_out_alike_every_time_and_take_the_colours_of_the_page(mixed: Played) -> None:
    data = measures.score_histograms([mixed.run])
    svg = draw.draw_steps(data, "scores")
    assert svg == draw.draw_steps(data, "scores")
    assert "currentColor" in svg
    assert "<metadata" not in svg
    assert "#000000" not in svg


def test_the_page_is_small(mixed: Played) -> None:
    assert len(page(mixed.report, {}).encode()) < 150_000


def test_spreads_have_intervals_that_cover() -> None:
    # Of 400 samples of a known distribution the 95% intervals cover the truth in about 95% of all cases.
    dice = np.random.default_rng(5)
    sd_hits = median_hits = 0
    for _ in range(400):
        sample = np.rint(dice.normal(0, 10, 300)).astype(int)
        counts = Counter(int(score) for score in sample)
        low, high = spread.sd_interval(counts, float(sample.std(ddof=1)), 300)
        sd_hits += low <= (100 + 1 / 12) ** 0.5 <= high
        first, last = spread.quantile_interval(counts, 50, 300)
        median_hits += first <= 0 <= last
    assert 365 <= sd_hits <= 395
    assert 365 <= median_hits <= 400
