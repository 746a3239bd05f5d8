"""Verdicts: published tests, and by simulation that no verdict is wrong more often than it says."""

from __future__ import annotations

import gc
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from experiments.metrics import verdicts
from tests.support_metrics import at_most, draw, one_swap

BENJAMINI_HOCHBERG = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
]  # fmt: skip
"""The 15 p-values of Benjamini and Hochberg (1995), section 4.1."""

STEP = 7 / 26 - 10 / 39
"""By so much, one of 78, a threshold of 7 wins more than one of 6 in one swap; those of 7 and 8 win the same."""


# ---- published values -----------------------------------------------------------------------------------


def test_many_claims() -> None:
    assert verdicts.holm(BENJAMINI_HOCHBERG).sum() == 3
    assert verdicts.screen(BENJAMINI_HOCHBERG).sum() == 4
    assert verdicts.holm([0.04, 0.03, 0.001]).tolist() == [False, False, True]
    assert verdicts.holm([0.02, 0.04, 0.001]).tolist() == [True, True, True]


def test_mcnemar() -> None:
    chi2, p = verdicts.won_and_lost(121, 59)
    assert chi2 == pytest.approx(21.36, abs=5e-3)
    assert p == pytest.approx(stats.chi2.sf(chi2, 1))
    assert verdicts.won_and_lost(59, 121)[0] == pytest.approx(chi2)
    assert verdicts.won_and_lost(0, 0) == (0.0, 1.0)


# ---- one look -------------------------------------------------------------------------------------------


def test_each_word_where_it_belongs() -> None:
    dice = np.random.default_rng(2)
    noise = dice.normal(size=400)
    noise = (noise - noise.mean()) / noise.std(ddof=1)  # standard error .05
    found = verdicts.judge(
        {"up": noise + 1, "down": noise - 1, "alike": noise + 0.01, "near": 0.1 * noise + 0.1, "unsure": noise + 0.1},
        dict.fromkeys(("up", "down", "alike", "near", "unsure"), 0.3),
    )  # fmt: skip
    words = {name: one.word for name, one in found.items()}
    assert words == {
        "up": "better", "down": "worse", "alike": "equivalent", "near": "equivalent", "unsure": "equivalent",
    }  # fmt: skip
    narrow = verdicts.judge({"unsure": noise + 0.08}, {"unsure": 0.1})["unsure"]
    assert narrow.word == "undecided"
    # z(.975) + z(.8) = 2.80, and .08 is nearer to being shown above 0 than within .1.
    assert narrow.more == pytest.approx((2.8016 / 0.08) ** 2 - 400, rel=1e-3)
    assert found["up"].more == 0
    assert found["up"].estimate.blocks == 400


def test_more_claims_need_more() -> None:
    noise = np.random.default_rng(3).normal(size=400)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    alone = verdicts.judge({"a": noise + 0.11}, {"a": 0.1})
    crowd = dict.fromkeys("abcde", noise + 0.11)
    among = verdicts.judge(crowd, dict.fromkeys(crowd, 0.1))
    assert alone["a"].word == "better"
    assert among["a"].word == "undecided"
    assert among["a"].more > 0


def test_claims_that_are_decided_leave_the_level_to_the_others() -> None:
    noise = np.random.default_rng(3).normal(size=400)
    noise = (noise - noise.mean()) / noise.std(ddof=1)

    def more(values: dict[str, Any]) -> float:
        found = verdicts.judge({**values, "open": noise + 0.08}, dict.fromkeys([*values, "open"], 0.1))
        assert found["open"].word == "undecided"
        assert "undecided" not in {one.word for name, one in found.items() if name != "open"}
        return 400 + found["open"].more

    alone, differing, alike = (
        more({}),
        more(dict.fromkeys("abcd", noise + 1)),
        more(dict.fromkeys("abcd", noise / 9)),
    )
    assert alone == pytest.approx((2.8016 / 0.08) ** 2, rel=1e-3)
    # To show it above 0, what is found to differ leaves the whole level; what is found alike takes its part of it.
    assert differing == pytest.approx(alone)
    assert alike == pytest.approx(((2.5758 + 0.8416) / 0.08) ** 2, rel=1e-3)


def test_blocks_that_all_agree_are_taken_at_their_word() -> None:
    found = verdicts.judge({"same": np.zeros(50), "up": np.ones(50)}, {"same": 0.1, "up": 0.1})
    assert (found["same"].word, found["up"].word) == ("equivalent", "better")
    few = verdicts.judge({"same": np.zeros(20), "up": np.ones(20)}, {"same": 0.1, "up": 0.1})
    assert (few["same"].word, few["up"].word) == ("undecided", "undecided")


def test_margins_must_fit() -> None:
    for margins in ({}, {"a": 0.0}, {"b": 1.0}):
        with pytest.raises(ValueError, match="margins"):
            verdicts.judge({"a": np.zeros(5)}, margins)


def three_claims(dice: Any, blocks: int, thresholds: tuple[int, int]) -> dict[str, Any]:
    """Return three measures of the same deals: the game of one swap, of another pack, and noise as large."""
    one, other = draw(dice, 13, blocks), draw(dice, 13, blocks)
    a, b = thresholds
    first = one_swap(one, a) - one_swap(one, b)
    return {"first": first, "second": one_swap(other, a) - one_swap(other, b), "both": first}


