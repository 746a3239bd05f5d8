"""Which moves of Daifugō are legal: how many, which is the n-th, and whether a given one is."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import plays
from sim.daifugo.state import (
    ANSWER,
    GROUP,
    JOKERS_ONLY,
    NAME,
    NO_TABLE,
    PLAY,
    SEQUENCE,
)
from sim.jit import jit, popcount
from sim.subsets import nth_subset

_STORM_SIZE = 3
_ALL_STARTS = (1 << (4 * plays.PLACES)) - 1
_LONGEST = 15


@jit
def is_reversed(view: Any) -> bool:
    """Tell whether the order of strength is turned: revolution or temporary reversal, not both."""
    return view["revolution"] != view["temporary"]


@jit
def _rank_cards(rank: int) -> int:
    """Return the four cards of a rank."""
    return 15 << (4 * rank)


@jit
def _stronger_cards(low: int, turned: bool) -> int:
    """Return the cards stronger than rank `low`."""
    if low == JOKERS_ONLY:
        return 0
    if turned:
        return (1 << (4 * low)) - 1
    return cards.PACK & ~((1 << (4 * (low + 1))) - 1)


@jit
def _next_rank(low: int, turned: bool) -> int:
    """Return the rank one step stronger: 13 (jokers) after the strongest, -1 after jokers."""
    if low == JOKERS_ONLY:
        return -1
    if turned:
        return low - 1 if low > 0 else JOKERS_ONLY
    return low + 1


@jit
def _storm_cards(view: Any, rules: Any) -> int:
    """Return the cards of a sandstorm's rank, 0 where there is none (D31)."""
    if view["effects_off"] or rules["sandstorm_rank"] < 0:
        return 0
    return _rank_cards(rules["sandstorm_rank"])


@jit
def _may_pass(view: Any, rules: Any) -> bool:
    return view["table_kind"] != NO_TABLE or rules["leader_may_pass"]


