"""Moves and positions of One swap as text."""

from __future__ import annotations

from typing import Any

from sim.drafts import Draft
from sim.errors import UserError, check_keys, unknown
from tests.games import duels
from tests.games.oneswap import engine
from tests.games.oneswap.state import DEALER, OWN, SWAP, TABLE

_VERBS = ("keep", "swap")
_PLACES = {"own": OWN, "dealer": DEALER, "table": TABLE}

EXPECT = {"own": "number", "dealer": "number", "table": "number"}


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verbs of the moves of the player."""
    return _VERBS


def move_text(view: Any, move: int) -> str:
    """Return a move as text."""
    return _VERBS[move]


def parse_move(text: str) -> tuple[str, int]:
    """Return (verb, move) of a move as text."""
    verb = text.strip()
    if verb not in _VERBS:
        raise unknown("verb", verb, _VERBS, f"move {text!r}")
    return verb, _VERBS.index(verb)


def move_of(view: Any, spoken: int) -> int:
    """Return the move that is meant by what `parse_move` read."""
    return spoken


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    return parse_move(text)[0]


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    return f"make move {move}: it is neither keep (0) nor swap (1)"


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``."""
    view, pack = state["view"], state["pack"]
    return {
        "to_move": int(view["seat"]),
        "over": bool(view["seat"] < 0),
        "scores": [int(score) for score in view["scores"]],
        "winners": duels.winners(view),
        "own": int(view["own"]),
        "dealer": int(pack[DEALER]),
        "table": int(pack[OWN] if state["tally"][0] else pack[TABLE]),
        "events": {"swaps": int(state["tally"][0])},
    }


def describe(state: Any, rules: Any) -> str:
    """Return the position for people."""
    seen = inspect(state, rules)
    line = f"the player has {seen['own']}, the dealer {seen['dealer']}, on the table lies {seen['table']}"
    return f"{line}; {duels.told_score(state['view'])}" if seen["over"] else line


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match."""
    return [f"The player is dealt {int(state['pack'][OWN])}"]


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it."""
    did = f"swaps and gets {int(after['view']['own'])}" if move == SWAP else "keeps it"
    return [f"  seat 0 ({names[0]}) {did}", f"The dealer has {int(after['view']['dealer'])}"]


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write the start of a match into `state`, with some of its three cards named."""
    check_keys(fields, tuple(_PLACES), "position")
    engine.start(state, rules, seed, 0)
    cards = int(rules["cards"])
    named = {_PLACES[key]: duels.number(fields, key, 1, cards) for key in fields}
    if len(set(named.values())) < len(named):
        raise UserError("position: a card is in two places")
    rest = [int(card) for card in state["pack"][:cards] if int(card) not in named.values()]
    state["pack"][:cards] = [named[place] if place in named else rest.pop() for place in range(cards)]
    engine.ask(state)
