"""Plays: which ones a hand holds (D12, D13, D16), and which effects one sets off (D15, D20-D31)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tests.reference.daifugo.notation import (
    ABOVE,
    BELOW,
    JOKER,
    PLACE,
    RANKS,
    SUITS,
    TOP,
    in_order,
    is_joker,
    stated,
)
from tests.reference.daifugo.options import IN_SEQUENCES

ONLY_JOKERS = TOP + 1  # D12, D19: the rank of jokers alone, one step above the strongest in either order
EMPEROR_LENGTH = 4

EXACT_SIZE = {"rokurokubi": 2, "ambulance": 2, "omen": 3, "coup": 3, "sandstorm": 3}  # D29-D31
ANY_SIZE = ("eight_cut", "skip", "pass_on", "reverse", "discard", "bomber")  # D22, D24-D28


class Play(NamedTuple):
    """The cards put down in one turn."""

    kind: str  # group, sequence or emperor
    low: int  # the place of a group's rank (or ONLY_JOKERS); the lowest place of a sequence
    cards: tuple[str, ...]  # in order, jokers as stated
    suits: frozenset[str]  # of the natural cards, and of the jokers that are stated

    @property
    def size(self) -> int:
        return len(self.cards)

    @property
    def high(self) -> int:
        """The highest place of a sequence."""
        return self.low + self.size - 1

    @property
    def jokers(self) -> int:
        return sum(map(is_joker, self.cards))

    @property
    def bare_jokers(self) -> int:
        """Jokers that are not stated."""
        return self.cards.count(JOKER)

    @property
    def is_single_joker(self) -> bool:
        return self.kind == "group" and self.low == ONLY_JOKERS and self.size == 1

    @property
    def text(self) -> str:
        return " ".join(("play", *self.cards))


def make(kind: str, low: int, cards: Sequence[str]) -> Play:
    suits = (card[len(JOKER) + 1] if is_joker(card) else card[0] for card in cards if card != JOKER)
    return Play(kind, low, tuple(in_order(cards)), frozenset(suits))


def groups(hand: Sequence[str], rules: Mapping[str, Any], size: int = 0, rank: str = "") -> Iterator[Play]:
    """D12: every group in the hand, or those of a size, of a rank (then with one natural card at least)."""
    jokers = hand.count(JOKER)
    for place, name in enumerate(RANKS):
        if rank and name != rank:
            continue
        same = [card for card in hand if PLACE.get(card) == place]
        for naturals in range(1, len(same) + 1):
            for added in range(jokers + 1):
                if size and naturals + added != size:
                    continue
                for cards in combinations(same, naturals):
                    for fill in _group_jokers(cards, added, place, rules):
                        yield make("group", place, [*cards, *fill])
    if not rank:
        for count in range(1, jokers + 1):
            if size in (0, count):
                yield make("group", ONLY_JOKERS, [JOKER] * count)


def _group_jokers(
    cards: Sequence[str], count: int, place: int, rules: Mapping[str, Any]
) -> Iterator[list[str]]:
    """D18: jokers of a group are stated under `lock_by_joker` only, as suits not shown.

    Open: in a group of five or six the suits run out; the jokers left over are not stated then.
    """
    if not rules["lock_by_joker"]:
        yield [JOKER] * count
        return
    free = [suit for suit in SUITS if suit not in {card[0] for card in cards}]
    shown = min(count, len(free))
    for suits in combinations(free, shown):
        yield [*(stated(suit, place) for suit in suits), *[JOKER] * (count - shown)]


def sequences(hand: Sequence[str], rules: Mapping[str, Any], length: int = 0) -> Iterator[Play]:
    """D13: every sequence in the hand, or those of a length; jokers may stand for cards held as well."""
    if not rules["sequences"]:
        return
    lowest, highest = (BELOW, ABOVE) if rules["joker_beyond_ends"] else (0, TOP)
    for suit in SUITS:
        longest = sum(card[0] == suit for card in hand if card != JOKER) + hand.count(JOKER)
        lengths = [length] if length else range(rules["sequence_min"], longest + 1)
        for low in range(lowest, highest + 1):
            for high in (low + n - 1 for n in lengths if n <= longest):
                if high <= highest:
                    yield from _filled("sequence", [(suit, place) for place in range(low, high + 1)], hand)


def emperors(hand: Sequence[str], rules: Mapping[str, Any]) -> Iterator[Play]:
    """D16. Open: `joker_beyond_ends` is about D13's sequences; an emperor lies within 3 … 2."""
    if not rules["emperor"]:
        return
    for low in range(TOP - EMPEROR_LENGTH + 2):
        places = range(low, low + EMPEROR_LENGTH)
        for suits in permutations(SUITS):
            yield from _filled("emperor", list(zip(suits, places, strict=True)), hand)


