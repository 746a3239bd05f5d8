"""Plays the matches of a run, and puts what came into tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from experiments import arguments
from experiments.play import labels, matches
from experiments.play.matches import Run, Study
from experiments.store.tables import INTERVAL, Columns, Kind, Stored
from experiments.studies.result import Result
from experiments.studies.run.spec import Spec

KEY: dict[str, Kind] = {"measure": "text", "seat": "whole", "bot": "text", "place": "whole"}
"""Columns that name a measure."""

ESTIMATES = Columns(
    "estimates",
    "every measure of every draft with its 95% interval",
    {"draft": "text", **KEY, "value": "real", **INTERVAL, "matches": "whole", "blocks": "whole"},
)
SCORES = Columns(
    "scores",
    "how often each match score came, by draft, bot and seat",
    {"draft": "text", "bot": "text", "seat": "whole", "score": "whole", "matches": "whole"},
)
LABELS = Columns(
    "labels",
    "what the game names, such as a shape: how often each came, its mean score and win rate",
    {
        "draft": "text", "label": "text", "value": "text", "appearances": "whole",
        "share": "real", "share_low": "real", "share_high": "real",
        "mean_score": "real", "score_se": "real", "score_low": "real", "score_high": "real",
        "win_share": "real", "win_low": "real", "win_high": "real",
    },
)  # fmt: skip


@dataclass(repr=False)
class Played(Result):
    """A run that has been played."""

    spec: Spec
    study: Study

    @property
    def run(self) -> Run:
        """The draft with its numbers."""
        return self.study.runs[0]

    @property
    def complete(self) -> bool:
        """Whether it was not interrupted."""
        return self.study.complete

    @property
    def seconds(self) -> float:
        """Time of playing."""
        return self.study.result.seconds

    @property
    def played(self) -> dict[str, Any]:
        """How many matches."""
        return {"matches": self.study.matches}

    def tables(self) -> list[Stored]:
        """Return estimates, scores and labels, if the game has any."""
        return run_tables([self.study], several=False)

    def summary(self) -> dict[str, Any]:
        """Return what ``--json`` prints."""
        return self.run.summary()


def play(
    spec: Spec,
    *,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a run; see `experiments.play.matches.play`.

    Raises
    ------
    Interrupted
        If nothing was finished.
    UserError
        If the line-up does not fit, or a bot breaks the contract.
    """
    if not isinstance(spec, Spec):
        raise arguments.wrong(
            "spec", spec, "a Spec of experiments.studies.run.spec, such as Spec('uplink/v1.1')"
        )
    count = arguments.threads(threads)
    return Played(spec, matches.play(spec.to_play, threads=count, on_progress=on_progress, stop=stop))


# ---- tables ---------------------------------------------------------------------------------------------


def key_columns(key: tuple[Any, ...]) -> dict[str, Any]:
    """Return a measure's key as columns."""
    row: dict[str, Any] = {"measure": key[0], "seat": None, "bot": None, "place": None}
    if key[0] in ("event", "bot_event"):
        row["measure"], row["place"] = key[1], key[-1]
        if len(key) == 4:
            row["bot" if key[0] == "bot_event" else "seat"] = key[2]
    elif len(key) > 1:
        row["bot"] = key[2] if key[1] in ("bot", "cell") else None
        row["seat"] = key[-1] if key[1] in ("seat", "cell") else None
    return row


def _estimate_rows(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "draft": run.draft.label,
            **key_columns(key),
            **{name: getattr(estimate, name) for name in ("value", "se", "low", "high")},
            "matches": run.totals.matches,
            "blocks": estimate.blocks,
        }
        for key, estimate in run.estimates.items()
    ]


def _score_rows(run: Run) -> list[dict[str, Any]]:
    return [
        {"draft": run.draft.label, "bot": bot, "seat": seat, "score": score, "matches": count}
        for (bot, seat), counts in sorted(run.totals.scores.items())
        for score, count in sorted(counts.items())
    ]


def _label_rows(run: Run) -> list[dict[str, Any]]:
    return [
        {"draft": run.draft.label, "label": name, **labels.row(value)}
        for name, values in run.labels.items()
        for value in values
    ]


def run_tables(studies: list[Study], *, several: bool) -> list[Stored]:
    """Return the tables of studies; of several line-ups, each row with its own."""
    made: list[tuple[Columns, Callable[[Run], list[dict[str, Any]]]]] = [
        (ESTIMATES, _estimate_rows),
        (SCORES, _score_rows),
    ]
    if labels.of_game(studies[0].spec.drafts[0].game):
        made.append((LABELS, _label_rows))
    return [
        Stored(
            columns.after({"level": "text"}) if several else columns,
            [{"level": run.level, **row} for study in studies for run in study.runs for row in rows_of(run)],
        )
        for columns, rows_of in made
    ]
