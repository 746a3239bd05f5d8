"""What the suite says of rules switched off and on, and of players that may never do something."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.report import gains
from experiments.skill.measures import restricted, rules
from experiments.skill.restrained import Restrained
from experiments.skill.section import Section
from experiments.skill.spec import Players, Spec, players_of
from experiments.skill.variants import Variants, trials_of
from sim import drafts, registry
from sim.batch import Batch
from sim.loop import FIXED
from strategies import kinds


def spec_of(draft: str, *changes: str) -> Spec:
    loaded = drafts.load(draft, changes)
    return Spec(loaded, players_of(loaded.game), 1)


def value(section: Section, what: str, of: str) -> float:
    (number,) = [one for one in section.numbers if one.what.startswith(what) and one.of == of]
    return number.found.value


# ---- rules ------------------------------------------------------------------------------------------------


def test_a_draft_full_of_rules_loses_each_and_a_plain_one_tries_each() -> None:
    author, plain = (trials_of(drafts.load(f"daifugo/{name}")) for name in ("author", "plain"))
    assert all(trial.is_on for trial in author.tried)
    assert {"eight_cut", "miyako_ochi"} & {trial.switch.name for trial in author.tried} == {"eight_cut"}
    assert {trial.switch.name for trial in plain.tried if trial.is_on} == {
        "jokers",
        "exchange",
        "rich_see_first",
        "sequences",
        "revolution",
    }
    assert "miyako_ochi" in {trial.switch.name for trial in plain.tried if not trial.is_on}
    left_out = {switch.name: reason for switch, reason in plain.left_out}
    assert left_out["four_stop"] == "needs eight_cut, which is off"
    assert not author.left_out
    one = trials_of(drafts.load("daifugo/author", ("rules.games=1",)))
    assert {switch.name for switch, _ in one.left_out} == {"exchange", "rich_see_first"}


def test_a_rule_that_the_other_options_forbid_is_left_out_with_the_reason() -> None:
    tight = trials_of(drafts.load("uplink/v1.1", ("rules.hand_size=6",)))
    ((switch, reason),) = tight.left_out
    assert switch.name == "variant"
    assert "needs 14 cards and 13 are there" in reason
    assert len(tight.tried) == 5
    decks = trials_of(drafts.load("uplink/personal-decks"))
    assert [(switch.name, reason) for switch, reason in decks.left_out] == [
        ("heart_pair", "does nothing beside variant")
    ]


def test_variants_play_the_same_deals() -> None:
    """Of the drafts, that of the spec is played as by itself; equal seeds make equal deals."""
    spec = spec_of("daifugo/author", "rules.games=2")
    tried = trials_of(spec.draft).tried[:3]
    source = Variants(spec, tried, "heuristic", "greedy")
    decisions, strong, stays, first, winners, came = source.play(3, 4)
    assert decisions.shape == strong.shape == stays.shape == first.shape == (4, 4)
    assert winners.shape == (4, 4, 4)
    assert came.shape == (4, 3)
    rows = Batch(spec.draft, [spec.bot("heuristic")] * 4, 1, fixed_seats=True).play(3, 4).rows
    assert np.array_equal(decisions[:, 0], rows[:, 2] / 2)
    assert (winners.sum(axis=2) == registry.find("daifugo").engine.WIN).all()
    later = source.play(5, 2)
    assert all(np.array_equal(one[2:], two) for one, two in zip(source.play(3, 4), later, strict=True))


def test_every_number_of_a_rule_has_its_n_and_interval() -> None:
    spec = spec_of("ninepeak/draft11")
    trials = trials_of(spec.draft)
    section = rules.read(spec, *rules.MEASURE.source(spec).play(0, 40))
    names = [trial.label for trial in trials.tried]
    assert {number.of for number in section.numbers} == set(names)
    assert section.figure is not None
    assert len(section.figure.rows) == len(names)
    text = " ".join(finding.lead + finding.text + " ".join(finding.items) for finding in section.findings)
    assert "What the rules change" in text
    for number in section.numbers:
        assert number.found.blocks == 40
        assert number.found.low <= number.found.value <= number.found.high


def test_what_is_said_of_a_rule_that_decides_and_of_one_that_never_comes() -> None:
    """A spec with two rules, read from made-up numbers: the signs, what was not seen and what never came."""
    spec = spec_of("uplink/v1.1")
    tried = trials_of(spec.draft).tried
    dice = np.random.default_rng(4)
    base = 0.3 + 0.1 * dice.random(400)
    strong = np.repeat(base[:, None], len(tried) + 1, axis=1)
    pair = [trial.label for trial in tried].index("heart_pair") + 1
    lead = [trial.label for trial in tried].index("next_lead (tried)") + 1
    strong[:, pair] -= 0.1  # without the pair the stronger wins less: it brings skill
    strong[:, lead] -= 0.1  # with the rotating lead the stronger wins less: it brings luck
    decisions = np.ones_like(strong)
    winners = np.zeros((400, len(tried) + 1, 4), np.int64)
    came = np.zeros((400, len(tried)), np.int64)
    none = np.zeros((400, 0))
    section = rules.read(spec, decisions, strong, none, none, winners, came)
    assert value(section, "win share of heuristic among greedy", "heart_pair") == pytest.approx(0.1)
    assert value(section, "win share of heuristic among greedy", "next_lead (tried)") == pytest.approx(-0.1)
    assert not [number for number in section.numbers if number.what.startswith("decisions")]
    told = {finding.lead: finding for finding in section.findings}
    skill, luck = told["Luck or skill"].items
    assert skill.startswith("skill")
    assert "heart_pair" in skill
    assert luck.startswith("luck")
    assert "next_lead" in luck
    assert told["Never came"].text.startswith("In 400 matches: heart_pair.")
    assert "left_behind" in told["No effect seen"].text
    assert "heart_pair" not in told["No effect seen"].text
    # All differ by nothing or by the same on every deal.
    assert told["Same deals"].text == (
        f"Of {len(tried)} rules it came out alike on every deal, which leaves no noise at all."
    )
    assert not [number for number in section.numbers if number.what.startswith(gains.PAIRING)]
    strong[:, pair] += 0.1 * (dice.random(400) - 0.5)
    section = rules.read(spec, decisions, strong, none, none, winners, came)
    # Variances of 1, and of 1 and 1 more where the rule differs: (1 + 2)/1.
    (gain,) = [number for number in section.numbers if number.what.startswith(gains.PAIRING)]
    assert (gain.of, gain.listed) == ("heart_pair", False)
    assert gain.found.low < 3 < gain.found.high
    (text,) = [finding.text for finding in section.findings if finding.lead == "Same deals"]
    assert f"takes {gain.said} times as many deals. Of {len(tried) - 1} rules" in text


@pytest.mark.parametrize("without", [0, 1])
def test_a_rule_comes_in_no_more_than_all_matches(without: int) -> None:
    spec = spec_of("uplink/v1.1")
    tried = trials_of(spec.draft).tried
    pair = [trial.label for trial in tried].index("heart_pair")
    came = np.ones((30, len(tried)), np.int64)
    came[:without, pair] = 0
    strong = np.random.default_rng(4).random((30, len(tried) + 1))
    section = rules.read(
        spec,
        np.ones_like(strong),
        strong,
        np.zeros((30, 0)),
        np.zeros((30, 0)),
        np.zeros((30, len(tried) + 1, 4)),
        came,
    )
    (number,) = [
        one for one in section.numbers if one.what.startswith("matches in which") and one.of == "heart_pair"
    ]
    assert number.found.value == 1 - without / 30
    assert 0.8 < number.found.low < number.found.value <= number.found.high <= 1


def test_equal_players_leave_no_strength_to_compare() -> None:
    loaded = drafts.load("uplink/v1.1")
    spec = Spec(loaded, Players(("greedy",), "greedy", "heuristic", None), 1)
    data = rules.MEASURE.source(spec).play(0, 12)
    assert data[1].shape == (12, 0)
    section = rules.read(spec, *data)
    assert [finding.lead for finding in section.findings] == ["What the rules change"]


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
    assert "missed most, as far as told: leave_bad, " in text.text
    assert text.items[0].startswith("leave_bad: ")
    assert "Each 1% of moves" in errors.text
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
    assert f"missed most, as far as told: {names[0]}, {names[1]}." in text.text
    # The two win one of four seats on every other deal: a variance of 7/64 a match, of 1/64 the mean of four.
    found = {number.of: number.found for number in section.numbers if number.what == gains.SEATINGS}
    assert list(found) == names[:2]
    assert [one.value for one in found.values()] == pytest.approx([7 / 4] * 2, rel=0.01)
    assert "takes 1.7" in saved.text
    assert f"In {len(names) - 1} restrictions the seats of every deal made up for each other" in saved.text
    assert errors.text.endswith("measured at 5%: not told from 0.")
    wins[:, 1] = 0.0
    wins[::2, -1] = 0.0
    text, errors, _ = restricted.read(spec, wins, usual, forced).findings
    assert f"{names[1]} is missed most." in text.text
    assert errors.text.endswith("measured at 5%.")


def test_a_game_without_kinds_or_rules_has_neither_part() -> None:
    spec = Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1)
    assert not restricted.MEASURE.applies(spec)
    assert not rules.MEASURE.applies(spec)
