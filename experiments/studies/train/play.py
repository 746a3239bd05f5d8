"""Trains a player for a draft by play: against its like, or against a table of one bot."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from experiments import arguments
from experiments.metrics.ratings import Duel
from experiments.play import duels
from experiments.studies.shown import Shown
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from strategies import registry as strategies
from strategies import weights
from strategies.weights import Trainable

GENERATIONS = 60
MAX_GENERATIONS = 10_000
LEAST_DEALS, MOST_DEALS = 20, 1_000_000

_SPREAD = 0.5
"""Of the first generation, in steps of the weights."""

CHECK = 5
"""Generations between two trials of the mean against the champion."""

_OPPONENTS = 2
"""Champions, the newest, that a generation plays against."""

_SURE = 2.0
"""Standard errors by which a new champion must beat the old."""

TRIALS, FINAL = 4, 10
"""Times the deals of a generation: for the choice of the weights, and for their score."""

FINALISTS = 3
"""Among which the weights are chosen in the end."""

_DIGITS = 4
"""Of a weight, so that a file can be read."""


@dataclass(frozen=True)
class Spec:
    """How a player is trained; the same spec gives the same weights on the same kind of machine.

    Attributes
    ----------
    draft : Draft
    against : str
        A bot that sits in all other seats; empty to train against earlier champions.
    generations : int
    deals : int
        Each player of a generation plays the same deals against each opponent; every generation plays others.
    seed : int
    bots_file : Path or None
        The user's own bots.
    source : str
        The draft as it was named, such as the path of a file; empty for one that ships.
    """

    draft: Draft
    against: str
    generations: int
    deals: int
    seed: int
    bots_file: Path | None = None
    source: str = ""

    def __post_init__(self) -> None:
        """Load the draft if it is given by its name."""
        object.__setattr__(self, "draft", arguments.draft(self.draft))

    @cached_property
    def player(self) -> Trainable:
        """What is trained."""
        return weights.trainable(self.draft.game)

    @cached_property
    def opponent(self) -> Bot | None:
        """The bot to be trained against, if one is named."""
        if self.bots_file is not None:
            strategies.load_file(self.bots_file)
        return strategies.find(self.draft.game, self.against) if self.against else None

    @property
    def jitted(self) -> bool:
        """Whether threads can play: plain Python does not run in two at once."""
        return self.opponent is None or self.opponent.jitted

    @property
    def opponents(self) -> int:
        """How many a generation plays against, at the most."""
        return _OPPONENTS if self.opponent is None else 1

    @property
    def crown_duels(self) -> int:
        """Duels that tell whether there is a new champion: with the old, or of both with the bot trained against."""
        return 1 if self.opponent is None else 2

    @cached_property
    def start(self) -> dict[str, float]:
        """The weights to begin with: those of `heuristic`; against a bot the best that ship for a draft like this."""
        if self.opponent is not None:
            found, _ = weights.nearest(self.draft.game, self.draft.record())
            if found is not None:
                return found.values
        return self.player.start

    def table(self, first: Bot, second: Bot) -> duels.Table:
        """Return the table at which a player meets an opponent."""
        # By names, bots with other weights are told apart.
        first = replace(first, name="trained")
        lineups = duels.lineups(self.draft.players, first, second)
        if self.opponent is not None:
            lineups = [[first] + [second] * (self.draft.players - 1)]
        return duels.Table(self.draft, lineups, self.seed)

    def prepare(self) -> None:
        """See that everything fits, and compile it.

        Raises
        ------
        UserError
            If something does not.
        """
        if not 1 <= self.generations <= MAX_GENERATIONS:
            raise UserError(f"--generations {self.generations}: must be from 1 to {MAX_GENERATIONS:,}")
        if not LEAST_DEALS <= self.deals <= MOST_DEALS:
            raise UserError(f"--deals {self.deals}: must be from {LEAST_DEALS} to {MOST_DEALS:,}")
        first = self.player.bot(self.start, "trained")
        self.table(first, self.opponent or self.player.bot(self.player.start, "champion 0")).warm_up()


@dataclass(frozen=True, repr=False)
class Trained(Shown):
    """A player that has been trained.

    Attributes
    ----------
    spec : Spec
    values : dict
        Weight → value.
    generations : int
        That were played: fewer than planned if it was interrupted.
    size : int
        Players of a generation.
    champions : int
        How often a mean of the players beat the champion before it.
    score : Duel
        On deals that nothing was chosen by: against `heuristic`, half the seats each; or one seat against a table of
        the bot trained against.
    wins : Duel
        Of the same deals, its share of the win; of a table of equals it is 1 over the number of players.
    seconds : float
    """

    spec: Spec
    values: dict[str, float]
    generations: int
    size: int
    champions: int
    score: Duel
    wins: Duel
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all generations were played."""
        return self.generations == self.spec.generations

    @property
    def opponent(self) -> str:
        """Whom the score is against."""
        return self.spec.against or weights.BEGINNING


def population(spec: Spec) -> int:
    """Return how many players a generation has, by the usual rule of CMA-ES (Hansen 2016)."""
    return 4 + int(3 * np.log(len(spec.player.start)))


