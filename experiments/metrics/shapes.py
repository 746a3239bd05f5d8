"""How many kinds of something there are in play, each weighed by how often it comes: shapes of sets, distinct scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks
from experiments.stats import Estimate


@dataclass(frozen=True)
class Shape:
    """One kind.

    Attributes
    ----------
    share : Estimate
        Of all seats and matches, the part that has it.
    of_wins : Estimate
        Of all wins, the part that goes to it.
    win : Estimate
        What a seat that has it wins.
    """

    key: int
    share: Estimate
    of_wins: Estimate
    win: Estimate


@dataclass(frozen=True)
class Spread:
    """How kinds are spread.

    Attributes
    ----------
    distinct : Estimate
        Effective number of kinds: exp of the entropy, which is their number if all are as common (Hill 1973).
    winning : Estimate
        The same of those that win, each weighed by its part of the wins.
    shapes : list of Shape
        The commonest first; the intervals of each sort hold at once.
    count : int
        Kinds that came at all.
    """

    distinct: Estimate
    winning: Estimate
    shapes: list[Shape]
    count: int


def effective_number(shares: Any, squares: Any, deals: int, times: int = 1) -> Any:
    """Return exp of the entropy of shares, with what the entropy of so few deals lacks added.

    Miller (1955) has (kinds − 1)/2n for independent draws; here half the sum of Var(p̂)/p, with the variance over deals.

    Parameters
    ----------
    shares, squares : float array, shape (…, kinds)
        Means over deals of the share of each kind in a deal, and of its square.
    times : int
        How often what is lacking is added: twice in replicates of a bootstrap, whose means lack it twice.
    """
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    errors = (squares - shares**2) / (deals - 1)
    lacking = np.divide(errors, 2 * shares, out=np.zeros_like(shares), where=shares > 0).sum(axis=-1)
    return np.exp(times * lacking - (shares * logs).sum(axis=-1))


def spread(keys: Any, wins: Any, seed: int, *, most: int = 20) -> Spread:
    """Tell how kinds are spread over seats and over wins.

    Parameters
    ----------
    keys : int array, shape (deals, seats)
        The kind that each seat has.
    wins : float array, shape (deals, seats)
        What each seat wins of the match, 1 in all.
    seed : int
        Of the bootstrap over deals.
    most : int
        Kinds that are told one by one.

    Raises
    ------
    ValueError
        If the two are not of the same seats.
    """
    keys, wins = np.asarray(keys), blocks.checked(wins, 2, "wins")
    if keys.shape != wins.shape:
        raise ValueError("keys, wins: must be of the same deals and seats")
    deals, seats = keys.shape
    names, place = np.unique(keys, return_inverse=True)
    place = place.reshape(deals, seats) + len(names) * np.arange(deals)[:, None]

    def by_kind(weights: Any) -> Any:
        size = deals * len(names)
        return np.bincount(place.ravel(), weights.ravel(), minlength=size).reshape(deals, -1)

    had, won = by_kind(np.ones(keys.shape)), by_kind(wins)

    def numbers(means: Any, times: int = 1) -> Any:
        shares, squares, wins, win_squares = np.split(means, 4, axis=-1)
        distinct = effective_number(shares, squares, deals, times)
        return np.stack([distinct, effective_number(wins, win_squares, deals, times)], axis=-1)

    rows = np.concatenate([had / seats, (had / seats) ** 2, won, won**2], axis=1)
    distinct, winning = blocks.of_means(rows, numbers, seed, in_replicates=lambda means: numbers(means, 2))
    order = np.argsort(-had.sum(axis=0), kind="stable")[:most]
    told = [
        Shape(
            int(names[kind]),
            blocks.share(had[:, kind] / seats, len(order)),
            blocks.share(won[:, kind], len(order)),
            blocks.ratio(won[:, kind], had[:, kind], "share", len(order)),
        )
        for kind in order
    ]
    return Spread(distinct, winning, told, len(names))
