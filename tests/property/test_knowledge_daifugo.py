"""What a player of Daifugō knows of hidden cards: it is true, it is not more than was seen, and re-deals keep to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sim import cards, drafts
from sim.daifugo import holdings, legal
from sim.daifugo.state import ANSWER, EXCHANGE, GIVE, PLAY
from sim.drafts import Draft
from sim.table import Table
from tests import support
from tests import support_daifugo as daifugo

LEVEL = 1e-4  # of each chi-square test; the seeds are fixed, so a test that passes goes on passing
PER_WORLD = 150  # draws

Hand = frozenset[str]
World = dict[str, Hand]
"""Who holds what of the unseen cards; by number of the player, or "aside"."""


def mask(text: str) -> int:
    return int(cards.mask_of(cards.parse(text)))


def redealt(table: Table, stream: Any) -> Any:
    state = np.zeros(1, table.state.dtype)[0]
    daifugo.ENGINE.redeal(table.view(), table.rules, stream, state)
    return state


def seen_by(table: Table, player: int) -> Any:
    views = np.zeros(1, daifugo.GAME.state.VIEW)
    daifugo.ENGINE.observe(table.state, table.rules, player, views)
    return views[0]


def short(games: int) -> list[Draft]:
    """Return all shipped drafts, with few games."""
    names = sorted(drafts.shipped("daifugo"))
    return [drafts.load(f"daifugo/{name}", [f"rules.games={games}"]) for name in names]


# ---- invariants -----------------------------------------------------------------------------------------


def fits(view: Any, state: Any, rules: Any, kinds: Counter[str]) -> None:
    """Demand that a state agrees with all that a view says of hidden cards, and count what it says."""
    me, players = int(view["seat"]), int(view["players"])
    hands = [int(state["hands"][p]) for p in range(players)]
    jokers = [int(state["jokers"][p]) for p in range(players)]
    everywhere = sum(hands)
    for p in range(players):
        if p != me:
            assert int(view["known"][p]) & ~hands[p] == 0
            assert int(view["known_jokers"][p]) <= jokers[p]
            kinds["known"] += bool(view["known"][p])
    assert int(view["aside"]) & (everywhere | int(view["gone"])) == 0
    assert sum(jokers) + int(view["gone_jokers"] + view["aside_jokers"]) <= rules["jokers"]
    kinds["aside"] += bool(view["aside"])
    astray, origin, came = int(view["astray"]), int(view["astray_from"]), 0
    bound = int(view["bound_seat"])
    if astray:
        seats = sum(hands[p] for p in range(players) if int(view["astray_seats"]) >> p & 1)
        assert astray & ~seats == 0
        kinds["astray"] += 1
        kinds["astray from several"] += origin < 0
        if origin >= 0:
            assert (astray & ~hands[origin]).bit_count() <= view["astray_most"]
            came = (astray & hands[bound]).bit_count() if bound not in (-1, origin) else 0
    if bound >= 0:
        loose = (hands[bound] & int(view["bound_cards"]) & ~int(view["known"][bound]) & ~astray).bit_count()
        loose += max(0, jokers[bound] - int(view["known_jokers"][bound])) + came
        assert loose <= view["bound_loose"]
        kinds["bound"] += 1
        kinds["bound with some loose"] += view["bound_loose"] > 0
    for p in range(players):
        if int(view["keepers"]) >> p & 1 and p != me:
            found = []
            for rank, kept in (
                (int(rules["four_rank"]), int(view["fours_kept"][p])),
                (int(rules["sandstorm_rank"]), int(view["storms_kept"][p])),
            ):
                real = (hands[p] >> 4 * rank & 15).bit_count() if rank >= 0 else 0
                found.append(real >= kept % 2 and real + jokers[p] >= kept // 2)
            assert any(found)
            kinds["kept"] += 1


@pytest.mark.nojit
@pytest.mark.parametrize("draft", short(4), ids=lambda draft: draft.name)
def test_what_is_known_is_true_and_redeals_keep_to_it(draft: Draft) -> None:
    kinds: Counter[str] = Counter()
    stream = support.new_stream(31, 0, 2, 0)
    for seed in range(6):
        follow(Table(draft, seed=seed), random.Random(seed), stream, kinds)
    assert {"known", "bound"} <= kinds.keys()
    if draft.options.rules.pass_on:
        assert min(kinds["astray"], kinds["bound with some loose"]) > 0


def test_what_is_known_is_true_in_rare_cases() -> None:
    """Every kind of knowledge comes up where many effects are on, among few and among many."""
    kinds: Counter[str] = Counter()
    stream = support.new_stream(32, 0, 2, 0)
    for number, players in enumerate((3, 4, 5, 8)):
        rules = {
            "players": players, "games": 6, "miyako_ochi": True, "sandstorm_stops_cut": True, "blind_cards": 2,
            "exchange": [3, 2], "rich_see_first": number % 2 == 0, "emperor": True,
        }  # fmt: skip
        ranks = {"pass_on": "8", "four_stop": "3"} if number % 2 else {}
        for seed in range(8):
            follow(Table(daifugo.draft_of(rules, ranks), seed=seed), random.Random(seed), stream, kinds)
    assert kinds.pop("astray from several") > 5
    assert (
        min(kinds[name] for name in ("known", "aside", "astray", "bound", "bound with some loose", "kept"))
        > 100
    )


def follow(table: Table, dice: random.Random, stream: Any, kinds: Counter[str]) -> None:
    while not table.over:
        view = table.view()
        fits(view, table.state, table.rules, kinds)
        fits(view, redealt(table, stream), table.rules, Counter())
        table.apply(daifugo.random_move(table, dice, 0.6))


# ---- not more than was seen -----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", [GIVE, EXCHANGE])
def test_nobody_else_sees_which_cards_change_hands(phase: int) -> None:
    """Whatever cards a player gives away, all but giver and receiver know the same afterwards."""
    draft = daifugo.draft_of({"games": 5})
    found = 0
    for seed in range(10):
        table, dice = Table(draft, seed=seed), random.Random(seed)
        while not table.over:
            if table.state["view"]["phase"] == phase:
                found += compare_gifts(table, dice)
            table.apply(daifugo.random_move(table, dice, 0.8))
    assert found > 30


def compare_gifts(table: Table, dice: random.Random) -> int:
    """Compare the views of those who are no party to a gift, over a few gifts; return how many were compared."""
    before, game = table.state["view"]["held"].copy(), int(table.state["view"]["game"])
    # Whoever has the ♦3 after the exchange is known to, by the lead.
    moves = [move for move in table.moves() if not move & mask("D3")]
    views: dict[int, set[bytes]] = {}
    for move in dice.sample(moves, min(4, len(moves))):
        other = table.copy()
        other.apply(move)
        if other.over or other.state["view"]["game"] != game:
            return 0
        held = other.state["view"]["held"]
        for player in range(table.draft.players):
            if player != table.to_move and held[player] <= before[player]:
                views.setdefault(player, set()).add(seen_by(other, player).tobytes())
    assert all(len(seen) == 1 for seen in views.values())
    return len(views) if len(moves) > 1 else 0


# ---- by what happened -----------------------------------------------------------------------------------


def test_the_rich_deal_no_card_above_those_they_were_given() -> None:
    """By the cards given alone: at the free choice, and as long as nobody passes cards on."""
    stream = support.new_stream(33, 0, 2, 0)
    order = [card for rank in range(12, -1, -1) for card in range(4 * rank, 4 * rank + 4)]
    looked = 0
    for seed in range(12):
        rules = {"games": 2, "pass_on": False, "rich_see_first": bool(seed % 2)}
        table, dice = Table(daifugo.draft_of(rules), seed=seed), random.Random(seed)
        limit: dict[int, tuple[int, list[int]]] = {}
        returned: dict[int, set[int]] = {}
        while not table.over:
            state, view = table.state, table.state["view"]
            if view["phase"] == EXCHANGE:
                rich, poor = int(view["gift_rich"][0]), int(view["gift_poor"][0])
                given = (
                    int(state["known"][poor][rich])
                    if rules["rich_see_first"]
                    else int(state["gift_cards"][0])
                )
                if given:
                    weakest = max(order.index(card) for card in cards.members(given))
                    limit[rich] = poor, order[:weakest]
            rich = table.to_move
            if rich in limit and (view["phase"] != EXCHANGE or rules["rich_see_first"]):
                poor, above = limit[rich]
                dealt = redealt(table, stream)
                hand = set(cards.members(int(dealt["hands"][poor]))) - returned.get(poor, set())
                assert not hand & set(above)
                if poor not in returned:
                    assert dealt["jokers"][poor] == 0
                looked += 1
            move = daifugo.random_move(table, dice, 0.6)
            if view["phase"] == EXCHANGE:
                returned[int(view["gift_poor"][0])] = set(cards.members(move & cards.PACK))
            table.apply(move)
    assert looked > 100


@pytest.mark.parametrize("draft", short(2), ids=lambda draft: draft.name)
def test_the_first_leader_holds_the_three_of_diamonds_until_it_is_seen(draft: Draft) -> None:
    stream = support.new_stream(34, 0, 2, 0)
    three, looked = mask("D3"), 0
    for seed in range(8):
        table, dice = Table(draft, seed=seed), random.Random(seed)
        may_hold = {table.to_move}
        while not table.over and table.state["view"]["game"] == 1:
            view = table.view()
            if not int(view["gone"]) & three:
                dealt = redealt(table, stream)
                holder = [p for p in range(draft.players) if int(dealt["hands"][p]) & three]
                assert set(holder) <= may_hold
                assert len(holder) == 1
                looked += table.to_move not in may_hold
            before = view["held"].copy()
            giver = table.to_move
            table.apply(daifugo.random_move(table, dice, 0.6))
            if view["phase"] == GIVE and giver in may_hold:
                held = table.state["view"]["held"]
                may_hold |= {p for p in range(draft.players) if held[p] > before[p]}
    assert looked > 20


def test_a_deal_with_cards_exchanged_shows_its_own_leader() -> None:
    """Where the ♦3 is dealt to another player, nobody thinks it where it was."""
    table = Table(daifugo.draft_of({"games": 1}), seed=2)
    leader, three = table.to_move, cards.parse("D3")[0]
    other = (leader + 1) % 4
    card = cards.members(int(table.state["hands"][other]))[0]
    holdings.swap(table.state, table.rules, leader, three, other, card)
    assert table.to_move == other
    for knower in range(4):
        known = seen_by(table, knower)["known"]
        assert [int(known[p]) for p in range(4)] == [mask("D3") * (p == other != knower) for p in range(4)]


def test_who_refused_could_have_answered() -> None:
    """At each further question of the cut, those who refused could answer in every deal, by the rule itself."""
    stream = support.new_stream(35, 0, 2, 0)
    asked = 0
    for number, rules in enumerate(({"sandstorm_stops_cut": True}, {"four_stop": True}, {"jokers": 0})):
        draft = daifugo.draft_of({**rules, "games": 3, "players": 3 + number}, {"four_stop": "4"})
        for seed in range(60):
            table, dice = Table(draft, seed=seed), random.Random(seed)
            while not table.over:
                view = table.view()
                if view["phase"] == ANSWER and view["refused"]:
                    asked += 1
                    for _ in range(5):
                        dealt = redealt(table, stream)
                        for p in range(draft.players):
                            if int(view["refused"]) >> p & 1:
                                hand, jokers = int(dealt["hands"][p]), int(dealt["jokers"][p])
                                assert legal.answers(hand, jokers, -1, view, table.rules)[0] > 0
                refuses = view["phase"] == ANSWER
                table.apply(daifugo.PASS if refuses else daifugo.random_move(table, dice, 0.6))
    assert asked > 5


# ---- uniform, by listing all worlds ---------------------------------------------------------------------


def worlds(sizes: dict[str, int], unseen: list[str]) -> Iterator[World]:
    """Yield all ways to lay the unseen cards into hands of the sizes given; each joker is a card of its own."""
    if not sizes:
        yield {}
        return
    (holder, size), *rest = sizes.items()
    for hand in combinations(unseen, size):
        left = [card for card in unseen if card not in hand]
        for others in worlds(dict(rest), left):
            yield {holder: frozenset(hand), **others}


def key(world: World) -> tuple[tuple[str, ...], ...]:
    """Return a world as it can be told apart: one joker is as good as another."""
    return tuple(tuple(sorted(card.rstrip("*") for card in world[p])) for p in sorted(world) if p != "aside")


def read(table: Table, state: Any, known: dict[str, Hand]) -> tuple[tuple[str, ...], ...]:
    """Return the hidden hands of a state as a `key`, less the cards known to be in them."""
    world = {}
    for p in range(table.draft.players):
        if p != table.to_move:
            names = {cards.NAMES[card] for card in cards.members(int(state["hands"][p]))}
            jokers = int(state["jokers"][p]) - ("JK" in known.get(str(p), ()))
            assert known.get(str(p), frozenset()) - {"JK"} <= names
            world[str(p)] = (names - known.get(str(p), frozenset())) | set(["JK", "JK*"][:jokers])
    return key({p: frozenset(hand) for p, hand in world.items()})


def assert_uniform(
    table: Table,
    unseen: str,
    agrees: Callable[[World], bool],
    *,
    known: dict[str, str] | None = None,
    aside: int = 0,
    count: int,
) -> None:
    """Demand that re-deals for the player to move are evenly spread over the worlds that agree with what was seen."""
    told = {p: frozenset(text.split()) for p, text in (known or {}).items()}
    pool = unseen.replace("JK JK", "JK JK*").split()
    sizes = {
        str(p): int(table.state["view"]["held"][p]) - len(told.get(str(p), ()))
        for p in range(table.draft.players)
        if p != table.to_move
    }
    assert sum(sizes.values()) + aside == len(pool)
    wanted = Counter(key(world) for world in worlds({**sizes, "aside": aside}, pool) if agrees(world))
    assert sum(wanted.values()) == count
    stream = support.new_stream(37, 0, 2, 0)
    draws = PER_WORLD * count
    found = Counter(read(table, redealt(table, stream), told) for _ in range(draws))
    assert found.keys() <= wanted.keys()
    if len(wanted) > 1:
        observed = [found[world] for world in wanted]
        assert support.chi_square_p(observed, [PER_WORLD * n for n in wanted.values()]) > LEVEL


def strength(card: str) -> tuple[int, int]:
    """Return the place of a card in the order in which the poor give, larger for stronger."""
    return (99, 0) if card.startswith("JK") else (cards.RANKS.index(card[1:]), -cards.SUITS.index(card[0]))


def no_stronger(than: str, hand: Hand) -> bool:
    return all(strength(card) < strength(than) for card in hand)


def exchange_table(
    hands: list[str],
    rules: dict[str, Any] | None = None,
    *,
    previous: tuple[int, ...] = (1, 2, 3),
    direction: int = 1,
) -> Table:
    """Return a position before the first free gift; nothing is locked later on."""
    draft = daifugo.draft_of({"players": 3, "number_lock": False, "suit_lock": "off", **(rules or {})})
    fields = {"hands": hands, "phase": "exchange", "previous_places": list(previous), "direction": direction}
    return Table.from_position(draft, fields)


def test_worlds_of_a_gift() -> None:
    """The poor gave ♥2 and ♦K, so they hold neither ♠K nor the joker; ♣K comes after ♦K."""
    table = exchange_table(["S3 H3", "D5 C9 SK JK", "H2 DK CK H6 D7 C8"])
    assert table.to_move == 0
    assert table.state["view"]["phase"] == EXCHANGE
    assert_uniform(table, "D5 C9 SK JK CK H6 D7 C8", lambda world: no_stronger("DK", world["2"]), count=15)


def test_worlds_of_a_gift_of_jokers_only() -> None:
    """The strongest given was no natural card: nothing is known of the others."""
    table = exchange_table(["S3 H3", "D5 C9", "H2 DK CK JK JK"])
    assert_uniform(table, "D5 C9 H2 DK CK", lambda world: True, count=10)


def test_worlds_of_a_gift_and_blind_cards() -> None:
    """Two of the unseen cards are blind, neither the joker nor ♦3."""
    table = exchange_table(["S3 H3", "D3 SK JK", "H2 DK CK H6"], {"blind_cards": 2})
    view = table.state["view"]
    view["single"], view["gone"] = 0, int(view["gone"]) & ~mask("SA C5")
    assert_uniform(
        table,
        "D3 SK JK CK H6 SA C5",
        lambda world: no_stronger("DK", world["2"]) and not world["aside"] & {"JK", "D3"},
        aside=2,
        count=27,
    )


@pytest.mark.parametrize("given", ["SK", "D3", "JK", "H4"])
def test_worlds_of_a_gift_after_cards_were_passed_on(given: str) -> None:
    """One card came to the poor out of sight: perhaps one that the poor can't have kept, or ♦3 that was led by."""

    def agrees(world: World) -> bool:
        poor = world["2"]
        return any(no_stronger("DK", poor - {came}) and "D3" in world["1"] | {came} for came in poor)

    table = exchange_table(["S3 H3 S5 D9", "D3 C7 SK JK H4", "H2 DK CK H6 C8"])
    table.play("exchange S3 H3")
    for move in ("play C7", f"give {given}", "pass"):
        table.play(move)
    assert table.to_move == 0
    assert_uniform(table, "D3 SK JK H4 CK H6 C8", agrees, known={"2": "S3 H3"}, count=13)


