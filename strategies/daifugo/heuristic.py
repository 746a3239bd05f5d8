"""A sound player of Daifugō: sheds what is weak, keeps what takes the lead, and plans a finish that is no foul.

A hand is weighed rank by rank: a weak rank costs about a turn, a strong one is worth holding since it takes the
lead. A play is worth what it takes off that cost, and the chance that it takes the trick.
"""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import engine, legal, plays
from sim.daifugo.state import (
    ANSWER,
    DISCARD_EFFECT,
    EIGHT_CUT,
    ELEVEN_BACK,
    GROUP,
    JOKERS_ONLY,
    NAME,
    NO_TABLE,
    PASS_ON,
    PLAY,
)
from sim.jit import jit, lowest, popcount
from strategies import strategy, styles
from strategies.daifugo import basic
from strategies.daifugo.kinds import KINDS

WEIGHTS = {
    "hold": 1.05,
    "lead": -0.15,
    "late": 1.15,
    "cut": 0.85,
    "joker": 0.6,
    "shed": -0.14,
    "spade": 0.1,
    "foul": 3.3,
    "bomb": -0.95,
    "threat": 0.25,
    "count": 0.0,
    "crowd": 0.0,
    "wide": 0.0,
    "patience": 0.0,
}
"""Weights of the heuristic player, in turns:

hold
    how much holding the strongest rank is worth.
lead, late
    worth of taking the lead: `lead`, and the more of `late` the shorter the own hand is.
cut
    worth of an eight in hand, which takes the lead by itself.
joker
    worth of a joker in hand.
shed
    worth of each card put down, beside what the hand is worth without it.
spade
    worth of keeping ♠3 while a joker may come.
foul
    cost of a hand whose last rank would be a foul.
bomb
    worth of naming a rank for each card of it that others may hold, by its strength; below 0, weak ranks are
    named, which more often empty a rival's hand by a foul.
threat
    how much more the lead is worth for each rival who is about to finish.
count
    how much the strength of a rank is reckoned from the cards still out, 0 … 1; the rest is by the rank alone.
crowd
    how much likelier a play takes the trick when all others have passed.
wide
    cost of each further card of a rank.
patience
    what a play must be worth at least; below it the player passes.
"""
PARAMETERS = {**styles.PARAMETERS, **WEIGHTS}

(
    _HOLD, _LEAD, _LATE, _CUT, _JOKER, _SHED, _SPADE, _FOUL, _BOMB, _THREAT, _COUNT, _CROWD, _WIDE, _PATIENCE,
) = range(styles.COUNT, len(PARAMETERS))  # fmt: skip

_random = jit(basic.random)
_of_kind = KINDS.of_kind


@jit
def _foul_rank(rank: int, revolution: int, view: Any, rules: Any) -> bool:
    """Tell whether finishing with cards of this rank alone is a foul (D34, D36)."""
    if rules["foul_two"] and rank == (0 if revolution else 12):
        return True
    if view["effects_off"]:
        return False
    effects = rules["by_rank"][rank]
    if rules["foul_eight_cut"] and effects & EIGHT_CUT:
        return True
    return rules["foul_eleven_back"] != 0 and (effects & ELEVEN_BACK) != 0


@jit
def _power(rank: int, revolution: int, view: Any, habits: Any) -> float:
    """Return how strong a rank is, 0 … 1."""
    power = (12 - rank if revolution else rank) / 12.0
    if habits[_COUNT] == 0.0:
        return power
    unseen = cards.PACK & ~(view["gone"] | view["hand"])
    above = unseen & ((1 << (4 * rank)) - 1) if revolution else unseen >> (4 * rank + 4)
    share = 1.0 - popcount(above) / max(1, popcount(unseen))
    return power + habits[_COUNT] * (share - power)


