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
    wins, scores : float array, shape (deals, seats)
    piles : int array, shape (deals, seats, kinds)
    owners : int array, shape (deals, kinds)
        See `experiments.play.card_swaps.play_captured`.
    """
    deals, players, kinds = piles.shape
    holdings = registry.find(spec.draft.game).holdings
    names, printed = holdings.CARDS, holdings.printed(spec.draft.record())
    won, scored = (_worths(piles, outcome, most) for outcome, most in ((wins, 1.0), (scores, math.inf)))
    known = (worth for worth in scored if not np.isnan(worth.value.value))
    order = sorted(known, key=lambda worth: -worth.value.value)
    home = {kind: _own(piles[:, :, kind], owners[:, kind], kinds) for kind in range(kinds)}
    own = {kind: share for kind, share in home.items() if share is not None}
    ends = {worth.card for worth in [*order[:_TOLD], *order[-_TOLD:]]}
    kinds_of_numbers: list[tuple[str, Unit, dict[int, Estimate]]] = [
        ("captured less not captured, score", "points", {worth.card: worth.value for worth in scored}),
        ("captured less not captured, wins", "pp", {worth.card: worth.value for worth in won}),
        ("printed points", "number", {worth.card: exactly(printed[worth.card], deals) for worth in order}),
        ("captured by its holder", "share", own),
    ]
    numbers = [
        Number(what, names[worth.card], estimates[worth.card], unit, listed=worth.card in ends)
        for what, unit, estimates in kinds_of_numbers
        for worth in order
        if worth.card in estimates
    ]
    findings = [_worth(order, won, names), _beyond(order, printed, names), _home(own, names, players)]
    caution = (
        "These are the cards in the piles at the end of the match, those of its last game, others in the pile held fixed. A player who "
        "captures a card is often ahead in other ways too, and that counts as the card's here: to know what a rule on it would do, "
        f"change the rule and compare. {spec.who.others} sits in every seat."
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


def _own(captured: Any, owner: Any, family_size: int) -> Estimate | None:
    """Return how often a card that is captured, and was in a hand, is captured by who held it; None if it never is."""
    taken = (captured > 0).any(axis=1) & (owner >= 0)
    if not taken.any():
        return None
    home = taken & (captured[np.arange(len(owner)), owner] > 0)
    return blocks.ratio(home, taken, "share", family_size)


def _worth(order: list[Worth], won: list[Worth], names: Any) -> Finding:
    items = [
        f"{word}: "
        + listed(
            [
                f"{names[worth.card]} {_said(worth.value, 'points')}, in win rate {_said(won[worth.card].value, 'pp')}"
                for worth in some[:_TOLD]
            ]
        )
        + "."
        for word, some in (
            ("best", [worth for worth in order if worth.value.low > 0]),
            ("worst", [worth for worth in order[::-1] if worth.value.high < 0]),
        )
        if some
    ]
    up = sum(worth.value.low > 0 for worth in won)
    down = sum(worth.value.high < 0 for worth in won)
    none = "" if items else " No card makes a measurable difference."
    text = (
        f"In points of the match, with the card less without, others in the pile held fixed.{none} In win rate, {up} cards clearly help "
        f"the player who captures them, {down} clearly hurt, and {len(order) - up - down} make no measurable difference, all judged at once."
    )
    return Finding("Worth of a captured card", text, items)


def _said(estimate: Estimate, unit: Unit) -> str:
    return Number("", "", estimate, unit).said


def _beyond(order: list[Worth], printed: list[int], names: Any) -> Finding:
    """Say where what a card brings is not what is printed on it."""
    more = [worth for worth in order if worth.value.low > printed[worth.card]]
    less = [worth for worth in order[::-1] if worth.value.high < printed[worth.card]]
    items = [
        f"{word} than printed: "
        + listed(
            [
                f"{names[worth.card]} {_said(worth.value, 'points')} for {number(printed[worth.card])}"
                for worth in some[:_TOLD]
            ]
        )
        + "."
        for word, some in (("more", more), ("less", less))
        if some
    ]
    text = (
        f"{plural(len(more), 'card')} clearly come with more points than the draft gives for them, {number(len(less))} with less: by "
        "pairs and sets, and by what else the players who capture them have."
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
        f"Of the cards captured, {len(most)} go to the player who held them more often than by chance ({percent(by_chance, 0)}), and "
        f"{len(least)} less often, all judged at once."
    )
    return Finding("Captured by its own holder", text, items)


def _figure(order: list[Worth], printed: list[int], names: Any) -> Dots:
    points = [
        Point(row, 0, worth.value.value, worth.value.low, worth.value.high) for row, worth in enumerate(order)
    ]
    rows = [f"{names[worth.card]} ({number(printed[worth.card])})" for worth in order]
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