@pytest.mark.parametrize("given", ["S5", "CK"])
def test_worlds_of_a_gift_after_the_poor_passed_cards_on(given: str) -> None:
    """Of the two cards that the poor got back one at most is with the next player, and then the poor kept others."""

    def agrees(world: World) -> bool:
        poor = world["2"]
        return any(
            {"S5", "D9"} <= poor | {gone} and no_stronger("DK", (poor | {gone}) - {"S5", "D9"})
            for gone in world["1"]
        )

    table = exchange_table(["S5 D9 S3", "D3 S4 SK", "H2 DK CK C7 C8"], direction=-1)
    table.play("exchange S5 D9")
    for move in ("play D3", "pass", "play C7", f"give {given}", "pass"):
        table.play(move)
    assert table.to_move == 0
    assert_uniform(table, "S4 SK CK C8 S5 D9", agrees, count=9)


def test_worlds_of_who_led_by_the_three_of_diamonds() -> None:
    draft = daifugo.draft_of({"players": 3})
    table = Table.from_position(draft, {"hands": ["S9 C9", "D3 S4 H6", "S5 C5 H7"]})
    table.play("play S4")
    table.play("pass")
    assert table.to_move == 0
    assert_uniform(table, "H6 S5 C5 H7", lambda world: True, known={"1": "D3"}, count=4)


