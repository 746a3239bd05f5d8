"""What a comparison claims, fixed before its first match: the measures, their margins, and how it will be judged.

Margins that are parts of something (a standard deviation, a mean) are taken from a *pilot*: the first draft, on deals at
the far end of the seed that no run reaches. So none is read off the numbers that are judged by it. The other drafts play the
pilot too: it tells how far a block can be off (`Claim.bound`) and, where a comparison goes on until decided, how many blocks
each claim is expected to take.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import verdicts
from experiments.metrics.verdicts import Looks
from experiments.play import margins, matches
from experiments.play.margins import Margins
from experiments.play.matches import Key, MatchSpec
from experiments.stats import Difference, Estimate
from sim import batch
from sim.batch import Batch, Totals
from sim.errors import Interrupted
from sim.moments import D, X

_PILOT = (30, 200)
"""Blocks of a pilot, at least and at most; between these a tenth of the run's."""

_SPREAD = 4
"""Standard deviations that about the greatest difference of a block is taken to be at least; of shares it is known."""

BUNCH: dict[margins.Kind, float] = {"share": 1.0, "score": 1.0, "count": 4.0}
"""The same as it stands: what has never come may come in bunches."""

METHOD = 3
"""How verdicts are reached. With another number of it a manifest's tables would come out otherwise."""


