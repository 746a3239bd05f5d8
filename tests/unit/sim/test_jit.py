"""The wrapper around numba: no old code from the cache, calls through addresses, faults that arrive."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from sim import bots, drafts, jit, loop
from sim.batch import Batch
from sim.bots import Bot
from sim.errors import UserError
from sim.kernels import BotFault
from tests import support

compiled_only = pytest.mark.skipif(jit.DISABLED, reason="about compiled code")


def copy_of_the_lab(folder: Path) -> Path:
    """Copy the sources that the fingerprint covers."""
    for package in ("sim", "strategies", "experiments"):
        shutil.copytree(
            support.ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


# ---- fingerprint ----------------------------------------------------------------------------------------

SHOW = "from sim import jit; assert jit.__file__.startswith({root!r}); print(jit.fingerprint())"


def fingerprint_of(root: Path, **environment: str | None) -> str:
    return support.run_python(SHOW.format(root=str(root)), cwd=root, **environment)


def test_the_fingerprint_follows_sources_and_flags(tmp_path: Path) -> None:
    root = copy_of_the_lab(tmp_path)
    plain: dict[str, str | None] = {"NUMBA_BOUNDSCHECK": None, "NUMBA_OPT": None}
    first = fingerprint_of(root, **plain)
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert fingerprint_of(root, **plain) == first
    checked = fingerprint_of(root, **{**plain, "NUMBA_BOUNDSCHECK": "1"})
    assert fingerprint_of(root, **{**plain, "NUMBA_OPT": "1"}) not in (first, checked)
    with (root / "strategies" / "uplink" / "basic.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    changed = fingerprint_of(root, **plain)
    assert len({first, checked, changed}) == 3


def test_the_fingerprint_follows_every_python_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_of_the_lab(tmp_path)
    monkeypatch.setattr(jit, "_ROOT", root)
    seen = {jit.fingerprint.__wrapped__()}
    for name in ("sim/rng.py", "sim/uplink/engine.py", "experiments/stats.py"):
        path = root / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n", encoding="utf-8")
        seen.add(jit.fingerprint.__wrapped__())
        path.write_text(text, encoding="utf-8")
    assert len(seen) == 4
    assert jit.fingerprint.__wrapped__() in seen
    (root / "sim" / "new.py").touch()
    assert jit.fingerprint.__wrapped__() not in seen
    (root / "sim" / "new.py").rename(root / "sim" / "newer.py")
    assert jit.fingerprint.__wrapped__() not in seen
    (root / "sim" / "newer.py").unlink()
    (root / "sim" / "notes.txt").touch()
    assert jit.fingerprint.__wrapped__() in seen


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    """What numba's own cache gets wrong: it looks only at the file of the caller."""
    root = copy_of_the_lab(tmp_path)
    callee, caller = root / "sim" / "callee.py", root / "sim" / "caller.py"
    head = "from sim.jit import jit\n"
    caller.write_text(
        head + "from sim.callee import f\n@jit\ndef g(x):\n    return f(x) + 1\n", encoding="utf-8"
    )
    show = "from sim.caller import g; print(g(1), sum(g.stats.cache_hits.values()))"
    environment: dict[str, str | None] = {
        "TEFUDA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": None,
    }
    came = []
    for result in ("x", "x", "x + 40"):
        callee.write_text(head + f"@jit\ndef f(x):\n    return {result}\n", encoding="utf-8")
        value, hits = support.run_python(show, cwd=root, **environment).split()
        came.append((int(value), int(hits)))
    assert came == [(2, 0), (2, 1), (42, 0)]
    assert len(list((tmp_path / "cache").glob("numba-*"))) == 2


# ---- where the cache is ---------------------------------------------------------------------------------


def cache_dir() -> Path:
    return Path(jit.cache_dir.__wrapped__())


def test_the_cache_folder_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path / "named"))
    name = f"numba-{jit.fingerprint()}"
    assert cache_dir() == tmp_path / "named" / name
    assert (tmp_path / "named" / name).is_dir()
    monkeypatch.delenv("TEFUDA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_dir() == tmp_path / "xdg" / "tefuda" / name
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert cache_dir() == tmp_path / "home" / ".cache" / "tefuda" / name


@pytest.mark.parametrize("obstacle", ["a file in its place", "no right to write"])
def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_one(
    obstacle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    if obstacle == "a file in its place":
        root.touch()
    else:
        root.mkdir()

        def refused(**_: Any) -> Any:
            raise PermissionError(13, "Permission denied")

        # In place of chmod, which does not bind an administrator.
        monkeypatch.setattr(jit.tempfile, "TemporaryFile", refused)
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(root))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = cache_dir()
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path / "temporary")
    assert folder.name == f"numba-{jit.fingerprint()}"
    if os.name == "posix":
        assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="there folders have no owner to check")
def test_a_temporary_cache_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root").touch()
    planted = tmp_path / f"tefuda-{os.getuid()}"
    planted.mkdir()
    planted.chmod(0o777)
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path / "root"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = cache_dir()
    assert folder.is_relative_to(tmp_path)
    assert not folder.is_relative_to(planted)
    planted.chmod(0o700)
    assert cache_dir().is_relative_to(planted)


