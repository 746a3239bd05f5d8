"""The ledger by cause: one swap exactly, games without later chance, and what plays it."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from experiments.metrics import variance_components
from experiments.play.nested_resampling import Redraws
from experiments.play.sources import Seated, mirrors
from experiments.studies.skill.measures import ledger
from experiments.studies.skill.spec import Players, Spec, players_of
from sim import drafts, registry
from sim.bots import Bot
from sim.kernels import BotFault
from tests.support_causes import exact
from tests.support_metrics import one_swap, one_swap_deals
from tests.unit.experiments.studies.skill.test_skill_measures import found, read

WIN, UPPER, NAMES = ledger.SHARE, ledger.UPPER, ledger.NAMES


def spec(draft: str, beginner: str, best: str, *changes: str) -> Spec:
    return Spec(drafts.load(draft, changes), Players((beginner,), beginner, best, None), 1)


def one_swap_by_cause() -> Any:
    """Return wins of the first seat: by deal, spare card, player of each seat (by lot, or swaps below 7), and lot."""
    deals = one_swap_deals(13)  # in order: all eleven cards that may lie on the table stand together
    swaps = (one_swap(deals, 1), one_swap(deals, 14))
    best = one_swap(deals, 7)
    wins = np.stack([np.stack(swaps, axis=1), np.stack([best, best], axis=1)], axis=1).reshape(
        156, 11, 2, 1, 2
    )
    return np.broadcast_to((wins + 1) / 2, (156, 11, 2, 2, 2))


def test_the_ledger_of_one_swap_is_what_going_through_everything_gives() -> None:
    """The move of the second seat changes nothing; its player's is the same part as that of others in the first."""
    table = one_swap_by_cause()
    by_seat = [exact(table, (0,), 1, *seats, 4) for seats in ((2, 3), (3, 2))]
    section = read(ledger, spec("oneswap/thirteen", "random", "threshold:7"), 6000)

    def near(what: str, of: str, truth: float) -> None:
        number = found(section, what, of).found
        assert number.value == pytest.approx(truth, abs=4 * number.se + 1e-12)
        assert number.se < 0.015

    for name, part in by_seat[0]["parts"].items():
        mean = (part + by_seat[1]["parts"][name]) / 2
        for what in (WIN, "share of the variance of the score"):
            near(what, NAMES[name], mean / table.var())
        near("variance of the win", NAMES[name], mean)
    for name, share in by_seat[0]["upper"].items():
        near(UPPER, NAMES[name], (share + by_seat[1]["upper"][name]) / 2)
    for name in (variance_components.CHANCE, variance_components.PLAYERS):
        near(WIN, NAMES[name], (by_seat[0]["lower"][name] + by_seat[1]["lower"][name]) / 2)
    assert (
        by_seat[0]["upper"][variance_components.CHANCE] - by_seat[0]["lower"][variance_components.CHANCE]
        > 0.1
    )
    gap = found(section, "variance of the win", "the first less the second (0 if all is well)").found
    assert gap.low <= 0 <= gap.high
    (finding,) = section.findings
    assert "add up to the variance of matches as they were dealt, as they should" in finding.items[-1]
    assert [item.split(":")[0] for item in finding.items[:2]] == [
        "the first deal",
        "later chance (stock, later deals)",
    ]


@pytest.mark.slow
def test_who_sits_where_in_uplink_is_what_all_line_ups_give() -> None:
    """All 256 of the four players who do not search, on the same deals, each seat with the same dice."""
    of, deals = Spec(drafts.load("uplink/v1.1"), players_of("uplink"), 1), 500
    every = [list(names) for names in itertools.product(ledger._who(of), repeat=4)]
    assert len(every) == 256
    won = Seated(of, every).play(0, deals)[0]
    # The sampling of deals adds to the variance of means, but for what it does to all line-ups alike.
    noise = (won.var(axis=0, ddof=1).mean(axis=0) - won.mean(axis=1).var(axis=0, ddof=1)) / deals
    share = float((won.mean(axis=0).var(axis=0) - noise).mean() / won.var(axis=(0, 1)).mean())
    section = read(ledger, of, 2000)
    lower, upper = (
        found(section, what, NAMES[name]).found
        for what, name in ((WIN, variance_components.PLAYERS), (UPPER, variance_components.CHANCE))
    )
    assert lower.value == pytest.approx(share, abs=4 * lower.se)
    assert upper.value == pytest.approx(1 - share, abs=4 * upper.se)


def test_players_who_draw_lots_alone_have_no_skill_though_their_dice_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "_who", lambda spec: ["random", "heuristic:error=1"])
    section = read(ledger, spec("uplink/v1.1", "random", "random"), 300)
    skill = found(section, WIN, NAMES[variance_components.PLAYER]).found
    assert skill.low == 0
    assert skill.high < 0.02
    assert found(section, UPPER, NAMES[variance_components.DICE]).found.low > 0.5
    # Of one player alone nothing is said of skill.
    monkeypatch.setattr(ledger, "_who", lambda spec: ["random"])
    section = read(ledger, spec("uplink/v1.1", "random", "random"), 60)
    assert not {NAMES[variance_components.PLAYER], NAMES[variance_components.PLAYERS]} & {
        number.of for number in section.numbers
    }
    assert found(section, UPPER, NAMES[variance_components.DICE]).found.low > 0.5


