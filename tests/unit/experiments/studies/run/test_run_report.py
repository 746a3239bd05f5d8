"""The report: what its figures and findings show, its pages, and that they are safe and self-contained."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import numpy as np
import pytest

from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import Run, Study, play
from experiments.report import draw, figures, findings, page, spread, squares, tables, words
from experiments.stats import Estimate
from experiments.studies.run import show
from sim import batch, drafts

EVIL = "<script>alert(1)</script> $x$"


# ---- studies --------------------------------------------------------------------------------------------


def _play(names: list[tuple[str, ...]], lineup: str, matches: int = 400, *, fixed: bool = False) -> Study:
    found = [drafts.load("uplink/v1.1", changes) for changes in names]
    return play(Spec(found, lineup, matches, 7, fixed), threads=1)


@pytest.fixture(scope="module")
def one() -> Study:
    return _play([()], "random")


@pytest.fixture(scope="module")
def mixed() -> Study:
    return _play([()], "random,first,random,random")


@pytest.fixture(scope="module")
def two() -> Study:
    return _play([(), ("points.K=9", "rules.heart_pair=5")], "random,first,random,random")


@pytest.fixture(scope="module")
def three_and_four() -> Study:
    return _play([(), ("rules.players=3",)], "random")


@pytest.fixture(scope="module")
def evil() -> Study:
    plain = replace(drafts.load("uplink/v1.1"), name='q" onload="y()')
    wicked = replace(plain, name=EVIL, notes="<b onclick='x()'>notes</b> & more")
    return play(Spec([wicked, plain], "random", 60, 1), threads=1)


# ---- reading pages --------------------------------------------------------------------------------------

_VOID = {"meta", "br", "link", "img"}


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    parts: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def all(self, tag: str) -> list[Node]:
        found = []
        for part in self.parts:
            if isinstance(part, Node):
                found += [part] if part.tag == tag else []
                found += part.all(tag)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def _read(html: str) -> Node:
    reader = _Reader()
    reader.feed(html)
    assert reader.open == [reader.root]
    return reader.root


def _elements(node: Node) -> list[Node]:
    return [found for part in node.parts if isinstance(part, Node) for found in [part, *_elements(part)]]


def _rows(table: Node) -> list[list[Node]]:
    return [[part for part in row.parts if isinstance(part, Node)] for row in table.all("tr")]


def _table(root: Node, caption: str) -> Node:
    (found,) = [table for table in root.all("table") if table.all("caption")[0].text.startswith(caption)]
    return found


# ---- data of figures and tables -------------------------------------------------------------------------


def test_score_histograms_are_by_seat_bot_or_draft(one: Study, mixed: Study, two: Study) -> None:
    assert [name for name, _ in figures.score_histograms(one.runs).series] == [
        "Seat 0",
        "Seat 1",
        "Seat 2",
        "Seat 3",
    ]
    assert [name for name, _ in figures.score_histograms(mixed.runs).series] == ["random", "first"]
    assert [name[0] for name, _ in figures.score_histograms(two.runs).series] == ["A", "B"]


def test_win_share_figure_shows_the_estimates(one: Study) -> None:
    data = figures.win_shares(one.runs, "seat")
    found = one.runs[0].estimates
    assert data.references == [(25.0, "fair 25%")]
    for seat, point in enumerate(data.points):
        estimate = found[("win", "seat", seat)]
        assert (point.row, point.value) == (seat, pytest.approx(100 * estimate.value))
        assert (point.low, point.high) == (
            pytest.approx(100 * estimate.low),
            pytest.approx(100 * estimate.high),
        )


def test_win_share_figure_of_different_player_counts(three_and_four: Study) -> None:
    data = figures.win_shares(three_and_four.runs, "seat")
    assert [(point.row, point.series) for point in data.points if point.row == 3] == [(3, 0)]
    assert len(data.points) == 7
    assert [value for value, _ in data.references] == [pytest.approx(100 / 3), 25.0]


def test_difference_figure_shows_seats_and_bots(two: Study) -> None:
    base, run = two.runs
    data = figures.win_differences(base, run)
    assert data.rows == ["Seat 0", "Seat 1", "Seat 2", "Seat 3", "random", "first"]
    assert data.points[5].value == pytest.approx(100 * run.differences[("win", "bot", "first")].value)
    assert data.references[0][0] == 0.0


def test_n_counts_places_for_a_bot(mixed: Study) -> None:
    (run,) = mixed.runs
    assert tables.count(run, ("win", "bot", "random")) == 1200
    assert tables.count(run, ("win", "seat", 1)) == 400
    assert tables.count(run, ("win", "cell", "first", 1)) == 100
    assert tables.count(run, ("ties",)) == 400


def test_options_that_differ_have_their_clause_and_meaning(two: Study) -> None:
    found = {
        setting.key: setting
        for setting in tables.settings([run.draft for run in two.runs], only_different=True)
    }
    assert set(found) == {"points.K", "rules.heart_pair"}
    assert found["points.K"].values == ["−2", "9"]
    assert found["points.K"].clause == "U4"
    assert found["rules.heart_pair"].clause == "U15"
    assert "heart face card" in found["rules.heart_pair"].changes


def test_a_key_of_an_open_table_that_only_one_draft_has() -> None:
    study = _play([(), ("points.HQ=4",)], "random", 2)
    (found,) = tables.settings([run.draft for run in study.runs], only_different=True)
    assert (found.key, found.values) == ("points.HQ", ["as its rank", "4"])
    assert found.changes == "points of one captured card, in place of its rank's"


# ---- findings -------------------------------------------------------------------------------------------


def _with(run: Run, **values: tuple[float, float, float]) -> Run:
    """Return a run whose win shares are given as value, low, high: s0=… of a seat, else of a bot."""
    changed = Run(run.study, run.number)
    estimates = dict(run.estimates)
    for name, (value, low, high) in values.items():
        key = ("win", "seat", int(name[1])) if name[0] == "s" else ("win", "bot", name)
        estimates[key] = Estimate(value, 0.01, low, high, 400)
    changed.__dict__["estimates"] = estimates
    return changed


def test_a_favoured_seat_is_named(one: Study) -> None:
    level = (0.25, 0.23, 0.27)
    text = findings.seats(_with(one.runs[0], s0=(0.3, 0.28, 0.32), s1=(0.2, 0.18, 0.22), s2=level, s3=level))
    assert "Winning more often: seat 0, 30.0% (28.0% to 32.0%)." in text
    assert "Winning less often: seat 1, 20.0% (18.0% to 22.0%)." in text
    assert "For seats 2 and 3 no departure from it is seen." in text


def test_no_favoured_seat_leaves_a_bound(one: Study) -> None:
    level = (0.25, 0.23, 0.27)
    text = findings.seats(_with(one.runs[0], s0=(0.26, 0.24, 0.282), s1=level, s2=level, s3=level))
    assert "No seat is seen to be favoured" in text
    assert "up to 3.2 percentage points" in text


def test_the_winning_bot_is_named_or_left_open(mixed: Study) -> None:
    (run,) = mixed.runs
    clear = findings.bots(_with(run, random=(0.2, 0.18, 0.22), first=(0.4, 0.38, 0.42)))
    assert "So first is the strongest" in clear
    open_ = findings.bots(_with(run, random=(0.25, 0.23, 0.27), first=(0.26, 0.2, 0.32)))
    assert "Whether first or random is the stronger is not settled." in open_


def test_fixed_seats_mix_seat_and_bot(mixed: Study) -> None:
    fixed = _play([()], "random,first,random,random", 100, fixed=True)
    assert "mixes" in findings.seats(fixed.runs[0])
    assert "strongest" not in findings.bots(fixed.runs[0])
    assert "mixes" not in findings.seats(mixed.runs[0])


def test_changes_are_sorted_by_what_the_interval_shows(two: Study) -> None:
    base, run = two.runs
    found = findings.changes(base, run, main=False)
    sure = [key for key, d in run.differences.items() if not d.low <= 0 <= d.high]
    assert len(found.changed) == len(sure) > 0
    assert len(found.open) == len(run.differences) - len(sure) > 0
    assert all("no difference" in text for text in found.open)
    assert all(" → " in text for text in found.changed)


# ---- pages ----------------------------------------------------------------------------------------------


def test_page_of_one_run(one: Study) -> None:
    root = _read(
        page(one, {"study": "s", "run_id": "r", "command": ["run", "a b"], "versions": {"numpy": "9.9"}})
    )
    text = root.text
    assert [node.text for node in root.all("h1")] == ["uplink/v1.1"]
    assert "tefuda rerun results/s/r," in text
    assert "tefuda run 'a b'" in text
    assert "numpy 9.9" in text
    assert "partial" not in text.lower()
    rows = _rows(_table(root, "Win share by seat"))[1:]
    for seat, row in enumerate(rows):
        shown = words.show(one.runs[0].estimates[("win", "seat", seat)], "share")
        assert [cell.text for cell in row[:3]] == [f"Seat {seat}", shown.value, shown.interval]
    assert "n = 400 matches in 400 blocks" in _table(root, "Win share by seat").text


def test_every_event_is_on_the_page(one: Study) -> None:
    (run,) = one.runs
    names = {row[0].text for row in _rows(_table(_read(page(one, {})), "Shared wins, length and events"))}
    events = [key for key in run.estimates if key[0] == "event"]
    assert len(events) == 10
    assert {tables.label(run, key) for key in [*events, ("ties",), ("decisions",), ("branching",)]} < names


def test_bots_and_cells_are_shown_where_bots_differ(one: Study, mixed: Study) -> None:
    alike, different = _read(page(one, {})), _read(page(mixed, {}))
    captions = [caption.text for caption in different.all("caption")]
    assert sum(caption.startswith("Win share by bot") for caption in captions) == 2
    assert any(caption.startswith("Mean score by bot and seat") for caption in captions)
    assert not any("by bot" in caption.text for caption in alike.all("caption"))


def _check_intervals(root: Node) -> int:
    """Check that every value has an interval; return how many there are."""
    checked = 0
    for table in root.all("table"):
        for cell in table.all("td"):
            if cell.attributes.get("class") == "v" or any(
                s.attributes.get("class") == "v" for s in cell.all("span")
            ):
                row = next(row for row in _rows(table) if any(cell is other for other in row))
                inside = [s.text for s in cell.all("span") if "i" in s.attributes.get("class", "").split()]
                beside = [other.text for other in row if other.attributes.get("class") == "i"]
                (interval,) = inside or beside
                assert re.search(r"\d.* to .*\d|did not vary", interval), (row[0].text, interval)
                checked += 1
    return checked


def test_every_number_of_a_table_has_its_interval(one: Study, mixed: Study, two: Study) -> None:
    # Seats, then scores over all and by seat, then the match and its events.
    assert _check_intervals(_read(page(one, {}))) == 4 + 5 + 3 + 10
    # And two bots' win shares and scores, the tricks of both, and two matrices of two bots by four seats.
    assert _check_intervals(_read(page(mixed, {}))) == 4 + 2 + 6 + 3 + 10 + 2 + 16
    # Per measure A, B and the difference; then the scores of both.
    assert _check_intervals(_read(page(two, {}))) == 3 * len(two.runs[1].differences) + 2 * 6


def test_a_comparison_says_what_changed_and_never_claims_equality(two: Study) -> None:
    root = _read(page(two, {}))
    rows = [row for row in _rows(_table(root, "Every measure of A and B")) if len(row) == 6][1:]
    readings = [row[4].text for row in rows]
    assert any(text.startswith(("higher by", "lower by")) for text in readings)
    assert any(text.startswith("no difference seen; it is at most") for text in readings)
    assert all(
        re.match(r"higher by|lower by|no difference (seen; it is at most|in any block played)", text)
        for text in readings
    )
    assert any(row[5].text.startswith("×") for row in rows)
    text = root.text
    assert (
        "Paired: both drafts were played on the same shuffles of the pack, with the same bots in the same seats."
        in text
    )
    assert "times as many matches" in text
    assert "rules.heart_pair 2 → 5" in text


def test_drafts_of_different_player_counts(three_and_four: Study) -> None:
    root = _read(page(three_and_four, {}))
    rows = [row for row in _rows(_table(root, "Every measure of A and B")) if len(row) == 6][1:]
    only = [row for row in rows if row[4].text == "only in A"]
    # Seat 3's win share, its score, and its place in the two lists of events.
    assert [row[0].text for row in only] == [
        "Seat 3",
        "Seat 3",
        "Tricks taken from place 3 after the leader",
        "Tricks taken by seat 3",
    ]
    assert all(row[1].text != "–" and row[2].text == row[3].text == "–" for row in only)
    assert {row[5].text for row in rows if row not in only} == {"not paired"}
    assert "Not paired:" in root.text
    assert "33.3%" in root.text
    assert "Differences in win share" not in root.text
    # With one bot its win share is fixed, so it is no result.
    assert "Win share by bot" not in root.text


def test_a_draft_against_itself() -> None:
    study = _play([(), ()], "random", 40)
    assert findings.rules_words(*study.runs) == "No option differs."
    root = _read(page(study, {}))
    rows = [row for row in _rows(_table(root, "Every measure of A and B")) if len(row) == 6][1:]
    assert {row[4].text for row in rows} == {"no difference in any block played"}


def test_three_drafts_have_a_table_side_by_side() -> None:
    root = _read(page(_play([(), ("points.K=1",), ("points.Q=1",)], "random", 40), {}))
    head = _rows(_table(root, "Every measure of every draft"))[0]
    assert [cell.text[0] for cell in head] == ["M", "A", "B", "C"]
    assert [node.text for node in root.all("h1")] == ["2 drafts against uplink/v1.1"]


@pytest.mark.parametrize("drafts_", [1, 2])
def test_an_interrupted_study_is_marked(drafts_: int) -> None:
    study = _play([(), ("points.K=1",)][:drafts_], "random", 40)
    study.spec = replace(study.spec, matches=1000)
    study.result.complete = False
    root = _read(page(study, {}))
    assert "Interrupted: 40 of 1,000 matches" in root.text
    assert root.all("title")[0].text.startswith("(partial)")
    assert root.all("h1")[0].text.endswith("partial")


@pytest.mark.parametrize("drafts_", [1, 2])
def test_a_study_interrupted_before_its_first_match(drafts_: int) -> None:
    spec = Spec([drafts.load("uplink/v1.1")] * drafts_, "random", 10, 1)
    batches = spec.batches
    study = Study(spec, batches, batch.Result([each.totals() for each in batches], False, 0.0))
    root = _read(page(study, {}))
    assert "there are no numbers" in root.text
    assert not root.all("svg")


def test_a_single_match_shows_dashes_for_intervals() -> None:
    root = _read(page(_play([()], "random", 1), {}))
    rows = {row[0].text: row for row in _rows(_table(root, "Shared wins, length and events"))}
    assert [cell.text for cell in rows["Decisions in a match"][1:3]] == ["104", "–"]


# ---- games of a match ------------------------------------------------------------------------------------


def _play_daifugo(names: list[tuple[str, ...]], lineup: str = "random", matches: int = 60) -> Study:
    found = [drafts.load("daifugo/author", ("rules.games=3", *changes)) for changes in names]
    return play(Spec(found, lineup, matches, 7), threads=1)


@pytest.fixture(scope="module")
def games() -> Study:
    return _play_daifugo([()], "random,first,random,random")


@pytest.fixture(scope="module")
def two_of_games() -> Study:
    return _play_daifugo([(), ("rules.exchange=[]",)], matches=120)


def test_a_page_says_of_each_number_whether_it_is_of_a_game_or_of_a_match(games: Study) -> None:
    root = _read(page(games, {}))
    found = {finding.lead: finding.text for finding in findings.of_run(games.runs[0])}
    assert "over all games" in found["Seats"]
    assert "would come first in 25% of its games" in found["Bots"]
    assert "of the matches end with the highest total of points shared." in found["Shared totals"]
    assert found["Length"].startswith("A match of 3 games takes ")
    assert found["Scores"].startswith("Half of all match totals, of 3 games, lie from ")
    assert "A game brings on average, by seat, from " in found["Scores"]
    assert ("Matches", "60 of 3 games, in 15 blocks of 4") in [
        (item.all("dt")[0].text, item.all("dd")[0].text) for item in root.all("dl")[0].all("div")
    ]
    heads = [cell.text for cell in _rows(_table(root, "Mean points of a game, and totals of a match"))[0]]
    assert heads == [
        "Of", "Mean a game", "95% interval", "SD of match totals",
        "So many of the match totals are at or below", "n", "Blocks",
    ]  # fmt: skip
    by_match = _rows(_table(root, "Shared totals and length, by match"))[1:]
    assert [row[0].text for row in by_match] == [
        "Matches with a shared highest total", "Decisions in a match", "Legal moves at a decision",
    ]  # fmt: skip
    assert "Plays" in [row[0].text for row in _rows(_table(root, "Events, a game"))]
    captions = [caption.text for caption in root.all("caption")]
    for start in (
        "Win share by seat, over games",
        "Win share by bot, over games",
        "Mean score by bot and seat, a game",
    ):
        assert any(caption.startswith(start) for caption in captions), start
    labels = {
        svg.attributes["aria-label"].partition(" with")[0].partition(" from")[0] for svg in root.all("svg")
    }
    assert labels == {"Win share, over games,", "Step histogram of match totals"}
    text = root.text
    assert "other events are counted per game." in text
    assert "The part of the games in which first place was taken." in text
    assert "part of the matches won" not in text
    assert "per match" not in text


def test_a_favoured_seat_comes_first_in_more_games(games: Study) -> None:
    level = (0.25, 0.23, 0.27)
    text = findings.seats(
        _with(games.runs[0], s0=(0.3, 0.28, 0.32), s1=(0.2, 0.18, 0.22), s2=level, s3=level)
    )
    assert "Fair would be 25% of the first places, over all games, for each seat." in text
    assert "Coming first in a game more often: seat 0, 30.0% (28.0% to 32.0%)." in text
    assert "Coming first in a game less often: seat 1" in text


def test_a_match_of_one_game_or_of_another_kind_reads_as_before(one: Study, mixed: Study, two: Study) -> None:
    single = _play_daifugo([("rules.games=1",)], matches=20)
    for study in (one, mixed, two, single):
        root = _read(page(study, {}))
        assert not study.by_game
        assert not re.search(
            r", a game|over games|match total|From game to game",
            root.text.partition("Complete tables")[0],
        )
        assert "The part of the matches won." in root.text
        assert "other events are counted per match." in root.text
    labels = [
        tables.label(mixed.runs[0], key)
        for key in mixed.runs[0].estimates
        if key[0] in ("win", "score", "ties")
    ]
    assert labels[0] == "Win share of seat 0"
    assert "Mean score of random" in labels
    assert "Matches with a shared win" in labels


def test_labels_of_games_stand_alone(games: Study) -> None:
    (run,) = games.runs
    assert tables.label(run, ("win", "seat", 2)) == "Win share of seat 2, over games"
    assert tables.label(run, ("win", "cell", "first", 1)) == "Win share of first in seat 1, over games"
    assert tables.label(run, ("score", "bot", "first")) == "Mean score of first, a game"
    titles = [title for title, _ in tables.grouped(games.runs)]
    assert titles == [
        "Win share by seat, over games", "Win share by bot, over games", "Mean score, a game", "The match",
        "Events, a game", "Events by seat, a game", "Events by bot, a game", "By bot and seat", "From game to game",
    ]  # fmt: skip


def test_what_became_of_what_is_a_square(games: Study) -> None:
    (run,) = games.runs
    root = _read(page(games, {}))
    table = _table(root, "Place transitions")
    rows = _rows(table)
    assert [cell.text for cell in rows[0]] == ["", "In the next game", "n"]
    assert [cell.text for cell in rows[1]] == ["1", "2", "3", "4"]
    assert [row[0].text for row in rows[2:]] == [f"From place {place}" for place in (1, 2, 3, 4)]
    for place, row in enumerate(rows[2:]):
        # Two games of each match have one before them.
        assert row[-1].text == "120"
        shares = []
        for column, cell in enumerate(row[1:-1]):
            estimate = run.estimates[("event", "place_transitions", 4 * place + column)]
            shown = words.show(estimate, "share")
            assert cell.text == shown.value + shown.interval
            assert f"/ {0.6 * estimate.value:.2f})" in cell.attributes["style"]
            shares.append(estimate.value)
        assert sum(shares) == pytest.approx(1)
    assert "From place 1 to 1" not in root.text


def test_a_comparison_of_squares(two_of_games: Study) -> None:
    root = _read(page(two_of_games, {}))
    run = two_of_games.runs[1]
    assert [caption.text.partition(" (")[0] for caption in root.all("caption") if "Place tr" in caption.text] == [
        "B − A: Place transitions", "A: Place transitions", "B: Place transitions",
    ]  # fmt: skip
    rows = _rows(_table(root, "B − A"))[2:]
    for place, row in enumerate(rows):
        assert len(row) == 5
        for column, cell in enumerate(row[1:]):
            found = run.differences[("event", "place_transitions", 4 * place + column)]
            shown = words.show_difference(found, "share")
            assert cell.text == shown.value + shown.interval
            assert cell.attributes["class"] == words.verdict(found)
    # They are judged like all the others.
    everything = findings.changes(*two_of_games.runs, main=False)
    assert everything.counted == len(
        [key for key in run.differences if not (key[:2] == ("win", "bot") or key[0] == "bot_event")]
    )
    # None is listed beside.
    assert "In the next game" not in _table(root, "Every measure of A and B").text


def test_squares_of_other_numbers_of_players_are_not_subtracted() -> None:
    study = _play_daifugo([(), ("rules.players=3",)])
    assert squares.square_differences(study.runs[1]) == []
    assert [len(square.rows) for run in study.runs for square in squares.squares(run)] == [4, 3]
    root = _read(page(study, {}))
    assert "B − A: Place" not in root.text
    alone = _play_daifugo([("rules.games=1",)], matches=5)
    assert squares.squares(alone.runs[0]) == []
    assert _square_lines(show.run_lines(alone.runs[0])) == []


def test_squares_can_be_read_out_and_have_intervals(games: Study, two_of_games: Study) -> None:
    for study in (games, two_of_games):
        root = _read(page(study, {}))
        _check_intervals(root)
        for table in root.all("table"):
            assert all("scope" in cell.attributes for cell in table.all("th"))


def _square_lines(lines: list[str]) -> list[str]:
    found = [
        number for number, line in enumerate(lines) if line.startswith("  From place …, in the next game, %")
    ]
    return lines[found[0] : found[0] + 7] if found else []


def test_the_terminal_says_it_too(games: Study, mixed: Study) -> None:
    lines = show.run_lines(games.runs[0])
    assert lines[0].startswith("daifugo/author [rules.games=3]: 60 matches of 3 games, 15 blocks,")
    assert "win share                 mean score a game" in "\n".join(lines)
    assert "  win share: of first places, over games; sd: of the totals of matches" in lines
    assert re.search(r"sd of scores: seat 0 [\d.]+ \[[\d.]+, [\d.]+\]; seat 1", "\n".join(lines))
    heading = lines.index("  events, a game:")
    assert lines[heading + 1].startswith("  plays ")
    assert any(line.startswith("  matches with a shared top total ") for line in lines[:heading])
    assert any(line.startswith("  decisions a match ") for line in lines[:heading])
    square = _square_lines(lines)
    assert square[1].split() == ["1", "2", "3", "4"]
    first = games.runs[0].estimates[("event", "place_transitions", 0)]
    assert square[2].startswith(
        f"  1  {100 * first.value:.1f} [{100 * first.low:.1f}, {100 * first.high:.1f}]  "
    )
    assert all(len(line) <= 80 for line in lines)
    before = show.run_lines(mixed.runs[0])
    assert "  ties                            " in "\n".join(before)
    assert not any("a game" in line or "blocks" in line for line in before)


def test_a_square_too_wide_for_the_terminal_leaves_its_intervals_out() -> None:
    study = _play_daifugo([("rules.players=6",)])
    lines = show.run_lines(study.runs[0])
    (head,) = [number for number, line in enumerate(lines) if "in the next game" in line]
    assert lines[head].endswith("; their intervals are in the report:")
    assert [len(line.split()) for line in lines[head + 1 : head + 8]] == [6, *[7] * 6]
    assert not any("[" in line for line in lines[head : head + 8])
    assert all(len(line) <= 80 for line in lines[head : head + 8])


# ---- safety, form ---------------------------------------------------------------------------------------


def test_text_from_a_draft_is_escaped_everywhere(evil: Study) -> None:
    html = page(evil, {"command": ["<script>"], "versions": {"<i>": "<u>"}, "study": "<s>", "run_id": "x"})
    root = _read(html)
    assert not {"script", "b", "i", "u", "s"} & {node.tag for node in _elements(root)}
    assert not [name for node in _elements(root) for name in node.attributes if name.startswith("on")]
    assert root.all("h1")[0].text == f'uplink/q" onload="y() against uplink/{EVIL}'
    assert "<b onclick='x()'>notes</b> & more" in root.text
    in_figures = [text.text for svg in root.all("svg") for text in svg.all("text")]
    # As written: neither markup nor mathematics.
    assert sum(EVIL in text for text in in_figures) == 2


def test_names_of_bots_are_escaped_and_may_be_of_any_script() -> None:
    data = figures.Dots(
        "Win share", ["日本語 <b>", "$y$"], ["", ""], [figures.Point(0, 0, 1, 0, 2)], [(1.0, "fair")]
    )
    root = _read(draw.draw_dots(data, "x"))
    shown = [text.text for text in root.all("text")]
    assert {"日本語 <b>", "$y$"} < set(shown)


def test_nothing_is_loaded_from_outside(two: Study) -> None:
    html = page(two, {})
    assert "http" not in html.replace("http-equiv", "")
    assert "@import" not in html
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", html))
    for node in _elements(_read(html)):
        assert node.tag not in ("script", "link", "img", "iframe", "object", "base", "form")
        assert node.attributes.get("href", "#").startswith("#")
        assert "src" not in node.attributes
        assert not any(name.startswith("on") for name in node.attributes)
    assert "default-src 'none'" in html


def test_links_and_clips_point_at_one_element_each(two: Study) -> None:
    html = page(two, {})
    nodes = _elements(_read(html))
    ids = Counter(node.attributes["id"] for node in nodes if "id" in node.attributes)
    wanted = {node.attributes["href"][1:] for node in nodes if "href" in node.attributes}
    wanted |= set(re.findall(r"url\(#([^)]*)\)", html))
    assert wanted
    assert wanted <= set(ids)
    assert {node.attributes["aria-labelledby"] for node in nodes if node.tag == "section"} <= set(ids)
    assert ids.most_common(1)[0][1] == 1


def test_tables_and_figures_can_be_read_out(two: Study, mixed: Study) -> None:
    for study, drawn in ((two, 4), (mixed, 3)):
        root = _read(page(study, {}))
        for table in root.all("table"):
            assert table.all("caption")[0].text
            assert all("scope" in cell.attributes for cell in table.all("th"))
        assert len(root.all("svg")) == drawn
        for svg in root.all("svg"):
            assert svg.attributes["role"] == "img"
            assert len(svg.attributes["aria-label"]) > 40
        assert len(root.all("h1")) == 1
        assert root.all("html")[0].attributes["lang"] == "en"


def test_figures_come_out_alike_every_time_and_take_the_colours_of_the_page(mixed: Study) -> None:
    data = figures.score_histograms(mixed.runs)
    svg = draw.draw_steps(data, "scores")
    assert svg == draw.draw_steps(data, "scores")
    assert "currentColor" in svg
    assert "<metadata" not in svg
    assert "#000000" not in svg


def test_the_page_is_small(two: Study) -> None:
    assert len(page(two, {}).encode()) < 150_000


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
