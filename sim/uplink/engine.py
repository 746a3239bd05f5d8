"""The rules of Uplink, and only they: deal, legal moves, what a move does, the score, what a seat sees.

A move is a set of cards as a mask: the card put out or played, or the field cards left behind. Whatever
the phase, the seat to move picks exactly ``view["pick"]`` of the cards ``view["choices"]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards, rng
from sim.jit import jit, lowest, popcount
from sim.subsets import WAYS, nth_subset
from sim.uplink.state import (
    BY_LEAD_POSITION,
    HEART_PAIRS,
    LEAVE,
    MAX_PLAYERS,
    OVER,
    PLAY,
    PUT,
    SETS_OF_THREE,
    TALLY_SIZE,
    TRICKS,
)

WIN = 840
"""One whole win, divisible by any number of winners up to 8."""

_EARLIER, _SECOND = 1, 2
_FIRST_FACE, _LAST_FACE = cards.RANKS.index("J"), cards.RANKS.index("K")
_HEART = 1 << cards.SUITS.index("H")
_HEART_FACES = sum(_HEART << (4 * rank) for rank in range(_FIRST_FACE, _LAST_FACE + 1))
_FOUR = 15


# ---- legal moves ----------------------------------------------------------------------------------------


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is one of the legal moves of the seat to move."""
    return (move & ~view["choices"]) == 0 and popcount(move) == view["pick"]


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of legal moves of the seat to move."""
    size = popcount(view["choices"])
    if view["pick"] == 1:
        return size
    return WAYS[size, view["pick"]]


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return legal move number `n`, counted from 0, sets of low cards first."""
    return nth_subset(view["choices"], view["pick"], n)


# ---- start and deal -------------------------------------------------------------------------------------


@jit
def start(state: Any, rules: Any, seed: int, deal: int) -> None:
    """Begin a match: the first deal (U5, U21); seat 0 is asked for its put-out card (U6)."""
    view = state["view"]
    view["players"] = rules["players"]
    view["game"] = 1
    view["trick"] = 1
    view["leader"] = 0
    view["turn"] = 0
    view["field"] = 0
    view["trick_cards"] = 0
    view["out"] = 0
    for seat in range(MAX_PLAYERS):
        view["played"][seat] = -1
        view["piles"][seat] = 0
        view["scores"][seat] = 0
        view["held"][seat] = 0
        state["hands"][seat] = 0
        state["put"][seat] = 0
        state["deck_size"][seat] = 0
        state["dealt"][seat] = 0
        state["seat_tally"][seat, TRICKS] = 0
    for item in range(TALLY_SIZE):
        state["tally"][item] = 0
    view["best"] = 0
    state["seed"] = seed
    state["deal"] = deal
    new_stock(state, rules)
    deal_hands(state, rules, rules["hand_size"] + 1)
    ask(state, PUT, 0)


@jit
def new_stock(state: Any, rules: Any) -> None:
    """Shuffle every card that is not in the field into new decks (U17, U20, U22).

    The order is one of the whole pack, from which the field is skipped: so it depends on the seed, the
    deal and the number of the stock alone, and drafts compared on one deal stay near each other.
    """
    view = state["view"]
    stock_number = (view["game"] + 1) // 2
    stream = state["chance"]
    pack = state["decks"][0]
    for card in range(52):
        pack[card] = card
    rng.open_stream(stream, state["seed"], state["deal"], rng.DEAL, stock_number)
    rng.shuffle(stream, pack, 52)
    if rules["personal"]:
        _sort_by_owner(state, rules)
        for seat in range(rules["players"]):
            _skip_field(state, seat, 13)
    else:
        _skip_field(state, 0, 52)
    view["out"] = 0


@jit
def _sort_by_owner(state: Any, rules: Any) -> None:
    """Give each seat the cards of its suit, in the order of the whole pack (U20)."""
    pack = state["decks"][0].copy()
    for seat in range(rules["players"]):
        size = 0
        for i in range(52):
            if pack[i] & 3 == seat:
                state["decks"][seat][size] = pack[i]
                size += 1


