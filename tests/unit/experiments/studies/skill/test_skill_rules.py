"""What the suite says of rules switched off and on, and of players that may never do something."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from experiments.play.move_bans import Restrained
from experiments.play.variants import Variants, trials_of
from experiments.report import gains
from experiments.studies.skill.measures import restricted, rules
from experiments.studies.skill.section import Section
from experiments.studies.skill.spec import Players, Spec, players_of
from sim import drafts, registry, switches
from sim.batch import Batch
from sim.loop import FIXED
from sim.switches import Switch
from strategies import kinds


def spec_of(draft: str, *changes: str) -> Spec:
    loaded = drafts.load(draft, changes)
    return Spec(loaded, players_of(loaded.game), 1)


def value(section: Section, what: str, of: str) -> float:
    (number,) = [one for one in section.numbers if one.what.startswith(what) and one.of == of]
    return number.found.value


# ---- rules ------------------------------------------------------------------------------------------------


def test_every_value_is_tried_of_the_rules_of_a_draft_and_of_every_choice() -> None:
    for name in ("uplink/v1.1", "ninepeak/draft11", "daifugo/author", "daifugo/plain"):
        draft = drafts.load(name)
        trials = trials_of(draft)
        labels = [trial.label for trial in trials.tried]
        assert len(set(labels)) == len(labels)
        skipped = {name for name, _ in trials.left_out}
        for switch in switches.of_game(draft.game):
            values = [switch.said(value) for value in switch.values(draft) if value != switch.value(draft)]
            if switch.is_choice(draft) or switch.is_on(draft):
                assert set(values) <= set(labels) or switch.name in skipped, switch.key
        for trial in trials.tried:
            assert trial.switch.value(trial.draft) == trial.value != trial.switch.value(draft)


def test_the_value_that_is_tried_is_named() -> None:
    labels = [trial.label for trial in trials_of(drafts.load("uplink/v1.1")).tried]
    assert labels == [
        "ace = low",
        "tied_top = earlier",
        "tied_top = second",
        "left_behind = 0",
        "left_behind = 2",
        "next_lead = rotate",
        "heart_pair = off",
        "heart_pair = 1",
        "heart_pair = 3",
        "variant = personal_decks",
    ]
    # The same of a draft that has another of the values.
    second = trials_of(drafts.load("uplink/v1.1", ("rules.tied_top=second",)))
    assert [trial.label for trial in second.tried][1:3] == ["tied_top = later", "tied_top = earlier"]


def test_only_what_the_game_counts_is_said_to_come_or_not() -> None:
    """Points for playing no joker are counted; the cards drawn in their place are not."""
    for name, removed in (("ninepeak/draft11", True), ("ninepeak/draft12-draw", False)):
        counted = {trial.label: trial.counted for trial in trials_of(drafts.load(name)).tried}
        assert counted["no_joker = none"] is removed
        assert counted["no_joker = flat"]
        assert not counted.get("no_joker = draw_to_hand")
        assert not counted["suits = colours"]


def test_a_draft_full_of_rules_loses_each_and_a_plain_one_tries_each() -> None:
    author, plain = (trials_of(drafts.load(f"daifugo/{name}")) for name in ("author", "plain"))
    tried = [trial.label for trial in author.tried]
    assert {"eight_cut = false", "exchange = [1]", "suit_lock = partial", "clear_when = all_passed"} <= {
        *tried
    }
    assert not [label for label in tried if label.endswith(" = true")]
    assert {"miyako_ochi = true", "jokers = 1", "revolution = false"} <= {
        trial.label for trial in plain.tried
    }
    assert dict(plain.left_out)["four_stop"] == "needs eight_cut, which is off"
    assert not author.left_out
    one = trials_of(drafts.load("daifugo/author", ("rules.games=1",)))
    assert {name for name, _ in one.left_out} == {"deal_from", "first_lead", "exchange", "rich_see_first"}


def test_a_value_that_the_other_options_forbid_is_left_out_with_the_reason() -> None:
    tight = trials_of(drafts.load("uplink/v1.1", ("rules.hand_size=6",)))
    reasons = dict(tight.left_out)
    assert list(reasons) == ["left_behind = 2", "variant = personal_decks"]
    assert "needs 53 cards and 52 are there" in reasons["left_behind = 2"]
    assert "needs 14 cards and 13 are there" in reasons["variant = personal_decks"]
    assert len(tight.tried) == 8
    decks = trials_of(drafts.load("uplink/personal-decks"))
    assert decks.left_out == [("heart_pair", "does nothing beside variant")]


def test_variants_play_the_same_deals() -> None:
    """Of the drafts, that of the spec is played as by itself; equal seeds make equal deals."""
    spec = spec_of("daifugo/author", "rules.games=2")
    tried = trials_of(spec.draft).tried[:3]
    source = Variants(spec, tried, "heuristic", "greedy")
    strong, won, lengths, stays, first, winners, came = source.play(3, 4)
    assert strong.shape == (4, 4)
    assert stays.shape == first.shape == (16, 4)
    assert won.shape == winners.shape == (16, 4, 4)
    assert lengths.shape == (16, 4, 2)
    assert came.shape == (16, 3)
    played = Batch(spec.draft, [spec.bot("heuristic")] * 4, 1, fixed_seats=True).play(12, 16)
    assert np.array_equal(lengths[:, 0, 0], played.rows[:, 2] / 2)
    assert np.array_equal(lengths[:, 0, 1], played.rows[:, source._events["tricks"]].sum(axis=1) / 2)
    assert np.allclose(won.sum(axis=2), 1)
    assert (winners.sum(axis=2) == registry.find("daifugo").engine.WIN).all()
    later = source.play(5, 2)
    for whole, part in zip(source.play(3, 4), later, strict=True):
        assert np.array_equal(whole[-len(part) :], part)


def test_every_number_of_a_rule_has_its_n_and_interval() -> None:
    spec = spec_of("ninepeak/draft11")
    trials = trials_of(spec.draft)
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 12))
    names = [trial.label for trial in trials.tried]
    assert {number.of for number in section.numbers} == set(names)
    keys = [(number.what, number.of) for number in section.numbers]
    assert len(set(keys)) == len(keys)
    assert section.figure is not None
    assert sorted(section.figure.rows) == sorted(names)
    changes = {number.what for number in section.numbers if number.what.startswith("change: ")}
    assert changes == {
        *(f"change: win rate of seat {seat + 1}" for seat in range(4)),
        "change: the stronger bot's win rate",
        "change: largest deviation of a seat from its fair share",
        "change: decisions a match",
        "change: rounds a match",
    }
    assert section.deals == 48
    for number in section.numbers:
        assert number.found.blocks == (12 if "stronger" in number.what else 48)
        assert number.found.low <= number.found.value <= number.found.high


def one_swap(monkeypatch: pytest.MonkeyPatch) -> Spec:
    """Return a spec of One swap, whose one rule to try is a pack of three cards in place of thirteen."""
    monkeypatch.setattr(switches, "of_game", lambda game: (Switch("rules.cards", off=13, numbers=(3,)),))
    return Spec(
        drafts.load("oneswap/thirteen"), Players(("first",), "threshold:t=2", "threshold:t=2", None), 1
    )


def test_what_a_rule_does_to_the_seats_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who swaps the lowest card alone wins 7 of 13 with thirteen cards, and 2 of 3 with three."""
    spec = one_swap(monkeypatch)
    truth = 2 / 3 - 7 / 13
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 2000))
    numbers = {number.what: number for number in section.numbers if number.of == "cards = 3"}
    for what, change in (
        ("win rate of seat 1", truth),
        ("win rate of seat 2", -truth),
        ("largest deviation of a seat from its fair share", truth),
    ):
        found = numbers[f"change: {what}"].found
        assert found.low <= change <= found.high
        assert 0 < found.high - found.low < 0.1
    (item,) = section.findings[0].items
    assert item.startswith("cards = 3: seat 1 wins 1")
    assert "pp more often" in item
    assert "the seats become less fair" in item
    assert "seat 2 wins 1" in item


