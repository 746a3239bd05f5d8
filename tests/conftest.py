"""What holds for all tests: the bots of a user's file are those of the test that loads it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from strategies import registry


@pytest.fixture(autouse=True, scope="module")
def no_bots_left_behind() -> Iterator[None]:
    """Forget the files of bots that the tests of a module loaded: the next module in the process knows none of them."""
    yield
    for key, bot in list(registry._bots.items()):
        if bot.decide.__module__.startswith("tefuda_bots_"):
            del registry._bots[key]
    registry._files.clear()
