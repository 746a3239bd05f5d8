"""Comparisons: verdicts that are as seldom wrong as stated, for any threads, and that send the matches where they help."""

from __future__ import annotations

import gc
import itertools
from typing import Any

import numpy as np
import pytest

from experiments.metrics.verdicts import Looks, PairedSummary, Sequential
from experiments.play import margins
from experiments.play.matches import MatchSpec
from experiments.studies.compare import hypotheses
from experiments.studies.compare import play as comparison
from experiments.studies.compare.hypotheses import Design
from experiments.studies.compare.play import Comparison, Judged
from experiments.studies.compare.spec import Spec
from sim import batch, drafts
from sim.errors import UserError
from tests.support_metrics import at_most

CLUBS, SPADES = ("points.CQ=4",), ("points.SQ=4",)
"""Nothing in the rules tells clubs from spades: to bots that choose by lot these tables are one."""


@pytest.fixture(autouse=True)
def no_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "collect", lambda: 0)  # statsmodels does in every correction


def spec_of(
    *changes: tuple[str, ...],
    levels: tuple[str, ...] = ("random",),
    matches: int = 2000,
    seed: int = 1,
    stated: tuple[str, ...] = (),
    until_decided: bool = False,
) -> Spec:
    return Spec(
        [drafts.load("uplink/v1.1", change) for change in changes],
        lineups=levels, matches=matches, seed=seed, margins=stated, until_decided=until_decided,
    )  # fmt: skip


def told(found: Comparison) -> list[Any]:
    """Return all that a comparison says, but for the time."""
    return [
        *((one.claim, repr(one.verdict)) for one in found.judged),
        *(
            (run.totals.matches, run.estimates, run.differences)
            for study in found.studies
            for run in study.runs
        ),
    ]


def words(found: Comparison, draft: int = 1, level: int = 0) -> dict[Any, str]:
    return {
        one.claim.key: one.word
        for one in found.judged
        if (one.claim.draft, one.claim.level) == (draft, level)
    }


# ---- what is claimed ------------------------------------------------------------------------------------


def test_every_measure_that_rules_can_change_is_claimed_once() -> None:
    found = comparison.play(spec_of((), ("points.K=9",), levels=("random,first,random,first",), matches=200))
    (run,) = found.studies[0].runs[1:]
    wanted = {key for key in run.totals.keys if "cell" not in key}
    assert set(words(found)) == wanted
    assert ("win", "bot", "first") in wanted
    assert len(found.judged) == len(wanted)
    alone = words(comparison.play(spec_of((), ("points.K=9",), matches=200)))
    assert ("score", "bot", "random") in alone
    assert ("win", "bot", "random") not in alone
    assert not [key for key in alone if key[0] == "bot_event"]


def claimed(draft: str, base: tuple[str, ...], *, players: int, level: str) -> tuple[set[Any], set[Any]]:
    """Return what is claimed of a draft with other players, and what of one with as many."""
    one, few, many = (drafts.load(draft, (*base, *more)) for more in ((), (f"rules.players={players}",), ()))
    spec = MatchSpec([one, few, many], level, 400, 1)
    made = hypotheses.fix([spec], Design.of(400, margins.read([]), until_decided=False))
    found = [{claim.key for claim in made if claim.draft == number} for number in (1, 2)]
    return found[0], found[1]


def test_what_is_shared_out_among_other_numbers_of_players_is_not_judged() -> None:
    few, many = claimed("uplink/v1.1", (), players=3, level="random")
    assert {key for key in many - few if key[0] == "event"} == {
        *(("event", "trick_share", seat, 0) for seat in range(4)),
        *(("event", "tricks_by_lead_position", place) for place in range(4)),
    }
    # Points are captured, and not of a fixed sum; and a match gets shorter.
    assert {
        *(("score", "seat", seat) for seat in range(3)),
        ("decisions",),
        ("event", "sets_of_three", 0),
    } <= few
    assert {key[0] for key in many - few} == {"win", "score", "event"}
    assert {key for key in many - few if key[0] == "score"} == {("score", "seat", 3)}


