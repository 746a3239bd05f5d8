"""The Uplink twin on its own: worked figures, settled details, conservation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.reference import uplink

PACK = list(uplink.PACK)
PERSONAL = {"rules": {"variant": "personal_decks"}}


def suit(seat: int) -> list[str]:
    return [card for card in PACK if card[0] == uplink.SUITS[seat]]


def order(key: str, cards: list[str]) -> list[str]:
    return random.Random(key).sample(cards, len(cards))


def new_match(seed: int = 0, **rules: Any) -> uplink.Match:
    return uplink.Match(
        {"rules": rules},
        lambda cycle: order(f"{seed} {cycle}", PACK),
        lambda cycle, seat: order(f"{seed} {cycle} {seat}", suit(seat)),
    )


def steps(match: uplink.Match, seed: int = 0) -> Iterator[tuple[int, str]]:
    """Play uniformly at random to the end; yields each (seat, move) once made."""
    rng = random.Random(seed)
    while match.to_move >= 0:
        seat, move = match.to_move, rng.choice(match.legal())
        match.play(move)
        yield seat, move


def stacked(*top: str, **rules: Any) -> uplink.Match:
    """A match whose first stock begins with these cards."""
    pack = [*top, *(card for card in PACK if card not in top)]
    return uplink.Match({"rules": rules}, lambda _: list(pack), lambda _, s: suit(s))


def option_mixes() -> list[dict[str, Any]]:
    rng = random.Random("mixes")
    mixes: list[dict[str, Any]] = [{}, {"variant": "personal_decks"}]
    while len(mixes) < 120:
        players = rng.randint(2, 4)
        rules: dict[str, Any] = {
            "players": players,
            "hand_size": rng.randint(1, 8),
            "games": rng.randint(1, 7),
            "left_behind": rng.randint(0, players),
            "tied_top": rng.choice(["later", "earlier", "second"]),
            "next_lead": rng.choice(["taker", "rotate"]),
            "ace": rng.choice(["high", "low"]),
            "heart_pair": rng.choice([2, 0, -7, "off"]),
            "variant": rng.choice(["none", "personal_decks"]),
            "set_of_three": rng.choice([2, 5, -1]),
        }
        h, left = rules["hand_size"], rules["left_behind"]
        if rules["variant"] == "personal_decks":
            possible = 2 * h + left + 1 <= 13
        else:
            possible = max(players * (2 * h + 1), 2 * players * h + players - 1 + left) <= 52
        if possible:
            mixes.append(rules)
    return mixes


# -- scoring: U4, U14, U15, U23 ----------------------------------------------------


@pytest.mark.parametrize(
    ("pile", "rules", "points", "expected"),
    [
        ("HQ SQ CQ D2", {}, {}, (3, 1, 0)),
        ("HQ", {}, {}, (-2, 0, 0)),
        ("HQ HK", {}, {}, (-4, 0, 0)),
        ("SQ CQ", {}, {}, (-4, 0, 0)),
        ("HQ SQ CQ DQ", {}, {}, (-2, 1, 0)),
        ("HQ SQ HJ DJ HK C10 CA", {}, {}, (2 + 2 - 2 + 1, 2, 0)),
        ("HQ SQ", {"heart_pair": "off"}, {}, (-4, 0, 0)),
        ("HQ SQ", {"heart_pair": 0}, {}, (0, 1, 0)),
        ("HQ SQ", {}, {"Q": 5}, (2, 1, 0)),  # compulsory
        ("HQ SQ CQ", {}, {"SQ": 4}, (6, 1, 0)),  # partner CQ
        ("HQ SQ CQ", {}, {"SQ": -4}, (0, 1, 0)),  # partner SQ
        ("HQ", {}, {"HQ": 4}, (4, 0, 0)),
        ("HQ SQ", {"set_of_three": 9}, {}, (2, 1, 0)),
        ("SQ CQ HQ", {"variant": "personal_decks"}, {}, (2, 0, 1)),
        ("SQ CQ HQ DQ", {"variant": "personal_decks"}, {}, (-8, 0, 0)),
        ("HQ DQ S3", {"variant": "personal_decks"}, {}, (-1, 0, 0)),
        ("SQ CQ HQ DQ", {"variant": "personal_decks"}, {"Q": 1, "HQ": 4}, (7, 0, 0)),
        ("SK CK DK", {"variant": "personal_decks", "set_of_three": 7}, {}, (7, 0, 1)),
        ("", {}, {}, (0, 0, 0)),
    ],
)
def test_pile_points(
    pile: str, rules: dict[str, Any], points: dict[str, int], expected: tuple[int, ...]
) -> None:
    options = {"rules": rules, "points": points}
    assert uplink.pile_points(pile.split(), options) == expected


def test_pack_total() -> None:
    off = {"rules": {"heart_pair": "off"}}
    assert uplink.pile_points(PACK, off).points == 40
    assert uplink.pile_points(PACK, {}) == (40 + 3 * 6, 3, 0)
    assert uplink.pile_points(PACK, PERSONAL) == (40, 0, 0)


# -- taking a trick: U3, U9 --------------------------------------------------------


@pytest.mark.parametrize(
    ("played", "later", "earlier", "second"),
    [
        ("S3 HK D10 C4", 1, 1, 1),
        ("SK HK D10 C4", 1, 0, 2),
        ("SK D9 HK C9", 2, 0, 3),
        ("SK HK DK C2", 2, 0, 3),
        ("S5 H5 D5 C5", 3, 0, 3),
    ],
)
def test_trick_taker(played: str, later: int, earlier: int, second: int) -> None:
    for shift in range(4):  # seats follow the order of play, whoever leads
        cards = {(i + shift) % 4: card for i, card in enumerate(played.split())}
        for tied_top, place in (("later", later), ("earlier", earlier), ("second", second)):
            taker = uplink.trick_taker(cards, tied_top, "high")
            assert taker == (place + shift) % 4, tied_top


def test_ace() -> None:
    assert uplink.trick_taker({0: "SA", 1: "H2"}, "later", "high") == 0
    assert uplink.trick_taker({0: "SA", 1: "H2"}, "later", "low") == 1
    assert uplink.pile_points(["SA"], {"rules": {"ace": "low"}}).points == 1


# -- the deal and the put-out: U5, U6, U7 ------------------------------------------


def test_deal_blocks_and_put_out() -> None:
    match = stacked()
    state = match.inspect()
    assert state["hands"] == [frozenset(PACK[6 * s : 6 * s + 6]) for s in range(4)]
    assert state["stock"] == PACK[24:]
    assert (state["phase"], state["game"], state["trick"]) == ("put", 1, 1)
    for seat in range(4):
        assert match.to_move == seat
        assert match.inspect()["field"] == frozenset()
        assert match.inspect()["hands"] == state["hands"]  # nothing shows yet
        assert match.legal() == [f"put {card}" for card in PACK[6 * seat : 6 * seat + 6]]
        match.play(f"put {PACK[6 * seat]}")
    state = match.inspect()
    assert state["field"] == {PACK[0], PACK[6], PACK[12], PACK[18]}
    assert (state["phase"], state["to_move"], state["leader"]) == ("play", 0, 0)
    assert [len(hand) for hand in state["hands"]] == [5] * 4


def test_personal_deal() -> None:
    match = new_match(3, variant="personal_decks")
    before = match.inspect()
    for seat in range(4):
        own = order(f"3 1 {seat}", suit(seat))
        assert before["hands"][seat] == set(own[:6])
        assert before["stock"][seat] == own[6:]


# -- a match by hand ---------------------------------------------------------------


def test_small_match_by_hand() -> None:
    match = stacked("S3", "HQ", "H4", "SQ", players=2, hand_size=1, games=2)
    for move in ("put S3", "put H4", "play HQ", "play SQ"):  # tie: the later takes
        match.play(move)
    state = match.inspect()
    assert (state["phase"], state["to_move"], state["leader"]) == ("leave", 1, 0)
    assert state["trick_cards"] == {0: "HQ", 1: "SQ"}
    assert sorted(match.legal()) == ["leave H4", "leave S3"]
    top = state["stock"][:2]
    match.play("leave H4")  # captures SQ and S3; HQ joins the field
    state = match.inspect()
    assert state["scores"] == [0, 1]
    assert state["field"] == {"H4", "HQ"}
    assert state["hands"] == [{top[0]}, {top[1]}]
    assert state["piles"] == [set(), set()]
    assert (state["game"], state["trick"], state["to_move"]) == (2, 1, 1)
    assert top == ["S2", "S4"]
    match.play("play S4")
    match.play("play S2")
    match.play("leave H4")  # captures S4 and HQ: 0
    state = match.inspect()
    assert state["over"]
    assert state["phase"] == "over"
    assert state["to_move"] == -1
    assert state["piles"] == [set(), {"S4", "HQ"}]
    assert state["pile_points"] == [0, 0]
    assert state["scores"] == [0, 1]
    assert state["winners"] == [1]
    assert (state["game"], state["trick"], state["leader"]) == (2, 1, 1)
    assert state["field"] == {"H4", "S2"}
    assert match.legal() == []
    assert state["events"] == {
        "heart_pairs": 0,
        "sets_of_three": 0,
        "tricks_by_lead_position": [1, 1],
        "tricks_by_seat": [0, 2],
        "decisions": 8,
        "branching": 2 + 2 + 1 + 1 + 2 + 1 + 1 + 2,
    }
    with pytest.raises(ValueError, match="illegal move"):
        match.play("leave H4")


@pytest.mark.parametrize(
    ("left", "answers"),
    [(0, ["leave"]), (2, ["leave C5 H4", "leave C5 S3", "leave H4 S3"])],
)
def test_left_behind(left: int, answers: list[str]) -> None:
    match = stacked("S3", "SA", "H4", "H6", "C5", "C7", players=3, hand_size=1, left_behind=left)
    for move in ("put S3", "put H4", "put C5", "play SA", "play H6", "play C7"):
        match.play(move)
    legal = [" ".join(["leave", *sorted(move.split()[1:])]) for move in match.legal()]
    assert sorted(legal) == answers
    for bad in ("leave C5", "leave S3 S3", "leave S3 SA", "leave S3 H4 C5", "play SA"):
        with pytest.raises(ValueError, match="illegal move"):
            match.play(bad)
    backwards = match.copy()
    backwards.play(" ".join(["leave", *reversed(answers[-1].split()[1:])]))
    match.play(answers[-1])
    assert backwards.inspect() == match.inspect()
    assert match.inspect()["field"] == {*answers[-1].split()[1:], "H6", "C7"}


def test_tied_match_is_shared() -> None:
    match = stacked("S10", "SA", "S2", "S3", players=2, hand_size=1, games=1, left_behind=2)
    zero = {"rules": match.rules, "points": {"A": 0}}
    match = uplink.Match(zero, match.pack_order, match.deck_order)
    for move in ("put S10", "put S2", "play SA", "play S3", "leave S10 S2"):
        match.play(move)
    assert match.inspect()["scores"] == [0, 0]
    assert match.inspect()["winners"] == [0, 1]


# -- whole matches -----------------------------------------------------------------


def test_default_match_has_104_decisions() -> None:
    for seed in range(10):
        match = new_match(seed)
        assert len(list(steps(match, seed))) == 104
        assert match.inspect()["events"]["decisions"] == 104


@pytest.mark.parametrize("rules", option_mixes(), ids=repr)
def test_random_match(rules: dict[str, Any]) -> None:
    match = new_match(1, **rules)
    n, h, left = match.n, match.rules["hand_size"], match.rules["left_behind"]
    games = match.rules["games"]
    totals, pairs, sets, branching, tricks = [0] * n, 0, 0, 0, 0
    before, answers = match.inspect(), len(match.legal())
    last_pile_sizes: list[int] = []
    for seat, move in steps(match):
        after = match.inspect()
        branching += answers
        assert seat == before["to_move"]
        answers = len(match.legal())
        assert answers == len(set(match.legal()))

        # 52 cards, each in one place.
        places = [*after["hands"], after["field"], after["trick_cards"].values()]
        places += [*after["piles"], match.aside]
        places += after["stock"] if match.personal else [after["stock"]]
        assert sorted(card for place in places for card in place) == sorted(PACK)

        if move.startswith("leave"):
            tricks += 1
            ended = after["over"] or after["game"] != before["game"]
            assert len(after["field"]) == left + n - 1  # U11
            assert after["trick_cards"] == {}
            caught = before["field"] - set(move.split()[1:]) | {before["trick_cards"][seat]}
            assert after["field"] == before["field"].union(before["trick_cards"].values()) - caught
            full = [set(pile) for pile in before["piles"]]
            full[seat] |= caught
            if ended:
                scored = [uplink.pile_points(pile, match.options) for pile in full]
                totals = [t + s.points for t, s in zip(totals, scored, strict=True)]
                pairs += sum(s.heart_pairs for s in scored)
                sets += sum(s.sets_of_three for s in scored)
                last_pile_sizes.append(sum(map(len, full)))
                assert after["leader"] == seat  # U13, U16
                assert before["trick"] == h
            else:
                assert after["piles"] == full
                assert after["trick"] == before["trick"] + 1
                rotate = match.rules["next_lead"] == "rotate"
                assert after["leader"] == ((before["leader"] + 1) % n if rotate else seat)
            if ended and not after["over"]:
                assert after["trick"] == 1
                assert after["game"] == before["game"] + 1
                assert after["piles"] == [frozenset()] * n
                assert [len(hand) for hand in after["hands"]] == [h] * n
                fresh = after["game"] % 2 == 1
                cycle = (after["game"] + 1) // 2
                for s in range(n):  # deal blocks; U17, U22
                    if match.personal:
                        source = order(f"1 {cycle} {s}", suit(s)) if fresh else before["stock"][s]
                        source = [c for c in source if c not in after["field"]]
                        assert after["stock"][s] == source[h:]
                        assert after["hands"][s] == set(source[:h])
                    else:
                        source = order(f"1 {cycle}", PACK) if fresh else before["stock"]
                        source = [c for c in source if c not in after["field"]]
                        assert after["stock"] == source[n * h :]
                        assert after["hands"][s] == set(source[s * h : s * h + h])
        assert after["scores"] == totals
        before = after

    assert before["over"]
    assert match.legal() == []
    # 5n cards a game with the defaults; the first field is one of n cards (U10).
    assert last_pile_sizes == [n * h + 1 - left] + [n * h] * (games - 1)
    assert before["winners"] == [s for s in range(n) if totals[s] == max(totals)]
    events = before["events"]
    assert (events["heart_pairs"], events["sets_of_three"]) == (pairs, sets)
    assert events["branching"] == branching
    assert events["decisions"] == n + games * h * (n + 1)
    assert tricks == games * h == sum(events["tricks_by_seat"])
    assert tricks == sum(events["tricks_by_lead_position"])


# -- refusals and copies -----------------------------------------------------------


@pytest.mark.parametrize("move", ["", "put", "put S9", "put S2 S3", "play S2", "S2", "put s2"])
def test_illegal_moves_change_nothing(move: str) -> None:
    match = stacked()
    before = match.inspect()
    with pytest.raises(ValueError, match="illegal move"):
        match.play(move)
    assert match.inspect() == before


def test_copies_are_independent() -> None:
    match = new_match(5)
    for count, _ in enumerate(steps(match, 5)):
        if count in (2, 30, 57):
            before, twin = match.inspect(), match.copy()
            assert twin.inspect() == before
            list(steps(twin, 6))
            assert twin.inspect()["over"]
            assert match.inspect() == before
            assert twin.pack_order is match.pack_order


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"rules": {"players": 5}}, "players"),
        ({"rules": {"tied_top": "first"}}, "tied_top"),
        ({"rules": {"left_behind": 5}}, "left_behind"),
        ({"rules": {"hand": 5}}, "hand"),
        ({"points": {"11": 1}}, "11"),
    ],
)
def test_unknown_options_are_refused(options: dict[str, dict[str, Any]], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        uplink.settle(options)
