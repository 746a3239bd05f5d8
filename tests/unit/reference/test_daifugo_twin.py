"""The Daifugō twin on its own: worked cases of each clause, settled details, random games in random mixes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import pytest

from tests.reference import daifugo
from tests.reference.daifugo import notation, plays
from tests.support_daifugo import decisions_bound

Rules = dict[str, Any]
SWITCHES = (*("revolution", "spade_three", "number_lock"), *daifugo.DEFAULT_RANKS)
BARE: Rules = {  # groups and sequences, and nothing else
    **dict.fromkeys(SWITCHES, False),
    **{foul: False for foul in daifugo.FOULS if foul != "foul_spade_three"},
    "foul_spade_three": "off",
    "suit_lock": "off",
}


class Dice:
    """Chance from a seed; ``packs`` may fix the first cards of a game's pack."""

    def __init__(self, rules: Rules, seed: int = 0, packs: dict[int, str] | None = None) -> None:
        settled, _ = daifugo.settle({"rules": rules})
        self.seed, self.packs, self.rules = seed, packs or {}, settled

    def _rng(self, *key: object) -> random.Random:
        return random.Random(f"{self.seed} {key}")

    def pack(self, game: int) -> list[str]:
        rest = notation.pack(self.rules["jokers"])
        top = self.packs.get(game, "").split()
        for card in top:
            rest.remove(card)
        self._rng("pack", game).shuffle(rest)
        return top + rest

    def blind(self, game: int) -> list[str]:
        allowed = [card for card in notation.NATURALS if card != "D3"]
        return self._rng("blind", game).sample(allowed, self.rules["blind_cards"])

    def seats(self, game: int) -> list[int]:
        return self._rng("seats", game).sample(range(self.rules["players"]), self.rules["players"])

    def stalemate(self, game: int) -> list[int]:
        return self._rng("stalemate", game).sample(range(self.rules["players"]), self.rules["players"])


def new_match(seed: int = 0, packs: dict[int, str] | None = None, **rules: Any) -> daifugo.Match:
    return daifugo.Match({"rules": rules}, Dice(rules, seed, packs))


def set_up(
    *hands: str, at: dict[str, Any] | None = None, ranks: dict[str, str] | None = None, **rules: Any
) -> daifugo.Match:
    """One game from hands; player 0 is to move unless ``at`` says more of the position."""
    rules = {"players": len(hands), **rules}
    position: dict[str, Any] = {"to_move": 0, **(at or {})}
    return daifugo.Match.from_position(
        {"rules": rules, "ranks": ranks or {}}, Dice(rules), hands=hands, **position
    )


def follow(match: daifugo.Match, *steps: str) -> dict[str, Any]:
    """Play steps such as ``"0 play S8"``, and return what the match looks like then."""
    for step in steps:
        player, move = step.split(" ", 1)
        assert match.to_move == int(player), step
        match.play(move)
    return match.inspect()


def legal(match: daifugo.Match) -> set[str]:
    """The legal moves of the player to move, without the verb ``play``."""
    moves = match.legal()
    assert len(set(moves)) == len(moves)
    return {move.removeprefix("play ") for move in moves}


def counted(match: daifugo.Match) -> dict[str, int]:
    """The events that happened, but for the ones in every game."""
    usual = ("plays", "passes", "tricks", "decisions", "branching", "suit_lock", "number_lock", "emperor")
    usual += ("down_number", "sequence_revolution", "eleven_back_triple")
    return {name: count for name, count in match.inspect()["events"].items() if count and name not in usual}


TASTES = ("any", "no joker", "many cards")


def run(match: daifugo.Match, seed: int = 0, taste: str = "any") -> Iterator[str]:
    """Play at random to the end; yields each move once made. Tastes bring about what else is rare."""
    rng = random.Random(seed)
    while match.to_move >= 0:
        moves = match.legal()
        if taste == "no joker":
            moves = [move for move in moves if "JK" not in move] or moves
        elif taste == "many cards":
            moves = [max(rng.choices(moves, k=4), key=lambda move: len(move.split()))]
        move = rng.choice(moves)
        match.play(move)
        yield move


# -- deals and leads: D1-D5, D10 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        ({}, [14, 14, 13, 13]),
        ({"jokers": 0}, [13] * 4),
        ({"jokers": 1, "players": 5}, [11, 11, 11, 10, 10]),
        ({"players": 8}, [7] * 6 + [6] * 2),
        ({"players": 2}, [27, 27]),
        ({"blind_cards": 2}, [13] * 4),
    ],
)
def test_all_cards_are_dealt_in_turn(rules: Rules, sizes: list[int]) -> None:  # D1, D2, D3, D4
    match = new_match(**rules)
    hands = match.inspect()["hands"]
    assert [len(hand) for hand in hands] == sizes
    dealt = [card for card in match.chance.pack(1) if card not in match.aside]
    assert Counter(hands[1]) == Counter(dealt[1 :: len(sizes)])
    assert "D3" in hands[match.to_move]  # D5


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("deal_from", "place", "offset"), [("dealer_left", 4, 1), ("daifugo", 1, 0)])
def test_who_is_dealt_first_later(deal_from: str, place: int, offset: int, seed: int) -> None:  # D3
    match = new_match(seed, deal_from=deal_from, exchange=[], games=2)
    next(match.number for _ in run(match, seed) if match.number == 2)
    first = (match.previous_places.index(place) + offset) % 4
    hands = match.inspect()["hands"]
    assert {player for player in range(4) if len(hands[player]) == 14} == {first, (first + 1) % 4}


@pytest.mark.parametrize("deal_from", ["dealer_left", "daifugo"])
@pytest.mark.parametrize("players", [3, 4, 5, 7, 8])
def test_what_a_seat_is_dealt_does_not_hang_on_the_class(players: int, deal_from: str) -> None:  # D3
    even, surplus = divmod(54, players)
    matches = [new_match(1, players=players, deal_from=deal_from, exchange=[], games=2) for _ in range(20)]
    ways = set()
    for seed, match in enumerate(matches):
        next(match.number for _ in run(match, seed) if match.number == 2)
        cards = match.chance.pack(2)
        first = match.previous_places.index(1 if deal_from == "daifugo" else players)
        first = (first + (deal_from == "dealer_left")) % players
        ways.add(first)
        for player, hand in enumerate(match.inspect()["hands"]):
            later = (player - first) % players
            extra = [cards[even * players + later]] if later < surplus else []
            assert Counter(hand) == Counter([*cards[player : even * players : players], *extra])
    assert len(ways) > 1


def test_the_first_lead() -> None:  # D5
    at = {"previous_places": [2, 1, 3], "to_move": None}
    hands = ("S5 D3", "H3 S6", "S7 S8")
    assert set_up(*hands, at=at).to_move == 0
    assert set_up(*hands, at=at, first_lead="daifugo").to_move == 1
    assert set_up(*hands, at=at, first_lead="daihinmin").to_move == 2
    assert set_up(*hands, at={"to_move": None}, first_lead="daihinmin").to_move == 0  # holds from game 2
    match = set_up("D3 H3 S5", "S6 S7", "S8 S9", first_lead_must_show=True)
    assert legal(match) == {"D3", "H3 D3"}
    follow(match, "0 play D3", "1 pass", "2 pass")
    assert legal(match) == {"H3", "S5"}
    match = set_up("D3 H3", "S6 S7 S8", first_lead_must_show=True, leader_may_pass=True)
    assert legal(match) == {"D3", "H3 D3", "pass"}
    follow(match, "0 pass", "1 play S6", "0 pass", "1 pass")
    assert legal(match) == {"H3", "D3", "H3 D3", "pass"}  # something has been put down


def test_places_are_forgotten_and_seats_drawn_in_time() -> None:  # D10
    match = new_match(games=9, class_reset_every=3, reseat_every=4, seed=5)
    seen: dict[int, tuple[bool, list[int], str]] = {}
    for _ in run(match):
        view = match.inspect()
        seen.setdefault(view["game"], (bool(view["previous_places"]), view["ring"], view["phase"]))
    assert [seen[game][0] for game in range(2, 10)] == [True, True, False, True, True, False, True, True]
    assert [game for game in range(2, 10) if seen[game][2] != "exchange"] == [4, 7]
    rings = [[0, 1, 2, 3], match.chance.seats(5), match.chance.seats(9)]
    assert [rings.index(seen[game][1]) for game in (2, 4, 5, 8, 9)] == [0, 0, 1, 1, 2]
    assert sum(match.inspect()["scores"]) == 9 * 6


def test_points_and_winners() -> None:  # D10
    match = set_up("S5", "S6", "S7 S8", place_points=[7, 7, -1], at={"scores": [1, 2, 3]}, **BARE)
    view = follow(match, "0 play S5", "1 play S6")
    assert view["over"]
    assert (view["places"], view["scores"], view["winners"]) == ([1, 2, 3], [8, 9, 2], [1])
    assert follow(set_up("S5", "S6 S7", at={"scores": [0, 1]}, **BARE), "0 play S5")["winners"] == [0, 1]


# -- exchange: D11, D42 -----------------------------------------------------------------------------------

CLASSES = {"phase": "exchange", "previous_places": [1, 2, 3, 4], "to_move": None}
FOUR_HANDS = ("S3 S4 S5", "H3 H4 H5", "D3 H6 D6", "S2 H2 JK D9")


