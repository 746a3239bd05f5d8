"""Cases of luck by its cause and of what rules and habits change: variances and differences known by construction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, cards, effects, nested, noisy_course
from tests.statistical.cases_blocks import DEALS
from tests.statistical.coverage import Case, given
from tests.support_metrics import CARD_DUE, exchanges_of

CAREFUL = "careful deviations, which reckon with effects that have not come yet"

# ---- luck by its cause ----------------------------------------------------------------------------------

_PARTS = {"deal": 1.0, "later chance": 0.5, "decisions": 2.0}


def _outcomes(dice: Any, redraws: int) -> Any:
    """Return results of two seats, four line-ups for each later chance, each cause with its own variance."""
    deal, later, decided = (math.sqrt(part) for part in _PARTS.values())
    luck = deal * dice.normal(size=(DEALS, 1, 1, 2)) + later * dice.normal(size=(DEALS, redraws, 1, 2))
    return luck + decided * dice.normal(size=(DEALS, redraws, 4, 2))


def _causes(parts: dict[str, float]) -> dict[str, float]:
    whole = sum(parts.values())
    return {
        **{f"parts[{name}]": part for name, part in parts.items()},
        **{f"shares[{name}]": part / whole for name, part in parts.items()},
        "total": whole,
        "variance": whole,
        "gap": 0.0,
    }


def _steps(dice: Any, seed: int) -> Any:
    """Return two estimates of chances that move by a fifth and are then decided, in two matches a deal."""
    matches = 2 * DEALS
    then = 0.5 + dice.choice([-0.2, 0.2], matches)
    end = (dice.random(matches) < then).astype(float)
    seen = [
        np.stack([dice.binomial(100, 0.5, matches) / 100, dice.binomial(100, then) / 100, end], axis=1)
        for _ in range(2)
    ]
    first, second = (np.stack([one, 1 - one], axis=2) for one in seen)
    return given(first, second, np.array([0, 1]), np.repeat(np.arange(DEALS), 2), seed)


_ROOTS = (0.2, math.sqrt(0.21))

# ---- what rules and habits change -----------------------------------------------------------------------


def _with_and_without(dice: Any, looks: int = 1) -> Any:
    luck = dice.normal(0, 1, DEALS)
    return given(luck + dice.normal(0.3, 0.5, DEALS), luck + dice.normal(0, 0.5, DEALS), looks)


def _winners(dice: Any) -> Any:
    """Return who wins in two ways to play, another in a quarter of deals."""
    one = dice.integers(0, 4, DEALS)
    other = np.where(dice.random(DEALS) < 0.25, (one + 1) % 4, one)
    return given(np.eye(4)[one], np.eye(4)[other])


def _restricted(dice: Any) -> Any:
    """Return wins of a player that wins a fifth of four-player matches, with luck of the deal for all seats."""
    return given((dice.random((DEALS, 4)) < dice.beta(4, 16, (DEALS, 1))).astype(float))


CASES = [
    Case(
        nested.causes,
        lambda dice, seed: given(_outcomes(dice, 3), seed),
        _causes(_PARTS),
        "later chance anew",
    ),
    Case(
        nested.causes,
        lambda dice, seed: given(_outcomes(dice, 1), seed),
        _causes({"chance": _PARTS["deal"] + _PARTS["later chance"], "decisions": _PARTS["decisions"]}),
        "no later chance",
        cautious={"gap": "the same number twice: nothing to be wrong about"},
    ),
    Case(
        noisy_course.suspense,
        lambda dice, seed: _steps(dice, seed),
        {"total": sum(_ROOTS), "curve[0]": _ROOTS[0], "curve[1]": _ROOTS[1]},
    ),
    Case(
        effects.mean,
        lambda dice, seed: given(dice.uniform(-1, 2, DEALS), 3.0),
        {"": 0.5},
        cautious={"": CAREFUL},
    ),
    Case(
        effects.change,
        lambda dice, seed: _with_and_without(dice),
        {"found": 0.3},
        cautious={"found": CAREFUL},
    ),
    Case(
        effects.rate,
        lambda dice, seed: given(dice.poisson(0.5, DEALS), 10.0),
        {"": 0.05},
    ),
    Case(effects.others_win, lambda dice, seed: _winners(dice), {"": 0.25}),
    Case(
        effects.importance,
        lambda dice, seed: _restricted(dice),
        {"": 0.05},
        cautious={"": CAREFUL},
    ),
    Case(
        effects.scaled,
        lambda dice, seed: given(blocks.mean(dice.normal(1, 1, DEALS)), 20.0),
        {"": 20.0},
    ),
    Case(
        cards.swap_worth,
        lambda dice, seed: given(*exchanges_of(dice, DEALS), 8, seed),
        {f"[{card}].value": due * 8 / 7 for card, due in enumerate(CARD_DUE)},
        together=("",),
    ),
]
