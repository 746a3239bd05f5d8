"""Re-dealing 9 Peak: from what a seat sees to a whole state, with all that is hidden drawn anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sim.drafts import Draft
from sim.table import Table
from tests import support
from tests import support_ninepeak as ninepeak
from tests.reference import ninepeak as twin

LEVEL = 1e-4  # of each chi-square test; the seeds are fixed, so a test that passes goes on passing

DRAW = {"no_joker": "draw_to_hand"}
DRAFTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "draft11": ({}, {}),
    "three, long hands": ({"players": 3, "hand_size": 20}, {}),
    "five, no stock": ({"players": 5, "hand_size": 14, "area_size": 8}, {"early_finish": "recolour"}),
    "tiny hands": ({"players": 5, "hand_size": 2, "area_size": 12}, {}),
    "draw": ({"players": 3}, DRAW),
    "draw, five": ({"players": 5, "hand_size": 6, "area_size": 0}, DRAW),
}
NAMES = list(DRAFTS)


def draft(name: str) -> Draft:
    return ninepeak.draft_of(*DRAFTS[name])


def redealt(table: Table, stream: Any, fill: int = 0) -> Any:
    """Return a state for what the seat to move of a table sees; `fill` is what the state held before."""
    state = np.frombuffer(bytes([fill]) * table.state.dtype.itemsize, dtype=table.state.dtype).copy()[0]
    ninepeak.ENGINE.redeal(table.view(), table.rules, stream, state)
    return state


def seated(table: Table, state: Any) -> Table:
    """Return a table in a state."""
    other = table.copy()
    other.state = state
    return other


def positions(draft: Draft, seed: int) -> Iterator[Table]:
    """Yield a table at every decision of a random match."""
    table, dice = Table(draft, seed=seed), random.Random(seed)
    while not table.over:
        yield table
        table.apply(ninepeak.random_move(table, dice))


def hidden(table: Table) -> Counter[str]:
    """Return the cards whose place the seat to move does not know, from the cards as they lie."""
    seen = table.inspect()
    cards: Counter[str] = Counter(seen["stock"])
    for seat in range(table.draft.players):
        if seat != table.to_move:
            cards.update(seen["hands"][seat].split())
            cards.subtract(seen["known"][seat].split())
    return +cards


def missing(table: Table) -> dict[int, int]:
    """Return of each other seat how many cards of its hand are not known."""
    seen = table.inspect()
    return {
        seat: len(seen["hands"][seat].split()) - len(seen["known"][seat].split())
        for seat in range(table.draft.players)
        if seat != table.to_move
    }


def reach(name: str, number: int, *, phase: str = "turn", known: int = 0) -> Table:
    """Return a position after some decisions, of a phase, with cards known of others if need be."""
    for seed in range(100):
        for count, table in enumerate(positions(draft(name), seed)):
            seen = table.inspect()
            told = sum(len(seen["known"][seat].split()) for seat in missing(table))
            if (
                count >= number
                and seen["phase"] == phase
                and told >= known
                and sum(missing(table).values()) > 1
            ):
                return table.copy()
    raise AssertionError(f"no such position in 100 matches: {name}, {phase}")


def check(table: Table, state: Any) -> None:
    """Check a state that was dealt for the seat to move of a table."""
    view, me = table.view(), table.to_move
    other = seated(table, state)
    assert ninepeak.fields(state["view"]) == ninepeak.fields(view) == ninepeak.fields(other.view(me))
    ninepeak.assert_conserved(other)
    ours, seen = other.inspect(), table.inspect()
    for key in ("hands", "stock", "scores", "events", "vp", "set_points"):
        del ours[key], seen[key]
    assert ours == seen
    assert ninepeak.names(state["hands"][me]) == ninepeak.names(table.state["hands"][me])
    assert hidden(other) == hidden(table)
    assert missing(other) == missing(table)
    for field in ("tally", "seat_tally", "shapes", "jokers_dealt"):
        assert not state[field].any(), field


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", NAMES)
def test_a_redealt_state_looks_the_same_to_the_seat_that_asked(name: str) -> None:
    stream = support.new_stream(7, 0, 2, 0)
    phases, known = set(), 0
    for seed in range(3):
        for table in positions(draft(name), seed):
            phases.add(table.inspect()["phase"])
            known += sum(map(len, table.inspect()["known"]))
            check(table, redealt(table, stream))
    assert phases == ({"turn", "keep"} if "draw" in name else {"turn"})
    assert known > 0


@pytest.mark.parametrize("name", NAMES)
def test_only_the_view_is_read(name: str) -> None:
    """The same stream gives the same state, whatever the state held before and whatever was really hidden."""
    for number, table in enumerate(positions(draft(name), 3)):
        states = [redealt(table, support.new_stream(5, number, 2, 0), fill) for fill in (0, 1, 255)]
        # From another state with the same view: a redeal of the redeal.
        other = seated(table, redealt(table, support.new_stream(6, number, 2, 0)))
        states.append(redealt(other, support.new_stream(5, number, 2, 0)))
        for state in states[1:]:
            assert seated(table, state).inspect() == seated(table, states[0]).inspect()
            for field in ("dealt", "turned", "tally", "seat_tally", "shapes", "jokers_dealt"):
                assert np.array_equal(state[field], states[0][field]), field


@pytest.mark.parametrize("name", NAMES)
def test_play_goes_on_from_a_redealt_state(name: str) -> None:
    """To the end, and as the twin has it from there on."""
    dice = random.Random(name)
    stream = support.new_stream(9, 0, 2, 0)
    branches = 0
    for number, table in enumerate(positions(draft(name), 2)):
        if dice.random() < 0.5:
            branch = seated(table, redealt(table, stream))
            match = continued(branch)
            while not branch.over:
                move = ninepeak.random_move(branch, dice)
                said = branch.move_text(move)
                assert branch.count_moves() == match.count_legal()
                branch.apply(move)
                match.apply(said)
                ninepeak.assert_conserved(branch)
            assert match.over
            assert branch.inspect()["scores"] == match.scores, number
            wins, scores = np.zeros(match.n, np.int64), np.zeros(match.n, np.int64)
            assert ninepeak.ENGINE.result(branch.state, branch.rules, wins, scores) == match.tie
            assert list(wins) == [ninepeak.ENGINE.WIN * (seat == match.winner) for seat in range(match.n)]
            assert list(scores) == match.scores
            branches += 1
    assert branches > 2


def continued(table: Table) -> twin.Match:
    """Return a twin that goes on from where a table is, a question about the card turned up included."""
    seen = table.inspect()
    match = twin.Match.from_position(
        table.draft.tables(),
        **{key: seen[key] for key in ("hands", "area", "peaks", "sets", "won", "stock")},
        to_move=next(seat for seat in range(table.draft.players) if seen["hands"][seat]),
        last_round=bool(table.state["view"]["last_round"]),
    )
    match.to_move = seen["to_move"]
    if seen["turned"]:
        match.turned, match.phase = seen["turned"], "keep"
        match.discarded.remove(seen["turned"])
    return match


def test_what_is_hidden_varies() -> None:
    for name in NAMES:
        table = reach(name, 2)
        stream = support.new_stream(11, 0, 2, 0)
        seen = [seated(table, redealt(table, stream)).inspect() for _ in range(50)]
        assert len({str(one["hands"]) for one in seen}) > 40, name
        assert len({str(one["stock"]) for one in seen}) == (1 if name == "five, no stock" else 50), name


# ---- uniform --------------------------------------------------------------------------------------------

DRAWS = 4000


@pytest.mark.parametrize(
    ("name", "number", "phase", "known"),
    [
        ("draft11", 0, "turn", 0),
        *((name, 7, "turn", 0) for name in NAMES),
        *((name, 12, "turn", 2) for name in NAMES if name != "tiny hands"),
        *((name, 9, "keep", known) for name in ("draw", "draw, five") for known in (0, 1)),
    ],
)
def test_every_hidden_card_is_equally_likely_in_every_place(
    name: str, number: int, phase: str, known: int
) -> None:
    table = reach(name, number, phase=phase, known=known)
    pool, sizes = hidden(table), missing(table)
    stream = support.new_stream(13, 0, 2, 0)
    found: dict[str, Counter[str]] = {}
    for _ in range(DRAWS):
        seen = seated(table, redealt(table, stream)).inspect()
        for seat in sizes:
            counts = found.setdefault(f"hand {seat}", Counter())
            counts.update(seen["hands"][seat].split())
            counts.subtract(seen["known"][seat].split())
        if seen["stock"]:
            found.setdefault("next", Counter()).update(seen["stock"][:1])
            found.setdefault("last", Counter()).update(seen["stock"][-1:])
            found.setdefault("stock", Counter()).update(seen["stock"])
    assert len(found) >= 2
    for place, counts in found.items():
        inside, total = counts.total() // DRAWS, pool.total()
        assert counts.total() == inside * DRAWS
        assert set(+counts) <= set(pool)
        if inside in (0, total):
            continue
        # Drawn without return, so the counts vary less than if each card came on its own.
        expected = {card: DRAWS * inside * count / total for card, count in pool.items()}
        statistic = sum((counts[card] - wanted) ** 2 / wanted for card, wanted in expected.items())
        statistic *= (total - 1) / (total - inside)
        p = float(support.stats.chi2.sf(statistic, len(pool) - 1))
        assert p > LEVEL, f"{place}: p = {p}"


def nearly_done(hands: list[str], stock: str, moves: tuple[str, ...] = (), **scoring: Any) -> Table:
    """Return a position of three in which nothing is hidden but what is named: all others lie in sets."""
    rest = Counter(twin.PACK)
    rest.subtract(" ".join([*hands, stock]).split())
    cards = list(rest.elements())
    sets = [" ".join(cards[at : at + 9]) for at in range(0, len(cards), 9)]
    fields = {"hands": hands, "stock": stock, "sets": [sets, [], []], "to_move": 1}
    table = Table.from_position(ninepeak.draft_of({"players": 3}, scoring), fields)
    for move in moves:
        table.play(move)
    return table


@pytest.mark.parametrize(
    ("hands", "stock", "moves", "scoring", "expected"),
    [
        # Seat 1 sees its own hand alone: two hidden cards in hand 0, one in hand 2, two in the stock.
        (["S4 H4", "S5", "S6"], "D4 C4", (), {}, 10 * 3 * 2),
        # Cards alike are two cards: the more likely for it, one arrangement as text.
        (["S4 S4", "S5", "S4"], "D4 C4", (), {}, None),
        (["S4 S4", "S5", "H4"], "H4 H4 J6", (), {}, None),
        # Seat 2 is asked: seat 1 has taken a card that everybody saw.
        (["S4 H4", "S5 D6 C6", "S6"], "D4 C4", ("pass S5 D6 take D6",), {}, 10 * 3 * 2),
        # Seat 2 is asked; seat 1 has looked at a card and kept it: nobody else knows which.
        (["H4", "S1 D6", "S6"], "D4 C4", ("play 1: S1", "keep"), DRAW, 4 * 3),
        # Seat 1 is asked about the card turned up, which it sees.
        (["S4 H4", "S1 D6", "S6"], "D4 C4", ("play 1: S1",), DRAW, 4 * 3),
    ],
)  # fmt: skip
def test_whole_arrangements_are_equally_likely(
    hands: list[str], stock: str, moves: tuple[str, ...], scoring: dict[str, Any], expected: int | None
) -> None:
    """Not place by place but all at once, the order of the stock included: as often as cards can lie so."""
    table = nearly_done(hands, stock, moves, **scoring)
    pool, sizes = list(hidden(table).elements()), missing(table)
    wanted: Counter[Any] = Counter()
    for order in permutations(pool):
        left = list(order)
        dealt = [tuple(twin.in_order(left.pop() for _ in range(size))) for size in sizes.values()]
        wanted[(*dealt, tuple(left))] += 1
    assert expected in (None, len(wanted))
    stream = support.new_stream(17, 0, 2, 0)
    counts: Counter[Any] = Counter()
    for _ in range(DRAWS):
        seen = seated(table, redealt(table, stream)).inspect()
        dealt = []
        for seat in sizes:
            cards = Counter(seen["hands"][seat].split())
            cards.subtract(seen["known"][seat].split())
            dealt.append(tuple(twin.in_order(cards.elements())))
        counts[(*dealt, tuple(seen["stock"]))] += 1
    assert set(counts) == set(wanted)
    ways = wanted.total()
    chances = [DRAWS * wanted[key] / ways for key in wanted]
    assert support.chi_square_p([counts[key] for key in wanted], chances) > LEVEL
