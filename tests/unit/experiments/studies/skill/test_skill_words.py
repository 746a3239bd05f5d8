"""What is said of numbers: every case has its words, and the names are those of the numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from experiments.metrics import variance_components
from experiments.report import gains
from experiments.stats import Estimate
from experiments.studies.skill import sums
from experiments.studies.skill.findings import headline
from experiments.studies.skill.measures import course, ladder, ledger, luck, restricted
from experiments.studies.skill.play import Suite
from experiments.studies.skill.section import Answer, Number, Section
from experiments.studies.skill.spec import Players, Spec, players_of
from sim import drafts
from strategies import kinds


def about(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, (high - low) / 4, low, high, 100)


def spec(best: str, *beginners: str) -> Spec:
    return Spec(drafts.load("oneswap/thirteen"), Players(beginners, "first", best, None), 1)


def suite(spec: Spec, deals: int, *answers: Answer) -> Suite:
    """Return a suite whose measures gave these answers, in the order of a headline."""
    sections = [
        Section(name, "Some", [], [], "", deals, answer=answer)
        for name, answer in zip(("ledger", "ladder", "seats"), answers, strict=False)
    ]
    done = {section.name: deals for section in sections}
    return Suite(spec, sections, done, done)


def ends(lower: Estimate, upper: Estimate, *, dice: bool = False) -> list[Number]:
    """Return what the ledger tells of all chance."""
    lots = (
        [Number(ledger.SHARE, ledger.NAMES[variance_components.DICE], about(0.0, 0.1), "share")]
        if dice
        else []
    )
    chance = ledger.NAMES[variance_components.CHANCE]
    return [Number(ledger.SHARE, chance, lower, "share"), Number(ledger.UPPER, chance, upper, "share"), *lots]


@pytest.mark.parametrize(
    ("lower", "upper", "dice", "words"),
    [
        (
            about(0.2, 0.22),
            about(0.85, 0.87),
            True,
            (
                "Between 21% and 86% of a seat's result is luck: 21% by the cards alone, up to 86% counting how the cards suit the players, "
                "and what players draw by lot."
            ),
        ),
        (about(0.2, 0.22), about(0.5, 0.6), False, "up to 55% counting how the cards suit the players."),
        (about(0.4, 0.41), about(0.4, 0.412), False, "About 41% of a seat's result is luck, whoever plays."),
        (about(0.0, 0.0), about(0.0, 0.001), False, "There is no luck of the cards"),
    ],
)
def test_the_headline_gives_both_ends_of_luck(
    lower: Estimate, upper: Estimate, dice: bool, words: str
) -> None:
    first, second, *_ = ends(lower, upper)
    assert words in ledger.headline(first, second, dice=dice)


def test_answers_stand_in_the_headline_and_beside_those_of_another_draft() -> None:
    luck_, skill, fair = (
        Answer(topic, f"The {topic}.", f"some {topic}") for topic in ("Luck", "Skill", "Seats")
    )
    of = spec("threshold:7", "first")
    assert headline(suite(of, 100, luck_, skill, fair)) == ["The Luck.", "The Skill.", "The Seats."]
    other = suite(of, 100, luck_, Answer("Skill", "Less.", "less"))
    label = of.draft.label
    assert headline(suite(of, 100, luck_, skill, fair), other) == [
        f"Luck: some Luck; in {label}: some Luck.", f"Skill: some Skill; in {label}: less.", "Seats: some Seats.",
    ]  # fmt: skip
    assert headline(Suite(of, [], {}, {}))[0].startswith("The run was too short")


def test_the_headline_says_on_how_few_deals_it_rests() -> None:
    answer = Answer("Luck", "Luck.", "luck")
    assert len(headline(suite(spec("threshold:7", "first"), 100, answer))) == 1
    assert headline(suite(spec("threshold:7", "first"), 20, answer))[1].startswith(
        "Some of this rests on only 20 deals"
    )


def test_missed_most_is_only_what_is_missed() -> None:
    """Neither what nobody makes nor what may as well be missed, however far its interval reaches up."""
    of = Spec(drafts.load("daifugo/plain"), players_of("daifugo"), 1)
    names = [kind.name for kind in kinds.of_game("daifugo").kinds]
    ends = dict.fromkeys(names, (-0.5, 0.5)) | {
        names[0]: (0.1, 0.3),
        names[1]: (0.05, 0.2),
        names[2]: (0.01, 0.02),
    }
    lost = [Number("importance", name, about(*ends[name]), "gap") for name in names]
    made = {
        name: Number("made", name, about(0.0, 0.0) if name == names[3] else about(0.1, 0.2), "share")
        for name in names
    }
    said = restricted._kinds(of, lost, made)
    assert f"missed most is one of {names[0]}, {names[1]}." in said.text
    assert f"Never made here: {names[3]}." in said.text
    assert [item.partition(":")[0] for item in said.items] == [*names[:3], "not measurably missed"]
    summary = kinds.of_game("daifugo").kinds[4].summary
    assert f"{names[4]} ({summary[0].lower()}{summary[1:]})" in said.items[-1]


def test_an_infinite_end_is_told_from_a_missing_one() -> None:
    ends = Number("matches", "x", Estimate(math.inf, math.nan, 12.0, math.inf, 50), "games")
    none = Number("matches", "y", Estimate(3.0, math.nan, math.nan, math.nan, 50), "games")
    first, second = Section("some", "Some", [], [ends, none], "", 50).rows()
    assert (first["value"], first["low"], first["high"], first["infinite"]) == (
        None,
        12.0,
        None,
        "value high",
    )
    assert (second["low"], second["high"], second["infinite"]) == (None, None, "")


@pytest.mark.parametrize(("ahead", "better"), [(0.2, "threshold:7"), (0.8, "random")])
def test_the_better_of_two_is_named_whichever_it_is(ahead: float, better: str) -> None:
    players = spec("threshold:7", "first", "random")
    dice = np.random.default_rng(1)
    shares = np.array([[0.5], [0.5], [ahead]]) + dice.normal(0, 0.05, (3, 200))
    findings, numbers = ladder._lengths(players, np.clip(shares, 0, 1))
    other = {"threshold:7": "random", "random": "threshold:7"}[better]
    wanted = (f"matches until {better} is ahead, 95% sure", other)
    (games,) = [number for number in numbers if (number.what, number.of) == wanted]
    assert 3 <= games.found.low <= games.found.value <= games.found.high < 20
    assert f"{better} leads after " in findings[0].items[-1]
    answer = ladder._answer(players.changed(players=replace(players.who, others=other)), numbers)
    assert answer is not None
    assert answer.sentence.startswith("The better player leads after ")
    assert f"with 75% certainty: {better} is ahead of {other} in " in answer.sentence


def test_of_two_alike_neither_is_called_better() -> None:
    players = spec("threshold:7", "first", "random")
    shares = np.random.default_rng(1).choice([0, 0.5, 1.0], (3, 50))
    findings, numbers = ladder._lengths(players, shares)
    assert all("leads after" not in item for item in findings[0].items)
    answer = ladder._answer(players, numbers)
    assert answer is not None
    assert "too close to say which is better" in answer.sentence


def test_where_the_best_sits_in_the_other_seats_it_is_set_beside_a_beginner() -> None:
    players = spec("first", "random")
    assert players.ladder == ["random", "first"]
    answer = ladder._answer(players, ladder._lengths(players, np.full((1, 50), 0.9))[1])
    assert answer is not None
    assert "random is ahead of first in 90.0%" in answer.sentence


# ---- circles and the gain of all seats on a deal ---------------------------------------------------------


def three() -> Spec:
    return spec("threshold:7", "first", "random")


@pytest.mark.parametrize(
    ("odds", "cycles", "words"),
    [
        (
            (0.7, 0.3, 0.7),
            1.0,
            "One ranking does not describe all pairings: how far a bot is ahead depends on whom it plays",
        ),
        (
            (0.7, 0.7, 0.7),
            0.0,
            "One ranking does not describe all pairings: how far a bot is ahead depends on whom it plays, though no three",
        ),
        ((0.6, 0.7, 0.6), 0.0, "One ranking describes all pairings; there is no sign of rock-paper-scissors"),
    ],
)
def test_it_is_told_where_one_scale_explains_less_than_noise_would_leave(
    odds: tuple[float, ...], cycles: float, words: str
) -> None:
    dice = np.random.default_rng(1)
    shares = np.array([dice.binomial(4, p, 200) / 4 for p in odds])
    (finding,), numbers = ladder._circles(three(), shares, cycles)
    assert finding.text.startswith(words)
    value, low, high = (number.found.value for number in numbers)
    assert (value < low) is ("does not describe" in words)
    assert 0 <= low <= high <= 1
    assert all(number.found.blocks == 200 for number in numbers)
    for number in numbers:
        assert number.said in finding.text


def test_two_bots_and_bots_that_are_all_even_have_no_circles_to_tell() -> None:
    assert ladder._circles(spec("threshold:7", "first"), np.full((1, 30), 0.7), 0.0) == ([], [])
    assert ladder._circles(three(), np.full((3, 30), 0.5), 0.0) == ([], [])


def gain(value: float, low: float = math.nan, high: float = math.nan) -> Estimate:
    return Estimate(value, math.nan, low, high, 100)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ([gain(1.5, 1.4, 1.6)], "takes 1.50 (1.40 to 1.60) times as many matches."),
        (
            [gain(2.5, 2, 3), gain(1.2, 1.1, 1.3), gain(120, 100, 140)],
            "takes 1.20 to 120 times as many matches, depending on the duel, and 2.5 (2.0 to 3.0) in the middle.",
        ),
        ([gain(0.8, 0.7, 0.9)], "takes 0.80 (0.70 to 0.90) times as many matches."),
        (
            [gain(1.5, 1.4, 1.6), gain(math.inf), gain(5)],
            "In 1 duel the seats of every deal made up for each",
        ),
        ([gain(math.inf), gain(math.inf)], "In 2 duels the seats of every deal made up for each other"),
    ],
)
def test_what_all_seats_on_a_deal_save_is_put_into_words(found: list[Estimate], words: str) -> None:
    text = gains.of_seatings(found, "duel")
    assert words in text
    assert "∞" not in text


def test_of_matches_that_are_all_alike_nothing_is_said() -> None:
    assert (
        gains.of_seatings([gain(math.nan)], "duel")
        == gains.of_pairing([gain(math.nan)], "rule", "share")
        == ""
    )


# ---- relative skill and the luck meter ------------------------------------------------------------------

NAMES = ("random", "high", "seer")


def ratio(*gains: object) -> tuple[str, dict[str, Number]]:
    """Return what is said of the relative skill of `NAMES` with these gains, and the numbers by name."""
    text, numbers = luck._ratio([np.asarray(one, float) for one in gains], NAMES, "pp")
    return text, {number.what: number for number in numbers}


def test_relative_skill_is_told_only_where_the_fictive_player_gains() -> None:
    noise = np.random.default_rng(1).normal(0, 0.2, (2, 200))
    text, numbers = ratio(np.zeros(200), 0.1 + noise[0], 0.2 + noise[1])
    found = numbers["relative skill"].found
    assert found.low < 0.5 < found.high
    assert text.startswith("random → high: 0.")
    text, numbers = ratio(np.zeros(200), noise[0], noise[1] / 10)
    assert "relative skill" not in numbers
    assert "unknown (no skill shows)" in text
    assert "what seer gains (win share)" in numbers
    text, numbers = ratio(np.zeros(200), 0.1 + noise[0], noise[1] - 0.2)
    assert "seer gains less than the beginner" in text
    assert "relative skill" not in numbers
    text, numbers = ratio(np.zeros(200), 0.4 + noise[0], 0.2 + noise[1])
    assert numbers["relative skill"].found.value > 1
    assert "out of bounds: high gains" in text
    assert "seer does not measurably gain over high" in text
    text, numbers = ratio(np.zeros(200), 0.4 + noise[0], 0.4 + noise[0])
    assert numbers["relative skill"].found.low < numbers["relative skill"].found.value == 1
    assert "seer gained nothing over high in these deals" in text


def test_a_game_of_pure_luck_has_no_skill_in_words_and_in_numbers() -> None:
    lot = np.random.default_rng(1).random(100)
    text, numbers = ratio(lot, lot, lot)
    assert "0, no skill: nobody gains anything over the beginner (high gains 0" in text
    assert numbers["relative skill"].found.value == 0
    assert np.isnan(numbers["relative skill"].found.low)


def test_the_names_in_sentences_are_those_of_the_numbers() -> None:
    """Of the best that is a beginner too, and stands first among them."""
    players = Players(("threshold:7", "random"), "first", "threshold:7", "clairvoyant:200")
    of = Spec(drafts.load("oneswap/thirteen"), players, 1)
    wins = np.random.default_rng(1).random((50, 2)) / 9
    gains = {"threshold:7": 0.4, "random": 0.0, "first": 0.0, "clairvoyant:200": 0.8}
    won = {(name, "first"): wins + gain for name, gain in gains.items()}
    (finding,), numbers = luck._relative(of, won, won)
    assert "threshold" not in finding.text
    pairs = {"random → threshold:7", "threshold:7 → first", "random → first"}
    assert {item.split(": ")[0] for item in finding.items} == pairs
    ratios = {number.of: number.found.value for number in numbers if number.what == "relative skill"}
    assert ratios["random → threshold:7"] == pytest.approx(0.5)


def test_a_luck_meter_above_100_percent_is_put_into_words() -> None:
    players = spec("threshold:7", "first")
    wins = np.random.default_rng(1).choice([0.0, 0.5], (200, 2))
    (finding,), _ = luck._meter(players, {("threshold:7", "first"): wins})
    assert "threshold:7 wins less than a fair share" in finding.text
    (finding,), _ = luck._meter(players, {("threshold:7", "first"): np.r_[wins + 0.23]})
    assert "above 100% within noise" in finding.text
    (finding,), _ = luck._meter(players, {("threshold:7", "first"): wins + 0.4})
    assert "100%" not in finding.text


def test_the_gain_of_the_same_deals_is_told_of_the_best_against_the_others() -> None:
    of = Spec(drafts.load("oneswap/thirteen"), Players(("first", "random"), "first", "threshold:7", None), 1)
    dice = np.random.default_rng(1)
    deal, noise = dice.random(400) / 3, dice.random((2, 400, 2)) / 9
    won = {
        ("random", "first"): deal[:, None] + noise[0],
        ("threshold:7", "first"): deal[:, None] + noise[1],
        ("first", "first"): np.full((400, 2), 0.5),
    }
    (finding,), (number,) = luck._same_deals(of, won)
    best, rival = (won[name, "first"].mean(axis=1) for name in ("threshold:7", "random"))
    exact = (best.var() + rival.var()) / (best - rival).var()
    assert number.of == "threshold:7 against random"
    assert not number.listed
    assert number.found.value == pytest.approx(exact)
    assert number.found.low < exact < number.found.high
    assert f"takes {number.said} times as many deals" in finding.text
    # Of one who sits among its like there is nothing to tell.
    alone = Spec(drafts.load("oneswap/thirteen"), Players(("random",), "first", "first", None), 1)
    assert luck._same_deals(alone, won) == ([], [])


def test_of_r_star_n_counts_players_and_the_band_stands_for_an_interval() -> None:
    of = Spec(drafts.load("oneswap/thirteen"), Players(("first", "random"), "first", "threshold:7", None), 1)
    wins = np.random.default_rng(1).random((60, 2))
    won = {(name, "first"): wins + number for number, name in enumerate(of.ladder)}
    numbers = luck._persistence(of, won)[1]
    assert len(numbers) == 3
    for number in numbers:
        assert "n counts players" in number.what
        assert number.found.blocks == 3
        assert np.isnan(number.found.low)


# ---- sums and curves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "low", "high", "words", "rough"),
    [
        (1.02, -0.05, 0.08, "as they should", False),
        (1.1, -0.2, 0.4, "with so few matches they may be off by up to 40%", False),
        (1.4, -0.1, 0.45, "add up to 140% of it all (100% is right)", True),
        (2.31, -0.3, 2.9, "Too few matches to say whether the parts add up to it all", True),
        (1.3, 0.1, 0.5, "add up to 130% of it all, not to 100%, so take them as rough", True),
    ],
)  # fmt: skip
def test_parts_add_up_only_as_far_as_the_gap_allows(
    total: float, low: float, high: float, words: str, rough: bool
) -> None:
    gap = Estimate(total - 1, 0.1, low, high, 100)
    text = sums.check(about(total, total), about(1, 1), gap, of="it all")
    assert words in text
    assert ("rough" in text) is rough
    assert ("as they should" in text) is (words == "as they should")


@pytest.mark.parametrize(
    ("highs", "words"),
    [
        ([0.2, 0.9, 0.3], "It is highest at part 1, with "),
        ([0.2, 0.9, 0.85], "It is highest at part 1 or part 2. "),
        ([0.82, 0.9, 0.85], "Too few matches to say where it is highest"),
        ([0.5], ""),
    ],
)
def test_a_curve_has_a_summit_only_where_its_intervals_part(highs: list[float], words: str) -> None:
    curve = [
        Number("some", f"part {number}", about(high - 0.1, high), "gap") for number, high in enumerate(highs)
    ]
    text = course._highest(curve)
    assert text.startswith(words)
    assert bool(text) is bool(words)
