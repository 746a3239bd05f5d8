"""What the suite says of cards: of a game in which all is known, and of sums that must come out."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from experiments.play import card_swaps
from experiments.play.sources import Seated, Setting, mirrors
from experiments.report import draw
from experiments.studies.skill import findings
from experiments.studies.skill.measures import captured, cards
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import Players, Spec, players_of
from sim import drafts, registry
from sim.bots import Bot
from sim.kernels import BotFault
from tests.unit.experiments.studies.skill.test_skill_measures import found, read

KEEPS = Players(("first",), "first", "first", None)
GAMES = ["uplink/v1.1", "uplink/personal-decks", "daifugo/hometown", "ninepeak/draft11"]


def spec_of(name: str, *changes: str) -> Spec:
    draft = drafts.load(name, changes)
    return Spec(draft, KEEPS if draft.game == "oneswap" else players_of(draft.game), 1)


# ---- what is played -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_deals_are_those_of_a_batch_and_every_exchange_is_one(name: str) -> None:
    spec = spec_of(name)
    source = card_swaps.Exchanged(spec, "greedy")
    wins, scores, hands, swaps = source.play(0, 40)
    spec = spec.changed(draft=spec.one_game)
    for got, due in zip((wins, scores), Seated(spec, mirrors(spec, ["greedy"])).play(0, 40), strict=True):
        np.testing.assert_array_equal(got, due[:, 0])
    given, partner = swaps[:, :, card_swaps.GIVEN], swaps[:, :, card_swaps.PARTNER]
    seat = np.arange(spec.draft.players)
    deal = np.arange(40)[:, None]
    assert (hands[deal, seat, given] > 0).all()
    # As many as the pack has, less those in the hand itself, can come from elsewhere.
    pack = np.array(registry.find(spec.draft.game).holdings.pack(spec.draft.record()))
    assert (hands[deal, seat, partner] < pack[partner]).all()
    if "personal" in name:
        assert (given % 4 == seat).all()
        assert (partner % 4 == seat).all()
    assert (given != partner).mean() > 0.9
    # What the others get is not ours: some exchanges change the score, and some do not.
    changed = swaps[:, :, card_swaps.SCORE] != 0
    assert 0 < changed.mean() < 1
    for whole, part in zip((wins, scores, hands, swaps), source.play(20, 10), strict=True):
        np.testing.assert_array_equal(whole[20:30], part)


def test_a_partner_is_any_other_card_with_equal_chance() -> None:
    spec = spec_of("daifugo/plain", "rules.players=3")
    _, _, hands, swaps = card_swaps.Exchanged(spec, "random").play(0, 3000)
    partner = swaps[:, :, card_swaps.PARTNER]
    other = swaps[:, :, card_swaps.GIVEN] != partner
    counts = np.bincount(partner[other], minlength=hands.shape[2]).astype(float)
    counts /= np.maximum(registry.find("daifugo").holdings.pack(spec.draft.record()), 1)
    counts = counts[counts > 0]
    assert abs(counts - counts.mean()).max() < 4.5 * np.sqrt(counts.mean())


def test_a_bot_that_breaks_the_contract_is_named() -> None:
    @dataclasses.dataclass(frozen=True)
    class Own(Setting):
        def bot(self, name: str) -> Bot:
            return Bot(
                name, "oneswap", {"cheater": lambda *_: 7, "broken": lambda *_: 1 // 0}[name], jitted=False
            )

    setting = Own(drafts.load("oneswap/thirteen"), 1)
    source = card_swaps.Exchanged(setting, "cheater")
    assert not source.jitted
    with pytest.raises(BotFault, match="deal 3: bot 'cheater' in seat 0 answered 7"):
        source.play(3, 2)
    with pytest.raises(
        BotFault, match=r"deal 0: bot 'broken' in seat 0 failed at \S*test_skill_cards\.py:\d+"
    ):
        card_swaps.Exchanged(setting, "broken").play(0, 2)


@pytest.mark.nojit
def test_a_bot_in_plain_python_plays_the_same() -> None:
    spec = spec_of("oneswap/thirteen")

    @dataclasses.dataclass(frozen=True)
    class Slow(Setting):
        def bot(self, name: str) -> Bot:
            return dataclasses.replace(super().bot(name), jitted=False)

    slow = Slow(spec.draft, spec.seed)
    for name in ("first", "random"):
        fast = card_swaps.Exchanged(spec, name).play(0, 30)
        for one, other in zip(fast, card_swaps.Exchanged(slow, name).play(0, 30), strict=True):
            np.testing.assert_array_equal(one, other)


# ---- cards in hand --------------------------------------------------------------------------------------


def test_the_cards_of_one_swap() -> None:
    """Who keeps card k of 0 … 12 wins with chance k/12, player and dealer alike: 13/12 of k/12 − 1/2 more than without."""
    section = read(cards, spec_of("oneswap/thirteen"), 6000)
    for k in range(13):
        name, due = str(k + 1), k / 12 - 0.5
        for how, worth in (
            ("worth with others held fixed", due),
            ("with less without", due * 13 / 12),
            ("worth by exchange", due * 13 / 12),
        ):
            for what, unit in (("wins", 1), ("score", 2)):
                number = found(section, f"{how}, {what}", name).found
                assert number.low < unit * worth < number.high, (how, what, name)
    roles, win, points, exchange = section.findings
    assert roles.text == "6 dominant, 6 a burden, 0 dead and 1 undecided, of 13 cards; all judged at once."
    assert roles.items[0].endswith("than the mean card: 13, 12, 11, 10, 9 and 8.")
    assert roles.items[1].endswith("than the mean card: 1, 2, 3, 4, 5 and 6.")
    assert win.text.startswith(
        "Of 13 cards, 6 clearly help, 6 clearly hurt, and 1 make no measurable difference"
    )
    assert points.items[0].startswith("best: 13 ")
    assert "for no card do they disagree" in exchange.text


def test_few_deals_leave_cards_undecided_and_say_how_many_would_do() -> None:
    section = read(cards, spec_of("oneswap/thirteen"), 60)
    assert " undecided" in section.findings[0].text
    assert "deals should settle half of them" in section.findings[0].items[-1]
    more = [one for one in section.numbers if one.what == "deals to decide"]
    assert more
    assert all(one.found.value >= 60 for one in more)


def test_a_game_that_cannot_exchange_cards_says_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.find("oneswap")
    little = ModuleType("little")
    for name in ("CARDS", "pack", "hand"):
        setattr(little, name, getattr(game.holdings, name))
    monkeypatch.setitem(game.__dict__, "holdings", little)
    card_swaps._kernel.cache_clear()
    try:
        section = read(cards, spec_of("oneswap/thirteen"), 500)
    finally:
        card_swaps._kernel.cache_clear()
    assert {one.what.split(",")[0] for one in section.numbers} >= {"with less without"}
    assert not [one for one in section.numbers if "exchange" in one.what]
    assert "By exchange" not in [one.lead for one in section.findings]
    assert not captured.MEASURE.applies(spec_of("oneswap/thirteen"))


def test_the_page_has_the_cards_that_stand_out_and_a_figure_of_all() -> None:
    section = read(cards, spec_of("uplink/v1.1"), 200)
    part = findings._part(section)
    (table,) = part.details
    assert len(table.rows) == 6 * 2 * 4
    assert table.note == f"{len(section.numbers) - 48} more are in numbers.parquet"
    assert section.figure is not None
    assert len(section.figure.rows) == len(section.figure.points) == 52
    assert section.figure.points == sorted(section.figure.points, key=lambda one: -one.value)
    (figure,) = part.figures
    drawn = draw.draw(figure.data, figure.name)
    height = float(drawn.split('viewBox="0 0 ')[1].split('"')[0].split()[1])
    assert height < 52 * 14 + 80  # points: a screen or two


# ---- captured cards -------------------------------------------------------------------------------------


def test_without_pairs_and_other_games_a_captured_card_is_worth_what_is_printed_on_it() -> None:
    spec = spec_of("uplink/v1.1", "rules.games=1", "rules.heart_pair=off", "points.H5=7")
    section = read(captured, spec, 400)
    printed = {one.of: one.found.value for one in section.numbers if one.what == "printed points"}
    assert printed["H5"] == 7
    assert len(printed) > 40
    for card, points in printed.items():
        number = found(section, "captured less not captured, score", card).found
        assert number.value == pytest.approx(points, abs=1e-9)
    assert found(section, "captured less not captured, wins", "H5").found.low > 0
    assert section.findings[0].items[0].startswith("best: H5 7")


@pytest.mark.nojit
@pytest.mark.boundscheck
def test_who_held_a_captured_card() -> None:
    spec = spec_of("uplink/v1.1", "rules.games=1")
    _, _, hands, _ = card_swaps.Exchanged(spec, "heuristic").play(0, 50)
    wins, scores, piles, owners = card_swaps.Captured(spec, "heuristic").play(0, 50)
    in_hand = hands.any(axis=1)
    np.testing.assert_array_equal(owners >= 0, in_hand)
    np.testing.assert_array_equal(np.where(in_hand, hands.argmax(axis=1), -1), owners)
    assert (piles.sum(axis=1) <= in_hand).all()
    section = captured.read(spec, wins, scores, piles, owners)
    card = "HA"
    number = found(section, "captured by its holder", card).found
    kind = registry.find("uplink").holdings.CARDS.index(card)
    taken = piles[:, :, kind].argmax(axis=1)[piles[:, :, kind].any(axis=1)]
    holder = owners[:, kind][piles[:, :, kind].any(axis=1)]
    assert number.value == pytest.approx((taken == holder).mean())
    assert number.blocks == len(taken)


def test_what_does_not_capture_has_no_such_section() -> None:
    for name in ("daifugo/plain", "ninepeak/draft11", "kuhn/standard"):
        draft = drafts.load(name)
        assert not captured.MEASURE.applies(Spec(draft, players_of(draft.game), 1))


def titles(section: Section) -> list[str]:
    return [one.lead for one in section.findings]


def test_both_sections_say_whose_play_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    spec: Any = spec_of("uplink/v1.1")
    for module in (cards, captured):
        section = read(module, spec, 60)
        assert "heuristic" in section.caution
        assert len(set(titles(section))) == len(section.findings)
