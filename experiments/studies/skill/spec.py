"""What ``tefuda skill`` is asked: a draft, who its reference players are, and how many deals each measure gets."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, Field, PlainSerializer

from experiments import SEED, arguments
from experiments.play.sources import Setting, Source
from experiments.store import folders
from experiments.studies.asked import Asked, BotsFile, MaybeDraft, OneDraft, Seed
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from strategies import registry as strategies
from strategies import weights
from strategies.weights import NAME as TRAINED
from strategies.weights import OtherDraft

if TYPE_CHECKING:
    from experiments.studies.skill.measures import Measure

MAX_DEALS = 1_000_000

_BEGINNERS = ("random", "greedy")
_SEARCH = "search"
_BEST = f"{_SEARCH}:100"
_FICTIVE = "clairvoyant:100"


@dataclass(frozen=True)
class Players:
    """Who the reference players are, by their names on the command line.

    Attributes
    ----------
    beginners : tuple of str
        Weak baseline players, the weakest first.
    others : str
        Who sits in all other seats.
    best : str
        The strongest player there is that does not cheat.
    fictive : str or None
        A player that sees hidden cards and future chance; None for none.
    """

    beginners: tuple[str, ...]
    others: str
    best: str
    fictive: str | None

    @property
    def honest(self) -> list[str]:
        """All but the fictive player, from beginner to best, each once."""
        return list(dict.fromkeys([*self.beginners, self.others, self.best]))


def players_of(
    game: str,
    *,
    beginners: str | None = None,
    others: str | None = None,
    best: str | None = None,
    fictive: str | None = None,
) -> Players:
    """Return the reference players of a game: those named, and for the rest the usual ones, as far as the game has them.

    Parameters
    ----------
    beginners : str, optional
        Names, with commas between.

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
    chosen = Players(
        tuple(dict.fromkeys(named)),
        (others or usual).strip(),
        (best or next(iter(strongest), usual)).strip(),
        fictive.strip() if fictive else _FICTIVE if _FICTIVE.partition(":")[0] in known else None,
    )
    _check(game, chosen)
    return chosen


def _check(game: str, players: Players) -> None:
    """Raise `UserError` for a player that is unknown, cheats that should not, or does not cheat that should."""
    for name in players.honest:
        if strategies.find(game, name).cheats:
            raise UserError(f"skill: {name} cheats: it can only be the --fictive player")
    if players.fictive is not None and not strategies.find(game, players.fictive).cheats:
        raise UserError(
            f"skill: {players.fictive} does not cheat: the --fictive player is one that sees hidden cards and future chance, "
            f"such as {_FICTIVE}"
        )


def _players(given: Any) -> Players | None:
    """Return reference players, given as such or as a manifest has them."""
    if given is None or isinstance(given, Players):
        return given
    if not isinstance(given, Mapping) or given.keys() != Players.__dataclass_fields__.keys():
        raise arguments.wrong("players", given, "Players, such as players_of('uplink')")
    beginners, fictive = given["beginners"], given["fictive"]
    names = [given["others"], given["best"], *([] if fictive is None else [fictive])]
    if (
        not isinstance(beginners, list)
        or not beginners
        or not all(isinstance(n, str) for n in [*beginners, *names])
    ):
        raise arguments.wrong("players", given, "names of bots, with a beginner or more")
    return Players(tuple(beginners), given["others"], given["best"], fictive)


def _deals(given: Any) -> dict[str, int]:
    """Return how many deals each measure gets."""
    if not isinstance(given, Mapping):
        raise arguments.wrong("deals", given, "deals by measure, such as {'seats': 1000}")
    return {
        str(name): arguments.whole(count, name=f"deals of {name}", least=1, most=MAX_DEALS)
        for name, count in given.items()
    }


def _maybe_deals(given: Any) -> dict[str, int] | None:
    return None if given is None else _deals(given)


