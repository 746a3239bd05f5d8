"""The answer in a paragraph: how strong is luck here?"""

from __future__ import annotations

from experiments.metrics import variance_components
from experiments.report.findings import Finding
from experiments.report.words import listed, number, plural
from experiments.stats import Estimate
from experiments.studies.ladder.ratings import FEW_DEALS
from experiments.studies.skill.measures import ledger
from experiments.studies.skill.play import Suite
from experiments.studies.skill.section import Number


def headline(suite: Suite) -> Finding:
    """Return the verdict of a suite, from what its sections found, and on how many deals it rests."""
    used = [section for section in suite.sections if section.name in _USED]
    found = {(one.what, one.of): one for section in used for one in section.numbers}
    players = suite.spec.players
    weak = [name for name in players.beginners if name != players.best]
    parts = [*_causes(found), *_single(found)]
    if weak:
        parts += [*_meter(found), *_against(found, players.best, weak[-1])]
    if not parts:
        return Finding("How strong is luck", "The run was too short to say; see what was measured.")
    by = listed([f"{section.title}: {plural(section.deals, 'deal')}" for section in used])
    text = f"{' '.join(parts)} ({by}.)"
    if min(section.deals for section in used) < FEW_DEALS:
        text += f" So few deals make these intervals too narrow: {FEW_DEALS} or more are needed."
    return Finding("How strong is luck", text)


_USED = ("luck", "ladder", "ledger")
"""Measures that the verdict rests on."""

_Found = dict[tuple[str, str], Number]


def _causes(found: _Found) -> list[str]:
    """Tell how much of a result is luck, by both ends of what chance brings."""
    ends = [
        found.get((what, ledger.NAMES[variance_components.CHANCE])) for what in (ledger.SHARE, ledger.UPPER)
    ]
    lower, upper = ends
    if lower is None or upper is None:
        return []
    dice = (ledger.SHARE, ledger.NAMES[variance_components.DICE]) in found
    intervals = f"95% intervals: {lower.shown.interval}; {upper.shown.interval}"
    return [f"{ledger.headline(lower, upper, dice=dice)} ({intervals}.)"]


def _single(found: _Found) -> list[str]:
    """Tell how much of a single match is skill: of players in any company, or else of the ladder among the others."""
    skill = found.get((ledger.SHARE, ledger.NAMES[variance_components.PLAYER]))
    if skill is not None:
        return [
            f"{single(skill.found)}: who sits at a seat decides {skill.said} of its result, whatever the cards."
        ]
    bot = next((number for (what, _), number in found.items() if what == "share of variance"), None)
    return [] if bot is None else [f"{single(bot.found)}: who plays decides {bot.said} of its result."]


def single(share: Estimate) -> str:
    """Say what a single match tells, by the interval of the share of its variance that is who plays.

    The rest is not all luck: it is also how players fit the cards, and who else sits there.
    """
    if share.high < 0.1:
        return "A single match says hardly anything about who plays better"
    if share.high < 0.5:
        return "A single match says little about who plays better"
    if share.low > 0.9:
        return "A single match tells who plays better"
    if share.low >= 0.5:
        return "A single match says much about who plays better"
    if share.low >= 0.1:
        return "A single match says something about who plays better"
    return "So few matches cannot tell how much a single one says about who plays better"


def _meter(found: _Found) -> list[str]:
    """Tell the lowest luck meter: of the strongest among the weakest."""
    meters = [one for (what, _), one in found.items() if what == "luck meter" and one.found.value <= 1]
    if not meters:
        return []
    meter = min(meters, key=lambda one: one.found.value)
    return [
        f"Among weak players, skill makes no difference in {meter.said} of matches; luck decides (luck meter, {meter.of})."
    ]


def _against(found: _Found, best: str, weak: str) -> list[str]:
    share = found.get((f"{best} is ahead of", weak))
    if share is None:
        return []
    better, other = (best, weak) if share.found.value >= 0.5 else (weak, best)
    games = found.get((f"matches until {better} is ahead, 95% sure", other))
    if games is None:
        return []
    ahead = f"{best} is ahead of {weak} in {share.said} of matches"
    if share.found.low <= 0.5 <= share.found.high:
        return [f"{ahead}: which of the two is better, if any, is not seen."]
    return [
        f"{ahead}, so it takes {games.said} matches to be 95% sure that {better}, the better, has won more of them."
    ]


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
