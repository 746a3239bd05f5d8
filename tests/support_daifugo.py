"""What several test files of Daifugō need: drafts, the engine's chance for the twin, where every card is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import cards, drafts, registry, rng
from sim.drafts import Draft
from sim.table import Table

GAME = registry.find("daifugo")
ENGINE = GAME.engine
PASS = 0
ALL_PHASES = frozenset({"play", "answer", "give", "discard", "name", "exchange"})


def draft_of(rules: dict[str, Any] | None = None, ranks: dict[str, str] | None = None) -> Draft:
    """Return a Daifugō draft with some options set; the others are the author's."""
    options = drafts.complete("daifugo", {"rules": rules or {}, "ranks": ranks or {}}, "test")
    return Draft("daifugo", "test", "", options)


def decisions_bound(rules: dict[str, Any]) -> int:
    """Return how many decisions a game has at most.

    Each play puts a card down for good. Around one there are at most three choices (to give, discard and
    name), an answer of each other player, and a row of passes: of every player, or as D44 allows.
    """
    row = rules["stalemate_passes"] if rules["leader_may_pass"] else rules["players"]
    pack = 52 + rules["jokers"] - rules["blind_cards"]
    return int(2 + row + pack * (1 + 3 + rules["players"] - 1 + row))


# ---- the engine's chance, for the twin ------------------------------------------------------------------


class Chance:
    """The engine's chance of one match, as the twin asks for it."""

    def __init__(self, rules: dict[str, Any], seed: int, deal: int) -> None:
        self.rules, self.seed, self.deal = rules, seed, deal

    def _open(self, game: int, part: int) -> Any:
        stream = np.zeros(1, rng.STREAM)[0]
        rng.open_stream(stream, self.seed, self.deal, rng.DEAL, 4 * game + part)
        return stream

    def _order(self, game: int, part: int, size: int) -> list[int]:
        order = np.arange(size, dtype=np.int8)
        rng.shuffle(self._open(game, part), order, size)
        return [int(number) for number in order]

    def pack(self, game: int) -> list[str]:
        names = (*cards.NAMES, "JK", "JK")
        return [names[number] for number in self._order(game, 0, 52 + self.rules["jokers"])]

    def blind(self, game: int) -> list[str]:
        stream = self._open(game, 1)
        left = [name for name in cards.NAMES if name != "D3"]
        return [left.pop(int(rng.below(stream, len(left)))) for _ in range(self.rules["blind_cards"])]

    def seats(self, game: int) -> list[int]:
        return self._order(game, 2, self.rules["players"])

    def stalemate(self, game: int) -> list[int]:
        return self._order(game, 3, self.rules["players"])


# ---- where every card is --------------------------------------------------------------------------------


def assert_conserved(state: Any, draft: Draft) -> tuple[int, int]:
    """Check that no card is in two places; return what neither a hand nor an eye has: (naturals, jokers)."""
    view = state["view"]
    places = [int(view["gone"]), *(int(state["hands"][player]) for player in range(8))]
    seen = 0
    for place in places:
        assert place & seen == 0, cards.text(place & seen)
        seen |= place
    assert seen & ~cards.PACK == 0
    jokers = int(view["gone_jokers"]) + sum(int(state["jokers"][player]) for player in range(8))
    assert all(int(state["jokers"][player]) >= 0 for player in range(8))
    assert 0 <= jokers <= draft.options.rules.jokers
    for player in range(8):
        held = int(state["hands"][player]).bit_count() + int(state["jokers"][player])
        assert view["held"][player] == held, player
    return cards.PACK & ~seen, draft.options.rules.jokers - jokers


class Watch:
    """Follows a table: cards leave the hands for the eyes of all, or are laid aside by a rule that says so.

    Laid aside are the blind cards (D4), and the hand of a daifugō who fell (D40).
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game, self.falls = 0, 0
        self.aside = (0, 0)
        self.mover = -1
        self.hands: list[tuple[int, int]] = []
        self.gone = 0
        self.look()

    def look(self) -> None:
        """Check every card, against where it was when last looked at."""
        state, rules = self.table.state, self.table.draft.options.rules
        view = state["view"]
        aside = assert_conserved(state, self.table.draft)
        hands = [
            (int(state["hands"][player]), int(state["jokers"][player])) for player in range(rules.players)
        ]
        falls = int(state["tally"][GAME.state.TALLY["miyako_ochi"]])
        if view["game"] != self.game:
            assert int(view["gone"]) == 0
            assert (aside[0].bit_count(), aside[1]) == (rules.blind_cards, 0)
            assert aside[0] & cards.mask_of(cards.parse("D3")) == 0
        else:
            assert self.gone & ~int(view["gone"]) == 0, "nothing comes back"
            fallen = (aside[0] & ~self.aside[0], aside[1] - self.aside[1])
            assert self.aside[0] & ~aside[0] == 0
            if falls == self.falls:
                assert fallen == (0, 0)
            else:
                # What a bomb took of it lies open; what was passed on to it with the last card falls with it.
                daifugo = list(view["previous"]).index(1)
                before = self.hands[daifugo][0]
                assert fallen[0] & ~(before | self.hands[self.mover][0]) == 0
                assert (fallen[0] | int(view["gone"])) & before == before
                assert hands[daifugo] == (0, 0)
        self.mover = self.table.to_move
        self.game, self.falls, self.aside, self.hands = int(view["game"]), falls, aside, hands
        self.gone = int(view["gone"])


# ---- moves ----------------------------------------------------------------------------------------------


def signed(word: int) -> int:
    """Return 64 bits as the engine writes them."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


def random_move(table: Table, dice: random.Random, eager: float = 0.0) -> int:
    """Return one of the legal moves; `eager` is the chance to turn down a pass."""
    count = table.count_moves()
    view = table.state["view"]
    move = int(ENGINE.nth_move(view, table.rules, dice.randrange(count)))
    if move == PASS and count > 1 and dice.random() < eager:
        return int(ENGINE.nth_move(view, table.rules, dice.randrange(1, count)))
    return move


def play_out(table: Table, dice: random.Random, eager: float = 0.0) -> int:
    """Play a table to its end at random with every card accounted for; return the number of decisions."""
    decisions = 0
    while not table.over:
        table.apply(random_move(table, dice, eager))
        assert_conserved(table.state, table.draft)
        decisions += 1
    return decisions


def strange_moves(legal: list[int], dice: random.Random, count: int) -> Iterator[int]:
    """Yield moves that are mostly not legal: legal ones with bits or joker codes changed, and any bits at all."""
    for _ in range(count):
        move = dice.choice(legal) if legal else 0
        naturals, codes = move & cards.PACK, (move >> 52) & 0xFFF
        kind = dice.randrange(8)
        if kind == 0:  # another card, or one less
            move ^= 1 << dice.randrange(52)
        elif kind == 1:  # one card exchanged
            move ^= (1 << dice.randrange(52)) | (1 << dice.randrange(52))
        elif kind == 2:  # any code for the first joker
            move = naturals | (codes & ~63 | dice.randrange(64)) << 52
        elif kind == 3:  # any codes, in the wrong order and equal ones included
            move = naturals | dice.randrange(4096) << 52
        elif kind == 4:  # the same code twice
            move = naturals | (65 * dice.randrange(64)) << 52
        elif kind == 5:  # codes the wrong way round
            move = naturals | ((codes & 63) << 6 | codes >> 6) << 52
        elif kind == 6:
            move = dice.getrandbits(64)
        else:  # low numbers: names of ranks, -1, and the like
            move = dice.randrange(-16, 1 << 14)
        yield signed(move)
