"""Re-dealing Daifugō: from what a player sees to a whole state, with all that is hidden drawn anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sim import cards
from sim.daifugo import deal
from sim.daifugo.state import ANSWER, DISCARD, EXCHANGE, GIVE, NAME, PLAY
from sim.drafts import Draft
from sim.table import Table
from tests import support
from tests import support_daifugo as daifugo
from tests.lockstep import daifugo_mixes

LEVEL = 1e-4  # of each chi-square test; the seeds are fixed, so a test that passes goes on passing
PHASES = {
    PLAY: "play",
    ANSWER: "answer",
    GIVE: "give",
    DISCARD: "discard",
    NAME: "name",
    EXCHANGE: "exchange",
}
BLIND_GIFTS = {"rich_see_first": False, "games": 3}

RULES: dict[str, dict[str, Any]] = {
    "author": {"games": 3},
    "two": {"players": 2, "games": 3, "jokers": 1},
    "eight": {"players": 8, "games": 3, "exchange": [3, 2]},
    "blind cards": {"blind_cards": 2, "games": 3, "players": 5},
    "blind gifts": BLIND_GIFTS,
    "blind gifts of five": {**BLIND_GIFTS, "players": 5, "exchange": [4, 2], "leader_may_pass": True},
    "classes": {"miyako_ochi": True, "gekokujo": True, "tenpen_chii": True, "games": 6},
    "locked out": {"pass_lockout": True, "clear_when": "all_passed", "sandstorm_stops_cut": True, "games": 3},
}
NAMES = list(RULES)


def redealt(table: Table, stream: Any, fill: int = 0) -> Any:
    """Return a state for what the player to move of a table sees; `fill` is what the state held before."""
    state = np.frombuffer(bytes([fill]) * table.state.dtype.itemsize, dtype=table.state.dtype).copy()[0]
    daifugo.ENGINE.redeal(table.view(), table.rules, stream, state)
    return state


def look(state: Any, table: Table) -> bytes:
    """Return what the player to move of a table sees of a state."""
    views = np.zeros(1, daifugo.GAME.state.VIEW)
    daifugo.ENGINE.observe(state, table.rules, table.to_move, views)
    return views.tobytes()


def positions(draft: Draft, seed: int, eager: float = 0.7) -> Iterator[Table]:
    """Yield a table at every decision of a random match."""
    table, dice = Table(draft, seed=seed), random.Random(seed)
    while not table.over:
        yield table
        table.apply(daifugo.random_move(table, dice, eager))


def fallen(table: Table) -> bool:
    """Tell whether a daifugō has fallen in this game (D40): then a hand was laid aside."""
    aside, jokers = daifugo.assert_conserved(table.state, table.draft)
    return aside.bit_count() + jokers > table.draft.options.rules.blind_cards


def check(table: Table, state: Any) -> None:
    """Check a state that was dealt for the player to move of a table."""
    view, me = table.view(), table.to_move
    assert state["view"].tobytes() == view.tobytes()
    assert look(state, table) == view.tobytes()
    aside, jokers = daifugo.assert_conserved(state, table.draft)
    true_aside, true_jokers = daifugo.assert_conserved(table.state, table.draft)
    assert aside.bit_count() + jokers == true_aside.bit_count() + true_jokers
    if not fallen(table):
        # Blind cards are neither jokers nor ♦3 (D4).
        assert jokers == 0
        assert not aside & cards.mask_of(cards.parse("D3"))
    assert (state["hands"][me], state["jokers"][me]) == (view["hand"], view["jokers"])
    for player in range(table.draft.players):
        if player != me and not view["places"][player]:
            assert int(view["known"][player]) & ~int(state["hands"][player]) == 0
    for gift in range(int(view["gifts"])):
        poor, count = int(view["gift_poor"][gift]), int(view["gift_count"][gift])
        given = (int(state["gift_cards"][gift]), int(state["gift_jokers"][gift]))
        assert given[0].bit_count() + given[1] == count
        if not table.draft.options.rules.rich_see_first:
            best = deal.best_cards(int(state["hands"][poor]), int(state["jokers"][poor]), count)
            assert given == tuple(int(part) for part in best)
    assert not state["tally"].any()
    assert not state["seat_tally"].any()


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("name", NAMES)
def test_a_redealt_state_looks_the_same_to_the_player_who_asked(name: str) -> None:
    draft = daifugo.draft_of(RULES[name])
    stream = support.new_stream(7, 0, 2, 0)
    phases = set()
    for table in positions(draft, 1):
        phases.add(int(table.state["view"]["phase"]))
        check(table, redealt(table, stream))
    assert {PLAY, EXCHANGE, GIVE, DISCARD, NAME} <= phases


def test_a_redealt_state_looks_the_same_after_a_fall() -> None:
    """What the others knew to be in the hand of a daifugō who fell is in no hand any more (D40)."""
    stream = support.new_stream(8, 0, 2, 0)
    draft = daifugo.draft_of({"miyako_ochi": True, "games": 8, "bomber": False})
    known = 0
    for seed in range(12):
        for table in positions(draft, seed):
            if fallen(table):
                known += bool(table.view()["known"].any())
                check(table, redealt(table, stream))
    assert known > 0


@pytest.mark.parametrize("chunk", range(4))
def test_redealing_in_random_mixes(chunk: int) -> None:
    """Looks the same in any mix of options, and can be played to the end within the bound."""
    stream = support.new_stream(9, chunk, 2, 0)
    dice = random.Random(f"redeal {chunk}")
    for number in range(chunk, 60, 4):
        rules, ranks, eager, _ = daifugo_mixes.mix(number)
        draft = daifugo.draft_of(rules, ranks)
        settled = draft.options.rules
        for table in positions(draft, number, eager):
            state = redealt(table, stream)
            check(table, state)
            if dice.random() < 0.08:
                branch = table.copy()
                branch.state = state
                games = settled.games - int(table.state["view"]["game"]) + 1
                decisions = daifugo.play_out(branch, dice, eager)
                assert 0 < decisions <= games * daifugo.decisions_bound(settled.model_dump())
                check_end(branch, table)


def check_end(branch: Table, start: Table) -> None:
    """Check the end of a match that went on from a redealt state."""
    rules = start.draft.options.rules
    places = branch.inspect()["places"]
    assert sorted(places) == list(range(1, rules.players + 1))
    games = rules.games - int(start.state["view"]["game"]) + 1
    points = rules.place_points or range(rules.players)
    gained = sum(branch.inspect()["scores"]) - sum(int(score) for score in start.state["view"]["scores"])
    assert gained == games * sum(points)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_view_is_read(name: str) -> None:
    """The same stream gives the same state, whatever the state held before and whatever was really hidden."""
    for number, table in enumerate(positions(daifugo.draft_of(RULES[name]), 3)):
        if fallen(table):
            continue
        states = [redealt(table, support.new_stream(5, number, 2, 0), fill) for fill in (0, 1, 255)]
        # From another state with the same view: a redeal of the redeal.
        other = table.copy()
        other.state = redealt(table, support.new_stream(6, number, 2, 0))
        states.append(redealt(other, support.new_stream(5, number, 2, 0)))
        for state in states[1:]:
            for field in ("hands", "jokers", "known", "seed", "deal", "tally", "seat_tally"):
                assert np.array_equal(state[field], states[0][field]), field
            gifts = int(state["view"]["gifts"])
            assert np.array_equal(state["gift_cards"][:gifts], states[0]["gift_cards"][:gifts])
            assert np.array_equal(state["gift_jokers"][:gifts], states[0]["gift_jokers"][:gifts])


@pytest.mark.parametrize("phase", PHASES, ids=list(PHASES.values()))
@pytest.mark.parametrize("see_first", [True, False])
def test_what_is_hidden_varies_and_so_does_the_chance_to_come(phase: int, see_first: bool) -> None:
    table = reach(daifugo.draft_of({"rich_see_first": see_first, "games": 6}), phase)
    stream = support.new_stream(11, 0, 2, 0)
    states = [redealt(table, stream) for _ in range(50)]
    assert len({state["hands"].tobytes() for state in states}) > 40
    assert len({(int(state["seed"]), int(state["deal"])) for state in states}) == 50
    assert all(state["seed"] >= 0 and state["deal"] >= 0 for state in states)
    if phase == EXCHANGE and not see_first:
        gifts = int(table.state["view"]["gifts"])
        assert len({state["gift_cards"][:gifts].tobytes() for state in states}) > 20


# ---- what is known --------------------------------------------------------------------------------------


def holders(table: Table) -> dict[int, int]:
    """Return natural card → who holds it."""
    hands = table.state["hands"]
    return {card: p for p in range(table.draft.players) for card in cards.members(int(hands[p]))}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "classes"])
def test_a_player_knows_the_cards_passed_on_until_they_may_move_again(name: str) -> None:
    """Followed by looking at all the hands: who gives a card knows where it is, until cards leave that hand unseen."""
    draft = daifugo.draft_of(RULES[name])
    players = draft.players
    known: list[list[set[int]]] = []
    game, before, found, three = 0, {}, 0, cards.parse("D3")[0]
    for table in positions(draft, 5):
        view, now = table.state["view"], holders(table)
        if view["game"] != game:
            game = int(view["game"])
            known = [[set() for _ in range(players)] for _ in range(players)]
            # The forced gifts, where they came over already, are what each of the poor knows.
            for pair in range(int(view["gifts"]) if draft.options.rules.rich_see_first else 0):
                rich, poor = int(view["gift_rich"][pair]), int(view["gift_poor"][pair])
                given = set(cards.members(int(table.state["known"][poor][rich])))
                assert all(now[card] == rich for card in given)
                jokers = int(view["gift_count"][pair]) - len(given)
                assert 0 <= jokers <= int(table.state["jokers"][rich])
                left = cards.members(int(table.state["hands"][poor]))
                assert not given or min(given) // 4 >= max(left) // 4
                known[poor][rich] = given
        else:
            moved = {card: giver for card, giver in before.items() if now.get(card) != giver}
            for card, giver in moved.items():
                for knower in range(players):
                    known[knower][giver].discard(card)
                    if now.get(card) not in (None, knower):
                        known[knower][giver].clear()
            for card, giver in moved.items():
                if card in now:
                    known[giver][now[card]].add(card)
        if view["phase"] == PLAY and not view["begun"]:
            for knower in set(range(players)) - {now[three]}:
                known[knower][now[three]].add(three)
        before = now
        for knower in range(players):
            for holder in range(players):
                if knower != holder:
                    came = set(cards.members(int(table.state["known"][knower][holder])))
                    assert came == known[knower][holder]
                    found += len(came)
        seen = table.view()["known"]
        assert [set(cards.members(int(seen[p]))) for p in range(players)] == known[table.to_move]
    assert found > 0


# ---- uniform --------------------------------------------------------------------------------------------

DRAWS = 4000


def reach(
    draft: Draft,
    phase: int,
    *,
    known: bool = False,
    bound: bool | None = None,
    also: Callable[[Table], Any] = lambda table: True,
) -> Table:
    """Return a position of a phase with a good deal hidden; with cards known if need be, with a bounded hand or without.

    Nothing else is known of hidden cards where `bound` is given. `also` is asked of a position that fits.
    """
    for seed in range(100):
        for table in positions(draft, seed):
            view = table.state["view"]
            others = [p for p in range(draft.players) if p != table.to_move and view["held"][p] > 1]
            fits = view["phase"] == phase and len(others) >= min(2, draft.players - 1)
            if bound is not None:
                fits = fits and not (view["astray"] or view["keepers"]) and bound == (view["bound_seat"] >= 0)
            if fits and (not known or any(view["known"][p] for p in others)) and also(table):
                return table.copy()
    raise AssertionError(f"no position of phase {phase} in 100 matches")


CASES = [
    *(({}, phase, False) for phase in PHASES if phase != EXCHANGE),
    *(({}, phase, True) for phase in (PLAY, GIVE, DISCARD, NAME)),
    *(({"rich_see_first": False}, phase, False) for phase in (PLAY, EXCHANGE)),
    ({"blind_cards": 2}, PLAY, False),
    ({"blind_cards": 2, "jokers": 1, "players": 3, "rich_see_first": False}, EXCHANGE, False),
    ({"players": 2, "blind_cards": 2}, PLAY, True),
    ({"players": 8}, PLAY, False),
]


@pytest.mark.parametrize(("rules", "phase", "known"), CASES)
def test_every_hidden_card_is_equally_likely_in_every_hand(
    rules: dict[str, Any], phase: int, known: bool
) -> None:
    """Where no more is known than who has some cards."""
    draft = daifugo.draft_of({**rules, "games": 6})
    table = reach(draft, phase, known=known, bound=False)
    view, me = table.view(), table.to_move
    settled = draft.options.rules
    told = [int(view["known"][p]) if p != me else 0 for p in range(draft.players)]
    pool = cards.PACK & ~(int(view["gone"]) | int(view["hand"]))
    for mask in told:
        pool &= ~mask
    jokers = int(settled.jokers - view["gone_jokers"] - view["jokers"])
    spared = (pool & cards.mask_of(cards.parse("D3"))).bit_count() + jokers
    blind = settled.blind_cards
    missing = {p: int(view["held"][p]) - told[p].bit_count() for p in range(draft.players) if p != me}
    assert sum(missing.values()) + blind == pool.bit_count() + jokers
    counts = {p: Counter[int]() for p in missing}
    loose: Counter[int] = Counter()
    stream = support.new_stream(13, 0, 2, 0)
    for _ in range(DRAWS):
        state = redealt(table, stream)
        check(table, state)
        for p in missing:
            counts[p].update(cards.members(int(state["hands"][p]) & ~told[p]))
            loose[p] += int(state["jokers"][p])
    dealt = sum(missing.values())
    plain = cards.members(pool & ~cards.mask_of(cards.parse("D3")))
    for p, drawn in missing.items():
        assert set(counts[p]) <= set(cards.members(pool))
        # Drawn without return, so the counts vary less than if each card came on its own.
        size = pool.bit_count() + jokers
        share = drawn / dealt * (1 - blind / (size - spared))
        if 0 < share < 1:
            spread = DRAWS * share * (1 - share) * size / (size - 1)
            statistic = sum((counts[p][card] - DRAWS * share) ** 2 for card in plain) / spread
            assert support.stats.chi2.sf(statistic, len(plain)) > LEVEL, p
        if jokers:
            chance = drawn / dealt
            sd = (DRAWS * jokers * chance * (1 - chance)) ** 0.5
            assert abs(loose[p] - DRAWS * jokers * chance) <= 5 * sd, p


def unseen(table: Table) -> list[int]:
    """Return the cards that whoever is to move does not see."""
    view = table.view()
    return cards.members(cards.PACK & ~(int(view["gone"]) | int(view["hand"])))


def above_the_gift(table: Table) -> set[int]:
    """Return the cards not seen that are stronger than the weakest that was given (D11)."""
    poor = int(table.view()["gift_poor"][0])
    given = cards.members(int(table.state["known"][poor][table.to_move]))
    weakest = min((card // 4, -(card % 4)) for card in given)
    return {card for card in unseen(table) if (card // 4, -(card % 4)) > weakest}


@pytest.mark.parametrize("rules", [{}, {"players": 2}, {"players": 7, "jokers": 0}])
def test_cards_above_the_gift_are_equally_likely_in_the_hands_of_all_but_the_giver(
    rules: dict[str, Any],
) -> None:
    """And the others in every hand, but more often in the giver's, where there is no room for those (D11)."""
    draft = daifugo.draft_of({**rules, "games": 6})
    # Of two players the giver alone has the cards that are not seen.
    table = reach(draft, EXCHANGE, bound=True, also=lambda table: draft.players == 2 or above_the_gift(table))
    view, me = table.view(), table.to_move
    poor = int(view["gift_poor"][0])
    assert (int(view["bound_seat"]), int(view["bound_loose"])) == (poor, 0)
    pool, above = unseen(table), above_the_gift(table)
    counts = {p: Counter[int]() for p in range(draft.players) if p != me}
    stream = support.new_stream(15, 0, 2, 0)
    for _ in range(DRAWS):
        state = redealt(table, stream)
        for p, count in counts.items():
            count.update(cards.members(int(state["hands"][p])))
    others = sum(int(view["held"][p]) for p in counts if p != poor)
    low = int(view["held"][poor]) / (len(pool) - len(above))
    for p, count in counts.items():
        part = 0 if p == poor else int(view["held"][p]) / others
        for card in pool:
            share = part if card in above else (low if p == poor else (1 - low) * part)
            assert abs(count[card] - DRAWS * share) <= 5 * (DRAWS * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("blind", [0, 2])  # in a position nothing is blind: what nobody holds is gone
@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        # Three cards of five in one hand and two in the other: 10 states.
        (["S4", "H3 D5 S2", "C6 HK"], 10),
        # A joker is a card like the others.
        (["S4", "H3 D5", "C6 JK"], 6),
    ],
)
def test_whole_deals_are_equally_likely(hands: list[str], expected: int, blind: int) -> None:
    draft = daifugo.draft_of({"players": 3, "blind_cards": blind})
    table = Table.from_position(draft, {"hands": hands, "to_move": 0})
    stream = support.new_stream(17, 0, 2, 0)
    counts = Counter(redealt(table, stream)["hands"].tobytes() for _ in range(DRAWS))
    assert len(counts) == expected
    assert support.chi_square_p(list(counts.values()), DRAWS / expected) > LEVEL


def test_two_jokers_are_two_cards() -> None:
    """Of the six ways to give two of ♥3 ♦5 and two jokers to a hand, four hold one joker."""
    draft = daifugo.draft_of({"players": 3})
    table = Table.from_position(draft, {"hands": ["S4", "H3 D5", "JK JK"], "to_move": 0})
    stream = support.new_stream(19, 0, 2, 0)
    counts = Counter(int(redealt(table, stream)["jokers"][1]) for _ in range(DRAWS))
    assert support.chi_square_p([counts[n] for n in range(3)], [DRAWS / 6, 4 * DRAWS / 6, DRAWS / 6]) > LEVEL
