"""Plays of Daifugō: how one is written as a number, which a hand holds, how many and which is the n-th.

A move is 64 bits: the natural cards as a mask, and above it a code of six bits for each joker: 0 none, 1 a joker
that states nothing, 2 + 4 × place + suit for a stated one, where place is 0 below 3, 1 … 13 for 3 … 2, 14
above 2. The larger code comes first. A pass is 0. In ``name`` a move is a mask of 13 ranks and Joker.

No list of plays is kept: they are counted by combinations, and the n-th is made from its number. So there is
no bound to break (two players are dealt 27 cards each, and may be given more).
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from sim import cards
from sim.daifugo.state import EMPEROR, GROUP, JOKERS_ONLY, NO_TABLE, SEQUENCE
from sim.jit import jit, lowest, popcount
from sim.subsets import WAYS, nth_subset

BARE = 1
FIRST_CODE, SECOND_CODE = 52, 58
CODE_MASK = 63
PLACES = 15
SPADE_THREE = 1 << cards.number_of("S3")
DIAMOND_THREE = 1 << cards.number_of("D3")

_FULL = 1
_NIBBLE = 15
_ALL_PLACES = (1 << (4 * PLACES)) - 1
COLUMN = sum(1 << (4 * place) for place in range(PLACES))
"""One suit in a mask of places; times a mask of suits, those suits."""

_WAYS = np.zeros((5, 3, 8), np.int64)
"""By (naturals of a rank, jokers, size): groups of that size with one natural card at least."""
for _c in range(5):
    for _j in range(3):
        for _k in range(1, 8):
            _WAYS[_c, _j, _k] = sum(comb(_c, _k - used) for used in range(_j + 1) if _k - used >= 1)

_SUBSET = np.zeros((16, 5, 6), np.int64)
"""By (suits, size, number): the subsets of a size."""
for _suits in range(16):
    for _size in range(5):
        _found = [sub for sub in range(16) if sub & ~_suits == 0 and sub.bit_count() == _size]
        _SUBSET[_suits, _size, : len(_found)] = _found

_SPREAD = np.zeros((16, 16), np.int64)
"""By (suits, number): the number-th subset, the number's bits laid onto the suits."""
for _suits in range(16):
    _bits = [bit for bit in range(4) if _suits >> bit & 1]
    for _number in range(1 << len(_bits)):
        _SPREAD[_suits, _number] = sum(1 << bit for i, bit in enumerate(_bits) if _number >> i & 1)

_PERMUTATIONS = np.array(
    [
        (a, b, c, d)
        for a in range(4)
        for b in range(4)
        for c in range(4)
        for d in range(4)
        if len({a, b, c, d}) == 4
    ],
    dtype=np.int64,
)


@jit
def encode(naturals: int, code: int, other: int) -> int:
    """Return a move of natural cards and up to two joker codes, in any order."""
    high = max(code, other)
    low = min(code, other)
    # The second code reaches the sign: plain Python has no 64 bits to wrap in.
    low = low - CODE_MASK - 1 if low > CODE_MASK // 2 else low
    return naturals | (high << FIRST_CODE) | (low << SECOND_CODE)


@jit
def bare(count: int) -> int:
    """Return the part of a move for `count` jokers that state nothing."""
    if count == 0:
        return 0
    return (BARE << FIRST_CODE) | ((BARE << SECOND_CODE) if count == 2 else 0)


@jit
def naturals_of(move: int) -> int:
    """Return the natural cards of a move."""
    return move & cards.PACK


@jit
def code_of(move: int, which: int) -> int:
    """Return the code of joker 0 or 1 of a move."""
    return (move >> (FIRST_CODE if which == 0 else SECOND_CODE)) & CODE_MASK


@jit
def jokers_of(move: int) -> int:
    """Return how many jokers a move has."""
    return (1 if code_of(move, 0) != 0 else 0) + (1 if code_of(move, 1) != 0 else 0)


@jit
def places_of(move: int) -> int:
    """Return the places shown, naturals and stated jokers, as a mask by 4 × place + suit."""
    shown = naturals_of(move) << 4
    for which in range(2):
        code = code_of(move, which)
        if code > BARE:
            shown |= 1 << (code - 2)
    return shown


@jit
def nth_bit(bits: int, n: int) -> int:
    """Return set bit number `n` of `bits` as a mask."""
    for _ in range(n):
        bits &= bits - 1
    return bits & -bits


# ---- reading a play -------------------------------------------------------------------------------------


