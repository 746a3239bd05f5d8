"""How the scores of equals are spread."""

from __future__ import annotations

from typing import Any

from experiments.metrics import scores
from experiments.play.sources import Seated, mirrors
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section
from experiments.studies.skill.spec import Spec


def read(spec: Spec, wins: Any, points: Any) -> Section:
    """Read the distribution of scores.

    Parameters
    ----------
    wins, points : float array, shape (deals, 1, seats)
    """
    summary = scores.summary(points, seed=1)
    bot = spec.who.others
    numbers = [
        Number("mean score", bot, summary.mean, "points"),
        Number("standard deviation of scores", bot, summary.sd, "points"),
        Number("skew of scores", bot, summary.skew, "number"),
        *(
            Number("quantile of scores", f"{share:.0%}, {bot}", quantile, "points")
            for share, quantile in summary.quantiles.items()
        ),
        Number("ties", bot, summary.ties, "share"),
        Number("blow-outs", bot, summary.blow_outs, "share"),
        Number("effective number of scores", bot, summary.distinct, "number"),
        Number("mean difference of two players", bot, summary.difference, "points"),
    ]
    if summary.gini is not None:
        numbers.append(Number("Gini coefficient within a match", bot, summary.gini, "number"))
    by_name = {number.what: number for number in numbers}
    each = "a game" if spec.draft.options.counted_games > 1 else "a match"
    text = (
        f"Best scores are shared in {by_name['ties'].said} of matches. In {by_name['blow-outs'].said} the first leads the second by more "
        f"than {scores.FAR:g} standard deviations of scores (a blow-out). Two players of a match are "
        f"{by_name['mean difference of two players'].said} points apart {each}."
    )
    caution = f"{bot} sits in every seat. A shared best score need not be a shared win."
    return Section("scores", "Scores", [Finding("Scores", text)], numbers, caution, len(wins))


MEASURE = Measure(
    name="scores",
    rank=60,
    part=0.2,
    each=10.0,
    most=10_000,
    applies=lambda spec: True,
    source=lambda spec: Seated(spec.setting, mirrors(spec.setting, [spec.who.others])),
    read=read,
)
