"""A comparison as text for a terminal."""

from __future__ import annotations

import textwrap

from experiments.play.matches import Run, says_something
from experiments.report.words import gain_words, letter
from experiments.studies.compare import distance_words, lineups
from experiments.studies.compare import verdict_words as words
from experiments.studies.compare.play import Comparison
from experiments.studies.run import show

_LEAST = 22
_TITLE = 32


def lines(comparison: Comparison) -> list[str]:
    """Return each run, its verdicts beside its differences from the first, and what they come to."""
    found: list[str] = []
    several = len(comparison.studies) > 1
    for study in comparison.studies:
        for run in study.runs:
            found += [*show.run_lines(run), ""]
    for level, study in enumerate(comparison.studies):
        for run in study.runs[1:]:
            found += [*_differences(comparison, level, run), ""]
    found += _verdicts(comparison)
    return [*found, "", *_levels(comparison)] if several else found


def _wrapped(text: str, first: str = "") -> list[str]:
    return textwrap.wrap(
        text, show.WIDTH, initial_indent=first, subsequent_indent="  ", break_on_hyphens=False
    )


def _differences(comparison: Comparison, level: int, run: Run) -> list[str]:
    """Return a draft's differences from the first, each with its verdict."""
    base = run.study.runs[0].draft.label
    paired = all(item.paired for item in run.differences.values())
    how = "paired: same shuffles, same seats" if paired else "not paired: other numbers of players or bots"
    under = f", {show.lineup([run.level])}" if len(run.bots) == 1 else f", {run.level}"
    title = f"{run.draft.label} less {base} ({how}){under if len(comparison.studies) > 1 else ''}"
    verdicts = {}
    shown = {key: found for key, found in run.differences.items() if says_something(key, run.bots)}
    for key in shown:
        one = comparison.by_place.get((level, run.number, key))
        if one is not None and one.verdict is not None:
            verdicts[key], shown[key] = words.short(comparison, one), comparison.difference(one)
    saved = gain_words(list(run.differences.values()))
    return [
        *_wrapped(title),
        *show.measure_lines(run, shown, verdicts),
        *_wrapped(saved, "  "),
        *_distances(comparison, level, run),
    ]


def _distances(comparison: Comparison, level: int, run: Run) -> list[str]:
    """Return how far a draft's scores lie from those of the first, beside what noise alone does."""
    found = comparison.distances.get((level, run.number))
    if found is None:
        return []
    lines = ["", *_wrapped(distance_words.heading(run, found), "  ")]
    for name, one, is_share in (
        ("points to move a score", found.wasserstein, False),
        ("greatest gap of shares", found.kolmogorov, True),
    ):
        limit = f"{100 * one.alike:.2f}" if is_share else show.number(one.alike)
        shown = show.gap(one.value, share=is_share)
        lines.append(f"  {name:<{_TITLE}}{shown:<24} {distance_words.verdict(one)} ({limit})")
    return lines


def _verdicts(comparison: Comparison) -> list[str]:
    found = []
    for level, study in enumerate(comparison.studies):
        for run in study.runs[1:]:
            claims = [
                one for one in comparison.judged if (one.claim.level, one.claim.draft) == (level, run.number)
            ]
            under = f", {run.level}" if len(comparison.studies) > 1 else ""
            more = words.longest(comparison, claims)
            text = f"{run.draft.label}{under}: {words.counts(claims)}{f', {more}' if more else ''}"
            found += _wrapped(text, "  ")
    return [
        "verdicts; undecided (n): about so many more matches of each draft would decide",
        *found,
        *_wrapped(f"Equivalent is a difference of no more than: {words.margin_words(comparison)}.", "  "),
        *_wrapped(words.method(comparison), "  "),
        *_wrapped(words.ending(comparison), "  "),
        *_wrapped(distance_words.METHOD if comparison.distances else "", "  "),
    ]


def _levels(comparison: Comparison) -> list[str]:
    """Return the order of the drafts under each line-up, and a warning where line-ups disagree."""
    found = lineups.rows(comparison)
    drafts = ", ".join(f"{letter(run.number)} {run.draft.label}" for run in comparison.studies[0].runs)
    table = [("", comparison.levels, "")]
    for row in found:
        if row.moved and show.fits_a_terminal(row.run, row.key):
            orders = [lineups.ranking(claims) if claims else "-" for claims in row.found]
            table.append(
                (show.title(row.run, row.key), orders, "disagree" if row.disagreements(comparison) else "")
            )
    return [
        *_wrapped(f"order of the drafts by what is decided ({drafts}; ?: undecided)"),
        *_columns(table),
        *_warnings(comparison),
    ]


def _columns(table: list[tuple[str, list[str], str]]) -> list[str]:
    """Return rows of a name, a text for each line-up, and a mark; a line for each text where they are too wide."""
    names = [name[: _LEAST - 1] for name in table[0][1]]
    wide = [
        max(len(row[1][column]) for row in [("", names, ""), *table[1:]]) + 2 for column in range(len(names))
    ]
    if 2 + _TITLE + sum(wide) + len("disagree") <= show.WIDTH:
        rows = [("", names, ""), *table[1:]]
        return [
            f"  {name:<{_TITLE}}{''.join(f'{text:<{width}}' for text, width in zip(texts, wide, strict=True))}{mark}".rstrip()
            for name, texts, mark in rows
        ]
    lines = []
    for name, texts, mark in table[1:]:
        lines.append(f"  {name}{f' ({mark})' if mark else ''}")
        lines += [f"    {level:<{_LEAST}}{text}" for level, text in zip(names, texts, strict=True)]
    return lines


def _warnings(comparison: Comparison) -> list[str]:
    lines = ["", *_wrapped(words.dependence(comparison))]
    for found in lineups.disagreements(comparison):
        name = show.title(found.row.run, found.row.key)
        lines += _wrapped(f"{letter(found.draft)}, {name}: {found.words(comparison)}", "  ")
    return lines
