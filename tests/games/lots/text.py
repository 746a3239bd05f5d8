"""Moves and positions of Lots as text: those of One swap."""

from tests.games.oneswap.text import (
    EXPECT,
    canonical_move,
    describe,
    inspect,
    move_of,
    move_text,
    narrate,
    opening,
    parse_move,
    set_position,
    verbs,
    why_not,
)

__all__ = [
    "EXPECT",
    "canonical_move",
    "describe",
    "inspect",
    "move_of",
    "move_text",
    "narrate",
    "opening",
    "parse_move",
    "set_position",
    "verbs",
    "why_not",
]
