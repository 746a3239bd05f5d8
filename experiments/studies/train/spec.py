"""What ``tefuda train`` and ``tefuda probe`` are asked: for which draft, against whom, and for how long."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator

from experiments import SEED, arguments
from experiments.play import duels
from experiments.studies.asked import Asked, BotsFile, OneDraft, Seed, whole
from sim.bots import Bot
from sim.drafts import Draft
from strategies import registry as strategies
from strategies import weights
from strategies.weights import Trainable

GENERATIONS = 60
MAX_GENERATIONS = 10_000
LEAST_DEALS, MOST_DEALS = 20, 1_000_000

OPPONENTS = 2
"""Champions, the newest, that a generation plays against."""


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise arguments.wrong("against", given, "the name of a bot, or empty")
    return given


class Spec(Asked):
    """How a player is trained; the same spec gives the same weights on the same kind of machine.

    Parameters
    ----------
    against : str
        A bot that sits in all other seats; empty to train against earlier champions.
    deals : int
        Each player of a generation plays the same deals against each opponent; every generation plays others.
    bots_file : path, optional
        The user's own bots.
    source : str
        The draft as it was named, such as the path of a file; empty for a draft that ships.
    """

    draft: OneDraft
    against: Annotated[str, BeforeValidator(_text)] = ""
    generations: Annotated[int, whole("generations", 1, MAX_GENERATIONS)] = GENERATIONS
    deals: Annotated[int, whole("deals", LEAST_DEALS, MOST_DEALS)] = LEAST_DEALS
    seed: Seed = SEED
    bots_file: BotsFile = None
    source: str = ""

    @cached_property
    def player(self) -> Trainable:
        """What is trained."""
        return weights.trainable(self.draft.game)

    @cached_property
    def opponent(self) -> Bot | None:
        """The bot to be trained against, if one is named."""
        return strategies.find(self.draft.game, self.against) if self.against else None

    @property
    def jitted(self) -> bool:
        """Whether threads can play: plain Python does not run in two at once."""
        return self.opponent is None or self.opponent.jitted

    @property
    def opponents(self) -> int:
        """How many a generation plays against, at the most."""
        return OPPONENTS if self.opponent is None else 1

    @property
    def crown_duels(self) -> int:
        """Duels that tell whether there is a new champion: with the old, or of both with the bot trained against."""
        return 1 if self.opponent is None else 2

    @cached_property
    def start(self) -> dict[str, float]:
        """The weights to begin with: those of `heuristic`; against a bot the best that ship for a draft like this."""
        if self.opponent is not None:
            shipped, _ = weights.nearest(self.draft.game, self.draft.record())
            if shipped is not None:
                return shipped.values
        return self.player.start

    def table(self, first: Bot, second: Bot) -> duels.Table:
        """Return the table at which a player meets an opponent."""
        # By names, bots with other weights are told apart.
        first = replace(first, name="trained")
        lineups = duels.lineups(self.draft.players, first, second)
        if self.opponent is not None:
            lineups = [[first] + [second] * (self.draft.players - 1)]
        return duels.Table(self.draft, lineups, self.seed)

    @property
    def steps(self) -> int:
        """Generations."""
        return self.generations

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return whom the player meets."""
        first = self.player.bot(self.start, "trained")
        return [(self.draft, [first, *([] if self.opponent is None else [self.opponent])])]

    def prepare(self) -> None:
        """See that everything fits, and compile it."""
        first = self.player.bot(self.start, "trained")
        self.table(first, self.opponent or self.player.bot(self.player.start, "champion 0")).warm_up()

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of as many generations as were played."""
        return self.changed(generations=played["generations"])
