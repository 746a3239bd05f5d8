"""The options of 9 Peak with the values of draft 11."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.ninepeak.notation import PACK, PEAK

Options = Mapping[str, Mapping[str, Any]]

DEFAULT_RULES: Mapping[str, Any] = {"players": 4, "area_size": 6, "hand_size": 13}  # P2, P3, P4
DEFAULT_SCORING: Mapping[str, Any] = {
    "base": [1, 2, 3, 4, 5, 6, 7, 8, 9],  # P17, by the size of the set
    "joker": "wild_and_own",
    "different": -1,
    "perfect": 0,
    "suits": 4,
    "modes": "both",
    "no_joker": "per_set",  # P18
    "no_joker_vp": 3,
    "peak_card_vp": 1,  # P8
    "early_finish": "peak_cards",  # P15
    "early_finish_vp": 6,
    "unplaced_peak_vp": 2,
}
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "players": (3, 4, 5),
    "joker": ("wild_and_own", "wild_only"),
    "suits": (4, "colours"),
    "modes": ("both", "same"),
    "no_joker": ("per_set", "flat", "draw_to_hand", "none"),
    "early_finish": ("peak_cards", "none", "fixed", "recolour"),
}


def settle(options: Options) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rules and the scoring table, with draft 11 for whatever is not given."""
    rules = {**DEFAULT_RULES, **options.get("rules", {})}
    scoring = {**DEFAULT_SCORING, **options.get("scoring", {})}
    unknown = (rules.keys() - DEFAULT_RULES.keys()) | (scoring.keys() - DEFAULT_SCORING.keys())
    if unknown:
        raise ValueError(f"unknown options: {sorted(unknown)}")
    for name, allowed in CHOICES.items():
        if {**rules, **scoring}[name] not in allowed:
            raise ValueError(f"{name} is one of {allowed}")
    if len(scoring["base"]) != PEAK:
        raise ValueError("base has nine numbers")
    if rules["area_size"] < 0 or rules["hand_size"] < 1:
        raise ValueError("area_size is 0 or more, hand_size 1 or more")
    if rules["area_size"] + rules["players"] * rules["hand_size"] > len(PACK):
        raise ValueError("the deal needs more cards than the pack has")
    return rules, scoring
