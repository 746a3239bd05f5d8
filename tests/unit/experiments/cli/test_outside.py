"""The outside measure: OpenSpiel's search as a bot of the lab, and the command that plays it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

from experiments.cli import outside
from experiments.cli.outside import NAME, Outsider
from experiments.studies.ladder.spec import Spec
from sim import drafts
from sim.errors import UserError

pytest.importorskip("pyspiel")


@pytest.mark.parametrize("rollouts", outside.ROLLOUTS)
def test_the_same_seed_gives_the_same_matches(rollouts: str) -> None:
    draft = drafts.load("uplink/v1.1", ("rules.games=1",))
    Outsider(4, rollouts=rollouts).register(draft)
    shares = [outside.play(Spec(draft, ["random", NAME], 3, seed)).by_deal for seed in (1, 1, 2)]
    assert np.array_equal(shares[0], shares[1])
    assert not np.array_equal(shares[0], shares[2])


def test_more_simulations_play_better_than_chance() -> None:
    draft = drafts.load("uplink/v1.1", ("rules.games=1",))
    Outsider(40, rollouts="compiled").register(draft)
    duel = outside.play(Spec(draft, [NAME, "random"], 12, 5))
    assert duel.interval()[0] > 0.5


def test_it_chooses_in_steps_where_moves_are_many() -> None:
    draft = drafts.load("ninepeak/draft11", ("rules.players=3",))
    Outsider(3, rollouts="compiled").register(draft)
    duel = outside.play(Spec(draft, [NAME, "random"], 2, 1))
    assert all(0 <= share <= 1 for share in duel.by_deal)


def test_ending_early_reports_the_deals_played() -> None:
    draft = drafts.load("uplink/v1.1", ("rules.games=1",))
    Outsider(2, rollouts="compiled").register(draft)
    done: list[int] = []
    duel = outside.play(Spec(draft, [NAME, "random"], 9, 1), done.append, lambda: len(done) == 3)
    assert len(duel.by_deal) == 3
    assert done == [1, 2, 3]
    with pytest.raises(UserError, match="interrupted before two deals"):
        outside.play(Spec(draft, [NAME, "random"], 9, 1), stop=lambda: True)


def test_the_command_tells_share_and_times() -> None:
    words = "uplink/v1.1 --set rules.games=1 --bot greedy --deals 2 --simulations 3 --rollouts compiled"
    done = CliRunner().invoke(outside.main, words.split(), catch_exceptions=False)
    assert done.exit_code == 0
    first, share, times = done.output.splitlines()
    assert first.startswith("greedy against OpenSpiel's ISMCTS in uplink/v1.1 [rules.games=1] (")
    assert re.fullmatch(r"share ahead: [01]\.\d+, 95% interval [01]\.\d+ to [01]\.\d+, 2 deals", share)
    assert re.fullmatch(r"a decision: [\d.,]+ µs and [\d.,]+ µs, [\d,]+ times as long", times)


def test_the_share_is_told_from_the_side_of_the_labs_bot() -> None:
    """Whichever name comes first: random loses, and heuristic wins, against a search of a few matches."""
    shares = {}
    for bot in ("random", "heuristic"):
        words = f"uplink/v1.1 --bot {bot} --deals 12 --simulations 10 --rollouts compiled"
        output = CliRunner().invoke(outside.main, words.split(), catch_exceptions=False).output
        shares[bot] = float(output.split("share ahead: ")[1].split(",")[0])
    assert shares["random"] < 0.5 < shares["heuristic"]
