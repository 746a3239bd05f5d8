"""Deals with two cards exchanged: they are what would have been dealt, and play goes on from them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from sim import drafts, registry
from sim.drafts import Draft
from sim.table import Table
from tests import support

DRAFTS = {
    "uplink": drafts.load("uplink/v1.1"),
    "uplink, personal decks": drafts.load("uplink/personal-decks"),
    "daifugo": drafts.load("daifugo/hometown"),
    "daifugo, blind cards": drafts.load("daifugo/plain", ("rules.players=3", "rules.blind_cards=2")),
    "ninepeak": drafts.load("ninepeak/draft11"),
    "ninepeak, five": drafts.load("ninepeak/draft12-draw", ("rules.players=5",)),
}


def holdings_of(draft: Draft) -> Any:
    return registry.find(draft.game).holdings


def hands(table: Table) -> Any:
    holdings = holdings_of(table.draft)
    found = np.zeros((table.draft.players, len(holdings.CARDS)), np.int64)
    for seat in range(table.draft.players):
        holdings.hand(table.state, seat, found[seat])
    return found


def exchanges(table: Table, dice: random.Random) -> list[tuple[str, tuple[int, ...]]]:
    """Return an exchange of each sort that the game allows, drawn at random: between two hands, and with the stock."""
    holdings, found = holdings_of(table.draft), []
    held = hands(table)
    seat = dice.randrange(len(held))
    card = int(dice.choice(np.flatnonzero(held[seat])))
    if holdings.shared(table.rules):
        other = dice.choice([one for one in range(len(held)) if one != seat])
        partners = [int(kind) for kind in np.flatnonzero(held[other]) if kind != card]
        found.append(("swap", (seat, card, other, dice.choice(partners))))
    left = int(holdings.undealt(table.state, table.rules, seat))
    if left:
        found.append(("draw", (seat, card, dice.randrange(left))))
    return found


def exchange(table: Table, how: str, what: tuple[int, ...]) -> Any:
    return getattr(holdings_of(table.draft), how)(table.state, table.rules, *what)


def flat(record: Any) -> list[bytes]:
    """Return the bytes of all fields of a record; those between them mean nothing."""
    return [
        part
        for name in record.dtype.names
        for part in (flat(record[name]) if record.dtype[name].names else [record[name].tobytes()])
    ]


# ---- what would have been dealt ---------------------------------------------------------------------------


def uplink_dealt(table: Table, how: str, what: tuple[int, ...]) -> Table:
    """Deal again by the engine from decks in which two cards have changed places."""
    found = table.copy()
    engine = registry.find("uplink").engine
    deck = found.state["decks"][what[0] if found.rules["personal"] else 0]
    first = [int(card) for card in deck].index(what[1])
    second = (
        int(found.state["dealt"][what[0] if found.rules["personal"] else 0]) + what[2]
        if how == "draw"
        else [int(card) for card in deck].index(what[3])
    )
    deck[[first, second]] = deck[[second, first]]
    found.state["dealt"][:] = 0
    engine.deal_hands(found.state, found.rules, int(found.rules["hand_size"]) + 1)
    engine.ask(found.state, int(found.state["view"]["phase"]), 0)
    return found


def uplink_read(state: Any) -> list[bytes]:
    """Return the state without the dealt part of the decks, which nothing reads any more."""
    state = state.copy()
    for row in range(len(state["decks"])):
        state["decks"][row, : state["dealt"][row]] = 0
    return flat(state)


def daifugo_dealt(table: Table, how: str, what: tuple[int, ...]) -> Table:
    """Set up the hands as a scenario does."""
    seat, card, other, other_card = what
    held = [list(np.repeat(np.arange(len(row)), row)) for row in hands(table)]
    held[seat].remove(card)
    held[other].remove(other_card)
    held[seat].append(other_card)
    held[other].append(card)
    names = holdings_of(table.draft).CARDS
    return Table.from_position(
        table.draft, {"hands": [" ".join(names[kind] for kind in one) for one in held]}
    )


def daifugo_read(state: Any) -> list[bytes]:
    """Return the state without what tells a position from a deal: its name, and cards that are out of it."""
    state = state.copy()
    for field in ("seed", "deal", "chance"):
        state[field] = np.zeros((), state[field].dtype)
    for field in ("single", "fallback", "gone", "gone_jokers", "count"):
        state["view"][field] = 0
    return flat(state)


def ninepeak_dealt(table: Table, how: str, what: tuple[int, ...]) -> Table:
    """Set up the hands, the area and the stock as a scenario does."""
    names = holdings_of(table.draft).CARDS
    held = [list(np.repeat(np.arange(len(row)), row)) for row in hands(table)]
    seen = table.inspect()
    stock = seen["stock"] if isinstance(seen["stock"], list) else seen["stock"].split()
    seat, card = what[0], what[1]
    held[seat].remove(card)
    if how == "draw":
        held[seat].append(names.index(stock[what[2]]))
        stock[what[2]] = names[card]
    else:
        held[what[2]].remove(what[3])
        held[what[2]].append(card)
        held[seat].append(what[3])
    fields = {
        "hands": [" ".join(names[kind] for kind in one) for one in held],
        "area": seen["area"],
        "peaks": seen["peaks"],
        "stock": " ".join(stock),
    }
    return Table.from_position(table.draft, fields)


def ninepeak_read(state: Any) -> list[bytes]:
    """Return the state without the dealt part of the deck and what tells a position from a deal."""
    state = state.copy()
    left = state["deck"][state["dealt"] : state["dealt"] + state["view"]["stock"]].copy()
    state["deck"][:] = 0
    state["deck"][: len(left)] = left
    state["dealt"] = 0
    state["chance"] = np.zeros((), state["chance"].dtype)
    state["tally"][:] = 0  # a position does not know whether peaks were discarded
    return flat(state)


DEALT = {"uplink": uplink_dealt, "daifugo": daifugo_dealt, "ninepeak": ninepeak_dealt}
READ = {"uplink": uplink_read, "daifugo": daifugo_read, "ninepeak": ninepeak_read}


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", DRAFTS)
def test_an_exchange_is_a_deal_and_its_own_inverse(name: str) -> None:
    draft = DRAFTS[name]
    dice = random.Random(5)
    seen = set()
    compared = 0
    for deal in range(25):
        table = Table(draft, seed=3, deal=deal)
        if draft.game == "ninepeak" and table.state["view"]["peaks"]:
            continue  # of what peaked at the set-up a scenario says nothing
        for how, what in exchanges(table, dice):
            seen.add(how)
            compared += 1
            before, held = table.copy(), hands(table)
            after = table.copy()
            partner = exchange(after, how, what)
            due = DEALT[draft.game](before, how, what)
            assert READ[draft.game](after.state) == READ[draft.game](due.state)
            # The scenarios' positions say that cards without a hand are gone; what may be played is the same.
            assert sorted(after.legal()) == sorted(due.legal())
            wanted = held.copy()
            wanted[what[0], what[1]] -= 1
            got = int(partner) if how == "draw" else what[3]
            wanted[what[0], got] += 1
            if how == "swap":
                wanted[what[2], got] -= 1
                wanted[what[2], what[1]] += 1
            np.testing.assert_array_equal(hands(after), wanted)
            back = (what[0], got, what[2], what[1]) if how == "swap" else (what[0], got, what[2])
            twice = after.copy()
            exchange(twice, how, back)
            assert flat(twice.state) == flat(before.state)
            if deal < 5:
                _play_out(after, dice)
    alone = {"uplink, personal decks": {"draw"}, "daifugo": {"swap"}, "daifugo, blind cards": {"swap"}}
    assert seen == alone.get(name, {"swap", "draw"})
    assert compared >= 20


def _play_out(table: Table, dice: random.Random) -> None:
    if table.draft.game == "uplink":
        support.assert_conserved(table.state, table.draft)
    engine = registry.find(table.draft.game).engine
    while not table.over:
        move = int(engine.nth_move(table.state["view"], table.rules, dice.randrange(table.count_moves())))
        table.apply(move)


def test_who_gets_the_three_of_diamonds_leads() -> None:
    draft = DRAFTS["daifugo"]
    card = holdings_of(draft).CARDS.index("D3")
    table = Table(draft, seed=1, deal=2)
    leader = table.to_move
    other = (leader + 1) % draft.players
    given = int(np.flatnonzero(hands(table)[other])[0])
    exchange(table, "swap", (leader, card, other, given))
    assert table.to_move == other


def test_all_cards_of_a_pack_are_somewhere() -> None:
    for name, whole in (("daifugo", 54), ("ninepeak, five", 78), ("uplink", 52)):
        table = Table(DRAFTS[name], seed=1, deal=1)
        pack = np.array(holdings_of(table.draft).pack(table.rules))
        assert pack.sum() == whole
        held = hands(table).sum(axis=0)
        assert (held <= pack).all()
        if name == "daifugo":
            assert (held == pack).all()


def test_what_is_captured_is_counted() -> None:
    draft = DRAFTS["uplink"]
    table = Table(draft, seed=1, deal=0)
    _play_out(table, random.Random(1))
    holdings = holdings_of(draft)
    counts = np.zeros(52, np.int64)
    for seat in range(draft.players):
        holdings.captured(table.state, seat, counts)
        assert int((counts << np.arange(52)).sum()) == int(table.state["view"]["piles"][seat])
    printed = holdings.printed(table.rules)
    assert [printed[holdings.CARDS.index(name)] for name in ("S2", "HJ", "D10")] == [3, -2, 0]


def test_a_game_need_not_say_who_holds_what() -> None:
    registry.add("silent", "tests.games.kuhn")
    try:
        assert registry.find("silent").holdings is None
    finally:
        registry.remove("silent")
