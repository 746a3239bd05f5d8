"""The games from outside are known while their tests run, and only then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import games


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with games.registered():
        yield
