"""The rules of 9 Peak that a draft can do without: which option each is, and which event counts it."""

from __future__ import annotations

from sim.switches import Switch

SWITCHES = (
    Switch("scoring.no_joker", on="per_set", off="none", events=("vp_no_joker",), points=True),
    Switch("scoring.early_finish", on="peak_cards", off="none", events=("went_out",)),
    Switch("scoring.peak_card_vp", on=1, off=0, events=("peaks_won",)),
    Switch("scoring.joker", on="wild_only", off="wild_and_own"),
    Switch("scoring.perfect", on=1, off=0),
    Switch("scoring.suits", on="colours", off=4),
    Switch("scoring.modes", on="same", off="both"),
)
