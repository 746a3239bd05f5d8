"""What each card is worth in the hand that is dealt."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import cards
from experiments.metrics.cards import Worth
from experiments.report.findings import Finding
from experiments.report.words import listed
from experiments.skill.measures import Measure
from experiments.skill.section import Number, Section
from experiments.skill.sources import Dealt
from experiments.skill.spec import Spec
from sim import registry
from sim.cards import NAMES

_TOLD = 4
"""Cards named at each end."""


def _applies(spec: Spec) -> bool:
    """Tell whether a hand is one mask of cards of the pack, dealt once in what is counted as one."""
    game = registry.find(spec.draft.game)
    fields = game.state.VIEW.fields
    whole = "hand" in fields and fields["hand"][0] == np.dtype("i8") and hasattr(game.text, "canonical_cards")
    return whole and spec.draft.options.counted_games == 1


def read(spec: Spec, wins: Any, points: Any, hands: Any) -> Section:
    """Read what cards are worth.

    Parameters
    ----------
    spec : Spec
    wins, points : float array, shape (deals, 1, seats)
    hands : int array, shape (deals, seats)
        Masks of the cards dealt.
    """
    deals, players = hands.shape
    masks = hands.reshape(-1)
    dealt = (masks[:, None] >> np.arange(len(NAMES))) & 1
    block = np.repeat(np.arange(deals), players)
    numbers, findings = [], []
    for what, outcome, unit in (("wins", wins, "pp"), ("score", points, "points")):
        # Where seats have decks of their own, a seat's advantage would count as its cards'.
        found, how = _worths(dealt, (outcome[:, 0] - outcome[:, 0].mean(axis=0)).reshape(-1), block)
        known = [one for one in found if not np.isnan(one.value.value)]
        if not known:
            continue
        told = {
            one.card: Number(f"worth of a card, {what}", NAMES[one.card], one.value, unit)  # type: ignore[arg-type]
            for one in known
        }
        numbers += list(told.values())
        if unit == "points":
            findings.append(_finding(known, told, how))
    caution = (
        f"Of the first hand alone, when {spec.players.others} sits in every seat, and with the noise of all else that happens. A "
        "player who uses a card better makes it worth more."
    )
    return Section("cards", "Cards", findings, numbers, caution, deals)


def _worths(dealt: Any, outcome: Any, block: Any) -> tuple[list[Worth], str]:
    try:
        return cards.adjusted_worth(dealt, outcome, block, seed=1), "above the mean card, others held fixed"
    except ValueError:  # some cards always come together, as the suits of personal decks
        return cards.plain_worth(dealt, outcome, block, seed=1), "hands with the card less hands without"


def _finding(known: list[Worth], told: dict[int, Number], how: str) -> Finding:
    order = sorted(known, key=lambda one: -one.value.value)
    best = [one for one in order if one.dominant]
    worst = [one for one in order[::-1] if one.dead]
    items = [
        f"{word}: " + listed([f"{NAMES[one.card]} {told[one.card].said}" for one in some[:_TOLD]]) + "."
        for word, some in (("best", best), ("worst", worst))
        if some
    ]
    text = (
        f"In points, {how}: {len(best)} cards clearly help, {len(worst)} clearly hurt, and {len(known) - len(best) - len(worst)} are not "
        "told from 0, all judged at once."
    )
    return Finding("Cards in the first hand", text, items)


MEASURE = Measure(
    name="cards",
    rank=50,
    part=0.5,
    each=5.0,
    most=20_000,
    applies=_applies,
    source=lambda spec: Dealt(spec, spec.players.others),
    read=read,
)
