"""What a card is worth in the hand that is dealt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks
from experiments.metrics.libraries import statsmodels
from experiments.stats import Estimate


@dataclass(frozen=True)
class Worth:
    """One card.

    Attributes
    ----------
    card : int
        Its column.
    value : Estimate
        What it is worth, in the units of the outcome; the intervals of all cards hold at once. NaN if the
        card was dealt always or never.
    dealt, not_dealt : int
        Hands with and without it.
    """

    card: int
    value: Estimate
    dealt: int
    not_dealt: int

    @property
    def dominant(self) -> bool:
        """Whether it clearly helps."""
        return self.value.low > 0

    @property
    def dead(self) -> bool:
        """Whether it clearly hurts."""
        return self.value.high < 0


def _checked(dealt: Any, outcome: Any, block: Any) -> tuple[Any, Any, Any]:
    dealt, outcome, block = (
        np.asarray(dealt, dtype=float),
        np.asarray(outcome, dtype=float),
        np.asarray(block),
    )
    if dealt.ndim != 2 or outcome.shape != dealt.shape[:1] or block.shape != outcome.shape:
        raise ValueError(f"dealt {dealt.shape}, outcome {outcome.shape}, block {block.shape}: do not fit")
    if not np.isin(dealt, (0, 1)).all() or not np.isfinite(outcome).all():
        raise ValueError("dealt: must be 0 or 1; outcome: must be finite")
    return dealt, outcome, np.unique(block, return_inverse=True)[1]


def plain_worth(dealt: Any, outcome: Any, block: Any, seed: int) -> list[Worth]:
    """Return the mean outcome with a card less that without it: what comes with the card, other cards included.

    The error of a difference of ratios over blocks (Cochran 1977, section 6.3); intervals by the bootstrap max-t.

    Parameters
    ----------
    dealt : 0/1 array, shape (hands, cards)
        The cards of a seat's hand.
    outcome : float array, shape (hands,)
        What that seat won, from 0 to 1, or scored, in points.
    block : int array, shape (hands,)
        Number of the deal of each hand.
    seed : int
    """
    dealt, outcome, block = _checked(dealt, outcome, block)
    hands = len(outcome)
    times = dealt.sum(axis=0)
    known = (times > 0) & (times < hands)
    values = np.full(dealt.shape[1], np.nan)
    errors = np.zeros((int(block.max()) + 1, dealt.shape[1]))
    for card in np.flatnonzero(known):
        have = dealt[:, card]
        parts = []
        for here in (have, 1 - have):
            x, d = blocks.sums(here * outcome, block), blocks.sums(here, block)
            parts.append((x.sum() / d.sum(), blocks.influence(x, d)))
        values[card] = parts[0][0] - parts[1][0]
        errors[:, card] = parts[0][1] - parts[1][1]
    return _worths(values, errors, times, hands, seed)


def _worths(values: Any, errors: Any, times: Any, hands: int, seed: int) -> list[Worth]:
    n = len(errors)
    if n < 2:
        raise ValueError("block: needs two blocks or more")
    known = ~np.isnan(values)
    reach = blocks.at_once(errors[:, known], seed) if known.any() else math.nan
    se = np.where(known, np.std(errors, axis=0, ddof=1) / math.sqrt(n), np.nan)
    return [
        Worth(
            card,
            Estimate(float(value), float(s), float(value - reach * s), float(value + reach * s), n),
            int(times[card]),
            hands - int(times[card]),
        )
        for card, (value, s) in enumerate(zip(values, se, strict=True))
    ]


def adjusted_worth(dealt: Any, outcome: Any, block: Any, seed: int) -> list[Worth]:
    """Return what a card is worth with the others held fixed, above the mean card: by regression on all cards.

    In hands of one size a card can only come in place of another, so values are told from their mean. Least squares by
    statsmodels; the error over blocks is that of Liang and Zeger (1986), intervals by the bootstrap max-t.

    Parameters
    ----------
    dealt, outcome, block, seed
        As for `plain_worth`. Cards always or never dealt have no value, and do not count for the mean.

    Raises
    ------
    ValueError
        If there are too few hands for so many cards, or cards that always come together.
    """
    dealt, outcome, block = _checked(dealt, outcome, block)
    hands, cards = dealt.shape
    times = dealt.sum(axis=0)
    known = (times > 0) & (times < hands)
    count = int(known.sum())
    # In hands of one size the cards add up to a constant, and stand for it.
    constant = [] if np.ptp(dealt[:, known].sum(axis=1)) == 0 else [np.ones(hands)]
    design = np.column_stack([dealt[:, known], *constant])
    if hands <= design.shape[1] + 1 or np.linalg.matrix_rank(design) < design.shape[1]:
        raise ValueError("dealt: the cards came too seldom, or always together, to be told apart")
    fit = statsmodels("regression.linear_model").OLS(outcome, design).fit()
    centre = np.eye(count) - 1 / count
    values = np.full(cards, np.nan)
    values[known] = centre @ fit.params[:count]
    # What each hand adds to the error of each value; summed by block, times the number of blocks as in `influence`.
    pulls = (design @ fit.normalized_cov_params)[:, :count] @ centre * fit.resid[:, None]
    blocks_in_all = int(block.max()) + 1
    errors = np.zeros((blocks_in_all, cards))
    errors[:, known] = np.stack([blocks.sums(column, block) for column in pulls.T], axis=1) * blocks_in_all
    # Residuals are smaller than errors, by as much as the parameters took from the hands.
    errors *= math.sqrt(hands / fit.df_resid)
    return _worths(values, errors, times, hands, seed)
