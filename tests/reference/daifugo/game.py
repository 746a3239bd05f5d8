"""One game, from the first lead until all places are decided (D5-D9, D17-D41)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from tests.reference.daifugo import locks as lock_rules
from tests.reference.daifugo import plays as play_rules
from tests.reference.daifugo.locks import Locks
from tests.reference.daifugo.notation import NAMED, RANKS, as_cards, in_order, rank_name
from tests.reference.daifugo.places import Places
from tests.reference.daifugo.plays import Play, count_of
from tests.reference.daifugo.turn import SPADE_THREE, Turn, broken_by_effect, broken_by_player

DIAMOND_THREE = "D3"
# D21, D15, D20, D30, in the order in which they act
ORDER_EFFECTS = ("revolution", "sequence_revolution", "eleven_back", "eleven_back_triple", "omen", "coup")
TURNING = {"reverse", "ambulance", "coup"}  # D26, D29, D30: these turn the direction
CLEARING = ("rokurokubi", "ambulance", "sandstorm", "spade_three_clears", "strongest_clears")


class Game:
    """One game; a match makes it, with hands that may still be exchanged, and then calls `lead`."""

    def __init__(
        self,
        rules: Mapping[str, Any],
        ranks: Mapping[str, str],
        ring: Sequence[int],
        hands: Sequence[Sequence[str]],
        previous_places: Sequence[int],
        events: Counter[str],
    ) -> None:
        self.rules = rules
        self.ranks = ranks
        self.ring = list(ring)  # players in seat order
        self.hands = [in_order(hand) for hand in hands]
        self.previous_places = list(previous_places)
        self.events = events
        self.places = Places(len(self.ring), rules["foul_order"])

        self.phase = "play"
        self.to_move = -1
        self.direction = 1
        self.revolution = False
        self.effects_off = False  # after an omen (D30)
        self.begun = False  # something has been put down
        self.passes_in_row = 0  # since the last play (D44)
        self.stalled = False  # D44: places are to be drawn, see `draw_places`
        self.played: list[str] = []
        self.discarded: list[str] = []  # by D27, D28, and the hand of who fell by D40

        # The trick
        self.table: Play | None = None
        self.owner = -1
        self.locks = Locks()
        self.temporary = False  # D20
        self.unbeatable = False  # but for a sandstorm (D23, D32)
        self.passed: set[int] = set()  # since the last play; under a lockout, in this trick
        self.skipped: set[int] = set()  # by the last play (D24)
        self.turn: Turn | None = None

    @property
    def is_reversed(self) -> bool:
        return self.revolution != self.temporary

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def order_after(self, player: int) -> list[int]:
        """The other active players in turn order, from a player in the current direction."""
        seat, n = self.ring.index(player), len(self.ring)
        others = (self.ring[(seat + self.direction * i) % n] for i in range(1, n))
        return [other for other in others if self.places.active(other)]

    def lead(self, player: int) -> None:
        self.phase = "play"
        self.to_move = player

    # -- what is legal -------------------------------------------------------

    def legal(self) -> dict[str, Play | None]:
        """Every legal move of the player to move, with the play it puts down."""
        if self.phase == "over":
            return {}
        hand = self.hands[self.to_move]
        if self.phase == "play":
            candidates = play_rules.candidates(hand, self.table, self.rules, self.ranks)
            found: dict[str, Play | None] = {play.text: play for play in candidates if self._fits(play)}
            if self.table is not None or self.rules["leader_may_pass"]:  # D6
                found["pass"] = None
            return found
        assert self.turn is not None
        if self.phase == "answer":
            fitting = play_rules.answers(hand, self.turn.play, self.rules, self.ranks)
            return {**{play.text: play for play in fitting}, "pass": None}
        if self.phase == "name":  # D28
            hand = list(NAMED if self.rules["jokers"] else RANKS)
        return {" ".join((self.phase, *chosen)): None for chosen in combinations(hand, self.turn.count)}

    def _fits(self, play: Play) -> bool:
        if self.table is None:
            # D5. Open: where the leader may pass, so may one who must show ♦3.
            hand = self.hands[self.to_move]
            bound = self.rules["first_lead_must_show"] and not self.begun and DIAMOND_THREE in hand
            return DIAMOND_THREE in play.cards or not bound
        if not self.effects_off and play_rules.is_sandstorm(play, self.rules, self.ranks):  # D31
            return True
        if self.unbeatable:
            return False
        if self._returns_joker(play):
            return True
        return lock_rules.beats(play, self.table, self.locks, self.is_reversed, self.rules)

    def _returns_joker(self, play: Play) -> bool:
        """D32: ♠3 on a single joker; such a table is always in a trick of singles."""
        on_joker = self.table is not None and self.table.is_single_joker
        allowed = self.rules["spade_three"] and not self.effects_off
        return bool(on_joker and allowed and play.cards == (SPADE_THREE,))

    # -- moves ---------------------------------------------------------------

    def make(self, move: str, play: Play | None) -> None:
        """A move of `legal`, with its play."""
        if play is not None:
            if self.phase == "answer" and not play_rules.is_sandstorm(play, self.rules, self.ranks):
                self._stop_cut(play)
            else:
                # Open: a sandstorm that answers a cut is carried out as a play like any other.
                self._put_down(play)
        elif move != "pass":
            self._choose(move.split()[1:])
        elif self.phase == "answer":  # D23: refusing is no pass
            assert self.turn is not None
            assert self.turn.asked is not None
            self.turn.asked.pop(0)
            self._carry_out()
        else:
            self._pass()

    def _pass(self) -> None:
        self.events["passes"] += 1
        self.passed.add(self.to_move)
        self.passes_in_row += 1
        # D44. Open: a trick that is cleared in between does not end the count; the draw comes before the clear.
        if self.rules["leader_may_pass"] and self.passes_in_row >= self.rules["stalemate_passes"]:
            self.stalled = True
            return
        self._ask_next(self.to_move)

    def draw_places(self, order: Sequence[int]) -> None:
        """D44: players without a place take the open ones, best first, in this order."""
        self.events["stalemate"] += 1
        self.stalled = False
        for player in order:
            if self.places.active(player):
                self.places.rise(player)
        self._end()

    def _put_down(self, play: Play) -> None:
        """The play is put down; locks and table are set; then its effects."""
        before, player = self.table, self.to_move
        effects = set() if self.effects_off else play_rules.effects_of(play, self.rules, self.ranks)
        if self._is_strongest(play):
            effects.add("strongest_clears")
        returns = self._returns_joker(play)
        if returns:
            self.events["spade_three"] += 1
            if self.rules["spade_three_clears"]:
                effects.add("spade_three_clears")
        elif not self.effects_off:  # D32: ♠3 makes no lock
            locks = lock_rules.locks_after(play, before, self.locks, self.is_reversed, self.rules)
            self.events["suit_lock"] += not locks.suits <= self.locks.suits
            self.events["number_lock"] += locks.number and not self.locks.number
            self.locks = locks
        if before is None:
            self.events["tricks"] += 1
        else:
            down = self.rules["down_number"] and lock_rules.steps_down(play, before, self.is_reversed)
            self.events["down_number"] += down and not returns
        self.events["emperor"] += play.kind == "emperor"
        self.begun = True
        self._lay(player, play, unbeatable=returns)
        self.turn = Turn(player, play, effects, self.revolution)
        self._after_laying(self.turn)

    def _stop_cut(self, play: Play) -> None:
        """D23: the fours become the table's play, make no lock and have no effect, D43's clear included.

        Open: what the stopped play would still have done in its turn (ranks can be shared) falls away.
        """
        player = self.to_move
        self.events["four_stop"] += 1
        self._lay(player, play, unbeatable=True)
        self.turn = Turn(player, play, set(), self.revolution)
        self._after_laying(self.turn)

    def _lay(self, player: int, play: Play, unbeatable: bool) -> None:
        self.events["plays"] += 1
        cards = as_cards(play.cards)
        self._take(player, cards)
        self.played += cards
        self.table, self.owner, self.unbeatable = play, player, unbeatable
        self.passes_in_row = 0
        self.skipped = set()
        if not self.rules["pass_lockout"]:  # D7
            self.passed = set()

    def _after_laying(self, turn: Turn) -> None:
        if not self.hands[turn.player]:
            turn.emptied = "play"
        self._carry_out()

    def _take(self, player: int, cards: Sequence[str]) -> None:
        for card in cards:
            self.hands[player].remove(card)

    def _is_strongest(self, play: Play) -> bool:
        """D43, in the order before the play acts. Open: an emperor that ends at 2 (3) counts too."""
        if not self.rules["strongest_clears"]:
            return False
        if play.kind == "group":
            return bool(play.size == 4 + self.rules["jokers"])
        # Without jokers in the pack nothing can lie beyond the ends.
        jokers = self.rules["jokers"] > 0
        beyond = self.rules["joker_beyond_ends"] and jokers and play.kind == "sequence"
        if self.is_reversed:
            return play.low == (-1 if beyond else 0)
        return play.high == (len(RANKS) if beyond else len(RANKS) - 1)

    # -- the order of one turn ----------------------------------------------

    def _carry_out(self) -> None:
        """Go on with the turn's stages until one waits for a choice, or the turn is over."""
        turn = self.turn
        assert turn is not None
        while not STAGES[turn.stage](self, turn):
            turn.stage += 1

    def _turn_orders(self, turn: Turn) -> bool:
        """Revolution, reversals, omen, coup."""
        for effect in ORDER_EFFECTS:
            if effect not in turn.effects:
                continue
            if effect in self.events:
                self.events[effect] += 1
            if effect == "eleven_back":
                self.temporary = self.rules["eleven_back_again"] == "stay" or not self.temporary
            else:
                self.events["revolutions"] += 1
                self.revolution = not self.revolution
            if effect == "omen":
                # Plays after it have no effects; its own, on a shared rank, still act.
                self.effects_off = True
                self.locks = Locks()
        return False

    def _turn_direction(self, turn: Turn) -> bool:
        """D26, D29, D30: once, even where two effects turn it."""
        if turn.effects & TURNING:
            self.direction = -self.direction
            for effect in ("reverse", "ambulance"):  # a coup has been counted
                self.events[effect] += effect in turn.effects
        return False

    def _ask_to_give(self, turn: Turn) -> bool:
        return self._ask_for_cards(turn, "pass_on", "give")

    def _ask_to_discard(self, turn: Turn) -> bool:
        return self._ask_for_cards(turn, "discard", "discard")

    def _ask_for_cards(self, turn: Turn, effect: str, phase: str) -> bool:
        """D25, D27: not with an empty hand."""
        hand = self.hands[turn.player]
        if effect not in turn.effects or not hand:
            return False
        return self._ask(turn, phase, min(count_of(turn.play), len(hand)))

    def _ask_to_name(self, turn: Turn) -> bool:
        """D28: asked with an empty hand too."""
        return "bomber" in turn.effects and self._ask(turn, "name", count_of(turn.play))

    def _ask(self, turn: Turn, phase: str, count: int) -> bool:
        turn.count, self.phase, self.to_move = count, phase, turn.player
        return True

    def _choose(self, chosen: list[str]) -> None:
        """The choice of D25, D27 or D28 is carried out."""
        turn = self.turn
        assert turn is not None
        others = self.order_after(turn.player)
        effect = {"give": "pass_on", "discard": "discard", "name": "bomber"}[self.phase]
        self.events[effect] += 1
        if effect == "bomber":
            for player in (turn.player, *others):
                hit = [card for card in self.hands[player] if rank_name(card) in chosen]
                self._take(player, hit)
                self.discarded += hit
                if not self.hands[player] and player != turn.player:
                    turn.victims.append(player)
        else:
            self._take(turn.player, chosen)
            if effect == "discard":
                self.discarded += chosen
            else:  # D25: the next active player in the current direction
                self.hands[others[0]] = in_order([*self.hands[others[0]], *chosen])
        if not self.hands[turn.player] and not turn.emptied:
            turn.emptied = effect
        turn.stage += 1
        self._carry_out()

    # -- places and fouls ----------------------------------------------------

    def _settle_places(self, turn: Turn) -> bool:
        """D9, D33-D41: the player first, then a bomber's victims in turn order.

        Open: after each place that is taken, one active player left ends the game, so a victim who is the
        last one active takes the best free place, and no foul is counted.
        """
        leaving: list[tuple[int, list[str]]] = []
        if turn.emptied:
            leaving.append((turn.player, broken_by_player(turn, self.rules, self.effects_off)))
        bombed = [] if self.effects_off else broken_by_effect("bomber", self.rules)
        leaving += [(victim, bombed) for victim in turn.victims]
        for player, broken in leaving:
            if not self.places.active(player):  # fell by D40 at this very moment
                continue
            for clause in broken:
                self.events[clause] += 1
            if broken:
                self.places.sink(player)
            else:
                self._finish(player)
            if len(self.places.left()) <= 1:
                for last in self.places.left():  # takes a place, does not finish
                    self.places.rise(last)
                self._end()
                return True
        return False

    def _finish(self, player: int) -> None:
        first = self.places.rise(player) == 1
        if not first or not self.previous_places:
            return
        n = len(self.ring)
        daifugo, daihinmin = self.previous_places.index(1), self.previous_places.index(n)
        if self.rules["gekokujo"] and player == daihinmin:  # D41
            self.events["gekokujo"] += 1
            self.places.overturn(self.previous_places)
        elif self.rules["miyako_ochi"] and player != daifugo and self.places.active(daifugo):  # D40
            self.events["miyako_ochi"] += 1
            self.places.sink(daifugo)
            self.discarded += self.hands[daifugo]  # Open: the hand is laid aside
            self.hands[daifugo] = []

    def _end(self) -> None:
        """Open: the trick stays as it lies; the cut, skip or clear of the last play does not come about."""
        self.phase, self.to_move = "over", -1

    # -- cut, skip, clear, next ----------------------------------------------

    def _cut(self, turn: Turn) -> bool:
        """D22, D23."""
        if "eight_cut" not in turn.effects:
            return False
        if turn.asked is None:
            locked_out = self.passed if self.rules["pass_lockout"] else set()
            turn.asked = [
                player
                for player in self.order_after(turn.player)
                if player not in locked_out
                and not self.effects_off  # an omen that cuts by a shared rank
                and play_rules.answers(self.hands[player], turn.play, self.rules, self.ranks)
            ]
        if turn.asked:
            self.phase, self.to_move = "answer", turn.asked[0]
            return True
        self.events["eight_cut"] += 1
        return False

    def _end_turn(self, turn: Turn) -> bool:
        """D24, D29, D31, D32, D43: skip and clear; then the next player is asked."""
        self.phase = "play"
        others = self.order_after(turn.player)
        skipped = count_of(turn.play) if "skip" in turn.effects else 0
        self.events["skip"] += skipped > 0
        clears = "eight_cut" in turn.effects or (skipped > 0 and skipped >= len(others))
        for effect in CLEARING:
            if effect in turn.effects:
                clears = True
                if effect in ("rokurokubi", "sandstorm", "strongest_clears"):  # the others have been counted
                    self.events[effect] += 1
        self.turn = None
        if clears:
            self._clear()
        else:
            self.skipped = set(others[:skipped])
            self._ask_next(turn.player)
        return True

    def _ask_next(self, player: int) -> None:
        """D7, D8: the next after a player who has yet to pass, or else the table clears.

        D24: who is skipped counts as having passed, until the next play.
        """
        order = [*self.order_after(player), *([player] if self.places.active(player) else [])]
        asks_owner = self.rules["clear_when"] == "all_passed"
        done = self.passed | self.skipped
        to_pass = [p for p in order if p not in done and (asks_owner or p != self.owner)]
        if to_pass:
            self.to_move = to_pass[0]
        elif self.table is None:  # Open: all have passed a lead; the turn just goes on, nobody is locked out
            self.passed = set()
            self.to_move = order[0]
        else:
            self._clear()

    def _clear(self) -> None:
        """D8: the owner leads, or the next active player after the owner in the current direction."""
        leader = self.owner if self.places.active(self.owner) else self.order_after(self.owner)[0]
        self.table, self.owner = None, -1
        self.locks = Locks()
        self.temporary = self.unbeatable = False
        self.passed, self.skipped = set(), set()
        self.lead(leader)


STAGES: tuple[Callable[[Game, Turn], bool], ...] = (
    Game._turn_orders,
    Game._turn_direction,
    Game._ask_to_give,
    Game._ask_to_discard,
    Game._ask_to_name,
    Game._settle_places,
    Game._cut,
    Game._end_turn,
)
