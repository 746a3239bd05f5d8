"""Cases of means, shares, counts and verdicts: results by deal such as the lab has, with their exact means."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks, seats, sizes, spread, verdicts
from experiments.metrics.verdicts import Looks, PairedSummary, Sequential
from tests.statistical.coverage import Case, given
from tests.support_metrics import draw, one_swap, totals_of, wins_by_seat

DEALS = 200

REPLICATES = 300
"""Of a bootstrap that takes its time, fewer than users have: the ends of its intervals are a little less sure."""

BONFERRONI = "Bonferroni's intervals for several numbers at once, which go together"
WHOLE = "whole numbers: what holds one holds all that rounds to it"
FEW = "counts of a few are whole numbers: no interval holds them just so often"
ANY_TIME = "one of the intervals that hold at all looks together"


def shares(dice: Any, a: float = 3, b: float = 9, deals: int = DEALS) -> Any:
    """Return shares won of four matches a deal, whose chance goes with the deal; the mean is a/(a + b)."""
    return dice.binomial(4, dice.beta(a, b, deals)) / 4


def points(dice: Any, deals: int = DEALS) -> Any:
    """Return what a threshold of 7 wins in One swap: 7/26 on average."""
    return one_swap(draw(dice, 13, deals), 7)


def decisions(dice: Any, deals: int = 60) -> tuple[Any, Any]:
    """Return the legal moves and the decisions of each deal, which vary together: three moves a decision."""
    count = dice.integers(20, 60, deals)
    return dice.poisson(count * dice.gamma(30, 0.1, deals)), count


_AS_ONE = 1 - 0.05 / 4
"""How often four or fewer intervals of Bonferroni's hold at once, if they go together as one does with itself."""


def _estimated(x: Any, d: Any, kind: str, measure: tuple[str, ...] = ("score",), **named: Any) -> Any:
    return given(totals_of(x, d, key=measure), 0, kind, **named)


def _difference(dice: Any, paired: bool) -> Any:
    ones, deal = np.ones(DEALS, int), dice.normal(0, 300, (2, DEALS))
    if paired:
        deal[1] = deal[0]
    x, x0 = (
        np.rint(shift + luck + dice.normal(0, 100, DEALS)).astype(int)
        for shift, luck in zip((50, 20), deal, strict=True)
    )
    return given(
        totals_of(x, ones, base=(x0, ones) if paired else None), 0, totals_of(x0, ones), 0, paired=paired
    )


def _rows(dice: Any) -> Any:
    moves, count = decisions(dice)
    block = np.repeat(np.arange(len(count)), 2)
    # Two rows a deal, and some with nothing to note.
    values = dice.normal(moves.repeat(2) / count.repeat(2), 1)
    return np.where(dice.random(len(values)) < 0.2, np.nan, values), block


def _ratio_of_means(means: Any) -> Any:
    return (means[..., 0] / means[..., 1])[..., None]


def _moves_a_decision(dice: Any, seed: int) -> Any:
    return given(np.stack(decisions(dice), axis=1), _ratio_of_means, seed)


