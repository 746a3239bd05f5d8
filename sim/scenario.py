"""Rulings as files: a position, moves, and what must be true after them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim import cards, drafts, registry
from sim.drafts import Draft
from sim.errors import IllegalMove, UserError, nearest
from sim.table import Table

_HEAD = ("game", "draft", "clause", "title", "notes", "seed", "position", "steps", "expect")
_STEP = ("seat", "move", "illegal", "expect")
_EXPECT = {
    "to_move": "number",
    "legal": "moves",
    "legal_has": "moves",
    "legal_not": "any moves",
    "over": "truth",
    "scores": "list of numbers",
    "winners": "list of numbers",
}

_SHOWN_MOVES = 12
_MOST_TOLD = 100
_MOST_COMPARED = 50_000


@dataclass(frozen=True)
class Failure:
    """One expectation that did not hold.

    Attributes
    ----------
    where : str
        ``step 2`` or ``end``.
    what, expected, came : str
    position : str
        The position at that moment, for people.
    """

    where: str
    what: str
    expected: str
    came: str
    position: str

    def lines(self) -> list[str]:
        """Return it for people."""
        head = [
            f"  {self.where}: {self.what}",
            f"    expected: {self.expected}",
            f"    came:     {self.came}",
        ]
        return [*head, *(f"    {line}" for line in self.position.split("\n"))]

    def __str__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True)
class Scenario:
    """A scenario file, read and checked for form."""

    path: Path
    draft: Draft
    clauses: tuple[str, ...]
    title: str
    seed: int
    position: dict[str, Any] | None
    steps: list[dict[str, Any]] = field(repr=False)
    expect: dict[str, Any] = field(repr=False)


def find(places: list[Path]) -> list[Path]:
    """List the scenario files named, and those in folders named.

    Raises
    ------
    UserError
        If a place does not exist or holds no scenario.
    """
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            inside = [path for path in sorted(place.rglob("*.toml")) if not _is_draft(path)]
            if not inside:
                raise UserError(f"{place}: no scenarios (.toml files) in this folder")
            found += inside
        elif place.is_file():
            found.append(place)
        else:
            raise UserError(f"{place}: no such file or folder")
    return list(dict.fromkeys(found))


def _is_draft(path: Path) -> bool:
    """Tell a draft that lies beside scenarios from one of them; what cannot be read is looked at later."""
    try:
        data = drafts.read_toml(path)
    except UserError:
        return False
    return not data.keys() & {"draft", "position", "steps", "expect"} and "game" in data


def read(path: Path) -> Scenario:
    """Read a scenario.

    Raises
    ------
    UserError
        Naming the file, the key, and what is allowed.
    """
    data = drafts.read_toml(path)
    game = data.get("game")
    if not isinstance(game, str):
        raise UserError(f"{path}: game is missing (one of {', '.join(registry.names())})")
    tables = list(registry.find(game, str(path)).options.Options.model_fields)
    for key in data:
        if key not in _HEAD and key not in tables:
            known = [*_HEAD, *tables]
            raise UserError(f"{path}: {key}: unknown key{nearest(key, known)} (known: {', '.join(known)})")
    draft = _draft_of(path, game, data.get("draft"))
    overrides = {key: data[key] for key in tables if key in data}
    if overrides:
        draft = drafts.with_tables(draft, overrides, str(path))
    clause = data.get("clause", [])
    clauses = tuple(clause) if isinstance(clause, list) else (clause,)
    steps = data.get("steps", [])
    _require(path, "clause", all(isinstance(name, str) for name in clauses), "a list of clause ids")
    _require(path, "title", isinstance(data.get("title", ""), str), "a string")
    _require(
        path,
        "seed",
        type(data.get("seed", 0)) is int and 0 <= data.get("seed", 0) < 2**63,
        "an integer from 0 to 2**63 - 1",
    )
    _require(path, "position", isinstance(data.get("position", {}), dict), "a table")
    _require(
        path,
        "steps",
        isinstance(steps, list) and all(isinstance(step, dict) for step in steps),
        "tables, [[steps]]",
    )
    for number, step in enumerate(steps, 1):
        _check_step(path, number, step, draft)
    expect = data.get("expect", {})
    _check_expect(path, "expect", expect, draft)
    if not steps and not expect:
        raise UserError(f"{path}: neither [[steps]] nor [expect], so there is nothing to check")
    return Scenario(
        path,
        draft,
        clauses,
        data.get("title", path.stem),
        data.get("seed", 0),
        data.get("position"),
        steps,
        expect,
    )


def _require(path: Path, key: str, condition: bool, allowed: str) -> None:
    if not condition:
        raise UserError(f"{path}: {key}: must be {allowed}")


def _draft_of(path: Path, game: str, name: Any) -> Draft:
    if not isinstance(name, str):
        known = ", ".join(drafts.shipped(game))
        raise UserError(f"{path}: draft is missing (one of {known}, or the path of a .toml file)")
    try:
        if name.endswith(".toml"):
            return drafts.load(str(path.parent / name))
        return drafts.load(name if name.startswith(f"{game}/") else f"{game}/{name}")
    except UserError as error:
        raise UserError(f"{path}: draft: {error}") from None


def _check_step(path: Path, number: int, step: dict[str, Any], draft: Draft) -> None:
    where = f"{path}: step {number}"
    for key in step:
        if key not in _STEP:
            raise UserError(f"{where}: {key}: unknown key{nearest(key, _STEP)} (known: {', '.join(_STEP)})")
    if ("move" in step) == ("illegal" in step) and ("move" in step or "expect" not in step):
        raise UserError(f"{where}: must have either move or illegal")
    text = step.get("move", step.get("illegal", ""))
    if not isinstance(text, str):
        raise UserError(f"{where}: a move must be a string")
    seat = step.get("seat", 0)
    if type(seat) is not int or not 0 <= seat < draft.players:
        raise UserError(f"{where}: seat = {seat!r}: must be an integer from 0 to {draft.players - 1}")
    if "move" in step or "illegal" in step:
        try:
            registry.find(draft.game).text.parse_move(text)
        except IllegalMove:
            pass  # refused when its turn comes, with the position
        except UserError as error:
            raise UserError(f"{where}: {error}") from None
    _check_expect(path, f"step {number}: expect", step.get("expect", {}), draft)


def _kinds(draft: Draft) -> dict[str, str]:
    return {**_EXPECT, **registry.find(draft.game).text.EXPECT}


def _check_expect(path: Path, where: str, expect: Any, draft: Draft) -> None:
    if not isinstance(expect, dict):
        raise UserError(f"{path}: {where}: must be a table")
    kinds = _kinds(draft)
    for key, value in expect.items():
        if key not in kinds:
            raise UserError(
                f"{path}: {where}.{key}: unknown key{nearest(key, kinds)} (known: {', '.join(kinds)})"
            )
        try:
            _canonical(draft, kinds[key], value)
        except UserError as error:
            raise UserError(f"{path}: {where}.{key}: {error}") from None


def _canonical(draft: Draft, kind: str, value: Any) -> Any:
    """Return an expected value in the form in which values are compared and shown."""
    text = registry.find(draft.game).text
    if kind == "truth" and isinstance(value, bool):
        return value
    if kind == "number" and type(value) is int:
        return value
    if kind == "list of numbers" and isinstance(value, list) and all(type(item) is int for item in value):
        return value
    if kind == "set of numbers" and isinstance(value, list) and all(type(item) is int for item in value):
        return sorted(value)
    if kind == "cards" and isinstance(value, str):
        return text.canonical_cards(value)
    if kind == "suits" and isinstance(value, str) and set(value) <= set(cards.SUITS):
        return "".join(suit for suit in cards.SUITS if suit in value)
    if kind == "list of cards" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return [text.canonical_cards(item) for item in value]
    if (
        kind in ("moves", "any moves")
        and isinstance(value, list)
        and all(isinstance(item, str) for item in value)
    ):
        return sorted(_canonical_move(text, kind, item) for item in value)
    if kind.startswith("list of lists of ") and isinstance(value, list):
        inner = kind.replace("list of lists", "list")
        return [_canonical(draft, inner, item) for item in value]
    shape = {
        "truth": "true or false",
        "number": "an integer",
        "list of numbers": "a list of integers",
        "set of numbers": "a list of integers",
        "list of lists of numbers": "a list of lists of integers, one a seat",
        "list of lists of cards": "a list of lists of strings of cards, one a seat",
        "cards": "cards in one string",
        "suits": "letters of S H D C in one string",
        "list of cards": "a list of strings of cards",
        "moves": "a list of moves",
        "any moves": "a list of moves",
    }[kind]
    raise UserError(f"{value!r}: must be {shape}")


def _canonical_move(text: Any, kind: str, move: str) -> str:
    try:
        return str(text.canonical_move(move))
    except IllegalMove:
        if kind == "moves":
            raise  # never legal, so it cannot be expected
        return move.strip()


def check(scenario: Scenario) -> list[Failure]:
    """Play a scenario.

    Returns
    -------
    list of Failure
        Empty if the engine agrees with every ruling.

    Raises
    ------
    UserError
        If the position is impossible.
    """
    draft = scenario.draft
    try:
        if scenario.position is None:
            table = Table(draft, seed=scenario.seed)
        else:
            table = Table.from_position(draft, scenario.position, scenario.seed)
    except UserError as error:
        raise UserError(f"{scenario.path}: {error}") from None
    failures: list[Failure] = []
    for number, step in enumerate(scenario.steps, 1):
        where = f"step {number}"
        broken = _make_step(table, step, where)
        if broken is not None:
            return [*failures, broken]
        failures += _compare(table, step.get("expect", {}), where)
    return failures + _compare(table, scenario.expect, "end")


def _make_step(table: Table, step: dict[str, Any], where: str) -> Failure | None:
    seat = step.get("seat")
    if "illegal" in step:
        before = table.state.tobytes()
        try:
            table.play(step["illegal"], seat)
        except IllegalMove:
            if table.state.tobytes() == before:
                return None
            return Failure(
                where, step["illegal"], "refused, the position stays", "it changed", table.describe()
            )
        return Failure(where, step["illegal"], "refused", "taken as legal", table.describe())
    if "move" in step:
        try:
            table.play(step["move"], seat)
        except IllegalMove as error:
            legal = ", ".join(_first_legal(table))
            return Failure(
                where, step["move"], "a legal move", f"refused: {error} (legal: {legal})", table.describe()
            )
    return None


def _compare_legal(table: Table, wanted: list[str], where: str) -> list[Failure]:
    """Compare the legal moves with those wanted; a list too long to be written by hand is not made."""
    if table.count_moves() > _MOST_COMPARED:
        came = _first_legal(table)
    else:
        came = sorted(set(table.legal()))
        if wanted == came:
            return []
        if len(came) > _MOST_TOLD:
            lacking = [f"not {move}" for move in wanted if move not in came]
            others = [move for move in came if move not in wanted]
            came = [*lacking, *others[:_SHOWN_MOVES], f"… {len(came):,} in all"]
    return [Failure(where, "legal", _shown(wanted), _shown(came), table.describe())]


def _first_legal(table: Table) -> list[str]:
    """Return some of the legal moves, to show what there is."""
    texts = (table.move_text(move) for move in table.moves())
    found = sorted(dict.fromkeys(itertools.islice(texts, _SHOWN_MOVES)))
    more = table.count_moves() - _SHOWN_MOVES
    return [*found, f"… and {more:,} more"] if more > 0 else found


def _compare(table: Table, expect: dict[str, Any], where: str) -> list[Failure]:
    kinds = _kinds(table.draft)
    came = table.inspect() if expect else {}
    failures = []
    for key, value in expect.items():
        wanted = _canonical(table.draft, kinds[key], value)
        wanted = sorted(wanted) if key == "winners" else wanted
        if not kinds[key].endswith("moves"):
            if wanted != came[key]:
                failures.append(Failure(where, key, _shown(wanted), _shown(came[key]), table.describe()))
            continue
        if key == "legal":
            failures += _compare_legal(table, wanted, where)
            continue
        # Asked one by one: a hand of 9 Peak can have millions of moves.
        wrong = [move for move in wanted if table.allows(move) != (key == "legal_has")]
        if wrong:
            prefixes = ("", "only ") if key == "legal_has" else ("not ", "")
            failures.append(
                Failure(
                    where,
                    key,
                    prefixes[0] + _shown(wrong),
                    prefixes[1] + _shown(_first_legal(table)),
                    table.describe(),
                )
            )
    return failures


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value or "(none)"
    if isinstance(value, list):
        return "[" + ", ".join(repr(item) if isinstance(item, str) else str(item) for item in value) + "]"
    return str(value)
