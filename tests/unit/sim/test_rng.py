"""Streams: the published generators, exact uniformity, and streams that never meet."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from math import factorial
from typing import Any

import numpy as np
import pytest

from sim import jit, rng
from tests import support

MASK = 2**64 - 1
LEVEL = 1e-4


# ---- the algorithms again, in plain big integers, from the papers ---------------------------------------


def rotl(word: int, by: int) -> int:
    return ((word << by) | (word >> (64 - by))) & MASK


def xoroshiro(a: int, b: int) -> Iterator[int]:
    """xoroshiro128++ of Blackman and Vigna."""
    while True:
        yield (rotl((a + b) & MASK, 17) + a) & MASK
        b ^= a
        a, b = rotl(a, 49) ^ b ^ ((b << 21) & MASK), rotl(b, 28)


def lemire(words: Iterator[int], n: int) -> int:
    """Nearly divisionless random integers of Lemire (2019), with the 32 high bits of each word."""
    while True:
        product = (next(words) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def set_stream(a: int, b: int) -> Any:
    stream = support.new_stream()
    stream["a"], stream["b"] = a, b
    return stream


def state_of(stream: Any) -> tuple[int, int]:
    return int(stream["a"]), int(stream["b"])


def words_of(stream: Any) -> Iterator[int]:
    return xoroshiro(*state_of(stream))


def about_to_draw(word: int) -> Any:
    """Return a stream whose next word is `word`: with a = 0 it is b rotated by 17."""
    return set_stream(0, rotl(word, 64 - 17))


# ---- generators -----------------------------------------------------------------------------------------


@pytest.mark.nojit
def test_draw_gives_the_published_numbers() -> None:
    # From the tests of the crate rand_xoshiro, made with the authors' C code, for the state (1, 2).
    published = [
        393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676,
        3586421180005889563, 1691397964866707553, 10735626796753111697, 15216282715349408991,
        14247243556711267923,
    ]  # fmt: skip
    stream = set_stream(1, 2)
    assert [int(rng.draw(stream)) for _ in published] == published
    assert list(itertools.islice(xoroshiro(1, 2), len(published))) == published


@pytest.mark.nojit
def test_draw_is_xoroshiro128plusplus_from_any_state() -> None:
    edges = [0, 1, 2**31, 2**32, 2**63, MASK]
    states = [(a, b) for a in edges for b in edges if a or b]
    states += [
        state_of(support.new_stream(seed, index, 1, seed % 9)) for seed in range(8) for index in range(8)
    ]
    for a, b in states:
        stream = set_stream(a, b)
        words = xoroshiro(a, b)
        assert [int(rng.draw(stream)) for _ in range(20)] == [next(words) for _ in range(20)]


@pytest.mark.nojit
def test_mix_is_the_finaliser_of_splitmix64() -> None:
    # SplitMix64 seeded with 1234567, as published on Rosetta Code.
    published = [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
        16408922859458223821,
    ]  # fmt: skip
    step = 0x9E3779B97F4A7C15
    words = [(1234567 + step * (i + 1)) & MASK for i in range(5)]
    assert [int(rng.mix(jit.u64(word))) for word in words] == published


# ---- streams that never meet ----------------------------------------------------------------------------


def test_no_two_streams_within_the_bounds_share_a_number() -> None:
    """Numbers are linear, so uses u apart can only meet at one difference of the indices: it is too large."""
    index_step, use_step = int(rng.INDEX_STEP), int(rng.USE_STEP)
    assert rng.MAX_INDEX == 2**40
    assert rng.MAX_USE == 2**16
    inverse = pow(index_step, -1, 2**64)  # there is one, since the step is odd
    for u in range(1, rng.MAX_USE):
        k = (-u * use_step * inverse) & MASK
        distance = k if k < 2**63 else k - 2**64
        assert abs(distance) >= rng.MAX_INDEX, f"uses {u} apart meet at indices {distance} apart"


@pytest.mark.nojit
def test_streams_open_as_documented() -> None:
    """The number is linear in index and use = purpose + 8·part; the state is two finalisers of it."""

    def mixed(word: int) -> int:
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            word = ((word ^ (word >> shift)) * factor) & MASK
        return word ^ (word >> 31)

    for seed, index, purpose, part in [
        (0, 0, 0, 0),
        (1, 2, 1, 3),
        (2**63 - 1, 2**40 - 1, 2, 2**13 - 1),
        (5, 0, 0, 8),
    ]:
        use = purpose + 8 * part
        number = (mixed(seed) + index * int(rng.INDEX_STEP) + use * int(rng.USE_STEP)) & MASK
        a, b = state_of(support.new_stream(seed, index, purpose, part))
        assert a == mixed(number)
        assert b != a
        assert (a, b) != (0, 0)


def test_opened_streams_differ_in_every_argument() -> None:
    starts = set(
        itertools.product((0, 1, 2, 2**62), (0, 1, 2, 2**40 - 1), (0, 1, 2), (0, 1, 7, 8, 2**13 - 1))
    )
    states = {state_of(support.new_stream(*start)) for start in starts}
    assert len(states) == len(starts)
    first_words = {int(rng.draw(set_stream(*state))) for state in states}
    assert len(first_words) == len(starts)


def test_neighbouring_streams_look_independent() -> None:
    """First words of consecutive starts: each bit set half the time, and no bit follows its neighbour."""
    for starts in (
        [(1, index, rng.DEAL, 0) for index in range(4000)],
        [(seed, 0, rng.DEAL, 0) for seed in range(4000)],
        [(1, 0, rng.SEAT, part) for part in range(4000)],
    ):
        words = np.array([int(rng.draw(support.new_stream(*start))) for start in starts], dtype=np.uint64)
        for given in (words, words[1:] ^ words[:-1]):
            bits = np.unpackbits(given.view(np.uint8)).reshape(-1, 64)
            share = bits.mean(axis=0)
            assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(len(given))


# ---- integers, floats -----------------------------------------------------------------------------------

SIZES = (1, 2, 3, 5, 6, 7, 13, 20, 52, 1000, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1)


@pytest.mark.nojit
@pytest.mark.parametrize("n", SIZES)
def test_below_is_lemires_method_to_the_last_bit(n: int) -> None:
    """Same results, and the same number of words used, also at each edge between two outcomes."""
    edges = {0, 1, 2**31, 2**32 - 1}
    for outcome in {0, 1, n // 3, n // 2, max(n - 2, 0), n - 1}:
        first = -(-outcome * 2**32 // n)
        edges |= {high for high in range(first - 2, first + 3) if 0 <= high < 2**32}
    rejected = 0
    for high in sorted(edges):
        stream = about_to_draw((high << 32) | 0x89ABCDEF)
        words = words_of(stream)
        assert int(rng.below(stream, n)) == lemire(words, n)
        assert int(rng.draw(stream)) == next(words)
        rejected += high * n % 2**32 < 2**32 % n
    assert (rejected > 0) == (2**32 % n != 0)


@pytest.mark.parametrize("n", [2, 3, 7, 52, 257])
def test_the_method_is_exactly_unbiased(n: int) -> None:
    """Count, for each outcome, the high halves that are kept: the same number for all."""
    low = 2**32 % n
    kept = []
    for outcome in range(n):
        first = -(-(outcome * 2**32 + low) // n)  # the least x with x·n >= outcome·2**32 + low
        after = -(-((outcome + 1) * 2**32) // n)
        kept.append(after - first)
        # `below` agrees at both ends.
        for high, wanted in ((first, True), (first - 1, False), (after - 1, True)):
            if high < 0:
                continue
            stream = about_to_draw((high << 32) | 1)
            words = words_of(stream)
            next(words)
            came = int(rng.below(stream, n))
            used_one = int(rng.draw(stream)) == next(words)
            assert used_one == (high * n % 2**32 >= low)
            assert (used_one and came == outcome) == wanted
    assert set(kept) == {2**32 // n}


@pytest.mark.parametrize("n", [2, 3, 6, 13, 52])
def test_below_is_uniform(n: int) -> None:
    stream = support.new_stream(1, n, 2, 0)
    counts = Counter(int(rng.below(stream, n)) for _ in range(40_000))
    assert set(counts) == set(range(n))
    assert support.chi_square_p([counts[i] for i in range(n)], 40_000 / n) > LEVEL


@pytest.mark.nojit
def test_unit_is_the_top_53_bits() -> None:
    for word in (0, MASK, 2**63, 2**11 - 1, 2**11, 0x0123456789ABCDEF):
        value = float(rng.unit(about_to_draw(word)))
        assert value == (word >> 11) / 2**53
        assert 0 <= value < 1


# ---- cards ----------------------------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("size", [0, 1, 2, 13, 51, 52])
def test_shuffle_permutes_the_front_and_leaves_the_rest(size: int) -> None:
    cards = np.arange(52, dtype=np.int8)
    rng.shuffle(support.new_stream(3, size, 0, 0), cards, size)
    assert sorted(cards[:size]) == list(range(size))
    assert list(cards[size:]) == list(range(size, 52))
    if size > 10:
        assert list(cards[:size]) != list(range(size))


@pytest.mark.parametrize("size", [3, 4])
def test_every_order_is_equally_likely(size: int) -> None:
    stream = support.new_stream(4, size, 0, 0)
    counts: Counter[tuple[int, ...]] = Counter()
    draws = 24_000
    for _ in range(draws):
        cards = np.arange(size, dtype=np.int64)
        rng.shuffle(stream, cards, size)
        counts[tuple(int(card) for card in cards)] += 1
    assert len(counts) == factorial(size)
    assert support.chi_square_p(list(counts.values()), draws / factorial(size)) > LEVEL


def test_every_card_of_the_pack_is_equally_likely_in_every_place() -> None:
    stream = support.new_stream(5, 0, 0, 0)
    draws = 10_000
    places = np.zeros((52, 52), dtype=np.int64)
    for _ in range(draws):
        cards = np.arange(52, dtype=np.int64)
        rng.shuffle(stream, cards, 52)
        places[np.arange(52), cards] += 1
    # Rows and columns are fixed, so (52 − 1)² are free.
    statistic = ((places - draws / 52) ** 2 / (draws / 52)).sum() * 51 / 52
    assert LEVEL < support.stats.chi2.sf(statistic, 51 * 51) < 1 - LEVEL


@pytest.mark.nojit
@pytest.mark.parametrize("count", range(1, 21))
def test_pick_bit_picks_the_nth_set_bit(count: int) -> None:
    positions = sorted(random.Random(count).sample(range(52), count))
    bits = sum(1 << position for position in positions)
    for n, position in enumerate(positions):
        high = -(-(n * 2**32 + 2**32 % count) // count)  # kept, and in the part of outcome n
        assert int(rng.pick_bit(about_to_draw((high << 32) | 1), bits, count)) == 1 << position
    if count > 1:
        stream = support.new_stream(6, count, 0, 0)
        picked = Counter(int(rng.pick_bit(stream, bits, count)) for _ in range(1500))
        assert set(picked) == {1 << position for position in positions}
        assert support.chi_square_p(list(picked.values()), 1500 / count) > LEVEL


# ---- compiled and plain Python --------------------------------------------------------------------------

SAMPLE = """
import json
import numpy as np
from sim import jit, rng
found = []
for seed, index, purpose, part in [(0, 0, 0, 0), (1, 2, 1, 3), (2**63 - 1, 2**40 - 1, 2, 2**13 - 1)]:
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, seed, index, purpose, part)
    found.append([int(stream["a"]), int(stream["b"])])
    found.append([int(rng.draw(stream)) for _ in range(50)])
    found.append([int(rng.below(stream, n)) for n in (1, 2, 3, 52, 2**31 + 1, 2**32 - 1) for _ in range(20)])
    found.append([float(rng.unit(stream)).hex() for _ in range(20)])
    cards = np.arange(52, dtype=np.int64)
    rng.shuffle(stream, cards, 52)
    found.append([int(card) for card in cards])
    found.append([int(rng.pick_bit(stream, 0x9876543210F, 20)) for _ in range(50)])
print(json.dumps({"plain": jit.DISABLED, "found": found}))
"""


def test_the_same_numbers_compiled_and_as_plain_python() -> None:
    compiled = json.loads(support.run_python(SAMPLE, NUMBA_DISABLE_JIT=None))
    plain = json.loads(support.run_python(SAMPLE, NUMBA_DISABLE_JIT="1"))
    assert (compiled["plain"], plain["plain"]) == (False, True)
    assert compiled["found"] == plain["found"]
