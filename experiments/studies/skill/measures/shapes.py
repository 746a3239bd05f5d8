"""By what kinds of play matches are won, where the game tells them apart: one kind, or many."""

from __future__ import annotations

from typing import Any

from experiments.metrics import shapes
from experiments.metrics.shapes import Shape
from experiments.play.sources import Labelled
from experiments.report.words import fair_share, listed, number
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section
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
    return Labelled(spec.setting, spec.who.others, label.name)


def read(spec: Spec, keys: Any, wins: Any) -> Section:
    """Read how kinds are spread.

    Parameters
    ----------
    keys : int array, shape (deals, seats)
    wins : float array, shape (deals, seats)
    """
    label = _label(spec)
    assert label is not None
    kinds, bot = shapes.spread(keys, wins, seed=1), spec.who.others
    text = registry.find(spec.draft.game).text
    told = [(shape, text.label_text(label.name, shape.key)) for shape in kinds.shapes]
    distinct = Number("effective number of kinds", bot, kinds.distinct, "number")
    winning = Number("effective number of kinds that win", bot, kinds.winning, "number")
    numbers = [distinct, winning]
    for shape, name in told:
        numbers += [
            Number("share of seats", name, shape.share, "share"),
            Number("share of the wins", name, shape.of_wins, "share"),
            Number("win share of who has it", name, shape.win, "share"),
        ]
    first = (
        f"{number(kinds.count)} kinds came. Counted by how often they come, that is as varied as {distinct.said} equally common kinds; "
        f"counted by wins, as {winning.said}. {_dominance(told)}"
    )
    caution = (
        f"{bot} sits in every seat, and may not know what a kind is good for. The intervals of the {len(told)} most common kinds hold all "
        "at once."
    )
    findings = [Finding(label.title, first), *_lucky(spec, told)]
    return Section("shapes", label.title, findings, numbers, caution, len(keys))


def _dominance(told: list[tuple[Shape, str]]) -> str:
    """Say whether most wins go to one kind, as far as the interval tells."""
    top, name = max(told, key=lambda pair: pair[0].of_wins.value)
    of_wins, share = (Number("", "", estimate, "share").said for estimate in (top.of_wins, top.share))
    text = f"The kind with the most wins is {name}, with {of_wins} of them; it comes in {share} of seats"
    if top.of_wins.low > _HALF:
        return f"{text}; so it dominates."
    if top.of_wins.high < _HALF:
        return f"{text}; no kind has half of them."
    return f"{text}; whether it has half of them is undecided."


def _lucky(spec: Spec, told: list[tuple[Shape, str]]) -> list[Finding]:
    """Tell who wins more than the due, and who less."""
    due = 1 / spec.draft.players
    order = sorted(told, key=lambda pair: -pair[0].win.value)
    above = [pair for pair in order if pair[0].win.low > due]
    below = [pair for pair in reversed(order) if pair[0].win.high < due]
    items = []
    for word, some in (("more", above), ("less", below)):
        if some:
            named = [f"{name} {Number('', '', shape.win, 'share').said}" for shape, name in some[:_NAMED]]
            rest = f", and {number(len(some) - _NAMED)} further" if len(some) > _NAMED else ""
            items.append(f"{word}: {listed(named)}{rest}.")
    text = (
        f"Of the {len(told)} most common kinds, {number(len(above))} win more than a fair share ({fair_share(spec.draft.players)}) and "
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