def test_the_exchange_between_two_pairs() -> None:  # D11
    match = set_up(*FOUR_HANDS, at=CLASSES)
    view = match.inspect()
    assert (view["phase"], view["to_move"]) == ("exchange", 0)
    assert [" ".join(hand) for hand in view["hands"]] == ["S3 S4 S5 S2 JK", "H3 H4 H5 H6", "D3 D6", "D9 H2"]
    assert len(match.legal()) == 10
    assert "exchange S2 JK" in match.legal()  # cards just got may go back
    view = follow(match, "0 exchange S4 S3", "1 exchange H6")
    assert (view["phase"], view["to_move"]) == ("play", 2)  # D5, after the exchange
    assert view["hands"][2:] == [["D3", "H6", "D6"], ["S3", "S4", "D9", "H2"]]


def test_the_rich_may_have_to_choose_blindly() -> None:  # D11
    match = set_up(*FOUR_HANDS, at=CLASSES, rich_see_first=False)
    assert legal(match) == {"exchange S3 S4", "exchange S3 S5", "exchange S4 S5"}
    assert match.inspect()["hands"][3] == ["D9", "S2", "H2", "JK"]
    hands = follow(match, "0 exchange S3 S4", "1 exchange H3")["hands"]
    assert [" ".join(hand) for hand in hands] == ["S5 S2 JK", "H4 H5 H6", "H3 D3 D6", "S3 S4 D9 H2"]


def test_who_exchanges() -> None:  # D11
    three = set_up("S3 S4", "D3 H4", "S2 H5", at={**CLASSES, "previous_places": [3, 2, 1]})
    assert (three.to_move, three.inspect()["hands"][0]) == (2, [])
    assert follow(three, "2 exchange S2 H5")["phase"] == "play"
    assert set_up(*FOUR_HANDS, at=CLASSES, exchange=[]).phase == "play"
    two = set_up(*FOUR_HANDS, at=CLASSES, exchange=[0, 1])
    assert follow(two, "1 exchange H4")["phase"] == "play"


def test_the_cataclysm() -> None:  # D42
    low = ("S2 D3", "H2", "S5", "S10 H9")
    match = set_up(*low, at=CLASSES, tenpen_chii=True)
    view = match.inspect()
    assert (view["phase"], view["to_move"], view["hands"][0]) == ("play", 3, ["H9", "S10"])
    assert counted(match) == {"tenpen_chii": 1}
    for top in ("SJ", "JK"):
        assert set_up(*low[:3], f"S10 {top}", at=CLASSES, tenpen_chii=True).phase == "exchange"


# -- tricks: D6-D9 ----------------------------------------------------------------------------------------


def test_a_follower_beats_or_passes() -> None:  # D6
    match = set_up("S5 H6 D6", "S4 H5 C6 S6 JK", **BARE)
    assert legal(match) == {"S5", "H6", "D6", "H6 D6"}
    follow(match, "0 play S5")
    assert legal(match) == {"S6", "C6", "JK", "pass"}
    assert legal(set_up("S5", "S6", leader_may_pass=True, **BARE)) == {"S5", "pass"}


def test_a_passer_may_come_back_unless_locked_out() -> None:  # D7
    hands = ("S5 SK", "S6 SQ", "S7 SJ")
    steps = ("0 play S5", "1 pass", "2 play S7", "0 pass")
    assert legal(set_up(*hands, **BARE)) == {"S5", "SK"}
    free = set_up(*hands, **BARE)
    follow(free, *steps)
    assert (free.to_move, legal(free)) == (1, {"SQ", "pass"})
    locked = set_up(*hands, pass_lockout=True, **BARE)
    view = follow(locked, *steps)
    assert (view["to_move"], view["table"], view["leader_owner"]) == (2, [], -1)


def test_the_owner_leads_again() -> None:  # D8
    match = set_up("S5 SK", "S6 SQ", "S7 SJ", **BARE)
    view = follow(match, "0 play S5", "1 pass", "2 pass")
    assert (view["to_move"], view["table"]) == (0, [])
    match = set_up("S5 SK", "S6 SQ", "S7 SJ", clear_when="all_passed", **BARE)
    follow(match, "0 play S5", "1 pass", "2 pass")
    assert legal(match) == {"SK", "pass"}
    assert follow(match.copy(), "0 pass")["table"] == []
    view = follow(match, "0 play SK", "1 pass", "2 pass")
    assert (view["to_move"], view["table"], view["places"]) == (1, [], [1, 0, 0])  # the owner has gone out


def test_after_an_owner_who_is_out_all_must_pass() -> None:  # D8, D9
    hands = ("S5", "S6 SQ", "S7 SJ", "S8 S9")
    assert follow(set_up(*hands, **BARE), "0 play S5", "1 pass", "2 pass")["table"] == ["S5"]
    view = follow(set_up(*hands, **BARE), "0 play S5", "1 pass", "2 pass", "3 pass")
    assert (view["to_move"], view["table"]) == (1, [])
    view = follow(set_up(*hands, at={"direction": -1}, **BARE), "0 play S5", "3 pass", "2 pass", "1 pass")
    assert view["to_move"] == 3


def test_the_last_active_player_takes_the_best_free_place() -> None:  # D9
    match = set_up("S5", "S6 S7", "S8", at={"places": [0, 0, 0]}, **BARE)
    assert follow(match, "0 play S5", "1 pass", "2 play S8")["places"] == [1, 3, 2]


# -- plays: D12-D17 ---------------------------------------------------------------------------------------


def shapes_by_force(hand: Sequence[str], rules: Rules) -> set[str]:
    """Every play of a hand: all subsets, all statements of the jokers, each judged by its shape alone."""
    found: set[str] = set()
    ranks = ["<3", *notation.RANKS, ">2"]
    statements = [(suit, rank) for rank in ranks for suit in "SHDC"]

    def consecutive(shown: list[tuple[str, str]]) -> bool:
        spots = sorted(ranks.index(rank) for _, rank in shown)
        return spots == list(range(spots[0], spots[0] + len(spots)))

    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            naturals = [(card[0], card[1:]) for card in cards if card != "JK"]
            jokers = size - len(naturals)
            if len({rank for _, rank in naturals}) <= 1:
                found.add(" ".join(["play", *notation.in_order(cards)]))
            for said in product(statements, repeat=jokers):
                shown = naturals + list(said)
                suits = [suit for suit, _ in shown]
                beyond = {"<3", ">2"} & {rank for _, rank in shown}
                long_enough, in_range = (
                    size >= rules["sequence_min"],
                    not beyond or rules["joker_beyond_ends"],
                )
                sequence = (rules["sequences"], naturals, len(set(suits)) == 1, long_enough, in_range)
                emperor = (rules["emperor"], naturals, len(set(suits)) == 4, size == 4, not beyond)
                if consecutive(shown) and (all(sequence) or all(emperor)):
                    jk = [f"JK={suit}{rank}" for suit, rank in said]
                    text = [*(suit + rank for suit, rank in naturals), *jk]
                    found.add(" ".join(["play", *notation.in_order(text)]))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_the_plays_of_a_hand_against_brute_force(seed: int) -> None:  # D12, D13, D16
    rng = random.Random(f"shapes {seed}")
    for _ in range(3):
        rules = {
            **dict.fromkeys(("sequences", "emperor", "joker_beyond_ends"), True),
            rng.choice(["sequences", "emperor", "joker_beyond_ends", "jokers"]): False,
            "jokers": 2,
            "sequence_min": rng.choice([3, 3, 4]),
        }
        settled, _ = daifugo.settle({"rules": rules})
        start = rng.randrange(10)
        near = [card for card in notation.NATURALS if start <= notation.PLACE[card] <= start + 3]
        hand = notation.in_order([*rng.sample(near, rng.randint(2, 7)), *["JK"] * rng.randint(0, 2)])
        mine = [play.text for play in plays.candidates(hand, None, settled, daifugo.DEFAULT_RANKS)]
        assert set(mine) == shapes_by_force(hand, settled)


def test_groups_with_jokers() -> None:  # D12
    match = set_up("S5 H5 D5 C5 JK JK", "S6 H6", **{**BARE, "sequences": False})
    moves = legal(match)
    assert {"S5", "S5 JK", "C5 JK JK", "S5 H5 D5 C5 JK JK", "JK", "JK JK"} <= moves
    assert len(moves) == 15 * 3 + 2
    match = set_up("SK HK D5", "S2 H2 JK JK", **BARE)
    follow(match, "0 play SK HK")
    assert legal(match) == {"S2 H2", "S2 JK", "H2 JK", "JK JK", "pass"}


def test_jokers_do_not_beat_jokers() -> None:  # D6, D12
    single = set_up("JK S5", "JK S2 H2", **BARE)
    follow(single, "0 play JK")
    assert legal(single) == {"pass"}
    pair = set_up("JK JK S5", "S2 H2", **BARE)
    follow(pair, "0 play JK JK")
    assert legal(pair) == {"pass"}


def test_sequences() -> None:  # D13
    match = set_up("H3 H4 H5 JK", "S5 S6", **BARE)
    threes = {"H3 H4 H5", "H3 H4 JK=H5", "H3 H5 JK=H4", "H4 H5 JK=H3", "H4 H5 JK=H6"}
    assert {move for move in legal(match) if len(move.split()) > 2} == threes | {"H3 H4 H5 JK=H6"}
    ends = "S3 S4 SA S2 JK JK"
    assert not any("<" in move or ">" in move for move in legal(set_up(ends, "S5 S6", **BARE)))
    beyond = legal(set_up(ends, "S5 S6", joker_beyond_ends=True, **BARE))
    assert {"S3 S4 JK=S<3", "S3 JK=S<3 JK=S4", "SA S2 JK=S>2", "S2 JK=SA JK=S>2"} <= beyond
    assert not any({"S3", "S2"} <= set(move.split()) for move in beyond)  # no wrapping
    assert legal(set_up("H3 H4 H5", "S5 S6", sequences=False, **BARE)) == {"H3", "H4", "H5"}
    assert "H3 H4 H5" not in legal(set_up("H3 H4 H5", "S5 S6", sequence_min=4, **BARE))


