"""What is said of a numba that the lab cannot work with."""

from __future__ import annotations

import re
import tomllib

import numba
import pytest

from sim import numba_parts
from sim.errors import UserError
from tests import support


def test_the_numba_here_has_all_that_is_needed() -> None:
    numba_parts.check()


@pytest.mark.parametrize(
    "name", ["numba.core.caching:FunctionCache.gone", "numba.core.gone:x", "numba.core.cgutils:gone"]
)
def test_a_missing_part_is_named_with_the_versions_that_have_it(name: str) -> None:
    with pytest.raises(UserError, match=re.escape(name.replace(":", "."))) as caught:
        numba_parts.check((*numba_parts.NEEDED, name))
    assert numba.__version__ in str(caught.value)
    assert f"pip install '{numba_parts.TESTED}'" in str(caught.value)


def test_a_command_says_so_in_a_line() -> None:
    """As with a numba of the future: here a method is taken away before the lab is imported."""
    code = """
import sys
import numba.core.dispatcher as dispatcher
del dispatcher._DispatcherBase.get_call_template
from experiments.cli.main import main
sys.exit(0 if main(["run", "uplink/v1.1", "--matches", "4"]) == 2 else 1)
"""
    assert support.run_python(code, NUMBA_DISABLE_JIT=None) == ""


def test_the_tested_versions_are_those_that_are_installed() -> None:
    project = tomllib.loads((support.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert numba_parts.TESTED in project["dependencies"]
