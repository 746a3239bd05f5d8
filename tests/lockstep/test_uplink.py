"""Engine and plain-Python twin side by side: same chance, same moves, same position at every step."""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import Any

import pytest

from sim import cards, drafts
from sim.drafts import Draft
from sim.table import Table
from tests import support
from tests.reference import uplink as twin

ALL = "n"  # left_behind: as many as players
OTHER = "other"  # a number that is not the default

VALUES: dict[str, tuple[Any, ...]] = {
    "players": (2, 3, 4),
    "hand_size": (1, 2, 3, 4, 5, 6, 7, 8, 12),
    "games": (1, 2, 3, 4, 5),
    "left_behind": (0, 1, 2, ALL),
    "tied_top": ("later", "earlier", "second"),
    "next_lead": ("taker", "rotate"),
    "ace": ("high", "low"),
    "heart_pair": ("off", 2, OTHER),
    "variant": ("none", "personal_decks"),
    "set_of_three": (2, OTHER),
}
"""Values whose pairs are all covered; `ALL` and `OTHER` stand for values filled in by `rules_of`."""

DEAL_KEYS = ("players", "hand_size", "games", "left_behind", "variant")
MIXES = 320
MATCHES_PER_MIX = 8
CHUNKS = 16


def rules_of(mix: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    rules = dict(mix)
    if rules["left_behind"] == ALL:
        rules["left_behind"] = rules["players"]
    for key in ("heart_pair", "set_of_three"):
        if rules[key] == OTHER:
            rules[key] = dice.choice([-999, -50, -7, -1, 0, 1, 5, 30, 999])
    return rules


def can_deal(mix: dict[str, Any]) -> bool:
    return support.dealable(rules_of(mix, random.Random(0)))


def pairs_of(mix: dict[str, Any]) -> set[tuple[Any, ...]]:
    return {(a, mix[a], b, mix[b]) for a, b in itertools.combinations(VALUES, 2)}


@cache
def possible_pairs() -> frozenset[tuple[Any, ...]]:
    """Every pair of option values that a draft which can be dealt may have."""
    found: set[tuple[Any, ...]] = set()
    free = [key for key in VALUES if key not in DEAL_KEYS]
    for chosen in itertools.product(*(VALUES[key] for key in DEAL_KEYS)):
        mix = dict(zip(DEAL_KEYS, chosen, strict=True))
        if not can_deal({**mix, "heart_pair": 2, "set_of_three": 2}):
            continue
        for key in free:
            for value in VALUES[key]:
                found |= {(a, va, b, vb) for a, va, b, vb in _across(mix, key, value)}
        found |= {
            (a, mix[a], b, mix[b]) for a, b in itertools.combinations(VALUES, 2) if a in mix and b in mix
        }
    for a, b in itertools.combinations(free, 2):
        found |= {(a, va, b, vb) for va in VALUES[a] for vb in VALUES[b]}
    return frozenset(found)


def _across(mix: dict[str, Any], key: str, value: Any) -> list[tuple[Any, ...]]:
    order = list(VALUES)
    both = [
        sorted([(other, mix[other]), (key, value)], key=lambda item: order.index(item[0])) for other in mix
    ]
    return [(*first, *second) for first, second in both]


@cache
def mixes() -> tuple[dict[str, Any], ...]:
    """Option mixes drawn at random, and then for every pair still missing a mix that has it."""
    dice = random.Random("uplink mixes")

    def drawn(**fixed: Any) -> dict[str, Any]:
        while True:
            mix = {key: fixed.get(key, dice.choice(values)) for key, values in VALUES.items()}
            if can_deal(mix):
                return mix

    chosen = [drawn() for _ in range(MIXES - 60)]
    missing = set(possible_pairs()).difference(*(pairs_of(mix) for mix in chosen))
    while missing:
        a, va, b, vb = min(missing, key=repr)
        chosen.append(drawn(**{a: va, b: vb}))
        missing -= pairs_of(chosen[-1])
    while len(chosen) < MIXES:
        chosen.append(drawn())
    return tuple(chosen)


def test_the_mixes_hold_every_pair_of_option_values() -> None:
    covered = set().union(*(pairs_of(mix) for mix in mixes()))
    assert covered == possible_pairs()
    # What is impossible is so by arithmetic: long hands under personal decks in several games, and the like.
    everything = {
        (a, va, b, vb)
        for a, b in itertools.combinations(VALUES, 2)
        for va, vb in itertools.product(VALUES[a], VALUES[b])
    }
    impossible = everything - possible_pairs()
    assert {frozenset((a, b)) for a, _, b, _ in impossible} <= {
        frozenset(pair) for pair in itertools.combinations(DEAL_KEYS, 2)
    }
    assert len(impossible) < 15
    assert len(mixes()) <= MIXES + 40


# ---- comparing ------------------------------------------------------------------------------------------


def card_set(text: str) -> frozenset[str]:
    names = text.split()
    assert len(set(names)) == len(names)
    return frozenset(names)


def as_twin_says(seen: dict[str, Any]) -> dict[str, Any]:
    """Return the engine's `inspect` in the twin's types; every key of the twin must be there."""
    return {
        **seen,
        "hands": [card_set(text) for text in seen["hands"]],
        "field": card_set(seen["field"]),
        "piles": [card_set(text) for text in seen["piles"]],
    }


def move_set(text: str) -> tuple[str, frozenset[str]]:
    verb, *names = text.split()
    assert len(set(names)) == len(names)
    return verb, frozenset(names)


def compare(table: Table, match: twin.Match, where: str) -> None:
    wanted = match.inspect()
    came = as_twin_says(table.inspect())
    decisions = {"decisions": match.decisions, "branching": match.branching}
    came["events"] = {**came["events"], **decisions}
    assert set(wanted) <= set(came)
    for key, value in wanted.items():
        assert came[key] == value, f"{where}: {key}"


def compare_moves(table: Table, match: twin.Match, dice: random.Random, where: str) -> list[int]:
    """Check the legal moves, and that other sets of cards are no moves; return the engine's."""
    moves = list(table.moves())
    came = [move_set(table.move_text(move)) for move in moves]
    wanted = [move_set(text) for text in match.legal()]
    assert set(came) == set(wanted), where
    assert len(came) == len(wanted) == len(set(wanted)) == table.count_moves(), where
    legal = set(moves)
    view = table.state["view"]
    for size in (int(view["pick"]), dice.randint(0, 5)):
        move = cards.mask_of(dice.sample(range(52), size))
        assert bool(support.ENGINE.is_legal(view, table.rules, move)) == (move in legal), where
    return moves


def lockstep(draft: Draft, seed: int, deal: int, dice: random.Random) -> tuple[int, int]:
    """Play one match in both; return its decisions and the sum of the numbers of legal moves."""
    table = Table(draft, seed=seed, deal=deal)
    match = support.twin_match(draft, seed, deal)
    decisions = branching = 0
    while True:
        where = f"{draft.tables()}, seed {seed}, deal {deal}, decision {decisions}"
        compare(table, match, where)
        support.assert_conserved(table.state, draft)
        assert (decisions, branching) == (match.decisions, match.branching), where
        if table.over:
            break
        moves = compare_moves(table, match, dice, where)
        move = dice.choice(moves)
        match.play(table.move_text(move))
        table.apply(move)
        decisions += 1
        branching += len(moves)
    assert match.legal() == []
    assert list(table.moves()) == []
    return decisions, branching


# ---- matches --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_lockstep(chunk: int) -> None:
    dice = random.Random(f"lockstep {chunk}")
    for mix in mixes()[chunk::CHUNKS]:
        for _ in range(MATCHES_PER_MIX):
            # A points table and odd bonuses of its own for every match, the default table in one of four.
            points = support.odd_points(dice) if dice.random() < 0.75 else {}
            draft = support.draft_of(rules_of(mix, dice), points)
            decisions, branching = lockstep(draft, dice.getrandbits(62), dice.getrandbits(38), dice)
            rules = draft.options.rules
            tricks = rules.games * rules.hand_size
            assert decisions == rules.players + tricks * (rules.players + 1)
            assert branching >= decisions


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("number", range(0, MIXES, MIXES // 12))
def test_lockstep_of_a_few(number: int) -> None:
    dice = random.Random(f"few {number}")
    draft = support.draft_of(rules_of(mixes()[number], dice), support.odd_points(dice))
    lockstep(draft, number, number, dice)


@pytest.mark.boundscheck
@pytest.mark.parametrize("name", drafts.shipped("uplink"))
def test_lockstep_of_the_shipped_drafts(name: str) -> None:
    dice = random.Random(name)
    draft = drafts.load(f"uplink/{name}")
    for deal in range(40):
        lockstep(draft, 2**63 - 1 if deal == 0 else deal, deal, dice)


@pytest.mark.boundscheck
def test_lockstep_at_the_largest_deals() -> None:
    """The longest hands that a draft may have, for each number of players, games and cards left behind."""
    dice = random.Random("largest")
    tried = 0
    for players, games, variant in itertools.product((2, 3, 4), (1, 2, 3, 4, 6), VALUES["variant"]):
        for left in range(players + 1):
            rules = {"players": players, "games": games, "variant": variant, "left_behind": left}
            sizes = [size for size in range(1, 13) if support.dealable({**rules, "hand_size": size})]
            lockstep(support.draft_of({**rules, "hand_size": max(sizes)}), tried, 1, dice)
            tried += 1
    assert tried == 120
