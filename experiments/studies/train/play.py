"""Trains a player for a draft by play: against its like, or against a table of one bot."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import arguments
from experiments.metrics.ratings import Duel
from experiments.play import duels
from experiments.store.tables import Columns, Stored
from experiments.studies.result import Result
from experiments.studies.train.spec import OPPONENTS, Spec
from sim.bots import Bot
from strategies import weights

WEIGHTS = Columns("weights", "the weights of a trained player", {"weight": "text", "value": "real"})
SCORE = Columns(
    "score",
    "how the trained player does on deals that nothing was chosen by",
    {"against": "text", "ahead": "real", "low": "real", "high": "real", "deals": "whole"},
)

_SPREAD = 0.5
"""Of the first generation, in steps of the weights."""

CHECK = 5
"""Generations between two trials of the mean against the champion."""

_SURE = 2.0
"""Standard errors by which a new champion must beat the old."""

TRIALS, FINAL = 4, 10
"""Times the deals of a generation: for the choice of the weights, and for their score."""

FINALISTS = 3
"""Among which the weights are chosen in the end."""

_DIGITS = 4
"""Of a weight, so that a file can be read."""


@dataclass(repr=False)
class Trained(Result):
    """A player that has been trained.

    Attributes
    ----------
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
    took : float
        Seconds.
    """

    spec: Spec
    values: dict[str, float]
    generations: int
    size: int
    champions: int
    score: Duel
    wins: Duel
    took: float

    @property
    def seconds(self) -> float:
        """Time of training."""
        return self.took

    @property
    def played(self) -> dict[str, Any]:
        """How many generations."""
        return {"generations": self.generations}

    def tables(self) -> list[Stored]:
        """Return the weights, and how the player does."""
        low, high = self.score.interval()
        score = {"against": self.opponent, "ahead": self.score.value, "low": low, "high": high}
        rows = [{"weight": name, "value": value} for name, value in self.values.items()]
        return [Stored(WEIGHTS, rows), Stored(SCORE, [{**score, "deals": self.score.deals}])]

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        from experiments.studies.train import weights_file

        return weights_file.summary(self)

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


def play(
    spec: Spec,
    *,
    threads: int | None = None,
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
    threads : int, optional
        As many as there is room for if not given. The result does not depend on it.
    on_progress : callable
        Told how many generations are done.
    stop : callable
        Asked after each generation whether to end early.

    Raises
    ------
    UserError
        If something does not fit, or a bot breaks the contract.
    """
    if not isinstance(spec, Spec):
        raise arguments.wrong(
            "spec", spec, "a Spec of experiments.studies.train.spec, such as Spec('uplink/v1.1')"
        )
    count = arguments.threads(threads)
    spec.prepare()
    began = time.perf_counter()
    with ThreadPoolExecutor(max_workers=count) as pool:
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
        return self.champions[-OPPONENTS:]

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
        played = self._play(itertools.product(players, opponents), times)
        means = np.array([deals.ahead.mean() for deals in played]).reshape(len(players), len(opponents))
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
