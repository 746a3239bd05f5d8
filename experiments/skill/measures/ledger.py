"""The luck ledger by cause: what the deal, later chance and the players bring to a result."""

from __future__ import annotations

from typing import Any

from experiments.metrics import nested
from experiments.report import words
from experiments.report.findings import Finding
from experiments.skill import sums
from experiments.skill.measures import Measure
from experiments.skill.redraws import Redraws, has_later_chance
from experiments.skill.section import Number, Section
from experiments.skill.spec import Spec

_REDRAWS = 4
"""Of later chance, for each deal; its own among them."""

_LINEUPS = 4
"""Of players, for each of those."""

SHARE = "share of the variance of the win"
"""The number that tells the part of each cause."""

CHANCE = ("the first deal", "later chance (stock, later deals)", "the deal, and chance later")
SKILL = "who sits at the seat (skill)"

_CAUSES = {
    "deal": CHANCE[0],
    "later chance": CHANCE[1],
    "chance": CHANCE[2],
    "player": SKILL,
    "others": "who else sits down (their skill too), and how all choose (by the dice of those who play by lot)",
    "decisions": "how all choose (by the dice of those who play by lot)",
}

_LATER = "later chance"


def _who(spec: Spec) -> list[str]:
    """Return the players of the ladder who do not search."""
    return [name for name in spec.ladder if spec.is_quick(name)]


def read(spec: Spec, wins: Any, scores: Any, who: Any) -> Section:
    """Read the ledger.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, re-draws, line-ups, seats)
    who : int array, of the same shape
        See `experiments.skill.redraws`.
    """
    names = _who(spec)
    several = len(names) > 1
    won, scored = (nested.causes(one, 1, *([who, len(names)] if several else [])) for one in (wins, scores))
    numbers = _numbers(won, "win") + _numbers(scored, "score")
    if won.variance.value > 0:
        shares = [number for number in numbers if number.what == SHARE]
        told = "; ".join(f"{number.of}: {number.said}" for number in shares)
        text = f"Of what makes a seat win or lose, by what brings it: {told}."
        if _LATER in won.parts:
            text += f" {sums.check(won.total, won.variance, won.gap, of='the variance of matches as they were dealt')}"
    else:
        text = "Every match ends alike, whoever plays: there is nothing to book."
    apart = (
        ""
        if _LATER in won.parts
        else " This game does not say how to draw its later chance anew, so that cannot be told from the deal."
    )
    if several:
        seated = (
            f"In each seat sits one of {words.listed(names)}, each as likely: with others the players weigh more or less. Skill here "
            "is what a seat gains on average by who of them sits there; to be good at some deals only, to sit among weak players and "
            "to play by lot are booked with the rest of what is decided, though none of it is skill that adds up. Luck and skill has "
            "other players in it, among the same others, so that its share is not this one."
        )
    else:
        seated = f"In every seat sits {names[0]}, the only player of the ladder that does not search: of skill it tells nothing."
    caution = f"{seated} The first deal is what lies and is held when the match begins.{apart}"
    return Section("ledger", "Luck by cause", [Finding("Luck ledger", text)], numbers, caution, len(wins))


def _numbers(found: nested.Causes, what: str) -> list[Number]:
    shares = [
        Number(f"share of the variance of the {what}", _CAUSES[name], one, "share")
        for name, one in found.shares.items()
    ]
    parts = [
        Number(f"variance of the {what}", _CAUSES[name], one, "number") for name, one in found.parts.items()
    ]
    check = [
        Number(f"variance of the {what}", "all parts together", found.total, "number"),
        Number(f"variance of the {what}", "of matches as dealt", found.variance, "number"),
        Number(f"variance of the {what}", sums.GAP, found.gap, "number"),
    ]
    return [*shares, *parts, *(check if _LATER in found.parts else check[:1])]


MEASURE = Measure(
    name="ledger",
    rank=2,
    part=1.0,
    each=float(_REDRAWS * _LINEUPS),
    most=20_000,
    applies=lambda spec: True,
    source=lambda spec: Redraws(
        spec, _who(spec), _REDRAWS if has_later_chance(spec.draft.game) else 1, _LINEUPS
    ),
    read=read,
)
