"""What the suite says of games with known answers, and of players and drafts without any skill."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction

import numpy as np
import pytest

from experiments.play.rollouts import MAX_TIMES, Chances, Choices
from experiments.report import gains
from experiments.studies.skill.findings import headline
from experiments.studies.skill.measures import (
    captured,
    cards,
    choice,
    course,
    known,
    ladder,
    luck,
    scores,
    seats,
    trace,
)
from experiments.studies.skill.play import LEAST, play
from experiments.studies.skill.section import Number, Section
from experiments.studies.skill.spec import STEPS, Players, Spec, players_of
from sim import drafts, registry
from sim.cards import RANKS
from sim.errors import UserError
from strategies.weights import OtherDraft
from tests.support_cli import call
from tests.support_games import assert_near


def found(section: Section, what: str, of: str | None = None) -> Number:
    (number,) = [one for one in section.numbers if one.what == what and of in (None, one.of)]
    return number


def read(module: object, spec: Spec, deals: int) -> Section:
    measure = module.MEASURE  # type: ignore[attr-defined]
    return measure.read(spec, *measure.source(spec).play(0, deals))  # type: ignore[no-any-return]


def one_swap(best: str = "threshold:7", beginner: str = "first") -> Spec:
    players = Players((beginner,), "first", best, "clairvoyant:200")
    return Spec(drafts.load("oneswap/thirteen"), players, 1)


# ---- which players --------------------------------------------------------------------------------------


def test_the_usual_players_are_those_that_the_game_has() -> None:
    assert players_of("uplink") == Players(("random", "greedy"), "heuristic", "search:100", "clairvoyant:100")
    spec = Spec(drafts.load("uplink/v1.1"), players_of("uplink"), 1)
    assert spec.ladder == ["random", "greedy", "heuristic", "adapted", "search:100"]
    assert spec.quick == ["heuristic", "adapted"]
    assert players_of("oneswap") == Players(("random",), "random", "search:100", "clairvoyant:100")
    named = players_of("oneswap", beginners="first, random", best="threshold:7", others="first")
    assert named.honest == ["first", "random", "threshold:7"]
    with pytest.raises(UserError, match="cheats"):
        players_of("oneswap", others="clairvoyant")


def test_measures_are_found_in_the_order_of_the_report() -> None:
    names = [measure.name for measure in known()]
    assert names == [
        "luck", "ladder", "ledger", "strain", "seats", "trace", "course", "choice", "restricted", "cards", "captured", "scores",
        "shapes", "mobility", "rules",
    ]  # fmt: skip
    spec = Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1)
    applies = {measure.name for measure in known() if measure.applies(spec)}
    assert applies == {"luck", "ladder", "ledger", "seats", "trace", "course", "choice", "scores"}


# ---- one swap, of which all is known --------------------------------------------------------------------


def test_the_relative_skill_of_one_swap() -> None:
    section = read(luck, one_swap(), 4000)
    of = "first → threshold:7"
    for what in ("relative skill", "relative skill in points"):
        number = found(section, what, of).found
        assert_near(number, Fraction(21, 26), 0.05)
        assert number.low < 21 / 26 < number.high
    # Half of a win a point, and only one of two seats has anything to decide.
    assert_near(found(section, "learning effect (win share)", of).found, Fraction(7, 104), 0.02)
    assert_near(found(section, "random effect (win share)", of).found, Fraction(5, 312), 0.02)
    assert section.findings[1].lead == "Relative skill"


def test_the_ledger_of_one_swap() -> None:
    """The player keeps a card k of 0 … 12, and wins with chance k/12: variance 14/144 of 1/4."""
    section = read(course, one_swap(), 4000)
    what = "share of the variance of the win"
    first = found(section, what, "what is known at the first decision").found
    assert first.low < 7 / 18 < first.high
    last = found(section, what, "last third, to the end").found
    assert last.low < 11 / 18 < last.high
    for name in ("first third", "middle third"):
        assert found(section, what, name).found.value == 0
    assert found(section, what, "the seat").found.low == 0
    gap = found(section, "variance of the win", "the first less the second (0 if all is well)").found
    assert gap.low <= 0 <= gap.high
    # Whoever holds more than 7 is the favourite, and on average wins 9 of 12 times, or more with 7 left to a coin.
    favourite = found(section, "the favourite wins", "at the first decision").found
    assert favourite.low < sum(max(k, 12 - k) for k in range(13)) / (13 * 12) < favourite.high
    # The one step goes from k/12 to the outcome.
    chances = np.arange(13) / 12
    revealed = float((chances * (1 - chances)).mean())
    moved = [
        found(section, "surprise (how far the chances move in a match)", of).found
        for of in ("at least", "middle", "at most")
    ]
    assert moved[0].value <= moved[1].value <= moved[2].value
    assert moved[1].low < 2 * revealed < moved[1].high
    squares = found(section, "variance revealed (sum of squared changes)").found
    assert squares.low < revealed < squares.high
    waiting = found(section, "suspense (root mean square of what comes next, summed)").found
    assert waiting.low < np.sqrt(revealed) < waiting.high
    assert found(section, "suspense of a decision", "decision 1").found.value == pytest.approx(waiting.value)
    (trust,) = [one for one in section.findings if one.lead == "Can the forecasts be trusted"]
    assert trust.text.startswith("The forecasts come true")


def test_the_choices_of_one_swap() -> None:
    """To swap wins one half, to keep k/12: they are (6 − k)/12 apart."""
    section = read(choice, one_swap(), 2000)
    number = found(section, "best less second-best move, in chance of winning").found
    assert number.low < 42 / 156 < number.high
    assert found(section, "legal moves a decision").found.value == 2
    assert found(section, "forced decisions (one legal move)").found.value == 0
    assert found(section, "decisions a match, of one player").found.value == 0.5
    # k = 6 does not matter, k = 5 and 7 are seen now and then.
    matter = found(section, "decisions seen to matter").found
    assert 10 / 13 - 0.05 < matter.value < 12 / 13 + 0.05


def test_both_seats_of_one_swap_on_a_deal_gain_much() -> None:
    """Whoever sits there, the better card mostly wins: what a deal brings one seat it takes from the other."""
    spec = one_swap()
    ahead, squares = ladder.MEASURE.source(spec).play(0, 3000)
    section = ladder.read(spec, ahead, squares)
    (gain,) = [number for number in section.numbers if number.what == gains.SEATINGS]
    assert (gain.of, gain.listed) == ("first against threshold:7", False)
    # By hand: the variance of single matches, which are won or lost, over twice that of the mean of two.
    p = ahead.mean()
    assert set(np.unique(ahead)) <= {0, 0.5, 1}
    assert gain.found.value == pytest.approx(p * (1 - p) / (2 * ahead.var(ddof=1)), rel=1e-3)
    assert 2 < gain.found.low < gain.found.value < gain.found.high
    (told,) = [finding.text for finding in section.findings if finding.lead == "Same deals"]
    assert gain.said in told


# ---- no skill -------------------------------------------------------------------------------------------


def test_players_that_play_alike_have_no_skill() -> None:
    """A player that never swaps is the beginner by another name."""
    spec = one_swap(best="threshold:1")
    section = read(luck, spec, 1000)
    for what in ("relative skill", "learning effect (win share)", "learning effect (points)"):
        number = found(section, what, "first → threshold:1").found
        assert number.value == 0
        assert number.low <= 0 <= number.high
    meter = found(section, "luck meter").found
    assert meter.low <= 1 <= meter.high
    assert found(section, "share of variance", "who plays (skill)").found.value == 0
    section = read(ladder, spec, 500)
    assert found(section, "threshold:1 is ahead of").found.value == 0.5
    assert found(section, "Elo spread").found.value == 0
    assert found(section, "p-equivalent").found.value == 0
    assert found(section, "steps of 55% or more").found.value == 0
    (games,) = [one for one in section.numbers if one.what.endswith("95% sure")]
    assert games.found.value == np.inf


def test_a_draft_of_pure_luck_has_no_skill(capsys: pytest.CaptureFixture[str]) -> None:
    registry.add("lots", "tests.games.lots")
    try:
        code, out, err = call(capsys, "skill", "lots/thirteen", "--matches", "20000", "--json", "--no-save")
    finally:
        registry.remove("lots")
    assert (code, err) == (0, "")
    measures = json.loads(out)["measures"]
    assert list(measures) == ["luck", "ladder", "ledger", "seats", "trace", "course", "choice", "scores"]
    rows = {(row["number"], row["of"]): row for measure in measures.values() for row in measure["numbers"]}
    for of in ("search:100 among random", "search:100 among greedy"):
        row = rows["luck meter", of]
        assert row["low"] <= 1 <= row["high"]
    assert rows["share of variance", "who plays (skill)"]["value"] == 0
    assert "0, no skill: nobody gains anything over the beginner" in str(measures["luck"]["findings"][1])
    assert rows["relative skill", "random → search:100"]["value"] == 0
    assert rows["Elo spread", "the ladder"]["value"] == 0
    assert rows["p-equivalent", "the ladder"]["value"] == 0
    assert rows["steps of 55% or more", "the ladder"]["value"] == 0
    assert rows["search:100 is ahead of", "random"]["value"] == 0.5
    assert rows["matches until search:100 is ahead, 95% sure", "random"]["value"] is None
    assert rows["skill trace", "25 to 200 iterations"]["value"] == 0
    assert rows["best less second-best move, in chance of winning", ""]["value"] == 0
    assert rows["decisions seen to matter", "of those with a choice"]["value"] == 0
    for what in ("share of the variance of the win", "share of the variance of the score"):
        assert rows[what, "the first deal"]["value"] == pytest.approx(1)
        assert rows[what, "who sits at the seat (skill)"]["value"] == 0
    assert measures["seats"]["findings"][0]["text"].startswith(
        "The seats are fair: each wins 50% of the matches within 1 point."
    )


def test_a_draft_in_which_all_end_alike_is_all_luck_and_no_fault() -> None:
    """Without points everybody shares every win, whoever plays."""
    changes = [f"points.{rank}=0" for rank in RANKS] + ["rules.heart_pair=off"]
    players = Players(("random",), "heuristic", "adapted", "clairvoyant:4")
    spec = Spec(drafts.load("uplink/v1.1", tuple(changes)), players, 1)
    section = read(luck, spec, 12)
    assert found(section, "luck meter").found.value == 1
    assert "0, no skill" in section.findings[1].items[0]
    assert found(section, "relative skill", "random → adapted").found.value == 0
    assert not [one for one in section.numbers if one.what == "share of variance"]
    assert found(read(ladder, spec, 12), "Elo spread").found.value == 0
    # So few deals may lack those in which a seat decides.
    for deals, said in (
        (40, "Whether the seats are fair within 1 point is undecided"),
        (500, "The seats are fair: "),
    ):
        assert all(said in one.text for one in read(seats, spec, deals).findings)
    assert found(read(scores, spec, 12), "ties").found.value == 1
    assert read(course, spec, 12).findings


def test_of_few_matches_too_no_interval_leaves_what_is_possible() -> None:
    section = read(course, Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1), 15)
    told = {number.what: number.found for number in section.numbers}
    low, changes = (
        next(
            number.found
            for number in section.numbers
            if number.what.startswith(what) and number.of == "at most"
        )
        for what in ("the winner's chance at its lowest", "lead changes")
    )
    decided = told["decisiveness (share of decisions after the winner passes the threshold)"]
    assert 0 <= low.low < low.high <= 1
    assert 0 <= decided.low < decided.high <= 1
    assert 0 <= changes.low < changes.high
    for number in section.numbers:
        if "behind" in number.what or "comeback" in number.what or "stability" in number.what:
            assert 0 <= number.found.low <= number.found.value <= number.found.high <= 1
    text = next(finding.text for finding in section.findings if finding.lead == "Drama")
    assert "deficit to the leader" in text


def test_whether_chances_come_true_is_told_by_when_in_the_match() -> None:
    section = read(course, Spec(drafts.load("tictactoe/standard"), players_of("tictactoe"), 1), 300)
    said = next(one for one in section.findings if one.lead == "Can the forecasts be trusted")
    assert [item.split(":")[0] for item in said.items] == ["first third", "middle third", "last third"]
    skills = [found(section, "calibration: Brier skill score", when).found for when in course._THIRDS]
    whole = found(section, "calibration: Brier skill score", "").found
    # The nearer the end, the more is known.
    assert skills[0].high < skills[2].low
    assert skills[0].value < whole.value < skills[2].value
    bins = [one for one in section.numbers if one.what.startswith("calibration: how often")]
    assert sum(one.listed for one in bins) < len(bins)
    assert all(one.of.startswith(course._THIRDS) != one.listed for one in bins)


def test_the_killer_move_is_of_whole_matches() -> None:
    spec = Spec(drafts.load("tictactoe/standard"), players_of("tictactoe"), 1)
    values, _, legal = Choices(spec, 20, 0.5).play(0, 40)
    weighed = ~np.isnan(values[:, 0, :, 0])
    # All decisions of a match are weighed that are no forced ones, or none.
    some = weighed.any(axis=1)
    assert 0 < some.sum() < 40
    np.testing.assert_array_equal(weighed[some], legal[some] > 1)
    values, _, legal = Choices(spec, 20, 0.5, 10).play(5, 40)
    assert (~np.isnan(values[:5, 0, :, 0]) == (legal[:5] > 1)).all()
    assert np.isnan(values[5:, 0, 0, 0]).any()
    section = read(choice, spec, 60)
    killer = next(number.found for number in section.numbers if number.what.startswith("killer move"))
    # In noughts and crosses there is a move that wins, or one that does not lose.
    assert 0.1 < killer.low < killer.value < killer.high <= 1
    assert found(section, "best less second-best move, in chance of winning").found.value < killer.value
    assert "Killer move" in [one.lead for one in section.findings]


@pytest.mark.parametrize("module", [seats, scores, trace, cards, captured])
def test_every_number_has_its_n_and_stays_within_its_interval(module: object) -> None:
    spec = Spec(drafts.load("uplink/v1.1"), players_of("uplink"), 1)
    section = read(module, spec, 60 if module in (cards, captured) else 12)
    assert section.findings
    assert section.caution
    for number in section.numbers:
        assert number.found.blocks >= 2
        if not np.isnan(number.found.low):
            assert number.found.low <= number.found.value <= number.found.high


# ---- looking into matches -------------------------------------------------------------------------------


def test_chances_are_chances_and_end_with_the_outcome() -> None:
    spec = Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1)
    chances, legal = Chances(spec, 20).play(5, 40)
    assert chances.shape == (40, 2, MAX_TIMES + 1, 2)
    times = (legal > 0).sum(axis=1)
    for match, asked in enumerate(times):
        np.testing.assert_allclose(chances[match, :, : asked + 1].sum(axis=2), 1)
        assert set(np.unique(chances[match, :, asked])) <= {0.0, 0.5, 1.0}
        assert np.isnan(chances[match, :, asked + 1 :]).all()
    again, _ = Chances(spec, 20).play(15, 10)
    np.testing.assert_array_equal(chances[10:20], again)


def test_choices_do_not_depend_on_the_piece_they_are_played_in() -> None:
    spec = Spec(drafts.load("kuhn/standard"), players_of("kuhn"), 1)
    whole = Choices(spec, 20, 0.5).play(0, 30)
    part = Choices(spec, 20, 0.5).play(10, 10)
    for one, other in zip(whole, part, strict=True):
        np.testing.assert_array_equal(one[10:20], other)
    values, errors, legal = whole
    weighed = ~np.isnan(values[:, 0, :, 0])
    assert 0 < weighed.sum() < (legal > 1).sum()
    first = values[:, 0][weighed]
    assert (first[:, 0] >= first[:, 1]).all()
    assert (errors[~weighed] == 0).all()


# ---- the suite ------------------------------------------------------------------------------------------


def test_a_measure_ends_when_its_time_is_over_and_the_suite_is_whole_none_the_less() -> None:
    planned = {"luck": 100_000, "seats": 300_000}
    told: list[int] = []
    played = play(one_swap().sized(planned, 1e-6), on_progress=told.append)
    assert played.complete
    assert played.spec.deals == played.done
    assert all(LEAST <= played.done[name] < most for name, most in planned.items())
    assert told[-1] == 2 * STEPS
    again = play(played.spec)
    for first, other in zip(played.sections, again.sections, strict=True):
        assert first.rows() == other.rows()
    # Without a time all is played.
    assert play(one_swap().sized({"luck": 200})).done == {"luck": 200}


def test_the_headline_of_a_toy() -> None:
    played = play(one_swap().sized({"luck": 30, "ladder": 30}), threads=2)
    assert played.complete
    assert [section.name for section in played.sections] == ["luck", "ladder"]
    assert "threshold:7 is ahead of first in" in headline(played.suites[0])[0]


def test_it_is_said_once_that_no_player_was_trained_for_a_draft() -> None:
    loaded = drafts.load("daifugo/plain", ("rules.players=2",))
    spec = Spec(loaded, players_of("daifugo", best="heuristic", fictive="clairvoyant:4"), 1)
    with pytest.warns(OtherDraft) as notes:
        spec.prepare()
    assert len(notes) == 1
    assert "rules differ in 4 numbers" in str(notes[0].message)


def test_nothing_is_said_of_the_variants_of_a_draft_that_has_its_player() -> None:
    # Some measures play matches of one game, and the draft without some rule.
    loaded = drafts.load("daifugo/plain")
    spec = Spec(loaded, players_of("daifugo", best="heuristic", fictive="clairvoyant:4"), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", OtherDraft)
        assert spec.sources
