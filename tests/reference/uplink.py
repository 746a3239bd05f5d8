"""A plain-Python twin of Uplink: slow and literal, the oracle for the fast engine.

Written from the rules alone (clauses U1-U23), sharing no code with the engine. Cards
are names such as ``S3`` or ``H10``, moves are texts, and chance enters only through
the two callables a match is given.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

Options = Mapping[str, Mapping[str, Any]]

SUITS = ("S", "H", "D", "C")  # U20: seat i owns suit i
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # U3, rising
FACES = ("J", "Q", "K")
PACK = tuple(suit + rank for suit in SUITS for rank in RANKS)  # U1

DEFAULT_RULES: Mapping[str, Any] = {
    "players": 4,  # U2
    "hand_size": 5,  # U5, U13
    "games": 4,  # U16
    "left_behind": 1,  # U10
    "tied_top": "later",  # U9: later / earlier / second
    "next_lead": "taker",  # U12: taker / rotate
    "ace": "high",  # U3: high / low
    "heart_pair": 2,  # U15: a number, or "off"
    "variant": "none",  # U20-U23: none / personal_decks
    "set_of_three": 2,  # U23
}
DEFAULT_POINTS: Mapping[str, int] = {  # U4
    **dict.fromkeys(("2", "3"), 3),
    **dict.fromkeys(("4", "5", "6"), 2),
    **dict.fromkeys(("7", "8", "9"), 1),
    "10": 0,
    **dict.fromkeys(FACES, -2),
    "A": 1,
}
CHOICES = {
    "tied_top": ("later", "earlier", "second"),
    "next_lead": ("taker", "rotate"),
    "ace": ("high", "low"),
    "variant": ("none", "personal_decks"),
}


class PileScore(NamedTuple):
    """What one pile scores, and which combinations made it up."""

    points: int
    heart_pairs: int
    sets_of_three: int


def settle(options: Options) -> tuple[dict[str, Any], dict[str, int]]:
    """The rules and the points table, with defaults for whatever is not given."""
    rules = {**DEFAULT_RULES, **options.get("rules", {})}
    points = {**DEFAULT_POINTS, **options.get("points", {})}
    unknown = (rules.keys() - DEFAULT_RULES.keys()) | (points.keys() - set(RANKS) - set(PACK))
    if unknown:
        raise ValueError(f"unknown options: {sorted(unknown)}")
    for name, allowed in CHOICES.items():
        if rules[name] not in allowed:
            raise ValueError(f"{name} is one of {allowed}, not {rules[name]!r}")
    if not 2 <= rules["players"] <= 4:
        raise ValueError("players is 2 to 4")
    if not 0 <= rules["left_behind"] <= rules["players"]:
        raise ValueError("left_behind is 0 to players")
    return rules, points


def rank_of(card: str) -> str:
    return card[1:]


def strength(card: str, ace: str) -> int:
    """Greater is stronger; equal ranks are equal (U3)."""
    if ace == "low" and rank_of(card) == "A":
        return -1
    return RANKS.index(rank_of(card))


def card_points(card: str, points: Mapping[str, int]) -> int:
    """U4: the card's own entry in the table, else the entry of its rank."""
    return points[card] if card in points else points[rank_of(card)]


def trick_taker(played: Mapping[int, str], tied_top: str, ace: str) -> int:
    """The seat that takes a trick, given seat -> card in the order of play (U9)."""
    power = {seat: strength(card, ace) for seat, card in played.items()}

    def strongest(seats: Iterable[int]) -> list[int]:
        seats = list(seats)
        best = max(power[seat] for seat in seats)
        return [seat for seat in seats if power[seat] == best]

    tied = strongest(played)
    if tied_top == "earlier":
        return tied[0]
    if tied_top == "second" and len(tied) > 1:
        others = [seat for seat in played if seat not in tied]
        if others:
            tied = strongest(others)
    return tied[-1]


