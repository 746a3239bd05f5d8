"""What ``tefuda skill`` plays: a draft, who its yardsticks are, and how many deals each measure gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from experiments import arguments
from sim.bots import Bot
from sim.drafts import Draft, with_tables
from sim.errors import UserError
from strategies import registry as strategies
from strategies.weights import NAME as TRAINED

MAX_DEALS = 1_000_000

_BEGINNERS = ("random", "greedy")
_SEARCH = "search"
_BEST = f"{_SEARCH}:100"
_FICTIVE = "clairvoyant:100"


@dataclass(frozen=True)
class Players:
    """Who the yardsticks are, by their names on the command line.

    Attributes
    ----------
    beginners : tuple of str
        Who know the rules and no more, the weakest first: the headline tells how far the best is ahead of the last.
    others : str
        Who sits in all other seats.
    best : str
        The strongest player there is that does not cheat.
    fictive : str or None
        Who is told how chance falls; None for none.
    """

    beginners: tuple[str, ...]
    others: str
    best: str
    fictive: str | None

    @property
    def honest(self) -> list[str]:
        """All but the fictive one, from beginner to best, each once."""
        return list(dict.fromkeys([*self.beginners, self.others, self.best]))


def players_of(
    game: str,
    *,
    beginners: str | None = None,
    others: str | None = None,
    best: str | None = None,
    fictive: str | None = None,
) -> Players:
    """Return the yardsticks of a game: those named, and for the rest the usual ones, as far as the game has them.

    Parameters
    ----------
    game : str
    beginners : str, optional
        Names, with commas between.
    others, best, fictive : str, optional

    Raises
    ------
    UserError
        If one is unknown or without a name, cheats that should not, or does not cheat that should.
    """
    known = {bot.name for bot in strategies.known(game)}
    usual = strategies.default(game)
    strongest = [name for name in (_BEST, TRAINED) if name.partition(":")[0] in known]
    named = [name for name in _BEGINNERS if name in known] or [usual]
    if beginners is not None:
        named = [name.strip() for name in beginners.split(",")]
        if not all(named):
            raise UserError(f"skill: --beginner {beginners!r}: needs names of bots, with commas between")
    found = Players(
        tuple(dict.fromkeys(named)),
        (others or usual).strip(),
        (best or next(iter(strongest), usual)).strip(),
        fictive.strip() if fictive else _FICTIVE if _FICTIVE.partition(":")[0] in known else None,
    )
    for name in found.honest:
        if strategies.find(game, name).cheats:
            raise UserError(f"skill: {name} cheats: it can only be the --fictive player")
    if found.fictive is not None and not strategies.find(game, found.fictive).cheats:
        raise UserError(
            f"skill: {found.fictive} does not cheat: the --fictive player is one who is told how chance falls, such as {_FICTIVE}"
        )
    return found


@dataclass(frozen=True)
class Spec:
    """What a suite plays; the same spec gives the same tables.

    Attributes
    ----------
    draft : Draft
    players : Players
    seed : int
    deals : dict of str to int
        Of each measure; one that is not named is left out. Filled in by `suite.plan`.
    bots_file : Path or None
        The user's own bots.
    """

    draft: Draft
    players: Players
    seed: int
    deals: dict[str, int] = field(default_factory=dict)
    bots_file: Path | None = None

    def __post_init__(self) -> None:
        """Load the draft if it is given by its name."""
        object.__setattr__(self, "draft", arguments.draft(self.draft))

    def bot(self, name: str) -> Bot:
        """Return a bot of the game by name."""
        return strategies.find(self.draft.game, name)

    def has(self, name: str) -> bool:
        """Tell whether the game has a bot of that name."""
        return name in {bot.name for bot in strategies.known(self.draft.game)}

    def is_quick(self, name: str) -> bool:
        """Tell whether a bot does not search."""
        return "iterations" not in dict(self.bot(name).parameters)

    @cached_property
    def ladder(self) -> list[str]:
        """The fixed ladder: beginners, others, the trained player if the game has one, and the best."""
        trained = [TRAINED] if self.has(TRAINED) else []
        honest = self.players.honest
        return list(dict.fromkeys([*honest[:-1], *trained, honest[-1]]))

    @cached_property
    def quick(self) -> list[str]:
        """Whose tables are looked at for seats: the others, and the strongest that is quick."""
        quick = [name for name in self.ladder if self.is_quick(name)]
        strongest = [name for name in quick if name not in self.players.beginners]
        return list(dict.fromkeys([self.players.others, *strongest[-1:]]))

    @cached_property
    def one_game(self) -> Draft:
        """The draft with matches of one game, for what looks into every decision."""
        if self.draft.options.counted_games == 1:
            return self.draft
        return with_tables(self.draft, {"rules": {"games": 1}}, "skill: a match of one game")
