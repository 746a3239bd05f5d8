"""A match from its deal to its scores."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any

from tests.reference.ninepeak.notation import (
    JOKER,
    KINDS,
    NUMBERS,
    PACK,
    PEAK,
    Cards,
    Move,
    cards_of,
    holds,
    in_order,
    number_of,
    parse,
    suit_of,
)
from tests.reference.ninepeak.options import Options, settle
from tests.reference.ninepeak.scoring import points_of_set, recolour_gain

VP_PARTS = ("sets", "no_joker", "peak_cards", "unplaced_peaks", "early_finish")


class Match:
    """One match, moved along by texts; see ``legal``, ``apply``, ``inspect`` and ``information``."""

    def __init__(self, options: Options, *, area: Cards, hands: Sequence[Cards], stock: Cards) -> None:
        """Start a match from its deal: the area as laid, before anything peaks (P3)."""
        self._set_up(options, area, hands, stock)
        sizes = [len(self.area), *map(len, self.hands)]
        if sizes != [self.rules["area_size"], *[self.rules["hand_size"]] * self.n]:
            raise ValueError(f"this is not the deal of the rules: {sizes}")
        if self.discarded:
            raise ValueError("the deal is not the whole pack")
        self._discard_peaks()

    @classmethod
    def from_pack(cls, options: Options, pack: Cards) -> Match:
        """Deal a shuffled pack: the area first, then a hand for each seat, then the stock, its top first."""
        rules, _ = settle(options)
        cards, at, size = cards_of(pack), rules["area_size"], rules["hand_size"]
        cuts = [at + seat * size for seat in range(rules["players"] + 1)]
        hands = [cards[cut : cut + size] for cut in cuts[:-1]]
        return cls(options, area=cards[:at], hands=hands, stock=cards[cuts[-1] :])

    @classmethod
    def from_position(
        cls,
        options: Options,
        *,
        hands: Sequence[Cards],
        area: Cards = (),
        peaks: Iterable[int] = (),
        sets: Sequence[Sequence[Cards]] = (),
        won: Sequence[int] = (),
        stock: Cards = (),
        to_move: int = 0,
        last_round: bool | None = None,
    ) -> Match:
        """Start in the middle; whatever card is not given is out of play.

        Open: unless `last_round` says otherwise, an empty hand means that this round is the last.
        """
        match = cls.__new__(cls)
        match._set_up(options, area, hands, stock, sets)
        match.peaks = sorted(peaks)
        if match._new_peaks():
            raise ValueError("the area holds a number at its peak without the peak card")
        match.won_before = list(won) or [0] * match.n
        match.last_round = not all(match.hands) if last_round is None else last_round
        match._give_turn(to_move)
        return match

    def _set_up(
        self,
        options: Options,
        area: Cards,
        hands: Sequence[Cards],
        stock: Cards,
        sets: Sequence[Sequence[Cards]] = (),
    ) -> None:
        self.options = options
        self.rules, self.scoring = settle(options)
        self.n: int = self.rules["players"]
        if len(hands) != self.n or len(sets) not in (0, self.n):
            raise ValueError(f"{self.n} players have {self.n} hands")
        self.area = cards_of(area)
        self.hands = [cards_of(hand) for hand in hands]
        self.stock = cards_of(stock)  # its top first
        self.sets = [[in_order(cards_of(cards)) for cards in row] for row in sets or [[]] * self.n]
        self.peaks: list[int] = []
        self.won_cards: list[list[str]] = [[] for _ in range(self.n)]
        self.won_before = [0] * self.n  # counts that a position came with
        self.discarded: list[str] = []
        self.turned: str | None = None  # the card that `keep` or `release` is about
        self.to_move: int | None = 0
        self.phase = "turn"  # turn, keep or over
        self.last_round = False
        self.rounds = 1  # begun so far
        self.peaks_won = self.peaks_discarded = self.decisions = self.branching = 0
        self._vp: dict[str, list[int]] = {part: [0] * self.n for part in VP_PARTS}
        rest = Counter(PACK)
        rest.subtract(self.all_cards())
        if min(rest.values()) < 0:
            raise ValueError("a card is there too often")
        self.discarded = in_order(rest.elements())

    # -- what is legal -------------------------------------------------------

    def values(self, number: int) -> range:
        """What a card of this number may be used as at the moment."""
        if number in self.peaks:
            return range(1, PEAK + 1)
        return range(number, min(PEAK, number + self._width(number)) + 1)

    def _width(self, number: int) -> int:
        return sum(number_of(card) == number for card in self.area)

    def usable(self, value: int) -> list[str]:
        """The cards of the hand to move that can be used as the value, in order."""
        hand = in_order(self.hands[self._seat])
        return [card for card in hand if value in self.values(number_of(card))]

    def playable(self) -> list[int]:
        """P10, P11: the values of which a set can be played."""
        values = range(self._smallest(), PEAK + 1)
        return [value for value in values if len(self.usable(value)) >= value]

    def _smallest(self) -> int:
        """P11: the size of the set that the seat to move played last, 1 before any."""
        sets = self.sets[self._seat]
        return len(sets[-1]) if sets else 1

    def kinds(self) -> list[str]:
        """The legal kinds of a turn; empty unless a turn is due."""
        if self.phase != "turn":
            return []
        possible = (True, len(self.hands[self._seat]) >= 2, bool(self.playable()))
        return [kind for kind, can in zip(KINDS, possible, strict=True) if can]

    def _every_move(self) -> Iterator[Move]:
        """All legal moves, alike cards being different ones."""
        if self.phase == "keep":
            yield from (Move("keep"), Move("release"))
        if self.phase != "turn":
            return
        hand = in_order(self.hands[self._seat])
        for card in hand:
            yield Move("pass one", (card,))
        for pair in combinations(hand, 2):
            for taken in (*self.area, *pair):
                yield Move("pass two", pair, taken)
        for value in self.playable():
            for cards in combinations(self.usable(value), value):
                yield Move("play", cards, value=value)

    def legal_counts(self) -> Counter[str]:
        """Every legal move as text, with the number of ways to make it of alike cards."""
        return Counter(move.text for move in self._every_move())

    def legal(self) -> list[str]:
        """Every legal move of the seat to move, once each."""
        return list(self.legal_counts())

    def count_legal(self) -> int:
        """The number of legal moves, alike cards being different ones."""
        if self.phase != "turn":
            return 2 if self.phase == "keep" else 0
        held = len(self.hands[self._seat])
        plays = sum(comb(len(self.usable(value)), value) for value in self.playable())
        return held + comb(held, 2) * (len(self.area) + 2) + plays

    def is_legal(self, text: str) -> bool:
        """Whether this is a legal move of the seat to move, its cards in any order."""
        try:
            move = parse(text)
        except ValueError:
            return False
        if self.phase != "turn" or move.kind not in KINDS:
            return self.phase == "keep" and move.kind in ("keep", "release")
        if not holds(self.hands[self._seat], move.cards):
            return False
        if move.kind == "play":
            fits = all(move.value in self.values(number_of(card)) for card in move.cards)
            return len(move.cards) == move.value >= self._smallest() and fits
        return move.kind == "pass one" or move.taken in (*self.area, *move.cards)  # P5, P6

    # -- moving --------------------------------------------------------------

    @property
    def _seat(self) -> int:
        assert self.to_move is not None, "the match is over"
        return self.to_move

    def apply(self, text: str) -> None:
        """Make a move of the seat to move; ValueError when it is not legal."""
        if not self.is_legal(text):
            raise ValueError(f"illegal move {text!r} of seat {self.to_move} in phase {self.phase}")
        self.decisions += 1
        self.branching += self.count_legal()
        move, seat = parse(text), self._seat
        if move.kind == "play":
            self._play_set(seat, list(move.cards))
        elif move.kind in ("keep", "release"):
            self._settle_turned(seat, keep=move.kind == "keep")
        else:
            self._pass(seat, move)

    def _pass(self, seat: int, move: Move) -> None:
        for card in move.cards:  # P5, P6
            self.hands[seat].remove(card)
            self.area.append(card)
        if move.taken:
            self.area.remove(move.taken)
            self.hands[seat].append(move.taken)
        for number in self._new_peaks():  # P7, P8
            self.won_cards[seat] += self._place_peak(number)
            self.peaks_won += 1
        self._end_turn(seat)

    def _play_set(self, seat: int, cards: list[str]) -> None:
        for card in cards:  # P10
            self.hands[seat].remove(card)
        self.sets[seat].append(cards)
        if not self.stock:
            self._end_turn(seat)
            return
        self.turned = self.stock.pop(0)  # P12
        if self.scoring["no_joker"] == "draw_to_hand" and JOKER not in map(suit_of, cards):
            self.phase = "keep"
            return
        self._settle_turned(seat, keep=False)

    def _settle_turned(self, seat: int, *, keep: bool) -> None:
        assert self.turned is not None
        (self.hands[seat] if keep else self.area).append(self.turned)
        self.turned = None
        self.phase = "turn"
        self._discard_peaks()  # P12
        self._end_turn(seat)

    def _new_peaks(self) -> list[int]:
        reached = [number for number in NUMBERS if number + self._width(number) >= PEAK]
        return [number for number in reached if number not in self.peaks]  # P9

    def _place_peak(self, number: int) -> list[str]:
        """Put the peak card down; return the cards that leave the area."""
        leaving = [card for card in self.area if number_of(card) == number]
        self.area = [card for card in self.area if number_of(card) != number]
        self.peaks = sorted([*self.peaks, number])
        return leaving

    def _discard_peaks(self) -> None:
        """P3, P12: nobody gets the cards."""
        for number in self._new_peaks():
            self.discarded += self._place_peak(number)
            self.peaks_discarded += 1

    def _end_turn(self, seat: int) -> None:
        self.last_round = self.last_round or not self.hands[seat]  # P14
        self._give_turn(seat + 1)

    def _give_turn(self, first: int) -> None:
        """P14: the next seat of the round that has cards; the next round, unless this was the last."""
        in_round = [seat for seat in range(first, self.n) if self.hands[seat]]
        if not in_round and not self.last_round and any(self.hands):
            self.rounds += 1
            in_round = [seat for seat in range(self.n) if self.hands[seat]]
        if in_round:
            self.to_move = in_round[0]
        else:
            self.to_move, self.phase = None, "over"
            self._score()

    # -- scoring -------------------------------------------------------------

    def _score(self) -> None:
        scoring, vp = self.scoring, self._vp
        out = [seat for seat in range(self.n) if not self.hands[seat]]
        for seat, sets in enumerate(self.sets):
            vp["sets"][seat] = sum(self.set_points[seat])  # P17
            if sets and not any(suit_of(card) == JOKER for cards in sets for card in cards):  # P18
                times = {"per_set": len(sets), "flat": 1}.get(scoring["no_joker"], 0)
                vp["no_joker"][seat] = times * scoring["no_joker_vp"]
            vp["peak_cards"][seat] = self.won[seat] * scoring["peak_card_vp"]  # P19
        if scoring["early_finish"] == "peak_cards" and out:  # P15: dealt out one by one
            for card in range(len(NUMBERS) - len(self.peaks)):
                vp["unplaced_peaks"][out[card % len(out)]] += scoring["unplaced_peak_vp"]
        for seat in out:
            if scoring["early_finish"] == "fixed":
                vp["early_finish"][seat] = scoring["early_finish_vp"]
            elif scoring["early_finish"] == "recolour":
                vp["early_finish"][seat] = recolour_gain(self.sets[seat], scoring)

    @property
    def won(self) -> list[int]:
        """P8: how many cards each seat has won."""
        return [before + len(cards) for before, cards in zip(self.won_before, self.won_cards, strict=True)]

    @property
    def set_points(self) -> list[list[int]]:
        """What each set of each seat scores by P17."""
        return [[points_of_set(cards, self.scoring) for cards in sets] for sets in self.sets]

    @property
    def vp(self) -> dict[str, list[int]]:
        """The VP of each seat by `VP_PARTS`; all zero until the match is over."""
        return copy.deepcopy(self._vp)

    @property
    def scores(self) -> list[int]:
        """The VP of each seat; zero until the match is over."""
        return [sum(part[seat] for part in self._vp.values()) for seat in range(self.n)]

    @property
    def winner(self) -> int | None:
        """P20: the lowest seat of those with the most VP; None until the match is over."""
        return self.scores.index(max(self.scores)) if self.over else None

    @property
    def tie(self) -> bool:
        """Whether the match is over and its most VP are shared."""
        return self.over and self.scores.count(max(self.scores)) > 1

    @property
    def over(self) -> bool:
        return self.phase == "over"

    # -- looking -------------------------------------------------------------

    def all_cards(self) -> list[str]:
        """Every card, wherever it is."""
        piles = [self.area, self.stock, self.discarded, [self.turned] if self.turned else []]
        piles += [*self.hands, *self.won_cards, *(cards for sets in self.sets for cards in sets)]
        return [card for pile in piles for card in pile]

    def events(self) -> dict[str, Any]:
        """The counts of the match so far; VP are totals over the players."""
        sizes = [len(cards) for sets in self.sets for cards in sets]
        return {
            "rounds": self.rounds,
            "sets": len(sizes),
            "sets_by_size": [sizes.count(size) for size in range(1, PEAK + 1)],
            "peaks_won": self.peaks_won,
            "peaks_discarded": self.peaks_discarded,
            "went_out": sum(not hand for hand in self.hands),
            **{f"vp_{part}": sum(self._vp[part]) for part in VP_PARTS},
            "decisions": self.decisions,
            "branching": self.branching,
        }

    def inspect(self) -> dict[str, Any]:
        """Everything about the match, hidden cards included, in fresh containers; cards in order."""
        return {
            "to_move": self.to_move,
            "phase": self.phase,
            "over": self.over,
            "hands": [in_order(hand) for hand in self.hands],
            "area": in_order(self.area),
            "peaks": list(self.peaks),
            "won": self.won,
            "sets": copy.deepcopy(self.sets),
            "set_points": self.set_points,
            "stock": list(self.stock),
            "turned": self.turned,
            "last_round": self.last_round,
            "scores": self.scores,
            "winner": self.winner,
            "tie": self.tie,
            "vp": self.vp,
            "events": self.events(),
        }

    def information(self, seat: int) -> Hashable:
        """All that a player may know. Open: only the player who is asked sees the card turned up."""
        return (
            (seat, self.to_move, self.phase, self.rounds, self.last_round),
            tuple(in_order(self.hands[seat])),
            self.turned if seat == self.to_move else None,
            tuple(in_order(self.area)),
            tuple(self.peaks),
            tuple(tuple(map(tuple, sets)) for sets in self.sets),
            tuple(map(len, self.hands)),
            tuple(self.won),
            tuple(tuple(in_order(cards)) for cards in self.won_cards),
            tuple(in_order(self.discarded)),
            len(self.stock),
        )

    def copy(self) -> Match:
        """An independent match; only the options are shared."""
        return copy.deepcopy(self, {id(self.options): self.options})