def test_code_not_used_for_a_month_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    month = 31 * 24 * 3600
    for name, age in (("numba-old", month), ("numba-new", 3600), ("other", month)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path))
    folder = cache_dir()
    assert {path.name for path in tmp_path.iterdir()} == {"numba-new", "other", folder.name}


@compiled_only
def test_only_code_that_the_fingerprint_covers_is_cached() -> None:
    before = numba.config.CACHE_DIR
    assert support.ENGINE.is_legal.stats.cache_path is not None
    assert f"numba-{jit.fingerprint()}" in support.ENGINE.is_legal.stats.cache_path

    @jit.jit
    def outside(x: int) -> int:
        return x + 1

    assert outside(1) == 2
    assert outside.stats.cache_path is None
    after = numba.config.CACHE_DIR
    assert after == before


@pytest.mark.nojit
def test_jit_takes_arguments_or_none() -> None:
    @jit.jit(cached=False)
    def one(x: int) -> int:
        return x + 1

    @jit.jit(signature=numba.int64(numba.int64))
    def two(x: int) -> int:
        return x + 2

    assert (one(1), two(1)) == (2, 3)
    if not jit.DISABLED:
        assert len(two.overloads) == 1


# ---- specialise -----------------------------------------------------------------------------------------

engine: Any = None


def template(x: int) -> int:
    return engine.change(x)


@jit.jit
def _double(x: int) -> int:
    return 2 * x


@jit.jit
def _negate(x: int) -> int:
    return -x


@pytest.mark.nojit
@pytest.mark.parametrize("compiled", [True, False])
def test_specialise_makes_copies_with_their_own_globals(compiled: bool) -> None:
    made = []
    for name, change in (("double", _double), ("negate", _negate)):
        module = ModuleType(name)
        module.change = change  # type: ignore[attr-defined]
        made.append(jit.specialise(template, name, compiled=compiled, engine=module))
    assert [function(21) for function in made] == [42, -21]
    assert [function.__name__ for function in made] == ["template__double", "template__negate"]
    assert engine is None
    assert hasattr(made[0], "overloads") == (compiled and not jit.DISABLED)
    assert loop.engine is None


# ---- bits and pointers ----------------------------------------------------------------------------------


@jit.jit
def _popcount(bits: int) -> int:
    return jit.popcount(bits)


@jit.jit
def _lowest(bits: int) -> int:
    return jit.lowest(bits)


@pytest.mark.nojit
def test_popcount_and_lowest() -> None:
    masks = [1 << n for n in range(63)] + [2**52 - 1, 2**63 - 1, 0b1011000, 0x123456789ABCD]
    for bits in masks:
        digits = f"{bits:b}"
        assert _popcount(bits) == digits.count("1")
        assert _lowest(bits) == len(digits) - len(digits.rstrip("0"))
    assert _popcount(0) == 0


def _answer(view: Any, rules: Any, me: Any) -> int:
    return view["hand"] * 100 + rules["players"] * 10 + int(me["params"][0])


def _other(view: Any, rules: Any, me: Any) -> int:
    me["stream"]["a"] = 77
    return 5


def _fails(view: Any, rules: Any, me: Any) -> int:
    if view["trick"] == 2:
        raise ValueError("no such thing")
    return view["choices"] & -view["choices"]


@jit.jit
def _call(target: int, view: Any, rules: Any, me: Any) -> int:
    return jit.call(target, view, rules, me)


def _bot(name: str, decide: Any, *, jitted: bool = True) -> Bot:
    return Bot(name, "uplink", decide, (3.0,), jitted=jitted)


@pytest.mark.nojit
def test_calls_through_an_address_reach_the_function_and_its_arguments() -> None:
    records = bots.players([_bot("answer", _answer), _bot("other", _other)], None)
    bots.set_addresses(records, [_bot("answer", _answer), _bot("other", _other)])
    assert records[0]["address"] != records[1]["address"]
    view, rules = np.zeros(1, support.UPLINK.state.VIEW)[0], drafts.load("uplink/v1.1").record()
    view["hand"] = 6
    assert _call(records[0]["address"], view, rules, records[0]) == 643
    assert records[0]["stream"]["a"] == 0
    assert _call(records[1]["address"], view, rules, records[1]) == 5
    assert records[1]["stream"]["a"] == 77
    # The same function again is the same address.
    assert jit.address(bots.compiled(_bot("answer", _answer))) == records[0]["address"]


@pytest.mark.nojit
@pytest.mark.parametrize("jitted", [True, False])
def test_an_exception_in_a_bot_arrives_as_a_bot_fault(jitted: bool) -> None:
    draft = drafts.load("uplink/v1.1")
    batch = Batch(draft, [_bot("fails", _fails, jitted=jitted)] * 4, seed=3)
    with pytest.raises(BotFault, match="ValueError: no such thing") as caught:
        batch.play(8, 2)
    assert issubclass(BotFault, UserError)
    assert "seed 3" in str(caught.value)
    assert "8" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_namespace_is_no_module_of_the_lab() -> None:
    assert jit._is_module_ours(support.ENGINE)
    assert not jit._is_module_ours(ModuleType("elsewhere"))
    assert not jit.is_ours(SimpleNamespace(__code__=SimpleNamespace(co_filename=__file__)))
    assert not jit.is_ours(3)
