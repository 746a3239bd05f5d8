"""The options of Uplink: every choice that a draft can make, and the record the engine reads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim import cards
from sim.errors import UserError, nearest
from sim.options import Option, OptionRow, Table
from sim.options import rows as table_rows
from sim.uplink.state import RULES

MAX_POINTS = 999
_Worth = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]

DEFAULT_POINTS = {
    "2": 3, "3": 3, "4": 2, "5": 2, "6": 2, "7": 1, "8": 1, "9": 1, "10": 0, "J": -2, "Q": -2, "K": -2, "A": 1,
}  # fmt: skip
"""Points of a captured card by rank (U4)."""


class Rules(Table):
    """The table ``[rules]``."""

    players: Annotated[
        int,
        Field(ge=2, le=4),
        Option(
            "U2",
            "how many players sit at the table",
            "fewer: who holds the top ranks, since fewer others can beat them",
        ),
    ] = 4
    ace: Annotated[
        Literal["high", "low"],
        Option(
            "U3", "whether the ace takes everything or nothing; its points stay", "high: who is dealt aces"
        ),
    ] = "high"
    hand_size: Annotated[
        int,
        Field(ge=1, le=12),
        Option(
            "U5",
            "tricks in a game (the first deal is one card more); the pack must suffice",
            "larger: planning over luck of the deal",
        ),
    ] = 5
    tied_top: Annotated[
        Literal["later", "earlier", "second"],
        Option(
            "U9",
            "who takes a trick whose highest rank fell twice: the later card, the earlier, or the best of the rest",
            "later: the last to play; earlier: the leader; second: middling cards",
        ),
    ] = "later"
    left_behind: Annotated[
        int,
        Field(ge=0, le=4),
        Option(
            "U10",
            "how many cards of the field the taker must leave, at most as many as players",
            "more: the planner, who poisons the field; fewer: whoever takes the trick",
        ),
    ] = 1
    next_lead: Annotated[
        Literal["taker", "rotate"],
        Option("U12", "who leads the next trick of a game", "taker: who took the last; rotate: nobody"),
    ] = "taker"
    heart_pair: Annotated[
        _Worth | Literal["off"],
        Option(
            "U15", "points of a heart face card with another of its rank", "higher: collectors of face cards"
        ),
    ] = 2
    games: Annotated[
        int,
        Field(ge=1, le=20),
        Option("U16", "games in a match", "more: the better player"),
    ] = 4
    variant: Annotated[
        Literal["none", "personal_decks"],
        Option(
            "U20",
            "whether each player draws from the thirteen cards of one suit",
            "personal_decks: who remembers",
        ),
    ] = "none"
    set_of_three: Annotated[
        _Worth,
        Option(
            "U23", "points of exactly three face cards of a rank, in personal_decks", "higher: collectors"
        ),
    ] = 2

    @model_validator(mode="after")
    def _deal_can_be_made(self) -> Rules:
        if self.left_behind > self.players:
            raise ValueError(
                f"rules.left_behind = {self.left_behind}: must be an integer from 0 to the number of players, {self.players}"
            )
        for what, needed, held in self._largest_deals():
            if needed > held:
                raise ValueError(
                    f"rules.hand_size = {self.hand_size}: {what} needs {needed} cards and {held} are there "
                    f"(players = {self.players}, left_behind = {self.left_behind}, games = {self.games}): "
                    "take a smaller hand_size"
                )
        return self

    def _largest_deals(self) -> list[tuple[str, int, int]]:
        """List (what, cards needed, cards there) of the largest deals from one stock (U5, U16, U17, U22)."""
        first_games, later_games = min(self.games, 2), min(self.games - 2, 2)
        if self.variant == "personal_decks":
            deals = [("a player's own deck", first_games * self.hand_size + 1, 13)]
            if later_games > 0:
                deals.append(
                    (
                        "a player's own deck, with field cards of the suit,",
                        later_games * self.hand_size + self.left_behind + 1,
                        13,
                    )
                )
            return deals
        deals = [("the deal", self.players * (first_games * self.hand_size + 1), 52)]
        if later_games > 0:
            field = self.players - 1 + self.left_behind
            deals.append(
                ("the deal after a reshuffle", self.players * later_games * self.hand_size + field, 52)
            )
        return deals


def canonical_key(table: str, key: str) -> str:
    """Return the one spelling of a key: in ``[points]`` cards and ranks can be written in several ways."""
    if table != "points":
        return key
    upper = key.upper()
    upper = "10" if upper == "T" else upper
    if upper in cards.RANKS:
        return upper
    try:
        return cards.NAMES[cards.number_of(key)]
    except UserError:
        return key


class Options(BaseModel):
    """Every table of an Uplink draft."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rules: Rules = Field(default_factory=Rules)
    points: dict[str, int] = Field(default_factory=dict)

    @field_validator("points", mode="before")
    @classmethod
    def _points_are_known(cls, table: Any) -> Any:
        for key, value in table.items():
            if key not in cards.RANKS and key not in cards.NAMES:
                raise ValueError(
                    f"points.{key}: unknown card or rank{nearest(key, [*cards.RANKS, *cards.NAMES])} "
                    "(a rank of 2 … 10 J Q K A, or a card such as HQ)"
                )
            if type(value) is not int or abs(value) > MAX_POINTS:
                raise ValueError(
                    f"points.{key} = {value!r}: must be an integer from {-MAX_POINTS} to {MAX_POINTS}"
                )
        return {**DEFAULT_POINTS, **table}

    @model_validator(mode="before")
    @classmethod
    def _points_always_checked(cls, tables: Any) -> Any:
        return {"points": {}, **tables}

    @property
    def counted_games(self) -> int:
        """A match is one unit: its wins, scores and events are reported per match."""
        return 1

    def points_of(self, number: int) -> int:
        """Return the points of a captured card: the card's own entry, or its rank's (U4)."""
        name = cards.NAMES[number]
        return self.points.get(name, self.points[name[1:]])

    def record(self) -> Any:
        """Return the rules record (dtype `RULES`) that the engine reads."""
        record = np.zeros(1, RULES)[0]
        rules = self.rules
        record["players"] = rules.players
        record["hand_size"] = rules.hand_size
        record["games"] = rules.games
        record["left_behind"] = rules.left_behind
        record["tied_top"] = ("later", "earlier", "second").index(rules.tied_top)
        record["rotate"] = rules.next_lead == "rotate"
        record["personal"] = rules.variant == "personal_decks"
        record["pairs"] = rules.heart_pair != "off" and not record["personal"]
        record["pair_points"] = 0 if rules.heart_pair == "off" else rules.heart_pair
        record["set_points"] = rules.set_of_three
        points = [self.points_of(number) for number in range(cards.PACK_SIZE)]
        record["points"] = points
        record["least"] = min(points)
        record["plane_count"] = (max(points) - min(points)).bit_length()
        for plane in range(record["plane_count"]):
            record["planes"][plane] = cards.mask_of(
                number for number, worth in enumerate(points) if (worth - min(points)) >> plane & 1
            )
        strongest_last = ["2", *cards.RANKS[:-1]]
        if rules.ace == "low":
            strongest_last = ["A", *(rank for rank in strongest_last if rank != "A")]
        for strength, rank in enumerate(strongest_last):
            index = cards.RANKS.index(rank)
            record["strength"][index] = strength
            stronger = [cards.RANKS.index(above) for above in strongest_last[strength + 1 :]]
            record["above"][index] = sum(15 << (4 * above) for above in stronger)
        return record


def rows() -> list[OptionRow]:
    """List every option for ``tefuda options``."""
    table = ", ".join(f"{rank} {points}" for rank, points in DEFAULT_POINTS.items())
    return [
        *table_rows("rules", Rules),
        OptionRow(
            "points.RANK",
            table,
            f"an integer from {-MAX_POINTS} to {MAX_POINTS}, for each rank 2 … A",
            "U4",
            "points of a captured card of the rank",
            "low ranks dear: who ducks well; high ranks dear: who is dealt high cards",
        ),
        OptionRow(
            "points.CARD",
            "as its rank",
            f"an integer from {-MAX_POINTS} to {MAX_POINTS}, for example HQ = 4",
            "U4",
            "points of one captured card, in place of its rank's",
            "dearer: who takes the trick when the card lies in the field",
        ),
    ]
