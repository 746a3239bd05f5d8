"""The options of One swap."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from sim.options import Option, OptionRow, Table
from sim.options import rows as table_rows
from tests.games.duels import DuelOptions
from tests.games.oneswap.state import MAX_CARDS, RULES


class Rules(Table):
    """The table ``[rules]``."""

    players: Annotated[int, Field(ge=2, le=2), Option("O1", "nothing: it is a game for two", "nobody")] = 2
    cards: Annotated[
        int, Field(ge=3, le=MAX_CARDS), Option("O1", "how many cards the pack has", "fewer: the player")
    ] = MAX_CARDS


class Options(DuelOptions):
    """Every table of a draft."""

    RECORD: ClassVar[Any] = RULES
    rules: Rules = Field(default_factory=Rules)


def rows() -> list[OptionRow]:
    """List every option for ``tefuda options``."""
    return table_rows("rules", Rules)
