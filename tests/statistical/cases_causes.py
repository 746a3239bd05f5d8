"""Cases of what rules and habits change, of luck by its cause, and of courses told from noisy chances."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, cards, debiased_course, effects, variance_components
from tests import support_causes as known
from tests.statistical.cases_blocks import DEALS, shares
from tests.statistical.coverage import COSTLY, Case, given
from tests.support_metrics import CARD_DUE, exchanges_of, wins_by_seat

CAREFUL = "allows for what may not have come yet: as if all of the deviation came from few blocks that differ by all they can"


def _with_and_without(dice: Any) -> Any:
    """Return shares of wins on the same deals with a rule and without: one deal of ten is lost, one of five won."""
    without = dice.binomial(4, dice.beta(3, 9, DEALS)) / 4
    return without + dice.choice([-0.25, 0.0, 0.25], DEALS, p=[0.1, 0.7, 0.2]), without


def _both_wins(dice: Any) -> Any:
    """Return who wins of four, and who in another draft: in three of ten deals drawn anew, so that 22.5% go elsewhere."""
    wins = dice.integers(4, size=DEALS)
    other = np.where(dice.random(DEALS) < 0.3, dice.integers(4, size=DEALS), wins)
    return np.eye(4)[wins], np.eye(4)[other]


def _seats_before_and_after(dice: Any) -> Any:
    """Return who wins of four on the same deals: with even chances, and where a twentieth goes from one seat to its neighbour."""
    chance = dice.random(DEALS)
    return tuple(np.eye(4)[np.searchsorted([end, 0.5, 0.75], chance)] for end in (0.2, 0.25))


EFFECTS = [
    Case(
        effects.balance,
        lambda dice, seed: given(*_seats_before_and_after(dice)),
        {"": 0.05},
        cautious={"": "the greatest of several is bounded by intervals that hold for all of them at once"},
    ),
    Case(
        effects.change,
        lambda dice, seed: given(*_with_and_without(dice)),
        {"found": 0.025},
        cautious={"": CAREFUL},
    ),
    Case(
        effects.mean,
        lambda dice, seed: given(np.subtract(*_with_and_without(dice)), 0.25),
        {"": 0.025},
        cautious={"": CAREFUL},
    ),
    *(
        Case(
            effects.rate,
            lambda dice, seed, often=often: given(dice.poisson(often, DEALS), 4.0),
            {"": often / 4},
            label,
        )
        for often, label in ((0.05, "of what came ten times"), (1.0, "of what came often"))
    ),
    Case(effects.others_win, lambda dice, seed: given(*_both_wins(dice)), {"": 0.225}),
    Case(
        effects.importance,
        lambda dice, seed: given(wins_by_seat(dice, DEALS, [0.15, 0.25, 0.3, 0.3])[:, [0, 0, 0, 0]]),
        {"": 0.05},
        cautious={"": CAREFUL},
    ),
    Case(effects.scaled, lambda dice, seed: given(blocks.share(shares(dice)), 4.0), {"": 1.0}),
    Case(
        cards.swap_worth,
        lambda dice, seed: given(*exchanges_of(dice, DEALS), 8, seed),
        {f"[{card}].value": 8 / 7 * float(due) for card, due in enumerate(CARD_DUE)},
        together=("",),
    ),
]


# ---- luck by its cause ----------------------------------------------------------------------------------


def _by_cause() -> dict[str, float]:
    whole = known.TOTAL
    shares = {"shares": known.PARTS, "lower": known.LOWER, "upper": known.UPPER}
    of_all = {
        f"{table}[{name}]": part / whole for table, parts in shares.items() for name, part in parts.items()
    }
    parts = {f"parts[{name}]": part for name, part in known.PARTS.items()}
    return {**parts, **of_all, "total": whole, "variance": whole, "gap": 0.0}


# ---- noisy chances --------------------------------------------------------------------------------------

STEP = 0.2
ROLLOUTS = 100


def _noisy(dice: Any, seed: int) -> Any:
    """Return two estimates of an even chance that a first step moves by `STEP`, before the end decides."""
    chance = 0.5 + STEP * dice.choice([-1, 1], DEALS)
    end = (dice.random(DEALS) < chance).astype(float)
    told = np.stack([np.full(DEALS, 0.5), chance], axis=1)
    both = dice.binomial(ROLLOUTS, told, (2, DEALS, 2)) / ROLLOUTS
    own = np.concatenate([both, np.broadcast_to(end[:, None], (2, DEALS, 1))], axis=2)
    return given(*np.stack([own, 1 - own], axis=3), [0, 1], np.arange(DEALS), seed)


_LAST = math.sqrt(0.25 - STEP**2)
"""Root mean square of the last step."""

OTHER = [
    Case(
        variance_components.causes,
        lambda dice, seed: given(*known.played(dice, DEALS), known.PLAYERS, seed),
        _by_cause(),
        samples=COSTLY,
    ),
    Case(
        debiased_course.suspense,
        _noisy,
        {"total": STEP + _LAST, "curve[0]": STEP, "curve[1]": _LAST},
    ),
]

CASES = [*EFFECTS, *OTHER]