@pytest.mark.parametrize(
    ("beats", "is_revolution", "fitting"),
    [
        ("disjoint", False, {"S8 S9 S10", "S9 S10 SJ"}),
        ("lowest", False, {"S6 S7 S8", "S7 S8 S9", "S8 S9 S10", "S9 S10 SJ"}),
        ("disjoint", True, set()),
        ("lowest", True, {"S4 S5 S6"}),
    ],
)
def test_what_beats_a_sequence(beats: str, is_revolution: bool, fitting: set[str]) -> None:  # D14
    hand = "S4 S5 S6 S7 S8 S9 S10 SJ"
    match = set_up("H5 H6 H7 HK", hand, at={"revolution": is_revolution}, sequence_beats=beats, **BARE)
    follow(match, "0 play H5 H6 H7")
    assert legal(match) == fitting | {"pass"}


def test_a_stated_joker_holds_for_the_trick() -> None:  # D13, D14
    match = set_up("H6 H7 JK HK", "S8 S9 S10 SJ", **BARE)
    other = match.copy()
    assert follow(match, "0 play H6 H7 JK=H8")["table"] == ["H6", "H7", "JK=H8"]
    assert legal(match) == {"S9 S10 SJ", "pass"}
    follow(other, "0 play H6 H7 JK=H5")
    assert legal(other) == {"S8 S9 S10", "S9 S10 SJ", "pass"}


@pytest.mark.parametrize(
    ("lead", "rules", "expected"),
    [
        ("S5 S6 S7 S8", {}, {}),
        ("S5 S6 S7 S8", {"sequence_revolution": 5}, {}),
        ("S5 S6 S7 S8", {"sequence_revolution": 4, "revolution": False}, {"revolutions": 1}),
        ("S5 S6 S7 S8 S9", {"sequence_revolution": 5}, {"revolutions": 1}),
        ("S5 H6 D7 C8", {"sequence_revolution": 4, "emperor": True}, {"revolutions": 1}),
        ("S5 H6 D7 C8", {"sequence_revolution": 5, "emperor": True}, {}),
        ("S8 S9 S10", {"sequence_effects": ["cut", "reverse"]}, {"eight_cut": 1, "reverse": 1}),
        ("S8 S9 S10", {"sequence_effects": ["cut"], "eight_cut": False}, {}),
        ("S9 S10 JK=S8", {"sequence_effects": ["cut"]}, {"eight_cut": 1}),
        ("S5 S6 S7", {"sequence_effects": ["skip"]}, {"skip": 1}),
        ("SJ SQ SK", {"sequence_effects": ["eleven_back"]}, {"eleven_back": 1}),
    ],
)
def test_sequences_and_effects(lead: str, rules: Rules, expected: dict[str, int]) -> None:  # D15
    hand = notation.as_cards(lead.split())
    match = set_up(" ".join([*hand, "H3"]), "H4 D4", "C4 H9", **rules)
    follow(match, f"0 play {lead}")
    assert counted(match) == expected
    assert match.to_move == (0 if "eight_cut" in expected else 2 if "skip" in expected else 1)


def test_an_effect_in_a_sequence_counts_once() -> None:  # D15
    match = set_up("S10 SJ SQ S5 S6", "H4 D4", sequence_effects=["discard"])
    follow(match, "0 play S10 SJ SQ")
    assert legal(match) == {"discard S5", "discard S6"}


def test_emperors() -> None:  # D16
    hands = ("S5 H6 D7 C8 C3", "D6 H7 S8 C9 D10 JK JK")
    rules = {**BARE, "sequences": False}
    match = set_up(*hands, emperor=True, **rules)
    assert len(legal(match)) == 6
    follow(match, "0 play S5 H6 D7 C8")
    assert legal(match) == {"C9 D10 JK=SJ JK=HQ", "C9 D10 JK=HJ JK=SQ", "pass"}
    match = set_up(*hands, emperor=True, sequence_beats="lowest", **rules)
    follow(match, "0 play S5 H6 D7 C8")
    assert {"D6 H7 S8 C9", "D6 H7 S8 JK=C9", "H7 S8 JK=C9 JK=D10"} <= legal(match)
    assert "S5 H6 D7 C8" not in legal(set_up(*hands, **BARE))
    match = set_up("S5 S6 S7 S8 C3", "S9 H10 DJ CQ", emperor=True, **BARE)
    follow(match, "0 play S5 S6 S7 S8")
    assert legal(match) == {"pass"}  # of its own kind


def test_down_number() -> None:  # D17
    match = set_up("S7 HK", "S6 H6 S8 S5", "D5 D6", down_number=True, **BARE)
    follow(match, "0 play S7")
    assert legal(match) == {"S6", "S8", "pass"}
    match = set_up("S7 HK", "S6 S8", at={"revolution": True}, down_number=True, **BARE)
    follow(match, "0 play S7")
    assert legal(match) == {"S6", "S8", "pass"}
    locked = {**BARE, "number_lock": True, "suit_lock": "full"}
    match = set_up("H6 HK", "S7 C9", "S6 S8 C8", down_number=True, **locked)
    assert follow(match, "0 play H6", "1 play S7")["number_lock"]
    assert legal(match) == {"S8", "C8", "pass"}
    match = set_up("S9 HK", "S8 C8 C7", "C2 S7", down_number=True, **locked)
    assert follow(match, "0 play S9", "1 play S8")["suit_lock"] == "S"  # a suit lock is made, and holds
    assert legal(match) == {"S7", "pass"}


# -- locks: D18, D19 --------------------------------------------------------------------------------------

LOCKS: Rules = {**BARE, "suit_lock": "full"}


def test_a_suit_lock() -> None:  # D18
    match = set_up("H4 HK", "H7 S3", "H10 S10 JK", **LOCKS)
    assert follow(match, "0 play H4", "1 play H7")["suit_lock"] == "H"
    assert legal(match) == {"H10", "JK", "pass"}
    match = set_up("H4 S4 C3", "H6 S6 C5", "H10 S10 D10 JK JK", **LOCKS)
    assert follow(match, "0 play H4 S4", "1 play H6 S6")["suit_lock"] == "SH"
    assert legal(match) == {"S10 H10", "S10 JK", "H10 JK", "JK JK", "pass"}
    view = follow(match, "2 play H10 JK", "0 pass", "1 pass")
    assert (view["suit_lock"], view["to_move"]) == ("", 2)


@pytest.mark.parametrize("lead", ["H4 S4", "H4 JK"])
def test_no_suit_lock_with_jokers_or_other_suits(lead: str) -> None:  # D18
    match = set_up("H4 S4 JK C3", "H6 D6 JK C5", "H10 S10", **LOCKS)
    for second in ("H6 D6", "H6 JK"):
        assert follow(match.copy(), f"0 play {lead}", f"1 play {second}")["suit_lock"] == ""


def test_a_suit_lock_of_sequences() -> None:  # D18
    hands = ("H3 H4 H5 C3", "H6 H7 H8 JK", "S9 S10 SJ H9 H10 HJ")
    match = set_up(*hands, **LOCKS)
    other = match.copy()
    assert follow(match, "0 play H3 H4 H5", "1 play H6 H7 H8")["suit_lock"] == "H"
    assert legal(match) == {"H9 H10 HJ", "pass"}
    assert follow(other, "0 play H3 H4 H5", "1 play H6 H7 JK=H8")["suit_lock"] == ""
    match = set_up("H3 H4 JK C3", "H6 H7 H8 JK", **LOCKS)
    assert follow(match, "0 play H3 H4 JK=H5", "1 play H6 H7 H8")["suit_lock"] == ""


def test_partial_locks_add_up() -> None:  # D18
    match = set_up("H4 S4 C10", "H5 C5 D9", "S6 C6 D3", "H7 C7 D7 JK", **{**LOCKS, "suit_lock": "partial"})
    assert follow(match, "0 play H4 S4", "1 play H5 C5")["suit_lock"] == "H"
    assert legal(match) == {"pass"}
    follow(match, "2 pass")
    assert legal(match) == {"H7 D7", "H7 C7", "H7 JK", "D7 JK", "C7 JK", "pass"}
    assert follow(match, "3 play H7 C7")["suit_lock"] == "HC"


def test_locks_made_by_jokers() -> None:  # D18
    match = set_up("H4 JK C3", "S6 JK C5", "H10 S10 D10", lock_by_joker=True, **LOCKS)
    assert {"H4 JK=S4", "H4 JK=D4", "H4 JK=C4", "JK"} <= legal(match)
    assert "H4 JK" not in legal(match)
    assert follow(match, "0 play H4 JK=S4", "1 play S6 JK=H6")["suit_lock"] == "SH"
    assert legal(match) == {"S10 H10", "pass"}
    six = set_up("S5 H5 D5 C5 JK JK", "H10 S10", lock_by_joker=True, **LOCKS)
    assert {"S5 H5 D5 C5 JK JK", "S5 H5 D5 JK=C5 JK", "S5 H5 JK=D5 JK=C5"} <= legal(six)
    match = set_up("S5 S6 S7 C3", "S8 S9 JK C4", "H10 HJ HQ", lock_by_joker=True, **LOCKS)
    assert follow(match, "0 play S5 S6 S7", "1 play S8 S9 JK=S10")["suit_lock"] == "S"


def test_a_single_joker_and_the_locks() -> None:  # D18, D19
    rules = {**LOCKS, "number_lock": True}
    hands = ("H4 HK", "H5 S3", "JK S10", "S4 S5")
    steps = ("0 play H4", "1 play H5", "2 play JK")
    view = follow(set_up(*hands, **rules), *steps)
    assert (view["suit_lock"], view["number_lock"]) == ("H", True)
    view = follow(set_up(*hands, joker_clears_lock=True, **rules), *steps)
    assert (view["suit_lock"], view["number_lock"]) == ("", False)


