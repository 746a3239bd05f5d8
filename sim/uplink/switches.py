"""The rules of Uplink that a draft can do without: which option each is, and which event counts it."""

from __future__ import annotations

from sim.switches import Switch

SWITCHES = (
    Switch("rules.ace", on="low", off="high"),
    Switch("rules.tied_top", on="second", off="later"),
    Switch("rules.left_behind", on=1, off=0),
    Switch("rules.next_lead", on="rotate", off="taker"),
    Switch("rules.heart_pair", on=2, off="off", events=("heart_pairs",), excluded_by=("rules.variant",)),
    Switch("rules.variant", on="personal_decks", off="none"),
)