def test_worlds_after_a_fall() -> None:
    """♠3 was passed on to the daifugō, whose hand was then laid aside."""
    draft = daifugo.draft_of({"miyako_ochi": True})
    table = Table.from_position(
        draft,
        {
            "hands": ["C7 S3 H5 D6", "S9 H9", "SK", "D4 D8 C9"],
            "to_move": 0,
            "previous_places": [2, 1, 3, 4],
        },
    )
    for move in ("play C7", "give S3", "pass", "play SK", "pass"):
        table.play(move)
    assert table.to_move == 0
    assert table.inspect()["places"] == [0, 4, 1, 0]
    assert_uniform(table, "S9 H9 D4 D8 C9", lambda world: True, aside=2, count=10)


def stops(hand: Hand, cards_of_it: int) -> bool:
    fours = sum(card[1:] == "4" for card in hand)
    return fours >= 1 and fours + sum(card.startswith("JK") for card in hand) >= cards_of_it


def test_worlds_of_a_refusal() -> None:
    """Player 1 did not stop the ♠8 with two fours, or one and a joker."""
    hands = ["S8 S3", "S4 H4 D6", "D4 C4 C6", "D9 SQ JK JK"]
    table = Table.from_position(daifugo.draft_of({}), {"hands": hands, "to_move": 0})
    table.play("play S8")
    table.play("pass")
    assert (table.to_move, int(table.state["view"]["phase"])) == (2, ANSWER)
    assert_uniform(table, "S3 S4 H4 D6 D9 SQ JK JK", lambda world: stops(world["1"], 2), count=120)


