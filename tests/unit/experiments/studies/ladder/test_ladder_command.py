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
from experiments.report import ladder as report
from experiments.store import folders
from experiments.studies.ladder import play as ladder
from experiments.studies.ladder import show as show_ladder
from experiments.studies.ladder import store as ladder_store
from experiments.studies.ladder import words as ladder_words
from experiments.studies.ladder.deal_budget import Tiers
from experiments.studies.ladder.play import Ladder, Spec
from sim import drafts
from sim.errors import UserError
from tests.support_cli import call, interrupt, start
from tests.unit.experiments.test_report import EVIL, _elements, _read, _table

WORDS = ["ladder", "uplink/v1.1", "random", "first", "clairvoyant:8", "--deals", "40"]


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played() -> Ladder:
    spec = Spec(drafts.load("uplink/v1.1"), ["random", "first", "greedy", "clairvoyant:8"], 40, 1)
    return ladder.play(spec, threads=2)


# ---- the command ----------------------------------------------------------------------------------------


def test_the_command_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, *WORDS)
    assert (code, err) == (0, "")
    assert out.startswith("uplink/v1.1: ladder of 3 bots, 40 deals (80 matches) of each pair, seed 1\n")
    lines = [line.split() for line in out.splitlines()]
    assert lines[2] == ["bot", "rating", "95%", "interval", "decision"]
    assert [line[:2] for line in lines[3:6]] == [["1", "clairvoyant:8"], ["2", "random"], ["3", "first"]]
    assert "Clear steps: clairvoyant:8 (cheats) > random > first." in out
    assert "Same deals: Each deal is played in all seats." in out
    assert "One scale of strength explains" in out
    assert all(len(line) <= 80 for line in out.splitlines() if "results/" not in line)
    folder = Path(out.strip().splitlines()[-1].removeprefix("report: ")).parent
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json", "ratings.parquet", "duels.parquet", "shares.parquet", "report.html",
    }  # fmt: skip
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["kind"] == "ladder"
    assert manifest["bots"] == ["clairvoyant:8", "first", "random"]
    assert manifest["cheats"] == ["clairvoyant:8"]
    assert (manifest["deals"], manifest["deals_done"], manifest["partial"]) == (40, 40, False)
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
    for key, value in (
        ("bots", []), ("drafts", []), ("bots", [5]), ("seed", "1"), ("deals_done", None),
        ("search_deals_done", "9"),
    ):  # fmt: skip
        damaged = {**manifest, key: value}
        with pytest.raises(UserError, match="m: damaged manifest"):
            ladder_store.spec_of(damaged, "m")
    with pytest.raises(UserError, match="m: made with version 99"):
        ladder_store.spec_of({**manifest, "rules_version": 99}, "m")


def test_the_ratings_and_their_intervals_can_be_reckoned_anew(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = call(capsys, *WORDS, "--search-deals", "35", "--study", "mine")
    assert code == 0
    (folder,) = Path("results/mine").iterdir()
    kept = pd.read_parquet(folder / "shares.parquet")
    assert kept.columns.tolist() == ["first", "second", "deal", "share", "square"]
    groups = dict(iter(kept.groupby(["first", "second"], observed=True)))
    bots = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["bots"]
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
    spec = dataclasses.replace(played.spec, deals=deals, search_deals=deals)
    shares, squares = ([dice.integers(0, 17, deals) / 16 for _ in played.standing.duels] for _ in range(2))
    found = dataclasses.replace(played, spec=spec, shares=shares, squares=squares)
    folder = ladder_store.save(found, tmp_path)
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
    text = " ".join(out.split())
    assert text.startswith(
        "uplink/v1.1: ladder of 3 bots, 60 deals (120 matches) of each pair, or 35 (70 matches) where a bot "
        "searches, seed 1 "
    )
    assert "Deals: All duels of clairvoyant:8 (cheats) are of 35 deals, the first of the 60 that the" in text
    (folder,) = Path("results/mine").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["deals"], manifest["deals_done"]) == (60, 60)
    assert (manifest["search_deals"], manifest["search_deals_done"]) == (35, 35)
    assert sorted(pd.read_parquet(folder / "duels.parquet")["deals"]) == [35, 35, 60]
    assert pd.read_parquet(folder / "ratings.parquet").set_index("bot")["deals"].to_dict() == {
        "clairvoyant:8": 35, "random": 60, "first": 60,
    }  # fmt: skip
    root = _read((folder / "report.html").read_text(encoding="utf-8"))
    assert (
        "(60 deals (120 matches) of each pair, or 35 (70 matches) where a bot searches)"
        in _table(root, "Ratings").text
    )
    assert "60 of 60, or 35 of 35 where a bot searches" in root.text
    assert "those with a bot that searches on the first of them" in root.text
    code, out, _ = call(capsys, "rerun", str(folder))
    assert code == 0
    assert "byte for byte" in out
    data = json.loads(call(capsys, *words, "--json", "--no-save")[1])
    assert (data["deals"], data["search_deals"]) == (60, 35)
    assert sorted(row["deals"] for row in data["duels"]) == [35, 35, 60]


