"""What is said of trained players."""

from __future__ import annotations

import pytest

from experiments.report.page import page
from experiments.studies.run.findings import trained_players
from experiments.studies.run.play import play
from experiments.studies.run.spec import Spec
from sim import drafts
from strategies import registry as strategies

OWN = drafts.load("uplink/v1.1")
OTHER = drafts.load("uplink/v1.1", ("points.K=-3",))
ADAPTED = strategies.find("uplink", "adapted:cautious")
PLAIN = strategies.find("uplink", "heuristic")


def test_nothing_is_said_where_none_plays() -> None:
    assert trained_players([OWN, OTHER], [PLAIN]) == []


def test_of_one_draft() -> None:
    ((_, text),) = trained_players([OWN], [PLAIN, ADAPTED])
    assert text == "adapted plays with weights trained for this draft"
    ((_, text),) = trained_players([OTHER], [ADAPTED])
    assert text.startswith(
        "no player was trained for this draft: adapted plays with the weights of uplink/v1.1"
    )


def test_of_several_drafts() -> None:
    ((_, text),) = trained_players([OWN, OTHER, OWN], [ADAPTED])
    assert [part[:6] for part in text.split("; ")] == ["A: ada", "B: no ", "C: ada"]


@pytest.mark.parametrize("bot", ["adapted", "heuristic"])
def test_it_is_on_the_page(bot: str) -> None:
    html = page(play(Spec(OWN, bot, 40, 1), threads=1).report, {})
    assert ("weights trained for this draft" in html) == (bot == "adapted")
