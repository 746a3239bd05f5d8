"""Re-dealing Daifugō: states that a player can't tell from the real one, by what that player has seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards, rng
from sim.daifugo import deal, knowledge, plays
from sim.daifugo.state import MAX_PLAYERS, SEAT_TALLY_SIZE, TALLY_SIZE
from sim.jit import jit, lowest, popcount
from sim.subsets import WAYS

_TRIES = 1000
"""Deals that are thrown away, at most; after them cards are put where a refusal shows them to be."""

_JOKER = 52


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with one of the states, all equally likely, in which the player to move sees `view`.

    Everything hidden is drawn from `stream`: other hands, the cards that are nobody's, and the chance of all later deals.
    Nothing but the view is read.

    Kept to is what the player knows for certain: cards seen to go into a hand or aside, the first leader's ♦3 (D5), that
    the poor have given their strongest cards and that hands were swapped (D11, D42), what a refusal to stop a cut shows
    (D23), how many cards were passed on and to whom, that nobody has a card that a bomb has called for (D28). Not used is what
    only suggests itself (a pass, a gift, a play that was not made), nor these, which are certain: that whoever was not
    asked for an answer to a cut had none; what third players know of a gift they do not see; where jokers seen in a
    hand are once that player has passed cards on; which of several players lost sight of a card, and where cards that went
    astray are once one of the hands in question has been laid aside (D40).

    Notes
    -----
    Think of places for cards, so many in each hand and some aside; all ways to lay the unseen cards into them are to be
    equally likely. Where everything may lie anywhere, any order of filling does. Cards that may lie in a few places only
    and places open to a few cards only come first, each drawn evenly from what is open: the ways to go on are then as many
    whatever was drawn. This holds for cards known, cards astray and blind cards (which are neither jokers nor ♦3).
    The bounded hand is next. Of N cards left, x are such that it may hold r of them at most, less what went astray into it,
    which also came in later; with m places free, a share
    ``c = Σ_{e≤r} C(x, e) C(N−x, m−e) / C(N, m)`` of the ways to go on is allowed, so what was drawn before is kept with
    chance c over its greatest value; then e is drawn with the weight of its term, and the hand from each part evenly.
    A deal that a refusal forbids is thrown away. After `_TRIES` of them, which a hand-made position may bring about or
    a very rare one, the cards in question are put into the hand and the rest is dealt as before, no longer quite evenly.
    Bounds that no deal keeps, in a hand-made position, are dropped.
    """
    state["view"] = view
    me = view["seat"]
    knowledge.recall(state, me, view)
    pool = cards.PACK & ~(view["gone"] | view["hand"] | view["aside"])
    jokers = rules["jokers"] - view["gone_jokers"] - view["jokers"] - view["aside_jokers"]
    for player in range(view["players"]):
        if player != me:
            pool &= ~view["known"][player]
            jokers -= view["known_jokers"][player]
    deck = np.empty(54, np.int8)
    tries = 0
    while not _deal_unseen(view, rules, stream, state, deck, pool, jokers, tries == _TRIES):
        tries += 1
    for gift in range(view["gifts"]):
        poor = view["gift_poor"][gift]
        naturals, given = deal.best_cards(
            state["hands"][poor], state["jokers"][poor], view["gift_count"][gift]
        )
        state["gift_cards"][gift] = naturals
        state["gift_jokers"][gift] = given
    for item in range(TALLY_SIZE):
        state["tally"][item] = 0
    for player in range(MAX_PLAYERS):
        for item in range(SEAT_TALLY_SIZE):
            state["seat_tally"][player, item] = 0
    state["ended"] = 0
    reshuffle(state, rules, stream)


@jit
def reshuffle(state: Any, rules: Any, stream: Any) -> None:
    """Draw anew what chance has still to bring: all later deals and seats (D3, D10), and places drawn (D44)."""
    state["seed"] = rng.below(stream, 1 << 31)
    state["deal"] = rng.below(stream, 1 << 31)