def test_few_deals_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = one_swap(monkeypatch)
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 10))
    assert section.findings[0].lead == "Too few deals"
    told = " ".join(finding.lead + finding.text for finding in section.findings)
    assert "Nothing found" not in told
    text = section.findings[0].text
    assert text.startswith("Not enough deals to judge 1 change (cards = 3). About ")
    assert text.endswith("20 were played.")
    # Four intervals reach 2.5 deviations of about half a win: some 15,000 deals, of which 20 tell the order of size.
    needed = int(re.findall(r"About ([0-9,]+) deals", text)[0].replace(",", ""))
    assert 4_000 < needed < 40_000


def test_many_rules_with_few_deals_are_one_line_too() -> None:
    spec = spec_of("ninepeak/draft11")
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 3))
    assert section.findings[0].lead == "Too few deals"
    assert section.findings[0].text.startswith("Not enough deals to judge 13 changes. About ")
    assert [finding.lead for finding in section.findings] == ["Too few deals"]


def test_a_win_rate_that_few_deals_leave_open_is_not_called_unchanged() -> None:
    """Ten blocks show that drawing cards makes matches longer, and nothing of who wins."""
    spec = spec_of("ninepeak/draft11")
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 10))
    (item,) = section.findings[0].items
    assert item.startswith("no_joker = draw_to_hand: a match takes ")
    assert "for the seats and the stronger bot there are too few deals to say" in item
    assert "did not change measurably" not in item


