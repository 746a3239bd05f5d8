"""The rules of Kuhn poker: a move is `PASS` or `BET`."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.jit import jit
from tests.games.duels import WIN, result
from tests.games.kuhn.state import BET, CHECKED, FACED, OPENING, PASS, RETURNED

__all__ = [
    "WIN",
    "apply",
    "count_moves",
    "is_legal",
    "label",
    "nth_move",
    "observe",
    "redeal",
    "result",
    "start",
]


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is a move: both always are."""
    return move == 0 or move == 1


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of legal moves."""
    return 2


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return legal move number `n`: check or fold, bet or call."""
    return n


@jit
def start(state: Any, rules: Any, seed: int, deal: int) -> None:
    """Deal a card to each seat; seat 0 begins (K1, K2)."""
    cards = state["cards"]
    for card in range(3):
        cards[card] = card
    rng.open_stream(state["chance"], seed, deal, rng.DEAL, 0)
    rng.shuffle(state["chance"], cards, 3)
    state["tally"][0] = 0
    for seat in range(2):
        state["seat_tally"][seat, 0] = 0
        state["view"]["scores"][seat] = 0
    ask(state, OPENING, 0)


@jit
def ask(state: Any, phase: int, seat: int) -> None:
    """Set who moves, with sight of the own card."""
    view = state["view"]
    view["phase"] = phase
    view["seat"] = seat
    view["card"] = state["cards"][seat]


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Make a legal move of the seat to move."""
    view = state["view"]
    seat = view["seat"]
    phase = view["phase"]
    if move == BET:
        state["seat_tally"][seat, 0] += 1
    if phase == OPENING:
        ask(state, FACED if move == BET else CHECKED, 1)
    elif phase == CHECKED and move == BET:
        ask(state, RETURNED, 0)
    elif phase != CHECKED and move == PASS:
        _end(state, 1 - seat, 1)
    else:
        state["tally"][0] += 1
        _end(state, 0 if state["cards"][0] > state["cards"][1] else 1, 2 if move == BET else 1)


@jit
def _end(state: Any, winner: int, amount: int) -> None:
    """Score the match (K5)."""
    view = state["view"]
    view["scores"][winner] = amount
    view["scores"][1 - winner] = -amount
    view["seat"] = -1


@jit
def label(state: Any, rules: Any, labels: Any) -> None:
    """Tell seats apart by the card dealt."""
    for seat in range(2):
        labels[seat, 0] = state["cards"][seat]


@jit
def observe(state: Any, rules: Any, seat: int, views: Any) -> None:
    """Write into ``views[0]`` what `seat` may know."""
    views[0] = state["view"]
    views[0]["card"] = state["cards"][seat]


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with one of the two states, equally likely, in which the seat to move sees `view`."""
    state["view"] = view
    seat = view["seat"]
    other = (view["card"] + 1 + rng.below(stream, 2)) % 3
    state["cards"][seat] = view["card"]
    state["cards"][1 - seat] = other
    state["cards"][2] = 3 - view["card"] - other
    state["tally"][0] = 0
    for each in range(2):
        state["seat_tally"][each, 0] = 0
