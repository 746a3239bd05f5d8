"""Random option mixes of 9 Peak, for its twin alone and for engine and twin side by side.

``python -m tests.lockstep.ninepeak_mixes FIRST LAST`` plays the mixes with these numbers, the last one excluded.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.drafts import Draft
from sim.ninepeak import text
from sim.ninepeak.state import LABELS
from sim.table import Table
from tests import support_ninepeak as support
from tests.lockstep import runner
from tests.reference import ninepeak as twin

# ---- options -------------------------------------------------------------------------------------------

LONGEST_HAND = 18
LARGEST_AREA = 12
USUAL_BASES = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 3, 4, 5, 7, 9, 11, 13])


def mix(seed: str) -> dict[str, dict[str, Any]]:
    """Draw the options of one mix; the same text gives the same mix."""
    dice = random.Random(f"ninepeak mix {seed}")
    return {"rules": _rules(dice), "scoring": _scoring(dice)}


def _rules(dice: random.Random) -> dict[str, int]:
    """Draw a deal that the pack can make, now and then one that leaves no stock or hardly any."""
    pack = len(twin.PACK)
    players = dice.choice(twin.CHOICES["players"])
    how = dice.choices(["any", "usual", "whole pack", "short"], [5, 3, 2, 1])[0]
    if how == "usual":
        return {"players": players, "area_size": 6, "hand_size": 13}
    area = dice.randint(0, LARGEST_AREA)
    hand = dice.randint(1, min(LONGEST_HAND, (pack - area) // players))
    if how == "short":
        hand = dice.randint(1, 3)
    elif how == "whole pack":
        hand = min(LONGEST_HAND, (pack - area) // players)
        area = pack - players * hand - dice.randint(0, min(3, area))
    return {"players": players, "area_size": area, "hand_size": hand}


def _scoring(dice: random.Random) -> dict[str, Any]:
    chosen = {name: dice.choice(values) for name, values in twin.CHOICES.items() if name != "players"}
    return {
        **chosen,
        "base": _base(dice),
        "different": dice.choice([-1, -1, 0, 0, 1, 3, -2, -6, dice.randint(-20, 20)]),
        "perfect": dice.choice([0, 0, 1, 1, 2, -1, dice.randint(-9, 20)]),
        "no_joker_vp": dice.choice([3, 3, 6, 0, 1, -2, dice.randint(-60, 60)]),
        "early_finish_vp": dice.choice([6, 6, 0, 1, -5, dice.randint(-60, 60)]),
        "peak_card_vp": dice.choice([1, 1, 0, 2, -1, dice.randint(-20, 20)]),
        "unplaced_peak_vp": dice.choice([2, 2, 0, 1, -3, dice.randint(-20, 20)]),
    }


def _base(dice: random.Random) -> list[int]:
    """Draw what sets of one to nine cards multiply: usual, small, around zero, or large."""
    limits = dice.choice([None, None, (1, 13), (0, 2), (-3, 3), (-50, 50), (0, 999), (-999, 999)])
    if limits is None:
        return list(dice.choice(USUAL_BASES))
    return [dice.randint(*limits) for _ in range(9)]


# ---- players --------------------------------------------------------------------------------------------

TASTES = ("any", "random", "builder", "builder", "small", "waverer")


class Taste(NamedTuple):
    """How a random player chooses; tastes bring about what else is rare."""

    name: str
    least: int = 1
    """No smaller set, as long as there are cards enough."""

    @classmethod
    def draw(cls, dice: random.Random) -> Taste:
        """Draw one."""
        return cls(dice.choice(TASTES), dice.choice([1, 3, 5, 7, 8, 9]))


def chosen(match: twin.Match, dice: random.Random, taste: Taste) -> str:
    """Choose a move; `any`, uniform among all, is left to the caller, who has them numbered."""
    if match.phase == "keep":
        return "keep" if dice.random() < (0.5 if taste.name == "random" else 0.8) else "release"
    assert match.to_move is not None
    hand, values = match.hands[match.to_move], match.playable()
    if taste.name == "small" and values and dice.random() < 0.8:
        return _play(match, dice, values[0])
    if taste.name in ("builder", "waverer"):
        large = [value for value in values if value >= min(taste.least, len(hand))]
        if large and dice.random() < 0.9:
            return _play(match, dice, large[-1])
        return _pass(match, dice, back=taste.name == "waverer")
    return twin.random_move(match, dice.randrange)


def _play(match: twin.Match, dice: random.Random, value: int) -> str:
    return f"play {value}: {' '.join(twin.in_order(dice.sample(match.usable(value), value)))}"


def _pass(match: twin.Match, dice: random.Random, *, back: bool) -> str:
    """Choose of a few passes the one that brings most to a peak, or closest; or that would, but for the taking."""
    hand = match.hands[match.to_move or 0]
    found = [twin.Move("pass one", tuple(dice.sample(hand, 1))) for _ in range(4)]
    if len(hand) > 1:
        for _ in range(12):
            pair = tuple(twin.in_order(dice.sample(hand, 2)))
            found.append(twin.Move("pass two", pair, dice.choice([*match.area, *pair])))

    def closeness(move: twin.Move) -> tuple[int, ...]:
        put, after = Counter(match.area), Counter(match.area)
        for card in move.cards:
            put[card] += 1
            after[card] += 1
        after[move.taken] -= 1
        reached, kept = (
            [
                number + sum(count for card, count in lying.items() if card.endswith(str(number)))
                for number in twin.NUMBERS
                if number not in match.peaks
            ]
            for lying in (put, after)
        )
        fallen = sum(a >= 9 > b for a, b in zip(reached, kept, strict=True))
        return fallen if back else 0, sum(reach >= 9 for reach in kept), max(kept, default=0)

    return max(found, key=closeness).text


# ---- comparing ------------------------------------------------------------------------------------------

ALL_MOVES = 200
"""Positions with more moves are compared by some of them."""
SOME_MOVES = 12
_AS_THEY_ARE = ("over", "peaks", "won", "set_points", "stock", "phase", "scores")
_EVENTS_AT_THE_END = {"rounds", "went_out"}


def compare(table: Table, match: twin.Match, where: str) -> None:
    """Demand that engine and twin agree on the position."""
    ours, theirs = table.inspect(), match.inspect()
    wanted: dict[str, Any] = {key: theirs[key] for key in _AS_THEY_ARE}
    wanted |= {
        "to_move": -1 if theirs["to_move"] is None else theirs["to_move"],
        "hands": [" ".join(hand) for hand in theirs["hands"]],
        "area": " ".join(theirs["area"]),
        "sets": [[" ".join(cards) for cards in sets] for sets in theirs["sets"]],
        "turned": theirs["turned"] or "",
        "round": theirs["events"]["rounds"],
        "winners": [] if theirs["winner"] is None else [theirs["winner"]],
        "vp": {f"vp_{part}": vp for part, vp in theirs["vp"].items()},
        "gone": " ".join(twin.in_order(_gone(match))),
    }
    for key, value in wanted.items():
        assert ours[key] == value, (where, key, ours[key], value)
    assert bool(table.state["view"]["last_round"]) == theirs["last_round"], where
    for name, count in ours["events"].items():
        if match.over or name not in _EVENTS_AT_THE_END:
            assert count == theirs["events"][name], (where, name, count, theirs["events"][name])


def _gone(match: twin.Match) -> list[str]:
    won = [card for cards in match.won_cards for card in cards]
    return [*won, *match.discarded, *(card for sets in match.sets for cards in sets for card in cards)]


def compare_moves(table: Table, match: twin.Match, dice: random.Random, where: str) -> list[int]:
    """Demand that they agree on what is legal: on everything if that is not much; return engine's moves."""
    count = table.count_moves()
    assert count == match.count_legal(), (where, count, match.count_legal())
    everything = count <= ALL_MOVES
    numbers = range(count) if everything else sorted({0, count - 1, *dice.sample(range(count), SOME_MOVES)})
    moves = [support.nth(table, number) for number in numbers]
    texts = [table.move_text(move) for move in moves]
    assert len(set(moves)) == len(moves), (where, "twice")
    assert texts == [support.meaning(match, move) for move in moves], where
    if everything:
        assert Counter(texts) == match.legal_counts(), where
    for move, said in zip(moves, texts, strict=True):
        assert support.allows(table, move), (where, said)
        assert match.is_legal(said), (where, said)
    # Of those that the engine does not number here, and of those that are hardly ever legal.
    another = twin.random_move(match, dice.randrange)
    assert table.allows(another), (where, another)
    for move in support.strange_moves(moves, dice, 8):
        meant = support.meaning(match, move)
        assert support.allows(table, move) == (meant is not None and match.is_legal(meant)), (
            where,
            move,
            meant,
        )
    # There and back: of cards alike another may come back.
    for said in (another, *dice.sample(texts, min(3, len(texts)))):
        back = text.move_of(table.state["view"], text.parse_move(said)[1])
        assert support.allows(table, back), (where, said)
        assert table.move_text(back) == support.meaning(match, back) == twin.canonical(said) == said, where
    return moves