def made_up(strong: Any, seats: int = 4) -> list[Any]:
    """Return what `rules.read` takes, of matches that differ in the win of the strong player alone."""
    deals, size = strong.shape
    won = np.full((deals, size, seats), 1 / seats)
    none = np.zeros((deals, 0))
    return [strong, won, np.ones((deals, size, 1)), none, none, np.zeros((deals, size, seats), np.int64),
            np.zeros((deals, size - 1), np.int64)]  # fmt: skip


def test_what_is_said_of_a_rule_that_decides_and_of_one_that_never_comes() -> None:
    """A spec with its rules, read from made-up numbers: the signs, what changes nothing and what never came."""
    spec = spec_of("uplink/v1.1")
    labels = [trial.label for trial in trials_of(spec.draft).tried]
    dice = np.random.default_rng(4)
    strong = np.repeat((0.3 + 0.1 * dice.random(1000))[:, None], len(labels) + 1, axis=1)
    less = labels.index("heart_pair = off") + 1
    more = labels.index("next_lead = rotate") + 1
    strong[:, less] -= 0.1
    strong[:, more] += 0.2
    section = rules.read(spec, *made_up(strong))
    what = "change: the stronger bot's win rate"
    assert value(section, what, "heart_pair = off") == pytest.approx(-0.1)
    assert value(section, what, "next_lead = rotate") == pytest.approx(0.2)
    assert not [number for number in section.numbers if "decisions" in number.what or "seat" in number.what]
    told = {finding.lead: finding for finding in section.findings}
    first, second = told["What the rules change"].items
    assert first.startswith("next_lead = rotate: the stronger bot wins 20")
    assert second.startswith("heart_pair = off: the stronger bot wins 10")
    assert "pp less often" in second
    assert told["Luck or skill"].text == (
        "The stronger bot wins more often with next_lead = rotate (+20.0\N{NO-BREAK SPACE}pp). "
        "The stronger bot wins less often with heart_pair = off (\N{MINUS SIGN}10.0\N{NO-BREAK SPACE}pp)."
    )
    assert told["Never came"].text.startswith(
        "In 1,000 matches: heart_pair, heart_pair = 1 and heart_pair = 3."
    )
    assert told["Nothing found"].text.startswith("ace = low, tied_top = earlier, ")
    assert "heart_pair" not in told["Nothing found"].text
    assert "Too few deals" not in told
    # All differ by nothing or by the same on every deal.
    assert told["Same deals"].text == (
        f"Of {len(labels)} changes it came out alike on every deal, which leaves no noise at all."
    )
    assert not [number for number in section.numbers if number.what.startswith(gains.PAIRING)]
    strong[:, less] += 0.1 * (dice.random(1000) - 0.5)
    section = rules.read(spec, *made_up(strong))
    # Variances of 1, and of 1 and 1 more where the rule differs: (1 + 2)/1.
    (gain,) = [number for number in section.numbers if number.what.startswith(gains.PAIRING)]
    assert (gain.of, gain.listed) == ("heart_pair = off", False)
    assert gain.found.low < 3 < gain.found.high
    (text,) = [finding.text for finding in section.findings if finding.lead == "Same deals"]
    assert f"takes {gain.said} times as many deals. Of {len(labels) - 1} changes" in text


