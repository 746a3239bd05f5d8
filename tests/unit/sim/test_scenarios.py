"""Scenario files: the shipped ones hold and cover the rules; wrong ones say what was expected and came."""

from __future__ import annotations

import re
import typing
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from sim import registry, scenario
from sim.errors import IllegalMove, UserError
from sim.scenario import Scenario
from sim.table import Table
from tests import support

FOLDER = support.ROOT / "tests" / "scenarios"
EVERY_FILE = scenario.find([FOLDER])
FILES = scenario.find([FOLDER / "uplink"])
CLAUSES = {
    "uplink": [f"U{number}" for number in range(1, 24) if number != 19],
    "daifugo": [f"D{number}" for number in range(1, 45)],
    "ninepeak": [f"P{number}" for number in range(1, 21)],
}
TABLES = {"uplink": ("rules",), "daifugo": ("rules", "ranks"), "ninepeak": ("rules", "scoring")}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def _write(text: str, head: str = 'game = "uplink"\ndraft = "v1.1"\n') -> Path:
        path = tmp_path / "case.toml"
        path.write_text(head + text, encoding="utf-8")
        return path

    return _write


# ---- shipped files --------------------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_shipped_scenario(path: Path) -> None:
    failures = scenario.check(scenario.read(path))
    assert not failures, "\n".join(str(failure) for failure in failures)


@cache
def read_all(game: str) -> tuple[Scenario, ...]:
    return tuple(scenario.read(path) for path in scenario.find([FOLDER / game]))


each_game = pytest.mark.parametrize("game", CLAUSES)


def test_there_are_scenarios_for_every_game() -> None:
    assert {path.parent.name for path in EVERY_FILE} == set(CLAUSES) == set(registry.names())
    assert all(one.draft.game == game for game in CLAUSES for one in read_all(game))


@each_game
def test_every_clause_has_a_scenario(game: str) -> None:
    rules = (support.ROOT / "sim" / game / "RULES.md").read_text(encoding="utf-8")
    # A clause begins a paragraph, or the row of a table.
    defined = re.findall(r"^(?:\| )?\*\*([A-Z]\d+)\*\*", rules, re.MULTILINE)
    assert defined == CLAUSES[game]
    assert {clause for one in read_all(game) for clause in one.clauses} == set(defined)


@each_game
def test_scenarios_are_named_after_a_clause_of_theirs(game: str) -> None:
    letter = CLAUSES[game][0][0]
    for one in read_all(game):
        number = int(re.match(rf"{letter.lower()}(\d+)-", one.path.name)[1])  # type: ignore[index]
        # The variant of Uplink as a whole is described at U20.
        whole = (game, number) == ("uplink", 20) and one.clauses
        assert f"{letter}{number}" in one.clauses or whole, one.path.name
        assert one.title


def _choices(game: str) -> list[tuple[str, str, str, Any]]:
    """Return every (game, table, option, value) of options with a few values to choose from."""
    found = []
    options = registry.find(game).options.Options
    for table in TABLES[game]:
        model: type[BaseModel] = options.model_fields[table].annotation
        for key, field in model.model_fields.items():
            if field.annotation is bool:
                found += [(game, table, key, value) for value in (False, True)]
            for part in (field.annotation, *typing.get_args(field.annotation)):
                if typing.get_origin(part) is Literal and table != "ranks":
                    found += [(game, table, key, value) for value in typing.get_args(part)]
    return found


LONG_SEQUENCES = range(6, 14)
"""Lengths from which a sequence may be a revolution (D15) that differ from 4 and 5 in the number alone."""
CHOICES = [
    choice
    for game in CLAUSES
    for choice in _choices(game)
    if not (choice[2] == "sequence_revolution" and choice[3] in LONG_SEQUENCES)
]


@pytest.mark.parametrize(("game", "table", "key", "value"), CHOICES)
def test_every_value_of_an_option_has_a_scenario(game: str, table: str, key: str, value: Any) -> None:
    found = [getattr(getattr(one.draft.options, table), key) for one in read_all(game)]
    # Some options take one value or a list of them.
    assert any(item == value or (isinstance(item, list) and value in item) for item in found)