@jit
def cost(hand: int, jokers: int, revolution: int, view: Any, rules: Any, habits: Any) -> float:
    """Return how far a hand is from being empty, in turns; what takes the lead counts below 0."""
    hoarded = styles.hoarded(habits)
    total = -habits[_JOKER] * hoarded * jokers
    ranks = 0
    fouls = 0
    cuts = rules["by_rank"]
    rest = hand
    while rest != 0:
        rank = lowest(rest) >> 2
        if habits[_WIDE] != 0.0:
            total += habits[_WIDE] * (popcount((rest >> (4 * rank)) & 15) - 1)
        rest &= ~(15 << (4 * rank))
        power = _power(rank, revolution, view, habits)
        ranks += 1
        if (cuts[rank] & EIGHT_CUT) != 0 and view["effects_off"] == 0:
            total += 1.0 - habits[_CUT] * hoarded
        else:
            total += 1.0 - habits[_HOLD] * hoarded * power * power * power
        if _foul_rank(rank, revolution, view, rules):
            fouls += 1
    if ranks > 0 and fouls == ranks:
        # Every way to finish is a foul; jokers do not help where finishing with one is a foul too.
        total += habits[_FOUL]
    elif ranks == 0 and jokers > 0 and rules["foul_joker"]:
        total += habits[_FOUL]
    return total


@jit
def _takes(kind: int, low: int, size: int, view: Any, rules: Any, habits: Any) -> float:
    """Return about how likely a play takes the trick."""
    if kind != GROUP:
        return 0.75
    if low == JOKERS_ONLY:
        return 0.97
    if (rules["by_rank"][low] & EIGHT_CUT) != 0 and view["effects_off"] == 0:
        return 0.95
    power = _power(low, legal.is_reversed(view), view, habits)
    if size >= 2:
        power = 1.0 - (1.0 - power) * (0.6 if size == 2 else 0.3)
    chance = power * power * power
    if habits[_CROWD] != 0.0:
        chance += habits[_CROWD] * (1.0 - chance) * _passed_share(view)
    return chance


@jit
def _passed_share(view: Any) -> float:
    """Return which part of the rivals has passed."""
    rivals = 0
    passed = 0
    for other in range(view["players"]):
        if other != view["seat"] and view["places"][other] == 0:
            rivals += 1
            passed += (view["passed"] >> other) & 1
    return passed / max(1, rivals)


@jit
def _worth(move: int, before: float, view: Any, rules: Any, habits: Any) -> float:
    """Return what a play is worth against a pass."""
    naturals = plays.naturals_of(move)
    jokers = plays.jokers_of(move)
    kind, low, size, _suits, _bare = plays.read(move, rules)
    hand = view["hand"] & ~naturals
    left = view["jokers"] - jokers
    revolution = view["revolution"]
    if kind == GROUP and size >= 4 and rules["revolution"] and view["effects_off"] == 0:
        revolution = 1 - revolution
    if hand == 0 and left == 0:
        return -50.0 if _finish_is_foul(move, kind, low, view, rules) else 100.0
    lead = habits[_LEAD]
    short = 4.0 / (popcount(hand) + left + 3.0)
    lead += habits[_LATE] * short
    for other in range(rules["players"]):
        if other != view["seat"] and view["places"][other] == 0 and view["held"][other] <= 2:
            lead += habits[_THREAT]
    worth = before - cost(hand, left, revolution, view, rules, habits)
    worth += (
        lead * styles.believed(_takes(kind, low, size, view, rules, habits), habits) + habits[_SHED] * size
    )
    if kind == GROUP and low != JOKERS_ONLY and view["effects_off"] == 0:
        effects = rules["by_rank"][low]
        if effects & (PASS_ON | DISCARD_EFFECT):
            worth += 0.5 * min(size, popcount(hand) + left)
            if popcount(hand) + left <= size and (rules["foul_pass_on"] or rules["foul_discard"]):
                worth -= habits[_FOUL]
    joker_may_come = view["gone_jokers"] + view["jokers"] < rules["jokers"]
    if (naturals & plays.SPADE_THREE) != 0 and rules["spade_three"] and joker_may_come:
        worth -= habits[_SPADE] if view["table_low"] != JOKERS_ONLY else 0.0
    return worth


