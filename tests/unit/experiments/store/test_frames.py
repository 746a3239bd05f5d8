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

from experiments.play import matches as study
from experiments.store import frames
from experiments.studies import lifecycle as store
from experiments.studies.compare import play as comparison
from experiments.studies.compare import store as comparison_store
from experiments.studies.fairness import play as fairness
from experiments.studies.fairness import store as fairness_store
from experiments.studies.ladder import play as ladder
from experiments.studies.ladder import store as ladder_store
from experiments.studies.skill import play as suite
from experiments.studies.skill import store as skill_store
from experiments.studies.skill.spec import Players
from experiments.studies.skill.spec import Spec as SkillSpec
from experiments.studies.train import play as training
from experiments.studies.train import store as training_store
from sim import drafts
from sim.errors import UserError

EVIL = "<script>alert(1)</script>"
DRAFT = "uplink/v1.1"


def _study(draft: Any) -> Any:
    return study.play(study.Spec([draft], "first,random,random,random", 60))


def _comparison(draft: Any) -> Any:
    return comparison.play(study.Spec([DRAFT, draft], "random", 60))


def _ladder(draft: Any) -> Any:
    return ladder.play(ladder.Spec(draft, ["random", "first"], 20))


def _fairness(draft: Any) -> Any:
    return fairness.play(fairness.Spec([draft], ["random"], [60], 1, 0.01, []))


def _skill(draft: Any) -> Any:
    players = Players(("random",), "greedy", "heuristic", None)
    return suite.play(suite.Job(SkillSpec(draft, players, 1, {"luck": 30, "seats": 30})))


def _training(draft: Any) -> Any:
    return training.train(training.Spec(draft, "", 1, 20, 1))


KINDS: dict[str, tuple[Callable[[Any], Any], Any, set[str]]] = {
    "study": (_study, store, {"estimates", "scores"}),
    "comparison": (
        _comparison,
        comparison_store,
        {"estimates", "scores", "differences", "verdicts", "distances"},
    ),
    "ladder": (_ladder, ladder_store, {"ratings", "duels", "shares"}),
    "fairness": (_fairness, fairness_store, {"fairness"}),
    "skill": (_skill, skill_store, {"numbers"}),
}


@pytest.fixture(scope="module")
def played() -> dict[str, Any]:
    draft = replace(drafts.load(DRAFT), name=EVIL, notes="<b>notes</b>")
    return {
        **{name: play(draft) for name, (play, _, _) in KINDS.items()},
        "training": _training(DRAFT),
    }


# ---- tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_all_tables_of_every_kind_are_read_back_as_they_were(
    kind: str, played: dict[str, Any], tmp_path: Path
) -> None:
    _, module, names = KINDS[kind]
    folder = module.save(played[kind], tmp_path)
    loaded, direct = frames.load(folder), played[kind].frames
    assert set(loaded) == set(direct) == names
    assert names <= frames.ABOUT.keys()
    for name, table in loaded.items():
        assert len(table) == pq.read_metadata(folder / f"{name}.parquet").num_rows > 0
        pd.testing.assert_frame_equal(table, direct[name])
        assert getattr(loaded, name) is table
        assert name in dir(loaded)
    assert loaded.manifest["study"] == folder.parent.name
    assert frames.load(folder / "manifest.json").keys() == loaded.keys()


def test_a_trained_player_has_its_weights_and_its_score(played: dict[str, Any], tmp_path: Path) -> None:
    trained, file = played["training"], tmp_path / "player.toml"
    training_store.write(trained, file)
    direct, loaded = trained.frames, frames.load(file)
    assert dict(zip(direct.weights["weight"], direct.weights["value"], strict=True)) == trained.values  # noqa: PD011
    pd.testing.assert_frame_equal(direct.weights, loaded.weights)
    pd.testing.assert_frame_equal(direct.score, loaded.score, atol=1e-5)
    assert loaded.score["deals"].tolist() == [trained.score.deals]
    assert loaded.manifest["training"]["generations"] == 1
    file.write_text(
        file.read_text(encoding="utf-8").replace("deals = 200", 'deals = "many"'), encoding="utf-8"
    )
    with pytest.raises(UserError, match=r"player\.toml: damaged"):
        frames.load(file)


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
    folder = ladder_store.save(played["ladder"], tmp_path)
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
    with pytest.raises(UserError, match="played = 'x': must be what"):
        frames.of("x")


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


@pytest.mark.parametrize(("kind", "row"), [
    ("study", "Win share of seat 0"),
    ("comparison", "Win share of seat 0"),
    ("ladder", "Elo points"),
    ("fairness", "4        random"),
    ("skill", "How strong is luck"),
    ("training", "weight"),
])  # fmt: skip
def test_a_result_shows_a_headline_and_a_short_table(kind: str, row: str, played: dict[str, Any]) -> None:
    text, page = repr(played[kind]), _Tags(played[kind]._repr_html_())
    assert text.splitlines()[0].startswith("uplink/")
    assert row in text or kind == "skill"
    assert len(text.splitlines()) < 25
    assert page.open == []
    assert page.counts["table"] == 1
    assert 1 < page.counts["tr"] <= 13
    assert (page.counts.get("svg", 0) > 0) == (kind != "training")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_stranger_wrote_is_text_in_it(kind: str, played: dict[str, Any]) -> None:
    page = played[kind]._repr_html_()
    assert "script" not in _Tags(page).counts
    assert "alert(1)" in page
