"""Worth of cards: hands whose cards are worth known amounts, exchanges of them, and simultaneous intervals that hold."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.metrics import cards
from experiments.stats import Estimate
from tests.support_metrics import CARD_DUE, exchanges_of, hands_of, one_swap, one_swap_deals


def test_worth_by_hand_and_the_test_of_two_means() -> None:
    dealt = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [0, 0]])
    outcome = np.array([5.0, 4, 1, 2, 3, 0])
    first, second = cards.plain_worth(dealt, outcome, np.arange(6), 0)
    assert first.value.value == pytest.approx(4 - 1)
    assert second.value.value == pytest.approx(2.5 - 2.5)
    assert (first.times, second.times) == (3, 2)
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
    assert found[4].value.low > 0
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
        alarms += any(one.value.low > 0 or one.value.high < 0 for one in found)
    assert alarms <= scipy_stats.binom.ppf(0.998, 400, 0.05)


def test_of_cards_alike_it_tells_what_one_more_is_worth() -> None:
    """Three kinds of two, three and one cards; the hand is two of the six."""
    kinds = np.array([0, 0, 1, 1, 1, 2])
    hands = np.array(list(itertools.combinations(range(6), 2)))
    held = np.stack([(kinds[hands] == kind).sum(axis=1) for kind in range(3)], axis=1)
    worths = np.array([2.0, -1.0, 4.0])
    mean = worths[kinds].mean()
    adjusted = cards.adjusted_worth(held, held @ worths, np.arange(len(hands)), 0, copies=[2, 3, 1])
    assert [one.value.value for one in adjusted] == pytest.approx(worths - mean)
    assert [one.times for one in adjusted] == [9, 12, 5]
    # In place of a card comes one of another kind.
    others = [worths[kinds[kinds != kind]].mean() for kind in range(3)]
    plain = cards.plain_worth(held, held @ worths, np.arange(len(hands)), 0)
    assert [one.value.value for one in plain] == pytest.approx(worths - others)


def test_hands_are_compared_with_those_of_their_own_seat() -> None:
    """The second seat wins more and has a deck of its own: cards 2 and 3."""
    held = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] * 3)
    seat = np.array([0, 0, 1, 1] * 3)
    outcome = held @ [1.0, 4.0, 12.0, 12.5]
    found = cards.plain_worth(held, outcome, np.arange(12), 0, seat=seat)
    assert [one.value.value for one in found] == pytest.approx([-3, 3, -0.5, 0.5])
    with pytest.raises(ValueError, match="told apart"):
        cards.adjusted_worth(held, outcome, np.arange(12), 0, seat=seat)
    # Of one pack, the advantage of a seat is not its cards'.
    dealt, points, block = hands_of(np.random.default_rng(13), 200, noise=0.0)
    seats = np.arange(400) % 2
    found = cards.adjusted_worth(dealt, points + 5 * seats, block, 0, seat=seats)
    assert [one.value.value for one in found] == pytest.approx(CARD_DUE, abs=1e-9)


def test_in_hands_of_any_size_a_card_is_worth_itself_and_not_only_more_than_the_mean() -> None:
    held = np.array(list(itertools.product((0, 1), repeat=3)))
    outcome = held @ [1.0, 2.0, 6.0] + 3
    found = cards.adjusted_worth(held, outcome, np.arange(8), 0, from_mean=False)
    assert [one.value.value for one in found] == pytest.approx([1, 2, 6])
    with pytest.raises(ValueError, match="only be told from the mean"):
        cards.adjusted_worth(1 - np.eye(3)[[0, 1, 2, 0, 1]], np.arange(5), np.arange(5), 0, from_mean=False)


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
        assert {cards.role(one, 0.1, 1.0).word for one in found[8:]} == {"undecided"}
        assert [one.value for one in found[:8]] == [one.value for one in function(dealt, outcome, block, 0)]


def test_tables_that_do_not_fit_are_refused() -> None:
    dealt, outcome, block = hands_of(np.random.default_rng(7), 50)
    with pytest.raises(ValueError, match="do not fit"):
        cards.plain_worth(dealt, outcome[:5], block, 0)
    with pytest.raises(ValueError, match="numbers of cards"):
        cards.plain_worth(dealt - 1, outcome, block, 0)
    with pytest.raises(ValueError, match="told apart"):
        cards.adjusted_worth(np.column_stack([dealt, dealt[:, 0]]), outcome, block, 0)
    with pytest.raises(ValueError, match="two blocks"):
        cards.plain_worth(dealt, outcome, np.zeros(100), 0)


# ---- by exchange ----------------------------------------------------------------------------------------


def test_the_worth_by_exchange_by_hand() -> None:
    found = cards.swap_worth([0, 1, 0], [1, 2, 2], [3.0, 1.0, 2.0], [0, 0, 1], 4, 0)
    assert [one.value.value for one in found[:3]] == pytest.approx([(3 + 2) / 2, (1 - 3) / 2, (-1 - 2) / 2])
    assert [one.times for one in found] == [2, 2, 2, 0]
    assert [one.value.blocks for one in found] == [2, 1, 2, 0]
    # Of card 0: 3 of one exchange in the first deal and 2 of one in the second, which are ½ off the mean.
    assert found[0].value.se == pytest.approx(0.5)
    assert np.isnan(found[3].value.value)


def test_exchanging_estimates_what_comparing_hands_does_and_more_sharply() -> None:
    dice = np.random.default_rng(8)
    given, partner, gain, block = exchanges_of(dice, 4000)
    found = cards.swap_worth(given, partner, gain, block, 8, 0)
    plain = cards.plain_worth(*hands_of(dice, 4000), 0)
    for one, other, due in zip(found, plain, CARD_DUE * 8 / 7, strict=True):
        assert one.value.low < due < one.value.high
        assert other.value.low < due < other.value.high
        assert one.value.se < other.value.se / 2


def test_exchanges_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="that differ"):
        cards.swap_worth([0, 1], [1, 1], [1.0, 0.0], [0, 1], 2, 0)
    with pytest.raises(ValueError, match="none"):
        cards.swap_worth([], [], [], [], 2, 0)


# ---- dominant, dead -------------------------------------------------------------------------------------


def test_dominant_cards_burdens_and_dead_ones_are_told() -> None:
    # Cards 2 to 5 are worth nothing and bring 0 points, as the mean card does.
    found = cards.swap_worth(*exchanges_of(np.random.default_rng(10), 4000), 8, 0)
    words = [cards.role(one, 0.5, 4.0).word for one in found]
    assert words == ["dominant", "dominant", "dead", "dead", "dead", "dead", "burden", "burden"]
    few = cards.swap_worth(*exchanges_of(np.random.default_rng(10), 25), 8, 0)
    assert {cards.role(one, 0.5, 4.0).word for one in few} == {"undecided"}


def test_what_has_not_come_yet_is_not_taken_for_dead() -> None:
    """Forty exchanges that change nothing: one in fifty might still change all."""
    block = np.repeat(np.arange(40), 2)
    found = cards.swap_worth([0, 1] * 40, [1, 0] * 40, np.zeros(80), block, 2, 0)
    assert [(one.value.low, one.value.high) for one in found] == [(0, 0), (0, 0)]
    told = cards.role(found[0], 0.02, 1.0)
    assert told.word == "undecided"
    assert told.factor > 2
    assert cards.role(found[0], 0.2, 1.0).word == "dead"


@pytest.mark.parametrize("kinds", [1, 13, 40])
def test_what_a_card_seldom_does_is_called_dead_no_more_often_than_stated(kinds: int) -> None:
    """Each card changes the win in 2.01% of exchanges, by Poisson's law; that is more than the margin of 2%."""
    reach = -float(scipy_stats.norm.ppf(0.025 / kinds))

    def is_dead(changed: int, blocks: int) -> bool:
        value = changed / blocks
        se = np.sqrt(value * (1 - value) / (blocks - 1))
        ends = value - reach * se, value + reach * se
        worth = cards.Worth(0, Estimate(value, se, *ends, blocks), blocks, reach)
        return cards.role(worth, 0.02, 1.0).word == "dead"

    for blocks in (220, 240, 300, 340, 400, 480, 520, 560, 1000, 2000):
        most = next(changed for changed in range(blocks) if not is_dead(changed, blocks)) - 1
        rate = float(scipy_stats.poisson.cdf(most, 0.0201 * blocks))
        assert 1 - (1 - rate) ** kinds <= 0.05, blocks