def compare_ends(table: Table, match: twin.Match, dealt: list[list[str]], where: str) -> None:
    """Demand that they agree on what is told of a match that is over."""
    wins, scores = np.zeros(match.n, np.int64), np.zeros(match.n, np.int64)
    tie = support.ENGINE.result(table.state, table.rules, wins, scores)
    assert (bool(tie), list(scores)) == (match.tie, match.scores), where
    assert list(wins) == [support.ENGINE.WIN * (seat == match.winner) for seat in range(match.n)], where
    own = {event.name: number for number, event in enumerate(support.GAME.state.SEAT_EVENTS)}
    labels = np.zeros((match.n, len(LABELS)), np.int64)
    support.ENGINE.label(table.state, table.rules, labels)
    for seat in range(match.n):
        tally = {name: int(table.state["seat_tally"][seat, number]) for name, number in own.items()}
        assert tally == {
            "own_sets": len(match.sets[seat]),
            "own_out": not match.hands[seat],
            "own_cards_left": len(match.hands[seat]),
            **{f"own_vp_{part}": vp[seat] for part, vp in match.vp.items()},
        }, (where, seat)
        sizes = sorted(len(cards) for cards in match.sets[seat])
        told = [text.label_text(label.name, int(labels[seat, i])) for i, label in enumerate(LABELS)]
        assert told == [
            "·".join(map(str, sizes)) or "none",
            str(_jokers(dealt[seat])),
            str(sum(map(_jokers, match.sets[seat]))),
        ], (where, seat)


