"""The rules of One swap: a move is `KEEP` or `SWAP`."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.jit import jit
from tests.games.duels import WIN, label, result
from tests.games.oneswap.state import DEALER, OWN, SWAP, TABLE

__all__ = [
    "WIN",
    "apply",
    "count_moves",
    "is_legal",
    "label",
    "nth_move",
    "observe",
    "redeal",
    "reshuffle",
    "result",
    "start",
]


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is a move: both always are (O3)."""
    return move == 0 or move == 1


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of legal moves."""
    return 2


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return legal move number `n`: keep, swap."""
    return n


@jit
def start(state: Any, rules: Any, seed: int, deal: int) -> None:
    """Shuffle and give the player a card (O1, O2)."""
    pack = state["pack"]
    for i in range(rules["cards"]):
        pack[i] = i + 1
    rng.open_stream(state["chance"], seed, deal, rng.DEAL, 0)
    rng.shuffle(state["chance"], pack, rules["cards"])
    state["tally"][0] = 0
    ask(state)


@jit
def ask(state: Any) -> None:
    """Ask the player, who sees one card of the pack (O3)."""
    view = state["view"]
    view["seat"] = 0
    view["own"] = state["pack"][OWN]
    view["dealer"] = 0
    view["scores"][:] = 0


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Keep or swap, and compare (O3, O4)."""
    view = state["view"]
    if move == SWAP:
        view["own"] = state["pack"][TABLE]
        state["tally"][0] += 1
    view["dealer"] = state["pack"][DEALER]
    view["scores"][0] = 1 if view["own"] > view["dealer"] else -1
    view["scores"][1] = -view["scores"][0]
    view["seat"] = -1


@jit
def observe(state: Any, rules: Any, seat: int, views: Any) -> None:
    """Write into ``views[0]`` what `seat` may know: until the end the own card."""
    views[0] = state["view"]
    view = views[0]
    if seat == 1 and view["seat"] == 0:
        view["own"] = 0
        view["dealer"] = state["pack"][DEALER]


@jit
def redeal(view: Any, rules: Any, stream: Any, state: Any) -> None:
    """Fill `state` with one of the states, all equally likely, in which the player sees `view`."""
    state["view"] = view
    pack = state["pack"]
    pack[OWN] = view["own"]
    size = 1
    for card in range(1, rules["cards"] + 1):
        if card != view["own"]:
            pack[size] = card
            size += 1
    rng.shuffle(stream, pack[1:], size - 1)
    state["tally"][0] = 0


@jit
def reshuffle(state: Any, rules: Any, stream: Any) -> None:
    """Draw anew the card on the table, which nobody holds or has seen (O2)."""
    rng.shuffle(stream, state["pack"][TABLE:], rules["cards"] - TABLE)
