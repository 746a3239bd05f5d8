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

    The best set of one suit takes what there is of it (of its colour, where colours count), then jokers, then
    others; the best of different suits one of each, then others. Every number of jokers is tried.
    """
    group = suit_places(view, places)
    best = -(1 << 40)
    chosen = 0
    for target in range(5):
        for jokers in range(popcount(group[4]) + 1):
            found = _filled(group, target, jokers, size, rules["colours"] != 0)
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
def _filled(group: Any, target: int, jokers: int, size: int, colours: bool) -> int:
    """Return `size` places: `jokers` jokers, then as many as there are of suit `target`, then others.

    Target 4 is one of every suit first. Fewer places come back where there are too few cards.
    """
    chosen = lowest_bits(group[4], jokers)
    if jokers > size:
        return 0
    for turn in range(4):
        # The suit itself, the other of its colour (S with C, H with D), the rest.
        suit = turn
        if target < 4:
            suit = target ^ (0, 3, 1, 2)[turn] if colours else target ^ turn
        left = size - popcount(chosen)
        chosen |= lowest_bits(group[suit], min(left, popcount(group[suit]), 1 if target == 4 else left))
    for suit in range(4):
        rest = group[suit] & ~chosen
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
    """Return (move, VP) of the pass that wins most cards by peaks; (1, 0) where none wins any."""
    best = 0
    move = 1
    first_place = 0
    for first in range(cards.NUMBERS):
        own = cards.total(view["hand"][first])
        if own == 0:
            continue
        won = _won(view, first, -1, -1)
        if won > best:
            best = won
            move = 1 << first_place
        place = first_place
        for second in range(first, cards.NUMBERS):
            others = cards.total(view["hand"][second])
            if others > (1 if second == first else 0):
                pair = (3 << first_place) if second == first else (1 << first_place) | (1 << place)
                for number in range(cards.NUMBERS):
                    taken = _taken(view, first, second, number)
                    if taken >= 0 and _won(view, first, second, number) > best:
                        best = _won(view, first, second, number)
                        move = pair | ((taken + 1) << engine.TAKEN_SHIFT)
            place += others
        first_place += own
    return move, best * rules["peak_card_vp"]


@jit
def _won(view: Any, first: int, second: int, taken: int) -> int:
    """Return how many cards peak when cards of these numbers are put and one of `taken` is taken; −1 for none."""
    won = 0
    for number in range(cards.NUMBERS):
        width = cards.total(view["area"][number])
        width += (
            (1 if number == first else 0) + (1 if number == second else 0) - (1 if number == taken else 0)
        )
        if (view["peaks"] >> number) & 1 == 0 and number + 1 + width >= PEAK:
            won += width
    return won


@jit
def _taken(view: Any, first: int, second: int, number: int) -> int:
    """Return the place of a card of a number in the area or among the two just put; −1 where there is none."""
    place = 0
    for other in range(number):
        place += cards.total(view["area"][other])
    if cards.total(view["area"][number]) > 0:
        return place
    if number == first:
        return view["area_size"]
    return view["area_size"] + 1 if number == second else -1