def test_there_are_choices_for_every_game() -> None:
    assert {game for game, *_ in CHOICES} == set(CLAUSES)
    assert ("daifugo", "rules", "suit_lock", "partial") in CHOICES
    assert ("daifugo", "rules", "skip", False) in CHOICES
    assert ("daifugo", "rules", "sequence_effects", "bomber") in CHOICES
    assert ("ninepeak", "scoring", "suits", "colours") in CHOICES
    assert ("ninepeak", "scoring", "no_joker", "draw_to_hand") in CHOICES


@each_game
def test_every_option_is_set_by_a_scenario(game: str) -> None:
    """In the file itself, beside the drafts that set it."""
    texts = [one.path.read_text(encoding="utf-8") for one in read_all(game)]
    options = registry.find(game).options.Options
    for table in TABLES[game]:
        for key in options.model_fields[table].annotation.model_fields:
            assert any(re.search(rf"^({table}\.)?{key} = ", text, re.MULTILINE) for text in texts), key


def test_points_are_set_by_a_scenario() -> None:
    assert any("[points]" in path.read_text(encoding="utf-8") for path in FILES)


# ---- expectations that do not hold ----------------------------------------------------------------------

POSITION = """
[rules]
players = 3
[position]
hands = ["S5 S9", "HJ D2", "C8 CK"]
to_move = 2
field = "C3 D10 H6"
piles = ["SA", "", "HQ SQ"]
scores = [1, -2, 3]
game = 2
"""

WRONG = [
    ("to_move", "1", "1", "2"),
    ("over", "true", "True", "False"),
    ("scores", "[1, -2, 4]", "[1, -2, 4]", "[1, -2, 3]"),
    ("winners", "[0]", "[0]", "[]"),
    ("hands", '["S9 S5", "HJ D2", "C8 CA"]', "['S5 S9', 'HJ D2', 'C8 CA']", "['S5 S9', 'HJ D2', 'C8 CK']"),
    ("field", '"C3 D10"', "C3 D10", "C3 H6 D10"),
    ("field", '""', "(none)", "C3 H6 D10"),
    ("piles", '["SA", "S2", "HQ SQ"]', "['SA', 'S2', 'SQ HQ']", "['SA', '', 'SQ HQ']"),
    ("game", "1", "1", "2"),
    ("trick", "5", "5", "4"),
    ("leader", "0", "0", "2"),
    ("pile_points", "[1, 0, -4]", "[1, 0, -4]", "[1, 0, 2]"),
    ("legal", '["play C8"]', "['play C8']", "['play C8', 'play CK']"),
    (
        "legal",
        '["play C8", "play CK", "play S5"]',
        "['play C8', 'play CK', 'play S5']",
        "['play C8', 'play CK']",
    ),
    ("legal_has", '["play C8", "play S5"]', "['play S5']", "only ['play C8', 'play CK']"),
    ("legal_not", '["play CK", "play S5"]', "not ['play CK']", "['play C8', 'play CK']"),
]


@pytest.mark.parametrize(("key", "value", "expected", "came"), WRONG)
def test_a_wrong_expectation_is_reported(key: str, value: str, expected: str, came: str, write: Any) -> None:
    (failure,) = scenario.check(scenario.read(write(POSITION + f"[expect]\n{key} = {value}\n")))
    assert (failure.where, failure.what) == ("end", key)
    assert (failure.expected, failure.came) == (expected, came)
    # The position, for people: the seat to move is marked, the field and the hands are there.
    assert "> seat 2: hand ♣8 ♣K" in failure.position
    assert "field: ♣3 ♥6 ♦10" in failure.position
    report = str(failure)
    for part in (expected, came, "♣8 ♣K", "end: "):
        assert part in report


def test_every_key_of_expect_is_tried_wrong() -> None:
    keys = {*scenario._EXPECT, *support.UPLINK.text.EXPECT}
    assert {key for key, *_ in WRONG} == keys


def test_right_expectations_pass_in_any_spelling(write: Any) -> None:
    right = """
    [expect]
    to_move = 2
    over = false
    scores = [1, -2, 3]
    winners = []
    hands = ["s9 ♠5", "D2 HJ", "CK C8"]
    field = "H6 DT C3"
    piles = ["SA", "", "SQ ♥Q"]
    game = 2
    trick = 4
    leader = 2
    pile_points = [1, 0, 2]
    legal = ["play CK", "play ♣8"]
    legal_has = ["play CK"]
    legal_not = ["play S5", "leave C3"]
    """
    assert scenario.check(scenario.read(write(POSITION + right))) == []


