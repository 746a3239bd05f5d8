"""Reshuffling: the same deal with another later chance, which leaves alone what is dealt or shown."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sim.daifugo import deal
from sim.drafts import Draft
from sim.table import Table
from tests import support
from tests import support_daifugo as daifugo
from tests import support_ninepeak as ninepeak

LEVEL = 1e-4  # of each chi-square test; the seeds are fixed, so a test that passes goes on passing
DRAWS = 4000


@dataclass(frozen=True)
class Case:
    """A draft, and where in its states the chance to come lies.

    Attributes
    ----------
    draft : Draft
    move : callable
        A random legal move.
    finish : callable
        Plays to the end at random, with every card accounted for.
    chance : tuple of str
        The fields of a state that may change.
    stocks : callable
        The cards of each stock, in order.
    """

    draft: Draft
    move: Callable[[Table, random.Random], int]
    finish: Callable[[Table, random.Random], object]
    chance: tuple[str, ...]
    stocks: Callable[[Table], list[list[Any]]]


def uplink_case(**rules: Any) -> Case:
    return Case(
        support.draft_of(rules),
        support.random_move,
        support.play_out,
        ("decks", "seed", "deal"),
        lambda table: support.deck_rows(table.state),
    )


def ninepeak_case(rules: dict[str, Any], scoring: dict[str, Any]) -> Case:
    return Case(
        ninepeak.draft_of(rules, scoring),
        ninepeak.random_move,
        ninepeak.play_out,
        ("deck",),
        lambda table: [table.inspect()["stock"]],
    )


def daifugo_case(**rules: Any) -> Case:
    return Case(
        daifugo.draft_of(rules), daifugo.random_move, daifugo.play_out, ("seed", "deal"), lambda table: []
    )


CASES = {
    "uplink": uplink_case(games=4),
    "uplink, personal decks": uplink_case(variant="personal_decks", games=4),
    "ninepeak": ninepeak_case({}, {}),
    "ninepeak, drawing": ninepeak_case({"players": 3}, {"no_joker": "draw_to_hand"}),
    "daifugo": daifugo_case(games=3),
    "daifugo, blind gifts": daifugo_case(games=3, players=5, rich_see_first=False, blind_cards=2),
}


def positions(case: Case, seed: int) -> Iterator[tuple[Table, random.Random]]:
    """Yield a table at every decision of a random match."""
    table, dice = Table(case.draft, seed=seed), random.Random(seed)
    while not table.over:
        yield table, dice
        table.apply(case.move(table, dice))


def reshuffled(table: Table, stream: Any) -> Table:
    other = table.copy()
    support.registry.find(table.draft.game).engine.reshuffle(other.state, other.rules, stream)
    return other


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", list(CASES))
def test_nothing_changes_but_what_is_to_come(name: str) -> None:
    case, stream = CASES[name], support.new_stream(7, 0, 2, 0)
    changed = 0
    for table, _ in positions(case, 1):
        other = reshuffled(table, stream)
        for field in table.state.dtype.names:
            if field not in case.chance:
                np.testing.assert_array_equal(other.state[field], table.state[field], err_msg=field)
        for seat in range(case.draft.players):
            assert ninepeak.fields(other.view(seat)) == ninepeak.fields(table.view(seat))
        stocks, lay = case.stocks(other), case.stocks(table)
        assert [sorted(stock) for stock in stocks] == [sorted(stock) for stock in lay]
        changed += any((other.state[field] != table.state[field]).any() for field in case.chance)
    assert changed > 5


@pytest.mark.parametrize("name", list(CASES))
def test_play_goes_on_after_a_reshuffle(name: str) -> None:
    case, stream = CASES[name], support.new_stream(8, 0, 2, 0)
    branches = 0
    for table, dice in positions(case, 2):
        if dice.random() < 0.3:
            branch = reshuffled(table, stream)
            case.finish(branch, dice)
            branches += branch.over
    assert branches > 2


# ---- all that may come is equally likely ----------------------------------------------------------------


def assert_even(counts: Counter[Any], kinds: int) -> None:
    """Check that so many kinds of things came as often as one another."""
    assert len(counts) == kinds
    p = support.chi_square_p(list(counts.values()), DRAWS / kinds)
    assert p > LEVEL, p


def test_every_order_of_a_stock_is_equally_likely() -> None:
    stream = support.new_stream(9, 0, 2, 0)
    small = Table(support.draft_of({"games": 1, "hand_size": 11}), seed=1)
    (lies, *_) = support.deck_rows(small.state)
    assert len(lies) == 4
    orders = Counter(tuple(support.deck_rows(reshuffled(small, stream).state)[0]) for _ in range(DRAWS))
    assert set(orders) == set(permutations(lies))
    assert_even(orders, 24)

    # In 9 Peak cards may be alike: each place of the stock holds each of them as often as the stock does.
    table = Table(CASES["ninepeak"].draft, seed=1)
    stock = table.inspect()["stock"]
    came = [reshuffled(table, stream).inspect()["stock"] for _ in range(DRAWS)]
    for place in (0, 1, len(stock) - 1):
        counts, wanted = Counter(one[place] for one in came), Counter(stock)
        expected = [DRAWS * wanted[card] / len(stock) for card in wanted]
        assert support.chi_square_p([counts[card] for card in wanted], expected) > LEVEL


def test_own_decks_are_shuffled_apart() -> None:
    stream = support.new_stream(10, 0, 2, 0)
    table = Table(CASES["uplink, personal decks"].draft, seed=1)
    first, second, *_ = support.deck_rows(table.state)
    pairs: Counter[tuple[int, int]] = Counter()
    for _ in range(DRAWS):
        rows = support.deck_rows(reshuffled(table, stream).state)
        pairs[rows[0][0], rows[1][-1]] += 1
    assert_even(pairs, len(first) * len(second))


def test_later_deals_are_dealt_anew() -> None:
    """Who gets a card in the next deal, of each game that has one, and what comes after it."""
    stream = support.new_stream(11, 0, 2, 0)
    table = Table(CASES["daifugo"].draft, seed=1)
    holders: Counter[Any] = Counter()
    for _ in range(DRAWS):
        state = reshuffled(table, stream).state
        deal.next_game(state, table.rules)
        held = state["hands"][: table.draft.players]
        holders[tuple(next(p for p, hand in enumerate(held) if hand >> card & 1) for card in (0, 51))] += 1
    # Two cards at hands of 14, 14, 13 and 13 cards: the pack has two jokers.
    sizes = [int(hand).bit_count() + int(state["jokers"][p]) for p, hand in enumerate(held)]
    pairs = [(a, b) for a in range(len(sizes)) for b in range(len(sizes))]
    whole = sum(sizes) * (sum(sizes) - 1)
    expected = [DRAWS * sizes[a] * (sizes[b] - (a == b)) / whole for a, b in pairs]
    assert support.chi_square_p([holders[pair] for pair in pairs], expected) > LEVEL

    table = Table(CASES["uplink"].draft, seed=1)
    tops: Counter[int] = Counter()
    for _ in range(DRAWS):
        state = reshuffled(table, stream).state
        state["view"]["game"] = 3
        support.ENGINE.new_stock(state, table.rules)
        tops[int(state["decks"][0][0])] += 1
    assert_even(tops, 52)
