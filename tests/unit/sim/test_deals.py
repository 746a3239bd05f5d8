"""Which deals can be made: drafts are refused exactly where RULES.md says so."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from sim.errors import UserError
from tests import support
from tests import support_ninepeak as ninepeak


@pytest.mark.parametrize("variant", ["none", "personal_decks"])
def test_deals_are_refused_exactly_where_the_rules_say(variant: str) -> None:
    """Every number of players, games, hand size and cards left behind, against the table of RULES.md."""
    verdicts = []
    for players, games, hand_size, left in itertools.product(
        (2, 3, 4), (1, 2, 3, 4, 5, 20), range(1, 13), range(5)
    ):
        rules = {
            "players": players,
            "games": games,
            "hand_size": hand_size,
            "left_behind": left,
            "variant": variant,
        }
        try:
            support.draft_of(rules)
            accepted = True
        except UserError:
            accepted = False
        assert accepted == support.dealable(rules), rules
        verdicts.append(accepted)
    assert 100 < sum(verdicts) < len(verdicts) - 100


@pytest.mark.parametrize(
    ("rules", "largest"),
    [
        ({"players": 4, "games": 1}, 12),  # 4 · 13 = 52
        ({"players": 4, "games": 2}, 6),  # 4 · 13 = 52
        ({"players": 4, "games": 4, "left_behind": 1}, 6),  # 4 + 48 = 52
        ({"players": 4, "games": 4, "left_behind": 2}, 5),
        ({"players": 4, "games": 3, "left_behind": 4}, 6),  # 4 · 13 = 52 binds, one game after the new stock
        ({"players": 3, "games": 2}, 8),  # 3 · 17 = 51
        ({"players": 3, "games": 4, "left_behind": 2}, 8),  # 4 + 48 = 52
        ({"players": 3, "games": 4, "left_behind": 3}, 7),
        ({"players": 2, "games": 20, "left_behind": 2}, 12),  # 3 + 48
        ({"variant": "personal_decks", "games": 1}, 12),  # 13 of 13
        ({"variant": "personal_decks", "games": 2}, 6),  # 13 of 13
        ({"variant": "personal_decks", "games": 4, "left_behind": 0}, 6),  # 13 of 13
        ({"variant": "personal_decks", "games": 4, "left_behind": 1}, 5),
        ({"variant": "personal_decks", "games": 4, "left_behind": 2}, 5),  # 13 of 13
        ({"variant": "personal_decks", "games": 4, "left_behind": 3}, 4),
        ({"variant": "personal_decks", "games": 3, "left_behind": 4}, 6),  # 6 + 4 + 1; two games need 13
    ],
)
def test_largest_hands(rules: dict[str, Any], largest: int) -> None:
    assert support.draft_of({**rules, "hand_size": largest}).options.rules.hand_size == largest
    with pytest.raises(UserError, match=r"rules\.hand_size"):
        support.draft_of({**rules, "hand_size": largest + 1})


def test_deals_of_nine_peak_are_refused_exactly_where_the_pack_ends() -> None:
    verdicts = []
    for players, area_size, hand_size in itertools.product(
        (3, 4, 5), (0, 1, 6, 18, 40, 63, 75), range(1, 27)
    ):
        rules = {"players": players, "area_size": area_size, "hand_size": hand_size}
        fits = area_size + players * hand_size <= 78
        verdicts.append(fits)
        if fits:
            draft = ninepeak.draft_of(rules)
            match = ninepeak.twin_match(draft, 1, 0)
            assert [len(hand) for hand in match.hands] == [hand_size] * players
            continue
        with pytest.raises(UserError, match=rf"rules\.hand_size = {hand_size}: .*the pack has 78") as caught:
            ninepeak.draft_of(rules)
        assert len(str(caught.value).splitlines()) == 1
    assert 100 < sum(verdicts) < len(verdicts) - 100