def pile_points(pile: Iterable[str], options: Options) -> PileScore:
    """U14 with U15, or with U23 in place of U15 under personal decks."""
    rules, points = settle(options)
    cards = set(pile)
    total = sum(card_points(card, points) for card in cards if rank_of(card) not in FACES)
    heart_pairs = sets_of_three = 0
    for rank in FACES:
        faces = [card for card in PACK if card in cards and rank_of(card) == rank]
        values = {card: card_points(card, points) for card in faces}
        heart = "H" + rank
        others = [card for card in faces if card != heart]
        if rules["variant"] == "personal_decks":
            if len(faces) == 3:  # exactly three; four score their card points
                sets_of_three += 1
                total += rules["set_of_three"]
                continue
        elif rules["heart_pair"] != "off" and heart in faces and others:
            heart_pairs += 1
            total += rules["heart_pair"]
            # The partner is the card whose own points are the lowest.
            del values[min(others, key=values.__getitem__)], values[heart]
        total += sum(values.values())
    return PileScore(total, heart_pairs, sets_of_three)


class Match:
    """One match, moved along by texts; see ``legal``, ``play`` and ``inspect``."""

    def __init__(
        self,
        options: Options,
        pack_order: Callable[[int], list[str]],
        deck_order: Callable[[int, int], list[str]],
    ) -> None:
        self.options = options
        self.rules, self.points = settle(options)
        self.pack_order = pack_order
        self.deck_order = deck_order
        self.n: int = self.rules["players"]
        self.personal: bool = self.rules["variant"] == "personal_decks"

        self.hands: list[set[str]] = [set() for _ in range(self.n)]
        self.piles: list[set[str]] = [set() for _ in range(self.n)]
        self.field: set[str] = set()
        self.put_out: dict[int, str] = {}  # chosen in game 1, not yet revealed
        self.trick_cards: dict[int, str] = {}  # in the order of play
        self.stock: list[str] = []  # standard game
        self.decks: list[list[str]] = [[] for _ in range(self.n)]  # personal decks
        # Out of play: piles of finished games since the last new stock, and suits
        # nobody owns (U16, U20, U21).
        self.aside: set[str] = set()

        self.game = 1
        self.trick = 1
        self.leader = 0  # U7
        self.to_move = 0
        self.phase = "put"
        self.scores = [0] * self.n
        self.winners: list[int] = []
        self.heart_pairs = 0
        self.sets_of_three = 0
        self.tricks_by_lead_position = [0] * self.n
        self.tricks_by_seat = [0] * self.n
        self.decisions = 0
        self.branching = 0

        self._new_stock(1)
        self._deal(self.rules["hand_size"] + 1)  # U5, U21

    # -- moves ---------------------------------------------------------------

    def legal(self) -> list[str]:
        """Every legal move of the seat to move, once each."""
        if self.phase == "over":
            return []
        if self.phase == "leave":  # U10: a fixed number stays, whichever they are
            stay = min(self.rules["left_behind"], len(self.field))
            field = sorted(self.field, key=PACK.index)
            return [" ".join(("leave", *kept)) for kept in combinations(field, stay)]
        # U6, U8: any card of the hand
        hand = sorted(self.hands[self.to_move], key=PACK.index)
        return [f"{self.phase} {card}" for card in hand]

    def play(self, move: str) -> None:
        """Make a move of the seat to move; ValueError when it is not legal."""
        verb, *cards = move.split() or [""]
        legal = self.legal()
        if " ".join((verb, *sorted(cards, key=_pack_place))) not in legal:
            raise ValueError(f"illegal move {move!r}; legal: {legal}")
        self.decisions += 1
        self.branching += len(legal)
        if verb == "put":
            self._put(cards[0])
        elif verb == "play":
            self._play_card(cards[0])
        else:
            self._leave(set(cards))

    def _put(self, card: str) -> None:
        """U6: choices stay hidden, cards stay in hand, until everybody has chosen."""
        self.put_out[self.to_move] = card
        if len(self.put_out) < self.n:
            self.to_move += 1
            return
        for seat, chosen in self.put_out.items():
            self.hands[seat].remove(chosen)
            self.field.add(chosen)
        self.put_out = {}
        self._lead(0)  # U7

    def _play_card(self, card: str) -> None:
        """U8, U9: after the last card the taker is asked what to leave."""
        self.hands[self.to_move].remove(card)
        self.trick_cards[self.to_move] = card
        if len(self.trick_cards) < self.n:
            self.to_move = (self.to_move + 1) % self.n
            return
        self.phase = "leave"
        self.to_move = trick_taker(self.trick_cards, self.rules["tied_top"], self.rules["ace"])

    def _leave(self, kept: set[str]) -> None:
        taker = self.to_move
        captured = (self.field - kept) | {self.trick_cards.pop(taker)}  # U10
        self.piles[taker] |= captured
        self.field = kept | set(self.trick_cards.values())  # U11
        self.trick_cards = {}
        self.tricks_by_seat[taker] += 1
        self.tricks_by_lead_position[(taker - self.leader) % self.n] += 1

        if self.trick == self.rules["hand_size"]:  # U13
            self._end_game(taker)
            return
        self.trick += 1
        rotate = self.rules["next_lead"] == "rotate"
        self._lead((self.leader + 1) % self.n if rotate else taker)  # U12

    def _lead(self, seat: int) -> None:
        self.phase = "play"
        self.leader = self.to_move = seat

    # -- games ---------------------------------------------------------------

    def _end_game(self, taker: int) -> None:
        for seat, pile in enumerate(self.piles):  # U14
            score = pile_points(pile, self.options)
            self.scores[seat] += score.points
            self.heart_pairs += score.heart_pairs
            self.sets_of_three += score.sets_of_three
        if self.game == self.rules["games"]:  # U18
            best = max(self.scores)
            self.winners = [s for s in range(self.n) if self.scores[s] == best]
            self.phase = "over"
            self.leader, self.to_move = taker, -1
            return
        self.aside |= set().union(*self.piles)  # U16: only the field stays
        self.piles = [set() for _ in range(self.n)]
        self.game += 1
        self.trick = 1
        if self.game % 2 == 1:  # U17, U22: before games 3, 5, 7, ...
            self._new_stock((self.game + 1) // 2)
        self._deal(self.rules["hand_size"])
        self._lead(taker)  # U16, under next_lead "rotate" too

    def _new_stock(self, cycle: int) -> None:
        """U5, U17, U20, U22: all but the field comes back, in the order given."""
        if not self.personal:
            order = self.pack_order(cycle)
            assert sorted(order) == sorted(PACK), "an order of the whole pack"
            self.stock = [card for card in order if card not in self.field]
            self.aside = set()
            return
        for seat in range(self.n):
            own = [card for card in PACK if card[0] == SUITS[seat]]
            order = self.deck_order(cycle, seat)
            assert sorted(order) == sorted(own), "an order of the seat's suit"
            self.decks[seat] = [card for card in order if card not in self.field]
        self.aside = {card for card in PACK if card[0] not in SUITS[: self.n]}

    def _deal(self, count: int) -> None:
        """Each seat from 0 takes one block from the top of the stock, or of its deck."""
        for seat in range(self.n):
            source = self.decks[seat] if self.personal else self.stock
            assert len(source) >= count, "the deal cannot be made"  # U22
            self.hands[seat] = set(source[:count])
            del source[:count]

    # -- looking -------------------------------------------------------------

    def inspect(self) -> dict[str, Any]:
        """Everything about the match, hidden cards included, in fresh containers."""
        return {
            "to_move": self.to_move,
            "over": self.phase == "over",
            "phase": self.phase,
            "hands": [frozenset(hand) for hand in self.hands],
            "field": frozenset(self.field),
            "trick_cards": dict(self.trick_cards),
            "piles": [frozenset(pile) for pile in self.piles],
            "scores": list(self.scores),
            "pile_points": [pile_points(p, self.options).points for p in self.piles],
            "game": self.game,
            "trick": self.trick,
            "leader": self.leader,
            "winners": list(self.winners),
            "stock": [list(d) for d in self.decks] if self.personal else list(self.stock),
            "events": {
                "heart_pairs": self.heart_pairs,
                "sets_of_three": self.sets_of_three,
                "tricks_by_lead_position": list(self.tricks_by_lead_position),
                "tricks_by_seat": list(self.tricks_by_seat),
                "decisions": self.decisions,
                "branching": self.branching,
            },
        }

    def copy(self) -> Match:
        """An independent match; only the options and the two callables are shared."""
        shared = (self.options, self.pack_order, self.deck_order)
        return copy.deepcopy(self, {id(thing): thing for thing in shared})


def _pack_place(card: str) -> int:
    """Where a card sorts; words that are no cards go last, and match no legal move."""
    return PACK.index(card) if card in PACK else len(PACK)
