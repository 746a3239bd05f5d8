"""Training: the same result for the same spec, honest scores, what the files and the commands say."""

from __future__ import annotations

import json
import shlex
import warnings
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from experiments.metrics.ratings import Duel
from experiments.studies.train import plan as training_plan
from experiments.studies.train import play as training
from experiments.studies.train import weights_file as training_store
from experiments.studies.train.play import play as train
from experiments.studies.train.spec import MOST_DEALS, Spec
from sim import drafts
from sim.batch import Batch
from sim.errors import UserError
from strategies import registry as strategies
from strategies import weights
from tests.support_cli import call

UPLINK = drafts.load("uplink/v1.1")
QUICK = Spec(UPLINK, "", 10, 100, 1)


def test_it_does_not_depend_on_threads() -> None:
    one, two = train(QUICK, threads=1), train(QUICK, threads=2)
    assert one.values == two.values
    assert (one.score.by_deal == two.score.by_deal).all()
    assert one.complete


def test_another_seed_is_another_training() -> None:
    assert train(QUICK).values != train(Spec(UPLINK, "", 10, 100, 2)).values


def test_it_beats_the_player_it_began_as() -> None:
    trained = train(Spec(UPLINK, "", 15, 600, 1), threads=2)
    assert trained.champions >= 1
    assert trained.score.interval()[0] > 0.5
    # On deals of another seed too.
    table = Spec(UPLINK, "", 1, 20, 99).table(
        weights.trainable("uplink").bot(trained.values, "x"), strategies.find("uplink", "heuristic")
    )
    assert Duel(table.play(0, 6000).ahead).interval()[0] > 0.5


def test_a_poor_player_is_exploited_and_the_score_is_that_of_one_seat() -> None:
    trained = train(Spec(UPLINK, "greedy", 5, 200, 1), threads=2)
    assert len(trained.score.by_deal) == len(trained.wins.by_deal) == 2000
    assert trained.wins.interval()[0] > 0.25
    lineup = [weights.trainable("uplink").bot(trained.values, "x")]
    lineup += [strategies.find("uplink", "greedy")] * 3
    batch = Batch(UPLINK, lineup, 1)
    first = (5 * 1 + 1 * 1 + 4) * 200
    scores = batch.play(4 * first, 4 * 2000).scores
    own = np.array([[batch.bot_at(turn, seat) == "x" for seat in range(4)] for turn in range(4)])
    best = scores == scores.max(axis=1, keepdims=True)
    share = (best & np.tile(own, (2000, 1))).any(axis=1) / best.sum(axis=1)
    assert trained.wins.value == pytest.approx(share.mean(), abs=1e-3)


def test_the_score_is_not_that_of_the_luckiest() -> None:
    """Of trainings by very few deals, the scores are on average what the players are worth on many other deals."""
    heuristic = strategies.find("uplink", "heuristic")
    errors = []
    for seed in range(25):
        spec = Spec(UPLINK, "", 3, 20, seed)
        trained = train(spec, threads=2)
        table = spec.table(weights.trainable("uplink").bot(trained.values, "x"), heuristic)
        errors.append(trained.score.value - table.play(10_000, 3000).ahead.mean())
    assert abs(np.mean(errors)) < 3 * np.std(errors, ddof=1) / np.sqrt(len(errors))


def test_a_stopped_training_is_that_of_its_generations() -> None:
    done: list[int] = []
    stopped = train(QUICK, on_progress=done.append, stop=lambda: done[-1] == 5)
    assert not stopped.complete
    assert stopped.generations == 5
    assert stopped.values == train(Spec(UPLINK, "", 5, 100, 1)).values


# ---- what there is time for -----------------------------------------------------------------------------

SEARCHED = Spec(UPLINK, "search:10", 60, 20, 1)


