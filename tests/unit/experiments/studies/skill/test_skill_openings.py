"""Who moves first: found deal by deal, and judged by the first game alone."""

from __future__ import annotations

import numpy as np

from experiments.play.first_mover import Opened
from experiments.studies.skill.measures import seats
from experiments.studies.skill.spec import Players, Spec
from sim import drafts
from sim.table import Table
from tests.unit.experiments.studies.skill.test_skill_measures import found


def test_where_the_deal_says_who_begins_the_advantage_is_that_players() -> None:
    draft = drafts.load("daifugo/plain", ["rules.games=2"])
    spec = Spec(draft, Players(("random",), "greedy", "greedy", None), 3)
    wins, scores, movers, opened = Opened(spec.setting, ["greedy"]).play(5, 300)
    assert [int(mover) for mover in movers[:20]] == [
        Table(draft, seed=3, deal=5 + deal).to_move for deal in range(20)
    ]
    assert set(movers) == {0, 1, 2, 3}
    np.testing.assert_allclose(opened.sum(axis=2), 1)
    assert not np.array_equal(opened, wins)
    section = seats.read(spec, wins, scores, movers, opened)
    number = found(section, "advantage of who moves first", "greedy").found
    assert number.value == np.mean(opened[np.arange(300), 0, movers]) - 1 / 4
    assert "whoever the deal lets begin" in section.findings[0].text
    assert "of the first game" in section.findings[0].text


def test_where_a_seat_begins_the_advantage_is_that_seats() -> None:
    spec = Spec(drafts.load("uplink/v1.1"), Players(("random",), "greedy", "greedy", None), 3)
    wins, scores, movers, opened = Opened(spec.setting, ["greedy"]).play(0, 50)
    assert not movers.any()
    assert opened is wins
    assert "(seat 1)" in seats.read(spec, wins, scores, movers, opened).findings[0].text
