"""Small games whose numbers are known exactly, and how often intervals hold the truth."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from experiments.stats import Estimate
from sim import moments
from sim.batch import Totals

HELD = (0.93, 0.97)
"""Between these lies the coverage of an honest 95% interval, over a thousand samples (95% ± 2.9 standard errors)."""


def coverage(
    make: Callable[[Any, int], Sequence[Estimate]], truths: Sequence[float], times: int = 1000
) -> list[float]:
    """Return how often each interval holds its truth.

    `make` gets a generator and a number for a seed, takes a sample and returns its estimates.
    """
    dice = np.random.default_rng(20_240_229)
    held = np.zeros(len(truths))
    for number in range(times):
        for place, (one, truth) in enumerate(zip(make(dice, number), truths, strict=True)):
            held[place] += one.low <= truth <= one.high
    return (held / times).tolist()


def within(shares: Sequence[float]) -> bool:
    """Tell whether all these coverages are honest."""
    return all(HELD[0] <= one <= HELD[1] for one in shares)


# ---- one swap: see your own card, keep it or change it for the next of the pack; the higher card wins ----


@cache
def one_swap_deals(cards: int) -> Any:
    """Return all deals, a row each: own card, the other's, the next of the pack."""
    return np.array(list(itertools.permutations(range(1, cards + 1), 3)))


def one_swap(deals: Any, threshold: int) -> Any:
    """Return what is won, 1 or −1, by who swaps cards below the threshold."""
    own, other, spare = deals.T
    return np.sign(np.where(own < threshold, spare, own) - other).astype(float)


def one_swap_seer(deals: Any) -> Any:
    """Return what is won by who knows all three cards."""
    own, other, spare = deals.T
    return np.sign(np.maximum(own, spare) - other).astype(float)


def draw(dice: Any, cards: int, deals: int) -> Any:
    """Return so many independent deals of one swap."""
    every = one_swap_deals(cards)
    return every[dice.integers(len(every), size=deals)]


LEDGER = {"own": 0.121959, "other": 0.525835, "spare": 0.279720}
"""Variance of what a threshold of 7 wins, by the card that brings it."""


@cache
def ledger_chances() -> tuple[Any, Any, float]:
    """Return what a threshold of 7 can expect with its card known, with the other's too, and at first."""
    deals = one_swap_deals(13)
    won = one_swap(deals, 7)
    own, other, _ = deals.T
    by_own = np.array([won[own == card].mean() if card else 0 for card in range(14)])
    by_both = np.zeros((14, 14))
    for a, b in {(int(a), int(b)) for a, b in deals[:, :2]}:
        by_both[a, b] = won[(own == a) & (other == b)].mean()
    return by_own, by_both, float(won.mean())


def ledger_paths(deals: Any) -> Any:
    """Return what the threshold of 7 can expect to win: at first, with its card known, the other's, and the last."""
    by_own, by_both, mean = ledger_chances()
    own, other, _ = deals.T
    return np.stack([np.full(len(deals), mean), by_own[own], by_both[own, other], one_swap(deals, 7)], axis=1)


# ---- Kuhn's poker, from the first seat, against the equilibrium of the second -----------------------------


def _kuhn_payoff(own: int, other: int, bluffs: bool, bets: bool, calls: bool) -> int:
    """Return what the first seat gains; `bluffs` is the third of the time the equilibrium bets a jack or calls a queen."""
    ahead = 1 if own > other else -1
    answers = other == 2 or (other == 1 and bluffs)
    if bets:
        return 2 * ahead if answers else 1
    if not (other == 2 or (other == 0 and bluffs)):
        return ahead
    return 2 * ahead if calls else -1


def kuhn_gains() -> dict[str, Any]:
    """Return what five players gain, a row for each pair of cards and each third of the other's randomisation.

    "random" bets and calls half of the time; "optimal" knows its card; "seer" knows both; "reader" also the third.
    """
    rows = [
        (own, other, third == 0) for own, other in itertools.permutations(range(3), 2) for third in range(3)
    ]
    plans = list(itertools.product((False, True), repeat=2))
    table = np.array([[_kuhn_payoff(*row, *plan) for plan in plans] for row in rows], dtype=float)

    def best(known: list[Any]) -> Any:
        gains = np.empty(len(rows))
        for key in set(known):
            here = [number for number, one in enumerate(known) if one == key]
            gains[here] = table[here][:, table[here].mean(axis=0).argmax()]
        return gains

    return {
        "random": table.mean(axis=1),
        "optimal": best([row[0] for row in rows]),
        "seer": best([row[:2] for row in rows]),
        "reader": best(list(rows)),
    }


# ---- noughts and crosses, both at random ------------------------------------------------------------------

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _ended(board: tuple[int, ...]) -> float | None:
    """Return the part of the win of the first player, None while the game goes on."""
    for line in _LINES:
        one = board[line[0]]
        if one and all(board[place] == one for place in line):
            return 1.0 if one == 1 else 0.0
    return None if 0 in board else 0.5


def _moves(board: tuple[int, ...]) -> list[tuple[int, ...]]:
    mark = 1 if board.count(1) == board.count(2) else 2
    return [(*board[:place], mark, *board[place + 1 :]) for place, one in enumerate(board) if one == 0]


