"""Drafts: what is read, what is refused and in which words, and the round trip."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim import drafts, registry
from sim.errors import UserError
from sim.uplink.options import DEFAULT_POINTS, Rules
from tests import support

HEAD = 'game = "uplink"\n'


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def _write(text: str, name: str = "mine.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return _write


@pytest.fixture
def other_game() -> Iterator[str]:
    """A second game: Uplink's package under another name."""
    registry.add("other", "sim.uplink")
    yield "other"
    registry.remove("other")


def refused(name: str, *changes: str) -> str:
    """Return the message with which a draft is refused; it is one line."""
    with pytest.raises(UserError) as caught:
        drafts.load(name, changes)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


# ---- what ships -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", drafts.shipped("uplink"))
def test_shipped_drafts_load_and_say_what_they_are(name: str) -> None:
    draft = drafts.load(f"uplink/{name}")
    assert (draft.game, draft.name, draft.label) == ("uplink", name, f"uplink/{name}")
    assert draft.notes
    assert draft.changes == ()


def test_the_base_draft_is_all_defaults() -> None:
    assert drafts.load("uplink/v1.1").tables() == support.draft_of().tables()
    assert drafts.load("uplink/v1.1").players == 4


def test_personal_decks_is_the_base_draft_with_the_variant() -> None:
    base, variant = drafts.load("uplink/v1.1"), drafts.load("uplink/personal-decks")
    tables = base.tables()
    tables["rules"]["variant"] = "personal_decks"
    assert variant.tables() == tables
    record = variant.record()
    assert record["personal"] == 1
    assert record["pairs"] == 0
    assert base.record()["personal"] == 0
    assert base.record()["pairs"] == 1


# ---- reading --------------------------------------------------------------------------------------------


def test_what_a_file_leaves_out_is_filled_in(write: Any) -> None:
    draft = drafts.load(write(HEAD + "[rules]\nplayers = 3\n[points]\nHQ = 9\n", "short.toml"))
    assert draft.name == "short"
    assert draft.notes == ""
    assert draft.tables()["rules"] == {**Rules().model_dump(), "players": 3}
    assert draft.tables()["points"] == {**DEFAULT_POINTS, "HQ": 9}


def test_keys_of_points_have_one_spelling(write: Any) -> None:
    points = '[points]\nT = 5\nq = -3\nhq = 4\n"♠10" = 7\nCT = 8\n'
    assert drafts.load(write(HEAD + points)).tables()["points"] == {
        **DEFAULT_POINTS, "10": 5, "Q": -3, "HQ": 4, "S10": 7, "C10": 8,
    }  # fmt: skip


def test_extends(write: Any) -> None:
    write(
        HEAD + 'name = "A"\nnotes = "a"\n[rules]\nplayers = 3\ngames = 2\n[points]\nT = 1\nQ = 1\n', "a.toml"
    )
    write(HEAD + 'extends = "a.toml"\n[rules]\ngames = 3\n[points]\n10 = 2\n', "b.toml")
    last = drafts.load(write(HEAD + 'extends = "b.toml"\nname = "C"\n[rules]\nhand_size = 4\n', "c.toml"))
    rules = last.tables()["rules"]
    assert (rules["players"], rules["games"], rules["hand_size"]) == (3, 3, 4)
    assert (last.tables()["points"]["10"], last.tables()["points"]["Q"]) == (2, 1)
    assert (last.name, last.notes) == ("C", "")
    # A draft that ships, with and without the game in front.
    for base in ("personal-decks", "uplink/personal-decks"):
        assert drafts.load(write(HEAD + f'extends = "{base}"\n')).options.rules.variant == "personal_decks"


