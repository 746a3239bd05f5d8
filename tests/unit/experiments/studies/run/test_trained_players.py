"""What the report says of trained players."""

from __future__ import annotations

import pytest

from experiments import report
from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import play
from experiments.report import players
from sim import drafts
from strategies import registry as strategies

OWN = drafts.load("uplink/v1.1")
OTHER = drafts.load("uplink/v1.1", ("points.K=-3",))
ADAPTED = strategies.find("uplink", "adapted:cautious")
PLAIN = strategies.find("uplink", "heuristic")


def test_nothing_is_said_where_none_plays() -> None:
    assert players.findings([OWN, OTHER], [PLAIN]) == []


def test_of_one_draft() -> None:
    (found,) = players.findings([OWN], [PLAIN, ADAPTED])
    assert found.text == "adapted plays with weights trained for this draft."
    (found,) = players.findings([OTHER], [ADAPTED])
    assert found.text.startswith(
        "No player was trained for this draft: adapted plays with the weights of uplink/v1.1"
    )


def test_of_several_drafts() -> None:
    (found,) = players.findings([OWN, OTHER, OWN], [ADAPTED])
    assert [item[:8] for item in found.items] == ["A and C:", "B: no pl"]


@pytest.mark.parametrize("bot", ["adapted", "heuristic"])
def test_it_is_on_the_page(bot: str) -> None:
    page = report.page(play(Spec([OWN], bot, 40, 1), threads=1), {})
    assert ("weights trained for this draft" in page) == (bot == "adapted")
