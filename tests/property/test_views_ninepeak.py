"""What a player of 9 Peak sees: nothing of what is hidden, and all cards that everybody saw go into a hand."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sim.drafts import Draft
from sim.table import Table
from tests import support_ninepeak as ninepeak
from tests.reference import ninepeak as twin

DRAW = {"no_joker": "draw_to_hand"}
DRAFTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "draft11": ({"area_size": 2}, {}),
    "three, long hands": ({"players": 3, "hand_size": 20, "area_size": 2}, {"early_finish": "recolour"}),
    "five, no stock": ({"players": 5, "hand_size": 15, "area_size": 2}, {}),
    "tiny hands": ({"players": 5, "hand_size": 2, "area_size": 2}, {}),
    "draw": ({"players": 3, "hand_size": 9, "area_size": 0}, DRAW),
    "draw, five": ({"players": 5, "hand_size": 6, "area_size": 2}, DRAW),
}
"""Areas too small for a peak at the start: so each deal can be set up as a position."""


class Deal:
    """A deal as the cards of its places: ``area``, one for each hand, and the stock."""

    def __init__(self, draft: Draft, pack: list[str]) -> None:
        self.draft = draft
        rules = draft.options.rules
        cuts = [rules.area_size + seat * rules.hand_size for seat in range(rules.players + 1)]
        self.area, self.stock = pack[: cuts[0]], pack[cuts[-1] :]
        self.hands = [pack[cut : cut + rules.hand_size] for cut in cuts[:-1]]

    def table(self) -> Table:
        """Return a table at the start of a match of this deal."""
        hands = [" ".join(hand) for hand in self.hands]
        fields = {"hands": hands, "area": " ".join(self.area), "stock": " ".join(self.stock)}
        return Table.from_position(self.draft, fields)

    def match(self) -> twin.Match:
        """Return its twin."""
        return twin.Match(self.draft.tables(), area=self.area, hands=self.hands, stock=self.stock)


def played(deal: Deal, dice: random.Random) -> list[tuple[int, str]]:
    """Play a match at random; return its moves and who made them."""
    table, moves = deal.table(), []
    while not table.over:
        move = ninepeak.random_move(table, dice)
        moves.append((table.to_move, table.move_text(move)))
        table.apply(move)
    return moves


def other_deal(deal: Deal, moves: list[tuple[int, str]], seat: int, dice: random.Random) -> Deal:
    """Return a deal that differs only in what `seat` does not know after these moves.

    Places whose cards may change: those of the cards that the others still hold and nobody has seen, the cards
    they kept from the stock included, and the rest of the stock.
    """
    match, known = deal.match(), ninepeak.Known(len(deal.hands))
    kept: dict[int, list[int]] = {}
    for mover, said in moves:
        if said == "keep":
            kept.setdefault(mover, []).append(len(deal.stock) - len(match.stock) - 1)
        known.move(mover, said)
        match.apply(said)
    stock, hands = list(deal.stock), [list(hand) for hand in deal.hands]
    drawn = len(deal.stock) - len(match.stock)
    if match.phase == "keep" and match.to_move != seat:
        drawn -= 1  # somebody else looks at the last one
    free = [(stock, place) for place in range(drawn, len(stock))]
    for other, hand in enumerate(hands):
        if other == seat:
            continue
        unseen = list(match.hands[other])
        for card in known.cards[other].elements():
            unseen.remove(card)
        # Cards alike left the hand in the order they came, so those held are the latest.
        sources = [(stock, place) for place in reversed(kept.get(other, []))]
        for row, place in [*sources, *((hand, place) for place in range(len(hand)))]:
            if row[place] in unseen:
                unseen.remove(row[place])
                free.append((row, place))
        assert not unseen
    drawn_anew = dice.sample([row[place] for row, place in free], len(free))
    for (row, place), card in zip(free, drawn_anew, strict=True):
        row[place] = card
    found = Deal.__new__(Deal)
    found.draft, found.area, found.stock, found.hands = deal.draft, deal.area, stock, hands
    return found


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", DRAFTS)
def test_what_a_player_cannot_tell_apart_looks_the_same(name: str) -> None:
    """Two matches of other hands and another stock, the same to one player as far as they go."""
    draft, dice = ninepeak.draft_of(*DRAFTS[name]), random.Random(name)
    differed = kept = 0
    for seed in range(12):
        deal = Deal(draft, random.Random(f"{name} {seed}").sample(twin.PACK, len(twin.PACK)))
        moves = played(deal, dice)
        for seat in range(draft.players):
            so_far = moves[: dice.randint(0, len(moves))]
            other = other_deal(deal, so_far, seat, dice)
            tables, matches = (deal.table(), other.table()), (deal.match(), other.match())
            for number in range(len(so_far) + 1):
                first, second = (match.information(seat) for match in matches)
                assert first == second
                first, second = (ninepeak.fields(table.view(seat)) for table in tables)
                assert first == second, (seed, seat, number)
                for watcher in range(draft.players):
                    if matches[0].hands[watcher] != matches[1].hands[watcher]:
                        assert watcher != seat
                        views = [table.view(watcher)["hand"] for table in tables]
                        same = sorted(matches[0].hands[watcher]) == sorted(matches[1].hands[watcher])
                        assert (list(views[0]) == list(views[1])) == same
                        differed += not same
                if number < len(so_far):
                    mover, said = so_far[number]
                    kept += said == "keep" and mover != seat
                    for table, match in zip(tables, matches, strict=True):
                        table.play(said, mover)
                        match.apply(said)
    assert differed > 100
    assert (kept > 0) == ("draw" in name)


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", DRAFTS)
def test_views_of_everybody(name: str) -> None:
    """The own hand to each, what lies open to all, moves and the card turned up to the seat to move alone."""
    draft, dice = ninepeak.draft_of(*DRAFTS[name]), random.Random(name)
    questions = 0
    for seed in range(2):
        table, known = Table(draft, seed=seed), ninepeak.Known(draft.players)
        while True:
            seen, mover = table.inspect(), table.to_move
            questions += seen["phase"] == "keep"
            for seat in range(draft.players):
                before = table.state.tobytes()
                view = table.view(seat)
                assert table.state.tobytes() == before
                assert (view["seat"], view["players"], view["round"]) == (mover, draft.players, seen["round"])
                hand = seen["hands"][seat].split()
                assert sorted(ninepeak.names(view["hand"]).elements()) == sorted(hand)
                sets = seen["sets"][seat]
                assert view["smallest"] == (len(sets[-1].split()) if sets else 1)
                assert int(view["count"]) == (table.count_moves() if seat == mover else 0)
                turned = seen["turned"] if seat == mover else ""
                assert int(view["turned"]) == (code_of(turned) if turned else -1)
                assert list(view["held"])[: draft.players] == [len(one.split()) for one in seen["hands"]]
                assert int(view["stock"]) == len(seen["stock"])
                for other in range(draft.players):
                    assert ninepeak.names(view["known"][other]) == +known.cards[other]
                    own = [cards.split() for cards in seen["sets"][other]]
                    assert int(view["sets"][other]) == len(own)
                    assert int(view["last_size"][other]) == (len(own[-1]) if own else 0)
                    jokers = sum(card[0] == "J" for cards in own for card in cards)
                    assert int(view["jokers"][other]) == jokers
                    assert int(view["set_vp"][other]) == sum(seen["set_points"][other])
                    assert int(view["won"][other]) == seen["won"][other]
            if table.over:
                break
            move = ninepeak.random_move(table, dice)
            known.move(mover, table.move_text(move))
            table.apply(move)
    assert (questions > 0) == ("draw" in name)


def code_of(card: str) -> int:
    """Return a card as a view writes it: 32 × (number − 1) + 4 × suit."""
    return 32 * (int(card[1]) - 1) + 4 * twin.SUITS.index(card[0])


def test_the_gain_of_a_recoloured_card_is_open_to_all() -> None:
    """It comes from the sets, which lie open."""
    draft = ninepeak.draft_of({"players": 3}, {"early_finish": "recolour", "different": 0})
    sets = [["S1 H1", "S2 S3 H2 C5 J1"], [], ["D1"]]
    fields = {"hands": ["S1", "S4", "S4"], "sets": sets}
    _, scoring = twin.settle(draft.tables())
    gains = [twin.recolour_gain([cards.split() for cards in own], scoring) for own in sets]
    assert gains[0] > 0
    for seat in range(3):
        view = Table.from_position(draft, fields).view(seat)
        assert [int(gain) for gain in view["recolour"][:3]] == gains
