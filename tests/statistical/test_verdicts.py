"""Rare events: what comes in one deal of a hundred is called equivalent or different no more often than stated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from experiments.metrics import verdicts
from experiments.metrics.verdicts import Looks, PairedSummary, Sequential
from experiments.studies.compare.hypotheses import BUNCH
from tests.support_metrics import at_most

pytestmark = pytest.mark.slow

MARGIN = 0.01
LOOKS = Looks(100, 1.1)


def summary(ups: int, downs: int, blocks: int) -> PairedSummary:
    """Return what is known of a claim of which so many blocks differed by 1 and by −1."""
    value = (ups - downs) / blocks
    sd = math.sqrt(max((ups + downs) / blocks - value**2, 0) * blocks / (blocks - 1))
    return PairedSummary(value, sd, blocks, MARGIN, 1.0)


def counted(dice: Any, rates: Any, blocks: int) -> Any:
    """Return how many of so many blocks differed by 1 and by −1, of each claim; rates of shape (claims, 2)."""
    return dice.multinomial(blocks, np.column_stack([rates, 1 - rates.sum(axis=1)]))[:, :2]


def truth(claims: int, rare: int, more: float, less: float) -> Any:
    """Return the rates of claims of which some are rare and off by more − less, and the others 0 and frequent."""
    return np.array([(more, less)] * rare + [(0.1, 0.1)] * (claims - rare))


def until_decided(dice: Any, rates: Any, aim: int, limit: int) -> list[str]:
    """Return the words in which a comparison ends that goes on until decided, or to the limit."""
    until = Sequential([aim] * len(rates), LOOKS)
    counts = np.zeros((len(rates), 2), int)
    for stretch in LOOKS.stretches(limit):
        counts += counted(dice, rates, len(stretch))
        until.look(
            {
                claim: summary(*counts[claim], stretch.stop)
                for claim in range(len(rates))
                if not until.is_decided(claim)
            },
            stretch.stop,
        )
    return [verdict.word if verdict else "undecided" for verdict in until.verdicts()]


@pytest.mark.parametrize(
    ("claims", "rare", "blocks"),
    [(1, 1, 300), (1, 1, 400), (22, 5, 600), (22, 22, 600), (22, 22, 2000), (100, 100, 1000)],
)
def test_one_look_at_rare_events_a_margin_off(claims: int, rare: int, blocks: int) -> None:
    dice = np.random.default_rng(1)
    times = 2000 if claims == 1 else 300
    wrong = 0
    for _ in range(times):
        counts = counted(dice, truth(claims, rare, 0.0101, 0), blocks)
        said = verdicts.judge([summary(*count, blocks) for count in counts])
        wrong += any(verdict is not None and verdict.word == "equivalent" for verdict in said[:rare])
    assert wrong <= at_most(times)


@pytest.mark.parametrize("blocks", [300, 400, 600, 1000, 1500, 3000])
@pytest.mark.parametrize("size", [1, 3, 4])
def test_one_look_at_counts_that_come_in_bunches_a_margin_off(size: int, blocks: int) -> None:
    """As many at once as the bound of what never came, or fewer; where any came, it is known how far off that is."""
    dice = np.random.default_rng(4)
    wrong, times = 0, 2000
    for came in dice.poisson(1.01 * MARGIN / size * blocks, times):
        value = came * size / blocks
        sd = math.sqrt((came * size**2 / blocks - value**2) * blocks / (blocks - 1))
        seen = PairedSummary(value, sd, blocks, MARGIN, BUNCH["count"])
        (verdict,) = verdicts.judge([seen])
        wrong += verdict is not None and verdict.word == "equivalent"
    assert wrong <= at_most(times)


@pytest.mark.parametrize(("claims", "less", "aim"), [(1, 0.0, 600), (1, 0.002, 2000), (8, 0.0, 1500)])
def test_many_looks_at_rare_events_a_margin_off(claims: int, less: float, aim: int) -> None:
    dice = np.random.default_rng(2)
    times = 400 if claims == 1 else 100
    wrong = 0
    for _ in range(times):
        last = until_decided(dice, truth(claims, claims, 0.01 + less, less), aim, 6000)
        wrong += "equivalent" in last
    assert wrong <= at_most(times)


@pytest.mark.parametrize("rate", [0.002, 0.02])
def test_many_looks_at_rare_events_that_do_not_differ(rate: float) -> None:
    dice = np.random.default_rng(3)
    wrong = 0
    for _ in range(100):
        last = until_decided(dice, truth(8, 8, rate, rate), 1500, 6000)
        wrong += bool({"better", "worse"} & set(last))
    assert wrong <= at_most(100)
