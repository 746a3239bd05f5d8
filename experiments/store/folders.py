"""Results on disk: ``results/<study>/<run-id>/`` with a manifest, Parquet tables and a report."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import itertools
import json
import os
import platform
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from sim.errors import UserError

if sys.platform != "win32":
    import fcntl

FORMAT = 2
"""Of the manifest."""

_MAX_NAME = 100
"""Characters of a folder's name; Windows takes 260 of a whole path."""

_MAX_BYTES = 120
"""Of the same in UTF-8: some file systems take no more than 143, and a file gets an ending."""

_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³])(\..*)?", re.IGNORECASE | re.DOTALL)
"""Names that Windows keeps for devices, with any ending."""

_PART = ".part-"
"""What is being written is called so, with the number of its process at the end."""

_PACKAGES = ("numpy", "numba", "pandas", "pyarrow", "scipy")


@dataclass(frozen=True)
class Content:
    """What is written into a run's folder.

    Attributes
    ----------
    study : str
        Name of the study, unless the user gives another.
    cell : str
        Digest of what the numbers depend on.
    manifest : dict
        What it says beside what all manifests say.
    write_tables : callable
        Writes the tables into a folder; returns file name → SHA-256.
    page : callable
        Makes the report from the whole manifest.
    packages : tuple of str
        Whose versions matter, beside those of all runs.
    """

    study: str
    cell: str
    manifest: dict[str, Any]
    write_tables: Callable[[Path], dict[str, str]]
    page: Callable[[dict[str, Any]], str]
    packages: tuple[str, ...] = ()


def as_name(text: str) -> str:
    """Return a text as a name that a folder can have on any system.

    Letters and digits of every script stay, as do ``. _ -``; the first is a letter or digit, the last no dot. All else
    (blanks, separators of paths, control characters, what turns the direction of writing) becomes ``-``.
    """
    kept = [char if _is_kept(char) else " " for char in unicodedata.normalize("NFC", text)]
    name = "".join(itertools.dropwhile(lambda char: not char.isalnum(), "-".join("".join(kept).split())))
    if _RESERVED.fullmatch(name):
        name = f"x-{name}"
    name = name[:_MAX_NAME].encode()[:_MAX_BYTES].decode(errors="ignore").rstrip(".")
    return name or "unnamed"


def _is_kept(char: str) -> bool:
    """Tell whether a character may stand in a name: a letter, a digit, an accent on one, or a mark between words."""
    return char in "._-" or unicodedata.category(char)[0] in "LMN"