BASIC = [
    Case(
        stats.share_interval,
        lambda dice, seed: given(
            float((won := shares(dice)).mean()), float(won.std(ddof=1)) / math.sqrt(DEALS), DEALS
        ),
        {"": 0.25},
    ),
    Case(
        stats.mean_interval,
        lambda dice, seed: given(
            float((won := 2 * shares(dice, deals=40) - 1).mean()),
            float(won.std(ddof=1)) / math.sqrt(40),
            40,
            bounds=(-1.0, 1.0),
        ),
        {"": -0.5},
    ),
    Case(blocks.as_share, lambda dice, seed: given(blocks.mean(shares(dice))), {"": 0.25}),
    Case(
        blocks.mean_within,
        # The truth is a standard error above the least that it can be.
        lambda dice, seed: given(dice.normal(1 / math.sqrt(40), 1, 40), (0.0, math.inf)),
        {"": 1 / math.sqrt(40)},
    ),
    Case(
        stats.count_interval,
        lambda dice, seed: given(
            float((times := dice.poisson(0.2, DEALS)).mean()),
            float(times.std(ddof=1)) / math.sqrt(DEALS),
            DEALS,
        ),
        {"": 0.2},
    ),
    Case(
        stats.estimate,
        lambda dice, seed: _estimated((4 * shares(dice, 1, 30)).astype(int), np.full(DEALS, 4), "share"),
        {"": 1 / 31},
        "of a share",
    ),
    Case(stats.estimate, lambda dice, seed: _estimated(*decisions(dice), "mean"), {"": 3.0}, "of a mean"),
    *(
        Case(
            stats.estimate,
            lambda dice, seed, often=often: _estimated(
                dice.poisson(often * dice.gamma(2, 0.5, 2 * DEALS)),
                np.ones(2 * DEALS, int),
                "mean",
                ("event", "x"),
            ),
            {"": often},
            f"of a count that comes {often:g} times a deal",
            cautious={"": FEW} if often < 0.02 else {},
        )
        for often in (0.005, 0.0125, 0.025, 0.1, 1.0)
    ),
    Case(stats.difference, lambda dice, seed: _difference(dice, True), {"": 30.0}, "paired"),
    Case(stats.difference, lambda dice, seed: _difference(dice, False), {"": 30.0}, "unpaired"),
    Case(
        spread.sd_interval,
        lambda dice, seed: given(
            Counter((scores := np.rint(dice.normal(0, 10, 300)).astype(int)).tolist()),
            float(scores.std(ddof=1)),
            300,
        ),
        {"": math.sqrt(100 + 1 / 12)},
    ),
    Case(
        spread.quantile_interval,
        lambda dice, seed: given(Counter(np.rint(dice.normal(0, 10, 300)).astype(int).tolist()), 50, 300),
        {"": 0.0},
        cautious={"": WHOLE},
    ),
    Case(blocks.mean, lambda dice, seed: given(points(dice)), {"": 7 / 26}),
    Case(
        blocks.mean,
        lambda dice, seed: given(2 * dice.beta(38, 2, 25) - 1, bounds=(-1.0, 1.0)),
        {"": 0.9},
        "close to what it can be at most",
    ),
    Case(
        blocks.mean,
        lambda dice, seed: given(dice.gamma(0.5, 1, 100), bounds=(0.0, math.inf)),
        {"": 0.5},
        "never below 0",
    ),
    Case(blocks.share, lambda dice, seed: given((points(dice) + 1) / 2), {"": 33 / 52}),
    *(
        Case(
            blocks.share,
            lambda dice, seed, p=p, deals=deals: given((dice.random(deals) < p).astype(float)),
            {"": p},
            f"of {p:g} of {deals} deals",
            cautious={"": FEW} if deals < 100 else {},
        )
        for p, deals in ((0.98, 30), (0.95, 100), (0.005, 150), (0.5, 5))
    ),
    Case(blocks.of_kind, lambda dice, seed: given(shares(dice), "share"), {"": 0.25}),
    Case(blocks.ratio, lambda dice, seed: given(*decisions(dice), "mean"), {"": 3.0}, "of a mean"),
    Case(
        blocks.ratio,
        lambda dice, seed: given(
            dice.binomial((there := dice.integers(0, 9, DEALS)), dice.beta(3, 9, DEALS)), there, "share"
        ),
        {"": 0.25},
        "of a share",
    ),
    Case(blocks.by_row, lambda dice, seed: given(*_rows(dice), "mean"), {"": 3.0}),
    Case(blocks.of_means, _moves_a_decision, {"[0]": 3.0}),
    Case(
        sizes.games_until_ahead,
        lambda dice, seed: given(blocks.share(shares(dice, 6, 4)), 0.75),
        {"": sizes.to_lead(0.6, 0.75)},
        cautious={"": WHOLE},
    ),
]


# ---- seats ----------------------------------------------------------------------------------------------

CHANCES = np.array([0.22, 0.25, 0.26, 0.27])
SHARES = (CHANCES + 0.25) / 2
"""Shares of the seats, half of whose chances go by the deal's luck."""


def _deviations(seats_: int = 4) -> dict[str, float]:
    return {f"seats[{seat}].estimate": SHARES[seat] - 0.25 for seat in range(seats_)}


def _by_seat(dice: Any) -> Any:
    return wins_by_seat(dice, DEALS, CHANCES)


FLATTER = (np.array([0.24, 0.25, 0.25, 0.26]) + 0.25) / 2


def _two_drafts(dice: Any, *, other: Any = (0.24, 0.25, 0.25, 0.26), paired: bool = True) -> Any:
    """Return how fair the seats of two drafts are, and each seat's change, on the same luck of the deals."""
    state = int(dice.integers(2**32))
    before = _by_seat(np.random.default_rng(state))
    after = wins_by_seat(np.random.default_rng(state if paired else state + 1), DEALS, other)
    changes = [blocks.mean(column) for column in (after - before).T] if paired else ()
    return seats.fair(before), seats.fair(after), changes


