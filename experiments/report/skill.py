"""Makes the report of a suite: one self-contained HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from experiments.report import draw, tables, words
from experiments.report.findings import Finding
from experiments.report.frame import began, ended, folder_of, render
from experiments.report.words import number
from experiments.studies.skill import verdict
from experiments.studies.skill.play import Suite
from experiments.studies.skill.section import Section
from sim import registry


@dataclass(frozen=True)
class Row:
    """One line of the table of a section."""

    what: str
    of: str
    value: str
    interval: str
    n: str


@dataclass(frozen=True)
class Part:
    """A section as the page shows it."""

    name: str
    title: str
    deals: str
    findings: list[Finding]
    rows: list[Row]
    unlisted: int
    caution: str
    plot: Markup | None


def page(suite: Suite, manifest: dict[str, Any]) -> str:
    """Return the report of a suite as one HTML page that loads nothing.

    Parameters
    ----------
    suite : Suite
    manifest : dict
        As `experiments.studies.skill.store.save` writes it; what is missing is shown as a dash.
    """
    draft = suite.spec.draft
    return render(
        "skill.html",
        kicker="Luck and skill",
        title=f"{draft.label}: how strong is luck here?",
        partial=verdict.partial(suite),
        notes=draft.notes,
        facts=_facts(suite),
        findings=[verdict.headline(suite)],
        parts=[part(section) for section in suite.sections],
        players=draft.players,
        games=int(draft.options.counted_games),
        yardsticks=suite.spec.players,
        made=_made(suite, manifest),
        settings=tables.settings([draft]),
        folder=folder_of(manifest),
        bots_file=suite.spec.bots_file is not None,
    )


def part(section: Section) -> Part:
    """Return a section as the page shows it."""
    rows = [
        Row(one.what, one.of, one.shown.value, one.shown.interval, number(one.found.blocks))
        for one in section.numbers
        if one.listed
    ]
    plot = None if section.figure is None else draw.draw_dots(section.figure, section.name)
    return Part(
        section.name,
        section.title,
        number(section.deals),
        section.told,
        rows,
        len(section.numbers) - len(rows),
        section.caution,
        plot,
    )


def _facts(suite: Suite) -> list[tuple[str, str]]:
    players = suite.spec.players
    return [
        ("Players", str(suite.spec.draft.players)),
        ("Beginners", words.listed(list(players.beginners))),
        ("Others", players.others),
        ("Best", players.best),
        ("Told all chance", players.fictive or words.MISSING),
        ("Seed", str(suite.spec.seed)),
    ]


def _made(suite: Suite, manifest: dict[str, Any]) -> list[tuple[str, str]]:
    spec = suite.spec
    bots = [spec.bot(name) for name in spec.ladder]
    if spec.players.fictive is not None:
        bots.append(spec.bot(spec.players.fictive))
    deals = [
        f"{name} {number(suite.done.get(name, 0))} of {number(count)}" for name, count in spec.deals.items()
    ]
    facts = [
        *began(manifest),
        ("Game", spec.draft.game),
        ("Version of its rules", str(registry.find(spec.draft.game).state.RULES_VERSION)),
        ("Seed", str(spec.seed)),
        ("Deals", "; ".join(deals)),
        ("Bots", "; ".join(f"{bot.name}: {bot.summary}" for bot in bots)),
        ("Time", f"{number(suite.seconds, 1)} s"),
        *ended(manifest),
    ]
    return [(name, text or words.MISSING) for name, text in facts]