def check_study(name: str) -> str:
    """Return `name` if it can be a folder's name, its letters composed (NFC).

    Raises
    ------
    UserError
        If it cannot on every system, with the nearest that can: see `as_name`.
    """
    composed = unicodedata.normalize("NFC", name)
    if as_name(name) != composed:
        raise UserError(
            f"--study {name}: must be at most {_MAX_NAME} letters, digits, '.', '_' and '-', the first a letter or digit, "
            f"such as {as_name(name)!r}"
        )
    return composed


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a user's file of bots.

    Raises
    ------
    UserError
        If it cannot be read.
    """
    try:
        return digest(path.read_bytes())
    except OSError as error:
        raise UserError(f"--bots {path}: cannot be read ({error.strerror})") from None


def prepare(root: Path, name: str) -> Path:
    """Make the folder of a study and see that it can be written, before anything is played.

    Raises
    ------
    UserError
        If it cannot.
    """
    parent = root / check_study(name)
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=parent):
            pass
    except (OSError, UnicodeError) as error:
        raise _not_written(parent, error) from None
    _clear_dead(parent)
    return parent


def prepare_file(path: Path) -> None:
    """See that a file can be written, before time is spent on what it will hold; make its folder.

    Raises
    ------
    UserError
        If it cannot.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (OSError, UnicodeError) as error:
        raise _not_written(path, error) from None
    _clear_dead(path.parent)


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    UserError
        If it cannot be written; what was there before is then still there.
    """
    part = path.with_name(f"{_PART}{path.name}-{os.getpid()}")
    try:
        with _held(part, Path.touch):
            _write(part, text)
            part.replace(path)
    except (OSError, UnicodeError) as error:
        raise _not_written(path, error) from None


def save(content: Content, root: Path, name: str | None = None) -> Path:
    """Write a run into a new folder under `root`; the folder appears only when it is whole.

    Parameters
    ----------
    root : Path
        Such as ``results``.
    name : str, optional
        Of the study.

    Returns
    -------
    Path
        The run's folder.

    Raises
    ------
    UserError
        If it cannot be written.
    """
    now = datetime.datetime.now(datetime.UTC)
    parent = prepare(root, name or content.study)
    try:
        # The random end keeps runs that end in the same second apart.
        folder = parent / f"{now:%Y%m%d-%H%M%S}-{content.cell[:8]}-{secrets.token_hex(2)}"
        part = parent / f"{_PART}{folder.name}-{os.getpid()}"
        with _held(part, Path.mkdir):
            manifest = {
                "format": FORMAT,
                "tefuda": metadata.version("tefuda"),
                "study": parent.name,
                "run_id": folder.name,
                "cell": content.cell,
                **content.manifest,
                "tables": content.write_tables(part),
                "created": now.isoformat(timespec="seconds"),
                "command": sys.argv[1:],
                "versions": _versions(content.packages),
                "git": _git(),
            }
            _write(part / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
            _write(part / "report.html", content.page(manifest))
            part.rename(folder)
    except (OSError, UnicodeError) as error:
        raise _not_written(getattr(error, "filename", None) or parent, error) from None
    return folder


def _not_written(where: object, error: OSError | UnicodeError) -> UserError:
    if isinstance(error, UnicodeError):
        lacking = f"the file system's encoding, {sys.getfilesystemencoding()}, lacks a letter of its name"
        return UserError(f"{where}: cannot be written ({lacking}: name another with --study)")
    return UserError(f"{where}: cannot be written ({error.strerror})")


@contextlib.contextmanager
def _held(part: Path, make: Callable[[Path], None]) -> Iterator[None]:
    """Make a folder or file for what is being written, and hold it by a lock that ends with the process.

    What is left of it at the end is removed.
    """
    handle = None
    try:
        make(part)
        while sys.platform != "win32":
            handle = os.open(part, os.O_RDONLY)
            # Not every file system can lock; where it cannot, nothing is cleared either.
            with contextlib.suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            if part.exists() and os.path.samestat(part.stat(), os.fstat(handle)):
                break
            os.close(handle)  # cleared by another run between making and locking it
            handle = None
            make(part)
        yield
    finally:
        _remove(part)
        if handle is not None:
            os.close(handle)


def _clear_dead(parent: Path) -> None:
    """Remove what killed runs left half written: nobody holds it, and there is no process of its number."""
    if sys.platform == "win32":
        return
    for part in parent.glob(f"{_PART}*"):
        with contextlib.suppress(OSError):
            if _is_running(part.name.rpartition("-")[2]):
                continue
            handle = os.open(part, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where another run holds it
                _remove(part)
            finally:
                os.close(handle)


def _is_running(number: str) -> bool:
    """Tell whether there is a process of a number, or may be, since it is none of ours or no number at all."""
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OverflowError, PermissionError):
        return True
    return True


def _remove(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace")


def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    found = {name: metadata.version(name) for name in (*_PACKAGES, *packages)}
    return {"python": platform.python_version(), "machine": platform.machine(), **found}


def _git() -> dict[str, Any] | None:
    """Return the commit of the lab's own checkout, and whether it has changes; None for an installed copy."""
    here = Path(__file__).resolve().parents[2]
    if not (here / ".git").exists():
        return None
    try:
        commit = _git_says(here, "rev-parse", "HEAD").strip()
        return {"commit": commit, "changed": bool(_git_says(here, "status", "--porcelain").strip())}
    except (OSError, subprocess.SubprocessError):
        return None


def _git_says(where: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=where, capture_output=True, text=True, check=True, timeout=10
    ).stdout
