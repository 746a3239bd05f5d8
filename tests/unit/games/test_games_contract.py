"""What is asked of the bots of the games that ship is asked of those from outside, by the same tests."""

from __future__ import annotations

import pytest

from tests import games
from tests.conformance import test_strategies as contract

globals().update({name: test for name, test in vars(contract).items() if name.startswith("test_")})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    with games.registered():
        contract.each(metafunc, games.NAMES)
