"""What each player of Daifugō knows of cards out of sight, kept as that player could keep it.

For each who knows, beside the cards known to be in a hand (``known``, ``known_jokers``):

- cards known to be in nobody's hand any more (``aside``, ``aside_jokers``);
- one hand with a bound, since its owner gave the strongest cards away or changed hands openly (D11, D42): of the cards
  ``bound_cards`` and the jokers, it holds ``bound_loose`` at most beside those known in it. These came to it later, as
  have cards astray from another hand, which count among them;
- cards that went ``astray``: known in the hand of ``astray_from`` until that player passed cards on out of sight (D25), so
  that now they are in one of the hands ``astray_seats``, and ``astray_most`` at most in another than they were.
  Where several hands lost sight of cards, ``astray_from`` is -1, and only the hands are kept.

Open to all, and so part of the view, is who refused to stop a cut: that hand still holds ``fours_kept`` or
``storms_kept`` (D23, D31), each as 2 × cards, jokers counted, + 1 if one of them has to be natural.

All of it is true of the real hands, whatever is played; some of what a player could work out is left out (see
`worlds.redeal`).
"""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo.state import GROUP, MAX_PLAYERS
from sim.jit import jit, lowest, popcount

_NEVER = 2 * 54
"""More cards than a hand has: it can't have stopped in this way."""

_RARE = 1 << 52
"""Among the cards that somebody has noted: that some are astray or aside, or have been."""


@jit
def clear(state: Any) -> None:
    """Forget the game before."""
    view = state["view"]
    view["keepers"] = 0
    state["noted"] = 0
    for player in range(MAX_PLAYERS):
        view["fours_kept"][player] = 0
        view["storms_kept"][player] = 0
        clear_of(state, player)
    _tell_rare(state, 0, view)


@jit
def clear_of(state: Any, knower: int) -> None:
    """Forget what one player knows."""
    for holder in range(MAX_PLAYERS):
        state["known"][knower, holder] = 0
        state["known_jokers"][knower, holder] = 0
    state["aside"][knower] = 0
    state["aside_jokers"][knower] = 0
    state["bound_seat"][knower] = -1
    state["bound_cards"][knower] = 0
    state["bound_loose"][knower] = 0
    _forget_astray(state, knower)


@jit
def _forget_astray(state: Any, knower: int) -> None:
    state["astray"][knower] = 0
    state["astray_seats"][knower] = 0
    state["astray_from"][knower] = -1
    state["astray_most"][knower] = 0


@jit
def tell(state: Any, player: int, view: Any) -> None:
    """Write into a view what `player` knows."""
    for other in range(view["players"]):
        view["known"][other] = state["known"][player, other]
        view["known_jokers"][other] = state["known_jokers"][player, other]
    view["bound_seat"] = state["bound_seat"][player]
    view["bound_cards"] = state["bound_cards"][player]
    view["bound_loose"] = state["bound_loose"][player]
    # Mostly there is nothing to write, neither for this player nor for the one who was asked before.
    if (state["noted"] & _RARE) != 0:
        _tell_rare(state, player, view)


@jit
def _tell_rare(state: Any, player: int, view: Any) -> None:
    """Write into a view what is seldom anything."""
    view["aside"] = state["aside"][player]
    view["aside_jokers"] = state["aside_jokers"][player]
    view["astray"] = state["astray"][player]
    view["astray_seats"] = state["astray_seats"][player]
    view["astray_from"] = state["astray_from"][player]
    view["astray_most"] = state["astray_most"][player]


@jit
def recall(state: Any, player: int, view: Any) -> None:
    """Write into a state what `player` knows by a view; all that others know is forgotten."""
    for other in range(MAX_PLAYERS):
        clear_of(state, other)
    for other in range(view["players"]):
        state["known"][player, other] = view["known"][other]
        state["known_jokers"][player, other] = view["known_jokers"][other]
    state["aside"][player] = view["aside"]
    state["aside_jokers"][player] = view["aside_jokers"]
    state["bound_seat"][player] = view["bound_seat"]
    state["bound_cards"][player] = view["bound_cards"]
    state["bound_loose"][player] = view["bound_loose"]
    state["astray"][player] = view["astray"]
    state["astray_seats"][player] = view["astray_seats"]
    state["astray_from"][player] = view["astray_from"]
    state["astray_most"][player] = view["astray_most"]
    rare = (view["aside"] | view["aside_jokers"] | view["astray"]) != 0
    state["noted"] = view["bound_cards"] | view["astray"] | (_RARE if rare else 0)


