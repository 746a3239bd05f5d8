"""Questions to the lab: runs, comparisons, their statistics and reports."""

import os

MATCHES = 100_000
"""To play, where nothing is said; on the command line and in Python alike."""

DEALS = 2000
"""Of each pair of a ladder in which no bot searches, where nothing is said."""

SEED = 1
"""Of the deals, where nothing is said."""


def threads() -> int:
    """Return how many threads there is room for."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
