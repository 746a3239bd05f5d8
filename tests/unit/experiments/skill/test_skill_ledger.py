"""The ledger by cause: one swap exactly, games without later chance, and what plays it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from experiments.skill.measures import ledger
from experiments.skill.redraws import Redraws
from experiments.skill.sources import Seated, mirrors
from experiments.skill.spec import Players, Spec, players_of
from sim import drafts
from sim.bots import Bot
from sim.kernels import BotFault
from tests.support_metrics import one_swap, one_swap_deals
from tests.unit.experiments.skill.test_skill_measures import found, read

WIN = "share of the variance of the win"
DEAL, LATER, PLAYER, OTHERS = (ledger._CAUSES[name] for name in ("deal", "later chance", "player", "others"))


def spec(draft: str, beginner: str, best: str, *changes: str) -> Spec:
    return Spec(drafts.load(draft, changes), Players((beginner,), beginner, best, None), 1)


def test_the_ledger_of_one_swap_is_what_going_through_everything_gives() -> None:
    """Of a pack of thirteen; the player swaps never or below 7, each half of the time."""
    deals = one_swap_deals(13)  # in order: all eleven cards that may lie on the table stand together
    won = np.stack([one_swap(deals, least) for least in (1, 7)], axis=1).reshape(13 * 12, 11, 2)
    by_table = won.mean(axis=2)
    parts = [by_table.mean(axis=1).var(), by_table.var(axis=1).mean()]
    # Who sits there matters in the first seat alone, one of two.
    parts.append(won.mean(axis=(0, 1)).var() / 2)
    parts.append(won.var(axis=2).mean() - parts[-1])
    section = read(ledger, spec("oneswap/thirteen", "first", "threshold:7"), 6000)
    for of, part in zip((DEAL, LATER, PLAYER, OTHERS), parts, strict=True):
        for what in (WIN, "share of the variance of the score"):
            number = found(section, what, of).found
            assert number.value == pytest.approx(part / won.var(), abs=4 * number.se)
            assert 0 < number.se < 0.01
        number = found(section, "variance of the win", of).found
        assert number.value == pytest.approx(part / 4, abs=4 * number.se)
    gap = found(section, "variance of the win", "the first less the second (0 if all is well)").found
    assert gap.low <= 0 <= gap.high
    assert "add up to the variance of matches as they were dealt, as they must" in section.findings[0].text


def test_players_who_draw_lots_alone_have_no_skill_though_their_dice_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "_who", lambda spec: ["random", "heuristic:error=1"])
    section = read(ledger, spec("uplink/v1.1", "random", "random"), 300)
    skill = found(section, WIN, PLAYER).found
    assert skill.low == 0
    assert skill.high < 0.01
    assert found(section, WIN, OTHERS).found.low > 0.5
    # Of one player alone nothing is said of skill.
    monkeypatch.setattr(ledger, "_who", lambda spec: ["random"])
    section = read(ledger, spec("uplink/v1.1", "random", "random"), 60)
    assert PLAYER not in [number.of for number in section.numbers]
    assert found(section, WIN, ledger._CAUSES["decisions"]).found.low > 0.5


def test_games_without_later_chance() -> None:
    # One game of Uplink has a stock that nobody draws from: the engine shuffles it for nothing.
    section = read(ledger, spec("uplink/v1.1", "greedy", "adapted", "rules.games=1"), 300)
    number = found(section, WIN, LATER).found
    assert number.low == 0
    assert number.high < 0.03
    assert found(section, WIN, DEAL).found.low > 0.02
    # Kuhn's poker says nothing of later chance, and noughts and crosses has no deal either.
    section = read(ledger, Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1), 300)
    shares = [number for number in section.numbers if number.what == WIN]
    # One player that does not search sits everywhere, so nothing is said of who sits there.
    assert [number.of for number in shares] == [ledger._CAUSES["chance"], ledger._CAUSES["decisions"]]
    assert shares[0].found.low > 0.1
    assert "In every seat sits random" in section.caution
    assert "who sits" not in " ".join(one.text for one in section.findings)
    assert "does not say how to draw its later chance anew" in section.caution
    section = read(ledger, Spec(drafts.load("tictactoe/standard"), players_of("tictactoe"), 2), 2000)
    assert found(section, WIN, ledger._CAUSES["chance"]).found.low == 0
    assert sum(found(section, WIN, of).found.value for of in (PLAYER, OTHERS)) > 0.97
    assert found(section, WIN, PLAYER).found.low > 0.05


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_players_that_are_one_decide_nothing() -> None:
    section = read(ledger, spec("oneswap/thirteen", "threshold:7", "threshold:7"), 400)
    assert found(section, WIN, ledger._CAUSES["decisions"]).found.value == 0
    assert found(section, WIN, LATER).found.low > 0.05


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_number_0_is_the_match_as_it_is_dealt() -> None:
    of = spec("oneswap/thirteen", "threshold:7", "threshold:7")
    wins, scores, who = Redraws(of, ["threshold:7"], 3, 2).play(4, 60)
    assert (who == 0).all()
    plain = Seated(of, mirrors(of, ["threshold:7"])).play(4, 60)
    for found_, wanted in zip((wins, scores), plain, strict=True):
        assert found_.shape == (60, 3, 2, 2)
        np.testing.assert_array_equal(found_[:, 0], np.repeat(wanted, 2, axis=1))
        assert (found_[:, 1] != found_[:, 0]).any()


def test_re_draws_do_not_depend_on_the_piece_they_are_played_in_nor_on_who_else_sits_there() -> None:
    of = spec("uplink/v1.1", "random", "heuristic")
    whole = Redraws(of, ["random", "heuristic"], 2, 2).play(0, 20)
    for one, other in zip(whole, Redraws(of, ["random", "heuristic"], 2, 2).play(8, 6), strict=True):
        np.testing.assert_array_equal(one[8:14], other)
    assert set(np.unique(whole[2])) == {0, 1}


def _never(view: Any, rules: Any, me: Any) -> int:
    return -1


@pytest.mark.parametrize("jitted", [True, False])
def test_a_bot_that_breaks_the_rules_is_named(monkeypatch: pytest.MonkeyPatch, jitted: bool) -> None:
    of = spec("oneswap/thirteen", "threshold:7", "threshold:7")
    usual = of.bot("threshold:7")
    breaks = Bot("breaks", "oneswap", _never, jitted=jitted)
    monkeypatch.setattr(Spec, "bot", lambda self, name: breaks if name == "breaks" else usual)
    source = Redraws(of, ["threshold:7", "breaks"], 2, 2)
    assert source.jitted is jitted
    with pytest.raises(BotFault, match=r"seed 1, deal \d+: bot 'breaks' in seat 0 answered -1, which is not"):
        source.play(0, 20)
    plain = dataclasses.replace(usual, jitted=False)
    same = Redraws(of, ["threshold:7"], 2, 2).play(0, 20)
    monkeypatch.setattr(Spec, "bot", lambda self, name: plain)
    for one, other in zip(same, Redraws(of, ["threshold:7"], 2, 2).play(0, 20), strict=True):
        np.testing.assert_array_equal(one, other)
