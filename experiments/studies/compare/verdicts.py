"""Verdicts in words: of single measures, of all together, and how they were reached."""

from __future__ import annotations

from experiments.play.margins import LEAST, Kind, Margin
from experiments.report import words
from experiments.report.words import number, plural
from experiments.stats import CONFIDENCE
from experiments.studies.compare.play import Comparison, Judged

_KINDS: dict[Kind, str] = {"share": "shares", "score": "scores", "count": "lengths and counts"}


def short(comparison: Comparison, judged: Judged) -> str:
    """Write a verdict for a table."""
    if judged.word != "undecided":
        return judged.word
    more = comparison.more(judged)
    return "undecided" if more is None else f"undecided ({words.about(more)} more)"


def counts(judged: list[Judged]) -> str:
    """Say how many measures came out how."""
    different = sum(claim.differs for claim in judged)
    alike = sum(claim.word == "equivalent" for claim in judged)
    verb = "differs" if different == 1 else "differ"
    return (
        f"Of {plural(len(judged), 'measure')}, {number(different)} {verb}, {number(alike)} are equivalent and "
        f"{number(len(judged) - different - alike)} undecided."
    )


def undecided(comparison: Comparison, judged: list[Judged]) -> str:
    """Say what is undecided, and how many more matches should settle it."""
    still = [claim for claim in judged if claim.word == "undecided"]
    if not still:
        return "All measures are decided."
    wanted = [comparison.more(claim) for claim in still]
    known = sorted(more for more in wanted if more is not None)
    text = f"{plural(len(still), 'measure')} of {number(len(judged))} {'is' if len(still) == 1 else 'are'} undecided"
    if not known:
        return f"{text}: not enough matches to say how many more would settle it."
    if len(known) == 1 or words.about(known[0]) == words.about(known[-1]):
        return f"{text}: about {words.about(known[-1])} more matches per draft should settle {'it' if len(still) == 1 else 'them'}."
    return f"{text}: about {words.about(known[0])} more matches per draft should settle the first, {words.about(known[-1])} the last."


def margins(comparison: Comparison) -> str:
    """Say what counts as no difference."""
    stated = comparison.spec.margins
    parts = [f"{name} {_with_unit(stated[kind])}" for kind, name in _KINDS.items()]
    if stated["score"].unit == "sd":
        # Of line-ups each has its own deviation.
        points = {
            claim.claim.level: claim.claim.margin
            for claim in comparison.judged
            if claim.claim.key[0] == "score"
        }
        parts[1] += (
            f" ({', '.join(number(value, 2) for value in points.values())} points), {LEAST:g} at least"
        )
    parts[2] += f", {LEAST:g} at least"
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


def method(comparison: Comparison) -> list[str]:
    """Say how sure the verdicts are, and why."""
    design = comparison.spec.design
    sure = round(100 * CONFIDENCE)
    claims = plural(len(comparison.judged), "measure")
    sentences = [
        (
            f'If nothing really differed, at least {sure} of 100 such reports would contain no false "higher" or "lower" among '
            f'their {claims}; the same holds for "equivalent" (Holm\'s correction over all of them).'
        )
    ]
    if design.until_decided:
        sentences.append(
            f"That holds whenever the comparison ends, also by Ctrl-C: it looked after {number(design.first)} blocks, then "
            f"whenever there were {design.growth:g} times as many (a group-sequential design)."
        )
    else:
        sentences.append("There was one look, at the end.")
    sentences.append(
        f"Relative margins come from a separate pilot sample: {plural(design.pilot, 'block')} of the first draft, on deals of "
        "their own."
    )
    return [*sentences, *([text] if (text := ending(comparison)) else [])]


def ending(comparison: Comparison) -> str:
    """Say why a comparison ended, unless it was as long as it was to be."""
    left = plural(len(comparison.undecided), "measure")
    if not comparison.spec.design.until_decided:
        if comparison.complete:
            return ""
        return (
            "Interrupted: the one look was at a smaller run than planned. The verdicts are as sure as those of a whole one, "
            "unless it was stopped because of what had come."
        )
    if not comparison.complete:
        return f"Interrupted with {left} undecided; the verdicts hold all the same, since this plan is valid at any time."
    if comparison.undecided:
        return f"Ended at the limit of {number(comparison.spec.matches)} matches with {left} undecided."
    return "Ended when everything was decided."
