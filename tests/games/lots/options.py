"""The options of Lots: those of One swap."""

from tests.games.oneswap.options import Options, rows

__all__ = ["Options", "rows"]