@jit
def _skip_field(state: Any, row: int, size: int) -> None:
    deck = state["decks"][row]
    field = state["view"]["field"]
    kept = size
    if field != 0:
        kept = 0
        for i in range(size):
            card = deck[i]
            deck[kept] = card
            kept += 1 - ((field >> np.int64(card)) & 1)
    state["deck_size"][row] = kept
    state["dealt"][row] = 0


@jit
def deal_hands(state: Any, rules: Any, size: int) -> None:
    """Deal `size` cards to each seat from 0, in one block each, from the stock or the own deck."""
    view = state["view"]
    undealt = 0
    for seat in range(rules["players"]):
        row = seat if rules["personal"] else 0
        deck = state["decks"][row]
        first = state["dealt"][row]
        hand: Any = 0
        for i in range(first, first + size):
            hand |= 1 << np.int64(deck[i])
        assert first + size <= state["deck_size"][row]  # U22: a deck never runs out
        state["dealt"][row] = first + size
        state["hands"][seat] = hand
        view["held"][seat] = size
    for row in range(rules["players"]):
        undealt += state["deck_size"][row] - state["dealt"][row]
    view["stock"] = undealt


@jit
def ask(state: Any, phase: int, seat: int) -> None:
    """Set who moves and among what: a card of the hand, or the field cards to leave (U10)."""
    view = state["view"]
    hand = state["hands"][seat]
    view["phase"] = phase
    view["seat"] = seat
    view["hand"] = hand
    view["choices"] = hand
    view["pick"] = 1