def test_a_manifest_from_before_pairs_differed_is_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, *WORDS, "--study", "mine")
    (folder,) = Path("results/mine").iterdir()
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    old = {key: value for key, value in manifest.items() if not key.startswith("search_deals")}
    path.write_text(json.dumps(old), encoding="utf-8")
    assert ladder_store.spec_of(old, "m").goals == [40, 40, 40]
    code, out, _ = call(capsys, "rerun", str(path))
    assert code == 0
    assert "byte for byte" in out


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
        (["uplink/v1.1", "random", "first", "--deals", "1"], ["--deals 1", "from 2"]),
        (
            ["uplink/v1.1", "random", "first", "--search-deals", "1"],
            ["--search-deals 1", "from 2 to the 2000"],
        ),
        (
            ["uplink/v1.1", "random", "first", "--deals", "40", "--search-deals", "41"],
            ["41", "to the 40 of --deals"],
        ),
        (["uplink/v1.1", "random", "first", "--deals", "many"], ["--deals", "many"]),
        (["uplink/v1.1", "random", "first", "--seed", "-1"], ["seed -1"]),
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
    root = Path(cli.__file__).parent.parent
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
    assert "(partial: interrupted at" in " ".join(out.split())
    (folder,) = (tmp_path / "results" / "long").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["partial"] is True
    assert 2 <= manifest["deals_done"] < 1_000_000
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "Partial result." in html


# ---- terminal -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [44, 60, 79, 100])
def test_lines_fit_the_terminal(played: Ladder, width: int) -> None:
    lines = show_ladder.lines(played, width)
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    for bot in played.bots:
        assert bot.name in text
    # In the ratings and in each part of the matrix.
    assert sum("(cheats)" in line for line in lines) >= 3


def test_steps_that_are_not_clear_are_told_with_what_they_need() -> None:
    names = ["heuristic", "heuristic:dump=0.66", "first"]
    found = ladder.play(Spec(drafts.load("uplink/v1.1"), names, 40, 1))
    assert ladder.undecided(found.standing) == [0]
    (step,) = ladder_words.open_steps(found)
    assert re.search(r"more --deals would decide it|no sensible number|alike on every deal", step)
    assert "it is not clear that it is stronger than" in ladder_words.strongest(found)


def mixed(ahead: float = 0.52, complete: bool = True) -> Ladder:
    """Return a ladder as if played, of two bots that do not search and two that do, which are ahead of them."""
    names = ["heuristic", "heuristic:dump=0.66", "search:5", "search:6"]
    spec = Spec(drafts.load("uplink/v1.1"), names, 400, 1, search_deals=100)
    dice = np.random.default_rng(2)
    played = Tiers(400, 100) if complete else Tiers(40, 10)
    shares = []
    for deals, goal in zip(played.of(spec.searching), spec.goals, strict=True):
        share = ahead if len(shares) in (0, 5) else 0.2
        shares.append(dice.permutation(np.linspace(0, 1, goal) < share)[:deals] * 1.0)
    squares = [row**2 for row in shares]
    standing = ratings.rate(4, shares, 1, replicates=50)
    return Ladder(spec, played, shares, squares, standing, [1.0] * 4, 1.0, complete)


