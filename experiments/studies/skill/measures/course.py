"""The course of a match, and when it is decided, as a player sees it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, course, debiased_course, variance
from experiments.play.rollouts import Chances
from experiments.report import words
from experiments.report.figures import Dots, Point
from experiments.studies.ladder.ratings import FEW_DEALS
from experiments.studies.skill import bounds, sums
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section
from experiments.studies.skill.spec import Spec
from strategies import search

_ROLLOUTS = 100
"""Of each of two estimates: a chance is known to within 7 points by both."""

_CLEAR = 2 / math.sqrt(2 * _ROLLOUTS)
"""A lead beyond noise: two standard errors of the difference of two chances, at the most."""

_SPANS = 6
"""Of the decisions of a match, for the curve of suspense."""

_PHASES = (
    "the seat",
    "what is known at the first decision",
    "first third",
    "middle third",
    "last third, to the end",
)
_THIRDS = ("first third", "middle third", "last third")
_WHEN = {
    "at the first decision": 0.0,
    "a quarter through": 0.25,
    "half-way": 0.5,
    "three quarters through": 0.75,
}


def read(spec: Spec, chances: Any, legal: Any) -> Section:
    """Read the course of matches.

    Parameters
    ----------
    spec : Spec
    chances : float array, shape (deals, 2, times, players)
        See `sampler.watch`.
    legal : int array, shape (deals, times)
    """
    deals, players = len(chances), spec.draft.players
    times = (legal > 0).sum(axis=1)
    used = np.flatnonzero(times > 0)  # a match may end before the seat looked at is asked
    chances, times, own = chances[used, :, : times.max() + 1], times[used], used % players
    outcome = chances[np.arange(len(used)), 0, times]
    parts = [
        _favourites(chances, times, outcome),
        _ledger(chances, times, own, used),
        _tension(chances, times, used),
        _drama(chances, outcome),
        _trust(chances, times, own, outcome),
    ]
    numbers = [number for _, found in parts for number in found]
    favourites = [number for number in numbers if number.what == "the favourite wins"]
    figure = Dots(
        "How often the favourite wins",
        [number.of for number in favourites],
        [""],
        [
            Point(row, 0, 100 * one.found.value, 100 * one.found.low, 100 * one.found.high)
            for row, one in enumerate(favourites)
        ],
        [(100 / players, "by lot")],
        "%",
    )
    one_game = " Of single games, not of whole matches." if spec.one_game is not spec.draft else ""
    caution = (
        f"As one player sees it, who knows the own hand and what was shown: {2 * _ROLLOUTS} play-outs at each of that player's "
        f"decisions, all by the player who plays on in the search.{one_game} That player always moves alike, so its own decisions bring "
        "no variance here, and the steps are what others show and what is drawn. Two estimates of each chance keep the noise of the "
        "play-outs out: what is said to lie between two numbers is on average more than the first, which takes no noise for play, "
        "and less than the second, which takes all of it."
    )
    return Section(
        "course",
        "Course of a match",
        [part for found, _ in parts for part in found],
        numbers,
        caution,
        deals,
        figure,
    )


_Part = tuple[list[Finding], list[Number]]


def _favourites(chances: Any, times: Any, outcome: Any) -> _Part:
    """Tell how often who looked best at some times has won."""
    mean, rows = chances.mean(axis=1), np.arange(len(chances))
    numbers = []
    for when, part in _WHEN.items():
        then = mean[rows, (part * times).astype(np.int64)]
        won = outcome[rows, then.argmax(axis=1)]
        numbers.append(Number("the favourite wins", when, blocks.share(won, len(_WHEN)), "share"))
    told = words.listed([f"{number.said} {number.of}" for number in numbers])
    return [Finding("When it is decided", f"Who looks best wins in {told}.")], numbers


def _ledger(chances: Any, times: Any, own: Any, used: Any) -> _Part:
    """Book the variance of the own result to the parts of the match."""
    longest = chances.shape[2]
    rows, at = np.arange(len(chances))[:, None], np.arange(longest)
    mine = np.take_along_axis(chances, own[:, None, None, None], axis=3)[:, :, :, 0]
    # After the end the outcome stays.
    mine = mine[rows, :, np.minimum(at, times[:, None])].transpose(0, 2, 1)
    # A step belongs to the third in which it ends.
    kinds = 1 + np.minimum(-(-3 * at[1:] // times[:, None]), 3)
    try:
        found = variance.luck_ledger(
            mine[:, 0], kinds, list(_PHASES), used, seed=1, second=mine[:, 1], seat=own
        )
    except ValueError:
        return [], []
    if found.variance.value <= 0:
        return [], []
    numbers = [Number("variance of the win", name, one, "number") for name, one in found.parts.items()]
    numbers += [
        Number("variance of the win", "all parts together", found.total, "number"),
        Number("variance of the win", "of the outcome itself", found.variance, "number"),
        Number("variance of the win", sums.GAP, found.gap, "number"),
    ]
    shares = [
        Number("share of the variance of the win", name, one, "share") for name, one in found.shares.items()
    ]
    told = "; ".join(f"{number.of}: {number.said}" for number in shares)
    why = ": what players show by how they play is not taken into account when hidden cards are dealt anew"
    check = sums.check(found.total, found.variance, found.gap, of="the variance of the outcome", why=why)
    text = f"Of what makes a player win or lose, by when it comes: {told}. {check}"
    return [Finding("When luck comes", text)], [*shares, *numbers]


def _tension(chances: Any, times: Any, used: Any) -> _Part:
    """Tell how far the chances move, and how far they could."""
    first, second = chances[:, 0], chances[:, 1]
    longest = float(times.max())
    surprise = bounds.numbers(
        "surprise (how far the chances move in a match)",
        debiased_course.surprise(first, second),
        "gap",
        longest,
    )
    gain = bounds.numbers(
        "the greatest gain from one decision to the next", debiased_course.greatest_gain(first, second), "gap"
    )
    revealed = Number(
        "variance revealed (sum of squared changes)",
        "",
        blocks.mean_within(debiased_course.squares(first, second), (0.0, longest)),
        "number",
    )
    spans, names = _spans(times)
    found = debiased_course.suspense(first, second, spans, used, seed=1)
    total = Number("suspense (root mean square of what comes next, summed)", "", found.total, "gap")
    curve = [
        Number("suspense of a decision", name, one, "gap")
        for name, one in zip(names, found.curve, strict=True)
    ]
    text = (
        f"From decision to decision of the player looked at, the chances move by {surprise[1].said} in a match, all steps added up "
        f"({bounds.limits(surprise)}). The greatest gain of any player in one such step is {gain[1].said} ({bounds.limits(gain)}); a step holds "
        "the moves of all players and what is drawn, so it is not the doing of one move."
    )
    waiting = (
        f"{total.said} in a match: what the next step brings, as the root mean square over all matches at about the same decision, "
        f"added up. {_highest(curve)}A player who can tell tense positions from dull "
        "ones at the same decision feels less: what that player feels lies between the surprise and this."
    )
    return (
        [Finding("Surprise", text), Finding("Suspense", waiting)],
        [*surprise, *gain, revealed, total, *curve],
    )


def _highest(curve: list[Number]) -> str:
    """Tell where a curve is highest, if its interval there is above all others; else where it may be."""
    top = max(curve, key=lambda number: number.found.value)
    rivals = [one for one in curve if one is not top and not one.found.high < top.found.low]
    if len(curve) == 1:
        return ""
    if not rivals:
        return f"It is highest at {top.of}, with {top.said} a decision. "
    if len(rivals) == len(curve) - 1:
        return "Where it is highest cannot be told from so few matches. "
    return f"It is highest at {words.listed([one.of for one in curve if one is top or one in rivals]).replace(' and ', ' or ')}. "


def _spans(times: Any) -> tuple[Any, list[str]]:
    """Cut the decisions of all matches into spans with about as many each; return the span of each, and their names."""
    asked = (np.arange(times.max()) < times[:, None]).sum(axis=0)
    spans = np.minimum(_SPANS * (np.cumsum(asked) - asked) // asked.sum(), _SPANS - 1)
    spans = np.unique(spans, return_inverse=True)[1]
    names = []
    for span in range(spans[-1] + 1):
        start, end = np.flatnonzero(spans == span)[[0, -1]] + 1
        names.append(f"decision {start}" if start == end else f"decisions {start} to {end}")
    return spans, names


def _drama(chances: Any, outcome: Any) -> _Part:
    """Tell of leads and comebacks, in matches with a sole winner."""
    sole = outcome.max(axis=1) == 1
    if sole.sum() < 2:
        return [], []
    first, second = chances[sole, 0], chances[sole, 1]
    winner = outcome[sole].argmax(axis=1)
    gap = bounds.numbers(
        "drama (how far the winner is behind, mean over the match)",
        debiased_course.drama(first, second, winner),
        "gap",
    )
    behind = bounds.numbers(
        "the most that the winner is behind", debiased_course.greatest_gap(first, second, winner), "gap"
    )
    back = bounds.numbers(
        "comeback (fair chance less the winner's lowest)",
        debiased_course.comeback(first, second, winner),
        "gap",
    )
    low = bounds.numbers(
        "the winner's chance at its lowest", debiased_course.low(first, second, winner), "share"
    )
    points = f"{100 * _CLEAR:.0f} points"
    changes = bounds.counts(
        f"lead changes a match, by more than {points}", debiased_course.lead_changes(first, second, _CLEAR)
    )
    limit = bounds.numbers(
        "threshold (the greatest chance that a loser had)",
        debiased_course.threshold(first, second, winner),
        "share",
    )
    decided = Number(
        "decisiveness (share of decisions after the winner passes the threshold)",
        "",
        blocks.share(debiased_course.decisiveness(first, second, winner)),
        "share",
    )
    steady = Number(
        "stability (variance of a player's chance in a match; low is stable)",
        "",
        blocks.mean_within(debiased_course.stability(first, second), (0.0, 0.25)),
        "number",
    )
    text = (
        f"On the way, the later winner is behind the leader by {gap[1].said} on average ({bounds.limits(gap)}), by {behind[1].said} at "
        f"the most ({bounds.limits(behind)}), and at the worst moment had a chance of {low[1].said} ({bounds.limits(low)}). Its "
        f"comeback, from below the fair chance, is {back[1].said} ({bounds.limits(back)}). The lead changes {changes[1].said} times a "
        f"match ({bounds.limits(changes)}); leads of less than {points} do not count. Of "
        f"{words.plural(len(winner), 'match', 'matches')} with one winner."
    )
    late = (
        f"The greatest chance that a later loser had on the way is {limit[1].said} ({bounds.limits(limit)}); {decided.said} of the "
        "decisions come after the winner has first passed that mark."
    )
    return (
        [Finding("Drama", text), Finding("Decisiveness", late)],
        [*gap, *behind, *low, *back, *changes, *limit, decided, steady],
    )


def _trust(chances: Any, times: Any, own: Any, outcome: Any) -> _Part:
    """Compare the chances with what came, in the whole match and in each third."""
    there = np.arange(chances.shape[2]) < times[:, None]
    predicted = np.take_along_axis(chances.mean(axis=1), own[:, None, None], axis=2)[:, :, 0][there]
    match, time = np.nonzero(there)
    came = outcome[match, own[match]]
    third = 3 * time // times[match]
    told, numbers = _calibrated(course.calibration(predicted, came, match, seed=1), "", 1)
    by_third = []
    for number, name in enumerate(_THIRDS):
        some = third == number
        if not some.any():
            continue
        block = np.unique(match[some], return_inverse=True)[1]
        found = course.calibration(predicted[some], came[some], block, seed=1, looks=len(_THIRDS))
        text, more = _calibrated(found, name, len(_THIRDS))
        by_third.append(f"{name}: {text}")
        numbers += more
    return [
        Finding("Can the chances be trusted", f"{told} The same by when in the match:", by_third)
    ], numbers


def _calibrated(found: course.Calibration, when: str, parts: int) -> tuple[str, list[Number]]:
    """Say whether chances came true, and give the numbers; of one of several parts of the match they are not all listed."""
    enough = [one for one in found.bins if one.came.blocks >= FEW_DEALS]
    at = f"{when}, " if when else ""
    bins = [
        Number(
            "calibration: how often it came",
            f"{at}chances of {one.low:.0%} to {one.high:.0%}, {one.predicted:.1%} on average",
            one.came,
            "share",
            listed=parts == 1,
        )
        for one in enough
    ]
    wrong = [
        (one, number)
        for one, number in zip(enough, bins, strict=True)
        if not one.came.low <= one.predicted <= one.came.high
    ]
    if not bins:
        text = "There are too few matches to say."
    elif wrong:
        one, number = wrong[0]
        text = f"The chances are not exact: of {one.predicted:.1%} on average came {number.said}."
    else:
        text = "The chances come true as told, as far as these matches show."
    skill = Number("calibration: Brier skill score", when, found.skill, "number")
    brier = Number("calibration: Brier score", when, found.brier, "number")
    return f"{text} Brier skill score {skill.said}.", [skill, brier, *bins]


MEASURE = Measure(
    name="course",
    rank=30,
    part=3.0,
    each=100.0,
    most=5_000,
    applies=lambda spec: search.searched(spec.draft.game) is not None,
    source=lambda spec: Chances(spec.setting, _ROLLOUTS),
    read=read,
)
