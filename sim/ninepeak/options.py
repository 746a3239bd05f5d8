"""The options of 9 Peak: the rules, the scoring table, and the record the engine reads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim.ninepeak.cards import PACK_SIZE
from sim.ninepeak.state import MAX_HAND, MAX_PLAYERS, PEAK, RULES
from sim.options import Option, OptionRow, Table
from sim.options import rows as table_rows

_MAX_VP = 999
_MAX_STEP = 20
_Vp = Annotated[int, Field(ge=-_MAX_VP, le=_MAX_VP)]
_Step = Annotated[int, Field(ge=-_MAX_STEP, le=_MAX_STEP)]
_NO_JOKER = ("none", "per_set", "flat", "draw_to_hand")
_EARLY_FINISH = ("none", "peak_cards", "fixed", "recolour")


class Rules(Table):
    """The table ``[rules]``."""

    players: Annotated[
        int,
        Field(ge=3, le=MAX_PLAYERS),
        Option("P2", "how many players sit at the table", "fewer: who plans, since the area changes less"),
    ] = 4
    area_size: Annotated[
        int,
        Field(ge=0, le=PACK_SIZE - 3),
        Option("P3", "cards laid into the area at the start", "more: who plays long sets early"),
    ] = 6
    hand_size: Annotated[
        int,
        Field(ge=1, le=MAX_HAND),
        Option("P4", "cards dealt to each player", "more: who plans several sets ahead"),
    ] = 13

    @model_validator(mode="after")
    def _deal_can_be_made(self) -> Rules:
        needed = self.area_size + self.players * self.hand_size
        if needed > PACK_SIZE:
            raise ValueError(
                f"rules.hand_size = {self.hand_size}: the deal needs {needed} cards and the pack has {PACK_SIZE} "
                f"(players = {self.players}, area_size = {self.area_size}): take a smaller hand_size or area_size"
            )
        return self


class Scoring(Table):
    """The table ``[scoring]``: what the designer is changing."""

    base: Annotated[
        list[_Vp],
        Option("P17", "what a set of each size, 1 … 9, multiplies", "steep: who collects long sets"),
    ] = Field(default_factory=lambda: list(range(1, PEAK + 1)))
    joker: Annotated[
        Literal["wild_and_own", "wild_only"],
        Option(
            "P17",
            "whether jokers are a suit of their own in different suits, or stand for one that is missing",
            "wild_only: holders of several jokers",
        ),
    ] = "wild_and_own"
    different: Annotated[
        _Step,
        Option("P17", "what is added to the number of suits in different suits", "higher: mixed hands"),
    ] = -1
    perfect: Annotated[
        _Step,
        Option("P17", "what is added to the multiplier of a set all of one suit", "higher: single-suit sets"),
    ] = 0
    no_joker: Annotated[
        Literal["per_set", "flat", "draw_to_hand", "none"],
        Option(
            "P18",
            "what playing no joker brings: VP a set, VP once, or (for each set) the card turned up",
            "per_set: who plays many small sets",
        ),
    ] = "per_set"
    no_joker_vp: Annotated[
        _Vp, Option("P18", "those VP, in per_set and flat", "higher: hands without jokers")
    ] = 3
    early_finish: Annotated[
        Literal["peak_cards", "none", "fixed", "recolour"],
        Option(
            "P15",
            "what an empty hand brings: unplaced peak cards, nothing, fixed VP, or one card counted as any suit",
            "more: who goes out early",
        ),
    ] = "peak_cards"
    early_finish_vp: Annotated[_Vp, Option("P15", "the VP of fixed", "higher: who goes out early")] = 6
    peak_card_vp: Annotated[
        _Vp, Option("P8", "VP of each card won by a peak", "higher: who passes at the right moment")
    ] = 1
    unplaced_peak_vp: Annotated[
        _Vp, Option("P15", "VP of each unplaced peak card", "higher: who goes out before numbers peak")
    ] = 2
    suits: Annotated[
        Literal[4, "colours"],
        Option("P17", "four suits, or two colours: S with C, H with D", "colours: long sets of one suit"),
    ] = 4
    modes: Annotated[
        Literal["both", "same"],
        Option("P17", "whether a set may score by different suits too", "same: who is dealt one suit"),
    ] = "both"

    @field_validator("base", mode="after")
    @classmethod
    def _a_base_for_every_size(cls, base: list[int]) -> list[int]:
        if len(base) != PEAK:
            raise ValueError(
                f"scoring.base: {len(base)} numbers: must be a list of {PEAK}, for the sizes 1 … {PEAK}"
            )
        return base


class Options(BaseModel):
    """Every table of a 9 Peak draft."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rules: Rules = Field(default_factory=Rules)
    scoring: Scoring = Field(default_factory=Scoring)

    @property
    def counted_games(self) -> int:
        """A match is one unit: its wins, scores and events are reported per match."""
        return 1

    def record(self) -> Any:
        """Return the rules record (dtype `RULES`) that the engine reads."""
        record = np.zeros(1, RULES)[0]
        scoring = self.scoring
        for key in ("players", "area_size", "hand_size"):
            record[key] = getattr(self.rules, key)
        for key in (
            "different",
            "perfect",
            "no_joker_vp",
            "early_finish_vp",
            "peak_card_vp",
            "unplaced_peak_vp",
        ):
            record[key] = getattr(scoring, key)
        record["base"][1:] = scoring.base
        record["wild_only"] = scoring.joker == "wild_only"
        record["no_joker"] = _NO_JOKER.index(scoring.no_joker)
        record["early_finish"] = _EARLY_FINISH.index(scoring.early_finish)
        record["colours"] = scoring.suits == "colours"
        record["same_only"] = scoring.modes == "same"
        return record


def rows() -> list[OptionRow]:
    """List every option for ``tefuda options``."""
    return [*table_rows("rules", Rules), *table_rows("scoring", Scoring)]
