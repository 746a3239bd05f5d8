"""Playing a ladder: line-ups, who is ahead, the same result however it is played."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.metrics.ratings import Duel
from experiments.play import decision_time
from experiments.play.duels import Deals
from experiments.studies.ladder import play as ladder
from experiments.studies.ladder.deal_budget import DealBudget, of_pairs
from experiments.studies.ladder.spec import Spec, usual
from sim import drafts
from sim.batch import Batch
from sim.errors import UserError
from sim.loop import DECISIONS
from strategies import registry as strategies

UPLINK = drafts.load("uplink/v1.1")
THREE = drafts.load("uplink/v1.1", ("rules.players=3",))

TWINS = '''
from sim import rng
from strategies import strategy

def decide(view, rules, me):
    """Plays at random."""
    move, choices, left = 0, view["choices"], 0
    for bit in range(52):
        left += (choices >> bit) & 1
    for _ in range(view["pick"]):
        card = rng.pick_bit(me["stream"], choices, left)
        choices &= ~card
        left -= 1
        move |= card
    return move

for name in ("castor", "pollux"):
    strategy("uplink", name)(decide)
'''


@pytest.fixture
def twins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    strategies.known("uplink")
    # Without what other tests have registered.
    ours = {
        key: bot for key, bot in strategies._bots.items() if bot.decide.__module__.startswith("strategies.")
    }
    monkeypatch.setattr(strategies, "_bots", ours)
    path = tmp_path / "twins.py"
    path.write_text(TWINS, encoding="utf-8")
    return path


def test_odd_tables_are_played_in_both_splits() -> None:
    spec = Spec(THREE, ["random", "first"], 5, 1)
    (table,) = spec.duels
    assert [[bot.name for bot in batch.lineup] for batch in table.batches] == [
        ["first", "random", "first"],
        ["first", "random", "random"],
    ]
    by_hand = []
    for batch, lineup in zip(table.batches, ("frf", "frr"), strict=True):
        scores = batch.play(0, 15).scores
        for match, row in enumerate(scores):
            seats = [lineup[(seat - match % 3) % 3] for seat in range(3)]
            pairs = [(a, b) for a in range(3) for b in range(3) if seats[a] == "f" and seats[b] == "r"]
            by_hand.append(np.mean([(np.sign(row[a] - row[b]) + 1) / 2 for a, b in pairs]))
    assert table.play(0, 5).ahead == pytest.approx(np.array(by_hand).reshape(2, 5, 3).mean(axis=(0, 2)))
    assert table.play(2, 3).ahead == pytest.approx(table.play(0, 5).ahead[2:])


# ---- playing --------------------------------------------------------------------------------------------


def test_the_result_is_the_same_for_any_threads_and_any_order_of_bots() -> None:
    names = ["random", "first", "greedy", "heuristic"]
    one = ladder.play(Spec(UPLINK, names, 70, 3), threads=1)
    other = ladder.play(Spec(UPLINK, names[::-1], 70, 3), threads=3)
    assert ladder.duel_rows(one) == ladder.duel_rows(other)
    assert ladder.rating_rows(one) == ladder.rating_rows(other)
    assert [bot.name for bot in one.bots] == ["heuristic", "greedy", "random", "first"]
    assert one.complete
    # A duel does not depend on who else plays.
    alone = ladder.play(Spec(UPLINK, ["greedy", "heuristic"], 70, 3))
    (row,) = ladder.duel_rows(alone)
    assert row["value"] == ladder.duel_rows(one)[0]["value"]


def test_a_stopped_ladder_is_that_of_its_first_deals() -> None:
    done: list[int] = []
    spec = Spec(UPLINK, ["random", "first", "greedy"], 100_000, 3)
    stopped = ladder.play(spec, threads=2, on_progress=done.append, stop=lambda: done[-1] > 300)
    assert not stopped.complete
    assert 2 <= stopped.budget.deals < 100_000
    again = ladder.play(Spec(UPLINK, ["random", "first", "greedy"], stopped.budget.deals, 3))
    assert again.complete
    assert ladder.duel_rows(again) == ladder.duel_rows(stopped)
    assert ladder.rating_rows(again) == ladder.rating_rows(stopped)


def test_pairs_that_search_play_the_first_of_the_same_deals() -> None:
    names = ["random", "first", "search:2"]
    found = ladder.play(Spec(UPLINK, names, 70, 3, search_deals=12), threads=2)
    assert found.budget == (70, 12)
    rows = {(row["first"], row["second"]): row for row in ladder.duel_rows(found)}
    assert sorted(row["deals"] for row in rows.values()) == [12, 12, 70]
    for pair, row in rows.items():
        (alone,) = ladder.duel_rows(ladder.play(Spec(UPLINK, list(pair), row["deals"], 3)))
        assert (row["value"], row["deals"]) == (alone["value"], alone["deals"])
    assert {row["bot"]: row["deals"] for row in ladder.rating_rows(found)} == {
        "random": 70, "first": 70, "search:2": 12,
    }  # fmt: skip
    again = ladder.play(Spec(UPLINK, names[::-1], 70, 3, search_deals=12), threads=1)
    assert ladder.duel_rows(again) == ladder.duel_rows(found)
    assert ladder.rating_rows(again) == ladder.rating_rows(found)


def test_a_stopped_ladder_is_cut_to_what_all_pairs_of_a_kind_have_played() -> None:
    names, done = ["random", "first", "search:2"], [0]
    spec = Spec(UPLINK, names, 20_000, 3, search_deals=2_000)
    stopped = ladder.play(spec, threads=2, on_progress=done.append, stop=lambda: done[-1] > 1_500)
    assert not stopped.complete
    deals, search_deals = stopped.budget
    assert search_deals is not None
    # All are about equally far, by the share of their own deals.
    assert 400 < deals < 1_500
    assert search_deals / 2_000 == pytest.approx(deals / 20_000, abs=0.07)
    again = ladder.play(Spec(UPLINK, names, deals, 3, search_deals=search_deals))
    assert ladder.duel_rows(again) == ladder.duel_rows(stopped)
    assert ladder.rating_rows(again) == ladder.rating_rows(stopped)


def test_a_stopped_ladder_counts_no_deal_beyond_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: Any) -> Iterator[tuple[int, int, Any]]:
        for start, ahead in ((0, np.array([0.0, 1.0, 0.5])), (4, np.array([1.0]))):
            yield 0, start, Deals(ahead, ahead, ahead**2)

    monkeypatch.setattr(ladder.scheduler, "play", play)
    done = [0]
    spec = Spec(UPLINK, ["random", "first"], 9, 1)
    stopped = ladder.play(spec, on_progress=done.append, stop=lambda: done[-1] == 4)
    assert stopped.budget.deals == 3


@pytest.mark.parametrize(
    ("counts", "played"),
    [
        ([9, 7, 5, 4], (7, 4)),
        ([9, 7, 8, 8], (7, 7)),  # a pair that searches may be further than one that does not
        ([9, 7, 0, 4], (7, 0)),
    ],
)
def test_each_kind_of_pair_has_the_deals_that_all_of_it_have(
    counts: list[int], played: tuple[int, int]
) -> None:
    searching = [False, False, True, True]
    found = of_pairs(searching, counts)
    assert found == played
    assert found.of(searching) == [played[0]] * 2 + [played[1]] * 2


@pytest.mark.parametrize(
    ("draft", "bots", "deals", "asked"),
    [
        ("uplink/v1.1", "random first", 2000, (2000, None)),
        ("uplink/v1.1", "random first ismcts:5", 2000, (2000, 200)),
        ("uplink/v1.1", "random search:5", 2000, (200, 200)),
        ("uplink/v1.1", "random first search:5", 40, (40, 40)),
        ("daifugo/plain", "random first search:5", 2000, (2000, 60)),
        ("daifugo/plain rules.games=1", "random first search:5", 2000, (2000, 200)),
    ],
)
def test_a_pair_that_searches_plays_fewer_deals_unless_told(
    draft: str, bots: str, deals: int, asked: tuple[int, int | None]
) -> None:
    name, *changes = draft.split()
    found = Spec(drafts.load(name, changes), bots.split(), deals, 1)
    assert found.asked == asked
    assert found.asked == DealBudget(max(found.goals), min(found.goals) if asked[1] else None)


def test_stopped_at_once_there_is_nothing_to_report() -> None:
    with pytest.raises(UserError, match="two deals"):
        ladder.play(Spec(UPLINK, ["random", "first"], 100, 3), stop=lambda: True)


def test_equals_are_found_equal_in_95_of_100_ladders(twins: Path) -> None:
    hits, runs = 0, 300
    (table,) = Spec(UPLINK, ["castor", "pollux"], 2, 1, twins).duels
    table.warm_up()
    # Other deals of one seed are as good as other seeds, and need no other tables.
    for number in range(runs):
        low, high = Duel(table.play(25 * number, 25).ahead).interval()
        hits += low <= 0.5 <= high
    assert 0.91 <= hits / runs <= 0.985


def test_the_usual_bots_are_fast_and_honest(twins: Path) -> None:
    names = usual("uplink")
    assert {"first", "greedy", "heuristic", "random", "search:1000"} <= set(names)
    assert not {"search", "ismcts", "clairvoyant"} & set(names)
    players = Spec(UPLINK, [], 5, 1, twins).players
    assert [bot.name for bot in players] == sorted([*names, "castor", "pollux"])
    assert not any(bot.cheats for bot in players)


def test_bots_in_plain_python_play_too(tmp_path: Path, twins: Path) -> None:
    text = TWINS.replace('strategy("uplink", name)', 'strategy("uplink", name, jit=False)')
    plain = tmp_path / "plain.py"
    plain.write_text(text.replace('"castor", "pollux"', '"abel", "cain"'), encoding="utf-8")
    found = ladder.play(Spec(UPLINK, ["abel", "first"], 3, 1, plain), threads=2)
    jitted = ladder.play(Spec(UPLINK, ["castor", "first"], 3, 1, twins), threads=2)
    assert found.standing.duels[0, 1].value == jitted.standing.duels[0, 1].value


@pytest.mark.parametrize(
    ("names", "deals", "message"),
    [
        (["random"], 10, "two bots or more"),
        (["random", "first", "random"], 10, "random is named twice"),
        (["random", "fist"], 10, "did you mean 'first'"),
        (["random", "first"], 1, "deals = 1: must be from 2 to 1,000,000"),
        (["random", "first"], 10**7, "to 1,000,000"),
    ],
)
def test_what_does_not_fit(names: list[str], deals: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        ladder.play(Spec(UPLINK, names, deals, 1))


# ---- the time of a decision -----------------------------------------------------------------------------


def test_a_slow_bot_is_not_measured_for_long() -> None:
    draft = drafts.load("daifugo/plain")
    decision_time.microseconds(draft, "search:2")  # compiled
    began = time.perf_counter()
    slow = decision_time.microseconds(draft, "search:2000")
    assert time.perf_counter() - began < 5
    assert (
        slow
        > 10 * decision_time.microseconds(draft, "search:20")
        > 10 * decision_time.microseconds(draft, "random")
        > 0
    )


class Ticks:
    """A clock that moves only between the two looks of a measurement: by `step`, and `factor` times as much each time."""

    def __init__(self, step: float, factor: float = 1.0) -> None:
        self.looks, self.now, self.step, self.factor = 0, 0.0, step, factor

    def __call__(self) -> float:
        self.looks += 1
        if self.looks % 2 == 0:
            self.now += self.step
            self.step *= self.factor
        return self.now


def test_a_slow_bot_is_asked_until_time_is_up() -> None:
    clock = Ticks(1e-3)
    assert decision_time.microseconds(UPLINK, "random", 0.0095, clock=clock) == pytest.approx(1000)
    assert clock.looks == 20


def test_a_fast_bot_plays_four_times_as_many_matches_until_they_take_long() -> None:
    # A decision of 10 µs, a match of 2 ms, and four of 400 ms.
    clock = Ticks(1e-5, 200)
    found = decision_time.microseconds(UPLINK, "random", 1e-6, clock=clock)
    bot = strategies.find("uplink", "random")
    decisions = Batch(UPLINK, [bot] * 4, 1, fixed_seats=True).play(0, 4).rows[:, DECISIONS].sum()
    assert found == pytest.approx(400e3 / decisions)
    assert clock.looks == 6


PAUSED = '''
import time

from strategies import strategy

@strategy("uplink", "paused", jit=False)
def paused(view, rules, me, _left=[1]):
    """Plays the last card, and once does nothing for a while first."""
    if _left:
        _left.pop()
        time.sleep(0.3)
    move, choices = 0, int(view["choices"])
    for _ in range(int(view["pick"])):
        top = 1 << (choices.bit_length() - 1)
        move, choices = move | top, choices & ~top
    return move
'''


def test_a_pause_in_which_others_work_is_not_counted(tmp_path: Path, twins: Path) -> None:
    path = tmp_path / "paused.py"
    path.write_text(PAUSED, encoding="utf-8")
    strategies.load_file(path)
    # By the wall clock the mean over the decisions of a match would be thousands.
    assert decision_time.microseconds(UPLINK, "paused") < 1000
