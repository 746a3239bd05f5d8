"""The answer in a paragraph: how strong is luck here?"""

from __future__ import annotations

from experiments.report.findings import Finding
from experiments.report.words import number, plural
from experiments.skill.section import Number
from experiments.skill.suite import Suite


def headline(suite: Suite) -> Finding:
    """Return the verdict of a suite, from what its sections found."""
    found = {(one.what, one.of): one for section in suite.sections for one in section.numbers}
    players = suite.spec.players
    parts = [*_single(found), *_against(found, players.best, players.beginners[-1])]
    if not parts:
        parts = ["The run was too short to say; see what was measured."]
    return Finding("How strong is luck", " ".join(parts))


_Found = dict[tuple[str, str], Number]


def _single(found: _Found) -> list[str]:
    bot = next((one for (what, _), one in found.items() if what == "share of variance"), None)
    if bot is None:
        return []
    share = bot.found
    word = (
        "Luck decides a single match"
        if share.high < 0.1
        else "A single match is mostly luck"
        if share.high < 0.5
        else "Skill and luck share a single match"
        if share.low < 0.5
        else "Skill decides even a single match"
    )
    return [f"{word}: who of the ladder plays explains {bot.said} of how it ends."]


def _against(found: _Found, best: str, weak: str) -> list[str]:
    share = found.get((f"{best} is ahead of", weak))
    games = found.get((f"matches until {best} is ahead, 95% sure", weak))
    if share is None or games is None:
        return []
    text = (
        f"{best} is ahead of {weak} in {share.said} of matches, so it takes {games.said} matches to be 95% sure that the better of "
        "the two has won more of them."
    )
    return [text]


def head(suite: Suite) -> str:
    """Say what was played, in a line."""
    spec = suite.spec
    partial = "" if suite.complete else " (partial: interrupted)"
    return (
        f"{spec.draft.label}: luck and skill, {plural(len(suite.sections), 'measure')}{partial}, "
        f"{number(max(suite.done.values()))} deals at the most, seed {spec.seed}"
    )


def partial(suite: Suite) -> str:
    """Say how far an interrupted suite came; empty for a whole one."""
    if suite.complete:
        return ""
    told = [
        f"{name}: {number(suite.done.get(name, 0))} of {number(deals)} deals"
        for name, deals in suite.spec.deals.items()
        if suite.done.get(name) != deals
    ]
    return f"Interrupted. Measures that are missing or have fewer deals than planned: {'; '.join(told)}."
