"""What a seat wins and scores for each value of a label (`sim.events.Label`), with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from experiments import stats
from experiments.stats import Estimate, Kind
from sim import labels, registry
from sim.batch import Batch, Totals
from sim.events import Label
from sim.moments import DD, XD, XX, D, X

LISTED = 400
"""Values that ``--json`` lists."""

_KINDS: dict[str, Kind] = {"share": "share", "score": "mean", "win": "share"}


@dataclass(frozen=True)
class Value:
    """One value of a label.

    Attributes
    ----------
    text : str
        The value as people write it.
    appearances : int
        How many seats of matches have it.
    share : Estimate
        Of all seats and matches.
    score, win : Estimate
        What those who have it score, and their part of the win.
    """

    key: int
    text: str
    appearances: int
    share: Estimate
    score: Estimate
    win: Estimate


def of_game(game: str) -> tuple[Label, ...]:
    """Return the labels of a game."""
    return tuple(registry.find(game).state.LABELS)


def values(batch: Batch, totals: Totals, label: Label, *, family_size: int = 1) -> list[Value]:
    """Return the values of a label, the commonest first.

    The estimates are ratios of sums over blocks (`experiments.stats.estimate`); a block without the value adds
    nothing to either sum. What those who have it win and score rests on the blocks with it alone, n²/Σn² of them:
    their number if it came equally often in all, and fewer otherwise. Below 2 there is no interval of the mean.

    Parameters
    ----------
    totals : Totals
        Of that batch.
    family_size : int
        See `experiments.stats.estimate`.
    """
    found = totals.labels.get(label.name, {})
    order = sorted(found, key=lambda key: (-found[key][labels.N], key))
    text = registry.find(batch.draft.game).text
    measures = _measures(batch, totals, label.name, order)
    values = []
    for number, key in enumerate(order):
        n, squares = found[key][labels.N], found[key][labels.NN]
        blocks = {"share": totals.blocks, "score": n * n // squares, "win": n * n // squares}
        estimates = {
            name: stats.estimate(
                measures, number * len(_KINDS) + place, kind, blocks=blocks[name], family_size=family_size
            )
            for place, (name, kind) in enumerate(_KINDS.items())
        }
        values.append(Value(key, text.label_text(label.name, key), n, **estimates))
    return values


def _measures(batch: Batch, totals: Totals, name: str, order: list[int]) -> Totals:
    """Return totals whose measures are those of `_KINDS` for each value in turn."""
    seats, squares = _seats(batch, totals)
    columns = []
    for key in order:
        n, wins, scores, nn, nw, ww, ns, ss, nb = totals.labels[name][key]
        columns += [(n, seats, nn, nb, squares), (scores, n, ss, ns, nn), (wins, n, ww, nw, nn)]
    sums = np.zeros((9, len(columns)), dtype=object)
    for number, column in enumerate(columns):
        sums[[X, D, XX, XD, DD], number] = column
    scale = dict(zip(totals.keys, totals.scales, strict=True))
    return Totals(
        [("label", name, key, what) for key in order for what in _KINDS],
        [1.0, scale["score", "seat", 0], scale["win", "seat", 0]] * len(order),
        sums,
        blocks=totals.blocks,
        matches=totals.matches,
    )


def _seats(batch: Batch, totals: Totals) -> tuple[int, int]:
    """Return the sums of b and b² over blocks, b being the seats and matches of one; the last may be shorter."""
    players = batch.draft.players
    whole, rest = divmod(totals.matches, batch.period)
    return players * totals.matches, players**2 * (whole * batch.period**2 + rest**2)


def commonest(label: Label, lists: list[list[Value]], most: int) -> list[Value]:
    """Return the values with the greatest shares over all lists, each as the first list with it has it.

    The commonest comes first, but those of an ordered label are in their order.
    """
    shares: dict[int, float] = {}
    first: dict[int, Value] = {}
    for value in chain.from_iterable(lists):
        shares[value.key] = shares.get(value.key, 0.0) + value.share.value
        first.setdefault(value.key, value)
    keys = sorted(shares, key=lambda key: (-shares[key], key))[:most]
    return [first[key] for key in (sorted(keys) if label.ordered else keys)]


# ---- as data --------------------------------------------------------------------------------------------


def row(value: Value) -> dict[str, Any]:
    """Return a value as a flat row."""
    return {
        "value": value.text,
        "appearances": value.appearances,
        "share": value.share.value,
        "share_low": value.share.low,
        "share_high": value.share.high,
        "mean_score": value.score.value,
        "score_se": value.score.se,
        "score_low": value.score.low,
        "score_high": value.score.high,
        "win_share": value.win.value,
        "win_low": value.win.low,
        "win_high": value.win.high,
    }


def summary(values: list[Value]) -> dict[str, Any]:
    """Return what ``--json`` prints of a label."""
    return {
        "different": len(values),
        "values": [
            {
                "value": value.text,
                "appearances": value.appearances,
                "share": value.share.value,
                "mean_score": value.score.value,
                "win_share": value.win.value,
                "intervals": {
                    "share": value.share.interval,
                    "mean_score": value.score.interval,
                    "win_share": value.win.interval,
                },
            }
            for value in values[:LISTED]
        ],
    }
