"""Verdicts in words, for the page and the terminal."""

from __future__ import annotations

import math

from experiments.play.margins import LEAST, Kind, Margin
from experiments.report.words import number, plural
from experiments.stats import CONFIDENCE
from experiments.studies.compare import lineups
from experiments.studies.compare.play import Comparison, Judged

_DIGITS = 2
"""Of an estimate of how many matches it takes."""

_MILLION = 1_000_000


def about(count: float | None) -> str:
    """Write a number of matches with two digits, as it is only about right."""
    if count is None:
        return "unknown"
    if count < 1:
        return "0"
    step = 10 ** max(0, math.floor(math.log10(count)) + 1 - _DIGITS)
    rounded = math.ceil(count / step) * step
    if rounded < _MILLION:
        return number(rounded)
    millions = rounded / _MILLION
    return f"{number(millions, 1 if millions < 10 else 0)} million"


def short(comparison: Comparison, one: Judged) -> str:
    """Write a verdict for a table."""
    if one.word != "undecided":
        return one.word
    more = comparison.more(one)
    return "undecided" if more is None else f"undecided ({about(more).replace(' million', 'M')})"


def counts(judged: list[Judged]) -> str:
    """Say how many claims came out how."""
    different = sum(one.differs for one in judged)
    alike = sum(one.word == "equivalent" for one in judged)
    open_ones = sum(one.word == "undecided" for one in judged)
    verb = "differs" if different == 1 else "differ"
    return f"{number(different)} {verb}, {number(alike)} equivalent, {number(open_ones)} undecided"


def longest(comparison: Comparison, judged: list[Judged]) -> str:
    """Say how many matches it would take to decide the last; empty if all is decided."""
    wanted = [comparison.more(one) for one in judged if one.word == "undecided"]
    known = [more for more in wanted if more is not None]
    if not known:
        return ""
    each = "" if len(wanted) == 1 else "the nearest about " + about(min(known)) + ", the last "
    return f"{each}about {about(max(known))} matches more of each draft"


_KINDS: dict[Kind, str] = {"share": "shares", "score": "scores", "count": "lengths and counts"}


def margin_words(comparison: Comparison) -> str:
    """Say what counts as no difference."""
    stated = comparison.spec.design.margins
    parts = [f"{name} {_with_unit(stated[kind])}" for kind, name in _KINDS.items()]
    if stated["score"].unit == "sd":
        # Of line-ups each has its own deviation.
        points = {
            one.claim.level: one.claim.margin for one in comparison.judged if one.claim.key[0] == "score"
        }
        parts[1] += f" ({', '.join(number(value, 2) for value in points.values())} points)"
    least = f"{LEAST:g} at least"
    if stated["score"].unit == "sd":
        parts[1] += f", {least}"
    parts[2] += f", {least}"
    return "; ".join(parts)


def _with_unit(margin: Margin) -> str:
    many = "" if margin.amount == 1 else "s"
    unit = {
        "pp": f" percentage point{many}",
        "sd": " of a standard deviation",
        "points": f" point{many}",
        "%": "% of the first draft's",
    }[margin.unit]
    return f"{margin.amount:g}{unit}"


def method(comparison: Comparison) -> str:
    """Say how sure the verdicts are, and why."""
    claims, design = plural(len(comparison.judged), "claim"), comparison.spec.design
    rate = f"{100 * (1 - CONFIDENCE):.0f}%"
    errors = (
        f"{claims}. In at most {rate} of such comparisons is any of them called different that is not, and in at most {rate} "
        "any called equivalent that is not (Holm's correction over all claims)"
    )
    if design.until_decided:
        return (
            f"{errors}, whenever it ends, also by Ctrl-C. There was a look after {number(design.first)} blocks, and then "
            f"whenever there were {design.growth:g} times as many (a group-sequential design)."
        )
    return f"{errors}. There was one look, at the end."


def ending(comparison: Comparison) -> str:
    """Say why a comparison ended, unless it was as long as it was to be."""
    left = plural(len(comparison.undecided), "claim")
    if not comparison.spec.design.until_decided:
        if comparison.complete:
            return ""
        return (
            "Interrupted: the one look was at a smaller run than planned. The verdicts are as sure as those of a whole one, "
            "unless it was stopped because of what had come."
        )
    if not comparison.complete:
        return f"Interrupted with {left} undecided; the verdicts hold none the less, since this plan is valid at any time."
    if comparison.undecided:
        return f"Ended at the limit of {number(comparison.spec.matches)} matches with {left} undecided."
    return "Ended since everything was decided."


def dependence(comparison: Comparison) -> str:
    """Say whether what the drafts change depends on who plays."""
    found = lineups.disagreements(comparison)
    if not found:
        return (
            "No two line-ups are told apart by any measure: nowhere are their verdicts opposite, or different with intervals "
            "that do not overlap."
        )
    opposite = sum(one.opposite for one in found)
    return (
        f"WARNING: what the drafts change depends on who plays. By {plural(len(found), 'measure')} line-ups are told apart: by "
        f"{number(opposite)} they decide to the opposite, by {number(len(found) - opposite)} they decide differently and their "
        "intervals, those that hold for all claims at once, do not overlap:"
    )
