"""Where the verdicts under several line-ups agree, and where what a draft changes depends on who plays."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from experiments.play.matches import Key, Run
from experiments.report.words import letter
from experiments.studies.compare.play import Comparison, Judged
from experiments.studies.run.play import key_columns

_EVERYBODY = ""
"""Stands for the bot of a line-up of one bot in every seat, so that such line-ups have their measures in common."""


@dataclass(frozen=True)
class Disagreement:
    """A measure of a draft by which line-ups are told apart: what the draft changes depends on who plays.

    That is so where the verdicts of two are opposite, or differ and the intervals of their differences do not overlap, those
    that hold for all claims at once (`Comparison.simultaneous`). It is not shown by "equivalent" beside "higher" alone: of one
    difference that is above 0 and within the margin both are true.

    Attributes
    ----------
    claims : list of Judged
        Of all line-ups.
    """

    row: Row
    draft: int
    claims: list[Judged]

    @property
    def opposite(self) -> bool:
        """Whether one line-up finds the draft above the first, and another below."""
        return len({one.word for one in self.claims if one.differs}) > 1

    def told_apart(self, comparison: Comparison) -> bool:
        """Whether it is one."""
        decided = [one for one in self.claims if one.word != "undecided"]
        return self.opposite or any(
            one.word != other.word
            and not _overlap(comparison.simultaneous(one), comparison.simultaneous(other))
            for one, other in combinations(decided, 2)
        )

    def words(self, comparison: Comparison) -> str:
        """Say the verdict of each line-up."""
        return ", ".join(f"{comparison.run_of(one.claim).level} {one.word}" for one in self.claims)


@dataclass(frozen=True)
class Row:
    """A measure that is judged under two line-ups or more.

    Attributes
    ----------
    key : tuple
        Of the measure, as in the first of these line-ups.
    run : Run
        One in which it can be named.
    found : list of list of Judged
        By line-up the claims on it, one a draft; empty where the line-up has no such measure.
    """

    key: Key
    run: Run
    found: list[list[Judged]]

    def disagreements(self, comparison: Comparison) -> list[Disagreement]:
        """Return the drafts by which two line-ups are told apart."""
        by_draft: dict[int, list[Judged]] = {}
        for claims in self.found:
            for one in claims:
                by_draft.setdefault(one.claim.draft, []).append(one)
        found = [Disagreement(self, draft, claims) for draft, claims in by_draft.items()]
        return [one for one in found if one.told_apart(comparison)]

    @property
    def moved(self) -> bool:
        """Whether some draft is found to differ under some line-up."""
        return any(one.differs for claims in self.found for one in claims)


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def rows(comparison: Comparison) -> list[Row]:
    """Return the measures that are judged under two line-ups or more."""
    found: dict[Key, Row] = {}
    for one in comparison.judged:
        run, key = comparison.run_of(one.claim), one.claim.key
        shared = (*key[:2], _EVERYBODY) if key[1:2] == ("bot",) and len(run.bots) == 1 else key
        row = found.setdefault(shared, Row(key, run, [[] for _ in comparison.studies]))
        row.found[one.claim.level].append(one)
    return [row for row in found.values() if sum(map(bool, row.found)) > 1]


def ranking(claims: list[Judged]) -> str:
    """Return the order of the drafts by what is decided: ``B > A = C; D?``, D being undecided.

    Only comparisons with A are judged: of two drafts that both are above it the one with the greater difference stands
    first.
    """

    def placed(*words: str) -> list[str]:
        chosen = [one for one in claims if one.word in words and one.verdict is not None]
        chosen.sort(key=lambda one: -one.verdict.estimate.value if one.verdict else 0.0)
        return [letter(one.claim.draft) for one in chosen]

    like = " = ".join([letter(0), *sorted(placed("equivalent"))])
    text = " > ".join([*placed("higher"), like, *placed("lower")])
    unknown = [f"{letter(one.claim.draft)}?" for one in claims if one.word == "undecided"]
    return "; ".join([text, *([", ".join(unknown)] if unknown else [])])


def disagreements(comparison: Comparison) -> list[Disagreement]:
    """Return where line-ups are told apart, what is opposite first."""
    found = [one for row in rows(comparison) for one in row.disagreements(comparison)]
    return sorted(found, key=lambda one: not one.opposite)


def disagreement_rows(comparison: Comparison) -> list[dict[str, Any]]:
    """Return where line-ups are told apart as flat rows."""
    return [
        {
            "draft": comparison.run_of(found.claims[0].claim).draft.label,
            **key_columns(found.row.key),
            "verdicts": {comparison.run_of(one.claim).level: one.word for one in found.claims},
            "opposite": found.opposite,
        }
        for found in disagreements(comparison)
    ]
