"""Verdicts: published and exact tests, and by simulation that no verdict is wrong more often than it says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from experiments.metrics import sizes, verdicts
from experiments.metrics.verdicts import Looks, PairedSummary, Sequential
from tests.support_metrics import at_most, draw, one_swap

BENJAMINI_HOCHBERG = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
    0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
]  # fmt: skip
"""The 15 p-values of Benjamini and Hochberg (1995), section 4.1."""

STEP = 7 / 26 - 10 / 39
"""By so much, one of 78, a threshold of 7 wins more than one of 6 in one swap; those of 7 and 8 win the same."""

LOOKS = Looks(100, 1.1)


def summary(values: Any, margin: float, bound: float = 1e-6) -> PairedSummary:
    return PairedSummary(float(np.mean(values)), float(np.std(values, ddof=1)), len(values), margin, bound)


def noise(blocks: int = 400) -> Any:
    """Return values of mean 0 and deviation 1."""
    values = np.random.default_rng(3).normal(size=blocks)
    return (values - values.mean()) / values.std(ddof=1)


def word(verdict: verdicts.Verdict | None) -> str:
    assert verdict is not None
    return verdict.word


def words(summaries: list[PairedSummary | None]) -> list[str]:
    return [word(verdict) for verdict in verdicts.judge(summaries)]


# ---- published values -----------------------------------------------------------------------------------


def holm(p_values: list[float]) -> Any:
    return verdicts.step_down(p_values, lambda parts: 0.05 / parts)


def test_many_claims() -> None:
    assert holm(BENJAMINI_HOCHBERG).sum() == 3
    assert holm([0.04, 0.03, 0.001]).tolist() == [False, False, True]
    assert holm([0.02, 0.04, 0.001]).tolist() == [True, True, True]
    # What was rejected before has left its part, and of two sides each has half of it.
    again = verdicts.step_down([0.04, 0.9], lambda parts: 0.05 / parts, 1, np.array([False, True]))
    assert again.tolist() == [True, True]
    assert verdicts.step_down([0.02, 0.01], lambda parts: 0.05 / parts, 2).tolist() == [True, True]
    assert verdicts.step_down([0.02, 0.013], lambda parts: 0.05 / parts, 2).tolist() == [False, False]


# ---- how far the mean may be ----------------------------------------------------------------------------


@pytest.mark.parametrize("times", [0, 1, 2, 7, 40])
@pytest.mark.parametrize("bound", [1.0, 3.0])
def test_what_came_in_few_blocks_is_judged_by_the_exact_test(times: int, bound: float) -> None:
    n, margin = 1000, 0.05 * bound
    seen = PairedSummary(bound * times / n, bound * math.sqrt(times / n), n, margin, bound)
    exact = stats.poisson.cdf(times, 0.05 * n)
    assert seen.p_beyond(seen.gaps[1]) == pytest.approx(exact)


def test_ordinary_differences_are_judged_by_students_test() -> None:
    seen = PairedSummary(0.002, 0.35, 20_000, 0.01, 1.0)
    student = stats.t.sf(0.008 * math.sqrt(20_000) / 0.35, 19_999)
    assert student < seen.p_beyond(0.008) < 2 * student
    # Of a share of wins it takes hardly more blocks, and where a block cannot differ by much no more.
    assert student == pytest.approx(PairedSummary(0.002, 0.35, 20_000, 0.01, 1e-6).p_beyond(0.008), rel=1e-3)
    reach = seen.reach(0.05)
    assert 1 < reach / (1.645 * 0.35 / math.sqrt(20_000)) < 1.02
    assert PairedSummary(0, 0.35, 20_000, 0.01, 1e-6).reach(0.05) == pytest.approx(
        stats.t.isf(0.05, 19_999) * 0.35 / math.sqrt(20_000), rel=1e-3
    )


@pytest.mark.parametrize(("sd", "blocks"), [(0.0, 50), (0.01, 100), (0.4, 100), (0.4, 10**6)])
@pytest.mark.parametrize("p", [0.2, 0.025, 1e-4, 1e-9])
def test_an_interval_reaches_as_far_as_the_test_does(sd: float, blocks: int, p: float) -> None:
    seen = PairedSummary(0.0, sd, blocks, 0.01, 1.0)
    assert seen.p_beyond(seen.reach(p)) == pytest.approx(p, rel=1e-6)


def exact_rate(plus: float, minus: float, n: int, level: float, null: str) -> float:
    """Return how often a claim is rejected where blocks differ by 1 and by −1 so often, as counts by Poisson's law."""
    ups, downs = (np.arange(stats.poisson.isf(1e-9, rate * n) + 2) for rate in (plus, minus))
    weights = np.outer(stats.poisson.pmf(ups, plus * n), stats.poisson.pmf(downs, minus * n))
    rate = 0.0
    for up, down in zip(*np.nonzero(weights > 1e-9), strict=True):
        value = (up - down) / n
        sd = math.sqrt(((up + down) / n - value**2) * n / (n - 1))
        gaps = PairedSummary(value, sd, n, 0.01, 1.0).gaps
        side = {"same": gaps[0], "margin": gaps[1]}[null]
        if PairedSummary(value, sd, n, 0.01, 1.0).p_beyond(side) <= level:
            rate += weights[up, down]
    return rate


