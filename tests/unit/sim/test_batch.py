"""Batches: exact totals whatever the split, distinct matches, fair rotation, runs cut short."""

from __future__ import annotations

import dataclasses
import itertools
import random
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sim import batch, drafts, loop, moments, registry
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft
from sim.errors import UserError
from sim.table import Table
from strategies import registry as strategies
from tests import support
from tests import support_daifugo as daifugo
from tests import support_ninepeak as ninepeak

BASE = drafts.load("uplink/v1.1")
FOUR = "random,first,random,first"
MIXED = "random,first,first,first"


def lineup(text: str = MIXED, game: str = "uplink") -> list[Bot]:
    return strategies.lineup(game, len(text.split(",")), text)


def draft_for(game: str, players: int, **rules: Any) -> Draft:
    if game == "uplink":
        return support.draft_of({"players": players, **rules})
    if game == "ninepeak":
        return ninepeak.draft_of({"players": players, "hand_size": 8, **rules})
    return daifugo.draft_of({"players": players, "games": 2, "jokers": 1, **rules})


def a_batch(text: str = MIXED, seed: int = 1, game: str = "uplink", **options: Any) -> Batch:
    return Batch(draft_for(game, len(text.split(","))), lineup(text, game), seed, **options)


GAMES = ("uplink", "daifugo", "ninepeak")
each_game = pytest.mark.parametrize("game", GAMES)


# ---- exact totals ---------------------------------------------------------------------------------------


@each_game
def test_any_split_at_blocks_gives_the_same_rows(game: str) -> None:
    whole_rows, whole_scores, whole_labels = a_batch(game=game).play(0, 4 * 50)
    dice = random.Random(1)
    for _ in range(5):
        cuts = [0, *sorted(dice.sample(range(1, 50), 4)), 50]
        parts = [a_batch(game=game).play(4 * a, 4 * (b - a)) for a, b in itertools.pairwise(cuts)]
        assert np.array_equal(np.concatenate([part.rows for part in parts]), whole_rows)
        assert np.array_equal(np.concatenate([part.scores for part in parts]), whole_scores)
        assert np.array_equal(np.concatenate([part.labels for part in parts]), whole_labels)
    # Four players share out few points in two games of Daifugō; the rows tell the matches apart.
    assert len(np.unique(whole_scores, axis=0)) > (40 if game == "daifugo" else 150)
    assert len(np.unique(whole_rows, axis=0)) == 50


