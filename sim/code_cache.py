"""Where compiled code is kept between runs, so that it is never old, never damaged, and never in the way.

numba's own cache looks only at the file of the function compiled. Here every function has a folder named by a
fingerprint of all sources that it can reach by imports, of numba's version and of the flags that change the code: so a
changed callee in another file, or a run with bounds checks, never gets old code, and a change of one game or of one
report leaves the code of all others alone.

What is damaged is compiled anew, and where nothing can be written the lab runs without a cache; either is said once.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import os
import platform
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from sim import numba_parts

numba_parts.check()  # before the first of them is imported

from numba.core.caching import FunctionCache, IndexDataCacheFile

PACKAGES = ("sim", "strategies", "experiments")
"""The lab's own packages: of code from elsewhere nothing is kept, since the fingerprint does not cover it."""

_ROOT = Path(__file__).resolve().parent.parent
_KEEP_SECONDS = 30 * 24 * 3600
_CHECKSUM_BYTES = 32

NOT_KEPT = "compiled code cannot be kept, so the next run compiles it again"
"""What is said where nothing can be written."""


class CacheNotice(UserWarning):
    """Tells that compiled code could not be kept, or was damaged and is compiled anew."""


# ---- what a function is made of -------------------------------------------------------------------------


@cache
def is_ours(path: str) -> bool:
    """Tell whether a file belongs to the lab's own packages."""
    resolved = Path(path).resolve()
    return any(resolved.is_relative_to(_ROOT / package) for package in PACKAGES)


@cache
def sources_of(path: str) -> frozenset[Path]:
    """Return the files of the lab that the code of a file can reach by imports, itself among them."""
    reached: set[Path] = set()
    waiting = [Path(path).resolve()]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting += _imported_by(file)
    return frozenset(reached)


@cache
def _imported_by(file: Path) -> frozenset[Path]:
    files: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            files |= _files_of(name)
    return frozenset(files)


@cache
def _files_of(name: str) -> frozenset[Path]:
    """Return the files behind a dotted name: the module and the packages around it; none outside the lab."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return frozenset()
    places = [_ROOT.joinpath(*parts[:length]) for length in range(1, len(parts) + 1)]
    files = [place / "__init__.py" for place in places] + [place.with_suffix(".py") for place in places]
    return frozenset(file for file in files if file.is_file())


@cache
def _digest_of(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


@cache
def fingerprint(sources: frozenset[Path], constants: str = "") -> str:
    """Return 16 hex digits that change with the sources, the constants, numba, Python and the code flags.

    Parameters
    ----------
    sources : frozenset of Path
        See `sources_of`.
    constants : str
        Whatever else is built into the code.
    """
    digest = hashlib.sha256()
    for file in sorted(sources):
        digest.update(str(file.relative_to(_ROOT)).encode())
        digest.update(_digest_of(file))
    flags = (numba.config.BOUNDSCHECK, numba.config.OPT, numba.config.DEBUG_TYPEINFER)
    versions = (numba.__version__, np.__version__, sys.version, platform.machine())
    digest.update(repr((versions, flags, constants)).encode())
    return digest.hexdigest()[:16]


# ---- folders --------------------------------------------------------------------------------------------


@cache
def folder_of(mark: str) -> Path | None:
    """Return the folder for code of a fingerprint, made if need be; None where nothing can be written."""
    root = _root()
    if root is None:
        return None
    folder = root / f"numba-{mark}"
    try:
        folder.mkdir(exist_ok=True)
        os.utime(folder)  # which tells that it is in use
    except OSError as error:
        _say_once(NOT_KEPT, f"{root}: {error.strerror}")
        return None
    return folder


@cache
def _root() -> Path | None:
    """Return the folder of all compiled code; a temporary one where the usual one cannot be written."""
    with contextlib.suppress(OSError, RuntimeError):
        root = _usual_root()
        root.mkdir(parents=True, exist_ok=True)
        _try_to_write(root)
        _forget_old(root)
        return root
    try:
        root = _temporary_root()
        _try_to_write(root)
    except OSError as error:
        _say_once(NOT_KEPT, f"{error.strerror}")
        return None
    return root


def _usual_root() -> Path:
    named = os.environ.get("TEFUDA_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tefuda"


def _try_to_write(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"x")


def _temporary_root() -> Path:
    """Return a folder for compiled code that no other account can write to.

    What numba caches is code and pickles, so a folder that somebody else made at the known place is not used.
    """
    if not hasattr(os, "getuid"):
        return Path(tempfile.mkdtemp(prefix="tefuda-"))
    folder = Path(tempfile.gettempdir()) / f"tefuda-{os.getuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022
    return folder if ours else Path(tempfile.mkdtemp(prefix="tefuda-"))


def _forget_old(root: Path) -> None:
    """Remove code that has not been used for a month."""
    limit = time.time() - _KEEP_SECONDS
    for folder in root.glob("numba-*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)


# ---- files ----------------------------------------------------------------------------------------------


class _Files(IndexDataCacheFile):  # type: ignore[misc]
    """numba's files of one function, each with a checksum at its end: damaged code would crash the process.

    A data file is named by what it is for, and is written before the index tells of it. So processes that write at the
    same time can lose an entry, but never get the code of another signature.
    """

    def save(self, key: Any, data: Any) -> None:
        entries = self._load_index()
        name = self._data_name_pattern.format(
            number=int(hashlib.sha256(repr(key).encode()).hexdigest()[:8], 16)
        )
        self._save_data(name, data)
        self._save_index({**entries, key: name})

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue())  # a pickle, which ends by itself
            file.write(hashlib.sha256(content.getvalue()).digest())

    def _load_index(self) -> dict[Any, str]:
        with contextlib.suppress(FileNotFoundError):
            _check(Path(self._index_path))
        entries: dict[Any, str] = super()._load_index()
        return entries

    def _load_data(self, name: str) -> Any:
        _check(Path(self._data_path(name)))
        return super()._load_data(name)


def _check(file: Path) -> None:
    data = file.read_bytes()
    if hashlib.sha256(data[:-_CHECKSUM_BYTES]).digest() != data[-_CHECKSUM_BYTES:]:
        raise ValueError(f"the checksum of {file.name} does not agree")


class HealingCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, in which a fault is a notice: the code is compiled anew, and kept if it can be."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature; None if there is none, or it is damaged."""
        try:
            return super().load_overload(sig, target_context)
        except (OSError, ValueError) as error:
            _say_once("compiled code is damaged", f"{self._cache_path}: {error}; it is compiled anew")
            with contextlib.suppress(OSError):
                Path(self._cache_file._index_path).unlink(missing_ok=True)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature, if it can be written."""
        try:
            super().save_overload(sig, data)
        except (OSError, ValueError) as error:
            _say_once(NOT_KEPT, f"{self._cache_path}: {error}")


_said: set[str] = set()


def _say_once(what: str, where: str) -> None:
    if what not in _said:
        _said.add(what)
        warnings.warn(f"{what} ({where})", CacheNotice, stacklevel=2)


@contextlib.contextmanager
def at(folder: Path) -> Iterator[None]:
    """Let numba look for compiled code in a folder; a user's own cached code keeps its place."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
