"""What was played in Python: its tables, just played and read back, and how it shows itself."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from experiments.store import frames
from experiments.studies import lifecycle
from experiments.studies.compare.play import play as compare
from experiments.studies.compare.spec import Spec as CompareSpec
from experiments.studies.fairness.play import play as fairness
from experiments.studies.fairness.spec import Spec as FairnessSpec
from experiments.studies.ladder.play import play as ladder
from experiments.studies.ladder.spec import Spec as LadderSpec
from experiments.studies.run.play import play as run
from experiments.studies.run.spec import Spec as RunSpec
from experiments.studies.skill.play import play as skill
from experiments.studies.skill.spec import Players
from experiments.studies.skill.spec import Spec as SkillSpec
from experiments.studies.train import weights_file
from experiments.studies.train.play import play as train
from experiments.studies.train.spec import Spec as TrainSpec
from sim import drafts
from sim.errors import UserError

EVIL = "<script>alert(1)</script>"
DRAFT = "uplink/v1.1"


def _skill(draft: Any) -> Any:
    players = Players(("random",), "greedy", "heuristic", None)
    return skill(SkillSpec(draft, players, 1, {"luck": 30, "seats": 30}))


QUESTIONS: dict[str, tuple[Callable[[Any], Any], set[str]]] = {
    "run": (lambda draft: run(RunSpec(draft, "first,random,random,random", 60)), {"estimates", "scores"}),
    "compare": (
        lambda draft: compare(CompareSpec([DRAFT, draft], "random", 60)),
        {"estimates", "scores", "differences", "verdicts", "distances"},
    ),
    "ladder": (
        lambda draft: ladder(LadderSpec(draft, ["random", "first"], 20)),
        {"ratings", "duels", "shares"},
    ),
    "fairness": (
        lambda draft: fairness(FairnessSpec([draft], levels=["random"], matches=60)),
        {"fairness"},
    ),
    "skill": (_skill, {"numbers"}),
}


@pytest.fixture(scope="module")
def played() -> dict[str, Any]:
    draft = replace(drafts.load(DRAFT, ("points.Q=5",)), name=EVIL, notes="<b>notes</b>")
    return {
        **{name: play(draft) for name, (play, _) in QUESTIONS.items()},
        "train": train(TrainSpec(DRAFT, "", 1, 20, 1)),
    }


# ---- tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS)
def test_all_tables_of_every_kind_are_read_back_as_they_were(
    question: str, played: dict[str, Any], tmp_path: Path
) -> None:
    _, names = QUESTIONS[question]
    folder = lifecycle.save(played[question], tmp_path)
    loaded, direct = frames.load(folder), played[question].frames
    assert set(loaded) == set(direct) == names
    assert all(loaded.about[name] == direct.about[name] != "" for name in names)
    for name, table in loaded.items():
        assert len(table) == pq.read_metadata(folder / f"{name}.parquet").num_rows > 0
        pd.testing.assert_frame_equal(table, direct[name])
        assert getattr(loaded, name) is table
        assert name in dir(loaded)
    assert loaded.manifest["study"] == folder.parent.name
    assert frames.load(folder / "manifest.json").keys() == loaded.keys()


def test_a_trained_player_has_its_weights_and_its_score(played: dict[str, Any], tmp_path: Path) -> None:
    trained, file = played["train"], tmp_path / "player.toml"
    weights_file.write(trained, file)
    direct, loaded = trained.frames, weights_file.read(file)
    assert dict(zip(direct.weights["weight"], direct.weights["value"], strict=True)) == trained.values  # noqa: PD011
    pd.testing.assert_frame_equal(direct.weights, loaded.weights)
    pd.testing.assert_frame_equal(direct.score, loaded.score, atol=1e-5)
    assert loaded.score["deals"].tolist() == [trained.score.deals]
    assert loaded.manifest["training"]["generations"] == 1
    file.write_text(
        file.read_text(encoding="utf-8").replace("deals = 200", 'deals = "many"'), encoding="utf-8"
    )
    with pytest.raises(UserError, match=r"player\.toml: damaged"):
        weights_file.read(file)


def test_a_table_that_is_not_there_is_told_with_those_that_are(played: dict[str, Any]) -> None:
    tables = played["ladder"].frames
    with pytest.raises(
        AttributeError, match=r"'rating' here; did you mean 'ratings'\? \(there are: ratings, duels"
    ):
        tables.rating  # noqa: B018
    with pytest.raises(KeyError, match="no table 'verdicts' here"):
        tables["verdicts"]
    assert tables.get("verdicts") is None
    assert "ratings" in repr(tables)
    assert "2 × 7" in repr(tables)
    assert "<td>duels</td>" in tables._repr_html_()


def test_tables_can_be_copied(played: dict[str, Any]) -> None:
    tables = played["fairness"].frames
    for again in (copy.copy(tables), pickle.loads(pickle.dumps(tables))):
        pd.testing.assert_frame_equal(again.fairness, tables.fairness)


def test_what_is_no_run_is_told(played: dict[str, Any], tmp_path: Path) -> None:
    folder = lifecycle.save(played["ladder"], tmp_path)
    with pytest.raises(UserError, match=f"name one of the 1 in it, such as {folder}"):
        frames.load(tmp_path)
    (folder / "ratings.parquet").write_bytes(b"nothing")
    with pytest.raises(UserError, match=r"ratings\.parquet: cannot be read"):
        frames.load(folder)
    (folder / "ratings.parquet").unlink()
    with pytest.raises(UserError, match=r"ratings\.parquet is missing"):
        frames.load(folder)
    with pytest.raises(UserError, match="no such file"):
        frames.load(tmp_path / "nowhere")
    with pytest.raises(UserError, match="folder = 3: must be a path"):
        frames.load(3)  # type: ignore[arg-type]


# ---- how it shows itself --------------------------------------------------------------------------------


class _Tags(HTMLParser):
    """Counts the elements of a text that must close what it opens."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.open.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("question", "row"), [
    ("run", "Seat 1"),
    ("compare", "points.Q"),
    ("ladder", "first"),
    ("fairness", "random"),
    ("skill", "Whether the seats are fair"),
    ("train", "Weight"),
])  # fmt: skip
def test_a_result_shows_a_headline_and_a_short_table(question: str, row: str, played: dict[str, Any]) -> None:
    text, page = repr(played[question]), _Tags(played[question]._repr_html_())
    assert text.splitlines()[:2] == [played[question].report.title, played[question].report.headline[0]]
    assert row in text
    assert len(text.splitlines()) < 30
    assert page.open == []
    assert (page.counts.get("table", 0) > 0) == (question != "skill")
    assert page.counts.get("tr", 0) <= 14 * page.counts.get("table", 0)
    assert (page.counts.get("svg", 0) > 0) == (question != "train")


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_a_stranger_wrote_is_text_in_it(question: str, played: dict[str, Any]) -> None:
    page = played[question]._repr_html_()
    assert "script" not in _Tags(page).counts
    assert "alert(1)" in page