@jit
def _deal_unseen(
    view: Any, rules: Any, stream: Any, state: Any, deck: Any, pool: int, jokers: int, last: bool
) -> bool:
    """Deal the unseen cards to the other hands; what is left over is a fallen daifugō's (D40), or blind (D4).

    Returns
    -------
    bool
        Whether the deal stands; the `last` one does.
    """
    me = view["seat"]
    for player in range(MAX_PLAYERS):
        state["hands"][player] = 0
        state["jokers"][player] = 0
    places = popcount(pool) + jokers  # aside, those in hands taken off
    for player in range(view["players"]):
        if player == me:
            state["hands"][player] = view["hand"]
            state["jokers"][player] = view["jokers"]
        else:
            state["hands"][player] = view["known"][player]
            state["jokers"][player] = view["known_jokers"][player]
            places -= _free(view, state, player)
    if last and view["keepers"] != 0:
        pool, jokers = _put_kept(view, rules, state, pool, jokers)
    holder = view["bound_seat"]
    limit = view["bound_loose"]
    most = _free(view, state, holder) if holder >= 0 else 0
    least = most
    if view["astray"] != 0:
        pool = _place_astray(view, stream, state, pool)
        if holder >= 0 and (view["astray_seats"] >> holder) & 1:
            least = max(0, most - popcount(view["astray"]))
            came = most - _free(view, state, holder)
            most -= came
            if view["astray_from"] >= 0 and view["astray_from"] != holder:
                limit -= came
    excluded = popcount(pool & view["bound_cards"]) + jokers
    fewest = excluded
    if view["single"] == 0:
        for _ in range(min(rules["blind_cards"], places)):
            choices = pool & ~plays.DIAMOND_THREE
            if choices != 0:
                pool &= ~rng.pick_bit(stream, choices, popcount(choices))
        fewest = max(0, excluded - rules["blind_cards"])
        excluded = popcount(pool & view["bound_cards"]) + jokers
    size = popcount(pool) + jokers
    share = _share(size, excluded, most, limit) if holder >= 0 else 0.0
    if holder >= 0 and not last:
        best = _share(size, fewest, least, view["bound_loose"])
        if share < best and rng.unit(stream) * best >= share:
            return False
    start = 0
    if share > 0:
        start, size = _deal_bounded(view, stream, state, deck, pool, jokers, limit)
    else:
        _write(deck, 0, pool, jokers)
    rng.shuffle(stream, deck[start:], size - start)
    for player in range(view["players"]):
        if player != me:
            missing = _free(view, state, player)
            _give(state, player, deck[size - missing : size])
            size -= missing
            if not (
                last or knowledge.keeps(view, rules, player, state["hands"][player], state["jokers"][player])
            ):
                return False
    return True


@jit
def _free(view: Any, state: Any, player: int) -> int:
    """Return how many cards a hand still lacks."""
    return view["held"][player] - popcount(state["hands"][player]) - state["jokers"][player]


@jit
def _write(deck: Any, start: int, naturals: int, jokers: int) -> int:
    """Write cards into a deck from `start` on; return where they end."""
    while naturals != 0:
        deck[start] = lowest(naturals)
        naturals &= naturals - 1
        start += 1
    for _ in range(jokers):
        deck[start] = _JOKER
        start += 1
    return start


@jit
def _give(state: Any, player: int, dealt: Any) -> None:
    """Put cards of a deck into a hand."""
    for i in range(len(dealt)):
        card = np.int64(dealt[i])
        if card < _JOKER:
            state["hands"][player] |= 1 << card
        else:
            state["jokers"][player] += 1


# ---- cards astray ---------------------------------------------------------------------------------------


