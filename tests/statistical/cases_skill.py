"""Cases of skill and luck: ladders, records, relative skill and variance, on games whose numbers are known exactly."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from experiments.metrics import elo, intransitivity, ratings, reliability, sizes, skill, variance
from experiments.metrics.ratings import Duel, Standing
from tests.statistical.cases_blocks import BONFERRONI, DEALS, REPLICATES, WHOLE, shares
from tests.statistical.coverage import COSTLY, Case, given
from tests.support_metrics import (
    LEDGER,
    draw,
    expected_r_star,
    games_of_spread,
    ledger_paths,
    one_swap,
    one_swap_deals,
    one_swap_seer,
    pairs_of_matches,
)

# ---- ladders --------------------------------------------------------------------------------------------

POINTS = np.array([120.0, 30.0, -20.0, -130.0])
"""Elo points of four bots."""

PAIRS = list(itertools.combinations(range(len(POINTS)), 2))


def duels(dice: Any, deals: int = DEALS, points: Any = POINTS) -> Any:
    """Return shares by pair and deal, of four matches a deal with luck in common; on average they are as rated."""
    luck = np.where(dice.random(deals) < 0.5, 0.1, -0.1)
    told = [ratings.expected(points[i] - points[j]) for i, j in itertools.combinations(range(len(points)), 2)]
    signs = [1 if (i + j) % 2 else -1 for i, j in itertools.combinations(range(len(points)), 2)]
    return np.array([dice.binomial(4, p + sign * luck) / 4 for p, sign in zip(told, signs, strict=True)])


def _unequal(dice: Any) -> Any:
    """Return the same where duels of the last bot have a third of the deals."""
    return [row[: DEALS // 3] if 3 in pair else row for row, pair in zip(duels(dice), PAIRS, strict=True)]


def _rated(standing: Standing) -> Any:
    place = np.argsort(standing.order)
    bots = [(float(standing.low[one]), float(standing.high[one])) for one in place]
    circles_ = (standing.cycles_low - standing.cycles, standing.cycles_high - standing.cycles)
    return {"ratings": bots, "circles": circles_}


def _rating_case(label: str, play: Any) -> Case:
    return Case(
        ratings.rate,
        lambda dice, seed: given(len(POINTS), play(dice), seed, replicates=REPLICATES),
        {**{f"[ratings][{bot}]": float(one) for bot, one in enumerate(POINTS)}, "[circles]": 0.0},
        label,
        cautious={"[circles]": "a band of few whole numbers: of bots so far apart, mostly of none"},
        read=_rated,
        samples=COSTLY,
    )


def _band(found: intransitivity.Transitivity) -> tuple[float, float]:
    """Return the band about what was seen, which is to lie in it."""
    return found.low - found.value, found.high - found.value


SPREAD = float(np.std(POINTS))

LADDERS = [
    Case(Duel.interval, lambda dice, seed: given(Duel(shares(dice, 6, 3))), {"": 2 / 3}),
    _rating_case("of equally many deals", duels),
    _rating_case("of fewer deals of one bot", _unequal),
    Case(
        skill.depth,
        lambda dice, seed: given(len(POINTS), duels(dice), seed, replicates=REPLICATES),
        {"": (POINTS[0] - POINTS[-1]) / skill.RUNG},
        samples=COSTLY,
    ),
    Case(
        elo.ladder_spread,
        lambda dice, seed: given(len(POINTS), duels(dice), seed, replicates=REPLICATES),
        {
            "s": SPREAD,
            "chance": ratings.expected(SPREAD),
            "repetitions": sizes.to_lead(ratings.expected(SPREAD), elo.SURE),
        },
        cautious={"repetitions": WHOLE},
        samples=COSTLY,
    ),
    Case(
        intransitivity.transitivity,
        lambda dice, seed: given(len(POINTS), duels(dice), seed, replicates=REPLICATES),
        {"": 0.0},
        "of a scale",
        read=_band,
    ),
]


# ---- records --------------------------------------------------------------------------------------------

GAMES = 50
R_STAR = expected_r_star(0.1, GAMES)


RECORDS = [
    Case(
        reliability.split_half,
        lambda dice, seed: given(
            games_of_spread(dice, 100, 0.1, GAMES), seed, within_deals=False, replicates=REPLICATES
        ),
        {"r_star": R_STAR, "transition": reliability.transition_number(R_STAR, GAMES)},
        samples=COSTLY,
    ),
]


# ---- skill ----------------------------------------------------------------------------------------------

LEARNS, KNOWS = 7 / 26, 1 / 3 - 7 / 26
"""What the best threshold of One swap gains over the beginner, and who knows all cards over the best threshold."""


def _players(dice: Any, deals: int = 400) -> Any:
    sample = draw(dice, 13, deals)  # knowing more pays in one of thirty
    return one_swap(sample, 1), one_swap(sample, 7), one_swap_seer(sample)


def _mixture(dice: Any) -> Any:
    """Return wins of four matches a deal: in a third the strong player's, else of one of four by lot."""
    return ((dice.random((DEALS, 4)) < 1 / 3) | (dice.integers(4, size=(DEALS, 4)) == 0)).mean(axis=1)


