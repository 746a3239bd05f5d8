"""What a batch of 9 Peak counts, from its matches replayed on the table."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from sim import batch, registry
from sim.batch import Batch
from sim.table import Table
from strategies import registry as strategies
from tests import support
from tests import support_ninepeak as ninepeak

MATCHES = 24
LINEUP = ("greedy", "random", "random")
VP = ("vp_sets", "vp_no_joker", "vp_peak_cards", "vp_unplaced_peaks", "vp_early_finish")
SCORING: dict[str, dict[str, Any]] = {
    "draft11": {},
    "fixed, flat": {"early_finish": "fixed", "no_joker": "flat", "peak_card_vp": 3},
    "recolour, draw": {"early_finish": "recolour", "no_joker": "draw_to_hand", "different": 0},
}

each_scoring = pytest.mark.parametrize("name", SCORING)


def a_batch(name: str) -> Batch:
    draft = ninepeak.draft_of({"players": 3, "hand_size": 8}, SCORING[name])
    return Batch(draft, [strategies.find("ninepeak", bot) for bot in LINEUP], 12)


def replays(the_batch: Batch) -> list[tuple[Table, int, int]]:
    return [support.replayed(the_batch, match) for match in range(MATCHES)]


@each_scoring
def test_rows_add_up_match_by_match(name: str) -> None:
    the_batch = a_batch(name)
    assert the_batch.period == 3
    rows = the_batch.play(0, MATCHES).rows
    value = {
        m.key: rows[:, list(m.numerator)].sum() / rows[:, list(m.denominator)].sum() / m.scale
        for m in the_batch.measures.list
        if rows[:, list(m.denominator)].sum()
    }
    played = replays(the_batch)
    ends = [table.inspect() for table, _, _ in played]
    assert value[("decisions",)] == pytest.approx(np.mean([decisions for _, decisions, _ in played]))
    branching = sum(b for *_, b in played) / sum(n for _, n, _ in played)
    assert value[("branching",)] == pytest.approx(branching)
    ties = [end["scores"].count(max(end["scores"])) > 1 for end in ends]
    assert value[("ties",)] == pytest.approx(np.mean(ties))

    for place in range(9):
        sizes = [end["events"]["sets_by_size"][place] for end in ends]
        assert value["event", "sets_by_size", place] == pytest.approx(np.mean(sizes))
    for event in ("rounds", "sets", "peaks_won", "peaks_discarded", "went_out", *VP):
        came = [end["events"][event] for end in ends]
        assert value["event", event, 0] == pytest.approx(np.mean(came)), event

    own: dict[tuple[str, Any], list[float]] = defaultdict(list)
    for match, end in enumerate(ends):
        for seat in range(3):
            for whose in (seat, the_batch.bot_at(match % 3, seat)):
                own["win", whose].append(end["winners"] == [seat])
                own["score", whose].append(end["scores"][seat])
                own["own_sets", whose].append(len(end["sets"][seat]))
                own["own_out", whose].append(not end["hands"][seat])
                own["own_cards_left", whose].append(len(end["hands"][seat].split()))
                for part in VP:
                    own[f"own_{part}", whose].append(end["vp"][part][seat])
    for (what, whose), came in own.items():
        seats = isinstance(whose, int)
        if what in ("win", "score"):
            key: tuple[Any, ...] = (what, "seat" if seats else "bot", whose)
        else:
            key = ("event" if seats else "bot_event", what, whose, 0)
        assert len(came) == (MATCHES if seats else MATCHES * LINEUP.count(whose))
        assert value[key] == pytest.approx(np.mean(came)), key
    named = {event.name for event in registry.find("ninepeak").state.SEAT_EVENTS}
    assert {what for what, _ in own} == named | {"win", "score"}


@each_scoring
def test_labels_add_up_match_by_match(name: str) -> None:
    """The shape of the sets, the jokers dealt and those played, with what each of their values wins and scores."""
    the_batch = a_batch(name)
    labels = batch.run([the_batch], MATCHES, threads=2).totals[0].labels
    assert set(labels) == {"shape", "jokers_dealt", "jokers_played"}
    wanted: dict[str, dict[int, list[int]]] = {label: defaultdict(lambda: [0, 0, 0]) for label in labels}
    for match, (table, _, _) in enumerate(replays(the_batch)):
        end = table.inspect()
        dealt = Table(the_batch.draft, seed=the_batch.seed, deal=match // 3).inspect()["hands"]
        for seat in range(3):
            sizes = [len(cards.split()) for cards in end["sets"][seat]]
            keys = {
                "shape": sum(1 << (6 * (size - 1)) for size in sizes),
                "jokers_dealt": dealt[seat].count("J"),
                "jokers_played": sum(cards.count("J") for cards in end["sets"][seat]),
            }
            assert (
                table._game.text.label_text("shape", keys["shape"]) == "·".join(map(str, sizes)) or not sizes
            )
            won = 840 * (end["winners"] == [seat])
            for label, key in keys.items():
                row = wanted[label][key]
                wanted[label][key] = [a + b for a, b in zip(row, (1, won, end["scores"][seat]), strict=True)]
    for label, counts in labels.items():
        assert {key: sums[:3] for key, sums in counts.items()} == wanted[label], label
        assert sum(sums[1] for sums in counts.values()) == 840 * MATCHES
    assert len(wanted["shape"]) > 5
    assert len(wanted["jokers_dealt"]) > 2