def test_all_wrong_expectations_are_reported_with_their_step(write: Any) -> None:
    steps = """
    [[steps]]
    seat = 2
    move = "play CK"
    expect.to_move = 1
    [[steps]]
    expect.game = 9
    [expect]
    field = "S2"
    """
    failures = scenario.check(scenario.read(write(POSITION + steps)))
    assert [(failure.where, failure.what) for failure in failures] == [
        ("step 1", "to_move"),
        ("step 2", "game"),
        ("end", "field"),
    ]


# ---- moves that should be legal, or not -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ('move = "play S5"', "♠5 not in the hand"),
        ('move = "put CK"', "has to play, not to put"),
        ('move = "leave C3"', "has to play, not to leave"),
        ('move = "play CK"\nseat = 0', "seat 0 is not to move, seat 2 is"),
    ],
)
def test_a_refused_move_ends_the_scenario(step: str, reason: str, write: Any) -> None:
    text = POSITION + f"[[steps]]\n{step}\n[[steps]]\nmove = 'play CK'\n[expect]\ngame = 9\n"
    (failure,) = scenario.check(scenario.read(write(text)))
    assert failure.where == "step 1"
    assert failure.expected == "a legal move"
    assert reason in failure.came
    assert "legal: play C8, play CK" in failure.came
    assert "> seat 2" in failure.position


def test_an_illegal_step_that_is_legal_fails(write: Any) -> None:
    (failure,) = scenario.check(scenario.read(write(POSITION + "[[steps]]\nillegal = 'play CK'\n")))
    assert (failure.where, failure.what, failure.came) == ("step 1", "play CK", "taken as legal")
    assert failure.expected.startswith("refused")


def test_illegal_steps_leave_the_position(write: Any) -> None:
    illegal = "".join(
        f"[[steps]]\nillegal = '{move}'\n" for move in ("play S5", "put CK", "leave C3", "leave", "play D7")
    )
    text = (
        POSITION
        + illegal
        + "[[steps]]\nillegal = 'play CK'\nseat = 1\n[[steps]]\nmove = 'play CK'\nseat = 2\n"
    )
    assert scenario.check(scenario.read(write(text))) == []


NEVER = {
    "uplink": (
        'draft = "v1.1"\n' + POSITION,
        ("play CK CK", "play C8 CK", "play", "put", "leave C3 C3", "put S5 S5"),
        ("plya CK", "play C1", "play C8, CK", "play JK", "C8"),
    ),
    "daifugo": (
        'draft = "author"\n[position]\nhands = ["SQ S8 H8", "HJ D2", "C8 CK JK", "D4 D5"]\nto_move = 0\n',
        ("play S8 S8", "play JK JK JK", "play JK JK=S3 JK", "play", "give", "name", "name 5 5", "name JK JK",
         "pass S8", "pass JK", "give S8 S8", "discard", "exchange D4 D4"),
        ("plya S8", "play S99", "play JK=S1", "name 1", "name S8", "pass S99", "give S8, H8", "S8"),
    ),
    "ninepeak": (
        'draft = "draft11"\n[position]\nhands = ["S5 D2 C3", "S1", "S2", "S3"]\nto_move = 0\narea = "H4"\n',
        ("pass", "pass S5 D2", "pass S5 take H4", "pass take H4", "pass S5 D2 take", "pass S5 D2 C3 take H4",
         "play", "play 3:", "play 0: S5", "play 10: S5", "play 4: S1 S1 S1 S1", "pass J1 J1 take H4", "keep S5",
         "release", "play 99999999999999999999: S5"),
        ("ply 1: S5", "play 1: S9", "play S5", "play x: S5", "play -1: S5", "play 01: S5", "play :", "pass S55",
         "pass S5 D2 take X1", "keep it", "pass S5, D2 take H4"),
    ),
}  # fmt: skip
"""Game → a position, moves well written that nothing can allow, and what is only mistyped."""


@each_game
def test_what_no_position_allows_counts_as_refused(game: str, write: Any) -> None:
    position, never, _ = NEVER[game]
    for move in never:
        step = f"[[steps]]\nseat = 0\nillegal = '{move}'\n[expect]\nlegal_not = ['{move}']\n"
        step = step.replace("seat = 0", "seat = 2") if game == "uplink" else step
        path = write(position + step, f'game = "{game}"\n')
        assert scenario.check(scenario.read(path)) == [], move