@jit
def _place_astray(view: Any, stream: Any, state: Any, pool: int) -> int:
    """Place the cards that went astray; return the pool without them, or with them if they fit nowhere.

    The number t that are not where they were has the weight of all ways to place them,
    ``C(b, t) · s!/(s−b+t)! · o!/(o−t)!`` for b cards, s places in the hand where they were and o in the others.
    """
    astray = view["astray"] & pool
    size = popcount(astray)
    origin = view["astray_from"]
    others = 0
    for player in range(view["players"]):
        if (view["astray_seats"] >> player) & 1 and player != origin:
            others += _free(view, state, player)
    home = _free(view, state, origin) if origin >= 0 else 0
    first = max(0, size - home)
    final = min(size, others)
    if origin >= 0:
        final = min(final, view["astray_most"])
    if first > final:
        return pool
    total = 0.0
    weight = 1.0
    for moved in range(first, final + 1):
        total += weight
        weight *= (size - moved) * (others - moved) / ((moved + 1) * (home - size + moved + 1))
    left = rng.unit(stream) * total if first < final else 0.0
    weight = 1.0
    moved = first
    while moved < final and left >= weight:
        left -= weight
        weight *= (size - moved) * (others - moved) / ((moved + 1) * (home - size + moved + 1))
        moved += 1
    pool &= ~astray
    for _ in range(moved):
        card = rng.pick_bit(stream, astray, popcount(astray))
        astray &= ~card
        place = rng.below(stream, others)
        others -= 1
        for player in range(view["players"]):
            if (view["astray_seats"] >> player) & 1 and player != origin:
                free = _free(view, state, player)
                if 0 <= place < free:
                    state["hands"][player] |= card
                place -= free
    if origin >= 0:
        state["hands"][origin] |= astray
    return pool


# ---- a bounded hand -------------------------------------------------------------------------------------


@jit
def _share(size: int, excluded: int, drawn: int, limit: int) -> float:
    """Return the chance that of cards drawn out of `size`, at most `limit` are of those excluded."""
    ways = 0
    for loose in range(max(0, drawn - size + excluded), min(limit, excluded, drawn) + 1):
        ways += WAYS[excluded, loose] * WAYS[size - excluded, drawn - loose]
    return ways / WAYS[size, drawn]


@jit
def _deal_bounded(
    view: Any, stream: Any, state: Any, deck: Any, pool: int, jokers: int, limit: int
) -> tuple[int, int]:
    """Deal the bounded hand, with `limit` of the excluded cards at most; return where in the deck the rest lies."""
    holder = view["bound_seat"]
    allowed = _write(deck, 0, pool & ~view["bound_cards"], 0)
    size = _write(deck, allowed, pool & view["bound_cards"], jokers)
    excluded = size - allowed
    drawn = _free(view, state, holder)
    loose = max(0, drawn - allowed)
    final = min(limit, excluded, drawn)
    if loose < final:
        left = rng.unit(stream) * _share(size, excluded, drawn, final) * WAYS[size, drawn]
        while loose < final:
            left -= WAYS[excluded, loose] * WAYS[allowed, drawn - loose]
            if left < 0:
                break
            loose += 1
    rng.shuffle(stream, deck, allowed)
    rng.shuffle(stream, deck[allowed:], excluded)
    _give(state, holder, deck[: drawn - loose])
    _give(state, holder, deck[size - loose : size])
    return drawn - loose, size - loose


# ---- refusals -------------------------------------------------------------------------------------------


@jit
def _put_kept(view: Any, rules: Any, state: Any, pool: int, jokers: int) -> tuple[int, int]:
    """Put into each hand what a refusal shows it to hold, as far as there is any; return the pool without it."""
    for player in range(view["players"]):
        if player == view["seat"] or ((view["keepers"] >> player) & 1) == 0:
            continue
        kept = view["fours_kept"][player]
        suited = knowledge.stopping(rules["four_rank"])
        there = popcount((pool | state["hands"][player]) & suited)
        if not knowledge.has(there, jokers + state["jokers"][player], kept):
            kept = view["storms_kept"][player]
            suited = knowledge.stopping(rules["sandstorm_rank"])
        while _free(view, state, player) > 0:
            held = popcount(state["hands"][player] & suited)
            if knowledge.has(held, state["jokers"][player], kept):
                break
            if pool & suited:
                card = 1 << lowest(pool & suited)
                pool &= ~card
                state["hands"][player] |= card
            elif jokers > 0:
                jokers -= 1
                state["jokers"][player] += 1
            else:
                break
    return pool, jokers