@jit
def read(move: int, rules: Any) -> tuple[int, int, int, int, int]:
    """Return (kind, low, size, suits, bare jokers) of a move as a play; kind is `NO_TABLE` if it is none."""
    naturals = naturals_of(move)
    first = code_of(move, 0)
    second = code_of(move, 1)
    if first < second or first > 2 + 4 * PLACES - 1:
        return NO_TABLE, 0, 0, 0, 0
    jokers = (1 if first != 0 else 0) + (1 if second != 0 else 0)
    bare_jokers = (1 if first == BARE else 0) + (1 if second == BARE else 0)
    if naturals == 0:
        if jokers == 0 or bare_jokers != jokers:
            return NO_TABLE, 0, 0, 0, 0
        return GROUP, JOKERS_ONLY, jokers, 0, jokers
    size = popcount(naturals) + jokers
    rank = lowest(naturals) >> 2
    suits = (naturals >> (4 * rank)) & _NIBBLE
    if naturals == suits << (4 * rank) and (bare_jokers == jokers or _states_rank(first, second, rank)):
        return _read_group(rank, suits, size, first, second, rules)
    if bare_jokers > 0:
        return NO_TABLE, 0, 0, 0, 0
    return _read_sequence(move, size, rules)


@jit
def _states_rank(first: int, second: int, rank: int) -> bool:
    """Tell whether the stated jokers stand for cards of `rank`."""
    wrong = 0
    for code in (first, second):
        if code > BARE and (code - 2) >> 2 != rank + 1:
            wrong += 1
    return wrong == 0


@jit
def _read_group(
    rank: int, suits: int, size: int, first: int, second: int, rules: Any
) -> tuple[int, int, int, int, int]:
    """Read a group; its jokers are stated under ``lock_by_joker`` only, as suits not shown (D18)."""
    stated = 0
    for code in (first, second):
        if code > BARE:
            suit = 1 << ((code - 2) & 3)
            if (suits | stated) & suit:
                return NO_TABLE, 0, 0, 0, 0
            stated |= suit
    jokers = size - popcount(suits)
    wanted = min(jokers, 4 - popcount(suits)) if rules["lock_by_joker"] else 0
    if popcount(stated) != wanted:
        return NO_TABLE, 0, 0, 0, 0
    return GROUP, rank, size, suits | stated, jokers - wanted


@jit
def _read_sequence(move: int, size: int, rules: Any) -> tuple[int, int, int, int, int]:
    """Read a sequence or an emperor of stated cards; `low` is a rank, -1 below 3."""
    shown = places_of(move)
    if popcount(shown) != size or size < 3:
        return NO_TABLE, 0, 0, 0, 0
    low_bit = lowest(shown)
    place = low_bit >> 2
    run = COLUMN & ((1 << (4 * size)) - 1)
    beyond = place == 0 or place + size - 1 == PLACES - 1
    if shown == run << low_bit:
        legal = rules["sequences"] and size >= rules["sequence_min"] and (rules["beyond"] or not beyond)
        return (SEQUENCE if legal else NO_TABLE), place - 1, size, 1 << (low_bit & 3), 0
    if size != 4 or not rules["emperor"]:
        return NO_TABLE, 0, 0, 0, 0
    suits = 0
    for step in range(4):
        nibble = (shown >> (4 * (place + step))) & _NIBBLE
        if popcount(nibble) != 1:
            return NO_TABLE, 0, 0, 0, 0
        suits |= nibble
    legal = suits == _NIBBLE and place >= 1 and place + 3 <= 13
    return (EMPEROR if legal else NO_TABLE), place - 1, 4, suits, 0


# ---- groups ---------------------------------------------------------------------------------------------


@jit
def fits(suits: int, bare_jokers: int, lock: int, rules: Any) -> bool:
    """Tell whether a play shows the locked suits (D18)."""
    if lock == 0:
        return True
    if popcount(lock & ~suits) > bare_jokers:
        return False
    return rules["suit_lock"] != _FULL or (suits & ~lock) == 0


@jit
def _group(naturals: int, rank: int, jokers: int) -> int:
    return (naturals << (4 * rank)) | bare(jokers)


@jit
def _stated_ways(suits: int, jokers: int) -> int:
    """Return in how many ways the jokers of a group state suits not shown (``lock_by_joker``)."""
    free = 4 - popcount(suits)
    return WAYS[free, min(jokers, free)]


@jit
def _stated_group(suits: int, rank: int, jokers: int, way: int) -> tuple[int, int, int]:
    """Return (move, suits shown, bare jokers) of a group whose jokers state suits in the given way."""
    free = _NIBBLE & ~suits
    shown = min(jokers, popcount(free))
    stated = _SUBSET[free, shown, way]
    codes = np.zeros(2, np.int64)
    used = 0
    rest = stated
    while rest != 0:
        codes[used] = 2 + 4 * (rank + 1) + lowest(rest)
        rest &= rest - 1
        used += 1
    for i in range(used, jokers):
        codes[i] = BARE
    return encode(suits << (4 * rank), codes[0], codes[1]), suits | stated, jokers - shown