def test_a_number_lock() -> None:  # D19
    rules = {**BARE, "number_lock": True}
    match = set_up("C5 HK", "H6 S3", "S7 S8 JK", **rules)
    assert follow(match, "0 play C5", "1 play H6")["number_lock"]
    assert legal(match) == {"S7", "JK", "pass"}
    match = set_up("H4 S4 HK", "H5 JK S3", "S6 H6 S7 H7", **rules)
    assert follow(match, "0 play H4 S4", "1 play H5 JK")["number_lock"]
    assert legal(match) == {"S6 H6", "pass"}
    match = set_up("H4 H5 H6", "S7 S8 S9 D3", "D4", **rules)
    assert not follow(match, "0 play H4 H5 H6", "1 play S7 S8 S9")["number_lock"]
    match = set_up("H4 H5 H6 H7", "S5 S6 S7 D3", "D4", sequence_beats="lowest", **rules)
    assert not follow(match, "0 play H4 H5 H6", "1 play S5 S6 S7")["number_lock"]


def test_jokers_step_on_the_strongest_rank() -> None:  # D19
    rules = {**BARE, "number_lock": True}
    match = set_up("SK HK S3", "SA HA S4", "JK JK S2 H2 S5", **rules)
    follow(match, "0 play SK HK", "1 play SA HA")
    assert legal(match) == {"S2 H2", "S2 JK", "H2 JK", "pass"}
    match = set_up("SA HA S3", "S2 H2 S4", "JK JK S5", **rules)
    follow(match, "0 play SA HA", "1 play S2 H2")
    assert legal(match) == {"JK JK", "pass"}
    match = set_up("S4 H4 S6", "S3 H3 S7", "JK JK S5", at={"revolution": True}, **rules)
    follow(match, "0 play S4 H4", "1 play S3 H3")
    assert legal(match) == {"JK JK", "pass"}


def test_both_locks_and_a_reversal_within_the_trick() -> None:  # D18, D19, D20
    rules = {**LOCKS, "number_lock": True}
    match = set_up("H9 S3", "H10 S4", "HJ SJ HQ D10", **rules)
    follow(match, "0 play H9", "1 play H10")
    assert legal(match) == {"HJ", "pass"}
    match = set_up("S10 S3", "HJ S4", "H10 HQ D10", **{**BARE, "number_lock": True, "eleven_back": True})
    assert follow(match, "0 play S10", "1 play HJ")["number_lock"]
    assert legal(match) == {"H10", "D10", "pass"}  # steps are judged in the order of that moment


# -- effects: D20-D32 -------------------------------------------------------------------------------------


def only(*effects: str, **rules: Any) -> Rules:
    return {**BARE, **dict.fromkeys(effects, True), **rules}


def test_temporary_reversal() -> None:  # D20
    hands = ("SJ S9 S8", "HJ H5 HK", "DJ D4 DK")
    match = set_up(*hands, **only("eleven_back"))
    view = follow(match, "0 play SJ")
    assert (view["reversed"], view["revolution"]) == (True, False)
    assert legal(match) == {"H5", "pass"}
    assert not follow(match, "1 pass", "2 pass")["reversed"]
    pairs = ("SJ HJ S3", "DJ CJ HK", "S5 D5")
    assert follow(set_up(*pairs, **only("eleven_back")), "0 play SJ HJ")["reversed"]  # once, whatever k is


@pytest.mark.parametrize(("again", "is_reversed"), [("toggle", False), ("stay", True)])
def test_a_second_temporary_reversal(again: str, is_reversed: bool) -> None:  # D20
    rules = only("eleven_back", "down_number", eleven_back_again=again)
    match = set_up("SJ S3", "SQ S4", "HJ S5", **rules)
    view = follow(match, "0 play SJ", "1 play SQ", "2 play HJ")  # D17 is what brings a second one about
    assert (view["reversed"], counted(match)) == (is_reversed, {"eleven_back": 2})


def test_four_jacks_and_three_jacks() -> None:  # D20, D21
    four = set_up("SJ HJ DJ CJ S3", "S4 H4", **only("eleven_back", "revolution"))
    view = follow(four, "0 play SJ HJ DJ CJ")
    assert (view["reversed"], view["revolution"]) == (False, True)
    assert follow(four, "1 pass")["reversed"]
    three = set_up("SJ HJ DJ", "S4 H4", **only("eleven_back", "foul_eleven_back", eleven_back_triple=True))
    view = follow(three, "0 play SJ HJ DJ")
    assert (view["revolution"], view["places"]) == (True, [1, 2])  # no D36 foul
    assert counted(three) == {"revolutions": 1}
    off = set_up("SJ HJ DJ S3", "S4 H4", **only("eleven_back_triple"))
    assert not follow(off, "0 play SJ HJ DJ")["reversed"]


def test_revolution_and_counter_revolution() -> None:  # D21
    match = set_up("S9 H9 D9 C9 S3", "S5 H5 D5 JK S10 H10 D10 C10 SK", "C3 H3", **only("revolution"))
    assert follow(match, "0 play S9 H9 D9 C9")["revolution"]
    assert legal(match) == {"S5 H5 D5 JK", "pass"}
    view = follow(match, "1 play S5 H5 D5 JK", "2 pass", "0 pass")
    assert (view["revolution"], counted(match)) == (False, {"revolutions": 2})
    five = set_up("S9 H9 D9 C9 JK S3", "S5 H5 D5 C5 SK", **only("revolution"))
    follow(five, "0 play S9 H9 D9 C9 JK")
    assert legal(five) == {"pass"}


def test_eight_cut() -> None:  # D22
    match = set_up("S5 C3", "S8 H9", "S9 S10", **only("eight_cut"))
    view = follow(match, "0 play S5", "1 play S8")
    assert (view["to_move"], view["table"], counted(match)) == (1, [], {"eight_cut": 1})
    view = follow(set_up("S8", "H9 H10", "S9 S10", **only("eight_cut")), "0 play S8")
    assert (view["to_move"], view["places"]) == (1, [1, 0, 0])  # the lead of one who has finished


def test_four_stop() -> None:  # D23
    match = set_up("S8 S9 D9 CK", "S4 D4 SK", "S5 S6 D6")
    view = follow(match, "0 play S8")
    assert (view["phase"], view["to_move"], view["table"]) == ("answer", 1, ["S8"])
    assert legal(match) == {"S4 D4", "pass"}
    refused = match.copy()
    view = follow(refused, "1 pass")
    assert (view["to_move"], view["phase"], view["events"]["passes"]) == (0, "play", 0)
    view = follow(match, "1 play S4 D4")
    assert (view["to_move"], view["table"], view["leader_owner"]) == (2, ["S4", "D4"], 1)
    assert legal(match) == {"pass"}
    view = follow(match, "2 pass", "0 pass")
    assert (view["to_move"], view["table"], counted(match)) == (1, [], {"four_stop": 1})


def test_four_fours_stop_two_eights_without_a_revolution() -> None:  # D23
    match = set_up("S8 JK S9", "S4 D4 C4 JK SK", "S5 S6 H3 D3 C3")
    follow(match, "0 play S8 JK")
    assert legal(match) == {"S4 D4 C4 JK", "pass"}
    view = follow(match, "1 play S4 D4 C4 JK")
    assert (view["revolution"], view["to_move"]) == (False, 2)
    assert legal(match) == {"H3 D3 C3", "pass"}  # a sandstorm
    assert follow(match, "2 play H3 D3 C3")["to_move"] == 2


def test_who_is_asked_to_stop_a_cut() -> None:  # D23
    hands = ("S5 C9", "C4 JK S10", "S8 H10", "S4 H4 CJ")
    match = set_up(*hands)
    view = follow(match, "0 play S5")  # a skip
    assert view["to_move"] == 2
    follow(match, "2 play S8", "3 pass")
    assert (match.to_move, legal(match)) == (1, {"C4 JK", "pass"})
    hands = ("S6 C9 C5", "C4 JK S10", "S8 H10", "S4 H4 CJ")
    match = set_up(*hands, pass_lockout=True)
    assert follow(match, "0 play S6", "1 pass", "2 play S8", "3 pass")["phase"] == "play"  # 1 is locked out
    assert match.to_move == 2
    three = set_up("S8 H8 D8 C9", "S4 H4 D4 C4 JK JK")
    assert follow(three, "0 play S8 H8 D8")["phase"] == "play"
    no_natural = set_up("S8 C9", "JK JK C10")
    assert follow(no_natural, "0 play S8")["phase"] == "play"
    assert follow(set_up("S8 C9", "S4 H4 C10", four_stop=False), "0 play S8")["phase"] == "play"


def test_locks_do_not_hinder_an_answer() -> None:  # D18, D23
    match = set_up("S6 C9", "S8 H10", "H4 D4 C10", lock_by_joker=True)
    view = follow(match, "0 play S6", "1 play S8")
    assert (view["suit_lock"], legal(match)) == ("S", {"H4 D4", "pass"})
    view = follow(match, "2 play H4 D4")
    assert (view["suit_lock"], legal(match)) == ("S", {"pass"})
    match = set_up("S8 C9", "H4 JK C10", lock_by_joker=True)
    follow(match, "0 play S8")
    assert legal(match) == {"H4 JK=S4", "H4 JK=D4", "H4 JK=C4", "pass"}


