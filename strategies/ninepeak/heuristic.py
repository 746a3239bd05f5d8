"""A sound player of 9 Peak: plans sets that do not shrink, and passes to make room for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import jit, lowest, popcount
from sim.ninepeak import cards, engine, score
from sim.ninepeak.cards import JOKER_SHIFT, NUMBERS, total
from sim.ninepeak.state import FIXED, KEEP, PEAK, PEAK_CARDS, RECOLOUR
from strategies import strategy, styles
from strategies.ninepeak import basic, plan
from strategies.ninepeak.kinds import KINDS

_SUITS = 5

_random = jit(basic.random)
_of_kind = KINDS.of_kind
_some_other = KINDS.some_other


@strategy("ninepeak", "heuristic", parameters=plan.PARAMETERS, prepare=plan.prepare)
def heuristic(view: Any, rules: Any, me: Any) -> int:
    """Plays what brings most now and later: sets by the draft's own table, passes that widen numbers and win peaks."""
    params = me["params"]
    never = styles.never(params)
    if styles.slips(me):
        slip = _random(view, rules, me)
        if never == 0 or not _of_kind(never, view, rules, slip):
            return slip
    if view["phase"] == KEEP:
        # An emptied hand that keeps is not out (P18); in the last round what is kept can't be played any more.
        out = view["held"][view["seat"]] == 0
        stays = out and (view["last_round"] != 0 or _finish(view, rules, 0, 0) > params[plan.DRAW])
        return engine.RELEASE_MOVE if stays else engine.KEEP_MOVE
    move = _best(view, rules, params, never)
    if never != 0 and (move == 0 or _of_kind(never, view, rules, move)):
        # None of the moves that are weighed is of another kind; perhaps one that is not weighed.
        move = _some_other(never, view, rules, _best(view, rules, params, 0))
    return move


@jit
def _best(view: Any, rules: Any, params: Any, never: int) -> int:
    """Return the best move that is not of a kind, among those that are weighed."""
    chance = plan.chance_of_a_turn(view, params)
    extra = plan.gains(view, rules, params)
    best, move = _best_play(view, rules, params, extra, chance, never)
    passed, passing = _best_pass(view, rules, params, extra, chance, never)
    return passing if passed > best else move


# ---- plays ----------------------------------------------------------------------------------------------


@jit
def _best_play(
    view: Any, rules: Any, params: Any, extra: Any, chance: float, never: int
) -> tuple[float, int]:
    """Return (worth, move) of the best set that is not of the kind `never`, (less than 0, 0) where there is none."""
    low, high = plan.hand_of(view["hand"])
    reach = plan.reaches(view)
    best = -np.inf
    chosen_low = 0
    chosen_high = 0
    chosen_size = 0
    sizes = engine.playable(view)
    while sizes != 0:
        size = engine.size_at(sizes)
        sizes &= sizes - 1
        suits = plan.suits_for(low, high, reach, size)
        jokers = suits >> JOKER_SHIFT
        for with_joker in range(2 if jokers > 0 else 1):
            used = min(jokers, size) if with_joker else 0
            if engine.able(view, size) - (jokers - used) < size:
                continue
            set_low, set_high = choose(low, high, reach, rules, suits, size, used)
            if never != 0 and _of_kind(never, view, rules, _play_of(view, set_low, set_high, size)):
                continue
            worth = _after_play(view, rules, params, set_low, set_high, size, extra, chance)
            if worth > best:
                best = worth
                chosen_low = set_low
                chosen_high = set_high
                chosen_size = size
    if chosen_size == 0:
        return best, 0
    return best, _play_of(view, chosen_low, chosen_high, chosen_size)


@jit
def _play_of(view: Any, low: int, high: int, size: int) -> int:
    """Return the play of a set."""
    return places_of(view, low, high) | (size << engine.VALUE_SHIFT)


@jit
def _after_play(
    view: Any, rules: Any, params: Any, set_low: int, set_high: int, size: int, extra: Any, chance: float
) -> float:
    """Return what a set brings now, and what the rest of the hand is worth then."""
    suits = 0
    for number in range(NUMBERS):
        suits += plan.count_in(set_low, set_high, number)
    worth = score.set_points(suits, size, rules) + extra[1 if suits >> JOKER_SHIFT else 0]
    left = view["held"][view["seat"]] - size
    if left == 0:
        return worth + params[plan.OUT] + _finish(view, rules, suits, size)
    low, high = plan.hand_of(view["hand"])
    future = plan.value(low - set_low, high - set_high, plan.reaches(view), size, left, extra, rules, params)
    return worth + params[plan.DISCOUNT] * chance * future


