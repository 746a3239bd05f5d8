"""Kuhn poker: the value of the equilibrium, what random play and seeing both cards are worth against it."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sim import drafts, registry, rng
from sim.errors import UserError
from sim.table import Table
from strategies import registry as strategies
from tests import support
from tests import support_games as games
from tests.reference import kuhn as twin

DRAFT = "kuhn/standard"
THIRD = Fraction(1, 3)
ALPHAS = {"0": Fraction(0), "0.2": Fraction(1, 5), "0.333333": THIRD}


# ---- the twin -------------------------------------------------------------------------------------------


def test_the_twin_counts_what_is_known() -> None:
    for alpha in ALPHAS.values():
        policy = twin.equilibrium(alpha)
        assert twin.value(policy, policy) == Fraction(-1, 18)
        assert twin.value(twin.even, policy) == Fraction(-1, 6)
        assert twin.seeing(policy) == THIRD


@pytest.mark.nojit
def test_engine_and_twin_agree() -> None:
    draft, dice, seen = drafts.load(DRAFT), random.Random(1), set()
    deals = set()
    for deal in range(150):
        first, second = (twin.CARDS[card] for card in games.shuffled(range(3), 5, deal)[:2])
        match = twin.Match((first, second))
        deals.add(first + second)
        seen.add(games.lockstep(Table(draft, seed=5, deal=deal), match, dice))
    assert seen == {"check, check", "check, bet, fold", "check, bet, call", "bet, fold", "bet, call"}
    assert len(deals) == 6


# ---- what is hidden -------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [[], ["check"], ["bet"], ["check", "bet"]])
def test_a_seat_sees_its_own_card_alone(moves: list[str]) -> None:
    """And a deal of what it does not see gives the other each of two cards equally often."""
    engine = registry.find("kuhn").engine
    seat = len(moves) % 2
    tables = []
    for other in ("J", "K"):
        hands = ["Q", other] if seat == 0 else [other, "Q"]
        table = Table.from_position(drafts.load(DRAFT), {"hands": hands})
        for move in moves:
            table.play(move)
        tables.append(table)
    assert tables[0].to_move == seat
    assert tables[0].view().tobytes() == tables[1].view().tobytes()
    assert tables[0].view(1 - seat).tobytes() != tables[1].view(1 - seat).tobytes()
    stream = support.new_stream(7, 0, rng.REST, 0)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(2000):
        state = np.zeros(1, tables[0].state.dtype)[0]
        engine.redeal(tables[0].view(), tables[0].rules, stream, state)
        counts[tuple(int(card) for card in state["cards"])] += 1
    assert {cards[seat] for cards in counts} == {1}
    assert all(sorted(cards) == [0, 1, 2] for cards in counts)
    assert support.chi_square_p(list(counts.values()), 1000) > 1e-4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"hands": ["Q", "Q"]}, "there is one of each card"),
        ({"hands": ["Q"]}, "must be two strings"),
        ({"hands": ["Q", "A"]}, "unknown card 'A'"),
        ({"cards": ["Q", "K"]}, "position.cards: unknown key"),
    ],
)
def test_positions_that_cannot_be(fields: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Table.from_position(drafts.load(DRAFT), fields)


# ---- values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_equilibrium_loses_an_eighteenth_in_seat_0(alpha: str) -> None:
    run = games.run_of(DRAFT, f"equilibrium:alpha={alpha},equilibrium", 300_000)
    games.assert_near(run.estimates["score", "seat", 0], Fraction(-1, 18), 0.003)


def test_each_card_is_worth_what_it_should_be() -> None:
    """By the label: what the card dealt scores, in the mean over both seats."""
    run = games.run_of(DRAFT, "equilibrium,equilibrium", 100_000)
    policy = twin.equilibrium(Fraction(1, 5))
    shown = {value.text: value for value in run.labels["card"]}
    assert set(shown) == set(twin.CARDS)
    for card, value in shown.items():
        games.assert_near(value.score, _mean_of(card, policy), 0.01)


def _mean_of(card: str, policy: twin.Policy) -> Fraction:
    """Return what a card scores, half of the time in each seat."""
    return (twin.value(policy, policy, own=card) - twin.value(policy, policy, other=card)) / 2


def test_random_play_loses_a_sixth_to_the_equilibrium() -> None:
    run = games.run_of(DRAFT, "random,equilibrium", 300_000)
    games.assert_near(run.estimates["score", "seat", 0], Fraction(-1, 6), 0.003)


def test_the_cheat_gets_a_third_of_the_equilibrium() -> None:
    """It is shown the other's card, and plays best against the equilibrium, which it takes to play on."""
    run = games.run_of(DRAFT, "clairvoyant:300,equilibrium", 20_000)
    games.assert_near(run.estimates["score", "seat", 0], THIRD, 0.009)


PLAIN = [
    (["bet"], "K", "call"),
    (["bet"], "J", "fold"),
    (["check", "bet"], "K", "call"),
    (["check", "bet"], "J", "fold"),
    (["check"], "K", "bet"),
]


@pytest.mark.parametrize("name", ["search:400", "ismcts:400"])
@pytest.mark.parametrize(("moves", "card", "move"), PLAIN)
def test_search_makes_no_plain_mistake(name: str, moves: list[str], card: str, move: str) -> None:
    """Where one move is at least as good as the other whatever the other's card, and better with one of them."""
    hands = ["", card] if len(moves) % 2 else [card, ""]
    table = Table.from_position(drafts.load(DRAFT), {"hands": hands})
    for made in moves:
        table.play(made)
    assert games.choice(name, table) == move


@pytest.mark.parametrize("alpha", ["-0.01", "0.34"])
def test_a_bluff_too_often_is_no_equilibrium(alpha: str) -> None:
    with pytest.raises(UserError, match=r"alpha = .*: must be from 0 to 1/3"):
        games.run_of(DRAFT, f"equilibrium:alpha={alpha},equilibrium", 10)
    assert strategies.find("kuhn", "equilibrium").params == (0.2,)
