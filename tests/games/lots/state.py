"""The records of Lots: those of One swap."""

from tests.games.oneswap.state import (
    EVENTS,
    LABELS,
    RULES,
    RULES_VERSION,
    SEAT_EVENTS,
    SEAT_TALLY_SIZE,
    SHARED_WINS,
    STATE,
    TALLY_SIZE,
    VIEW,
)

__all__ = [
    "EVENTS",
    "LABELS",
    "RULES",
    "RULES_VERSION",
    "SEAT_EVENTS",
    "SEAT_TALLY_SIZE",
    "SHARED_WINS",
    "STATE",
    "TALLY_SIZE",
    "VIEW",
]
