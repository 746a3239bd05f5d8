"""Verdicts on the page: first findings, what the tables say of each measure, and the line-ups side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from experiments.play.matches import Key, Run
from experiments.report import findings, tables, words
from experiments.report.findings import Finding
from experiments.report.tables import Told
from experiments.report.words import letter, plural
from experiments.stats import Kind
from experiments.studies.compare import distance_words, lineups, verdict_words
from experiments.studies.compare.play import Comparison, Judged


def told(comparison: Comparison, level: int, run: Run) -> dict[Key, Told]:
    """Return what the tables say of each measure of a draft that is judged."""
    found = {}
    for key in run.differences:
        one = comparison.by_place.get((level, run.number, key))
        if one is not None and one.verdict is not None:
            mark = "open"
            if one.differs:
                mark = "up" if one.word in ("better", "higher") else "down"
            found[key] = Told(comparison.difference(one), _sentence(comparison, run, one), mark)
    return found


def _sentence(comparison: Comparison, run: Run, one: Judged) -> str:
    kind = tables.kind(run, one.claim.key)
    if one.word == "undecided":
        more = comparison.more(one)
        return (
            "undecided"
            if more is None
            else f"undecided; about {verdict_words.about(more)} more matches would tell"
        )
    if one.word == "equivalent":
        return f"equivalent, within {_margin(one.claim.margin, kind)}"
    text = words.reading(comparison.difference(one), kind)
    return (
        text.replace("higher", "better", 1).replace("lower", "worse", 1)
        if one.word in ("better", "worse")
        else text
    )


def _margin(margin: float, kind: Kind) -> str:
    shown = 100 * margin if kind == "share" else margin
    text = words.number(shown, 2 if shown < 10 else 1 if shown < 100 else 0)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return f"{text}\N{NO-BREAK SPACE}pp" if kind == "share" else text


def of_comparison(comparison: Comparison) -> list[Finding]:
    """Return the findings of a comparison: the verdicts of each draft, where line-ups disagree, each draft alone."""
    found = _disagreement(comparison)
    base, *others = comparison.studies[0].runs
    for run in others:
        names = f"{letter(run.number)} against {letter(0)}"
        found.append(Finding(names, findings.rules_words(base, run)))
        for level, study in enumerate(comparison.studies):
            found += _of_draft(comparison, level, study.runs[run.number], names)
    for study in comparison.studies:
        under = f", {study.runs[0].level}" if len(comparison.studies) > 1 else ""
        found += [Finding(f"{letter(run.number)}, seats{under}", findings.seats(run)) for run in study.runs]
        if len(study.runs[0].bots) > 1:
            found += [Finding(f"{letter(run.number)}, bots{under}", findings.bots(run)) for run in study.runs]
    return found


def _of_draft(comparison: Comparison, level: int, run: Run, names: str) -> list[Finding]:
    base = comparison.studies[level].runs[0]
    claims = [one for one in comparison.judged if (one.claim.level, one.claim.draft) == (level, run.number)]
    said = told(comparison, level, run)
    items: dict[str, list[str]] = {"differ": [], "equivalent": [], "undecided": []}
    for one in claims:
        key = one.claim.key
        if findings.is_main(base, run, key) and key in said:
            text = f"{tables.label(run, key)}: {said[key].text}"
            if one.differs:
                kind = tables.kind(run, key)
                before, after = words.show(base.estimates[key], kind), words.show(run.estimates[key], kind)
                text += f" ({before.value} → {after.value})"
            items["differ" if one.differs else one.word].append(text)
    under = f", {run.level}" if len(comparison.studies) > 1 else ""
    more = verdict_words.longest(comparison, claims)
    summary = (
        f"Of {plural(len(claims), 'measure')} {verdict_words.counts(claims)}{f': {more}' if more else ''}."
    )
    heads = {
        "differ": "The main measures that differ:"
        if items["differ"]
        else "None of the main measures is found to differ.",
        "equivalent": "Of the main measures these differ by no more than the margin:",
        "undecided": "Of the main measures these are not decided:",
    }
    found = [Finding(f"{names}{under}, verdicts", f"{summary} {heads['differ']}", items["differ"])]
    found += [
        Finding(f"{names}{under}, {which}", heads[which], items[which])
        for which in ("equivalent", "undecided")
        if items[which]
    ]
    apart = comparison.distances.get((level, run.number))
    if apart is not None:
        told_apart = distance_words.finding(base, run, apart)
        found.append(Finding(f"{names}{under}, distributions of scores", *told_apart))
    return found


# ---- line-ups -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """A measure with the order of the drafts under each line-up."""

    label: str
    orders: list[str]
    disagree: bool


def orders(comparison: Comparison) -> list[Order]:
    """Return the order of the drafts by each measure in which some draft differs."""
    return [
        Order(
            tables.label(row.run, row.key),
            [lineups.ranking(claims) if claims else words.MISSING for claims in row.found],
            bool(row.disagreements(comparison)),
        )
        for row in lineups.rows(comparison)
        if row.moved
    ]


def _disagreement(comparison: Comparison) -> list[Finding]:
    if len(comparison.studies) < 2:
        return []
    items = [
        f"{letter(found.draft)}, {tables.label(found.row.run, found.row.key)}: {found.words(comparison)}"
        for found in lineups.disagreements(comparison)
    ]
    lead = "Warning: line-ups disagree" if items else "Line-ups"
    return [Finding(lead, verdict_words.dependence(comparison), items)]


# ---- how it was judged ----------------------------------------------------------------------------------


def section(comparison: Comparison) -> dict[str, Any]:
    """Return what the page says of the plan and of the line-ups."""
    return {
        "margins": verdict_words.margin_words(comparison),
        "method": verdict_words.method(comparison),
        "ending": verdict_words.ending(comparison),
        "sequential": comparison.spec.design.until_decided,
        "pilot": words.plural(comparison.spec.design.pilot, "block"),
        "levels": comparison.levels if len(comparison.studies) > 1 else [],
        "orders": orders(comparison) if len(comparison.studies) > 1 else [],
    }
