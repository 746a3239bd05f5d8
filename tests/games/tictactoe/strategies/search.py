"""Search for tic-tac-toe."""

from __future__ import annotations

from strategies import search
from tests.games import duels
from tests.games.tictactoe import engine, state
from tests.games.tictactoe.strategies.basic import heuristic

search.register(
    search.Searched("tictactoe", engine, state, heuristic, {}, None, duels.value, search.to_the_end)
)
