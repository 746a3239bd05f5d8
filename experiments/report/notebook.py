"""How each kind of result shows itself: a headline, its figures, and a short table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from experiments.play.matches import Run, Study
from experiments.report import draw, figures, tables, words
from experiments.report.fairness import seat_dots
from experiments.report.ladder import dots as rating_dots
from experiments.studies.compare import verdict_words
from experiments.studies.compare.play import Comparison, Judged
from experiments.studies.fairness import words as fairness_words
from experiments.studies.fairness.play import Matrix
from experiments.studies.ladder import show as show_ladder
from experiments.studies.ladder import words as ladder_words
from experiments.studies.ladder.play import Ladder
from experiments.studies.run import show
from experiments.studies.skill import verdict
from experiments.studies.skill.play import Suite
from experiments.studies.train import show as show_training
from experiments.studies.train.play import Trained

_ROWS = 12
"""Of a table, at most; all there is stands in the frames."""

_WIDTH = 34
"""Of a figure, in em."""


@dataclass(frozen=True)
class Card:
    """What a result shows of itself.

    Attributes
    ----------
    headline : list of str
        Sentences: what was played, and what came.
    head : list of str
        Of the table's columns.
    rows : list of list of str
    figures : callable
        Draws them: it takes time, and text does without.
    """

    headline: list[str]
    head: list[str]
    rows: list[list[str]]
    figures: Callable[[], list[Markup]] = field(default=list)

    def text(self) -> str:
        """Return headline and table as text."""
        lines = [self.head, *self.rows[:_ROWS]]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.head))]
        table = [
            "  ".join(f"{cell:<{wide}}" for cell, wide in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([*self.headline, *table, *self._more(), ".frames has all tables"])

    def html(self) -> str:
        """Return headline, figures and table as HTML."""

        def row(tag: str, line: list[str]) -> Markup:
            cells = [Markup(f"<{tag} style='text-align:left'>{{}}</{tag}>").format(cell) for cell in line]
            return Markup("<tr>{}</tr>").format(Markup("").join(cells))

        paragraph, drawn = Markup("<p>{}</p>"), Markup(f"<div style='max-width:{_WIDTH}em'>{{}}</div>")
        parts = [
            *(paragraph.format(line) for line in self.headline),
            *(drawn.format(figure) for figure in self.figures()),
            Markup("<table><thead>{}</thead><tbody>{}</tbody></table>").format(
                row("th", self.head), Markup("").join(row("td", line) for line in self.rows[:_ROWS])
            ),
            *(paragraph.format(line) for line in self._more()),
            Markup("<p><code>.frames</code> has all tables.</p>"),
        ]
        # The figures take the colour of their lines from the page that they stand in.
        return str(Markup("<div style='--grid:#8884'>{}</div>").format(Markup("").join(parts)))

    def _more(self) -> list[str]:
        left = len(self.rows) - _ROWS
        return [f"and {words.plural(left, 'more row')}"] if left > 0 else []


def of(played: Any) -> Card:
    """Return how a result shows itself."""
    return _CARDS[type(played)](played)


def _study(study: Study) -> Card:
    runs = study.runs
    keys = [key for _, found in tables.grouped(runs) for key in found if key[0] in ("win", "score")]
    return Card(
        [show.head(run) for run in runs],
        ["", *([run.draft.label for run in runs] if len(runs) > 1 else ["95% interval"])],
        [
            [tables.label(runs[0], key), *(_estimate(run, key) for run in runs)]
            for key in keys
            if key[1] != "cell"
        ],
        lambda: _win_figures(runs),
    )


def _estimate(run: Run, key: Any) -> str:
    found = run.estimates.get(key)
    return words.MISSING if found is None else show.estimate(found, share=run.is_share(key))


def _win_figures(runs: list[Run]) -> list[Markup]:
    by = ["seat", "bot"] if any(len(run.bots) > 1 for run in runs) else ["seat"]
    return [draw.draw_dots(figures.win_shares(runs, which), which) for which in by]


def _comparison(comparison: Comparison) -> Card:
    studies = comparison.studies
    told = sorted(comparison.judged, key=lambda claimed: claimed.word in ("equivalent", "undecided"))
    counted = [
        f"{run.draft.label} less {study.runs[0].draft.label}, {run.level}: "
        + verdict_words.counts(
            [
                claimed
                for claimed in comparison.judged
                if (claimed.claim.level, claimed.claim.draft) == (level, run.number)
            ]
        )
        for level, study in enumerate(studies)
        for run in study.runs[1:]
    ]
    return Card(
        [*(show.head(study.runs[0]) for study in studies), *counted],
        ["draft", "line-up", "measure", "verdict", "difference, 95% interval"],
        [_judged(comparison, claimed) for claimed in told],
        lambda: [figure for study in studies for figure in _win_figures(study.runs)],
    )


def _judged(comparison: Comparison, claimed: Judged) -> list[str]:
    run, key = comparison.run_of(claimed.claim), claimed.claim.key
    shown = words.MISSING
    if claimed.verdict is not None:
        shown = show.difference(comparison.difference(claimed), share=run.is_share(key))
    return [
        run.draft.label,
        run.level,
        tables.label(run, key),
        verdict_words.short(comparison, claimed),
        shown,
    ]


def _ladder(ladder: Ladder) -> Card:
    standing = ladder.standing
    return Card(
        [show_ladder.head(ladder), ladder_words.strongest(ladder)],
        ["", "bot", "Elo points", "95% interval", "a decision"],
        [
            [
                str(place + 1),
                name,
                words.number(standing.ratings[place]),
                f"{words.number(standing.low[place])} to {words.number(standing.high[place])}",
                ladder_words.time_taken(ladder.microseconds[place]),
            ]
            for place, name in enumerate(ladder.labels)
        ],
        lambda: [draw.draw_dots(rating_dots(ladder), "ratings")],
    )


def _matrix(matrix: Matrix) -> Card:
    played = [row for row in matrix.rows if any(cell.fairness for cell in row)]
    return Card(
        [fairness_words.head(matrix), fairness_words.meaning(matrix)],
        ["players", "bot in every seat", "fair", "largest deviation of a seat, pp"],
        [
            [str(cell.players), cell.run.level, fairness_words.verdict(cell), fairness_words.furthest(cell)]
            for cell in matrix.cells
        ],
        lambda: [draw.draw_dots(seat_dots(row), f"{row[0].players} players") for row in played],
    )


def _suite(suite: Suite) -> Card:
    return Card(
        [verdict.head(suite), verdict.headline(suite).text],
        ["measure", "deals", "what it found first"],
        [
            [section.title, words.number(section.deals), section.told[0].text if section.told else ""]
            for section in suite.sections
        ],
        lambda: [
            draw.draw_dots(section.figure, section.name)
            for section in suite.sections
            if section.figure is not None
        ],
    )


def _trained(trained: Trained) -> Card:
    start = trained.spec.start
    return Card(
        [show_training.head(trained), show_training.result(trained)],
        ["weight", "before", "after"],
        [[name, f"{start[name]:g}", f"{value:g}"] for name, value in trained.values.items()],
    )


_CARDS: dict[type, Callable[[Any], Card]] = {
    Study: _study,
    Comparison: _comparison,
    Ladder: _ladder,
    Matrix: _matrix,
    Suite: _suite,
    Trained: _trained,
}
