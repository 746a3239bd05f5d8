"""Ctrl-C while something must not be cut in half."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_CODE = 130
"""Exit code after Ctrl-C."""

_GIVE_UP = 3


@contextlib.contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C set a flag instead of raising, so that no sum and no file is left half done.

    The third Ctrl-C ends the process at once: a bot may never come back.

    Yields
    ------
    callable
        Tells whether Ctrl-C was pressed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    presses = []

    def note(number: int, frame: FrameType | None) -> None:
        presses.append(number)
        if len(presses) >= _GIVE_UP:
            sys.stderr.write("tefuda: interrupted\n")
            os._exit(EXIT_CODE)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(presses)
    finally:
        signal.signal(signal.SIGINT, before)
