"""Files of weights, and the player that finds those for its draft."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pydantic import Field, create_model

from experiments.cli.main import main
from sim import bots, drafts, registry
from sim.batch import Batch
from sim.errors import UserError
from strategies import registry as strategies
from strategies import styles, weights
from tests.games import registered

GAMES = registry.names()


@pytest.mark.parametrize("game", GAMES)
def test_the_drafts_that_ship_have_weights_of_their_own(game: str) -> None:
    for name in drafts.shipped(game):
        found, differs = weights.nearest(game, drafts.load(f"{game}/{name}").record())
        assert found is not None
        assert (found.name, differs) == (name, 0)


@pytest.mark.parametrize("game", GAMES)
def test_what_ships_says_how_it_was_made(game: str) -> None:
    for path in weights.folder(game).glob("*.toml"):
        data = drafts.read_toml(path)
        assert set(data["training"]) >= {"seed", "generations", "deals", "rules_version", "command"}
        # Weights outlive a change of the rules that leaves the order of the players as it was.
        assert 1 <= data["training"]["rules_version"] <= registry.find(game).state.RULES_VERSION
        assert data["score"]["against"] == "heuristic"
        assert data["score"]["interval"][0] > 0.5


@pytest.mark.parametrize("game", GAMES)
def test_adapted_is_the_player_with_the_weights_of_the_draft(game: str) -> None:
    draft = drafts.load(f"{game}/{drafts.shipped(game)[0]}")
    path = weights.folder(game) / f"{draft.name}.toml"
    adapted, from_file = strategies.find(game, "adapted"), strategies.find(game, str(path))
    records = bots.players([adapted, from_file], draft.record())
    assert (records[0]["params"] == records[1]["params"]).all()
    plain = bots.players([strategies.find(game, "heuristic")], draft.record())[0]
    assert (records[0]["params"] != plain["params"]).any()
    scores = [
        Batch(draft, [bot] * draft.players, 1).play(0, 4 * draft.players).scores
        for bot in (adapted, from_file)
    ]
    assert (scores[0] == scores[1]).all()


def test_a_draft_without_weights_takes_the_nearest_and_says_so() -> None:
    draft = drafts.load("uplink/v1.1", ("points.K=-3",))
    bot = strategies.find("uplink", "adapted")
    with pytest.warns(weights.OtherDraft, match=r"uplink/v1\.1, whose rules differ in \d+ numbers"):
        found = bots.players([bot], draft.record())[0]
    own = bots.players([bot], drafts.load("uplink/v1.1").record())[0]
    start = styles.COUNT
    count = len(weights.trainable("uplink").start)
    assert (found["params"][start : start + count] == own["params"][start : start + count]).all()


def test_the_note_names_each_draft_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, points in (("mine", -3), ("yours", -4)):
        text = f'extends = "uplink/v1.1"\nname = "{name}"\ngame = "uplink"\n[points]\nK = {points}\n'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    files = [str(tmp_path / f"{name}.toml") for name in ("mine", "yours")]
    args = ["compare", "uplink/v1.1", *files, "--lineup", "adapted", "--matches", "8", "--no-save"]
    with warnings.catch_warnings():
        warnings.simplefilter("default", weights.OtherDraft)
        assert main(args) == 0
    notes = [line for line in capfd.readouterr().err.splitlines() if "no player was trained" in line]
    labels = [drafts.load(file).label for file in files]
    assert len(notes) == 2
    for label, note in zip(labels, notes, strict=True):
        assert f"no player was trained for {label}: adapted plays with the weights of uplink/v1.1" in note


def test_the_number_of_games_is_nothing_that_a_player_of_daifugo_sees() -> None:
    bot = strategies.find("daifugo", "adapted")
    draft = drafts.load("daifugo/author", ("rules.games=1",))
    with warnings.catch_warnings():
        warnings.simplefilter("error", weights.OtherDraft)
        found = bots.players([bot], draft.record(), draft.label)[0]
    own = bots.players([bot], drafts.load("daifugo/author").record())[0]
    assert (found["params"] == own["params"]).all()
    other = drafts.load("daifugo/author", ("rules.games=1", "rules.jokers=1"))
    with pytest.warns(weights.OtherDraft, match=r"for daifugo/author \[.*\]: .* differ in 1 number$"):
        bots.players([bot], other.record(), other.label)


def test_the_nearest_is_the_one_whose_rules_differ_least() -> None:
    draft = drafts.load("uplink/personal-decks", ("points.K=-3",))
    found, differs = weights.nearest("uplink", draft.record())
    assert found is not None
    assert found.name == "personal-decks"
    assert differs == weights.distance(draft.record(), drafts.load("uplink/personal-decks").record()) > 0


def test_a_style_can_be_added_to_weights() -> None:
    path = weights.folder("uplink") / "v1.1.toml"
    bot = strategies.find("uplink", f"{path}:cautious")
    assert bot.params[styles.CAUTION] == 1.0
    assert bot.name == f"{path}:cautious"
    assert strategies.find("uplink", "adapted:hoarder").params == (0.0, 0.0, 1.0, 0.0)


@pytest.mark.parametrize("game", GAMES)
def test_the_weights_to_begin_with_are_the_heuristic_players(game: str) -> None:
    player = weights.trainable(game)
    heuristic = strategies.find(game, "heuristic")
    assert player.bot(player.start, "x").params == heuristic.params
    assert all(step > 0 for step in player.steps.values())
    rules = drafts.load(f"{game}/{drafts.shipped(game)[0]}").record()
    records = bots.players([player.bot(player.start, "x"), heuristic], rules)
    assert np.array_equal(records[0]["params"], records[1]["params"])


def broken(tmp_path: Path, old: str, new: str) -> Path:
    text = (weights.folder("uplink") / "v1.1.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "broken.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 7", "format = 7: must be 1"),
        ("format = 1", "fromat = 1", "did you mean 'format'"),
        ('game = "uplink"', 'game = "daifugo"', "unknown weight 'deny'"),
        ('game = "uplink"', "", "game is missing"),
        ("[weights]", "[score.weights]", "weights is missing"),
        ("\nkeep = ", "\nkept = ", "did you mean 'keep'"),
        ("\nkeep = ", '\nkeep = "a" # ', r'weights\.keep = "a": must be a number'),
        ("\nkeep = ", "\nkeep = nan # ", r"weights\.keep = nan: must be a number"),
        ("\nkeep = ", "\nkeep = true # ", r"weights\.keep = true: must be a number"),
        ("\nkeep = ", "\nkeep = -1e300 # ", r"weights\.keep = -1e\+300: .* from -1,000 to 1,000$"),
        ("\nkeep = ", f"\nkeep = {'9' * 400} # ", r"weights\.keep = 9{37}\.\.\.: must be a number"),
        ("\nkeep = ", f"\nkeep = 0x{'f' * 9999} # ", "keep = a number of thousands of digits: must be"),
        ("\nkeep = ", "\n# ", r"weights\.keep is missing$"),
        ("format = 1", "format = true", "format = true: must be 1"),
        ("format = 1", "format = 1.0", r"format = 1\.0: must be 1"),
        ("\nplayers = 4", "\nplayers = 9", r"draft: rules\.players"),
        ("\nplayers = 4", "\nplayer = 4", r"draft: rules\.player: unknown .*did you mean .*players"),
        ("[draft.points]", "[draft.point]", r"draft: point: unknown .*did you mean .*points"),
    ],
)
def test_what_is_no_file_of_weights(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        weights.read(broken(tmp_path, old, new))


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    """A game with one more option than its files of weights know, and with none of them read."""
    game = str(request.param)
    module = registry.find(game).options
    table = type(module.Options().rules)
    rules = create_model("Rules", __base__=table, newest=(bool, False))
    options = create_model("Options", __base__=module.Options, rules=(rules, Field(default_factory=rules)))
    monkeypatch.setattr(module, "Options", options)
    weights.shipped.cache_clear()
    yield game
    weights.shipped.cache_clear()


@pytest.mark.parametrize("newer", GAMES, indirect=True)
def test_an_option_that_is_newer_than_a_file_has_its_default(newer: str, tmp_path: Path) -> None:
    assert "newest" in drafts.complete(newer, {}, "test").rules.model_dump()
    assert {found.name for found in weights.shipped(newer)} == set(drafts.shipped(newer))
    for name in drafts.shipped(newer):
        found, differs = weights.nearest(newer, drafts.load(f"{newer}/{name}").record())
        assert found is not None
        assert (found.name, differs) == (name, 0)
    path = tmp_path / "mine.toml"
    text = next(weights.folder(newer).glob("*.toml")).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    assert strategies.find(newer, str(path)).game == newer
    path.write_text(text.replace("[draft.rules]", "[draft.rules]\nnewest = true"), encoding="utf-8")
    assert strategies.find(newer, str(path)).game == newer
    path.write_text(text.replace("[draft.rules]", "[draft.rules]\nnewst = true"), encoding="utf-8")
    with pytest.raises(UserError, match=r"draft: rules\.newst: unknown .*did you mean .*newest"):
        weights.read(path)


def test_a_file_may_leave_out_what_is_as_in_any_draft(tmp_path: Path) -> None:
    whole = weights.read(weights.folder("uplink") / "v1.1.toml")[1]
    path = broken(tmp_path, "\nplayers = 4", "")
    assert weights.read(path)[1].rules == whole.rules


@pytest.mark.parametrize("game", GAMES)
def test_players_with_the_largest_weights_play_by_the_rules(game: str) -> None:
    player, dice = weights.trainable(game), np.random.default_rng(1)
    draft = drafts.load(f"{game}/{drafts.shipped(game)[0]}")
    signs = [[1.0] * len(player.start), *dice.choice([-1.0, 1.0], (9, len(player.start)))]
    for number, row in enumerate([*signs, [-1.0] * len(player.start)]):
        values = dict(zip(player.start, weights.MOST * np.array(row), strict=True))
        bot = player.bot(values, f"vast-{number}")
        Batch(draft, [bot] * draft.players, 1).play(0, 40)  # a move that is not legal is a fault


def test_weights_of_another_game_are_refused() -> None:
    path = weights.folder("uplink") / "v1.1.toml"
    with pytest.raises(UserError, match="a player of uplink, not of daifugo"):
        strategies.find("daifugo", str(path))
    with pytest.raises(UserError, match="no such file"):
        strategies.find("daifugo", "there-is-none.toml")


def test_a_game_without_a_player_to_train_is_told() -> None:
    with registered(), pytest.raises(UserError, match="kuhn has no player that can be trained"):
        weights.trainable("kuhn")
