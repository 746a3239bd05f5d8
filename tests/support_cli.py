"""The command line in tests: called in this process, or started as a program of its own and interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import pytest

from experiments.cli import main as cli

ROOT = Path(__file__).resolve().parents[1]


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def start(*words: str, **settings: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.cli.main", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **settings,  # type: ignore[call-overload]
    )


def interrupt(run: subprocess.Popen[str], folder: Path, seconds: float) -> tuple[str, str]:
    """Press Ctrl-C when a command has played for some seconds; return what it wrote."""
    while run.poll() is None and not folder.exists():  # it is made when all is compiled
        time.sleep(0.1)
    time.sleep(seconds)
    run.send_signal(signal.SIGINT)
    return run.communicate(timeout=120)


def flat(lines: str | Iterable[str]) -> str:
    """Return text without its line breaks."""
    return " ".join((lines if isinstance(lines, str) else " ".join(lines)).split())


def told(html: str) -> str:
    """Return the text of a page."""
    text = unescape(re.sub(r"<[^>]*>", " ", html))
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
