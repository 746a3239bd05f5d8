"""The rules of 9 Peak, and only they: deal, legal moves, what a move does, the score, what a player sees.

A move of a turn holds in its low bits the *places* of the cards it uses: place i is card number i of the hand, by
number and then by suit (`sim.ninepeak.cards`). Beside them a play holds its N, and a pass of two cards holds one
more than the place of the card taken: in the area in the same order, then the two cards just put there.

A hand has at most `MAX_HAND` cards, so there are fewer than six million legal moves (26 + 325 × 80 + the sets of up
to nine among 26): they are counted and numbered by arithmetic, never listed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import rng
from sim.jit import jit, lowest, popcount
from sim.ninepeak.cards import (
    ALL_OF_A_NUMBER,
    JOKER_SHIFT,
    NUMBERS,
    PACK,
    PACK_SIZE,
    card_at,
    size_of,
    suit_shift,
    total,
)
from sim.ninepeak.score import recolour_gain, set_points
from sim.ninepeak.state import (
    ABLE_BITS,
    BY_SIZE,
    DRAW_TO_HAND,
    FIXED,
    FLAT,
    KEEP,
    MAX_HAND,
    MAX_PLAYERS,
    OVER,
    OWN_LEFT,
    OWN_OUT,
    OWN_SETS,
    OWN_VP,
    PEAK,
    PEAK_CARDS,
    PEAKS_DISCARDED,
    PEAKS_WON,
    PER_SET,
    RECOLOUR,
    ROUNDS,
    SEAT_TALLY_SIZE,
    SETS,
    SHAPE_BITS,
    TALLY_SIZE,
    TURN,
    VP,
    VP_PARTS,
    WENT_OUT,
)
from sim.subsets import WAYS, nth_subset

WIN = 840
"""One whole win, divisible by any number of winners up to 8."""

TAKEN_SHIFT = 32
VALUE_SHIFT = 40
KEEP_MOVE = 1 << 44
RELEASE_MOVE = 1 << 45

_PLACES = (1 << MAX_HAND) - 1
_TAKEN = 127
_VALUE = 15
_VP_PARTS = len(VP_PARTS)

_ABLE = (1 << ABLE_BITS) - 1
_ONE_EACH = sum(1 << (ABLE_BITS * size) for size in range(PEAK))
_TOP_EACH = _ONE_EACH << (ABLE_BITS - 1)
_SPARE = sum(((1 << (ABLE_BITS - 1)) - size - 1) << (ABLE_BITS * size) for size in range(PEAK))
"""Added to `view["able"]` it sets the top bit of every size of which there are enough cards."""


# ---- legal moves ----------------------------------------------------------------------------------------


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of legal moves of the player to move; cards alike are different cards."""
    return view["count"]


@jit
def able(view: Any, value: int) -> int:
    """Return how many cards of the hand can be used as `value`."""
    return (view["able"] >> (ABLE_BITS * (value - 1))) & _ABLE


@jit
def usable(view: Any, value: int) -> int:
    """Return the places of the cards of the hand that can be used as `value` (P10)."""
    places = 0
    start = 0
    for number in range(NUMBERS):
        end = (view["ends"] >> (8 * number)) & 255
        reach = number + 1 + total(view["area"][number])
        if (view["peaks"] >> number) & 1 or number < value <= reach:
            places |= (1 << end) - (1 << start)
        start = end
    return places


@jit
def playable(view: Any) -> int:
    """Return the sizes of which a set can be played (P10, P11): one bit for each, see `size_at`."""
    enough = (view["able"] + _SPARE) & _TOP_EACH
    return enough & ~((1 << (ABLE_BITS * (view["smallest"] - 1))) - 1)


@jit
def size_at(bit: int) -> int:
    """Return the size that a bit of `playable` stands for."""
    return lowest(bit) // ABLE_BITS + 1


@jit
def card_of(view: Any, place: int) -> int:
    """Return the code of the own card at a place."""
    number = 0
    start = 0
    for other in range(NUMBERS - 1):
        end = (view["ends"] >> (8 * other)) & 255
        if place >= end:
            number = other + 1
            start = end
    return 32 * number + suit_shift(view["hand"][number], place - start)