def _score_by_seat(dice: Any) -> Any:
    return dice.normal([10, 12, 15], 3, (DEALS, 3)) + dice.normal(0, 3, (DEALS, 1))


SEATS = [
    Case(
        seats.by_seat,
        lambda dice, seed: given(_by_seat(dice), "share"),
        {f"[{seat}]": SHARES[seat] for seat in range(4)},
        "of shares",
        together=("",),
        cautious={"": BONFERRONI},
        at_most={"": _AS_ONE},
    ),
    Case(
        seats.by_seat,
        lambda dice, seed: given(_score_by_seat(dice), "mean"),
        {"[0]": 10, "[1]": 12, "[2]": 15},
        "of scores",
        together=("",),
        cautious={"": BONFERRONI},
        at_most={"": _AS_ONE},
    ),
    Case(seats.leaders_advantage, lambda dice, seed: given(_by_seat(dice)), {"": SHARES[0] - 0.25}),
    Case(
        seats.within,
        lambda dice, seed: given(blocks.share(_by_seat(dice)[:, 3]), 0.25),
        {"estimate": SHARES[3] - 0.25},
    ),
    Case(
        seats.fair,
        lambda dice, seed: given(_by_seat(dice)),
        _deviations(),
        together=("seats",),
        cautious={"seats": BONFERRONI},
        at_most={"seats": _AS_ONE},
    ),
    Case(
        seats.fair_means,
        lambda dice, seed: given([blocks.mean(column) for column in _by_seat(dice).T]),
        _deviations(),
        together=("seats",),
        cautious={"seats": BONFERRONI},
        at_most={"seats": _AS_ONE},
    ),
    Case(
        seats.greatest,
        lambda dice, seed: given(seats.fair(_by_seat(dice))),
        {"": float(np.abs(SHARES - 0.25).max())},
        cautious={"": "from Bonferroni's intervals of all seats, of which it needs but one"},
    ),
    Case(
        seats.change_of_largest,
        lambda dice, seed: given(*_two_drafts(dice)),
        {"": float(np.abs(FLATTER - 0.25).max() - np.abs(SHARES - 0.25).max())},
        cautious={"": "from Bonferroni's intervals of all seats and their changes"},
    ),
    Case(
        seats.change_of_largest,
        lambda dice, seed: given(*_two_drafts(dice, other=[0.4, 0.2, 0.2, 0.2])),
        {"": 0.075 - 0.015},
        "of another seat",
        cautious={"": "from Bonferroni's intervals of all seats and their changes"},
    ),
    Case(
        seats.change_of_largest,
        lambda dice, seed: given(*_two_drafts(dice, paired=False)),
        {"": float(np.abs(FLATTER - 0.25).max() - np.abs(SHARES - 0.25).max())},
        "not paired",
        cautious={"": "from Bonferroni's intervals of all seats"},
    ),
]


# ---- verdicts -------------------------------------------------------------------------------------------


def _differences(dice: Any, deals: int = DEALS) -> Any:
    """Return differences in share of wins of two drafts on the same deals, most of them 0: .1 on average."""
    return dice.choice([-1.0, 0.0, 1.0], deals, p=[0.1, 0.7, 0.2])


def _summary(values: Any) -> PairedSummary:
    return PairedSummary(float(values.mean()), float(values.std(ddof=1)), len(values), 0.01, 1.0)


def _until_decided(dice: Any) -> Any:
    """Return a comparison that was looked at until it was decided, or all was played."""
    looks, values = Looks(100, 1.1), _differences(dice, 2000)
    until = Sequential([500], looks)
    for stretch in looks.stretches(len(values)):
        until.look({0: _summary(values[: stretch.stop])}, stretch.stop)
        if until.is_decided(0):
            break
    return given(until)


CAREFUL = "reaches as far as if all that differs came from few blocks"

VERDICTS = [
    Case(
        verdicts.judge,
        lambda dice, seed: given([_summary(_differences(dice))]),
        {"[0].estimate": 0.1, "[0].simultaneous": 0.1},
        cautious={"": CAREFUL},
    ),
    Case(
        Sequential.verdicts,
        lambda dice, seed: _until_decided(dice),
        {"[0].estimate": 0.1, "[0].simultaneous": 0.1},
        "when it is decided",
        cautious={"": ANY_TIME},
    ),
]

CASES = [*BASIC, *SEATS, *VERDICTS]
