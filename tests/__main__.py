"""Run every check: ``python -m tests``. What each stage is for stands beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _stages(scratch: str) -> list[tuple[str, list[str], dict[str, str]]]:
    python = [sys.executable, "-m"]
    # A file of tests stays in one process: what it has compiled and played serves all of it.
    pytest = [*python, "pytest", "-q", "-n", str(os.cpu_count() or 1), "--dist", "loadfile"]
    return [
        ("style", [*python, "ruff", "check", "."], {}),
        ("format", [*python, "ruff", "format", "--check", "--quiet", "."], {}),
        ("types", [*python, "mypy"], {}),
        # The compiled engines: everything but what is slow.
        ("tests, compiled", [*pytest, "-m", "not slow"], {}),
        # The same code as plain Python: what numba forgives, Python does not.
        ("tests, NUMBA_DISABLE_JIT=1", [*pytest, "-m", "nojit"], {"NUMBA_DISABLE_JIT": "1"}),
        # Bounds checks, with a fresh cache: compiled code does not look.
        (
            "tests, NUMBA_BOUNDSCHECK=1",
            [*pytest, "-m", "boundscheck"],
            {"NUMBA_BOUNDSCHECK": "1", "TEFUDA_CACHE_DIR": scratch},
        ),
        # How often intervals and verdicts are right, over thousands of samples of what is known.
        ("tests, slow", [*pytest, "-m", "slow"], {}),
    ]


def main() -> int:
    """Run the stages in order; stop at the first that fails."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, command, extra in _stages(scratch):
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