@cache
def noughts(board: tuple[int, ...] = (0,) * 9) -> tuple[float, ...]:
    """Return what is expected of a board, exactly.

    The part of the win of the first player, the chances that the first wins and that nobody does; of what is to come the
    plies, surprise, suspense, and sum of squared changes; the second moment of the part; of the squared changes those by
    the first player's moves.
    """
    over = _ended(board)
    if over is not None:
        return (over, float(over == 1), float(over == 0.5), 0.0, 0.0, 0.0, 0.0, over**2, 0.0)
    after = np.array([noughts(one) for one in _moves(board)])
    mean = after.mean(axis=0)
    change = after[:, 0] - mean[0]
    return (
        float(mean[0]),
        float(mean[1]),
        float(mean[2]),
        float(mean[3]) + 1,
        float(mean[4] + np.abs(change).mean()),
        float(mean[5] + np.sqrt((change**2).mean())),
        float(mean[6] + (change**2).mean()),
        float(mean[7]),
        float(mean[8] + (change**2).mean() * (board.count(1) == board.count(2))),
    )


def noughts_path(dice: Any) -> tuple[list[float], list[float]]:
    """Play a game at random; return the first's expected part of the win at each time, and what square is to come."""
    board = (0,) * 9
    path, coming = [noughts(board)[0]], []
    while _ended(board) is None:
        after = _moves(board)
        coming.append(float(np.mean([(noughts(one)[0] - path[-1]) ** 2 for one in after])))
        board = after[int(dice.integers(len(after)))]
        path.append(noughts(board)[0])
    return path, coming


# ---- samples of known distributions -----------------------------------------------------------------------


def totals_of(
    x: Any,
    d: Any,
    scale: float = 1.0,
    base: tuple[Any, Any] | None = None,
    key: tuple[str, ...] = ("measure",),
) -> Totals:
    """Return the totals of one measure with these numerators and denominators of blocks."""
    x, d = (np.asarray(column, dtype=np.int64).reshape(-1, 1) for column in (x, d))
    others = (
        () if base is None else tuple(np.asarray(column, dtype=np.int64).reshape(-1, 1) for column in base)
    )
    sums = moments.sums(x, d, *others).astype(object)
    return Totals([key], [scale], sums, blocks=len(x), matches=int(d.sum()))


def wins_by_seat(dice: Any, deals: int, chances: Sequence[float], luck: float = 1.0) -> Any:
    """Return shares won by seat over as many matches a deal as there are seats, with luck of the deal in common."""
    size = len(chances)
    tilt = np.exp(luck * dice.normal(size=(deals, size)))
    odds = tilt / tilt.sum(axis=1, keepdims=True)
    # Each seat's luck is exchangeable, so the mixture has these chances whatever the luck.
    odds = (odds + np.asarray(chances)) / 2 if luck else np.tile(chances, (deals, 1))
    won = (odds.cumsum(axis=1)[:, None, :] > dice.random((deals, size, 1))).argmax(axis=2)
    return (won[:, :, None] == np.arange(size)).mean(axis=1)


def games_of_spread(dice: Any, players: int, spread: float, games: int = 50) -> Any:
    """Return wins of players whose win rates are spread about ½."""
    rates = 0.5 + spread * dice.normal(size=(players, 1))
    return (dice.random((players, games)) < rates).astype(float)


CARD_POINTS = np.array([3.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, -3.0])
"""What each of eight cards adds to a hand of three."""

CARD_DUE = CARD_POINTS - CARD_POINTS.mean()


def hands_of(dice: Any, deals: int, noise: float = 2.0) -> tuple[Any, Any, Any]:
    """Return two hands of three of each deal, their outcomes, with luck of the deal in common, and the deals."""
    order = dice.random((deals, 8)).argsort(axis=1)
    dealt = np.zeros((deals, 2, 8))
    for seat in range(2):
        np.put_along_axis(dealt[:, seat], order[:, 3 * seat : 3 * seat + 3], 1, axis=1)
    outcome = dealt @ CARD_POINTS + noise * (dice.normal(size=(deals, 1)) + dice.normal(size=(deals, 2)))
    return dealt.reshape(-1, 8), outcome.ravel(), np.repeat(np.arange(deals), 2)


def exchanges_of(dice: Any, deals: int, noise: float = 2.0, of: int = 3) -> tuple[Any, Any, Any, Any]:
    """Exchange each card of a hand of three of eight for a random other; noise of the deal stays, a third comes anew."""
    order = dice.random((deals, 8)).argsort(axis=1)
    given = order[:, :of]
    partner = np.take_along_axis(order, 3 + dice.integers(0, 5, (deals, of)), axis=1)
    gain = (
        CARD_POINTS[given]
        - CARD_POINTS[partner]
        + noise * (dice.normal(size=(deals, 1)) + dice.normal(size=(deals, of))) / 3
    )
    return given.ravel(), partner.ravel(), gain.ravel(), np.repeat(np.arange(deals), of)


def at_most(times: int, rate: float = 0.05) -> int:
    """Return how often something of this rate comes but once in 500 times more often."""
    return int(stats.binom.ppf(0.998, times, rate))


# ---- duplicate deals ------------------------------------------------------------------------------------


def pairs_of_matches(dice: Any, deals: int, together: int) -> tuple[Any, Any]:
    """Return mean and mean square of two matches a deal, won with chance ½ ± 0.4: the luck of a deal for both seats.

    Parameters
    ----------
    dice : Generator
    deals : int
    together : int
        1 if it brings the seats the same, −1 if it brings the one what it takes from the other, 0 if it is not of the deal.
    """
    luck = dice.choice([-0.4, 0.4], (deals, 2))
    if together:
        luck[:, 1] = together * luck[:, 0]
    won = (dice.random((deals, 2)) < 0.5 + luck) * 1.0
    return won.mean(axis=1), (won**2).mean(axis=1)


def expected_r_star(spread: float, games: int, mean: float = 0.5) -> float:
    """Return R* of a population of win rates θ: 2σ²/(2σ² + E[θ(1−θ)]/h), of h games a half."""
    noise = (mean * (1 - mean) - spread**2) / (games / 2)
    return 2 * spread**2 / (2 * spread**2 + noise)
