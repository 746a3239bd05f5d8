"""Players of Uplink that look at points: one greedy, one sound.

Both weigh what a trick pays: the taker gets the own card and the field but for the cards left behind, and
loses nothing else; everybody else's card becomes the next field.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards
from sim.jit import jit, lowest, popcount
from sim.uplink import engine
from sim.uplink.state import LEAVE, PUT
from strategies import strategy, styles
from strategies.uplink import basic
from strategies.uplink.kinds import KINDS

_of_kind = KINDS.of_kind
_some_other = KINDS.some_other
_FACES = sum(15 << (4 * cards.RANKS.index(rank)) for rank in "JQK")


@jit
def _best_leave(view: Any, rules: Any, poison: float, never: int) -> int:
    """Return the cards to leave that make the own pile worth most, not of the kind `never`.

    `poison` counts that part of the points of what stays: below 0, bad cards are left for the others.
    """
    seat = view["seat"]
    pile = view["piles"][seat] | view["field"] | (1 << view["played"][seat])
    best = -1e18
    move = 0
    for number in range(engine.count_moves(view, rules)):
        left = engine.nth_move(view, rules, number)
        if never != 0 and _of_kind(never, view, rules, left):
            continue
        worth = engine.pile_value(pile & ~left, rules)[0] + poison * engine.card_points(left, rules)
        if worth > best:
            best = worth
            move = left
    return move


@jit
def _spoils(view: Any, rules: Any) -> int:
    """Return the field without the cards of fewest points that its taker would leave."""
    field = view["field"]
    for _ in range(min(rules["left_behind"], popcount(field))):
        least = field & -field
        rest = field & (field - 1)
        while rest != 0:
            card = rest & -rest
            if rules["points"][lowest(card)] < rules["points"][lowest(least)]:
                least = card
            rest &= rest - 1
        field &= ~least
    return field


@jit
def _pays(pile: int, before: int, taken: int, rules: Any) -> int:
    """Return the points that capturing `taken` adds to a pile worth `before`."""
    if ((pile | taken) & _FACES) == 0:
        return engine.card_points(taken, rules)
    return engine.pile_value(pile | taken, rules)[0] - before


@jit
def _leads_trick(view: Any, rules: Any, card: int) -> bool:
    """Tell whether `card` would take the trick if nobody played after it."""
    if view["turn"] == 0:
        return True
    strength = rules["strength"][card >> 2]
    top = view["best"] >> 3
    if rules["tied_top"] == 0:
        return strength >= top
    if strength >= top or rules["tied_top"] == 1:
        return strength > top
    return _beats_untied(view, rules, strength, top)


@jit
def _beats_untied(view: Any, rules: Any, strength: int, top: int) -> bool:
    """Tell whether a card below a tied top beats the other cards below it (``tied_top = "second"``)."""
    tops = 0
    second = -1
    for seat in range(rules["players"]):
        if view["played"][seat] >= 0:
            other = rules["strength"][view["played"][seat] >> 2]
            if other == top:
                tops += 1
            else:
                second = max(second, other)
    return tops > 1 and strength >= second


@strategy("uplink", "greedy")
def greedy(view: Any, rules: Any, me: Any) -> int:
    """Takes the most points at once: plays the cheapest card that leads a trick which pays."""
    if view["phase"] == LEAVE:
        return _best_leave(view, rules, 0.0, 0)
    spoils = _spoils(view, rules)
    pile = view["piles"][view["seat"]]
    before = engine.pile_value(pile, rules)[0]
    best = -(1 << 40)
    move = 0
    rest = view["hand"]
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if view["phase"] == PUT:
            worth = -rules["points"][card]
        else:
            worth = _pays(pile, before, spoils | (1 << card), rules) if _leads_trick(view, rules, card) else 0
        # Among equals the weakest card: strength is kept for later.
        worth = 16 * worth - rules["strength"][card >> 2]
        if worth > best:
            best = worth
            move = 1 << card
    return move


WEIGHTS = {
    "deny": 0.35,
    "dump": 0.65,
    "keep": 8.0,
    "own": 0.7,
    "calm": 2.2,
    "greed": 1.4,
    "poison": -0.2,
    "put_points": 0.2,
    "put_strength": 4.5,
    "late": 0.0,
    "lead": 0.0,
}
"""Weights of the heuristic player, in points:

deny
    part of what another captures when I do not.
dump
    part of the points of my card, which goes into the field when I lose the trick.
keep
    what a trick pays on average: the worth in the hand of a card that would take a later one for sure.
own
    part of the points of that card itself, captured with it.
calm, greed
    players still to come who can beat my card let a trick go that pays `calm`, and are `greed` more
    likely to take it for each point more.
poison
    part of the points of what I leave behind.
put_points, put_strength
    part of the points of the card put out at the start, and the worth of a sure taker as in `keep`.