def test_what_would_decide_does() -> None:
    made = exchanges_of(np.random.default_rng(11), 60)
    found = cards.swap_worth(*made, 8, 0)
    told = [cards.role(one, 0.5, 4.0) for one in found]
    factor = max(one.factor for one in told if one.word == "undecided")
    assert 1 < factor < 100
    # As many times the same exchanges: the card is worth just what was found.
    again = int(np.ceil(factor * 1.02))
    given, partner, gain, block = (np.tile(one, again) for one in made)
    block = block + 60 * np.repeat(np.arange(again), len(made[0]))
    more = cards.swap_worth(given, partner, gain, block, 8, 0)
    assert "undecided" not in {cards.role(one, 0.5, 4.0).word for one in more}


def test_no_word_is_wrong_beyond_the_rate() -> None:
    """The margin is just what two cards are worth: to call them dominant or dead is wrong."""
    dice = np.random.default_rng(12)
    margin = CARD_DUE[1] * 8 / 7
    wrong = 0
    for number in range(300):
        found = cards.swap_worth(*exchanges_of(dice, 150), 8, number)
        words = [cards.role(one, margin, 4.0).word for one in found]
        wrong += words[1] != "undecided" or words[6] != "undecided"
    assert wrong <= scipy_stats.binom.ppf(0.998, 300, 0.05)


def test_a_card_that_few_exchanges_tell_of_is_not_told_for_certain() -> None:
    """One exchange, or several that all gain as much, has no deviation; what it may gain is bounded all the same."""
    dice = np.random.default_rng(1)
    given = np.r_[np.zeros(1, int), np.ones(3, int), np.full(60, 2)]
    gain = np.r_[-0.5, np.zeros(3), dice.choice([-0.5, 0.0, 0.5], 60)]
    found = cards.swap_worth(given, np.full(64, 3), gain, np.arange(64), 4, 0, 1.0)
    assert [one.value.blocks for one in found] == [1, 3, 60, 64]
    once, alike, often, _ = (one.value for one in found)
    assert once.low == -1 < once.value == -0.5 < 0 < once.high <= 1
    assert -1 <= alike.low < alike.value == 0 < alike.high <= 1
    assert often.high - often.low < (alike.high - alike.low) / 2
    # Without a bound in sight it is what came.
    free = cards.swap_worth(given, np.full(64, 3), 9 * gain, np.arange(64), 4, 0)
    assert free[1].value.high > 1


def test_a_card_in_few_hands_is_not_told_for_certain() -> None:
    dice = np.random.default_rng(2)
    held = np.stack([np.r_[1, np.zeros(59, int)], dice.integers(0, 2, 60)], axis=1)
    won = np.r_[1.0, dice.choice([0.0, 1.0], 59)]
    rare, common = (one.value for one in cards.plain_worth(held, won, np.arange(60), 0, most=1.0))
    assert rare.high == 1
    assert rare.low < 0
    assert common.high - common.low < 1 < rare.high - rare.low
