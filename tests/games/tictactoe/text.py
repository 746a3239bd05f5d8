"""Moves and positions of tic-tac-toe as text."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.drafts import Draft
from sim.errors import UserError, check_keys, unknown
from tests.games import duels
from tests.games.tictactoe import engine
from tests.games.tictactoe.state import CELLS

_VERB = "mark"
_SIGNS = ("X", "O")

EXPECT = {"marks": "list of cards"}
"""Cells are written as cards are elsewhere: ``"a1 b2"``."""


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verb of the moves of the seat to move."""
    return (_VERB,)


def move_text(view: Any, move: int) -> str:
    """Return a move as text: ``mark b2``."""
    return f"{_VERB} {CELLS[move]}"


def parse_move(text: str) -> tuple[str, int]:
    """Return (verb, move) of a move as text."""
    verb, _, cell = text.strip().partition(" ")
    if verb != _VERB:
        raise unknown("verb", verb, (_VERB,), f"move {text!r}")
    return verb, _cell(cell.strip(), f"move {text!r}")


def _cell(name: str, where: str) -> int:
    if name not in CELLS:
        raise unknown("cell", name, CELLS, where)
    return CELLS.index(name)


def move_of(view: Any, spoken: int) -> int:
    """Return the move that is meant by what `parse_move` read."""
    return spoken


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    verb, move = parse_move(text)
    return f"{verb} {CELLS[move]}"


def canonical_cards(text: str) -> str:
    """Return cells in the order in which `inspect` gives them."""
    return _names(_mask(text))


def _mask(text: str) -> int:
    return sum({1 << _cell(name, repr(text)) for name in text.split()})


def _names(mask: int) -> str:
    return " ".join(CELLS[cell] for cell in cards.members(mask))


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    if not 0 <= move < len(CELLS):
        return f"{_VERB} {move}: there is no such cell"
    return f"{move_text(view, move)}: it is marked already"


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``."""
    view = state["view"]
    return {
        "to_move": int(view["seat"]),
        "over": bool(view["seat"] < 0),
        "scores": [int(score) for score in view["scores"]],
        "winners": duels.winners(view),
        "marks": [_names(int(marks)) for marks in view["marks"]],
    }


def describe(state: Any, rules: Any) -> str:
    """Return the position for people: the board, row 3 above."""
    view = state["view"]
    signs = ["."] * len(CELLS)
    for seat, marks in enumerate(view["marks"]):
        for cell in cards.members(int(marks)):
            signs[cell] = _SIGNS[seat]
    rows = ["".join(signs[first : first + 3]) for first in (6, 3, 0)]
    return "\n".join(
        [*rows, duels.told_score(view) if view["seat"] < 0 else f"seat {int(view['seat'])} to move"]
    )


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match: none."""
    return []


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it."""
    seat = int(before["view"]["seat"])
    return [f"  seat {seat} ({names[seat]}) marks {CELLS[move]}"]


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write a board into `state`; whose turn it is follows from the marks."""
    check_keys(fields, ("marks",), "position")
    named = fields.get("marks", ["", ""])
    if not isinstance(named, list) or [type(cells) for cells in named] != [str, str]:
        raise UserError(f"position.marks = {named!r}: must be two strings of cells")
    marks = [_mask(cells) for cells in named]
    ahead = marks[0].bit_count() - marks[1].bit_count()
    if marks[0] & marks[1] or ahead not in (0, 1):
        raise UserError(
            f"position.marks = {named!r}: cannot come about, as seat 0 begins and marks alternate"
        )
    if marks[0] | marks[1] == engine.FULL or any(engine.has_line(own) for own in marks):
        raise UserError(f"position.marks = {named!r}: the match is over")
    engine.start(state, rules, seed, 0)
    state["view"]["marks"][:] = marks
    state["view"]["seat"] = ahead
