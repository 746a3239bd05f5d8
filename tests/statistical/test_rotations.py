"""A deal that is played in every rotation: in Daifugō it does not favour a bot in whatever seat it sits."""

from __future__ import annotations

import numpy as np
import pytest

from sim import drafts
from sim.batch import Batch
from strategies import registry as strategies

pytestmark = pytest.mark.slow

DEALS = 800


@pytest.mark.parametrize("games", [1, 5, 10])
@pytest.mark.parametrize("name", ["daifugo/author", "daifugo/uecda"])
def test_what_a_bot_scores_on_a_deal_in_one_seat_says_nothing_of_another(name: str, games: int) -> None:
    """Were later games dealt by class, the leading bot would get the same hands in every rotation: +.22 in ten games."""
    draft = drafts.load(name, (f"rules.games={games}",))
    players = draft.players
    lineup = [
        strategies.find("daifugo", bot) for bot in ("heuristic", *("greedy" for _ in range(players - 1)))
    ]
    batch = Batch(draft, lineup, seed=1)
    assert batch.period == players
    scores = batch.play(0, DEALS * players).scores.reshape(DEALS, players, players)
    # In the rotation of a number the first bot sits in the seat of that number.
    own = np.stack([scores[:, turn, turn] for turn in range(players)], axis=1)
    assert batch.bot_at(1, 1) == "heuristic"
    pairs = np.corrcoef(own, rowvar=False)[np.triu_indices(players, 1)]
    # Hands of one deal shut each other out, so that it may be somewhat below 0.
    assert -0.2 < pairs.mean() < 0.1