def test_places_and_their_points_are_shared_out_too() -> None:
    few, many = claimed("daifugo/plain", ("rules.players=4",), players=3, level="random")
    assert few
    assert not [key for key in few if key[0] in ("win", "score") or "places" in key]
    assert {key[0] for key in many} >= {"win", "score"}
    assert ("event", "places", 0, 0) in many
    assert {("event", "cards_left", 0, 0), ("event", "passes", 0), ("decisions",)} <= few


def test_what_each_brings_to_the_table_is_judged() -> None:
    few, many = claimed("ninepeak/draft11", ("rules.players=4",), players=3, level="random")
    of_the_fourth = {
        key for key in many if key[:3] == ("score", "seat", 3) or (len(key) == 4 and key[2] == 3)
    }
    assert few == {key for key in many if key[0] != "win"} - of_the_fourth
    assert ("score", "bot", "random") in few
    assert ("event", "own_sets", 0, 0) in few


def test_other_numbers_of_players_are_judged_by_the_rest() -> None:
    found = words(comparison.play(spec_of((), ("rules.players=3",), matches=400)))
    assert found["decisions",] == "lower"


def test_margins_come_from_deals_that_no_run_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    true = batch.Batch.play

    def noted(self: batch.Batch, first: int, count: int) -> Any:
        played.append((first, count))
        return true(self, first, count)

    monkeypatch.setattr(batch.Batch, "play", noted)
    spec = spec_of((), ("points.K=9",), matches=2000)
    made = hypotheses.fix(spec.studies, spec.design)
    assert sum(count for _, count in played) == 2 * spec.design.pilot == 2 * 200
    assert min(first for first, count in played if count) == batch.MAX_MATCHES - 200
    scale = {claim.key: (claim.margin, claim.bound) for claim in made}
    assert scale["win", "seat", 0] == (0.01, 1)
    scores = true(spec.studies[0].batches[0], batch.MAX_MATCHES - 200, 200).scores
    assert scale["score", "seat", 2][0] == pytest.approx(0.1 * scores.std(ddof=1))
    assert scale["decisions",] == (pytest.approx(5.2), pytest.approx(5.2))
    assert scale["event", "sets_of_three", 0] == (0.01, 4)


def test_a_bound_is_as_far_as_a_block_of_either_draft_is_off() -> None:
    spec = spec_of((), ("points.K=90",), matches=2000)
    far = max(
        float(np.abs(scores - scores.mean()).max())
        for one in spec.studies[0].batches
        for scores in [one.play(batch.MAX_MATCHES - 200, 200).scores[:, 2] / 4]
    )
    forth = hypotheses.fix(spec.studies, spec.design)
    back = hypotheses.fix(spec_of(("points.K=90",), (), matches=2000).studies, spec.design)
    for made in (forth, back):
        bounds = {claim.key: claim.bound for claim in made}
        assert bounds["score", "seat", 2] >= far > 20
        assert bounds["win", "seat", 2] == 1
    assert [claim.bound for claim in forth] == [claim.bound for claim in back]


def test_how_far_a_block_was_off_is_known_for_any_split_of_a_run() -> None:
    (study,) = spec_of((), ("points.K=9",)).studies
    whole = batch.run(study.batches, 300)
    parts = [batch.run(study.batches, 300, blocks=range(*ends)) for ends in ((0, 100), (100, 300))]
    for number, one in enumerate(study.batches):
        joined = one.totals()
        assert set(hypotheses.farthest(joined).values()) == {0}
        for part in parts:
            joined.add(part.totals[number])
        scores = one.play(0, 300).scores[:, 1] / one.draft.options.counted_games
        found = hypotheses.farthest(joined)
        assert found == hypotheses.farthest(whole.totals[number])
        assert found["score", "seat", 1] == pytest.approx(np.abs(scores - scores.mean()).max())


