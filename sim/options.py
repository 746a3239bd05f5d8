"""What the option tables of all games share: description, validation, one-line errors."""

from __future__ import annotations

import json
import types as python_types
import typing
from dataclasses import dataclass
from typing import Any, Literal

import annotated_types
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from sim.errors import UserError, nearest


class Table(BaseModel):
    """One table of a draft, such as ``[rules]``: unknown keys and wrong types are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class Option:
    """What a designer wants to know of an option, beside its type and default.

    Attributes
    ----------
    clause : str
        Id of the rule it belongs to.
    changes : str
        What it does to the game.
    favours : str
        Whom a change favours.
    """

    clause: str
    changes: str
    favours: str


@dataclass(frozen=True)
class OptionRow:
    """One line of ``tefuda options``."""

    key: str
    default: str
    allowed: str
    clause: str
    changes: str
    favours: str


def shown(value: Any) -> str:
    """Return a value as it is written in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    try:
        return str(value)
    except ValueError:  # Python writes no integer of over 4,300 digits
        return "a number of thousands of digits"


def allowed(field: FieldInfo) -> str:
    """Return in words what a field takes, from its annotation and bounds."""
    return _allowed(field.annotation, field.metadata)


def _allowed(annotation: Any, metadata: list[Any]) -> str:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *more = typing.get_args(annotation)
        return _allowed(inner, more)
    if origin is Literal:
        return " or ".join(shown(value) for value in typing.get_args(annotation))
    if origin in (typing.Union, python_types.UnionType):
        return " or ".join(_allowed(part, metadata) for part in typing.get_args(annotation))
    if origin is list:
        return f"a list, each {_allowed(typing.get_args(annotation)[0], [])}"
    if annotation is bool:
        return "true or false"
    if annotation is int:
        ends = _ends(metadata)
        return "an integer" if ends is None else f"an integer from {ends[0]} to {ends[1]}"
    return getattr(annotation, "__name__", str(annotation))


def _ends(metadata: list[Any]) -> tuple[int, int] | None:
    metadata = [part for item in metadata for part in getattr(item, "metadata", [item])]
    low = next((item.ge for item in metadata if isinstance(item, annotated_types.Ge)), None)
    high = next((item.le for item in metadata if isinstance(item, annotated_types.Le)), None)
    return None if low is None or high is None else (int(typing.cast(int, low)), int(typing.cast(int, high)))


def integers(options: BaseModel, table: str, key: str) -> range:
    """Return the values that an option of a draft takes; none if there is no such option, or it has no bounds.

    Parameters
    ----------
    options : BaseModel
        Of the draft.
    table, key : str
        The option, an integer.
    """
    fields = getattr(type(getattr(options, table, None)), "model_fields", {})
    ends = _ends(fields[key].metadata) if key in fields else None
    return range(0) if ends is None else range(ends[0], ends[1] + 1)


def choices(options: BaseModel, table: str, key: str) -> list[Any]:
    """Return the values of an option that is on or off, or takes one of a few; none of any other.

    Parameters
    ----------
    options : BaseModel
        Of a draft.
    table, key : str
    """
    annotation = type(getattr(options, table)).model_fields[key].annotation
    if annotation is bool:
        return [False, True]
    return list(typing.get_args(annotation)) if typing.get_origin(annotation) is Literal else []


def rows(table_name: str, table: type[Table]) -> list[OptionRow]:
    """List the options of one table."""
    found = []
    for key, field in table.model_fields.items():
        option = next(item for item in field.metadata if isinstance(item, Option))
        found.append(
            OptionRow(
                f"{table_name}.{key}",
                shown(field.get_default(call_default_factory=True)),
                allowed(field),
                option.clause,
                option.changes,
                option.favours,
            )
        )
    return found


def validated(model: type[BaseModel], tables: dict[str, Any], where: str) -> Any:
    """Build `model` from the tables of a draft.

    Raises
    ------
    UserError
        One line: the file, the key, what is allowed, the nearest known key.
    """
    try:
        return model.model_validate(tables)
    except ValidationError as error:
        raise UserError(f"{where}: {_first_line(model, error)}") from None


def _first_line(model: type[BaseModel], error: ValidationError) -> str:
    problem = error.errors()[0]
    path = [str(part) for part in problem["loc"]]
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    if problem["type"] == "extra_forbidden":
        return _unknown_key(model, path)
    field = _field(model, path)
    value = shown(problem["input"])
    value = value if len(value) <= 40 else value[:37] + "..."
    key = ".".join(path[:2])
    if field is None:
        return f"{key} = {value}: {problem['msg'].lower()}"
    return f"{key} = {value}: must be {allowed(field)}"


def _unknown_key(model: type[BaseModel], path: list[str]) -> str:
    known = list(model.model_fields)
    if len(path) > 1:
        table = model.model_fields[path[0]].annotation
        known = list(typing.cast(type[BaseModel], table).model_fields)
    key = path[-1]
    kind = "table" if len(path) == 1 else "key"
    return f"{'.'.join(path)}: unknown {kind}{nearest(key, known)} (known: {', '.join(known)})"


def _field(model: type[BaseModel], path: list[str]) -> FieldInfo | None:
    if len(path) < 2:
        return None
    table = model.model_fields[path[0]].annotation
    if isinstance(table, type) and issubclass(table, BaseModel):
        return table.model_fields.get(path[1])
    return None
