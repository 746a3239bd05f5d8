"""Cases of what a match is like: scores, courses, choices, cards and places, of distributions known exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import stats as scipy_stats

from experiments.metrics import cards, choice, course, mobility, nonsmooth, scores, shapes
from tests.statistical.cases_blocks import BONFERRONI, DEALS, REPLICATES, WHOLE
from tests.statistical.coverage import COSTLY, Case, given
from tests.support_metrics import CARD_DUE, hands_of

# ---- scores ---------------------------------------------------------------------------------------------

BENDS = "several gaps may be the greatest, or of either sign: the ends are the farther ones"

_MOST = 40
"""Scores above do not come."""


def three_scores(dice: Any, deals: int = DEALS) -> Any:
    """Return scores of three players in two matches a deal: Poisson, of a mean of 1 to 3 that the deal gives all."""
    return dice.poisson(dice.integers(1, 4, (deals, 1, 1)), (deals, 2, 3))


def _exact_summary() -> dict[str, float]:
    values = np.arange(_MOST)
    each = scipy_stats.poisson.pmf(values, np.arange(1, 4)[:, None])
    shares = each.mean(axis=0)
    mean = float(shares @ values)
    sd = math.sqrt(float(shares @ (values - mean) ** 2))
    below = each.cumsum(axis=1)
    # Of two players: P(|x − y| > d) summed over d is the mean difference, 2·ΣF(1 − F) of a deal.
    apart = float((2 * below * (1 - below)).sum(axis=1).mean())
    less = np.concatenate([np.zeros((3, _MOST)), below], axis=1)  # of d below v: less[:, v − d + _MOST]
    # The best has v, and the two others no more than v − d: 3·p(v)·F(v − d)², for every lead d above 0.
    ahead = [
        float((3 * each * less[:, _MOST - lead : 2 * _MOST - lead] ** 2).sum(axis=1).mean())
        for lead in range(1, _MOST)
    ]
    found = {
        "mean": mean,
        "sd": sd,
        "skew": float(shares @ (values - mean) ** 3) / sd**3,
        "ties": 1 - ahead[0],
        "blow_outs": ahead[math.floor(scores.FAR * sd)],
        "distinct": math.exp(scipy_stats.entropy(shares)),
        "difference": apart,
        "gini": apart / 2 / mean,
    }
    quantiles = {f"quantiles[{q}]": float(np.argmax(shares.cumsum() >= q)) for q in scores.QUANTILES}
    return {**found, **quantiles}


def _of_many_scores(dice: Any) -> Any:
    """Return scores of two players, whole numbers of 0 to 60 of which the middle ones are the most common."""
    return dice.binomial(60, dice.beta(5, 5, (100, 1, 2)))


RARE = 0.005


def _rarely_far(dice: Any, deals: int = 150) -> Any:
    """Return scores of two players who are as good and lie 1 or 2 points apart; `RARE` ones tie, and `RARE` ones are far off."""
    lead = dice.choice([0, 1, 2, 20], deals, p=[RARE, 0.5 - RARE, 0.5 - RARE, RARE])
    first = dice.integers(0, 11, deals)
    return np.stack([first, first + lead], axis=1)[:, None]


def _effective() -> float:
    return math.exp(scipy_stats.entropy(scipy_stats.betabinom.pmf(np.arange(61), 60, 5, 5)))


def _two_drafts(dice: Any, deals: int) -> Any:
    """Return scores of two drafts on the same deals, whose luck both share: the second has one point more on average."""
    luck = dice.poisson(1, (2, deals, 1, 1)).min(axis=0)
    return dice.poisson(2, (deals, 2, 2)) + luck, dice.poisson(3, (deals, 2, 2)) + luck


def _wider(dice: Any, deals: int) -> Any:
    """Return scores of two drafts with the same mean, of which the second's are further apart."""
    return dice.binomial(20, 0.5, (deals, 2, 2)), dice.binomial(20, dice.choice([0.35, 0.65], (deals, 2, 2)))


def _gaps(first: Any, second: Any) -> dict[str, float]:
    """Return the distances of two distributions of whole numbers."""
    gap = np.abs(np.cumsum(first) - np.cumsum(second))
    return {"wasserstein.value": float(gap.sum()), "kolmogorov.value": float(gap.max())}