def test_margins_are_those_stated_whatever_the_run_is_like() -> None:
    both = [
        hypotheses.fix(spec_of((), change, matches=matches, stated=("score=3points", "share=2pp")).studies,
                   Design.of(2000, margins.read(["score=3points", "share=2pp"]), until_decided=False))
        for change, matches in ((("points.K=9",), 2000), (("points.K=-9",), 50))
    ]  # fmt: skip
    stated = [[(claim.key, claim.margin, claim.aim) for claim in made] for made in both]
    assert stated[0] == stated[1]
    assert {claim.margin for claim in both[0] if claim.key[0] == "score"} == {3}
    assert {claim.margin for claim in both[0] if claim.key[0] == "win"} == {0.02}


# ---- the rate -------------------------------------------------------------------------------------------


def differs(found: Comparison) -> bool:
    return any(one.differs for one in found.judged)


@pytest.mark.parametrize("until_decided", [False, True])
def test_tables_that_do_not_differ_are_called_different_no_more_often_than_stated(
    until_decided: bool,
) -> None:
    times = 120
    runs = [
        comparison.play(spec_of(CLUBS, SPADES, matches=1500, seed=seed, until_decided=until_decided))
        for seed in range(times)
    ]
    assert sum(differs(found) for found in runs) <= at_most(times)
    # It is not silent for want of matches: most of what there is to find equal is found so.
    alike = [one.word == "equivalent" for found in runs for one in found.judged]
    assert sum(alike) > len(alike) / 3
    assert any(one.verdict is not None and one.verdict.estimate.value != 0 for one in runs[0].judged)


def test_a_table_against_itself_is_never_different() -> None:
    for seed in range(5):
        found = comparison.play(spec_of((), (), seed=seed))
        assert {one.word for one in found.judged} == {"equivalent"}


@pytest.mark.parametrize("until_decided", [False, True])
def test_one_point_on_one_rank_gets_verdicts(until_decided: bool) -> None:
    found = words(comparison.play(spec_of((), ("points.K=-1",), matches=20_000, until_decided=until_decided)))
    # Four kings a match, each worth a point more, are shared out among four; a tenth of a deviation is .9.
    for seat in range(4):
        assert found["score", "seat", seat] == "higher"
    # The random bot plays by lot whatever a card is worth.
    for key in (("decisions",), ("branching",), *((("event", "trick_share", seat, 0)) for seat in range(4))):
        assert found[key] == "equivalent"
    assert (
        words(comparison.play(spec_of(("points.K=-1",), (), matches=20_000)))["score", "seat", 0] == "lower"
    )


def test_a_count_never_seen_is_not_different() -> None:
    for until_decided in (False, True):
        few = words(comparison.play(spec_of((), CLUBS, matches=60, until_decided=until_decided)))
        assert few["event", "sets_of_three", 0] == "undecided"
        many = words(comparison.play(spec_of((), CLUBS, matches=6000, until_decided=until_decided)))
        assert many["event", "sets_of_three", 0] == "equivalent"


def test_one_match_decides_nothing() -> None:
    found = comparison.play(spec_of((), ("points.K=9",), matches=1))
    assert {one.word for one in found.judged} == {"undecided"}
    assert len(found.undecided) == len(found.judged)


def test_what_is_undecided_says_how_many_more_matches_of_whole_blocks() -> None:
    found = comparison.play(spec_of((), ("points.K=9",), levels=("random,first,first,first",), matches=400))
    more = [found.more(one) for one in found.undecided]
    assert more
    assert all(number is not None and number > 0 and number % 4 == 0 for number in more)
    decided = next(one for one in found.judged if one.word != "undecided")
    assert found.more(decided) == 0


# ---- the same for any threads, and as planned -----------------------------------------------------------


@pytest.mark.parametrize("until_decided", [False, True])
def test_nothing_depends_on_threads(until_decided: bool) -> None:
    spec = spec_of(
        (), ("points.K=9",), CLUBS,
        levels=("random", "random,first,first,first"), matches=3000, until_decided=until_decided,
    )  # fmt: skip
    wanted = told(comparison.play(spec, threads=1))
    assert told(comparison.play(spec, threads=2)) == wanted
    assert told(comparison.play(spec.changed(), threads=3)) == wanted