def _jokers(cards: Sequence[str]) -> int:
    return sum(card.startswith("J") for card in cards)


# ---- playing --------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """What came of a match on both."""

    decisions: int
    branching: int
    seen: Counter[str]
    """What happened in it, by `happened` and `ended`."""


def happened(before: twin.Match, said: str, after: twin.Match) -> set[str]:
    """Return what was special about a move, for the tests to see that all of it has been compared."""
    seat = before.to_move
    assert seat is not None
    move = twin.parse(said)
    won, discarded = after.peaks_won - before.peaks_won, after.peaks_discarded - before.peaks_discarded
    found = {move.kind: True, "wins by a peak": won > 0, "two peaks at once": won > 1}
    numbers = [int(card[1]) for card in (before.turned or "S0", *move.cards)][1:]
    put, lying = Counter(numbers), Counter(int(card[1]) for card in before.area)
    if move.taken:
        number = int(move.taken[1])
        found |= {
            "takes a card just put": move.taken in move.cards and move.taken not in before.area,
            "takes a card that lay there": move.taken not in move.cards,
            "takes of a peaked number": number in before.peaks,
            "wins of a number it takes from": won > 0
            and number in after.peaks
            and number not in before.peaks,
            "falls back": number + lying[number] + put[number] >= 9 and number not in after.peaks,
        }
    if move.kind == "play":
        own = before.sets[seat]
        found |= {
            f"set of {move.value}": True,
            "a card turned for its peak": discarded > 0,
            "same size again": bool(own) and len(own[-1]) == move.value,
            "by width": any(number < move.value and number not in before.peaks for number in numbers),
            "below its number": any(number > move.value for number in numbers),
            "a joker in a set": _jokers(move.cards) > 0,
            "no card to turn": not before.stock,
            "a card turned at the very end": after.over and bool(before.stock),
            "out by a play": not after.hands[seat] and after.phase != "keep",
        }
    elif move.kind.startswith("pass"):
        found |= {
            "puts of a peaked number": any(number in before.peaks for number in numbers),
            "out by a pass": not after.hands[seat],
        }
    else:
        found |= {
            "kept by an empty hand": move.kind == "keep" and not before.hands[seat],
            "a card let go for its peak": discarded > 0,
        }
    return {name for name, is_so in found.items() if is_so}


