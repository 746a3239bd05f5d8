"""Deals, classes and exchanges of Daifugō: everything between two games (D3 to D5, D10, D11, D42, D44)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards, rng
from sim.daifugo import knowledge, plays
from sim.daifugo.places import active, rise
from sim.daifugo.state import MAX_PLAYERS, NO_TABLE, TALLY
from sim.jit import jit, lowest, popcount

_TENPEN_CHII = TALLY["tenpen_chii"]
_PACK, _BLIND, _SEATS, _STALEMATE = range(4)
"""Parts of the chance of a game: the pack, the blind cards, the seats, a stalemate."""

_ABOVE_TEN = cards.PACK & ~((1 << 32) - 1)


@jit
def _open(state: Any, part: int) -> None:
    rng.open_stream(state["chance"], state["seed"], state["deal"], rng.DEAL, 4 * state["view"]["game"] + part)


@jit
def class_of(view: Any, place: int) -> int:
    """Return the player of a previous place."""
    for player in range(view["players"]):
        if view["previous"][player] == place:
            return player
    return 0


@jit
def next_game(state: Any, rules: Any) -> None:
    """Set everything up for the next game: classes and seats (D10), then the deal."""
    view = state["view"]
    played = view["game"]
    view["game"] = played + 1
    if played > 0 and rules["reset_every"] > 0 and played % rules["reset_every"] == 0:
        for player in range(MAX_PLAYERS):
            view["previous"][player] = 0
    if played > 0 and rules["reseat_every"] > 0 and played % rules["reseat_every"] == 0:
        _draw_seats(state, rules)
    clear_game(state)
    _deal(state, rules)


@jit
def clear_game(state: Any) -> None:
    """Forget the game before: places, table, order, what was known."""
    view = state["view"]
    view["gone"] = 0
    view["gone_jokers"] = 0
    view["table_kind"] = NO_TABLE
    view["table_low"] = 0
    view["table_size"] = 0
    view["table_suits"] = 0
    view["table_jokers"] = 0
    view["table_move"] = 0
    view["owner"] = -1
    view["unbeatable"] = 0
    view["lock_suits"] = 0
    view["lock_number"] = 0
    view["revolution"] = 0
    view["temporary"] = 0
    view["direction"] = 1
    view["effects_off"] = 0
    view["begun"] = 0
    view["passed"] = 0
    view["skipped"] = 0
    view["passes_in_row"] = 0
    view["cut_kind"] = 0
    view["cut_size"] = 0
    for player in range(MAX_PLAYERS):
        view["places"][player] = 0
        view["held"][player] = 0
        state["hands"][player] = 0
        state["jokers"][player] = 0
    knowledge.clear(state)
    state["view"]["sunk_count"] = 0
    state["view"]["gifts"] = 0
    state["view"]["turn_emptied"] = 0
    state["view"]["victims"] = 0


@jit
def _draw_seats(state: Any, rules: Any) -> None:
    """Draw a new seat order (D10); places go with the players."""
    view = state["view"]
    _open(state, _SEATS)
    for seat in range(rules["players"]):
        view["ring"][seat] = seat
    rng.shuffle(state["chance"], view["ring"], rules["players"])
    for seat in range(rules["players"]):
        view["position"][view["ring"][seat]] = seat


@jit
def _deal(state: Any, rules: Any) -> None:
    """Deal one by one from the first seat, clockwise, without the blind cards (D3, D4).

    Classes decide only who gets the cards left over, so that a hand is the same whoever won the game before: with two bots
    that change seats on the same deal, its luck falls to both.
    """
    view = state["view"]
    players = rules["players"]
    blind = 0
    if rules["blind_cards"] > 0:
        _open(state, _BLIND)
        choices = cards.PACK & ~plays.DIAMOND_THREE
        for left in range(rules["blind_cards"]):
            card = plays.nth_bit(choices, rng.below(state["chance"], 51 - left))
            choices &= ~card
            blind |= card
    deck = np.empty(54, np.int8)
    size = 52 + rules["jokers"]
    for card in range(size):
        deck[card] = card
    _open(state, _PACK)
    rng.shuffle(state["chance"], deck, size)
    seat = 0
    left = size - rules["blind_cards"]
    surplus = left % players
    for i in range(size):
        card = np.int64(deck[i])
        if card < 52 and (blind >> card) & 1:
            continue
        if left == surplus:
            seat = _surplus_seat(view, rules)
        left -= 1
        player = view["ring"][seat]
        if card < 52:
            state["hands"][player] |= 1 << card
        else:
            state["jokers"][player] += 1
        view["held"][player] += 1
        seat = seat + 1 if seat + 1 < players else 0


@jit
def _surplus_seat(view: Any, rules: Any) -> int:
    """Return the seat that gets the first card left over: the dealer's left, or the daifugō (D3)."""
    if view["previous"][0] == 0:
        return 0
    if rules["deal_daifugo"]:
        return view["position"][class_of(view, 1)]
    return (view["position"][class_of(view, rules["players"])] + 1) % rules["players"]