def test_a_stopped_cut_is_a_foul_all_the_same() -> None:  # D23, D36
    match = set_up("S8", "S4 H4 C10", "C5 C6")
    view = follow(match, "0 play S8")
    assert (view["phase"], view["places"]) == ("answer", [3, 0, 0])
    view = follow(match, "1 play S4 H4")
    assert (view["to_move"], counted(match)) == (2, {"foul_eight_cut": 1, "four_stop": 1})


def test_stopping_with_the_last_cards() -> None:  # D23, D33
    view = follow(set_up("S8 S9", "S4 H4", "C5 C6"), "0 play S8", "1 play S4 H4")
    assert (view["places"], view["to_move"]) == ([0, 1, 0], 2)
    view = follow(set_up("S8 S9", "S4 JK", "C5 C6"), "0 play S8", "1 play S4 JK")
    assert view["places"] == [0, 3, 0]
    match = set_up("S8 S9", "S4 H4", "C5 C6")
    view = follow(match, "0 play S8", "1 play S4 H4", "2 pass", "0 pass")
    assert (view["to_move"], view["table"]) == (2, [])


def test_a_sandstorm_may_stop_a_cut() -> None:  # D31
    hands = ("S8 S9", "S3 H3 D3 C10", "C5 C6")
    assert follow(set_up(*hands), "0 play S8")["phase"] == "play"
    match = set_up(*hands, sandstorm_stops_cut=True, four_stop=False)
    follow(match, "0 play S8")
    assert legal(match) == {"S3 H3 D3", "pass"}
    view = follow(match, "1 play S3 H3 D3")
    assert (view["to_move"], view["table"], counted(match)) == (1, [], {"sandstorm": 1})
    match = set_up("S8 S9 S10 C9", *hands[1:], sequence_effects=["cut"], sandstorm_stops_cut=True)
    follow(match, "0 play S8 S9 S10")
    assert legal(match) == {"S3 H3 D3", "pass"}  # no fours against a sequence


def test_skip() -> None:  # D24
    hands = ("S5 H5 D5 C9 S4", "S6 S7", "SJ SQ", "SK SA")
    for lead, player, table in (("S5", 2, 1), ("S5 H5", 3, 2), ("S5 H5 D5", 0, 0), ("S5 JK", 3, 2)):
        match = set_up(hands[0] + " JK", *hands[1:], **only("skip"))
        view = follow(match, f"0 play {lead}")
        assert (view["to_move"], len(view["table"])) == (player, table)
    view = follow(set_up("S5 C9", "S6 S7", **only("skip")), "0 play S5")
    assert (view["to_move"], view["table"]) == (0, [])
    view = follow(set_up(*hands, at={"direction": -1}, **only("skip")), "0 play S5")
    assert view["to_move"] == 2
    view = follow(set_up("S5", *hands[1:], **only("skip")), "0 play S5")
    assert (view["to_move"], view["places"]) == (2, [1, 0, 0, 0])
    assert counted(set_up(*hands, **only("skip"))) == {}


def test_a_skipped_player_counts_as_having_passed() -> None:  # D8, D24
    hands = ("S5 C9", "S6 S7", "SJ SQ", "SK SA")
    view = follow(set_up(*hands, **only("skip")), "0 play S5", "2 pass", "3 pass")
    assert (view["to_move"], view["table"]) == (0, [])  # the turn is back at the owner
    gone = set_up("S5", *hands[1:], **only("skip"))
    view = follow(gone, "0 play S5", "2 pass", "3 pass")
    assert (view["to_move"], view["table"]) == (1, [])  # next after the owner
    match = set_up(*hands, **only("skip", clear_when="all_passed"))
    view = follow(match, "0 play S5", "2 pass", "3 pass")
    assert (view["to_move"], view["table"]) == (0, ["S5"])  # the owner is asked
    assert follow(match.copy(), "0 pass")["table"] == []
    view = follow(match, "0 play C9")
    assert (view["to_move"], view["table"]) == (1, ["C9"])  # a play ends the skip


def test_a_skip_counts_locked_out_players() -> None:  # D24
    rules = only("skip", pass_lockout=True)
    match = set_up("S4 H6", "D5 S10", "H3 H9 C9", "SK SA", at={"to_move": 2}, ranks={"skip": "9"}, **rules)
    view = follow(match, "2 play H3", "3 pass", "0 play S4", "1 play D5", "2 play H9")
    assert view["to_move"] == 0  # the skip has hit 3, who is locked out
    match = set_up("S4 H6 S7", "D5 S10", "H3 SQ", "SK SA", at={"to_move": 2}, **rules)
    view = follow(match, "2 play H3", "3 pass", "0 play S4", "1 play D5")
    assert view["to_move"] == 0  # 2 is skipped, 3 locked out
    view = follow(match, "0 pass")
    assert (view["to_move"], view["table"]) == (1, [])
    match = set_up("S4 H6", "S6 S7", "H3 H5 S10", at={"to_move": 2}, **rules)
    view = follow(match, "2 play H3", "0 play S4", "1 pass", "2 play H5")
    assert (view["to_move"], view["table"]) == (2, [])  # the only one still in is skipped
    match = set_up("S4 H6", "D5 S10", "H3 SQ C9", "SK SA", at={"to_move": 2}, **rules)
    view = follow(match, "2 play H3", "3 pass", "0 play S4", "1 play D5", "0 play H6")
    assert (view["to_move"], view["table"]) == (1, ["H6"])
    assert follow(match, "1 pass")["to_move"] == 2  # a skip locks nobody out


def test_pass_on() -> None:  # D25
    match = set_up("S7 H7 S3 S4 S5", "C9 C10", "D9 D10", **only("pass_on"))
    view = follow(match, "0 play S7 H7")
    assert (view["phase"], view["to_move"]) == ("give", 0)
    assert legal(match) == {"give S3 S4", "give S3 S5", "give S4 S5"}
    view = follow(match, "0 give S5 S3")
    assert view["hands"] == [["S4"], ["S3", "S5", "C9", "C10"], ["D9", "D10"]]
    assert (view["to_move"], counted(match)) == (1, {"pass_on": 1})
    match = set_up("S7 H7 S3", "C9 C10", "D9 D10", at={"direction": -1}, **only("pass_on"))
    follow(match, "0 play S7 H7")
    assert legal(match) == {"give S3"}  # all, if fewer are left
    match = set_up("S7", "C9", "D9", **only("pass_on", "foul_pass_on"))
    assert follow(match, "0 play S7")["places"] == [1, 0, 0]
    assert counted(match) == {}


def test_reverse() -> None:  # D26
    hands = ("S9 H9 S3 S4", "C10 C3", "D10 D3")
    for lead in ("S9", "S9 H9"):
        view = follow(set_up(*hands, **only("reverse")), f"0 play {lead}")
        assert (view["direction"], view["to_move"]) == (-1, 2)
    match = set_up(*hands, **only("reverse"))
    follow(match, "0 play S9", "2 pass", "1 pass", "0 play S3")
    assert match.to_move == 2  # stays over tricks


def test_discard() -> None:  # D27
    match = set_up("S10 S3 JK JK", "C9 C8", **only("discard"))
    follow(match, "0 play S10 JK")
    assert match.legal() == ["discard S3 JK"]
    view = follow(match, "0 discard JK S3")
    assert view["over"]
    assert (counted(match), match.game.discarded) == ({"discard": 1}, ["S3", "JK"])
    match = set_up("S10 S3 JK JK", "C9 C8", **only("discard"))
    follow(match, "0 play S10")
    assert match.legal() == ["discard S3", "discard JK"]


def test_bomber() -> None:  # D28
    match = set_up("SQ S3 S5", "C3 C5 CK", "H3 JK", **only("bomber"))
    view = follow(match, "0 play SQ")
    assert (view["phase"], len(match.legal())) == ("name", 14)
    view = follow(match, "0 name 3")
    assert view["hands"] == [["S5"], ["C5", "CK"], ["JK"]]
    assert match.to_move == 1
    match = set_up("SQ JK S3 S5", "C3 C5 CK", "H3 JK", **only("bomber"))
    follow(match, "0 play JK SQ")
    assert len(match.legal()) == 14 * 13 // 2
    assert match.legal()[-1] == "name 2 JK"
    assert follow(match, "0 name JK 3")["places"] == [0, 0, 1]
    no_jokers = set_up("SQ S3", "C3 C5", jokers=0, **only("bomber"))
    follow(no_jokers, "0 play SQ")
    assert len(no_jokers.legal()) == 13


def test_a_finished_player_still_bombs() -> None:  # D28, D38
    match = set_up("SQ", "C3 C5", "H4", "H5 D5")
    assert follow(match, "0 play SQ")["phase"] == "name"
    view = follow(match, "0 name 4")
    assert (view["places"], view["to_move"]) == ([1, 0, 4, 0], 1)
    assert counted(match) == {"bomber": 1, "foul_bomber": 1}


def test_rokurokubi_and_ambulance() -> None:  # D29
    match = set_up("S6 H6 D6 S3", "C9 C3", "D9 D3", **only("rokurokubi"))
    assert follow(match.copy(), "0 play S6")["table"] == ["S6"]
    assert follow(match.copy(), "0 play S6 H6 D6")["to_move"] == 1
    view = follow(match, "0 play S6 H6")
    assert (view["table"], view["to_move"], view["direction"]) == ([], 0, 1)
    for rules in (only("ambulance"), only("ambulance", "reverse")):
        match = set_up("S9 JK S3", "C10 C3", "D10 D3", **rules)
        view = follow(match, "0 play S9 JK")
        assert (view["table"], view["to_move"], view["direction"]) == ([], 0, -1)