@jit
def walk(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """Count the legal moves of the player to move, or make number `n`: (count, 0) or (n, move)."""
    phase = view["phase"]
    if phase == PLAY:
        return _walk_turn(view, rules, n)
    if phase == ANSWER:
        return _walk_answers(view, rules, n)
    if phase == NAME:
        names = 13 + (1 if rules["jokers"] > 0 else 0)
        if n >= 0:
            return n, nth_subset((1 << names) - 1, view["want"], n)
        return plays.count_sets((1 << names) - 1, 0, view["want"]), 0
    if n >= 0:
        return n, plays.nth_set(view["hand"], view["jokers"], view["want"], n)
    return plays.count_sets(view["hand"], view["jokers"], view["want"]), 0


@jit
def _walk_turn(view: Any, rules: Any, n: int) -> tuple[int, int]:
    if view["table_kind"] != NO_TABLE:
        if n == 0:
            return 0, 0
        count, move = _walk_follow(view, rules, n - 1 if n > 0 else n)
        return count + 1, move
    passes = rules["leader_may_pass"]
    if 0 <= n < passes:
        return 0, 0
    count, move = _walk_first_lead(view, rules, n - passes if n >= 0 else n)
    return count + passes, move


@jit
def _walk_lead(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """Any play (D5)."""
    hand = view["hand"]
    jokers = view["jokers"]
    count = jokers  # groups of jokers only
    if 0 <= n < count:
        return n, plays.bare(n + 1)
    ways, move = plays.walk_lead_groups(hand, jokers, n - count if n >= 0 else n, rules)
    if move != 0:
        return n, move
    count += ways
    if rules["sequences"]:
        ways, move = plays.walk_sequences(
            hand, jokers, rules["sequence_min"], _LONGEST, _ALL_STARTS, n - count if n >= 0 else n, rules
        )
        if move != 0:
            return n, move
        count += ways
    if rules["emperor"]:
        ways, move = plays.walk_emperors(hand, jokers, 0, 12, n - count if n >= 0 else n)
        if move != 0:
            return n, move
        count += ways
    return count, 0


@jit
def _walk_first_lead(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """The plays of a lead; those that show ♦3 where they must (D5), found by looking through all of them."""
    bound = rules["must_show"] and not view["begun"] and (view["hand"] & plays.DIAMOND_THREE) != 0
    number = -1 if bound else n
    everything = 0
    count = 0
    # One place that calls, since a second copy of all that is below costs every lead time.
    while True:
        total, move = _walk_lead(view, rules, number)
        if not bound:
            return total, move
        if number < 0:
            everything = total
        elif move & plays.DIAMOND_THREE:
            if count == n:
                return n, move
            count += 1
        number += 1
        if number >= everything:
            return count, 0


@jit
def _walk_follow(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """What may go on the table: sandstorm, ♠3, stronger plays of the same kind and size, a down number."""
    count = 0
    without = 0
    if rules["specials"]:
        count, move = _walk_specials(view, rules, n)
        if move != 0 or view["unbeatable"]:
            return count, move
        without = _storm_cards(view, rules) if view["table_size"] == _STORM_SIZE else 0
    rest = n - count if n >= 0 else n
    if view["table_kind"] == GROUP:
        ways, move = _walk_stronger_groups(view, rules, without, rest)
    elif view["table_kind"] == SEQUENCE:
        ways, move = _walk_stronger_sequences(view, rules, rest)
    else:
        low, high = _low_range(view, rules)
        ways, move = plays.walk_emperors(view["hand"], view["jokers"], low, high, rest)
    if move != 0:
        return n, move
    return count + ways, 0


@jit
def _walk_specials(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """Sandstorms and the spade three, whatever the locks (D31, D32)."""
    storm = _storm_cards(view, rules)
    count = 0
    if storm != 0:
        count, move = plays.walk_groups(view["hand"], view["jokers"], _STORM_SIZE, storm, 0, n, rules)
        if move != 0:
            return n, move
    if view["unbeatable"] == 0 and returns_joker(view, rules) and (view["hand"] & plays.SPADE_THREE) != 0:
        if n == count:
            return n, plays.SPADE_THREE
        count += 1
    return count, 0


@jit
def returns_joker(view: Any, rules: Any) -> bool:
    """Tell whether ♠3 may be played whatever the locks: on a single joker (D32)."""
    return (
        rules["spade_three"] != 0
        and view["effects_off"] == 0
        and view["table_kind"] == GROUP
        and view["table_low"] == JOKERS_ONLY
        and view["table_size"] == 1
    )


@jit
def _walk_stronger_groups(view: Any, rules: Any, without: int, n: int) -> tuple[int, int]:
    """Groups that beat the table's (D6, D12, D17 to D19), but for the cards `without`."""
    low = view["table_low"]
    size = view["table_size"]
    jokers = view["jokers"]
    turned = is_reversed(view)
    allowed = _stronger_cards(low, turned)
    jokers_fit = low != JOKERS_ONLY
    if view["lock_number"]:
        step = _next_rank(low, turned)
        allowed = _rank_cards(step) if 0 <= step < JOKERS_ONLY else 0
        jokers_fit = jokers_fit and (size == 1 or step == JOKERS_ONLY)
    count = 0
    if jokers_fit and jokers >= size:
        if n == 0:
            return 0, plays.bare(size)
        count = 1
    if rules["down_number"]:
        card = down_number(view, turned)
        if (card & view["hand"]) != 0:
            if n == count:
                return n, card
            count += 1
    ways, move = plays.walk_groups(
        view["hand"], jokers, size, allowed & ~without, view["lock_suits"], n - count if n >= 0 else n, rules
    )
    if move != 0:
        return n, move
    return count + ways, 0


@jit
def down_number(view: Any, turned: bool) -> int:
    """Return the card that may step down on a single (D17), 0 where there is none."""
    if view["lock_number"] or view["table_size"] != 1 or view["table_kind"] != GROUP:
        return 0
    if view["table_jokers"] > 0:
        return 0
    rank = view["table_low"] + (1 if turned else -1)
    suits = view["table_suits"]
    if rank < 0 or rank > 12 or (view["lock_suits"] != 0 and view["lock_suits"] != suits):
        return 0
    return suits << (4 * rank)


@jit
def _low_range(view: Any, rules: Any) -> tuple[int, int]:
    """Return the lowest and highest first rank of a run that beats the table's (D14)."""
    low = view["table_low"]
    size = view["table_size"]
    if is_reversed(view):
        return -1, low - (1 if rules["lowest"] else size)
    return low + (1 if rules["lowest"] else size), 13


@jit
def _walk_stronger_sequences(view: Any, rules: Any, n: int) -> tuple[int, int]:
    low, high = _low_range(view, rules)
    if high < low:
        return 0, 0
    # Places are ranks + 1.
    starts = (
        _ALL_STARTS & ~((1 << (4 * max(low + 1, 0))) - 1) & ((1 << (4 * min(high + 2, plays.PLACES))) - 1)
    )
    lock = view["lock_suits"]
    if lock != 0:
        # A sequence shows one suit: under `full` exactly the locked one, under `partial` no other either.
        starts &= lock * plays.COLUMN if popcount(lock) == 1 else 0
    size = view["table_size"]
    return plays.walk_sequences(view["hand"], view["jokers"], size, size, starts, n, rules)


@jit
def _walk_answers(view: Any, rules: Any, n: int) -> tuple[int, int]:
    """A refusal, and what may be put against an eight cut (D23)."""
    if n == 0:
        return 0, 0
    n = n - 1 if n > 0 else n
    count, move = answers(view["hand"], view["jokers"], n, view, rules)
    return count + 1, move


@jit
def answers(hand: int, jokers: int, n: int, view: Any, rules: Any) -> tuple[int, int]:
    """Count what a hand may put against the cut ``view["cut_kind"]``, whatever the locks, or make number `n`."""
    count = 0
    move = 0
    if rules["four_stop"] and view["cut_kind"] == GROUP and view["cut_size"] <= 2:
        count, move = plays.walk_groups(
            hand, jokers, 2 * view["cut_size"], _rank_cards(rules["four_rank"]), 0, n, rules
        )
    if move == 0 and rules["storm_stops"] and rules["sandstorm_rank"] >= 0:
        ways, move = plays.walk_groups(
            hand,
            jokers,
            _STORM_SIZE,
            _rank_cards(rules["sandstorm_rank"]),
            0,
            n - count if n >= 0 else n,
            rules,
        )
        count += ways
    return (n if move != 0 else count), move


@jit
def is_storm(kind: int, low: int, size: int, view: Any, rules: Any) -> bool:
    """Tell whether a play is a sandstorm in force (D31)."""
    return (
        kind == GROUP
        and size == _STORM_SIZE
        and low != JOKERS_ONLY
        and (_storm_cards(view, rules) >> (4 * low)) & 1 == 1
    )


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is one of the legal moves of the player to move."""
    phase = view["phase"]
    if phase == NAME:
        names = 13 + (1 if rules["jokers"] > 0 else 0)
        return move >= 0 and move < (1 << names) and popcount(move) == view["want"]
    naturals = plays.naturals_of(move)
    jokers = plays.jokers_of(move)
    if (naturals & ~view["hand"]) != 0 or jokers > view["jokers"]:
        return False
    if phase != PLAY and phase != ANSWER:
        return popcount(naturals) + jokers == view["want"] and (move & ~cards.PACK) == plays.bare(jokers)
    if move == 0:
        return phase == ANSWER or _may_pass(view, rules)
    kind, low, size, suits, bare_jokers = plays.read(move, rules)
    if kind == NO_TABLE:
        return False
    if phase == ANSWER:
        stops = (
            rules["four_stop"]
            and low == rules["four_rank"]
            and view["cut_kind"] == GROUP
            and view["cut_size"] <= 2
            and size == 2 * view["cut_size"]
        )
        return kind == GROUP and (stops or (rules["storm_stops"] and is_storm(kind, low, size, view, rules)))
    if view["table_kind"] == NO_TABLE:
        bound = rules["must_show"] and not view["begun"] and (view["hand"] & plays.DIAMOND_THREE) != 0
        return not bound or (move & plays.DIAMOND_THREE) != 0
    if rules["specials"]:
        if is_storm(kind, low, size, view, rules):
            return True
        if view["unbeatable"]:
            return False
        if move == plays.SPADE_THREE and returns_joker(view, rules):
            return True
    return _beats(move, kind, low, size, suits, bare_jokers, view, rules)


@jit
def _beats(
    move: int, kind: int, low: int, size: int, suits: int, bare_jokers: int, view: Any, rules: Any
) -> bool:
    """Tell whether a play beats the table by D6, D14 and D17 to D19."""
    if kind != view["table_kind"] or size != view["table_size"]:
        return False
    turned = is_reversed(view)
    if kind != GROUP:
        first, last = _low_range(view, rules)
        return first <= low <= last and plays.fits(suits, bare_jokers, view["lock_suits"], rules)
    if low == JOKERS_ONLY:
        if view["table_low"] == JOKERS_ONLY:
            return False
        return size == 1 or not view["lock_number"] or _next_rank(view["table_low"], turned) == JOKERS_ONLY
    if not plays.fits(suits, bare_jokers, view["lock_suits"], rules):
        return False
    if view["lock_number"]:
        return low == _next_rank(view["table_low"], turned)
    if (_stronger_cards(view["table_low"], turned) >> (4 * low)) & 1:
        return True
    return rules["down_number"] != 0 and move != 0 and move == down_number(view, turned)
