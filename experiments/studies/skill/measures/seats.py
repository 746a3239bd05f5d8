"""Whether the seats are fair, at a table of equals."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import seats
from experiments.play.first_mover import Opened
from experiments.report import words
from experiments.report.figures import Dots, Point
from experiments.report.findings import Finding
from experiments.studies.fairness import words as fairness_words
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Number, Section, exactly
from experiments.studies.skill.spec import Spec


def read(spec: Spec, wins: Any, scores: Any, movers: Any, opened: Any) -> Section:
    """Read the seats off mirrored tables.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, tables, seats)
    movers : int array, shape (deals,)
        Who moves first.
    opened : float array, shape (deals, tables, seats)
        Wins of the first game.
    """
    deals, players = len(wins), spec.draft.players
    numbers, findings, points = [], [], []
    for table, bot in enumerate(spec.quick):
        won, scored = wins[:, table], scores[:, table]
        shares = seats.by_seat(won, "share")
        fair = seats.fair(won)
        of = [f"seat {seat}, {bot}" for seat in range(players)]
        numbers += [Number("win share", name, found, "share") for name, found in zip(of, shares, strict=True)]
        numbers += [
            Number("mean score", name, found, "points")
            for name, found in zip(of, seats.by_seat(scored, "mean"), strict=True)
        ]
        first = Number(
            "advantage of who moves first", bot, seats.leaders_advantage(opened[:, table], movers), "pp"
        )
        numbers.append(first)
        if fair.word == "undecided":
            numbers.append(
                Number("more deals to decide fairness", bot, exactly(fair.more.value, deals), "deals")
            )
        findings.append(Finding(f"Seats, {bot}", _verdict(spec, shares, fair), [_lead(spec, movers, first)]))
        points += [
            Point(seat, table, 100 * one.value, 100 * one.low, 100 * one.high)
            for seat, one in enumerate(shares)
        ]
    figure = Dots(
        "Win share, the same player in every seat",
        [f"Seat {seat}" for seat in range(players)],
        spec.quick,
        points,
        [(100 / players, f"fair {words.fair_share(players)}")],
        "%",
    )
    caution = (
        "Of players that are all alike. How much a seat is worth to people depends on how they play; where two "
        "players disagree, it depends on that here too. “Fair” means within 1 percentage point, not exactly even."
    )
    return Section("seats", "Seats", findings, numbers, caution, deals, figure)


def _verdict(spec: Spec, shares: list[Any], fair: seats.Fairness) -> str:
    players = spec.draft.players
    due = words.fair_share(players)
    games = "first places over all games" if spec.draft.options.counted_games > 1 else "matches"
    if fair.word == "yes":
        text = f"Fair within 1 point: yes. Every seat wins {due} of the {games} to within 1 percentage point."
    elif fair.word == "no":
        wins = Number("", "", shares[fair.furthest], "share").said
        text = f"Fair within 1 point: no. Seat {fair.furthest} wins {wins} of the {games}, where {due} would be fair."
    else:
        text = f"Fair within 1 point: undecided. {fairness_words.planned(fair.more, 'deals')}"
    return text


def _lead(spec: Spec, movers: Any, first: Number) -> str:
    who = "whom the deal lets begin" if np.ptp(movers) else f"seat {movers[0]}"
    game = " of the first game" if spec.one_game is not spec.draft else ""
    return f"Who moves first ({who}) is {first.said} off the due{game}."


MEASURE = Measure(
    name="seats",
    rank=10,
    part=1.0,
    each=1.0,
    most=300_000,
    applies=lambda spec: True,
    source=lambda spec: Opened(spec, spec.quick),
    read=read,
)
