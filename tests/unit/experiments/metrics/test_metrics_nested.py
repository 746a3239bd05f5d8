"""Luck by its cause: matches of which every part is known, few deals, and games without one cause or the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments.metrics import variance_components
from tests import support_causes as known
from tests.support_causes import played


def split(dice: Any, deals: int, seed: int = 1, **named: Any) -> variance_components.Causes:
    return variance_components.causes(*played(dice, deals, **named), known.PLAYERS, seed)


def test_every_part_and_both_shares_are_what_they_must_be() -> None:
    found = split(np.random.default_rng(3), 10_000)
    assert sum(part.value for part in found.parts.values()) == pytest.approx(found.total.value)
    assert sum(share.value for share in found.shares.values()) == pytest.approx(1)
    assert found.gap.low < 0 < found.gap.high
    for name, part in known.PARTS.items():
        assert found.parts[name].value == pytest.approx(part, abs=4 * found.parts[name].se)
        assert found.parts[name].se < 0.05
        assert found.shares[name].value == pytest.approx(part / known.TOTAL, abs=4 * found.shares[name].se)
    for table, truths in ((found.lower, known.LOWER), (found.upper, known.UPPER)):
        assert set(table) == set(truths)
        for name, part in truths.items():
            assert table[name].value == pytest.approx(part / known.TOTAL, abs=4 * table[name].se)
            assert table[name].se < 0.01


def test_both_ends_add_up() -> None:
    found = split(np.random.default_rng(3), 1000)
    lower, upper = (
        {name: share.value for name, share in table.items()} for table in (found.lower, found.upper)
    )
    for table in (lower, upper):
        assert table[variance_components.DEAL] + table[variance_components.LATER] == pytest.approx(
            table[variance_components.CHANCE]
        )
    decided = upper[variance_components.PLAYERS] + upper[variance_components.DICE]
    assert lower[variance_components.CHANCE] + decided == pytest.approx(1)
    assert upper[variance_components.CHANCE] + lower[variance_components.PLAYERS] + lower[
        variance_components.DICE
    ] == pytest.approx(1)


def test_both_ends_never_cross_however_few_deals_there_are() -> None:
    for seed in range(10):
        found = split(np.random.default_rng(seed), 12)
        for name, lower in found.lower.items():
            assert 0 <= lower.value <= found.upper[name].value <= 1
            for share in (lower, found.upper[name]):
                assert 0 <= share.low <= share.high <= 1


@pytest.mark.parametrize("redraws", [2, 3])
def test_few_deals_are_right_on_average(redraws: int) -> None:
    dice, parts = np.random.default_rng(6), []
    for seed in range(150):
        found = split(dice, 20, seed, redraws=redraws)
        parts.append([part.value for part in (*found.parts.values(), found.total, found.variance)])
    off = np.mean(parts, axis=0) - [*known.PARTS.values(), known.TOTAL, known.TOTAL]
    assert (np.abs(off) < 4 * np.std(parts, axis=0) / np.sqrt(len(parts))).all()


def test_without_anything_together_both_ends_are_the_same() -> None:
    found = split(np.random.default_rng(2), 4000, fits=False)
    for name, lower in found.lower.items():
        assert found.upper[name].value - lower.value < 0.04
    for name in (variance_components.SEATED, variance_components.FIT, variance_components.LOTS):
        assert found.parts[name].low <= 0 <= found.parts[name].high


def test_where_few_deals_vary_shares_have_an_interval_still() -> None:
    """In nine of ten all end alike, so that some replicate has none that varies."""
    outcomes, swapped, who = played(np.random.default_rng(7), 40)
    outcomes[3:], swapped[3:] = 0, 0
    found = variance_components.causes(outcomes, swapped, who, known.PLAYERS, 1).shares[
        variance_components.LATER
    ]
    assert found.low < found.value < found.high
    outcomes[1:], swapped[1:] = 0, 0
    found = variance_components.causes(outcomes, swapped, who, known.PLAYERS, 1).shares[
        variance_components.LATER
    ]
    assert np.isnan(found.low)


def test_what_is_not_drawn_anew_stays_with_the_deal() -> None:
    found = split(np.random.default_rng(4), 4000, redraws=1)
    for table in (found.parts, found.shares, found.lower, found.upper):
        assert variance_components.CHANCE in table
        assert variance_components.DEAL not in table
        assert variance_components.LATER not in table
    chance = found.parts[variance_components.CHANCE]
    assert chance.value == pytest.approx(3.0, abs=4 * chance.se)
    upper = found.upper[variance_components.CHANCE]
    assert upper.value == pytest.approx(
        known.UPPER[variance_components.CHANCE] / known.TOTAL, abs=4 * upper.se
    )
    assert found.gap.value == pytest.approx(0, abs=1e-12)


def test_of_one_player_and_of_players_without_dice_nothing_is_said() -> None:
    dice = np.random.default_rng(5)
    deal, later = dice.normal(size=(300, 2, 1, 1, 1, 2)), dice.normal(size=(300, 2, 2, 1, 1, 2))
    outcomes = np.broadcast_to(deal + later, (300, 2, 2, 2, 2, 2))
    swapped, who = np.repeat(outcomes[:, :, 0, :1, 0], 2, axis=2), np.zeros((300, 2, 2), int)
    found = variance_components.causes(outcomes, swapped, who, 1, 1)
    assert list(found.parts) == [variance_components.DEAL, variance_components.LATER]
    assert (
        found.lower[variance_components.CHANCE].value
        == found.upper[variance_components.CHANCE].value
        == pytest.approx(1)
    )
    lots = dice.normal(size=(300, 1, 1, 2, 2, 2))
    found = variance_components.causes(outcomes + lots, swapped + dice.normal(size=swapped.shape), who, 1, 1)
    assert list(found.parts) == [
        variance_components.DEAL,
        variance_components.LATER,
        variance_components.DICE,
        variance_components.LOTS,
    ]
    assert found.parts[variance_components.DICE].low < 1 < found.parts[variance_components.DICE].high
    same = variance_components.causes(
        np.ones((50, 2, 2, 2, 2, 2)), np.ones((50, 2, 2, 2)), np.zeros((50, 2, 2), int), 1, 1
    )
    assert np.isnan(same.shares[variance_components.DEAL].value)
    assert same.total.value == 0
    with pytest.raises(ValueError, match="outcomes"):
        variance_components.causes(outcomes[:1], swapped[:1], who[:1], 1, 1)


def test_a_later_chance_drawn_wrongly_fails_the_ledgers_own_check() -> None:
    """What is drawn anew is worth half of what is dealt."""
    outcomes, swapped, who = played(np.random.default_rng(5), 500)
    assert variance_components.causes(outcomes, swapped, who, known.PLAYERS, 1).gap.low < 0
    outcomes[:, :, 1:] /= 2
    assert variance_components.causes(outcomes, swapped, who, known.PLAYERS, 1).gap.high < 0
