"""Tic-tac-toe: random play as computed, perfect play that never loses, and search that sees what is at hand."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from sim import drafts
from sim.errors import UserError
from sim.table import Table
from tests import support
from tests import support_games as games
from tests.reference import tictactoe as twin

DRAFT = "tictactoe/standard"


def table_of(first: str, second: str) -> Table:
    return Table.from_position(drafts.load(DRAFT), {"marks": [first, second]})


# ---- the twin -------------------------------------------------------------------------------------------


def test_the_twin_counts_what_is_known() -> None:
    ends, length = twin.at_random()
    assert ends == {1: Fraction(737, 1260), -1: Fraction(121, 420), 0: Fraction(8, 63)}
    assert length == Fraction(3203, 420)
    assert twin.best(twin.Match().board) == 0


@pytest.mark.nojit
def test_engine_and_twin_agree() -> None:
    draft, dice, winners = drafts.load(DRAFT), random.Random(2), set()
    for deal in range(100):
        table = Table(draft, seed=2, deal=deal)
        games.lockstep(table, twin.Match(), dice)
        winners.add(tuple(table.inspect()["winners"]))
    assert winners == {(0,), (1,), (0, 1)}


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        (["a1", "a1"], "cannot come about"),
        (["a1 b1", ""], "cannot come about"),
        (["", "a1"], "cannot come about"),
        (["a1 b1 c1", "a2 b2"], "the match is over"),
        (["a1 d4", "a2 b2"], "unknown cell 'd4'"),
        (["a1"], "must be two strings"),
    ],
)
def test_positions_that_cannot_be(marks: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Table.from_position(drafts.load(DRAFT), {"marks": marks})


@pytest.mark.parametrize("move", [-1, 9, 64, 2**62, 4])
def test_a_number_that_is_no_empty_cell_is_refused(move: int) -> None:
    with pytest.raises(UserError, match="seat 1 may not mark"):
        table_of("b2", "").apply(move)


# ---- values ---------------------------------------------------------------------------------------------


def test_random_play_ends_as_it_should() -> None:
    run = games.run_of(DRAFT, "random,random", 200_000)
    ends, length = twin.at_random()
    found = run.estimates
    games.assert_near(found["score", "seat", 0], ends[1] - ends[-1], 0.0025)
    games.assert_near(found["win", "seat", 0], ends[1] + ends[0] / 2, 0.0012)
    games.assert_near(found["win", "seat", 1], ends[-1] + ends[0] / 2, 0.0012)
    games.assert_near(found["ties",], ends[0], 0.001)
    games.assert_near(found["decisions",], length, 0.005)


def test_perfect_play_ends_in_draws_and_never_loses() -> None:
    assert set(games.scores_of(DRAFT, "perfect,perfect", 500)) == {0}
    assert set(games.scores_of(DRAFT, "perfect,random", 3000)) == {0, 1}
    assert set(games.scores_of(DRAFT, "random,perfect", 3000)) == {-1, 0}


def test_perfect_play_is_best_on_every_board_it_meets() -> None:
    """By the twin: after its move the match is worth what it was worth before."""
    draft, dice = drafts.load(DRAFT), random.Random(3)
    seen = set()
    for seed in range(60):
        table, match = Table(draft), twin.Match()
        while not table.over:
            best = twin.best(match.board)
            seen.add(best)
            assert twin.best(match.after(games.choice("perfect", table, seed)).board) == best
            move = dice.choice(table.legal())
            table.play(move)
            match = match.after(move)
    assert seen == {-1, 0, 1}


def test_of_the_best_moves_perfect_play_takes_any() -> None:
    """All nine of the first are worth a draw; and on a board where two win and the third loses, either of the two."""
    table = Table(drafts.load(DRAFT))
    counts = Counter(games.choice("perfect", table, seed) for seed in range(1800))
    assert set(counts) == set(table.legal())
    assert support.chi_square_p(list(counts.values()), 200) > 1e-4
    fork = table_of("a1 b1 a2", "b2 c2 c3")
    assert {games.choice("perfect", fork, seed) for seed in range(40)} == {"mark c1", "mark a3"}


# ---- search ---------------------------------------------------------------------------------------------

each_search = pytest.mark.parametrize("name", ["search:1000", "ismcts:2000"])


@pytest.mark.parametrize(("name", "losses"), [("search:1000", 2), ("ismcts:2000", 0)])
def test_search_hardly_ever_loses_to_random_play(name: str, losses: int) -> None:
    """A tree sees a fork coming; without one, now and then a random player makes one."""
    first, second = games.scores_of(DRAFT, f"{name},random", 40), games.scores_of(DRAFT, f"random,{name}", 40)
    assert first.count(-1) + second.count(1) <= losses
    assert sum(first) - sum(second) > 40


WINS = [("a1 b1", "a2 b2", "mark c1"), ("b2 c3 b1", "a1 a2 c1", "mark b3"), ("a1 b1 c2", "a3 b3", "mark c3")]
BLOCKS = [("a1 c3", "b2 b1", "mark b3"), ("a1 a2", "b2", "mark a3"), ("b2 c3", "c1", "mark a1")]


@each_search
@pytest.mark.parametrize(("first", "second", "move"), [*WINS, *BLOCKS])
def test_search_wins_at_once_and_blocks(name: str, first: str, second: str, move: str) -> None:
    table = table_of(first, second)
    assert move in table.legal()
    assert games.choice(name, table) == move


@each_search
def test_search_gives_nothing_away_on_late_boards(name: str) -> None:
    """With at most five cells left, the match is worth after the move what it was worth before."""
    dice, looked_at = random.Random(4), 0
    for _ in range(40):
        match = twin.Match()
        while match.legal():
            moves = match.legal()
            if len(moves) <= 5 and len({twin.best(match.after(move).board) for move in moves}) > 1:
                looked_at += 1
                table = table_of(*match.inspect()["marks"])
                found = match.after(games.choice(name, table))
                assert twin.best(found.board) == twin.best(match.board), table.describe()
            match = match.after(dice.choice(moves))
    assert looked_at > 40
