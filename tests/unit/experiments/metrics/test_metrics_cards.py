"""Worth of cards: hands whose cards are worth known amounts, and simultaneous intervals that hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.metrics import cards
from tests.support_metrics import CARD_DUE, hands_of, one_swap, one_swap_deals


def test_worth_by_hand_and_the_test_of_two_means() -> None:
    dealt = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 0]])
    outcome = np.array([5.0, 4, 1, 2, 3, 0])
    first, second = cards.plain_worth(dealt, outcome, np.arange(6), 0)
    assert first.value.value == pytest.approx(4 - 1)
    assert second.value.value == pytest.approx(2.5 - 2.5)
    assert (first.dealt, first.not_dealt, second.dealt) == (3, 3, 2)
    # Hands are deals of their own: the error is Welch's, but for 1/n against 1/(n − 1).
    welch = np.sqrt(np.var([5, 4, 3]) / 3 + np.var([1, 2, 0]) / 3) * np.sqrt(6 / 5)
    assert first.value.se == pytest.approx(welch)


def test_one_swaps_cards_are_worth_what_they_win() -> None:
    deals = one_swap_deals(5)
    won = one_swap(deals, 3)
    dealt = deals[:, :1] == np.arange(1, 6)
    found = cards.plain_worth(dealt, won, np.arange(len(deals)), 0)
    for card, one in enumerate(found):
        have = dealt[:, card]
        assert one.value.value == pytest.approx(won[have].mean() - won[~have].mean())
    assert found[4].dominant
    assert found[0].value.value < 0 < found[3].value.value


def test_a_plain_worth_includes_what_comes_with_the_card_and_an_adjusted_one_does_not() -> None:
    dealt, outcome, block = hands_of(np.random.default_rng(1), 4000, noise=0.0)
    plain = [one.value.value for one in cards.plain_worth(dealt, outcome, block, 0)]
    adjusted = [one.value.value for one in cards.adjusted_worth(dealt, outcome, block, 0)]
    assert adjusted == pytest.approx(CARD_DUE, abs=1e-9)
    # In place of a card come those of the other seven: its plain worth is 8/7 of what it is above the mean.
    assert plain == pytest.approx(CARD_DUE * 8 / 7, abs=0.15)


def test_in_a_game_of_pure_luck_no_card_helps_or_hurts_beyond_the_rate() -> None:
    dice = np.random.default_rng(3)
    alarms = 0
    for number in range(400):
        dealt, _, block = hands_of(dice, 60)
        won = np.stack([flip := dice.integers(0, 2, 60), 1 - flip], axis=1).ravel()
        found = cards.plain_worth(dealt, won, block, number)
        alarms += any(one.dominant or one.dead for one in found)
    assert alarms <= scipy_stats.binom.ppf(0.998, 400, 0.05)


def test_good_and_bad_cards_are_found() -> None:
    found = cards.adjusted_worth(*hands_of(np.random.default_rng(4), 2000), 0)
    assert [one.dominant for one in found] == [True, True] + [False] * 6
    assert [one.dead for one in found] == [False] * 6 + [True, True]


def test_the_regression_is_statsmodels_with_errors_by_block() -> None:
    import statsmodels.api as sm

    dice = np.random.default_rng(5)
    dealt = dice.integers(0, 2, (300, 3)).astype(
        float
    )  # hands of any size: ordinary effects, told from their mean
    outcome = dealt @ [1, 2, 3] + dice.normal(size=300)
    block = np.arange(300) // 3
    found = cards.adjusted_worth(dealt, outcome, block, 0)
    fit = sm.OLS(outcome, sm.add_constant(dealt)).fit(cov_type="cluster", cov_kwds={"groups": block})
    contrast = np.array([0, 2, -1, -1]) / 3
    test = fit.t_test(contrast)
    assert found[0].value.value == pytest.approx(float(test.effect[0]))
    assert found[0].value.se == pytest.approx(float(test.sd[0, 0]), rel=3e-3)  # but for n/(n − 1)


def test_cards_that_never_come_have_no_worth() -> None:
    dealt, outcome, block = hands_of(np.random.default_rng(6), 50)
    more = np.column_stack([dealt, np.zeros(100), np.ones(100)])
    for function in (cards.plain_worth, cards.adjusted_worth):
        found = function(more, outcome, block, 0)
        assert np.isnan([found[8].value.value, found[9].value.value]).all()
        assert not any(one.dominant or one.dead for one in found[8:])
        assert [one.value for one in found[:8]] == [one.value for one in function(dealt, outcome, block, 0)]


def test_tables_that_do_not_fit_are_refused() -> None:
    dealt, outcome, block = hands_of(np.random.default_rng(7), 50)
    with pytest.raises(ValueError, match="do not fit"):
        cards.plain_worth(dealt, outcome[:5], block, 0)
    with pytest.raises(ValueError, match="0 or 1"):
        cards.plain_worth(dealt + 1, outcome, block, 0)
    with pytest.raises(ValueError, match="told apart"):
        cards.adjusted_worth(np.column_stack([dealt, dealt[:, 0]]), outcome, block, 0)
    with pytest.raises(ValueError, match="two blocks"):
        cards.plain_worth(dealt, outcome, np.zeros(100), 0)
