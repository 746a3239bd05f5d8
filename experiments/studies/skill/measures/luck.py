"""Luck and skill from one player among others, in every seat on the same deals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, reliability, skill, variance
from experiments.play.sources import Focal
from experiments.report import gains, words
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section, Unit, exactly, unlisted
from experiments.studies.skill.spec import Spec

_SOURCES = {
    "bot": "who plays (skill)",
    "seat": "the seat",
    "deal": "the deal and the chance after it, alike for all seats",
    "bot×deal": "how a player fits a deal",
    "seat×deal": "what a deal brings a seat, whoever plays (its cards, later chance, dice)",
    "rest": "what is left: how a player fits a seat, and all three at once",
}

_R_STAR = "split-half R* (n counts players)"


def _line(spec: Spec) -> list[tuple[str, str]]:
    """Return who plays among whom: the ladder and the fictive player among the others, the best among beginners."""
    players = spec.who
    cheat = [players.fictive] if players.fictive else []
    among = [(name, players.others) for name in dict.fromkeys([*spec.ladder, *cheat])]
    return list(dict.fromkeys([*among, *((players.best, weak) for weak in players.beginners)]))


def read(spec: Spec, wins: Any, scores: Any) -> Section:
    """Read luck and skill.

    Parameters
    ----------
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
    parts.append(_same_deals(spec, won))
    strength = [
        Number(
            f"win share among {other}",
            name,
            blocks.share(won[name, other].mean(axis=1)),
            "share",
        )
        for name, other in line
        if name != other  # else it is the fair share, by construction
    ]
    caution = (
        "This holds for these players only: better players, or weaker beginners, would make skill count for more. Compare drafts with "
        "the same players only."
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
    best, numbers = spec.who.best, []
    for weak in spec.who.beginners:
        meter = skill.luck_meter(won[best, weak].mean(axis=1), spec.draft.players)
        numbers.append(Number("luck meter", f"{best} among {weak}", meter.luck, "share"))
    told = words.listed([f"{number.said} for {number.of}" for number in numbers])
    odd = [_odd(number, best) for number in numbers if number.found.high > 1]
    text = (
        f"In about this share of matches skill makes no difference and luck decides: {told}. (One strong player among weak ones; the "
        "strong player is taken to win all other matches.)"
    )
    text = " ".join([text, *odd])
    return [Finding("Luck meter", text)], numbers


def _odd(meter: Number, best: str) -> str:
    """Say what a luck meter above 100%, or an interval up to there, means."""
    if meter.found.value <= 1:
        return f"Above 100%, as the interval for {meter.of} allows, {best} would win less than a fair share."
    if meter.found.low > 1:
        return f"Above 100% for {meter.of}: {best} wins less than a fair share there, so it is not the stronger and this says nothing about luck."
    return f"{meter.shown.value} for {meter.of} is above 100% within noise: {best} does not measurably win more than a fair share."


def _relative(spec: Spec, won: dict[tuple[str, str], Any], scored: dict[tuple[str, str], Any]) -> _Part:
    players = spec.who
    if players.fictive is None:
        return [], []
    numbers: list[Number] = []
    told: list[str] = []
    pairs = [
        (weak, best)
        for best in dict.fromkeys([players.best, *spec.quick])
        for weak in players.beginners
        if weak != best
    ]
    units: list[tuple[Unit, dict[tuple[str, str], Any]]] = [("pp", won), ("points", scored)]
    for unit, results in units:
        for weak, best in pairs:
            rows = [results[name, players.others] for name in (weak, best, players.fictive)]
            text, of_pair = _ratio(rows, (weak, best, players.fictive), unit)
            numbers += of_pair
            if unit == "pp":
                told.append(text)
    text = (
        f"A player who sees all cards and all chance to come ({players.fictive}) beats a beginner by some margin. This is how much of "
        "that margin a real player reaches: 0 is all luck, 1 all skill. It depends on who is the beginner and who the real player:"
    )
    return ([Finding("Relative skill", text, told)], numbers) if pairs else ([], [])


def _ratio(results: list[Any], names: tuple[str, str, str], unit: Unit) -> tuple[str, list[Number]]:
    """Return the relative skill of a beginner and a best in words, and the numbers of it."""
    (weak, best, fictive), of = names, f"{names[0]} → {names[1]}"
    most = 1.0 if unit == "pp" else math.inf
    beginner, optimal, told_all = results
    result = skill.relative_skill(beginner, optimal, told_all, most=most)
    what, kind = ("relative skill", "win share") if unit == "pp" else ("relative skill in points", "points")
    learning = Number(f"learning effect ({kind})", of, result.learning, unit)
    random = Number(f"random effect ({kind})", of, result.random, unit)
    reach = Number(f"what {fictive} gains ({kind})", f"over {weak}", result.reach, unit)
    ratio = Number(what, of, result.skill, "number")
    gains_of = [learning, random, reach]
    gained = f"{best} gains {learning.said} over {weak}, {fictive} {reach.said}"
    if result.reach.low > 0:
        text = f"{of}: {ratio.said}"
        if not 0 <= result.skill.value <= 1:
            text += f", out of bounds: {gained}"
        if not np.any(told_all - optimal):
            text += f"; {fictive} gained nothing over {best} in these deals, which may be too few"
        elif result.random.low <= 0:
            text += f"; {fictive} does not measurably gain over {best}, so it is a poor reference here"
        return text, [ratio, *gains_of]
    if result.reach.high < 0:
        return f"{of}: {fictive} gains less than the beginner and is no reference here ({gained})", gains_of
    if not np.ptp(results, axis=0).any():
        none = Number(what, of, exactly(0.0, result.skill.blocks), "number")
        return f"{of}: 0, no skill: nobody gains anything over the beginner ({gained})", [none, *gains_of]
    seen = "no skill shows" if result.learning.low <= 0 <= result.learning.high else "the ratio has no bounds"
    text = f"{of}: unknown ({seen}), since {fictive} does not measurably gain over the beginner ({gained})"
    return text, gains_of


def _variance(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    outcomes = np.stack([won[name, spec.who.others].T for name in spec.ladder])
    if len(spec.ladder) < 2 or not np.ptp(outcomes):
        return [], []
    shares = variance.crossed_shares(outcomes, seed=1).shares
    numbers = [Number("share of variance", _SOURCES[name], share, "share") for name, share in shares.items()]
    largest = sorted(numbers, key=lambda number: -number.found.value)[:3]
    told = words.listed([f"{number.of}: {number.said}" for number in largest])
    bot = numbers[0]
    text = (
        f"Only {bot.said} of a match's result depends on which bot of the ladder plays, with {spec.who.others} in the other seats. "
        "(“Luck by cause” gives another number for skill: there the other players are drawn at random, and none searches.) The largest "
        f"parts: {told}. This is of a single match; over many matches only skill adds up."
    )
    return [Finding("A single match", text)], numbers


def _persistence(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    outcomes = np.stack([won[name, spec.who.others].mean(axis=1) for name in spec.ladder])
    if len(outcomes) < 3 or not np.ptp(outcomes):
        return [], []
    halves = reliability.split_half(outcomes, seed=1, within_deals=True)
    # An interval over so few players would mean nothing: R* is set against the band instead.
    r_star = Number(_R_STAR, "the ladder", exactly(halves.r_star.value, len(outcomes)), "number")
    low, high = (words.number(end, 2) for end in (halves.null_low, halves.null_high))
    beyond = (
        "above what luck alone would give"
        if halves.r_star.value > halves.null_high
        else "no more than luck would give"
    )
    text = (
        f"Results of the first half of the deals predict those of the second with R* {words.number(halves.r_star.value, 3)}, {beyond} "
        f"({low} to {high}). With only {len(outcomes)} players that band is wide."
    )
    return [Finding("Persistence", text)], [
        r_star,
        Number(
            f"{_R_STAR} if all were alike, low end", "", exactly(halves.null_low, len(outcomes)), "number"
        ),
        Number(
            f"{_R_STAR} if all were alike, high end", "", exactly(halves.null_high, len(outcomes)), "number"
        ),
    ]


def _same_deals(spec: Spec, won: dict[tuple[str, str], Any]) -> _Part:
    """Tell what it saves that all players play the same deals, of the best against each of the ladder."""
    best, others = spec.who.best, spec.who.others
    means = {name: won[name, others].mean(axis=1) for name in spec.ladder}
    # Among its like a bot wins a fair share on every deal, and some never win: that goes with nothing.
    varies = [name for name in spec.ladder if np.ptp(means[name]) > 0 and name != others]
    rivals = [name for name in varies if name != best and best in varies]
    saved = {f"{best} against {name}": variance.pairing_gain(means[best], means[name]) for name in rivals}
    by = f"win share among {others}"
    text = gains.of_pairing(list(saved.values()), "pair of players", by)
    return ([Finding("Same deals", text)] if text else []), unlisted(f"{gains.PAIRING} ({by})", saved)


MEASURE = Measure(
    name="luck",
    rank=0,
    part=4.0,
    each=100.0,
    most=20_000,
    applies=lambda spec: True,
    source=lambda spec: Focal(spec.setting, _line(spec)),
    read=read,
)