@pytest.mark.parametrize("claims", [1, 5, 22, 100])
def test_rare_events_are_called_equivalent_or_different_no_more_often_than_stated(claims: int) -> None:
    for n in (100, 300, 600, 1400):
        for minus in (0, 0.0005, 0.002, 0.01):
            rate = exact_rate(0.01 + minus, minus, n, 0.05 / claims, "margin")
            assert 1 - (1 - rate) ** claims <= 0.05, (n, minus)
            if minus > 0:
                rate = exact_rate(minus, minus, n, 0.025 / claims, "same")
                assert 1 - (1 - rate) ** claims <= 0.05, (n, minus)


# ---- one look -------------------------------------------------------------------------------------------


def test_each_word_where_it_belongs() -> None:
    shifts = (1.0, -1.0, 0.01, 0.1)  # standard error .05
    assert words([summary(noise() + shift, 0.3) for shift in shifts]) == ["better", "worse", "equivalent", "equivalent"]  # fmt: skip
    (clear,) = verdicts.judge([summary(noise() + 1, 0.3)])
    assert clear is not None
    assert (clear.more, clear.estimate.blocks, clear.margin) == (0, 400, 0.3)
    assert clear.estimate.interval == pytest.approx([1 - 1.966 * 0.05, 1 + 1.966 * 0.05], rel=1e-3)
    # Clear and within the margin both.
    assert words([summary(0.1 * noise() + 0.1, 0.3)]) == ["equivalent"]
    (narrow,) = verdicts.judge([summary(noise() + 0.08, 0.1)])
    assert narrow is not None
    assert narrow.word == "undecided"
    # z(.975) + z(.8) = 2.80, and .08 is nearer to being shown above 0 than within .1.
    assert narrow.more == pytest.approx((2.8016 / 0.08) ** 2 - 400, rel=1e-3)


def test_more_claims_need_more() -> None:
    seen = summary(noise() + 0.11, 0.1)
    assert words([seen]) == ["better"]
    among = verdicts.judge([seen] * 5)[0]
    assert among is not None
    assert (among.word, among.more > 0) == ("undecided", True)
    # The interval of all claims at once is Student's at 1 − .05/10.
    assert among.simultaneous[1] - 0.11 == pytest.approx(stats.t.isf(0.005, 399) * 0.05, rel=1e-3)


def test_claims_that_are_decided_leave_the_level_to_the_others() -> None:
    def more(others: list[PairedSummary]) -> float:
        *rest, last = verdicts.judge([*others, summary(noise() + 0.08, 0.1)])
        assert word(last) == "undecided"
        assert "undecided" not in {word(verdict) for verdict in rest}
        assert last is not None
        return 400 + last.more

    alone = more([])
    differing = more([summary(noise() + 1, 0.1)] * 4)
    alike = more([summary(noise() / 9, 0.1)] * 4)
    assert alone == pytest.approx((2.8016 / 0.08) ** 2, rel=1e-3)
    # To show it above 0, what is found to differ leaves the whole level; what is found alike takes its part of it.
    assert differing == pytest.approx(alone)
    assert alike == pytest.approx(((2.5758 + 0.8416) / 0.08) ** 2, rel=1e-3)