def test_games_without_later_chance() -> None:
    # One game of Uplink has a stock that nobody draws from: the engine shuffles it for nothing.
    section = read(ledger, spec("uplink/v1.1", "greedy", "adapted", "rules.games=1"), 300)
    for what in (WIN, UPPER):
        number = found(section, what, NAMES[variance_components.LATER]).found
        assert number.low == 0
        assert number.high < 0.03
    assert found(section, WIN, NAMES[variance_components.DEAL]).found.low > 0.02
    # Kuhn's poker says nothing of later chance, and noughts and crosses has no deal either.
    section = read(ledger, Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1), 300)
    shares = [number for number in section.numbers if number.what == WIN]
    # One player that does not search sits everywhere, so nothing is said of who sits there.
    assert [number.of for number in shares] == [
        NAMES[name]
        for name in (variance_components.CHANCE, variance_components.DICE, variance_components.LOTS)
    ]
    assert shares[0].found.low > 0.1
    assert "random sits in every seat" in section.caution
    assert "cannot draw its later chance anew" in section.caution
    section = read(ledger, Spec(drafts.load("tictactoe/standard"), players_of("tictactoe"), 2), 1000)
    assert found(section, UPPER, NAMES[variance_components.CHANCE]).found.high == 0
    assert section.findings[0].text.startswith("There is no luck of the cards")
    assert found(section, WIN, NAMES[variance_components.PLAYER]).found.low > 0.05


def test_of_a_lottery_all_is_luck() -> None:
    registry.add("lots", "tests.games.lots")
    try:
        section = read(ledger, Spec(drafts.load("lots/thirteen"), players_of("lots"), 1), 300)
    finally:
        registry.remove("lots")
    for what in (WIN, UPPER):
        assert found(section, what, NAMES[variance_components.CHANCE]).found.value == pytest.approx(1)
    assert section.findings[0].text.startswith("About 100% of a seat's result is luck, whoever plays.")


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_players_that_are_one_decide_nothing() -> None:
    section = read(ledger, spec("oneswap/thirteen", "threshold:7", "threshold:7"), 400)
    for what in (WIN, UPPER):
        assert found(section, what, NAMES[variance_components.CHANCE]).found.value == pytest.approx(1)
    assert found(section, WIN, NAMES[variance_components.LATER]).found.low > 0.05


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_number_0_is_the_match_as_it_is_dealt() -> None:
    of = spec("oneswap/thirteen", "threshold:7", "threshold:7")
    wins, scores, swapped_wins, swapped_scores, who = Redraws(of, ["threshold:7"]).play(4, 60)
    assert (who == 0).all()
    plain = Seated(of, mirrors(of, ["threshold:7"])).play(4, 60)
    for ends, swapped, wanted in zip((wins, scores), (swapped_wins, swapped_scores), plain, strict=True):
        assert ends.shape == (60, 2, 2, 2, 2, 2)
        for lineup, lots in itertools.product(range(2), repeat=2):
            np.testing.assert_array_equal(ends[:, 0, 0, lineup, lots], wanted[:, 0])
        np.testing.assert_array_equal(swapped, ends[:, :, 0, :, 0])
        assert (ends[:, 0, 1] != ends[:, 0, 0]).any()
        assert (ends[:, 1] != ends[:, 0]).any()


def test_matches_differ_only_by_what_is_drawn_anew() -> None:
    """Players who swap, or never, in a seat that decides alone: the seat's own player is all that counts."""
    of = spec("oneswap/thirteen", "first", "threshold:14")
    wins, _, swapped, _, who = Redraws(of, ["first", "threshold:14"]).play(0, 200)
    assert (wins[..., 0, :] == wins[..., 1, :]).all()  # nobody plays by lot
    same = who[:, 0, 0] == who[:, 1, 0]
    assert (wins[same][:, :, :, 0] == wins[same][:, :, :, 1]).all()
    assert (wins[~same][:, :, :, 0] != wins[~same][:, :, :, 1]).any()
    # The first seat ends as the other line-up's does, from whom its player comes; the second as it did.
    np.testing.assert_array_equal(swapped[..., 0], wins[:, :, 0, ::-1, 0, 0])
    np.testing.assert_array_equal(swapped[..., 1], wins[:, :, 0, :, 0, 1])


def test_re_draws_do_not_depend_on_the_piece_they_are_played_in_nor_on_who_else_sits_there() -> None:
    of = spec("uplink/v1.1", "random", "heuristic")
    whole = Redraws(of, ["random", "heuristic"]).play(0, 20)
    for one, other in zip(whole, Redraws(of, ["random", "heuristic"]).play(8, 6), strict=True):
        np.testing.assert_array_equal(one[8:14], other)
    assert set(np.unique(whole[-1])) == {0, 1}


def _never(view: Any, rules: Any, me: Any) -> int:
    return -1


@pytest.mark.parametrize("jitted", [True, False])
def test_a_bot_that_breaks_the_rules_is_named(monkeypatch: pytest.MonkeyPatch, jitted: bool) -> None:
    of = spec("oneswap/thirteen", "threshold:7", "threshold:7")
    usual = of.bot("threshold:7")
    breaks = Bot("breaks", "oneswap", _never, jitted=jitted)
    monkeypatch.setattr(Spec, "bot", lambda self, name: breaks if name == "breaks" else usual)
    source = Redraws(of, ["threshold:7", "breaks"])
    assert source.jitted is jitted
    with pytest.raises(BotFault, match=r"seed 1, deal \d+: bot 'breaks' in seat 0 answered -1, which is not"):
        source.play(0, 20)
    plain = dataclasses.replace(usual, jitted=False)
    same = Redraws(of, ["threshold:7"]).play(0, 20)
    monkeypatch.setattr(Spec, "bot", lambda self, name: plain)
    for one, other in zip(same, Redraws(of, ["threshold:7"]).play(0, 20), strict=True):
        np.testing.assert_array_equal(one, other)
