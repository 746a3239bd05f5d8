"""Where variance comes from, on one swap, whose shares, ledger and gains are known exactly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import variance
from tests.support_metrics import (
    LEDGER,
    coverage,
    draw,
    ledger_paths,
    noughts,
    noughts_path,
    one_swap,
    one_swap_deals,
    pairs_of_matches,
    within,
)

LADDER = (1, 3, 5, 7, 9, 11)


def results(deals: Any) -> Any:
    """Return what the six thresholds win in one seat; shape (bots, 1, deals)."""
    return np.array([one_swap(deals, threshold) for threshold in LADDER])[:, None]


# ---- shares of variance ---------------------------------------------------------------------------------


def exact_shares() -> variance.Shares:
    return variance.crossed_shares(results(one_swap_deals(13)), 0, sampled=False)


def test_shares_of_the_one_swap_ladder_over_all_deals() -> None:
    shares = {name: one.value for name, one in exact_shares().shares.items()}
    assert shares == pytest.approx(
        {"bot": 0.008692, "seat": 0, "deal": 0.817671, "bot×deal": 0.173637, "seat×deal": 0, "rest": 0},
        abs=5e-7,
    )


def test_parts_add_up_to_the_variance_of_the_results() -> None:
    array = results(one_swap_deals(13))
    found = variance.crossed_shares(array, 0, sampled=False)
    assert found.total == pytest.approx(array.var())
    assert sum(one.value for one in found.parts.values()) == pytest.approx(array.var())


def crossed(dice: Any, shape: tuple[int, int, int, int]) -> Any:
    """Return results with effects of variance 1 (bot), 4 (seat), 9 (deal), 16, 25 (their products), 36 (repeats)."""
    bots, seats, deals, repeats = shape

    def effect(sd: float, *sizes: int) -> Any:
        values = dice.normal(size=sizes)
        for axis, size in enumerate(sizes):
            if size in (bots, seats) and size > 1:
                values -= values.mean(axis=axis, keepdims=True)
        return values * sd / np.sqrt((values**2).mean())

    return (
        effect(1, bots, 1, 1, 1)
        + effect(2, 1, seats, 1, 1)
        + 3 * dice.normal(size=(1, 1, deals, 1))
        + effect(4, bots, 1, deals, 1)
        + effect(5, 1, seats, deals, 1)
        + 6 * dice.normal(size=(bots, seats, deals, repeats))
    )


@pytest.mark.parametrize("repeats", [2, 3])
def test_six_sources_are_told_apart(repeats: int) -> None:
    found = variance.crossed_shares(crossed(np.random.default_rng(1), (4, 3, 4000, repeats)), 0)
    values = [found.parts[name].value for name in variance.SOURCES]
    # 4000 deals: each of these is good to about 3% of the variance it is told from.
    assert values == pytest.approx([1, 4, 9, 16, 25, 36], rel=0.08, abs=0.15)
    assert sum(one.value for one in found.shares.values()) == pytest.approx(1)


def test_equal_bots_have_no_share_but_noise_of_either_sign() -> None:
    dice = np.random.default_rng(2)
    raw = [
        variance.crossed_shares(dice.normal(size=(4, 1, 50)), number).parts["bot"].value
        for number in range(200)
    ]
    assert np.mean(raw) == pytest.approx(0, abs=3 * float(np.std(raw)) / math.sqrt(200))
    assert min(raw) < 0 < max(raw)
    low = variance.crossed_shares(dice.normal(size=(4, 1, 50)), 0)
    assert min(one.value for one in low.shares.values()) >= 0


def test_what_is_not_a_crossed_design_is_refused() -> None:
    for bad in (np.zeros((2, 3)), np.zeros((2, 1, 1)), np.full((2, 1, 5), np.nan)):
        with pytest.raises(ValueError, match="needs bots, seats, deals"):
            variance.crossed_shares(bad, 0)


# ---- the ledger -----------------------------------------------------------------------------------------


def test_the_ledger_of_one_swap() -> None:
    deals = one_swap_deals(13)
    found = variance.luck_ledger(ledger_paths(deals), [0, 1, 2], list(LEDGER), np.arange(len(deals)), 0)
    assert {name: one.value for name, one in found.parts.items()} == pytest.approx(LEDGER, abs=5e-7)
    assert found.total.value == pytest.approx(0.927515, abs=5e-7)
    assert found.total.value == pytest.approx(one_swap(deals, 7).var())
    assert found.gap.value == pytest.approx(0, abs=1e-12)


def test_one_noisy_estimate_fails_the_ledgers_own_check() -> None:
    dice = np.random.default_rng(3)
    path = ledger_paths(draw(dice, 13, 400))
    noise = dice.normal(0, 0.3, (2, *path.shape)) * [1, 1, 1, 0]
    block = np.arange(400)
    alone = variance.luck_ledger(path + noise[0], [0, 1, 2], list(LEDGER), block, 0)
    both = variance.luck_ledger(path + noise[0], [0, 1, 2], list(LEDGER), block, 0, second=path + noise[1])
    assert alone.gap.low > 0  # each of three steps is too large by the noise of its ends: .45 in all
    assert both.gap.low < 0 < both.gap.high
    with pytest.raises(ValueError, match="same outcomes"):
        variance.luck_ledger(path, [0, 1, 2], list(LEDGER), block, 0, second=path + 1)


def test_the_ledger_of_noughts_at_random_by_who_moves() -> None:
    dice = np.random.default_rng(4)
    games = [noughts_path(dice)[0] for _ in range(2000)]
    path = np.array([game + [game[-1]] * (10 - len(game)) for game in games])
    found = variance.luck_ledger(path, [0, 1] * 4 + [0], ["first", "second"], np.arange(2000), 0)
    assert found.gap.low <= 0 <= found.gap.high
    assert found.total.value == pytest.approx(noughts()[6], abs=4 * found.total.se)
    first = found.parts["first"]
    assert first.value == pytest.approx(noughts()[8], abs=4 * first.se)
    assert found.parts["second"].value == pytest.approx(noughts()[6] - noughts()[8], abs=4 * first.se)


def test_matches_of_one_deal_are_one_unit_of_the_ledger() -> None:
    path = ledger_paths(draw(np.random.default_rng(5), 13, 200))
    once = variance.luck_ledger(path, [0, 1, 2], list(LEDGER), np.arange(200), 0)
    thrice = variance.luck_ledger(np.repeat(path, 3, axis=0), [0, 1, 2], list(LEDGER), np.arange(600) // 3, 0)
    assert thrice.total.value == pytest.approx(once.total.value)
    assert thrice.total.blocks == 200
    assert thrice.total.se == pytest.approx(once.total.se)


def seats_paths(dice: Any, matches: int) -> tuple[Any, Any, Any]:
    """Return two noisy estimates of paths whose seat brings 2/3, the first hand 1 and the rest 4, and the seats."""
    seat = np.arange(matches) % 3
    steps = np.stack([seat - 1.0, dice.normal(size=matches), dice.normal(0, 2, matches)])
    path = steps.cumsum(axis=0)[1:].T
    noise = 0.5 * dice.normal(size=(2, matches, 1))
    return *(np.concatenate([path[:, :1] + one, path[:, 1:]], axis=1) for one in noise), seat


def test_the_seat_is_told_from_what_is_known_first() -> None:
    truths, means = [2 / 3, 1.0, 4.0], []

    def make(dice: Any, seed: int) -> Any:
        one, other, seat = seats_paths(dice, 200)
        names = ["seat", "first", "rest"]
        found = variance.luck_ledger(one, [2], names, np.arange(200), seed, second=other, seat=seat)
        means.append([one.value for one in found.parts.values()])
        assert found.total.value == pytest.approx(sum(means[-1]))
        assert sum(one.value for one in found.shares.values()) == pytest.approx(1)
        return [*found.parts.values(), found.gap]

    assert within(coverage(make, [*truths, 0.0], 600))
    # The two of the seat are put right; all in all the variance of n is that of n − 1.
    off = np.mean(means, axis=0) - truths
    assert (np.abs(off) < 4 * np.std(means, axis=0) / np.sqrt(len(means))).all()


def test_a_game_whose_seats_are_alike_has_no_part_of_the_seat() -> None:
    path = ledger_paths(draw(np.random.default_rng(6), 13, 400))
    found = variance.luck_ledger(
        path[:, 1:], [2, 3], ["seat", *LEDGER], np.arange(400), 0, seat=np.arange(400) % 2
    )
    assert found.parts["seat"].low <= 0 <= found.parts["seat"].high
    assert found.shares["seat"].low == 0
    for name, value in LEDGER.items():
        assert found.parts[name].value == pytest.approx(value, abs=4 * found.parts[name].se)


def test_where_few_outcomes_vary_the_ledger_has_intervals_still() -> None:
    path = np.zeros((30, 3))
    path[:2, 1:] = [[1, 2], [-1, 1]]
    found = variance.luck_ledger(path, [0, 1], ["one", "two"], np.arange(30), 0)
    for share in found.shares.values():
        assert share.low < share.value < share.high


# ---- pairing, controls, over-dispersion -----------------------------------------------------------------


def test_the_gain_of_the_same_deals_is_exact_and_held() -> None:
    deals = one_swap_deals(13)
    gain = variance.pairing_gain(one_swap(deals, 7), one_swap(deals, 1))
    assert gain.value == pytest.approx(42_999 / 12_475)

    def make(dice: Any, seed: int) -> Any:
        sample = draw(dice, 13, 100)
        return [variance.pairing_gain(one_swap(sample, 7), one_swap(sample, 1))]

    assert within(coverage(make, [42_999 / 12_475]))


def test_the_same_deals_can_hurt_and_can_leave_no_noise() -> None:
    luck = np.random.default_rng(6).normal(size=200)
    assert variance.pairing_gain(luck, -luck).value == pytest.approx(0.5)
    always = variance.pairing_gain(luck, luck + 1)
    assert always.value == math.inf
    assert always.interval is None
    assert math.isnan(variance.pairing_gain(np.ones(9), np.zeros(9)).value)
    with pytest.raises(ValueError, match="same blocks"):
        variance.pairing_gain(luck, luck[:5])


def test_the_gain_of_pairs_with_colours_exchanged_is_that_of_chess() -> None:
    """93,868 pairs of games of fishtest, which won 0, ¼ … 1: with 65,804 games lost, 56,553 drawn and 65,388 won."""
    counts = [10_789, 19_328, 33_806, 19_402, 10_543]
    drawn_twice = (56_553 - counts[1] - counts[3]) // 2
    # The squares of two games: lost and drawn, won and lost or drawn twice, and so on.
    squares = [0, 1 / 8, 1 / 2, 5 / 8, 1, 1 / 4]
    means = [0, 1 / 4, 1 / 2, 3 / 4, 1, 1 / 2]
    pairs = [*counts[:2], counts[2] - drawn_twice, *counts[3:], drawn_twice]
    found = variance.duplicate_gain(np.repeat(means, pairs), np.repeat(squares, pairs), 2)
    assert found.value == pytest.approx(0.174693 / 2 / 0.082600, abs=5e-5)
    assert found.low < found.value < found.high < 1.07


@pytest.mark.parametrize("together", [-1, 0, 1])
def test_the_gain_of_all_seats_on_a_deal_goes_with_what_the_deal_brings_them(together: int) -> None:
    """Both seats win with chance ½ ± 0.4, the other way round or the same way: Var is ¼, that of the mean ⅛ ± 0.08."""
    gain = variance.duplicate_gain(*pairs_of_matches(np.random.default_rng(1), 4000, together), 2)
    assert gain.value == pytest.approx(1 / (1 + 0.64 * together), rel=0.06)


def test_seats_that_make_up_for_each_other_leave_no_noise_and_matches_all_alike_say_nothing() -> None:
    even = variance.duplicate_gain(np.full(40, 1 / 3), np.full(40, 1 / 3), 3)
    assert even.value == math.inf
    assert even.interval is None
    assert math.isnan(variance.duplicate_gain(np.full(40, 1 / 3), np.full(40, 1 / 9), 3).value)
    with pytest.raises(ValueError, match="same blocks"):
        variance.duplicate_gain(np.ones(3), np.ones(4), 2)


def test_what_only_one_block_tells_has_no_interval() -> None:
    base, one = np.random.default_rng(1).normal(size=50), np.zeros(50)
    one[7] = 1
    found = variance.pairing_gain(base, base + one)
    assert found.value > 1
    assert found.interval is None
    one[8] = 1
    assert variance.pairing_gain(base, base + one).interval is not None