def test_blocks_that_all_agree_show_what_a_rare_difference_would_not_hide() -> None:
    def alike(blocks: int, margin: float = 0.1, value: float = 0.0) -> str:
        return words([PairedSummary(value, 0.0, blocks, margin, 1.0)])[0]

    assert (alike(50), alike(50, value=1.0)) == ("equivalent", "better")
    assert (alike(20), alike(2, value=1.0)) == ("undecided", "undecided")
    # In one of twenty cases 300 blocks lack what comes in one of 100.
    assert [alike(blocks, 0.01) for blocks in (30, 290, 310)] == ["undecided", "undecided", "equivalent"]
    assert words([PairedSummary(-20.0, 0.0, 40, 5.0, 5.0)] * 100) == ["worse"] * 100


@pytest.mark.parametrize("times", [1, 2, 3])
def test_what_came_a_few_times_in_one_draft_alone_is_not_different(times: int) -> None:
    values = np.zeros(10_000)
    values[:times] = 1
    assert words([summary(values, 1e-6, 1.0)]) == ["undecided"]


def test_one_block_and_no_data_are_undecided_and_still_count() -> None:
    seen = PairedSummary(0.1, 1.0, 1000, 0.01, 1.0)
    once, none, clear = verdicts.judge([PairedSummary(5.0, math.nan, 1, 0.1, 1.0), None, seen])
    assert none is None
    assert once is not None
    assert (once.word, once.more >= 1, once.estimate.interval) == ("undecided", True, None)
    assert word(clear) == "better"
    # The same 3.2 standard errors among forty claims.
    assert words([seen, *[PairedSummary(0.0, 1.0, 1000, 0.01, 1.0)] * 39])[0] == "undecided"


@pytest.mark.parametrize("value", [0.0, 0.013])
def test_after_the_blocks_that_were_said_the_last_claim_is_decided_in_four_of_five_runs(value: float) -> None:
    dice = np.random.default_rng(4)
    others = [0.05 if value else 0.0] * 21

    def last(blocks: int, came: float) -> verdicts.Verdict:
        # The others are as clearly what they are as can be.
        family = [PairedSummary(other, 0.05, blocks, 0.01, 1.0) for other in others]
        *rest, verdict = verdicts.judge([*family, PairedSummary(came, 0.4, blocks, 0.01, 1.0)])
        assert {word(other) for other in rest} == {"better" if value else "equivalent"}
        assert verdict is not None
        return verdict

    first = last(2000, value)
    assert first.word == "undecided"
    needed = round(2000 + first.more)
    decided = [
        last(needed, dice.normal(value, 0.4 / math.sqrt(needed))).word != "undecided" for _ in range(600)
    ]
    assert np.mean(decided) == pytest.approx(0.8, abs=3 * 0.0163)


def test_what_is_rare_takes_about_the_blocks_that_were_said() -> None:
    (few,) = verdicts.judge([PairedSummary(0.0, 0.0, 30, 0.01, 1.0)])
    assert few is not None
    assert 30 + few.more == pytest.approx(300, rel=0.15)  # 2.996 at a rate of .01


def three_claims(dice: Any, blocks: int, thresholds: tuple[int, int]) -> list[PairedSummary | None]:
    """Return three measures of the same deals: the game of one swap twice, and of another pack."""
    packs = [draw(dice, 13, blocks) for _ in range(2)]
    a, b = thresholds
    first, second = (summary(one_swap(pack, a) - one_swap(pack, b), STEP, 2.0) for pack in packs)
    return [first, second, first]


def test_no_difference_is_never_called_one_beyond_the_rate_and_the_margin_never_none() -> None:
    dice = np.random.default_rng(4)
    wrong = equal = 0
    for _ in range(600):
        wrong += bool({"better", "worse"} & set(words(three_claims(dice, 2000, (7, 8)))))
        # Just as far apart as the margin: calling any of them equivalent is wrong.
        equal += "equivalent" in words(three_claims(dice, 2000, (7, 6)))
    assert wrong <= at_most(600)
    assert equal <= at_most(600)


# ---- until decided --------------------------------------------------------------------------------------


