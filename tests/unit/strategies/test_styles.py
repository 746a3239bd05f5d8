"""Playing styles: what each parameter does to how the players play."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from sim import bots, drafts, registry, rng
from sim.batch import Batch
from sim.cards import RANKS
from sim.errors import UserError
from sim.table import Table
from strategies import registry as strategies
from strategies import styles

GAMES = registry.names()
DRAFTS = {"uplink": "uplink/v1.1", "daifugo": "daifugo/author", "ninepeak": "ninepeak/draft11"}


def scores_of(game: str, bot: str, other: str = "heuristic", deals: int = 300) -> tuple[float, float]:
    """Return by how many points a bot does better than another at one table, half the seats each, and the error."""
    draft = drafts.load(DRAFTS[game])
    lineup = [strategies.find(game, name) for name in (bot, other)] * (draft.players // 2)
    batch = Batch(draft, lineup, 1)
    scores = batch.play(0, deals * batch.period).scores.astype(float)
    own = np.array([[batch.bot_at(match % batch.period, seat) == bot for seat in range(draft.players)]
                    for match in range(len(scores))])  # fmt: skip
    gap = np.where(own, scores, -scores).sum(axis=1).reshape(deals, -1).mean(axis=1) / (draft.players / 2)
    return float(gap.mean()), float(gap.std(ddof=1) / np.sqrt(deals))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", sorted(styles.NAMES))
def test_a_style_is_a_setting_of_parameters(game: str, style: str) -> None:
    plain = dict(strategies.find(game, "heuristic").parameters)
    named = strategies.find(game, f"heuristic:{style}")
    values = dict(zip(plain, named.params, strict=True))
    assert values == {**plain, **styles.NAMES[style]}
    assert named.name == f"heuristic:{style}"
    assert strategies.find(game, f"heuristic:{style}:error=0.5").params[styles.ERROR] == 0.5


@pytest.mark.parametrize("game", GAMES)
def test_styles_of_neutral_values_change_nothing(game: str) -> None:
    assert all(value == 0.0 for value in styles.PARAMETERS.values())
    draft = drafts.load(DRAFTS[game])
    plain = strategies.find(game, "heuristic")
    same = strategies.find(game, "heuristic:caution=0:hoard=0:error=0")
    rows = [Batch(draft, [bot] * draft.players, 3).play(0, 50).scores for bot in (plain, same)]
    assert (rows[0] == rows[1]).all()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", ["cautious", "reckless", "hoarder", "beginner"])
def test_a_style_plays_otherwise(game: str, style: str) -> None:
    draft = drafts.load(DRAFTS[game])
    plain, styled = (strategies.find(game, f"heuristic{setting}") for setting in ("", f":{style}"))
    rows = [Batch(draft, [bot] * draft.players, 3).play(0, 200).scores for bot in (plain, styled)]
    assert (rows[0] != rows[1]).any(axis=1).mean() > 0.2


@pytest.mark.parametrize("game", GAMES)
def test_the_more_errors_the_worse(game: str) -> None:
    gaps = [scores_of(game, f"heuristic:error={error}") for error in (0.1, 0.4, 1.0)]
    better = [0.0, *(gap for gap, _ in gaps)]
    for (_, error), before, after in zip(gaps, better[:-1], better[1:], strict=True):
        assert after < before - 2 * error


@pytest.mark.parametrize("game", GAMES)
def test_nothing_but_errors_is_random(game: str) -> None:
    draft = drafts.load(DRAFTS[game])
    slips = strategies.find(game, "heuristic:error=1")
    random = dataclasses.replace(strategies.find(game, "random"), name="r")
    lineup = [slips, random] * (draft.players // 2)
    batch = Batch(draft, lineup, 1)
    gap, error = scores_of(game, "heuristic:error=1", "random", 1000)
    assert batch.period == 2
    assert abs(gap) < 4 * error


def strength(table: Table, move: str) -> float:
    """Return the strength of the card that a move of Uplink plays."""
    return float(RANKS.index(move.split()[1][1:]))


def is_pass(table: Table, move: str) -> float:
    return float(move.startswith("pass"))


def answers(name: str, tables: list[Table]) -> list[str]:
    """Return what a bot does at each table."""
    found = []
    for number, table in enumerate(tables):
        bot = strategies.find(table.draft.game, name)
        record = bots.players([bot], table.rules)[0]
        rng.open_stream(record["stream"], 1, number, rng.SEAT, 0)
        found.append(table.move_text(int(bots.compiled(bot)(table.view(), table.rules, record))))
    return found


@pytest.mark.parametrize(
    ("game", "verb", "measure", "sign"),
    [
        ("uplink", "play", strength, -1),  # keeps what is strong
        ("daifugo", "p", is_pass, 1),  # rather passes
        ("ninepeak", "p", is_pass, 1),  # waits for greater sets
    ],
)
def test_a_hoarder_keeps_cards_for_later(
    game: str, verb: str, measure: Callable[[Table, str], float], sign: int
) -> None:
    tables = []
    for deal in range(12):
        table = Table(drafts.load(DRAFTS[game]), seed=2, deal=deal)
        while not table.over:
            (move,) = answers("heuristic", [table])
            if move.startswith(verb) and table.count_moves() > 1:
                tables.append(table.copy())
            table.play(move)
    means = [
        np.mean([measure(table, move) for table, move in zip(tables, answers(name, tables), strict=True)])
        for name in ("heuristic:hoard=-1", "heuristic", "heuristic:hoarder")
    ]
    assert sign * means[0] < sign * means[1] < sign * means[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("heuristic:hoardr", "did you mean 'hoarder'"),
        ("heuristic:error=2", "from 0 to 1"),
        ("heuristic:caution=9", "from -4 to 4"),
        ("random:cautious", "PARAMETER=VALUE"),
        ("heuristic:error=x", "must be a number"),
    ],
)
def test_what_is_no_style(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        strategies.find("uplink", text)
