"""What several test files of 9 Peak need: drafts, the twin of a match, what a move says, where every card is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import drafts, registry, rng
from sim.drafts import Draft
from sim.table import Table
from tests.reference import ninepeak as twin

GAME = registry.find("ninepeak")
ENGINE = GAME.engine


def draft_of(rules: dict[str, Any] | None = None, scoring: dict[str, Any] | None = None) -> Draft:
    """Return a 9 Peak draft with some options set; the others are those of draft 11."""
    options = drafts.complete("ninepeak", {"rules": rules or {}, "scoring": scoring or {}}, "test")
    return Draft("ninepeak", "test", "", options)


def decisions_bound(draft: Draft) -> int:
    """Return how many decisions a match has at most.

    A turn takes a card out of the hand for good, unless a card of the stock is kept; and there is no more than
    one question for each card of the stock.
    """
    rules = draft.options.rules
    hands = rules.players * rules.hand_size
    return int(hands + 2 * (len(twin.PACK) - rules.area_size - hands))


# ---- the twin of a table --------------------------------------------------------------------------------


def pack_of(seed: int, deal: int) -> list[str]:
    """Return the pack as the engine shuffles it."""
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, seed, deal, rng.DEAL, 0)
    order = np.arange(len(twin.PACK), dtype=np.uint8)
    rng.shuffle(stream, order, len(order))
    return [twin.PACK[number] for number in order]


def twin_match(draft: Draft, seed: int, deal: int) -> twin.Match:
    """Return the twin of ``Table(draft, seed=seed, deal=deal)``, with the same chance."""
    return twin.Match.from_pack(draft.tables(), pack_of(seed, deal))


def twin_of(table: Table) -> twin.Match:
    """Return the twin of a table that was set up as a position, its stock in the order drawn."""
    seen = table.inspect()
    keys = ("hands", "area", "peaks", "sets", "won", "to_move")
    return twin.Match.from_position(
        table.draft.tables(), stock=seen["stock"], **{key: seen[key] for key in keys}
    )


# ---- moves ----------------------------------------------------------------------------------------------


def meaning(match: twin.Match, move: int) -> str | None:
    """Return what an engine's move says, by its layout alone; None if it has not the form of a move.

    Bits 0 … 25: places of the hand; 32 … 38: one more than the place of the card taken, in the area and then
    among the cards put; 40 … 43: the size of a set; bit 44 is to keep, bit 45 to release.
    """
    if match.phase == "keep":
        return {1 << 44: "keep", 1 << 45: "release"}.get(move)
    places, taken, value = move & 0x3FFFFFF, move >> 32 & 127, move >> 40 & 15
    if match.to_move is None or move != places | taken << 32 | value << 40:
        return None
    hand = twin.in_order(match.hands[match.to_move])
    if places >> len(hand):
        return None
    chosen = [card for place, card in enumerate(hand) if places >> place & 1]
    if value:
        return None if taken else f"play {value}: {' '.join(chosen)}"
    if not taken:
        return f"pass {' '.join(chosen)}"
    lying = [*twin.in_order(match.area), *chosen]
    return None if taken > len(lying) else f"pass {' '.join(chosen)} take {lying[taken - 1]}"


def nth(table: Table, number: int) -> int:
    """Return a legal move by its number."""
    return int(ENGINE.nth_move(table.state["view"], table.rules, number))


def allows(table: Table, move: int) -> bool:
    """Tell whether the engine takes a move."""
    return bool(ENGINE.is_legal(table.state["view"], table.rules, move))


def random_move(table: Table, dice: random.Random) -> int:
    """Return one of the legal moves; a play now and then, though passes are so many more."""
    count = table.count_moves()
    if dice.random() < 0.5:
        return nth(table, dice.randrange(count))
    return nth(table, count - 1 - dice.randrange(min(count, 30)))


def play_out(table: Table, dice: random.Random) -> int:
    """Play a table to its end at random with every card accounted for; return the number of decisions."""
    decisions = 0
    while not table.over:
        table.apply(random_move(table, dice))
        assert_conserved(table)
        decisions += 1
    return decisions


def strange_moves(legal: list[int], dice: random.Random, count: int) -> Iterator[int]:
    """Yield moves that are mostly not legal: legal ones with something changed, and any bits at all."""
    for _ in range(count):
        move = dice.choice(legal)
        kind = dice.randrange(9)
        if kind == 0:  # a card more or less
            move ^= 1 << dice.randrange(26)
        elif kind == 1:  # a card exchanged
            move ^= 1 << dice.randrange(26) | 1 << dice.randrange(26)
        elif kind == 2:  # another card taken, or none, or one taken by a play
            move = move & ~(127 << 32) | dice.randrange(128) << 32
        elif kind == 3:  # a set of another size
            move = move & ~(15 << 40) | dice.randrange(16) << 40
        elif kind == 4:  # bits that say nothing
            move |= 1 << dice.choice([*range(26, 32), 39, *range(44, 63)])
        elif kind == 5:
            move = dice.getrandbits(64)
        elif kind == 6:
            move = dice.choice([0, -1, 1 << 44, 1 << 45, 3 << 44, -(1 << 63), (1 << 63) - 1])
        elif kind == 7:
            move = -move
        else:  # any cards, of any number
            move = dice.getrandbits(26) & dice.getrandbits(26) | dice.randrange(10) << 40
        yield (move + (1 << 63)) % (1 << 64) - (1 << 63)


def fields(view: Any) -> dict[str, Any]:
    """Return what is in a view, to be compared; its bytes hold gaps, and those anything."""
    return {name: np.asarray(view[name]).tolist() for name in view.dtype.names}


# ---- where every card is --------------------------------------------------------------------------------


def names(counts: Any) -> Counter[str]:
    """Return a group of cards as the engine counts it: six numbers, each of five fields of four bits."""
    found: Counter[str] = Counter()
    for number, count in enumerate(counts):
        assert 0 <= int(count) < 1 << 20
        for suit, letter in enumerate(twin.SUITS):
            found[f"{letter}{number + 1}"] = int(count) >> (4 * suit) & 15
    return +found


def assert_conserved(table: Table) -> None:
    """Check that every card of the pack is in exactly one place."""
    state, view, players = table.state, table.state["view"], table.draft.players
    hands = [names(state["hands"][seat]) for seat in range(players)]
    seen = names(view["area"]) + names(view["gone"]) + sum(hands, Counter[str]())
    seen.update(table.inspect()["stock"])
    if state["turned"] >= 0:
        turned = np.zeros(len(twin.NUMBERS), np.int64)
        turned[int(state["turned"]) // 32] = 1 << int(state["turned"]) % 32
        seen += names(turned)
    assert seen == Counter(twin.PACK), seen - Counter(twin.PACK)
    assert int(view["area_size"]) == names(view["area"]).total()
    assert int(view["stock"]) == len(table.inspect()["stock"])
    for seat in range(players):
        assert int(view["held"][seat]) == hands[seat].total(), seat
        assert names(view["known"][seat]) <= hands[seat], seat
    for seat in range(players, len(view["held"])):
        assert not view["held"][seat]
        assert not state["hands"][seat].any()
    laid = Counter(card for own in table.inspect()["sets"] for group in own for card in group.split())
    assert laid <= names(view["gone"])
    assert int(view["won"].sum()) <= names(view["gone"]).total() - laid.total()


class Known:
    """Follows which cards everybody knows to be in a hand: taken from the area and not put down since.

    Cards alike are not told apart: the one that leaves a hand is taken to be the one that was seen.
    """

    def __init__(self, players: int) -> None:
        self.cards = [Counter[str]() for _ in range(players)]

    def move(self, seat: int, text: str) -> None:
        """Note a move, as the twin takes it apart."""
        if text in ("keep", "release"):
            return
        move = twin.parse(text)
        for card in move.cards:
            if self.cards[seat][card]:
                self.cards[seat][card] -= 1
        if move.taken:
            self.cards[seat][move.taken] += 1

    def texts(self) -> list[str]:
        """Return the known cards of each hand, in order."""
        return [" ".join(twin.in_order(cards.elements())) for cards in self.cards]