@pytest.mark.parametrize(
    "name", [*(f"uplink/{name}" for name in drafts.shipped("uplink")), "notes", "points"]
)
def test_to_toml_round_trip(name: str, write: Any) -> None:
    texts = {
        "notes": HEAD
        + 'name = "a \\"b\\" \\\\ c"\nnotes = """two\nlines\t♠"""\n[rules]\nheart_pair = "off"\n',
        "points": HEAD + "[points]\nHQ = 4\n10 = -5\nS2 = 0\n[rules]\nheart_pair = -7\nplayers = 2\n",
    }
    draft = drafts.load(write(texts[name]) if name in texts else name)
    again = drafts.load(write(drafts.to_toml(draft), "again.toml"))
    assert (again.game, again.name, again.notes) == (draft.game, draft.name, draft.notes)
    assert again.tables() == draft.tables()
    assert drafts.to_toml(again) == drafts.to_toml(draft)
    assert set(tomllib.loads(drafts.to_toml(draft))["rules"]) == set(Rules.model_fields)


def test_with_tables_lays_a_few_keys_over_a_draft() -> None:
    base = drafts.load("uplink/personal-decks")
    changed = drafts.with_tables(base, {"rules": {"players": 2}, "points": {"t": 9}}, "here")
    assert changed.options.rules.players == 2
    assert changed.options.rules.variant == "personal_decks"
    assert changed.tables()["points"]["10"] == 9
    assert base.options.rules.players == 4
    with pytest.raises(UserError, match=r"^here: rules\.plyers: unknown key; did you mean 'players'"):
        drafts.with_tables(base, {"rules": {"plyers": 2}}, "here")


# ---- refused files --------------------------------------------------------------------------------------

