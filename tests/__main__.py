"""Run every kind of check: ``python -m tests``; with ``--all`` in full, not with one in four cases and one in ten slow tests."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _stages(*, everything: bool) -> list[tuple[str, list[str], dict[str, str]]]:
    python = [sys.executable, "-m"]
    # A file of tests stays in one process: what it has compiled and played serves all of it.
    pytest = [*python, "pytest", "-q", "-n", str(os.cpu_count() or 1), "--dist", "loadfile"]
    cases = [] if everything else ["--cases-one-in", "4"]
    return [
        ("style", [*python, "ruff", "check", "."], {}),
        ("format", [*python, "ruff", "format", "--check", "--quiet", "."], {}),
        ("types", [*python, "mypy"], {}),
        # The compiled engines: everything but what is slow.
        ("tests, compiled", [*pytest, "-m", "not slow", *cases], {}),
        # The same code as plain Python: what numba forgives, Python does not.
        ("tests, NUMBA_DISABLE_JIT=1", [*pytest, "-m", "nojit", *cases], {"NUMBA_DISABLE_JIT": "1"}),
        # Bounds checks: compiled code does not look. The cache keeps code with checks apart from that without.
        ("tests, NUMBA_BOUNDSCHECK=1", [*pytest, "-m", "boundscheck", *cases], {"NUMBA_BOUNDSCHECK": "1"}),
        # How often intervals and verdicts are right, over thousands of samples of what is known.
        (
            "tests, slow" if everything else "tests, slow, one in ten",
            [*pytest, "-m", "slow", *([] if everything else ["--one-in", "10"])],
            {},
        ),
    ]


def main() -> int:
    """Run the stages in order; stop at the first that fails."""
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__)
    parser.add_argument("--all", action="store_true", help="run every check in full")
    for name, command, extra in _stages(everything=parser.parse_args().all):
        print(f"== {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **extra}, check=False)
        print(f"== {name}: {time.monotonic() - began:.0f} s", flush=True)
        if done.returncode:
            print(f"== {name}: failed", flush=True)
            return done.returncode
    print("== all checks passed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
