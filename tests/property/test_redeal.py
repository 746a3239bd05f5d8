"""Re-dealing: from what a seat sees to a whole state, with all that is hidden drawn anew."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim import cards
from sim.drafts import Draft
from sim.table import Table
from sim.uplink.state import LEAVE, PLAY, PUT
from tests import support

LEVEL = 1e-4  # of each chi-square test; the seeds are fixed, so a test that passes goes on passing

DRAFTS = {
    "base": {},
    "personal": {"variant": "personal_decks"},
    "two": {"players": 2, "hand_size": 12, "games": 4, "left_behind": 2},
    "three": {"players": 3, "left_behind": 0, "games": 5, "next_lead": "rotate"},
    "personal two": {"players": 2, "variant": "personal_decks", "left_behind": 2, "hand_size": 4, "games": 6},
    "personal three": {"players": 3, "variant": "personal_decks", "hand_size": 6, "games": 2},
    "field of all": {"players": 4, "left_behind": 4, "hand_size": 5, "games": 3},
}
NAMES = list(DRAFTS)


def redealt(table: Table, stream: Any, fill: int = 0) -> Any:
    """Return a state for what the seat to move of a table sees; `fill` is what the state held before."""
    state = np.frombuffer(bytes([fill]) * table.state.dtype.itemsize, dtype=table.state.dtype).copy()[0]
    support.ENGINE.redeal(table.view(), table.rules, stream, state)
    return state


def at(draft: Draft, seed: int, steps: int) -> Table:
    """Return a match after some random moves."""
    table, dice = Table(draft, seed=seed), random.Random(seed)
    for _ in range(steps):
        table.apply(support.random_move(table, dice))
    return table


def look(state: Any, table: Table, seat: int) -> bytes:
    """Return what a seat sees of a state."""
    views = np.zeros(1, support.UPLINK.state.VIEW)
    support.ENGINE.observe(state, table.rules, seat, views)
    return views.tobytes()


def unseen(table: Table) -> int:
    """Return the cards whose place the seat to move does not know."""
    view = table.view()
    known = int(view["hand"]) | int(view["field"]) | int(view["trick_cards"]) | int(view["out"])
    for seat in range(table.draft.players):
        known |= int(view["piles"][seat])
    return support.owned(table.draft) & ~known


def check(table: Table, state: Any) -> None:
    view, me, personal = table.view(), table.to_move, table.draft.options.rules.variant != "none"
    assert state["view"].tobytes() == view.tobytes()
    assert look(state, table, me) == view.tobytes()
    support.assert_conserved(state, table.draft)
    assert state["hands"][me] == table.state["hands"][me]
    for seat in range(table.draft.players):
        hand = int(state["hands"][seat])
        assert hand.bit_count() == view["held"][seat]
        if seat != me:
            assert hand & ~unseen(table) == 0
        if personal:
            assert hand & ~cards.suit_mask(seat) == 0
            assert all(card % 4 == seat for card in support.deck_rows(state)[seat])
        put = int(state["put"][seat])
        if view["phase"] == PUT and seat < view["turn"]:
            assert put.bit_count() == 1
            assert put & ~hand == 0
        else:
            assert put == 0
    # Each stock keeps its size: no card wanders between the decks.
    assert [len(row) for row in support.deck_rows(state)] == [
        len(row) for row in support.deck_rows(table.state)
    ]
    assert not state["tally"].any()


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", NAMES)
def test_a_redealt_state_looks_the_same_to_the_seat_that_asked(name: str) -> None:
    draft, dice = support.draft_of(DRAFTS[name]), random.Random(name)
    stream = support.new_stream(7, 0, 2, 0)
    phases = set()
    for deal in range(3):
        table = Table(draft, seed=1, deal=deal)
        while not table.over:
            phases.add(int(table.state["view"]["phase"]))
            check(table, redealt(table, stream))
            table.apply(support.random_move(table, dice))
    assert phases == {PUT, PLAY, LEAVE}


@pytest.mark.parametrize("name", NAMES)
def test_only_the_view_is_read(name: str) -> None:
    """The same stream gives the same state, whatever the state held before and whatever was really hidden."""
    draft, dice = support.draft_of(DRAFTS[name]), random.Random(name)
    table = Table(draft, seed=3)
    number = 0
    while not table.over:
        number += 1
        states = [redealt(table, support.new_stream(5, number, 2, 0), fill) for fill in (0, 1, 255)]
        # From another state with the same view: a redeal of the redeal.
        other = table.copy()
        other.state = redealt(table, support.new_stream(6, number, 2, 0))
        states.append(redealt(other, support.new_stream(5, number, 2, 0)))
        for state in states[1:]:
            for field in ("hands", "put", "dealt", "deck_size", "seed", "deal", "tally"):
                assert np.array_equal(state[field], states[0][field]), field
            assert support.deck_rows(state) == support.deck_rows(states[0])
        table.apply(support.random_move(table, dice))


@pytest.mark.parametrize("name", NAMES)
def test_play_goes_on_from_a_redealt_state(name: str) -> None:
    draft, dice = support.draft_of(DRAFTS[name]), random.Random(name)
    stream = support.new_stream(9, 0, 2, 0)
    table = Table(draft, seed=2)
    while not table.over:
        if dice.random() < 0.4:
            branch = table.copy()
            branch.state = redealt(table, stream)
            before = [int(score) for score in table.state["view"]["scores"]]
            support.play_out(branch, dice)
            left = draft.options.rules.games - int(table.state["view"]["game"]) + 1
            bound = left * 80  # no pile of default points is worth more in a game
            after = [int(score) for score in branch.state["view"]["scores"]]
            assert all(abs(x - y) <= bound for x, y in zip(before, after, strict=True))
            wins, scores = np.zeros(draft.players, np.int64), np.zeros(draft.players, np.int64)
            support.ENGINE.result(branch.state, branch.rules, wins, scores)
            assert wins.sum() == support.ENGINE.WIN
            assert list(scores) == after[: draft.players]
        table.apply(support.random_move(table, dice))


def test_what_is_hidden_varies_and_so_does_the_chance_to_come() -> None:
    for name in NAMES:
        table = at(support.draft_of(DRAFTS[name]), 4, support.draft_of(DRAFTS[name]).players + 1)
        stream = support.new_stream(11, 0, 2, 0)
        states = [redealt(table, stream) for _ in range(50)]
        others = [seat for seat in range(table.draft.players) if seat != table.to_move]
        assert len({tuple(int(state["hands"][seat]) for seat in others) for state in states}) > 30, name
        assert len({str(support.deck_rows(state)) for state in states}) == 50, name
        assert len({(int(state["seed"]), int(state["deal"])) for state in states}) == 50, name
        assert all(state["seed"] >= 0 and state["deal"] >= 0 for state in states)


# ---- uniform --------------------------------------------------------------------------------------------

DRAWS = 6000


def places_of(table: Table, state: Any) -> dict[str, list[int]]:
    """Return the hidden places of a state and the cards in them."""
    found = {
        f"hand {seat}": cards.members(int(state["hands"][seat]))
        for seat in range(table.draft.players)
        if seat != table.to_move
    }
    for row, deck in enumerate(support.deck_rows(state)):
        if deck:
            found |= {f"next of {row}": deck[:1], f"last of {row}": deck[-1:], f"deck {row}": deck}
    for seat in range(table.draft.players):
        if state["put"][seat]:
            found[f"put {seat}"] = cards.members(int(state["put"][seat]))
    return {place: inside for place, inside in found.items() if inside}


@pytest.mark.parametrize(
    ("name", "steps"), [(name, steps) for name in NAMES for steps in ("put", "play", "late")]
)
def test_every_hidden_card_is_equally_likely_in_every_place(name: str, steps: str) -> None:
    draft = support.draft_of(DRAFTS[name])
    rules = draft.options.rules
    count = {
        "put": draft.players - 1,
        "play": draft.players + 2,
        "late": draft.players + (draft.players + 1) * (rules.hand_size + rules.hand_size // 2),
    }[steps]
    table = at(draft, 8, count)
    assert not table.over
    stream = support.new_stream(13, 0, 2, 0)
    seen: dict[str, Counter[int]] = {}
    sizes: dict[str, int] = {}
    for _ in range(DRAWS):
        for place, inside in places_of(table, redealt(table, stream)).items():
            seen.setdefault(place, Counter()).update(inside)
            sizes[place] = len(inside)
    assert seen
    personal = rules.variant != "none"
    for place, counts in seen.items():
        pool = cards.members(unseen(table) & (cards.suit_mask(int(place[-1])) if personal else cards.PACK))
        assert set(counts) <= set(pool)
        share = sizes[place] / len(pool)
        if share == 1:
            assert set(counts.values()) == {DRAWS}
            continue
        # Drawn without return, so the counts vary less than if each card came on its own.
        spread = DRAWS * share * (1 - share) * len(pool) / (len(pool) - 1)
        statistic = sum((counts[card] - DRAWS * share) ** 2 for card in pool) / spread
        p = float(support.stats.chi2.sf(statistic, len(pool) - 1))
        assert p > LEVEL, f"{place}: p = {p}"


def test_whole_arrangements_are_equally_likely() -> None:
    """Not place by place but all at once, where there are few enough: 3 cards unseen, so 3! states."""
    table = Table.from_position(
        support.draft_of({"players": 2, "hand_size": 5, "variant": "personal_decks", "games": 2}),
        {
            "hands": ["S3", "H3"],
            "game": 2,
            "field": "S4 H4",
            "piles": ["S5 S6 S7 S8 H5 H6", "H7 H8"],
            "stock": "H9 H10",
        },
    )
    assert table.to_move == 0
    assert unseen(table) & cards.suit_mask(1) == cards.mask_of(cards.parse("H3 H9 H10"))
    stream = support.new_stream(17, 0, 2, 0)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(DRAWS):
        state = redealt(table, stream)
        counts[(int(state["hands"][1]), *support.deck_rows(state)[1])] += 1
    assert len(counts) == 6
    assert support.chi_square_p(list(counts.values()), DRAWS / 6) > LEVEL


def test_the_put_out_of_others_is_drawn_apart_from_their_hand() -> None:
    """A put-out card is one of its owner's hand, each equally likely, and not always the lowest of it."""
    table = at(support.draft_of(), 21, 3)
    assert table.state["view"]["phase"] == PUT
    stream = support.new_stream(19, 0, 2, 0)
    places: list[Counter[int]] = [Counter() for _ in range(3)]
    for _ in range(DRAWS):
        state = redealt(table, stream)
        for seat in range(3):
            hand = cards.members(int(state["hands"][seat]))
            places[seat][hand.index(cards.members(int(state["put"][seat]))[0])] += 1
    for counts in places:
        assert support.chi_square_p([counts[place] for place in range(6)], DRAWS / 6) > LEVEL
