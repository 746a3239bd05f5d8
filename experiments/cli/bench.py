"""How fast the engines are, in units that travel between machines."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import batch, bots, drafts, rng
from sim.batch import Batch
from sim.jit import jit
from sim.table import Table
from strategies import registry as strategies

_ROUNDS = 5

_PLAY_OUTS = 4000
"""Of a decision that is measured."""


@dataclass(frozen=True)
class Speed:
    """One line of the bench.

    Attributes
    ----------
    matches : int
        Matches of the measured run.
    per_second : float
        Matches a second: the median of the rounds.
    games : int
        Games of a match, where a game counts its games; else 1.
    decisions : float
        Decisions a match.
    shuffles : float
        Thread time of a match (of a game, where there are several), over the time of one shuffle of 52
        cards with the lab's own stream, measured in the same round.
    """

    draft: str
    lineup: str
    threads: int
    matches: int
    per_second: float
    games: int
    decisions: float
    shuffles: float

    @property
    def decisions_per_second(self) -> float:
        """Decisions a second."""
        return self.per_second * self.decisions

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds a decision, of all threads together."""
        return 1e9 / self.decisions_per_second


@jit
def _shuffles(stream: Any, deck: Any, times: int) -> None:
    for _ in range(times):
        rng.shuffle(stream, deck, 52)


def shuffle_seconds(times: int = 200_000) -> float:
    """Return the time of one full shuffle of 52 cards."""
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, 1, 0, rng.DEAL, 0)
    deck = np.arange(52, dtype=np.int8)
    _shuffles(stream, deck, 1)
    began = time.perf_counter()
    _shuffles(stream, deck, times)
    return (time.perf_counter() - began) / times


def fill_cache(draft_name: str, lineup: str) -> None:
    """Compile what a measurement needs in a process of its own.

    Code that was compiled in the same process lies scattered over it and runs up to a third slower than the
    same code loaded from the cache, which is what every later run does.
    """
    program = (
        "import sys; from experiments.cli import bench; bench.batch_of(sys.argv[1], sys.argv[2]).warm_up()"
    )
    subprocess.run([sys.executable, "-c", program, draft_name, lineup], check=True)


def batch_of(draft_name: str, lineup: str) -> Batch:
    """Return the matches that are measured."""
    draft = drafts.load(draft_name)
    return Batch(draft, strategies.lineup(draft.game, draft.players, lineup), 1)


def measure(draft_name: str, lineup: str, threads: list[int], seconds: float) -> list[Speed]:
    """Measure one draft with one line-up for each number of threads.

    Each takes the median of several rounds, which alternate between the numbers of threads, so that a
    machine that slows down does so for all of them.
    """
    fill_cache(draft_name, lineup)
    found = batch_of(draft_name, lineup)
    found.warm_up()
    pilot = batch.run([found], found.period)
    while pilot.seconds < 0.05:
        pilot = batch.run([found], 4 * pilot.totals[0].matches)
    rate = pilot.totals[0].matches / pilot.seconds
    rounds: dict[int, list[tuple[float, float]]] = {count: [] for count in threads}
    decisions = 0.0
    games = int(found.draft.options.counted_games)
    matches = max(1, int(rate * seconds / _ROUNDS))
    for _ in range(_ROUNDS):
        shuffle = shuffle_seconds()
        for count in threads:
            result = batch.run([found], matches, threads=count)
            total = result.totals[0]
            per_second = total.matches / result.seconds
            rounds[count].append((per_second, count / per_second / games / shuffle))
            m = total.keys.index(("decisions",))
            decisions = total.sums[0, m] / total.sums[1, m]
    return [
        Speed(
            draft_name,
            lineup,
            count,
            matches,
            float(np.median([per_second for per_second, _ in values])),
            games,
            decisions,
            float(np.median([shuffles for _, shuffles in values])),
        )
        for count, values in rounds.items()
    ]


@dataclass(frozen=True)
class SearchSpeed:
    """How fast the player that searches plays to the end.

    Attributes
    ----------
    play_outs : float
        Of the game's `heuristic` in every seat, from the first decision of a match to its end (in Daifugō, of the game),
        each deal of the unseen cards included: a second of one core, the median over first decisions.
    decisions : int
        First decisions that were measured.
    """

    draft: str
    lineup: str
    play_outs: float
    decisions: int


def measure_search(draft_name: str, seconds: float) -> SearchSpeed:
    """Measure the play-outs of `search`, with no move dropped before its round ends."""
    draft = drafts.load(draft_name)
    lineup = f"search:{_PLAY_OUTS}:clear=1e9"
    fill_cache(draft_name, lineup)
    bot = strategies.find(draft.game, lineup)
    decide, me = bots.compiled(bot), bots.players([bot], draft.record(), draft.label)[0]
    found: list[float] = []
    spent = 0.0
    while spent < seconds or len(found) < _ROUNDS:
        table = Table(draft, seed=1, deal=len(found))
        rng.open_stream(me["stream"], 1, len(found), rng.SEAT, 0)
        view = table.view()
        began = time.thread_time()
        decide(view, table.rules, me)
        taken = time.thread_time() - began
        found.append(_PLAY_OUTS / taken)
        spent += taken
    return SearchSpeed(draft_name, lineup, float(np.median(found)), len(found))


def search_lines(speeds: list[SearchSpeed]) -> list[str]:
    """Return what `measure_search` found for a terminal."""
    wide = max(len(speed.draft) for speed in speeds)
    return [
        "play-outs of search a second of one core, from the first decision of a match",
        *(f"{speed.draft:<{wide}}{speed.play_outs:>11,.0f}" for speed in speeds),
    ]


def lines(speeds: list[Speed], shuffle: float) -> list[str]:
    """Return the bench for a terminal."""
    columns = f"{'thr.':>4}{'matches/s':>11}{'games/s':>11}{'decisions/s':>14}{'ns/dec':>7}{'shuffles':>9}{'x one':>6}"
    found = [f"one shuffle of 52 cards: {1e9 * shuffle:.0f} ns; shuffles: thread time of a game", ""]
    wide = max(len(f"{speed.draft} {speed.lineup}") for speed in speeds)
    found.append(f"{'draft and line-up':<{wide}}{columns}")
    one: dict[tuple[str, str], float] = {}
    for speed in speeds:
        key = (speed.draft, speed.lineup)
        if speed.threads == 1:
            one[key] = speed.per_second
        ratio = f"{speed.per_second / one[key]:.2f}" if key in one and speed.threads > 1 else ""
        found.append(
            f"{f'{speed.draft} {speed.lineup}':<{wide}}{speed.threads:>4}{speed.per_second:>11,.0f}"
            f"{speed.per_second * speed.games:>11,.0f}{speed.decisions_per_second:>14,.0f}"
            f"{speed.nanoseconds:>7.1f}{speed.shuffles:>9.1f}{ratio:>6}"
        )
    return found
