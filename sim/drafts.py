"""Drafts: rules as data. One TOML file each, checked, with everything it leaves out filled in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim import registry
from sim.errors import UserError, nearest, unknown
from sim.options import shown, validated

_HEAD = ("game", "name", "extends", "notes")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CHANGED = re.compile(r"(.+?):(\w+\.[^=:]+=.*)", re.DOTALL)
"""A draft with changes behind a colon."""

_NEXT = re.compile(r",(?=\s*\w+\.[^=,]+=)")
_MAX_BYTES = 1_000_000
_MAX_DEPTH = 16
_MAX_NAME = 80


@dataclass(frozen=True)
class Draft:
    """A complete, valid set of rules.

    Attributes
    ----------
    game : str
        Name of the game.
    name : str
        Name of the draft.
    notes : str
        What the designer says of it.
    options : pydantic model
        The game's option tables, defaults filled in.
    changes : tuple of str
        What was overridden on the fly, as ``rules.players=3``.
    """

    game: str
    name: str
    notes: str
    options: Any = field(repr=False)
    changes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name to show: ``uplink/v1.1``, with what was overridden."""
        extra = f" [{', '.join(self.changes)}]" if self.changes else ""
        return f"{self.game}/{self.name}{extra}"

    @property
    def players(self) -> int:
        """How many players a match has."""
        return int(self.options.rules.players)

    def tables(self) -> dict[str, dict[str, Any]]:
        """Return every option table in full, as plain data."""
        return dict(self.options.model_dump())

    def record(self) -> Any:
        """Return the rules record that the engine reads."""
        return self.options.record()


def read_text(path: Path, most: int = _MAX_BYTES) -> str:
    """Read a text file that may come from a stranger.

    Raises
    ------
    UserError
        If it is no plain file, cannot be read, is longer than `most` bytes, or is not UTF-8.
    """
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: not a file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise UserError(f"{str(path)!r}: not a possible path") from None
    if len(data) > most:
        raise UserError(f"{path}: larger than {most:,} bytes, so not a file of this lab")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file in UTF-8") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file that may come from a stranger.

    Raises
    ------
    UserError
        If it cannot be read, is over 1 MB, or is not TOML.
    """
    try:
        return tomllib.loads(read_text(path))
    except ValueError as error:  # also for a number of thousands of digits
        raise UserError(f"{path}: not valid TOML: {error}") from None
    except RecursionError:
        raise UserError(f"{path}: nested too deeply") from None


def shipped(game: str) -> list[str]:
    """List the names of the drafts that come with a game."""
    return sorted(path.stem for path in registry.find(game).drafts.glob("*.toml"))


def load(name: str, changes: tuple[str, ...] = ()) -> Draft:
    """Load a draft by ``GAME/NAME`` or by path.

    Parameters
    ----------
    name : str
        For example ``uplink/v1.1`` or ``my/table.toml``, with changes of its own behind a colon if wanted:
        ``uplink/v1.1:points.K=-1,rules.players=3``.
    changes : tuple of str
        Overrides such as ``rules.players=3`` or ``points.K=-1``.

    Raises
    ------
    UserError
        Naming the file, the key, and what is allowed.
    """
    file, own = _parted(name)
    path = _path_of(file)
    data = _merged(path, [])
    game = data["game"]
    tables = {key: value for key, value in data.items() if key not in _HEAD}
    for change in own:
        _override(game, tables, change, f"{name}: {change}")
    for change in changes:
        _override(game, tables, change, f"--set {change}")
    where = f"--set {' '.join(changes)}" if changes else name if own else str(path)
    options = complete(game, tables, where)
    return Draft(
        game, str(data.get("name", path.stem)), str(data.get("notes", "")), options, (*own, *changes)
    )


def _parted(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the name or path of a draft, and the changes that stand behind a colon."""
    found = _CHANGED.fullmatch(name)
    if found is None or _is(Path.is_file, name):
        return name, ()
    # A value may be a list, with commas of its own.
    return found[1], tuple(_NEXT.split(found[2]))


def complete(game: str, tables: dict[str, Any], where: str) -> Any:
    """Validate option tables and fill in the defaults."""
    try:
        return validated(registry.find(game).options.Options, tables, where)
    except RecursionError:
        raise UserError(f"{where}: nested too deeply") from None


def with_tables(draft: Draft, tables: dict[str, Any], where: str) -> Draft:
    """Return the draft with some keys of its tables replaced (a scenario's overrides)."""
    merged = _merge(draft.tables(), _canonical(draft.game, tables, where))
    return Draft(draft.game, draft.name, draft.notes, complete(draft.game, merged, where))


def to_toml(draft: Draft) -> str:
    """Return a draft in full as a TOML file, ready to be edited."""
    lines = [f"game = {shown(draft.game)}", f"name = {shown(draft.name)}"]
    if draft.notes:
        lines.append(f"notes = {shown(draft.notes)}")
    return "\n".join([*lines, *toml_tables(draft.tables())]) + "\n"


def toml_tables(tables: dict[str, dict[str, Any]], within: str = "") -> list[str]:
    """Return tables as lines of TOML, each table after an empty line; `within` is put before their names."""
    lines = []
    for table, values in tables.items():
        lines += ["", f"[{within}{table}]"]
        lines += [f"{_key(key)} = {shown(value)}" for key, value in values.items()]
    return lines


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else shown(key)


