"""The luck ledger by cause: what the deal, later chance and the players bring to a result."""

from __future__ import annotations

from typing import Any

from experiments.metrics import nested
from experiments.report import words
from experiments.report.findings import Finding
from experiments.skill.measures import Measure
from experiments.skill.redraws import Redraws, has_later_chance
from experiments.skill.section import Number, Section
from experiments.skill.spec import Spec

_REDRAWS = 4
"""Of later chance, for each deal; its own among them."""

_LINEUPS = 4
"""Of players, for each of those."""

_CAUSES = {
    "deal": "the first deal",
    "later chance": "later chance (stock, later deals)",
    "chance": "the deal, and chance later",
    "decisions": "decisions (who sits where, and what they choose)",
}


def _who(spec: Spec) -> list[str]:
    """Return the players of the ladder who do not search."""
    return [name for name in spec.ladder if spec.is_quick(name)]


def read(spec: Spec, wins: Any, scores: Any) -> Section:
    """Read the ledger.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, re-draws, line-ups, seats)
        See `experiments.skill.redraws`.
    """
    won = nested.causes(wins, seed=1)
    numbers = _numbers(won, "win") + _numbers(nested.causes(scores, seed=1), "score")
    who = words.listed(_who(spec))
    if won.variance.value > 0:
        shares = [number for number in numbers if number.what == "share of the variance of the win"]
        told = "; ".join(f"{number.of}: {number.said}" for number in shares)
        text = f"Of what makes a seat win or lose, by what brings it: {told}. {_check(won, numbers)}".rstrip()
    else:
        text = "Every match ends alike, whoever plays: there is nothing to book."
    apart = (
        ""
        if len(won.parts) == len(nested.CAUSES)
        else " This game does not say how to draw its later chance anew, so that cannot be told from the deal."
    )
    caution = (
        f"In each seat sits one of {who}, each as likely: with other players decisions weigh more or less. The first deal is "
        "what lies and is held when the match begins; what it lets good players make of it counts as theirs where players "
        f"differ in it, and else as the deal's.{apart}"
    )
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
        Number(f"variance of the {what}", _GAP, found.gap, "number"),
    ]
    return [*shares, *parts, *(check if len(found.parts) == len(nested.CAUSES) else check[:1])]


_GAP = "the first less the second (0 if all is well)"


def _check(won: nested.Causes, numbers: list[Number]) -> str:
    gap = next((number for number in numbers if number.of == _GAP), None)
    if gap is None:
        return ""
    holds = won.gap.low <= 0 <= won.gap.high
    verdict = (
        "The parts add up to the variance of matches as they were dealt, as they must"
        if holds
        else "The parts do not add up to the variance of matches as they were dealt, so take them as rough"
    )
    return f"{verdict} (gap {gap.said})."


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
