"""The course of a match from noisy chances: measures that do not take the noise for play.

Paths are those of `experiments.metrics.course`, here two of each match: independent estimates of the same chances, which end
with the same outcome. The greatest of noisy numbers is too great, and noisy chances move where the true ones rest. Two
estimates can hold each other in check: the first says where to look, the second how much is there.

Where the measure φ is a greatest, or a length, of the true values x, with estimates u and v, three numbers come of it. The
crossed one, ∇φ(u)·v (the value by v where u is greatest; the length by v in the direction of u), is too small on average, as
u may point wrongly. The plain one of the mean, φ((u + v)/2), is too great (Jensen). Half-way between ∇φ(u)·v and φ(u) the
errors cancel that are in proportion to the variance of the noise: by Taylor's expansion φ(u) is too great by
½ tr(Σ∇²φ) on average, and ∇φ(u)·v too small by as much. Own code, after cross-fitting.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks
from experiments.metrics.course import checked, leads, of_winner, passes, steps
from experiments.metrics.course import surprise as plain_surprise
from experiments.stats import Estimate


@dataclass(frozen=True)
class Between:
    """A number of each match, shape (matches,), known to lie between two on average.

    Attributes
    ----------
    least : float array
        Crossed: no noise is taken for play, and some play for noise.
    middle : float array
        Half-way from `least` to what one estimate alone says: right but for noise that is larger than what there is to see.
    most : float array
        Of the mean of both estimates, noise and all.
    """

    least: Any
    middle: Any
    most: Any


@dataclass(frozen=True)
class Suspense:
    """Suspense by the time of the match.

    Attributes
    ----------
    total : Estimate
        Of a match.
    curve : list of Estimate
        Of a time in each span; NaN, without an interval, in a span without any.
    """

    total: Estimate
    curve: list[Estimate]


def _both(first: Any, second: Any) -> tuple[Any, Any, Any]:
    """Return both paths and which times there are.

    Raises
    ------
    ValueError
        If one is no path, or they are not of the same matches.
    """
    first, there = checked(first)
    second, others = checked(second)
    if first.shape != second.shape or not np.array_equal(there, others):
        raise ValueError("second: must be of the same matches, with the same times")
    return first, second, there


def _between(crossed: list[Any], alone: list[Any], most: Any) -> Between:
    """Return what lies between, both orders averaged."""
    least = (crossed[0] + crossed[1]) / 2
    return Between(least, (least + (alone[0] + alone[1]) / 2) / 2, most)


def _greatest(told: Any, measured: Any) -> Any:
    """Return what is measured where the told is greatest; −inf counts as nothing there."""
    told, measured = (values.reshape(len(values), -1) for values in (told, measured))
    return np.take_along_axis(measured, told.argmax(axis=1)[:, None], axis=1)[:, 0]


def _of_greatest(estimates: list[Any], there: Any) -> Between:
    """Return the greatest of some values of each match by both estimates and the mean of them; `there` tells which count."""
    one, other, both = (np.where(there, values, -np.inf) for values in estimates)
    crossed = [_greatest(one, other), _greatest(other, one)]
    return _between(crossed, [_greatest(one, one), _greatest(other, other)], _greatest(both, both))


def drama(first: Any, second: Any, winner: Any) -> Between:
    """Return the mean over all times of how far the later winner is behind the leader, as `course.drama` of exact chances.

    At each time the leader of noisy chances looks further ahead than it is.

    Parameters
    ----------
    first, second : float array, shape (matches, times, players)
        With the same times.
    winner : int array, shape (matches,)
    """
    first, second, there = _both(first, second)
    matches, times, players = first.shape
    behind = [
        (path - of_winner(path, winner)[:, :, None]).reshape(-1, players)
        for path in (first, second, (first + second) / 2)
    ]
    found = _of_greatest(behind, there.reshape(-1, 1))

    def over_times(values: Any) -> Any:
        known = np.where(there, values.reshape(matches, times), 0)
        return known.sum(axis=1) / there.sum(axis=1)

    return Between(over_times(found.least), over_times(found.middle), over_times(found.most))


def low(first: Any, second: Any, winner: Any) -> Between:
    """Return the later winner's chance at its lowest; by noise it looks lower than it is.

    Parameters
    ----------
    first, second, winner
        As for `drama`.
    """
    first, second, there = _both(first, second)
    lost = [-of_winner(path, winner) for path in (first, second, (first + second) / 2)]
    found = _of_greatest(lost, there)
    return Between(-found.most, -found.middle, -found.least)


def lead_changes(first: Any, second: Any, margin: float) -> Between:
    """Return how often the lead passes to another, as `course.lead_changes` does of exact chances.

    The least: where both estimates see the same player ahead by more than the margin. The most: where their mean does. Noise
    passes a lead to and fro where two are level, and hides short ones: of the former the least has some too.

    Parameters
    ----------
    first, second
        As for `surprise`.
    margin : float
        In chance of winning.
    """
    first, second, _ = _both(first, second)
    (one, clear), (other, also) = (leads(path, margin) for path in (first, second))
    both = passes(one, clear & also & (one == other)).astype(float)
    most = passes(*leads((first + second) / 2, margin)).astype(float)
    return Between(both, (both + most) / 2, most)


def greatest_gap(first: Any, second: Any, winner: Any) -> Between:
    """Return the most that the later winner was behind at once, as `course.drama_max` does of exact chances.

    Parameters
    ----------
    first, second, winner
        As for `drama`.
    """
    first, second, there = _both(first, second)
    behind = [path - of_winner(path, winner)[:, :, None] for path in (first, second, (first + second) / 2)]
    return _of_greatest(behind, there[:, :, None])


def comeback(first: Any, second: Any, winner: Any) -> Between:
    """Return what the winner came back from, as `course.comeback` does of exact chances.

    Parameters
    ----------
    first, second, winner
        As for `drama`.
    """
    first, second, there = _both(first, second)
    due = 1 / first.shape[2]
    lost = [due - of_winner(path, winner) for path in (first, second, (first + second) / 2)]
    # Who was never below the due chance came back from nothing: that is one more to be the greatest.
    nothing = np.zeros((len(first), 1))
    never = np.ones((len(first), 1), bool)
    lost = [np.concatenate([nothing, path], axis=1) for path in lost]
    return _of_greatest(lost, np.concatenate([never, there], axis=1))


def stability(first: Any, second: Any) -> Any:
    """Return the covariance of the two over the times of a match, mean over players.

    On average `course.stability` of the true chances, as the noise of the two does not go together.

    Parameters
    ----------
    first, second
        As for `surprise`.
    """
    first, second, _ = _both(first, second)
    together = np.nanmean(first * second, axis=1)
    return (together - np.nanmean(first, axis=1) * np.nanmean(second, axis=1)).mean(axis=1)


def surprise(first: Any, second: Any) -> Between:
    """Return Σ_t ‖E(t) − E(t−1)‖/√2, as `course.surprise` does of exact chances (Ely, Frankel and Kamenica 2015).

    Crossed: the length of each change by one estimate in the direction of the other's, u·v/‖u‖.

    Parameters
    ----------
    first, second : float array, shape (matches, times, players)
        With the same times.
    """
    first, second, there = _both(first, second)
    one, other = steps(first, there), steps(second, there)
    product = (one * other).sum(axis=2)
    crossed = []
    for direction in (one, other):
        length = np.sqrt((direction**2).sum(axis=2) * 2)
        parts = np.divide(product, length, out=np.zeros_like(length), where=length > 0)
        crossed.append(parts.sum(axis=1))
    alone = [plain_surprise(first), plain_surprise(second)]
    return _between(crossed, alone, plain_surprise((first + second) / 2))


def squares(first: Any, second: Any) -> Any:
    """Return Σ_t u(t)·v(t)/2 with the changes u and v of the two: on average `course.squares` of the true chances.

    Parameters
    ----------
    first, second
        As for `surprise`.
    """
    first, second, there = _both(first, second)
    return (steps(first, there) * steps(second, there)).sum(axis=(1, 2)) / 2


def greatest_gain(first: Any, second: Any) -> Between:
    """Return the most that any player gained from one time to the next, in chance of winning.

    The killer move where the times are moves. Where several players move from one time to the next it is what all of them
    did.

    Parameters
    ----------
    first, second
        As for `surprise`.
    """
    first, second, there = _both(first, second)
    gained = [steps(path, there) for path in (first, second, (first + second) / 2)]
    return _of_greatest(gained, there[:, 1:, None])


def threshold(first: Any, second: Any, winner: Any) -> Between:
    """Return the greatest chance that any later loser had, as `course.threshold` does of exact chances.

    Parameters
    ----------
    first, second
        As for `surprise`.
    winner : int array, shape (matches,)
    """
    first, second, there = _both(first, second)
    others = np.arange(first.shape[2]) != np.asarray(winner)[:, None]
    return _of_greatest([first, second, (first + second) / 2], there[:, :, None] & others[:, None])


def decisiveness(first: Any, second: Any, winner: Any) -> Any:
    """Return the share of times from when the winner is first above the threshold, as `course.decisiveness` of exact chances.

    The threshold is the middle one of `threshold`; when it is passed is told by the mean of both. Noise can still make that
    early, and a threshold that is too low does.

    Parameters
    ----------
    first, second, winner
        As for `threshold`.
    """
    limit = threshold(first, second, winner).middle
    first, second, there = _both(first, second)
    above = np.nan_to_num(of_winner((first + second) / 2, winner)) > limit[:, None] + 1e-12
    return (np.maximum.accumulate(above, axis=1) & there).sum(axis=1) / there.sum(axis=1)


def suspense(first: Any, second: Any, spans: Any, block: Any, seed: int) -> Suspense:
    """Return Σ_t √E[‖E(t+1) − E(t)‖²/2], the expectation being over all matches at the same span of times.

    That is the root mean square of what comes next, not the suspense of Ely, Frankel and Kamenica (2015): for that the
    expectation is one for each position, which two estimates of its chance do not tell. It is never less (Jensen), as it
    does not know tense positions from dull ones of the same span. The squares are those of `squares`. The root of what noise
    is left in few matches does not vanish where nothing comes.

    Parameters
    ----------
    first, second
        As for `surprise`.
    spans : int array, shape (times − 1,)
        Number of the span of each time but the last, from 0.
    block : int array, shape (matches,)
        Number of the deal of each match, from 0.
    seed : int
        Of the bootstrap over blocks.
    """
    first, second, there = _both(first, second)
    spans = np.asarray(spans)
    products = (steps(first, there) * steps(second, there)).sum(axis=2) / 2
    count = int(spans.max()) + 1
    columns = [there[:, 1:][:, spans == span].sum(axis=1) for span in range(count)]
    columns += [products[:, spans == span].sum(axis=1) for span in range(count)]
    columns.append(np.ones(len(first)))
    rows = np.stack([blocks.sums(column, block) for column in columns], axis=1)

    def roots(means: Any) -> Any:
        means = means[..., :-1] / means[..., -1:]
        times, whole = means[..., :count], np.maximum(means[..., count:], 0)
        curve = np.sqrt(np.divide(whole, times, out=np.full_like(whole, np.nan), where=times > 0))
        total = (times * np.nan_to_num(curve)).sum(axis=-1)
        return np.concatenate([total[..., None], curve], axis=-1)

    total, *curve = blocks.of_means(rows, roots, seed)
    # A step moves by 1 at the most; that nothing ever came in few blocks may be chance.
    if total.low == total.high and total.blocks < stats.AGREEING:
        most = stats.share_interval(0.0, 0.0, total.blocks)[1]
        total = replace(total, high=most * float(there[:, 1:].sum(axis=1).mean()))
    return Suspense(total, [blocks.as_share(one) for one in curve])
