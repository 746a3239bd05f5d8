"""Cases without any skill, difference or bias: the truth is 0, and noise makes most estimates greater."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import elo, scores, seats, skill, variance
from tests.statistical.cases_blocks import DEALS, REPLICATES
from tests.statistical.cases_skill import duels
from tests.statistical.coverage import COSTLY, Case, given
from tests.support_metrics import wins_by_seat

EDGE = "nothing is below 0, so that an interval can miss it on one side alone"

SQUARE = "the square of what is 0: drawing deals anew gives it the noise of both draws"

EQUALS = np.zeros(4)


def _alike(dice: Any) -> Any:
    luck = dice.integers(1, 5, (DEALS, 1, 1))
    return dice.poisson(luck, (DEALS, 2, 2)), dice.poisson(luck, (DEALS, 2, 2))


def _results(dice: Any) -> Any:
    """Return results of four equal bots in three equal seats: luck of the deal, of the seat's cards, and of play."""
    deal, cards = dice.normal(size=(DEALS, 1)), dice.normal(size=(3, DEALS, 1))
    return deal + 2 * cards + dice.normal(size=(4, 3, DEALS, 2))


NONE = ("bot", "seat", "bot×deal")

CASES = [
    Case(
        scores.distances,
        lambda dice, seed: given(*_alike(dice), seed, replicates=REPLICATES),
        {"wasserstein.value": 0.0, "kolmogorov.value": 0.0},
        "of like drafts",
        cautious={"": EDGE},
        samples=COSTLY,
    ),
    Case(
        skill.depth,
        lambda dice, seed: given(4, duels(dice, points=EQUALS), seed, replicates=REPLICATES),
        {"": 0.0},
        "of equals",
        cautious={"": EDGE},
        samples=COSTLY,
    ),
    Case(
        elo.ladder_spread,
        lambda dice, seed: given(4, duels(dice, points=EQUALS), seed, replicates=REPLICATES),
        {"[s]": 0.0, "[chance]": 0.5},
        "of equals",
        cautious={"": EDGE},
        read=lambda found: {"s": found.s, "chance": found.chance},
        samples=COSTLY,
    ),
    Case(
        skill.trace,
        lambda dice, seed: given(dice.binomial(4, 0.5, (DEALS, 4)) / 4, seed),
        {"[next]": 0.0, "[trace]": 0.0},
        "of a search that more thinking does not help",
        cautious={"": EDGE},
        read=lambda found: {"next": found.next, "trace": found.trace},
    ),
    Case(
        variance.crossed_shares,
        lambda dice, seed: given(_results(dice), seed),
        {f"[{kind}][{name}]": 0.0 for kind in ("parts", "shares") for name in NONE},
        "of equal bots in equal seats",
        cautious={"[shares]": EDGE, "[parts][bot]": SQUARE, "[parts][seat]": SQUARE},
        read=lambda found: {
            kind: {name: getattr(found, kind)[name] for name in NONE} for kind in ("parts", "shares")
        },
        samples=COSTLY,
    ),
    Case(
        seats.greatest,
        lambda dice, seed: given(seats.fair(wins_by_seat(dice, DEALS, [0.25] * 4))),
        {"": 0.0},
        "of fair seats",
        cautious={"": EDGE},
    ),
]
