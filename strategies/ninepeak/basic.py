"""The plainest players of 9 Peak, which others are measured against."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.jit import jit, lowest, popcount
from sim.ninepeak import cards, engine, score
from sim.ninepeak.state import KEEP, PEAK
from strategies import strategy


@jit
def some(stream: Any, bits: int, size: int) -> int:
    """Return a uniform subset of `size` of the set bits."""
    chosen = 0
    for left in range(popcount(bits), popcount(bits) - size, -1):
        bit = rng.pick_bit(stream, bits, left)
        bits &= ~bit
        chosen |= bit
    return chosen


@strategy("ninepeak", "random")
def random(view: Any, rules: Any, me: Any) -> int:
    """Plays at random: first the kind of move, then the size of a set, then the cards."""
    stream = me["stream"]
    if view["phase"] == KEEP:
        return engine.KEEP_MOVE if rng.below(stream, 2) == 0 else engine.RELEASE_MOVE
    held = view["held"][view["seat"]]
    sizes = engine.playable(view)
    passes = 2 if held >= 2 else 1
    kind = rng.below(stream, passes + (1 if sizes != 0 else 0))
    if kind == passes:
        value = engine.size_at(rng.pick_bit(stream, sizes, popcount(sizes)))
        return some(stream, engine.usable(view, value), value) | (value << engine.VALUE_SHIFT)
    if kind == 0:
        return 1 << rng.below(stream, held)
    first = rng.below(stream, held)
    second = rng.below(stream, held - 1)
    second += 1 if second >= first else 0
    taken = rng.below(stream, view["area_size"] + 2) + 1
    return (1 << first) | (1 << second) | (taken << engine.TAKEN_SHIFT)


@strategy("ninepeak", "first")
def first(view: Any, rules: Any, me: Any) -> int:
    """Plays the smallest set there is, of the first cards that fit; passes the first card where there is none."""
    if view["phase"] == KEEP:
        return engine.RELEASE_MOVE
    sizes = engine.playable(view)
    if sizes == 0:
        return 1
    value = engine.size_at(sizes)
    return lowest_bits(engine.usable(view, value), value) | (value << engine.VALUE_SHIFT)


@jit
def lowest_bits(bits: int, size: int) -> int:
    """Return the lowest `size` of the set bits."""
    chosen = 0
    for _ in range(size):
        chosen |= bits & -bits
        bits &= bits - 1
    return chosen


@strategy("ninepeak", "greedy")
def greedy(view: Any, rules: Any, me: Any) -> int:
    """Makes the move that brings the most VP now: a set, or cards won by a peak; else passes the first card."""
    if view["phase"] == KEEP:
        return engine.KEEP_MOVE
    best = 0
    move = 1
    sizes = engine.playable(view)
    while sizes != 0:
        value = engine.size_at(sizes)
        sizes &= sizes - 1
        places, points = best_set(view, rules, engine.usable(view, value), value)
        if points > best:
            best = points
            move = places | (value << engine.VALUE_SHIFT)
    passing, points = best_peak(view, rules)
    return passing if points > best else move


@jit
def best_set(view: Any, rules: Any, places: int, size: int) -> tuple[int, int]:
    """Return (places, VP) of the set of `size` of the cards at `places` that scores most by P17.

    Without jokers where that costs nothing. The best set of one suit takes what there is of a suit, then jokers,
    then others; the best of different suits one of each, then others. Every number of jokers is tried.
    """
    group = suit_places(view, places)
    best = -(1 << 40)
    chosen = 0
    for target in range(5):
        for jokers in range(popcount(group[4]) + 1):
            found = _filled(group, target, jokers, size)
            if popcount(found) != size:
                continue
            points = score.set_points(suits_at(view, found), size, rules)
            if points > best:
                best = points
                chosen = found
    return chosen, best


@jit
def suit_places(view: Any, places: int) -> tuple[int, int, int, int, int]:
    """Return the places of each suit among `places`."""
    spades = hearts = diamonds = clubs = jokers = 0
    while places != 0:
        place = places & -places
        places &= places - 1
        shift = engine.card_of(view, lowest(place)) & 31
        if shift == 0:
            spades |= place
        elif shift == 4:
            hearts |= place
        elif shift == 8:
            diamonds |= place
        elif shift == 12:
            clubs |= place
        else:
            jokers |= place
    return spades, hearts, diamonds, clubs, jokers


@jit
def _filled(group: Any, target: int, jokers: int, size: int) -> int:
    """Return `size` places: `jokers` jokers, then as many as there are of suit `target`, then others.

    Target 4 is one of every suit first. Fewer places come back where there are too few cards.
    """
    chosen = lowest_bits(group[4], jokers)
    left = size - jokers
    if left < 0:
        return 0
    if target < 4:
        chosen |= lowest_bits(group[target], min(left, popcount(group[target])))
    for other in range(4):
        if target == 4 and popcount(chosen) < size:
            chosen |= group[other] & -group[other]
    for other in range(4):
        rest = group[other] & ~chosen
        chosen |= lowest_bits(rest, min(size - popcount(chosen), popcount(rest)))
    return chosen


@jit
def suits_at(view: Any, places: int) -> int:
    """Return the cards at `places` as one count by suit, whatever their numbers."""
    suits = 0
    while places != 0:
        place = places & -places
        places &= places - 1
        suits += 1 << (engine.card_of(view, lowest(place)) & 31)
    return suits


@jit
def best_peak(view: Any, rules: Any) -> tuple[int, int]:
    """Return (move, VP) of the pass that wins most cards by a peak; (1, 0) where none does."""
    held = view["held"][view["seat"]]
    best = 0
    move = 1
    place = 0
    for number in range(cards.NUMBERS):
        own = cards.total(view["hand"][number])
        lacking = PEAK - (number + 1) - cards.total(view["area"][number])
        if own > 0 and (view["peaks"] >> number) & 1 == 0 and lacking <= 2:
            if lacking <= 1 and PEAK - number > best:
                best = PEAK - number - 1
                move = 1 << place
            elif lacking == 2 and own >= 2 and view["area_size"] > cards.total(view["area"][number]):
                other = _taken_beside(view, number)
                if PEAK - number - 1 > best:
                    best = PEAK - number - 1
                    move = (3 << place) | ((other + 1) << engine.TAKEN_SHIFT)
        place += own
    return move if held > 0 else 1, best * rules["peak_card_vp"]


@jit
def _taken_beside(view: Any, number: int) -> int:
    """Return the place in the area of a card of another number."""
    if number > 0 and cards.total(view["area"][0]) > 0:
        return 0
    place = 0
    for other in range(number + 1):
        place += cards.total(view["area"][other])
    if number == 0 or place < view["area_size"]:
        return place
    place = 0
    for other in range(cards.NUMBERS):
        if other != number and cards.total(view["area"][other]) > 0:
            return place
        place += cards.total(view["area"][other])
    return 0
