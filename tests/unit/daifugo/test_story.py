"""Replays of Daifugō: each effect, lock, foul and place is told, as often as the engine counts it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sim import drafts
from sim.daifugo import story, text
from sim.daifugo.state import FOULS, TALLY
from sim.drafts import Draft
from sim.table import Table
from tests import support_daifugo as daifugo

BOTS = ["ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal"]


def tell(table: Table, *moves: str) -> list[str]:
    """Make moves; return the lines of the last one, without their indent."""
    lines: list[str] = []
    for move in moves:
        before = table.state.copy()
        table.play(move)
        _, spoken = text.parse_move(move)
        lines = story.narrate(before, spoken, table.state, table.rules, BOTS)
    return [line.strip() for line in lines if line]


def told(hands: list[str], *moves: str, rules: dict[str, Any] | None = None, **position: Any) -> list[str]:
    """Tell the last of some moves from a position in which player 0 leads."""
    draft = daifugo.draft_of({"players": len(hands), **(rules or {})}, position.pop("ranks", None))
    return tell(Table.from_position(draft, {"hands": hands, "to_move": 0, **position}), *moves)


REST = ["SK HK", "SA HA", "S2 H2"]
"""Hands of players 1 to 3 that do nothing."""


@pytest.mark.parametrize(
    ("hands", "moves", "rules", "lines"),
    [
        (["S4 SJ", *REST], ["play S4"], {}, ["player 0 (ann) leads ♠4"]),
        (["S4 SJ", *REST], ["play S4", "play SK"], {"suit_lock": "off"}, ["player 1 (bob) plays ♠K on ♠4"]),
        (
            ["S4 SJ", *REST],
            ["play S4", "play SK"],
            {},
            ["player 1 (bob) plays ♠K on ♠4", "suit lock on ♠"],
        ),
        (
            ["SQ SJ", *REST],
            ["play SQ", "play SK"],
            {"bomber": False},
            ["player 1 (bob) plays ♠K on ♠Q", "suit lock on ♠ and number lock"],
        ),
        (
            ["SQ SJ", "HK D3", "JK D4", "S2 H2"],
            ["play SQ", "play HK", "play JK"],
            {"bomber": False, "joker_clears_lock": True},
            ["player 2 (cat) plays JK on ♥K", "the locks end"],
        ),
        (
            ["S4 SJ", *REST],
            ["play S4", "pass", "pass", "pass"],
            {},
            ["player 3 (dan) passes", "nobody else plays: the table clears, player 0 (ann) leads"],
        ),
        (
            ["S8 SJ", *REST],
            ["play S8"],
            {},
            ["player 0 (ann) leads ♠8", "eight cut: the table clears, player 0 (ann) leads"],
        ),
        (
            ["S8 SJ", "SK HK", "S4 H4 D5", "S2 H2"],
            ["play S8"],
            {},
            ["player 0 (ann) leads ♠8", "eight cut, unless player 2 stops it"],
        ),
        (
            ["S8 SJ", "SK HK", "S4 H4 D5", "S2 H2"],
            ["play S8", "pass"],
            {},
            ["player 2 (cat) lets the cut happen", "eight cut: the table clears, player 0 (ann) leads"],
        ),
        (
            ["S8 SJ", "SK HK", "S4 H4 D5", "S2 H2"],
            ["play S8", "play S4 H4"],
            {},
            ["player 2 (cat) answers the cut with ♠4 ♥4", "four stop: the cut does not happen"],
        ),
        (["S5 SJ", *REST], ["play S5"], {}, ["player 0 (ann) leads ♠5", "skip: player 1 loses a turn"]),
        (
            ["S5 H5 SJ", *REST],
            ["play S5 H5"],
            {},
            ["player 0 (ann) leads ♠5 ♥5", "skip: player 1 and player 2 lose a turn"],
        ),
        (
            ["S5 H5 D5 SJ", *REST],
            ["play S5 H5 D5"],
            {},
            [
                "player 0 (ann) leads ♠5 ♥5 ♦5",
                "skip of everybody else: the table clears, player 0 (ann) leads",
            ],
        ),
        (
            ["S5 SJ", *REST],
            ["play S5", "pass", "pass"],
            {},
            ["player 3 (dan) passes", "nobody else plays: the table clears, player 0 (ann) leads"],
        ),
        (
            ["S3 H3 D5 C5 D3", "SJ HJ", "H4 D4 HQ", "SK HK"],
            ["play S3 H3", "pass", "play H4 D4", "pass", "play D5 C5"],
            {"pass_lockout": True},
            [
                "player 0 (ann) plays ♦5 ♣5 on ♥4 ♦4",
                "skip of everybody still in the trick: the table clears, player 0 (ann) leads",
            ],
        ),
        (
            ["S9 SJ", *REST],
            ["play S9"],
            {},
            ["player 0 (ann) leads ♠9", "reverse: the direction turns, play goes anticlockwise"],
        ),
        (
            ["S9 H9 SJ", *REST],
            ["play S9 H9"],
            {},
            [
                "player 0 (ann) leads ♠9 ♥9",
                "reverse, ambulance: the direction turns, play goes anticlockwise",
                "ambulance: the table clears, player 0 (ann) leads",
            ],
        ),
        (
            ["S9 H9 D9 SJ", *REST],
            ["play S9 H9 D9"],
            {},
            [
                "player 0 (ann) leads ♠9 ♥9 ♦9",
                "revolution by coup: the order is turned for the rest of the game",
                "reverse, coup: the direction turns, play goes anticlockwise",
            ],
        ),
        (
            ["S6 H6 SJ", *REST],
            ["play S6 H6"],
            {},
            ["player 0 (ann) leads ♠6 ♥6", "rokurokubi: the table clears, player 0 (ann) leads"],
        ),
        (
            ["S6 H6 D6 SJ", *REST],
            ["play S6 H6 D6"],
            {},
            [
                "player 0 (ann) leads ♠6 ♥6 ♦6",
                "revolution by omen: the order is turned for the rest of the game",
                "no effect, lock or revolution acts any more in this game",
            ],
        ),
        (
            ["S4 H4 D4 C4 SJ", *REST],
            ["play S4 H4 D4 C4"],
            {},
            [
                "player 0 (ann) leads ♠4 ♥4 ♦4 ♣4",
                "revolution by 4 of a rank: the order is turned for the rest of the game",
            ],
        ),
        (
            ["S4 S5 S6 S7 HJ", *REST],
            ["play S4 S5 S6 S7"],
            {"sequence_revolution": 4},
            [
                "player 0 (ann) leads ♠4 ♠5 ♠6 ♠7",
                "revolution by sequence: the order is turned for the rest of the game",
            ],
        ),
        (
            ["S4 H5 D6 C7 HJ", *REST],
            ["play S4 H5 D6 C7"],
            {"sequence_revolution": 4, "emperor": True},
            [
                "player 0 (ann) leads ♠4 ♥5 ♦6 ♣7 (emperor)",
                "revolution by emperor: the order is turned for the rest of the game",
            ],
        ),
        (
            ["SJ HJ DJ C4", *REST],
            ["play SJ HJ DJ"],
            {"eleven_back_triple": True},
            [
                "player 0 (ann) leads ♠J ♥J ♦J",
                "revolution by triple 11-back: the order is turned for the rest of the game",
            ],
        ),
        (
            ["SJ C4", "SK HK", "HJ S4", "S2 H2"],
            ["play SJ"],
            {},
            ["player 0 (ann) leads ♠J", "11-back: the order is turned until the table clears"],
        ),
        (
            ["SJ HJ DJ CJ C4", *REST],
            ["play SJ HJ DJ CJ"],
            {},
            [
                "player 0 (ann) leads ♠J ♥J ♦J ♣J",
                "revolution by 4 of a rank: the order is turned for the rest of the game",
                "11-back: the order is turned until the table clears, which cancels the revolution for so long",
            ],
        ),
        (
            ["S7 S6 H6", *REST],
            ["play S7", "give S6"],
            {},
            ["player 0 (ann) passes on ♠6 to player 1"],
        ),
        (["ST S6 H6", *REST], ["play ST", "discard S6"], {}, ["player 0 (ann) discards ♠6"]),
        (
            ["SQ HQ S6 JK", "SK HK", "HA JK", "D6 C6"],
            ["play SQ HQ", "name 6 JK"],
            {},
            [
                "player 0 (ann) names 6 JK",
                "bomber: player 0 loses ♠6 JK; player 2 loses JK; player 3 loses ♦6 ♣6",
                "foul of player 0, a bomb took the last card: place 4 (daihinmin)",
                "foul of player 3, a bomb took the last card: place 3 (hinmin)",
            ],
        ),
        (
            ["SQ S6 H4", *REST],
            ["play SQ", "name 7"],
            {},
            ["player 0 (ann) names 7", "bomber: nobody holds any"],
        ),
        (
            ["S3 H3 D3 S4", *REST],
            ["play S3 H3 D3"],
            {},
            ["player 0 (ann) leads ♠3 ♥3 ♦3", "sandstorm: the table clears, player 0 (ann) leads"],
        ),
        (
            ["JK C4", "S3 HK", "HA DA", "D6 C6"],
            ["play JK", "play S3"],
            {},
            ["player 1 (bob) plays ♠3 on JK", "♠3 returns the joker"],
        ),
        (
            ["JK C4", "S3 HK", "HA DA", "D6 C6"],
            ["play JK", "play S3"],
            {"spade_three_clears": True},
            [
                "player 1 (bob) plays ♠3 on JK",
                "♠3 returns the joker",
                "♠3: the table clears, player 1 (bob) leads",
            ],
        ),
        (
            ["S2 SA SK C4", "H3 HK", "HA DA", "D6 C6"],
            ["play SK SA S2"],
            {"strongest_clears": True},
            ["player 0 (ann) leads ♠K ♠A ♠2", "nothing can beat it: the table clears, player 0 (ann) leads"],
        ),
        (
            ["SA C4", "SK HK", "HA DA", "D6 C6"],
            ["play SA", "play SK"],
            {"down_number": True},
            ["player 1 (bob) plays ♠K on ♠A (down number)", "suit lock on ♠"],
        ),
        (
            ["C4 C5", *REST],
            ["pass"],
            {"leader_may_pass": True},
            ["player 0 (ann) does not lead"],
        ),
    ],
)
def test_effects_and_locks(
    hands: list[str], moves: list[str], rules: dict[str, Any], lines: list[str]
) -> None:
    assert told(hands, *moves, rules=rules) == lines


def test_back_again() -> None:
    hands = ["S6 H6 D6 C6 HJ", "SK HK", "DJ SA", "S2 H2"]
    rules = {"omen": False, "rokurokubi": False, "number_lock": False}
    assert told(hands, "play S6 H6 D6 C6", rules=rules, revolution=True)[1] == (
        "revolution by 4 of a rank: the order is as at first again"
    )


@pytest.mark.parametrize(
    ("again", "line"),
    [
        ("toggle", "11-back: the order is turned back"),
        ("stay", "11-back: the order stays turned until the table clears"),
    ],
)
def test_a_second_jack(again: str, line: str) -> None:
    rules = {
        "sequence_effects": ["eleven_back"],
        "sequence_beats": "lowest",
        "eleven_back_again": again,
        "suit_lock": "off",
    }
    hands = ["S10 SJ SQ C4", "H9 H10 HJ D4", "HA DA", "D6 C6"]
    assert told(hands, "play S10 SJ SQ", "play H9 H10 HJ", rules=rules)[1:] == [line]


@pytest.mark.parametrize(
    ("hands", "moves", "position", "lines"),
    [
        (
            ["JK", *REST],
            ["play JK"],
            {},
            ["foul of player 0, the last play has a joker: place 4 (daihinmin)"],
        ),
        (
            ["S2", *REST[:2], "C2 H2"],
            ["play S2"],
            {},
            ["foul of player 0, the last play has a 2: place 4 (daihinmin)"],
        ),
        (
            ["H3", *REST],
            ["play H3"],
            {"revolution": True},
            ["foul of player 0, the last play has a 3 in a revolution: place 4 (daihinmin)"],
        ),
        (
            ["S3 JK", *REST],
            ["play S3 JK"],
            {},
            ["foul of player 0, the last play has a joker and the last play has the ♠3: place 4 (daihinmin)"],
        ),
        (
            ["SJ", *REST],
            ["play SJ"],
            {},
            [
                "11-back: the order is turned until the table clears",
                "foul of player 0, the last play is an 11-back: place 4 (daihinmin)",
            ],
        ),
        (
            ["S8", *REST],
            ["play S8"],
            {},
            [
                "foul of player 0, the last play is an eight cut: place 4 (daihinmin)",
                "eight cut: the table clears, player 1 (bob) leads",
            ],
        ),
        (
            ["S7 S4", *REST],
            ["play S7", "give S4"],
            {},
            ["foul of player 0, the last card was passed on: place 4 (daihinmin)"],
        ),
        (
            ["ST S4", *REST],
            ["play ST", "discard S4"],
            {},
            ["foul of player 0, the last card was discarded: place 4 (daihinmin)"],
        ),
        (
            ["SQ S4", "H4", "SK HK", "SA HA"],
            ["play SQ", "name 4"],
            {},
            [
                "bomber: player 0 loses ♠4; player 1 loses ♥4",
                "foul of player 0, a bomb took the last card: place 4 (daihinmin)",
                "foul of player 1, a bomb took the last card: place 3 (hinmin)",
            ],
        ),
        (
            ["SQ JK", "H4", "SK HK", "SA HA"],
            ["play SQ JK", "name 4 5"],
            {},
            [
                "bomber: player 1 loses ♥4",
                "foul of player 0, the last play has a joker: place 4 (daihinmin)",
                "foul of player 1, a bomb took the last card: place 3 (hinmin)",
            ],
        ),
        (
            ["S6", "SK", "", ""],
            ["play S6"],
            {"places": [0, 0, 1, 4]},
            ["player 0 has no cards left: place 2 (fugō)", "player 1 is left: place 3 (hinmin)"],
        ),
    ],
)
def test_places_and_fouls(
    hands: list[str], moves: list[str], position: dict[str, Any], lines: list[str]
) -> None:
    found = told(hands, *moves, **position)[1:]
    assert [line for line in found if not line.startswith(("End of", "place"))] == lines


def test_a_later_foul_moves_others_up() -> None:
    moves = ["play JK", "pass", "pass", "pass", "play JK"]
    rules = {"foul_order": "latest_is_last"}
    assert told(["JK", "JK", "SK HK", "SA HA"], *moves, rules=rules)[1:] == [
        "foul of player 1, the last play has a joker: place 4 (daihinmin)",
        "player 0 moves up: place 3 (hinmin)",
    ]


def test_the_daifugo_falls() -> None:
    assert told(
        ["S6", "SK", "HK", "SA HA"], "play S6", rules={"miyako_ochi": True}, previous_places=[2, 1, 3, 4]
    )[1:] == [
        "player 0 has no cards left: place 1 (daifugō)",
        "miyako ochi: player 1, daifugō of the game before, falls: place 4 (daihinmin)",
    ]


def test_a_daifugo_who_bombs_falls_and_so_does_one_who_is_bombed() -> None:
    rules = {"miyako_ochi": True, "foul_bomber": False}
    bomber = told(
        ["SQ S4", "H6", "HK", "SA HA"], "play SQ", "name 6", rules=rules, previous_places=[1, 2, 3, 4]
    )
    assert bomber[1:] == [
        "bomber: player 1 loses ♥6",
        "player 1 has no cards left: place 1 (daifugō)",
        "miyako ochi: player 0, daifugō of the game before, falls: place 4 (daihinmin)",
    ]
    bombed = told(
        ["SQ S4", "H4", "HK", "SA HA"], "play SQ", "name 4", rules=rules, previous_places=[2, 1, 3, 4]
    )
    assert bombed[1:] == [
        "bomber: player 0 loses ♠4; player 1 loses ♥4",
        "player 0 has no cards left: place 1 (daifugō)",
        "miyako ochi: player 1, daifugō of the game before, falls: place 4 (daihinmin)",
    ]


def test_all_is_turned_upside_down() -> None:
    lines = told(
        ["S6", "SK", "HK", "SA HA"],
        "play S6",
        rules={"gekokujo": True},
        scores=[5, 0, 0, 0],
        previous_places=[4, 3, 2, 1],
    )
    assert lines == [
        "player 0 (ann) leads ♠6",
        "player 0 has no cards left",
        "gekokujo: the daihinmin is first, so the game is over and all places are turned upside down",
        "End of game 1",
        "place 1 (daifugō): player 0 (ann), points 3 in this game, 8 in the match so far",
        "place 2 (fugō): player 1 (bob), points 2 in this game, 2 in the match so far",
        "place 3 (hinmin): player 2 (cat), points 1 in this game, 1 in the match so far",
        "place 4 (daihinmin): player 3 (dan), points 0 in this game, 0 in the match so far",
    ]


def test_lots_are_drawn() -> None:
    rules = {"leader_may_pass": True, "stalemate_passes": 2}
    lines = told(["S6", "SK", "HK", ""], "pass", "pass", rules=rules, places=[0, 0, 0, 1])
    assert lines[:2] == [
        "player 1 (bob) does not lead",
        "2 passes in a row: the open places are drawn by lot",
    ]
    assert sorted(line.partition(": ")[2] for line in lines[2:5]) == [
        "place 2 (fugō)",
        "place 3 (hinmin)",
        "place 4 (daihinmin)",
    ]


def test_a_choice_without_seeing() -> None:
    hands = ["S2 H2 S4", "SK HK S5", "SA HA D3", "S6 H6 JK"]
    position = {"phase": "exchange", "previous_places": [1, 2, 3, 4]}
    seen = told(hands, "exchange S4 S2", **position)
    assert seen == ["player 0 (ann), daifugō, gives ♠4 ♠2 to player 3"]
    blind = told(hands, "exchange S4 S2", rules={"rich_see_first": False}, **position)
    assert blind == [
        "player 0 (ann), daifugō, gives ♠4 ♠2 to player 3, and then sees the daihinmin's gift: ♠6 JK"
    ]
    both = told(hands, "exchange S4 S2", "exchange S5", **position)
    assert both == [
        "player 1 (bob), fugō, gives ♠5 to player 2",
        "player 2, holding ♦3, is the first to lead",
    ]


def test_class_names() -> None:
    assert [story.class_name(place, 2) for place in (1, 2)] == ["daifugō", "daihinmin"]
    assert [story.class_name(place, 3) for place in (1, 2, 3)] == ["daifugō", "heimin", "daihinmin"]
    assert [story.class_name(place, 5) for place in range(1, 6)] == [
        "daifugō", "fugō", "heimin", "hinmin", "daihinmin",
    ]  # fmt: skip


# ---- whole matches --------------------------------------------------------------------------------------

ODD_RANKS = {"skip": "8", "pass_on": "9", "ambulance": "10", "omen": "J", "rokurokubi": "Q", "coup": "J"}
MATCHES = [
    *(drafts.load(f"daifugo/{name}") for name in drafts.shipped("daifugo") if name != "uecda"),
    drafts.load("daifugo/uecda", ["rules.games=4"]),
    drafts.load("daifugo/everything", ["rules.leader_may_pass=true", "rules.stalemate_passes=3"]),
    drafts.load("daifugo/everything", ["rules.foul_order=latest_is_last", "rules.miyako_ochi=false"]),
    drafts.load(
        "daifugo/everything", ["rules.players=3", "rules.strongest_clears=true", "rules.reseat_every=2"]
    ),
    drafts.load("daifugo/author", [f"ranks.{key}={rank}" for key, rank in ODD_RANKS.items()]),
]


def whole_match(draft: Draft, seed: int) -> tuple[Table, list[str]]:
    table, dice = Table(draft, seed=seed), random.Random(seed)
    lines = story.opening(table.state)
    while not table.over:
        before = table.state.copy()
        move = daifugo.random_move(table, dice, 0.7)
        table.apply(move)
        lines += story.narrate(before, move, table.state, table.rules, BOTS)
    return table, lines


def _begins(lines: list[str], *starts: str) -> int:
    return sum(line.startswith(tuple(f"    {start}" for start in starts)) for line in lines)


@pytest.mark.parametrize("number", range(len(MATCHES)))
def test_everything_counted_is_told_as_often(number: int) -> None:
    for seed in range(3):
        table, lines = whole_match(MATCHES[number], seed)
        tally = {name: int(table.state["tally"][place]) for name, place in TALLY.items()}
        deeds = [line for line in lines if line.startswith("  player") and " (" in line]
        causes = [line.partition(": the table clears")[0] for line in lines if ": the table clears" in line]
        turned = [
            line.partition(": the direction turns")[0] for line in lines if ": the direction turns" in line
        ]

        def cleared(word: str, causes: list[str] = causes) -> int:
            return sum(word in line.strip().split(", ") for line in causes)

        found = {
            "plays": sum(
                any(f") {verb} " in line for verb in ("leads", "plays", "answers")) for line in deeds
            ),
            "tricks": sum(") leads " in line for line in deeds),
            "passes": sum(line.endswith((") passes", ") does not lead")) for line in deeds),
            "pass_on": sum(") passes on " in line for line in deeds),
            "discard": sum(") discards " in line for line in deeds),
            "bomber": _begins(lines, "bomber:"),
            "emperor": sum("(emperor" in line for line in deeds),
            "down_number": sum("down number)" in line for line in deeds),
            "revolutions": _begins(lines, "revolution by"),
            "omen": _begins(lines, "revolution by omen"),
            "coup": _begins(lines, "revolution by coup"),
            "eleven_back_triple": _begins(lines, "revolution by triple"),
            "sequence_revolution": _begins(lines, "revolution by sequence", "revolution by emperor"),
            "eleven_back": _begins(lines, "11-back"),
            "eight_cut": cleared("eight cut"),
            "skip": _begins(lines, "skip: ")
            + cleared("skip")
            + cleared("skip of everybody else")
            + cleared("skip of everybody still in the trick"),
            "rokurokubi": cleared("rokurokubi"),
            "sandstorm": cleared("sandstorm"),
            "strongest_clears": cleared("nothing can beat it"),
            "four_stop": _begins(lines, "four stop"),
            "spade_three": _begins(lines, "♠3 returns"),
            "miyako_ochi": _begins(lines, "miyako ochi"),
            "gekokujo": _begins(lines, "gekokujo"),
            "tenpen_chii": sum(line.startswith("  tenpen chii") for line in lines),
            "stalemate_passes": sum("places are drawn by lot" in line for line in lines),
        }
        assert found == {name: tally[name] for name in found}
        assert sum("reverse" in line for line in turned) == tally["reverse"]
        fouls = [line for line in lines if line.startswith("    foul of")]
        for name in FOULS:
            words = {"foul_two": ("has a 2", "has a 3 in")}.get(name, (story._FOULS[name],))
            assert sum(any(word in line for word in words) for line in fouls) == tally[name], name
        games = table.draft.options.rules.games
        assert sum(line.startswith("End of game") for line in lines) == games
        assert sum(line.startswith("Game ") for line in lines) == games
        assert sum(line.endswith("in the match so far") for line in lines) == games * table.draft.players
        last = {
            int(line.split("player ")[1][0]): int(line.split(", ")[-1].split()[0])
            for line in lines[-table.draft.players :]
        }
        assert [last[player] for player in range(table.draft.players)] == table.inspect()["scores"]


def test_hands_are_told_as_dealt_before_the_gifts() -> None:
    _, lines = whole_match(drafts.load("daifugo/author", ["rules.games=3"]), 4)
    for number in (2, 3):
        start = lines.index(f"Game {number}")
        hands = {int(line[9]): line.partition(": ")[2].split() for line in lines[start + 1 : start + 5]}
        assert sorted(len(hand) for hand in hands.values()) == [13, 13, 14, 14]
        gifts = [line for line in lines[start + 5 : start + 9] if "has to give" in line]
        assert len(gifts) == 2
        for line in gifts:
            giver = int(line[9])
            for card in line.partition("give ")[2].partition(" to")[0].split():
                assert card in hands[giver]
