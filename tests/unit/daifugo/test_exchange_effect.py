"""What the exchange of cards (D11) does to the classes: without it they are drawn anew with every deal."""

from __future__ import annotations

from typing import Any

import pytest

from experiments.play import matches as study
from experiments.play.matches import MatchSpec as Spec
from sim import drafts

MATCHES = 20
"""Of 100 games each: 1,980 games after another. A share of half of them has a standard error of about 0.012."""

WITH, WITHOUT = 0, 1


@pytest.fixture(scope="module")
def transitions() -> list[Any]:
    """Return place → place in the next game as shares, with the contest's exchange and without any."""
    spec = Spec(
        [drafts.load("daifugo/uecda"), drafts.load("daifugo/uecda", ("rules.exchange=[]",))],
        "heuristic",
        MATCHES,
        1,
    )
    runs = study.play(spec, threads=2).runs
    return [run.summary()["events"]["place_transitions"] for run in runs]


def test_every_row_is_whole(transitions: list[Any]) -> None:
    for table in transitions:
        assert [len(row) for row in table] == [5] * 5
        assert [sum(row) for row in table] == pytest.approx([1] * 5)
        # Places are given out once a game, so the columns add up too.
        assert [sum(row[place] for row in table) for place in range(5)] == pytest.approx([1] * 5)


def test_the_rich_stay_rich_by_the_exchange(transitions: list[Any]) -> None:
    """About 0.52 against 0.20. The bound is 12 standard errors of the difference (0.0143) away from that."""
    assert transitions[WITH][0][0] - transitions[WITHOUT][0][0] > 0.15


def test_the_poor_stay_poor_by_the_exchange(transitions: list[Any]) -> None:
    """About 0.32 against 0.20; the standard error of the difference is 0.0138, and five of them are 0.069."""
    assert transitions[WITH][4][4] - transitions[WITHOUT][4][4] > 0.04
    assert transitions[WITH][0][4] < transitions[WITHOUT][0][4]


def test_without_it_every_place_is_about_as_likely(transitions: list[Any]) -> None:
    """But for the longer hands of the first to be dealt; 25 shares of a fifth with a standard error of 0.009."""
    for row in transitions[WITHOUT]:
        assert row == pytest.approx([0.2] * 5, abs=0.065)