def ended(match: twin.Match, dealt: twin.Match) -> set[str]:
    """Return what was special about a match."""
    out = sum(not hand for hand in match.hands)
    left = len(twin.NUMBERS) - len(match.peaks)
    vp = match.vp
    found = {
        "peaks at set-up": dealt.peaks_discarded > 0,
        "cards left": out < match.n,
        "a tie": match.tie,
        "more than one round": match.rounds > 1,
        "jokers won": any(map(_jokers, match.won_cards)),
        "no set": not all(match.sets),
        "peak cards that cannot be split": any(vp["unplaced_peaks"]) and out > 1 and left % out > 0,
        "fixed": match.scoring["early_finish"] == "fixed" and any(vp["early_finish"]),
        "recolour": match.scoring["early_finish"] == "recolour" and any(vp["early_finish"]),
        "no joker per_set": match.scoring["no_joker"] == "per_set" and any(vp["no_joker"]),
        "no joker flat": match.scoring["no_joker"] == "flat" and any(vp["no_joker"]),
        "less than nothing": min(match.scores) < 0,
    }
    return {name for name, is_so in found.items() if is_so}


def play(table: Table, match: twin.Match, tastes: Sequence[Taste], seed: str) -> Played:
    """Play a match on both, one taste a seat, and compare at every step."""
    dice = random.Random(seed)
    dealt = match.copy()
    known = support.Known(match.n)
    seen: Counter[str] = Counter()
    decisions = branching = 0
    while True:
        where = f"{match.options}, {seed}, decision {decisions}"
        compare(table, match, where)
        support.assert_conserved(table)
        assert table.inspect()["known"] == known.texts(), where
        assert (decisions, branching) == (match.decisions, match.branching), where
        if match.over:
            break
        moves = compare_moves(table, match, dice, where)
        seat = match.to_move or 0
        taste = tastes[seat]
        branching += table.count_moves()
        decisions += 1
        if taste.name == "any":
            move = dice.choice(moves)
            said = table.move_text(move)
            table.apply(move)
        else:
            said = chosen(match, dice, taste)
            table.play(said, seat)
        known.move(seat, said)
        before = match.copy()
        match.apply(said)
        seen.update(happened(before, said, match))
    assert table.over
    assert list(table.moves()) == match.legal() == []
    compare_ends(table, match, dealt.hands, where)
    seen.update(ended(match, dealt))
    return Played(decisions, branching, seen)


def play_draft(draft: Draft, seed: int, deal: int) -> Played:
    """Play a match of a draft on both; the seed names the players too."""
    dice = random.Random(f"tastes {seed} {deal}")
    tastes = [Taste.draw(dice) for _ in range(draft.players)]
    table = Table(draft, seed=seed, deal=deal)
    played = play(table, support.twin_match(draft, seed, deal), tastes, f"seed {seed}, deal {deal}")
    assert played.decisions <= support.decisions_bound(draft)
    return played


def play_mix(number: int) -> Played:
    """Play random mix `number`."""
    options = mix(str(number))
    return play_draft(support.draft_of(**options), number, number % 7)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a range of mixes, see `tests.lockstep.runner`."""

    def numbers(number: int) -> tuple[int, Counter[str]]:
        played = play_mix(number)
        return played.decisions, played.seen

    return runner.run(sys.modules[__name__], numbers, arguments)


if __name__ == "__main__":
    sys.exit(main())
