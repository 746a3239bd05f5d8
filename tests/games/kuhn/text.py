"""Moves and positions of Kuhn poker as text."""

from __future__ import annotations

from typing import Any

from sim.drafts import Draft
from sim.errors import UserError, check_keys, unknown
from tests.games import duels
from tests.games.kuhn import engine
from tests.games.kuhn.state import CARDS, FACED, OPENING, RETURNED

_FREE, _ASKED = ("check", "bet"), ("fold", "call")

EXPECT = {"hands": "list of cards"}


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verbs of the moves of the seat to move, by move."""
    return _ASKED if view["phase"] in (FACED, RETURNED) else _FREE


def move_text(view: Any, move: int) -> str:
    """Return a move as text."""
    return verbs(view)[move]


def parse_move(text: str) -> tuple[str, int]:
    """Return (verb, move) of a move as text."""
    verb = text.strip()
    for pair in (_FREE, _ASKED):
        if verb in pair:
            return verb, pair.index(verb)
    raise unknown("verb", verb, [*_FREE, *_ASKED], f"move {text!r}")


def move_of(view: Any, spoken: int) -> int:
    """Return the move that is meant by what `parse_move` read."""
    return spoken


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    return parse_move(text)[0]


def canonical_cards(text: str) -> str:
    """Return a hand, which is one card, as `inspect` gives it."""
    return CARDS[_card(text)]


def _card(text: str) -> int:
    name = text.strip().upper()
    if name not in CARDS:
        raise unknown("card", text, CARDS)
    return CARDS.index(name)


def label_text(name: str, value: int) -> str:
    """Return a value of a label as people write it."""
    return CARDS[value]


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    return f"make move {move}: it is neither {' nor '.join(verbs(view))}"


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``."""
    view = state["view"]
    return {
        "to_move": int(view["seat"]),
        "over": bool(view["seat"] < 0),
        "scores": [int(score) for score in view["scores"]],
        "winners": duels.winners(view),
        "hands": _hands(state),
        "events": {
            "showdowns": int(state["tally"][0]),
            "bets": [int(bets) for bets in state["seat_tally"][:, 0]],
        },
    }


def _hands(state: Any) -> list[str]:
    return [CARDS[int(card)] for card in state["cards"][: duels.PLAYERS]]


def describe(state: Any, rules: Any) -> str:
    """Return the position for people."""
    view = state["view"]
    cards = ", ".join(f"seat {seat} holds {card}" for seat, card in enumerate(_hands(state)))
    if view["seat"] < 0:
        return f"{cards}; {duels.told_score(view)}"
    return f"{cards}; seat {int(view['seat'])} to {' or '.join(verbs(view))}"


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match."""
    return [f"seat {seat} is dealt {card}" for seat, card in enumerate(_hands(state))]


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it."""
    view = before["view"]
    seat = int(view["seat"])
    return [f"  seat {seat} ({names[seat]}) {move_text(view, move)}s"]


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write the start of a match into `state`; a hand ``""`` is drawn from the seed."""
    check_keys(fields, ("hands",), "position")
    hands = fields.get("hands", ["", ""])
    if not isinstance(hands, list) or [type(hand) for hand in hands] != [str, str]:
        raise UserError(f"position.hands = {hands!r}: must be two strings of a card each")
    engine.start(state, rules, seed, 0)
    named = [_card(hand) if hand else -1 for hand in hands]
    if named[0] == named[1] >= 0:
        raise UserError(f"position.hands = {hands!r}: there is one of each card")
    rest = [int(card) for card in state["cards"] if card not in named]
    state["cards"][:] = [card if card >= 0 else rest.pop() for card in (*named, -1)]
    engine.ask(state, OPENING, 0)