@dataclass(frozen=True)
class Design:
    """How a comparison is judged; with the drafts and the line-ups, all that its verdicts depend on.

    Attributes
    ----------
    margins : dict
        By kind of measure.
    until_decided : bool
        Sequential: looked at time and again. Otherwise there is one look, at the end.
    pilot : int
        Blocks of the pilot.
    limit : int
        Blocks at most. Until decided no claim is expected to take more than half of them.
    first, growth : int, float
        Of `metrics.verdicts.Looks`.
    """

    margins: Margins
    until_decided: bool
    pilot: int
    limit: int
    first: int
    growth: float

    @classmethod
    def of(cls, blocks: int, stated: Margins, *, until_decided: bool) -> Design:
        """Return the design of a run of so many blocks at most."""
        pilot = min(max(blocks // 10, _PILOT[0]), _PILOT[1])
        return cls(stated, until_decided, pilot, blocks, first=100, growth=1.1)

    def described(self) -> dict[str, Any]:
        """Return it as a manifest has it."""
        stated = {kind: str(margin) for kind, margin in self.margins.items()}
        return {**asdict(self), "method": METHOD, "level": 1 - stats.CONFIDENCE, "margins": stated}

    @property
    def looks(self) -> Looks:
        """When it is looked at, until decided."""
        return Looks(self.first, self.growth)


@dataclass(frozen=True)
class Claim:
    """A measure of a draft that is judged against that of the first.

    Attributes
    ----------
    level, draft : int
        Numbers of the line-up and of the draft.
    key : tuple
        Of the measure.
    margin, bound : float
        See `metrics.verdicts.PairedSummary`; where a block turns out to be further off than the bound, that is taken.
    aim : int or None
        Blocks that it is expected to take, until decided.
    """

    level: int
    draft: int
    key: Key
    margin: float
    bound: float
    aim: int | None = None


def is_claimed(key: Key, base: Batch, other: Batch, shared_out: bool) -> bool:
    """Tell whether a measure is judged.

    Not what is the same whatever the rules are; nor, where the players are not as many, what is shared out among them, since
    the number of the parts alone moves each: the win, shares of seats and of places, and scores of a fixed sum. The tables by
    bot and seat and from game to game are left out too: each further claim makes all of them harder to decide, and these come
    by the dozen.

    Parameters
    ----------
    key : tuple
        Of the measure, see `sim.counted.measures_of`.
    base, other : Batch
        Of the first draft, and of that compared with it.
    shared_out : bool
        The scores of a match have a fixed sum that is not 0.
    """
    if key not in base.measures.keys or not matches.says_something(key, base.names):
        return False
    if base.draft.players != other.draft.players and _is_part(base.draft.game, key, shared_out):
        return False
    return key[1:2] != ("cell",) and not matches.in_square(base.draft.game, key)


def _is_part(game: str, key: Key, shared_out: bool) -> bool:
    """Tell whether a measure is a part of something that is shared out among the players, or among as many places."""
    if key[0] in ("event", "bot_event"):
        event = matches.events_of(game)[key[1]]
        return event.kind == "split" or (event.is_share and event.by_seat)
    return key[0] == "win" or (key[0] == "score" and shared_out)


def fix(
    specs: list[MatchSpec],
    design: Design,
    *,
    threads: int = 1,
    stop: Callable[[], bool] = lambda: False,
) -> list[Claim]:
    """Play the pilot of each level, and state all claims.

    Parameters
    ----------
    specs : list of MatchSpec
        One a level, of the same drafts.
    threads : int
        The claims do not depend on it.
    stop : callable
        Asked now and then whether to end early.

    Raises
    ------
    Interrupted
        If the pilot was.
    UserError
        If a bot breaks the contract.
    """
    made: list[Claim] = []
    seen: list[Difference | None] = []
    for level, spec in enumerate(specs):
        base, *others = spec.batches
        pilots = _play_pilot(spec.batches, design.pilot, threads, stop)
        stated = _margins(base, pilots[0], design.margins)
        kinds = {key: margins.kind_of(key, matches.shares_of(base.draft.game)) for key in stated}
        of_base = _reaches(pilots[0])
        sums = pilots[0].kept.sum(axis=1)
        shared_out = bool(sums.any() and sums.min() == sums.max())
        for number, other in enumerate(others, 1):
            claimed = [key for key in other.measures.keys if is_claimed(key, base, other, shared_out)]
            of_other = _reaches(pilots[number])
            for key in claimed:
                margin, kind = stated[key], kinds[key]
                bound = 1.0 if kind == "share" else max(BUNCH[kind], margin, of_base[key], of_other[key])
                made.append(Claim(level, number, key, margin, bound))
            if design.until_decided:
                known = matches.differences(pilots[number], pilots[0])
                seen += [known.get(key) for key in claimed]
    if not design.until_decided:
        return made
    return [
        replace(claim, aim=_aim(claim, known, design, len(made)))
        for claim, known in zip(made, seen, strict=True)
    ]


def _play_pilot(batches: list[Batch], blocks: int, threads: int, stop: Callable[[], bool]) -> list[Totals]:
    last = batch.MAX_MATCHES // max(one.period for one in batches)
    result = batch.run(
        batches, batch.MAX_MATCHES, blocks=range(last - blocks, last), keep=last, threads=threads, stop=stop
    )
    if not result.complete:
        raise Interrupted("interrupted before the margins were fixed: nothing to keep")
    return result.totals


def _aim(claim: Claim, seen: Difference | None, design: Design, claims: int) -> int:
    """Return how many blocks a claim is expected to take, by what the pilot saw; half of the limit at most."""
    sd, blocks = (0.0, design.pilot) if seen is None else (seen.se * math.sqrt(seen.blocks), seen.blocks)
    sd = float(verdicts.careful(sd, claim.bound, blocks))
    expected = verdicts.aim(sd, claim.margin, claim.bound, claims)
    return math.ceil(max(min(expected, design.limit / 2), 1))


def _margins(base: Batch, pilot: Totals, stated: Margins) -> dict[Key, float]:
    """Return the margin of each measure."""
    shares = matches.shares_of(base.draft.game)
    sd_score = _sd_score(pilot) / base.draft.options.counted_games
    values = {key: found.value for key, found in _estimates(pilot).items()}
    return {
        key: margins.absolute(stated[margins.kind_of(key, shares)], values.get(key, 0.0), sd_score)
        for key in pilot.keys
    }


def _estimates(pilot: Totals) -> dict[Key, Estimate]:
    return {key: stats.estimate(pilot, m, "mean") for m, key in enumerate(pilot.keys) if pilot.sums[D, m] > 0}


def _reaches(pilot: Totals) -> dict[Key, float]:
    """Return how far a block is off its mean, of each measure: as far as it was, or some standard deviations."""
    spreads = {key: _SPREAD * found.se * math.sqrt(found.blocks) for key, found in _estimates(pilot).items()}
    return {key: max(far, spreads.get(key, 0.0)) for key, far in farthest(pilot).items()}


def farthest(totals: Totals) -> dict[Key, float]:
    """Return how far the block was off the mean that was furthest off, of each measure; 0 where that is not known."""
    if totals.ends is None:
        return dict.fromkeys(totals.keys, 0.0)
    x, d = (totals.sums[row].astype(float) for row in (X, D))
    means = np.divide(x, d, out=np.zeros(len(d)), where=d > 0)
    least, most = totals.ends
    far = np.where(d > 0, np.maximum(most - means, means - least), 0.0) / np.array(totals.scales)
    return dict(zip(totals.keys, far.tolist(), strict=True))


def _sd_score(pilot: Totals) -> float:
    """Return the standard deviation of match scores, of all seats together."""
    total: Counter[int] = Counter()
    for counts in pilot.scores.values():
        total.update(counts)
    return matches.deviation(total) or 0.0
