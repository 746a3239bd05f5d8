"""Luck by its cause: the variance of a result as the deal, later chance, and what the players decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks
from experiments.stats import Estimate

CAUSES = ("deal", "later chance", "decisions")
TOGETHER = ("chance", "decisions")
"""Where later chance is not drawn anew: it stays with the deal."""


@dataclass(frozen=True)
class Causes:
    """Variance by cause.

    Attributes
    ----------
    parts : dict of str to Estimate
        Variance of each of `CAUSES` (or `TOGETHER`), in squared points, as estimated: by chance below 0 where there is none.
    shares : dict of str to Estimate
        The same, those below 0 cut to 0, as parts of their sum; NaN, without intervals, where nothing varies.
    total, variance, gap : Estimate
        The sum of the parts; the variance of the matches whose later chance is the deal's own; and the first less the
        second, the interval of which must hold 0. Of `TOGETHER` they are the same by construction.
    """

    parts: dict[str, Estimate]
    shares: dict[str, Estimate]
    total: Estimate
    variance: Estimate
    gap: Estimate


def causes(outcomes: Any, seed: int) -> Causes:
    """Split the variance of a seat's result by what brings it, mean over seats.

    Var(Y) = Var(E[Y|deal]) + E[Var(E[Y|deal, later]|deal)] + E[Var(Y|deal, later)]. With J re-draws of later chance for a
    deal and K of the players for each of those, from the mean squares of the nested analysis of variance, which is
    unbiased (Searle, Casella and McCulloch 1992): of the means by re-draw and by deal

    decisions = mean s²(Y), later = mean s²(Ȳ_ij) − decisions/K, deal = s²(Ȳ_i) − mean s²(Ȳ_ij)/J.

    Own code: statsmodels estimates such parts by likelihood, under normal errors.

    Parameters
    ----------
    outcomes : float array, shape (deals, J, K, seats)
        Later chance number 0 of each deal is its own, the others are drawn anew. With J = 1 later chance counts with the
        deal.
    seed : int
        Of the bootstrap over deals.

    Raises
    ------
    ValueError
        If there are fewer than two deals or re-draws of the players.
    """
    outcomes = blocks.checked(outcomes, 4, "outcomes")
    deals, redraws, lineups, seats = outcomes.shape
    if lineups < 2:
        raise ValueError("outcomes: one re-draw of the players cannot tell what they decide")
    by_redraw = outcomes.mean(axis=2)
    by_deal, own = by_redraw.mean(axis=1), by_redraw[:, 0]
    within = outcomes.var(axis=2, ddof=1).mean(axis=2)
    between = by_redraw.var(axis=1, ddof=1).mean(axis=1) if redraws > 1 else np.zeros(deals)
    columns = [
        (by_deal**2).mean(axis=1),
        (own**2).mean(axis=1),
        between,
        within.mean(axis=1),
        within[:, 0],
    ]
    rows = np.concatenate([by_deal, own, np.stack(columns, axis=1)], axis=1)
    few = deals / (deals - 1)

    def entries(means: Any, times: int = 1) -> Any:
        grand, own_grand = means[..., :seats], means[..., seats : 2 * seats]
        square, own_square, later, decided, own_decided = np.moveaxis(means[..., 2 * seats :], -1, 0)
        of_deals = few**times * (square - (grand**2).mean(axis=-1))
        variance = few**times * (own_square - (own_grand**2).mean(axis=-1)) + (1 - 1 / lineups) * own_decided
        if redraws > 1:
            parts = [of_deals - later / redraws, later - decided / lineups, decided]
        else:
            parts = [of_deals - decided / lineups, decided]
        total = np.sum(parts, axis=0)
        found = np.stack(parts, axis=-1)
        cut = np.maximum(found, 0)
        whole = cut.sum(axis=-1, keepdims=True)
        shares = np.divide(cut, whole, out=np.full_like(cut, np.nan), where=whole > 0)
        return np.concatenate(
            [np.stack([total, variance, total - variance], axis=-1), found, shares], axis=-1
        )

    total, variance, gap, *rest = blocks.of_means(
        rows, entries, seed, in_replicates=lambda means: entries(means, 2)
    )
    names = CAUSES if redraws > 1 else TOGETHER
    parts, shares = rest[: len(names)], rest[len(names) :]
    by_name = dict(zip(names, parts, strict=True))
    return Causes(by_name, dict(zip(names, shares, strict=True)), total, variance, gap)
