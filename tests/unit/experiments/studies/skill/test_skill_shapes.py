"""How kinds of play are spread in a game that tells them apart, against a count of its matches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from experiments.studies.skill.measures import shapes
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import Spec, players_of
from sim import drafts, registry
from sim.batch import Batch
from tests.unit.experiments.studies.skill.test_skill_measures import found, read

DEALS = 200


def spec_of(draft: str, *changes: str) -> Spec:
    loaded = drafts.load(draft, list(changes))
    return Spec(loaded, players_of(loaded.game, others="greedy"), 5)


@pytest.fixture(scope="module")
def section() -> Section:
    return read(shapes, spec_of("ninepeak/draft11"), DEALS)


def test_shares_are_those_of_the_matches(section: Section) -> None:
    spec = spec_of("ninepeak/draft11")
    text = registry.find("ninepeak").text
    batch = Batch(spec.draft, [spec.bot("greedy")] * 4, 5, fixed_seats=True)
    played = batch.play(0, DEALS)
    names = [[text.label_text("shape", key) for key in match[:, 0]] for match in played.labels]
    had = Counter(name for match in names for name in match)
    won = Counter(
        names[match][seat] for match in range(DEALS) for seat in np.flatnonzero(played.labels[match, :, -1])
    )
    (common, count), *_ = had.most_common()
    assert found(section, "share of seats", common).found.value == pytest.approx(count / (4 * DEALS))
    assert found(section, "share of the wins", common).found.value == pytest.approx(won[common] / DEALS)
    assert found(section, "win share of who has it", common).found.value == pytest.approx(won[common] / count)
    assert f"{len(had)} kinds came" in section.findings[0].text
    assert section.deals == DEALS
    assert all(one.found.blocks >= 2 for one in section.numbers)


def test_words_follow_the_numbers(section: Section) -> None:
    of_wins = [one for one in section.numbers if one.what == "share of the wins"]
    top = max(of_wins, key=lambda one: one.found.value)
    said = section.findings[0].text
    assert f"most wins is {top.of}, with {top.said}" in said
    assert top.found.high < 0.5
    assert "no kind has half of them" in said
    above = [
        one.of for one in section.numbers if one.what == "win share of who has it" and one.found.low > 0.25
    ]
    assert f"{len(above)} win more than a fair share (25%)" in section.findings[1].text


def test_one_kind_that_takes_all_wins_dominates() -> None:
    keys = np.tile([1, 2, 2, 2], (60, 1))
    wins = np.tile([1.0, 0, 0, 0], (60, 1))
    told = shapes.read(spec_of("ninepeak/draft11"), keys, wins)
    assert told.findings[0].text.endswith("so it dominates.")
    few = shapes.read(spec_of("ninepeak/draft11"), keys[:3], np.eye(4)[[0, 1, 0]])
    assert "whether it has half of them is undecided" in few.findings[0].text


def test_games_without_kinds_have_no_such_measure() -> None:
    for draft, applies in (("ninepeak/simple", True), ("uplink/v1.1", False), ("daifugo/plain", False)):
        loaded = drafts.load(draft)
        assert shapes.MEASURE.applies(Spec(loaded, players_of(loaded.game), 1)) == applies
