"""The local rules of Daifugō: which option each is, and which event counts it."""

from __future__ import annotations

from typing import Any

from sim.daifugo.state import FOULS
from sim.switches import Switch


def _rule(name: str, **settings: Any) -> Switch:
    """Return the switch of an option; options it needs are named without their table."""
    needs = tuple(tuple(f"rules.{one}" for one in group) for group in settings.pop("needs", ()))
    return Switch(f"rules.{name}", needs=needs, **settings)


def _counted(name: str, **settings: Any) -> Switch:
    """Return the switch of an option that the event of the same name counts."""
    return _rule(name, events=(name,), **settings)


_RUNS = (("sequences", "emperor"),)

SWITCHES = (
    # pack, deal, lead, trick
    _rule("jokers", off=0, numbers=(1, 2)),
    _rule("deal_from", off="dealer_left", later=True),
    _rule("blind_cards", off=0),
    _rule("first_lead", off="diamond_three", later=True),
    _rule("first_lead_must_show"),
    _rule("leader_may_pass"),
    _rule("pass_lockout"),
    _rule("clear_when", off="back_to_owner"),
    _rule("reseat_every", off=0, numbers=(1,), later=True),
    _rule("class_reset_every", off=0, numbers=(4,), later=True),
    _rule("exchange", off=[], numbers=([1], [2, 1]), later=True),
    _rule("rich_see_first", needs=(("exchange",),), later=True),
    # plays
    _rule("sequences"),
    _rule("joker_beyond_ends", needs=(("jokers",), ("sequences",))),
    _rule("sequence_beats", off="disjoint", needs=_RUNS),
    _counted("sequence_revolution", off=0, numbers=(4, 5, 6), needs=_RUNS),
    _rule("sequence_effects", off=[], numbers=(["cut"],), needs=_RUNS),
    _counted("emperor"),
    _counted("down_number"),
    # locks
    _counted("suit_lock", off="off"),
    _rule("lock_by_joker", needs=(("jokers",),)),
    _rule("joker_clears_lock", needs=(("jokers",), ("suit_lock", "number_lock"))),
    _counted("number_lock"),
    # effects
    _counted("eleven_back"),
    _rule("eleven_back_again", off="toggle", needs=(("eleven_back",),)),
    _counted("eleven_back_triple", needs=(("eleven_back",),)),
    _rule(
        "revolution",
        events=("revolutions",),
        less=("sequence_revolution", "eleven_back_triple", "omen", "coup"),
    ),
    _counted("eight_cut"),
    _counted("four_stop", needs=(("eight_cut",),)),
    _counted("skip"),
    _counted("pass_on"),
    _counted("reverse"),
    _counted("discard"),
    _counted("bomber"),
    _counted("rokurokubi"),
    _counted("ambulance"),
    _counted("omen"),
    _counted("coup"),
    _counted("sandstorm"),
    _rule("sandstorm_stops_cut", needs=(("sandstorm",), ("eight_cut",))),
    _counted("spade_three", needs=(("jokers",),)),
    _rule("spade_three_clears", events=("spade_three",), needs=(("spade_three",), ("jokers",))),
    # forbidden finishes
    _counted("foul_joker", needs=(("jokers",),)),
    _counted("foul_two"),
    _counted("foul_spade_three", off="off"),
    _counted("foul_eleven_back", needs=(("eleven_back",),)),
    _counted("foul_eight_cut", needs=(("eight_cut",),)),
    _counted("foul_pass_on", needs=(("pass_on",),)),
    _counted("foul_discard", needs=(("discard",),)),
    _counted("foul_bomber", needs=(("bomber",),)),
    _rule("foul_order", off="first_is_last", needs=((*FOULS, "miyako_ochi"),)),
    # class rules, and details of official play
    _counted("miyako_ochi", later=True),
    _counted("gekokujo", later=True),
    _counted("tenpen_chii", later=True),
    _counted("strongest_clears"),
)
