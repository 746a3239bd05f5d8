"""Ctrl-C: at once where nothing is to be kept; else when what is begun is whole; the second ends whatever runs."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

EXIT_CODE = 130
"""Exit code after Ctrl-C."""

STOPPING = (
    "Stopping: finishing the current block and writing what is there. Press Ctrl-C again to stop at once."
)
"""Said at the first Ctrl-C while something is played."""

AGAIN = "press Ctrl-C again to stop at once"
"""Said where the first Ctrl-C has ended nothing after `_PATIENCE` seconds."""

_PATIENCE = 0.5
_GIVE_UP = 2
_STANDARD_ERROR = 2
_answered = threading.Event()
"""The last Ctrl-C was answered by `deferred`."""


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
        if len(presses) >= _GIVE_UP:
            _end()
        _answered.set()
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


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """End the process at the second Ctrl-C, whatever it does.

    Compiled code lets no handler of Python run in its thread, but Python writes the number of a signal to a socket at once,
    and a thread of its own reads there.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _answered.clear()
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writer.close()  # which ends the thread


def _watch(reader: socket.socket) -> None:
    presses, told = 0, False
    with reader:
        while True:
            reader.settimeout(_PATIENCE if presses and not told else None)
            try:
                numbers = reader.recv(64)
            except TimeoutError:
                told = True
                if not _answered.is_set():
                    _tell(AGAIN)
                continue
            if not numbers:
                return
            presses += numbers.count(signal.SIGINT)
            if presses >= _GIVE_UP:
                time.sleep(_PATIENCE)  # in which Python's own handler may end it
                _end()
