"""What is asked of the lab: the base of every question's spec, and the fields that specs share.

A spec is checked when it is made, whether on the command line, in Python or from a manifest; its JSON is what the manifest
keeps, and reads back into an equal spec.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)

from experiments import SEED, arguments
from experiments.store import folders, manifests, user_files
from sim import bots, drafts, registry
from sim.batch import MAX_SEED
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError, nearest
from strategies import registry as strategies


def described(draft: Draft) -> dict[str, Any]:
    """Return a draft as JSON: in full, so that nothing has to be looked up in a file that may change."""
    return {
        "game": draft.game,
        "name": draft.name,
        "notes": draft.notes,
        "changes": list(draft.changes),
        "tables": draft.tables(),
    }


def _draft_of(entry: Mapping[str, Any], where: str) -> Draft:
    """Return the draft that `described` wrote."""
    return Draft(
        registry.find(entry["game"], where).name,
        str(entry["name"]),
        str(entry["notes"]),
        drafts.complete(entry["game"], entry["tables"], where),
        tuple(str(change) for change in entry["changes"]),
    )


def _told_apart(given: list[Draft]) -> list[Draft]:
    """Return drafts with a number behind the name of each whose label another had, which holds in the tables too."""
    seen: Counter[str] = Counter()
    named = []
    for draft in given:
        seen[draft.label] += 1
        count = seen[draft.label]
        named.append(draft if count == 1 else replace(draft, name=f"{draft.name} ({count})"))
    return named


def _of_one_game(given: list[Draft]) -> list[Draft]:
    games = list(dict.fromkeys(draft.game for draft in given))
    if len(games) > 1:
        raise UserError(f"drafts of different games ({', '.join(games)}) cannot be compared: choose one game")
    return given


def whole(name: str, least: int = 0, most: int = MAX_SEED) -> BeforeValidator:
    """Return the check of a field that holds a whole number within bounds."""
    return BeforeValidator(partial(arguments.whole, name=name, least=least, most=most))


_DRAFTS = frozenset({"draft", "drafts", "against"})
"""Fields of specs that hold drafts."""

_as_json = PlainSerializer(described)
OneDraft = Annotated[Draft, BeforeValidator(arguments.draft), _as_json]
MaybeDraft = Annotated[
    Draft | None,
    BeforeValidator(lambda given: None if given is None else arguments.draft(given, name="against")),
    PlainSerializer(lambda draft: None if draft is None else described(draft)),
]
Drafts = Annotated[
    list[Annotated[Draft, _as_json]],
    BeforeValidator(arguments.drafts),
    AfterValidator(_of_one_game),
    AfterValidator(_told_apart),
]
Lineup = Annotated[str | None, BeforeValidator(arguments.lineup)]
Seed = Annotated[int, whole("seed")]


def flag(name: str) -> BeforeValidator:
    """Return the check of a field that is True or False."""
    return BeforeValidator(partial(arguments.flag, name=name))


BotsFile = Annotated[Path | None, Field(exclude=True)]
"""A manifest names no file that is to be run, only its digest."""


class Asked(BaseModel):
    """The base of all specs: frozen, and without fields that it does not know.

    A spec has a field ``draft`` or ``drafts``, ``seed`` and ``bots_file``. Its fields may be given in their order or by name.

    Raises
    ------
    UserError
        Naming the argument, and what is allowed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    told_by_bots: ClassVar[frozenset[str]] = frozenset({"lineup"})
    """Fields that only name players: what these are in full tells results apart, not how they were called."""

    packages: ClassVar[tuple[str, ...]] = ()
    """Whose versions matter to the numbers, beside those of every question."""

    seed: Seed = SEED
    bots_file: BotsFile = None

    def __init__(self, *values: Any, **named: Any) -> None:
        fields = self._order()
        if len(values) > len(fields):
            raise UserError(
                f"{self._title()}: {len(values)} arguments, for {len(fields)} ({', '.join(fields)})"
            )
        given = {**dict(zip(fields, values, strict=False)), **named}
        if given.get("bots_file") is not None:
            # Before the drafts, which may be of a game of the user's own.
            given["bots_file"] = arguments.path(given["bots_file"], "bots_file")
            strategies.load_file(given["bots_file"])
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise UserError(self._wrong(error, fields)) from None

    @classmethod
    def _order(cls) -> list[str]:
        """Return the fields in the order of the class's own text."""
        own = [name for name in cls.__annotations__ if name in cls.model_fields]
        return [*own, *(name for name in cls.model_fields if name not in own)]

    @classmethod
    def _title(cls) -> str:
        return f"{cls.__name__} of {cls.__module__.rpartition('.')[0]}"

    @classmethod
    def _wrong(cls, error: ValidationError, fields: list[str]) -> str:
        """Say in a sentence what pydantic found wrong first."""
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            return f"{cls._title()}: unknown argument {name!r}{nearest(name, fields)} (known: {', '.join(fields)})"
        if first["type"] == "missing":
            return f"{cls._title()}: {name!r} is missing"
        return f"{name} = {first['input']!r:.60}: {first['msg'].lower()}"

    @property
    def all_drafts(self) -> list[Draft]:
        """The drafts that are played."""
        given = getattr(self, "drafts", None)
        return [self.draft] if given is None else list(given)  # type: ignore[attr-defined]

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.all_drafts[0].game

    @property
    def folder_name(self) -> str:
        """Name of the folder for its results, if the user gives none."""
        return folders.as_name(
            "-".join([self.game, *(draft.name for draft in self.all_drafts[:1]), self._suffix()])
        )

    @classmethod
    def _suffix(cls) -> str:
        return cls.__module__.split(".")[-2]

    @property
    def steps(self) -> int:
        """How far a bar of progress goes."""
        raise NotImplementedError

    def seated(self) -> list[tuple[Draft, list[Bot]]]:
        """Return who plays which draft."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Read and compile everything that playing needs, so that a mistake shows before anything is written."""
        raise NotImplementedError

    def as_played(self, played: dict[str, Any]) -> Self:
        """Return the spec of what was played, if that was cut short; `played` is what a result says of itself."""
        raise NotImplementedError

    def changed(self, **fields: Any) -> Self:
        """Return the same with other values of some fields."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self).model_fields}, **fields})

    def cell(self) -> dict[str, Any]:
        """Return what the numbers depend on, whatever it is called: bots with their parameters, rules in full."""
        about = self.model_dump(mode="json", exclude={*_DRAFTS, *self.told_by_bots})
        return {
            **about,
            "question": self._suffix(),
            "game": self.game,
            "rules_version": registry.find(self.game).state.RULES_VERSION,
            "bots_file": self.bots_digest,
            "tables": [draft.tables() for draft in self.all_drafts],
            "bots": [[_identity(bot, draft) for bot in lineup] for draft, lineup in self.seated()],
        }

    @property
    def bots_digest(self) -> str | None:
        """SHA-256 of the user's file of bots."""
        return None if self.bots_file is None else folders.file_digest(self.bots_file)

    def weights(self) -> dict[str, Any]:
        """Return what a manifest keeps of the files of weights among the players."""
        return user_files.weights_of(bot for _, lineup in self.seated() for bot in lineup)

    @classmethod
    def read(cls, manifest: dict[str, Any], where: str = "manifest", bots_file: Path | None = None) -> Self:
        """Return the spec of a manifest, as it was played.

        Parameters
        ----------
        where : str
            For error messages.
        bots_file : Path, optional
            The user's own bots, if the run had any: a manifest names no file to be run.

        Raises
        ------
        UserError
            If the manifest is damaged, of another version of the rules, or the user's files have changed.
        """
        with manifests.reading(where):
            manifests.check_rules(manifest, where)
            user_files.check(manifest, where, bots_file)
            fields = dict(manifest["spec"])
            for name in _DRAFTS & fields.keys():
                entry = fields[name]
                if name == "drafts":
                    fields[name] = [_draft_of(each, where) for each in entry]
                elif entry is not None:
                    fields[name] = _draft_of(entry, where)
            for name in fields.keys() - cls.model_fields.keys() | {"bots_file"} & fields.keys():
                raise ValueError(f"spec has an unknown key, {name!r:.40}")
            try:
                spec = cls(**fields, bots_file=bots_file)
                return spec.as_played(manifest["played"])
            except UserError as error:
                raise ValueError(str(error)) from None


def _identity(bot: Bot, draft: Draft) -> list[Any]:
    """Return what tells a bot from others, whatever it is called: also what it reckons with for a draft."""
    params = bots.players([bot], draft.record(), draft.label)[0]["params"]
    return [bot.decide.__module__, bot.decide.__name__, np.trim_zeros(params, "b").tolist()]