@pytest.mark.parametrize("spec", [Spec(UPLINK, "", 11, 20, 1), Spec(UPLINK, "greedy", 11, 20, 1)])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_plan_counts_what_a_training_plays(
    spec: Spec, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In units of the deals of a generation: each round of duels as long as the threads take for it."""
    rounds: list[int] = []

    def play(run: Any, pairs: Any, times: int) -> Any:
        found = list(pairs)
        rounds.append(times * -(-len(found) // threads))
        # The mean always beats the champion, so there are two to play against as soon as can be.
        shares = np.linspace(0, 1, len(found))
        return [training.duels.Deals(np.full(20, share), np.zeros(20), np.zeros(20)) for share in shares]

    monkeypatch.setattr(training._Run, "_play", play)
    monkeypatch.setattr(Duel, "value", 1.0)
    train(spec)
    planned = training_plan.turns(spec, 11, threads)
    early = 0 if spec.against else 5 * (rounds[-3] - rounds[0])  # one champion before the first is crowned
    assert sum(rounds) <= planned <= sum(rounds) + max(early, 5 * rounds[-1])


@pytest.mark.parametrize(
    ("pace", "minutes", "fixed", "generations"),
    [
        (1e-5, 3, False, 60),
        (1e-3, 1, False, 60),
        (1e-2, 1.5, False, 30),
        (1e-2, 1.5, True, 60),
        (1.0, 1, False, 8),
    ],
)
def test_deals_and_then_generations_follow_the_minutes(
    pace: float, minutes: float, fixed: bool, generations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_plan, "seconds_a_deal", lambda spec: pace)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = training_plan.fitted(SEARCHED, minutes, 1, fixed=fixed)
    each = pace * training_plan.turns(SEARCHED, found.generations, 1) / 60
    if generations in (8, 60):
        assert found.generations == generations
    else:
        # The most that there is time for.
        assert 8 < found.generations < 60
        more = pace * training_plan.turns(SEARCHED, found.generations + 1, 1) / 60
        assert each * 20 <= minutes < more * 20
    if each * 20 <= minutes:
        assert found.deals == min(int(minutes / each), MOST_DEALS)
        assert not told
    else:
        assert found.deals == 20
        (notice,) = told
        assert str(notice.message) == (
            f"{found.generations} generations of 20 deals, the fewest there can be, take about "
            f"{each * 20:.{0 if each * 20 >= 10 else 1}f} minutes here, not {minutes:g}"
        )


def test_a_little_longer_is_not_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = training_plan.turns(SEARCHED, 8, 1)
    monkeypatch.setattr(training_plan, "seconds_a_deal", lambda spec: 1.4 * 60 / (20 * turns))
    found = training_plan.fitted(SEARCHED, 1, 1)
    assert (found.generations, found.deals) == (8, 20)


def test_the_trial_is_one_deal_where_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    class Table:
        played: ClassVar[list[int]] = []

        def warm_up(self) -> None:
            pass

        def play(self, start: int, deals: int) -> None:
            self.played.append(deals)
            clock[0] += deals * pace

    clock = [0.0]
    monkeypatch.setattr(training_plan.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(Spec, "table", lambda spec, first, second: Table())
    for pace, tried in ((100.0, [1]), (1e-2, [1, 4, 16, 64])):
        Table.played.clear()
        assert training_plan.seconds_a_deal(SEARCHED) == pytest.approx(pace)
        assert Table.played == tried


def test_a_bot_that_searches_can_be_probed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training_plan, "seconds_a_deal", lambda spec: 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        code, out, err = call(
            capsys, "probe", "uplink/v1.1", "search:10", "--minutes", "0.5", "--set", "rules.players=2"
        )
    assert code == 0
    assert err.startswith("tefuda: note: 8 generations of 20 deals, the fewest there can be, take about ")
    assert err.count("\n") == 1
    assert "Generations: 8 of 11 players, 20 deals each" in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("", 0, 100, 1), "generations = 0"),
        (("", 5, 3, 1), "deals = 3: must be from 20"),
        (("greddy", 5, 100, 1), "did you mean 'greedy'"),
        (("", 5, 100, -1), "seed = -1"),
        ((5, 5, 100, 1), "against = 5"),
    ],
)
def test_what_does_not_fit(words: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        train(Spec(UPLINK, *words))


# ---- files and commands ---------------------------------------------------------------------------------


def test_a_file_can_be_read_and_tells_all(tmp_path: Path) -> None:
    trained = train(QUICK)
    path = tmp_path / "w.toml"
    training_store.write(trained, path)
    game, found = weights.read(path)
    assert game == "uplink"
    assert found.values == trained.values
    assert weights.distance(found.rules, UPLINK.record()) == 0
    data = drafts.read_toml(path)
    assert data["training"]["command"] == "tefuda train uplink/v1.1 --generations 10 --deals 100 --seed 1"
    assert data["score"]["ahead"] == pytest.approx(trained.score.value, abs=1e-5)
    assert data["draft"] == UPLINK.tables()


def test_a_file_of_weights_has_its_tables(tmp_path: Path) -> None:
    trained, path = train(Spec(UPLINK, "", 1, 20, 1)), tmp_path / "player.toml"
    training_store.write(trained, path)
    direct, loaded = trained.frames, training_store.read(path)
    values = direct["weights"]
    assert dict(zip(values["weight"], values["value"], strict=True)) == trained.values
    assert values.equals(loaded["weights"])
    for column in ("ahead", "low", "high"):
        assert direct.score[column].tolist() == pytest.approx(loaded.score[column].tolist(), abs=1e-5)
    assert loaded.score["deals"].tolist() == [trained.score.deals]
    assert loaded.manifest["training"]["generations"] == 1
    path.write_text(
        path.read_text(encoding="utf-8").replace("deals = 200", 'deals = "many"'), encoding="utf-8"
    )
    with pytest.raises(UserError, match=r"player\.toml: damaged"):
        training_store.read(path)


def test_a_trained_player_shows_itself(capsys: pytest.CaptureFixture[str]) -> None:
    trained = train(Spec(UPLINK, "", 1, 20, 1))
    assert "Weight" in repr(trained)
    assert "<table>" in trained._repr_html_()
    low, _ = trained.score.interval()
    word = "is stronger than" if low > 0.5 else "heuristic"
    assert word in trained.report.headline[0]


def test_changes_behind_a_colon_are_named_once(tmp_path: Path) -> None:
    name = "uplink/v1.1:points.K=-1"
    spec = Spec(drafts.load(name, ("rules.players=2",)), "", 1, 20, 1, None, name)
    assert training_store.command(spec, 1).startswith(
        f"tefuda train {name} --set rules.players=2 --generations"
    )


def test_train_and_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    words = ["train", "uplink/v1.1", "--generations", "5", "--deals", "50", "--out", str(path)]
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    assert f"weights: {path}" in out
    lineup = f"{path},heuristic,heuristic,heuristic"
    code, out, err = call(
        capsys, "run", "uplink/v1.1", "--matches", "400", "--no-save", "--json", "--lineup", lineup
    )
    assert (code, err) == (0, "")
    assert str(path) in json.loads(out)["by_bot"]
    before = path.read_bytes()
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    assert "there is such a file already" in err
    assert path.read_bytes() == before
    assert call(capsys, *words, "--overwrite")[0] == 0
    assert path.read_bytes() == before


def test_the_commands_it_names_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my drafts"
    folder.mkdir()
    (folder / "flat faces.toml").write_text(
        'game = "uplink"\nname = "flat faces"\nextends = "v1.1"\n[points]\nK = 0\n', encoding="utf-8"
    )
    words = ["train", "my drafts/flat faces.toml", "--set", "rules.players=2", "--set", "points.Q=-1"]
    words += ["--generations", "1", "--deals", "20"]
    code, out, _ = call(capsys, *words, "--out", "ff player.toml")
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("play it: ")]
    tefuda, *command = shlex.split(line.removeprefix("play it: "))
    assert (tefuda, command[0]) == ("tefuda", "run")
    code, out, err = call(capsys, *command, "--matches", "40", "--no-save", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["draft"] == "uplink/flat faces [rules.players=2, points.Q=-1]"
    assert found["lineup"] == ["ff player.toml", "heuristic"]
    # What goes into the file tells nobody where the draft lay.
    told = drafts.read_toml(tmp_path / "ff player.toml")["training"]["command"]
    assert shlex.split(told) == ["tefuda", "train", "flat faces.toml", *words[2:], "--seed", "1"]
    words = ["probe", "my drafts/flat faces.toml", "ff player.toml", *words[2:]]
    code, out, _ = call(capsys, *words)
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("again: ")]
    assert shlex.split(line.removeprefix("again: ")) == ["tefuda", *words, "--seed", "1"]


def test_a_users_own_file_is_part_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "my bots.py").write_text(
        "from strategies import strategy\n\n"
        "@strategy('uplink', 'of_a_training', jit=False)\n"
        "def of_a_training(view, rules, me):\n"
        "    return 0\n",
        encoding="utf-8",
    )
    spec = Spec(UPLINK, "", 1, 20, 1, tmp_path / "my bots.py", "uplink/v1.1")
    assert shlex.split(training_store.trial(spec, Path("w.toml"))) == [
        "tefuda", "run", "uplink/v1.1", "--bots", str(tmp_path / "my bots.py"), "--lineup",
        "w.toml,heuristic,heuristic,heuristic",
    ]  # fmt: skip
    assert "--bots 'my bots.py' --generations" in training_store.command(spec, 1, whole=False)


def test_train_says_all_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out_file = tmp_path / "new" / "w.toml"
    words = ["train", "uplink/v1.1", "--set", "rules.players=3", "--generations", "1", "--deals", "20"]
    code, out, _ = call(capsys, *words, "--json", "--out", str(out_file))
    found = json.loads(out)
    assert code == 0
    assert found["draft"] == "uplink/v1.1 [rules.players=3]"
    assert found["weights"] == drafts.read_toml(out_file)["weights"]
    assert found["ahead"]["low"] <= found["ahead"]["value"] <= found["ahead"]["high"]
    assert found["score_deals"] == 200
    assert "--set rules.players=3" in found["training"]["command"]


def test_probe_tells_what_a_bot_can_lose(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["probe", "uplink/v1.1", "greedy", "--generations", "3", "--deals", "300"]
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    assert "greedy can be exploited: against 3 players greedy the trained player wins " in " ".join(
        out.split()
    )
    assert "tefuda probe uplink/v1.1 greedy --generations 3 --deals 300 --seed 1" in " ".join(out.split())
    assert all(len(line) <= 80 or line.startswith("again:") for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["train", "uplink/v1.1", "--out", "weights.txt"], "must end in .toml"),
        (["train", "uplink/v1.1", "--out", "a,b.toml"], "must have no ',' or ':'"),
        (["train", "uplink/v1.1", "--out", " b.toml"], "no space at its ends"),
        (["train", "uplink/v1.1", "--deals", "1"], "deals = 1: must be from 20"),
        (["train", "uplink/v9"], "uplink/v9"),
        (["probe", "uplink/v1.1", "nobody"], "unknown bot 'nobody'"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
