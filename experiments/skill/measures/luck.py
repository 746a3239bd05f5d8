"""Luck and skill from one player among others, in every seat on the same deals."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import blocks, reliability, skill, variance
from experiments.report import words
from experiments.report.findings import Finding
from experiments.skill.measures import Measure
from experiments.skill.section import Number, Section, Unit, exactly
from experiments.skill.sources import Focal
from experiments.skill.spec import Spec

_SOURCES = {
    "bot": "who plays (skill)",
    "seat": "the seat",
    "deal": "the deal, alike for all seats",
    "bot×deal": "how a player fits a deal",
    "seat×deal": "the cards a seat is dealt (luck of the deal)",
    "rest": "what is left: later chance, and all three at once",
}


def _line(spec: Spec) -> list[tuple[str, str]]:
    """Return who plays among whom: the ladder and the fictive player among the others, the best among beginners."""
    players = spec.players
    cheat = [players.fictive] if players.fictive else []
    among = [(name, players.others) for name in dict.fromkeys([*spec.ladder, *cheat])]
    return list(dict.fromkeys([*among, *((players.best, weak) for weak in players.beginners)]))


def read(spec: Spec, wins: Any, scores: Any) -> Section:
    """Read luck and skill.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, pairs of `_line`, seats)
    """
    line = _line(spec)
    won = {pair: wins[:, number] for number, pair in enumerate(line)}
    scored = {pair: scores[:, number] for number, pair in enumerate(line)}
    parts = [
        _meter(spec, won),
        _relative(spec, won, scored),
        _variance(spec, won),
        _persistence(spec, won),
    ]
    strength = [
        Number(
            f"win share among {other}",
            name,
            blocks.share(won[name, other].mean(axis=1)),
            "share",
        )
        for name, other in line
        if name != other  # else it is the due, by construction
    ]
    caution = (
        "All of it is true of these players only. With better players than the best there is here, skill would be "
        "larger; of beginners who play worse than the worst, too. Compare drafts with the same players alone."
    )
    return Section(
        "luck",
        "Luck and skill",
        [finding for findings, _ in parts for finding in findings],
        [*(number for _, numbers in parts for number in numbers), *strength],
        caution,
        len(wins),
    )


_Part = tuple[list[Finding], list[Number]]


def _meter(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    best, numbers = spec.players.best, []
    for weak in spec.players.beginners:
        meter = skill.luck_meter(won[best, weak].mean(axis=1), spec.draft.players)
        numbers.append(Number("luck meter", f"{best} among {weak}", meter.luck, "share"))
    told = words.listed([f"{number.said} for {number.of}" for number in numbers])
    text = (
        f"The part of matches that a lot may as well decide: {told}. (One strong player among weak ones; the rest of the "
        "matches are taken as always won by the strong one.)"
    )
    return [Finding("Luck meter", text)], numbers


def _relative(spec: Spec, won: dict[tuple[str, str], Any], scored: dict[tuple[str, str], Any]) -> _Part:
    players = spec.players
    if players.fictive is None:
        return [], []
    numbers: list[Number] = []
    for what, gains in (("relative skill", won), ("relative skill in points", scored)):
        for best in dict.fromkeys([players.best, *spec.quick]):
            for weak in players.beginners:
                if weak != best:
                    numbers += _ratio(
                        what,
                        [gains[one, players.others] for one in (weak, best, players.fictive)],
                        f"{weak} → {best}",
                    )
    if not numbers:
        return [Finding("Relative skill", "Cannot be told: nobody gained more than the beginner.")], []
    head, _, random = numbers[:3]
    text = (
        f"{head.said}: of what {players.fictive}, who is told every card and all chance to come, gains over {players.beginners[0]}, "
        f"the part that {players.best} gains without being told. 0 would be all luck, 1 all skill; it hangs on who is the beginner "
        "and who the best:"
    )
    if random.found.low <= 0:
        text = (
            f"{players.fictive} is not seen to gain over {players.best}, so it is no yardstick here. " + text
        )
    told = [f"{one.of}: {one.said}" for one in numbers if one.what == head.what]
    return [Finding("Relative skill", text, told)], numbers


def _ratio(what: str, gains: list[Any], of: str) -> list[Number]:
    beginner, best, fictive = gains
    try:
        found = skill.relative_skill(beginner, best, fictive, seed=1)
    except ValueError:  # the fictive player gains just what the beginner does
        return []
    unit: Unit = "pp" if what == "relative skill" else "points"
    kind = "win share" if unit == "pp" else "points"
    return [
        Number(what, of, found.skill, "number"),
        Number(f"learning effect ({kind})", of, found.learning, unit),
        Number(f"random effect ({kind})", of, found.random, unit),
    ]


def _variance(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    outcomes = np.stack([won[name, spec.players.others].T for name in spec.ladder])
    if len(spec.ladder) < 2 or not np.ptp(outcomes):
        return [], []
    found = variance.crossed_shares(outcomes, seed=1)
    numbers = [
        Number("share of variance", _SOURCES[name], one, "share") for name, one in found.shares.items()
    ]
    largest = sorted(numbers, key=lambda number: -number.found.value)[:3]
    told = words.listed([f"{number.of}: {number.said}" for number in largest])
    bot = numbers[0]
    text = (
        f"Of all that makes one match differ from another, who of the ladder plays makes up {bot.said}. The largest parts: "
        f"{told}. In a single match; over many it is only skill that adds up."
    )
    return [Finding("A single match", text)], numbers


def _persistence(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    outcomes = np.stack([won[name, spec.players.others].mean(axis=1) for name in spec.ladder])
    if len(outcomes) < 3 or not np.ptp(outcomes):
        return [], []
    found = reliability.split_half(outcomes, seed=1, within_deals=True)
    r_star = Number("split-half R*", f"{len(outcomes)} players", found.r_star, "number")
    low, high = (words.number(end, 2) for end in (found.null_low, found.null_high))
    beyond = (
        "above what luck alone would give"
        if found.r_star.value > found.null_high
        else "no more than luck would give"
    )
    text = (
        f"R* of the first half of the deals against the second is {words.number(found.r_star.value, 3)}, {beyond} ({low} to "
        f"{high}). With {len(outcomes)} players that band is wide, and R* says little more than that."
    )
    return [Finding("Persistence", text)], [
        r_star,
        Number("R* if all were alike, low end", "", exactly(found.null_low, len(outcomes)), "number"),
        Number("R* if all were alike, high end", "", exactly(found.null_high, len(outcomes)), "number"),
    ]


MEASURE = Measure(
    name="luck",
    rank=0,
    part=4.0,
    each=100.0,
    most=20_000,
    applies=lambda spec: True,
    source=lambda spec: Focal(spec, _line(spec)),
    read=read,
)
