"""The turns and the end of the 9 Peak twin: set-up, passes, peaks, plays, shares, what a player knows."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.reference import ninepeak as twin

BASE9 = [1, 2, 3, 4, 5, 7, 9, 11, 13]
SIMPLE_JOKER = {"joker": "wild_only", "different": 0, "perfect": 1, "early_finish": "none"}
DRAFTS: dict[str, dict[str, Any]] = {
    "draft11": {},
    "draft12-simple-joker": SIMPLE_JOKER,
    "draft12-base9": {**SIMPLE_JOKER, "base": BASE9},
    "draft12-draw": {**SIMPLE_JOKER, "base": BASE9, "no_joker": "draw_to_hand"},
    "draft12-recolour": {**SIMPLE_JOKER, "base": BASE9, "early_finish": "recolour"},
}
FOUR_OF_ONE = "S5 S5 S5 S6 H6 H6 D6"


def position(
    *hands: str, draft: str = "draft11", scoring: dict[str, Any] | None = None, **at: Any
) -> twin.Match:
    options = {"rules": {"players": len(hands)}, "scoring": {**DRAFTS[draft], **(scoring or {})}}
    return twin.Match.from_position(options, hands=hands, **at)


def shuffled(seed: str) -> list[str]:
    return random.Random(seed).sample(twin.PACK, len(twin.PACK))


def with_top(*top: str) -> list[str]:
    rest = Counter(twin.PACK)
    rest.subtract(top)
    return [*top, *rest.elements()]


def moved(match: twin.Match, *moves: str) -> twin.Match:
    for move in moves:
        match.apply(move)
    return match


# ---- set-up ---------------------------------------------------------------------------------------------


def test_the_pack() -> None:
    assert len(twin.PACK) == 78
    assert Counter(card[1] for card in twin.PACK) == dict.fromkeys("123456", 13)
    assert Counter(card[0] for card in twin.PACK) == {**dict.fromkeys("SHDC", 18), "J": 6}


def test_the_usual_deal() -> None:
    pack = with_top("S1", "S2", "S3", "S4", "S5", "S6")
    match = twin.Match.from_pack({}, pack)
    assert (match.n, match.to_move, match.phase, match.rounds) == (4, 0, "turn", 1)
    assert match.area == pack[:6]
    assert [len(hand) for hand in match.hands] == [13] * 4
    assert match.hands[1] == pack[19:32]
    assert match.stock == pack[58:]
    assert match.peaks == []


@pytest.mark.parametrize(
    ("area", "peaks", "stays"),
    [
        ("S6 H6 D6 S1 S2 S3", [6], "S1 S2 S3"),
        ("S5 S5 S5 H5 S6 H6", [5], "S6 H6"),
        ("S5 S5 S5 S6 H6 S1", [], "S1 S5 S5 S5 S6 H6"),
        ("S4 S4 S4 H4 H4 S1", [4], "S1"),
        ("S3 S3 S3 H3 H3 J3", [3], ""),
        ("S6 H6 D6 C6 S5 H5 D5 C5 J1", [5, 6], "J1"),
        ("", [], ""),
    ],
)
def test_numbers_that_peak_in_the_first_area_are_discarded(area: str, peaks: list[int], stays: str) -> None:
    cards = area.split()
    match = twin.Match.from_pack({"rules": {"area_size": len(cards), "hand_size": 3}}, with_top(*cards))
    assert match.peaks == peaks
    assert match.inspect()["area"] == stays.split()
    assert len(match.discarded) == len(cards) - len(stays.split())
    assert match.events()["peaks_discarded"] == len(peaks)
    assert match.won == [0] * 4


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("rules", {"players": 2}),
        ("rules", {"players": 5, "hand_size": 15, "area_size": 4}),
        ("rules", {"hand_size": 0}),
        ("rules", {"cards": 1}),
        ("scoring", {"base": [1] * 8}),
        ("scoring", {"suits": 2}),
        ("scoring", {"early_finish": "flat"}),
    ],
)
def test_options_that_are_refused(table: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        twin.Match.from_pack({table: options}, shuffled("x"))


def test_positions_that_are_refused() -> None:
    for at in ({"area": "S6 H6 D6"}, {"stock": "J1 J1"}, {"area": "S7"}, {"sets": [["S1"]]}):
        with pytest.raises(ValueError, match=r"\w"):
            position("S1", "S1", "S1", **at)
    assert position("S1", "S1", "S1", area="S6 H6 D6", peaks=[6]).peaks == [6]


# ---- passes and peaks -----------------------------------------------------------------------------------


def test_passes_that_are_legal() -> None:
    match = position("S1 S1 H2", "S3", "S3", area="D3")
    assert match.legal_counts() == {
        "pass S1": 2,
        "pass H2": 1,
        "pass S1 S1 take S1": 2,
        "pass S1 S1 take D3": 1,
        "pass S1 H2 take S1": 2,
        "pass S1 H2 take H2": 2,
        "pass S1 H2 take D3": 2,
        "play 1: S1": 2,
    }
    assert match.count_legal() == 14
    assert match.is_legal("pass H2 S1 take D3")
    wrong = [
        "pass S1 H2 take S3",
        "pass H2 H2 take D3",
        "pass S3",
        "pass S1 H2",
        "pass S1 take D3",
        "keep",
        "",
    ]
    assert not any(map(match.is_legal, [*wrong, "pass", "play 1 S1", "play 0:", "pass S9", "leave S1"]))
    assert position("S1", "S3", "S3", area="D3").kinds() == ["pass one", "play"]


def test_a_pass_two_takes_any_card() -> None:
    match = moved(position("S1 H2 C2", "S3", "S3", area="D3"), "pass H2 S1 take D3")
    assert match.inspect()["hands"][0] == ["C2", "D3"]
    assert match.inspect()["area"] == ["S1", "H2"]
    assert match.to_move == 1


def test_the_player_takes_a_peaked_number() -> None:
    """Three fives lie there, two more are put, another number is taken: five cards are won."""
    match = position("S5 S5 J1", "S1", "S1", area="S5 H5 D5 S2")
    moved(match, "pass S5 S5 take S2")
    assert match.won == [5, 0, 0]
    assert match.peaks == [5]
    assert match.area == []
    assert list(match.values(5)) == list(range(1, 10))
    assert (match.peaks_won, match.peaks_discarded) == (1, 0)


def test_a_number_that_falls_back_does_not_peak() -> None:
    match = moved(position("S5 S5 J1", "S1", "S1", area="H5 D5"), "pass S5 S5 take H5")
    assert match.peaks == []
    assert list(match.values(5)) == [5, 6, 7, 8]
    assert match.won == [0, 0, 0]


def test_two_numbers_peak_at_once() -> None:
    hands = ("S5 S6 J1", "S1", "S1")
    area = "S5 H5 D5 H6 D6 S2"
    both = moved(position(*hands, area=area), "pass S5 S6 take S2")
    assert (both.peaks, both.won, both.area) == ([5, 6], [7, 0, 0], [])
    assert both.peaks_won == 2
    one = moved(position(*hands, area=area), "pass S5 S6 take H5")
    assert (one.peaks, one.won) == ([6], [3, 0, 0])


@pytest.mark.parametrize(("number", "needed"), [(1, 8), (2, 7), (3, 6), (4, 5), (5, 4), (6, 3)])
def test_how_many_cards_make_a_peak(number: int, needed: int) -> None:
    fives = [card for card in twin.PACK if card[1] == str(number)]
    match = position(f"{fives[-1]} S1", "S1", "S1", area=fives[3 : 3 + needed - 1])
    assert match.peaks == []
    moved(match, f"pass {fives[-1]}")
    assert match.peaks == [number]
    assert match.won == [needed, 0, 0]


def test_a_peaked_number_lies_in_the_area_and_never_peaks_again() -> None:
    match = position("S6 H6 S1", "D6 S1", "D6 S1", peaks=[6])
    moved(match, "pass S6 H6 take S6", "pass D6", "pass D6")
    assert match.won == [0, 0, 0]
    assert match.inspect()["area"] == ["H6", "D6", "D6"]
    moved(match, "pass S1 S6 take D6")
    assert match.inspect()["area"] == ["S1", "S6", "H6", "D6"]
    assert (match.peaks_won, match.won) == (0, [0, 0, 0])


# ---- plays ----------------------------------------------------------------------------------------------


def test_width_lets_numbers_be_others() -> None:
    match = position("S3 H3 S5 H5 D5 C1", "S1", "S1", area="D3 C3")
    assert list(match.values(3)) == [3, 4, 5]
    assert match.is_legal("play 5: S3 S5 H5 D5 H3")
    assert not match.is_legal("play 5: S3 S5 H5 D5 C1")
    assert not match.is_legal("play 5: S3 S5 H5 D5")
    assert not match.is_legal("play 3: S3 H3 S5")
    assert match.playable() == [1, 5]
    moved(match, "play 5: D5 S3 S5 H5 H3")
    assert match.sets[0] == [["S3", "H3", "S5", "H5", "D5"]]
    assert match.area == ["D3", "C3"]  # no stock, nothing is turned


def test_a_peaked_number_is_anything() -> None:
    match = position("S6 H6 D6", "S1", "S1", peaks=[6])
    plays = [move for move in match.legal() if move.startswith("play")]
    sets = {"1: S6", "1: H6", "1: D6", "2: S6 H6", "2: S6 D6", "2: H6 D6", "3: S6 H6 D6"}
    assert set(plays) == {f"play {each}" for each in sets}
    assert match.count_legal() == 3 + 3 * 2 + 7


def test_sets_never_shrink() -> None:
    match = position("S2 H2 S3 H3 D3 S1", "S4", "S4", sets=[["S1", "C2 C2"], [], []])
    assert match.playable() == [2, 3]
    assert not match.is_legal("play 1: S1")
    assert match.is_legal("play 2: S2 H2")


def test_a_card_is_turned_after_a_play() -> None:
    match = moved(position("S1 H2", "S3", "S3", area="S6", stock="H6 D6 S2"), "play 1: S1")
    assert match.inspect()["area"] == ["S6", "H6"]
    assert match.stock == ["D6", "S2"]


def test_a_peak_by_the_card_turned_is_discarded() -> None:
    match = moved(position("S1 H2", "S3", "S3", area="S6 H6", stock="D6 S2"), "play 1: S1")
    assert (match.peaks, match.area, match.won) == ([6], [], [0, 0, 0])
    assert (match.peaks_won, match.peaks_discarded) == (0, 1)
    again = moved(position("S1 H2", "S3", "S3", area="S6 H6", peaks=[6], stock="D6"), "play 1: S1")
    assert again.inspect()["area"] == ["S6", "H6", "D6"]
    assert again.peaks_discarded == 0


def test_a_card_is_turned_on_the_very_last_turn() -> None:
    match = moved(position("", "", "S1", area="S6 H6", stock="D6 S2", to_move=2), "play 1: S1")
    assert (match.over, match.peaks, match.stock) == (True, [6], ["S2"])
    # Five peak cards are left, shared by three: 2, 2, 1.
    assert match.vp["unplaced_peaks"] == [4, 4, 2]


# ---- keep or release ------------------------------------------------------------------------------------


def drawing(*hands: str, **at: Any) -> twin.Match:
    return position(*hands, draft="draft12-draw", **at)


def test_the_card_turned_may_be_kept() -> None:
    match = moved(drawing("S1 S2", "S3", "S3", stock="D6 S6", area="H6 C6"), "play 1: S1")
    assert (match.phase, match.to_move, match.turned, match.stock) == ("keep", 0, "D6", ["S6"])
    assert match.legal_counts() == {"keep": 1, "release": 1}
    assert match.count_legal() == 2
    assert not match.is_legal("pass S2")
    kept, released = moved(match.copy(), "keep"), moved(match.copy(), "release")
    assert kept.inspect()["hands"][0] == ["S2", "D6"]
    assert (kept.area, kept.peaks, kept.to_move) == (["H6", "C6"], [], 1)
    assert (released.hands[0], released.area, released.peaks) == (["S2"], [], [6])
    assert (released.peaks_discarded, released.to_move) == (1, 1)
    assert kept.decisions == 2


def test_a_hand_that_keeps_is_not_empty() -> None:
    match = moved(drawing("S1", "S3 S3", "S3 H3", stock="D6 S6"), "play 1: S1")
    assert match.phase == "keep"
    kept, released = moved(match.copy(), "keep"), moved(match.copy(), "release")
    assert (kept.last_round, released.last_round) == (False, True)
    moved(kept, "pass S3", "pass S3")
    moved(released, "pass S3", "pass S3")
    assert (kept.over, kept.to_move, kept.rounds) == (False, 0, 2)
    assert (released.over, released.rounds) == (True, 1)


def test_when_nobody_is_asked() -> None:
    joker = moved(drawing("J1 S2", "S3", "S3", stock="D6 S6"), "play 1: J1")
    assert (joker.phase, joker.to_move, joker.area) == ("turn", 1, ["D6"])
    no_stock = moved(drawing("S1 S2", "S3", "S3"), "play 1: S1")
    assert (no_stock.phase, no_stock.to_move) == ("turn", 1)
    other = moved(position("S1 S2", "S3", "S3", stock="D6 S6"), "play 1: S1")
    assert (other.phase, other.to_move) == ("turn", 1)
    earlier = moved(drawing("S1 S2", "S3", "S3", stock="D6", sets=[["J1"], [], []]), "play 1: S1")
    assert earlier.phase == "keep"  # only the set just played matters


def test_the_last_turn_of_all_asks_too() -> None:
    match = moved(drawing("", "S3", "S1", stock="D6", to_move=2), "play 1: S1")
    assert (match.phase, match.over) == ("keep", False)
    moved(match, "keep")
    assert (match.over, match.events()["went_out"]) == (True, 1)


# ---- the end --------------------------------------------------------------------------------------------


def test_the_round_of_an_empty_hand_is_the_last() -> None:
    match = moved(position("S1 S2", "S1", "S3 H3", "S4 H4"), "pass S1", "pass S1")
    assert (match.last_round, match.to_move) == (True, 2)
    moved(match, "pass S3")
    assert not match.over
    moved(match, "pass S4")
    assert (match.over, match.to_move, match.rounds, match.legal()) == (True, None, 1, [])
    assert match.events()["went_out"] == 1
    assert match.vp["unplaced_peaks"] == [0, 12, 0, 0]
    assert (match.winner, match.tie) == (1, False)
    with pytest.raises(ValueError, match="illegal"):
        match.apply("pass S2")


def test_the_last_seat_ends_the_match_at_once() -> None:
    match = moved(position("S1 S2", "S1 S2", "S3"), "pass S1", "pass S1", "pass S3")
    assert match.over


def test_an_empty_hand_takes_no_turn() -> None:
    match = position("S1 S2", "", "S3 S3")
    moved(match, "pass S1")
    assert match.to_move == 2
    assert moved(match, "pass S3").over


@pytest.mark.parametrize(
    ("peaks", "out", "vp"),
    [
        ([6], {1, 2}, [0, 6, 4, 0]),  # five for two players
        ([], {0, 1, 2, 3}, [4, 4, 2, 2]),  # six for four
        ([1, 2, 3, 4, 5, 6], {0, 3}, [0, 0, 0, 0]),
        ([1, 2, 3, 4, 5], {2, 3}, [0, 0, 2, 0]),
        ([1, 2], {3}, [0, 0, 0, 8]),
    ],
)
def test_unplaced_peak_cards_are_shared(peaks: list[int], out: set[int], vp: list[int]) -> None:
    match = position(
        *("S1" if seat in out else "S2 H2" for seat in range(3)), "H1" if 3 in out else "H2 D3", peaks=peaks
    )
    for seat in range(4):
        match.apply(f"pass {match.hands[seat][0]}")
    assert match.over
    assert match.vp["unplaced_peaks"] == vp
    assert match.scores == vp
    assert match.events()["vp_unplaced_peaks"] == sum(vp)
    assert match.winner == vp.index(max(vp))
    assert match.tie == (vp.count(max(vp)) > 1)


def ended(early_finish: str, **scoring: Any) -> twin.Match:
    """Seat 0 plays its last card; its sets are a joker alone and seven with four of a suit."""
    rows = [["J1", FOUR_OF_ONE], ["S1", "S2 H2"], []]
    match = position(
        "H5 H5 C5 D5 D4 D4 D4", "H1 H1", "J2", peaks=[4, 5], sets=rows, won=[3, 0, 2],
        draft="draft12-base9", scoring={"early_finish": early_finish, **scoring},
    )  # fmt: skip
    return moved(match, "play 7: H5 H5 C5 D5 D4 D4 D4", "pass H1", "pass J2")


@pytest.mark.parametrize(
    ("early_finish", "unplaced", "early"),
    [
        ("none", [0, 0, 0], [0, 0, 0]),
        ("fixed", [0, 0, 0], [6, 0, 6]),
        ("recolour", [0, 0, 0], [9, 0, 0]),
        ("peak_cards", [4, 0, 4], [0, 0, 0]),
    ],
)
def test_scores(early_finish: str, unplaced: list[int], early: list[int]) -> None:
    match = ended(early_finish)
    # One of one suit; 9 x 4; four diamonds of seven. One of one suit; two suits.
    assert match.set_points == [[2, 36, 36], [2, 4], []]
    assert match.vp == {
        "sets": [74, 6, 0],
        "no_joker": [0, 6, 0],  # seat 2 has no set, seat 0 a joker
        "peak_cards": [3, 0, 2],
        "unplaced_peaks": unplaced,
        "early_finish": early,
    }
    assert match.scores == [77 + unplaced[0] + early[0], 12, 2 + unplaced[2] + early[2]]
    events = match.events()
    assert (events["sets"], events["sets_by_size"]) == (5, [2, 1, 0, 0, 0, 0, 2, 0, 0])
    assert (events["went_out"], events["vp_early_finish"]) == (2, sum(early))
    assert (events["vp_sets"], events["vp_no_joker"], events["vp_peak_cards"]) == (80, 6, 5)


@pytest.mark.parametrize(("kind", "vp"), [("per_set", 14), ("flat", 7), ("none", 0), ("draw_to_hand", 0)])
def test_the_bonus_for_no_joker(kind: str, vp: int) -> None:
    assert ended("none", no_joker=kind, no_joker_vp=7).vp["no_joker"] == [0, vp, 0]


def test_a_recoloured_joker_is_still_printed() -> None:
    match = position("S1", "S2", "S2", sets=[["J1 H2"], [], []], draft="draft12-recolour")
    moved(match, "pass S1", "pass S2", "pass S2")
    assert match.vp["no_joker"] == [0, 0, 0]


def test_a_tie_goes_to_the_earlier_seat() -> None:
    match = position("S1 S2", "S1", "S1", won=[0, 3, 3], draft="draft12-simple-joker")
    moved(match, "pass S1", "pass S1", "pass S1")
    assert (match.scores, match.winner, match.tie) == ([0, 3, 3], 1, True)


# ---- what a player knows, and texts ---------------------------------------------------------------------


def test_information_is_blind_to_hidden_cards() -> None:
    def start(pack: list[str]) -> twin.Match:
        return twin.Match.from_pack({"scoring": {"no_joker": "draw_to_hand"}}, pack)

    pack = with_top("S1", "H2", "D3", "C4", "S5", "H6", "S1", "S2")  # an area of six; seat 0 has S1 and S2
    other = [*pack[:19], *reversed(pack[19:])]
    one, two = start(pack), start(other)
    assert one.information(0) == two.information(0)
    assert one.information(1) != two.information(1)
    moved(one, "play 1: S1")
    moved(two, "play 1: S1")
    assert one.phase == two.phase == "keep"
    assert one.turned != two.turned
    assert one.information(0) != two.information(0)
    hidden = [match.copy() for match in (one, two)]
    hidden[1].hands[1] = hidden[0].hands[1]
    assert hidden[0].information(1) == hidden[1].information(1)
    assert len({match.information(2) for match in (one, one.copy())}) == 1


def test_texts() -> None:
    assert twin.canonical("play 5:  J4 H3 C3 S5 D5") == "play 5: H3 C3 J4 S5 D5"
    assert twin.canonical("pass D6 S5 take H3") == "pass S5 D6 take H3"
    assert twin.in_order(["J1", "S2", "D1", "H1"]) == ["H1", "D1", "J1", "S2"]
    assert twin.holds(["S1", "S1"], ["S1"])
    assert not twin.holds(["S1"], ["S1", "S1"])
