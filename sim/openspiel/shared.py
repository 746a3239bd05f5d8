"""What the states of one game have in common: the draft, its engine with some functions compiled against it, the payoff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

from sim import registry, rng
from sim.drafts import Draft
from sim.jit import specialise

_BITS = 53
"""Random bits in a float of [0, 1)."""

engine: Any = None
"""The game's engine; set in the copies that `specialise` makes."""


ask: Any = None
"""The compiled `look` of the same game, set in the same way."""


def look(states: Any, rules: Any) -> tuple[int, int]:
    """Return who is to move in ``states[0]``, −1 for nobody, and how many moves there are."""
    view = states[0]["view"]
    return view["seat"], engine.count_moves(view, rules) if view["seat"] >= 0 else 0


def make(states: Any, rules: Any, number: int) -> tuple[int, int]:
    """Make the move of a number in ``states[0]``, and `look`."""
    engine.apply(states[0], rules, engine.nth_move(states[0]["view"], rules, number))
    return ask(states, rules)


def play_at_random(states: Any, rules: Any, stream: Any) -> None:
    """Play ``states[0]`` to the end by moves drawn evenly."""
    view = states[0]["view"]
    while view["seat"] >= 0:
        number = rng.below(stream, engine.count_moves(view, rules))
        engine.apply(states[0], rules, engine.nth_move(view, rules, number))


def stream_from(random: Callable[[], float]) -> Any:
    """Return a stream of the engine's chance that begins where a float of [0, 1) says."""
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, int(random() * 2**_BITS), 0, rng.REST, 0)
    return stream


@dataclass(frozen=True)
class Shared:
    """What `sim.openspiel.load` was asked for, and what all states of the game share.

    Attributes
    ----------
    draft : Draft
    payoff : str
        One of `sim.openspiel.PAYOFFS`.
    seed, deals, actions : int
    """

    draft: Draft
    payoff: str
    seed: int
    deals: int
    actions: int

    @cached_property
    def game(self) -> registry.Game:
        """The game's modules."""
        return registry.find(self.draft.game)

    @cached_property
    def rules(self) -> Any:
        """The draft as the engine reads it."""
        return self.draft.record()

    @cached_property
    def look(self) -> Any:
        """The compiled `look`."""
        return self._compiled(look)

    @cached_property
    def make(self) -> Any:
        """The compiled `make`."""
        return self._compiled(make, ask=self.look)

    @cached_property
    def play_at_random(self) -> Any:
        """The compiled `play_at_random`."""
        return self._compiled(play_at_random)

    def _compiled(self, template: Callable[..., Any], **names: Any) -> Any:
        return specialise(template, self.draft.game, engine=self.game.engine, **names)

    @cached_property
    def packed(self) -> np.dtype[Any]:
        """The view without the gaps between its fields, which may hold anything."""
        return np.dtype(repack_fields(self.game.state.VIEW, align=False, recurse=True))

    def knowledge(self, states: Any, player: int) -> str:
        """Return what a player sees as text, the same for equal views."""
        views = np.zeros(1, self.game.state.VIEW)
        self.game.engine.observe(states[0], self.rules, player, views)
        if self.packed.itemsize < views.dtype.itemsize:
            views = views.astype(self.packed)
        return views.tobytes().hex()

    def utilities(self, states: Any) -> list[float]:
        """Return what an end is worth to each player."""
        players = self.draft.players
        wins, scores = np.zeros(players, np.int64), np.zeros(players, np.int64)
        self.game.engine.result(states[0], self.rules, wins, scores)
        if self.payoff == "score":
            worth = scores - scores.mean()
        elif self.payoff == "ahead":
            worth = np.sign(scores[:, None] - scores[None, :]).sum(axis=1) / (2 * (players - 1))
        else:
            # Of those counted: a state that was dealt anew knows no wins of the games before.
            worth = wins / wins.sum() - 1 / players
        return [float(value) for value in worth]
