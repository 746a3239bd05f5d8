"""A suite as text for a terminal."""

from __future__ import annotations

import textwrap

from experiments.report.findings import Finding
from experiments.report.words import number
from experiments.studies.skill import verdict
from experiments.studies.skill.play import Suite

_LEAST = 44


def lines(suite: Suite, width: int) -> list[str]:
    """Return the findings as lines of at most `width` columns, or of 44 where it is less; the numbers are in the report."""
    width = max(width, _LEAST)
    found = [*_wrapped(verdict.head(suite), width)]
    if not suite.complete:
        found += _wrapped(verdict.partial(suite), width)
    found += ["", *_told(verdict.headline(suite), width)]
    for section in suite.sections:
        found += ["", f"{section.title} ({number(section.deals)} deals)"]
        for finding in section.told:
            found += _told(finding, width)
        found += _wrapped(f"Note: {section.caution}" if section.caution else "", width)
    return found


def _told(finding: Finding, width: int) -> list[str]:
    found = _wrapped(f"{finding.lead}: {finding.text}", width)
    for item in finding.items:
        found += textwrap.wrap(
            item, width, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False
        )
    return found


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  ", break_on_hyphens=False)
