"""Games played on the contest's own server: the draft `uecda` must take every one of them the same way."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import pytest

from sim import drafts
from sim.table import IllegalMove, Table
from tests import support

LOG = support.ROOT / "tests" / "data" / "uecda" / "server-games-300.log"
GAMES = 300
PLAYERS = 5
DRAFT = drafts.load("daifugo/uecda")
STANDS_FOR = dict(zip("KLMN", "SHDC", strict=True))
REFUSED = 11


class Game(NamedTuple):
    """One game of the log; players by their numbers on the server."""

    previous: list[int]  # places from 1; empty if there are none
    seats: list[int]  # the player in each seat
    hands: list[list[str]]
    gifts: list[tuple[int, int, list[str]]]  # giver, receiver, cards
    turns: list[tuple[int, list[str]]]
    result: list[int]
    points: list[int]


def cards_of(text: str) -> list[str]:
    """Return the cards of a hand or a play, a joker as stated; a joker alone states nothing."""
    pairs = re.findall(r"..", text)
    if len(pairs) == 1 and pairs[0][0] in "JKLMN":
        return ["JK"]
    ranks = {pair[1] for pair in pairs}
    found = []
    for suit, rank in pairs:
        name = {"T": "10", "x": ">2" if "2" in ranks else "<3"}.get(rank, rank)
        if suit == "J":
            found.append("JK")
        else:
            found.append(f"JK={STANDS_FOR[suit]}{name}" if suit in STANDS_FOR else suit + name)
    return found


def moves_of(text: str) -> list[str]:
    return [word.removesuffix("EE") for word in text.split() if word != "NULL"]


@cache
def games() -> tuple[Game, ...]:
    lines: dict[str, dict[str, str]] = {}
    for line in LOG.read_text(encoding="utf-8").splitlines():
        _, number, what, value = line.split("%", 3)
        lines.setdefault(number, {})[what] = value.strip()
    found = []
    for texts in lines.values():
        ranks = [int(digit) for digit in texts["mibun"]]
        found.append(
            Game(
                previous=[] if ranks == [2] * PLAYERS else [rank + 1 for rank in ranks],
                seats=[int(digit) for digit in texts["seat"]],
                hands=[cards_of(hand) for hand in texts["palyer_cards"].split()],
                gifts=[(int(w[0]), int(w[1]), cards_of(w[2:])) for w in moves_of(texts["change_cards"])],
                turns=[(int(word[0]), cards_of(word[1:])) for word in moves_of(texts["play"])],
                result=[int(digit) for digit in texts["result"]],
                points=[int(word) for word in texts["points"].split()],
            )
        )
    return tuple(found)


def by_seat(game: Game, values: list[Any]) -> list[Any]:
    """Return values by player in the order of the seats: in a position the seats are numbered through."""
    return [values[player] for player in game.seats]


def position(game: Game, points: list[int]) -> Table:
    fields: dict[str, Any] = {
        "hands": [" ".join(hand) for hand in by_seat(game, game.hands)],
        "scores": by_seat(game, points),
    }
    if game.previous:
        fields |= {"phase": "exchange", "previous_places": by_seat(game, game.previous)}
    return Table.from_position(DRAFT, fields)


def exchange(game: Game, table: Table) -> None:
    """Make the free gifts; the forced ones must have been made."""
    forced, free = game.gifts[:2], game.gifts[2:]
    hands = [set(hand) for hand in game.hands]
    for giver, receiver, given in forced:
        assert set(given) <= hands[giver]
        hands[giver] -= set(given)
        hands[receiver] |= set(given)
    assert [set(hand.split()) for hand in table.inspect()["hands"]] == by_seat(game, hands)
    for giver, _receiver, given in free:
        assert game.seats[table.to_move] == giver
        table.play("exchange " + " ".join(given))
    assert table.inspect()["phase"] == "play"


def replay(game: Game, points: list[int]) -> list[tuple[str, list[str]]]:
    """Replay a game and check it; return what was refused: (the table, the cards)."""
    table = position(game, points)
    if game.previous:
        assert [(giver, receiver) for giver, receiver, _ in game.gifts] == [
            (game.previous.index(a), game.previous.index(b)) for a, b in ((5, 1), (4, 2), (1, 5), (2, 4))
        ]
        exchange(game, table)
    refused = []
    for number, (player, played) in enumerate(game.turns):
        assert not table.over, number
        assert game.seats[table.to_move] == player, number
        try:
            table.play(" ".join(["play", *played]) if played else "pass")
        except IllegalMove:
            refused.append((table.inspect()["table"], played))
            table.play("pass")
    seen = table.inspect()
    assert table.over
    assert by_seat(game, [game.result.index(player) + 1 for player in range(PLAYERS)]) == seen["places"]
    assert by_seat(game, game.points) == seen["scores"]
    return refused


def test_the_log_is_whole() -> None:
    assert len(games()) == GAMES
    assert sum(not game.previous for game in games()) == GAMES / 100
    turns = [turn for game in games() for turn in game.turns]
    assert len(turns) > 75 * GAMES
    for game in games():
        assert sorted(game.seats) == sorted(game.result) == list(range(PLAYERS))
        assert (
            sum(len(hand) for hand in game.hands) == len({card for hand in game.hands for card in hand}) == 53
        )


@pytest.mark.parametrize("part", range(10))
def test_every_game_goes_as_on_the_server(part: int) -> None:
    """The next player after each turn, the order of the places, the points."""
    for number in range(part, GAMES, 10):
        # Points are counted through the whole run.
        replay(games()[number], games()[number - 1].points if number else [0] * PLAYERS)


def test_what_the_server_refused() -> None:
    """Of 24,000 turns a few are refused: sequences that overlap the one on the table (D14)."""
    refused = []
    for number, game in enumerate(games()):
        refused += replay(game, games()[number - 1].points if number else [0] * PLAYERS)
    assert len(refused) == REFUSED
    ranks = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
    for table, played in refused:
        runs = []
        for names in (table.split(), played):
            shown = [name.removeprefix("JK=") for name in names]
            assert len({name[0] for name in shown}) == 1
            runs.append(sorted(ranks.index(name[1:]) for name in shown))
            assert runs[-1] == list(range(runs[-1][0], runs[-1][0] + len(shown)))
        assert len(runs[0]) == len(runs[1]) >= 3
        assert set(runs[0]) & set(runs[1]), (table, played)


@pytest.mark.parametrize(
    "change",
    [
        "rules.clear_when=back_to_owner", "rules.pass_lockout=false", "rules.lock_by_joker=false",
        "rules.eight_cut=false", "rules.sequence_effects=[]", "rules.sequence_revolution=0",
        "rules.sequence_revolution=4", "rules.revolution=false", "rules.suit_lock=partial",
        "rules.number_lock=true", "rules.sequence_beats=lowest",
        "rules.joker_beyond_ends=false", "rules.sequence_min=4",
        "rules.skip=true", "rules.eleven_back=true", "rules.foul_two=true",
    ],
)  # fmt: skip
def test_another_rule_would_be_noticed(change: str) -> None:
    """The games hold what tells the contest's rules from others.

    Not those that only allow more than these clients ever tried, such as no lock at all.
    """
    other = drafts.load("daifugo/uecda", (change,))
    assert any(differs(game, other) for game in games())


def differs(game: Game, draft: drafts.Draft) -> bool:
    """Tell whether a game, from its lead, goes another way under a draft."""
    hands = [set(hand) for hand in game.hands]
    for giver, receiver, given in game.gifts:
        hands[giver] -= set(given)
        hands[receiver] |= set(given)
    table = Table.from_position(draft, {"hands": [" ".join(hand) for hand in by_seat(game, hands)]})
    for player, played in game.turns:
        if table.over or game.seats[table.to_move] != player:
            return True
        try:
            table.play(" ".join(["play", *played]) if played else "pass")
        except IllegalMove:
            try:
                table.play("pass")
            except IllegalMove:
                return True
    places = [game.result.index(player) + 1 for player in game.seats]
    return table.inspect()["places"] != places
