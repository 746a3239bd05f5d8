"""By what kinds of play matches are won, where the game tells them apart: one kind, or many."""

from __future__ import annotations

from typing import Any

from experiments.metrics import shapes
from experiments.metrics.shapes import Shape
from experiments.play.sources import Labelled
from experiments.report.findings import Finding
from experiments.report.words import fair_share, listed, number
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Number, Section
from experiments.studies.skill.spec import Spec
from sim import registry
from sim.events import Label

_NAMED = 3
"""Kinds that a sentence lists."""

_HALF = 0.5
"""Of the wins: a kind with more than this dominates."""


def _label(spec: Spec) -> Label | None:
    """Return what tells kinds of play apart, if the game has it: a label whose values are no numbers of something."""
    told = registry.find(spec.draft.game).state.LABELS
    return next((label for label in told if not label.ordered), None)


def _source(spec: Spec) -> Labelled:
    label = _label(spec)
    assert label is not None
    return Labelled(spec, spec.players.others, label.name)


def read(spec: Spec, keys: Any, wins: Any) -> Section:
    """Read how kinds are spread.

    Parameters
    ----------
    spec : Spec
    keys : int array, shape (deals, seats)
    wins : float array, shape (deals, seats)
    """
    label = _label(spec)
    assert label is not None
    found, bot = shapes.spread(keys, wins, seed=1), spec.players.others
    text = registry.find(spec.draft.game).text
    told = [(one, text.label_text(label.name, one.key)) for one in found.shapes]
    distinct = Number("effective number of kinds", bot, found.distinct, "number")
    winning = Number("effective number of kinds that win", bot, found.winning, "number")
    numbers = [distinct, winning]
    for one, name in told:
        numbers += [
            Number("share of seats", name, one.share, "share"),
            Number("share of the wins", name, one.of_wins, "share"),
            Number("win share of who has it", name, one.win, "share"),
        ]
    first = (
        f"{number(found.count)} kinds came; weighed by how often they come they are as many as {distinct.said}, and by the wins "
        f"that go to them {winning.said}. {_dominance(told)}"
    )
    caution = (
        f"With {bot} in every seat, who may not see what a kind is good for. The intervals of the {len(told)} commonest that are told "
        "one by one hold all at once."
    )
    findings = [Finding(label.title, first), *_lucky(spec, told)]
    return Section("shapes", label.title, findings, numbers, caution, len(keys))


def _dominance(told: list[tuple[Shape, str]]) -> str:
    """Say whether most wins go to one kind, as far as the interval tells."""
    top, name = max(told, key=lambda one: one[0].of_wins.value)
    of_wins, share = (Number("", "", found, "share").said for found in (top.of_wins, top.share))
    text = f"The kind with the most wins is {name}, with {of_wins} of them; it comes in {share} of seats"
    if top.of_wins.low > _HALF:
        return f"{text}; so it dominates."
    if top.of_wins.high < _HALF:
        return f"{text}; no kind has half of them."
    return f"{text}; whether it has half of them is not told."


def _lucky(spec: Spec, told: list[tuple[Shape, str]]) -> list[Finding]:
    """Tell who wins more than the due, and who less."""
    due = 1 / spec.draft.players
    order = sorted(told, key=lambda one: -one[0].win.value)
    above = [one for one in order if one[0].win.low > due]
    below = [one for one in reversed(order) if one[0].win.high < due]
    items = []
    for word, some in (("more", above), ("less", below)):
        if some:
            named = [f"{name} {Number('', '', one.win, 'share').said}" for one, name in some[:_NAMED]]
            rest = f", and {number(len(some) - _NAMED)} further" if len(some) > _NAMED else ""
            items.append(f"{word}: {listed(named)}{rest}.")
    text = (
        f"Of the {len(told)} commonest, {number(len(above))} win more than the due ({fair_share(spec.draft.players)}) and "
        f"{number(len(below))} less."
    )
    return [Finding("Which of them win", text, items)]


MEASURE = Measure(
    name="shapes",
    rank=65,
    part=0.2,
    each=10.0,
    most=20_000,
    applies=lambda spec: _label(spec) is not None,
    source=_source,
    read=read,
)
