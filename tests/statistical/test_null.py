"""Null controls through the whole lab: of players without skill, what is said is nothing, as often as it is stated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from experiments.metrics import elo, ratings, skill, variance
from experiments.play import matches as study
from experiments.play.sources import Duels, Focal, Setting, all_pairs
from sim import drafts
from tests import games
from tests.statistical.cases_blocks import DEALS, REPLICATES
from tests.statistical.coverage import COSTLY, LEAST, MOST, SAMPLES
from tests.support_metrics import at_most

TWINS = ("heuristic:error=0.1", "heuristic:error=0.1000001")
"""The same player by two names: each has chance of its own, so that a deal does not come out alike for both."""


@pytest.mark.slow
def test_of_twins_each_wins_its_due_within_the_interval_at_the_stated_rate() -> None:
    draft = drafts.load("uplink/v1.1")
    held = 0
    for seed in range(SAMPLES):
        spec = study.MatchSpec([draft], ",".join(TWINS * 2), 200, seed)
        (run,) = study.play(spec, threads=1).runs
        found = run.estimates["win", "bot", TWINS[0]]
        assert found.blocks == 100
        held += found.low <= 0.25 <= found.high
    assert LEAST <= held / SAMPLES <= MOST


# ---- One swap by players that never look at their card ----------------------------------------------------

BLIND = ["random", "first", "threshold:14"]
"""Who swaps half of the time, never and always: one card is as good as another that nobody has seen."""


@pytest.fixture
def one_swap() -> Iterator[Any]:
    """Return what makes the setting of a seed."""
    with games.registered():
        draft = drafts.load("oneswap/thirteen")
        yield lambda seed: Setting(draft, seed)


@pytest.mark.slow
def test_without_skill_the_luck_meter_and_the_variance_say_so_at_the_stated_rate(one_swap: Any) -> None:
    pairs = [(name, "first") for name in BLIND]
    meter = bot = part = learning = 0
    for seed in range(COSTLY):
        wins, scores = Focal(one_swap(seed), pairs).play(0, DEALS)
        means = wins.mean(axis=2)
        found = skill.luck_meter(means[:, 0], 2)
        meter += found.luck.low <= 1 <= found.luck.high
        gain = skill.relative_skill(scores[:, 0], scores[:, 2], scores[:, 0] + 1)
        learning += gain.skill.low <= 0 <= gain.skill.high
        split = variance.crossed_shares(np.moveaxis(wins, 0, 2)[[0, 2]], seed)
        bot += split.parts["bot"].low <= 0 <= split.parts["bot"].high
        part += split.shares["bot"].low == 0
    assert LEAST <= meter / COSTLY <= MOST
    assert LEAST <= learning / COSTLY <= MOST
    assert min(bot, part) >= LEAST * COSTLY


@pytest.mark.slow
def test_without_skill_a_ladder_has_no_steps_no_spread_and_no_depth_at_the_stated_rate(one_swap: Any) -> None:
    clear = spread = depth = 0
    held = np.zeros(len(BLIND))
    for seed in range(COSTLY):
        (ahead,) = Duels(one_swap(seed), all_pairs(BLIND)).play(0, DEALS)
        standing = ratings.rate(len(BLIND), ahead.T, seed, replicates=REPLICATES)
        held += (standing.low <= 0) & (standing.high >= 0)
        clear += bool(standing.clear.any())
        spread += elo.ladder_spread(len(BLIND), ahead.T, seed, replicates=REPLICATES).s.low > 0
        depth += skill.depth(len(BLIND), ahead.T, seed, replicates=REPLICATES).low > 0
    assert max(clear, spread, depth) <= at_most(COSTLY)
