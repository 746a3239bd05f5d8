"""One swap: thresholds as computed, what seeing everything is worth, and search that finds the best threshold."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from experiments.studies.ladder import play as ladder
from sim import drafts, registry, rng
from sim.errors import UserError
from sim.table import Table
from tests import support
from tests import support_games as games
from tests.reference import oneswap as twin

THRESHOLDS = dict(zip(range(1, 9), (0, 0.0769, 0.1410, 0.1923, 0.2308, 0.2564, 0.2692, 0.2692), strict=True))
BEST = {3: Fraction(1, 3), 5: Fraction(3, 10), 10: Fraction(5, 18), 13: Fraction(7, 26)}


def table_of(own: int, *changes: str) -> Table:
    return Table.from_position(drafts.load("oneswap/thirteen", changes), {"own": own})


# ---- the twin -------------------------------------------------------------------------------------------


def test_the_twin_counts_what_is_known() -> None:
    for least, known in THRESHOLDS.items():
        assert float(twin.threshold(13, least)) == pytest.approx(known, abs=5e-5)
    for cards, best in BEST.items():
        assert max(twin.threshold(cards, least) for least in range(1, cards + 2)) == best
        assert twin.seeing(cards) == Fraction(1, 3)


@pytest.mark.nojit
@pytest.mark.parametrize("cards", [3, 4, 13])
def test_engine_and_twin_agree(cards: int) -> None:
    draft, dice, seen = drafts.load("oneswap/thirteen", [f"rules.cards={cards}"]), random.Random(cards), set()
    for deal in range(60):
        match = twin.Match(*games.shuffled(range(1, cards + 1), 3, deal)[:3])
        table = Table(draft, seed=3, deal=deal)
        seen.add(games.lockstep(table, match, dice))
    assert seen == {"keep", "swap"}


# ---- what is hidden -------------------------------------------------------------------------------------


def test_the_player_sees_nothing_of_what_the_others_have() -> None:
    """Until the end, when the dealer's card is shown; the dealer sees the own card alone."""
    draft = drafts.load("oneswap/thirteen")
    tables = [Table.from_position(draft, {"own": 5, "dealer": dealer, "table": 9}) for dealer in (2, 11)]
    assert tables[0].view().tobytes() == tables[1].view().tobytes()
    assert [int(table.view(1)["dealer"]) for table in tables] == [2, 11]
    assert {int(table.view(1)["own"]) for table in tables} == {0}
    for table in tables:
        table.play("keep")
        assert int(table.view(0)["dealer"]) == table.inspect()["dealer"]
        assert int(table.view(1)["own"]) == 5


def test_all_cards_are_equally_likely_where_they_are_hidden() -> None:
    table = table_of(2, "rules.cards=4")
    stream, engine = support.new_stream(5, 0, rng.REST, 0), registry.find("oneswap").engine
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        state = np.zeros(1, table.state.dtype)[0]
        engine.redeal(table.view(), table.rules, stream, state)
        counts[tuple(state["pack"][:4])] += 1
    assert {cards[0] for cards in counts} == {2}
    assert len(counts) == 6
    assert support.chi_square_p(list(counts.values()), 1000) > 1e-4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"own": 14}, "position.own = 14: must be an integer from 1 to 13"),
        ({"own": True}, "must be an integer"),
        ({"own": 3, "table": 3}, "a card is in two places"),
        ({"mine": 3}, "position.mine: unknown key"),
    ],
)
def test_positions_that_cannot_be(fields: dict[str, int], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Table.from_position(drafts.load("oneswap/thirteen"), fields)


# ---- values ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("least", THRESHOLDS)
def test_a_threshold_gets_what_it_should(least: int) -> None:
    run = games.run_of("oneswap/thirteen", f"threshold:t={least},first", 100_000)
    games.assert_near(run.estimates["score", "seat", 0], twin.threshold(13, least), 0.004)
    swaps = run.estimates.get(("event", "swaps", 0))
    assert swaps is not None
    assert abs(swaps.value - (least - 1) / 13) <= games.SIGMAS * swaps.se


@pytest.mark.parametrize("cards", BEST)
def test_the_best_threshold_gets_the_value_of_the_pack(cards: int) -> None:
    least = max(range(1, cards + 2), key=lambda least: twin.threshold(cards, least))
    run = games.run_of("oneswap/thirteen", f"threshold:t={least},first", 100_000, f"rules.cards={cards}")
    games.assert_near(run.estimates["score", "seat", 0], BEST[cards], 0.004)


def test_random_swaps_get_nothing() -> None:
    run = games.run_of("oneswap/thirteen", "random,first", 100_000)
    games.assert_near(run.estimates["score", "seat", 0], Fraction(0), 0.004)


@pytest.mark.parametrize("draft", ["oneswap/three", "oneswap/thirteen"])
def test_the_cheat_gets_a_third(draft: str) -> None:
    """It wins each match that can be won: all but those in which the dealer has the best of the three cards."""
    scores = games.scores_of(draft, "clairvoyant:8,first", 4000)
    cards = drafts.load(draft).options.rules.cards
    for deal, score in enumerate(scores):
        own, dealer, table = games.shuffled(range(1, cards + 1), 1, deal)[:3]
        assert score == (-1 if dealer > max(own, table) else 1)
    assert abs(np.mean(scores) - 1 / 3) < games.SIGMAS * np.sqrt(8 / 9 / len(scores))


def test_a_block_is_one_deal_for_both_players() -> None:
    """Rotated, either bot is the player once, on the same three cards, and the dealer's bot is never asked."""
    run = games.run_of("oneswap/thirteen", "threshold:t=7,first", 20_000, fixed_seats=False)
    assert run.totals.blocks == 10_000
    assert run.estimates["decisions",].value == 1
    for name, exact in (("threshold:t=7", twin.threshold(13, 7)), ("first", Fraction(0))):
        games.assert_near(run.estimates["score", "cell", name, 0], exact, 0.011)
    # As many matches as the player as the dealer: half of the lead over the other.
    games.assert_near(run.estimates["score", "bot", "threshold:t=7"], twin.threshold(13, 7) / 2, 0.005)
    same = games.run_of("oneswap/thirteen", "first,first", 1000, fixed_seats=False)
    assert same.totals.blocks == 1000


# ---- search ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["search:20000", "ismcts:4000"])
def test_search_finds_the_best_threshold(name: str) -> None:
    """A 7 is worth as much as what lies on the table; from 6 and 8 on the better move is worth 1/6 more."""
    found = {own: games.choice(name, table_of(own)) for own in range(1, 14) if own != 7}
    assert found == {own: "swap" if own < 7 else "keep" for own in found}


def test_a_ladder_orders_the_thresholds() -> None:
    """By their values: of two thresholds the better is ahead, by as much as it is worth more."""
    names = [f"threshold:t={least}" for least in (1, 2, 3, 5, 7)]
    spec = ladder.Spec(drafts.load("oneswap/thirteen"), names, 6000, 1)
    played = ladder.play(spec)
    values = {name: twin.threshold(13, int(name.partition("=")[2])) for name in names}
    assert [bot.name for bot in played.bots] == sorted(names, key=lambda name: -values[name])
    assert not ladder.undecided(played.standing)
    for (i, j), duel in played.standing.duels.items():
        lead = values[played.bots[i].name] - values[played.bots[j].name]
        # Each is the player in one of two matches, and a score of 1 more is being ahead in half a match more.
        assert duel.value == pytest.approx(0.5 + float(lead) / 4, abs=0.02)
