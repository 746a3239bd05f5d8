"""How many deals the pairs of a ladder get: those in which a bot searches may get fewer."""

from __future__ import annotations

from typing import NamedTuple


class DealBudget(NamedTuple):
    """How many deals the pairs of a ladder play, or have played.

    Attributes
    ----------
    deals : int
        Of each pair in which no bot searches; where there is none, of every pair.
    search_deals : int or None
        Of each pair in which a bot searches: the first of the same deals. None where there is none.
    """

    deals: int
    search_deals: int | None

    @property
    def even(self) -> bool:
        """Whether it is the same number for all pairs."""
        return self.search_deals in (None, self.deals)

    def of(self, searching: list[bool]) -> list[int]:
        """Return the deals of each pair, told whether a bot of it searches."""
        searched = self.deals if self.search_deals is None else self.search_deals
        return [searched if search else self.deals for search in searching]


def of_pairs(searching: list[bool], counts: list[int]) -> DealBudget:
    """Return the deals that all pairs of a kind have, those that search never more than the others.

    Parameters
    ----------
    searching : list of bool
        Of each pair, whether a bot of it searches.
    counts : list of int
        Deals of each pair.
    """
    kinds = list(zip(counts, searching, strict=True))
    deals = min([count for count, search in kinds if not search] or counts)
    searched = [count for count, search in kinds if search]
    return DealBudget(deals, min(deals, *searched) if searched else None)
