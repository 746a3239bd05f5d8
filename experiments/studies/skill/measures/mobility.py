"""Who stays at the top and who gets up from the bottom, in games whose places carry over from game to game."""

from __future__ import annotations

import math
from typing import Any

from experiments.metrics import mobility
from experiments.play.sources import PLACES, Tallied
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section
from experiments.studies.skill.spec import Spec
from sim import registry


def _applies(spec: Spec) -> bool:
    events = {event.name for event in registry.find(spec.draft.game).state.EVENTS}
    return PLACES in events and spec.draft.options.counted_games > 1


def read(spec: Spec, counts: Any) -> Section:
    """Read the mobility.

    Parameters
    ----------
    counts : int array, shape (deals, places · places)
    """
    players, deals = spec.draft.players, len(counts)
    table = counts.reshape(deals, math.isqrt(counts.shape[1]), -1)[:, :players, :players]
    try:
        moved = mobility.mobility(table, seed=1)
    except ValueError as error:
        text = f"Too few deals to say ({error})."
        return Section("mobility", "Mobility", [Finding("Mobility", text)], [], "", deals)
    numbers = [
        Number("stays in place", "", moved.stays, "share"),
        Number("stickiness", "", moved.stickiness, "number"),
        Number("games until the last gets off the last place", "", moved.escape, "number"),
    ]
    numbers += [
        Number(f"from place {row + 1}", f"to place {column + 1}", chance, "share")
        for row, line in enumerate(moved.matrix)
        for column, chance in enumerate(line)
    ]
    stays, sticky, escape = numbers[:3]
    top, bottom = moved.matrix[0][0], moved.matrix[-1][-1]
    due = 1 / players
    word = (
        "Places carry over from game to game"
        if moved.stickiness.low > 0
        else "Places turn over from game to game"
        if moved.stickiness.high < 0
        else "The last game does not measurably matter for the next"
    )
    text = (
        f"{word}: stickiness {sticky.said}, where 0 means that games are independent and 1 that nobody ever moves. The first stays "
        f"first in {Number('', '', top, 'share').said} of games, and the last stays last in {Number('', '', bottom, 'share').said} (by "
        f"chance: {due:.0%}). The last needs {escape.said} games to leave the last place; {stays.said} keep their place."
    )
    caution = f"{spec.who.others} sits in every seat, so nobody plays better: what sticks comes from what the rules give to places."
    return Section("mobility", "Mobility", [Finding("Mobility", text)], numbers, caution, deals)


MEASURE = Measure(
    name="mobility",
    rank=70,
    part=0.5,
    each=10.0,
    most=10_000,
    applies=_applies,
    source=lambda spec: Tallied(spec.setting, spec.who.others, [PLACES]),
    read=read,
)