def test_coup() -> None:  # D30
    for rules in (only("coup"), only("coup", "reverse")):
        match = set_up("S9 H9 JK S3", "S10 H10 D10 S6 H6 D6", "CK DK", **rules)
        view = follow(match, "0 play S9 H9 JK")
        assert (view["direction"], view["revolution"], view["to_move"]) == (-1, True, 2)
        follow(match, "2 pass")
        assert legal(match) == {"S6 H6 D6", "pass"}  # an omen may answer


def test_omen() -> None:  # D30
    hands = ("S6 H6 D6 S8 H8", "S3 H3 C3 JK C9", "S5 JK D9")
    match = set_up(*hands)
    view = follow(match, "0 play S6 H6 D6")
    assert (view["revolution"], view["effects_off"], view["to_move"]) == (True, True, 1)
    assert counted(match) == {"omen": 1, "revolutions": 1}
    assert {"S3 H3 C3", "S3 H3 JK"} <= legal(match)  # stronger now, no sandstorm
    view = follow(match, "1 play S3 H3 C3")
    assert (view["table"], view["to_move"]) == (["S3", "H3", "C3"], 2)
    view = follow(match, "2 pass", "0 pass", "1 play JK")
    assert legal(match) == {"pass"}
    view = follow(match, "2 pass", "0 pass")
    assert view["places"] == [0, 0, 0]


def test_after_an_omen_locks_and_effect_fouls_are_over() -> None:  # D30
    match = set_up("S6 H6 D6 S8 SJ", "S7 S9", "C3 D9 H2", at={"revolution": True})
    follow(match, "0 play S6 H6 D6", "1 pass", "2 pass", "0 play S8")
    assert match.phase == "play"
    view = follow(match, "1 play S9")
    assert (view["direction"], view["suit_lock"], view["number_lock"]) == (1, "", False)
    follow(match, "2 pass", "0 play SJ")
    assert match.inspect()["places"] == [1, 0, 0]  # a jack, and no foul
    assert not match.inspect()["reversed"]
    view = follow(match, "1 pass", "2 play H2")
    assert view["table"] == ["H2"]


def test_the_omen_ends_locks_but_not_a_temporary_reversal() -> None:  # D30
    ranks = {"eleven_back": "7"}
    rules = {**LOCKS, "eleven_back": True, "omen": True, "number_lock": True}
    match = set_up("S7 H7 D7 S3", "S6 H6 D6 S4", "S5 C5 D5", ranks=ranks, **rules)
    view = follow(match, "0 play S7 H7 D7", "1 play S6 H6 D6")
    assert (view["suit_lock"], view["number_lock"]) == ("", False)
    assert (view["revolution"], view["reversed"]) == (True, False)
    assert follow(match, "2 pass", "0 pass")["reversed"]


def test_sandstorm() -> None:  # D31
    for lead in ("S5", "S2 H2 D2 C2", "S10 SJ SQ", "JK"):
        hand = notation.in_order([*lead.split(), "SK"])
        match = set_up(" ".join(hand), "S3 H3 JK C10", "C5 C6", **only("sandstorm", "revolution"))
        follow(match, f"0 play {lead}")
        assert "S3 H3 JK" in legal(match)
        view = follow(match, "1 play S3 H3 JK")
        assert (view["table"], view["to_move"], view["events"]["sandstorm"]) == ([], 1, 1)
    led = set_up("S3 H3 D3 S4", "S5 H5 D5", **only("sandstorm"))
    assert follow(led, "0 play S3 H3 D3")["to_move"] == 0
    assert "S3 JK JK" in legal(set_up("S3 JK JK", "S5 S6", **only("sandstorm")))
    match = set_up("S5 S6", "S3 H3 D3 C3 JK", **only("sandstorm"))
    follow(match, "0 play S5")
    assert {move for move in legal(match) if len(move.split()) != 3} == {"JK", "pass"}


def test_spade_three() -> None:  # D32
    match = set_up("JK S9", "S3 H3 C10", "D3 C3 JK C6")
    follow(match, "0 play JK")
    assert legal(match) == {"S3", "pass"}
    view = follow(match, "1 play S3")
    assert (view["table"], view["leader_owner"], view["to_move"]) == (["S3"], 1, 2)
    assert legal(match) == {"D3 C3 JK", "pass"}  # everyone is asked; only a sandstorm fits
    view = follow(match, "2 pass", "0 pass")
    assert (view["to_move"], counted(match)) == (1, {"spade_three": 1})
    match = set_up("JK S9", "S3 H3 C10", "D3 C3 JK C6", spade_three_clears=True)
    assert follow(match, "0 play JK", "1 play S3")["to_move"] == 1
    for revolution, allowed in ((False, False), (True, True)):
        match = set_up("JK S9", "S3 S2 C10", "D3 C4", at={"revolution": revolution}, spade_three=allowed)
        follow(match, "0 play JK")
        assert legal(match) == ({"S3", "pass"} if allowed else {"pass"})
    pair = set_up("JK JK S9", "S3 H3 C10")
    follow(pair, "0 play JK JK")
    assert legal(pair) == {"pass"}


def test_spade_three_goes_under_locks_and_a_sandstorm_on_it() -> None:  # D18, D31, D32
    match = set_up("H4 S9", "H5 C10", "JK C6", "S3 C5", **{**LOCKS, "number_lock": True, "spade_three": True})
    follow(match, "0 play H4", "1 play H5", "2 play JK")
    assert legal(match) == {"S3", "pass"}
    match = set_up("JK S9", "S3 C10", "D3 C3 H3 C6")
    follow(match, "0 play JK", "1 play S3")
    assert legal(match) == {"H3 D3 C3", "pass"}


def test_two_effects_may_share_a_rank() -> None:  # the order of one turn
    ranks, rules = (
        dict.fromkeys(("pass_on", "discard", "reverse"), "5"),
        only("pass_on", "discard", "foul_discard"),
    )
    match = set_up("S5 H3 H4 H5", "C9 C10", "D9 D10", ranks=ranks, **{**rules, "reverse": True})
    view = follow(match, "0 play S5", "0 give H3", "0 discard H4")
    assert view["hands"] == [["H5"], ["C9", "C10"], ["H3", "D9", "D10"]]  # direction comes first
    match = set_up("S5 H3 H4", "C9 C10", "D9 D10", ranks=ranks, **rules)
    view = follow(match, "0 play S5", "0 give H3", "0 discard H4")
    assert (view["places"], counted(match)["foul_discard"]) == ([3, 0, 0], 1)
    ranks = {"discard": "6", "coup": "6"}
    omen = set_up("S6 H6 D6 C3", "S4 S5", ranks=ranks, **only("discard", "omen", "coup"))
    # The omen takes the effects from later plays, not from its own: the coup turns the order back.
    assert follow(omen, "0 play S6 H6 D6")["phase"] == "discard"
    assert counted(omen) == {"omen": 1, "coup": 1, "revolutions": 2}


# -- forbidden finishes: D33-D39 --------------------------------------------------------------------------

FINISHES: list[tuple[str, Rules, set[str]]] = [
    ("JK", {}, {"foul_joker"}),  # D33
    ("S5 JK", {}, {"foul_joker"}),
    ("S5 S6 JK=S7", {}, {"foul_joker"}),
    ("S5 JK", {"foul_joker": False}, set()),
    ("S2", {}, {"foul_two"}),  # D34
    ("SK SA S2", {}, {"foul_two"}),
    ("SA JK=S2 JK=SK", {"foul_joker": False}, set()),
    ("S2 JK", {}, {"foul_joker", "foul_two"}),
    ("H3", {}, set()),
    ("S2", {"foul_two": False}, set()),
    ("S3", {}, {"foul_spade_three"}),  # D35
    ("S3 H3", {}, {"foul_spade_three"}),
    ("S3 H3", {"foul_spade_three": "alone"}, set()),
    ("S3", {"foul_spade_three": "alone"}, {"foul_spade_three"}),
    ("S3", {"foul_spade_three": "off"}, set()),
    ("H4 JK=H3 H5", {"foul_joker": False}, set()),
    ("SJ", {}, {"foul_eleven_back"}),  # D36
    ("SJ", {"eleven_back": False}, set()),
    ("S10 SJ SQ", {"sequence_effects": ["eleven_back"]}, set()),
    ("S8", {}, {"foul_eight_cut"}),
    ("S8", {"foul_eight_cut": False}, set()),
    ("S8", {"eight_cut": False}, set()),
    ("S8 S9 S10", {"sequence_effects": ["cut"]}, set()),
    ("S7", {}, set()),  # D37
    ("S10", {}, set()),
    ("S5", {}, set()),
]


@pytest.mark.parametrize(("last", "rules", "broken"), FINISHES)
def test_finishing_with(last: str, rules: Rules, broken: set[str]) -> None:  # D33-D37, D39
    hand = " ".join(notation.as_cards(last.split()))
    match = set_up(hand, "C5 D6", "C9 H6", **rules)
    view = follow(match, f"0 play {last}")
    assert view["places"] == [3 if broken else 1, 0, 0]
    assert {name for name in counted(match) if name.startswith("foul")} == broken


@pytest.mark.parametrize(
    ("last", "revolution", "is_foul"),
    [("H3", True, True), ("S2", True, False), ("H3 D3 C3", True, True), ("S2", False, True)],
)
def test_two_or_three_by_the_order_when_put_down(last: str, revolution: bool, is_foul: bool) -> None:  # D34
    match = set_up(last, "C5 D6", "C9 H6", at={"revolution": revolution})
    assert follow(match, f"0 play {last}")["places"][0] == (3 if is_foul else 1)