def test_no_difference_is_never_called_one_beyond_the_rate_and_the_margin_never_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        gc, "collect", lambda: 0
    )  # statsmodels' multipletests does, which takes most of its time
    dice = np.random.default_rng(4)
    margins = dict.fromkeys(("first", "second", "both"), STEP)
    wrong = equal = 0
    for _ in range(600):
        found = verdicts.judge(three_claims(dice, 2000, (7, 8)), margins)
        wrong += any(one.word in ("better", "worse") for one in found.values())
        # Just as far apart as the margin: calling any of them equivalent is wrong.
        found = verdicts.judge(three_claims(dice, 2000, (7, 6)), margins)
        equal += any(one.word == "equivalent" for one in found.values())
    assert wrong <= at_most(600)
    assert equal <= at_most(600)


# ---- until decided --------------------------------------------------------------------------------------


def test_a_look_is_the_mixture_of_robbins() -> None:
    plan = verdicts.Plan(margin=0.1, bound=5, aim=1000)
    values = np.random.default_rng(5).normal(0.02, 1, 500)
    found = plan.look(values)
    rho2 = (2 * math.log(20) + math.log(2 * math.log(20)) + 1) / 1000
    half = math.sqrt(values.var(ddof=1) + 2 * 25 / 500) * math.sqrt(
        2 * (500 * rho2 + 1) / (500**2 * rho2) * math.log(math.sqrt(500 * rho2 + 1) / 0.05)
    )
    assert found.estimate.high - found.estimate.value == pytest.approx(half)
    assert half > 1.96 * values.std() / math.sqrt(500)
    # Narrowest for its level, in standard errors, at the number aimed at.
    widths = [
        verdicts.Plan(0.1, 0.1, aim=1000).half_width(n, 1) * math.sqrt(n)
        for n in (100, 300, 1000, 3000, 10_000)
    ]
    assert min(widths) == widths[2]


def test_what_is_undecided_says_how_many_more_and_then_is_decided() -> None:
    plan = verdicts.Plan(margin=0.1, bound=8)
    noise = np.random.default_rng(6).normal(size=300)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    found = plan.look(noise + 0.02)
    assert found.word == "undecided"
    n = 300 + int(found.more)
    assert plan.half_width(n, 1) <= 0.08 < plan.half_width(n - 1, 1)
    early = plan.look(noise[:60] + 5)
    assert (early.word, early.more) == ("undecided", 40)
    # Before the first look too what it takes is told by what was seen, if that is more.
    hardly = plan.look(noise[:60])
    assert hardly.more > 200
    enough = max(abs(hardly.estimate.value), 0.1 - abs(hardly.estimate.value))
    assert plan.half_width(60 + int(hardly.more), np.std(noise[:60], ddof=1)) <= enough


def test_stopping_is_the_first_look_that_decides() -> None:
    plan = verdicts.Plan(margin=0.1, bound=6, first=100)
    values = np.random.default_rng(7).normal(0.3, 1, 3000)
    stopped = plan.stop(values)
    n = stopped.estimate.blocks
    assert stopped.word == "better"
    assert plan.look(values[: n - 1]).word == "undecided"
    assert stopped == plan.look(values[:n])
    assert plan.stop(-values).word == "worse"
    assert plan.stop(values, every=50).estimate.blocks % 50 == 0
    assert plan.stop(values[:40]).word == "undecided"
    with pytest.raises(ValueError, match="more than the bound"):
        plan.look(values * 3)


def test_drafts_that_play_alike_are_equivalent_only_once_a_rare_difference_would_have_come() -> None:
    plan = verdicts.Plan(margin=0.01, bound=1)
    decided = plan.stop(np.zeros(3000))
    assert decided.word == "equivalent"
    # One block in 100 that differs by the whole would be 1%: so many as 300 blocks may lack it in one case of twenty.
    assert decided.estimate.blocks > 300
    assert plan.stop(np.full(3000, 0.5)).word == "better"


def test_looking_after_every_block_is_wrong_no_more_often_than_stated() -> None:
    dice = np.random.default_rng(8)
    plan = verdicts.Plan(margin=STEP, bound=2, first=100, aim=1000)
    loose = verdicts.Plan(margin=4 * STEP, bound=2, first=100, aim=1000)
    naive = wrong = equal = found = 0
    for _ in range(800):
        same, apart = draw(dice, 13, 3000), draw(dice, 13, 3000)
        values = one_swap(same, 7) - one_swap(same, 8)
        wrong += plan.stop(values).word in ("better", "worse")
        found += loose.stop(values).word == "equivalent"
        values_apart = one_swap(apart, 7) - one_swap(apart, 6)
        equal += plan.stop(values_apart).word == "equivalent"
        # Why not just the usual interval, looked at after every block?
        n = np.arange(100, 3001)
        mean = values.cumsum()[99:] / n
        sd = np.sqrt((values**2).cumsum()[99:] / n - mean**2)
        naive += bool((np.abs(mean) > 1.96 * sd / np.sqrt(n)).any())
    assert wrong <= at_most(800)
    assert equal <= at_most(800)
    assert found >= 700
    assert naive > 4 * 40


def test_skewed_scores_and_many_claims_keep_the_rate_too() -> None:
    dice = np.random.default_rng(9)
    plan = verdicts.Plan(margin=0.05, bound=20, claims=3, first=100, aim=500)
    wrong = 0
    for _ in range(500):
        wrong += any(
            plan.stop(values).word in ("better", "worse") for values in dice.exponential(1, (3, 1500)) - 1
        )
    assert wrong <= at_most(500)


@pytest.mark.parametrize("bad", [{"margin": 0}, {"margin": 2}, {"claims": 0}, {"first": 10}, {"aim": 50}])
def test_what_makes_no_plan_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="plan"):
        verdicts.Plan(**{"margin": 1, "bound": 1, **bad})