# ---- moves ----------------------------------------------------------------------------------------------


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Make a legal move of the seat to move, with all that follows from it."""
    phase = state["view"]["phase"]
    if phase == PLAY:
        _play(state, rules, move)
    elif phase == LEAVE:
        _leave(state, rules, move)
    else:
        _put_out(state, rules, move)


@jit
def _put_out(state: Any, rules: Any, move: int) -> None:
    """Take a card put out face down; when all have chosen, show them: the first field (U6), seat 0 leads (U7)."""
    view = state["view"]
    seat = view["seat"]
    state["put"][seat] = move
    if seat + 1 < rules["players"]:
        view["turn"] = seat + 1
        ask(state, PUT, seat + 1)
        return
    for owner in range(rules["players"]):
        view["field"] |= state["put"][owner]
        state["hands"][owner] &= ~state["put"][owner]
        state["put"][owner] = 0
        view["held"][owner] -= 1
    view["turn"] = 0
    ask(state, PLAY, 0)


@jit
def _play(state: Any, rules: Any, move: int) -> None:
    """Play a card to the trick (U8); after the last one its taker is asked what to leave (U9, U10)."""
    view = state["view"]
    seat = view["seat"]
    state["hands"][seat] &= ~move
    view["held"][seat] -= 1
    view["played"][seat] = lowest(move)
    view["trick_cards"] |= move
    turn = view["turn"]
    card_order = 7 - turn if rules["tied_top"] == _EARLIER else turn
    view["best"] = max(view["best"], 8 * rules["strength"][lowest(move) >> 2] + card_order)
    turn += 1
    view["turn"] = turn
    if turn < rules["players"]:
        ask(state, PLAY, seat + 1 if seat + 1 < rules["players"] else 0)
        return
    taker = _taker(state, rules)
    ask(state, LEAVE, taker)
    view["choices"] = view["field"]
    view["pick"] = min(rules["left_behind"], popcount(view["field"]))


@jit
def _taker(state: Any, rules: Any) -> int:
    """Return who takes the trick: the highest rank, among equals as ``tied_top`` says (U9)."""
    view = state["view"]
    players = rules["players"]
    position = view["best"] & 7
    if rules["tied_top"] == _EARLIER:
        position = 7 - position
    elif rules["tied_top"] == _SECOND:
        position = _untied_top(view, rules, view["best"] >> 3, position)
    seat = view["leader"] + position
    return seat if seat < players else seat - players


@jit
def _untied_top(view: Any, rules: Any, top: int, position: int) -> int:
    """Return the position in the trick of the best card whose rank is not a tied top one (U9, ``second``)."""
    players = rules["players"]
    equals = 0
    best = -1
    runner_up = position
    for i in range(players):
        seat = view["leader"] + i
        strength = rules["strength"][view["played"][seat if seat < players else seat - players] >> 2]
        if strength == top:
            equals += 1
        elif strength >= best:
            best = strength
            runner_up = i
    return position if equals == 1 else runner_up


@jit
def _leave(state: Any, rules: Any, move: int) -> None:
    """Capture the own card and the field but for `move`; the other cards join the field (U10, U11)."""
    view = state["view"]
    taker = view["seat"]
    players = rules["players"]
    own = 1 << view["played"][taker]
    view["piles"][taker] |= (view["field"] & ~move) | own
    view["field"] = move | (view["trick_cards"] & ~own)
    position = taker - view["leader"]
    state["tally"][BY_LEAD_POSITION + (position if position >= 0 else position + players)] += 1
    state["seat_tally"][taker, TRICKS] += 1
    view["trick_cards"] = 0
    for seat in range(players):
        view["played"][seat] = -1
    view["turn"] = 0
    view["best"] = 0
    if view["trick"] == rules["hand_size"]:
        view["leader"] = taker  # U16, with any next_lead
        _end_game(state, rules)
        return
    view["trick"] += 1
    if rules["rotate"]:
        view["leader"] = view["leader"] + 1 if view["leader"] + 1 < players else 0
    else:
        view["leader"] = taker  # U12
    ask(state, PLAY, view["leader"])


@jit
def _end_game(state: Any, rules: Any) -> None:
    """Score the game (U14) and deal the next one (U16, U17), or end the match (U18)."""
    view = state["view"]
    for seat in range(rules["players"]):
        points, pairs, sets = pile_value(view["piles"][seat], rules)
        view["scores"][seat] += points
        state["tally"][HEART_PAIRS] += pairs
        state["tally"][SETS_OF_THREE] += sets
    if view["game"] == rules["games"]:
        ask(state, OVER, view["leader"])
        view["seat"] = -1
        view["pick"] = 0
        return
    for seat in range(rules["players"]):
        view["out"] |= view["piles"][seat]
        view["piles"][seat] = 0
    view["game"] += 1
    view["trick"] = 1
    if view["game"] % 2 == 1:
        new_stock(state, rules)
    deal_hands(state, rules, rules["hand_size"])
    ask(state, PLAY, view["leader"])


# ---- scoring --------------------------------------------------------------------------------------------


@jit
def pile_value(pile: int, rules: Any) -> tuple[int, int, int]:
    """Return (points, heart pairs, sets of three) of a pile at the end of a game (U14, U15, U23)."""
    points = 0
    pairs = 0
    sets = 0
    if rules["personal"]:
        for rank in range(_FIRST_FACE, _LAST_FACE + 1):
            faces = (pile >> (4 * rank)) & _FOUR
            if popcount(faces) == 3:
                pile &= ~(faces << (4 * rank))
                points += rules["set_points"]
                sets += 1
    elif rules["pairs"] and (pile & _HEART_FACES) != 0:
        for rank in range(_FIRST_FACE, _LAST_FACE + 1):
            faces = (pile >> (4 * rank)) & _FOUR
            others = faces & ~_HEART
            if others != faces and others != 0:
                partner = _cheapest(others << (4 * rank), rules)
                pile &= ~((_HEART << (4 * rank)) | partner)
                points += rules["pair_points"]
                pairs += 1
    return points + card_points(pile, rules), pairs, sets


@jit
def card_points(mask: int, rules: Any) -> int:
    """Return the sum of the points of a set of cards (U4), by the bits of their points."""
    points = rules["least"] * popcount(mask)
    for plane in range(rules["plane_count"]):
        points += popcount(mask & rules["planes"][plane]) << plane
    return points


@jit
def _cheapest(faces: int, rules: Any) -> int:
    """Return the card with the fewest points: the partner that serves the owner best."""
    best = faces & -faces
    faces &= faces - 1
    while faces != 0:
        card = faces & -faces
        if rules["points"][lowest(card)] < rules["points"][lowest(best)]:
            best = card
        faces &= faces - 1
    return best


@jit
def result(state: Any, rules: Any, wins: Any, scores: Any) -> int:
    """Write each seat's score and its part of the win, in units of 1/`WIN` (U18); return 1 for a tie, else 0."""
    view = state["view"]
    players = rules["players"]
    best = view["scores"][0]
    for seat in range(players):
        scores[seat] = view["scores"][seat]
        best = max(best, view["scores"][seat])
    winners = 0
    for seat in range(players):
        winners += 1 if scores[seat] == best else 0
    for seat in range(players):
        wins[seat] = WIN // winners if scores[seat] == best else 0
    return 1 if winners > 1 else 0


