"""A game from outside through the whole lab: its bots are found, every command takes it, and no old code is kept of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from experiments.cli.main import main
from sim import bots, drafts, jit, kernels, registry, scenario
from sim.errors import UserError
from sim.jit import DISABLED
from strategies import registry as strategies
from tests import games, support

FOLDER = Path(games.__file__).parent
SCENARIOS = scenario.find([FOLDER])


@pytest.fixture
def botless() -> Iterator[str]:
    """A game that brings no bots: Uplink's package, whose bots are elsewhere."""
    registry.add("botless", "sim.uplink")
    yield "botless"
    registry.remove("botless")


# ---- the registry ---------------------------------------------------------------------------------------


def test_a_game_is_known_by_its_package_and_brings_its_bots() -> None:
    assert set(games.NAMES) < set(registry.names())
    for name in games.NAMES:
        assert registry.find(name).package == f"tests.games.{name}"
        found = strategies.known(name)
        assert {"search", "ismcts", "clairvoyant", "random"} < {bot.name for bot in found}
        assert {bot.game for bot in found} == {name}
        assert drafts.shipped(name)
    assert strategies.default("tictactoe") == "heuristic"
    assert strategies.default("kuhn") == "random"


def test_a_game_that_was_removed_is_unknown() -> None:
    registry.remove("kuhn")
    assert "kuhn" not in registry.names()
    with pytest.raises(UserError, match="unknown game 'kuhn'"):
        drafts.load("kuhn/standard")
    registry.add("kuhn", "tests.games.kuhn")
    assert drafts.load("kuhn/standard").players == 2


def test_a_name_is_taken_once() -> None:
    registry.add("kuhn", "tests.games.kuhn")  # the same again changes nothing
    for name in ("kuhn", "uplink"):
        with pytest.raises(UserError, match=f"there is a game '{name}' already"):
            registry.add(name, "tests.games.oneswap")
    assert registry.find("uplink").package == "sim.uplink"
    for name in ("", "my/game", "two words"):
        with pytest.raises(UserError, match="must be letters, digits"):
            registry.add(name, "tests.games.oneswap")
    for package in ("tests.games.chess", "elsewhere.chess", "tests.games.kuhn.drafts"):
        with pytest.raises(UserError, match=f"game 'chess': there is no package '{package}'"):
            registry.add("chess", package)


def test_a_game_without_bots_says_so(botless: str) -> None:
    assert strategies.known(botless) == []
    with pytest.raises(UserError, match="botless has no bots: bring some with --bots"):
        strategies.lineup(botless, 4)


# ---- what is compiled of it -----------------------------------------------------------------------------


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_nothing_of_it_is_cached() -> None:
    """The cache is named by the sources of the lab, which do not tell when such a game changes."""
    for name in ("search", "ismcts", "clairvoyant", "random"):
        assert bots.compiled(strategies.find("kuhn", name)).stats.cache_path is None
    assert bots.compiled(strategies.find("uplink", "random")).stats.cache_path is not None
    assert kernels.kernel("kuhn").stats.cache_path is None
    assert kernels.kernel("uplink").stats.cache_path is not None


def test_another_game_of_the_same_name_has_its_own_kernels() -> None:
    for package in ("oneswap", "kuhn", "oneswap"):
        registry.add("renewed", f"tests.games.{package}")
        engine = registry.find(package).engine
        assert kernels.parts("renewed")["engine"] is engine
        assert kernels.kernel("renewed", compiled=False).__globals__["engine"] is engine
        registry.remove("renewed")
    assert kernels.kernel("kuhn") is kernels.kernel("kuhn")


OTHER_BOTS = """
from strategies import strategy


@strategy("renewed", "{name}")
def answer(view, rules, me):
    \"""{name}.\"""
    return 1
"""


