"""Whether a game breaks under its rules: how often games are cut short, fouls decide, and turns leave no choice."""

from __future__ import annotations

from typing import Any

from experiments.metrics import blocks, effects
from experiments.play.sources import Tallied
from experiments.report.words import listed
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section
from experiments.studies.skill.spec import Spec
from sim import registry


def _symptoms(spec: Spec) -> dict[str, tuple[str, ...]]:
    """Return by what the game shows that it breaks, as far as it says so."""
    return dict(getattr(registry.find(spec.draft.game).state, "SYMPTOMS", {}))


def _events(spec: Spec) -> list[str]:
    """Return the events that are counted: those of each symptom in turn, then the turns."""
    state = registry.find(spec.draft.game).state
    return [*(event for events in _symptoms(spec).values() for event in events), *state.TURNS]


def read(spec: Spec, counts: Any) -> Section:
    """Read how often each symptom comes.

    Parameters
    ----------
    counts : int array, shape (deals, events of `_events`)
    """
    games = int(spec.draft.options.counted_games)
    symptoms, numbers, first = _symptoms(spec), [], 0
    turns = counts[:, -len(registry.find(spec.draft.game).state.TURNS) :].sum(axis=1)
    *by_game, of_turns = symptoms
    for name, events in symptoms.items():
        total = counts[:, first : first + len(events)].sum(axis=1)
        first += len(events)
        if name == of_turns:
            numbers.append(Number(f"share of {name}", "", blocks.ratio(total, turns, "share"), "share"))
        else:
            numbers.append(Number(f"{name} in a game", "", effects.rate(total, games), "number"))
    came = [
        f"{number.said} {name}"
        for name, number in zip(by_game, numbers, strict=False)
        if number.found.value > 0
    ]
    never = [name for name, number in zip(by_game, numbers, strict=False) if number.found.value == 0]
    text = (
        f"In a game there are on average {listed(came)}."
        if came
        else "In none of the games was anything cut short or overturned."
    )
    if never:
        text += f" There are no {listed(never)}."
    text += f" {numbers[-1].said} of turns leave no choice but to pass."
    caution = f"{spec.who.others} sits in every seat; people may provoke more, or less."
    finding = Finding("Signs of breaking", text)
    return Section(
        "strain",
        "Does the game break?",
        [finding],
        numbers,
        caution,
        len(counts),
        answer=_answer(numbers, by_game),
    )


def _answer(numbers: list[Number], by_game: list[str]) -> Answer:
    """Return how often the game breaks, in games of a hundred."""
    per_hundred = [
        f"{100 * number.found.value:.0f} {name}"
        for name, number in zip(by_game, numbers, strict=False)
        if 100 * number.found.value >= 0.5
    ]
    forced = numbers[-1].shown.value
    what = listed(per_hundred) if per_hundred else "none cut short, overturned or fouled"
    return Answer(
        "Strain",
        f"In 100 games there are {what}; {forced} of turns leave no choice but to pass.",
        f"{what} in 100 games; {forced} of turns leave no choice",
    )


def _source(spec: Spec) -> Tallied:
    return Tallied(spec.setting, spec.who.others, _events(spec))


MEASURE = Measure(
    name="strain",
    rank=3,
    part=0.2,
    each=10.0,
    most=10_000,
    applies=lambda spec: bool(_symptoms(spec)),
    source=_source,
    read=read,
)