DOUBLINGS = np.array([0.85, 0.8, 0.7, 0.7])
_EXACT = skill.trace(np.tile(DOUBLINGS, (2, 1)), 0)

SKILL = [
    Case(
        skill.relative_skill,
        lambda dice, seed: given(*_players(dice)),
        {"learning": LEARNS, "random": KNOWS, "skill": 21 / 26, "reach": LEARNS + KNOWS},
        samples=COSTLY,
    ),
    Case(skill.luck_meter, lambda dice, seed: given(_mixture(dice), 4), {"skill": 1 / 3, "luck": 2 / 3}),
    Case(
        skill.trace,
        lambda dice, seed: given(dice.binomial(4, DOUBLINGS, (DEALS, 4)) / 4, seed),
        {
            **{f"steps[{number}]": 2 * float(share) - 1 for number, share in enumerate(DOUBLINGS)},
            "next": _EXACT.next.value,
            "trace": _EXACT.trace.value,
        },
        together=("steps",),
        cautious={"steps": BONFERRONI},
    ),
]


# ---- variance -------------------------------------------------------------------------------------------

PARTS = dict(zip(variance.SOURCES, (1.0, 4.0, 9.0, 16.0, 25.0, 36.0), strict=True))


def _centred(dice: Any, axes: tuple[int, ...], *sizes: int) -> Any:
    """Return normal effects that add up to 0 over these axes, with a variance of 1 on average."""
    values = dice.normal(size=sizes)
    for axis in axes:
        values = (values - values.mean(axis=axis, keepdims=True)) * math.sqrt(sizes[axis] / (sizes[axis] - 1))
    return values


BOT, SEAT = (_centred(np.random.default_rng(number), (0,), size) for number, size in ((1, 4), (2, 3)))


def crossed(dice: Any, deals: int = DEALS) -> Any:
    """Return results of four bots in three seats, two a deal, whose variance has these `PARTS`."""
    bot, seat = (one / math.sqrt((one**2).mean()) for one in (BOT, SEAT))
    return (
        bot[:, None, None, None]
        + 2 * seat[:, None, None]
        + 3 * dice.normal(size=(deals, 1))
        + 4 * _centred(dice, (0,), 4, 1, deals, 1)
        + 5 * _centred(dice, (1,), 1, 3, deals, 1)
        + 6 * dice.normal(size=(4, 3, deals, 2))
    )


def _ledger(dice: Any, seed: int, noise: float) -> Any:
    path = ledger_paths(draw(dice, 13, DEALS))
    noisy = path + noise * dice.normal(size=(2, *path.shape)) * [1, 1, 1, 0]
    return given(noisy[0], [0, 1, 2], list(LEDGER), np.arange(DEALS), seed, second=noisy[1])


TOTAL = sum(LEDGER.values())


def _booked() -> dict[str, float]:
    parts = {f"parts[{name}]": part for name, part in LEDGER.items()}
    of_all = {f"shares[{name}]": part / TOTAL for name, part in LEDGER.items()}
    return {**parts, **of_all, "total": TOTAL, "variance": TOTAL, "gap": 0.0}


def _controls(dice: Any, seed: int) -> Any:
    sample = draw(dice, 13, DEALS)
    return given(one_swap(sample, 7), sample[:, 1:2], [7.0], seed)


def _explained() -> float:
    deals = one_swap_deals(13)
    return float(np.corrcoef(one_swap(deals, 7), deals[:, 1])[0, 1] ** 2)


def _pair(dice: Any) -> Any:
    sample = draw(dice, 13, DEALS)
    return given(one_swap(sample, 7), one_swap(sample, 1))


VARIANCE = [
    Case(
        variance.crossed_shares,
        lambda dice, seed: given(crossed(dice), seed),
        {
            **{f"parts[{name}]": part for name, part in PARTS.items()},
            **{f"shares[{name}]": part / sum(PARTS.values()) for name, part in PARTS.items()},
        },
        samples=COSTLY,
    ),
    *(
        Case(
            variance.luck_ledger,
            lambda dice, seed, noise=noise: _ledger(dice, seed, noise),
            _booked(),
            label,
        )
        for noise, label in ((0.0, "of exact chances"), (0.2, "of noisy chances"))
    ),
    Case(variance.pairing_gain, lambda dice, seed: _pair(dice), {"": 42_999 / 12_475}),
    *(
        Case(
            variance.duplicate_gain,
            lambda dice, seed, deals=deals, together=together: given(
                *pairs_of_matches(dice, deals, together), 2
            ),
            {"": 1 / (1 + 0.64 * together)},
            f"of {deals} deals that {label}",
        )
        for deals in (60, DEALS)
        for together, label in (
            (-1, "turn on the other seat"),
            (0, "do not matter"),
            (1, "are alike for all"),
        )
    ),
]

CASES = [*LADDERS, *RECORDS, *SKILL, *VARIANCE]
