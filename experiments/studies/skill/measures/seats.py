"""Whether the seats are fair, at a table of equals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import seats
from experiments.metrics.seats import Fairness, More
from experiments.play.first_mover import Opened
from experiments.report import words
from experiments.report.figures import Dots, Point
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section, exactly
from experiments.studies.skill.spec import Spec


def read(spec: Spec, wins: Any, scores: Any, movers: Any, opened: Any) -> Section:
    """Read the seats off mirrored tables.

    Parameters
    ----------
    wins, scores : float array, shape (deals, tables, seats)
    movers : int array, shape (deals,)
        Who moves first.
    opened : float array, shape (deals, tables, seats)
        Wins of the first game.
    """
    deals, players = len(wins), spec.draft.players
    numbers, findings, points = [], [], []
    answer: Answer | None = None
    for table, bot in enumerate(spec.quick):
        won, scored = wins[:, table], scores[:, table]
        shares = seats.by_seat(won, "share")
        fair = seats.fair(won)
        of = [f"seat {seat + 1}, {bot}" for seat in range(players)]
        numbers += [Number("win share", name, share, "share") for name, share in zip(of, shares, strict=True)]
        numbers += [
            Number("mean score", name, score, "points")
            for name, score in zip(of, seats.by_seat(scored, "mean"), strict=True)
        ]
        first = Number(
            "advantage of who moves first", bot, seats.leaders_advantage(opened[:, table], movers), "pp"
        )
        numbers.append(first)
        if fair.word == "undecided":
            numbers.append(
                Number("more deals to decide fairness", bot, exactly(fair.more.value, deals), "deals")
            )
        text = f"{_verdict(spec, shares, fair)} {_lead(spec, movers, first)}"
        findings.append(Finding(f"With {bot} in every seat", text))
        answer = answer or _answer(spec, shares, fair)
        points += [
            Point(seat, table, 100 * share.value, 100 * share.low, 100 * share.high)
            for seat, share in enumerate(shares)
        ]
    figure = Dots(
        "Win rate, the same player in every seat",
        [f"Seat {seat + 1}" for seat in range(players)],
        spec.quick,
        points,
        [(100 / players, f"fair {words.fair_share(players)}")],
        "%",
    )
    caution = (
        "All players are alike. What a seat is worth to people depends on how they play; where two bots disagree, it does so here "
        "too. “Fair” means within 1 percentage point, not exactly even."
    )
    return Section("seats", "Seats", findings, numbers, caution, deals, figure, answer)


def _verdict(spec: Spec, shares: list[Estimate], fair: Fairness) -> str:
    due = words.fair_share(spec.draft.players)
    what = "first places, over all games," if spec.draft.options.counted_games > 1 else "matches"
    if fair.word == "yes":
        return f"The seats are fair: each wins {due} of the {what} within 1 point."
    if fair.word == "no":
        wins = Number("", "", shares[fair.furthest], "share").said
        return f"The seats are not fair: seat {fair.furthest + 1} wins {wins} of the {what} (fair: {due})."
    return f"Whether the seats are fair within 1 point is undecided. {_planned(fair.more)}"


def _planned(more: More) -> str:
    if math.isinf(more.value):
        return "No sensible number of deals would settle it: a seat seems to deviate by just a point."
    most = f"to {words.about(more.high)}" if math.isfinite(more.high) else "or very many more"
    return f"About {words.about(more.value)} more deals ({words.about(more.low)} {most}) should settle it."


def _answer(spec: Spec, shares: list[Estimate], fair: Fairness) -> Answer:
    """Return the verdict on the seats for the headline."""
    due = words.fair_share(spec.draft.players)
    seat, wins = f"seat {fair.furthest + 1}", words.percent(shares[fair.furthest].value)
    if fair.word == "yes":
        return Answer("Seats", f"The seats are fair: each wins {due} within 1 point.", "fair within 1 point")
    if fair.word == "no":
        return Answer(
            "Seats",
            f"The seats are not fair: {seat} wins {wins} (fair: {due}).",
            f"not fair, {seat} wins {wins}",
        )
    return Answer(
        "Seats",
        f"Whether the seats are fair within 1 point is undecided; {seat} is furthest off with {wins} (fair: {due}).",
        f"undecided, {seat} wins {wins}",
    )


def _lead(spec: Spec, movers: Any, first: Number) -> str:
    """Say what it is worth to move first."""
    who = "whoever the deal lets begin" if np.ptp(movers) else f"seat {movers[0] + 1}"
    game = " of the first game" if spec.one_game is not spec.draft else ""
    gain = first.found
    if gain.low <= 0 <= gain.high:
        return f"Moving first ({who}) neither helps nor hurts measurably{game} ({first.shown.interval})."
    low, high = sorted((abs(gain.low), abs(gain.high)))
    size = Number("", "", Estimate(abs(gain.value), gain.se, low, high, gain.blocks), "gap")
    word = "more" if gain.value > 0 else "less"
    return f"The first player ({who}) wins {size.said} {word} often than a fair share{game}."


MEASURE = Measure(
    name="seats",
    rank=10,
    part=1.0,
    each=1.0,
    most=300_000,
    applies=lambda spec: True,
    source=lambda spec: Opened(spec.setting, spec.quick),
    read=read,
)
