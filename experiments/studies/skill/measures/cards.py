"""What each card is worth in the hand that is dealt: by what came of it, and by exchange for another on the same deal."""

from __future__ import annotations

import contextlib
import math
import statistics
from typing import Any

import numpy as np

from experiments.metrics import cards
from experiments.metrics.cards import Role, Worth
from experiments.play.card_swaps import GIVEN, PARTNER, SCORE, WINS, Exchanged
from experiments.report.figures import Dots, Point
from experiments.report.words import listed, number, plural
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section, Unit, exactly, round_count
from experiments.studies.skill.spec import Spec
from sim import registry

MARGIN = 0.02
"""A worth of no more than 2 points of the win share is none."""

_TOLD = 4
"""Cards named at each end."""

_NAMED = 12
"""Cards named of one role."""

_EXCHANGE = "worth by exchange"
_PLAIN = "with less without"
_ADJUSTED = "worth with others held fixed"

_OUTCOMES: tuple[tuple[str, Unit, float], ...] = (("wins", "pp", 1.0), ("score", "points", math.inf))
"""What of a match is looked at, its unit, and the greatest difference there can be."""


def read(spec: Spec, wins: Any, scores: Any, dealt: Any, swaps: Any) -> Section:
    """Read what cards are worth.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, seats)
    dealt : int array, shape (deals, seats, kinds)
    swaps : int array, shape (deals, seats, 4)
        See `experiments.play.card_swaps.play_dealt`.
    """
    deals = len(wins)
    names = registry.find(spec.draft.game).holdings.CARDS
    found = _exchanged(spec, swaps, len(names))
    for (what, _, most), outcome in zip(_OUTCOMES, (wins, scores), strict=True):
        found |= {(how, what): worths for how, worths in _of_hands(spec, dealt, outcome, most).items()}
    main = _ADJUSTED if (_ADJUSTED, "wins") in found else _PLAIN
    order = _in_order(found[main, "wins"])
    ends = {one.card for one in [*order[:_TOLD], *order[-_TOLD:]]}
    numbers = [
        Number(f"{how}, {what}", names[one.card], one.value, unit, listed=one.card in ends)
        for how in (_ADJUSTED, _PLAIN, _EXCHANGE)
        for what, unit, _ in _OUTCOMES
        for one in _in_order(found.get((how, what), []))
    ]
    roles = {one.card: cards.role(one, MARGIN, 1.0) for one in order}
    numbers += [
        Number("deals to decide", names[card], exactly(deals * one.factor, deals), "deals", listed=False)
        for card, one in roles.items()
        if one.word == "undecided"
    ]
    findings = [_roles(order, roles, names, deals)]
    findings += [_ends(main, what, unit, found[main, what], names) for what, unit, _ in _OUTCOMES]
    if (_EXCHANGE, "wins") in found:
        findings.append(_by_exchange(found, deals))
    caution = (
        f"Of the first hand alone, when {spec.who.others} sits in every seat: a player who uses a card better makes it worth "
        "more. A card is only worth more or less than another: it always comes in place of one."
    )
    return Section("cards", "Cards in hand", findings, numbers, caution, deals, _figure(main, order, names))


def _in_order(worths: list[Worth]) -> list[Worth]:
    """Return what is known, the best first."""
    return sorted((one for one in worths if not np.isnan(one.value.value)), key=lambda one: -one.value.value)


def _of_hands(spec: Spec, dealt: Any, outcome: Any, most: float) -> dict[str, list[Worth]]:
    deals, players, kinds = dealt.shape
    held, block = dealt.reshape(-1, kinds), np.repeat(np.arange(deals), players)
    result, seat = outcome.reshape(-1), np.tile(np.arange(players), deals)
    found = {_PLAIN: cards.plain_worth(held, result, block, seed=1, seat=seat, most=most)}
    pack = registry.find(spec.draft.game).holdings.pack(spec.draft.record())
    # In decks of their own the cards of a seat cannot be told from the seat.
    with contextlib.suppress(ValueError):
        found[_ADJUSTED] = cards.adjusted_worth(
            held, result, block, seed=1, seat=seat, copies=pack, most=most
        )
    return found


def _exchanged(spec: Spec, swaps: Any, kinds: int) -> dict[tuple[str, str], list[Worth]]:
    made = swaps[:, :, GIVEN] != swaps[:, :, PARTNER]
    if not made.any():
        return {}
    one, block = swaps[made], np.nonzero(made)[0]
    units = (2 * registry.find(spec.draft.game).engine.WIN, 2)
    return {
        (_EXCHANGE, what): cards.swap_worth(
            one[:, GIVEN], one[:, PARTNER], one[:, column] / unit, block, kinds, 1, most
        )
        for (what, _, most), column, unit in zip(_OUTCOMES, (WINS, SCORE), units, strict=True)
    }