REFUSED = [
    # A key, table or value, and what the message must name beside the file.
    ("[rules]\nplayrs = 3", ["rules.playrs", "unknown key", "'players'", "known:"]),
    ("[rules]\nzzz = 3", ["rules.zzz", "unknown key", "known: players"]),
    ("[rulez]\nplayers = 3", ["rulez", "unknown key", "'rules'", "known:"]),
    ("gmae = 3", ["gmae", "unknown key", "'game'"]),
    ("rules = 3", ["rules = 3", "[rules]"]),
    ("points = [1]", ["points = [1]", "[points]"]),
    ("[[rules]]\nplayers = 3", ["rules", "must be a table"]),
    ("name = 3", ["name = 3", "must be a string"]),
    ("notes = [1]", ["notes = [1]", "must be a string"]),
    ("extends = true", ["extends = true", "must be a string"]),
    ('[rules]\nplayers = "3"', ['rules.players = "3"', "an integer from 2 to 4"]),
    ("[rules]\nplayers = true", ["rules.players = true", "an integer from 2 to 4"]),
    ("[rules]\nplayers = 3.0", ["rules.players = 3.0", "an integer from 2 to 4"]),
    ("[rules]\nplayers = nan", ["rules.players = nan", "an integer from 2 to 4"]),
    ("[rules]\nplayers = 1", ["rules.players = 1", "an integer from 2 to 4"]),
    ("[rules]\nplayers = 5", ["rules.players = 5", "an integer from 2 to 4"]),
    ("[rules]\nplayers = 99999999999999999999", ["rules.players", "an integer from 2 to 4"]),
    ("[rules]\nhand_size = 0", ["rules.hand_size = 0", "from 1 to 12"]),
    ("[rules]\nhand_size = 13", ["rules.hand_size = 13", "from 1 to 12"]),
    ("[rules]\ngames = 0", ["rules.games = 0", "from 1 to 20"]),
    ("[rules]\ngames = 21", ["rules.games = 21", "from 1 to 20"]),
    ("[rules]\nleft_behind = -1", ["rules.left_behind = -1", "from 0 to"]),
    ('[rules]\nace = "middle"', ['rules.ace = "middle"', '"high" or "low"']),
    ('[rules]\nace = "HIGH"', ['rules.ace = "HIGH"', '"high" or "low"']),
    ("[rules]\nace = 1", ["rules.ace = 1", '"high" or "low"']),
    ('[rules]\nace = """a\nb"""', ["rules.ace", '"high" or "low"']),
    ('[rules]\ntied_top = "last"', ["rules.tied_top", '"later" or "earlier" or "second"']),
    ('[rules]\nnext_lead = ""', ["rules.next_lead", '"taker" or "rotate"']),
    ('[rules]\nvariant = "personal-decks"', ["rules.variant", '"none" or "personal_decks"']),
    ('[rules]\nheart_pair = "on"', ['rules.heart_pair = "on"', "an integer from -999 to 999", '"off"']),
    ("[rules]\nheart_pair = false", ["rules.heart_pair = false", '"off"']),
    ("[rules]\nheart_pair = 1000", ["rules.heart_pair = 1000", "from -999 to 999"]),
    ("[rules]\nset_of_three = -1000", ["rules.set_of_three = -1000", "from -999 to 999"]),
    ('[rules]\nset_of_three = "off"', ["rules.set_of_three", "from -999 to 999"]),
    ("[rules]\nplayers = {a = 1}", ["rules.players", "an integer from 2 to 4"]),
    ("[rules]\nplayers = 1979-05-27", ["rules.players = 1979-05-27", "an integer from 2 to 4"]),
    ("[points]\n11 = 2", ["points.11", "unknown card or rank", "2 … 10 J Q K A"]),
    ("[points]\nHQQ = 2", ["points.HQQ", "unknown card or rank", "'HQ'"]),
    ("[points]\nQ = true", ["points.Q = True", "from -999 to 999"]),
    ("[points]\nQ = 1.0", ["points.Q = 1.0", "from -999 to 999"]),
    ('[points]\nQ = "1"', ["points.Q = '1'", "from -999 to 999"]),
    ("[points]\nQ = 1000", ["points.Q = 1000", "from -999 to 999"]),
    ("[points]\nHQ = -1000", ["points.HQ = -1000", "from -999 to 999"]),
    ("[points.Q]\na = 1", ["points.Q", "from -999 to 999"]),
    # The same entry twice, in two spellings.
    ("[points]\n10 = 1\nT = 1", ["points.T", "same entry"]),
    ("[points]\nq = 1\nQ = 1", ["points.Q", "same entry"]),
    ('[points]\nHT = 1\n"♥10" = 1', ["points.♥10", "same entry"]),
    # Mixes that cannot be.
    ("[rules]\nplayers = 2\nleft_behind = 3", ["rules.left_behind = 3", "number of players, 2"]),
    ("[rules]\nhand_size = 7", ["rules.hand_size = 7", "60 cards", "52", "players = 4"]),
    ('[rules]\nvariant = "personal_decks"\nhand_size = 7', ["rules.hand_size = 7", "15 cards", "own deck"]),
    # Not a draft at all.
    ("[rules\nplayers = 3", ["not valid TOML", "line 2"]),
    ("[rules]\nplayers = 3\nplayers = 4", ["not valid TOML"]),
    ("x = " + "[" * 30_000, ["nested too deeply"]),
    ("x = " + "9" * 5000, ["not valid TOML", "digits"]),
    ("# " + "x" * 1_000_000, ["larger than 1,000,000 bytes"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "named"), REFUSED, ids=[repr(body)[1:60] for body, _ in REFUSED])
def test_refused_files(body: str, named: list[str], write: Any) -> None:
    path = write(HEAD + body + "\n")
    message = refused(path)
    assert message.startswith(f"{path}: ")
    for part in named:
        assert part in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing, folder, binary, nothing = (
        tmp_path / f"{name}.toml" for name in ("missing", "folder", "binary", "empty")
    )
    folder.mkdir()
    binary.write_bytes(b'game = "uplink"\nnotes = "\xff\xfe"\n')
    nothing.touch()
    assert refused(str(missing)) == f"{missing}: no such file"
    assert refused(str(folder)) == f"{folder}: not a file"
    assert refused(str(binary)) == f"{binary}: not a text file in UTF-8"
    assert refused(str(nothing)).startswith(f"{nothing}: game is missing (one of ")


def test_a_file_just_small_enough_is_read(write: Any) -> None:
    filler = 1_000_000 - len(HEAD) - 3
    assert drafts.load(write(HEAD + "# " + "x" * filler + "\n")).players == 4
    assert "larger than" in refused(write(HEAD + "# " + "x" * (filler + 1) + "\n"))


def test_refused_games(write: Any) -> None:
    for text in ('game = "uplnk"\n', 'game = ""\n'):
        assert "unknown game" in refused(write(text))
    assert "did you mean 'uplink'" in refused(write('game = "uplnk"\n'))
    assert "game = 3: must be a string" in refused(write("game = 3\n"))
    message = refused("uplnk/v1.1")
    assert message.startswith("unknown game 'uplnk'; did you mean 'uplink'? (known: ")
    assert message.endswith(f"{', '.join(registry.names())})")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("uplink/v1.2", "did you mean 'uplink/v1.1'"),
        ("v1.1", "did you mean 'uplink/v1.1'"),
        ("uplink/../uplink/drafts/v1.1", "known: uplink/personal-decks, uplink/v1.1"),
        ("uplink/.v1.1", "known: "),
        ("uplink/", "known: "),
        ("nothing", "GAME/NAME or the path of a .toml file"),
    ],
)
def test_unknown_drafts(name: str, hint: str) -> None:
    message = refused(name)
    assert message.startswith("unknown draft ")
    assert hint in message


