"""Kinds of moves, told by what the moves do, and players that may never make them."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sim import bots, drafts, registry, rng
from sim.daifugo.state import ANSWER, PLAY
from sim.errors import UserError
from sim.ninepeak.state import PEAKS_WON
from sim.table import Table
from sim.uplink import engine
from sim.uplink.state import LEAVE
from strategies import kinds
from strategies import registry as strategies

DRAFTS = {"uplink": "uplink/v1.1", "daifugo": "daifugo/author", "ninepeak": "ninepeak/draft11"}
CHANGES = {"daifugo": ("rules.games=3",)}
GAMES = list(DRAFTS)
RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
STRENGTH = {rank: value for value, rank in enumerate(["2", *RANKS[:-1]])}
POINTS = {"2": 3, "3": 3, "4": 2, "5": 2, "6": 2, "7": 1, "8": 1, "9": 1, "10": 0, "A": 1}

CASES = [(game, kind.name) for game in GAMES for kind in kinds.of_game(game).kinds]


@cache
def tables_of(game: str) -> list[Table]:
    """Return the tables of some matches at each decision, as `heuristic` in all seats plays them."""
    found = []
    for deal in range(8):
        table = Table(drafts.load(DRAFTS[game], CHANGES.get(game, ())), seed=3, deal=deal)
        while not table.over:
            found.append(table.copy())
            table.apply(answer("heuristic", table))
    return found


@cache
def player(game: str, name: str) -> tuple[Any, Any]:
    """Return how a bot decides, and its record for the draft of the tests."""
    bot, draft = strategies.find(game, name), drafts.load(DRAFTS[game], CHANGES.get(game, ()))
    return bots.compiled(bot), bots.players([bot], draft.record())[0]


def answer(name: str, table: Table) -> int:
    """Return what a bot does at a table; its stream is the same for each name."""
    decide, record = player(table.draft.game, name)
    me = record.copy()
    rng.open_stream(me["stream"], 1, table.count_moves(), rng.SEAT, table.to_move)
    return int(decide(table.view(), table.rules, me))


def told(game: str, name: str, table: Table, move: int) -> bool:
    """Tell whether a move is of a kind, by the game's own predicate."""
    number = int(kinds.number_of(game, name, ""))
    return bool(kinds.of_game(game).of_kind(number, table.view(), table.rules, move))