def test_a_finish_that_makes_its_own_revolution_is_judged_before_it() -> None:  # D34
    match = set_up("S2 H2 D2 C2", "C5 D6", "C9 H6", **only("revolution", "foul_two"))
    assert follow(match, "0 play S2 H2 D2 C2")["places"] == [3, 0, 0]
    match = set_up("S3 H3 D3 C3", "C5 D6", "C9 H6", **only("revolution", "foul_two"))
    assert follow(match, "0 play S3 H3 D3 C3")["places"] == [1, 0, 0]


def test_a_temporary_reversal_does_not_change_which() -> None:  # D34
    match = set_up("SJ C9 C10", "H2", "C5 D6", **only("eleven_back", "foul_two"))
    view = follow(match, "0 play SJ", "1 pass", "2 pass", "0 play C9", "1 play H2")
    assert view["places"] == [0, 3, 0]
    match = set_up("SJ C9", "H3", "C5 D6", **only("eleven_back", "foul_two"))
    assert follow(match, "0 play SJ", "1 play H3")["places"] == [0, 1, 0]


def test_hands_emptied_by_giving_and_discarding() -> None:  # D37
    for card, move, foul in (("S7", "give S5", "foul_pass_on"), ("S10", "discard S5", "foul_discard")):
        match = set_up(f"{card} S5", "C9 C6", "D9 D6")
        assert follow(match, f"0 play {card}", f"0 {move}")["places"] == [3, 0, 0]
        assert counted(match)[foul] == 1
        allowed: Rules = {foul: False}
        match = set_up(f"{card} S5", "C9 C6", "D9 D6", **allowed)
        assert follow(match, f"0 play {card}", f"0 {move}")["places"] == [1, 0, 0]
    match = set_up("S7 JK S5 S6", "C9 C6", "D9 D6", foul_pass_on=False)
    view = follow(match, "0 play S7 JK", "0 give S5 S6")
    assert view["places"] == [1, 0, 0]  # it was not the play that emptied the hand


def test_hands_emptied_by_a_bomber() -> None:  # D38, D39
    hands = ("SQ S4", "C4", "H5 D5", "D4", "S5 S6")
    view = follow(set_up(*hands, at={"direction": -1}), "0 play SQ", "0 name 4")
    assert view["places"] == [5, 3, 0, 4, 0]
    view = follow(set_up(*hands, foul_bomber=False), "0 play SQ", "0 name 4")
    assert view["places"] == [1, 2, 0, 3, 0]
    view = follow(set_up("SQ S4", "C4", "H4"), "0 play SQ", "0 name 4")
    assert view["places"] == [3, 2, 1]  # the last active player takes a place
    assert view["events"]["foul_bomber"] == 2


@pytest.mark.parametrize(
    ("order", "places"),
    [("first_is_last", [4, 3, 1, 2]), ("latest_is_last", [3, 4, 1, 2])],
)
def test_the_order_of_fouls(order: str, places: list[int]) -> None:  # D39
    match = set_up("S2", "JK", "C9", "C4 C5", foul_order=order)
    view = follow(match, "0 play S2")
    assert view["places"] == [4, 0, 0, 0]
    view = follow(match, "1 play JK", "2 pass", "3 pass")
    assert view["places"] == [places[0], places[1], 0, 0]
    assert view["to_move"] == 2  # after an owner who fouled
    assert follow(match, "2 play C9")["places"] == places


def test_places_of_a_position() -> None:  # D39
    hands = ("", "", "C2", "C4 C5", "C6 C7")
    at = {"places": [4, 5, 0, 0, 0], "to_move": 2}
    assert follow(set_up(*hands, at=at), "2 play C2")["places"] == [4, 5, 3, 0, 0]
    match = set_up(*hands, at=at, foul_order="latest_is_last")
    assert follow(match, "2 play C2")["places"] == [3, 4, 5, 0, 0]
    at["places"] = [1, 5, 0, 0, 0]
    assert follow(set_up(*hands, at=at, foul_two=False), "2 play C2")["places"] == [1, 5, 2, 0, 0]


# -- classes and contest details: D40-D44 -----------------------------------------------------------------

FOUR = ("S9", "H9 H10", "D9 D10", "C9 C10")


def classes(*places: int, **more: Any) -> dict[str, Any]:
    return {"previous_places": list(places), **more}


def test_fall_of_the_capital() -> None:  # D40
    match = set_up(*FOUR, at=classes(2, 1, 3, 4), miyako_ochi=True, **BARE)
    view = follow(match, "0 play S9")
    assert (view["places"], view["hands"][1], view["to_move"]) == ([1, 4, 0, 0], [], 2)
    assert counted(match) == {"miyako_ochi": 1}
    stays = set_up(*FOUR, at=classes(1, 2, 3, 4), miyako_ochi=True, **BARE)
    assert follow(stays, "0 play S9")["places"] == [1, 0, 0, 0]
    at = classes(2, 1, 3, 4, places=[0, 4, 0, 0])
    gone = set_up("S9", "", *FOUR[2:], at=at, miyako_ochi=True, **BARE)
    assert follow(gone, "0 play S9")["places"] == [1, 4, 0, 0]
    assert counted(gone) == {}
    foul = set_up("S2", *FOUR[1:], at=classes(2, 1, 3, 4), miyako_ochi=True)
    assert follow(foul, "0 play S2")["places"] == [4, 0, 0, 0]
    assert follow(set_up("S9", "H9 H10", at=classes(2, 1), miyako_ochi=True, **BARE), "0 play S9")["over"]


def test_the_fallen_sink_with_the_others() -> None:  # D39, D40
    at = classes(2, 1, 3, 4, places=[0, 0, 4, 0])
    for order, places in (("first_is_last", [1, 3, 4, 2]), ("latest_is_last", [1, 4, 3, 2])):
        rules = {**BARE, "foul_order": order, "miyako_ochi": True}
        view = follow(set_up("S9", "H9 H10", "", "C9 C10", at=at, **rules), "0 play S9")
        assert (view["places"], view["over"]) == (places, True)


def test_gekokujo() -> None:  # D41
    at = classes(4, 1, 2, 3)
    match = set_up(*FOUR, at=at, gekokujo=True, miyako_ochi=True, **BARE)
    view = follow(match, "0 play S9")
    assert (view["places"], view["over"], counted(match)) == ([1, 4, 3, 2], True, {"gekokujo": 1})
    at = classes(4, 1, 2, 3, places=[0, 4, 0, 0])
    match = set_up("S9", "", *FOUR[2:], at=at, gekokujo=True, **BARE)
    assert follow(match, "0 play S9")["places"] == [1, 4, 3, 2]
    match = set_up("S9", "", "D9 D10", at=classes(3, 1, 2, places=[0, 3, 0]), gekokujo=True, **BARE)
    assert follow(match, "0 play S9")["places"] == [1, 3, 2]


def test_a_place_that_is_taken_is_no_finish() -> None:  # D9, D40, D41
    match = set_up("S2", "H9 H10", at=classes(1, 2), gekokujo=True, miyako_ochi=True)
    assert follow(match, "0 play S2")["places"] == [2, 1]
    assert counted(match) == {"foul_two": 1}


def test_the_finisher_comes_before_the_bombers_victims() -> None:
    match = set_up("SQ", "H9", "D9 D10", "C9 C10", at=classes(2, 1, 3, 4), miyako_ochi=True)
    follow(match, "0 play SQ")
    view = follow(match, "0 name 9")
    assert view["places"] == [1, 4, 0, 0]
    assert counted(match) == {"bomber": 1, "miyako_ochi": 1}
    match = set_up("SQ", "H9", "D9", "C9 C10", at=classes(4, 1, 2, 3), gekokujo=True)
    assert follow(match, "0 play SQ", "0 name 9")["places"] == [1, 4, 3, 2]
    assert counted(match) == {"bomber": 1, "gekokujo": 1}


@pytest.mark.parametrize(
    ("lead", "rules", "clears"),
    [
        ("S6 H6 D6 C6 JK JK", {}, True),
        ("S6 H6 D6 C6 JK", {}, False),
        ("S6 H6 D6 C6", {"jokers": 0}, True),
        ("SK SA S2", {}, True),
        ("SQ SK SA", {}, False),
        ("SA S2 JK=SK", {}, True),
        ("SK SA S2", {"joker_beyond_ends": True}, False),
        ("SK SA S2", {"joker_beyond_ends": True, "jokers": 0}, True),
        ("SA S2 JK=S>2", {"joker_beyond_ends": True}, True),
        ("S9 S10 SJ SQ SK SA S2", {}, True),
        ("S3 S4 S5", {}, False),
    ],
)
def test_strongest_plays_clear(lead: str, rules: Rules, clears: bool) -> None:  # D43
    hand = " ".join([*notation.as_cards(lead.split()), "C3"])
    match = set_up(hand, "C4 C5", strongest_clears=True, **BARE, **rules)
    view = follow(match, f"0 play {lead}")
    assert (view["to_move"], counted(match)) == ((0, {"strongest_clears": 1}) if clears else (1, {}))


def test_strongest_sequences_when_reversed() -> None:  # D43
    at = {"revolution": True}
    match = set_up("S3 S4 S5 C9", "C4 C5", at=at, strongest_clears=True, **BARE)
    assert follow(match, "0 play S3 S4 S5")["to_move"] == 0
    match = set_up(
        "S3 S4 S5 C9", "C4 C5", at=at, strongest_clears=True, joker_beyond_ends=True, jokers=0, **BARE
    )
    assert follow(match, "0 play S3 S4 S5")["to_move"] == 0
    match = set_up("S3 S4 JK C9", "C4 C5", at=at, strongest_clears=True, joker_beyond_ends=True, **BARE)
    assert follow(match.copy(), "0 play S3 S4 JK=S5")["to_move"] == 1
    assert follow(match, "0 play S3 S4 JK=S<3")["to_move"] == 0


