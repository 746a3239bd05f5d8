"""Who moves first in a match, beside what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from experiments.play.sources import Seated, Setting, mirrors
from sim import registry
from sim.jit import specialise

engine: Any = None


def first_movers(states: Any, rules: Any, seed: int, first: int, movers: Any) -> None:
    """Write who moves first in each deal from `first` on; a template for `sim.jit.specialise`.

    Parameters
    ----------
    states : array of STATE, shape (1,)
        Scratch.
    rules : RULES record
    movers : int array, shape (deals,)
        Written: the seat.
    """
    for i in range(len(movers)):
        engine.start(states[0], rules, seed, first + i)
        movers[i] = states[0]["view"]["seat"]


class Opened:
    """The same player in every seat, and who moves first.

    Parameters
    ----------
    names : list of str
        Of the players, each at a table of its own.
    """

    def __init__(self, setting: Setting, names: list[str]) -> None:
        self._setting = setting
        self._game = registry.find(setting.draft.game)
        self._whole = Seated(setting, mirrors(setting, names))
        # Who leads the first game says little of a match of several.
        single = setting.one_game is not setting.draft
        self._single = (
            Seated(replace(setting, draft=setting.one_game), mirrors(setting, names)) if single else None
        )
        self._kernel = specialise(first_movers, self._game.name, engine=self._game.engine)

    @property
    def jitted(self) -> bool:
        """Whether threads can play it."""
        return self._whole.jitted

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self._whole.warm_up()
        if self._single is not None:
            self._single.warm_up()
        self.play(0, 0)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return wins and scores as `Seated` does, who moves first, and the wins of the first game."""
        wins, scores = self._whole.play(start, deals)
        opened = wins if self._single is None else self._single.play(start, deals)[0]
        movers = np.zeros(deals, np.int64)
        states = np.zeros(1, self._game.state.STATE)
        self._kernel(states, self._setting.one_game.record(), self._setting.seed, start, movers)
        return wins, scores, movers, opened
