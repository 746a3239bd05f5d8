"""The adapter to OpenSpiel: matches as the engine plays them, and what each player may know of them."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pytest

from sim import drafts, openspiel, registry
from sim.drafts import Draft
from sim.errors import IllegalMove, UserError
from sim.table import Table

pyspiel = pytest.importorskip("pyspiel")

UPLINK = [f"uplink/{name}" for name in drafts.shipped("uplink")]
OTHERS = [("daifugo/author", ("rules.games=2",)), ("ninepeak/draft11", ())]
CASES = [*((name, ()) for name in UPLINK), *OTHERS]
SEED = 7

each_case = pytest.mark.parametrize(("name", "changes"), CASES)


def dealt(game: Any, deal: int) -> Any:
    """Return a match after its deal."""
    state = game.new_initial_state()
    state.apply_action(deal)
    return state


def positions(game: Any, deal: int, dice: random.Random) -> list[Any]:
    """Return the states of a random match, its end included."""
    state = dealt(game, deal)
    found = [state.clone()]
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        found.append(state.clone())
    return found


def moves_of(state: Any) -> list[int]:
    """Return the moves that the player can come to, in the order of the actions, by steps where there are any."""
    found: list[int] = []
    for action in state.legal_actions():
        move = state.move(action)
        found += moves_of(state.child(action)) if move is None else [move]
    return found


def result(table: Table) -> tuple[list[int], list[int]]:
    """Return the wins and the scores of a match that is over."""
    players = table.draft.players
    wins, scores = np.zeros(players, np.int64), np.zeros(players, np.int64)
    registry.find(table.draft.game).engine.result(table.state, table.rules, wins, scores)
    return wins.tolist(), scores.tolist()


def worth(table: Table, payoff: str) -> list[float]:
    """Return the payoffs of a match that is over, seat by seat from their description."""
    wins, scores = result(table)
    players = len(scores)
    if payoff == "win":
        return [win / sum(wins) - 1 / players for win in wins]
    if payoff == "score":
        return [score - sum(scores) / players for score in scores]
    found = []
    for seat, score in enumerate(scores):
        others = [other for place, other in enumerate(scores) if place != seat]
        ahead = sum(other < score for other in others) + sum(other == score for other in others) / 2
        found.append(ahead / len(others) - 0.5)
    return found


# ---- matches --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("payoff", openspiel.PAYOFFS)
@pytest.mark.parametrize("name", UPLINK)
def test_a_match_goes_as_at_a_table(name: str, payoff: str) -> None:
    draft, dice = drafts.load(name), random.Random(name)
    game = openspiel.load(draft, payoff=payoff, seed=SEED)
    for deal in range(4):
        table, state = Table(draft, seed=SEED, deal=deal), dealt(game, deal)
        while not table.over:
            assert state.current_player() == table.to_move
            assert state.returns() == [0.0] * draft.players
            texts = [state.action_to_string(action) for action in state.legal_actions()]
            assert texts == [f"{number} {move}" for number, move in enumerate(table.legal())]
            action = dice.choice(state.legal_actions())
            table.apply(list(table.moves())[action])
            state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == pytest.approx(worth(table, payoff))
        assert state.returns() == state.rewards()


@pytest.mark.parametrize(("name", "changes"), OTHERS)
def test_more_moves_than_actions_are_chosen_in_steps(name: str, changes: tuple[str, ...]) -> None:
    draft, dice = drafts.load(name, changes), random.Random(name)
    game = openspiel.load(draft, payoff="ahead", seed=SEED, actions=5)
    assert game.num_distinct_actions() == 5
    table, state, steps = Table(draft, seed=SEED), dealt(game, 0), 0
    while not table.over:
        player = state.current_player()
        assert player == table.to_move
        if table.count_moves() < 200:
            assert moves_of(state) == list(table.moves())
        action = dice.choice(state.legal_actions())
        while (move := state.move(action)) is None:
            before = [state.information_state_string(seat) for seat in range(draft.players)]
            state.apply_action(action)
            steps += 1
            assert state.current_player() == player
            after = [state.information_state_string(seat) for seat in range(draft.players)]
            # Nobody else learns how far the choice has come.
            assert [seat for seat in range(draft.players) if before[seat] != after[seat]] == [player]
            assert len(state.legal_actions()) <= 5
            action = dice.choice(state.legal_actions())
        table.apply(move)
        state.apply_action(action)
    assert steps > 10
    assert state.returns() == pytest.approx(worth(table, "ahead"))


@each_case
def test_payoffs_are_as_declared(name: str, changes: tuple[str, ...]) -> None:
    for payoff in openspiel.PAYOFFS:
        game = openspiel.load(drafts.load(name, changes), payoff=payoff)
        assert game.utility_sum() == 0
        assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        for deal in range(3):
            end = positions(game, deal, random.Random(deal))[-1]
            assert sum(end.returns()) == pytest.approx(0, abs=1e-9)
            assert any(end.returns())
            assert all(game.min_utility() <= value <= game.max_utility() for value in end.returns())


def test_the_deal_is_a_chance_node_of_all_deals_alike() -> None:
    game = openspiel.load(drafts.load("uplink/v1.1"), deals=5)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(deal, 0.2) for deal in range(5)]
    assert game.max_chance_outcomes() == 5
    assert len({str(dealt(game, deal)) for deal in range(5)}) == 5


@each_case
def test_openspiels_own_checks(
    name: str, changes: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    game = openspiel.load(drafts.load(name, changes), deals=20, actions=40)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


# ---- copies ---------------------------------------------------------------------------------------------


@each_case
def test_a_copy_goes_its_own_way(name: str, changes: tuple[str, ...]) -> None:
    game, dice = openspiel.load(drafts.load(name, changes), actions=30), random.Random(name)
    for state in positions(game, 2, dice)[:-1:7]:
        before = (str(state), state.legal_actions(), state.history())
        twin, other = state.clone(), game.deserialize_state(state.serialize())
        assert (str(twin), twin.legal_actions(), twin.history()) == before
        assert (str(other), other.legal_actions(), other.history()) == before
        while not twin.is_terminal():
            action = dice.choice(twin.legal_actions())
            twin.apply_action(action)
            other.apply_action(action)
        assert (str(state), state.legal_actions(), state.history()) == before
        assert twin.returns() == other.returns()


# ---- what a player knows --------------------------------------------------------------------------------


@each_case
def test_a_resampled_state_looks_the_same_to_the_player_alone(name: str, changes: tuple[str, ...]) -> None:
    game, dice = openspiel.load(drafts.load(name, changes), actions=30), random.Random(name)
    others, seen = 0, set()
    for state in positions(game, 1, dice)[:-1:3]:
        player = state.current_player()
        text = state.information_state_string()
        seen.add(text)
        told = str(state)
        for _ in range(3):
            twin = state.resample_from_infostate(player, dice.random)
            assert twin.current_player() == player
            assert twin.information_state_string() == text == twin.observation_string()
            assert [twin.action_to_string(action) for action in twin.legal_actions()] == [
                state.action_to_string(action) for action in state.legal_actions()
            ]
            others += str(twin) != told
            while not twin.is_terminal():
                twin.apply_action(dice.choice(twin.legal_actions()))
            assert sum(twin.returns()) == pytest.approx(0, abs=1e-9)
        assert str(state) == told
    assert others > len(seen) > 5


def test_gaps_between_the_fields_of_a_view_tell_nothing() -> None:
    draft = drafts.load("ninepeak/draft11")
    game, view = openspiel.load(draft, seed=SEED), Table(draft, seed=SEED).view()
    # A copy of a record need not keep what lies between its fields, so this one stays where its bytes are.
    memory = bytearray(b"\xff" * view.dtype.itemsize)
    gaps = np.frombuffer(memory, view.dtype)[0]
    for field in view.dtype.names:
        gaps[field] = view[field]
    assert sum(memory) > sum(view.tobytes())
    text = dealt(game, 0).information_state_string()
    assert [game.redealt(seen, random.random).information_state_string() for seen in (view, gaps)] == [
        text
    ] * 2


@pytest.mark.parametrize("name", UPLINK)
def test_a_card_put_out_is_hidden_until_all_have_chosen(name: str) -> None:
    draft = drafts.load(name)
    state = dealt(openspiel.load(draft), 4)
    for seat in range(draft.players - 1):
        others = [other for other in range(draft.players) if other != seat]
        known = {
            tuple(state.child(action).information_state_string(other) for other in others)
            for action in state.legal_actions()
        }
        assert len(known) == 1
        state.apply_action(state.legal_actions()[-1])
    shown = {state.child(action).information_state_string(0) for action in state.legal_actions()}
    assert len(shown) == len(state.legal_actions())


def test_only_who_is_to_move_can_have_the_rest_dealt_anew() -> None:
    game = openspiel.load(drafts.load("uplink/v1.1"))
    states = positions(game, 0, random.Random(1))
    for state, player in ((game.new_initial_state(), 0), (states[0], 1), (states[-1], 0), (states[-1], -4)):
        with pytest.raises(UserError, match=f"player {player}"):
            state.resample_from_infostate(player, random.random)


@each_case
def test_every_player_has_a_text_at_all_times(name: str, changes: tuple[str, ...]) -> None:
    game = openspiel.load(drafts.load(name, changes), actions=30)
    states = [game.new_initial_state(), *positions(game, 0, random.Random(2))]
    for state in states:
        texts = {state.information_state_string(seat) for seat in range(game.num_players())}
        assert len(texts) == game.num_players()


# ---- OpenSpiel's search ---------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [False, True])
def test_its_ismcts_plays_a_match(compiled: bool) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    dice = np.random.RandomState(3)
    game = openspiel.load(drafts.load("uplink/v1.1", ("rules.games=1",)), payoff="ahead")
    judge = game.random_evaluator(dice.random_sample) if compiled else mcts.RandomRolloutEvaluator(1, dice)
    bot = ismcts.ISMCTSBot(game, judge, 0.5, 12, random_state=dice)
    state = dealt(game, 0)
    while not state.is_terminal():
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert any(state.returns())


def test_compiled_random_play_judges_as_openspiels_does() -> None:
    from open_spiel.python.algorithms import mcts

    dice = np.random.RandomState(5)
    game = openspiel.load(drafts.load("uplink/v1.1"), payoff="score")
    # Late in a match one player is far ahead: the judges have something to agree about.
    state = positions(game, 3, random.Random(3))[80]
    before = str(state)
    judges = [mcts.RandomRolloutEvaluator(1, dice), game.random_evaluator(dice.random_sample)]
    found = [np.array([judge.evaluate(state) for _ in range(300)]) for judge in judges]
    means = [values.mean(axis=0) for values in found]
    errors = [values.std(axis=0) / np.sqrt(300) for values in found]
    assert np.all(np.abs(means[0] - means[1]) < 4 * np.hypot(*errors))
    assert np.ptp(means[0]) > 10 * errors[0].max()
    assert str(state) == before
    assert judges[1].prior(state) == judges[0].prior(state)


# ---- what is refused ------------------------------------------------------------------------------------


@pytest.fixture
def draft() -> Draft:
    return drafts.load("uplink/v1.1")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"payoff": "wins"}, r"unknown payoff 'wins'; did you mean 'win'\?"),
        ({"seed": -1}, "seed = -1: must be from 0 to"),
        ({"deals": 0}, "deals = 0: must be from 1 to 1000000"),
        ({"deals": 1_000_001}, "deals = 1000001: must be"),
        ({"actions": 1}, "actions = 1: must be from 2 to 1000000"),
    ],
)
def test_settings_out_of_range_are_refused(draft: Draft, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        openspiel.load(draft, **settings)


def test_impossible_actions_are_refused(draft: Draft) -> None:
    state = openspiel.load(draft, deals=10).new_initial_state()
    with pytest.raises(IllegalMove, match="deal 10: must be from 0 to 9"):
        state.apply_action(10)
    state.apply_action(9)
    count, told = len(state.legal_actions()), str(state)
    for action in (-3, count):
        with pytest.raises(IllegalMove, match=f"action {action}: must be from 0 to {count - 1}"):
            state.apply_action(action)
    assert str(state) == told


def test_without_openspiel_it_says_what_to_install(draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UserError, match=r"^needs the package open_spiel: pip install 'tefuda\[openspiel\]'"):
        openspiel.load(draft)
