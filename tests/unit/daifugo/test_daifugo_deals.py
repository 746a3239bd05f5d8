"""Deals of Daifugō (D3): by seat, so that classes decide only who gets the cards left over."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sim.table import Table
from tests import support_daifugo as support

PLAYED = 12
"""Matches of one deal, each with other moves in the first game, and so with other classes in the second."""


def second_games(seed: int, **rules: Any) -> list[dict[str, Any]]:
    """Return how the second game begins after several first games of the same deal; nobody exchanges cards."""
    draft = support.draft_of({"games": 2, "exchange": [], **rules})
    begun = []
    for choices in range(PLAYED):
        table, dice = Table(draft, seed=seed), random.Random(choices)
        while table.inspect()["game"] == 1:
            table.apply(support.random_move(table, dice, 0.7))
        begun.append(table.inspect())
    return begun


def surplus_seats(begun: dict[str, Any], deal_from: str, surplus: int) -> set[int]:
    """Return who gets a card left over: clockwise from the dealer's left, or from the daifugō."""
    ring, previous = begun["ring"], begun["previous_places"]
    players = len(ring)
    if deal_from == "daifugo":
        first = ring.index(previous.index(1))
    else:
        first = ring.index(previous.index(players)) + 1
    return {ring[(first + i) % players] for i in range(surplus)}


@pytest.mark.parametrize("deal_from", ["dealer_left", "daifugo"])
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"players": 5},
        {"players": 7, "jokers": 1},
        {"players": 8, "blind_cards": 2},
        {"players": 3, "jokers": 2, "blind_cards": 2},
        {"players": 5, "reseat_every": 1},
    ],
)
def test_classes_decide_only_who_gets_the_cards_left_over(rules: dict[str, Any], deal_from: str) -> None:
    players = rules.get("players", 4)
    even, surplus = divmod(52 + rules.get("jokers", 2) - rules.get("blind_cards", 0), players)
    begun = second_games(3, deal_from=deal_from, **rules)
    assert len({tuple(game["previous_places"]) for game in begun}) > 1
    alike = [
        set.intersection(*(set(game["hands"][player].split()) for game in begun)) for player in range(players)
    ]
    for game in begun:
        longer = surplus_seats(game, deal_from, surplus)
        for player, hand in enumerate(game["hands"]):
            assert len(hand.split()) == even + (player in longer)
            # Two jokers are one sign.
            assert len(set(hand.split()) - alike[player]) <= 1


@pytest.mark.parametrize("rules", [{"jokers": 0}, {"blind_cards": 2}, {"players": 6, "reseat_every": 1}])
def test_hands_are_the_same_in_every_class_where_the_pack_divides(rules: dict[str, Any]) -> None:
    begun = second_games(4, **rules)
    assert len({tuple(game["previous_places"]) for game in begun}) > 1
    assert len({tuple(game["hands"]) for game in begun}) == 1
    assert len({tuple(game["ring"]) for game in begun}) == 1
