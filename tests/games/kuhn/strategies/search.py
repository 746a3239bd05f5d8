"""Search for Kuhn poker: against an equilibrium, in tree and play-outs alike."""

from __future__ import annotations

from strategies import search
from tests.games import duels
from tests.games.kuhn import engine, state
from tests.games.kuhn.strategies.basic import ALPHA, check_alpha, equilibrium

search.register(
    search.Searched("kuhn", engine, state, equilibrium, ALPHA, check_alpha, duels.value, search.to_the_end)
)
