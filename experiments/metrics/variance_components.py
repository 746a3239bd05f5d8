"""Luck by its cause: what the deal, later chance, the players and their dice bring to a result, alone and together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments.metrics import blocks, jackknife
from experiments.metrics.variance import cleaned
from experiments.stats import Estimate

DEAL, LATER, PLAYER, OTHERS, DICE = "deal", "later chance", "player", "others", "dice"
"""The causes: who sits at the seat, and who elsewhere, are two; the dice are those of players who play by lot."""

SEATED, FIT, LOTS = "player and others", "chance and players", "chance and dice"
"""What causes bring together that none of them brings alone."""

PARTS = (DEAL, LATER, PLAYER, OTHERS, SEATED, FIT, DICE, LOTS)

CHANCE, PLAYERS = "all chance", "all players"
"""Groups of causes: the deal and later chance; who sits anywhere."""

_BOUNDED = (DEAL, LATER, PLAYER, OTHERS, DICE, CHANCE, PLAYERS)
_UPPER = "upper"


@dataclass(frozen=True)
class Causes:
    """Variance by cause. Without later chance, players or dice of their own, what would tell of them is left out.

    Attributes
    ----------
    parts : dict of str to Estimate
        Variance of each of `PARTS`, in squared points, as estimated: by chance below 0 where there is none.
    shares : dict of str to Estimate
        The same as parts of the total, cut to what lies between 0 and 1; NaN, without intervals, where nothing varies.
    lower, upper : dict of str to Estimate
        By cause and group: the share it brings alone, and the share of all in which it takes part.
    total, variance, gap : Estimate
        The variance of all matches; of those whose later chance is the deal's own; and the first less the second, the
        interval of which must hold 0.
    """

    parts: dict[str, Estimate]
    shares: dict[str, Estimate]
    lower: dict[str, Estimate]
    upper: dict[str, Estimate]
    total: Estimate
    variance: Estimate
    gap: Estimate


def causes(outcomes: Any, swapped: Any, who: Any, players: int, seed: int) -> Causes:
    """Split the variance of a seat's result by what brings it, mean over seats.

    The shares of Sobol' (1993) by pick-freeze: of two matches that have the causes u in common, all others drawn anew, the
    mean product less the square of the mean is V(u) = Var(E[Y|u]). A cause alone brings V(u), its *lower* share (the
    first-order index). Its *upper* share (the total index, Homma and Saltelli 1996) is all that the other causes do not
    explain, Var(Y) − V(all but u). What lies between they bring together: the same deal may suit some players more. Designs
    of such matches are Saltelli et al.'s (2010), the squares of differences that come with them Jansen's (1999).

    Later chance comes after the deal and has no meaning without it, nor have dice without who rolls them. So V of both
    less V of the deal is what later chance brings alone, and what it brings with players is Var(Y) − V(all but later chance);
    dice likewise beside players. Then the shares of the deal and of later chance add up to those of all chance, and the
    lower share of one side (chance; players and dice) and the upper of the other to 1.

    The mean square of who sits at the seat has less noise, so it stands for V(player): the mean over players p of α_p², with
    α_p by how much p gets more at the seat than the mean of all. Of each deal 2P·mean of (Y − Ȳ)·[p sits there] is α_p on
    average; the square of its mean is too large by its sampling variance, which is taken off. So it is with every product of
    means: all parts are unbiased.

    Parameters
    ----------
    outcomes : float array, shape (deals, 2, J, 2, 2, seats)
        Two deals, with J draws of later chance each (number 0 is the deal's own; with J = 1 it counts with the deal), and
        with each of those two line-ups, which roll two sets of dice. Line-ups and dice are the same for both deals and all
        draws of later chance.
    swapped : float array, shape (deals, 2, 2, seats)
        Of both deals with their own later chance, and both line-ups, how a seat ends if who sits there comes from the other
        line-up. With dice of their own.
    who : int array, shape (deals, 2, seats)
        The number of the player in each seat of both line-ups, from 0, each as likely.
    players : int
        P. If it is 1, nothing is said of players.
    seed : int
        Of the bootstrap over deals.

    Raises
    ------
    ValueError
        If there are fewer than two deals.
    """
    outcomes = blocks.checked(outcomes, 6, "outcomes")
    # Variances do not change, and there are more digits.
    centre = outcomes.mean(axis=(0, 1, 2, 3, 4))
    outcomes, swapped = outcomes - centre, np.asarray(swapped, dtype=float) - centre
    deals, _, redraws, _, _, seats = outcomes.shape
    rows = _rows(outcomes, swapped, _gains(outcomes, who, players))
    lots = bool(np.ptp(outcomes, axis=4).any())
    split = _Split(deals, seats, redraws, players, lots)
    found = blocks.of_means(rows, split.numbers, seed, in_replicates=lambda means: split.numbers(means, 2))
    total, variance, gap, *rest = jackknife.bounded(found, rows, split.numbers)
    keys = [("parts", name) for name in PARTS] + list(split.shares(split.parts(rows.mean(axis=0))))
    untold = {LATER, DEAL} if redraws == 1 else set()
    untold |= {PLAYER, OTHERS, SEATED, FIT, PLAYERS} if players == 1 else set()
    untold |= set() if lots else {DICE, LOTS}
    tables: dict[str, dict[str, Estimate]] = {"parts": {}, "shares": {}, "lower": {}, "upper": {}}
    for (table, name), estimate in zip(keys, rest, strict=True):
        if redraws == 1 and name == DEAL and table in ("parts", "shares"):
            name = CHANCE
        if name not in untold:
            tables[table][name] = estimate if table == "parts" else _cut(estimate)
    for name, lower in tables["lower"].items():
        tables["lower"][name], tables["upper"][name] = _in_order(lower, tables["upper"][name])
    return Causes(**tables, total=total, variance=variance, gap=gap)


def _gains(outcomes: Any, who: Any, players: int) -> Any:
    """Return what each deal says of how much more each player gets at each seat, shape (deals, seats·players)."""
    by_lineup = outcomes.mean(axis=(1, 2, 4))
    apart = by_lineup - by_lineup.mean(axis=1, keepdims=True)
    sits = np.asarray(who)[..., None] == np.arange(players)
    return 2 * players * (apart[..., None] * sits).mean(axis=1).reshape(len(outcomes), -1)


def _rows(outcomes: Any, swapped: Any, gains: Any) -> Any:
    """Return what `_Split` needs of each deal: means by seat, gains, squares of both, and products of results, see `_PRODUCTS`."""
    redraws = outcomes.shape[2]
    means = [
        outcomes.mean(axis=(1, 2, 3, 4)),
        outcomes[:, :, 0].mean(axis=(1, 2, 3)),
        swapped.mean(axis=(1, 2)),
    ]
    of_dice, later = outcomes.mean(axis=4), outcomes.mean(axis=2)
    dealt = of_dice[:, :, 0]
    products = {
        "all": outcomes**2,
        "dealt": outcomes[:, :, 0] ** 2,
        "chance": of_dice[:, :, :, 0] * of_dice[:, :, :, 1],
        "all but dice": outcomes[..., 0, :] * outcomes[..., 1, :],
        "all but chance": later[:, 0] * later[:, 1],
        "players": later[:, 0] * later[:, 1, :, ::-1],
        "all but player": swapped * dealt,
        "all but others": swapped * dealt[:, :, ::-1],
        "others": swapped * of_dice.mean(axis=2)[:, ::-1],
    }
    if redraws > 1:
        pairs = redraws * (redraws - 1)
        over = of_dice.sum(axis=2)
        products["deal"] = (over[:, :, 0] * over[:, :, 1] - products["chance"].sum(axis=2)) / pairs
        products["all but later"] = (outcomes.sum(axis=2) ** 2 - (outcomes**2).sum(axis=2)) / pairs
    else:
        products["deal"], products["all but later"] = products["chance"], products["all"]
    whole, dealt_mean, mixed = means
    of_means = [(x * y).mean(axis=1) for x, y in _centres(whole, dealt_mean, mixed)]
    of_products = [products[name].reshape(len(outcomes), -1).mean(axis=1) for name in _PRODUCTS]
    columns = [(gains**2).mean(axis=1), *of_means, *of_products]
    return np.concatenate([*means, gains, np.stack(columns, axis=1)], axis=1)


_PRODUCTS = (
    "all", "chance", "deal", "all but dice", "all but later", "all but chance", "players",  # both of the same mean
    "dealt", "all but player", "all but others", "others",
)  # fmt: skip
"""Of two results, by the causes they have in common."""


def _centres(whole: Any, dealt: Any, swapped: Any) -> list[tuple[Any, Any]]:
    """Return whose means are to be taken off the products: of the first seven, and of each of the rest."""
    return [(whole, whole), (dealt, dealt), (dealt, swapped), (dealt, swapped), (whole, swapped)]


@dataclass(frozen=True)
class _Split:
    """What the means of rows say, by the sizes of the design, and by whether dice change anything."""

    deals: int
    seats: int
    redraws: int
    players: int
    lots: bool

    def parts(self, means: Any, times: int = 1) -> dict[str, Any]:
        """Return the parts, the variances, and what else the other causes do not explain, each of shape (…).

        `times` is 2 in replicates, see `blocks.of_means`.
        """
        cuts = np.cumsum([self.seats] * 3 + [self.seats * self.players])
        whole, dealt, swapped, gain, rest = np.split(means, cuts, axis=-1)
        gain_square, *squares = np.moveaxis(rest, -1, 0)
        few = times / (self.deals - 1)
        centres = []
        for (x, y), product in zip(_centres(whole, dealt, swapped), squares[:5], strict=True):
            both = (x * y).mean(axis=-1)
            centres.append(both - few * (product - both))
        off = centres[:1] * 7 + centres[1:]
        v = {
            name: cleaned(product - c, squares[5])
            for name, product, c in zip(_PRODUCTS, squares[5:], off, strict=True)
        }
        alone = (gain**2).mean(axis=-1)
        player = alone - few * (gain_square - alone)
        if not self.lots:
            v["all but dice"], v["all but chance"] = v["all"], v["players"]
        if self.players == 1:
            v["all but dice"], none = v["chance"], np.zeros_like(player)
            v["players"] = v["others"] = player = none
            v["all but player"] = v["all but others"] = v["chance"]
        dice = v["all but chance"] - v["players"]
        parts = {
            DEAL: v["deal"],
            LATER: v["chance"] - v["deal"],
            PLAYER: player,
            OTHERS: v["others"],
            SEATED: v["players"] - player - v["others"],
            FIT: v["all but dice"] - v["chance"] - v["players"],
            DICE: dice,
            LOTS: v["all"] - v["all but dice"] - dice,
            "total": v["all"],
            "variance": v["dealt"],
            CHANCE: v["chance"],
            PLAYERS: v["players"],
        }
        parts |= {
            f"{_UPPER} {DEAL}": v["all but later"] - v["all but chance"],
            f"{_UPPER} {LATER}": v["all"] - v["all but later"],
            f"{_UPPER} {PLAYER}": v["all but dice"] - v["all but player"],
            f"{_UPPER} {OTHERS}": v["all but dice"] - v["all but others"],
            f"{_UPPER} {DICE}": v["all"] - v["all but dice"],
            f"{_UPPER} {CHANCE}": v["all"] - v["all but chance"],
            f"{_UPPER} {PLAYERS}": v["all but dice"] - v["chance"],
        }
        return {name: cleaned(part, squares[5]) for name, part in parts.items()}

    def shares(self, parts: dict[str, Any]) -> dict[tuple[str, str], Any]:
        """Return the shares by table of `Causes` and name, each of shape (…); NaN where nothing varies."""
        tables = {
            "shares": {name: parts[name] for name in PARTS},
            "lower": {name: parts[name] for name in _BOUNDED},
            "upper": {name: parts[f"{_UPPER} {name}"] for name in _BOUNDED},
        }
        total = parts["total"]
        return {
            (table, name): np.divide(part, total, out=np.full_like(total, np.nan), where=total > 0)
            for table, named in tables.items()
            for name, part in named.items()
        }

    def numbers(self, means: Any, times: int = 1) -> Any:
        """Return total, variance, gap, parts and shares, shape (…, numbers)."""
        parts = self.parts(means, times)
        total, variance = parts["total"], parts["variance"]
        of_all = [parts[name] for name in PARTS]
        return np.stack([total, variance, total - variance, *of_all, *self.shares(parts).values()], axis=-1)


def _cut(share: Estimate) -> Estimate:
    """Return the estimate of a share cut to what lies between 0 and 1."""
    return blocks.as_share(replace(share, value=min(max(share.value, 0.0), 1.0)))


def _in_order(lower: Estimate, upper: Estimate) -> tuple[Estimate, Estimate]:
    """Return the estimates of a lower and an upper share; where noise puts the first above the second, both are the surer."""
    if lower.value > upper.value:
        value = min(lower, upper, key=lambda share: share.se).value
        lower, upper = replace(lower, value=value), replace(upper, value=value)
    lower = replace(
        lower, low=min(lower.low, lower.value), high=max(min(lower.high, upper.high), lower.value)
    )
    return lower, replace(
        upper, low=min(max(upper.low, lower.low), upper.value), high=max(upper.high, upper.value)
    )