@jit
def _finish_is_foul(move: int, kind: int, low: int, view: Any, rules: Any) -> bool:
    """Tell whether a last play breaks D33 to D36."""
    naturals = plays.naturals_of(move)
    if rules["foul_joker"] and plays.jokers_of(move) > 0:
        return True
    if rules["foul_two"] and (naturals & (15 if view["revolution"] else 15 << 48)) != 0:
        return True
    if (naturals & plays.SPADE_THREE) != 0 and (
        rules["foul_spade"] == 1 or (rules["foul_spade"] == 2 and move == plays.SPADE_THREE)
    ):
        return True
    return kind == GROUP and low != JOKERS_ONLY and _foul_rank(low, view["revolution"], view, rules)


@jit
def _worst_cards(view: Any, rules: Any, habits: Any, revolution: int) -> int:
    """Return the cards whose loss helps the hand most, one after the other."""
    hand = view["hand"]
    jokers = view["jokers"]
    chosen = 0
    used = 0
    for _ in range(view["want"]):
        best = -1e18
        card = 0
        rest = hand
        while rest != 0:
            one = rest & -rest
            rest &= rest - 1
            worth = -cost(hand & ~one, jokers, revolution, view, rules, habits)
            if worth > best:
                best = worth
                card = one
        if card == 0:
            used += 1
            jokers -= 1
        chosen |= card
        hand &= ~card
    return chosen | plays.bare(used)


@jit
def _name_ranks(view: Any, rules: Any, habits: Any) -> int:
    """Return the ranks to bomb: strong ones that others hold, or weak ones of one's own (D28)."""
    names = 13 + (1 if rules["jokers"] > 0 else 0)
    before = cost(view["hand"], view["jokers"], view["revolution"], view, rules, habits)
    unseen = ~(view["gone"] | view["hand"])
    named = 0
    for _ in range(view["want"]):
        best = -1e18
        choice = 0
        for rank in range(names):
            if (named >> rank) & 1:
                continue
            if rank == 13:
                others = rules["jokers"] - view["gone_jokers"] - view["jokers"]
                power = 1.0
                after = cost(view["hand"], 0, view["revolution"], view, rules, habits)
            else:
                others = popcount((unseen >> (4 * rank)) & 15)
                power = (12 - rank if view["revolution"] else rank) / 12.0
                after = cost(
                    view["hand"] & ~(15 << (4 * rank)),
                    view["jokers"],
                    view["revolution"],
                    view,
                    rules,
                    habits,
                )
            worth = before - after + habits[_BOMB] * others * (2.0 * power - 1.0)
            if worth > best:
                best = worth
                choice = rank
        named |= 1 << choice
    return named


@jit
def _best_play(view: Any, rules: Any, habits: Any, never: int) -> int:
    """Return the best play that is not of the kind `never`; 0 where none of these is better than a pass, or there is none."""
    before = cost(view["hand"], view["jokers"], view["revolution"], view, rules, habits)
    must = view["table_kind"] == NO_TABLE and view["phase"] == PLAY
    if never != 0:
        must = must or _of_kind(never, view, rules, 0)
    best = -1e18 if must else habits[_PATIENCE]
    chosen = 0
    for number in range(view["count"]):
        move = engine.nth_move(view, rules, number)
        if move == 0 or (never != 0 and _of_kind(never, view, rules, move)):
            continue
        worth = _worth(move, before, view, rules, habits)
        if worth > best:
            best = worth
            chosen = move
    return chosen


@strategy("daifugo", "heuristic", parameters=PARAMETERS)
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Sheds weak cards in long plays, keeps strong ones, eights and jokers for the lead, and avoids foul finishes."""
    habits = me["params"]
    never = styles.never(habits)
    if styles.slips(me):
        slip = _random(view, rules, me)
        if never == 0 or not _of_kind(never, view, rules, slip):
            return slip
    phase = view["phase"]
    if phase == NAME:
        return _name_ranks(view, rules, habits)
    if phase != PLAY and phase != ANSWER:
        return _worst_cards(view, rules, habits, view["revolution"])
    chosen = _best_play(view, rules, habits, never)
    if never != 0 and chosen == 0 and not engine.is_legal(view, rules, 0):
        # There is nothing else to play.
        chosen = _best_play(view, rules, habits, 0)
    return chosen
