"""Training: the same result for the same spec, honest scores, what the files and the commands say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from experiments import training, training_store
from experiments.training import Spec, train
from sim import drafts
from sim.batch import Batch
from sim.errors import UserError
from strategies import registry as strategies
from strategies import weights
from tests.unit.experiments.test_cli import call

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
    assert training.Duel(table.play(0, 6000).ahead).interval()[0] > 0.5


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


def test_deals_follow_the_minutes() -> None:
    few, many = (training.deals_for(QUICK, minutes, 1) for minutes in (0.2, 20))
    assert training.LEAST_DEALS <= few < many <= training.MOST_DEALS


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (Spec(UPLINK, "", 0, 100, 1), "--generations 0"),
        (Spec(UPLINK, "", 5, 3, 1), "--deals 3"),
        (Spec(UPLINK, "greddy", 5, 100, 1), "did you mean 'greedy'"),
        (Spec(UPLINK, "", 5, 100, -1), "seed -1"),
    ],
)
def test_what_does_not_fit(spec: Spec, message: str) -> None:
    with pytest.raises(UserError, match=message):
        train(spec)


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
    assert "greedy can be exploited: by" in " ".join(out.split())
    assert "tefuda probe uplink/v1.1 greedy --generations 3 --deals 300 --seed 1" in " ".join(out.split())
    assert all(len(line) <= 80 or line.startswith("again:") for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["train", "uplink/v1.1", "--out", "weights.txt"], "must end in .toml"),
        (["train", "uplink/v1.1", "--deals", "1"], "--deals 1: must be from 20"),
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