@jit
def _finish(view: Any, rules: Any, suits: int, size: int) -> float:
    """Return what the draft pays for going out with this set, or with none (size 0), by P15."""
    if rules["early_finish"] == PEAK_CARDS:
        return rules["unplaced_peak_vp"] * (NUMBERS - popcount(view["peaks"]))
    if rules["early_finish"] == FIXED:
        return rules["early_finish_vp"]
    if rules["early_finish"] == RECOLOUR:
        gain = score.recolour_gain(suits, size, rules) if size > 0 else 0
        return max(view["recolour"][view["seat"]], gain)
    return 0.0


@jit
def choose(
    low: int, high: int, reach: int, rules: Any, suits: int, size: int, jokers: int
) -> tuple[int, int]:
    """Return a set of `size` with so many jokers, scoring what it can at best, as a hand.

    `suits` counts the cards that can be used. Of cards of a suit those of high numbers go first, since they
    reach least.
    """
    by_different = plan.multiplier(suits, size, jokers, rules)[1]
    order = _order(suits, rules)
    set_low, set_high = _take(low, high, reach, size, JOKER_SHIFT, jokers)
    left = size - jokers
    for turn in range(4 if by_different else 0):
        shift = 4 * ((order >> (4 * turn)) & 15)
        if left > 0 and (suits >> shift) & 15:
            more_low, more_high = _take(low, high, reach, size, shift, 1)
            set_low += more_low
            set_high += more_high
            left -= 1
    for turn in range(4):
        shift = 4 * ((order >> (4 * turn)) & 15)
        many = min(left, (suits >> shift) & 15)
        if many > 0 and by_different:
            many = min(left, ((suits >> shift) & 15) - _held(set_low, set_high, shift))
        if many > 0:
            more_low, more_high = _take(low - set_low, high - set_high, reach, size, shift, many)
            set_low += more_low
            set_high += more_high
            left -= many
    return set_low, set_high


@jit
def _held(low: int, high: int, shift: int) -> int:
    """Return how many cards of a suit a hand holds."""
    many = 0
    for number in range(NUMBERS):
        many += (plan.count_in(low, high, number) >> shift) & 15
    return many


@jit
def _order(suits: int, rules: Any) -> int:
    """Return the suits 0 … 3 in fields of four bits: first the one to be used up.

    It is the longest; then come the other of its colour, where colours count, and the shortest.
    """
    main = 0
    best = -1
    for suit in range(4):
        many = (suits >> (4 * suit)) & 15
        if rules["colours"]:
            many += (suits >> (4 * (3 - suit))) & 15
        if many > best:
            best = many
            main = suit
    order = main
    at = 4
    if rules["colours"]:
        order |= (3 - main) << at
        at += 4
    left = 15 & ~(1 << main)
    if rules["colours"]:
        left &= ~(1 << (3 - main))
    while left != 0:
        shortest = lowest(left)
        rest = left & (left - 1)
        while rest != 0:
            suit = lowest(rest)
            rest &= rest - 1
            if (suits >> (4 * suit)) & 15 < (suits >> (4 * shortest)) & 15:
                shortest = suit
        order |= shortest << at
        at += 4
        left &= ~(1 << shortest)
    return order


@jit
def _take(low: int, high: int, reach: int, size: int, shift: int, many: int) -> tuple[int, int]:
    """Return up to so many cards of a suit that can be used as `size`, as a hand, high numbers first."""
    set_low = 0
    set_high = 0
    for number in range(NUMBERS - 1, -1, -1):
        field = reach >> (8 * number)
        if many > 0 and (field & 15) <= size <= ((field >> 4) & 15):
            found = min(many, (plan.count_in(low, high, number) >> shift) & 15)
            many -= found
            if number < 3:
                set_low += found << (shift + 20 * number)
            else:
                set_high += found << (shift + 20 * (number - 3))
    return set_low, set_high


@jit
def places_of(view: Any, low: int, high: int) -> int:
    """Return the places in the hand of the cards of a set."""
    places = 0
    place = 0
    for number in range(NUMBERS):
        wanted = plan.count_in(low, high, number)
        own = view["hand"][number]
        for shift in range(0, 4 * _SUITS, 4):
            places |= ((1 << ((wanted >> shift) & 15)) - 1) << place
            place += (own >> shift) & 15
    return places


# ---- passes ---------------------------------------------------------------------------------------------