@jit
def label(state: Any, rules: Any, labels: Any) -> None:
    """Tell nothing apart: the game has no labels."""


# ---- what a seat sees -----------------------------------------------------------------------------------


@jit
def observe(state: Any, rules: Any, seat: int, views: Any) -> None:
    """Write into ``views[0]`` what `seat` may know; it has choices only if it is to move."""
    views[0] = state["view"]
    view = views[0]
    view["hand"] = state["hands"][seat]
    if seat != view["seat"]:
        view["choices"] = 0
        view["pick"] = 0


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with one of the states, all equally likely, in which the seat to move sees `view`.

    Everything hidden is drawn from `stream`: other hands, cards put out and not yet shown, the stock, and
    the chance of all later deals. Nothing but the view is read, so this is also the proof that a search
    which starts here does not peek.
    """
    state["view"] = view
    me = view["seat"]
    players = rules["players"]
    hidden = unseen(view, rules)
    for seat in range(MAX_PLAYERS):
        state["seat_tally"][seat, TRICKS] = 0
        state["hands"][seat] = 0
        state["put"][seat] = 0
        state["deck_size"][seat] = 0
        state["dealt"][seat] = 0
    if rules["personal"]:
        for seat in range(players):
            _hide(state, seat, hidden & suit_of(seat), stream)
            _draw_hidden(state, seat, seat, me)
    else:
        _hide(state, 0, hidden, stream)
        for seat in range(players):
            _draw_hidden(state, 0, seat, me)
    state["hands"][me] = view["hand"]
    if view["phase"] == PUT:
        for seat in range(view["turn"]):
            hand = state["hands"][seat]
            state["put"][seat] = rng.pick_bit(stream, hand, popcount(hand))
    for item in range(TALLY_SIZE):
        state["tally"][item] = 0
    _rename_chance(state, stream)


@jit
def reshuffle(state: Any, rules: Any, stream: Any) -> None:
    """Draw anew what chance has still to bring: the order of each stock, and all stocks to come (U17)."""
    for row in range(rules["players"] if rules["personal"] else 1):
        first = state["dealt"][row]
        rng.shuffle(stream, state["decks"][row][first:], state["deck_size"][row] - first)
    _rename_chance(state, stream)


@jit
def _rename_chance(state: Any, stream: Any) -> None:
    """Give all stocks to come another chance."""
    state["seed"] = rng.below(stream, 1 << 31)
    state["deal"] = rng.below(stream, 1 << 31)


@jit
def unseen(view: Any, rules: Any) -> int:
    """Return the cards that the seat to move does not see: in other hands, face down, or in the stock."""
    seen = view["hand"] | view["field"] | view["trick_cards"] | view["out"]
    for seat in range(rules["players"]):
        seen |= view["piles"][seat]
    return cards.PACK & ~seen


@jit
def suit_of(seat: int) -> int:
    """Return the cards of a seat's own deck, where each has one."""
    found: Any = 0
    for rank in range(13):
        found |= 1 << np.int64(4 * rank + seat)
    return found


@jit
def _hide(state: Any, row: int, unseen: int, stream: Any) -> None:
    """Make a shuffled deck of the unseen cards."""
    deck = state["decks"][row]
    size = 0
    while unseen != 0:
        deck[size] = lowest(unseen)
        unseen &= unseen - 1
        size += 1
    rng.shuffle(stream, deck, size)
    state["deck_size"][row] = size


@jit
def _draw_hidden(state: Any, row: int, seat: int, me: int) -> None:
    """Give another seat as many cards as it holds."""
    if seat == me:
        return
    hand: Any = 0
    for _ in range(state["view"]["held"][seat]):
        hand |= 1 << np.int64(state["decks"][row][state["dealt"][row]])
        state["dealt"][row] += 1
    state["hands"][seat] = hand