def test_drafts_that_are_decided_stop_and_the_first_plays_on() -> None:
    spec = spec_of((), (), ("points.K=-1",), matches=200_000, until_decided=True, stated=("share=1pp",))
    found = comparison.play(spec, threads=2)
    base, same, other = (run.totals for run in found.studies[0].runs)
    assert same.matches < other.matches == base.matches < 200_000
    assert not found.undecided
    assert found.complete
    # The difference is of the deals that both were played on.
    shorter = comparison.play(spec_of((), (), matches=same.matches)).studies[0].runs[1]
    assert found.studies[0].runs[1].differences == shorter.differences
    assert all(one.paired for one in shorter.differences.values())


def test_every_verdict_is_that_of_the_first_look_that_decides() -> None:
    spec = spec_of((), ("points.K=9",), matches=4000, until_decided=True)
    found = comparison.play(spec)
    (study,) = spec.studies
    rows = [one.play(0, 4000).rows for one in study.batches]
    stops = [blocks.stop for blocks in spec.design.looks.stretches(4000)]
    assert stops[:3] == [100, 110, 121]
    assert stops[-1] == 4000
    until = Sequential([one.claim.aim or 0 for one in found.judged], spec.design.looks)
    values = [differences_of(study, rows, one.claim.key) for one in found.judged]
    for stop in stops:
        until.look(
            {
                place: summary(value[:stop], one)
                for place, (value, one) in enumerate(zip(values, found.judged, strict=True))
            },
            stop,
        )
        if all(until.is_decided(place) for place in range(len(values))):
            break
    assert found.studies[0].matches == stop
    for one, wanted in zip(found.judged, until.verdicts(), strict=True):
        assert one.verdict is not None
        assert wanted is not None
        assert one.verdict.word == wanted.word
        assert one.verdict.estimate.blocks == wanted.estimate.blocks
        assert one.verdict.simultaneous == pytest.approx(wanted.simultaneous)
        assert one.verdict.more == pytest.approx(wanted.more)


def differences_of(study: MatchSpec, rows: list[Any], key: Any) -> Any:
    """Return the differences by block of a measure, linearised as ratios are."""
    x, d = [], []
    for one, row in zip(study.batches, rows, strict=True):
        measure = one.measures.list[one.measures.keys.index(key)]
        x.append(row[:, list(measure.numerator)].sum(axis=1) / measure.scale)
        d.append(row[:, list(measure.denominator)].sum(axis=1))
    return np.stack([*x, *d], axis=1)


def summary(columns: Any, one: Judged) -> PairedSummary:
    x0, x1, d0, d1 = columns.T
    ratios = x0.sum() / d0.sum(), x1.sum() / d1.sum()
    values = (x1 - ratios[1] * d1) / d1.mean() - (x0 - ratios[0] * d0) / d0.mean()
    far = [np.abs(x / d - ratio).max() for x, d, ratio in ((x0, d0, ratios[0]), (x1, d1, ratios[1]))]
    bound = max(one.claim.bound, *far)
    return PairedSummary(
        ratios[1] - ratios[0], float(values.std(ddof=1)), len(values), one.claim.margin, bound
    )


def test_line_ups_are_judged_together_and_end_when_each_is_decided() -> None:
    changes = [(), ("points.K=9",)]
    both = comparison.play(spec_of(*changes, levels=("random", "greedy"), matches=1000))
    alone = comparison.play(spec_of(*changes, levels=("greedy",), matches=1000))
    assert both.levels == ["random", "greedy"]
    assert both.studies[1].runs[1].differences == alone.studies[0].runs[1].differences
    count = len(both.judged)
    assert count == 2 * len(alone.judged)
    until = comparison.play(
        spec_of(*changes, levels=("random", "greedy"), matches=100_000, until_decided=True), threads=2
    )
    assert len({study.matches for study in until.studies}) == 2