@each_game
@pytest.mark.parametrize("matches", [1, 3, 4, 203, 2000])
def test_totals_do_not_depend_on_threads(matches: int, game: str) -> None:
    runs = [batch.run([a_batch(game=game)], matches, threads=threads).totals[0] for threads in (1, 2, 5)]
    assert support.same_totals(runs[0], runs[1])
    assert support.same_totals(runs[0], runs[2])
    assert runs[0].matches == matches
    assert runs[0].blocks == -(-matches // 4)
    assert sum(counts.total() for counts in runs[0].scores.values()) == 4 * matches


@pytest.mark.parametrize(("growth", "most"), [(1, 1), (2, 3), (8, 32768), (100, 64)])
def test_totals_do_not_depend_on_the_size_of_the_pieces(
    growth: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = batch.run([a_batch(), a_batch(FOUR)], 500, threads=1).totals
    monkeypatch.setattr(batch, "_GROWTH", growth)
    monkeypatch.setattr(batch, "_MAX_PART_MATCHES", most)
    monkeypatch.setattr(batch, "_PART_SECONDS", 10.0)
    came = batch.run([a_batch(), a_batch(FOUR)], 500, threads=2).totals
    assert all(support.same_totals(one, other) for one, other in zip(wanted, came, strict=True))


@each_game
def test_totals_are_the_sums_of_the_rows(game: str) -> None:
    """Against plain numpy, the products with the run compared against included."""
    changes = {"uplink": {"left_behind": 2}, "daifugo": {"skip": False}, "ninepeak": {"area_size": 12}}
    drafts_of_two = [draft_for(game, 4), draft_for(game, 4, **changes[game])]
    batches = [Batch(draft, lineup(game=game), 5) for draft in drafts_of_two]
    totals = batch.run(batches, 402, threads=2).totals
    rows = [one.play(0, 402)[0] for one in batches]
    x = [
        np.stack([r[:, list(m.numerator)].sum(axis=1) for m in one.measures.list])
        for one, r in zip(batches, rows, strict=True)
    ]
    d = [
        np.stack([r[:, list(m.denominator)].sum(axis=1) for m in one.measures.list])
        for one, r in zip(batches, rows, strict=True)
    ]
    zero = np.zeros(len(x[0]))
    for k in range(2):
        own = [x[k].sum(1), d[k].sum(1), (x[k] ** 2).sum(1), (x[k] * d[k]).sum(1), (d[k] ** 2).sum(1)]
        cross = [(a[1] * b[0]).sum(1) for a in (x, d) for b in (x, d)] if k else [zero] * 4
        assert (totals[k].sums == np.array([*own, *cross], dtype=np.int64).astype(object)).all()
    assert [moments.XX0, moments.XD0, moments.DX0, moments.DD0] == [5, 6, 7, 8]


def test_rows_add_up_match_by_match() -> None:
    """Wins, ties, scores, decisions and events of a run, from its matches replayed on the table."""
    the_batch = a_batch("random,first,random", seed=11)
    rows, scores = the_batch.play(0, 12)[:2]
    value = {
        m.key: rows[:, list(m.numerator)].sum() / rows[:, list(m.denominator)].sum() / m.scale
        for m in the_batch.measures.list
        if rows[:, list(m.denominator)].sum()
    }
    games = [support.replayed(the_batch, match) for match in range(12)]
    ends = [table.inspect() for table, _, _ in games]
    for seat in range(3):
        assert value["score", "seat", seat] == pytest.approx(np.mean([end["scores"][seat] for end in ends]))
        shares = [(seat in end["winners"]) / len(end["winners"]) for end in ends]
        assert value["win", "seat", seat] == pytest.approx(np.mean(shares))
        taken = sum(end["events"]["tricks_by_seat"][seat] for end in ends)
        assert value["event", "trick_share", seat, 0] == pytest.approx(taken / (12 * 20))
    assert value[("ties",)] == np.mean([len(end["winners"]) > 1 for end in ends])
    assert value[("decisions",)] == np.mean([decisions for _, decisions, _ in games]) == 3 + 20 * 4
    assert value[("branching",)] == sum(b for *_, b in games) / sum(n for _, n, _ in games)
    pairs = [end["events"]["heart_pairs"] for end in ends]
    assert value["event", "heart_pairs", 0] == pytest.approx(np.mean(pairs))
    assert sum(pairs) > 0
    for name in ("random", "first"):
        own = [
            end["scores"][seat]
            for m, end in enumerate(ends)
            for seat in range(3)
            if the_batch.bot_at(m % 3, seat) == name
        ]
        assert value["score", "bot", name] == pytest.approx(np.mean(own))
        taken = sum(
            end["events"]["tricks_by_seat"][seat]
            for m, end in enumerate(ends)
            for seat in range(3)
            if the_batch.bot_at(m % 3, seat) == name
        )
        assert value["bot_event", "trick_share", name, 0] == pytest.approx(taken / (12 * 20))
    assert np.array_equal(scores, [end["scores"] for end in ends])


@pytest.mark.parametrize("games", [1, 4])
def test_rows_add_up_game_by_game(games: int) -> None:
    """Daifugō's counts by seat, by bot and from place to place, from its matches replayed on the table."""
    names = ["heuristic", "random", "random"]
    the_batch = Batch(draft_for("daifugo", 3, games=games), lineup(",".join(names), "daifugo"), 12)
    rows, _ = the_batch.play(0, 12)[:2]
    value = {
        m.key: rows[:, list(m.numerator)].sum() / rows[:, list(m.denominator)].sum() / m.scale
        for m in the_batch.measures.list
        if rows[:, list(m.denominator)].sum()
    }
    places: Counter[tuple[Any, int]] = Counter()
    left: Counter[Any] = Counter()
    moves: Counter[tuple[int, int]] = Counter()
    events: Counter[str] = Counter()
    for match in range(12):
        table, _, _ = support.replayed(the_batch, match)
        tally = table.state["seat_tally"]
        for seat in range(3):
            bot = the_batch.bot_at(match % the_batch.period, seat)
            for whose in (seat, bot):
                left[whose] += int(tally[seat][8])
                places.update({(whose, place): int(tally[seat][place]) for place in range(8)})
        first = daifugo.GAME.state.TRANSITIONS
        for row, column in itertools.product(range(8), repeat=2):
            moves[row, column] += int(table.state["tally"][first + 8 * row + column])
        events.update(table.inspect()["events"])
    assert places.total() == 2 * 12 * games * 3
    assert moves.total() == 12 * (games - 1) * 3
    assert all(max(row, column) < 3 for (row, column), count in moves.items() if count)
    for seat, place in itertools.product(range(3), repeat=2):
        assert value["event", "places", seat, place] == pytest.approx(places[seat, place] / (12 * games))
    assert ("event", "places", 0, 3) not in value, "there are no more places than players"
    for seat in range(3):
        assert value["event", "cards_left", seat, 0] == pytest.approx(left[seat] / (12 * games))
        assert value["win", "seat", seat] == pytest.approx(places[seat, 0] / (12 * games))
    for bot, seats in (("heuristic", 1), ("random", 2)):
        assert value["win", "bot", bot] == pytest.approx(places[bot, 0] / (12 * games * seats))
        assert value["bot_event", "cards_left", bot, 0] == pytest.approx(left[bot] / (12 * games * seats))
        for place in range(3):
            share = places[bot, place] / (12 * games * seats)
            assert value["bot_event", "places", bot, place] == pytest.approx(share)
    for row, column in itertools.product(range(3), repeat=2):
        total = sum(moves[row, other] for other in range(3))
        key = ("event", "place_transitions", 3 * row + column)
        assert (key in value) == (total > 0)
        if total:
            assert value[key] == pytest.approx(moves[row, column] / total)
    for name in ("plays", "passes", "tricks", "skip", "bomber", "foul_bomber", "lead_changes"):
        assert value["event", name, 0] == pytest.approx(events[name] / (12 * games)), name


@pytest.mark.nojit
@pytest.mark.boundscheck
@pytest.mark.parametrize(
    ("text", "fixed", "game"),
    [
        (text, fixed, game)
        for text, fixed in ((MIXED, False), (FOUR, False), ("random,first", False), (MIXED, True))
        for game in GAMES
        if not (game == "ninepeak" and text == "random,first")  # two cannot play it
    ],
)
def test_a_match_of_a_batch_replays_on_the_table(text: str, fixed: bool, game: str) -> None:
    the_batch = a_batch(text, seed=2**63 - 1, game=game, fixed_seats=fixed)
    _, scores = the_batch.play(0, 24)[:2]
    for match in (0, 1, 5, 23):
        table, *_ = support.replayed(the_batch, match)
        assert table.inspect()["scores"] == list(scores[match])


# ---- distinct matches -----------------------------------------------------------------------------------


def test_distinct_seeds_and_indices_give_distinct_matches() -> None:
    first_hands = [tuple(Table(BASE, seed=3, deal=deal).inspect()["hands"]) for deal in range(2000)]
    assert len(set(first_hands)) == 2000
    other_seeds = [tuple(Table(BASE, seed=seed, deal=0).inspect()["hands"]) for seed in range(2000)]
    assert len({*first_hands, *other_seeds}) == 4000 - 1  # seed 3, deal 0 is in both
    # Whole matches: of random players the same hands in the same seats still go differently.
    _, scores = a_batch("random,random,random,random", fixed_seats=True).play(0, 500)[:2]
    assert len(np.unique(scores, axis=0)) > 490
    finals = {a_batch(seed=seed).play(0, 1)[1].tobytes() for seed in range(100)}
    assert len(finals) > 95


def test_seats_of_the_first_deal_are_dealt_alike() -> None:
    """Each card is in each seat's first hand equally often."""
    counts = np.zeros((4, 52))
    for deal in range(4000):
        for seat, hand in enumerate(Table(BASE, seed=8, deal=deal).state["hands"]):
            counts[seat] += [int(hand) >> card & 1 for card in range(52)]
    share = 6 / 52
    for seat in range(4):
        statistic = ((counts[seat] - 4000 * share) ** 2).sum() / (4000 * share * (1 - share)) * 51 / 52
        assert support.stats.chi2.sf(statistic, 51) > 1e-4


# ---- rotation -------------------------------------------------------------------------------------------


class Recorder:
    """Bots in plain Python that play the first move and note who sat where with which first hand."""

    def __init__(self) -> None:
        self.matches: list[dict[int, tuple[str, int]]] = []

    def bot(self, name: str) -> Bot:
        def decide(view: Any, rules: Any, me: Any) -> int:
            if view["phase"] == 0:
                if view["turn"] == 0:
                    self.matches.append({})
                self.matches[-1][int(view["seat"])] = (name, int(view["hand"]))
            return int(support.ENGINE.nth_move(view, rules, 0))

        return Bot(name, "uplink", decide, jitted=False)


@pytest.mark.parametrize(
    ("names", "fixed", "period"),
    [
        ("abcd", False, 4),
        ("aabb", False, 4),
        ("abab", False, 2),
        ("aaaa", False, 1),
        ("abcd", True, 1),
        ("abc", False, 3),
    ],
)
def test_every_deal_is_played_in_every_rotation(names: str, fixed: bool, period: int) -> None:
    recorder = Recorder()
    players = len(names)
    line = [recorder.bot(name) for name in names]
    the_batch = Batch(support.draft_of({"players": players, "games": 1}), line, 4, fixed_seats=fixed)
    assert the_batch.period == period
    rows, _ = the_batch.play(0, 3 * period)[:2]
    assert len(recorder.matches) == 3 * period
    assert len(rows) == 3
    for match, seats in enumerate(recorder.matches):
        turn = 0 if fixed else match % period
        assert [seats[seat][0] for seat in range(players)] == [
            names[(seat - turn) % players] for seat in range(players)
        ]
        assert [the_batch.bot_at(match % period, seat) for seat in range(players)] == [
            seats[s][0] for s in range(players)
        ]
        block_head = recorder.matches[match - match % period]
        assert [seats[seat][1] for seat in range(players)] == [block_head[seat][1] for seat in range(players)]
    hands = {tuple(hand for _, hand in seats.values()) for seats in recorder.matches}
    assert len(hands) == 3
    # Over a block each bot has sat in each seat equally often.
    for block in range(3):
        sat = Counter(
            (name, seat)
            for seats in recorder.matches[block * period :][:period]
            for seat, (name, _) in seats.items()
        )
        if not fixed:
            assert all(
                sat[name, seat] == period * names.count(name) / players
                for name in names
                for seat in range(players)
            )


@each_game
def test_the_last_block_may_be_partial(game: str) -> None:
    rows, scores = a_batch(game=game).play(4, 6)[:2]
    assert [int(row[loop.MATCHES]) for row in rows] == [4, 2]
    whole_rows, whole_scores = a_batch(game=game).play(4, 8)[:2]
    assert np.array_equal(scores, whole_scores[:6])
    assert np.array_equal(rows[0], whole_rows[0])
    for row in rows:
        plays = row[loop.FIXED : loop.FIXED + 8]
        assert plays.sum() == 4 * row[loop.MATCHES]
    assert a_batch(game=game).play(8, 0)[0].shape[0] == 0


@each_game
def test_wins_are_shared_out_whole(game: str) -> None:
    """One to a match of Uplink or 9 Peak, one to each game of Daifugō."""
    the_batch = a_batch(game=game)
    rows, _ = the_batch.play(0, 400)[:2]
    cells = 8
    wins = rows[:, loop.FIXED + cells : loop.FIXED + 2 * cells].sum(axis=1)
    whole = registry.find(game).engine.WIN * the_batch.draft.options.counted_games
    assert (wins == whole * rows[:, loop.MATCHES]).all()
    assert rows[:, loop.TIES].sum() > 0


# ---- interrupted ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jitted", [True, False])
def test_an_interrupted_run_is_a_shorter_run(jitted: bool) -> None:
    line = [dataclasses.replace(bot, jitted=jitted) for bot in lineup()]
    told: list[int] = []

    def on_progress(done: int) -> None:
        told.append(done)
        if done >= 20:
            raise KeyboardInterrupt

    result = batch.run(
        [Batch(BASE, line, 6), Batch(BASE, line, 6)], 10**9, threads=2, on_progress=on_progress
    )
    assert not result.complete
    assert told == sorted(set(told))
    done = result.totals[0].matches
    assert done == told[-1] < 10**6
    again = batch.run([Batch(BASE, line, 6), Batch(BASE, line, 6)], done)
    assert again.complete
    assert all(
        support.same_totals(one, other) for one, other in zip(result.totals, again.totals, strict=True)
    )


@pytest.mark.parametrize("cuts", [[0, 1, 2, 30], [0, 12, 13, 26, 30]])
def test_runs_of_blocks_in_a_row_add_up_to_the_whole(cuts: list[int]) -> None:
    """Also with a draft of other blocks, and a last block that is not whole."""
    batches = [a_batch(), a_batch(FOUR), a_batch("random,random,random,random")]
    wanted = batch.run(batches, 90, threads=2).totals
    came = [one.totals() for one in batches]
    for start, stop in itertools.pairwise(cuts):
        result = batch.run(batches, 90, blocks=range(start, stop), threads=2)
        assert result.complete
        for total, part in zip(came, result.totals, strict=True):
            total.add(part)
    rest = batch.run(batches, 90, blocks=range(30, 10**6), threads=2)
    for total, part in zip(came, rest.totals, strict=True):
        total.add(part)
    assert [total.matches for total in came] == [90, 90, 90]
    assert all(support.same_totals(one, other) for one, other in zip(wanted, came, strict=True))
    beyond = batch.run(batches, 90, blocks=range(90, 100))
    assert (beyond.complete, beyond.totals[0].matches) == (True, 0)


@pytest.mark.parametrize("cuts", [[0, 30], [0, 1, 2, 30], [0, 12, 13, 26, 30]])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("jitted", [True, False])
def test_the_scores_of_the_first_blocks_are_kept_in_order(
    cuts: list[int], threads: int, jitted: bool
) -> None:
    mixed, same = (
        Batch(BASE, [dataclasses.replace(bot, jitted=jitted) for bot in lineup(text)], 1)
        for text in (MIXED, "random,random,random,random")
    )
    came = [mixed.totals(), same.totals()]
    for start, stop in itertools.pairwise(cuts):
        result = batch.run([mixed, same], 90, blocks=range(start, stop), keep=25, threads=threads)
        for total, part in zip(came, result.totals, strict=True):
            total.add(part)
    # Blocks of four matches, of which the last of the 90 is not whole, and of one.
    assert np.array_equal(came[0].kept, mixed.play(0, 90).scores)
    assert np.array_equal(came[1].kept, same.play(0, 25).scores)
    assert len(batch.run([mixed], 90, keep=5).totals[0].kept) == 20


def test_no_scores_are_kept_unless_asked_for() -> None:
    found = batch.run([a_batch()], 90, threads=2).totals[0]
    assert found.kept.shape == (0, 4)
    beyond = batch.run([a_batch()], 90, blocks=range(10, 20), keep=10).totals[0]
    assert beyond.kept.shape == (0, 4)


# ---- refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_refused_seeds(seed: int) -> None:
    with pytest.raises(UserError, match=f"seed {seed}: must be from 0 to"):
        a_batch(seed=seed)


def test_the_lineup_must_fit_the_draft() -> None:
    with pytest.raises(UserError, match=r"the line-up has 3 bots and uplink/v1\.1 has 4 players"):
        Batch(BASE, lineup("first,first,first"), 1)


def test_nobody_spins_while_the_next_part_is_still_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spinning would take the interpreter from the threads that play."""
    waits: list[float] = []
    play, wait = batch._play_part, batch.wait

    def slow_first(batches: list[Batch], first: int, *rest: int) -> Any:
        if first == 0:
            time.sleep(0.5)
        return play(batches, first, *rest)

    def counted(*args: Any, **options: Any) -> Any:
        waits.append(options["timeout"])
        return wait(*args, **options)

    monkeypatch.setattr(batch, "_play_part", slow_first)
    monkeypatch.setattr(batch, "wait", counted)
    found = batch.run([a_batch("random,random,random,random")], 8, threads=2)
    assert found.totals[0].matches == 8
    assert len(waits) <= 8 + 0.5 / 0.2 + 1
