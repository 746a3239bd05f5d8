"""Players of Uplink that look at points: one greedy, one sound.

Both weigh what a trick pays: the taker gets the own card and the field but for the cards left behind, and
loses nothing else; everybody else's card becomes the next field.
"""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.jit import jit, lowest, popcount
from sim.uplink import engine
from sim.uplink.state import LEAVE, PUT
from strategies import strategy

_FACES = sum(15 << (4 * cards.RANKS.index(rank)) for rank in "JQK")


@jit
def _best_leave(view: Any, rules: Any, pile: int, poison: float) -> tuple[int, float]:
    """Return the cards to leave, and the worth of the pile after taking the others.

    `poison` adds that part of the points of what stays: negative to leave bad cards for the others.
    """
    field = view["choices"]
    count = engine.count_moves(view, rules)
    best = -1e18
    move = 0
    for number in range(count):
        left = engine.nth_move(view, rules, number)
        worth = float(engine.pile_value(pile | (field & ~left), rules)[0])
        rest = left
        while rest != 0:
            worth += poison * rules["points"][lowest(rest)]
            rest &= rest - 1
        if worth > best:
            best = worth
            move = left
    return move, best


@jit
def _pays(view: Any, rules: Any, own: int) -> int:
    """Return the points that taking the trick with `own` adds, if the cards with fewest points are left."""
    pile = view["piles"][view["seat"]]
    taken = view["field"] | own
    spared = 0
    rest = view["field"]
    for _ in range(min(rules["left_behind"], popcount(rest))):
        least = rest & -rest
        others = rest & (rest - 1)
        while others != 0:
            card = others & -others
            if rules["points"][lowest(card)] < rules["points"][lowest(least)]:
                least = card
            others &= others - 1
        spared |= least
        rest &= ~least
    taken &= ~spared
    if ((pile | taken) & _FACES) == 0:
        points = 0
        while taken != 0:
            points += rules["points"][lowest(taken)]
            taken &= taken - 1
        return points
    return engine.pile_value(pile | taken, rules)[0] - engine.pile_value(pile, rules)[0]


@jit
def _leads_trick(view: Any, rules: Any, card: int) -> bool:
    """Tell whether `card` would take the trick if nobody played after it."""
    strength = rules["strength"][card >> 2]
    top = -1
    tops = 0
    second = -1
    for seat in range(rules["players"]):
        if view["played"][seat] >= 0:
            other = rules["strength"][view["played"][seat] >> 2]
            if other > top:
                second = top
                top = other
                tops = 1
            elif other == top:
                tops += 1
            elif other > second:
                second = other
    if rules["tied_top"] == 0:
        return strength >= top
    if rules["tied_top"] == 1:
        return strength > top
    return strength > top or (tops > 1 and second <= strength < top)


@strategy("uplink", "greedy")
def greedy(view: Any, rules: Any, me: Any) -> int:
    """Takes the most points at once: plays the cheapest card that leads a trick which pays."""
    if view["phase"] == LEAVE:
        own = 1 << view["played"][view["seat"]]
        return _best_leave(view, rules, view["piles"][view["seat"]] | own, 0.0)[0]
    best = -(1 << 40)
    move = 0
    rest = view["hand"]
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if view["phase"] == PUT:
            worth = -rules["points"][card]
        else:
            worth = _pays(view, rules, 1 << card) if _leads_trick(view, rules, card) else 0
        # Among equals the weakest card: strength is kept for later.
        worth = 16 * worth - rules["strength"][card >> 2]
        if worth > best:
            best = worth
            move = 1 << card
    return move


HABITS = {
    "deny": 0.7,
    "dump": 0.0,
    "keep": 5.0,
    "own": 1.0,
    "rivals": 3.0,
    "fear": 0.5,
    "greed": 0.05,
    "poison": -0.2,
    "put_points": 0.5,
    "put_strength": 5.0,
}
"""Weights of the heuristic player:

deny
    of the points that another takes when I do not.
dump
    of the points of my card, which goes into the field when I lose the trick.
keep
    points that a trick pays on average: what a card that could take a later one is worth in the hand.
own
    of the points of that card itself, captured with it.
rivals
    how many rivals a card has to beat in a later trick.
fear, greed
    how likely it is that a player still to come, who can beat my card, does: at a trick that pays nothing,
    and more for each point it pays.
poison
    of the points of what I leave behind.
put_points, put_strength
    of the points and the strength of the card put out at the start.
"""
_DENY, _DUMP, _KEEP, _OWN, _RIVALS, _FEAR, _GREED, _POISON, _PUT_POINTS, _PUT_STRENGTH = range(10)


@jit
def _unseen(view: Any, rules: Any) -> int:
    """Return the cards that may be in other hands."""
    seen = view["hand"] | view["field"] | view["trick_cards"] | view["out"]
    for seat in range(rules["players"]):
        seen |= view["piles"][seat]
    return cards.PACK & ~seen


@jit
def _beaten_by(rules: Any, card: int, unseen: int) -> float:
    """Return which part of the unseen cards beats `card` when played after it."""
    rank = card >> 2
    beating = rules["above"][rank]
    if rules["tied_top"] != 1:
        beating |= 15 << (4 * rank)
    total = popcount(unseen)
    return popcount(unseen & beating) / total if total > 0 else 0.0


@strategy("uplink", "heuristic", parameters=HABITS)
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Takes tricks that pay and ducks those that do not; keeps strong cards for rich fields, poisons poor ones."""
    habits = me["params"]
    if view["phase"] == LEAVE:
        own = 1 << view["played"][view["seat"]]
        return _best_leave(view, rules, view["piles"][view["seat"]] | own, habits[_POISON])[0]
    unseen = _unseen(view, rules)
    last = view["trick"] == rules["hand_size"]
    to_come = rules["players"] - 1 - view["turn"]
    best = -1e18
    move = 0
    rest = view["hand"]
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        points = float(rules["points"][card])
        beaten = _beaten_by(rules, card, unseen)
        strength = (1.0 - beaten) ** habits[_RIVALS]
        if view["phase"] == PUT:
            worth = -habits[_PUT_POINTS] * points - habits[_PUT_STRENGTH] * strength
        else:
            pays = float(_pays(view, rules, 1 << card))
            chance = 0.0
            if _leads_trick(view, rules, card):
                eager = min(1.0, max(0.0, habits[_FEAR] + habits[_GREED] * pays))
                chance = (1.0 - eager * (1.0 - (1.0 - beaten) ** view["held"][view["seat"]])) ** to_come
            worth = chance * pays - (1.0 - chance) * (habits[_DENY] * (pays - points) + habits[_DUMP] * points)
            if not last:
                worth -= strength * (habits[_KEEP] + habits[_OWN] * points)
        if worth > best:
            best = worth
            move = 1 << card
    return move