def candidates(
    hand: Sequence[str], table: Play | None, rules: Mapping[str, Any], ranks: Mapping[str, str]
) -> list[Play]:
    """What a hand has of the table's kind and size, and what might go on any table (D31)."""
    if table is None:
        return [*groups(hand, rules), *sequences(hand, rules), *emperors(hand, rules)]
    found = list(groups(hand, rules, size=EXACT_SIZE["sandstorm"], rank=ranks["sandstorm"]))
    if table.kind == "group":
        found += groups(hand, rules, size=table.size)
    elif table.kind == "sequence":
        found += sequences(hand, rules, length=table.size)
    else:
        found += emperors(hand, rules)
    return found


def _filled(kind: str, wanted: list[tuple[str, int]], hand: Sequence[str]) -> Iterator[Play]:
    """Every way to show the wanted cards from a hand; they are more than the jokers, so one is natural."""
    jokers = hand.count(JOKER)
    held = [(suit, place) for suit, place in wanted if _name(suit, place) in hand]
    missing = len(wanted) - len(held)
    for instead in range(jokers - missing + 1):
        for replaced in combinations(held, instead):
            naturals = [spot for spot in held if spot not in replaced]
            cards = [_name(*spot) if spot in naturals else stated(*spot) for spot in wanted]
            yield make(kind, wanted[0][1], cards)


def _name(suit: str, place: int) -> str:
    return suit + RANKS[place] if 0 <= place <= TOP else ""


def count_of(play: Play) -> int:
    """k: the cards of a group, jokers included; in a sequence an effect has k = 1 (D15)."""
    return play.size if play.kind == "group" else 1


def effects_of(play: Play, rules: Mapping[str, Any], ranks: Mapping[str, str]) -> set[str]:
    """What a play sets off by its own cards (all but D32 and D43, which look at the table and the order).

    Beside the names of the options there are ``sequence_revolution`` (D15) and ``eleven_back_triple`` (D20).
    """
    if play.kind == "group":
        return _group_effects(play, rules, ranks)
    places = range(play.low, play.high + 1)
    found = {
        # Open: a joker in a sequence counts as the card it is stated to be; an emperor is a sequence here
        # too; an effect acts in sequences too, so it needs its own option as well.
        effect
        for name, effect in IN_SEQUENCES.items()
        if name in rules["sequence_effects"] and rules[effect] and RANKS.index(ranks[effect]) in places
    }
    if 0 < rules["sequence_revolution"] <= play.size:
        found.add("sequence_revolution")
    return found


def _group_effects(play: Play, rules: Mapping[str, Any], ranks: Mapping[str, str]) -> set[str]:
    if play.low == ONLY_JOKERS:  # a joker alone is never an 8, a J, …
        return set()

    def acts(effect: str) -> bool:
        return bool(rules[effect]) and ranks[effect] == RANKS[play.low]

    found = {effect for effect in ANY_SIZE if acts(effect)}
    found |= {effect for effect, size in EXACT_SIZE.items() if acts(effect) and play.size == size}
    if rules["revolution"] and play.size >= 4:  # D21
        found.add("revolution")
    if acts("eleven_back"):  # D20. Open: the triple is a form of it, so it needs `eleven_back`.
        found.add("eleven_back_triple" if rules["eleven_back_triple"] and play.size == 3 else "eleven_back")
    return found


def is_sandstorm(play: Play, rules: Mapping[str, Any], ranks: Mapping[str, str]) -> bool:
    return play.kind == "group" and "sandstorm" in effects_of(play, rules, ranks)


def answers(hand: Sequence[str], cut: Play, rules: Mapping[str, Any], ranks: Mapping[str, str]) -> list[Play]:
    """D23: what may be put against an eight cut.

    Open: `sandstorm_stops_cut` holds for every eight cut (of three eights and more, in a sequence), and
    without `four_stop`.
    """
    found: list[Play] = []
    if rules["four_stop"] and cut.kind == "group" and cut.size <= 2:
        found += groups(hand, rules, size=2 * cut.size, rank=ranks["four_stop"])
    if rules["sandstorm"] and rules["sandstorm_stops_cut"]:
        found += groups(hand, rules, size=EXACT_SIZE["sandstorm"], rank=ranks["sandstorm"])
    return found
