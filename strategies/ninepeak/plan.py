"""How a player of 9 Peak reckons: what sets a hand could make now and later.

A *hand* here is two words: the counts (`sim.ninepeak.cards`) of the numbers 1 … 3 and 4 … 6, 20 bits each. *Reach* says
what each number can be used as: six fields of 8 bits, the lowest value and the highest, 4 bits each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import jit
from sim.ninepeak.cards import JOKER_SHIFT, NUMBERS, total
from sim.ninepeak.score import multipliers
from sim.ninepeak.state import DRAW_TO_HAND, FLAT, PEAK, PER_SET
from strategies import styles

WEIGHTS = {
    "discount": 0.99,  # of each later set
    "waiting": 0.07,  # worth of cards that make no set yet
    "passing": 0.99,  # of everything, for a turn spent on a pass
    "same": -0.04,  # by how much one more card adds to those of one suit, in sets to come
    "different": 0.65,  # the same for different suits
    "hope": 0.5,  # of sets to come, over what they would score
    "clean": 0.59,  # chance that a player without jokers so far stays so
    "rivals_out": 0.07,  # chance that a rival with one card goes out at the next turn
    "rivals_slow": 0.18,  # how fast that chance falls with the hand
    "keep_suit": 1.06,  # worth of a card: for each other of its suit in the hand,
    "keep_reach": 0.52,  # for each value it can be used as,
    "keep_joker": 4.37,  # as a joker,
    "keep_number": 0.88,  # for its number
    "out": 0.8,  # of going out, beside what the draft pays
    "draw": 1.84,  # of a card drawn to the hand
    "peaks": 1.1,  # of each VP won by a peak
}
"""Names and values, tuned by play against each other."""

PARAMETERS = {**styles.PARAMETERS, **WEIGHTS}

(
    DISCOUNT, WAITING, PASSING, SAME, DIFFERENT, HOPE, CLEAN, RIVALS_OUT, RIVALS_SLOW,
    KEEP_SUIT, KEEP_REACH, KEEP_JOKER, KEEP_NUMBER, OUT, DRAW, PEAKS,
) = range(styles.COUNT, len(PARAMETERS))  # fmt: skip

CARDS_LEFT = 16
MOST = len(PARAMETERS)
LATER = MOST + PEAK + 1
"""Where the tables of `prepare` begin in the parameters: by size, and by (smallest N − 1, cards left)."""

_COUNT = 0xFFFFF


def prepare(rules: Any, params: Any) -> None:
    """Write the most that a set of each size can score, and what r cards of no known suits are worth.

    The latter to a player whose next set has N or more: the best split of r cards into sets that do not shrink,
    each scored as if one more card added `same` to those of one suit, or `different` to the number of suits; later
    sets count less.
    """
    suits = 5 - (2 if rules["colours"] else 0) - rules["wild_only"]
    for size in range(1, PEAK + 1):
        base = rules["base"][size]
        many = max(size + max(rules["perfect"], 0), suits + rules["different"])
        params[MOST + size] = base * many if base >= 0 else np.inf
    worth = [0.0] + [_expected(rules, params, size) for size in range(1, PEAK + 1)]
    for left in range(CARDS_LEFT):
        for smallest in range(PEAK, 0, -1):
            best = 0.0
            for size in range(smallest, min(PEAK, left) + 1):
                rest = params[LATER + (size - 1) * CARDS_LEFT + left - size]
                best = max(best, worth[size] + params[DISCOUNT] * rest)
            params[LATER + (smallest - 1) * CARDS_LEFT + left] = best


def _expected(rules: Any, params: Any, size: int) -> float:
    suits = 2 if rules["colours"] else 4
    same = min(size, 1 + params[SAME] * (size - 1)) + rules["perfect"] * params[SAME] ** (size - 1)
    shown = min(suits, 1 + params[DIFFERENT] * (size - 1)) + rules["different"]
    many = same if rules["same_only"] else max(same, shown)
    bonus = rules["no_joker_vp"] * params[CLEAN] if rules["no_joker"] == PER_SET else 0.0
    hope = styles.hoarded(params) * styles.believed(params[HOPE], params)
    return float(hope * rules["base"][size] * many + bonus)


@jit
def later(params: Any, smallest: int, left: int) -> float:
    """Return what so many cards of no known suits are worth, see `prepare`."""
    return params[LATER + (smallest - 1) * CARDS_LEFT + min(left, CARDS_LEFT - 1)]


@jit
def hand_of(counts: Any) -> tuple[int, int]:
    """Return a group of cards as a hand."""
    return (
        counts[0] | (counts[1] << 20) | (counts[2] << 40),
        counts[3] | (counts[4] << 20) | (counts[5] << 40),
    )


@jit
def count_in(low: int, high: int, number: int) -> int:
    """Return the count of a number (from 0) in a hand."""
    return ((low >> (20 * number)) if number < 3 else (high >> (20 * (number - 3)))) & _COUNT


@jit
def reach_of(number: int, width: int, peaked: bool) -> int:
    """Return the field of a number (from 0) with so many cards in the area."""
    if peaked or number + 1 + width >= PEAK:
        return 1 | (PEAK << 4)
    return (number + 1) | ((number + 1 + width) << 4)


@jit
def reaches(view: Any) -> int:
    """Return what each number can be used as now."""
    reach = 0
    for number in range(NUMBERS):
        peaked = (view["peaks"] >> number) & 1 == 1
        reach |= reach_of(number, total(view["area"][number]), peaked) << (8 * number)
    return reach


@jit
def suits_for(low: int, high: int, reach: int, value: int) -> int:
    """Return the cards of a hand that can be used as `value`, as one count by suit."""
    suits = 0
    for number in range(NUMBERS):
        field = reach >> (8 * number)
        fits = (field & 15) <= value <= ((field >> 4) & 15)
        suits += count_in(low, high, number) if fits else 0
    return suits


@jit
def gains(view: Any, rules: Any, params: Any) -> tuple[float, float]:
    """Return what a set brings beside its own VP, (without jokers, with one), by P18."""
    me = view["seat"]
    sets = view["sets"][me]
    if rules["no_joker"] == DRAW_TO_HAND:
        return params[DRAW], 0.0
    if view["jokers"][me] > 0:
        return 0.0, 0.0
    if rules["no_joker"] == PER_SET:
        return params[CLEAN] * rules["no_joker_vp"], -params[CLEAN] * rules["no_joker_vp"] * sets
    if rules["no_joker"] == FLAT:
        bonus = params[CLEAN] * rules["no_joker_vp"]
        return (bonus, 0.0) if sets == 0 else (0.0, -bonus)
    return 0.0, 0.0


@jit
def multiplier(suits: int, size: int, jokers: int, rules: Any) -> tuple[int, bool]:
    """Return (what a set of some of these cards multiplies its base by at best, whether by different suits)."""
    same, different = multipliers(suits, size, jokers, rules)
    return max(same, different), different > same


@jit
def worth_of(suits: int, size: int, without: float, with_joker: float, rules: Any) -> float:
    """Return the most that a set of `size` of these cards brings, −1 where there are too few."""
    jokers = (suits >> JOKER_SHIFT) & 15
    natural = (suits & 15) + ((suits >> 4) & 15) + ((suits >> 8) & 15) + ((suits >> 12) & 15)
    best = -1.0
    if natural >= size:
        best = rules["base"][size] * multiplier(suits, size, 0, rules)[0] + without
    if jokers > 0 and natural + jokers >= size:
        used = min(jokers, size)
        best = max(best, rules["base"][size] * multiplier(suits, size, used, rules)[0] + with_joker)
    return best


@jit
def value(
    low: int, high: int, reach: int, smallest: int, left: int, extra: Any, rules: Any, params: Any
) -> float:
    """Return what a hand of `left` cards is worth at its player's next turn; `extra` comes from `gains`."""
    best = params[WAITING] * later(params, smallest, left)
    most_extra = max(extra[0], extra[1])
    for size in range(min(PEAK, left), smallest - 1, -1):
        rest = params[DISCOUNT] * later(params, size, left - size)
        if params[MOST + size] + most_extra + rest <= best:
            continue
        suits = suits_for(low, high, reach, size)
        now = worth_of(suits, size, extra[0], extra[1], rules)
        if now >= 0:
            best = max(best, now + rest)
    return best


@jit
def chance_of_a_turn(view: Any, params: Any) -> float:
    """Return the chance to be asked again: nobody who moves later in this round may go out."""
    if view["last_round"]:
        return 0.0
    chance = 1.0
    for seat in range(view["seat"] + 1, view["players"]):
        held = view["held"][seat]
        out = params[RIVALS_OUT] / (1.0 + params[RIVALS_SLOW] * (held - 1) * (held - 1))
        chance *= 1.0 - min(max(out, 0.0), 1.0)
    return styles.believed(chance, params)