# ---- cut short ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("until_decided", [False, True])
def test_a_comparison_that_is_cut_short_is_a_shorter_one(until_decided: bool) -> None:
    spec = spec_of(
        (), ("points.K=9",), levels=("random", "greedy"), matches=10**7, until_decided=until_decided
    )
    asked = itertools.count()
    cut = comparison.play(spec, stop=lambda: next(asked) > 30)
    assert not cut.complete
    assert 0 < cut.studies[0].matches < 10**6
    shorter = spec.as_played(cut.played)
    again = comparison.play(shorter)
    assert again.complete
    assert told(again) == told(cut)


def test_a_comparison_cut_before_its_first_match_has_nothing_to_report() -> None:
    for until in (0, 2):
        asked = itertools.count()
        with pytest.raises(UserError, match="interrupted before"):
            comparison.play(
                spec_of((), CLUBS, levels=("random", "greedy"), matches=10**7),
                stop=lambda asked=asked, until=until: next(asked) >= until,  # type: ignore[misc]
            )


# ---- the design -----------------------------------------------------------------------------------------


def test_a_design_follows_from_what_is_asked() -> None:
    design = Design.of(10**6, margins.read(["share=2pp"]), until_decided=True)
    assert (design.pilot, design.limit, design.looks) == (200, 10**6, Looks(100, 1.1))
    small = Design.of(12, margins.read([]), until_decided=False)
    assert (small.pilot, small.limit) == (30, 12)
    spec = spec_of((), ("points.K=9",), matches=10**6, until_decided=True, stated=("share=2pp",))
    assert spec.design == design
    # What was cut short is judged as it was planned.
    assert spec.changed(cut=[400]).design == design


def test_each_claim_has_an_aim_by_its_own_spread_and_margin() -> None:
    spec = spec_of((), ("points.K=9",), CLUBS, matches=10**6, until_decided=True)
    made = hypotheses.fix(spec.studies, spec.design)
    aims = {(claim.draft, claim.key): claim.aim for claim in made}
    assert None not in aims.values()
    assert aims == {
        (claim.draft, claim.key): claim.aim for claim in hypotheses.fix(spec.studies, spec.design)
    }
    # A tenth of a deviation is told sooner than a point of share, and a share sooner where most deals come out alike.
    assert 5 * (aims[1, ("score", "seat", 0)] or 0) < (aims[1, ("win", "seat", 0)] or 0)
    assert (aims[2, ("win", "seat", 0)] or 0) < (aims[1, ("win", "seat", 0)] or 0)
    closer = spec_of((), ("points.K=9",), matches=10**6, until_decided=True, stated=("share=0.5pp",))
    halved = {claim.key: claim.aim or 0 for claim in hypotheses.fix(closer.studies, closer.design)}
    assert halved["win", "seat", 0] == pytest.approx(4 * (aims[1, ("win", "seat", 0)] or 0), rel=0.2)
    # Nobody is expected to take more than half of what there is at most.
    short = spec_of((), ("points.K=9",), matches=2000, until_decided=True)
    assert max(claim.aim or 0 for claim in hypotheses.fix(short.studies, short.design)) == 1000
    fixed = spec_of((), ("points.K=9",), matches=2000)
    assert {claim.aim for claim in hypotheses.fix(fixed.studies, fixed.design)} == {None}


def test_looks_cover_every_block_once() -> None:
    looks = Design.of(5000, margins.read([]), until_decided=True).looks
    blocks = [number for stretch in looks.stretches(5000) for number in stretch]
    assert blocks == list(range(5000))
    assert [list(stretch) for stretch in looks.stretches(3)] == [[0, 1, 2]]
    assert [looks.number(looks.stop(number)) for number in range(200)] == list(range(200))
    assert [looks.number(looks.stop(number) + 1) for number in range(200)] == list(range(1, 201))