# ---- what is seen ---------------------------------------------------------------------------------------


@jit
def show(state: Any, holder: int, naturals: int) -> None:
    """All learn that a hand holds some cards (D5)."""
    for knower in range(state["view"]["players"]):
        if knower != holder:
            state["known"][knower, holder] |= naturals


@jit
def leave(state: Any, rules: Any, holder: int, naturals: int, jokers: int) -> None:
    """Cards left a hand before all eyes."""
    view = state["view"]
    if jokers != 0 or (naturals & state["noted"]) != 0:
        for knower in range(view["players"]):
            _see(state, knower, holder, naturals, jokers)
    else:
        for knower in range(view["players"]):
            state["known"][knower, holder] &= ~naturals
    if (view["keepers"] >> holder) & 1:
        fours = popcount(naturals & stopping(rules["four_rank"]))
        storms = popcount(naturals & stopping(rules["sandstorm_rank"]))
        _keep(
            view,
            holder,
            _less(view["fours_kept"][holder], fours, jokers),
            _less(view["storms_kept"][holder], storms, jokers),
        )


@jit
def _see(state: Any, knower: int, holder: int, naturals: int, jokers: int) -> None:
    """Somebody saw which cards left a hand."""
    fresh = naturals & ~state["known"][knower, holder]
    state["known"][knower, holder] &= ~naturals
    loose = max(0, jokers - state["known_jokers"][knower, holder])
    state["known_jokers"][knower, holder] = max(0, state["known_jokers"][knower, holder] - jokers)
    found = naturals & state["astray"][knower]
    came = 0
    if found != 0:
        state["astray"][knower] &= ~found
        fresh &= ~found
        if state["astray_from"][knower] >= 0 and state["astray_from"][knower] != holder:
            came = popcount(found)
            state["astray_most"][knower] -= came
        if state["astray"][knower] == 0:
            _forget_astray(state, knower)
    if state["bound_seat"][knower] == holder:
        # What is not of the hand that was bound came to it later, and is no longer there. Of a card astray one can't be
        # sure if it may always have been in it.
        came += popcount(fresh & state["bound_cards"][knower]) + loose
        state["bound_loose"][knower] = max(0, state["bound_loose"][knower] - came)


@jit
def hand_over(state: Any, giver: int, receiver: int, naturals: int, jokers: int) -> None:
    """Cards went from one hand to another: these two know which, the others how many."""
    view = state["view"]
    count = popcount(naturals) + jokers
    for knower in range(view["players"]):
        if knower == receiver:
            _see(state, knower, giver, naturals, jokers)
        elif knower != giver:
            _lose_sight(state, knower, giver, receiver, count)
    state["known"][giver, receiver] |= naturals
    state["known_jokers"][giver, receiver] += jokers
    if (view["keepers"] >> giver) & 1:
        _keep(
            view,
            giver,
            _hidden(view["fours_kept"][giver], count),
            _hidden(view["storms_kept"][giver], count),
        )


@jit
def _lose_sight(state: Any, knower: int, giver: int, receiver: int, count: int) -> None:
    """Somebody saw that cards went from one hand to another, but not which."""
    known = state["known"][knower, giver]
    origin = state["astray_from"][knower]
    if known != 0:
        if state["astray"][knower] == 0:
            origin = giver
        elif origin != giver:
            origin = -1
        state["known"][knower, giver] = 0
        state["astray"][knower] |= known
        state["astray_from"][knower] = origin
        state["astray_seats"][knower] |= 1 << giver
    if (state["astray_seats"][knower] >> giver) & 1:
        state["astray_seats"][knower] |= 1 << receiver
        if origin == giver:
            state["astray_most"][knower] += count
    lost = min(count, state["known_jokers"][knower, giver])
    state["known_jokers"][knower, giver] -= lost
    if state["bound_seat"][knower] == giver:
        state["bound_loose"][knower] += lost
    if state["bound_seat"][knower] == receiver:
        state["bound_loose"][knower] += count
    if state["astray"][knower] != 0:
        state["noted"] |= state["astray"][knower] | _RARE