def _shifted() -> dict[str, float]:
    values = np.arange(_MOST)
    one = scipy_stats.poisson.sf(values - 1, 1) ** 2  # the least of two is no less
    least = one - np.append(one[1:], 0)
    return _gaps(*(np.convolve(scipy_stats.poisson.pmf(values, mean), least) for mean in (2, 3)))


def _widened() -> dict[str, float]:
    even, low, high = (scipy_stats.binom.pmf(np.arange(21), 20, p) for p in (0.5, 0.35, 0.65))
    return _gaps(even, (low + high) / 2)


_APART = np.array([0.3, -0.28, 0.1, 0.0])
_WIDTH = np.array([1.0, 2.0, 1.0, 3.0])


def _differences(dice: Any) -> Any:
    """Return four differences with noise of their own and in common, what drawing anew adds to them, and the blocks."""
    noise = 0.06 * (dice.normal(size=(1001, 4)) + dice.normal(size=(1001, 1)))
    return _APART + noise[0], noise[1:], DEALS


KINDS = np.array([0.4, 0.3, 0.2, 0.1])
"""How often kinds come, the weakest first; of three seats one with the strongest kind wins."""

_BELOW = np.cumsum(KINDS)
_WON = _BELOW**3 - (_BELOW - KINDS) ** 3


def _kinds(dice: Any) -> Any:
    keys = dice.choice(4, (4 * DEALS, 3), p=KINDS)
    winner = (keys + dice.random(keys.shape)).argmax(axis=1)
    return keys, np.eye(3)[winner]


def _as_many(shares: Any) -> float:
    return float(np.exp(-(shares * np.log(shares)).sum()))


SCORES = [
    Case(
        shapes.spread,
        lambda dice, seed: given(*_kinds(dice), seed),
        {
            "[distinct]": _as_many(KINDS),
            "[winning]": _as_many(_WON),
            **{f"[share][{kind}]": KINDS[kind] for kind in range(4)},
            **{f"[of_wins][{kind}]": _WON[kind] for kind in range(4)},
            **{f"[win][{kind}]": _WON[kind] / KINDS[kind] / 3 for kind in range(4)},
        },
        together=("[share]", "[of_wins]", "[win]"),
        read=lambda found: {
            "distinct": found.distinct,
            "winning": found.winning,
            **{
                sort: [getattr(one, sort) for one in sorted(found.shapes, key=lambda one: one.key)]
                for sort in ("share", "of_wins", "win")
            },
        },
        samples=COSTLY,
    ),
    Case(
        nonsmooth.total_interval,
        lambda dice, seed: given(*_differences(dice), _WIDTH),
        {"": float(np.abs(_APART) @ _WIDTH)},
        cautious={"": BENDS},
    ),
    Case(
        nonsmooth.greatest_interval,
        lambda dice, seed: given(*_differences(dice)),
        {"": float(np.abs(_APART).max())},
        cautious={"": BENDS},
    ),
    Case(
        scores.summary,
        lambda dice, seed: given(three_scores(dice), seed),
        _exact_summary(),
        cautious={"quantiles": WHOLE},
        samples=COSTLY,
    ),
    Case(
        scores.summary,
        lambda dice, seed: given(_of_many_scores(dice), seed),
        {"[0]": _effective()},
        "of many different scores",
        read=lambda found: [found.distinct],
        samples=COSTLY,
    ),
    Case(
        scores.summary,
        lambda dice, seed: given(_rarely_far(dice), seed),
        {"[0]": RARE, "[1]": RARE},
        "of rare ties and blow-outs",
        read=lambda found: [found.ties, found.blow_outs],
        samples=COSTLY,
    ),
    *(
        Case(
            scores.distances,
            lambda dice, seed, make=make: given(*make(dice, DEALS), seed, replicates=REPLICATES),
            truths,
            label,
            cautious={"": BENDS},
            samples=COSTLY,
        )
        for make, truths, label in (
            (_two_drafts, _shifted(), "of shifted scores"),
            (_wider, _widened(), "of wider scores"),
        )
    ),
]


# ---- the course of a match, choices, cards, places ------------------------------------------------------

BINS = 4


