"""Ctrl-C sets a flag; sums and files stay whole."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from experiments import interrupts
from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import play
from sim import drafts
from tests import support


@pytest.fixture(autouse=True)
def _ctrl_c_raises() -> Iterator[None]:
    """As in a terminal: a shell that starts a job in the background has it ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_press_raises_nothing_and_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts.deferred() as pressed:
        assert not pressed()
        signal.raise_signal(signal.SIGINT)
        assert pressed()
    assert capfd.readouterr().err == f"tefuda: {interrupts.STOPPING}\n"
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_the_first_press_says_how_to_end_and_the_second_ends_the_process() -> None:
    program = (
        "import signal; from experiments import interrupts\n"
        "with interrupts.deferred():\n"
        "    for _ in range(2): signal.raise_signal(signal.SIGINT)\n"
        "print('still here')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=support.ROOT, check=False
    )
    assert done.returncode == interrupts.EXIT_CODE
    assert done.stdout == ""
    assert done.stderr == f"tefuda: {interrupts.STOPPING}\ntefuda: interrupted\n"


def test_other_threads_leave_the_handler_alone() -> None:
    told: list[bool] = []

    def work() -> None:
        with interrupts.deferred() as pressed:
            told.append(pressed())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == [False]


def test_a_stopped_study_is_that_of_its_first_matches() -> None:
    spec = Spec([drafts.load("uplink/v1.1")], "first", 1_000_000, 3)
    done: list[int] = []
    study = play(spec, threads=2, on_progress=done.append, stop=lambda: done[-1] > 500)
    assert not study.complete
    assert 500 < study.matches < 1_000_000
    again = play(Spec(spec.drafts, "first", study.matches, 3), threads=1)
    assert again.complete
    assert (again.result.totals[0].sums == study.result.totals[0].sums).all()
    assert again.result.totals[0].scores == study.result.totals[0].scores


def test_ctrl_c_while_it_starts_is_a_line() -> None:
    """Pressed from the first import of the lab's own to the end of compiling: no traceback, one line, status 130."""
    hook = (
        "import builtins, signal, sys\n"
        "plain, count, at = builtins.__import__, 0, int(sys.argv.pop(1))\n"
        "def press(name, *rest):\n"
        "    global count\n"
        "    count += 1\n"
        "    if count == at: signal.raise_signal(signal.SIGINT)\n"
        "    return plain(name, *rest)\n"
        "from experiments import __main__ as program\n"
        "builtins.__import__ = press\n"
        "sys.exit(program.main())\n"
    )
    for at in (3, 40, 400, 2000, 4000):
        words = [str(at), "run", "uplink/v1.1", "--matches", "2000000000", "--no-save"]
        done = subprocess.run(
            [sys.executable, "-c", hook, *words],
            capture_output=True,
            text=True,
            cwd=support.ROOT,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "tefuda: interrupted\n"), at
