"""Moving between classes from game to game: who stays, who escapes, where it settles. For games of places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks
from experiments.stats import Estimate


@dataclass(frozen=True)
class Mobility:
    """What a matrix of transitions says; classes are in order, the best first.

    Attributes
    ----------
    matrix : list of list of Estimate
        How often who was in the class of the row is in that of the column in the next game.
    stays : Estimate
        Share that is in the same class in the next game.
    stickiness : Estimate
        (stays − chance)/(1 − chance), chance being what independent games would give with classes as common as they
        were: 0 if the last game does not matter, 1 if nobody moves.
    escape : Estimate
        Mean number of games from the last class to one of the goal.
    stationary : list of Estimate
        Where a player is in the long run.
    transitions : int
        Counted.
    """

    matrix: list[list[Estimate]]
    stays: Estimate
    stickiness: Estimate
    escape: Estimate
    stationary: list[Estimate]
    transitions: int


def mobility(counts: Any, seed: int, *, goal: int | None = None) -> Mobility:
    """Read mobility off the counts of transitions, as a Markov chain (Prais 1955; Kemeny and Snell 1960).

    The games to escape are those to absorption of the chain whose goal absorbs: t = (I − Q)⁻¹·1. Stickiness is Cohen's
    κ (1960) of the classes of two games in a row. The chain forgets all but the last game; bots do. Own code: numpy's
    linear algebra.

    Parameters
    ----------
    counts : int array, shape (blocks, classes, classes)
        Of each deal, how often who was in the class of the row was in that of the column in the next game.
    seed : int
        Of the bootstrap over blocks.
    goal : int, optional
        How many of the best classes count as escape; all but the last without it.

    Raises
    ------
    ValueError
        If a class never came, the goal is none, or the chain falls apart, so that nobody can leave some classes.
    """
    counts = blocks.checked(counts, 3, "counts")
    classes = counts.shape[1]
    goal = classes - 1 if goal is None else goal
    if counts.shape[2] != classes or not 1 <= goal < classes:
        raise ValueError(f"counts: needs classes × classes, and a goal of 1 to {classes - 1} of them")
    whole = counts.sum(axis=0)
    if (whole.sum(axis=1) == 0).any():
        raise ValueError("counts: some class never came")
    moves = whole > 0
    if not np.linalg.matrix_power((moves | np.eye(classes, dtype=bool)).astype(float), classes).all():
        raise ValueError("counts: some class is never reached from some other")

    def numbers(means: Any) -> Any:
        table = means.reshape(*means.shape[:-1], classes, classes)
        row = table.sum(axis=-1)
        everything = row.sum(axis=-1)
        chances = table / row[..., None]
        stays = np.trace(table, axis1=-2, axis2=-1) / everything
        chance = (row * table.sum(axis=-2)).sum(axis=-1) / everything**2
        sticky = (stays - chance) / (1 - chance)
        inside = np.eye(classes - goal) - chances[..., goal:, goal:]
        escape = np.linalg.solve(inside, np.ones((*inside.shape[:-1], 1)))[..., -1, 0]
        # π(P − I) = 0 with the last equation replaced by Σπ = 1.
        system = np.swapaxes(chances, -1, -2) - np.eye(classes)
        system[..., -1, :] = 1
        wanted = np.zeros((*system.shape[:-1], 1))
        wanted[..., -1, 0] = 1
        settled = np.linalg.solve(system, wanted)[..., 0]
        few = np.stack([stays, sticky, escape], axis=-1)
        return np.concatenate([few, settled], axis=-1)

    stays, sticky, escape, *settled = blocks.of_means(counts.reshape(len(counts), -1), numbers, seed)
    matrix = [
        [blocks.ratio(counts[:, i, j], counts[:, i].sum(axis=1), "share") for j in range(classes)]
        for i in range(classes)
    ]
    return Mobility(matrix, stays, sticky, escape, settled, int(whole.sum()))