@jit
def lie_aside(state: Any, naturals: int, jokers: int) -> None:
    """All learn that cards out of sight are in nobody's hand, since a bomb did not bring them to light (D28)."""
    if naturals == 0 and jokers == 0:
        return
    state["noted"] |= _RARE
    for knower in range(state["view"]["players"]):
        state["aside"][knower] |= naturals
        state["aside_jokers"][knower] = max(state["aside_jokers"][knower], jokers)


@jit
def fall(state: Any, player: int) -> None:
    """A hand is laid aside, unseen (D40): who knows cards of it knows where they are."""
    view = state["view"]
    view["keepers"] &= ~(1 << player)
    view["fours_kept"][player] = 0
    view["storms_kept"][player] = 0
    state["noted"] |= _RARE
    for knower in range(view["players"]):
        state["aside"][knower] |= state["known"][knower, player]
        state["aside_jokers"][knower] += state["known_jokers"][knower, player]
        state["known"][knower, player] = 0
        state["known_jokers"][knower, player] = 0
        if (state["astray_seats"][knower] >> player) & 1:
            state["bound_loose"][knower] += popcount(state["astray"][knower] & state["bound_cards"][knower])
            _forget_astray(state, knower)
        if state["bound_seat"][knower] == player:
            state["bound_seat"][knower] = -1


# ---- bounds ---------------------------------------------------------------------------------------------


@jit
def bound(state: Any, knower: int, holder: int, naturals: int) -> None:
    """Somebody learns that a hand has none of some cards, and no joker."""
    state["bound_seat"][knower] = holder
    state["bound_cards"][knower] = naturals
    state["bound_loose"][knower] = 0
    state["noted"] |= naturals


@jit
def above(naturals: int) -> int:
    """Return the cards that would have been given before the last of `naturals` (D11)."""
    rank = lowest(naturals) >> 2
    last = naturals & (15 << (4 * rank))
    while last & (last - 1):
        last &= last - 1
    return (cards.PACK & ~((1 << (4 * (rank + 1))) - 1)) | ((15 << (4 * rank)) & (last - 1))


# ---- refusals -------------------------------------------------------------------------------------------


@jit
def stopping(rank: int) -> int:
    """Return the cards of a rank; none for rank -1."""
    return 15 << (4 * rank) if rank >= 0 else 0


@jit
def refuse(view: Any, rules: Any, player: int) -> None:
    """All learn that a player could have answered the cut and did not (D23)."""
    fours = _NEVER
    if rules["four_stop"] and view["cut_kind"] == GROUP and view["cut_size"] <= 2:
        fours = 2 * (2 * view["cut_size"]) + 1
    storms = 2 * 3 + 1 if rules["storm_stops"] and rules["sandstorm_rank"] >= 0 else _NEVER
    # Of two refusals the one that tells more is kept, or else the later.
    if view["fours_kept"][player] < fours or view["storms_kept"][player] < storms:
        _keep(view, player, fours, storms)


@jit
def _keep(view: Any, player: int, fours: int, storms: int) -> None:
    """Note what a hand is known to hold: one or the other, or nothing once one of them is nothing."""
    if fours == 0 or storms == 0:
        fours = 0
        storms = 0
        view["keepers"] &= ~(1 << player)
    else:
        view["keepers"] |= 1 << player
    view["fours_kept"][player] = fours
    view["storms_kept"][player] = storms


@jit
def _less(kept: int, naturals: int, jokers: int) -> int:
    """Return what is left of what was kept when cards of it were shown."""
    if kept == _NEVER:
        return kept
    real = (kept & 1) if naturals == 0 else 0
    return max(2 * ((kept >> 1) - naturals - jokers), 2 * real) + real


@jit
def _hidden(kept: int, count: int) -> int:
    """Return what is left for sure of what was kept when cards went out of sight."""
    return kept if kept == _NEVER else max(0, 2 * ((kept >> 1) - count))


@jit
def keeps(view: Any, rules: Any, player: int, naturals: int, jokers: int) -> bool:
    """Tell whether a hand has what its owner is known to hold by a refusal."""
    if ((view["keepers"] >> player) & 1) == 0:
        return True
    fours = popcount(naturals & stopping(rules["four_rank"]))
    storms = popcount(naturals & stopping(rules["sandstorm_rank"]))
    return has(fours, jokers, view["fours_kept"][player]) or has(storms, jokers, view["storms_kept"][player])


@jit
def has(naturals: int, jokers: int, kept: int) -> bool:
    """Tell whether cards of a rank and jokers are what was kept."""
    return naturals >= (kept & 1) and naturals + jokers >= (kept >> 1)