def test_a_clear_is_counted_where_it_takes_effect() -> None:  # D24, D29, D31, D43
    """A skip is counted also where the table clears with it; the last play of a game clears nothing."""
    cases = (("S6 H6", "rokurokubi"), ("H3 D3 C3", "sandstorm"), ("SK SA S2", "strongest_clears"))
    for lead, name in cases:
        rules = only(name) if name != "strongest_clears" else {**BARE, name: True}
        match = set_up(f"{lead} C9", "S7 S8", **rules)
        assert follow(match, f"0 play {lead}")["table"] == []
        assert counted(match) == {name: 1}
        match = set_up(lead, "S7 S8", **rules)
        assert follow(match, f"0 play {lead}")["over"]
        assert counted(match) == {}
    match = set_up("S5 C9", "S7 S8", **only("skip"))
    assert follow(match, "0 play S5")["table"] == []
    assert counted(match) == {"skip": 1}


def test_three_threes_on_a_triple_may_lock() -> None:  # D18, D31
    at = {"revolution": True}
    for storm, locks in (("S3 H3 D3", 1), ("S3 H3 C3", 0), ("S3 H3 JK", 0)):
        hand = " ".join([*storm.split(), "C9"])
        match = set_up("S4 H4 D4 C10", hand, at=at, **only("sandstorm", suit_lock="full"))
        assert follow(match, "0 play S4 H4 D4", f"1 play {storm}")["suit_lock"] == ""
        assert match.inspect()["events"]["suit_lock"] == locks


def test_passing_a_lead_and_the_stalemate() -> None:  # D6, D44
    rules = {**BARE, "leader_may_pass": True}
    match = set_up("S5 S6", "S7 S8", "S9 S10", **rules)
    view = follow(match, "0 pass", "1 pass", "2 pass", "0 play S5", "1 pass", "2 pass")
    assert (view["to_move"], view["table"], view["events"]["tricks"]) == (0, [], 1)
    for _ in range(17):
        match.play("pass")
    assert (match.phase, counted(match)) == ("play", {})
    match.play("pass")
    view = match.inspect()
    assert (view["over"], view["events"]["stalemate"]) == (True, 1)
    order = match.chance.stalemate(1)
    assert [view["places"][player] for player in order] == [1, 2, 3]


def test_a_lead_passed_under_a_lockout() -> None:  # D6, D7
    rules = {**BARE, "leader_may_pass": True, "pass_lockout": True}
    match = set_up("S5 S6", "S7 S8", "S9 S10", **rules)
    view = follow(match.copy(), "0 pass", "1 play S7", "2 play S9", "1 pass")
    assert (view["to_move"], view["table"]) == (2, [])  # 0 is out until the table clears
    assert follow(match, "0 pass", "1 pass", "2 pass", "0 play S5")["to_move"] == 1


# -- the interface ----------------------------------------------------------------------------------------


def test_moves_are_read_in_any_order_and_spelling() -> None:
    match = set_up("S10 H10 D10 S3", "C4 C5", **BARE)
    assert follow(match, "0 play ♥T S10")["table"] == ["S10", "H10"]


@pytest.mark.parametrize(
    "move", ["", "play", "play C4", "play S5 S7", "pass", "play XX", "give S5", "play S5 S5"]
)
def test_illegal_moves_leave_the_position_alone(move: str) -> None:
    match = set_up("S5 S7 S8", "C4 C5")
    before = match.inspect()
    with pytest.raises(ValueError, match="illegal"):
        match.play(move)
    assert match.inspect() == before


def test_a_copy_is_independent() -> None:
    match = new_match(games=1)
    for _, _ in zip(range(20), run(match), strict=False):
        pass
    other, before = match.copy(), match.inspect()
    assert other.inspect() == before
    for _ in run(other):
        pass
    assert match.inspect() == before
    assert (other.options is match.options, other.chance is match.chance) == (True, True)


@pytest.mark.parametrize(
    ("hands", "at", "rules"),
    [
        (("S5", "S5"), {}, {}),
        (("S5", "JK JK JK"), {}, {}),
        (("S5", ""), {}, {}),
        (("S5", "S6"), {"to_move": 2}, {}),
        (("S5", "S6", "S7"), {"places": [1, 0, 0]}, {}),
        (("", "S6", "S7", "S8"), {"places": [2, 0, 0, 0]}, {}),
        (("S5", "S6"), {"phase": "exchange"}, {}),
        (("S5", "S6"), {"previous_places": [1, 1]}, {}),
        (("S5", "S6"), {}, {"eightcut": True}),
        (("S5", "S6"), {}, {"players": 3}),
        (("S5", "S6"), {}, {"clear_when": "never"}),
        (("S5", "S6"), {}, {"sequence_effects": ["omen"]}),
    ],
)
def test_impossible_positions_and_options(hands: Sequence[str], at: dict[str, Any], rules: Rules) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        set_up(*hands, at=at, **rules)


# -- random games in random mixes -------------------------------------------------------------------------


def random_mix(rng: random.Random) -> tuple[Rules, dict[str, str]]:
    """Options at random: switches, choices and numbers, and now and then shuffled ranks."""
    rules: Rules = {}
    for name, value in daifugo.DEFAULT_RULES.items():
        if isinstance(value, bool):
            rules[name] = rng.random() < 0.5 if rng.random() < 0.5 else value
    jokers, players = rng.randrange(3), rng.randint(2, 8)
    in_sequences = ["cut", "eleven_back", "skip", "pass_on", "reverse", "discard", "bomber"]
    rules |= {
        "jokers": jokers,
        "players": players,
        "games": rng.randint(1, 4),
        "blind_cards": rng.choice([0, 2]),
        "deal_from": rng.choice(["dealer_left", "daifugo"]),
        "first_lead": rng.choice(["diamond_three", "daihinmin", "daifugo"]),
        "clear_when": rng.choice(["back_to_owner", "all_passed"]),
        "place_points": rng.choice([[], [rng.randint(-5, 9) for _ in range(players)]]),
        "reseat_every": rng.randrange(3),
        "class_reset_every": rng.randrange(4),
        "exchange": rng.choice([[2, 1], [2, 1], [1], [], [3, 2]]),
        "sequence_min": rng.choice([3, 3, 4]),
        "sequence_beats": rng.choice(["disjoint", "lowest"]),
        "sequence_revolution": rng.choice([0, 4, 5]),
        "sequence_effects": rng.sample(in_sequences, rng.choice([0, 0, 2, 7])),
        "suit_lock": rng.choice(["off", "full", "partial"]),
        "eleven_back_again": rng.choice(["toggle", "stay"]),
        "foul_spade_three": rng.choice(["any", "alone", "off"]),
        "foul_order": rng.choice(["first_is_last", "latest_is_last"]),
        "stalemate_passes": rng.choice([20, 3]),
    }
    ranks = dict(daifugo.DEFAULT_RANKS)
    if rng.random() < 0.4:
        some = rng.sample(notation.RANKS, rng.choice([2, 4, 13]))
        ranks = {name: rng.choice(some) for name in ranks}
    return rules, ranks


def everywhere(match: daifugo.Match) -> Counter[str]:
    game = match.game
    held = [card for hand in game.hands for card in hand]
    return Counter([*held, *game.played, *game.discarded, *match.aside])


def check_position(match: daifugo.Match, rng: random.Random) -> None:
    """Cards are all there; moves are canonical, without doubles and playable; places make sense."""
    view = match.inspect()
    assert everywhere(match) == Counter(notation.pack(match.rules["jokers"]))
    assert all(hand == notation.in_order(hand) for hand in view["hands"])
    moves, taken = match.legal(), [place for place in view["places"] if place]
    assert len(set(taken)) == len(taken)
    assert bool(moves) != view["over"]
    if view["over"]:
        return
    assert len(set(moves)) == len(moves)
    assert view["places"][view["to_move"]] == 0
    assert view["hands"][view["to_move"]] or view["phase"] == "name"
    assert all(notation.canonical(move) == move for move in moves)
    if rng.random() < 0.05:
        for move in rng.sample(moves, min(4, len(moves))):
            verb, *words = move.split()
            other = match.copy()
            other.play(" ".join([verb, *rng.sample(words, len(words))]))
            assert other.inspect() != view
        with pytest.raises(ValueError, match="illegal"):
            match.play(rng.choice(["play", "pass S3", "name 3 3", "give", "leave", "play JK JK JK"]))
        assert match.inspect() == view


@pytest.mark.parametrize("part", range(4))
def test_random_games_in_random_mixes(part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(125 * part, 125 * part + 125):
        rng = random.Random(f"mix {seed}")
        rules, ranks = random_mix(rng)
        match = daifugo.Match({"rules": rules, "ranks": ranks}, Dice(rules, seed))
        bound, game, decisions = decisions_bound(rules), 1, 0
        check_position(match, rng)
        for _ in run(match, seed, TASTES[seed % len(TASTES)]):
            check_position(match, rng)
            decisions = decisions + 1 if match.number == game else 0
            game = match.number
            assert decisions <= bound, (seed, game)
        view = match.inspect()
        assert sorted(view["places"]) == list(range(1, rules["players"] + 1))
        points = rules["place_points"] or range(rules["players"])
        assert sum(view["scores"]) == rules["games"] * sum(points)
        assert (view["game"], view["to_move"], view["phase"]) == (rules["games"], -1, "over")
        seen.update(view["events"])
    assert seen["plays"] + seen["passes"] <= seen["decisions"] <= seen["branching"]
    rare = {"tenpen_chii", "eleven_back_triple", "sequence_revolution"}  # the rest is met every time
    assert {name for name in daifugo.EVENTS if not seen[name]} <= rare, seen
