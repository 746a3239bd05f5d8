"""Plays matches to see what cards are worth: in the hand that is dealt, by exchange for another, and captured.

The same player sits in every seat. The names that are None below are set in the copies that `sim.jit.specialise` compiles
against a game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from experiments.play.sources import Setting
from sim import kernels, loop, registry, rng
from sim.jit import DISABLED, jit, specialise

engine: Any = None
holdings: Any = None
ask_bot: Any = None
play_on: Any = None
exchange: Any = None

_PARTNERS = 1
"""Part of the stream of play-outs from which the cards come that others are exchanged for; the sampler has part 0."""

GIVEN, PARTNER, WINS, SCORE = range(4)
"""Columns of an exchange: the card that was dealt, the one it was exchanged for; twice what the former won and scored more."""

UNDEALT = -1
"""In place of the seat, where the other card was in no hand."""


# ---- templates ------------------------------------------------------------------------------------------


def finish(
    state: Any, rules: Any, slots: Any, plan: Any, deal: int, scratch: Any, fault: Any, held_last: Any
) -> int:
    """Play a match to its end, every seat with a fresh stream, as `sim.loop` does where bots stay in their seats.

    Parameters
    ----------
    state : STATE record
    rules : RULES record
    slots : array of PLAYER, shape (players,)
    plan : PLAN record
    scratch : record of `sim.loop.scratch_of`
    fault : int array, shape (3,)
        Written: the deal; on a fault also seat and move.
    held_last : int array, shape (kinds,), or (0,)
        Written, unless it is empty: who last had a card of each kind in hand when it was to move.

    Returns
    -------
    int
        `sim.loop.FAULT_FREE` or `sim.loop.ILLEGAL_MOVE`.
    """
    for seat in range(plan["players"]):
        rng.open_stream(slots[seat]["stream"], plan["seed"], deal, rng.SEAT, seat)
    fault[0] = deal
    counts = np.zeros(len(held_last), np.int64)
    view = state["view"]
    while view["seat"] >= 0:
        if len(held_last) > 0:
            holdings.hand(state, view["seat"], counts)
            for kind in range(len(counts)):
                if counts[kind] > 0:
                    held_last[kind] = view["seat"]
        move = ask_bot(view, rules, slots[view["seat"]], scratch)
        if not engine.is_legal(view, rules, move):
            fault[1] = view["seat"]
            fault[2] = move
            return loop.ILLEGAL_MOVE
        engine.apply(state, rules, move)
    return loop.FAULT_FREE


def any_other(state: Any, rules: Any, seat: int, card: int, dealt: Any, stream: Any) -> tuple[int, int]:
    """Exchange a card of a hand for one, drawn at random, of all that could have come in its place.

    Parameters
    ----------
    state : STATE record
        Before the first move.
    rules : RULES record
    seat, card : int
        Whose card, and its kind.
    dealt : int array, shape (players, kinds)
        How many cards of each kind each seat has.
    stream : STREAM record

    Returns
    -------
    int, int
        Kind of the other card, and who had it or `UNDEALT`. The card itself if there is no other.
    """
    left = holdings.undealt(state, rules, seat)
    others = 0
    if holdings.shared(rules):
        others = dealt.sum() - dealt[seat].sum()
    if left + others == 0:
        return card, UNDEALT
    place = rng.below(stream, left + others)
    if place < left:
        return holdings.draw(state, rules, seat, card, place), UNDEALT
    other, kind = place_of(dealt, seat, place - left)
    holdings.swap(state, rules, seat, card, other, kind)
    return kind, other


def no_other(state: Any, rules: Any, seat: int, card: int, dealt: Any, stream: Any) -> tuple[int, int]:
    """Return the card itself: the game cannot exchange any."""
    return card, UNDEALT


@jit
def place_of(dealt: Any, without: int, place: int) -> tuple[int, int]:
    """Return (seat, kind) of a card counted from 0 through all hands but one."""
    for seat in range(len(dealt)):
        if seat != without:
            for kind in range(dealt.shape[1]):
                place -= dealt[seat, kind]
                if place < 0:
                    return seat, kind
    return -1, -1


def play_dealt(
    states: Any,
    rules: Any,
    slots: Any,
    plan: Any,
    scratch: Any,
    fault: Any,
    ends: Any,
    dealt: Any,
    swaps: Any,
) -> int:
    """Play deals, and each again with a random card of each hand in turn exchanged for a random other.

    Where two seats have exchanged, what either gained by it tells of the same two cards, so the two are averaged.

    Parameters
    ----------
    states : array of STATE, shape (2,)
        Scratch.
    rules, slots, plan, scratch, fault
        As of `finish`; in `slots` one more, for its stream.
    ends : int array, shape (deals, 2, players)
        Written: wins and scores.
    dealt : int array, shape (deals, players, kinds)
        Written: how many cards of each kind each seat was dealt.
    swaps : int array, shape (deals, players, 4)
        Written, by whose card: `GIVEN`, `PARTNER`, `WINS`, `SCORE`. Given and partner are alike where there was no exchange.
    """
    players = plan["players"]
    stream = slots[players]["stream"]
    none = np.zeros(0, np.int64)
    again = np.zeros((2, players), np.int64)
    for i in range(len(ends)):
        deal = plan["first"] + i
        engine.start(states[0], rules, plan["seed"], deal)
        for seat in range(players):
            holdings.hand(states[0], seat, dealt[i, seat])
        states[1] = states[0]
        if play_on(states[1], rules, slots, plan, deal, scratch, fault, none) != loop.FAULT_FREE:
            return loop.ILLEGAL_MOVE
        engine.result(states[1], rules, ends[i, 0], ends[i, 1])
        rng.open_stream(stream, plan["seed"], deal, rng.PROBE, _PARTNERS)
        for seat in range(players):
            place = rng.below(stream, dealt[i, seat].sum())
            _, card = place_of(dealt[i, seat : seat + 1], -1, place)
            states[1] = states[0]
            partner, other = exchange(states[1], rules, seat, card, dealt[i], stream)
            swaps[i, seat, GIVEN] = card
            swaps[i, seat, PARTNER] = partner
            if partner == card:
                continue
            if play_on(states[1], rules, slots, plan, deal, scratch, fault, none) != loop.FAULT_FREE:
                return loop.ILLEGAL_MOVE
            engine.result(states[1], rules, again[0], again[1])
            for kind in range(2):
                own = ends[i, kind, seat] - again[kind, seat]
                theirs = own if other == UNDEALT else again[kind, other] - ends[i, kind, other]
                swaps[i, seat, WINS + kind] = own + theirs
    return loop.FAULT_FREE


def play_captured(
    states: Any,
    rules: Any,
    slots: Any,
    plan: Any,
    scratch: Any,
    fault: Any,
    ends: Any,
    piles: Any,
    owners: Any,
) -> int:
    """Play deals; write what each seat captured, and who had held it.

    Parameters
    ----------
    states, rules, slots, plan, scratch, fault, ends
        As of `play_dealt`.
    piles : int array, shape (deals, players, kinds)
        Written: how many cards of each kind each seat has captured when the match is over.
    owners : int array, shape (deals, kinds)
        Written: who last had a card of each kind in hand; −1 where nobody had.
    """
    owners[:] = -1
    for i in range(len(ends)):
        deal = plan["first"] + i
        engine.start(states[1], rules, plan["seed"], deal)
        if play_on(states[1], rules, slots, plan, deal, scratch, fault, owners[i]) != loop.FAULT_FREE:
            return loop.ILLEGAL_MOVE
        engine.result(states[1], rules, ends[i, 0], ends[i, 1])
        for seat in range(plan["players"]):
            holdings.captured(states[1], seat, piles[i, seat])
    return loop.FAULT_FREE


# ---- sources --------------------------------------------------------------------------------------------


@registry.per_game
def _kernel(game: str, template: Callable[..., int], *, compiled: bool) -> Any:
    found = registry.find(game)
    names = {**kernels.parts(game, compiled=compiled), "holdings": found.holdings}
    choose = any_other if hasattr(found.holdings, "swap") else no_other
    names["exchange"] = specialise(choose, game, compiled=compiled, **names)
    names["play_on"] = specialise(finish, game, compiled=compiled, **names)
    return specialise(template, game, compiled=compiled, **names)


class _Played:
    """Matches of one player against its like, of one game where the draft counts by games."""

    def __init__(self, setting: Setting, name: str) -> None:
        self._draft = setting.one_game
        self._seed = setting.seed
        self._bot = setting.bot(name)
        self._game = registry.find(self._draft.game)
        self._rules = self._draft.record()
        self._slots = kernels.slots([self._bot] * (self._draft.players + 1), self._rules)
        self._scratch = loop.scratch_of(self._game.state)
        self.kinds = len(self._game.holdings.CARDS)

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return self._bot.jitted and not DISABLED

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self.play(0, 0)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals start … start + deals − 1."""
        raise NotImplementedError

    def _run(self, template: Callable[..., int], start: int, deals: int, *written: Any) -> tuple[Any, Any]:
        """Play, and return win shares and scores, each of shape (deals, seats)."""
        players = self._draft.players
        plan = np.zeros(1, loop.PLAN)[0]
        plan["seed"], plan["first"], plan["count"] = self._seed, start, deals
        plan["period"], plan["players"] = 1, players
        states = np.zeros(2, self._game.state.STATE)
        scratch = np.zeros(1, self._scratch)[0]
        fault = np.zeros(3, np.int64)
        ends = np.zeros((deals, 2, players), np.int64)
        kernel = _kernel(self._game.name, template, compiled=self._bot.jitted)
        slots = self._slots.copy()
        kernels.run(
            lambda: kernel(states, self._rules, slots, plan, scratch, fault, ends, *written),
            states[1],
            self._rules,
            fault,
            f"{self._draft.label}, seed {self._seed}, deal",
            lambda deal, seat: (self._bot, slots[seat]),
        )
        return ends[:, 0] / self._game.engine.WIN, ends[:, 1].astype(float)


class Exchanged(_Played):
    """What hands were dealt and what came of them, and what with cards exchanged; see `play_dealt`.

    Parameters
    ----------
    name : str
        Of the bot.
    """

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Return wins (shares), scores, hands and exchanges of deals, as `play_dealt` writes them."""
        dealt = np.zeros((deals, self._draft.players, self.kinds), np.int64)
        swaps = np.zeros((deals, self._draft.players, 4), np.int64)
        wins, scores = self._run(play_dealt, start, deals, dealt, swaps)
        return wins, scores, dealt.astype(np.int8), swaps


class Captured(_Played):
    """What was captured, and what came of it; see `play_captured`.

    Parameters
    ----------
    name : str
        Of the bot.
    """

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Return wins (shares), scores, piles and owners of deals, as `play_captured` writes them."""
        piles = np.zeros((deals, self._draft.players, self.kinds), np.int64)
        owners = np.zeros((deals, self.kinds), np.int64)
        wins, scores = self._run(play_captured, start, deals, piles, owners)
        return wins, scores, piles.astype(np.int8), owners.astype(np.int8)
