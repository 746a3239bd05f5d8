"""Small solved games from outside the lab: what a game package is, at its shortest, and a measure of the players."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sim import registry

NAMES = ("kuhn", "oneswap", "tictactoe")


@contextmanager
def registered() -> Iterator[None]:
    """Have the games known to the lab for a while; tests of the games that ship see only those."""
    new = [name for name in NAMES if name not in registry.names()]
    for name in new:
        registry.add(name, f"{__name__}.{name}")
    try:
        yield
    finally:
        for name in new:
            registry.remove(name)
