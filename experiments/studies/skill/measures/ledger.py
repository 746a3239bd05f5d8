"""The luck ledger by cause: what the deal, later chance, the players and their dice bring to a result, alone and together."""

from __future__ import annotations

from typing import Any

from experiments.metrics import variance_components
from experiments.play.nested_resampling import Redraws, matches_of_deal
from experiments.report import words
from experiments.studies.skill import sums
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section
from experiments.studies.skill.spec import Spec

SHARE = "share of the variance of the win"
"""The number that tells what a cause, a group of causes, or causes together bring: the lower share of the first two."""

UPPER = f"{SHARE}, with all it takes part in"
"""The number that tells the upper share of a cause or a group."""

NAMES = {
    variance_components.DEAL: "the first deal",
    variance_components.LATER: "later chance (stock, later deals)",
    variance_components.CHANCE: "all chance",
    variance_components.PLAYER: "who sits at the seat (skill)",
    variance_components.OTHERS: "who sits elsewhere",
    variance_components.PLAYERS: "all players",
    variance_components.DICE: "the dice of players who play by lot",
    variance_components.SEATED: "the seat's player and the others together: some do better among certain others",
    variance_components.FIT: "cards and players together: the same deal suits some players more",
    variance_components.LOTS: "cards and dice together: what is drawn by lot does more on some deals",
}
"""What causes, groups and what they bring together are called."""

_TOGETHER = (variance_components.SEATED, variance_components.FIT, variance_components.LOTS)
_CLOSE = 0.005
"""Ends no further apart are told as one."""


def _who(spec: Spec) -> list[str]:
    """Return the players of the ladder who do not search."""
    return [name for name in spec.ladder if spec.is_quick(name)]


def read(spec: Spec, wins: Any, scores: Any, swapped_wins: Any, swapped_scores: Any, who: Any) -> Section:
    """Read the ledger.

    Parameters
    ----------
    wins, scores, swapped_wins, swapped_scores : float array
    who : int array
        See `experiments.play.nested_resampling.Redraws.play`.
    """
    names = _who(spec)
    won = variance_components.causes(wins, swapped_wins, who, len(names), 1)
    scored = variance_components.causes(scores, swapped_scores, who, len(names), 1)
    numbers = _numbers(won, "win") + _numbers(scored, "score")
    finding, answer = (
        Finding("Luck and skill", "Every match ends alike, whoever plays: nothing varies."),
        None,
    )
    if won.variance.value > 0:
        finding, answer = _told(won, numbers), _answer(won, numbers)
    caution = _caution(spec, names, won)
    return Section("ledger", "Luck by cause", [finding], numbers, caution, len(wins), answer=answer)


def _answer(won: variance_components.Causes, numbers: list[Number]) -> Answer:
    """Return how much of a result is luck, by both ends."""
    found = {(number.what, number.of): number for number in numbers}
    lower, upper = (found[what, NAMES[variance_components.CHANCE]] for what in (SHARE, UPPER))
    least, most = (words.percent(number.found.value, 0) for number in (lower, upper))
    return Answer(
        "Luck",
        headline(lower, upper, dice=variance_components.DICE in won.lower),
        f"{least} to {most} of a seat's result" if least != most else f"{most} of a seat's result",
    )


def _told(won: variance_components.Causes, numbers: list[Number]) -> Finding:
    found = {(number.what, number.of): number for number in numbers}
    lower, upper = (found[what, NAMES[variance_components.CHANCE]] for what in (SHARE, UPPER))
    items = [
        f"{NAMES[name]}: {found[SHARE, NAMES[name]].said} alone, {found[UPPER, NAMES[name]].said} with all its interactions"
        for name in won.lower
    ]
    items += [f"{NAMES[name]}: {found[SHARE, NAMES[name]].said}" for name in _TOGETHER if name in won.shares]
    text = (
        f"{headline(lower, upper, dice=variance_components.DICE in won.lower)} The lower end is {lower.said}, the upper {upper.said}. "
        "Between the two ends of a cause lies what it does together with other causes:"
    )
    if variance_components.LATER in won.parts:
        check = sums.check(won.total, won.variance, won.gap, of="the variance of matches as they were dealt")
        items.append(f"self-check: {check[0].lower()}{check[1:]}")
    return Finding("Shares of luck", text, items)


def headline(lower: Number, upper: Number, *, dice: bool) -> str:
    """Say in a sentence how much of a result is luck, by both shares of all chance; `dice` if some play by lot."""
    least, most = lower.found.value, upper.found.value
    if upper.found.high < _CLOSE:
        return "There is no luck of the cards: chance has no part in a seat's result."
    if most - least < _CLOSE:
        return f"About {words.percent(most, 0)} of a seat's result is luck, whoever plays."
    lots = ", and what players draw by lot" if dice else ""
    return (
        f"Between {words.percent(least, 0)} and {words.percent(most, 0)} of a seat's result is luck: {words.percent(least, 0)} by the "
        f"cards alone, up to {words.percent(most, 0)} counting how the cards suit the players{lots}."
    )


def _caution(spec: Spec, names: list[str], won: variance_components.Causes) -> str:
    if len(names) > 1:
        seated = (
            f"In each seat sits one of {words.listed(names)}, each equally likely; other players give other shares. (“Luck and skill” "
            f"measures who plays in another way: {spec.who.others} sits in all other seats, and players that search play too.)"
        )
    else:
        seated = f"{names[0]} sits in every seat, the only player of the ladder that does not search: so this says nothing about skill."
    apart = (
        "Later chance is what comes after the deal; what only the two decide together counts as later chance."
        if variance_components.LATER in won.parts
        else "This game cannot draw its later chance anew, so it is not told apart from the deal."
    )
    return (
        f"{seated} The first deal is what lies on the table and in the hands when the match begins. {apart}"
    )


def _numbers(found: variance_components.Causes, what: str) -> list[Number]:
    share, part = f"share of the variance of the {what}", f"variance of the {what}"
    lower = {**found.shares, **found.lower}
    numbers = [Number(share, NAMES[name], estimate, "share") for name, estimate in lower.items()]
    upper = share + UPPER.removeprefix(SHARE)
    numbers += [Number(upper, NAMES[name], estimate, "share") for name, estimate in found.upper.items()]
    numbers += [Number(part, NAMES[name], estimate, "number") for name, estimate in found.parts.items()]
    check = [
        Number(part, "all parts together", found.total, "number"),
        Number(part, "of matches as dealt", found.variance, "number"),
        Number(part, sums.GAP, found.gap, "number"),
    ]
    return [*numbers, *(check if variance_components.LATER in found.parts else check[:1])]


MEASURE = Measure(
    name="ledger",
    rank=2,
    part=1.0,
    each=float(matches_of_deal(4)),
    most=20_000,
    applies=lambda spec: True,
    source=lambda spec: Redraws(spec.setting, _who(spec)),
    read=read,
)