def train(
    spec: Spec,
    *,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Trained:
    """Train a player by CMA-ES (Hansen 2016) on its share of opponents that it finishes ahead of.

    All players of a generation play the same deals, so that luck is the same for all. Against its like, a generation
    plays the two newest champions, of which `heuristic` is the first; now and then the mean of the players, if it
    clearly beats the champion on fresh deals, becomes the next. What is best on further fresh deals is the result, and
    its score is from deals that nothing was chosen by.

    Parameters
    ----------
    spec : Spec
    threads : int
        The result does not depend on it.
    on_progress : callable
        Told how many generations are done.
    stop : callable
        Asked after each generation whether to end early.

    Raises
    ------
    UserError
        If something does not fit, or a bot breaks the contract.
    """
    spec.prepare()
    began = time.perf_counter()
    with ThreadPoolExecutor(max_workers=threads) as pool:
        run = _Run(spec, pool if spec.jitted else None)
        done = 0
        while done < spec.generations and not (done and stop()):
            run.generation()
            done += 1
            if done % CHECK == 0:
                run.crown()
            on_progress(done)
        values = run.best()
        score, wins = run.score(values)
    return Trained(
        spec, values, done, run.size, len(run.champions) - 1, score, wins, time.perf_counter() - began
    )


class _Run:
    """A training under way."""

    def __init__(self, spec: Spec, pool: ThreadPoolExecutor | None) -> None:
        import cma

        self.spec = spec
        self.size = population(spec)
        self._pool = pool
        self._names = list(spec.start)
        self._from = np.array(list(spec.start.values()))
        self._steps = np.array([spec.player.steps[name] for name in self._names])
        options = {"popsize": self.size, "seed": spec.seed + 1, "verbose": -9}  # 0 would mean the clock
        self._search = cma.CMAEvolutionStrategy(np.zeros(len(self._names)), _SPREAD, options)
        self._next_deal = 0
        self.champions = [self._bot(spec.start, "champion 0")]

    def _bot(self, values: dict[str, float], name: str) -> Bot:
        return self.spec.player.bot(values, name)

    def _values(self, point: Any) -> dict[str, float]:
        values = np.clip(self._from + self._steps * np.asarray(point), -weights.MOST, weights.MOST)
        return {name: float(f"{value:.{_DIGITS}g}") for name, value in zip(self._names, values, strict=True)}

    def _opponents(self) -> list[Bot]:
        if self.spec.opponent is not None:
            return [self.spec.opponent]
        return self.champions[-_OPPONENTS:]

    def _deals(self, times: int) -> tuple[int, int]:
        """Return fresh deals: the first and their number."""
        first, number = self._next_deal, times * self.spec.deals
        self._next_deal += number
        return first, number

    def _play(self, pairs: Iterable[tuple[Bot, Bot]], times: int) -> list[duels.Deals]:
        """Return how the first of each pair did, all on the same fresh deals."""
        first, number = self._deals(times)

        def play(pair: tuple[Bot, Bot]) -> duels.Deals:
            return self.spec.table(*pair).play(first, number)

        return list(map(play, pairs) if self._pool is None else self._pool.map(play, pairs))

    def _means(self, players: list[Bot], times: int) -> list[float]:
        """Return the mean share of each player over the opponents."""
        opponents = self._opponents()
        found = self._play(itertools.product(players, opponents), times)
        means = np.array([deals.ahead.mean() for deals in found]).reshape(len(players), len(opponents))
        return [float(value) for value in means.mean(axis=1)]

    def generation(self) -> None:
        """Play one generation."""
        points = self._search.ask()
        players = [self._bot(self._values(point), "trained") for point in points]
        self._search.tell(points, [-mean for mean in self._means(players, 1)])

    def _mean(self, name: str) -> Bot:
        return self._bot(self._values(self._search.mean), name)

    def crown(self) -> None:
        """Let the mean of the players be the champion if it clearly beats the last."""
        mean, last = self._mean(f"champion {len(self.champions)}"), self.champions[-1]
        if self.spec.opponent is not None:
            old, new = (
                deals.ahead for deals in self._play(((bot, self.spec.opponent) for bot in (last, mean)), 1)
            )
            gain = Duel(0.5 + (new - old) / 2)
        else:
            gain = Duel(self._play([(mean, last)], 1)[0].ahead)
        if gain.value - 0.5 > _SURE * gain.deviation / np.sqrt(self.spec.deals):
            self.champions.append(mean)

    def best(self) -> dict[str, float]:
        """Return the weights that do best against the opponents: the start, the last champion, or the mean."""
        players = [self.champions[0], self.champions[-1], self._mean("trained")]
        means = self._means(players, TRIALS)
        chosen = players[int(np.argmax(means))]
        return {name: dict(chosen.parameters)[name] for name in self._names}

    def score(self, values: dict[str, float]) -> tuple[Duel, Duel]:
        """Return how the weights do on fresh deals: who is ahead, and the share of the win."""
        against = self.spec.opponent or self._bot(self.spec.player.start, weights.BEGINNING)
        (deals,) = self._play([(self._bot(values, "trained"), against)], FINAL)
        return Duel(deals.ahead), Duel(deals.wins)
