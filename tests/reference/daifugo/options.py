"""The options of Daifugō with the author's values, and the names under which things are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.daifugo.notation import RANKS

Options = Mapping[str, Mapping[str, Any]]

DEFAULT_RULES: Mapping[str, Any] = {
    "jokers": 2,  # D1
    "players": 4,  # D2
    "deal_from": "dealer_left",  # D3
    "blind_cards": 0,  # D4
    "first_lead": "diamond_three",  # D5
    "first_lead_must_show": False,
    "leader_may_pass": False,  # D6
    "pass_lockout": False,  # D7
    "clear_when": "back_to_owner",  # D8
    "games": 10,  # D10
    "place_points": [],  # [] is n-1 … 0
    "reseat_every": 0,
    "class_reset_every": 0,
    "exchange": [2, 1],  # D11
    "rich_see_first": True,
    "sequences": True,  # D13
    "sequence_min": 3,
    "joker_beyond_ends": False,
    "sequence_beats": "disjoint",  # D14
    "sequence_revolution": 0,  # D15
    "sequence_effects": [],
    "emperor": False,  # D16
    "down_number": False,  # D17
    "suit_lock": "full",  # D18
    "lock_by_joker": False,
    "joker_clears_lock": False,
    "number_lock": True,  # D19
    "eleven_back": True,  # D20
    "eleven_back_again": "toggle",
    "eleven_back_triple": False,
    "revolution": True,  # D21
    "eight_cut": True,  # D22
    "four_stop": True,  # D23
    "skip": True,  # D24
    "pass_on": True,  # D25
    "reverse": True,  # D26
    "discard": True,  # D27
    "bomber": True,  # D28
    "rokurokubi": True,  # D29
    "ambulance": True,
    "omen": True,  # D30
    "coup": True,
    "sandstorm": True,  # D31
    "sandstorm_stops_cut": False,
    "spade_three": True,  # D32
    "spade_three_clears": False,
    "foul_joker": True,  # D33
    "foul_two": True,  # D34
    "foul_spade_three": "any",  # D35
    "foul_eleven_back": True,  # D36
    "foul_eight_cut": True,
    "foul_pass_on": True,  # D37
    "foul_discard": True,
    "foul_bomber": True,  # D38
    "foul_order": "first_is_last",  # D39
    "miyako_ochi": False,  # D40
    "gekokujo": False,  # D41
    "tenpen_chii": False,  # D42
    "strongest_clears": False,  # D43
    "stalemate_passes": 20,  # D44
}
DEFAULT_RANKS: Mapping[str, str] = {
    "eleven_back": "J",
    "eight_cut": "8",
    "four_stop": "4",
    "skip": "5",
    "pass_on": "7",
    "reverse": "9",
    "discard": "10",
    "bomber": "Q",
    "rokurokubi": "6",
    "ambulance": "9",
    "omen": "6",
    "coup": "9",
    "sandstorm": "3",
}
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "jokers": (0, 1, 2),
    "players": tuple(range(2, 9)),
    "deal_from": ("dealer_left", "daifugo"),
    "blind_cards": (0, 1, 2),
    "first_lead": ("diamond_three", "daihinmin", "daifugo"),
    "clear_when": ("back_to_owner", "all_passed"),
    "sequence_min": tuple(range(3, 14)),
    "sequence_beats": ("disjoint", "lowest"),
    "suit_lock": ("off", "full", "partial"),
    "eleven_back_again": ("toggle", "stay"),
    "foul_spade_three": ("any", "alone", "off"),
    "foul_order": ("first_is_last", "latest_is_last"),
}
# D15: the rank effects that can act in a sequence, as `sequence_effects` names them -> the effect.
IN_SEQUENCES: Mapping[str, str] = {
    "cut": "eight_cut",
    "eleven_back": "eleven_back",
    "skip": "skip",
    "pass_on": "pass_on",
    "reverse": "reverse",
    "discard": "discard",
    "bomber": "bomber",
}

EFFECTS = (*DEFAULT_RANKS, "spade_three")  # D20, D22-D32
FOULS = (  # D33-D38
    "foul_joker",
    "foul_two",
    "foul_spade_three",
    "foul_eleven_back",
    "foul_eight_cut",
    "foul_pass_on",
    "foul_discard",
    "foul_bomber",
)
EVENTS = (
    *("plays", "passes", "tricks", "revolutions"),
    *EFFECTS,
    *FOULS,
    *("suit_lock", "number_lock", "emperor", "down_number", "sequence_revolution", "eleven_back_triple"),
    *("miyako_ochi", "gekokujo", "tenpen_chii", "strongest_clears", "stalemate"),
    *("decisions", "branching"),
)


def settle(options: Options) -> tuple[dict[str, Any], dict[str, str]]:
    """The rules and the table of ranks, with the author's values for whatever is not given."""
    rules = {**DEFAULT_RULES, **options.get("rules", {})}
    ranks = {**DEFAULT_RANKS, **options.get("ranks", {})}
    unknown = (rules.keys() - DEFAULT_RULES.keys()) | (ranks.keys() - DEFAULT_RANKS.keys())
    if unknown:
        raise ValueError(f"unknown options: {sorted(unknown)}")
    for name, allowed in CHOICES.items():
        if rules[name] not in allowed:
            raise ValueError(f"{name} is one of {allowed}, not {rules[name]!r}")
    if not set(rules["sequence_effects"]) <= IN_SEQUENCES.keys():
        raise ValueError(f"sequence_effects are among {sorted(IN_SEQUENCES)}")
    if not set(ranks.values()) <= set(RANKS):
        raise ValueError(f"a rank is one of {RANKS}")
    if len(rules["exchange"]) > 2:  # D2: two upper and two lower classes at most
        raise ValueError("exchange is at most two numbers")
    if 0 < len(rules["place_points"]) < rules["players"]:
        raise ValueError("place_points has a number for each place")
    return rules, ranks