def some_moves(table: Table) -> list[int]:
    """Return up to 40 legal moves, spread over all."""
    nth_move = registry.find(table.draft.game).engine.nth_move
    count = table.count_moves()
    return [
        int(nth_move(table.view(), table.rules, number)) for number in range(0, count, max(1, count // 40))
    ]


# ---- which moves a kind has, read off the text of the move and what it does --------------------------------


def uplink(table: Table, move: int) -> set[str]:
    verb, *cards = table.move_text(move).split()
    view, found = table.view(), set()
    points = sum(POINTS.get(card[1:], -2) for card in cards)
    if verb == "put":
        return {"put_good"} if points > 0 else set()
    if verb == "leave":
        return {"leave_bad"} if points < 0 else set()
    own = STRENGTH[cards[0][1:]]
    found |= {"top"} if cards[0][1:] == "A" else set()
    found |= {"face"} if cards[0][1:] in ("J", "Q", "K") else set()
    played = [STRENGTH[RANKS[int(card) >> 2]] for card in view["played"] if card >= 0]
    if view["turn"]:
        found.add("above" if own > max(played) else "tie" if own == max(played) else "below")
        return found
    hand = [STRENGTH[RANKS[card >> 2]] for card in range(52) if int(view["hand"]) >> card & 1]
    return found | ({"lead_high"} if own == max(hand) > min(hand) else set())


def daifugo(table: Table, move: int) -> set[str]:
    view, verb = table.view(), table.move_text(move).split()[0]
    if verb == "pass":
        return {"pass"} if table.count_moves() > 1 and view["phase"] == PLAY else set()
    if view["phase"] not in (PLAY, ANSWER):
        return set()
    cards = [RANKS[card >> 2] for card in range(52) if move >> card & 1]
    jokers, ranks = len(table.move_text(move).split()) - 1 - len(cards), set(cards)
    size = len(cards) + jokers
    found = {"joker"} if jokers else set()
    found |= {"top"} if ("3" if view["revolution"] else "2") in ranks else set()
    if len(ranks) > 1 or "=" in table.move_text(move):
        return found | {"sequence"}
    found |= {"group"} if size > 1 else set()
    rank = cards[0] if cards else ""
    if view["phase"] == ANSWER or view["effects_off"] or not rank:
        return found
    turns = size >= 4 or (size == 3 and rank in ("6", "9"))
    found |= {"cut"} if rank == "8" else set()
    found |= {"revolution"} if turns else set()
    by_rank = rank in ("5", "7", "8", "9", "10", "J", "Q") or (size, rank) in ((2, "6"), (3, "3"))
    return found | ({"effect"} if by_rank or turns else set())


def ninepeak(table: Table, move: int) -> set[str]:
    verb, *words = table.move_text(move).split()
    if verb not in ("pass", "play"):
        return set()
    after = table.copy()
    after.apply(move)
    if verb == "pass":
        found = {"take"} if "take" in words else set()
        found |= {"peak"} if after.state["tally"][PEAKS_WON] > table.state["tally"][PEAKS_WON] else set()
        return found | ({"pass"} if kinds_of_moves(table) == {"pass", "play"} else set())
    cards = [word for word in words if word[0] in "SHDCJ"]
    suits = {card[0] for card in cards}
    found = {"joker"} if "J" in suits else set()
    found |= {"small"} if len(cards) <= 2 else {"large"} if len(cards) >= 6 else set()
    if len(cards) > 1:
        found.add("one_suit" if len(suits - {"J"}) <= 1 else "mixed")
    return found


def kinds_of_moves(table: Table) -> set[str]:
    """Return the verbs of the first and the last legal move: passes come first, plays last."""
    nth_move = registry.find(table.draft.game).engine.nth_move
    ends = (0, table.count_moves() - 1)
    moves = [int(nth_move(table.view(), table.rules, number)) for number in ends]
    return {table.move_text(move).split()[0] for move in moves}


READ = {"uplink": uplink, "daifugo": daifugo, "ninepeak": ninepeak}


@pytest.mark.parametrize("game", GAMES)
def test_a_kind_has_the_moves_that_its_name_says(game: str) -> None:
    names = [kind.name for kind in kinds.of_game(game).kinds]
    seen = dict.fromkeys(names, 0)
    for table in tables_of(game)[::3]:
        for move in some_moves(table):
            wanted = READ[game](table, move)
            found = {name for name in names if told(game, name, table, move)}
            assert found == wanted, (table.move_text(move), found, wanted)
            for name in found:
                seen[name] += 1
    assert min(seen.values()) > 0, seen


# ---- players that may never make them ----------------------------------------------------------------------


def all_are(game: str, name: str, table: Table) -> bool:
    """Tell whether every legal move is of a kind."""
    number = int(kinds.number_of(game, name, ""))
    other = kinds.of_game(game).some_other(number, table.view(), table.rules, -1)
    return int(other) == -1


@pytest.mark.parametrize(("game", "name"), CASES)
@pytest.mark.parametrize("name_of_player", ["heuristic", "heuristic:error=0.3"])
def test_what_may_never_be_made_is_made_only_where_there_is_nothing_else(
    game: str, name: str, name_of_player: str
) -> None:
    changed = 0
    for table in tables_of(game):
        free, bound = (answer(f"{name_of_player}{never}", table) for never in ("", f":never={name}"))
        if all_are(game, name, table):
            assert told(game, name, table, bound)
        elif told(game, name, table, free):
            changed += 1
            assert not told(game, name, table, bound)
            assert registry.find(game).engine.is_legal(table.view(), table.rules, bound)
        else:
            assert bound == free
    assert changed > 0


@pytest.mark.parametrize(("game", "name"), [("uplink", "top"), ("daifugo", "group"), ("ninepeak", "pass")])
@pytest.mark.parametrize("searching", ["search", "ismcts"])
def test_searching_players_obey_too(game: str, name: str, searching: str) -> None:
    wanted = 0
    for number, table in enumerate(tables_of(game)[:150]):
        if number % 3 or all_are(game, name, table):
            continue
        wanted += told(game, name, table, answer(f"{searching}:30", table))
        assert not told(game, name, table, answer(f"{searching}:30:never={name}", table))
    assert wanted > 0


def test_the_best_of_the_others_is_taken() -> None:
    """What is left behind in Uplink: by the points of the pile that is kept, as the player reckons."""
    other = 0
    for table in tables_of("uplink"):
        view, rules = table.view(), table.rules
        if view["phase"] != LEAVE:
            continue
        seat = table.to_move
        pile = int(view["piles"][seat]) | int(view["field"]) | 1 << int(view["played"][seat])
        worth = {
            move: engine.pile_value(pile & ~move, rules)[0] - 0.2 * engine.card_points(move, rules)
            for move in some_moves(table)
            if not told("uplink", "leave_bad", table, move)
        }
        bound = answer("heuristic:poison=-0.2:never=leave_bad", table)
        if worth:
            other += len(set(worth.values())) > 1
            assert worth[bound] == max(worth.values())
    assert other > 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("heuristic:never=toop", "did you mean 'top'"),
        ("adapted:never=2", "unknown kind of move '2'.*known: lead_high"),
        ("search:never=joker", "unknown kind of move 'joker'"),
        ("random:never=top", "unknown parameter 'never'"),
    ],
)
def test_what_is_no_kind(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        strategies.find("uplink", text)


def test_kinds_are_named_and_described() -> None:
    for game in GAMES:
        found = kinds.of_game(game).kinds
        assert 4 <= len(found) <= kinds.MOST
        assert [kind.number for kind in found] == list(range(1, len(found) + 1))
        assert all(kind.summary for kind in found)
