"""Plays a deal many times: with its later chance drawn anew, and for each of those with other players.

`sim.kernels.kernel` compiles the template against a game; the names that are None below are set in its copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.skill.spec import Spec
from sim import kernels, loop, registry, rng

engine: Any = None
play_one: Any = None
reshuffle: Any = None

PLAN = np.dtype(
    [
        ("seed", "i8"),
        ("first", "i8"),  # number of the first deal
    ],
    align=True,
)

_PART = 1
"""Of the streams for play-outs: 0 is the sampler's."""


def play_redraws(
    states: Any,
    rules: Any,
    ladder: Any,
    seated: Any,
    dice: Any,
    plan: Any,
    found: Any,
    fault: Any,
    scratch: Any,
) -> int:
    """Write how matches end of which the deal, the later chance and the players are drawn one inside the other.

    Parameters
    ----------
    states : array of STATE, shape (2,)
        Scratch.
    rules : RULES record
    ladder : array of PLAYER
        Who may sit down, each as likely in each seat.
    seated : array of PLAYER, shape (players,)
        Scratch; on a fault who sits there.
    dice : array of STREAM, shape (2,)
        Scratch.
    plan : PLAN record
    found : int64 array, shape (deals, re-draws, line-ups, 3, players)
        Written: wins, scores, and the number in `ladder` of who sat there. Of the re-draws of a deal number 0 is the later chance that it has.
    fault, scratch
        As of `sim.loop.play_matches`.

    Returns
    -------
    int
        `loop.FAULT_FREE` or `loop.ILLEGAL_MOVE`.
    """
    deals, redraws, lineups, _, players = found.shape
    slot_of = np.arange(players)
    counts = np.zeros(2, np.int64)
    for i in range(deals):
        deal = plan["first"] + i
        fault[0] = deal
        rng.open_stream(dice[0], plan["seed"], deal, rng.PROBE, _PART)
        for redraw in range(redraws):
            engine.start(states[0], rules, plan["seed"], deal)
            rng.branch_stream(dice[1], dice[0])
            if redraw > 0:
                reshuffle(states[0], rules, dice[1])
            for lineup in range(lineups):
                ends = found[i, redraw, lineup]
                for seat in range(players):
                    ends[2, seat] = rng.below(dice[0], len(ladder))
                    seated[seat] = ladder[ends[2, seat]]
                    rng.branch_stream(seated[seat]["stream"], dice[0])
                states[1] = states[0]
                code = play_one(states[1], rules, seated, slot_of, counts, fault, scratch)
                if code != loop.FAULT_FREE:
                    return code
                engine.result(states[1], rules, ends[0], ends[1])
    return loop.FAULT_FREE


def has_later_chance(game: str) -> bool:
    """Tell whether a game's engine can draw later chance anew."""
    return hasattr(registry.find(game).engine, "reshuffle")


class Redraws:
    """A source that plays each deal with later chance and players drawn anew, see `play_redraws`.

    Parameters
    ----------
    spec : Spec
    names : list of str
        Who may sit down.
    redraws, lineups : int
    """

    def __init__(self, spec: Spec, names: list[str], redraws: int, lineups: int) -> None:
        self._spec = spec
        self._shape = (redraws, lineups, 3, spec.draft.players)
        self._lineup = [spec.bot(name) for name in names]
        self.jitted = all(bot.jitted for bot in self._lineup)
        self._rules = spec.draft.record()
        self._ladder = kernels.slots(self._lineup, self._rules)
        self._game = registry.find(spec.draft.game)
        self._kernel = kernels.kernel(spec.draft.game, play_redraws, compiled=self.jitted)

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self.play(0, 0)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return wins (shares), scores (points a game) and who sat there, a number in the list of names.

        Each is of shape (deals, re-draws, line-ups, seats).
        """
        spec, games = self._spec, self._spec.draft.options.counted_games
        plan = np.zeros(1, PLAN)[0]
        plan["seed"], plan["first"] = spec.seed, start
        found = np.zeros((deals, *self._shape), np.int64)
        states = np.zeros(2, self._game.state.STATE)
        seated = np.zeros(spec.draft.players, self._ladder.dtype)
        dice = np.zeros(2, rng.STREAM)
        fault = np.zeros(3, np.int64)
        scratch = np.zeros(1, loop.scratch_of(self._game.state))[0]
        kernels.run(
            lambda: self._kernel(
                states, self._rules, self._ladder, seated, dice, plan, found, fault, scratch
            ),
            states[1],
            fault,
            f"{spec.draft.label}, seed {spec.seed}, deal",
            lambda deal, seat: self._lineup[int(seated[seat]["bot"])].name,
        )
        wins, scores, who = np.moveaxis(found, 3, 0)
        return wins / (self._game.engine.WIN * games), scores / games, who
