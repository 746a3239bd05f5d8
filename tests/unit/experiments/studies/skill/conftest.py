"""The games from outside are known while these tests run, and each test has a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import games


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    with games.registered():
        yield


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