def _predictions(dice: Any, seed: int) -> Any:
    """Return true chances, spread evenly, of two matches a deal with the same."""
    chance = np.repeat(dice.random(DEALS), 2)
    came = (dice.random(2 * DEALS) < chance).astype(float)
    return given(chance, came, np.arange(2 * DEALS) // 2, seed, bins=BINS)


_COUNTS = np.arange(1, 10)


def _options(dice: Any, seed: int) -> Any:
    """Return decisions of deals that have 1 to 9 of them, with one to four moves each, more where there are more."""
    count = dice.choice(_COUNTS, DEALS)
    block = np.repeat(np.arange(DEALS), count)
    return given(1 + dice.binomial(3, count[block] / 12), block, np.ones(DEALS))


def _exact_options() -> dict[str, float]:
    moves = np.arange(1, 5)
    chances = scipy_stats.binom.pmf(moves - 1, 3, _COUNTS[:, None] / 12)
    heaviness, forced, bits = (
        float((_COUNTS * (chances @ worth)).mean()) for worth in (moves, moves == 1, np.log2(moves))
    )
    decisions = float(_COUNTS.mean())
    return {
        "decisions": decisions,
        "branching": heaviness / decisions,
        "forced": forced / decisions,
        "heaviness": heaviness,
        "bits": bits,
    }


_GAP, _NOISE = 0.4, 0.1 * math.sqrt(2)
_RIGHT = float(scipy_stats.norm.cdf(_GAP / _NOISE))
"""How often the first estimate names the better of two moves."""


def _stakes(dice: Any, seed: int) -> Any:
    first, second = np.tile([_GAP, 0.0], (DEALS, 1)) + 0.1 * dice.normal(size=(2, DEALS, 2))
    return given(first, second, np.full(DEALS, _NOISE), np.arange(DEALS) // 2)


def _exact_stakes() -> dict[str, float]:
    needed = scipy_stats.norm.ppf(0.95)
    seen = [float(scipy_stats.norm.sf(needed - gap / _NOISE)) for gap in (_GAP, -_GAP)]
    gap = _GAP * (2 * _RIGHT - 1)
    return {"matter": _RIGHT * seen[0] + (1 - _RIGHT) * seen[1], "gap": gap, "stake": gap}


CHAIN = np.array([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]])
"""Of three classes that all are as common: rows and columns add up to 1."""


def _places(dice: Any, seed: int) -> Any:
    """Return matches of 6 games of three players, classes dealt at first and then by moves of the chain."""
    cumulated = CHAIN.cumsum(axis=1)
    counts = np.zeros((DEALS, 3, 3))
    now = np.tile(np.arange(3), (DEALS, 1))
    for _ in range(5):
        following = (dice.random((DEALS, 3, 1)) > cumulated[now]).sum(axis=2)
        np.add.at(counts, (np.arange(DEALS)[:, None], now, following), 1)
        now = following
    return given(counts, seed)


def _exact_places() -> dict[str, float]:
    matrix = {f"matrix[{i}][{j}]": float(CHAIN[i, j]) for i in range(3) for j in range(3)}
    stationary = {f"stationary[{i}]": 1 / 3 for i in range(3)}
    return {**matrix, **stationary, "stays": 1.4 / 3, "stickiness": 0.2, "escape": 2.0}


PLAY = [
    Case(
        course.calibration,
        _predictions,
        {
            **{f"bins[{number}].came": (number + 0.5) / BINS for number in range(BINS)},
            "brier": 1 / 6,
            "skill": 1 / 3,
        },
        together=("bins",),
        cautious={"bins": BONFERRONI},
    ),
    Case(choice.options, _options, _exact_options()),
    Case(choice.stakes, _stakes, _exact_stakes()),
    *(
        Case(
            function,
            lambda dice, seed: given(*hands_of(dice, DEALS), seed),
            {f"[{card}].value": factor * float(due) for card, due in enumerate(CARD_DUE)},
            together=("",),
        )
        # In place of a card come those of the other seven: its plain worth is 8/7 of what it is above the mean.
        for function, factor in ((cards.plain_worth, 8 / 7), (cards.adjusted_worth, 1.0))
    ),
    Case(mobility.mobility, _places, _exact_places(), samples=COSTLY),
]

CASES = [*SCORES, *PLAY]