# ---- in words -------------------------------------------------------------------------------------------


def _ends(how: str, what: str, unit: Unit, worths: list[Worth], names: Any) -> Finding:
    order = _in_order(worths)
    best = [one for one in order if one.value.low > 0]
    worst = [one for one in order[::-1] if one.value.high < 0]
    items = [
        f"{word}: " + listed([f"{names[one.card]} {_said(one, unit)}" for one in some[:_TOLD]]) + "."
        for word, some in (("best", best), ("worst", worst))
        if some
    ]
    against = "above the mean card, others held fixed" if how == _ADJUSTED else "hands with it less without"
    text = (
        f"Of {plural(len(order), 'card')} {len(best)} clearly help, {len(worst)} clearly hurt, and "
        f"{len(order) - len(best) - len(worst)} are not told from 0, all judged at once ({against})."
    )
    return Finding("Worth in win share" if what == "wins" else "Worth in points", text, items)


def _said(worth: Worth, unit: Unit) -> str:
    return Number("", "", worth.value, unit).said


def _roles(order: list[Worth], roles: dict[int, Role], names: Any, deals: int) -> Finding:
    margin = number(100 * MARGIN)
    told = {
        "dominant": f"worth over {margin} points of win share more than the mean card",
        "burden": f"worth over {margin} points of win share less than the mean card",
        "dead": f"within {margin} points of the mean card, so that it does not matter whether one holds it or another",
    }
    by_word: dict[str, list[int]] = {word: [] for word in (*told, "undecided")}
    for one in order:
        by_word[roles[one.card].word].append(one.card)
    by_word["burden"].reverse()
    dominant, burdens, *rest = (len(kinds) for kinds in by_word.values())
    counts = [f"{dominant} dominant", f"{burdens} a burden", f"{rest[0]} dead", f"{rest[1]} undecided"]
    items = [
        f"{word}, {meaning}: {_named(by_word[word], names)}."
        for word, meaning in told.items()
        if by_word[word]
    ]
    if by_word["undecided"]:
        factor = statistics.median_high([roles[card].factor for card in by_word["undecided"]])
        items.append(
            f"undecided: the rest; about {round_count(deals * factor)} deals would decide half of them."
        )
    return Finding(
        "Dominant and dead cards",
        f"{listed(counts)}, of {plural(len(order), 'card')}; all judged at once.",
        items,
    )


def _named(kinds: list[int], names: Any) -> str:
    more = [f"{len(kinds) - _NAMED} more"] if len(kinds) > _NAMED else []
    return listed([*(names[kind] for kind in kinds[:_NAMED]), *more])


def _by_exchange(found: dict[tuple[str, str], list[Worth]], deals: int) -> Finding:
    """Say what exchanges found of the same worth, and how sharply against hands with and without a card."""
    plain, exchanged = (
        {one.card: one for one in _in_order(found[how, "wins"])} for how in (_PLAIN, _EXCHANGE)
    )
    both = [(plain[card].value, exchanged[card].value) for card in plain if card in exchanged]
    apart = sum(one.low > other.high or other.low > one.high for one, other in both)
    wide = [number(50 * statistics.median(one[way].high - one[way].low for one in both), 1) for way in (0, 1)]
    times = int(statistics.median(exchanged[card].times for card in exchanged))
    agree = (
        "for no card do the intervals lie apart"
        if not apart
        else f"for {plural(apart, 'card')} the two disagree"
    )
    text = (
        "A card of each hand was exchanged for a random other one that could have come in its place, and the deal played again with "
        f"the same chance. That tells the win share of the middle card to ±{wide[1]} pp, by {number(times)} exchanges; the hands of "
        f"the {number(deals)} deals themselves, with the card less without, to ±{wide[0]} pp. Both estimate the same; {agree}."
    )
    return Finding("By exchange", text)


def _figure(main: str, order: list[Worth], names: Any) -> Dots:
    points = [
        Point(row, 0, 100 * one.value.value, 100 * one.value.low, 100 * one.value.high)
        for row, one in enumerate(order)
    ]
    margin = 100 * MARGIN
    references = [(-margin, "burden"), (margin, "dominant")]
    rows = [names[one.card] for one in order]
    return Dots(f"{main[0].upper()}{main[1:]} (win share)", rows, [""], points, references, "pp")


MEASURE = Measure(
    name="cards",
    rank=50,
    part=0.7,
    each=5.0,
    most=30_000,
    applies=lambda spec: registry.find(spec.draft.game).holdings is not None,
    source=lambda spec: Exchanged(spec.setting, spec.who.others),
    read=read,
)
"""What a card is worth in the hand that is dealt."""