def test_worlds_of_a_refusal_after_a_four_was_seen() -> None:
    hands = ["S8 S3 D9", "S4 H4 D6", "D4 C6 H6", "C4 SQ S10"]
    table = Table.from_position(daifugo.draft_of({}), {"hands": hands, "to_move": 0})
    for move in ("play S8", "pass", "play S3", "play S4"):
        table.play(move)
    assert table.to_move == 2
    assert_uniform(table, "D9 H4 D6 C4 SQ S10", lambda world: stops(world["1"], 1), count=36)


def test_worlds_after_hands_were_swapped() -> None:
    """All know that the daifugō has now a hand of cards up to the ten."""
    table = exchange_table(
        ["S2 SK JK", "D3 SA H4", "SQ H7", "C5 C6 H10"],
        {"players": 4, "tenpen_chii": True},
        previous=(1, 2, 3, 4),
    )
    assert (table.to_move, int(table.state["view"]["phase"])) == (1, PLAY)
    assert_uniform(table, "S2 SK JK SQ H7 C5 C6 H10", lambda world: no_stronger("SJ", world["0"]), count=40)


def test_a_bombed_rank_is_in_no_hand() -> None:
    """What a bomb did not bring to light is blind."""
    table = Table.from_position(
        daifugo.draft_of({"players": 3, "blind_cards": 2}),
        {"hands": ["SQ S3 H3", "S9 C5", "S6 C7"], "to_move": 0},
    )
    view = table.state["view"]
    view["single"], view["gone"] = 0, int(view["gone"]) & ~mask("H9 C4")
    table.play("play SQ")
    table.play("name 9")
    while table.to_move != 0:
        table.play("pass")
    assert_uniform(table, "C5 S6 C7 C4", lambda world: True, aside=1, count=12)