def test_another_game_of_the_same_name_has_its_own_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for package in ("first_game", "second_game", "first_game"):
        for folder, text in ((package, ""), (f"{package}/strategies", "")):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / "__init__.py").write_text(text, encoding="utf-8")
        bots_file = tmp_path / package / "strategies" / "bots.py"
        bots_file.write_text(OTHER_BOTS.format(name=f"of_{package}"), encoding="utf-8")
        registry.add("renewed", package)
        assert [bot.name for bot in strategies.known("renewed")] == [f"of_{package}"]
        registry.remove("renewed")


def test_a_copy_with_a_part_from_outside_is_not_the_labs_own() -> None:
    ours = registry.find("uplink").engine

    def template(x: int) -> int:
        return x

    # As if it were written in the lab.
    template.__code__ = template.__code__.replace(co_filename=jit.__file__)
    covered = jit.specialise(template, "own", compiled=False, engine=ours, policy=ours.is_legal, scale=2.0)
    assert jit.is_covered(covered)
    for part in (registry.find("kuhn").engine, registry.find("kuhn").engine.is_legal, call):
        copy = jit.specialise(template, "mixed", compiled=False, engine=ours, policy=part)
        assert jit.is_ours(copy)
        assert not jit.is_covered(copy)
        # And so is what is made of it.
        assert not jit.is_covered(jit.specialise(template, "of a copy", compiled=False, policy=copy))


def test_its_bots_are_handed_copies_and_its_cheat_is_shown_the_table() -> None:
    names = ("random", "search", "clairvoyant")
    records = bots.players(
        [strategies.find("kuhn", name) for name in names], drafts.load("kuhn/standard").record()
    )
    assert list(records["trusted"]) == [0, 0, 0]
    assert list(records["cheats"]) == [0, 0, 1]
    own = bots.players(
        [strategies.find("uplink", name) for name in names], drafts.load("uplink/v1.1").record()
    )
    assert list(own["trusted"]) == [1, 1, 1]


def test_a_game_may_count_nothing() -> None:
    state = np.zeros(1, registry.find("tictactoe").state.STATE)[0]
    assert state["tally"].size == state["seat_tally"].size == 0


# ---- rulings --------------------------------------------------------------------------------------------


@pytest.mark.nojit
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    failures = scenario.check(scenario.read(path))
    assert not failures, "\n".join(str(failure) for failure in failures)


@pytest.mark.parametrize("name", games.NAMES)
def test_every_clause_has_a_scenario(name: str) -> None:
    rules = (FOLDER / name / "RULES.md").read_text(encoding="utf-8")
    files = scenario.find([FOLDER / name / "scenarios"])
    shown = {clause for path in files for clause in scenario.read(path).clauses}
    assert shown == set(re.findall(r"^\*\*([A-Z]\d)\*\*", rules, re.MULTILINE))


def test_a_ruling_that_does_not_hold_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    head = 'game = "tictactoe"\ndraft = "standard"\n'
    path.write_text(
        head + '[position]\nmarks = ["b2", "a1"]\n[expect]\nmarks = ["b2", "a2"]\n', encoding="utf-8"
    )
    (failure,) = scenario.check(scenario.read(path))
    assert (failure.expected, failure.came) == ("['b2', 'a2']", "['b2', 'a1']")
    assert failure.position == "...\n.X.\nO..\nseat 0 to move"
    # No hands are asked after in a game that has none.
    path.write_text(head + '[expect]\nhands = ["", ""]\n', encoding="utf-8")
    with pytest.raises(UserError, match="hands: unknown key"):
        scenario.read(path)


# ---- the command line -----------------------------------------------------------------------------------


