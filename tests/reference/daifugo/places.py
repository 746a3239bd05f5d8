"""Places of one game: the best free for who finishes (D9), the worst free for who sinks (D39, D40)."""

from __future__ import annotations

from collections.abc import Sequence


class Places:
    def __init__(self, players: int, foul_order: str) -> None:
        self.of = [0] * players  # by player; 0 while there is none
        self.foul_order = foul_order
        self.sunk: list[int] = []  # in the order of sinking

    def set_up(self, given: Sequence[int]) -> None:
        """Places of a position. Who sank is known: the worst place is taken only by sinking."""
        n = len(self.of)
        taken = {place: player for player, place in enumerate(given) if place}
        if len(given) != n or len(taken) != sum(map(bool, given)) or not set(taken) <= set(range(1, n + 1)):
            raise ValueError("places has one number for each player, 0 or a place of its own")
        if len(taken) > n - 2:
            raise ValueError("places leaves at least two players in the game")
        self.of = list(given)
        worst = n
        while worst in taken:
            self.sunk.append(taken[worst])
            worst -= 1
        if self.best_free() + self.of.count(0) - 1 != worst:
            raise ValueError("the free places lie next to each other")
        if self.foul_order == "latest_is_last":
            self.sunk.reverse()

    def active(self, player: int) -> bool:
        return self.of[player] == 0

    def left(self) -> list[int]:
        """Players without a place."""
        return [player for player, place in enumerate(self.of) if not place]

    def best_free(self) -> int:
        return min(set(range(1, len(self.of) + 1)) - set(self.of))

    def rise(self, player: int) -> int:
        """The best free place; returns it."""
        self.of[player] = self.best_free()
        return self.of[player]

    def sink(self, player: int) -> None:
        """D39: the worst free place; under `latest_is_last` all who sank before move up by one."""
        self.sunk.append(player)
        n = len(self.of)
        for i, who in enumerate(self.sunk):
            self.of[who] = n - i if self.foul_order == "first_is_last" else n - len(self.sunk) + 1 + i

    def overturn(self, previous: Sequence[int]) -> None:
        """D41: everyone's previous place, upside down."""
        self.of = [len(self.of) + 1 - place for place in previous]
