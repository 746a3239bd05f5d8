"""A match: deals, exchanges and scores around its games (D1-D5, D10, D11, D42, D44)."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from tests.reference.daifugo.game import DIAMOND_THREE, Game
from tests.reference.daifugo.notation import (
    JOKER,
    PLACE,
    SUITS,
    TOP,
    canonical,
    cards_of,
    in_order,
    is_card,
    pack,
)
from tests.reference.daifugo.options import EVENTS, Options, settle
from tests.reference.daifugo.plays import Play


class Chance(Protocol):
    """Everything random."""

    def pack(self, game: int) -> list[str]:
        """The shuffled pack of a game (from 1), the first card dealt first."""

    def blind(self, game: int) -> list[str]:
        """D4: the cards of that pack that are taken out."""

    def seats(self, game: int) -> list[int]:
        """D10: the players in their new seat order; asked only where seats are drawn before that game."""

    def stalemate(self, game: int) -> list[int]:
        """D44: an order of all players."""


class Exchange(NamedTuple):
    """D11: a free choice that is still to be made."""

    rich: int
    poor: int
    cards: int  # how many
    gift: list[str]  # from the poor; not yet given where the rich may not see it


class Match:
    """One match, moved along by texts; see ``legal``, ``play`` and ``inspect``."""

    def __init__(self, options: Options, chance: Chance) -> None:
        self._set_up(options, chance)
        self._start_game()

    @classmethod
    def from_position(
        cls,
        options: Options,
        chance: Chance,
        *,
        hands: Sequence[str | Sequence[str]],
        to_move: int | None = None,
        scores: Sequence[int] = (),
        revolution: bool = False,
        direction: int = 1,
        previous_places: Sequence[int] = (),
        places: Sequence[int] = (),
        phase: str = "play",
        stock: Sequence[str] | str = (),
    ) -> Match:
        """One game from a position: an empty table, nothing put down yet; it is over when its places are decided.

        Open: without ``to_move`` D5's leader begins; with phase ``exchange`` D5 decides after it, and ``to_move``
        counts only where nobody holds ♦3. D42 acts on hands before a gift. The stock does not matter.
        """
        match = cls.__new__(cls)
        match._set_up(options, chance)
        match.single = True
        match.number = 1
        n = match.n
        dealt = [cards_of(hand) for hand in hands]
        match.aside = _rest_of_pack(match.rules["jokers"], [card for hand in dealt for card in hand])
        if len(dealt) != n:
            raise ValueError(f"{n} players have {n} hands")
        if previous_places and sorted(previous_places) != list(range(1, n + 1)):
            raise ValueError("previous_places has every place once")
        if len(scores) not in (0, n) or direction not in (1, -1) or phase not in ("play", "exchange"):
            raise ValueError("scores, direction or phase is not possible")
        if phase == "exchange" and not previous_places:
            raise ValueError("an exchange needs previous_places")
        match.scores = list(scores) or [0] * n
        match.previous_places = list(previous_places)
        match.game = match._new_game(dealt)
        match.game.revolution, match.game.direction = revolution, direction
        if places:
            match.game.places.set_up(places)
        active = match.game.places.left()
        if any(bool(dealt[player]) != (player in active) for player in range(n)):
            raise ValueError("who has no place holds cards, and nobody else does")
        if to_move is not None and to_move not in active:
            raise ValueError("to_move is a player without a place")
        match.fallback_leader = active[0] if to_move is None else to_move
        if phase == "exchange":
            match._exchange()
        else:
            match.game.lead(match._first_leader() if to_move is None else to_move)
        return match

    def _set_up(self, options: Options, chance: Chance) -> None:
        self.options = options
        self.chance = chance
        self.rules, self.ranks = settle(options)
        self.n: int = self.rules["players"]
        self.single = False  # a position: one game only
        self.number = 0
        self.ring = list(range(self.n))  # players in seat order, clockwise
        self.scores = [0] * self.n
        self.winners: list[int] = []
        self.previous_places: list[int] = []
        self.fallback_leader = 0
        self.aside: list[str] = []  # blind cards; cards a position leaves out
        self.exchanges: list[Exchange] = []  # still to be chosen
        self.events: Counter[str] = Counter(dict.fromkeys(EVENTS, 0))
        self.game: Game
        self._legal: dict[str, Play | None] | None = None

    # -- moves ---------------------------------------------------------------

    @property
    def phase(self) -> str:
        """play, answer, give, discard, name, exchange or over."""
        return "exchange" if self.exchanges else self.game.phase

    @property
    def to_move(self) -> int:
        """The player to move, -1 when the match is over."""
        return self.exchanges[0].rich if self.exchanges else self.game.to_move

    def legal(self) -> list[str]:
        """Every legal move of the player to move, once each."""
        return list(self._legal_moves())

    def _legal_moves(self) -> dict[str, Play | None]:
        if self._legal is None:
            if self.exchanges:
                rich, _, count, _ = self.exchanges[0]
                sets = combinations(self.game.hands[rich], count)
                self._legal = {" ".join(("exchange", *cards)): None for cards in sets}
            else:
                self._legal = self.game.legal()
        return self._legal

    def play(self, move: str) -> None:
        """Make a move of the player to move; ValueError when it is not legal."""
        legal, text = self._legal_moves(), canonical(move)
        if text not in legal:
            raise ValueError(f"illegal move {move!r}; legal: {list(legal)}")
        self.events["decisions"] += 1
        self.events["branching"] += len(legal)
        self._legal = None
        if self.exchanges:
            self._give_back(text.split()[1:])
            return
        self.game.make(text, legal[text])
        if self.game.stalled:
            self.game.draw_places(self.chance.stalemate(self.number))
        if self.game.over:
            self._end_game()

    # -- games ---------------------------------------------------------------

    def _end_game(self) -> None:
        points = self.rules["place_points"] or list(range(self.n - 1, -1, -1))  # D10
        for player, place in enumerate(self.game.places.of):
            self.scores[player] += points[place - 1]
        if self.single or self.number == self.rules["games"]:
            best = max(self.scores)
            self.winners = [player for player in range(self.n) if self.scores[player] == best]
            return
        self.previous_places = list(self.game.places.of)
        self._start_game()

    def _start_game(self) -> None:
        self.number += 1
        played = self.number - 1
        if played and _due(played, self.rules["class_reset_every"]):  # D10: like a first game
            self.previous_places = []
        if played and _due(played, self.rules["reseat_every"]):
            self.ring = list(self.chance.seats(self.number))
            assert sorted(self.ring) == list(range(self.n)), "a seat for each player"
        self.game = self._new_game(self._deal())
        if self.previous_places:
            self._exchange()
        else:
            self.game.lead(self._first_leader())

    def _new_game(self, hands: Sequence[Sequence[str]]) -> Game:
        return Game(self.rules, self.ranks, self.ring, hands, self.previous_places, self.events)

    def _deal(self) -> list[list[str]]:
        """D3, D4: as many to each seat, then what is left over, clockwise from the dealer's left (or the daifugō).

        So what a seat gets does not depend on who won the game before, but for the cards left over.
        """
        cards = self.chance.pack(self.number)
        assert sorted(cards) == sorted(pack(self.rules["jokers"])), "an order of the whole pack"
        self.aside = list(self.chance.blind(self.number)) if self.rules["blind_cards"] else []
        assert len(self.aside) == self.rules["blind_cards"]
        assert not {JOKER, DIAMOND_THREE} & set(self.aside)
        cards = [card for card in cards if card not in self.aside]
        first = 0  # the left of the dealer in the last seat
        if self.previous_places:
            if self.rules["deal_from"] == "daifugo":
                first = self.ring.index(self._class(1))
            else:
                first = (self.ring.index(self._class(self.n)) + 1) % self.n
        hands: list[list[str]] = [[] for _ in range(self.n)]
        even = len(cards) - len(cards) % self.n
        for i, card in enumerate(cards[:even]):
            hands[self.ring[i % self.n]].append(card)
        for i, card in enumerate(cards[even:]):
            hands[self.ring[(first + i) % self.n]].append(card)
        return hands

    def _class(self, place: int) -> int:
        """The player of a previous place."""
        return self.previous_places.index(place)

    def _first_leader(self) -> int:
        """D5, after the exchange."""
        if self.rules["first_lead"] != "diamond_three" and self.previous_places:
            leader = self._class(1 if self.rules["first_lead"] == "daifugo" else self.n)
            if self.game.places.active(leader):
                return leader
        holders = [player for player, hand in enumerate(self.game.hands) if DIAMOND_THREE in hand]
        return holders[0] if holders else self.fallback_leader  # a position may lack ♦3

    # -- exchange (D11, D42) -------------------------------------------------

    def _exchange(self) -> None:
        """Swap whole hands, or make the forced gifts and line up the free choices, the daifugō's first.

        Open: where the rich may not see the gift, it stays with the poor until the rich have chosen.
        """
        hands = self.game.hands
        daifugo, daihinmin = self._class(1), self._class(self.n)
        nothing_above_10 = all(PLACE.get(card, TOP) <= PLACE["S10"] for card in hands[daihinmin])
        if self.rules["tenpen_chii"] and nothing_above_10:  # D42
            self.events["tenpen_chii"] += 1
            hands[daifugo], hands[daihinmin] = hands[daihinmin], hands[daifugo]
            self.game.lead(self._first_leader())
            return
        pairs = 2 if self.n >= 4 else 1
        for i, wanted in enumerate(self.rules["exchange"][:pairs]):
            rich, poor = self._class(1 + i), self._class(self.n - i)
            gift = sorted(hands[poor], key=_most_worth)[:wanted]
            # Open: as many come back as were given, or as the rich hold (only in a position can hands be short).
            count = len(gift)
            if self.rules["rich_see_first"]:
                self._move(gift, poor, rich)
            else:
                count = min(count, len(hands[rich]))
            if count:
                self.exchanges.append(Exchange(rich, poor, count, gift))
        if not self.exchanges:
            self.game.lead(self._first_leader())

    def _give_back(self, cards: list[str]) -> None:
        rich, poor, _, gift = self.exchanges.pop(0)
        self._move(cards, rich, poor)
        if not self.rules["rich_see_first"]:
            self._move(gift, poor, rich)
        if not self.exchanges:
            self.game.lead(self._first_leader())

    def _move(self, cards: Iterable[str], giver: int, receiver: int) -> None:
        hands = self.game.hands
        for card in cards:
            hands[giver].remove(card)
            hands[receiver].append(card)
        hands[receiver] = in_order(hands[receiver])

    # -- looking -------------------------------------------------------------

    def inspect(self) -> dict[str, Any]:
        """Everything about the match, hidden cards included, in fresh containers."""
        game = self.game
        return {
            "to_move": self.to_move,
            "phase": self.phase,
            "over": self.phase == "over",
            "hands": [list(hand) for hand in game.hands],
            "table": list(game.table.cards) if game.table else [],
            "leader_owner": game.owner,
            "reversed": game.is_reversed,
            "revolution": game.revolution,
            "direction": game.direction,
            "suit_lock": "".join(suit for suit in SUITS if suit in game.locks.suits),
            "number_lock": game.locks.number,
            "effects_off": game.effects_off,
            "places": list(game.places.of),
            "game": self.number,
            "ring": list(self.ring),
            "previous_places": list(self.previous_places),
            "scores": list(self.scores),
            "winners": list(self.winners),
            "events": dict(self.events),
        }

    def copy(self) -> Match:
        """An independent match; only the options and the chance are shared."""
        return copy.deepcopy(self, {id(thing): thing for thing in (self.options, self.chance)})


def _due(games_played: int, every: int) -> bool:
    return every > 0 and games_played % every == 0


def _most_worth(card: str) -> tuple[int, int]:
    """D11: jokers first, then 2, A, …; equal ranks in the order S, H, D, C."""
    return (-TOP - 1, 0) if card == JOKER else (-PLACE[card], SUITS.index(card[0]))


def _rest_of_pack(jokers: int, cards: Iterable[str]) -> list[str]:
    """The cards a position leaves out; each card is there once."""
    rest = pack(jokers)
    for card in cards:
        if not is_card(card) or card not in rest:
            raise ValueError(f"{card!r} is no card of the pack, or is there too often")
        rest.remove(card)
    return rest