@each_game
def test_what_no_position_allows_is_no_move_either(game: str, write: Any) -> None:
    position, never, _ = NEVER[game]
    for move in never:
        read = scenario.read(write(position + f"[[steps]]\nmove = '{move}'\n", f'game = "{game}"\n'))
        (failure,) = scenario.check(read)
        assert (failure.where, failure.what, failure.expected) == ("step 1", move, "a legal move")
        assert failure.came.startswith("refused: ")
        assert "(legal: " in failure.came
        assert failure.position


@each_game
@pytest.mark.parametrize("key", ["move", "illegal"])
def test_a_slip_of_the_pen_is_an_error_of_the_file(game: str, key: str, write: Any) -> None:
    position, _, slips = NEVER[game]
    for move in slips:
        path = write(position + f"[[steps]]\n{key} = '{move}'\n", f'game = "{game}"\n')
        with pytest.raises(UserError) as caught:
            scenario.read(path)
        assert not isinstance(caught.value, IllegalMove)
        assert str(caught.value).startswith(f"{path}: step 1: move {move!r}: "), move


@each_game
def test_the_table_allows_nothing_that_cannot_be(game: str, write: Any) -> None:
    position, never, slips = NEVER[game]
    read = scenario.read(write(position + "[expect]\nover = false\n", f'game = "{game}"\n'))
    assert read.position is not None
    table = Table.from_position(read.draft, read.position)
    before = table.state.tobytes()
    for move in never:
        assert not table.allows(move), move
        with pytest.raises(IllegalMove):
            table.play(move)
    for move in slips:
        with pytest.raises(UserError, match=r"unknown|must be") as caught:
            table.allows(move)
        assert not isinstance(caught.value, IllegalMove)
    assert table.state.tobytes() == before


def test_a_scenario_without_a_position_deals_from_its_seed(write: Any) -> None:
    texts = [
        str(scenario.check(scenario.read(write(f"seed = {seed}\n[expect]\nfield = 'S3'\n")))[0])
        for seed in (0, 1, 1, 2**63 - 1)
    ]
    assert texts[1] == texts[2]
    assert len(set(texts)) == 3


# ---- files that are refused -----------------------------------------------------------------------------

