"""Very many matches: the same totals for any number of threads and any split into parts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from sim import bots, counted, kernels, labels, loop, moments, registry, rng
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError

MAX_SEED = 2**63 - 1
MAX_MATCHES = rng.MAX_INDEX
"""Beyond it streams might meet."""

_PART_SECONDS = 0.1
_MAX_PART_MATCHES = 1 << 15
_GROWTH = 64
_TAIL = 16
"""Towards the end parts shrink to this fraction, below which handing them out costs more than it saves."""


@dataclass
class Totals:
    """What a run of one draft has counted so far; sums of integers only.

    Attributes
    ----------
    keys : list of tuple
        The measures, see `sim.counted.measures_of`.
    scales : list of float
        What each ratio is divided by.
    sums : object array, shape (9, measures)
        Python integers, see `sim.moments`.
    scores : dict
        (bot, seat) → Counter of match scores.
    labels : dict
        Name of a label → the sums of each of its values, see `sim.labels`.
    kept : int64 array, shape (matches, players)
        The scores of the first blocks match by match, as far as a run was told to keep them.
    ends : float array, shape (2, measures), or None
        The least and the greatest ratio of a block, not divided by the scale; of runs of several batches only.
    blocks, matches : int
    seconds : float
        Time in the match loop, summed over threads.
    """

    keys: list[tuple[Any, ...]]
    scales: list[float]
    sums: Any
    scores: dict[tuple[str, int], Counter[int]] = field(default_factory=dict)
    labels: dict[str, labels.Counts] = field(default_factory=dict)
    kept: Any = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    ends: Any = None
    blocks: int = 0
    matches: int = 0
    seconds: float = 0.0

    def add(self, part: Part | Totals) -> None:
        """Add what a part counted, or a run of other blocks; where scores are kept, of those that follow."""
        self.sums = self.sums + part.sums.astype(object)
        for cell, counts in part.scores.items():
            self.scores.setdefault(cell, Counter()).update(counts)
        for name, sums in part.labels.items():
            labels.add(self.labels.setdefault(name, {}), sums)
        if len(part.kept) > 0:
            self.kept = np.concatenate([self.kept, part.kept])
        if self.ends is None or part.ends is None:
            self.ends = part.ends if self.ends is None else self.ends
        else:
            self.ends = np.stack(
                [np.minimum(self.ends[0], part.ends[0]), np.maximum(self.ends[1], part.ends[1])]
            )
        self.blocks += part.blocks
        self.matches += part.matches
        self.seconds += part.seconds


class Played(NamedTuple):
    """What `Batch.play` returns."""

    rows: Any
    scores: Any
    labels: Any


@dataclass
class Part:
    """What some blocks of a run counted."""

    sums: Any
    scores: dict[tuple[str, int], dict[int, int]]
    labels: dict[str, labels.Counts]
    kept: Any
    blocks: int
    matches: int
    seconds: float
    ends: Any = None


@dataclass
class Result:
    """What `run` returns.

    Attributes
    ----------
    totals : list of Totals
        One for each batch.
    complete : bool
        False if it was interrupted (Ctrl-C); the totals are then of the first matches.
    seconds : float
        Playing alone, by the clock: neither compiling nor start-up.
    """

    totals: list[Totals]
    complete: bool
    seconds: float


class Batch:
    """The matches of one draft by one line-up under one seed, numbered from 0.

    Parameters
    ----------
    draft : Draft
    lineup : list of Bot
        One for each player.
    seed : int
        0 … 2**63 − 1.
    fixed_seats : bool
        Bots stay in their seats; otherwise a deal is played in every rotation of the line-up.
    """

    def __init__(self, draft: Draft, lineup: list[Bot], seed: int, *, fixed_seats: bool = False) -> None:
        if len(lineup) != draft.players:
            raise UserError(
                f"the line-up has {len(lineup)} bots and {draft.label} has {draft.players} players: "
                "name one bot for each"
            )
        if not 0 <= seed <= MAX_SEED:
            raise UserError(f"seed {seed}: must be from 0 to {MAX_SEED}")
        self.draft = draft
        self.lineup = lineup
        self.seed = seed
        self.period = bots.period(lineup, fixed_seats=fixed_seats)
        self.names = bots.distinct(lineup)
        self.measures = counted.measures_of(draft, self.names)
        self.jitted = all(bot.jitted for bot in lineup)
        self._rules = draft.record()
        self._slots = kernels.slots(lineup, self._rules, draft.label)
        self._state = registry.find(draft.game).state
        self._columns = loop.columns(
            len(self.names), draft.players, self._state.SEAT_TALLY_SIZE, self._state.TALLY_SIZE
        )
        self._kernel = kernels.kernel(draft.game, compiled=self.jitted)
        self._scratch = loop.scratch_of(self._state)

    def warm_up(self) -> None:
        """Compile, or load from the cache, everything that a run needs."""
        none = np.zeros((0, self._columns), np.int64)
        self.measures.sums(none)
        x, d = self.measures.values(none)
        moments.sums(x, d, x, d)
        moments.ends(x, d)
        self.part(self.play(0, 0), None, 0.0, 0)

    def totals(self) -> Totals:
        """Return the totals of no matches."""
        scales = [measure.scale for measure in self.measures.list]
        return Totals(
            self.measures.keys,
            scales,
            np.zeros((9, len(self.measures)), dtype=object),
            kept=np.zeros((0, self.draft.players), np.int64),
        )

    def play(self, first: int, count: int) -> Played:
        """Play matches first … first + count − 1.

        Parameters
        ----------
        first : int
            A multiple of the period.

        Returns
        -------
        rows : int64 array, shape (blocks, columns)
            See `sim.loop.play_matches`.
        scores : int64 array, shape (count, players)
        labels : int64 array
            See `sim.loop.play_matches`.

        Raises
        ------
        BotFault
            If a bot breaks the contract.
        """
        plan = np.zeros(1, loop.PLAN)[0]
        plan["seed"], plan["first"], plan["count"] = self.seed, first, count
        plan["period"], plan["players"] = self.period, self.draft.players
        rows = np.zeros((-(-count // self.period), self._columns), np.int64)
        scores = np.zeros((count, self.draft.players), np.int64)
        told = len(self._state.LABELS)
        kinds = np.zeros((count, self.draft.players, told + 1 if told else 0), np.int64)
        fault = np.zeros(3, np.int64)
        state = np.zeros(1, self._state.STATE)[0]
        slots = self._slots.copy()
        scratch = np.zeros(1, self._scratch)[0]
        kernels.run(
            lambda: self._kernel(state, self._rules, slots, plan, rows, scores, kinds, fault, scratch),
            state,
            self._rules,
            fault,
            f"{self.draft.label}, seed {self.seed}, match",
            lambda match, seat: self._seated(slots, match % self.period, seat),
        )
        return Played(rows, scores, kinds)

    def bot_at(self, turn: int, seat: int) -> str:
        """Return the bot in a seat in the matches m with m mod period = turn."""
        return self.lineup[(seat - turn) % self.draft.players].name

    def _seated(self, slots: Any, turn: int, seat: int) -> tuple[Bot, Any]:
        slot = (seat - turn) % self.draft.players
        return self.lineup[slot], slots[slot]

    def _histograms(self, scores: Any) -> dict[tuple[str, int], dict[int, int]]:
        found: dict[tuple[str, int], dict[int, int]] = {}
        for turn in range(min(self.period, len(scores))):
            for seat in range(self.draft.players):
                column = scores[turn :: self.period, seat]
                low = int(column.min())
                counts = np.bincount(column - low)
                cell = found.setdefault((self.bot_at(turn, seat), seat), {})
                for step in np.flatnonzero(counts):
                    score = low + int(step)
                    cell[score] = cell.get(score, 0) + int(counts[step])
        return found

    def part(self, played: Played, sums: Any, seconds: float, keep: int, ends: Any = None) -> Part:
        """Return what matches played count for, and the scores of so many of their blocks."""
        names = [label.name for label in self._state.LABELS]
        return Part(
            sums,
            self._histograms(played.scores),
            {
                name: labels.count(played.labels, played.scores, number, self.period)
                for number, name in enumerate(names)
            },
            played.scores[: keep * self.period],
            len(played.rows),
            len(played.scores),
            seconds,
            ends,
        )


def _play_part(batches: list[Batch], first_block: int, blocks: int, matches: int, keep: int) -> list[Part]:
    """Play the same blocks of every batch; the first batch is the one compared against."""
    parts = []
    kept = max(keep - first_block, 0)
    base: tuple[Any, Any] | None = None
    for batch in batches:
        start = first_block * batch.period
        count = min(blocks * batch.period, matches - start)
        began = time.perf_counter()
        played = batch.play(start, max(count, 0))
        seconds = time.perf_counter() - began
        if len(batches) == 1:
            return [batch.part(played, batch.measures.sums(played.rows), seconds, kept)]
        x, d = batch.measures.values(played.rows)
        if base is None:
            base = (x, d)
            table = moments.sums(x, d)
        elif batch.measures.keys == batches[0].measures.keys and batch.period == batches[0].period:
            table = moments.sums(x, d, *base)
        else:
            table = moments.sums(x, d)
        parts.append(batch.part(played, table, seconds, kept, moments.ends(x, d)))
    return parts


def run(
    batches: list[Batch],
    matches: int,
    *,
    blocks: range | None = None,
    keep: int = 0,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Play `matches` matches of every batch, or those of some of the blocks.

    Parameters
    ----------
    batches : list of Batch
        Played on the same blocks; the first is the one that the others are compared against.
    matches : int
        Matches of each batch, 1 or more.
    blocks : range, optional
        Numbers of the blocks to play, in a row; those beyond `matches` are left out. All if not given. Runs of blocks
        that follow each other add up (`Totals.add`) to the run of all.
    keep : int
        The scores of blocks of lower numbers are kept match by match.
    threads : int
        The totals do not depend on it. Bots in plain Python run in one.
    on_progress : callable
        Told the number of matches done of each batch.
    stop : callable
        Asked after every part whether to end early.

    Raises
    ------
    BotFault
        If a bot breaks the contract.
    """
    for batch in batches:
        batch.warm_up()
    totals = [batch.totals() for batch in batches]
    began = time.perf_counter()
    every = max(-(-matches // batch.period) for batch in batches)
    wanted = range(every) if blocks is None else blocks[: max(0, every - blocks.start)]
    if all(batch.jitted for batch in batches):
        done = _threaded(batches, matches, wanted, threads, keep)
    else:
        done = (_play_part(batches, *piece, matches, keep) for piece in _Pieces(batches, wanted, grow=False))
    played, complete = 0, True
    try:
        for parts in done:
            for total, part in zip(totals, parts, strict=True):
                total.add(part)
            played += max(part.blocks for part in parts)
            on_progress(totals[0].matches)
            if stop():
                complete = played == len(wanted)
                break
    except KeyboardInterrupt:
        complete = False
    finally:
        done.close()
    return Result(totals, complete, time.perf_counter() - began)


class _Pieces:
    """Cuts a run into pieces of whole blocks that take about `_PART_SECONDS` each."""

    def __init__(self, batches: list[Batch], blocks: range, *, threads: int = 1, grow: bool = True) -> None:
        self._stop = blocks.stop
        self._most = max(1, _MAX_PART_MATCHES // max(batch.period for batch in batches)) if grow else 1
        self._threads = threads
        self._size = 1
        self._least = 1
        self._next = blocks.start

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while self._next < self._stop:
            # Smaller towards the end, so that no thread waits long for the last one.
            rest = self._stop - self._next
            size = min(rest, max(self._least, min(self._size, -(-rest // (2 * self._threads)))))
            piece = (self._next, size)
            self._next += size
            yield piece

    def learn(self, blocks: int, seconds: float) -> None:
        """Set the size of the pieces to come by how long one took."""
        wanted = int(blocks * _PART_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(wanted, self._size * _GROWTH, self._most))
        self._least = max(1, self._size // _TAIL)


def _threaded(
    batches: list[Batch], matches: int, wanted: range, threads: int, keep: int
) -> Generator[list[Part]]:
    """Yield the parts of a run in the order of their blocks."""
    pieces = _Pieces(batches, wanted, threads=threads)
    todo = iter(pieces)
    waiting: list[Future[tuple[list[Part], int, float]]] = []

    def work(first: int, blocks: int) -> tuple[list[Part], int, float]:
        began = time.perf_counter()
        parts = _play_part(batches, first, blocks, matches, keep)
        return parts, blocks, time.perf_counter() - began

    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        while True:
            while len(waiting) < 2 * threads and (piece := next(todo, None)) is not None:
                waiting.append(pool.submit(work, *piece))
            if not waiting:
                return
            # For the first alone: waiting for any would return at once while a later one is done. With a
            # time-out Ctrl-C is noticed on every platform.
            wait(waiting[:1], timeout=0.2)
            while waiting and waiting[0].done():
                parts, blocks, seconds = waiting.pop(0).result()
                pieces.learn(blocks, seconds)
                yield parts
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
