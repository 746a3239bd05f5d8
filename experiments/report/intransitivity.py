"""Whether one ranking describes all pairings of bots, in words."""

from __future__ import annotations

from experiments.metrics.intransitivity import Transitivity
from experiments.report import words


def told(transitivity: Transitivity, cycles: float) -> str:
    """Say whether one ranking describes all pairings, or some look like rock-paper-scissors.

    It may not without any cycle: where one bot beats the next by little, that the one after by little, and the first the third by
    far.

    Parameters
    ----------
    cycles : float
        Share of threes that beat each other in a circle.
    """
    digits = words.digits_of((transitivity.high - transitivity.low) / 2, "share")
    value, low, high = (
        words.percent(share, digits) for share in (transitivity.value, transitivity.low, transitivity.high)
    )
    numbers = f"(ratings explain {value} of the log-odds of the duels; if they explained all, noise would leave {low} to {high})"
    if transitivity.value >= transitivity.low:
        return f"One ranking describes all pairings; there is no sign of rock-paper-scissors {numbers}."
    more = ", though no three bots beat each other in a circle" if cycles == 0 else ""
    return f"One ranking does not describe all pairings: how far a bot is ahead depends on whom it plays{more} {numbers}."
