"""The contract of `sim.bots`, for every bot that is registered, those added later included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from sim import bots, drafts, registry, rng
from sim.batch import Batch
from sim.bots import Bot
from sim.drafts import Draft
from sim.jit import DISABLED
from sim.table import Table
from strategies import kinds
from strategies import registry as strategies
from tests import support

SEARCHING = ("search", "ismcts", "clairvoyant")
"""Bots that play thousands of matches for a decision; here they play few."""


def bots_of(game: str) -> list[Bot]:
    found = [
        strategies.find(game, f"{bot.name}:iterations=6") if bot.name in SEARCHING else bot
        for bot in strategies.known(game)
    ]
    names = [kind.name for kind in kinds.of_game(game).kinds]
    found += [strategies.find(game, f"heuristic:error=0.1:never={name}") for name in names]
    return found + [strategies.find(game, f"search:iterations=6:never={name}") for name in names[:1]]


def searches(bot: Bot) -> bool:
    return bot.name.partition(":")[0] in SEARCHING


GAMES = registry.names()
MATCHES = 200
REDEALS = 3

MIXES: dict[str, list[tuple[str, ...]]] = {
    "uplink": [
        ("rules.players=2",),
        ("rules.players=3", "rules.next_lead=rotate", "rules.ace=low"),
        ("rules.left_behind=0", "rules.tied_top=second"),
        ("rules.left_behind=2", "rules.tied_top=earlier", "rules.heart_pair=off"),
        ("rules.left_behind=4", "rules.games=1", "rules.hand_size=12"),
        ("rules.players=2", "rules.left_behind=2", "rules.hand_size=12", "rules.games=5"),
        ("rules.hand_size=1", "rules.games=20"),
        ("points.2=-999", "points.HQ=999", "points.SA=-999", "rules.heart_pair=999"),
        tuple(
            f"points.{rank}=0" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
        ),
        ("rules.variant=personal_decks", "rules.players=3", "rules.left_behind=2", "rules.set_of_three=-50"),
        ("rules.variant=personal_decks", "rules.players=2", "rules.hand_size=6", "rules.left_behind=0"),
    ],
    "daifugo": [
        ("rules.games=2", "rules.players=2", "rules.blind_cards=2"),
        ("rules.games=2", "rules.players=3", "rules.pass_lockout=true", "rules.clear_when=all_passed"),
        ("rules.games=2", "rules.players=5", "rules.suit_lock=partial", "rules.down_number=true"),
        (
            "rules.games=2",
            "rules.players=3",
            "rules.lock_by_joker=true",
            "rules.joker_clears_lock=true",
            "rules.joker_beyond_ends=true",
            "rules.emperor=true",
            "rules.first_lead_must_show=true",
        ),
        ("rules.games=2", "rules.players=6", "rules.leader_may_pass=true", "rules.stalemate_passes=8"),
        ("rules.games=2", "rules.players=8", "rules.exchange=[]", "rules.jokers=0", "rules.reseat_every=1"),
        ("rules.games=2", "rules.exchange=[3,2]", "rules.rich_see_first=false", "rules.blind_cards=2"),
        (
            "rules.games=3",
            "rules.players=7",
            "rules.miyako_ochi=true",
            "rules.gekokujo=true",
            "rules.tenpen_chii=true",
            "rules.foul_order=latest_is_last",
            "rules.strongest_clears=true",
        ),
        (
            "rules.games=2",
            "rules.jokers=1",
            "rules.sandstorm_stops_cut=true",
            "rules.spade_three_clears=true",
            "rules.sequence_revolution=4",
            "rules.sequence_beats=lowest",
            "rules.eleven_back_triple=true",
            'rules.sequence_effects=["cut","skip","pass_on","reverse","discard","bomber","eleven_back"]',
        ),
        (
            "rules.games=2",
            "ranks.eight_cut='7'",
            "ranks.bomber='7'",
            "ranks.skip='7'",
            "ranks.reverse='7'",
            "ranks.discard='7'",
            "ranks.four_stop='7'",
            "ranks.sandstorm='7'",
            "rules.place_points=[-5,0,9,9]",
        ),
    ],
    "ninepeak": [
        ("rules.players=3", "rules.hand_size=26", "rules.area_size=0"),
        ("rules.players=5", "rules.hand_size=15", "rules.area_size=3", "scoring.early_finish=fixed"),
        ("rules.players=5", "rules.hand_size=1", "rules.area_size=0"),
        ("rules.players=4", "rules.hand_size=2", "rules.area_size=60", "scoring.suits=colours"),
        ("rules.players=3", "rules.hand_size=9", "scoring.no_joker=draw_to_hand", "rules.area_size=0"),
        (
            "rules.players=5",
            "scoring.no_joker=draw_to_hand",
            "scoring.early_finish=recolour",
            "scoring.joker=wild_only",
            "scoring.perfect=20",
        ),
        ("scoring.early_finish=recolour", "scoring.suits=colours", "scoring.modes=same"),
        ("scoring.base=[-9,-8,-7,-6,-5,-4,-3,-2,-1]", "scoring.early_finish=none", "scoring.no_joker=none"),
        ("scoring.base=[0,0,0,0,0,0,0,0,0]", "scoring.no_joker=flat", "scoring.no_joker_vp=-999"),
        ("scoring.base=[0,0,0,0,0,0,0,0,999]", "scoring.perfect=-20", "scoring.different=20"),
        ("scoring.no_joker_vp=999", "scoring.peak_card_vp=-999", "scoring.unplaced_peak_vp=999"),
        ("scoring.peak_card_vp=999", "scoring.early_finish=fixed", "scoring.early_finish_vp=-999"),
        ("scoring.base=[999,999,999,999,999,999,999,999,999]", "scoring.different=-20", "rules.players=3"),
    ],
}
"""Drafts beside those that ship, as changes to the draft `BASES` names."""

BASES = {"uplink": "v1.1", "daifugo": "author", "ninepeak": "draft11"}
LONG = {"daifugo": {"uecda": 3, "federation": 5}}
"""Games of shipped drafts whose matches are long; these are played in full elsewhere."""

OPEN = ("tictactoe",)
"""Games in which nothing is hidden and nothing left to chance, so that a deal of what is unseen is always the same."""

LEAST = 12
"""Decisions to be looked at, however short a match is."""


def drafts_of(game: str) -> list[Draft]:
    games = LONG.get(game, {})
    changes = {name: [f"rules.games={games[name]}"] if name in games else [] for name in drafts.shipped(game)}
    base = BASES.get(game, next(iter(changes)))
    return [
        *(drafts.load(f"{game}/{name}", changed) for name, changed in changes.items()),
        *(drafts.load(f"{game}/{base}", changed) for changed in MIXES.get(game, [])),
    ]


def cases_of(bot: Bot) -> list[Any]:
    """Return the drafts with which a bot is tried."""
    found = drafts_of(bot.game)
    if searches(bot) and DISABLED:
        found = found[:1]  # in plain Python a search takes minutes a match
    elif "never=" in bot.name:
        found = found[:: len(found) // 3]
    return [
        pytest.param(bot, draft, id=f"{bot.game}-{bot.name}-{', '.join((draft.name, *draft.changes[:4]))}")
        for draft in found
    ]


def each(metafunc: pytest.Metafunc, games: Iterable[str]) -> None:
    """Try a test that takes a bot with all bots of some games, and one that takes a draft too with their drafts."""
    if "bot" not in metafunc.fixturenames:
        return
    bots = [bot for game in games for bot in bots_of(game)]
    if "draft" in metafunc.fixturenames:
        metafunc.parametrize(("bot", "draft"), [case for bot in bots for case in cases_of(bot)])
    else:
        metafunc.parametrize("bot", bots, ids=lambda bot: f"{bot.game}-{bot.name}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    each(metafunc, GAMES)


def test_there_are_bots_for_every_game() -> None:
    for game in registry.names():
        names = [bot.name for bot in strategies.known(game)]
        assert "random" in names
        assert strategies.default(game) == "heuristic" or game not in GAMES
        assert len(names) >= 2


def test_it_says_how_it_plays(bot: Bot) -> None:
    assert bot.summary
    assert len(bot.params) == len(bot.parameters)
    assert strategies.find(bot.game, bot.name) == bot


# ---- matches --------------------------------------------------------------------------------------------


def matches_for(bot: Bot) -> int:
    return 10 if searches(bot) or not bot.jitted else MATCHES


@pytest.mark.boundscheck
def test_it_makes_legal_moves_only(bot: Bot, draft: Draft) -> None:
    """Against itself, and among random players, who bring it into odd positions; a batch refuses the rest."""
    count = matches_for(bot)
    Batch(draft, [bot] * draft.players, 5).play(0, count)
    rest = [strategies.find(bot.game, "random")] * (draft.players - 1)
    the_batch = Batch(draft, [bot, *rest], 6)
    rows, scores = the_batch.play(0, count - count % the_batch.period)[:2]
    assert len(scores) > 0
    assert rows[:, 0].sum() == len(scores)


def test_the_same_seed_gives_the_same_matches(bot: Bot) -> None:
    for draft in drafts_of(bot.game)[:3]:
        line = [bot, *[strategies.find(bot.game, "random")] * (draft.players - 1)]
        count = matches_for(bot)
        rows, scores = Batch(draft, line, 7).play(0, count)[:2]
        again, scores_again = Batch(draft, line, 7).play(0, count)[:2]
        assert np.array_equal(rows, again)
        assert np.array_equal(scores, scores_again)
        _, others = Batch(draft, line, 8).play(0, count)[:2]
        assert not np.array_equal(scores, others)


def test_a_match_does_not_depend_on_those_before(bot: Bot) -> None:
    """Nothing is kept from match to match: the last of ten comes out alike when played alone."""
    draft = drafts_of(bot.game)[0]
    the_batch = Batch(draft, [bot] * draft.players, 9, fixed_seats=True)
    _, scores = the_batch.play(0, 10)[:2]
    for match in (9, 4):
        assert np.array_equal(the_batch.play(match, 1)[1][0], scores[match])


# ---- decisions ------------------------------------------------------------------------------------------


def decide(bot: Bot, view: Any, rules: Any, me: Any) -> int:
    return int(bots.compiled(bot)(view, rules, me))


def most(bot: Bot) -> int:
    """Return how many decisions of a match are looked at."""
    if searches(bot):
        return 6 if DISABLED else 40
    return 10_000


def decisions(bot: Bot, draft: Draft, seed: int) -> list[tuple[Table, Any]]:
    """Return the tables at each decision of a match, or of more if it is short, with the records of who decides."""
    found = match_of(bot, draft, seed)
    while len(found) < min(LEAST, most(bot)):
        seed += 1
        found += match_of(bot, draft, seed)
    return found


def match_of(bot: Bot, draft: Draft, seed: int) -> list[tuple[Table, Any]]:
    """Return the tables of a match at each decision, with the records of who decides."""
    table = Table(draft, seed=seed)
    records = bots.players([bot] * draft.players, draft.record())
    for seat in range(draft.players):
        rng.open_stream(records[seat]["stream"], seed, 0, rng.SEAT, seat)
    found = []
    while not table.over and len(found) < most(bot):
        me = records[table.to_move]
        found.append((table.copy(), me.copy()))
        table.apply(decide(bot, table.view(), table.rules, me))
    return found


def few(draft: Draft) -> int:
    """Return a seed that goes with the draft, so that the cases see different deals."""
    return 1000 + sum(map(ord, draft.label)) % 1000


@pytest.mark.boundscheck
def test_what_is_hidden_does_not_change_the_choice(bot: Bot, draft: Draft) -> None:
    engine = registry.find(bot.game).engine
    stream = support.new_stream(3, 0, rng.REST, 0)
    varied = 0
    for table, me in decisions(bot, draft, few(draft)):
        wanted = decide(bot, table.view(), table.rules, me.copy())
        for _ in range(REDEALS):
            state = np.zeros(1, table.state.dtype)[0]
            engine.redeal(table.view(), table.rules, stream, state)
            varied += state.tobytes() != table.state.tobytes()
            # The view inside the whole state, as the engine hands it over, not a copy of it.
            assert decide(bot, state["view"], table.rules, me.copy()) == wanted
    assert (varied == 0) == (bot.game in OPEN)


@pytest.mark.nojit
def test_it_changes_nothing_but_its_stream(bot: Bot, draft: Draft) -> None:
    used = False
    for table, me in decisions(bot, draft, few(draft)):
        state, rules, after = table.state.tobytes(), table.rules.tobytes(), me.copy()
        # Called on the state itself.
        move = decide(bot, table.state["view"], table.rules, after)
        assert table.state.tobytes() == state
        assert table.rules.tobytes() == rules
        for field in after.dtype.names:
            if field != "stream":
                assert after[field].tobytes() == me[field].tobytes(), field
        used |= after["stream"].tobytes() != me["stream"].tobytes()
        # The same again from the same start of the stream.
        assert decide(bot, table.view(), table.rules, me.copy()) == move
    if bot.name == "random":
        assert used


def test_it_follows_its_stream_alone(bot: Bot) -> None:
    """Its address, its number among the bots, and parameters beyond its own that it has not prepared."""
    draft = drafts_of(bot.game)[0]
    for table, me in decisions(bot, draft, 77)[::3]:
        other = me.copy()
        other["address"], other["bot"] = 12345, 3
        other["params"][len(bot.params) :] = 1e9
        if bot.prepare is not None:
            bot.prepare(table.rules, other["params"])
        assert decide(bot, table.view(), table.rules, other) == decide(
            bot, table.view(), table.rules, me.copy()
        )
