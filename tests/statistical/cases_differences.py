"""Cases of differences of two runs on the same deals: shares and counts, rare ones and such as hardly ever differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments import stats
from tests.statistical.cases_blocks import DEALS, FEW
from tests.statistical.coverage import Case, given
from tests.support_metrics import totals_of

ALLOWS = "allows for what may not have come yet, which in few blocks is much"


def _rare(dice: Any, often: float, together: float = 0.0, deals: int = 150) -> Any:
    """Return counts of two runs on the same deals that come `often` a deal each, a part of them in both."""
    both = dice.random(deals) < together * often
    x, x0 = (both | (dice.random(deals) < (often - together * often)) for _ in range(2))
    return x.astype(int), x0.astype(int)


def _shares_of_two(dice: Any, deals: int = DEALS) -> Any:
    """Return wins of two runs in four matches a deal: a quarter, by the deal's luck and dice in common, and .05 more."""
    chance, drawn = dice.beta(3, 9, (deals, 1)), dice.random((deals, 4))
    return [(drawn < chance + more).sum(axis=1) for more in (0.05, 0.0)]


_WON, _CAME = ("win", "x"), ("event", "x")


def _paired(x: Any, x0: Any, kind: str, of: int = 1, key: tuple[str, ...] = ("score",)) -> Any:
    n = np.full(len(x), of)
    return given(totals_of(x, n, 1.0, (x0, n), key), 0, totals_of(x0, n, key=key), 0, paired=True, kind=kind)


CASES = [
    *(
        Case(
            stats.difference,
            lambda dice, seed, play=play, kind=kind, of=of, key=key: _paired(*play(dice), kind, of, key),
            {"": truth},
            label,
            cautious=cautious,
        )
        for label, play, kind, of, key, truth, cautious in (
            ("of shares", _shares_of_two, "share", 4, _WON, 0.05, {}),
            (
                "of shares in 8 deals",
                lambda dice: _shares_of_two(dice, 8),
                "share",
                4,
                _WON,
                0.05,
                {"": ALLOWS},
            ),
            (
                "of shares near 1",
                lambda dice: 1 - np.array(_rare(dice, 0.02, 0.5)),
                "share",
                1,
                _WON,
                0.0,
                {"": FEW},
            ),
            (
                "of what only one has, rarely",
                lambda dice: (_rare(dice, 0.005)[0], np.zeros(150, int)),
                "mean",
                1,
                _CAME,
                0.005,
                {"": FEW},
            ),
            ("of rare counts", lambda dice: _rare(dice, 0.005), "mean", 1, _CAME, 0.0, {"": FEW}),
            ("of counts", lambda dice: _rare(dice, 0.1), "mean", 1, _CAME, 0.0, {}),
            ("of counts that go together", lambda dice: _rare(dice, 0.1, 0.6), "mean", 1, _CAME, 0.0, {}),
        )
    ),
]
