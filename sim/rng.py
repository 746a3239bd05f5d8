"""Streams of chance: one for each (seed, index, use), whatever runs before or beside it.

A stream is xoroshiro128++ (Blackman and Vigna 2021), whose two words of state are the finaliser of
SplitMix64 (Steele, Lea and Flood 2014) applied to a 64-bit stream number. The stream number is linear in
the index and the use, so for one seed two different (index, use) below 2**40 and 2**16 never share a
number, hence never a state: distinct matches are distinct by construction (a test checks the bound).

Uses keep purposes apart: the deal of a match does not move when a bot draws more often, so two drafts or
two bots compared on one seed stay on the same deals after they diverge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.jit import U64_MASK, jit, u64

STREAM = np.dtype([("a", np.uint64), ("b", np.uint64)], align=True)
"""State of one stream."""

DEAL, SEAT, REST, PROBE = 0, 1, 2, 3
"""Purposes: dealing; a seat's own randomness; what a hand-made position leaves open; play-outs from a match's positions."""

MAX_INDEX = 2**40
MAX_USE = 2**16

INDEX_STEP = u64(0x9E37_79B9_7F4A_7C15)
USE_STEP = u64(0xD134_2543_DE82_EF95)
_SECOND = u64(0x6A09_E667_F3BC_C909)
_MIX_A = u64(0xBF58_476D_1CE4_E5B9)
_MIX_B = u64(0x94D0_49BB_1331_11EB)
_LOW = u64(0xFFFF_FFFF)
_RANGE = u64(0x1_0000_0000)
_S17, _S21, _S27, _S28, _S30 = u64(17), u64(21), u64(27), u64(28), u64(30)
_S31, _S32, _S36, _S47, _S49, _S15 = u64(31), u64(32), u64(36), u64(47), u64(49), u64(15)


@jit
def mix(word: Any) -> Any:
    """Return the finaliser of SplitMix64 of `word`: a bijection of 64-bit words."""
    word = ((word ^ (word >> _S30)) * _MIX_A) & U64_MASK
    word = ((word ^ (word >> _S27)) * _MIX_B) & U64_MASK
    return word ^ (word >> _S31)


@jit
def open_stream(stream: Any, seed: int, index: int, purpose: int, part: int) -> None:
    """Set `stream` to the start of the stream of (seed, index, use).

    Parameters
    ----------
    stream : STREAM record
        Changed in place.
    seed : int
        Seed of the run, 0 or more.
    index : int
        Number of the deal or match, below `MAX_INDEX`.
    purpose : int
        `DEAL`, `SEAT`, `REST` or `PROBE`.
    part : int
        Which one of them: the seat, the number of the new stock; below 2**13.
    """
    use = purpose + 8 * part
    number = (mix(u64(seed)) + u64(index) * INDEX_STEP + u64(use) * USE_STEP) & U64_MASK
    stream["a"] = mix(number)
    stream["b"] = mix(number ^ _SECOND)


@jit
def draw(stream: Any) -> Any:
    """Return the next 64 random bits."""
    a = u64(stream["a"])
    b = u64(stream["b"])
    total = (a + b) & U64_MASK
    result = ((((total << _S17) & U64_MASK) | (total >> _S47)) + a) & U64_MASK
    b ^= a
    stream["a"] = (((a << _S49) & U64_MASK) | (a >> _S15)) ^ b ^ ((b << _S21) & U64_MASK)
    stream["b"] = ((b << _S28) & U64_MASK) | (b >> _S36)
    return result


@jit
def branch_stream(stream: Any, source: Any) -> None:
    """Set `stream` to the start of another stream, named by the next bits of `source`."""
    number = draw(source)
    stream["a"] = mix(number)
    stream["b"] = mix(number ^ _SECOND)


@jit
def below(stream: Any, n: int) -> Any:
    """Return a uniform integer of 0 … n−1, for n of 1 … 2**32 − 1, without bias (Lemire 2019)."""
    size = u64(n)
    product = (draw(stream) >> _S32) * size
    low = product & _LOW
    if low < size:
        threshold = (_RANGE - size) % size
        while low < threshold:
            product = (draw(stream) >> _S32) * size
            low = product & _LOW
    return np.int64(product >> _S32)


@jit
def shuffle(stream: Any, cards: Any, size: int) -> None:
    """Shuffle the first `size` entries of `cards` in place (Fisher and Yates, from the front)."""
    if size > len(cards):
        raise IndexError("more cards to shuffle than there are")
    for i in range(size - 1):
        j = i + below(stream, size - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@jit
def unit(stream: Any) -> float:
    """Return a uniform float of [0, 1), a multiple of 2**−53."""
    return float(draw(stream) >> u64(11)) * 2.0**-53


@jit
def pick_bit(stream: Any, bits: int, count: int) -> int:
    """Return one of the `count` set bits of `bits`, uniformly, as a mask."""
    steps = below(stream, count)
    # Without branches for up to six cards: a loop of random length costs a branch miss at most calls.
    # (k − steps) >> 63 is −1 where bit k + 1 has to go, else 0.
    bits &= (bits - 1) | ~((0 - steps) >> 63)
    bits &= (bits - 1) | ~((1 - steps) >> 63)
    bits &= (bits - 1) | ~((2 - steps) >> 63)
    bits &= (bits - 1) | ~((3 - steps) >> 63)
    bits &= (bits - 1) | ~((4 - steps) >> 63)
    for _ in range(5, steps):
        bits &= bits - 1
    return bits & -bits
