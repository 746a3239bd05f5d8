"""Options: each described for designers, and shown as TOML reads it."""

from __future__ import annotations

import re
import tomllib
import typing
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from sim import cards, options, registry
from sim.options import Option, Table
from sim.uplink import options as uplink
from tests import support

RULES_TEXT = (Path(uplink.__file__).parent / "RULES.md").read_text(encoding="utf-8")
CLAUSES = set(re.findall(r"^\*\*(U\d+)\*\*", RULES_TEXT, re.MULTILINE))


def test_the_rows_cover_every_option_of_every_table() -> None:
    rows = {row.key for row in uplink.rows()}
    for name, field in uplink.Options.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Table):
            assert {f"{name}.{key}" for key in field.annotation.model_fields} <= rows
        else:
            assert any(key.startswith(f"{name}.") for key in rows)
    assert len(rows) == len(uplink.rows())


@pytest.mark.parametrize("row", uplink.rows(), ids=lambda row: row.key)
def test_every_option_is_described(row: options.OptionRow) -> None:
    assert row.clause in CLAUSES
    assert len(row.changes) > 10
    assert len(row.favours) > 5
    assert row.default
    assert row.allowed not in ("", "int", "str")


def test_every_game_describes_its_options() -> None:
    for name in registry.names():
        assert registry.find(name).options.rows(), name


@pytest.mark.parametrize("key", uplink.Rules.model_fields)
def test_the_default_is_the_one_written_in_the_rules(key: str) -> None:
    """The clause an option names in the code is the paragraph of RULES.md that mentions the option."""
    option = next(item for item in uplink.Rules.model_fields[key].metadata if isinstance(item, Option))
    default = uplink.Rules.model_fields[key].default
    paragraphs = re.split(r"^\*\*(U\d+)\*\*", RULES_TEXT, flags=re.MULTILINE)
    paragraph = paragraphs[paragraphs.index(option.clause) + 1]
    if key == "variant":  # described where the variant begins
        assert 'Option `variant`: `"none"`, `"personal_decks"` (`"none"`)' in RULES_TEXT
        return
    line = re.search(rf"option `{key}`(.*?)(?=\n\n|\Z)", paragraph, re.DOTALL)
    assert line is not None
    shown = f'"{default}"' if isinstance(default, str) else str(default)
    assert f"({shown})" in line[0] or f"(`{shown}`)" in line[0]


def test_default_points_are_those_of_the_rules() -> None:
    head, _, values = RULES_TEXT.split("| 2 3 |")[1].split("\n")[:3]
    ranks = ["2 3", *[cell.strip() for cell in head.strip(" |").split("|")]]
    points = [int(cell.strip().replace("−", "-")) for cell in values.strip(" |").split("|")]
    table = {rank: worth for group, worth in zip(ranks, points, strict=True) for rank in group.split()}
    assert table == uplink.DEFAULT_POINTS
    assert sum(4 * worth for worth in table.values()) == 40


# ---- the record -----------------------------------------------------------------------------------------


def test_points_of_a_card_go_before_those_of_its_rank() -> None:
    draft = support.draft_of(points={"Q": 7, "HQ": -4, "S2": 11, "10": 5})
    record = draft.record()
    for number, name in enumerate(cards.NAMES):
        wanted = {"HQ": -4, "S2": 11}.get(
            name, {"Q": 7, "10": 5}.get(name[1:], uplink.DEFAULT_POINTS[name[1:]])
        )
        assert draft.options.points_of(number) == record["points"][number] == wanted


@pytest.mark.parametrize(
    ("ace", "order"), [("high", "2 3 4 5 6 7 8 9 10 J Q K A"), ("low", "A 2 3 4 5 6 7 8 9 10 J Q K")]
)
def test_strength_of_ranks(ace: str, order: str) -> None:
    strength = support.draft_of({"ace": ace}).record()["strength"]
    assert sorted(cards.RANKS, key=lambda rank: strength[cards.RANKS.index(rank)]) == order.split()
    assert len(set(strength)) == 13


# ---- what every game shares -----------------------------------------------------------------------------


class Sample(Table):
    """A table of every kind of option."""

    switch: Annotated[bool, Option("X1", "a", "b")] = False
    number: Annotated[int, Field(ge=1, le=9), Option("X2", "a", "b")] = 3
    free: Annotated[int, Option("X3", "a", "b")] = 0
    word: Annotated[Literal["a", "b"], Option("X4", "a", "b")] = "a"
    mixed: Annotated[Annotated[int, Field(ge=-5, le=5)] | Literal["off"], Option("X5", "a", "b")] = "off"


def test_what_a_field_takes_in_words() -> None:
    allowed = {key: options.allowed(field) for key, field in Sample.model_fields.items()}
    assert allowed == {
        "switch": "true or false",
        "number": "an integer from 1 to 9",
        "free": "an integer",
        "word": '"a" or "b"',
        "mixed": 'an integer from -5 to 5 or "off"',
    }
    rows = {row.key: (row.default, row.clause) for row in options.rows("sample", Sample)}
    assert rows["sample.switch"] == ("false", "X1")
    assert rows["sample.mixed"] == ('"off"', "X5")


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        0,
        -12,
        "",
        "plain",
        'say "x"',
        "back\\slash",
        "two\nlines",
        "tab\t",
        "♠ é",
        "\x00\x1f\x7f",
        "'",
        [1, "a", [True]],
        [],
    ],
    ids=repr,
)
def test_shown_is_toml(value: Any) -> None:
    text = options.shown(value)
    assert tomllib.loads(f"value = {text}")["value"] == value
    assert len(text.splitlines()) == 1


def test_literals_of_the_rules_are_all_in_the_rule_text() -> None:
    for key, field in uplink.Rules.model_fields.items():
        for part in (field.annotation, *typing.get_args(field.annotation)):
            if typing.get_origin(part) is Literal:
                for value in typing.get_args(part):
                    assert f'`"{value}"`' in RULES_TEXT, key