@jit
def _best_pass(
    view: Any, rules: Any, params: Any, extra: Any, chance: float, never: int
) -> tuple[float, int]:
    """Return (worth, move) of the best of some passes that are not of the kind `never`; none is worth more than −1e9.

    Of each number the card worth least is tried alone; the two cards worth least, and two of a number that would
    peak, are tried for the best card of the area.
    """
    suits = 0
    for number in range(NUMBERS):
        suits += view["hand"][number]
    best = -np.inf
    move = 1
    weakest = np.inf
    second = np.inf
    weak = -1
    next_weak = -1
    place = 0
    for number in range(NUMBERS):
        count = view["hand"][number]
        own = total(count)
        least = np.inf
        where = -1
        for i in range(own):
            kept = _keep(view, params, suits, 32 * number + cards.suit_shift(count, i))
            if kept < least:
                least = kept
                where = place + i
            if kept < weakest:
                second = weakest
                next_weak = weak
                weakest = kept
                weak = place + i
            elif kept < second:
                second = kept
                next_weak = place + i
        if where >= 0:
            single = 1 << where
            worth = _after_pass(view, rules, params, single, extra, chance, never)
            if worth > best:
                best = worth
                move = single
        if (
            own >= 2
            and (view["peaks"] >> number) & 1 == 0
            and number + 3 + total(view["area"][number]) >= PEAK
        ):
            pair = 3 << place
            taken = _best_taken(view, params, suits, number)
            if taken >= 0:
                pair |= (taken + 1) << engine.TAKEN_SHIFT
                worth = _after_pass(view, rules, params, pair, extra, chance, never)
                if worth > best:
                    best = worth
                    move = pair
        place += own
    if next_weak >= 0:
        taken = _best_taken(view, params, suits, -1)
        if taken >= 0:
            pair = (1 << weak) | (1 << next_weak) | ((taken + 1) << engine.TAKEN_SHIFT)
            worth = _after_pass(view, rules, params, pair, extra, chance, never)
            if worth > best:
                best = worth
                move = pair
    return best, move


@jit
def _keep(view: Any, params: Any, suits: int, code: int) -> float:
    """Return how much a card is worth keeping."""
    number = code >> 5
    reach = plan.reach_of(number, total(view["area"][number]), (view["peaks"] >> number) & 1 == 1)
    worth = params[plan.KEEP_REACH] * ((reach >> 4) - (reach & 15)) + params[plan.KEEP_NUMBER] * number
    if code & 31 == JOKER_SHIFT:
        return worth + params[plan.KEEP_JOKER]
    return worth + params[plan.KEEP_SUIT] * ((suits >> (code & 31)) & 15)


@jit
def _best_taken(view: Any, params: Any, suits: int, not_number: int) -> int:
    """Return the place in the area of the card most worth having, of another number than `not_number`; -1."""
    best = -np.inf
    chosen = -1
    place = 0
    for number in range(NUMBERS):
        count = view["area"][number]
        size = total(count)
        if number != not_number:
            at = place
            for shift in range(0, 4 * _SUITS, 4):
                many = (count >> shift) & 15
                if many > 0:
                    worth = _keep(view, params, suits, 32 * number + shift)
                    if worth > best:
                        best = worth
                        chosen = at
                at += many
        place += size
    return chosen


@jit
def _after_pass(
    view: Any, rules: Any, params: Any, move: int, extra: Any, chance: float, never: int
) -> float:
    """Return what a pass wins by peaks, and what the hand is worth then; −1e9 of the kind `never`."""
    if never != 0 and _of_kind(never, view, rules, move):
        return -1e9
    low, high = plan.hand_of(view["hand"])
    widths = 0
    for number in range(NUMBERS):
        widths |= total(view["area"][number]) << (8 * number)
    left = view["held"][view["seat"]]
    rest = engine.places_in(move)
    while rest != 0:
        code = engine.card_of(view, lowest(rest))
        rest &= rest - 1
        low, high = _moved(low, high, code, -1)
        widths += 1 << (8 * (code >> 5))
        left -= 1
    taken = engine.taken_in(move)
    if taken >= 0:
        code = cards.card_at(view["area"], taken)
        low, high = _moved(low, high, code, 1)
        widths -= 1 << (8 * (code >> 5))
        left += 1
    won = 0
    reach = 0
    for number in range(NUMBERS):
        width = (widths >> (8 * number)) & 255
        peaked = (view["peaks"] >> number) & 1 == 1
        if not peaked and number + 1 + width >= PEAK:
            won += width
        reach |= plan.reach_of(number, width, peaked) << (8 * number)
    worth = params[plan.PEAKS] * rules["peak_card_vp"] * won
    if left == 0:
        return worth + params[plan.OUT]
    smallest = view["smallest"]
    future = plan.value(low, high, reach, smallest, left, extra, rules, params)
    return worth + params[plan.PASSING] * chance * future


@jit
def _moved(low: int, high: int, code: int, many: int) -> tuple[int, int]:
    """Return a hand with so many more of a card."""
    card = many << ((code & 31) + 20 * ((code >> 5) % 3))
    return (low + card, high) if code >> 5 < 3 else (low, high + card)
