"""What holds for all tests: bots of a user's file are those of the test that loads it; slow tests can be sampled."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pytest

from strategies import registry


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run take some of its tests alone."""
    text = "run one test in N, always the same ones"
    parser.addoption("--one-in", type=int, default=1, metavar="N", help=text)
    text = "run the first case of each test, and one in N of its others, always the same ones"
    parser.addoption("--cases-one-in", type=int, default=1, metavar="N", help=text)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but one test or case in N, by their names, so that those that run do not depend on the others."""
    of_tests, of_cases = config.getoption("--one-in"), config.getoption("--cases-one-in")
    seen: set[str] = set()
    chosen = []
    for item in items:
        test, number = item.nodeid.partition("[")[0], zlib.crc32(item.nodeid.encode())
        chosen.append(number % of_tests == 0 and (test not in seen or number % of_cases == 0))
        seen.add(test)
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
