"""Files of weights behind a run: kept in every kind of manifest, and looked at when it is played again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from experiments.store import manifests, user_files
from sim.errors import UserError
from strategies import registry as strategies
from strategies import weights
from tests.support_cli import call

ORIGINAL = (weights.folder("uplink") / "v1.1.toml").read_text(encoding="utf-8")
VALUES = weights.read(weights.folder("uplink") / "v1.1.toml")[1].values


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("mine.toml")
    path.write_text(ORIGINAL, encoding="utf-8")
    return path


KINDS = [
    ["run", "uplink/v1.1", "--lineup", "mine.toml,random,random,random", "--matches", "8"],
    [
        "compare", "uplink/v1.1", "uplink/personal-decks", "--matches", "8", "--levels", "random,mine.toml:cautious",
    ],
    ["fairness", "uplink/v1.1", "--levels", "random,mine.toml", "--players", "4", "--matches", "8"],
    ["ladder", "uplink/v1.1", "random", "mine.toml:cautious", "--deals", "4"],
    ["skill", "uplink/v1.1", "--best", "mine.toml", "--fictive", "clairvoyant:2", "--matches", "10"],
]  # fmt: skip


@pytest.mark.parametrize("words", KINDS, ids=lambda words: words[0])
def test_a_run_keeps_its_weights_and_is_not_played_with_others(
    words: list[str], mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, *words, "--study", "it")[0] == 0
    (folder,) = Path("results/it").iterdir()
    kept = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]["weights"]
    digest = hashlib.sha256(ORIGINAL.encode()).hexdigest()
    assert kept == {"mine.toml": {"sha256": digest, "values": VALUES}}

    # What is only said of the weights may change.
    mine.write_text(ORIGINAL.replace("champions = 6", "champions = 7"), encoding="utf-8")
    code, out, _ = call(capsys, "rerun", str(folder))
    assert code == 0
    assert "byte for byte" in out

    mine.write_text(ORIGINAL.replace("\nkeep = ", "\nkeep = 3.5 # "), encoding="utf-8")
    code, out, err = call(capsys, "rerun", str(folder))
    assert (code, out) == (2, "")
    assert err == (
        f"tefuda: {folder}: mine.toml has changed since (SHA-256 {digest}): keep is 3.5 and was {VALUES['keep']}\n"
    )

    mine.unlink()
    code, out, err = call(capsys, "rerun", str(folder))
    assert (code, out) == (2, "")
    assert "mine.toml: no such file; it held " in err
    assert f"keep = {VALUES['keep']}, " in err
    assert digest in err
    assert err.count("\n") == 1


def test_without_such_files_nothing_is_kept() -> None:
    assert user_files.weights_of([strategies.find("uplink", "heuristic")]) == {}


@pytest.mark.parametrize("then", [None, ORIGINAL.replace("\nkeep = ", "\nkeep = 3.5 # ")])
def test_a_file_that_changed_meanwhile_has_no_digest(mine: Path, then: str | None) -> None:
    bot = strategies.find("uplink", "mine.toml:cautious")
    if then is None:
        mine.unlink()
    else:
        mine.write_text(then, encoding="utf-8")
    assert user_files.weights_of([bot]) == {"mine.toml": {"sha256": None, "values": VALUES}}


@pytest.mark.parametrize(
    "kept", [5, {"mine.toml": 5}, {"mine.toml": {}}, {"mine.toml": {"sha256": None, "values": 5}}]
)
def test_damage_is_told(kept: Any) -> None:
    with pytest.raises(UserError, match="m: damaged manifest"), manifests.reading("m"):
        user_files.check({"files": {"bots": None, "weights": kept}}, "m", None)