def test_a_step_that_is_not_clear_names_the_option_to_raise() -> None:
    found = mixed()
    searching, fast = ladder_words.open_steps(found)
    more = re.search(
        r"about ([\d,]+) more --search-deals would decide it \(with at least as many --deals\)\.", searching
    )
    assert more
    assert re.search(r"about [\d,]+ more --deals would decide it\.", fast)
    # From the duel's own deals.
    wanted = found.standing.duels[0, 1].deals_to_decide(6)
    assert int(more[1].replace(",", "")) == pytest.approx(wanted - 100, rel=0.1)
    assert [step["option"] for step in found.summary()["undecided"]] == ["--search-deals", "--deals"]
    (nearer,) = ladder_words.open_steps(mixed(0.6))
    assert nearer.endswith("more --search-deals would decide it.")
    assert "with 400 deals (800 matches) of each pair, or 100 (200 matches) where a bot searches." in (
        ladder_words.findings(found)[2].text
    )
    assert re.search(r"%\) in 200 matches; about", searching)
    assert re.search(r"%\) in 800 matches; about", fast)
    assert [step["matches"] for step in found.summary()["undecided"]] == [200, 800]
    assert [step["deals"] for step in found.summary()["undecided"]] == [100, 400]


def test_a_partial_ladder_says_how_far_each_kind_of_pair_is() -> None:
    found = mixed(complete=False)
    far = "40 of 400, or 10 of 100 where a bot searches"
    assert f"(partial: interrupted at {far})" in " ".join(" ".join(show_ladder.lines(found, 80)[:4]).split())
    assert far in ladder_words.partial(found)
    assert ladder_words.few_deals(found).startswith(
        "With 40 deals (80 matches) of each pair, or 10 (20 matches) where a bot searches,"
    )
    assert not ladder_words.few_deals(mixed())


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [(0.0234, "0.02 µs"), (1.26, "1.3 µs"), (342.4, "342 µs"), (999.0, "1.0 ms"), (45e3, "45 ms"), (2.5e6, "2.5 s")],
)  # fmt: skip
def test_times_have_two_digits(microseconds: float, text: str) -> None:
    assert ladder_words.time_taken(microseconds) == text


# ---- page -----------------------------------------------------------------------------------------------


def test_the_page_says_it_all(played: Ladder) -> None:
    root = _read(report.page(played, {}))
    assert root.all("h1")[0].text == "uplink/v1.1: ladder of 4 bots"
    findings = root.all("dl")[1].text
    assert findings.strip().startswith("Strongest")
    assert "clairvoyant:8 sees every card" in findings
    matrix = _table(root, "How often the bot of the row")
    assert len(matrix.all("tbody")[0].all("tr")) == 4
    assert re.search(r"\d clairvoyant:8 \(cheats\)", matrix.text)
    (plot,) = root.all("svg")
    assert "(cheats)" in plot.text
    assert len(plot.attributes["aria-label"]) > 40
    for table in root.all("table"):
        assert table.all("caption")[0].text
        assert all("scope" in cell.attributes for cell in table.all("th"))


def test_text_from_a_draft_is_escaped_and_nothing_is_loaded(played: Ladder) -> None:
    wicked = dataclasses.replace(
        played.spec.draft, name=EVIL, notes="<b onclick='x()'>notes</b>"
    )  # fmt: skip
    bots = [dataclasses.replace(bot, name=f"<i>{bot.name}", summary=EVIL) for bot in played.spec.players]
    spec = Spec(wicked, played.spec.bots, 40, 1)
    spec.__dict__["players"] = bots
    found = dataclasses.replace(played, spec=spec)
    html = report.page(found, {"command": ["<script>"], "versions": {"<i>": "<u>"}})
    root = _read(html)
    for node in _elements(root):
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
    assert "matches of 10 games" in " ".join(out.split())
    assert "Few deals:" in out
    (page,) = Path("results").rglob("report.html")
    text = _read(page.read_text(encoding="utf-8")).text
    assert "A match has 10 games" in text
    assert "Circles" not in text