late
    by how much more `keep` and `own` count at the end of a game than at its start.
lead
    worth of taking a trick beside its points: to lead the next.
"""
PARAMETERS = {**styles.PARAMETERS, **WEIGHTS}

_DENY, _DUMP, _KEEP, _OWN, _CALM, _GREED, _POISON, _PUT_POINTS, _PUT_STRENGTH, _LATE, _LEAD = range(
    styles.COUNT, len(PARAMETERS)
)

_random = jit(basic.random)


_OTHERS = np.array(
    [
        [sum(cards.suit_mask(suit) for suit in range(players) if suit != seat) for seat in range(4)]
        for players in range(5)
    ],
    dtype=np.int64,
)
"""By (players, seat): the suits of the others in personal decks."""


@jit
def _unseen(view: Any, rules: Any) -> int:
    """Return the cards that may be in other hands."""
    seen = view["hand"] | view["field"] | view["trick_cards"] | view["out"]
    for seat in range(rules["players"]):
        seen |= view["piles"][seat]
    if rules["personal"]:
        return _OTHERS[rules["players"], view["seat"]] & ~seen
    return cards.PACK & ~seen


@jit
def _beaten_by(rules: Any, card: int, unseen: int, total: int) -> float:
    """Return which part of the `total` unseen cards beats `card` when played after it."""
    rank = card >> 2
    beating = rules["above"][rank]
    if rules["tied_top"] != 1:
        beating |= 15 << (4 * rank)
    return popcount(unseen & beating) / max(total, 1)


@jit
def _power(base: float, times: int) -> float:
    result = 1.0
    for _ in range(times):
        result *= base
    return result


@jit
def _others(never: int, view: Any, rules: Any) -> int:
    """Return the cards of the hand whose move is not of a kind."""
    rest = view["hand"]
    found = 0
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        found |= 0 if _of_kind(never, view, rules, card) else card
    return found


@jit
def _put_out(view: Any, rules: Any, habits: Any, choices: int, unseen: int, total: int) -> int:
    """Return the card of the choices to put out at the start: bad points, and no sure taker."""
    best = -1e18
    move = 0
    rest = choices
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        strength = 1.0 - _beaten_by(rules, card, unseen, total)
        worth = -habits[_PUT_POINTS] * rules["points"][card]
        worth -= habits[_PUT_STRENGTH] * styles.hoarded(habits) * strength * strength
        if worth > best:
            best = worth
            move = 1 << card
    return move


@strategy("uplink", "heuristic", parameters=PARAMETERS)
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Takes tricks that pay and ducks those that do not; keeps strong cards for rich fields, poisons poor ones."""
    habits = me["params"]
    never = styles.never(habits)
    if styles.slips(me):
        slip = _random(view, rules, me)
        if never == 0 or not _of_kind(never, view, rules, slip):
            return slip
    if never != 0 and _some_other(never, view, rules, -1) == -1:
        never = 0
    if view["phase"] == LEAVE:
        return _best_leave(view, rules, habits[_POISON], never)
    choices = view["hand"] if never == 0 else _others(never, view, rules)
    unseen = _unseen(view, rules)
    total = popcount(unseen)
    if view["phase"] == PUT:
        return _put_out(view, rules, habits, choices, unseen, total)
    spoils = _spoils(view, rules)
    pile = view["piles"][view["seat"]]
    before = engine.pile_value(pile, rules)[0]
    held = view["held"][view["seat"]]
    to_come = rules["players"] - 1 - view["turn"]
    tricks_left = rules["hand_size"] - view["trick"]
    # After the last trick nothing is kept.
    keep = 0.0
    if tricks_left > 0:
        keep = styles.hoarded(habits) * (1.0 + habits[_LATE] * (0.5 - tricks_left / rules["hand_size"]))
    best = -1e18
    move = 0
    rank = -1
    strength = 0.0
    follower = 0.0
    rest = choices
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if card >> 2 != rank:
            rank = card >> 2
            beaten = _beaten_by(rules, card, unseen, total)
            strength = (1.0 - beaten) * (1.0 - beaten)
            follower = 1.0 - _power(1.0 - beaten, held)
        points = float(rules["points"][card])
        pays = float(_pays(pile, before, spoils | (1 << card), rules))
        chance = 0.0
        if _leads_trick(view, rules, card):
            eager = min(1.0, max(0.0, habits[_GREED] * (pays - habits[_CALM])))
            chance = styles.believed(_power(1.0 - eager * follower, to_come), habits)
        worth = chance * (pays + habits[_LEAD]) - (1.0 - chance) * (
            habits[_DENY] * (pays - points) + habits[_DUMP] * points
        )
        worth -= keep * strength * (habits[_KEEP] + habits[_OWN] * points)
        if worth > best:
            best = worth
            move = 1 << card
    return move
