"""Ctrl-C: at once as long as there is nothing to keep; while something must not be cut in half, when it is whole."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_CODE = 130
"""Exit code after Ctrl-C."""

STOPPING = (
    "Stopping: finishing the current block and writing what is there. Press Ctrl-C again to stop at once."
)
"""Said at the first Ctrl-C while something is played."""

_STANDARD_ERROR = 2


def end_at_once() -> None:
    """Let Ctrl-C end the process with a line, wherever it is: in the middle of an import, too.

    Where Ctrl-C is ignored, as in a job that a shell script starts in the background, it stays so.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda number, frame: _end())


@contextlib.contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C set a flag instead of raising, so that no sum and no file is left half done.

    The first Ctrl-C says so; the second ends the process at once: a bot may never come back.

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
        if len(presses) > 1:
            _end()
        _tell(STOPPING)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(presses)
    finally:
        signal.signal(signal.SIGINT, before)


def _end() -> None:
    _tell("interrupted")
    os._exit(EXIT_CODE)


def _tell(message: str) -> None:
    """Write a line to standard error, past what Python may be in the middle of writing there."""
    with contextlib.suppress(OSError):
        # A bar of progress, and the ^C of the terminal, stand on a line of their own.
        start = "\n" if os.isatty(_STANDARD_ERROR) else ""
        os.write(_STANDARD_ERROR, f"{start}tefuda: {message}\n".encode("ascii"))
