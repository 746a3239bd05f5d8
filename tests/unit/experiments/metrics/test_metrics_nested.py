"""Luck by its cause: one swap, of which every part is known, and games without one or the other."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pytest

from experiments.metrics import nested
from tests.support_metrics import coverage, within

CARDS = 6
PLAYERS = (1, 4)
"""Thresholds below which a card is swapped; each sits down as often."""


@cache
def table() -> Any:
    """Return by how much is won, by deal (own card and the other's), later chance (the spare card) and player."""
    rows = []
    for own, other in itertools.permutations(range(1, CARDS + 1), 2):
        left = [card for card in range(1, CARDS + 1) if card not in (own, other)]
        rows.append([[(spare if own < least else own) - other for least in PLAYERS] for spare in left])
    return np.array(rows, dtype=float)


def truth() -> dict[str, float]:
    """Return the parts, by going through everything."""
    every = table()
    by_later = every.mean(axis=2)
    by_deal = by_later.mean(axis=1)
    return {
        "deal": float(by_deal.var()),
        "later chance": float(by_later.var(axis=1).mean()),
        "decisions": float(every.var(axis=2).mean()),
    }


def sample(dice: Any, deals: int, redraws: int, lineups: int) -> Any:
    """Return results of seats that win what the other loses, shape (deals, redraws, lineups, 2)."""
    every = table()
    deal = dice.integers(len(every), size=(deals, 1, 1))
    later = dice.integers(every.shape[1], size=(deals, redraws, 1))
    player = dice.integers(len(PLAYERS), size=(deals, redraws, lineups))
    won = every[deal, later, player]
    return np.stack([won, -won], axis=3)


def test_the_parts_of_one_swap_are_what_going_through_everything_gives() -> None:
    parts = truth()
    assert sum(parts.values()) == pytest.approx(table().var())
    found = nested.causes(sample(np.random.default_rng(1), 20_000, 3, 2), 1)
    for name, value in parts.items():
        assert value > 0.1
        assert found.parts[name].value == pytest.approx(value, abs=4 * found.parts[name].se)
        assert found.parts[name].se < 0.2
    assert found.total.value == pytest.approx(sum(one.value for one in found.parts.values()))
    assert sum(one.value for one in found.shares.values()) == pytest.approx(1)
    assert found.gap.low < 0 < found.gap.high


@pytest.mark.parametrize(("redraws", "lineups"), [(2, 2), (4, 3)])
def test_few_deals_and_re_draws_are_right_on_average_and_their_intervals_hold_the_truth(
    redraws: int, lineups: int
) -> None:
    parts, means = truth(), []

    def make(dice: Any, seed: int) -> Any:
        found = nested.causes(sample(dice, 100, redraws, lineups), seed)
        means.append([one.value for one in (*found.parts.values(), found.total, found.variance)])
        return [*found.parts.values(), found.total, found.variance, found.gap]

    whole = sum(parts.values())
    truths = [*parts.values(), whole, whole]
    assert within(coverage(make, [*truths, 0], 600))
    off = np.mean(means, axis=0) - truths
    assert (np.abs(off) < 4 * np.std(means, axis=0) / np.sqrt(len(means))).all()


def seated(dice: Any, deals: int, redraws: int, lineups: int, skill: float) -> tuple[Any, Any]:
    """Return results of three seats and who of three players sits there.

    In seat s player p gets skill·(p − 1)·s more, takes as much from the next seat, and fits half of the deals.
    """
    deal, later = dice.normal(size=(deals, 1, 1, 3)), dice.normal(size=(deals, redraws, 1, 3))
    who = dice.integers(3, size=(deals, redraws, lineups, 3))
    own = skill * (who - 1) * np.arange(3)
    fits = dice.choice([-1, 1], (deals, 1, 1, 1)) * (who - 1)
    lots = dice.normal(size=who.shape)
    return deal + later + own - np.roll(own, 1, axis=3) + fits + lots, who


@pytest.mark.parametrize("skill", [0.0, 0.4])
def test_who_sits_at_the_seat_is_told_from_the_rest_of_what_is_decided(skill: float) -> None:
    """Var(p − 1) = 2/3, and the squares of the seats are 5/3 on average."""
    player = skill**2 * (2 / 3) * (5 / 3)
    truths, means = [player, player + 2 / 3 + 1], []

    def make(dice: Any, seed: int) -> Any:
        outcomes, who = seated(dice, 100, 2, 3, skill)
        found = nested.causes(outcomes, seed, who, 3)
        assert tuple(found.parts) == ("deal", "later chance", *nested.DECISIONS)
        parts = [found.parts[name] for name in nested.DECISIONS]
        means.append([one.value for one in parts])
        return parts if skill else parts[1:]  # of no skill it lies at the end of what can be

    assert within(coverage(make, truths if skill else truths[1:], 600))
    off = np.mean(means, axis=0) - truths
    assert (np.abs(off) < 4 * np.std(means, axis=0) / np.sqrt(len(means))).all()


def test_to_know_who_sits_where_leaves_all_else_as_it_is() -> None:
    outcomes, who = seated(np.random.default_rng(6), 50, 2, 2, 0.4)
    plain, split = nested.causes(outcomes, 1), nested.causes(outcomes, 1, who, 3)
    together = split.parts["player"].value + split.parts["others"].value
    assert together == pytest.approx(plain.parts["decisions"].value)
    for name in ("deal", "later chance"):
        assert split.parts[name].value == pytest.approx(plain.parts[name].value)
    assert split.gap.value == pytest.approx(plain.gap.value)


def test_where_few_deals_vary_shares_have_an_interval_still() -> None:
    """In nine of ten all end alike, so that some replicate has none that varies."""
    dice = np.random.default_rng(7)
    outcomes = np.zeros((40, 2, 2, 2))
    outcomes[:3] = dice.normal(size=(3, 2, 2, 2))
    found = nested.causes(outcomes, 1).shares["decisions"]
    assert found.low < found.value < found.high
    outcomes[1:] = 0
    assert np.isnan(nested.causes(outcomes, 1).shares["decisions"].low)


def test_without_later_chance_its_interval_holds_none() -> None:
    dice = np.random.default_rng(2)
    deal = dice.random((400, 1, 1, 1))
    found = nested.causes((dice.random((400, 3, 3, 2)) < deal).astype(float), 1)
    assert found.parts["later chance"].low <= 0 <= found.parts["later chance"].high
    assert found.shares["later chance"].low == 0
    assert found.parts["deal"].low > 0.05


def test_luck_alone_leaves_nothing_to_decide() -> None:
    dice = np.random.default_rng(3)
    lots = np.repeat(dice.integers(2, size=(300, 3, 1, 2)).astype(float), 4, axis=2)
    found = nested.causes(lots, 1)
    assert found.parts["decisions"].value == found.parts["decisions"].high == 0
    assert found.shares["later chance"].high == pytest.approx(1, abs=0.2)
    assert found.parts["deal"].low <= 0 <= found.parts["deal"].high
    same = nested.causes(np.ones((50, 2, 2, 2)), 1)
    assert np.isnan(same.shares["deal"].value)
    assert same.total.value == 0


def test_what_is_not_drawn_anew_stays_with_the_deal() -> None:
    found = nested.causes(sample(np.random.default_rng(4), 4000, 1, 4), 1)
    assert tuple(found.parts) == nested.TOGETHER
    parts = truth()
    wanted = {"chance": parts["deal"] + parts["later chance"], "decisions": parts["decisions"]}
    for name, value in wanted.items():
        assert found.parts[name].value == pytest.approx(value, abs=4 * found.parts[name].se)
    assert found.gap.value == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="re-draw of the players"):
        nested.causes(np.ones((10, 2, 1, 2)), 1)


def test_a_later_chance_drawn_wrongly_fails_the_ledgers_own_check() -> None:
    """What is drawn anew is worth half of what is dealt."""
    dice = np.random.default_rng(5)
    won = dice.normal(size=(500, 4, 1, 2)) + dice.normal(size=(500, 4, 3, 2))
    assert nested.causes(won, 1).gap.low < 0 < nested.causes(won, 1).gap.high
    won[:, 1:] /= 2
    assert nested.causes(won, 1).gap.high < 0