def call(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that succeeds; return what it prints."""
    code = main(list(words))
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


@pytest.mark.parametrize("draft", ["kuhn/standard", "oneswap/three", "tictactoe/standard"])
def test_every_command_takes_it(
    draft: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = draft.partition("/")[0]
    few = ("--matches", "400", "--threads", "1")
    assert f"{game} " in call(capsys, "games")
    assert draft in call(capsys, "drafts", game)
    assert f'game = "{game}"' in call(capsys, "drafts", draft)
    assert "rules.players" in call(capsys, "options", game)
    assert f"{game} clairvoyant" in call(capsys, "bots", game)
    assert "Decisions in a match" in call(capsys, "run", draft, *few)
    (folder,) = {path.parent for path in Path("results").rglob("manifest.json")}
    assert f"{draft}" in (folder / "report.html").read_text(encoding="utf-8")
    assert "byte for byte" in call(capsys, "rerun", str(folder))
    compared = json.loads(call(capsys, "compare", draft, draft, *few, "--no-save", "--json"))
    # The same rules on the same deals.
    assert {row["difference"] for row in compared["differences"]} == {0}
    assert "wins; scores" in call(capsys, "replay", draft, "--match", "2", "--seed", "1")
    ladder = call(capsys, "ladder", draft, "random", "clairvoyant:30", "--deals", "150", "--study", "l")
    assert ladder.index("clairvoyant:30") < ladder.index("random")
    assert list(Path("results/l").rglob("report.html"))


MINE = """
from sim import registry
from strategies import strategy

print("read")
registry.add("oneswap", "tests.games.oneswap")


@strategy("oneswap", "always")
def always(view, rules, me):
    \"\"\"Swaps whatever it has.\"\"\"
    return 1
"""


def test_a_users_file_brings_a_game_to_every_command(tmp_path: Path) -> None:
    """One whose package lies beside it, in a process that knows only the games of the lab."""
    file = tmp_path / "mine.py"
    file.write_text(renamed(MINE), encoding="utf-8")
    for path in (FOLDER / "oneswap").rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            copy = tmp_path / "swapping" / path.relative_to(FOLDER / "oneswap")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
    few, out = "--matches 200 --threads 1", f"--out {tmp_path / 'results'}"
    commands = [
        "games", "drafts swapping", "options swapping", "bots swapping", f"check {tmp_path / 'swapping'}",
        f"run swapping/three {few} --lineup always,first {out} --study mine",
        f"compare swapping/three swapping/thirteen {few} --no-save",
        "replay swapping/thirteen --lineup always,first",
        "ladder swapping/thirteen always threshold --deals 50 --no-save",
        f"rerun {tmp_path / 'results' / 'mine'} {out}",
    ]  # fmt: skip
    words = [[*command.split(), "--bots", str(file)] for command in commands]
    told = support.run_python(
        "import pathlib, sys\nfrom experiments.cli.main import main\n"
        "sys.stderr = sys.stdout\n"
        "assert main(['drafts', 'swapping']) == 2\n"
        f"for words in {words!r}:\n"
        "    if words[0] == 'rerun':\n"
        "        words[1] = str(next(pathlib.Path(words[1]).iterdir()))\n"
        "    assert main(words) == 0, words\n"
    )
    assert told.splitlines().count("read") == 1
    for part in (
        "swapping  2 drafts",
        "swapping always",
        "3 of 3 scenarios pass",
        "swaps and gets",
        "byte for byte",
    ):
        assert part in told


def renamed(text: str) -> str:
    return text.replace("tests.games.oneswap", "swapping").replace('"oneswap"', '"swapping"')


def test_a_users_file_is_read_again_only_if_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strategies, "_bots", dict(strategies._bots))
    file = tmp_path / "bots.py"
    told = []
    for changed in ("", "", "# changed", "# changed", ""):
        file.write_text(MINE + changed, encoding="utf-8")
        strategies.load_file(file)
        told.append(capsys.readouterr().err)  # where results do not go
    assert told == ["read\n", "", "read\n", "", "read\n"]
    assert strategies.find("oneswap", "always").summary == "Swaps whatever it has"


def test_a_users_file_may_bring_a_game_alone(tmp_path: Path) -> None:
    registry.remove("kuhn")
    file = tmp_path / "game.py"
    file.write_text("from sim import registry\nregistry.add('kuhn', 'tests.games.kuhn')\n", encoding="utf-8")
    strategies.load_file(file)
    assert strategies.default("kuhn") == "random"
    other = tmp_path / "nothing.py"
    other.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"registers no bot .* and no game"):
        strategies.load_file(other)
