"""The rules of Uplink that a draft can change by themselves: which option each is, and which event counts it."""

from __future__ import annotations

from sim.switches import Switch

SWITCHES = (
    Switch("rules.ace", off="high"),
    Switch("rules.tied_top", off="later"),
    Switch("rules.left_behind", off=0, numbers=(1, 2)),
    Switch("rules.next_lead", off="taker"),
    Switch(
        "rules.heart_pair",
        off="off",
        numbers=(1, 2, 3),
        events=("heart_pairs",),
        excluded_by=("rules.variant",),
    ),
    Switch("rules.variant", off="none"),
)
