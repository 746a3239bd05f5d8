"""Compiled code between runs: never old, never damaged, never in the way."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from sim import code_cache, jit, registry
from sim.code_cache import CacheNotice
from tests import support

compiled_only = pytest.mark.skipif(jit.DISABLED, reason="about compiled code")


def copy_of_the_lab(folder: Path) -> Path:
    """Copy the sources that fingerprints are made of."""
    for package in code_cache.PACKAGES:
        shutil.copytree(
            support.ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


# ---- fingerprints ---------------------------------------------------------------------------------------


CACHED = (
    code_cache.is_ours,
    code_cache.sources_of,
    code_cache._imported_by,
    code_cache._files_of,
    code_cache._digest_of,
    code_cache.fingerprint,
)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copy the lab, and let fingerprints be of the copy."""
    root = copy_of_the_lab(tmp_path.resolve())
    monkeypatch.setattr(code_cache, "_ROOT", root)
    forget()
    yield root
    forget()


def forget() -> None:
    for function in CACHED:
        function.cache_clear()


def fingerprints(root: Path) -> tuple[str, str, str]:
    """Return those of Uplink's engine, of 9 Peak's, and of the searching bots."""
    forget()
    engines = [f"sim/{game}/engine.py" for game in ("uplink", "ninepeak")]
    uplink, ninepeak, search = (
        code_cache.fingerprint(code_cache.sources_of(str(root / name)))
        for name in (*engines, "strategies/search.py")
    )
    return uplink, ninepeak, search


def test_a_fingerprint_follows_what_the_code_can_reach(copied: Path) -> None:
    def changed(name: str) -> list[bool]:
        path = copied / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "# changed\n", encoding="utf-8")
        after = fingerprints(copied)
        path.write_text(text, encoding="utf-8")
        return [old != new for old, new in zip(first, after, strict=True)]

    first = fingerprints(copied)
    assert all(re.fullmatch(r"[0-9a-f]{16}", mark) for mark in first)
    assert len(set(first)) == 3
    assert fingerprints(copied) == first
    assert changed("sim/uplink/engine.py") == [True, False, False]
    assert changed("sim/uplink/state.py") == [True, False, False]
    assert changed("sim/ninepeak/score.py") == [False, True, False]
    assert changed("sim/rng.py") == [True, True, True]
    assert changed("sim/__init__.py") == [True, True, True]
    assert changed("strategies/tree.py") == [False, False, True]
    assert changed("experiments/cli/main.py") == [False, False, False]
    assert fingerprints(copied) == first


@pytest.mark.parametrize("flag", ["BOUNDSCHECK", "OPT", "DEBUG_TYPEINFER"])
def test_a_fingerprint_follows_the_flags(flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = code_cache.sources_of(code_cache.__file__)
    before = code_cache.fingerprint.__wrapped__(sources)
    monkeypatch.setattr(numba.config, flag, 1 if getattr(numba.config, flag) != 1 else 0)
    assert code_cache.fingerprint.__wrapped__(sources) != before


def test_a_fingerprint_of_a_copy_follows_all_that_is_put_in() -> None:
    def template() -> int:
        return 0

    template.__code__ = template.__code__.replace(co_filename=code_cache.__file__)
    engines = [registry.find(name).engine for name in ("uplink", "ninepeak")]
    marks = set()
    for engine in engines:
        for limit in (1, 2):
            parts: dict[str, Any] = {"engine": engine, "limit": limit}
            within = jit.specialise(template, "within", compiled=False, **parts)
            copies = [
                jit.specialise(template, "copy", compiled=False, **parts),
                jit.specialise(template, "copy", compiled=False, part=within),
                jit.specialise(within, "copy", compiled=False, part=engine.start),
            ]
            marks |= {jit.fingerprint(copy) for copy in copies}
            again = jit.specialise(template, "copy", compiled=False, **parts)
            assert jit.fingerprint(again) == jit.fingerprint(copies[0])
    assert len(marks) == 12


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path: Path) -> None:
    """What numba's own cache gets wrong: it looks only at the file of the caller."""
    root = copy_of_the_lab(tmp_path)
    callee, caller = root / "sim" / "callee.py", root / "sim" / "caller.py"
    head = "from sim.jit import jit\n"
    # Also where it is imported only through another file, and within a function.
    (root / "sim" / "between.py").write_text("from sim.callee import f\n", encoding="utf-8")
    caller.write_text(
        head + "from sim.between import f\n@jit\ndef g(x):\n    return f(x) + 1\n", encoding="utf-8"
    )
    show = "from sim.caller import g; print(g(1), sum(g.stats.cache_hits.values()))"
    environment: dict[str, str | None] = {
        "TEFUDA_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": None,
    }
    came = []
    for result in ("x", "x", "x + 40", "x"):
        callee.write_text(head + f"@jit\ndef f(x):\n    return {result}\n", encoding="utf-8")
        value, hits = support.run_python(show, cwd=root, **environment).split()
        came.append((int(value), int(hits)))
    assert came == [(2, 0), (2, 1), (42, 0), (2, 1)]


@compiled_only
def test_only_code_that_the_fingerprint_covers_is_cached() -> None:
    before = numba.config.CACHE_DIR
    engine = support.ENGINE.is_legal
    assert engine.stats.cache_path is not None
    assert f"numba-{jit.fingerprint(engine.py_func)}" in engine.stats.cache_path

    @jit.jit
    def outside(x: int) -> int:
        return x + 1

    assert outside(1) == 2
    assert outside.stats.cache_path is None
    after = numba.config.CACHE_DIR
    assert after == before