END = "\n[expect]\ngame = 1\n"
MALFORMED = [
    ("clause = 5" + END, "clause: must be a list of clause ids"),
    ("clause = [5]" + END, "clause: must be a list of clause ids"),
    ("title = 5" + END, "title: must be a string"),
    ("seed = -1" + END, "seed: must be"),
    ("seed = 1.5" + END, "seed: must be"),
    ("seed = true" + END, "seed: must be"),
    ("seed = 9223372036854775808" + END, "seed: must be"),
    ("position = 5" + END, "position: must be a table"),
    ("steps = 5" + END, "steps: must be tables"),
    ("steps = [5]" + END, "steps: must be tables"),
    ("expect = 5", "expect: must be a table"),
    ("", "nothing to check"),
    ("stpes = 5" + END, "stpes: unknown key; did you mean 'steps'"),
    ("rules = 5" + END, "rules = 5: must be a table"),
    ("[rules]\nplayers = 5" + END, "rules.players = 5: must be an integer from 2 to 4"),
    ("[rules]\nplyers = 3" + END, "rules.plyers: unknown key; did you mean 'players'"),
    ("[points]\nX = 3" + END, "points.X: unknown card or rank"),
    ("[[steps]]\nseat = 0", "step 1: must have either move or illegal"),
    ("[[steps]]\nmove = 'put S3'\nillegal = 'put S3'", "step 1: must have either move or illegal"),
    ("[[steps]]\nmoev = 'put S3'", "step 1: moev: unknown key; did you mean 'move'"),
    ("[[steps]]\nmove = 5", "step 1: a move must be a string"),
    ("[[steps]]\nmove = ''", "step 1: move '': unknown verb"),
    ("[[steps]]\nmove = 'paly S3'", "step 1: move 'paly S3': unknown verb 'paly'; did you mean 'play'"),
    ("[[steps]]\nmove = 'put S11'", "step 1: move 'put S11': unknown card 'S11'"),
    ("[[steps]]\nillegal = 'leave S3 S33'", "step 1: move 'leave S3 S33': unknown card 'S33'"),
    ("[[steps]]\nillegal = 'leaf S3 S3'", "step 1: move 'leaf S3 S3': unknown verb 'leaf'; did you mean"),
    ("[expect]\nlegal_has = ['put S3 S3']", "expect.legal_has: move 'put S3 S3': card S3 is named twice"),
    ("[expect]\nlegal_not = ['put S33']", "expect.legal_not: move 'put S33': unknown card 'S33'"),
    ("[[steps]]\nmove = 'put S3'\n[[steps]]\nmove = 'put S3'\nseat = 4", "step 2: seat = 4: must be an"),
    ("[[steps]]\nmove = 'put S3'\nseat = true", "step 1: seat = True"),
    ("[[steps]]\nmove = 'put S3'\nexpect = 5", "step 1: expect: must be a table"),
    ("[[steps]]\nmove = 'put S3'\nexpect.gmae = 5", "step 1: expect.gmae: unknown key; did you mean 'game'"),
    ("[expect]\nto_move = 'x'", "expect.to_move: 'x': must be an integer"),
    ("[expect]\nto_move = true", "expect.to_move: True: must be an integer"),
    ("[expect]\nover = 1", "expect.over: 1: must be true or false"),
    ("[expect]\nscores = 5", "expect.scores: 5: must be a list of integers"),
    ("[expect]\nscores = [true]", "expect.scores: [True]: must be a list of integers"),
    ("[expect]\nfield = ['S3']", "expect.field: ['S3']: must be cards in one string"),
    ("[expect]\nfield = 'S3 S3'", "expect.field: card S3 is named twice"),
    ("[expect]\nhands = 'S3'", "expect.hands: 'S3': must be a list of strings of cards"),
    ("[expect]\nlegal = 'put S3'", "expect.legal: 'put S3': must be a list of moves"),
    ("[expect]\nlegal_has = ['S3']", "expect.legal_has: move 'S3': unknown verb"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed_files(text: str, message: str, write: Any) -> None:
    path = write(text)
    with pytest.raises(UserError) as caught:
        scenario.read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("", "game is missing (one of "),
        ("game = 5\n", "game is missing"),
        ('game = "uplnk"\n', "unknown game 'uplnk'; did you mean 'uplink'"),
        ('game = "uplink"\n', "draft is missing (one of personal-decks, v1.1"),
        ('game = "uplink"\ndraft = 5\n', "draft is missing"),
        (
            'game = "uplink"\ndraft = "v1.2"\n',
            "draft: unknown draft 'uplink/v1.2'; did you mean 'uplink/v1.1'",
        ),
        ('game = "uplink"\ndraft = "nothing.toml"\n', "nothing.toml: no such file"),
        ("game = \n", "not valid TOML"),
    ],
)
def test_malformed_heads(head: str, message: str, write: Any) -> None:
    path = write(END, head)
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        scenario.read(path)
    assert str(caught.value).startswith(str(path))


def test_a_draft_beside_the_scenario(write: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('game = "uplink"\n[rules]\nplayers = 2\n', encoding="utf-8")
    path = write("[expect]\nto_move = 0\n", 'game = "uplink"\ndraft = "mine.toml"\n')
    assert scenario.read(path).draft.players == 2
    assert scenario.read(path).title == "case"


def test_find(tmp_path: Path) -> None:
    assert scenario.find([FOLDER / "uplink", FILES[0]]) == FILES
    with pytest.raises(UserError, match="no such file or folder"):
        scenario.find([tmp_path / "none"])
    with pytest.raises(UserError, match="no scenarios"):
        scenario.find([tmp_path])


def test_a_list_of_legal_moves_too_long_to_be_written_is_not_made(tmp_path: Path) -> None:
    """Three hands of 26 cards with every number peaked: more than five million moves."""
    pack = [f"{suit}{n}" for n in range(1, 7) for suit in "SHDC" for _ in range(3)] + [
        f"J{n}" for n in range(1, 7)
    ]
    hands = [" ".join(pack[i::3]) for i in range(3)]
    text = (
        'game = "ninepeak"\ndraft = "draft11"\n[rules]\nplayers = 3\n[position]\n'
        f"hands = {hands!r}\npeaks = [1, 2, 3, 4, 5, 6]\n[expect]\nlegal = ['pass S1']\n"
    )
    path = tmp_path / "long.toml"
    path.write_text(text, encoding="utf-8")
    (failure,) = scenario.check(scenario.read(path))
    assert "and 5,659," in failure.came
    assert len(str(failure)) < 3000
