"""Random option mixes of Daifugō, played by engine and twin side by side.

``python -m tests.lockstep.daifugo_mixes FIRST LAST`` plays the mixes with these numbers, the last one excluded.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sim import cards
from sim.daifugo.state import NAME
from sim.drafts import Draft
from sim.table import Table
from tests import support_daifugo as support
from tests.lockstep import runner
from tests.reference import daifugo as twin

SEQUENCE_EFFECTS = ("cut", "eleven_back", "skip", "pass_on", "reverse", "discard", "bomber")
TASTES = ("any", "any", "no joker", "many cards")
_COMPARED = (
    "to_move", "phase", "over", "reversed", "revolution", "direction", "suit_lock", "number_lock", "places",
    "effects_off", "game", "previous_places", "scores", "ring", "leader_owner",
)  # fmt: skip
_RENAMED = {"stalemate": "stalemate_passes"}


class Mix(NamedTuple):
    """Options, and how the random players of a match take to passing, jokers and large plays."""

    rules: dict[str, Any]
    ranks: dict[str, str]
    eager: float
    taste: str


class Played(NamedTuple):
    """What came of a match on both."""

    decisions: int
    phases: frozenset[str]
    events: Counter[str]


def mix(number: int) -> Mix:
    """Return random mix `number`."""
    dice = random.Random(f"daifugo mix {number}")
    return Mix(*random_mix(dice), dice.choice([0.0, 0.5, 0.9]), dice.choice(TASTES))


def random_mix(dice: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """Return options at random: switches, choices and numbers, and now and then other ranks."""
    rules: dict[str, Any] = {}
    for name, value in twin.DEFAULT_RULES.items():
        if isinstance(value, bool):
            rules[name] = dice.random() < 0.5 if dice.random() < 0.6 else value
    players = dice.randint(2, 8)
    rules |= {
        "jokers": dice.randrange(3),
        "players": players,
        "games": dice.randint(1, 4),
        "blind_cards": dice.choice([0, 2]),
        "deal_from": dice.choice(["dealer_left", "daifugo"]),
        "first_lead": dice.choice(["diamond_three", "daihinmin", "daifugo"]),
        "clear_when": dice.choice(["back_to_owner", "all_passed"]),
        "place_points": dice.choice([[], [dice.randint(-5, 9) for _ in range(players)]]),
        "reseat_every": dice.randrange(3),
        "class_reset_every": dice.randrange(4),
        "exchange": dice.choice([[2, 1], [2, 1], [1], [], [3, 2]]),
        "sequence_min": dice.choice([3, 3, 3, 4, 5]),
        "sequence_beats": dice.choice(["disjoint", "lowest"]),
        "sequence_revolution": dice.choice([0, 4, 5, 7]),
        "sequence_effects": dice.sample(SEQUENCE_EFFECTS, dice.choice([0, 0, 2, 7])),
        "suit_lock": dice.choice(["off", "full", "partial"]),
        "eleven_back_again": dice.choice(["toggle", "stay"]),
        "foul_spade_three": dice.choice(["any", "alone", "off"]),
        "foul_order": dice.choice(["first_is_last", "latest_is_last"]),
        "stalemate_passes": dice.choice([20, 3]),
    }
    ranks = dict(twin.DEFAULT_RANKS)
    if dice.random() < 0.3:
        ranks = {name: dice.choice(cards.RANKS) for name in ranks}
    return rules, ranks


def compare(table: Table, match: twin.Match, where: str) -> list[str]:
    """Demand that engine and twin agree on the position and on what is legal; return that."""
    ours, theirs = table.inspect(), match.inspect()
    for key in _COMPARED:
        assert ours[key] == theirs[key], (where, key, ours[key], theirs[key])
    assert ours["table"].split() == theirs["table"], (where, "table")
    assert [hand.split() for hand in ours["hands"]] == theirs["hands"], (where, "hands")
    for name, count in theirs["events"].items():
        if name not in ("decisions", "branching"):
            assert ours["events"][_RENAMED.get(name, name)] == count, (where, name)
    moves = list(table.moves())
    legal = [table.move_text(move) for move in moves]
    wanted = match.legal()
    assert len(set(legal)) == len(set(moves)) == len(legal), (where, "twice")
    assert len(legal) == table.count_moves(), where
    assert sorted(legal) == sorted(wanted), (where, sorted(set(legal) ^ set(wanted)))
    compare_strange_moves(table, moves, where)
    return wanted


def compare_strange_moves(table: Table, moves: list[int], where: str) -> None:
    """Demand that nothing but the moves listed is legal, of a few changed ones."""
    if table.over:
        return
    view, legal = table.state["view"], set(moves)
    dice = random.Random(where)
    for move in support.strange_moves(moves, dice, 6):
        assert bool(support.ENGINE.is_legal(view, table.rules, move)) == (move in legal), (where, move)
    if view["phase"] != NAME:
        assert not support.ENGINE.is_legal(view, table.rules, -1), where


def chosen(moves: list[str], dice: random.Random, eager: float, taste: str) -> str:
    """Choose a move by a taste; tastes bring about what else is rare."""
    if len(moves) > 1 and dice.random() < eager:
        moves = [move for move in moves if move != "pass"]
    if taste == "no joker":
        moves = [move for move in moves if "JK" not in move] or moves
    elif taste == "many cards":
        return max(dice.choices(moves, k=4), key=lambda move: len(move.split()))
    return dice.choice(moves)


def play(
    seed: int, rules: dict[str, Any], ranks: dict[str, str], *, eager: float = 0.0, taste: str = "any"
) -> Played:
    """Play a match on both by random legal moves.

    `eager` is the chance to turn down a pass.
    """
    return play_draft(support.draft_of(rules, ranks), seed, eager=eager, taste=taste)


def play_draft(draft: Draft, seed: int, *, eager: float = 0.0, taste: str = "any") -> Played:
    """Play a match of a draft on both."""
    table = Table(draft, seed=seed, deal=seed % 7)
    settled = draft.tables()
    match = twin.Match(settled, support.Chance(settled["rules"], seed, seed % 7))
    watch = support.Watch(table)
    dice = random.Random(seed)
    bound = support.decisions_bound(settled["rules"])
    decisions = 0
    in_game: Counter[int] = Counter()
    phases = set()
    while True:
        moves = compare(table, match, f"seed {seed}, decision {decisions}")
        watch.look()
        if table.over:
            break
        phases.add(match.phase)
        in_game[match.number] += 1
        assert in_game[match.number] <= bound, f"seed {seed}, game {match.number}"
        move = chosen(moves, dice, eager, taste)
        table.play(move)
        match.play(move)
        decisions += 1
    assert match.legal() == []
    assert table.inspect()["winners"] == match.inspect()["winners"]
    assert decisions == match.events["decisions"]
    return Played(decisions, frozenset(phases), Counter(match.events))


def play_mix(number: int) -> Played:
    """Play random mix `number`."""
    rules, ranks, eager, taste = mix(number)
    return play(number, rules, ranks, eager=eager, taste=taste)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a range of mixes, see `tests.lockstep.runner`."""

    def numbers(number: int) -> tuple[int, Counter[str]]:
        played = play_mix(number)
        return played.decisions, played.events

    return runner.run(sys.modules[__name__], numbers, arguments)


if __name__ == "__main__":
    sys.exit(main())