@jit
def places_in(move: int) -> int:
    """Return the places of the cards that a move of a turn uses."""
    return move & _PLACES


@jit
def value_in(move: int) -> int:
    """Return the N of a play; 0 of a pass."""
    return (move >> VALUE_SHIFT) & _VALUE


@jit
def taken_in(move: int) -> int:
    """Return the place of the card that a pass of two takes; −1 of any other move."""
    return ((move >> TAKEN_SHIFT) & _TAKEN) - 1


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is one of the legal moves of the player to move."""
    if view["phase"] != TURN:
        return move in (KEEP_MOVE, RELEASE_MOVE)
    places = places_in(move)
    taken = taken_in(move) + 1
    value = value_in(move)
    if move != places | (taken << TAKEN_SHIFT) | (value << VALUE_SHIFT):
        return False
    size = popcount(places)
    if value != 0:
        return (
            taken == 0
            and view["smallest"] <= value <= PEAK
            and size == value
            and (places & ~usable(view, value)) == 0
        )
    if (places >> view["held"][view["seat"]]) != 0:
        return False
    if taken == 0:
        return size == 1
    return size == 2 and taken <= view["area_size"] + 2


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return legal move number `n`, counted from 0: passes of one, passes of two, then plays by size."""
    if view["phase"] != TURN:
        return KEEP_MOVE if n == 0 else RELEASE_MOVE
    held = view["held"][view["seat"]]
    if n < held:
        return 1 << n
    n -= held
    choices = view["area_size"] + 2
    pairs = WAYS[held, 2]
    if n < pairs * choices:
        taken = n % choices + 1
        return nth_subset((1 << held) - 1, 2, n // choices) | (taken << TAKEN_SHIFT)
    n -= pairs * choices
    value = view["smallest"]
    ways = WAYS[able(view, value), value]
    while n >= ways:
        n -= ways
        value += 1
        ways = WAYS[able(view, value), value]
    return nth_subset(usable(view, value), value, n) | (value << VALUE_SHIFT)


# ---- start ----------------------------------------------------------------------------------------------


@jit
def start(state: Any, rules: Any, seed: int, deal: int) -> None:
    """Begin a match: shuffle, lay the area, deal (P3, P4); seat 0 is asked (P2)."""
    clear(state, rules)
    view = state["view"]
    deck = state["deck"]
    for i in range(PACK_SIZE):
        deck[i] = PACK[i]
    rng.open_stream(state["chance"], seed, deal, rng.DEAL, 0)
    rng.shuffle(state["chance"], deck, PACK_SIZE)
    at = rules["area_size"]
    for i in range(at):
        code = np.int64(deck[i])
        view["area"][code >> 5] += 1 << (code & 31)
    view["area_size"] = at
    for seat in range(rules["players"]):
        hand = state["hands"][seat]
        for i in range(at, at + rules["hand_size"]):
            code = np.int64(deck[i])
            hand[code >> 5] += 1 << (code & 31)
        at += rules["hand_size"]
        view["held"][seat] = rules["hand_size"]
        note_jokers(state, seat)
    state["dealt"] = at
    view["stock"] = PACK_SIZE - at
    for number in range(NUMBERS):
        _peak(state, number, -1)
    ask(state, TURN, 0)


@jit
def clear(state: Any, rules: Any) -> None:
    """Empty the table."""
    view = state["view"]
    view["players"] = rules["players"]
    view["round"] = 1
    view["last_round"] = 0
    view["turned"] = -1
    view["area_size"] = 0
    view["peaks"] = 0
    view["plays"] = 0
    for number in range(NUMBERS):
        view["area"][number] = 0
        view["gone"][number] = 0
    for seat in range(MAX_PLAYERS):
        view["held"][seat] = 0
        view["sets"][seat] = 0
        view["last_size"][seat] = 0
        view["jokers"][seat] = 0
        view["set_vp"][seat] = 0
        view["recolour"][seat] = 0
        view["won"][seat] = 0
        view["scores"][seat] = 0
        for number in range(NUMBERS):
            view["known"][seat, number] = 0
            state["hands"][seat, number] = 0
    clear_counts(state)
    state["turned"] = -1
    state["dealt"] = 0


@jit
def clear_counts(state: Any) -> None:
    """Set to 0 what is counted for the report."""
    for seat in range(MAX_PLAYERS):
        state["shapes"][seat] = 0
        state["jokers_dealt"][seat] = 0
        for item in range(SEAT_TALLY_SIZE):
            state["seat_tally"][seat, item] = 0
    for item in range(TALLY_SIZE):
        state["tally"][item] = 0


@jit
def note_jokers(state: Any, seat: int) -> None:
    """Note how many jokers a hand holds at the start."""
    for number in range(NUMBERS):
        state["jokers_dealt"][seat] += state["hands"][seat, number] >> JOKER_SHIFT


@jit
def ask(state: Any, phase: int, seat: int) -> None:
    """Make `seat` the one to move: what it may know, what it can use as what, and how many moves it has."""
    view = state["view"]
    view["phase"] = phase
    view["seat"] = seat
    size = show_hand(state, view, seat)
    if phase == KEEP:
        view["turned"] = state["turned"]
        view["count"] = 2
        return
    view["turned"] = -1
    count = size + WAYS[size, 2] * (view["area_size"] + 2)
    for value in range(view["smallest"], PEAK + 1):
        count += WAYS[able(view, value), value]
    view["count"] = count


@jit
def show_hand(state: Any, view: Any, seat: int) -> int:
    """Write a player's own hand into the view, and what it can be used as (P10); return its size."""
    able_to = 0
    ends = 0
    place = 0
    for number in range(NUMBERS):
        count = state["hands"][seat, number]
        view["hand"][number] = count
        size = total(count)
        place += size
        ends |= place << (8 * number)
        width = min(PEAK, number + 1 + total(view["area"][number]))
        values = ((1 << (ABLE_BITS * width)) - (1 << (ABLE_BITS * number))) & _ONE_EACH
        if (view["peaks"] >> number) & 1:
            values = _ONE_EACH
        able_to += size * values
    view["ends"] = ends
    view["able"] = able_to
    view["smallest"] = max(1, view["last_size"][seat])
    return place


# ---- moves ----------------------------------------------------------------------------------------------


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Make a legal move of the player to move, with all that follows from it."""
    if state["view"]["phase"] == KEEP:
        _settle_turned(state, rules, move == KEEP_MOVE)
    elif (move >> VALUE_SHIFT) & _VALUE != 0:
        _play(state, rules, move)
    else:
        _pass(state, rules, move)


@jit
def _leave_hand(state: Any, seat: int, code: int) -> None:
    """Take a card out of a hand, for all to see."""
    view = state["view"]
    number = code >> 5
    card = 1 << (code & 31)
    state["hands"][seat, number] -= card
    view["held"][seat] -= 1
    if (view["known"][seat, number] >> (code & 31)) & 15:
        view["known"][seat, number] -= card


@jit
def _pass(state: Any, rules: Any, move: int) -> None:
    """Put one card into the area, or two and take one (P5, P6); then look for peaks (P7, P8)."""
    view = state["view"]
    seat = view["seat"]
    places = places_in(move)
    first = card_of(view, lowest(places))
    _leave_hand(state, seat, first)
    taken = taken_in(move)
    if taken >= 0:
        second = card_of(view, lowest(places & (places - 1)))
        _leave_hand(state, seat, second)
        before = view["area_size"]
        put = first if taken == before else second
        code = card_at(view["area"], taken) if taken < before else put
        card = 1 << (code & 31)
        view["area"][second >> 5] += 1 << (second & 31)
        view["area"][code >> 5] -= card
        state["hands"][seat, code >> 5] += card
        view["known"][seat, code >> 5] += card
        view["held"][seat] += 1
        view["area"][first >> 5] += 1 << (first & 31)
        _peak(state, second >> 5, seat)
    else:
        view["area"][first >> 5] += 1 << (first & 31)
    view["area_size"] += 1
    _peak(state, first >> 5, seat)
    _end_turn(state, rules, seat)


@jit
def _peak(state: Any, number: int, seat: int) -> None:
    """Put down a number's peak card if it has reached 9 (counted from 0); `seat` wins its cards, with −1 nobody."""
    view = state["view"]
    size = total(view["area"][number])
    if number + 1 + size < PEAK or (view["peaks"] >> number) & 1:
        return
    view["peaks"] |= 1 << number
    view["gone"][number] += view["area"][number]
    view["area"][number] = 0
    view["area_size"] -= size
    if seat >= 0:
        view["won"][seat] += size
        state["tally"][PEAKS_WON] += 1
    else:
        state["tally"][PEAKS_DISCARDED] += 1


@jit
def _play(state: Any, rules: Any, move: int) -> None:
    """Lay down a set (P10); then a card is turned up from the stock (P12)."""
    view = state["view"]
    seat = view["seat"]
    value = value_in(move)
    places = places_in(move)
    play = view["plays"]
    view["plays"] = play + 1
    view["play_seat"][play] = seat
    view["play_cards"][play, 0] = 0
    view["play_cards"][play, 1] = 0
    suits = 0
    while places != 0:
        code = card_of(view, lowest(places))
        places &= places - 1
        _leave_hand(state, seat, code)
        number = code >> 5
        card = 1 << (code & 31)
        suits += card
        view["gone"][number] += card
        view["play_cards"][play, number // 3] += card << (20 * (number % 3))
    lay(state, rules, seat, suits, value)
    if view["stock"] == 0:
        _end_turn(state, rules, seat)
        return
    view["stock"] -= 1
    state["turned"] = state["deck"][state["dealt"]]
    state["dealt"] += 1
    if rules["no_joker"] == DRAW_TO_HAND and (suits >> JOKER_SHIFT) == 0:
        ask(state, KEEP, seat)
    else:
        _settle_turned(state, rules, False)


@jit
def lay(state: Any, rules: Any, seat: int, suits: int, size: int) -> None:
    """Count a set that lies before a player."""
    view = state["view"]
    view["sets"][seat] += 1
    view["last_size"][seat] = size
    view["jokers"][seat] += suits >> JOKER_SHIFT
    view["set_vp"][seat] += set_points(suits, size, rules)
    if rules["early_finish"] == RECOLOUR:
        view["recolour"][seat] = max(view["recolour"][seat], recolour_gain(suits, size, rules))
    state["shapes"][seat] += 1 << (SHAPE_BITS * (size - 1))
    state["tally"][SETS] += 1
    state["tally"][BY_SIZE + size - 1] += 1


@jit
def _settle_turned(state: Any, rules: Any, keeps: bool) -> None:
    """The card turned up goes into the hand, or into the area, where its number may peak (P12, P18)."""
    view = state["view"]
    seat = view["seat"]
    code = state["turned"]
    state["turned"] = -1
    card = 1 << (code & 31)
    if keeps:
        state["hands"][seat, code >> 5] += card
        view["held"][seat] += 1
    else:
        view["area"][code >> 5] += card
        view["area_size"] += 1
        _peak(state, code >> 5, -1)
    _end_turn(state, rules, seat)


@jit
def _end_turn(state: Any, rules: Any, seat: int) -> None:
    """An empty hand makes this round the last (P14); the next player with cards is asked, or the match ends."""
    view = state["view"]
    if view["held"][seat] == 0:
        view["last_round"] = 1
    give_turn(state, rules, seat + 1)


@jit
def give_turn(state: Any, rules: Any, first: int) -> None:
    """Ask the first player from `first` on who has cards, in this round or the next; or end the match."""
    view = state["view"]
    players = rules["players"]
    for seat in range(first, players):
        if view["held"][seat] > 0:
            ask(state, TURN, seat)
            return
    if view["last_round"] == 0:
        view["round"] += 1
        for seat in range(players):
            if view["held"][seat] > 0:
                ask(state, TURN, seat)
                return
    _finish(state, rules)


# ---- the end --------------------------------------------------------------------------------------------


@jit
def _finish(state: Any, rules: Any) -> None:
    """Add up everybody's VP (P15 to P19)."""
    view = state["view"]
    players = rules["players"]
    view["phase"] = OVER
    view["seat"] = -1
    view["count"] = 0
    view["turned"] = -1
    out = 0
    for seat in range(players):
        out += 1 if view["held"][seat] == 0 else 0
    unplaced = NUMBERS - popcount(view["peaks"])
    turn = 0
    for seat in range(players):
        tally = state["seat_tally"][seat]
        tally[OWN_VP] = view["set_vp"][seat]
        if view["sets"][seat] > 0 and view["jokers"][seat] == 0:
            if rules["no_joker"] == PER_SET:
                tally[OWN_VP + 1] = rules["no_joker_vp"] * view["sets"][seat]
            elif rules["no_joker"] == FLAT:
                tally[OWN_VP + 1] = rules["no_joker_vp"]
        tally[OWN_VP + 2] = rules["peak_card_vp"] * view["won"][seat]
        if view["held"][seat] == 0:
            if rules["early_finish"] == PEAK_CARDS:
                share = unplaced // out + (1 if turn < unplaced % out else 0)
                tally[OWN_VP + 3] = rules["unplaced_peak_vp"] * share
            elif rules["early_finish"] == FIXED:
                tally[OWN_VP + 4] = rules["early_finish_vp"]
            elif rules["early_finish"] == RECOLOUR:
                tally[OWN_VP + 4] = view["recolour"][seat]
            turn += 1
            tally[OWN_OUT] = 1
        tally[OWN_SETS] = view["sets"][seat]
        tally[OWN_LEFT] = view["held"][seat]
        score = 0
        for part in range(_VP_PARTS):
            score += tally[OWN_VP + part]
            state["tally"][VP + part] += tally[OWN_VP + part]
        view["scores"][seat] = score
    state["tally"][WENT_OUT] = out
    state["tally"][ROUNDS] = view["round"]


@jit
def result(state: Any, rules: Any, wins: Any, scores: Any) -> int:
    """Write each seat's VP and the winner's whole win, the lowest seat of the best (P20); return 1 for a tie."""
    view = state["view"]
    winner = 0
    equals = 0
    for seat in range(rules["players"]):
        scores[seat] = view["scores"][seat]
        wins[seat] = 0
        if scores[seat] > scores[winner]:
            winner = seat
            equals = 1
        elif scores[seat] == scores[winner]:
            equals += 1
    wins[winner] = WIN
    return 1 if equals > 1 else 0


@jit
def label(state: Any, rules: Any, labels: Any) -> None:
    """Write what is told apart of each seat's match (`state.LABELS`)."""
    for seat in range(rules["players"]):
        labels[seat, 0] = state["shapes"][seat]
        labels[seat, 1] = state["jokers_dealt"][seat]
        labels[seat, 2] = state["view"]["jokers"][seat]


# ---- what a player sees ---------------------------------------------------------------------------------


@jit
def observe(state: Any, rules: Any, seat: int, views: Any) -> None:
    """Write into ``views[0]`` what `seat` may know; only the one to move has moves to count."""
    views[0] = state["view"]
    view = views[0]
    show_hand(state, view, seat)
    if seat != view["seat"]:
        view["count"] = 0
        view["turned"] = -1


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with one of the states, all equally likely, in which the player to move sees `view`.

    Everything hidden is drawn from `stream`: the other hands, but for cards known to be in them, and the order of
    the stock. Nothing but the view is read.
    """
    state["view"] = view
    me = view["seat"]
    deck = state["deck"]
    size = 0
    turned = view["turned"]
    for number in range(NUMBERS):
        unseen = ALL_OF_A_NUMBER - view["hand"][number] - view["area"][number] - view["gone"][number]
        if turned >= 0 and turned >> 5 == number:
            unseen -= 1 << (turned & 31)
        for seat in range(MAX_PLAYERS):
            if seat == me:
                state["hands"][seat, number] = view["hand"][number]
            else:
                state["hands"][seat, number] = view["known"][seat, number]
                unseen -= view["known"][seat, number]
        for shift in range(0, 20, 4):
            for _ in range((unseen >> shift) & 15):
                deck[size] = 32 * number + shift
                size += 1
    rng.shuffle(stream, deck, size)
    at = 0
    for seat in range(view["players"]):
        missing = view["held"][seat] - size_of(state["hands"][seat])
        for _ in range(missing):
            code = np.int64(deck[at])
            state["hands"][seat, code >> 5] += 1 << (code & 31)
            at += 1
    state["dealt"] = at
    state["turned"] = turned
    clear_counts(state)
