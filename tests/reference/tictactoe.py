"""A plain-Python twin of tic-tac-toe, and what comes of random and of best play by walking through all matches."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

CELLS = [column + row for row in "123" for column in "abc"]
LINES = [
    *([column + row for column in "abc"] for row in "123"),
    *([column + row for row in "123"] for column in "abc"),
    ["a1", "b2", "c3"],
    ["a3", "b2", "c1"],
]

Board = tuple[frozenset[str], frozenset[str]]
"""The cells of each seat."""


class Match:
    """One match, from a board on which seat 0 has begun."""

    def __init__(self, board: Board = (frozenset(), frozenset())) -> None:
        self.board = board

    def legal(self) -> list[str]:
        """Return the moves of the seat to move."""
        if self._winner() >= 0:
            return []
        return [f"mark {cell}" for cell in CELLS if not any(cell in marks for marks in self.board)]

    def after(self, move: str) -> Match:
        """Return the match after a move."""
        _, cell = move.split()
        first, second = self.board
        if len(first) == len(second):
            return Match((first | {cell}, second))
        return Match((first, second | {cell}))

    def play(self, move: str) -> None:
        """Make a move."""
        self.board = self.after(move).board

    def _winner(self) -> int:
        """Return who has a line, or −1."""
        lined = [any(set(line) <= marks for line in LINES) for marks in self.board]
        return lined.index(True) if any(lined) else -1

    def inspect(self) -> dict[str, Any]:
        """Return the position."""
        winner, over = self._winner(), not self.legal()
        scores = [0, 0]
        if winner >= 0:
            scores = [1 if seat == winner else -1 for seat in range(2)]
        return {
            "to_move": -1 if over else len(self.board[0]) - len(self.board[1]),
            "over": over,
            "marks": [" ".join(cell for cell in CELLS if cell in marks) for marks in self.board],
            "scores": scores,
            "winners": [] if not over else [seat for seat in range(2) if scores[seat] == max(scores)],
        }


def at_random() -> tuple[dict[int, Fraction], Fraction]:
    """Return how often each score of seat 0 comes, and the mean number of moves, if both move at random."""
    ends: dict[int, Fraction] = {}
    length = Fraction(0)
    boards: dict[Board, Fraction] = {Match().board: Fraction(1)}
    while boards:
        later: dict[Board, Fraction] = {}
        for board, chance in boards.items():
            match = Match(board)
            moves = match.legal()
            if not moves:
                score = match.inspect()["scores"][0]
                ends[score] = ends.get(score, Fraction(0)) + chance
                continue
            length += chance
            for move in moves:
                next_board = match.after(move).board
                later[next_board] = later.get(next_board, Fraction(0)) + chance / len(moves)
        boards = later
    return ends, length


@cache
def best(board: Board) -> int:
    """Return the score of seat 0 with best play of both."""
    match = Match(board)
    moves = match.legal()
    if not moves:
        return int(match.inspect()["scores"][0])
    ends = [best(match.after(move).board) for move in moves]
    return max(ends) if match.inspect()["to_move"] == 0 else min(ends)
