"""The options of tic-tac-toe: there is nothing to choose."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from sim.options import Option, OptionRow, Table
from sim.options import rows as table_rows
from tests.games.duels import DuelOptions
from tests.games.tictactoe.state import RULES


class Rules(Table):
    """The table ``[rules]``."""

    players: Annotated[int, Field(ge=2, le=2), Option("T1", "nothing: it is a game for two", "nobody")] = 2


class Options(DuelOptions):
    """Every table of a draft."""

    RECORD: ClassVar[Any] = RULES
    rules: Rules = Field(default_factory=Rules)


def rows() -> list[OptionRow]:
    """List every option for ``tefuda options``."""
    return table_rows("rules", Rules)
