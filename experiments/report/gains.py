"""What playing the same deals saves, in words; of the gains of `experiments.metrics.variance`."""

from __future__ import annotations

import math

from experiments.report.words import number, plural, show
from experiments.stats import Estimate

SEATINGS = "gain of all seats on one deal, in times the matches"
"""The number of a `variance.duplicate_gain`."""

PAIRING = "gain of the same deals, in times the deals"
"""The number of a `variance.pairing_gain`."""


def of_seatings(gains: list[Estimate], what: str) -> str:
    """Say what it saves to play each deal in all seats; empty where nothing varies.

    Parameters
    ----------
    gains : list of Estimate
        Of each of what is measured, as `variance.duplicate_gain` gives it.
    what : str
        One of what is measured: "duel".
    """
    finite, endless = _parted(gains)
    parts = []
    if finite:
        parts.append(
            f"Each deal is played in all seats. To be as sure with a deal of its own for each match takes {_times(finite, what)}."
        )
    if endless:
        parts.append(
            f"In {plural(endless, what)} the seats of every deal made up for each other, which leaves no noise at all."
        )
    return " ".join(parts)


def of_pairing(gains: list[Estimate], what: str, by: str) -> str:
    """Say what it saves to compare on the same deals; empty where nothing varies.

    Parameters
    ----------
    gains : list of Estimate
        Of each comparison, as `variance.pairing_gain` gives it.
    what : str
        What is compared: "rule".
    by : str
        The measure that it is compared by.
    """
    finite, endless = _parted(gains)
    parts = []
    if finite:
        parts.append(
            f"Each {what} is judged on the same deals. To see the difference of the {by} as sharply on separate deals takes "
            f"{_times(finite, what, 'deals')}."
        )
    if endless:
        parts.append(
            f"Of {plural(endless, what)} it came out alike on every deal, which leaves no noise at all."
        )
    return " ".join(parts)


def _parted(gains: list[Estimate]) -> tuple[list[Estimate], int]:
    """Return those with an interval in order, and how many are infinite; what a single deal tells has neither."""
    finite = sorted((gain for gain in gains if gain.interval is not None), key=lambda gain: gain.value)
    return finite, sum(gain.value == math.inf for gain in gains)


def _times(gains: list[Estimate], what: str, unit: str = "matches") -> str:
    middle = show(gains[len(gains) // 2], "mean").together
    if len(gains) == 1:
        return f"{middle} times as many {unit}"
    return (
        f"{_short(gains[0].value)} to {_short(gains[-1].value)} times as many {unit}, depending on the {what}, and {middle} in the "
        "middle"
    )


def _short(gain: float) -> str:
    return number(gain, 2 if gain < 2 else 1 if gain < 100 else 0)
