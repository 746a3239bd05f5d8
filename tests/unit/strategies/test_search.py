"""Players that search: solved endings, what the cheat is shown, budgets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim import bots, drafts, registry, rng
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from sim.table import Table
from strategies import registry as strategies

GAMES = registry.names()


def choice(bot_name: str, table: Table, seed: int = 1) -> int:
    """Return what a bot does at a table that it is shown as a player is."""
    bot = strategies.find(table.draft.game, bot_name)
    record = bots.players([bot], table.rules)[0]
    rng.open_stream(record["stream"], seed, 0, rng.SEAT, 0)
    return int(bots.compiled(bot)(table.view(), table.rules, record))


def after(table: Table, move: int) -> Table:
    found = table.copy()
    found.apply(move)
    return found


def solved(table: Table) -> tuple[float, ...]:
    """Return the scores with best play of all, each for their own lead, everything being open."""
    if table.over:
        return tuple(float(score) for score in table.inspect()["scores"])
    mover = table.to_move
    return max((solved(after(table, move)) for move in table.moves()), key=lambda end: lead(end, mover))


def lead(scores: tuple[float, ...], seat: int) -> float:
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


# ---- endings --------------------------------------------------------------------------------------------

LAST_TRICKS = [
    {"hands": ["S3 H9", "D5 CK"], "field": "S7 D2", "piles": ["", ""]},
    {"hands": ["HK H4", "DQ C10"], "field": "SK C3", "piles": ["", ""]},
    {"hands": ["SA D3", "HA C3"], "field": "CJ H2", "piles": ["HJ", ""]},
    {"hands": ["C4 S9", "D8 H8"], "field": "HQ S2", "piles": ["", "CQ"]},
]


@pytest.mark.parametrize("name", ["search:400", "ismcts:400"])
@pytest.mark.parametrize("position", LAST_TRICKS, ids=lambda position: position["field"])
def test_the_last_two_tricks_of_uplink_are_played_as_solved(name: str, position: dict[str, Any]) -> None:
    draft = drafts.load("uplink/v1.1", ["rules.players=2", "rules.games=1", "rules.hand_size=12"])
    table = Table.from_position(draft, {**position, "game": 1, "leader": 0})
    seat = table.to_move
    # The other's two cards may be any that are unseen, so the best move on average is looked for.
    assert choice(name, table) in average_best(table, seat)


def average_best(table: Table, seat: int) -> set[int]:
    """Return the moves that are best by the mean over deals of the solved lead, within a point."""
    engine = registry.find(table.draft.game).engine
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, 5, 0, rng.REST, 0)
    totals: dict[int, float] = {}
    for _ in range(60):
        dealt = table.copy()
        engine.redeal(table.view(), table.rules, stream, dealt.state)
        for move in table.moves():
            totals[move] = totals.get(move, 0.0) + lead(solved(after(dealt, move)), seat) / 60
    best = max(totals.values())
    return {move for move, total in totals.items() if total >= best - 1.0}


NINE_PEAK_ENDS = [
    {"hands": ["", "", "S2 H2 D3 D3 D3 J4"], "area": "S1", "sets": [["S1"], [], []], "to_move": 2},
    {"hands": ["", "S1", "S4 S4 H4 D5 C5"], "area": "C4 C5", "sets": [[], [], ["S2 H2"]], "to_move": 2},
    {"hands": ["", "", "D6 D6 S6 H5 J5"], "area": "S6 C6 S5", "sets": [[], [], []], "to_move": 2},
]


@pytest.mark.parametrize("draft", ["draft11", "draft12-base9", "simple"])
@pytest.mark.parametrize("position", NINE_PEAK_ENDS, ids=lambda position: position["hands"][2])
def test_the_last_turn_of_nine_peak_is_played_as_solved(draft: str, position: dict[str, Any]) -> None:
    """Nobody moves after it, and a card turned up brings its player nothing."""
    table = Table.from_position(drafts.load(f"ninepeak/{draft}", ["rules.players=3"]), position)
    ends = {move: after(table, move).inspect()["scores"][2] for move in table.moves()}
    assert ends[choice("search:2000", table)] == max(ends.values())


# ---- the cheat ------------------------------------------------------------------------------------------


def test_only_the_labs_own_cheats_are_shown_the_table() -> None:
    """A stranger's bot that calls itself one is not."""
    draft = drafts.load("uplink/v1.1")
    stranger = Bot("peek", "uplink", _stranger, cheats=True)
    honest = strategies.find("uplink", "search:1")
    cheat = strategies.find("uplink", "clairvoyant:1")
    records = bots.players([stranger, honest, cheat, honest], draft.record())
    assert list(records["cheats"]) == [0, 0, 1, 0]
    assert list(records["table"]) == [0, 0, 0, 0]


