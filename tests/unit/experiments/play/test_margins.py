"""Margins: what may be stated, what that comes to, and one clear line for the rest."""

from __future__ import annotations

import pytest

from experiments.play import margins
from experiments.play.margins import Margin
from sim.errors import UserError


def test_what_is_stated_takes_the_place_of_the_usual() -> None:
    assert {kind: str(one) for kind, one in margins.read([]).items()} == margins.DEFAULTS
    found = margins.read(["score=2points", "share=.5pp", "score=0.25sd"])
    assert found == {"share": Margin(0.5, "pp"), "score": Margin(0.25, "sd"), "count": Margin(5, "%")}
    assert margins.read(f"{kind}={margin}" for kind, margin in found.items()) == found


def test_a_margin_in_the_units_of_the_measure() -> None:
    assert margins.absolute(Margin(1, "pp"), 0.4, 7) == 0.01
    assert margins.absolute(Margin(0.1, "sd"), 40, 7) == pytest.approx(0.7)
    assert margins.absolute(Margin(2, "points"), 40, 7) == 2
    assert margins.absolute(Margin(5, "%"), -40, 7) == pytest.approx(2)
    # Of what never came, or never varied, no part would be left.
    assert margins.absolute(Margin(5, "%"), 0, 7) == margins.LEAST
    assert margins.absolute(Margin(0.1, "sd"), 40, 0) == margins.LEAST


def test_each_measure_has_its_kind() -> None:
    shares = frozenset({"trick_share"})
    kinds = {
        ("win", "seat", 0): "share", ("score", "bot", "greedy"): "score", ("ties",): "share", ("decisions",): "count",
        ("branching",): "count", ("event", "trick_share", 0, 0): "share", ("event", "heart_pairs", 0): "count",
    }  # fmt: skip
    assert {key: margins.kind_of(key, shares) for key in kinds} == kinds


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("shares=1pp", ["shares", "did you mean 'share'"]),
        ("share", ["share takes", "1pp"]),
        ("share=1", ["1pp", "percentage points"]),
        ("share=1%", ["1pp"]),
        ("score=1", ["0.1sd", "0.5points"]),
        ("count=many", ["5%"]),
        ("share=0pp", ["above 0"]),
        ("share=100pp", ["above 0 and below 100"]),
        ("count=-5%", ["5%"]),
        ("score=nansd", ["0.1sd"]),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(text: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        margins.read([text])
    message = str(caught.value)
    assert message.startswith(f"--margin {text}: ")
    assert "\n" not in message
    for part in parts:
        assert part in message
