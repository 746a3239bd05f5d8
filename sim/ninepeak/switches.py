"""The rules of 9 Peak that a draft can change by themselves: which option each is, and which event counts it."""

from __future__ import annotations

from sim.switches import Switch

SWITCHES = (
    Switch(
        "scoring.no_joker",
        off="none",
        events=("vp_no_joker",),
        uncounted=("draw_to_hand",),
        points=True,
    ),
    Switch("scoring.early_finish", off="none", events=("went_out",)),
    Switch("scoring.peak_card_vp", off=0, numbers=(1, 2), events=("peaks_won",)),
    Switch("scoring.joker", off="wild_and_own"),
    Switch("scoring.perfect", off=0, numbers=(1, 2)),
    Switch("scoring.suits", off=4),
    Switch("scoring.modes", off="both"),
)
