"""Who stays at the top and who gets up from the bottom, in games whose places carry over from game to game."""

from __future__ import annotations

import math
from typing import Any

from experiments.metrics import mobility
from experiments.play.sources import PLACES, Tallied
from experiments.report.findings import Finding
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Number, Section
from experiments.studies.skill.spec import Spec
from sim import registry


def _applies(spec: Spec) -> bool:
    events = {event.name for event in registry.find(spec.draft.game).state.EVENTS}
    return PLACES in events and spec.draft.options.counted_games > 1


def read(spec: Spec, counts: Any) -> Section:
    """Read the mobility.

    Parameters
    ----------
    spec : Spec
    counts : int array, shape (deals, places · places)
    """
    players, deals = spec.draft.players, len(counts)
    table = counts.reshape(deals, math.isqrt(counts.shape[1]), -1)[:, :players, :players]
    try:
        found = mobility.mobility(table, seed=1)
    except ValueError as error:
        text = f"Cannot be told from so few deals ({error})."
        return Section("mobility", "Mobility", [Finding("Mobility", text)], [], "", deals)
    numbers = [
        Number("stays in place", "", found.stays, "share"),
        Number("stickiness", "", found.stickiness, "number"),
        Number("games until the last gets off the last place", "", found.escape, "number"),
    ]
    numbers += [
        Number(f"from place {row + 1}", f"to place {column + 1}", one, "share")
        for row, line in enumerate(found.matrix)
        for column, one in enumerate(line)
    ]
    stays, sticky, escape = numbers[:3]
    top, bottom = found.matrix[0][0], found.matrix[-1][-1]
    due = 1 / players
    word = (
        "Places carry over"
        if found.stickiness.low > 0
        else "Places turn over"
        if found.stickiness.high < 0
        else "The last game is not seen to matter for the next"
    )
    text = (
        f"{word}: stickiness {sticky.said}, where 0 is as if games had nothing to do with each other and 1 is standing still. The "
        f"first stays first in {Number('', '', top, 'share').said} of games, the last stays last in {Number('', '', bottom, 'share').said} "
        f"(by lot: {due:.0%}). It takes the last {escape.said} games to get off the last place; {stays.said} stay where they were."
    )
    caution = f"Of {spec.players.others} in every seat, who are all alike: what sticks is what the rules give to the places, not better play."
    return Section("mobility", "Mobility", [Finding("Mobility", text)], numbers, caution, deals)


MEASURE = Measure(
    name="mobility",
    rank=70,
    part=0.5,
    each=10.0,
    most=10_000,
    applies=_applies,
    source=lambda spec: Tallied(spec, spec.players.others, PLACES),
    read=read,
)
