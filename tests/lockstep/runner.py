"""Lockstep over many random option mixes, from the command line."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any


def run(
    module: Any, play: Callable[[int], tuple[int, Counter[str]]], arguments: Sequence[str] | None = None
) -> int:
    """Play mixes FIRST … LAST − 1 and say what came; stop at the first on which engine and twin differ.

    Parameters
    ----------
    module : module
        Whose name and docstring tell how it is called, and whose ``mix(number)`` is shown where the two differ.
    play : callable
        Number of a mix → (decisions, what happened).
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module.__spec__.name}", description=module.__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    options = parser.parse_args(arguments)
    began, decisions, seen = time.monotonic(), 0, Counter[str]()
    for number in range(options.first, options.last):
        try:
            made, happened = play(number)
        except Exception:
            print(f"mix {number}: {module.mix(number)}", file=sys.stderr)
            raise
        decisions += made
        seen += happened
        if (number + 1 - options.first) % 100 == 0:
            print(f"{number + 1 - options.first} mixes, {decisions:,} decisions", flush=True)
    seconds = time.monotonic() - began
    print(f"{options.last - options.first} mixes agree: {decisions:,} decisions, {seconds:.0f} s")
    print(", ".join(f"{name} {count:,}" for name, count in sorted(seen.items())))
    return 0
