"""Choice: how many moves there are, how often there is none, and how often it matters which is taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments import stats
from experiments.metrics import blocks, sizes
from experiments.stats import Estimate


@dataclass(frozen=True)
class Options:
    """What there is to choose from.

    Attributes
    ----------
    decisions : Estimate
        A match.
    branching : Estimate
        Legal moves a decision.
    forced : Estimate
        Share of decisions with one legal move.
    heaviness : Estimate
        Legal moves looked at in a match: decisions × branching.
    bits : Estimate
        Sum of log₂ of the legal moves in a match: what it takes to write down what was chosen.
    count : int
        Decisions counted.
    """

    decisions: Estimate
    branching: Estimate
    forced: Estimate
    heaviness: Estimate
    bits: Estimate
    count: int


@dataclass(frozen=True)
class Stakes:
    """What hangs on decisions that are not forced.

    Attributes
    ----------
    matter : Estimate
        Share of them in which the best move is better than the second best beyond noise.
    by_noise : float
        Share that noise alone would show if none mattered.
    gap : Estimate
        Mean of best less second best, in the units of the values.
    stake : Estimate
        Mean of best less worst.
    count : int
        Decisions counted.
    """

    matter: Estimate
    by_noise: float
    gap: Estimate
    stake: Estimate
    count: int


def options(legal: Any, block: Any, matches: Any) -> Options:
    """Return branching, forced decisions and heaviness.

    Parameters
    ----------
    legal : int array, shape (decisions,)
        Legal moves of each, 1 or more.
    block : int array, shape (decisions,)
        Number of the block of each, from 0.
    matches : int array, shape (blocks,)
        Matches of each block.

    Raises
    ------
    ValueError
        If a decision has no legal move.
    """
    legal = np.asarray(legal)
    if legal.min() < 1:
        raise ValueError("legal: every decision has a legal move")
    matches = np.asarray(matches, dtype=float)

    def a_match(values: Any) -> Estimate:
        found = np.zeros(len(matches))
        by_block = blocks.sums(values, block)
        found[: len(by_block)] = by_block
        return blocks.ratio(found, matches, "mean", bounds=(0.0, math.inf))

    return Options(
        a_match(np.ones(len(legal))),
        blocks.by_row(legal, block, "mean", bounds=(1.0, math.inf)),
        blocks.by_row(legal == 1, block, "share"),
        a_match(legal),
        a_match(np.log2(legal)),
        len(legal),
    )


def stakes(
    first: Any, second: Any, se: Any, block: Any, bounds: tuple[float, float] = stats.UNBOUND
) -> Stakes:
    """Return how often it matters what is chosen, and by how much, from two independent estimates of each move's value.

    The best of noisy values looks better than it is. So the first estimate tells which moves are best, second best and
    worst, and the second one how far they lie apart. A decision matters if that is above 0 by the one-sided z test at 5%.

    Parameters
    ----------
    first, second : float array, shape (decisions, moves)
        Values for the player to move; NaN for what is not legal. Forced decisions are to be left out.
    se : float array, shape (decisions,)
        Standard error of the difference of two moves by the second estimate; of play-outs on the same deals, the paired
        one. 0 if values are exact.
    block : int array, shape (decisions,)
        Number of the deal of each, from 0.
    bounds : tuple of float
        The least and the greatest difference of two values that there can be.

    Raises
    ------
    ValueError
        If a decision has fewer than two moves, or the estimates are of different moves.
    """
    from scipy.special import ndtri

    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    legal = ~np.isnan(first)
    if not np.array_equal(legal, ~np.isnan(second)) or legal.sum(axis=1).min() < 2:
        raise ValueError("first, second: need the same moves, two or more a decision")
    order = np.argsort(np.where(legal, first, -np.inf), axis=1)
    last = legal.shape[1] - legal.sum(axis=1)
    places = np.stack(
        [order[:, -1], order[:, -2], np.take_along_axis(order, last[:, None], axis=1)[:, 0]], axis=1
    )
    best, next_best, worst = np.take_along_axis(second, places, axis=1).T
    gap = best - next_best
    return Stakes(
        blocks.by_row(gap > float(ndtri(1 - sizes.LEVEL)) * np.asarray(se, dtype=float), block, "share"),
        sizes.LEVEL if np.any(np.asarray(se) > 0) else 0.0,
        blocks.by_row(gap, block, "mean", bounds=bounds),
        blocks.by_row(best - worst, block, "mean", bounds=bounds),
        len(gap),
    )


def killer_move(first: Any, second: Any) -> Any:
    """Return the most by which one move of a match beat the next best, shape (matches,), in the units of the values.

    Browne's killer move (2008) is the greatest gain in the chance of winning that a move brings who makes it. That of
    `course.killer_move` asks for the chance before and after each single move; a player who sees only the own cards knows no
    more after choosing than before. What it then knows is what another move would have brought. The first estimate tells
    which moves are the best and the second-best, and at which decision they lie furthest apart; the second says how far: the
    furthest apart of noisy values would be too far, or with many moves too near. Naming a wrong decision or a wrong best move
    makes it a little too small, a wrong second-best a little too great.

    Parameters
    ----------
    first, second : float array, shape (matches, decisions)
        Best less second-best of each by two independent estimates, of which the first told which moves they are; NaN for
        decisions that are forced or not there. A match without any has 0.

    Raises
    ------
    ValueError
        If the estimates are not of the same decisions.
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    there = ~np.isnan(first)
    if not np.array_equal(there, ~np.isnan(second)):
        raise ValueError("first, second: must be of the same decisions")
    place = np.where(there, first, -np.inf).argmax(axis=1)[:, None]
    return np.take_along_axis(np.where(there, second, 0.0), place, axis=1)[:, 0]
