"""More iterations never lose to fewer beyond noise: from 100 to 1,000, and from 1,000 to 10,000."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from experiments.play import duels, scheduler
from sim import drafts
from strategies import registry as strategies

pytestmark = pytest.mark.slow

SURE = 0.999
"""Of the one-sided interval: of six comparisons of equals one would be called lost in 170 runs of these tests."""

DRAFTS = {
    "uplink/v1.1": [],
    "ninepeak/draft11": [],
    "daifugo/author": ["rules.games=1"],
}


@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.parametrize(("more", "fewer", "deals"), [(1000, 100, 24), (10_000, 1000, 5)])
def test_more_iterations_do_not_lose(name: str, more: int, fewer: int, deals: int) -> None:
    draft = drafts.load(name, DRAFTS[name])
    one, other = (strategies.find(draft.game, f"search:{iterations}") for iterations in (more, fewer))
    table = duels.Table(draft, duels.lineups(draft.players, one, other), seed=3)
    table.warm_up()
    ahead = np.concatenate([found.ahead for _, _, found in scheduler.play([table], [deals], threads=2)])
    error = ahead.std(ddof=1) / np.sqrt(deals)
    assert ahead.mean() + stats.t.ppf(SURE, deals - 1) * error >= 0.5
