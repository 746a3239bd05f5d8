"""The options of Daifugō: every local rule a choice, and the record the engine reads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim import cards
from sim.daifugo.state import EFFECTS, MAX_PLAYERS, RULES
from sim.options import Option, OptionRow, Table
from sim.options import rows as table_rows

_MAX_GAMES = 1000
_MAX_POINTS = 999
Rank = Literal["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
Effect = Literal[
    "eleven_back", "cut", "skip", "pass_on", "reverse", "discard", "bomber",
]  # fmt: skip
"""Effects that can act in sequences (D15)."""


class Rules(Table):
    """The table ``[rules]``; the defaults are the author's."""

    jokers: Annotated[
        int, Field(ge=0, le=2), Option("D1", "jokers in the pack", "more: who is dealt them, so luck")
    ] = 2
    players: Annotated[
        int,
        Field(ge=2, le=MAX_PLAYERS),
        Option("D2", "how many players sit at the table", "fewer: long hands, so sequences and revolutions"),
    ] = 4
    deal_from: Annotated[
        Literal["dealer_left", "daifugo"],
        Option("D3", "who is dealt the first card, so a longer hand", "daifugo: against the daifugō"),
    ] = "dealer_left"
    blind_cards: Annotated[
        Literal[0, 2], Option("D4", "cards taken out unseen before the deal", "2: against counting cards")
    ] = 0
    first_lead: Annotated[
        Literal["diamond_three", "daihinmin", "daifugo"],
        Option("D5", "who leads the first trick", "daihinmin: the poor; daifugo: the rich"),
    ] = "diamond_three"
    first_lead_must_show: Annotated[
        bool, Option("D5", "whether the first lead must hold ♦3", "off: its holder")
    ] = False
    leader_may_pass: Annotated[
        bool, Option("D6", "whether a leader may pass", "on: who has only strong cards left")
    ] = False
    pass_lockout: Annotated[
        bool, Option("D7", "whether a player who passed is out until the table clears", "off: who waits")
    ] = False
    clear_when: Annotated[
        Literal["back_to_owner", "all_passed"],
        Option(
            "D8",
            "whether the owner of the last play is asked before the table clears",
            "all_passed: the owner",
        ),
    ] = "back_to_owner"
    games: Annotated[
        int, Field(ge=1, le=_MAX_GAMES), Option("D10", "games in a match", "more: the better player")
    ] = 10
    place_points: Annotated[
        list[Annotated[int, Field(ge=-_MAX_POINTS, le=_MAX_POINTS)]],
        Option(
            "D10", "points of each place, best first; empty: n−1 … 0", "steep: who finishes first or last"
        ),
    ] = Field(default_factory=list)
    reseat_every: Annotated[
        int,
        Field(ge=0, le=_MAX_GAMES),
        Option("D10", "draw seats anew every so many games; 0 never", "nobody"),
    ] = 0
    class_reset_every: Annotated[
        int,
        Field(ge=0, le=_MAX_GAMES),
        Option("D10", "forget places every so many games; 0 never", "often: the poor"),
    ] = 0
    exchange: Annotated[
        list[Annotated[int, Field(ge=0, le=4)]],
        Option("D11", "cards the lowest and the next class give; empty: none", "more: the rich"),
    ] = Field(default_factory=lambda: [2, 1])
    rich_see_first: Annotated[
        bool, Option("D11", "whether the rich see the gift before they choose theirs", "on: the rich")
    ] = True
    sequences: Annotated[bool, Option("D13", "whether sequences are plays", "on: who is dealt runs")] = True
    sequence_min: Annotated[
        int, Field(ge=3, le=13), Option("D13", "cards of the shortest sequence", "3: who is dealt runs")
    ] = 3
    joker_beyond_ends: Annotated[
        bool, Option("D13", "whether a joker may stand below 3 or above 2", "on: holders of jokers")
    ] = False
    sequence_beats: Annotated[
        Literal["disjoint", "lowest"],
        Option("D14", "whether a sequence must lie wholly above another", "lowest: holders of runs"),
    ] = "disjoint"
    sequence_revolution: Annotated[
        Literal[0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        Option("D15", "from which length a sequence is a revolution; 0 never", "4: weak hands with runs"),
    ] = 0
    sequence_effects: Annotated[
        list[Effect],
        Option("D15", "which effects act in sequences too", "more: holders of runs"),
    ] = Field(default_factory=list)
    emperor: Annotated[
        bool, Option("D16", "whether four ranks in a row in four suits are a play", "on: weak hands")
    ] = False
    down_number: Annotated[
        bool, Option("D17", "whether a single may be one rank weaker in the same suit", "on: weak hands")
    ] = False
    suit_lock: Annotated[
        Literal["off", "full", "partial"],
        Option(
            "D18", "whether equal suits lock the trick, all of them or each by itself", "who holds the suit"
        ),
    ] = "full"
    lock_by_joker: Annotated[
        bool, Option("D18", "whether a joker counts as a stated suit and can lock", "on: holders of jokers")
    ] = False
    joker_clears_lock: Annotated[
        bool, Option("D18", "whether a single joker ends the locks", "on: who is locked out")
    ] = False
    number_lock: Annotated[
        bool, Option("D19", "whether steps of one lock the numbers", "on: who holds the next rank")
    ] = True
    eleven_back: Annotated[
        bool, Option("D20", "whether jacks turn the order until the table clears", "on: weak hands")
    ] = True
    eleven_back_again: Annotated[
        Literal["toggle", "stay"], Option("D20", "what more jacks do in the same trick", "nobody")
    ] = "toggle"
    eleven_back_triple: Annotated[
        bool, Option("D20", "whether three jacks are a revolution", "on: weak hands")
    ] = False
    revolution: Annotated[
        bool, Option("D21", "whether four of a rank turn the order for the game", "on: weak hands")
    ] = True
    eight_cut: Annotated[bool, Option("D22", "whether eights clear the table", "on: who holds eights")] = True
    four_stop: Annotated[
        bool, Option("D23", "whether twice as many fours stop an eight cut", "on: who holds fours")
    ] = True
    skip: Annotated[bool, Option("D24", "whether fives skip players", "on: who sits before the strong")] = (
        True
    )
    pass_on: Annotated[
        bool,
        Option(
            "D25", "whether sevens pass cards to the next player", "on: who holds sevens; against the next"
        ),
    ] = True
    reverse: Annotated[bool, Option("D26", "whether nines turn the direction", "on: who sits well")] = True
    discard: Annotated[bool, Option("D27", "whether tens discard cards", "on: who holds tens")] = True
    bomber: Annotated[
        bool, Option("D28", "whether queens name ranks that everybody discards", "on: who holds queens")
    ] = True
    rokurokubi: Annotated[bool, Option("D29", "whether two sixes clear the table", "on: who holds sixes")] = (
        True
    )
    ambulance: Annotated[
        bool, Option("D29", "whether two nines turn the direction and clear", "on: who holds nines")
    ] = True
    omen: Annotated[
        bool, Option("D30", "whether three sixes are a revolution and end all effects", "on: weak hands")
    ] = True
    coup: Annotated[bool, Option("D30", "whether three nines are a revolution", "on: weak hands")] = True
    sandstorm: Annotated[
        bool, Option("D31", "whether three threes beat any table and clear it", "on: weak hands")
    ] = True
    sandstorm_stops_cut: Annotated[
        bool, Option("D31", "whether a sandstorm may answer an eight cut", "on: who holds threes")
    ] = False
    spade_three: Annotated[
        bool, Option("D32", "whether ♠3 beats a single joker", "on: who holds ♠3; against jokers")
    ] = True
    spade_three_clears: Annotated[
        bool, Option("D32", "whether it clears the table at once", "on: who holds ♠3")
    ] = False
    foul_joker: Annotated[
        bool, Option("D33", "whether finishing with a joker is a foul", "on: against holders of jokers")
    ] = True
    foul_two: Annotated[
        bool,
        Option(
            "D34", "whether finishing with a 2 (in a revolution a 3) is a foul", "on: against strong hands"
        ),
    ] = True
    foul_spade_three: Annotated[
        Literal["any", "alone", "off"],
        Option("D35", "whether finishing with ♠3 is a foul", "off: its holder"),
    ] = "any"
    foul_eleven_back: Annotated[
        bool, Option("D36", "whether finishing with a temporary reversal is a foul", "on: against jacks")
    ] = True
    foul_eight_cut: Annotated[
        bool, Option("D36", "whether finishing with an eight cut is a foul", "on: against eights")
    ] = True
    foul_pass_on: Annotated[
        bool, Option("D37", "whether finishing by passing on is a foul", "on: against sevens")
    ] = True
    foul_discard: Annotated[
        bool, Option("D37", "whether finishing by discarding is a foul", "on: against tens")
    ] = True
    foul_bomber: Annotated[
        bool, Option("D38", "whether finishing by a bomber is a foul", "on: against short hands")
    ] = True
    foul_order: Annotated[
        Literal["first_is_last", "latest_is_last"],
        Option("D39", "which of several fouled players is last", "latest_is_last: who fouled first"),
    ] = "first_is_last"
    miyako_ochi: Annotated[
        bool, Option("D40", "whether a daifugō who is not first falls to the bottom", "on: the poor")
    ] = False
    gekokujo: Annotated[
        bool, Option("D41", "whether a daihinmin who is first turns all places over", "on: the poor")
    ] = False
    tenpen_chii: Annotated[
        bool, Option("D42", "whether a hopeless daihinmin swaps hands with the daifugō", "on: the daihinmin")
    ] = False
    strongest_clears: Annotated[
        bool, Option("D43", "whether what nothing can beat clears at once", "on: holders of jokers")
    ] = False
    stalemate_passes: Annotated[
        int,
        Field(ge=2, le=100),
        Option("D44", "passes in a row after which open places are drawn, with leader_may_pass", "nobody"),
    ] = 20

    @model_validator(mode="after")
    def _fits_together(self) -> Rules:
        if self.place_points and len(self.place_points) < self.players:
            raise ValueError(
                f"rules.place_points = {self.place_points}: must have a number for each of "
                f"{self.players} players, or none (those beyond are for more players)"
            )
        if len(self.exchange) > 2:
            raise ValueError(f"rules.exchange = {self.exchange}: must have at most two numbers")
        smallest_hand = (52 + self.jokers - self.blind_cards) // self.players
        if self.exchange and max(self.exchange) > smallest_hand:
            raise ValueError(
                f"rules.exchange = {self.exchange}: more than the {smallest_hand} cards of a hand"
            )
        if len(set(self.sequence_effects)) != len(self.sequence_effects):
            raise ValueError(f"rules.sequence_effects = {self.sequence_effects}: names an effect twice")
        return self


class Ranks(Table):
    """The table ``[ranks]``: which rank has which effect."""

    eleven_back: Annotated[Rank, Option("D20", "rank of the temporary reversal", "its holders")] = "J"
    eight_cut: Annotated[Rank, Option("D22", "rank of the cut", "its holders")] = "8"
    four_stop: Annotated[Rank, Option("D23", "rank that stops a cut", "its holders")] = "4"
    skip: Annotated[Rank, Option("D24", "rank of the skip", "its holders")] = "5"
    pass_on: Annotated[Rank, Option("D25", "rank of the pass on", "its holders")] = "7"
    reverse: Annotated[Rank, Option("D26", "rank that turns the direction", "its holders")] = "9"
    discard: Annotated[Rank, Option("D27", "rank of the discard", "its holders")] = "10"
    bomber: Annotated[Rank, Option("D28", "rank of the bomber", "its holders")] = "Q"
    rokurokubi: Annotated[Rank, Option("D29", "rank whose pair clears", "its holders")] = "6"
    ambulance: Annotated[
        Rank, Option("D29", "rank whose pair turns the direction and clears", "its holders")
    ] = "9"
    omen: Annotated[Rank, Option("D30", "rank whose three end all effects", "its holders")] = "6"
    coup: Annotated[Rank, Option("D30", "rank whose three are a revolution", "its holders")] = "9"
    sandstorm: Annotated[Rank, Option("D31", "rank whose three beat any table", "its holders")] = "3"

    @field_validator("*", mode="before")
    @classmethod
    def _number_is_a_rank(cls, value: Any) -> Any:
        return str(value) if type(value) is int else value


class Options(BaseModel):
    """Every table of a Daifugō draft."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rules: Rules = Field(default_factory=Rules)
    ranks: Ranks = Field(default_factory=Ranks)

    @property
    def counted_games(self) -> int:
        """Games of a match: wins, scores and events are reported per game."""
        return self.rules.games

    def record(self) -> Any:
        """Return the rules record (dtype `RULES`) that the engine reads."""
        record = np.zeros(1, RULES)[0]
        rules, ranks = self.rules, self.ranks
        for key, name in _SAME.items():
            record[key] = getattr(rules, name)
        record["deal_daifugo"] = rules.deal_from == "daifugo"
        record["first_lead"] = ("diamond_three", "daihinmin", "daifugo").index(rules.first_lead)
        record["all_passed"] = rules.clear_when == "all_passed"
        points = rules.place_points or list(range(rules.players - 1, -1, -1))
        record["points"][: rules.players] = points[: rules.players]
        record["exchange"][: len(rules.exchange)] = rules.exchange
        record["beyond"] = rules.joker_beyond_ends and rules.jokers > 0
        record["lowest"] = rules.sequence_beats == "lowest"
        record["suit_lock"] = ("off", "full", "partial").index(rules.suit_lock)
        record["stay"] = rules.eleven_back_again == "stay"
        record["foul_spade"] = ("off", "any", "alone").index(rules.foul_spade_three)
        record["latest_is_last"] = rules.foul_order == "latest_is_last"
        for bit, effect in enumerate(EFFECTS):
            if getattr(rules, effect):
                record["by_rank"][cards.RANKS.index(getattr(ranks, effect))] |= 1 << bit
            in_sequences = "cut" if effect == "eight_cut" else effect
            if in_sequences in rules.sequence_effects:
                record["sequence_effects"] |= 1 << bit
        record["four_rank"] = cards.RANKS.index(ranks.four_stop)
        record["specials"] = rules.sandstorm or rules.spade_three or rules.four_stop
        record["locks"] = rules.suit_lock != "off" or rules.number_lock or rules.joker_clears_lock
        record["sandstorm_rank"] = cards.RANKS.index(ranks.sandstorm) if rules.sandstorm else -1
        return record


_SAME = {
    "players": "players", "jokers": "jokers", "blind_cards": "blind_cards", "must_show": "first_lead_must_show",
    "leader_may_pass": "leader_may_pass", "lockout": "pass_lockout", "games": "games",
    "reseat_every": "reseat_every", "reset_every": "class_reset_every", "see_first": "rich_see_first",
    "sequences": "sequences", "sequence_min": "sequence_min",
    "sequence_revolution": "sequence_revolution", "emperor": "emperor", "down_number": "down_number",
    "lock_by_joker": "lock_by_joker", "joker_clears": "joker_clears_lock", "number_lock": "number_lock",
    "triple": "eleven_back_triple", "revolution": "revolution", "four_stop": "four_stop",
    "storm_stops": "sandstorm_stops_cut", "spade_three": "spade_three", "spade_clears": "spade_three_clears",
    "foul_joker": "foul_joker", "foul_two": "foul_two", "foul_eleven_back": "foul_eleven_back",
    "foul_eight_cut": "foul_eight_cut", "foul_pass_on": "foul_pass_on", "foul_discard": "foul_discard",
    "foul_bomber": "foul_bomber", "miyako_ochi": "miyako_ochi", "gekokujo": "gekokujo",
    "tenpen_chii": "tenpen_chii", "strongest": "strongest_clears", "stalemate": "stalemate_passes",
}  # fmt: skip
"""Fields of the record that are an option as it stands."""


def rows() -> list[OptionRow]:
    """List every option for ``tefuda options``."""
    return [*table_rows("rules", Rules), *table_rows("ranks", Ranks)]