def _stranger(view: Any, rules: Any, me: Any) -> int:
    """Takes the lowest cards."""
    move = 0
    rest = view["choices"]
    for _ in range(view["pick"]):
        move |= rest & -rest
        rest &= rest - 1
    return move


@pytest.mark.parametrize("game", GAMES)
def test_the_cheat_wins_by_what_it_sees(game: str) -> None:
    """Shown the cards it beats three heuristic players far more often than the honest search does."""
    names = {"uplink": "v1.1", "daifugo": "plain", "ninepeak": "draft11"}
    changes = ["rules.games=1"] if game == "daifugo" else []
    draft = drafts.load(f"{game}/{names[game]}", changes)
    shares = []
    for name in ("clairvoyant:60", "search:60"):
        line = [strategies.find(game, name), *[strategies.find(game, "heuristic")] * 3]
        batch = Batch(draft, line, 3)
        rows = batch.play(0, 240).rows
        key = batch.measures.keys.index(("win", "bot", name))
        x, d = batch.measures.values(rows)
        shares.append(x[:, key].sum() / d[:, key].sum() / batch.measures.list[key].scale)
    assert shares[0] > 0.5
    assert shares[0] > shares[1] + 0.1


def test_a_replay_shows_the_cheat_the_same_table() -> None:
    from experiments.cli import replay

    draft = drafts.load("uplink/v1.1")
    line = [strategies.find("uplink", "clairvoyant:20"), *[strategies.find("uplink", "heuristic")] * 3]
    batch = Batch(draft, line, 4)
    scores = batch.play(0, 4).scores
    for match in range(4):
        *_, (table, _, _) = replay.moves(batch, match)
        assert table.over
        assert table.inspect()["scores"] == list(scores[match])


def test_the_cheat_is_shown_the_table_among_plain_python_bots_too() -> None:
    """The same matches, compiled and stepped from Python."""
    draft = drafts.load("uplink/v1.1")
    cheat = strategies.find("uplink", "clairvoyant:5")
    scores = []
    for jitted in (True, False):
        low = Bot("low", "uplink", _stranger, jitted=jitted)
        scores.append(Batch(draft, [cheat, low, low, low], 3).play(0, 4).scores)
    assert np.array_equal(scores[0], scores[1])


# ---- budgets --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["search", "ismcts", "clairvoyant"])
def test_a_number_alone_is_the_budget(game: str, name: str) -> None:
    assert strategies.find(game, f"{name}:250").params[0] == 250.0
    assert strategies.find(game, f"{name}:250:margin=0.5").params[:2] == (250.0, 0.5)
    assert strategies.find(game, name).params[0] == 1000.0
    with pytest.raises(UserError, match="PARAMETER=VALUE"):
        strategies.find(game, f"{name}:many")


@pytest.mark.parametrize("budget", ["0", "-3", "1e12"])
@pytest.mark.parametrize("name", ["search", "ismcts", "clairvoyant"])
def test_a_budget_out_of_range_is_refused(name: str, budget: str) -> None:
    bot = strategies.find("uplink", f"{name}:{budget}")
    with pytest.raises(UserError, match=r"^iterations = .*: must be from 1 to 1,000,000 "):
        Batch(drafts.load("uplink/v1.1"), [bot] * 4, 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_larger_budget_wins(game: str) -> None:
    """Eight times the iterations, two seats each, over the same deals: more is better beyond noise."""
    names = {"uplink": "v1.1", "daifugo": "plain", "ninepeak": "draft11"}
    changes = ["rules.games=1"] if game == "daifugo" else []
    draft: Draft = drafts.load(f"{game}/{names[game]}", changes)
    much, little = strategies.find(game, "search:320"), strategies.find(game, "search:40")
    batch = Batch(draft, [much, little, much, little], 11)
    scores = batch.play(0, 400).scores.astype(float)
    seats = np.array(
        [[batch.bot_at(turn, seat) == much.name for seat in range(4)] for turn in range(batch.period)]
    )
    is_much = np.tile(seats, (200, 1))
    gap = (
        (np.where(is_much, scores, 0).sum(1) - np.where(is_much, 0, scores).sum(1))
        .reshape(-1, batch.period)
        .mean(1)
    )
    assert gap.mean() > 1.645 * gap.std(ddof=1) / np.sqrt(len(gap))
