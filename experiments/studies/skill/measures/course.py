"""The course of a match, and when it is decided, as a player sees it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, course, debiased_course, effects, variance
from experiments.metrics.debiased_course import Between
from experiments.metrics.ratings import FEW_DEALS
from experiments.play.rollouts import Chances
from experiments.report import words
from experiments.report.figures import Dots, Point
from experiments.studies.skill import sums
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section, Unit
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
    numbers = [number for _, of_part in parts for number in of_part]
    favourites = [number for number in numbers if number.what == "the favourite wins"]
    figure = Dots(
        "How often the favourite wins",
        [number.of for number in favourites],
        [""],
        [
            Point(row, 0, *(100 * end for end in (number.found.value, number.found.low, number.found.high)))
            for row, number in enumerate(favourites)
        ],
        [(100 / players, "by chance")],
        "%",
    )
    one_game = " These are single games, not whole matches." if spec.one_game is not spec.draft else ""
    caution = (
        f"This is how one player sees it, who knows the own hand and what was shown: {2 * _ROLLOUTS} roll-outs at each of that player's "
        f"decisions, all by the player that plays on in the search.{one_game} That player always moves alike, so its own decisions add "
        "no variance: steps are what others show and what is drawn. Two independent estimates of each chance keep the noise of the "
        "roll-outs out; a range “allowing for simulation noise” has the true value between its ends."
    )
    return Section(
        "course",
        "Course of a match",
        [finding for findings, _ in parts for finding in findings],
        numbers,
        caution,
        deals,
        figure,
        _answer(numbers),
    )


def _answer(numbers: list[Number]) -> Answer | None:
    """Return how tense a match is: when it is decided, and how often the lead changes."""
    found = {(number.what, number.of): number for number in numbers}
    favourite = found.get(("the favourite wins", "half-way"))
    if favourite is None:
        return None
    changes = next(
        (
            number
            for (what, of), number in found.items()
            if what.startswith("lead changes") and of == "middle"
        ),
        None,
    )
    wins = words.percent(favourite.found.value, 0)
    lead = "" if changes is None else words.number(changes.found.value, 1)
    also = f"; the lead changes {lead} times a match" if lead else ""
    return Answer(
        "Tension",
        f"The player who looks best half-way goes on to win {wins} of the time{also}.",
        f"the favourite half-way wins {wins}" + (f", {lead} lead changes" if lead else ""),
    )


_Part = tuple[list[Finding], list[Number]]


# ---- numbers that noise leaves between two bounds -------------------------------------------------------


def _numbers(what: str, bounds: Between, unit: Unit, most: float = 1.0) -> list[Number]:
    """Return the least, the middle and the most of what lies between bounds; on average it can be from 0 to `most`."""
    return [Number(what, of, blocks.mean_within(values, (0.0, most)), unit) for of, values in _named(bounds)]


def _counts(what: str, bounds: Between) -> list[Number]:
    """Return the three of how often something comes in a match."""
    return [Number(what, of, effects.rate(values, 1), "number") for of, values in _named(bounds)]


def _named(bounds: Between) -> list[tuple[str, Any]]:
    return [("at least", bounds.least), ("middle", bounds.middle), ("at most", bounds.most)]


def _limits(numbers: list[Number]) -> str:
    """Say between which two of the three the true number lies."""
    return f"{numbers[0].shown.value} to {numbers[-1].shown.value} allowing for simulation noise"


# ---- parts ----------------------------------------------------------------------------------------------


def _favourites(chances: Any, times: Any, outcome: Any) -> _Part:
    """Tell how often who looked best at some times has won."""
    mean, rows = chances.mean(axis=1), np.arange(len(chances))
    numbers = []
    for when, part in _WHEN.items():
        then = mean[rows, (part * times).astype(np.int64)]
        won = outcome[rows, then.argmax(axis=1)]
        numbers.append(Number("the favourite wins", when, blocks.share(won, len(_WHEN)), "share"))
    told = words.listed([f"{number.said} {number.of}" for number in numbers])
    return [Finding("When it is decided", f"The player who looks best goes on to win: {told}.")], numbers


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
        ledger = variance.luck_ledger(
            mine[:, 0], kinds, list(_PHASES), used, seed=1, second=mine[:, 1], seat=own
        )
    except ValueError:
        return [], []
    if ledger.variance.value <= 0:
        return [], []
    numbers = [Number("variance of the win", name, part, "number") for name, part in ledger.parts.items()]
    numbers += [
        Number("variance of the win", "all parts together", ledger.total, "number"),
        Number("variance of the win", "of the outcome itself", ledger.variance, "number"),
        Number("variance of the win", sums.GAP, ledger.gap, "number"),
    ]
    shares = [
        Number("share of the variance of the win", name, share, "share")
        for name, share in ledger.shares.items()
    ]
    told = "; ".join(f"{number.of}: {number.said}" for number in shares)
    why = ": what players show by how they play is not taken into account when hidden cards are dealt anew"
    check = sums.check(ledger.total, ledger.variance, ledger.gap, of="the variance of the outcome", why=why)
    text = f"What decides who wins, by when it comes: {told}. {check}"
    return [Finding("When luck comes", text)], [*shares, *numbers]


def _tension(chances: Any, times: Any, used: Any) -> _Part:
    """Tell how far the chances move, and how far they could."""
    first, second = chances[:, 0], chances[:, 1]
    longest = float(times.max())
    surprise = _numbers(
        "surprise (how far the chances move in a match)",
        debiased_course.surprise(first, second),
        "gap",
        longest,
    )
    gain = _numbers(
        "the greatest gain from one decision to the next", debiased_course.greatest_gain(first, second), "gap"
    )
    revealed = Number(
        "variance revealed (sum of squared changes)",
        "",
        blocks.mean_within(debiased_course.squares(first, second), (0.0, longest)),
        "number",
    )
    spans, names = _spans(times)
    suspense = debiased_course.suspense(first, second, spans, used, seed=1)
    total = Number("suspense (root mean square of what comes next, summed)", "", suspense.total, "gap")
    curve = [
        Number("suspense of a decision", name, step, "gap")
        for name, step in zip(names, suspense.curve, strict=True)
    ]
    text = (
        f"From one decision of a player to the next, the chances of winning move by {surprise[1].said} in a match, all steps added up "
        f"({_limits(surprise)}). The greatest gain of any player in a step is {gain[1].said} ({_limits(gain)}); a step holds the moves "
        "of all players and what is drawn."
    )
    waiting = (
        f"Suspense is {total.said} in a match: how far the next step may move the chances (root mean square over matches at about the "
        f"same decision), added up. {_highest(curve)}A player who can tell tense positions from dull ones feels less than this, and more "
        "than the surprise."
    )
    return (
        [Finding("Surprise", text), Finding("Suspense", waiting)],
        [*surprise, *gain, revealed, total, *curve],
    )


def _highest(curve: list[Number]) -> str:
    """Tell where a curve is highest, if its interval there is above all others; else where it may be."""
    top = max(curve, key=lambda number: number.found.value)
    rivals = [number for number in curve if number is not top and not number.found.high < top.found.low]
    if len(curve) == 1:
        return ""
    if not rivals:
        return f"It is highest at {top.of}, with {top.said} a decision. "
    if len(rivals) == len(curve) - 1:
        return "Too few matches to say where it is highest. "
    return f"It is highest at {words.listed([number.of for number in curve if number is top or number in rivals]).replace(' and ', ' or ')}. "


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
    gap = _numbers(
        "drama (how far the winner is behind, mean over the match)",
        debiased_course.drama(first, second, winner),
        "gap",
    )
    behind = _numbers(
        "the most that the winner is behind", debiased_course.greatest_gap(first, second, winner), "gap"
    )
    back = _numbers(
        "comeback (fair chance less the winner's lowest)",
        debiased_course.comeback(first, second, winner),
        "gap",
    )
    low = _numbers("the winner's chance at its lowest", debiased_course.low(first, second, winner), "share")
    points = f"{100 * _CLEAR:.0f} points"
    changes = _counts(
        f"lead changes a match, by more than {points}", debiased_course.lead_changes(first, second, _CLEAR)
    )
    limit = _numbers(
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
        f"The winner's deficit to the leader averages {gap[1].said} over the match ({_limits(gap)}); the largest deficit averages "
        f"{behind[1].said} ({_limits(behind)}). At the worst moment the winner's chance is {low[1].said} ({_limits(low)}), which is "
        f"{back[1].said} below a fair chance ({_limits(back)}). The lead changes {changes[1].said} times a match ({_limits(changes)}); "
        f"leads of less than {points} do not count ({words.plural(len(winner), 'match', 'matches')} with one winner)."
    )
    late = (
        f"A player who later loses had a chance of {limit[1].said} at best ({_limits(limit)}). {decided.said} of decisions come after "
        "the winner has passed that mark for the first time."
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
        calibration = course.calibration(predicted[some], came[some], block, seed=1, family_size=len(_THIRDS))
        text, more = _calibrated(calibration, name, len(_THIRDS))
        by_third.append(f"{name}: {text}")
        numbers += more
    return [Finding("Can the forecasts be trusted", f"{told} By when in the match:", by_third)], numbers


def _calibrated(calibration: course.Calibration, when: str, parts: int) -> tuple[str, list[Number]]:
    """Say whether chances came true, and give the numbers; of one of several parts of the match they are not all listed."""
    enough = [chances for chances in calibration.bins if chances.came.blocks >= FEW_DEALS]
    at = f"{when}, " if when else ""
    bins = [
        Number(
            "calibration: how often it came",
            f"{at}chances of {chances.low:.0%} to {chances.high:.0%}, {chances.predicted:.1%} on average",
            chances.came,
            "share",
            listed=parts == 1,
        )
        for chances in enough
    ]
    wrong = [
        (chances, number)
        for chances, number in zip(enough, bins, strict=True)
        if not chances.came.low <= chances.predicted <= chances.came.high
    ]
    if not bins:
        text = "Too few matches to say."
    elif wrong:
        chances, number = wrong[0]
        extreme = abs(chances.predicted - 0.5) > abs(number.found.value - 0.5)
        word = "too confident" if extreme else "too cautious"
        text = f"The forecasts are {word}: positions rated at {chances.predicted:.1%} were won {number.said} of the time."
    else:
        text = "The forecasts come true, as far as these matches show."
    skill = Number("calibration: Brier skill score", when, calibration.skill, "number")
    brier = Number("calibration: Brier score", when, calibration.brier, "number")
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
