"""How far the scores of drafts lie apart: those of the same deals, whatever the threads and the pieces."""

from __future__ import annotations

import gc
import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from experiments.metrics.scores import Distances
from experiments.studies.compare import distances
from experiments.studies.compare import play as comparison
from experiments.studies.compare.play import Comparison
from experiments.studies.compare.spec import Spec
from sim import drafts
from tests.support_metrics import at_most

MIXED = "random,first,first,first"
FEWER, MORE = ("points.K=-1",), ("points.K=-2",)


@pytest.fixture(autouse=True)
def no_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "collect", lambda: 0)  # statsmodels does in every correction


def spec_of(
    *changes: tuple[str, ...],
    levels: tuple[str, ...] = ("random",),
    matches: int = 600,
    seed: int = 1,
    until_decided: bool = False,
    stated: tuple[str, ...] = (),
) -> Spec:
    return Spec(
        [drafts.load("uplink/v1.1", change) for change in changes],
        lineups=levels, matches=matches, seed=seed, margins=stated, until_decided=until_decided,
    )  # fmt: skip


def told(found: Comparison) -> Any:
    return comparison.distance_rows(found)


def scores_of(found: Comparison, draft: int, blocks: int) -> Any:
    """Return the scores of a draft's first blocks, played anew."""
    the_batch = found.studies[0].batches[draft]
    return the_batch.play(0, blocks * the_batch.period).scores.ravel()


def is_scipys(apart: Distances, one: Any, other: Any) -> bool:
    found = [apart.wasserstein.value.value, apart.kolmogorov.value.value]
    return found == pytest.approx(
        [scipy_stats.wasserstein_distance(one, other), scipy_stats.ks_2samp(one, other).statistic]
    )


# ---- what is measured -----------------------------------------------------------------------------------


def test_a_draft_under_another_name_is_not_apart() -> None:
    (apart,) = comparison.play(spec_of((), ())).distances.values()
    for one in (apart.wasserstein, apart.kolmogorov):
        assert (one.value.value, one.value.low, one.value.high, one.alike, one.p) == (0, 0, 0, 0, 1)
        assert not one.beyond_noise
        assert one.value.blocks == 600


def test_drafts_that_bots_cannot_tell_apart_are_seldom_beyond_noise() -> None:
    """To bots that choose by lot it is all one which black queen has the points; but no deal comes out alike."""
    times = 40
    found = [
        comparison.play(spec_of(("points.CQ=4",), ("points.SQ=4",), matches=300, seed=seed)).distances[0, 1]
        for seed in range(times)
    ]
    assert all(one.wasserstein.value.value > 0 for one in found)
    assert sum(one.wasserstein.beyond_noise for one in found) <= at_most(times)
    assert sum(one.kolmogorov.beyond_noise for one in found) <= at_most(times)


@pytest.mark.parametrize(("level", "blocks"), [("random", distances.BLOCKS), (MIXED, 625)])
def test_points_that_move_scores_are_told_as_by_scipy(level: str, blocks: int) -> None:
    """Of the first blocks, or of all that are whole."""
    found = comparison.play(spec_of(FEWER, MORE, levels=(level,), matches=2503))
    apart = found.distances[0, 1]
    assert apart.wasserstein.value.blocks == blocks
    fewer, more = (scores_of(found, draft, blocks) for draft in (0, 1))
    assert is_scipys(apart, fewer, more)
    # Neither bot looks at points, and what kings cost only lowers scores: then the distance is that of the means.
    assert apart.wasserstein.value.value == pytest.approx(fewer.mean() - more.mean())
    assert apart.wasserstein.beyond_noise
    assert apart.kolmogorov.beyond_noise


def test_other_numbers_of_players_are_told_as_not_paired() -> None:
    found = comparison.play(spec_of((), ("rules.players=3",), FEWER))
    assert is_scipys(found.distances[0, 1], *(scores_of(found, draft, 600) for draft in (0, 1)))
    assert [row["paired"] for row in told(found)] == [False, False, True, True]


def test_a_single_whole_block_tells_nothing() -> None:
    for level, matches, deals in (("random", 1, 0), ("random", 2, 2), (MIXED, 7, 0), (MIXED, 8, 2)):
        found = comparison.play(spec_of((), FEWER, levels=(level,), matches=matches))
        assert [row["deals"] for row in told(found)] == [deals] * (2 if deals else 0)


def test_of_very_many_different_scores_fewer_deals_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found = comparison.play(spec_of((), FEWER))
    cells = 10_000
    monkeypatch.setattr(distances, "_CELLS", cells)
    deals = found.distances[0, 1].wasserstein.value.blocks
    assert deals in (150, 300)
    one, other = (scores_of(found, draft, deals) for draft in (0, 1))
    assert deals * len(np.unique(np.concatenate([one, other]))) <= cells
    assert is_scipys(found.distances[0, 1], one, other)


# ---- the same however it is played ----------------------------------------------------------------------


@pytest.mark.parametrize("until_decided", [False, True])
def test_nothing_depends_on_threads(until_decided: bool) -> None:
    spec = spec_of((), FEWER, MORE, levels=("random", MIXED), until_decided=until_decided)
    wanted = told(comparison.play(spec, threads=1))
    assert len(wanted) == 8
    assert told(comparison.play(spec, threads=2)) == wanted


def test_played_in_pieces_is_played_in_one() -> None:
    """Nothing can be decided within a millionth of a point, so that both go to the end."""
    narrow = tuple(
        f"{kind}={margin}" for kind, margin in (("score", "0.000001points"), ("share", "0.000001pp"))
    )
    whole, pieces = (
        comparison.play(spec_of(FEWER, MORE, matches=1000, until_decided=until_decided, stated=narrow))
        for until_decided in (False, True)
    )
    assert pieces.studies[0].matches == 1000
    assert told(pieces) == told(whole)


def test_a_draft_that_is_decided_sooner_is_compared_on_its_own_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "BLOCKS", 6000)
    monkeypatch.setattr(distances, "_CELLS", 10**7)
    spec = spec_of((), (), FEWER, matches=200_000, until_decided=True, stated=("share=1pp",))
    found = comparison.play(spec, threads=2)
    same, other = (run.totals.blocks for run in found.studies[0].runs[1:])
    assert same < distances.BLOCKS < other
    assert [row["deals"] for row in told(found)] == [same, same, distances.BLOCKS, distances.BLOCKS]


def test_what_is_cut_short_is_a_shorter_comparison() -> None:
    spec = spec_of((), FEWER, levels=(MIXED,), matches=10**7)
    asked = itertools.count()
    cut = comparison.play(spec, stop=lambda: next(asked) >= 12)
    assert not cut.complete
    assert told(cut) == told(comparison.play(spec.as_played(cut.played)))
    assert told(cut)[0]["deals"] == min(cut.studies[0].matches // 4, distances.BLOCKS)
