"""What each captured card is worth, and whether those who held a card get it back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from experiments.metrics import blocks, cards
from experiments.metrics.cards import Worth
from experiments.play.card_swaps import Captured
from experiments.report.figures import Dots, Point
from experiments.report.words import listed, number, percent, plural
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section, Unit, exactly
from experiments.studies.skill.spec import Spec
from sim import registry

_TOLD = 3
"""Cards named at each end."""


def read(spec: Spec, wins: Any, scores: Any, piles: Any, owners: Any) -> Section:
    """Read what captured cards are worth.

    Parameters
    ----------
    spec : Spec
    wins, scores : float array, shape (deals, seats)
    piles : int array, shape (deals, seats, kinds)
    owners : int array, shape (deals, kinds)
        See `experiments.play.card_swaps.play_captured`.
    """
    deals, players, kinds = piles.shape
    holdings = registry.find(spec.draft.game).holdings
    names, printed = holdings.CARDS, holdings.printed(spec.draft.record())
    won, scored = (_worths(piles, *one) for one in ((wins, 1.0), (scores, math.inf)))
    order = sorted((one for one in scored if not np.isnan(one.value.value)), key=lambda one: -one.value.value)
    own = {kind: found for kind in range(kinds) if (found := _own(piles[:, :, kind], owners[:, kind], kinds))}
    ends = {one.card for one in [*order[:_TOLD], *order[-_TOLD:]]}
    kinds_of_numbers: list[tuple[str, Unit, dict[int, Estimate]]] = [
        ("captured less not captured, score", "points", {one.card: one.value for one in scored}),
        ("captured less not captured, wins", "pp", {one.card: one.value for one in won}),
        ("printed points", "number", {one.card: exactly(printed[one.card], deals) for one in order}),
        ("captured by its holder", "share", own),
    ]
    numbers = [
        Number(what, names[one.card], found[one.card], unit, listed=one.card in ends)
        for what, unit, found in kinds_of_numbers
        for one in order
        if one.card in found
    ]
    findings = [_worth(order, won, names), _beyond(order, printed, names), _home(own, names, players)]
    caution = (
        "Of the cards in the piles at the end of the match, those of its last game, others in the pile held fixed. Who captures a "
        "card was mostly ahead in other ways too, which counts as the card's here: to know what a rule on it would do, change the "
        f"rule and compare. {spec.who.others} sits in every seat."
    )
    return Section(
        "captured", "Captured cards", findings, numbers, caution, deals, _figure(order, printed, names)
    )


def _worths(piles: Any, outcome: Any, most: float) -> list[Worth]:
    deals, players, kinds = piles.shape
    held, block = piles.reshape(-1, kinds), np.repeat(np.arange(deals), players)
    result, seat = outcome.reshape(-1), np.tile(np.arange(players), deals)
    try:
        return cards.adjusted_worth(held, result, block, seed=1, seat=seat, from_mean=False, most=most)
    except ValueError:  # too few deals for so many cards
        return cards.plain_worth(held, result, block, seed=1, seat=seat, most=most)


def _own(captured: Any, owner: Any, looks: int) -> Estimate | None:
    """Return how often a card that is captured, and was in a hand, is captured by who held it; None if it never is."""
    taken = (captured > 0).any(axis=1) & (owner >= 0)
    if not taken.any():
        return None
    home = taken & (captured[np.arange(len(owner)), owner] > 0)
    return blocks.ratio(home, taken, "share", looks)


def _worth(order: list[Worth], won: list[Worth], names: Any) -> Finding:
    items = [
        f"{word}: "
        + listed(
            [
                f"{names[one.card]} {_said(one.value, 'points')}, in win share {_said(won[one.card].value, 'pp')}"
                for one in some[:_TOLD]
            ]
        )
        + "."
        for word, some in (
            ("best", [one for one in order if one.value.low > 0]),
            ("worst", [one for one in order[::-1] if one.value.high < 0]),
        )
        if some
    ]
    up = sum(one.value.low > 0 for one in won)
    down = sum(one.value.high < 0 for one in won)
    none = "" if items else " No card is told from 0."
    text = (
        f"In points of the match, with the card less without, others in the pile held fixed.{none} In win share {up} clearly help who "
        f"captures them, {down} clearly hurt, and {len(order) - up - down} are not told from 0, all judged at once."
    )
    return Finding("Worth of a captured card", text, items)


def _said(found: Estimate, unit: Unit) -> str:
    return Number("", "", found, unit).said


def _beyond(order: list[Worth], printed: list[int], names: Any) -> Finding:
    """Say where what a card brings is not what is printed on it."""
    more = [one for one in order if one.value.low > printed[one.card]]
    less = [one for one in order[::-1] if one.value.high < printed[one.card]]
    items = [
        f"{word} than printed: "
        + listed(
            [
                f"{names[one.card]} {_said(one.value, 'points')} for {number(printed[one.card])}"
                for one in some[:_TOLD]
            ]
        )
        + "."
        for word, some in (("more", more), ("less", less))
        if some
    ]
    text = (
        f"{plural(len(more), 'card')} clearly come with more points than the draft gives for them, {number(len(less))} with less: by "
        "pairs and sets, and by what else those have who capture them."
    )
    return Finding("Beyond what is printed", text, items)


def _home(own: dict[int, Estimate], names: Any, players: int) -> Finding:
    by_chance = 1 / players
    order = sorted(own, key=lambda kind: -own[kind].value)
    most = [kind for kind in order if own[kind].low > by_chance]
    least = [kind for kind in order[::-1] if own[kind].high < by_chance]
    items = [
        f"{word}: " + listed([f"{names[kind]} {_said(own[kind], 'share')}" for kind in some[:_TOLD]]) + "."
        for word, some in (("most often", most), ("least often", least))
        if some
    ]
    text = (
        f"Of the cards captured, {len(most)} go to who held them more often than to any seat by chance ({percent(by_chance, 0)}), and "
        f"{len(least)} less often, all judged at once."
    )
    return Finding("Captured by its own holder", text, items)


def _figure(order: list[Worth], printed: list[int], names: Any) -> Dots:
    points = [Point(row, 0, one.value.value, one.value.low, one.value.high) for row, one in enumerate(order)]
    rows = [f"{names[one.card]} ({number(printed[one.card])})" for one in order]
    return Dots("Points, captured less not (printed points in brackets)", rows, [""], points, [(0.0, "")])


MEASURE = Measure(
    name="captured",
    rank=51,
    part=0.3,
    each=1.0,
    most=20_000,
    applies=lambda spec: hasattr(registry.find(spec.draft.game).holdings, "captured"),
    source=lambda spec: Captured(spec.setting, spec.who.others),
    read=read,
)
"""What a captured card is worth, in games in which cards are captured."""