def test_a_seat_that_moves_is_told_where_the_stronger_bot_wins_as_often() -> None:
    """Made-up wins: with one change a win in ten goes from seat 3 to seat 1; a match is a tenth longer with another."""
    spec = spec_of("uplink/v1.1")
    labels = [trial.label for trial in trials_of(spec.draft).tried]
    dice = np.random.default_rng(4)
    winner = dice.integers(0, 4, 4000)
    data = made_up(np.repeat(dice.random(4000)[:, None], len(labels) + 1, axis=1))
    data[1] = np.repeat(np.eye(4)[winner][:, None], len(labels) + 1, axis=1)
    moved = labels.index("tied_top = second") + 1
    data[1][:, moved] = np.eye(4)[np.where((winner == 3) & (dice.random(4000) < 0.4), 1, winner)]
    data[2] = 20 + dice.integers(0, 2, (4000, 1, 1)) + np.zeros((1, len(labels) + 1, 1))
    data[2][:, labels.index("ace = low") + 1] += 2
    section = rules.read(spec, *data)
    seat, longer = section.findings[0].items
    assert re.match(r"tied_top = second: seat [24] wins (9|10|11)\.\d pp (more|less) often \(", plain(seat))
    assert "seat 4 wins" in seat
    assert "the seats become less fair: the largest deviation of a seat from its fair share rises by " in seat
    assert "the stronger bot's win rate did not change measurably (" in seat
    assert re.match(
        r"ace = low: no seat's win rate changed measurably .*; a match takes 2\.0* more decisions",
        plain(longer),
    )


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("without", [0, 1])
def test_a_rule_comes_in_no_more_than_all_matches(without: int) -> None:
    spec = spec_of("uplink/v1.1")
    labels = [trial.label for trial in trials_of(spec.draft).tried]
    data = made_up(np.random.default_rng(4).random((30, len(labels) + 1)))
    data[-1][:, :] = 1
    data[-1][:without, labels.index("heart_pair = off")] = 0
    section = rules.read(spec, *data)
    (number,) = [
        one
        for one in section.numbers
        if one.what.startswith("matches in which") and one.of == "heart_pair = off"
    ]
    assert number.found.value == 1 - without / 30
    assert 0.8 < number.found.low < number.found.value <= number.found.high <= 1


def test_equal_players_leave_no_strength_to_compare() -> None:
    loaded = drafts.load("uplink/v1.1")
    spec = Spec(loaded, Players(("greedy",), "greedy", "heuristic", None), 1)
    data = rules.MEASURE.source(spec).play(0, 12)
    assert data[0].shape == (12, 0)
    section = rules.read(spec, *data)
    assert not [number for number in section.numbers if "stronger" in number.what]
    assert "stronger" not in section.caution


# ---- restricted play --------------------------------------------------------------------------------------