# ---- extends --------------------------------------------------------------------------------------------


def test_refused_bases(write: Any, other_game: str) -> None:
    path = write(HEAD + 'extends = "v9"\n')
    assert refused(path).startswith(f"{path}: extends: unknown draft 'uplink/v9'")
    path = write(HEAD + 'extends = "nowhere/v1.1"\n')
    assert "must be a draft of uplink" in refused(path)
    path = write(HEAD + 'extends = "missing.toml"\n')
    assert refused(path).endswith("missing.toml: no such file")
    write(f'game = "{other_game}"\n', "foreign.toml")
    path = write(HEAD + 'extends = "foreign.toml"\n')
    assert refused(path) == f"{path}: extends 'foreign.toml', a draft of other, not of uplink"
    base = write(HEAD + "[rules]\nplayrs = 3\n", "base.toml")
    # The error names the file that has it, not the one that extends it.
    assert refused(write(HEAD + "[rules]\nplayers = 9\n", "base.toml")).startswith(
        f"{base}: rules.players = 9"
    )


def test_a_circle_of_extends(write: Any) -> None:
    path = write(HEAD + 'extends = "mine.toml"\n')
    assert "extends itself" in refused(path)
    write(HEAD + 'extends = "b.toml"\n', "a.toml")
    message = refused(write(HEAD + 'extends = "a.toml"\n', "b.toml"))
    assert "b.toml -> a.toml" in message


def test_a_chain_of_extends_has_an_end(write: Any) -> None:
    write(HEAD + "[rules]\nplayers = 3\n", "0.toml")
    paths = [write(HEAD + f'extends = "{n}.toml"\n', f"{n + 1}.toml") for n in range(17)]
    assert drafts.load(paths[14]).players == 3  # 16 files
    assert "more than 16 drafts" in refused(paths[15])


# ---- --set ----------------------------------------------------------------------------------------------


