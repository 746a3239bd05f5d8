"""Rules that can be switched: that the options are there, mean what is said, and need what is said."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

from sim import drafts, registry, switches
from sim.batch import Batch
from sim.drafts import Draft, with_tables
from sim.errors import UserError
from sim.loop import CELL_ITEMS, FIXED
from sim.switches import Switch
from strategies import registry as strategies
from tests import games

BASES = {"uplink": "uplink/v1.1", "daifugo": "daifugo/everything", "ninepeak": "ninepeak/draft11"}
GAMES = list(BASES)
ALL = [(game, switch) for game in GAMES for switch in switches.of_game(game)]
NEEDY = [(game, switch) for game, switch in ALL if switch.needs or switch.excluded_by]


def ids(value: Any) -> str | None:
    return value.key if isinstance(value, Switch) else None


def base(game: str) -> Draft:
    changes = ("rules.games=5",) if game == "daifugo" else ()
    return drafts.load(BASES[game], changes)


def with_rule(draft: Draft, switch: Switch) -> Draft:
    """Return the draft with the rule on."""
    return draft if switch.is_on(draft) else switch.with_value(draft, switch.values(draft)[1])


def turned(draft: Draft, switch: Switch) -> Draft:
    """Return the draft without the rule, or with it if it does not have it."""
    return switch.without(draft) if switch.is_on(draft) else with_rule(draft, switch)


def rows_of(draft: Draft, matches: int, bot: str = "random") -> Any:
    line = [strategies.find(draft.game, bot)] * draft.players
    return Batch(draft, line, 4, fixed_seats=True).play(0, matches).rows


def events_of(draft: Draft, matches: int, bot: str = "random") -> dict[str, int]:
    """Return the counts of what a draft's matches had."""
    state = registry.find(draft.game).state
    tally = rows_of(draft, matches, bot)[:, FIXED + (CELL_ITEMS + state.SEAT_TALLY_SIZE) * draft.players :]
    found, first = {}, 0
    for event in state.EVENTS:
        found[event.name] = int(tally[:, first : first + event.length].sum())
        first += event.length
    return found


@pytest.mark.parametrize(("game", "switch"), ALL, ids=ids)
def test_a_switch_turns_an_option_there_and_back(game: str, switch: Switch) -> None:
    draft = base(game)
    other = turned(draft, switch)
    assert switch.is_on(other) != switch.is_on(draft)
    assert drafts.to_toml(other) != drafts.to_toml(draft)
    if not switch.excluded_by:
        assert other.record().tobytes() != draft.record().tobytes()
    names = {event.name for event in registry.find(game).state.EVENTS}
    assert {*switch.events, *switch.less} <= names


def test_every_rule_of_daifugo_that_is_on_or_off_is_a_switch() -> None:
    rules = registry.find("daifugo").options.Rules
    known = {switch.name for switch in switches.of_game("daifugo")}
    assert {name for name, field in rules.model_fields.items() if field.annotation is bool} <= known
    assert len(known) == len(switches.of_game("daifugo"))


@pytest.mark.parametrize(("game", "switch"), ALL, ids=ids)
def test_a_switch_has_every_value_of_its_option(game: str, switch: Switch) -> None:
    """A choice has all that the option takes, numbers those that are named, each of them a draft of its own."""
    draft = base(game)
    field = type(getattr(draft.options, switch.key.partition(".")[0])).model_fields[switch.name]
    values = switch.values(draft)
    if field.annotation is bool:
        assert values == [False, True]
        assert not switch.is_choice(draft)
    elif switch.numbers:
        assert values == [switch.off, *switch.numbers]
        assert not switch.is_choice(draft)
    else:
        assert get_origin(field.annotation) is Literal
        assert sorted(map(str, values)) == sorted(map(str, get_args(field.annotation)))
        assert switch.is_choice(draft)
    assert len({drafts.to_toml(switch.with_value(draft, value)) for value in values}) == len(values) > 1


@pytest.mark.parametrize(("game", "switch"), NEEDY, ids=ids)
def test_without_what_it_needs_a_rule_does_nothing(game: str, switch: Switch) -> None:
    """In a draft full of rules, for each thing needed: the same matches with the rule and without."""
    known = {one.key: one for one in switches.of_game(game)}
    for keys, on in [
        *((group, False) for group in switch.needs),
        *(((key,), True) for key in switch.excluded_by),
    ]:
        draft = with_rule(base(game), switch)
        for key in keys:
            if known[key].is_on(draft) != on:
                draft = turned(draft, known[key])
        assert switches.idle(switch, draft)
        with_it, without = rows_of(draft, 300), rows_of(turned(draft, switch), 300)
        assert np.array_equal(with_it, without), keys


@pytest.mark.parametrize(("game", "switch"), ALL, ids=ids)
def test_a_rule_does_something_where_it_has_what_it_needs(game: str, switch: Switch) -> None:
    draft = with_rule(base(game), switch)
    if switch.name == "deal_from":  # who gets the cards left over: there are none where two are laid away
        draft = with_tables(draft, {"rules": {"blind_cards": 0}}, "")
    for group in switch.needs:
        known = {one.key: one for one in switches.of_game(game)}
        if not any(known[key].is_on(draft) for key in group):
            draft = turned(draft, known[group[0]])
    assert not switches.idle(switch, draft)
    found = [rows_of(one, 3000, "greedy") for one in (draft, turned(draft, switch))]
    assert not np.array_equal(*found)


@pytest.mark.parametrize("switch", [one for one in switches.of_game("daifugo") if one.later], ids=ids)
def test_a_later_rule_leaves_the_first_game_alone(switch: Switch) -> None:
    several = with_rule(base("daifugo"), switch)
    draft = with_tables(several, {"rules": {"games": 1}}, "")
    assert "several games" in switches.idle(switch, draft)
    assert np.array_equal(rows_of(draft, 300), rows_of(turned(draft, switch), 300))


def test_the_events_of_a_rule_are_its_own() -> None:
    """With the rule off none comes; with it on, all but the rarest have come."""
    on = events_of(base("daifugo"), 3000, "heuristic")
    rare = set()
    for switch in switches.of_game("daifugo"):
        if not switch.events or switch.name == "spade_three_clears" or not switch.is_on(base("daifugo")):
            continue
        if sum(on[name] for name in switch.events) - sum(on[name] for name in switch.less) <= 0:
            rare.add(switch.name)
        off = events_of(turned(base("daifugo"), switch), 500, "heuristic")
        assert sum(off[name] for name in switch.events) == sum(off[name] for name in switch.less), switch.key
    assert len(rare) <= 3, rare


def test_what_falls_silent_with_a_rule() -> None:
    author = drafts.load("daifugo/author")
    known = {one.name: one for one in switches.of_game("daifugo")}
    assert [one.name for one in switches.silenced(known["eight_cut"], author)] == [
        "four_stop",
        "foul_eight_cut",
    ]
    assert not switches.silenced(known["skip"], author)
    assert (
        switches.idle(known["eleven_back_triple"], drafts.load("daifugo/plain"))
        == "needs eleven_back, which is off"
    )


def test_a_rule_that_the_other_options_forbid_is_refused() -> None:
    crowd = drafts.load("daifugo/author", ("rules.players=8", "rules.exchange=[]"))
    with pytest.raises(UserError, match="at most two"):
        Switch("rules.exchange", off=[]).with_value(crowd, [4, 4, 4])


def test_a_game_need_not_name_any() -> None:
    with games.registered():
        assert switches.of_game("kuhn") == ()
