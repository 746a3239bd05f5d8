"""What holds for all tests: bots of a user's file are those of the test that loads it; slow tests can be sampled."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pytest

from strategies import registry


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run take some of its tests alone."""
    parser.addoption(
        "--one-in", type=int, default=1, metavar="N", help="run one test in N, always the same ones"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but one test in N, by their names, so that those that run do not depend on the others."""
    size = config.getoption("--one-in")
    chosen = [zlib.crc32(item.nodeid.encode()) % size == 0 for item in items]
    config.hook.pytest_deselected(
        items=[item for item, stays in zip(items, chosen, strict=True) if not stays]
    )
    items[:] = [item for item, stays in zip(items, chosen, strict=True) if stays]


@pytest.fixture(autouse=True, scope="module")
def no_bots_left_behind() -> Iterator[None]:
    """Forget the files of bots that the tests of a module loaded: the next module in the process knows none of them."""
    yield
    for key, bot in list(registry._bots.items()):
        if bot.decide.__module__.startswith("tefuda_bots_"):
            del registry._bots[key]
    registry._files.clear()