# ---- damage ---------------------------------------------------------------------------------------------


def twice(x: Any) -> Any:
    return 2 * x


def compiled_twice(folder: Path) -> tuple[Any, int]:
    """Return a function compiled for two signatures, and for how many of them the code was kept."""
    dispatcher = jit.jit(twice)  # from outside the lab, so without a cache
    with code_cache.at(folder):
        dispatcher._cache = code_cache.HealingCache(twice)
    assert (dispatcher(21), dispatcher(1.5)) == (42, 3.0)
    return dispatcher, sum(dispatcher.stats.cache_hits.values())


@compiled_only
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["emptied", "truncated", "garbled", "a bit flipped", "removed"])
def test_a_damaged_cache_heals_itself_with_one_notice(
    ending: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiled_twice(tmp_path)[1] == 0
    assert compiled_twice(tmp_path)[1] == 2
    files = [*tmp_path.rglob(f"*.twice-*.{ending}")]
    assert len(files) == (1 if ending == "nbi" else 2)
    for file in files:
        data = bytearray(file.read_bytes())
        if damage == "removed":
            file.unlink()
            continue
        if damage == "a bit flipped":
            data[len(data) // 2] ^= 1
        left = {"emptied": b"", "truncated": data[: len(data) // 2], "garbled": b"\x80\x05garbage" * 99}
        file.write_bytes(left.get(damage, bytes(data)))
    monkeypatch.setattr(code_cache, "_said", set())
    with warnings.catch_warnings(record=True) as notices:
        warnings.simplefilter("always")
        assert compiled_twice(tmp_path)[1] == 0
    if damage == "removed":
        assert not notices
    else:
        (notice,) = notices
        assert notice.category is CacheNotice
        assert "compiled code is damaged" in str(notice.message)
        assert len(str(notice.message).splitlines()) == 1
    assert compiled_twice(tmp_path)[1] == 2


@compiled_only
def test_a_full_disk_is_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(code_cache, "_said", set())
    with monkeypatch.context() as disk:
        disk.setattr(code_cache.IndexDataCacheFile, "_open_for_write", full)
        with pytest.warns(CacheNotice, match="No space left on device") as notices:
            assert compiled_twice(tmp_path)[1] == 0
    assert len(notices) == 1
    assert str(notices[0].message).startswith(code_cache.NOT_KEPT)
    assert compiled_twice(tmp_path)[1] == 0
    assert compiled_twice(tmp_path)[1] == 2


@compiled_only
def test_a_run_from_a_damaged_cache_succeeds_with_one_line(tmp_path: Path) -> None:
    code = "from sim import rng; print(rng.mix(rng.u64(7)))"
    said = [support.run_python(code, TEFUDA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT=None)]
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(file.read_bytes()[:-100])
    said.append(support.run_python(code, TEFUDA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT=None))
    assert said[0] == said[1]


def test_where_nothing_at_all_can_be_written_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(code_cache, "_said", set())
    monkeypatch.setattr(code_cache, "_try_to_write", full)
    with pytest.warns(CacheNotice, match="No space left on device"):
        assert code_cache._root.__wrapped__() is None
    monkeypatch.setattr(code_cache, "_root", lambda: None)
    assert code_cache.folder_of.__wrapped__("0") is None


# ---- where the cache is ---------------------------------------------------------------------------------


def cache_root() -> Path:
    root = code_cache._root.__wrapped__()
    assert root is not None
    return root


def test_the_cache_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path / "named"))
    assert cache_root() == tmp_path / "named"
    assert (tmp_path / "named").is_dir()
    monkeypatch.delenv("TEFUDA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_root() == tmp_path / "xdg" / "tefuda"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert cache_root() == tmp_path / "home" / ".cache" / "tefuda"


@pytest.mark.parametrize("obstacle", ["a file in its place", "no right to write"])
def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_one(
    obstacle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "root"
    if obstacle == "a file in its place":
        root.touch()
    else:
        root.mkdir()
        # In place of chmod, which does not bind an administrator.
        write = code_cache._try_to_write

        def refused(folder: Path) -> None:
            if folder == root:
                raise PermissionError(13, "Permission denied")
            write(folder)

        monkeypatch.setattr(code_cache, "_try_to_write", refused)
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(root))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = cache_root()
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path / "temporary")
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
    folder = cache_root()
    assert folder.is_relative_to(tmp_path)
    assert not folder.is_relative_to(planted)
    planted.chmod(0o700)
    assert cache_root().is_relative_to(planted)


def test_code_not_used_for_a_month_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    month = 31 * 24 * 3600
    for name, age in (("numba-old", month), ("numba-new", 3600), ("other", month)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").touch()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path))
    assert cache_root() == tmp_path
    assert {path.name for path in tmp_path.iterdir()} == {"numba-new", "other"}
    # Code that is in use does not grow old.
    os.utime(tmp_path / "numba-new", (time.time() - month,) * 2)
    monkeypatch.setattr(code_cache, "_root", lambda: tmp_path)
    assert code_cache.folder_of.__wrapped__("new") == tmp_path / "numba-new"
    assert time.time() - (tmp_path / "numba-new").stat().st_mtime < 60