def test_who_is_held_back_plays_as_in_a_batch() -> None:
    """The wins are those of the same line-up in a batch; unrestricted, all seats together win all."""
    spec = spec_of("uplink/v1.1")
    source = Restrained(spec, "adapted", 0.05)
    wins, usual, forced = source.play(2, 30)
    names = [kind.name for kind in kinds.of_game("uplink").kinds]
    assert wins.shape == (30, len(names) + 1, 4)
    bot = spec.bot(f"adapted:never={names[3]}")
    line = [spec.bot("adapted"), bot, *[spec.bot("adapted")] * 2]
    rows = Batch(spec.draft, line, 1, fixed_seats=True).play(2, 30).rows
    won = rows[:, FIXED + 2 * 4 + 4 + 1]  # wins of the second bot, in seat 1
    assert np.allclose(wins[:, 3, 1], won / registry.find("uplink").engine.WIN)
    assert (usual[:, 0] == rows[:, 2]).mean() > 0.5  # as many decisions: they hang on who takes tricks
    assert (usual[:, 1:].sum(axis=0) > 0).all()
    assert (forced[:, :, 1] <= forced[:, :, 0]).all()
    assert np.array_equal(source.play(10, 5)[0], source.play(8, 9)[0][2:7])


def test_a_kind_that_decides_is_missed() -> None:
    spec = spec_of("uplink/v1.1")
    section = restricted.read(spec, *restricted.MEASURE.source(spec).play(0, 150))
    what = "importance"
    assert value(section, what, "leave_bad") > 0.08
    assert abs(value(section, what, "lead_high")) < 0.08
    text, errors, saved = section.findings
    assert "missed most is one of leave_bad, " in text.text
    assert text.items[0].startswith("leave_bad: ")
    assert "Each 1% of random moves costs" in errors.text
    size = len(kinds.of_game("uplink").kinds)
    assert sum(number.listed for number in section.numbers) == 3 * size + 1
    gained = [number.found for number in section.numbers if number.what == gains.SEATINGS]
    assert len(gained) == size + 1
    assert all(0 < gain.low < gain.value < gain.high for gain in gained)
    assert saved.text.startswith("Each deal is played in all seats.")


def test_no_more_is_said_than_the_intervals_allow() -> None:
    """At first two kinds cost half the wins, and the rest nothing, nor errors; then one of them all, and errors half."""
    spec = spec_of("uplink/v1.1")
    names = [kind.name for kind in kinds.of_game("uplink").kinds]
    wins = np.tile(np.eye(4), (100, 1))[:, None].repeat(len(names) + 1, axis=1)
    usual = np.ones((400, len(names) + 1), np.int64)
    forced = np.ones((400, len(names), 2), np.int64)
    wins[::2, :2] = 0.0
    section = restricted.read(spec, wins, usual, forced)
    text, errors, saved = section.findings
    assert f"missed most is one of {names[0]}, {names[1]}." in text.text
    # The two win one of four seats on every other deal: a variance of 7/64 a match, of 1/64 the mean of four.
    found = {number.of: number.found for number in section.numbers if number.what == gains.SEATINGS}
    assert list(found) == names[:2]
    assert [one.value for one in found.values()] == pytest.approx([7 / 4] * 2, rel=0.01)
    assert "takes 1.7" in saved.text
    assert f"In {len(names) - 1} restrictions the seats of every deal made up for each other" in saved.text
    assert errors.text.endswith("(measured at 5%), which is not measurably different from 0.")
    wins[:, 1] = 0.0
    wins[::2, -1] = 0.0
    text, errors, _ = restricted.read(spec, wins, usual, forced).findings
    assert f"{names[1]} is missed most." in text.text
    assert errors.text.endswith("(measured at 5%).")


def test_a_game_without_kinds_or_rules_has_neither_part() -> None:
    spec = Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1)
    assert not restricted.MEASURE.applies(spec)
    assert not rules.MEASURE.applies(spec)