@jit
def first_leader(state: Any, rules: Any) -> int:
    """Return who leads the first trick (D5), after the exchange; a lead by the ♦3 shows where it is."""
    view = state["view"]
    if rules["first_lead"] != 0 and view["previous"][0] != 0:
        leader = class_of(view, rules["players"] if rules["first_lead"] == 1 else 1)
        if active(view, leader):
            return leader
    for player in range(rules["players"]):
        if state["hands"][player] & plays.DIAMOND_THREE:
            knowledge.show(state, player, plays.DIAMOND_THREE)
            return player
    return state["view"]["fallback"]


@jit
def exchange(state: Any, rules: Any) -> None:
    """Swap whole hands (D42), or make the forced gifts and line up the free ones, the daifugō's first (D11)."""
    view = state["view"]
    players = rules["players"]
    rich = class_of(view, 1)
    poor = class_of(view, players)
    if rules["tenpen_chii"] and (state["hands"][poor] & _ABOVE_TEN) == 0 and state["jokers"][poor] == 0:
        state["tally"][_TENPEN_CHII] += 1
        _swap(state["hands"], rich, poor)
        _swap(state["jokers"], rich, poor)
        _swap(view["held"], rich, poor)
        # Each has seen the hand that went over.
        state["known"][rich, poor] = state["hands"][poor]
        state["known"][poor, rich] = state["hands"][rich]
        state["known_jokers"][rich, poor] = state["jokers"][poor]
        state["known_jokers"][poor, rich] = state["jokers"][rich]
        # The others have learnt what such a hand can't hold.
        for other in range(players):
            if other != rich and other != poor:
                knowledge.bound(state, other, rich, _ABOVE_TEN)
        return
    for pair in range(2 if players >= 4 else 1):
        wanted = rules["exchange"][pair]
        if wanted == 0:
            continue
        rich = class_of(view, 1 + pair)
        poor = class_of(view, players - pair)
        naturals, jokers = best_cards(state["hands"][poor], state["jokers"][poor], wanted)
        count = popcount(naturals) + jokers
        if rules["see_first"]:
            _take_best(state, naturals, jokers, poor, rich)
        else:
            count = min(count, view["held"][rich])
        if count > 0:
            gift = state["view"]["gifts"]
            state["view"]["gift_rich"][gift] = rich
            state["view"]["gift_poor"][gift] = poor
            state["view"]["gift_count"][gift] = count
            state["gift_cards"][gift] = naturals
            state["gift_jokers"][gift] = jokers
            state["view"]["gifts"] = gift + 1


@jit
def _swap(values: Any, one: int, other: int) -> None:
    kept = values[one]
    values[one] = values[other]
    values[other] = kept


@jit
def best_cards(hand: int, jokers: int, wanted: int) -> tuple[int, int]:
    """Return the strongest cards of a hand: jokers, then 2, A, …; equal ranks in the order S H D C (D11)."""
    used = min(jokers, wanted)
    chosen = 0
    left = wanted - used
    rank = 12
    while left > 0 and rank >= 0:
        held = hand & (15 << (4 * rank))
        while held != 0 and left > 0:
            chosen |= 1 << lowest(held)
            held &= held - 1
            left -= 1
        rank -= 1
    return chosen, used


@jit
def hand_over(state: Any, naturals: int, jokers: int, giver: int, receiver: int) -> None:
    """Move cards from one hand to another; these two know which."""
    view = state["view"]
    size = popcount(naturals) + jokers
    state["hands"][giver] &= ~naturals
    state["jokers"][giver] -= jokers
    view["held"][giver] -= size
    state["hands"][receiver] |= naturals
    state["jokers"][receiver] += jokers
    view["held"][receiver] += size
    knowledge.hand_over(state, giver, receiver, naturals, jokers)


@jit
def _take_best(state: Any, naturals: int, jokers: int, poor: int, rich: int) -> None:
    """Make a forced gift; the rich see from its weakest card how strong the others can be."""
    hand_over(state, naturals, jokers, poor, rich)
    if naturals != 0:
        knowledge.bound(state, rich, poor, knowledge.above(naturals))


@jit
def give_back(state: Any, rules: Any, move: int) -> None:
    """Make the next free gift (D11); where the rich may not see it, the poor's gift comes over now."""
    rich = state["view"]["gift_rich"][0]
    poor = state["view"]["gift_poor"][0]
    if not rules["see_first"]:
        _take_best(state, state["gift_cards"][0], state["gift_jokers"][0], poor, rich)
    hand_over(state, plays.naturals_of(move), plays.jokers_of(move), rich, poor)
    if not rules["see_first"]:
        # A joker that goes back is not the one that just came.
        state["known_jokers"][poor, rich] = state["gift_jokers"][0]
    state["view"]["gifts"] -= 1
    state["view"]["gift_rich"][0] = state["view"]["gift_rich"][1]
    state["view"]["gift_poor"][0] = state["view"]["gift_poor"][1]
    state["view"]["gift_count"][0] = state["view"]["gift_count"][1]
    state["gift_cards"][0] = state["gift_cards"][1]
    state["gift_jokers"][0] = state["gift_jokers"][1]


@jit
def draw_places(state: Any, rules: Any) -> None:
    """Draw the open places at random (D44)."""
    view = state["view"]
    _open(state, _STALEMATE)
    order = np.empty(MAX_PLAYERS, np.int8)
    for player in range(rules["players"]):
        order[player] = player
    rng.shuffle(state["chance"], order, rules["players"])
    for i in range(rules["players"]):
        if active(view, order[i]):
            rise(state, order[i])