def test_changes_on_the_fly() -> None:
    changes = (
        "rules.players=3",
        "rules.heart_pair=off",
        " rules.ace = low",
        'rules.tied_top="second"',
        "points.hT=-4",
        "points.K=9",
    )
    draft = drafts.load("uplink/v1.1", changes)
    rules = draft.options.rules
    assert (rules.players, rules.heart_pair, rules.ace, rules.tied_top) == (3, "off", "low", "second")
    assert draft.tables()["points"] == {**DEFAULT_POINTS, "H10": -4, "K": 9}
    assert draft.changes == changes
    assert draft.label == f"uplink/v1.1 [{', '.join(changes)}]"
    # The last of two goes, in whatever spelling.
    assert drafts.load("uplink/v1.1", ("points.T=1", "points.10=2")).tables()["points"]["10"] == 2


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("players=3", ["TABLE.KEY=VALUE", "rules.players=3"]),
        ("rules.players", ["TABLE.KEY=VALUE"]),
        ("rules.=3", ["TABLE.KEY=VALUE"]),
        ("rules=3", ["TABLE.KEY=VALUE"]),
        ("", ["TABLE.KEY=VALUE"]),
        ("=", ["TABLE.KEY=VALUE"]),
        ("rulez.players=3", ["unknown table 'rulez'", "'rules'", "known: rules, points"]),
        (".players=3", ["unknown table ''"]),
        ("name.x=3", ["unknown table 'name'"]),
        ("rules.plyers=3", ["rules.plyers: unknown key", "'players'"]),
        ("rules.players=", ['rules.players = ""', "from 2 to 4"]),
        ("rules.players=two", ['rules.players = "two"', "from 2 to 4"]),
        ("rules.players=true", ["rules.players = true"]),
        ("rules.players=3.5", ["rules.players = 3.5"]),
        ("rules.players=" + "[" * 30_000, ["rules.players", "from 2 to 4"]),
        ("rules.players=" + "9" * 5000, ["rules.players", "from 2 to 4"]),
        ("points.XX=1", ["points.XX: unknown card or rank"]),
        ("points.Q=x", ["points.Q = 'x'"]),
        ("rules.hand_size=9", ["rules.hand_size = 9", "76 cards"]),
    ],
)
def test_refused_changes(change: str, named: list[str]) -> None:
    message = refused("uplink/v1.1", change)
    assert message.startswith(f"--set {change}: ")
    for part in named:
        assert part in message


def test_the_file_is_blamed_for_its_own_errors_and_changes_for_theirs(write: Any) -> None:
    path = write(HEAD + "[rules]\nhand_size = 9\n")
    assert refused(path, "rules.games=3").startswith(f"{path}: ")
    path = write(HEAD + "[rules]\nhand_size = 6\nplayers = 4\n")
    assert drafts.load(path, ("rules.left_behind=0",)).options.rules.left_behind == 0
    assert refused(path, "rules.games=2", "rules.hand_size=7").startswith(
        "--set rules.games=2 rules.hand_size=7: "
    )


# ---- changes on the line --------------------------------------------------------------------------------


def test_changes_behind_a_colon_are_those_of_set() -> None:
    on_line = drafts.load("uplink/v1.1:points.K=-1,rules.tied_top=second")
    by_set = drafts.load("uplink/v1.1", ("points.K=-1", "rules.tied_top=second"))
    assert on_line == by_set
    assert on_line.label == "uplink/v1.1 [points.K=-1, rules.tied_top=second]"
    # A list has commas of its own.
    listed = drafts.load("daifugo/author:rules.exchange=[2,1],rules.games=3")
    assert listed == drafts.load("daifugo/author", ("rules.exchange=[2,1]", "rules.games=3"))
    # What stands on the line comes before --set, which changes all drafts.
    both = drafts.load("uplink/v1.1:points.K=-1", ("points.K=5",))
    assert both == drafts.load("uplink/v1.1", ("points.K=-1", "points.K=5"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("uplink/v1.1:rules.plyers=3", ["uplink/v1.1:rules.plyers=3", "'players'"]),
        ("uplink/v1.1:rules.players=9", ["rules.players = 9", "from 2 to 4"]),
        ("uplink/v1.1:points.K", ["points.K"]),
        ("uplink/v1.1:", ["uplink/v1.1:"]),
        ("uplink/v1.2:points.K=-1", ["uplink/v1.2", "did you mean 'uplink/v1.1'"]),
    ],
)
def test_wrong_changes_on_the_line_are_one_line(name: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        drafts.load(name)
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


def test_a_file_may_have_a_colon_in_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mine:points.K=1.toml"
    file.write_text('game = "uplink"\nname = "mine"\nextends = "v1.1"\n', encoding="utf-8")
    assert drafts.load(str(file)).changes == ()
