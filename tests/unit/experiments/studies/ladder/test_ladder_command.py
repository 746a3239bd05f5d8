"""``tefuda ladder`` as a user meets it: terminal, JSON, files, page, errors, Ctrl-C."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments import interrupts
from experiments.cli import main as cli
from experiments.metrics import ratings, variance
from experiments.report import terminal
from experiments.report.page import page
from experiments.report.sections import Section
from experiments.store import folders
from experiments.studies import lifecycle
from experiments.studies.ladder import findings
from experiments.studies.ladder import play as ladder
from experiments.studies.ladder.deal_budget import DealBudget
from experiments.studies.ladder.play import Ladder
from experiments.studies.ladder.spec import Spec
from sim import drafts
from sim.errors import UserError
from tests.support_cli import call, flat, interrupt, start, told
from tests.support_pages import EVIL, elements, read

WORDS = ["ladder", "uplink/v1.1", "random", "first", "clairvoyant:8", "--deals", "40"]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played() -> Ladder:
    spec = Spec(drafts.load("uplink/v1.1"), ["random", "first", "greedy", "clairvoyant:8"], 40, 1)
    return ladder.play(spec, threads=2)


def section(played: Ladder, name: str) -> Section:
    return next(part for part in played.report.sections if part.name == name)


# ---- the command ----------------------------------------------------------------------------------------


def test_the_command_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *WORDS)
    assert (code, err) == (0, "")
    text = flat(out)
    assert text.startswith(
        "clairvoyant:8 (cheats) is the strongest: it finishes ahead of the closest, random, in "
    )
    assert "The order is clairvoyant:8 (cheats) > random > first; every step is clear." in text
    assert "Deals of each pair: 40 (80 matches)" in text
    lines = [line.split() for line in out.splitlines()]
    at = lines.index(["Bot", "Elo", "points", "A", "decision"])
    assert [line[:2] for line in lines[at + 1 : at + 4]] == [
        ["1", "clairvoyant:8"], ["2", "random"], ["3", "first"],
    ]  # fmt: skip
    assert all(len(line) <= 80 for line in out.splitlines() if "results/" not in line)
    folder = Path(out.strip().splitlines()[-1].removeprefix("report: ")).parent
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json", "ratings.parquet", "duels.parquet", "shares.parquet", "report.html",
    }  # fmt: skip
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["question"] == "ladder"
    assert manifest["spec"]["bots"] == ["random", "first", "clairvoyant:8"]
    assert manifest["about"]["cheats"] == ["clairvoyant:8"]
    assert (manifest["spec"]["deals"], manifest["played"]["deals"], manifest["partial"]) == (40, 40, False)
    assert "choix" in manifest["versions"]
    for name, digest in manifest["tables"].items():
        assert folders.digest((folder / name).read_bytes()) == digest
    ratings = pd.read_parquet(folder / "ratings.parquet")
    assert ratings.columns.tolist() == ["rank", "bot", "cheats", "rating", "low", "high", "deals"]
    assert ratings["cheats"].tolist() == [True, False, False]
    assert ratings["rating"].mean() == pytest.approx(0)
    duels = pd.read_parquet(folder / "duels.parquet")
    assert duels.columns.tolist() == [
        "first",
        "second",
        "value",
        "low",
        "high",
        "clear",
        "deals",
        "gain",
        "gain_low",
        "gain_high",
    ]
    assert (duels["low"] < duels["value"]).all()
    assert (duels["value"] < duels["high"]).all()


def test_a_ladder_is_played_again_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, *WORDS, "--study", "mine", "--threads", "1")
    (folder,) = Path("results/mine").iterdir()
    code, out, _ = call(capsys, "rerun", str(folder), "--threads", "2")
    assert code == 0
    assert "byte for byte" in out
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for place, value in (
        ("spec/bots", 5), ("spec/draft", []), ("spec/bots", [5]), ("spec/seed", "1"), ("played/deals", None),
        ("played/search_deals", "9"), ("spec/search_deals", 1), ("played", {}),
    ):  # fmt: skip
        part, _, key = place.partition("/")
        damaged = {**manifest, part: {**manifest[part], key: value} if key else value}
        with pytest.raises(UserError, match="m: damaged manifest"):
            Spec.read(damaged, "m")
    with pytest.raises(UserError, match="m: made with version 99"):
        Spec.read({**manifest, "rules_version": 99}, "m")


def test_the_ratings_and_their_intervals_can_be_reckoned_anew(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = call(capsys, *WORDS, "--search-deals", "35", "--study", "mine")
    assert code == 0
    (folder,) = Path("results/mine").iterdir()
    kept = pd.read_parquet(folder / "shares.parquet")
    assert kept.columns.tolist() == ["first", "second", "deal", "share", "square"]
    groups = dict(iter(kept.groupby(["first", "second"], observed=True)))
    bots = sorted(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["spec"]["bots"])
    assert list(groups) == list(itertools.combinations(bots, 2))
    shares = [group["share"].to_numpy() for group in groups.values()]
    assert [len(row) for row in shares] == [35, 35, 40]
    assert all(group["deal"].tolist() == list(range(len(group))) for group in groups.values())
    again = ratings.rate(len(bots), shares, 1)
    table = pd.read_parquet(folder / "ratings.parquet")
    assert table["bot"].tolist() == [bots[number] for number in again.order]
    for column, values in (("rating", again.ratings), ("low", again.low), ("high", again.high)):
        assert (table[column] == values).all()
    duels = pd.read_parquet(folder / "duels.parquet")
    assert duels["value"].tolist() == [duel.value for _, duel in sorted(again.duels.items())]
    by_pair = {frozenset(pair): group for pair, group in groups.items()}
    for row in duels.itertuples():
        group = by_pair[frozenset((row.first, row.second))]
        gain = variance.duplicate_gain(group["share"], group["square"], 2)
        assert (row.gain, row.gain_low, row.gain_high) == (gain.value, gain.low, gain.high)


def test_what_is_kept_of_the_deals_is_small(played: Ladder, tmp_path: Path) -> None:
    deals = 20_000
    dice = np.random.default_rng(1)
    spec = played.spec.changed(deals=deals, search_deals=deals)
    shares, squares = ([dice.integers(0, 17, deals) / 16 for _ in played.standing.duels] for _ in range(2))
    found = dataclasses.replace(played, spec=spec, shares=shares, squares=squares)
    folder = lifecycle.save(found, tmp_path)
    assert (folder / "shares.parquet").stat().st_size < 4 * deals * len(found.shares)


def test_pairs_that_search_play_fewer_deals_and_everything_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [
        "ladder",
        "uplink/v1.1",
        "random",
        "first",
        "clairvoyant:8",
        "--deals",
        "60",
        "--search-deals",
        "35",
    ]
    code, out, _ = call(capsys, *words, "--study", "mine")
    assert code == 0
    assert "Deals of each pair: 60 (120 matches), or 35 (70 matches) where a bot searches" in flat(out)
    (folder,) = Path("results/mine").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["spec"]["deals"], manifest["played"]["deals"]) == (60, 60)
    assert (manifest["spec"]["search_deals"], manifest["played"]["search_deals"]) == (35, 35)
    assert sorted(pd.read_parquet(folder / "duels.parquet")["deals"]) == [35, 35, 60]
    assert pd.read_parquet(folder / "ratings.parquet").set_index("bot")["deals"].to_dict() == {
        "clairvoyant:8": 35, "random": 60, "first": 60,
    }  # fmt: skip
    text = told((folder / "report.html").read_text(encoding="utf-8"))
    assert "60 of 60, or 35 of 35 where a bot searches" in text
    assert "All duels of clairvoyant:8 (cheats) have 35 deals, the first of the 60 of the other duels" in text
    code, out, _ = call(capsys, "rerun", str(folder))
    assert code == 0
    assert "byte for byte" in out
    data = json.loads(call(capsys, *words, "--json", "--no-save")[1])
    assert (data["deals"], data["search_deals"]) == (60, 35)
    assert sorted(row["deals"] for row in data["duels"]) == [35, 35, 60]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *WORDS, "--json", "--no-save", "--set", "rules.players=3")
    data = json.loads(out)
    assert code == 0
    assert data["results"] is None
    assert (data["draft"], data["players"]) == ("uplink/v1.1 [rules.players=3]", 3)
    assert data["complete"] is True
    assert [row["bot"] for row in data["ratings"]] == ["clairvoyant:8", "random", "first"]
    assert [row["cheats"] for row in data["ratings"]] == [True, False, False]
    assert all(row["low"] < row["rating"] < row["high"] for row in data["ratings"])
    assert all(row["microseconds"] > 0 for row in data["ratings"])
    assert len(data["duels"]) == 3
    # Three players: two seatings of a duel, in three rotations each.
    assert data["matches_a_deal"] == 6
    assert [row["matches"] for row in data["duels"]] == [240] * 3
    assert data["chain"][-1] == "first"
    assert data["circles"] == 0
    assert 0 < data["transitive_by_noise"][0] <= data["transitive_by_noise"][1] <= 1
    assert 0 < data["transitive"] <= 1
    for duel in data["duels"]:
        assert 0 < duel["gain_low"] < duel["gain"] < duel["gain_high"]
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["DRAFT"]),
        (["uplink/v1.2"], ["uplink/v1.2", "did you mean 'uplink/v1.1'"]),
        (["uplink/v1.1", "random"], ["random", "two bots or more"]),
        (["uplink/v1.1", "random,random"], ["random", "twice"]),
        (["uplink/v1.1", "random", "greddy"], ["greddy", "did you mean 'greedy'"]),
        (["uplink/v1.1", "random", "first", "--deals", "1"], ["--deals", "x>=2"]),
        (
            ["uplink/v1.1", "random", "first", "--search-deals", "1"],
            ["--search-deals", "x>=2"],
        ),
        (
            ["uplink/v1.1", "random", "first", "--deals", "40", "--search-deals", "41"],
            ["41", "to the 40 of --deals"],
        ),
        (["uplink/v1.1", "random", "first", "--deals", "many"], ["--deals", "many"]),
        (["uplink/v1.1", "random", "first", "--seed", "-1"], ["--seed", "x>=0"]),
        (["uplink/v1.1", "random", "first", "--set", "rules.players=9"], ["rules.players = 9"]),
        (["uplink/v1.1", "random", "first", "--study", "../up"], ["--study ../up"]),
        (["uplink/v1.1", "random", "first", "--bots", "mine.py"], ["mine.py", "no such file"]),
    ],
)
def test_wrong_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    code, out, err = call(capsys, "ladder", *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("tefuda: ")
    for part in parts:
        assert part in err
    assert not Path("results").exists()


def test_help_imports_no_engine() -> None:
    program = (
        "import sys; from experiments.cli import main; main.main(['ladder', '--help'])\n"
        "print(sorted({'numba', 'numpy', 'scipy', 'choix'} & set(sys.modules)))"
    )
    root = Path(cli.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.endswith("[]\n")


def test_ctrl_c_leaves_what_was_finished_marked_partial(tmp_path: Path) -> None:
    # Slow enough to be still playing, whatever the machine.
    words = ["ladder", "uplink/v1.1", "heuristic", "search:100", "--study", "long"]
    words += ["--deals", "1000000", "--search-deals", "1000000"]
    with start(*words, cwd=tmp_path) as run:
        out, err = interrupt(run, tmp_path / "results" / "long", 4)
    assert run.returncode == cli.INTERRUPTED
    assert err == f"tefuda: {interrupts.STOPPING}\n"
    assert "Interrupted. Deals that every pair played, of those asked for: " in flat(out)
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert 2 <= manifest["played"]["deals"] < 1_000_000
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "Partial result." in html


# ---- terminal -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [44, 60, 79, 100])
def test_lines_fit_the_terminal(played: Ladder, width: int) -> None:
    lines = terminal.lines(played.report, width, "all")
    assert all(len(line) <= width for line in lines)
    text = "".join("\n".join(lines).split())
    for bot in played.bots:
        assert bot.name in text
    assert text.count("(cheats)") >= 3


def test_steps_that_are_not_clear_are_told_with_what_they_need() -> None:
    names = ["heuristic", "heuristic:dump=0.66", "first"]
    found = ladder.play(Spec(drafts.load("uplink/v1.1"), names, 40, 1))
    assert ladder.undecided(found.standing) == [0]
    (step,) = section(found, "duels").sentences
    assert re.search(r"more --deals should settle it|no sensible number|every deal came out alike", step)
    assert "but not clearly stronger than" in findings.strongest(found)
    assert "1 step of 2 (≥) is not clear" in found.report.headline[1]


def mixed(ahead: float = 0.52, complete: bool = True) -> Ladder:
    """Return a ladder as if played, of two bots that do not search and two that do, which are ahead of them."""
    names = ["heuristic", "heuristic:dump=0.66", "search:5", "search:6"]
    spec = Spec(drafts.load("uplink/v1.1"), names, 400, 1, search_deals=100)
    dice = np.random.default_rng(2)
    played = DealBudget(400, 100) if complete else DealBudget(40, 10)
    shares = []
    for deals, goal in zip(played.of(spec.searching), spec.goals, strict=True):
        share = ahead if len(shares) in (0, 5) else 0.2
        shares.append(dice.permutation(np.linspace(0, 1, goal) < share)[:deals] * 1.0)
    squares = [row**2 for row in shares]
    standing = ratings.rate(4, shares, 1, replicates=50)
    return Ladder(spec, played, shares, squares, standing, [1.0] * 4, 1.0, complete)


def test_a_step_that_is_not_clear_names_the_option_to_raise() -> None:
    found = mixed()
    searching, fast = section(found, "duels").sentences
    more = re.search(
        r"about ([\d,]+) more --search-deals should settle it \(with at least as many --deals\)\.", searching
    )
    assert more
    assert re.search(r"about [\d,]+ more --deals should settle it\.", fast)
    # From the duel's own deals.
    wanted = found.standing.duels[0, 1].deals_to_decide(6)
    assert int(more[1].replace(",", "")) == pytest.approx(wanted - 100, rel=0.1)
    assert [step["option"] for step in found.summary()["undecided"]] == ["--search-deals", "--deals"]
    (nearer,) = section(mixed(0.6), "duels").sentences
    assert nearer.endswith("more --search-deals should settle it.")
    assert findings.deals(found) == "400 (800 matches), or 100 (200 matches) where a bot searches"
    assert re.search(r"%\) in 200 matches; about", searching)
    assert re.search(r"%\) in 800 matches; about", fast)
    assert [step["matches"] for step in found.summary()["undecided"]] == [200, 800]
    assert [step["deals"] for step in found.summary()["undecided"]] == [100, 400]


def test_a_partial_ladder_says_how_far_each_kind_of_pair_is() -> None:
    found = mixed(complete=False)
    far = "40 of 400, or 10 of 100 where a bot searches"
    assert far in flat(terminal.lines(found.report, 80)[:4])
    assert far in found.report.partial
    assert found.report.headline[-1].startswith("So few deals make these intervals too narrow")
    assert not any("too narrow" in sentence for sentence in mixed().report.headline)


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(0.0234, "0.02 µs"), (1.26, "1.3 µs"), (342.4, "342 µs"), (999.0, "1.0 ms"), (45e3, "45 ms"), (2.5e6, "2.5 s")],
)  # fmt: skip
def test_times_have_two_digits(microseconds: float, text: str) -> None:
    assert findings.time_taken(microseconds) == text


# ---- page -----------------------------------------------------------------------------------------------


def test_the_page_says_it_all(played: Ladder) -> None:
    root = read(page(played.report, {}))
    assert root.all("h1")[0].text == "uplink/v1.1: which bot is the strongest?"
    assert "clairvoyant:8 cheats: it sees every card" in root.text
    matrix = section(played, "duels").tables[0]
    assert len(matrix.rows) == len(matrix.columns) - 1 == 4
    assert any("(cheats)" in row.name for row in matrix.rows)
    (plot,) = root.all("svg")
    assert "(cheats)" in plot.text
    assert len(plot.attributes["aria-label"]) > 40
    for table in root.all("table"):
        assert all("scope" in cell.attributes for cell in table.all("th"))


def test_text_from_a_draft_is_escaped_and_nothing_is_loaded(played: Ladder) -> None:
    wicked = dataclasses.replace(
        played.spec.draft, name=EVIL, notes="<b onclick='x()'>notes</b>"
    )  # fmt: skip
    bots = [dataclasses.replace(bot, name=f"<i>{bot.name}", summary=EVIL) for bot in played.spec.players]
    spec = Spec(wicked, played.spec.bots, 40, 1)
    spec.__dict__["players"] = bots
    found = dataclasses.replace(played, spec=spec)
    html = page(found.report, {"command": ["<script>"], "versions": {"<i>": "<u>"}})
    root = read(html)
    for node in elements(root):
        assert node.tag not in ("script", "b", "i", "u", "link", "img", "iframe", "object", "form")
        assert not any(name.startswith("on") for name in node.attributes)
        assert node.attributes.get("href", "#").startswith("#")
    assert EVIL in root.all("h1")[0].text
    assert "<b onclick='x()'>notes</b>" in root.text
    assert "http" not in html.replace("http-equiv", "")
    assert "default-src 'none'" in html


def test_a_page_of_two_bots_and_few_deals(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "ladder", "daifugo/plain", "random", "first", "--deals", "4")
    assert code == 0
    assert "Matches: of 10 games" in flat(out)
    assert "So few deals make these intervals too narrow" in flat(out)
    assert "rock-paper-scissors" not in out
    (report,) = Path("results").rglob("report.html")
    assert "in a circle" not in read(report.read_text(encoding="utf-8")).text
