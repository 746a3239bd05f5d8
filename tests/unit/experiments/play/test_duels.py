"""Two bots at one table: who is ahead, who wins."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.play.duels import Table, ahead, lineups, seatings
from experiments.play.matches import MatchSpec as Spec
from experiments.play.matches import play
from sim import drafts
from strategies import registry as strategies


def test_ahead_counts_pairs_of_players() -> None:
    scores = np.array([[5, 1, 3, 2], [0, 9, 0, 9], [4, 4, 4, 4], [3, 3, 1, 5], [-5, -7, -9, -6]])
    first = np.array([[True, False, True, False]] * 5)
    assert ahead(scores, first).tolist() == [1, 0, 0.5, (0.5 + 0 + 0 + 0) / 4, 0.5]
    assert (ahead(scores, first) + ahead(scores, ~first) == 1).all()


def test_ahead_of_uneven_seats() -> None:
    scores = np.array([[3, 2, 1], [1, 2, 1]])
    assert ahead(scores, np.array([[True, False, False]] * 2)).tolist() == [1, 0.25]
    assert ahead(scores, np.array([[True, False, True]] * 2)).tolist() == [0.5, 0]


@pytest.mark.parametrize("players", range(2, 9))
def test_both_bots_sit_in_every_seat_as_often(players: int) -> None:
    random, first = (strategies.find("uplink", name) for name in ("random", "first"))
    found = [[bot.name for bot in lineup] for lineup in lineups(players, random, first)]
    assert len(found) == 1 + players % 2
    seats = [sum(lineup.count(name) for lineup in found) for name in ("random", "first")]
    assert seats[0] == seats[1]
    # Exchanging the bots gives a rotation of the same line-ups: neither has an advantage by its seat.
    turned = {tuple(lineup[turn:] + lineup[:turn]) for lineup in found for turn in range(players)}
    other = {"random": "first", "first": "random"}
    assert {tuple(other[name] for name in lineup) for lineup in turned} == turned


@pytest.mark.parametrize("players", [2, 3])
def test_squares_are_those_of_single_matches(players: int) -> None:
    draft = drafts.load("uplink/v1.1", (f"rules.players={players}",))
    random, first = (strategies.find("uplink", name) for name in ("random", "first"))
    seats = lineups(players, random, first)
    table = Table(draft, seats, 5)
    table.warm_up()
    deals = table.play(0, 20)
    assert seatings(seats) == (2 if players == 2 else 6)
    matches = []
    for batch in table.batches:
        turns = [
            [batch.bot_at(turn, seat) == "random" for seat in range(players)] for turn in range(batch.period)
        ]
        won = ahead(batch.play(0, 20 * batch.period).scores, np.array(turns * 20))
        matches.append(won.reshape(20, batch.period))
    by_match = np.concatenate(matches, axis=1)
    assert by_match.shape == (20, seatings(seats))
    assert deals.squares == pytest.approx((by_match**2).mean(axis=1))
    assert (deals.squares > deals.ahead**2 + 0.01).any()


@pytest.mark.parametrize("name", ["uplink/v1.1", "daifugo/plain"])
def test_shares_of_the_win_are_those_of_a_run(name: str) -> None:
    draft = drafts.load(name, ("rules.games=2",))
    first, second = (strategies.find(draft.game, bot) for bot in ("greedy", "random"))
    table = Table(draft, [[first] + [second] * (draft.players - 1)], 5)
    table.warm_up()
    deals = table.play(0, 50)
    others = ",random" * (draft.players - 1)
    run = play(Spec([draft], f"greedy{others}", 50 * draft.players, 5), threads=1).runs[0]
    assert deals.wins.mean() == pytest.approx(run.summary()["by_bot"]["greedy"]["win_share"])
    assert deals.wins.shape == deals.ahead.shape == (50,)
    assert np.array_equal(table.play(20, 30).wins, deals.wins[20:])