def test_boundaries_are_exact_for_two_looks() -> None:
    levels = verdicts._boundaries(8, 1.1)
    reach = levels.shape[1] // 2
    spent = verdicts._spent_at(np.array([-reach, 1 - reach]), 1.1)
    together = 1.1**-0.5
    for parts in (1, 8):
        first, second = stats.norm.isf(levels[parts - 1, :2])

        def crossed(x: float, second: float = second) -> float:
            return float(
                stats.norm.pdf(x) * stats.norm.sf((second - together * x) / math.sqrt(1 - together**2))
            )

        assert stats.norm.sf(first) == pytest.approx(0.05 / parts * spent[0])
        assert integrate.quad(crossed, -6, first, epsabs=1e-12)[0] == pytest.approx(
            0.05 / parts * spent[1], rel=1e-5
        )
    # More parts of the level are stricter at each look, and the critical value is least near the aim.
    assert (np.diff(levels, axis=0) < 0).all()
    assert abs(int(levels[1].argmax()) - reach) <= 4
    # Outside of what is tabulated each look has what is newly spent, less than it could have.
    beyond = np.array([-reach - 1, reach + 1])
    inside, outside = LOOKS.level(2, np.array([-reach, reach]), 8), LOOKS.level(2, beyond, 8)
    assert (outside < inside).all()
    assert outside == pytest.approx(0.025 * verdicts._spent_at(beyond, 1.1))


@pytest.mark.parametrize("parts", [1, 8])
def test_looks_in_a_row_spend_the_level_and_no_more(parts: int) -> None:
    dice = np.random.default_rng(1)
    paths, place = 100_000, LOOKS.number(1500)
    total, crossed, before = np.zeros(paths), np.zeros(paths, bool), 0
    for number in range(LOOKS.number(60_000)):
        n = LOOKS.stop(number)
        total += dice.normal(0, math.sqrt(n - before), paths)
        before = n
        crossed |= stats.norm.sf(total / math.sqrt(n)) <= LOOKS.level(parts, number - place, 8)
    level = 0.05 / parts
    assert crossed.mean() == pytest.approx(level, abs=4 * math.sqrt(level / paths) + 0.03 * level)


def follow(values: Any, until: Sequential, margin: float, bound: float) -> list[verdicts.Verdict | None]:
    """Look at claims, differences of shape (claims, blocks), until all are decided or played."""
    n = values.shape[1]
    totals, squares = np.cumsum(values, axis=1), np.cumsum(values**2, axis=1)
    for stretch in LOOKS.stretches(n):
        m = stretch.stop
        means = totals[:, m - 1] / m
        sds = np.sqrt(np.maximum(squares[:, m - 1] / m - means**2, 0) * m / (m - 1))
        seen = {
            claim: PairedSummary(float(mean), float(sd), m, margin, bound)
            for claim, (mean, sd) in enumerate(zip(means, sds, strict=True))
            if not until.is_decided(claim)
        }
        until.look(seen, m)
        if all(until.is_decided(claim) for claim in range(len(values))):
            break
    return until.verdicts()


def stop(values: Any, margin: float, bound: float, aim: int = 1000) -> verdicts.Verdict:
    (verdict,) = follow(np.atleast_2d(values), Sequential([aim], LOOKS), margin, bound)
    assert verdict is not None
    return verdict


def test_it_stops_at_the_first_look_that_decides() -> None:
    values = np.random.default_rng(7).normal(0.3, 1, 3000)
    stopped = stop(values, 0.1, 4.0)
    n = stopped.estimate.blocks
    assert stopped.word == "better"
    assert n == LOOKS.stop(LOOKS.number(n)) < 1000
    earlier = stop(values[: LOOKS.stop(LOOKS.number(n) - 1)], 0.1, 4.0)
    assert earlier.word == "undecided"
    assert earlier.more > 0
    assert stop(-values, 0.1, 4.0).word == "worse"
    assert stop(values[:40], 0.1, 4.0).word == "undecided"
    low, high = stopped.simultaneous
    assert 0 < stopped.estimate.low <= low * (1 + 1e-12) < high


def test_what_is_undecided_says_how_many_more_and_then_is_decided() -> None:
    for value in (0.02, 0.09):
        until = Sequential([1000], LOOKS)
        until.look({0: PairedSummary(value, 1.0, 292, 0.1, 4.0)}, 292)
        (found,) = until.verdicts()
        assert found is not None
        assert found.word == "undecided"
        n = round(292 + found.more)
        number = LOOKS.number(n)
        assert n == LOOKS.stop(number)
        until.look({0: PairedSummary(value, 1.0, LOOKS.stop(number - 1), 0.1, 4.0)}, LOOKS.stop(number - 1))
        assert not until.is_decided(0)
        until.look({0: PairedSummary(value, 1.0, n, 0.1, 4.0)}, n)
        assert until.is_decided(0)
        assert word(until.verdicts()[0]) == ("equivalent" if value < 0.05 else "better")