def _path_of(name: str) -> Path:
    if name.endswith(".toml") or _is(Path.is_file, name):
        return Path(name)
    game, slash, short = name.partition("/")
    if slash and game in registry.names() and _NAME.fullmatch(short):
        return _shipped_path(game, short, "")
    if name and _is(Path.is_dir, name):
        raise UserError(f"{name}: a folder, not a draft (GAME/NAME or the path of a .toml file)")
    if slash:
        return _shipped_path(game, short, "")
    everything = [f"{known}/{draft}" for known in registry.names() for draft in shipped(known)]
    same = [full for full in everything if full.endswith(f"/{name}")]
    hint = f"; did you mean {same[0]!r}?" if name and same else nearest(name, everything)
    raise UserError(f"unknown draft {name!r}{hint} (GAME/NAME or the path of a .toml file)")


def _is_line(name: str) -> bool:
    return 0 < len(name) <= _MAX_NAME and name.isprintable() and bool(name.strip())


def _is(kind: Callable[[Path], bool], name: str) -> bool:
    """Tell whether a path is of a kind; one that no path can have (too long, a null byte) is not."""
    try:
        return kind(Path(name))
    except (OSError, ValueError):
        return False


def _shipped_path(game: str, short: str, where: str) -> Path:
    folder = registry.find(game).drafts
    if not _NAME.fullmatch(short) or not (folder / f"{short}.toml").is_file():
        known = [f"{game}/{draft}" for draft in shipped(game)]
        raise unknown("draft", f"{game}/{short}", known, where)
    return folder / f"{short}.toml"


def _merged(path: Path, seen: list[Path]) -> dict[str, Any]:
    """Read a draft and lay it over the draft that it extends."""
    try:
        here = path.resolve()
    except (OSError, ValueError, RuntimeError):
        raise UserError(f"{str(path)!r}: not a possible path") from None
    if here in seen:
        raise UserError(f"{path}: extends itself, by way of {' -> '.join(part.name for part in seen)}")
    if len(seen) >= _MAX_DEPTH:
        raise UserError(f"{path}: more than {_MAX_DEPTH} drafts extend one another")
    data = read_toml(path)
    for key in ("game", "name", "extends", "notes"):
        if key in data and not isinstance(data[key], str):
            raise UserError(f"{path}: {key} = {shown(data[key])}: must be a string")
    if not _is_line(data.get("name", "x")):
        raise UserError(
            f"{path}: name = {shown(data['name'])}: must be one line of 1 to {_MAX_NAME} characters"
        )
    if "game" not in data:
        raise UserError(f"{path}: game is missing (one of {', '.join(registry.names())})")
    game = registry.find(data["game"], str(path)).name
    head = {key: value for key, value in data.items() if key in _HEAD}
    tables = _canonical(game, {key: value for key, value in data.items() if key not in _HEAD}, str(path))
    if "extends" not in data:
        complete(game, tables, str(path))
        return {**head, **tables}
    base = _merged(_extended_path(path, game, data["extends"]), [*seen, here])
    if base["game"] != game:
        raise UserError(f"{path}: extends {data['extends']!r}, a draft of {base['game']}, not of {game}")
    parent = {key: value for key, value in base.items() if key not in _HEAD}
    merged = _merge(parent, tables)
    complete(game, merged, str(path))  # file by file, so that a mistake is said of the file that makes it
    return {**head, **merged}


def _extended_path(path: Path, game: str, base: str) -> Path:
    if base.endswith(".toml"):
        return path.parent / base
    prefix, slash, short = base.rpartition("/")
    if slash and prefix != game:
        raise UserError(f"{path}: extends {base!r}: must be a draft of {game} or the path of a .toml file")
    return _shipped_path(game, short, f"{path}: extends")


def _merge(parent: dict[str, Any], child: dict[str, Any]) -> dict[str, Any]:
    merged = {name: dict(table) for name, table in parent.items()}
    for name, table in child.items():
        merged[name] = {**merged.get(name, {}), **table}
    return merged


def _canonical(game: str, tables: dict[str, Any], where: str) -> dict[str, Any]:
    """Give keys that can be spelled in several ways (cards) their one spelling."""
    options = registry.find(game).options
    known = list(options.Options.model_fields)
    result: dict[str, Any] = {}
    for name, table in tables.items():
        if name not in known:
            everything = [*_HEAD, *known]
            raise UserError(
                f"{where}: {name}: unknown key{nearest(name, everything)} (known: {', '.join(everything)})"
            )
        if not isinstance(table, dict):
            raise UserError(f"{where}: {name} = {shown(table)}: must be a table, [{name}]")
        canonical = getattr(options, "canonical_key", None)
        result[name] = {}
        for key, value in table.items():
            spelled = canonical(name, key) if canonical else key
            if spelled in result[name]:
                raise UserError(f"{where}: {name}.{key}: the same entry as another key of the table")
            result[name][spelled] = value
    return result


def _override(game: str, tables: dict[str, Any], change: str, said: str) -> None:
    """Apply one ``table.key=value`` to `tables` in place; `said` is what was written, for errors."""
    where, equals, text = change.partition("=")
    table, dot, key = where.strip().partition(".")
    known = list(registry.find(game).options.Options.model_fields)
    if dot and table not in known:
        raise unknown("table", table, known, said)
    if not (equals and dot and table and key):
        raise UserError(f"{said}: must be TABLE.KEY=VALUE, for example rules.players=3")
    if "\n" in text:
        raise UserError(f"{said}: must be one line")
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except (ValueError, RecursionError):
        value = text.strip()
    tables.update(_merge(tables, _canonical(game, {table: {key: value}}, said)))
