"""Plays a deal many times: with its later chance, its players or their dice drawn anew, and beside another deal.

`sim.kernels.kernel` compiles the template against a game; the names that are None below are set in its copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.play.sources import Setting
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

_REDRAWS = 2
"""Of later chance, for each deal; its own among them."""

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
    swapped: Any,
    who: Any,
    fault: Any,
    scratch: Any,
) -> int:
    """Write how matches end that have some causes in common, and the rest drawn anew: see `experiments.metrics.variance_components.causes`.

    Each deal is played beside a second one, from elsewhere.

    Parameters
    ----------
    states : array of STATE, shape (2,)
        Scratch.
    rules : RULES record
    ladder : array of PLAYER
        Who may sit down, each as likely in each seat.
    seated : array of PLAYER, shape (players,)
        Scratch; on a fault who sits there.
    dice : array of STREAM, shape (6,)
        Scratch: of the deal, for one match, and of both line-ups with both sets of dice.
    plan : PLAN record
    found : int64 array, shape (deals, 2, draws of later chance, 2 line-ups, 2 sets of dice, 2, players)
        Written: wins and scores. Of the draws of a deal number 0 is the later chance that it has.
    swapped : int64 array, shape (deals, 2, 2 line-ups, players, 2, players)
        Written: the same, by the seat whose player comes from the other line-up.
    who : int64 array, shape (deals, 2 line-ups, players)
        Written: the number in `ladder` of who sits there.
    fault, scratch
        As of `sim.loop.play_matches`.

    Returns
    -------
    int
        `loop.FAULT_FREE` or `loop.ILLEGAL_MOVE`.
    """
    players = who.shape[2]
    slot_of = np.arange(players)
    counts = np.zeros(2, np.int64)
    for i in range(len(found)):
        fault[0] = plan["first"] + i
        seed, deal = plan["seed"], plan["first"] + i
        rng.open_stream(dice[0], seed, deal, rng.PROBE, _PART)
        for lineup in range(2):
            for seat in range(players):
                who[i, lineup, seat] = rng.below(dice[0], len(ladder))
        for match in range(4):
            rng.branch_stream(dice[2 + match], dice[0])
        for other in range(2):
            if other == 1:
                seed, deal = rng.below(dice[0], 1 << 31), rng.below(dice[0], 1 << 31)
            for redraw in range(found.shape[2]):
                engine.start(states[0], rules, seed, deal)
                rng.branch_stream(dice[1], dice[0])
                if redraw > 0:
                    reshuffle(states[0], rules, dice[1])
                for match in range(4 if redraw > 0 else 4 + 2 * players):
                    # Four of line-ups as they are, then of each with each seat's player from the other.
                    lineup, swap = match % 2, match // 2 - 2
                    if swap < 0:
                        dice[1] = dice[2 + match]
                    else:
                        rng.branch_stream(dice[1], dice[0])
                    for seat in range(players):
                        seated[seat] = ladder[who[i, 1 - lineup if seat == swap else lineup, seat]]
                        rng.branch_stream(seated[seat]["stream"], dice[1])
                    states[1] = states[0]
                    code = play_one(states[1], rules, seated, slot_of, counts, fault, scratch)
                    if code != loop.FAULT_FREE:
                        return code
                    if swap < 0:
                        ends = found[i, other, redraw, lineup, match // 2]
                    else:
                        ends = swapped[i, other, lineup, swap]
                    engine.result(states[1], rules, ends[0], ends[1])
    return loop.FAULT_FREE


def has_later_chance(game: str) -> bool:
    """Tell whether a game's engine can draw later chance anew."""
    return hasattr(registry.find(game).engine, "reshuffle")


def matches_of_deal(players: int) -> int:
    """Return how many matches a deal of `Redraws` takes, with later chance."""
    return 2 * (_REDRAWS * 4 + 2 * players)


class Redraws:
    """A source that plays each deal with later chance, players and their dice drawn anew, see `play_redraws`.

    Parameters
    ----------
    names : list of str
        Who may sit down.
    """

    def __init__(self, setting: Setting, names: list[str]) -> None:
        self._setting = setting
        self._redraws = _REDRAWS if has_later_chance(setting.draft.game) else 1
        self._lineup = [setting.bot(name) for name in names]
        self.jitted = all(bot.jitted for bot in self._lineup)
        self._rules = setting.draft.record()
        self._ladder = kernels.slots(self._lineup, self._rules)
        self._game = registry.find(setting.draft.game)
        self._kernel = kernels.kernel(setting.draft.game, play_redraws, compiled=self.jitted)

    def warm_up(self) -> None:
        """Compile what playing needs."""
        self.play(0, 0)

    def play(self, start: int, deals: int) -> tuple[Any, ...]:
        """Play deals; return what `nested.causes` splits.

        Returns
        -------
        wins, scores : float array, shape (deals, 2, draws, 2, 2, seats)
            Shares, and points a game.
        swapped_wins, swapped_scores : float array, shape (deals, 2, 2, seats)
        who : int array, shape (deals, 2, seats)
            A number in the list of names.
        """
        setting, games, players = (
            self._setting,
            self._setting.draft.options.counted_games,
            self._setting.draft.players,
        )
        plan = np.zeros(1, PLAN)[0]
        plan["seed"], plan["first"] = setting.seed, start
        found = np.zeros((deals, 2, self._redraws, 2, 2, 2, players), np.int64)
        swapped = np.zeros((deals, 2, 2, players, 2, players), np.int64)
        who = np.zeros((deals, 2, players), np.int64)
        states = np.zeros(2, self._game.state.STATE)
        seated = np.zeros(players, self._ladder.dtype)
        dice = np.zeros(6, rng.STREAM)
        fault = np.zeros(3, np.int64)
        scratch = np.zeros(1, loop.scratch_of(self._game.state))[0]
        kernels.run(
            lambda: self._kernel(
                states, self._rules, self._ladder, seated, dice, plan, found, swapped, who, fault, scratch
            ),
            states[1],
            self._rules,
            fault,
            f"{setting.draft.label}, seed {setting.seed}, deal",
            lambda deal, seat: (self._lineup[int(seated[seat]["bot"])], seated[seat]),
        )
        units = (self._game.engine.WIN * games, games)
        ends = (np.moveaxis(found, 5, 0), np.moveaxis(np.einsum("idlses->idlse", swapped), 4, 0))
        return (*(table[kind] / units[kind] for table in ends for kind in range(2)), who)