def test_what_is_decided_stays_so_and_keeps_the_numbers_that_bear_it_out() -> None:
    until = Sequential([1000, 1000], LOOKS)
    clear, open_one = PairedSummary(0.5, 1.0, 292, 0.1, 4.0), PairedSummary(0.05, 1.0, 292, 0.1, 4.0)
    until.look({0: clear, 1: open_one}, 292)
    assert (until.is_decided(0), until.is_decided(1)) == (True, False)
    until.look({0: PairedSummary(0.45, 1.0, 321, 0.1, 4.0)}, 321)
    assert until.verdicts()[0].estimate.blocks == 321  # type: ignore[union-attr]
    until.look({0: PairedSummary(0.01, 1.0, 353, 0.1, 4.0)}, 353)
    kept = until.verdicts()[0]
    assert kept is not None
    assert (kept.word, kept.estimate.blocks, kept.estimate.value) == ("better", 321, 0.45)
    assert until.verdicts()[1].estimate.blocks == 292  # type: ignore[union-attr]
    assert Sequential([1000], LOOKS).verdicts() == [None]


def test_claims_that_are_decided_leave_the_level_to_the_others_at_once() -> None:
    unsure = PairedSummary(0.0, 1.0, 1030, 0.1, 4.0)
    for other, decided in ((0.0, False), (0.05, True)):
        until = Sequential([1000] * 22, LOOKS)
        seen = {claim: PairedSummary(0.0, 0.2 if decided else 1.0, 1030, 0.1, 4.0) for claim in range(1, 22)}
        until.look({0: unsure, **seen}, 1030)
        assert until.is_decided(0) is decided, other


def test_blocks_that_all_agree_are_equivalent_only_once_a_rare_difference_would_have_come() -> None:
    decided = stop(np.zeros(3000), 0.01, 1.0)
    assert decided.word == "equivalent"
    assert 300 < decided.estimate.blocks < 800
    assert stop(np.full(3000, 0.5), 0.01, 1.0).word == "better"


def test_looking_time_and_again_is_wrong_no_more_often_than_stated() -> None:
    dice = np.random.default_rng(8)
    naive = wrong = equal = alike = 0
    for _ in range(200):
        same, apart = draw(dice, 13, 3000), draw(dice, 13, 3000)
        values = one_swap(same, 7) - one_swap(same, 8)
        wrong += stop(values, STEP, 2.0).word in ("better", "worse")
        alike += stop(values, 4 * STEP, 2.0).word == "equivalent"
        equal += stop(one_swap(apart, 7) - one_swap(apart, 6), STEP, 2.0).word == "equivalent"
        # Why not just the usual interval, looked at after every block?
        n = np.arange(100, 3001)
        mean = values.cumsum()[99:] / n
        sd = np.sqrt((values**2).cumsum()[99:] / n - mean**2)
        naive += bool((np.abs(mean) > 1.96 * sd / np.sqrt(n)).any())
    assert wrong <= at_most(200)
    assert equal <= at_most(200)
    assert alike >= 185
    assert naive > 4 * 10


def test_skewed_scores_and_many_claims_keep_the_rate_too() -> None:
    dice = np.random.default_rng(9)
    wrong = 0
    for _ in range(200):
        claims = follow(dice.exponential(1, (3, 1500)) - 1, Sequential([500] * 3, LOOKS), 0.05, 5.0)
        wrong += bool({"better", "worse"} & {word(verdict) for verdict in claims})
    assert wrong <= at_most(200)


@pytest.mark.parametrize(("effect", "times"), [(0.0, 1.4), (1.0, 1.2), (2.0, 1.6)])
def test_it_takes_little_more_than_a_run_of_the_right_size(effect: float, times: float) -> None:
    margin, sd, bound = 0.1, 1.0, 1.0
    right = sizes.to_match(sd, margin) if effect == 0 else sizes.to_differ(sd, effect * margin)
    aim = verdicts.aim(sd, margin, bound, 1)
    dice = np.random.default_rng(10)
    played = [
        stop(dice.normal(effect * margin, sd, 9000), margin, bound, round(aim)).estimate.blocks
        for _ in range(200)
    ]
    assert right < 1.5 * np.mean(played) < 1.5 * times * right
