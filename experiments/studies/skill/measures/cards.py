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
    wins, scores : float array, shape (deals, seats)
    dealt : int array, shape (deals, seats, kinds)
    swaps : int array, shape (deals, seats, 4)
        See `experiments.play.card_swaps.play_dealt`.
    """
    deals = len(wins)
    names = registry.find(spec.draft.game).holdings.CARDS
    worths_of = _exchanged(spec, swaps, len(names))
    for (what, _, most), outcome in zip(_OUTCOMES, (wins, scores), strict=True):
        worths_of |= {(how, what): worths for how, worths in _of_hands(spec, dealt, outcome, most).items()}
    main = _ADJUSTED if (_ADJUSTED, "wins") in worths_of else _PLAIN
    order = _in_order(worths_of[main, "wins"])
    ends = {worth.card for worth in [*order[:_TOLD], *order[-_TOLD:]]}
    numbers = [
        Number(f"{how}, {what}", names[worth.card], worth.value, unit, listed=worth.card in ends)
        for how in (_ADJUSTED, _PLAIN, _EXCHANGE)
        for what, unit, _ in _OUTCOMES
        for worth in _in_order(worths_of.get((how, what), []))
    ]
    roles = {worth.card: cards.role(worth, MARGIN, 1.0) for worth in order}
    numbers += [
        Number("deals to decide", names[card], exactly(deals * role.factor, deals), "deals", listed=False)
        for card, role in roles.items()
        if role.word == "undecided"
    ]
    findings = [_roles(order, roles, names, deals)]
    findings += [_ends(main, what, unit, worths_of[main, what], names) for what, unit, _ in _OUTCOMES]
    if (_EXCHANGE, "wins") in worths_of:
        findings.append(_by_exchange(worths_of, deals))
    caution = (
        f"This is of the first hand alone, with {spec.who.others} in every seat: a player who uses a card better makes it worth more. A "
        "card is only worth more or less than another, since it always takes another's place."
    )
    return Section("cards", "Cards in hand", findings, numbers, caution, deals, _figure(main, order, names))


def _in_order(worths: list[Worth]) -> list[Worth]:
    """Return what is known, the best first."""
    known = (worth for worth in worths if not np.isnan(worth.value.value))
    return sorted(known, key=lambda worth: -worth.value.value)


def _of_hands(spec: Spec, dealt: Any, outcome: Any, most: float) -> dict[str, list[Worth]]:
    deals, players, kinds = dealt.shape
    held, block = dealt.reshape(-1, kinds), np.repeat(np.arange(deals), players)
    result, seat = outcome.reshape(-1), np.tile(np.arange(players), deals)
    worths = {_PLAIN: cards.plain_worth(held, result, block, seed=1, seat=seat, most=most)}
    pack = registry.find(spec.draft.game).holdings.pack(spec.draft.record())
    # With a deck for each seat, cards and seat cannot be told apart.
    with contextlib.suppress(ValueError):
        worths[_ADJUSTED] = cards.adjusted_worth(
            held, result, block, seed=1, seat=seat, copies=pack, most=most
        )
    return worths


def _exchanged(spec: Spec, swaps: Any, kinds: int) -> dict[tuple[str, str], list[Worth]]:
    made = swaps[:, :, GIVEN] != swaps[:, :, PARTNER]
    if not made.any():
        return {}
    exchanged, block = swaps[made], np.nonzero(made)[0]
    units = (2 * registry.find(spec.draft.game).engine.WIN, 2)
    return {
        (_EXCHANGE, what): cards.swap_worth(
            exchanged[:, GIVEN], exchanged[:, PARTNER], exchanged[:, column] / unit, block, kinds, 1, most
        )
        for (what, _, most), column, unit in zip(_OUTCOMES, (WINS, SCORE), units, strict=True)
    }


# ---- in words -------------------------------------------------------------------------------------------


def _ends(how: str, what: str, unit: Unit, worths: list[Worth], names: Any) -> Finding:
    order = _in_order(worths)
    best = [worth for worth in order if worth.value.low > 0]
    worst = [worth for worth in order[::-1] if worth.value.high < 0]
    items = [
        f"{word}: " + listed([f"{names[worth.card]} {_said(worth, unit)}" for worth in some[:_TOLD]]) + "."
        for word, some in (("best", best), ("worst", worst))
        if some
    ]
    against = (
        "compared with the mean card, others held fixed"
        if how == _ADJUSTED
        else "hands with it less hands without"
    )
    text = (
        f"Of {plural(len(order), 'card')}, {len(best)} clearly help, {len(worst)} clearly hurt, and "
        f"{len(order) - len(best) - len(worst)} make no measurable difference, all judged at once ({against})."
    )
    return Finding("Worth in win rate" if what == "wins" else "Worth in points", text, items)


def _said(worth: Worth, unit: Unit) -> str:
    return Number("", "", worth.value, unit).said


def _roles(order: list[Worth], roles: dict[int, Role], names: Any, deals: int) -> Finding:
    margin = number(100 * MARGIN)
    told = {
        "dominant": f"worth over {margin} points of win rate more than the mean card",
        "burden": f"worth over {margin} points of win rate less than the mean card",
        "dead": f"within {margin} points of the mean card, so it hardly matters who holds it",
    }
    by_word: dict[str, list[int]] = {word: [] for word in (*told, "undecided")}
    for worth in order:
        by_word[roles[worth.card].word].append(worth.card)
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
            f"undecided: the rest; about {round_count(deals * factor)} deals should settle half of them."
        )
    return Finding(
        "Dominant and dead cards",
        f"{listed(counts)}, of {plural(len(order), 'card')}; all judged at once.",
        items,
    )


def _named(kinds: list[int], names: Any) -> str:
    more = [f"{len(kinds) - _NAMED} more"] if len(kinds) > _NAMED else []
    return listed([*(names[kind] for kind in kinds[:_NAMED]), *more])


def _by_exchange(worths_of: dict[tuple[str, str], list[Worth]], deals: int) -> Finding:
    """Say what exchanges found of the same worth, and how sharply against hands with and without a card."""
    plain, exchanged = (
        {worth.card: worth for worth in _in_order(worths_of[how, "wins"])} for how in (_PLAIN, _EXCHANGE)
    )
    both = [(plain[card].value, exchanged[card].value) for card in plain if card in exchanged]
    apart = sum(first.low > second.high or second.low > first.high for first, second in both)
    wide = [
        number(50 * statistics.median(pair[way].high - pair[way].low for pair in both), 1) for way in (0, 1)
    ]
    times = int(statistics.median(exchanged[card].times for card in exchanged))
    agree = "for no card do they disagree" if not apart else f"for {plural(apart, 'card')} the two disagree"
    text = (
        "A card of each hand was exchanged for a random other that could have come in its place, and the deal played again with the same "
        f"chance. By {number(times)} exchanges the win rate of a typical card is known to ±{wide[1]} points; by comparing hands with and "
        f"without it in {number(deals)} deals, to ±{wide[0]} points. Both estimate the same; {agree}."
    )
    return Finding("By exchange", text)


def _figure(main: str, order: list[Worth], names: Any) -> Dots:
    points = [
        Point(row, 0, *(100 * end for end in (worth.value.value, worth.value.low, worth.value.high)))
        for row, worth in enumerate(order)
    ]
    margin = 100 * MARGIN
    references = [(-margin, "burden"), (margin, "dominant")]
    rows = [names[worth.card] for worth in order]
    return Dots(f"{main[0].upper()}{main[1:]} (win rate)", rows, [""], points, references, "pp")


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
