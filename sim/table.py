"""One match, stepped from Python: by a person, a scenario, a replay, or a bot of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import registry
from sim.drafts import Draft
from sim.errors import IllegalMove, UserError
from sim.jit import whereabouts

__all__ = ["IllegalMove", "Table"]


class Table:
    """One match of a draft; the same engine as in a batch, a move at a time.

    Parameters
    ----------
    draft : Draft
    seed, deal : int
        Name the chance of the match, as in a batch.

    Attributes
    ----------
    draft : Draft
    state : STATE record
        Everything, hidden cards included.
    rules : RULES record
    """

    def __init__(self, draft: Draft, *, seed: int = 0, deal: int = 0) -> None:
        self._prepare(draft)
        self._game.engine.start(self.state, self.rules, seed, deal)

    @classmethod
    def from_position(cls, draft: Draft, fields: dict[str, Any], seed: int = 0) -> Table:
        """Set up a position as a scenario gives it.

        Parameters
        ----------
        draft : Draft
        fields : dict
            The table ``[position]``; what it leaves open is drawn from the seed.
        seed : int

        Raises
        ------
        UserError
            If the position is impossible.
        """
        table = cls.__new__(cls)
        table._prepare(draft)
        table._game.text.set_position(table.state, table.rules, draft, fields, seed)
        return table

    def _prepare(self, draft: Draft) -> None:
        self.draft = draft
        self._game = registry.find(draft.game)
        self.rules = draft.record()
        self.state = np.zeros(1, self._game.state.STATE)[0]

    def copy(self) -> Table:
        """Return an independent table in the same position."""
        twin = Table.__new__(Table)
        twin._prepare(self.draft)
        twin.state = self.state.copy()
        return twin

    @property
    def to_move(self) -> int:
        """The seat to move, −1 once the match is over."""
        return int(self.state["view"]["seat"])

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.to_move < 0

    def view(self, seat: int | None = None) -> Any:
        """Return a copy of what a seat may know (the seat to move, if none is given).

        Raises
        ------
        UserError
            If there is no such seat, or none is named when the match is over.
        """
        if seat is None and self.over:
            raise UserError("the match is over, so no seat is to move: name the seat whose view is wanted")
        if seat is not None and not 0 <= seat < self.draft.players:
            raise UserError(f"seat {seat}: must be from 0 to {self.draft.players - 1}")
        views = np.zeros(1, self._game.state.VIEW)
        self._game.engine.observe(self.state, self.rules, self.to_move if seat is None else seat, views)
        return views[0]

    def address(self) -> int:
        """Return where the whole state is, for a bot that cheats; valid as long as the table lives."""
        return int(whereabouts(self.state))

    def moves(self) -> Iterator[int]:
        """Yield the legal moves of the seat to move."""
        if self.over:
            return
        view = self.state["view"]
        for number in range(self.count_moves()):
            yield int(self._game.engine.nth_move(view, self.rules, number))

    def count_moves(self) -> int:
        """Return how many legal moves there are."""
        return 0 if self.over else int(self._game.engine.count_moves(self.state["view"], self.rules))

    def legal(self) -> list[str]:
        """Return the legal moves of the seat to move as text."""
        return [self.move_text(move) for move in self.moves()]

    def move_text(self, move: int) -> str:
        """Return a move of the seat to move as text."""
        return str(self._game.text.move_text(self.state["view"], move))

    def apply(self, move: int) -> None:
        """Make a move of the seat to move.

        Raises
        ------
        IllegalMove
            If the rules refuse it; the position stays.
        """
        if self.over:
            raise IllegalMove("the match is over")
        if not -(2**63) <= move < 2**63:
            raise IllegalMove(f"{move} is no move")
        if not self._game.engine.is_legal(self.state["view"], self.rules, move):
            raise IllegalMove(f"seat {self.to_move} may not {self.why_not(move)}")
        self._game.engine.apply(self.state, self.rules, move)

    def why_not(self, move: int) -> str:
        """Say which move is refused, and why."""
        return str(self._game.text.why_not(self.state["view"], self.rules, move))

    def play(self, text: str, seat: int | None = None) -> None:
        """Make a move given as text, by `seat` if one is named.

        Raises
        ------
        IllegalMove
            If the seat is not to move, or the rules refuse the move; the position stays.
        UserError
            If the text is no move at all.
        """
        kind, spoken = self._game.text.parse_move(text)
        if self.over:
            raise IllegalMove("the match is over")
        if seat is not None and seat != self.to_move:
            raise IllegalMove(f"seat {seat} is not to move, seat {self.to_move} is")
        expected = self._game.text.verbs(self.state["view"])
        if kind not in expected:
            raise IllegalMove(f"seat {self.to_move} has to {' or '.join(expected)}, not to {kind}")
        self.apply(self._game.text.move_of(self.state["view"], spoken))

    def allows(self, text: str) -> bool:
        """Tell whether a move given as text is legal now."""
        try:
            kind, spoken = self._game.text.parse_move(text)
            if self.over or kind not in self._game.text.verbs(self.state["view"]):
                return False
            move = self._game.text.move_of(self.state["view"], spoken)
        except IllegalMove:
            return False
        return bool(self._game.engine.is_legal(self.state["view"], self.rules, move))

    def inspect(self) -> dict[str, Any]:
        """Return the position as a scenario's ``expect`` names it (cards as strings)."""
        return dict(self._game.text.inspect(self.state, self.rules))

    def describe(self) -> str:
        """Return the position for people."""
        return str(self._game.text.describe(self.state, self.rules))