@jit
def _walk_stated(
    hand: int, jokers: int, size: int, allowed: int, lock: int, n: int, rules: Any
) -> tuple[int, int]:
    """Count the groups whose jokers state suits, or make the n-th; (count, move). Slow, and rarely asked for."""
    count = 0
    for rank in range(13):
        held = ((hand & allowed) >> (4 * rank)) & _NIBBLE
        if held == 0:
            continue
        for suits in range(1, 16):
            if suits & ~held:
                continue
            for used in range(jokers + 1):
                if size != 0 and popcount(suits) + used != size:
                    continue
                for way in range(_stated_ways(suits, used)):
                    move, shown, left = _stated_group(suits, rank, used, way)
                    if size == 0 or fits(shown, left, lock, rules):
                        if count == n:
                            return count, move
                        count += 1
    return count, 0


@jit
def _partial_ways(locked: int, free: int, lock_size: int, jokers: int, size: int) -> int:
    """Return how many groups of one rank show the locked suits of a partial lock (D18)."""
    ways = 0
    for used in range(jokers + 1):
        for i in range(max(0, lock_size - used), locked + 1):
            others = size - used - i
            if 0 <= others <= free and others + i >= 1:
                ways += WAYS[locked, i] * WAYS[free, others]
    return ways


@jit
def _nth_partial(held: int, lock: int, rank: int, jokers: int, size: int, n: int) -> int:
    """Return group number `n` of those that `_partial_ways` counts."""
    locked = held & lock
    free = held & ~lock
    for used in range(jokers + 1):
        for i in range(max(0, popcount(lock) - used), popcount(locked) + 1):
            others = size - used - i
            if 0 <= others <= popcount(free) and others + i >= 1:
                ways = WAYS[popcount(locked), i] * WAYS[popcount(free), others]
                if n < ways:
                    inner = WAYS[popcount(free), others]
                    naturals = _SUBSET[locked, i, n // inner] | _SUBSET[free, others, n % inner]
                    return _group(naturals, rank, used)
                n -= ways
    return 0


@jit
def walk_groups(
    hand: int, jokers: int, size: int, allowed: int, lock: int, n: int, rules: Any
) -> tuple[int, int]:
    """Count the groups of a size, of the ranks whose cards are `allowed`, that fit the lock; or make the n-th.

    Groups of jokers only are not among them.

    Returns
    -------
    tuple of int
        (count, 0) if there are not more than `n`, else (n, the n-th).
    """
    if rules["lock_by_joker"] and jokers > 0:
        return _walk_stated(hand, jokers, size, allowed, lock, n, rules)
    partial = lock != 0 and rules["suit_lock"] != _FULL
    rest = hand & allowed
    if lock != 0 and not partial:
        rest &= lock * COLUMN
    if size == 1 and not partial:
        count = popcount(rest)
        if 0 <= n < count:
            return n, nth_bit(rest, n)
        return count, 0
    count = 0
    while rest != 0:
        rank = lowest(rest) >> 2
        held = (rest >> (4 * rank)) & _NIBBLE
        rest &= ~(_NIBBLE << (4 * rank))
        if partial:
            ways = _partial_ways(popcount(held & lock), popcount(held & ~lock), popcount(lock), jokers, size)
        else:
            ways = _WAYS[popcount(held), jokers, size]
        if n >= 0 and n - count < ways:
            if partial:
                return n, _nth_partial(held, lock, rank, jokers, size, n - count)
            return n, _nth_group(held, rank, jokers, size, n - count)
        count += ways
    return count, 0


@jit
def _nth_group(held: int, rank: int, jokers: int, size: int, n: int) -> int:
    for used in range(jokers + 1):
        naturals = size - used
        if naturals >= 1:
            ways = WAYS[popcount(held), naturals]
            if n < ways:
                return _group(_SUBSET[held, naturals, n], rank, used)
            n -= ways
    return 0


@jit
def walk_lead_groups(hand: int, jokers: int, n: int, rules: Any) -> tuple[int, int]:
    """Count all groups with a natural card, or make the n-th."""
    if rules["lock_by_joker"] and jokers > 0:
        return _walk_stated(hand, jokers, 0, cards.PACK, 0, n, rules)
    count = 0
    rest = hand
    while rest != 0:
        rank = lowest(rest) >> 2
        held = (hand >> (4 * rank)) & _NIBBLE
        rest &= ~(_NIBBLE << (4 * rank))
        subsets = (1 << popcount(held)) - 1
        ways = subsets * (jokers + 1)
        if n >= 0 and n - count < ways:
            inner = n - count
            return n, _group(_SPREAD[held, inner % subsets + 1], rank, inner // subsets)
        count += ways
    return count, 0


# ---- sequences ------------------------------------------------------------------------------------------


@jit
def _fill_ways(length: int, missing: int, jokers: int) -> int:
    """Return in how many ways jokers fill a window: those missing, and then some of the cards held instead."""
    if missing > jokers:
        return 0
    left = jokers - missing
    held = length - missing
    ways = 1
    if left >= 1:
        ways += held
    if left >= 2:
        ways += held * (held - 1) // 2
    return ways


@jit
def _fill(window: int, hand_places: int, missing: int, way: int) -> int:
    """Return the move that fills a window of places in the given way."""
    jokered = window & ~hand_places
    held = window & hand_places
    size = popcount(held)
    if 1 <= way <= size:
        jokered |= nth_bit(held, way - 1)
    elif way > size:
        way -= size + 1
        first = 0
        while way >= size - 1 - first:
            way -= size - 1 - first
            first += 1
        jokered |= nth_bit(held, first) | nth_bit(held, first + 1 + way)
    code = 0
    other = 0
    if jokered != 0:
        code = 2 + lowest(jokered)
        jokered_rest = jokered & (jokered - 1)
        if jokered_rest != 0:
            other = 2 + lowest(jokered_rest)
    return encode((window & ~jokered) >> 4, code, other)


@jit
def walk_sequences(
    hand: int, jokers: int, shortest: int, longest: int, starts: int, n: int, rules: Any
) -> tuple[int, int]:
    """Count the sequences of the lengths given that begin at a place in the mask `starts`; or make the n-th.

    Windows of each length with 0, 1 and 2 cards missing are kept as masks by their first place, all suits and
    places at once, and grow by a card at a time.
    """
    places = hand << 4
    none = places  # windows with no card missing
    one = ~places & _ALL_PLACES
    two = 0
    if jokers == 0:
        one = 0
    count = 0
    length = 1
    first_place = 0 if rules["beyond"] else 1
    last_place = PLACES - 1 if rules["beyond"] else PLACES - 2
    while length < longest:
        nxt = places >> (4 * length)
        if jokers >= 2:
            two = (two & nxt) | (one & ~nxt)
        if jokers >= 1:
            one = (one & nxt) | (none & ~nxt)
        none &= nxt
        length += 1
        room = last_place - first_place + 2 - length
        if room <= 0 or (none | one | two) == 0:
            break
        if length < shortest:
            continue
        fitting = (((1 << (4 * room)) - 1) << (4 * first_place)) & starts
        for missing in range(jokers + 1):
            windows = (none if missing == 0 else (one if missing == 1 else two)) & fitting
            found = popcount(windows)
            if found == 0:
                continue
            ways = _fill_ways(length, missing, jokers)
            if n >= 0 and n - count < found * ways:
                inner = n - count
                low = lowest(nth_bit(windows, inner // ways))
                window = (COLUMN & ((1 << (4 * length)) - 1)) << low
                return n, _fill(window, places, missing, inner % ways)
            count += found * ways
    return count, 0


@jit
def walk_emperors(hand: int, jokers: int, lowest_rank: int, highest_rank: int, n: int) -> tuple[int, int]:
    """Count the emperors whose lowest rank lies in a range, or make the n-th (D16)."""
    places = hand << 4
    count = 0
    for rank in range(max(lowest_rank, 0), min(highest_rank, 9) + 1):
        for p in range(24):
            window = 0
            for step in range(4):
                window |= 1 << (4 * (rank + 1 + step) + _PERMUTATIONS[p, step])
            missing = 4 - popcount(window & places)
            ways = _fill_ways(4, missing, jokers)
            if n >= 0 and n - count < ways:
                return n, _fill(window, places, missing, n - count)
            count += ways
    return count, 0


# ---- sets of cards --------------------------------------------------------------------------------------


@jit
def count_sets(naturals: int, jokers: int, size: int) -> int:
    """Return how many distinct sets of `size` cards a hand has, jokers being alike."""
    held = popcount(naturals)
    count = 0
    for used in range(min(jokers, size) + 1):
        if size - used <= held:
            count += WAYS[held, size - used]
    return count


@jit
def nth_set(naturals: int, jokers: int, size: int, n: int) -> int:
    """Return set number `n` of those that `count_sets` counts."""
    held = popcount(naturals)
    for used in range(min(jokers, size) + 1):
        if size - used <= held:
            ways = WAYS[held, size - used]
            if n < ways:
                return nth_subset(naturals, size - used, n) | bare(used)
            n -= ways
    return 0