# ---- what no deal can keep ------------------------------------------------------------------------------


def assert_dealt(table: Table) -> Any:
    """Return a re-deal of a position that may contradict itself; it has the right hands at least."""
    state = redealt(table, support.new_stream(39, 0, 2, 0))
    daifugo.assert_conserved(state, table.draft)
    return state


@pytest.mark.nojit
def test_what_no_deal_keeps_is_dropped() -> None:
    table = exchange_table(["S3 H3", "D5 C9 SK JK", "H2 DK CK H6 D7 C8"])
    changes: list[dict[str, Any]] = [
        {"bound_cards": cards.PACK},
        {"keepers": 6, "fours_kept": [0, 9, 5, 0, 0, 0, 0, 0], "storms_kept": [0, 108, 7, 0, 0, 0, 0, 0]},
        {"astray": mask("D5 C9"), "astray_from": -1, "astray_seats": 0},
        {"astray": mask("D5 C9 SK CK H6"), "astray_from": 1, "astray_seats": 6, "astray_most": 0},
        {
            "astray": mask("SK"),
            "astray_from": 1,
            "astray_seats": 4,
            "astray_most": 1,
            "bound_cards": cards.PACK,
        },
    ]
    for change in changes:
        other = table.copy()
        for name, value in change.items():
            other.state["view"][name] = value
        assert_dealt(other)


def test_a_rare_refusal_is_kept_to_all_the_same() -> None:
    """All four fours in one hand, for a pair of eights: most tries fail, and where all do they are put there."""
    table = Table(daifugo.draft_of({"players": 5, "jokers": 0, "games": 1}), seed=1)
    view = table.state["view"]
    holder = next(p for p in range(5) if p != table.to_move)
    fours = mask("S4 H4 D4 C4")
    assert not int(view["hand"]) & fours, "another seed"
    view["keepers"], view["fours_kept"][holder], view["storms_kept"][holder] = 1 << holder, 9, 108
    stream = support.new_stream(41, 0, 2, 0)
    for _ in range(40):
        state = redealt(table, stream)
        daifugo.assert_conserved(state, table.draft)
        assert int(state["hands"][holder]) & fours == fours
