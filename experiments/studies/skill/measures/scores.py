"""How the scores of equals are spread."""

from __future__ import annotations

from typing import Any

from experiments.metrics import scores
from experiments.play.sources import Seated, mirrors
from experiments.report.findings import Finding
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Number, Section
from experiments.studies.skill.spec import Spec


def read(spec: Spec, wins: Any, points: Any) -> Section:
    """Read the distribution of scores.

    Parameters
    ----------
    spec : Spec
    wins, points : float array, shape (deals, 1, seats)
    """
    found = scores.summary(points, seed=1)
    bot = spec.players.others
    numbers = [
        Number("mean score", bot, found.mean, "points"),
        Number("standard deviation of scores", bot, found.sd, "points"),
        Number("skew of scores", bot, found.skew, "number"),
        *(
            Number("quantile of scores", f"{share:.0%}, {bot}", one, "points")
            for share, one in found.quantiles.items()
        ),
        Number("ties", bot, found.ties, "share"),
        Number("blow-outs", bot, found.blow_outs, "share"),
        Number("effective number of scores", bot, found.distinct, "number"),
        Number("mean difference of two players", bot, found.difference, "points"),
    ]
    if found.gini is not None:
        numbers.append(Number("Gini coefficient within a match", bot, found.gini, "number"))
    by_name = {number.what: number for number in numbers}
    each = "a game" if spec.draft.options.counted_games > 1 else "a match"
    text = (
        f"Best scores are shared in {by_name['ties'].said} of matches; {by_name['blow-outs'].said} are blow-outs, in which the first "
        f"leads the second by more than {scores.FAR:g} standard deviations of scores. Two players of a match are "
        f"{by_name['mean difference of two players'].said} points {each} apart."
    )
    caution = f"Of {bot} in every seat; a shared best score need not be a shared win."
    return Section("scores", "Scores", [Finding("Scores", text)], numbers, caution, len(wins))


MEASURE = Measure(
    name="scores",
    rank=60,
    part=0.2,
    each=10.0,
    most=10_000,
    applies=lambda spec: True,
    source=lambda spec: Seated(spec, mirrors(spec, [spec.players.others])),
    read=read,
)
