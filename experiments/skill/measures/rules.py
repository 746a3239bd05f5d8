"""Each rule of a draft: how often it comes, beside what it changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks, effects, variance
from experiments.metrics.effects import Change
from experiments.report import gains, words
from experiments.report.figures import Dots, Point
from experiments.report.findings import Finding
from experiments.report.words import listed, plural
from experiments.skill.measures import Measure
from experiments.skill.section import Number, Section, Unit, unlisted
from experiments.skill.spec import Spec
from experiments.skill.variants import Trial, Trials, Variants, trials_of
from experiments.stats import Estimate
from sim import switches

_TOLD = 3
"""Rules of which all is told in words."""


@dataclass(frozen=True)
class _Measured:
    """One measure of all drafts."""

    what: str
    unit: Unit
    values: Any
    most: float
    """The greatest difference that there can be."""


@dataclass(frozen=True)
class _Rule:
    """What was found of a rule."""

    trial: Trial
    times: Number | None
    matches: Number | None
    changes: list[tuple[Number, Change]]
    gains: dict[str, Estimate]
    """By measure, of playing the same deals with the rule and without."""
    winner: Number | None

    @property
    def size(self) -> float:
        return max((change.size for _, change in self.changes), default=0.0)

    @property
    def never(self) -> bool:
        return self.times is not None and self.times.found.value == 0

    def rows(self) -> list[Number]:
        counted = [self.times, self.matches, self.winner]
        return [
            *(one for one in counted if one is not None),
            *(number for number, _ in self.changes),
            *(
                number
                for what, gain in self.gains.items()
                for number in unlisted(f"{gains.PAIRING} ({what})", {self.trial.label: gain})
            ),
        ]


def _others(spec: Spec) -> tuple[str, str]:
    """Return who sits at the mirrored tables and is the stronger one, and the weaker."""
    return spec.players.others, spec.players.beginners[-1]


def read(spec: Spec, decisions: Any, strong: Any, stays: Any, first: Any, winners: Any, came: Any) -> Section:
    """Read the rules.

    Parameters
    ----------
    spec : Spec
    decisions, strong, stays, first, winners, came : array
        See `Variants.play`.
    """
    trials = trials_of(spec.draft)
    measured = _measures(spec, decisions, strong, stays, first)
    looks = len(trials.tried) * len(measured)
    rules = [
        _rule(spec, number, trial, measured, looks, winners, came)
        for number, trial in enumerate(trials.tried, 1)
    ]
    if not measured:
        text = "In none of the drafts does anything vary from deal to deal that could be compared."
        return Section("rules", "Rules", [Finding("What the rules change", text)], [], "", len(came))
    ordered = sorted(rules, key=lambda rule: -rule.size)
    findings = [
        _most(trials, ordered, looks),
        *_luck_or_skill(spec, rules),
        *_never(spec, rules, len(came)),
        *_nothing(ordered),
        *_same_deals(rules, measured[0].what),
        *_together(spec, trials),
        *_left_out(trials),
    ]
    player, weak = _others(spec)
    among = "" if player == weak else f", or for {player} among {weak}"
    caution = (
        f"With {player} in every seat{among}. It was not trained anew for any of the drafts, so what a rule would change once people "
        "have learned to play with it, or without, is another matter. Rules work together: what one changes alone does not add up with "
        f"what another does. The intervals of all {looks} differences hold at once; those of how often a rule comes are each by itself."
    )
    return Section(
        "rules",
        "Rules",
        findings,
        [number for rule in rules for number in rule.rows()],
        caution,
        len(came),
        _figure(rules, measured),
    )


def _measures(spec: Spec, decisions: Any, strong: Any, stays: Any, first: Any) -> list[_Measured]:
    each = _each(spec)
    due = 1 / spec.draft.players
    found = [
        _Measured(_strength(spec), "pp", strong, 1.0),
        _Measured(f"decisions a {each}", "number", decisions, math.inf),
        # Each class being as common as any other, Cohen's κ is no more than this.
        _Measured("stickiness", "number", (stays - due) / (1 - due), 1 / (1 - due)),
        _Measured("the first stays first", "pp", first, 1.0),
    ]
    # What no rule moves (Uplink has as many decisions in every match) needs no claims.
    return [one for one in found if one.values.shape[1] and np.ptp(one.values) > 0]


def _strength(spec: Spec) -> str:
    player, weak = _others(spec)
    return f"win share of {player} among {weak}"


def _each(spec: Spec) -> str:
    return "game" if spec.draft.options.counted_games > 1 else "match"


def _rule(
    spec: Spec, number: int, trial: Trial, measured: list[_Measured], looks: int, winners: Any, came: Any
) -> _Rule:
    """Read what one rule changes; the drafts have the numbers 0, and `number` without the rule (or with it)."""
    with_it, without = (0, number) if trial.is_on else (number, 0)
    changes, gained = [], {}
    for one in measured:
        pair = one.values[:, with_it], one.values[:, without]
        if np.isfinite(pair).all():
            found = effects.change(*pair, looks, one.most)
            changes.append(
                (Number(f"{one.what}: with less without", trial.label, found.found, one.unit), found)
            )
            gained[one.what] = variance.pairing_gain(*pair)
    times = matches = winner = None
    counts = came[:, number - 1]
    if trial.switch.events:
        games = spec.draft.options.counted_games
        what = "points it brings" if trial.switch.points else "times"
        times = Number(f"{what} a {_each(spec)}", trial.label, effects.rate(counts, games), "number")
        matches = Number("matches in which it comes", trial.label, blocks.share(counts != 0), "share")
    if not trial.switch.later:
        which = "first game" if spec.draft.options.counted_games > 1 else "match"
        share = effects.others_win(winners[:, with_it], winners[:, without])
        winner = Number(f"deals on which another wins the {which}", trial.label, share, "share")
    return _Rule(trial, times, matches, changes, gained, winner)


# ---- in words -------------------------------------------------------------------------------------------


def _most(trials: Trials, ordered: list[_Rule], looks: int) -> Finding:
    on = sum(trial.is_on for trial in trials.tried)
    tried = len(trials.tried) - on
    groups = []
    if on:
        groups.append(f"{plural(on, 'rule')} of the draft, each switched off alone")
    if tried:
        groups.append(f"{plural(tried, 'rule')} that it does not have, each switched on alone")
    told = [rule for rule in ordered if rule.size > 0]
    text = (
        f"Of {listed(groups)}: {plural(len(told), 'changes', 'change')} something that is told from 0 ({looks} differences judged at "
        "once)."
    )
    if told:
        text += " The most, in standard deviations of a deal, and by how much it is higher or lower with the rule:"
    items = [_told(rule) for rule in told[:_TOLD]]
    if told[_TOLD:]:
        items.append(f"and less: {listed([rule.trial.label for rule in told[_TOLD:]])}.")
    return Finding("What the rules change", text, items)


def _told(rule: _Rule) -> str:
    parts = []
    if rule.times is not None and rule.matches is not None:
        parts.append(f"{rule.times.what} {rule.times.said}, in {rule.matches.shown.value} of matches")
    parts += [
        f"{number.what.partition(':')[0]} {'+' if change.found.value > 0 and number.unit == 'number' else ''}{number.said}"
        for number, change in rule.changes
        if change.told
    ]
    if rule.winner is not None:
        parts.append(f"{rule.winner.what} {rule.winner.shown.value}")
    return f"{rule.trial.label}: {'; '.join(parts)}."


def _luck_or_skill(spec: Spec, rules: list[_Rule]) -> list[Finding]:
    player, weak = _others(spec)
    pairs = [
        (rule, *one) for rule in rules for one in rule.changes if one[0].what.startswith(_strength(spec))
    ]
    if not pairs:
        return []
    items = []
    for word, sign in (("skill (the stronger wins more with it)", 1), ("luck (the stronger wins less)", -1)):
        some = [one for one in pairs if one[2].told and sign * one[2].found.value > 0]
        some.sort(key=lambda one: -abs(one[2].found.value))
        if some:
            items.append(
                f"{word}: " + listed([f"{rule.trial.label} {number.said}" for rule, number, _ in some]) + "."
            )
    rest = sum(not change.told for _, _, change in pairs)
    text = (
        f"By the win share of {player} among {weak}, {plural(len(pairs) - rest, 'rule')} of {len(pairs)} "
        f"{'is' if len(pairs) - rest == 1 else 'are'} told to bring luck or skill."
    )
    return [Finding("Luck or skill", text, items)]


def _never(spec: Spec, rules: list[_Rule], deals: int) -> list[Finding]:
    never = [rule for rule in rules if rule.never]
    if not never:
        return []
    games = deals * spec.draft.options.counted_games
    heeded = [rule.trial.label for rule in never if rule.size > 0]
    text = f"In {words.number(games)} {_each(spec)}{'es' if _each(spec) == 'match' else 's'}: {listed([rule.trial.label for rule in never])}."
    if heeded:
        text += f" Even so, without {listed(heeded)} something changes: players heed what they would pay for."
    return [Finding("Never came", text)]


def _nothing(ordered: list[_Rule]) -> list[Finding]:
    nothing = [rule.trial.label for rule in ordered if rule.size == 0 and not rule.never]
    if not nothing:
        return []
    text = f"Not told from 0 in any measure: {listed(sorted(nothing))}. That is not “no effect”: see the intervals."
    return [Finding("No effect seen", text)]


def _same_deals(rules: list[_Rule], what: str) -> list[Finding]:
    text = gains.of_pairing([rule.gains[what] for rule in rules if what in rule.gains], "rule", what)
    return [Finding("Same deals", text)] if text else []


def _together(spec: Spec, trials: Trials) -> list[Finding]:
    """Tell which rules do nothing any more once another is off, so that its effect has theirs in it."""
    items = []
    for trial in trials.tried:
        others = switches.silenced(trial.switch, spec.draft) if trial.is_on else []
        if others:
            items.append(f"{trial.label}: {listed([other.name for other in others])}.")
    return (
        [Finding("Goes with others", "Without these rules others do nothing, so theirs is in it:", items)]
        if items
        else []
    )


def _left_out(trials: Trials) -> list[Finding]:
    reasons: dict[str, list[str]] = {}
    for switch, reason in trials.left_out:
        reasons.setdefault(reason, []).append(switch.name)
    if not reasons:
        return []
    items = [f"{listed(names)}: {reason}." for reason, names in reasons.items()]
    return [Finding("Left out", "Rules that could not be switched by themselves:", items)]


def _figure(rules: list[_Rule], measured: list[_Measured]) -> Dots:
    """Return the first measure of all rules, the greatest first."""
    scale = 100 if measured[0].unit == "pp" else 1
    order = sorted(rules, key=lambda rule: -rule.changes[0][1].found.value)
    points = []
    for row, rule in enumerate(order):
        found = rule.changes[0][1].found
        points.append(Point(row, 0, scale * found.value, scale * found.low, scale * found.high))
    return Dots(
        f"{measured[0].what}, with the rule less without",
        [rule.trial.label for rule in order],
        [""],
        points,
        [(0.0, "no effect")],
        "pp" if measured[0].unit == "pp" else "",
    )


MEASURE = Measure(
    name="rules",
    rank=80,
    part=3.0,
    each=50.0,
    most=20_000,
    applies=lambda spec: bool(trials_of(spec.draft).tried),
    source=lambda spec: Variants(spec, trials_of(spec.draft).tried, *_others(spec)),
    read=read,
)
