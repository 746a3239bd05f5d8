"""Search for One swap. Nobody moves after the first move, so it does not matter who plays on."""

from __future__ import annotations

from strategies import search
from tests.games import duels
from tests.games.oneswap import engine, state
from tests.games.oneswap.strategies.basic import first

search.register(search.Searched("oneswap", engine, state, first, {}, None, duels.value, search.to_the_end))
