"""Plays as numbers: written and read again, counted against all sets of cards there are, and told from others."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim import cards
from sim.daifugo import legal, notation, plays
from sim.daifugo.state import EMPEROR, GROUP, JOKERS_ONLY, NO_TABLE, PLAY, SEQUENCE
from tests import support_daifugo as daifugo
from tests.reference.daifugo import plays as twin_plays

SUITS = range(4)
BELOW, ABOVE = 0, 14  # places of a joker beyond the ends; those of 3 … 2 are 1 … 13
BARE = 1

Spot = tuple[int, int]
"""A card by (place, suit)."""


# ---- what is a play, from the rules ---------------------------------------------------------------------


class Play(NamedTuple):
    """Cards that are a play; `low` is a rank, 13 for jokers only."""

    kind: int
    low: int
    size: int
    suits: frozenset[int]
    bare: int
    jokers: int
    naturals: frozenset[Spot]


def as_play(naturals: frozenset[Spot], stated: tuple[Spot, ...], bare: int, rules: Any) -> Play | None:
    """Read cards by D12, D13, D16 and D18; None for what is no play."""
    size, jokers = len(naturals) + len(stated) + bare, len(stated) + bare
    shown = [*naturals, *stated]

    def found(kind: int, low: int) -> Play:
        return Play(kind, low, size, frozenset(suit for _, suit in shown), bare, jokers, naturals)

    if not naturals:
        return found(GROUP, JOKERS_ONLY) if bare and not stated else None
    ranks = {place for place, _ in naturals}
    if len(ranks) == 1 and {place for place, _ in stated} <= ranks:
        free = 4 - len(naturals)
        wanted = min(jokers, free) if rules.lock_by_joker else 0
        return (
            found(GROUP, min(ranks) - 1) if len(stated) == wanted and len(set(shown)) == len(shown) else None
        )
    if bare or len(set(shown)) != size:
        return None
    places = sorted(place for place, _ in shown)
    if places != list(range(places[0], places[0] + size)):
        return None
    inside = places[0] > BELOW and places[-1] < ABOVE
    suits = {suit for _, suit in shown}
    if (
        len(suits) == 1
        and rules.sequences
        and size >= rules.sequence_min
        and (inside or rules.joker_beyond_ends)
    ):
        return found(SEQUENCE, places[0] - 1)
    if len(suits) == size == 4 and rules.emperor and inside:
        return found(EMPEROR, places[0] - 1)
    return None


def move_of(naturals: frozenset[Spot], codes: tuple[int, ...]) -> int:
    low, high = (0, 0, *sorted(codes))[-2:]
    mask = sum(1 << (4 * (place - 1) + suit) for place, suit in naturals)
    return daifugo.signed(mask | high << 52 | low << 58)


def all_plays(hand: list[Spot], jokers: int, rules: Any) -> Iterator[tuple[int, Play]]:
    """Yield every play of a hand, out of all its sets of cards with all that jokers may state."""
    spots = [(place, suit) for place in range(BELOW, ABOVE + 1) for suit in SUITS]
    codes = [BARE, *(2 + 4 * place + suit for place, suit in spots)]
    for count in range(len(hand) + 1):
        for chosen in itertools.combinations(hand, count):
            naturals = frozenset(chosen)
            for used in range(jokers + 1):
                for stating in itertools.combinations_with_replacement(codes, used):
                    stated = tuple(divmod(code - 2, 4) for code in stating if code != BARE)
                    play = as_play(naturals, stated, stating.count(BARE), rules)
                    if play is not None:
                        yield move_of(naturals, stating), play


# ---- what beats a table, from the rules -----------------------------------------------------------------


class Situation(NamedTuple):
    """A table and all that counts for an answer."""

    table: Play | None
    lock: frozenset[int]
    number_lock: bool
    revolution: bool
    temporary: bool
    effects_off: bool
    unbeatable: bool


def may_follow(play: Play, at: Situation, rules: Any, storm_rank: int) -> bool:
    table, turned = at.table, at.revolution != at.temporary
    assert table is not None
    storm = rules.sandstorm and not at.effects_off and play.kind == GROUP
    if storm and play.size == 3 and play.low == storm_rank:
        return True
    if at.unbeatable:
        return False
    single_joker = (table.kind, table.low, table.size) == (GROUP, JOKERS_ONLY, 1)
    spade_three = play.size == 1 and play.naturals == {(1, 0)}
    if single_joker and spade_three and rules.spade_three and not at.effects_off:
        return True
    if (play.kind, play.size) != (table.kind, table.size):
        return False
    if play.kind != GROUP:
        reach = 1 if rules.sequence_beats == "lowest" else play.size
        stronger = table.low - play.low if turned else play.low - table.low
        return stronger >= reach and fits(play, at.lock, rules)
    strongest = 0 if turned else 12
    if play.low == JOKERS_ONLY:
        return table.low != JOKERS_ONLY and (not at.number_lock or play.size == 1 or table.low == strongest)
    if table.low == JOKERS_ONLY or not fits(play, at.lock, rules):
        return False
    steps = table.low - play.low if turned else play.low - table.low
    if at.number_lock:
        return steps == 1
    down = rules.down_number and play.size == 1 and not table.jokers and play.suits == table.suits
    return steps > 0 or (down and steps == -1)


def fits(play: Play, lock: frozenset[int], rules: Any) -> bool:
    """D18: the locked suits are shown, bare jokers standing in; under `full` no others are."""
    if not lock:
        return True
    return len(lock - play.suits) <= play.bare and (rules.suit_lock == "partial" or play.suits <= lock)


# ---- hands and situations at random ---------------------------------------------------------------------

RULES: list[dict[str, Any]] = [
    {},
    {"joker_beyond_ends": True},
    {"emperor": True, "joker_beyond_ends": True},
    {"lock_by_joker": True},
    {"lock_by_joker": True, "emperor": True, "joker_beyond_ends": True, "suit_lock": "partial"},
    {"suit_lock": "partial", "down_number": True},
    {"sequence_min": 4, "sequence_beats": "lowest", "down_number": True},
    {"sequences": False, "emperor": True, "suit_lock": "partial"},
    {"leader_may_pass": True, "sequence_beats": "lowest", "joker_beyond_ends": True, "lock_by_joker": True},
    {"sandstorm": False, "spade_three": False, "number_lock": False, "suit_lock": "off"},
]
HANDS = 8
NATURALS = {0: 11, 1: 8, 2: 6}
"""By jokers, how many natural cards a hand has at most, so that all sets can be looked at."""


def random_hand(dice: random.Random, jokers: int) -> list[Spot]:
    """Return neighbouring cards, now and then near an end, so that there is much to play."""
    wide, many = dice.choice([(3, 4), (5, 3), (6, 2), (13, 4)])
    first = dice.choice([1, dice.randint(1, 14 - wide), 14 - wide])
    suits = dice.sample(SUITS, many)
    pool = [(place, suit) for place in range(first, first + wide) for suit in suits]
    return sorted(dice.sample(pool, min(len(pool), dice.randint(1, NATURALS[jokers]))))


def random_situation(dice: random.Random, rules: Any, hand: list[Spot]) -> Situation:
    """Return a table that somebody else may have left, with locks that such a table can have."""
    others = [(place, suit) for place in range(1, 14) for suit in SUITS if (place, suit) not in hand]
    near = [spot for spot in others if any(abs(spot[0] - place) <= 2 for place, _ in hand)]
    pool = dice.sample(near, min(len(near), 6))
    choices = [play for _, play in all_plays(pool, dice.randint(0, 1), rules)]
    sizes = sorted({(play.kind, play.size) for play in choices})
    kind, size = dice.choice(sizes)
    table = dice.choice([play for play in choices if (play.kind, play.size) == (kind, size)])
    lock: frozenset[int] = frozenset()
    if rules.suit_lock != "off" and dice.random() < 0.5:
        width = {GROUP: min(size, 4), SEQUENCE: 1, EMPEROR: 4}[kind]
        if rules.suit_lock == "partial" and kind == GROUP:
            width = dice.randint(1, width)
        lock = frozenset(dice.sample(SUITS, width))
    number_lock = rules.number_lock and kind == GROUP and dice.random() < 0.3
    turned, temporary, off = (dice.random() < chance for chance in (0.4, 0.2, 0.1))
    return Situation(table, lock, number_lock, turned, temporary, off, dice.random() < 0.05)


def view_of(hand: list[Spot], jokers: int, at: Situation, players: int = 4) -> Any:
    view = np.zeros(1, daifugo.GAME.state.VIEW)[0]
    view["players"], view["phase"] = players, PLAY
    view["hand"] = sum(1 << (4 * (place - 1) + suit) for place, suit in hand)
    view["jokers"] = jokers
    view["direction"], view["begun"] = 1, 1
    table = at.table
    if table is not None:
        view["table_kind"], view["table_low"], view["table_size"] = table.kind, table.low, table.size
        view["table_suits"] = sum(1 << suit for suit in table.suits)
        view["table_jokers"] = table.jokers
    view["lock_suits"] = sum(1 << suit for suit in at.lock)
    view["lock_number"], view["revolution"] = at.number_lock, at.revolution
    view["temporary"], view["effects_off"], view["unbeatable"] = at.temporary, at.effects_off, at.unbeatable
    return view


LEAD = Situation(None, frozenset(), False, False, False, False, False)


def listed(view: Any, record: Any) -> list[int]:
    """Return every legal move by its number; they must be as many as are counted, and distinct."""
    count = int(legal.walk(view, record, -1)[0])
    moves = [int(daifugo.ENGINE.nth_move(view, record, number)) for number in range(count)]
    assert len(set(moves)) == count
    return moves


def check(view: Any, record: Any, wanted: set[int], dice: random.Random) -> None:
    """Check moves listed and moves taken against those wanted."""
    moves = listed(view, record)
    assert set(moves) == wanted, [notation.names(move) for move in set(moves) ^ wanted]
    for move in moves:
        assert daifugo.ENGINE.is_legal(view, record, move)
    for move in daifugo.strange_moves(moves, dice, 300):
        assert bool(daifugo.ENGINE.is_legal(view, record, move)) == (move in wanted), move


@pytest.mark.boundscheck
@pytest.mark.parametrize("jokers", NATURALS)
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: ", ".join(rules) or "author")
def test_plays_against_all_sets_of_cards(rules: dict[str, Any], jokers: int) -> None:
    draft = daifugo.draft_of(rules)
    settled, record = draft.options.rules, draft.record()
    storm = cards.RANKS.index(draft.options.ranks.sandstorm)
    dice = random.Random(f"{rules} {jokers}")
    followed = 0
    for _ in range(HANDS):
        hand = random_hand(dice, jokers)
        found = dict(all_plays(hand, jokers, settled))
        passing = {0} if settled.leader_may_pass else set()
        check(view_of(hand, jokers, LEAD), record, passing | set(found), dice)
        for move, play in found.items():
            suits = sum(1 << suit for suit in play.suits)
            wanted = (play.kind, play.low, play.size, suits, play.bare)
            assert tuple(int(part) for part in plays.read(move, record)) == wanted
        for _ in range(6):
            at = random_situation(dice, settled, hand)
            answers = {move for move, play in found.items() if may_follow(play, at, settled, storm)}
            check(view_of(hand, jokers, at), record, {0, *answers}, dice)
            followed += len(answers)
    assert followed > 0


@pytest.mark.nojit
@pytest.mark.parametrize("rules", RULES[3:5], ids=str)
def test_two_jokers_at_the_top_of_a_run(rules: dict[str, Any]) -> None:
    """The codes of both fill the sign bit: the move is a negative number."""
    draft = daifugo.draft_of(rules)
    record = draft.record()
    hand = [(place, 2) for place in (10, 11)]
    moves = listed(view_of(hand, 2, LEAD), record)
    assert min(moves) < 0
    assert set(moves) == {move for move, _ in all_plays(hand, 2, draft.options.rules)}
    for move in moves:
        assert daifugo.ENGINE.is_legal(view_of(hand, 2, LEAD), record, move)
        assert notation.parse(" ".join(notation.names(move))) == move


# ---- written and read again -----------------------------------------------------------------------------


def full_hand(dice: random.Random, kind: int) -> list[Spot]:
    """Return the 25 natural cards of a hand of 27 with both jokers."""
    pack = [(place, suit) for place in range(1, 14) for suit in SUITS]
    if kind == 0:  # whole suits: as many runs as can be
        return [*((place, 0) for place in range(1, 14)), *((place, 2) for place in range(1, 13))]
    if kind == 1:  # whole ranks: as many groups as can be
        return pack[:25]
    return sorted(dice.sample(pack, 25))


@pytest.mark.boundscheck
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: ", ".join(rules) or "author")
@pytest.mark.parametrize("kind", range(3))
def test_hands_of_27_cards(rules: dict[str, Any], kind: int) -> None:
    """Two players hold 27 cards each, and there is no list that could be too short for their plays."""
    draft = daifugo.draft_of({**rules, "players": 2})
    record, settled = draft.record(), draft.tables()
    dice = random.Random(kind)
    hand = full_hand(dice, kind)
    names = [*(cards.NAMES[4 * (place - 1) + suit] for place, suit in hand), "JK", "JK"]
    wanted = {
        play.text.removeprefix("play ")
        for play in twin_plays.candidates(names, None, settled["rules"], settled["ranks"])
    }
    moves = listed(view_of(hand, 2, LEAD, players=2), record)
    if settled["rules"]["leader_may_pass"]:
        moves.remove(0)
    assert {" ".join(notation.names(move)) for move in moves} == wanted
    assert len(moves) == len(wanted) > 200
    for move in moves:
        text = " ".join(notation.names(move))
        assert notation.parse(text) == move
        assert notation.parse(" ".join(reversed(text.split()))) == move
        assert daifugo.ENGINE.is_legal(view_of(hand, 2, LEAD, players=2), record, move)
        assert plays.read(move, record)[0] != NO_TABLE
        codes = int(plays.code_of(move, 0)), int(plays.code_of(move, 1))
        naturals = int(plays.naturals_of(move))
        assert {int(plays.encode(naturals, *codes)), int(plays.encode(naturals, *codes[::-1]))} == {move}
        assert int(plays.jokers_of(move)) == sum(code > 0 for code in codes)
    view = view_of(hand, 2, LEAD, players=2)
    for move in daifugo.strange_moves(moves, dice, 3000):
        allowed = move in moves or (move == 0 and settled["rules"]["leader_may_pass"])
        assert bool(daifugo.ENGINE.is_legal(view, record, move)) == allowed, move


# ---- sets of cards, and ranks ---------------------------------------------------------------------------


@pytest.mark.boundscheck
@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 6])
def test_sets_of_cards_to_give_away(size: int, jokers: int) -> None:
    """Jokers are alike, so a set with one of two is there once."""
    dice = random.Random(f"{size} {jokers}")
    naturals = dice.sample(range(52), 9)
    wanted = {
        daifugo.signed(cards.mask_of(chosen) | {0: 0, 1: BARE << 52, 2: 65 << 52}[used])
        for used in range(min(jokers, size) + 1)
        for chosen in itertools.combinations(naturals, size - used)
    }
    mask = cards.mask_of(naturals)
    count = int(plays.count_sets(mask, jokers, size))
    assert {int(plays.nth_set(mask, jokers, size, number)) for number in range(count)} == wanted
    assert count == len(wanted)
