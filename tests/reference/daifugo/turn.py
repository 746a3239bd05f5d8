"""A turn that is being carried out, and the forbidden finishes it may break (D33-D38)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.daifugo.notation import PLACE
from tests.reference.daifugo.plays import Play

SPADE_THREE = "S3"


@dataclass
class Turn:
    """A play and what is still to come of it, in the order of one turn."""

    player: int
    play: Play
    effects: set[str]  # those that will act
    revolution: bool  # when the play was put down (D34)
    stage: int = 0
    count: int = 0  # how many cards to give or discard, ranks to name
    emptied: str = ""  # what emptied the player's hand: play, pass_on, discard or bomber
    victims: list[int] = field(default_factory=list)  # others whose hands a bomber emptied, in turn order
    asked: list[int] | None = None  # D23: who is still to be asked for an answer


def broken_by_player(turn: Turn, rules: Mapping[str, Any], effects_off: bool) -> list[str]:
    """Which clauses the player's own finish breaks; one finish may break several.

    Open: D33-D36 look at a play that empties the hand; a hand emptied later in the turn is judged by D37 and
    D38 alone. An omen put down as the last play has acted by now, so D36 to D38 no longer apply to it.
    """
    if turn.emptied != "play":
        return [] if effects_off else broken_by_effect(turn.emptied, rules)
    cards = turn.play.cards
    shown = {card[1:] for card in cards if card in PLACE}  # the ranks of natural cards
    bad_rank = "3" if turn.revolution else "2"
    spade_three = {"any": SPADE_THREE in cards, "alone": cards == (SPADE_THREE,), "off": False}
    group = turn.play.kind == "group" and not effects_off
    broken = {
        "foul_joker": rules["foul_joker"] and turn.play.jokers > 0,  # D33
        "foul_two": rules["foul_two"] and bad_rank in shown,  # D34
        "foul_spade_three": spade_three[rules["foul_spade_three"]],  # D35
        "foul_eleven_back": rules["foul_eleven_back"] and group and "eleven_back" in turn.effects,  # D36
        "foul_eight_cut": rules["foul_eight_cut"] and group and "eight_cut" in turn.effects,
    }
    return [clause for clause, is_broken in broken.items() if is_broken]


def broken_by_effect(effect: str, rules: Mapping[str, Any]) -> list[str]:
    """D37, D38: of a hand emptied by passing on, discarding or a bomber."""
    clause = f"foul_{effect}"
    return [clause] if rules[clause] else []
