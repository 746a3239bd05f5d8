"""Luck by its cause: the variance of a result as the deal, later chance, and what the players decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks, jackknife
from experiments.metrics.variance import of_their_sum
from experiments.stats import Estimate

CAUSES = ("deal", "later chance", "decisions")
TOGETHER = ("chance", "decisions")
"""Where later chance is not drawn anew: it stays with the deal."""

DECISIONS = ("player", "others")
"""Of the last cause, where it is known who sat where: who sits at the seat, and all the rest."""


@dataclass(frozen=True)
class Causes:
    """Variance by cause.

    Attributes
    ----------
    parts : dict of str to Estimate
        Variance of each of `CAUSES` (or `TOGETHER`, with `DECISIONS` for the last), in squared points, as estimated: by
        chance below 0 where there is none.
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


def causes(outcomes: Any, seed: int, who: Any = None, players: int = 0) -> Causes:
    """Split the variance of a seat's result by what brings it, mean over seats.

    Var(Y) = Var(E[Y|deal]) + E[Var(E[Y|deal, later]|deal)] + E[Var(Y|deal, later)]. With J re-draws of later chance for a
    deal and K of the players for each of those, from the mean squares of the nested analysis of variance, which is
    unbiased (Searle, Casella and McCulloch 1992): of the means by re-draw and by deal

    decisions = mean s²(Y), later = mean s²(Ȳ_ij) − decisions/K, deal = s²(Ȳ_i) − mean s²(Ȳ_ij)/J.

    Where it is known who sits where, drawn at random from P players for each seat, decisions are split: player = mean over
    players p of α_p², with α_p by how much p at the seat gets more than the mean of all. Of each deal P·K/(K−1)·mean of
    (Y − Ȳ_ij)·[p sits there] is α_p on average, and the square of its mean is too large by its sampling variance, which is
    taken off. The rest is who else sits down, how each fits a deal, and the dice of those who play by lot.

    Own code: statsmodels estimates such parts by likelihood, under normal errors.

    Parameters
    ----------
    outcomes : float array, shape (deals, J, K, seats)
        Later chance number 0 of each deal is its own, the others are drawn anew. With J = 1 later chance counts with the
        deal.
    seed : int
        Of the bootstrap over deals.
    who : int array, shape as outcomes, optional
        The number of the player in each seat, from 0.
    players : int
        P, with `who`.

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
    gains = _gains(outcomes, who, players)
    columns.append((gains**2).mean(axis=1))
    rows = np.concatenate([by_deal, own, gains, np.stack(columns, axis=1)], axis=1)
    few = deals / (deals - 1)

    def entries(means: Any, times: int = 1) -> Any:
        grand, own_grand = means[..., :seats], means[..., seats : 2 * seats]
        gain = means[..., 2 * seats : -6]
        square, own_square, later, decided, own_decided, gain_square = np.moveaxis(means[..., -6:], -1, 0)
        of_deals = few**times * (square - (grand**2).mean(axis=-1))
        variance = few**times * (own_square - (own_grand**2).mean(axis=-1)) + (1 - 1 / lineups) * own_decided
        if redraws > 1:
            parts = [of_deals - later / redraws, later - decided / lineups, decided]
        else:
            parts = [of_deals - decided / lineups, decided]
        if who is not None:
            raw = (gain**2).mean(axis=-1)
            player = raw - times * (gain_square - raw) / (deals - 1)
            parts[-1:] = [player, decided - player]
        total = np.sum(parts, axis=0)
        found = np.stack(parts, axis=-1)
        shares = of_their_sum(found)
        return np.concatenate(
            [np.stack([total, variance, total - variance], axis=-1), found, shares], axis=-1
        )

    found = blocks.of_means(rows, entries, seed, in_replicates=lambda means: entries(means, 2))
    total, variance, gap, *rest = jackknife.bounded(found, rows, entries)
    names: tuple[str, ...] = CAUSES if redraws > 1 else TOGETHER
    if who is not None:
        names = names[:-1] + DECISIONS
    parts, shares = rest[: len(names)], [blocks.as_share(one) for one in rest[len(names) :]]
    by_name = dict(zip(names, parts, strict=True))
    return Causes(by_name, dict(zip(names, shares, strict=True)), total, variance, gap)


def _gains(outcomes: Any, who: Any, players: int) -> Any:
    """Return what each deal says of how much more each player gets at each seat, shape (deals, seats·players)."""
    deals, _, lineups, seats = outcomes.shape
    if who is None:
        return np.zeros((deals, 1))
    apart = outcomes - outcomes.mean(axis=2, keepdims=True)
    sits = np.asarray(who)[..., None] == np.arange(players)
    scale = players * lineups / (lineups - 1)
    return scale * (apart[..., None] * sits).mean(axis=(1, 2)).reshape(deals, seats * players)
