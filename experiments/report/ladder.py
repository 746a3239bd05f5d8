"""Makes the report of a ladder: one self-contained HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.report import draw, tables, words
from experiments.report.figures import Dots, Point
from experiments.report.frame import began, ended, folder_of, render
from experiments.report.squares import Square, SquareCell
from experiments.report.words import NOTHING, Shown, number
from experiments.studies.ladder import words as ladder_words
from experiments.studies.ladder.play import Ladder
from sim import registry


@dataclass(frozen=True)
class Rating:
    """One line of the table of ratings."""

    rank: int
    bot: str
    rating: str
    interval: str
    time: str


def page(ladder: Ladder, manifest: dict[str, Any]) -> str:
    """Return the report of a ladder as one HTML page that loads nothing.

    Parameters
    ----------
    ladder : Ladder
    manifest : dict
        As `experiments.studies.ladder.store.save` writes it; what is missing is shown as a dash.
    """
    draft = ladder.spec.draft
    return render(
        "ladder.html",
        kicker="Ladder of bots",
        title=f"{draft.label}: ladder of {len(ladder.bots)} bots",
        partial=ladder_words.partial(ladder),
        notes=draft.notes,
        facts=_facts(ladder),
        findings=ladder_words.findings(ladder),
        plot=draw.draw_dots(dots(ladder), "ratings"),
        ratings=_ratings(ladder),
        matrix=matrix(ladder),
        reading=ladder_words.READING,
        deals=ladder_words.deals(ladder),
        even=ladder.played.even,
        duels=len(ladder.standing.duels),
        players=draft.players,
        games=ladder.games,
        matches=ladder.matches_a_deal,
        made=_made(ladder, manifest),
        settings=tables.settings([draft]),
        folder=folder_of(manifest),
        bots_file=ladder.spec.bots_file is not None,
    )


def _facts(ladder: Ladder) -> list[tuple[str, str]]:
    return [
        ("Players", str(ladder.spec.draft.players)),
        ("Bots", str(len(ladder.bots))),
        ("Deals of each pair", ladder_words.counts(ladder)),
        ("Seed", str(ladder.spec.seed)),
    ]


def dots(ladder: Ladder) -> Dots:
    """Return the ratings with their intervals as a figure."""
    standing = ladder.standing
    points = [
        Point(
            place, 0, float(standing.ratings[place]), float(standing.low[place]), float(standing.high[place])
        )
        for place in range(len(ladder.bots))
    ]
    rows = [ladder_words.short_label(bot, 20) for bot in ladder.bots]
    return Dots("Rating (Elo points)", rows, [""], points, [(0.0, "mean")])


def _ratings(ladder: Ladder) -> list[Rating]:
    standing = ladder.standing
    return [
        Rating(
            place + 1,
            name,
            number(standing.ratings[place]),
            f"{number(standing.low[place])} to {number(standing.high[place])}",
            ladder_words.time_taken(ladder.microseconds[place]),
        )
        for place, name in enumerate(ladder.labels)
    ]


def matrix(ladder: Ladder) -> Square:
    """Return the win matrix as a square table."""
    places = range(len(ladder.bots))
    rows = [
        (f"{row + 1} {ladder.labels[row]}", [_cell(ladder, row, column) for column in places], "")
        for row in places
    ]
    return Square("", "Ahead of the bot of rank", [str(place + 1) for place in places], rows)


def _cell(ladder: Ladder, row: int, column: int) -> SquareCell:
    if row == column:
        return SquareCell(NOTHING)
    duel, clear = ladder.standing.duel(row, column), ladder.standing.clear
    low, high = duel.interval()
    digits = words.digits_of((high - low) / 2, "share")
    shown = Shown(
        words.percent(duel.value, digits), f"{words.percent(low, digits)} to {words.percent(high, digits)}"
    )
    verdict = "up" if clear[row, column] else "down" if clear[column, row] else "open"
    return SquareCell(shown, duel.value, verdict)


def _made(ladder: Ladder, manifest: dict[str, Any]) -> list[tuple[str, str]]:
    spec = ladder.spec
    bots = zip(ladder.labels, ladder.bots, strict=True)
    facts = [
        *began(manifest),
        ("Game", spec.draft.game),
        ("Version of its rules", str(registry.find(spec.draft.game).state.RULES_VERSION)),
        ("Seed", str(spec.seed)),
        ("Deals of each pair, of those asked for", ladder_words.of_asked(ladder)),
        ("Bots", "; ".join(f"{label}: {bot.summary}" for label, bot in bots)),
        ("Time of playing", f"{number(ladder.seconds, 1)} s"),
        *ended(manifest),
    ]
    return [(name, text or words.MISSING) for name, text in facts]