class Spec(Asked):
    """A suite of measures of a draft; the same spec gives the same tables.

    Parameters
    ----------
    players : Players, optional
        Who the reference players are; the usual ones without it, see `players_of`.
    deals : dict of str to int
        Of each measure; one that is not named is left out. See `by_matches` and `by_minutes`.
    bots_file : path, optional
        The user's own bots.
    against : Draft or str, optional
        Another draft of the game, measured in the same way, to set beside the first.
    against_deals : dict of str to int, optional
        Those of the other draft, where they are not the same; of what was cut short.
    minutes : float, optional
        How long it may take by the clock, if that is what its deals were planned by; no part of the manifest.
    """

    told_by_bots = frozenset({"players"})
    packages = ("choix",)

    draft: OneDraft
    players: Annotated[
        Players | None, BeforeValidator(_players), PlainSerializer(lambda p: p and asdict(p))
    ] = None
    seed: Seed = SEED
    deals: Annotated[dict[str, int], BeforeValidator(_deals)] = Field(default_factory=dict)
    bots_file: BotsFile = None
    against: MaybeDraft = None
    against_deals: Annotated[dict[str, int] | None, BeforeValidator(_maybe_deals)] = None
    minutes: Annotated[float | None, Field(exclude=True)] = None

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        if self.players is None:
            self.__dict__["players"] = players_of(self.draft.game)
        elif self.bots_file is None or self.deals:
            _check(self.draft.game, self.who)
        if self.against is not None and self.against.game != self.draft.game:
            raise UserError(
                f"drafts of different games ({self.draft.game}, {self.against.game}) cannot be compared: choose one game"
            )

    @property
    def who(self) -> Players:
        """The reference players."""
        assert self.players is not None
        return self.players

    @property
    def all_drafts(self) -> list[Draft]:
        """The drafts that are played."""
        return [self.draft, *([] if self.against is None else [self.against])]

    @cached_property
    def setting(self) -> Setting:
        """What sources play."""
        return Setting(self.draft, self.seed)

    @property
    def other(self) -> Spec | None:
        """The spec of the draft that is set beside the first; None if there is none."""
        if self.against is None:
            return None
        deals = self.deals if self.against_deals is None else self.against_deals
        return self.changed(draft=self.against, against=None, deals=deals, against_deals=None)

    # ---- who plays --------------------------------------------------------------------------------------

    def bot(self, name: str) -> Bot:
        """Return a bot of the game by name."""
        return self.setting.bot(name)

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
        honest = self.who.honest
        return list(dict.fromkeys([*honest[:-1], *trained, honest[-1]]))

    @cached_property
    def quick(self) -> list[str]:
        """Whose tables are looked at for seats: the others, and the strongest that is quick."""
        quick = [name for name in self.ladder if self.is_quick(name)]
        strongest = [name for name in quick if name not in self.who.beginners]
        return list(dict.fromkeys([self.who.others, *strongest[-1:]]))

    @cached_property
    def one_game(self) -> Draft:
        """The draft with matches of one game, for what looks into every decision."""
        return self.setting.one_game

    # ---- what is played ---------------------------------------------------------------------------------

    @property
    def measures(self) -> list[Measure]:
        """The measures that apply."""
        from experiments.studies.skill.measures import known

        return [measure for measure in known() if measure.applies(self)]

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Name of each measure that applies → what plays it."""
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            made = {measure.name: measure.source(self) for measure in self.measures}
        for note in notes:
            if not issubclass(note.category, OtherDraft):
                warnings.warn(note.message, note.category, stacklevel=2)
        # Said of the draft itself: its variants, of one game or without some rule, are played by the same players.
        game, rules = self.draft.game, self.draft.record()
        if any(issubclass(note.category, OtherDraft) for note in notes) and weights.nearest(game, rules)[1]:
            warnings.warn(weights.told(game, rules, self.draft.label), OtherDraft, stacklevel=2)
        return made

    @cached_property
    def parts(self) -> list[Spec]:
        """The spec of each draft by itself."""
        alone = self if self.against is None else self.changed(against=None, against_deals=None)
        return [alone, *([] if self.other is None else [self.other])]

    @property
    def folder_name(self) -> str:
        """Name of the folder, from the draft."""
        return folders.as_name(f"{self.game}-{self.draft.name}-skill")

    @property
    def steps(self) -> int:
        """Of the bar of progress: a hundred for each measure."""
        return sum(len(self.deals.keys() & part.sources.keys()) for part in self.parts) * STEPS

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays which draft."""
        everyone = [*self.ladder, *([self.who.fictive] if self.who.fictive else [])]
        return [(draft, [self.bot(name) for name in everyone]) for draft in self.all_drafts]

    def prepare(self) -> None:
        """Read and compile everything that playing needs."""
        for part in self.parts:
            sources = part.sources.values()
            for name in self.deals.keys() - {
                measure.name for each in self.parts for measure in each.measures
            }:
                raise UserError(f"skill: no measure {name!r} of this draft")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OtherDraft)  # told when the sources were made
                for source in sources:
                    source.warm_up()

    def sized(self, deals: dict[str, int], minutes: float | None = None) -> Self:
        """Return the spec with other numbers of deals; what is compiled does not depend on them."""
        spec = self.changed(deals=deals, minutes=minutes)
        for before, after in zip(self.parts, spec.parts, strict=True):
            after.__dict__["sources"] = before.sources
        return spec

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of as many deals as were played."""
        deals, *others = (_deals(done) for done in played["deals"])
        if not deals or len(others) != len(self.parts) - 1:
            raise UserError("deals must be of some measure, for each draft")
        return self.changed(deals=deals, against_deals=others[0] if others else None)


STEPS = 100
"""Of the bar of progress, for each measure."""
