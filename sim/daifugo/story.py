"""Replays of Daifugō: what each move did, told from the states before and after it and from what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim import cards
from sim.daifugo import engine, notation, plays
from sim.daifugo.places import next_active
from sim.daifugo.state import (
    AMBULANCE,
    ANSWER,
    DISCARD,
    EXCHANGE,
    GIVE,
    GROUP,
    NAME,
    OVER,
    PLAY,
    TALLY,
)

_SUITS = len(cards.SUITS)

_FOULS = {
    "foul_joker": "the last play has a joker",
    "foul_two": "the last play has a 2",
    "foul_spade_three": "the last play has the ♠3",
    "foul_eleven_back": "the last play is an 11-back",
    "foul_eight_cut": "the last play is an eight cut",
    "foul_pass_on": "the last card was passed on",
    "foul_discard": "the last card was discarded",
    "foul_bomber": "a bomb took the last card",
}
"""Foul → what was done, in the order of `state.FOULS`."""


def class_name(place: int, players: int) -> str:
    """Return what the holder of a place is called (D2)."""
    upper, lower = ["daifugō"], ["daihinmin"]
    if players >= 4:
        upper, lower = ["daifugō", "fugō"], ["hinmin", "daihinmin"]
    return [*upper, *["heimin"] * (players - len(upper) - len(lower)), *lower][place - 1]


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match: the hands as dealt, and who leads."""
    return ["Game 1", *_hands(_held(state)), *_laid_away(state), "", _lead(state)]


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it.

    Parameters
    ----------
    before, after : STATE record
    move : int
    rules : RULES record
    names : list of str
        The bot of each player.
    """
    ended = after
    if after["view"]["game"] != before["view"]["game"]:
        # The next game has been dealt over this one: make the move again where none follows.
        ended = before.copy()
        ended["view"]["single"] = 1
        engine.apply(ended, rules, move)
    step = _Step(before, int(move), ended, rules, names)
    lines = [f"  {step.deed()}"]
    lines += [
        f"    {line}"
        for part in (_answers, _locks, _order, _direction, _bomb, _places, _turn)
        for line in part(step)
    ]
    if step.now["phase"] == OVER:
        lines += ["", *_result(step)]
    elif step.clears:
        lines += [f"    {_why_clear(step)}: the table clears, {step.who(step.now['seat'])} leads", ""]
    elif step.view["phase"] == EXCHANGE and step.now["phase"] == PLAY:
        lines += ["", _lead(ended)]
    if ended is not after:
        lines += ["", *_next_game(ended, after, rules)]
    return lines


@dataclass
class _Step:
    """One move: the states around it, in the game to which it belongs."""

    before: Any
    move: int
    after: Any
    rules: Any
    names: list[str]

    def __post_init__(self) -> None:
        self.view, self.now = self.before["view"], self.after["view"]
        self.player = int(self.view["seat"])
        self.counted = {
            name: int(self.after["tally"][place] - self.before["tally"][place])
            for name, place in TALLY.items()
            if self.after["tally"][place] != self.before["tally"][place]
        }
        """What was counted in this move, and how often."""
        first, last = int(self.view["sunk_count"]), int(self.now["sunk_count"])
        self.sunk = [int(player) for player in self.now["sunk"][first:last]]
        """Who took a place from below in it (D39)."""

    @property
    def players(self) -> range:
        return range(int(self.view["players"]))

    @property
    def puts_down(self) -> bool:
        """Whether it is a play, be it an answer to a cut."""
        return self.view["phase"] in (PLAY, ANSWER) and self.move != 0

    @property
    def clears(self) -> bool:
        return not self.now["table_move"] and bool(self.view["table_move"] or self.puts_down)

    def emptied(self, player: int) -> bool:
        """Tell whether what happened in this turn took a player's last card."""
        own = player == self.now["turn_player"] and self.now["turn_emptied"]
        return bool(own or self.now["victims"] >> player & 1)

    def who(self, player: Any) -> str:
        return f"player {int(player)} ({self.names[int(player)]})"

    def place(self, player: int) -> str:
        place = int(self.now["places"][player])
        return f"place {place} ({class_name(place, len(self.players))})"

    def deed(self) -> str:
        """Say who does what."""
        phase, who = self.view["phase"], self.who(self.player)
        shown, table = notation.signs(self.move), notation.signs(int(self.view["table_move"]))
        if phase == ANSWER:
            return f"{who} answers the cut with {shown}" if self.move else f"{who} lets the cut happen"
        if phase == PLAY and self.move == 0:
            return f"{who} passes" if table else f"{who} does not lead"
        if phase == PLAY:
            special = [what.replace("_", " ") for what in ("emperor", "down_number") if what in self.counted]
            end = f" ({', '.join(special)})" if special else ""
            return f"{who} plays {shown} on {table}{end}" if table else f"{who} leads {shown}{end}"
        if phase == GIVE:
            return f"{who} passes on {shown} to player {int(next_active(self.view, self.player))}"
        if phase == DISCARD:
            return f"{who} discards {shown}"
        if phase == NAME:
            return f"{who} names {' '.join(notation.rank_names(self.move))}"
        return f"{who}, {self._class(self.player)}, gives {shown} to {self._poor()}"

    def _class(self, player: int) -> str:
        return class_name(int(self.view["previous"][player]), len(self.players))

    def _poor(self) -> str:
        poor = int(self.view["gift_poor"][0])
        if self.rules["see_first"]:
            return f"player {poor}"
        gift = notation.hand_signs(int(self.before["gift_cards"][0]), int(self.before["gift_jokers"][0]))
        return f"player {poor}, and then sees the {self._class(poor)}'s gift: {gift}"


# ---- what a move set off, in the order of one turn ------------------------------------------------------


def _answers(step: _Step) -> list[str]:
    lines = []
    if "spade_three" in step.counted:
        lines.append("♠3 returns the joker")
    if "four_stop" in step.counted:
        lines.append("four stop: the cut does not happen")
    return lines


def _locks(step: _Step) -> list[str]:
    view, now = step.view, step.now
    if not step.puts_down or not now["table_move"]:
        return []
    found = []
    if int(now["lock_suits"]) & ~int(view["lock_suits"]):
        signs = [
            cards.SUIT_SIGNS[suit] for bit, suit in enumerate(cards.SUITS) if now["lock_suits"] >> bit & 1
        ]
        found.append(f"suit lock on {' '.join(signs)}")
    if now["lock_number"] and not view["lock_number"]:
        found.append("number lock")
    if found:
        return [" and ".join(found)]
    locked = view["lock_suits"] or view["lock_number"]
    lifted = locked and not (now["lock_suits"] or now["lock_number"])
    return ["the locks end"] if lifted and view["table_move"] else []


def _order(step: _Step) -> list[str]:
    """Say which revolutions came, and what they made of the order."""
    counted, now = step.counted, step.now
    kinds = {
        "sequence_revolution": "emperor" if "emperor" in counted else "sequence",
        "eleven_back_triple": "triple 11-back",
        "omen": "omen",
        "coup": "coup",
    }
    lines = [f"revolution by {text}" for name, text in kinds.items() if name in counted]
    if counted.get("revolutions", 0) > len(lines):
        lines.insert(0, f"revolution by {int(plays.read(step.move, step.rules)[2])} of a rank")
    if lines:
        lines[-1] += (
            f": the order is {'turned for the rest of the game' if now['revolution'] else 'as at first again'}"
        )
        lines[-1] += ", once the table clears" if now["temporary"] and "eleven_back" not in counted else ""
    if "omen" in counted:
        lines.append("no effect, lock or revolution acts any more in this game")
    if "eleven_back" in counted:
        lines.append(_eleven_back(step))
    return lines


def _eleven_back(step: _Step) -> str:
    if not step.now["table_move"]:
        return "11-back, and at once the table clears"
    if not step.now["temporary"]:
        return "11-back: the order is turned back"
    again = "stays" if step.view["temporary"] else "is"
    both = ", which cancels the revolution for so long" if step.now["revolution"] else ""
    return f"11-back: the order {again} turned until the table clears{both}"


def _direction(step: _Step) -> list[str]:
    if step.view["direction"] == step.now["direction"]:
        return []
    causes = [name for name in ("reverse", "ambulance", "coup") if name in step.counted]
    way = "clockwise" if step.now["direction"] == 1 else "anticlockwise"
    return [f"{', '.join(causes)}: the direction turns, play goes {way}"]


def _bomb(step: _Step) -> list[str]:
    if step.view["phase"] != NAME:
        return []
    hit = sum(15 << (_SUITS * rank) for rank in range(len(cards.RANKS)) if step.move >> rank & 1)
    jokers = step.move >> len(cards.RANKS) & 1
    lost = [
        (player, int(step.before["hands"][player]) & hit, int(step.before["jokers"][player]) * jokers)
        for player in step.players
    ]
    texts = [f"player {player} loses {notation.hand_signs(*found)}" for player, *found in lost if any(found)]
    return [f"bomber: {'; '.join(texts) or 'nobody holds any'}"]


def _places(step: _Step) -> list[str]:
    """Say who took a place and how, in the order of D9 and D33 to D41; then whom later fouls moved up (D39)."""
    view, now, counted = step.view, step.now, step.counted
    turner = int(now["turn_player"])
    if "gekokujo" in counted:
        poor = list(view["previous"]).index(len(step.players))
        return [
            f"player {poor} has no cards left",
            "gekokujo: the daihinmin is first, so the game is over and all places are turned upside down",
        ]
    new = [player for player in step.players if now["places"][player] and not view["places"][player]]
    lines = []
    if "stalemate_passes" in counted:
        lines.append(f"{int(now['passes_in_row'])} passes in a row: the open places are drawn by lot")
        return [*lines, *(f"player {player}: {step.place(player)}" for player in new)]
    fallen = list(view["previous"]).index(1) if "miyako_ochi" in counted else -1
    emptied = [player for player in _round(now, turner) if step.emptied(player) and player in new]
    for player in [*(player for player in emptied if player != fallen), *_others(new, [*emptied, fallen])]:
        if player in step.sunk:
            lines.append(f"foul of player {player}, {_foul(step, player)}: {step.place(player)}")
        else:
            how = "has no cards left" if player in emptied else "is left"
            lines.append(f"player {player} {how}: {step.place(player)}")
        if now["places"][player] == 1 and fallen >= 0:
            lines.append(
                f"miyako ochi: player {fallen}, daifugō of the game before, falls: {step.place(fallen)}"
            )
    moved = [player for player in step.players if 0 < view["places"][player] != now["places"][player]]
    return [*lines, *(f"player {player} moves up: {step.place(player)}" for player in moved)]


def _round(view: Any, player: int) -> list[int]:
    """Return all players in the order of the turns, `player` first."""
    players, place = int(view["players"]), int(view["position"][player])
    return [int(view["ring"][(place + int(view["direction"]) * step) % players]) for step in range(players)]


def _others(players: list[int], but: list[int]) -> list[int]:
    return [player for player in players if player not in but]


def _foul(step: _Step, player: int) -> str:
    """Say by what a player fouled."""
    names = [name for name in _FOULS if name in step.counted and name != "foul_bomber"]
    if player != step.now["turn_player"] or not names:
        names = ["foul_bomber"]
    texts = " and ".join(_FOULS[name] for name in names)
    return texts.replace("a 2", "a 3 in a revolution") if step.now["turn_revolution"] else texts


def _turn(step: _Step) -> list[str]:
    """Say who may stop a cut, or who is skipped, where the table stays."""
    now = step.now
    if now["phase"] == ANSWER:
        return [f"eight cut, unless player {int(now['seat'])} stops it"]
    if "skip" not in step.counted or step.clears:
        return []
    player, skipped = int(now["turn_player"]), []
    for _ in range(int(now["turn_size"]) if now["turn_kind"] == GROUP else 1):
        player = int(next_active(now, player))
        skipped.append(f"player {player}")
    return [f"skip: {' and '.join(skipped)} lose{'s' if len(skipped) == 1 else ''} a turn"]


_CLEARING = {
    "eight_cut": "eight cut",
    "skip": "skip",
    "rokurokubi": "rokurokubi",
    "ambulance": "ambulance",
    "sandstorm": "sandstorm",
    "spade_three": "♠3",
    "strongest_clears": "nothing can beat it",
}


def _why_clear(step: _Step) -> str:
    causes = [text for name, text in _CLEARING.items() if name in step.counted]
    if "spade_three" in step.counted and not step.rules["spade_clears"]:
        causes.remove("♠3")
    if not causes and step.view["phase"] in (GIVE, DISCARD, NAME) and step.now["turn_effects"] & AMBULANCE:
        causes.append("ambulance")  # counted when it was put down
    if causes == ["skip"]:
        locked_out = step.rules["lockout"] and step.view["passed"]
        return "skip of everybody still in the trick" if locked_out else "skip of everybody else"
    return ", ".join(causes) or "nobody else plays"


# ---- between games --------------------------------------------------------------------------------------


def _result(step: _Step) -> list[str]:
    """Tell the places of a game, and the points of the match so far."""
    view, now = step.view, step.now
    lines = [f"End of game {int(view['game'])}"]
    for player in sorted(step.players, key=lambda player: int(now["places"][player])):
        total = int(now["scores"][player])
        points = f"{total - int(view['scores'][player])} in this game, {total} in the match so far"
        lines.append(f"  {step.place(player)}: {step.who(player)}, points {points}")
    return lines


Hands = list[tuple[int, int]]
"""Natural cards and jokers of each player."""


def _held(state: Any) -> Hands:
    players = range(int(state["view"]["players"]))
    return [(int(state["hands"][player]), int(state["jokers"][player])) for player in players]


def _hands(hands: Hands, titles: list[str] | None = None) -> list[str]:
    return [
        f"  player {player}{f', {titles[player]}' if titles else ''}: {notation.hand_signs(*hand)}"
        for player, hand in enumerate(hands)
    ]


def _laid_away(state: Any) -> list[str]:
    away = cards.PACK & ~sum(naturals for naturals, _ in _held(state))
    return [f"  laid away unseen: {cards.signs(away)}"] if away else []


def _lead(state: Any) -> str:
    view = state["view"]
    leader = int(view["seat"])
    holds = ", holding ♦3," if int(state["hands"][leader]) & plays.DIAMOND_THREE else ""
    return f"  player {leader}{holds} is the first to lead"


def _next_game(ended: Any, state: Any, rules: Any) -> list[str]:
    """Tell the deal of the next game and the exchange as far as nobody has to choose."""
    view = state["view"]
    players = range(int(view["players"]))
    lines = [f"Game {int(view['game'])}"]
    if list(view["ring"][: len(players)]) != list(ended["view"]["ring"][: len(players)]):
        seats = " ".join(str(int(player)) for player in view["ring"][: len(players)])
        lines.append(f"  new seats: players {seats}, clockwise")
    if not view["previous"][0]:
        return [*lines, "  places are forgotten", *_hands(_held(state)), *_laid_away(state), "", _lead(state)]
    titles = [class_name(int(view["previous"][player]), len(players)) for player in players]
    hands = _held(state)
    told = []
    rich, poor = titles.index("daifugō"), titles.index("daihinmin")
    if state["tally"][TALLY["tenpen_chii"]] > ended["tally"][TALLY["tenpen_chii"]]:
        hands[rich], hands[poor] = hands[poor], hands[rich]
        told.append(
            f"  tenpen chii: player {poor} was dealt nothing above 10, and trades hands with player {rich}"
        )
    for gift in range(int(view["gifts"]) if rules["see_first"] else 0):
        rich, poor = int(view["gift_rich"][gift]), int(view["gift_poor"][gift])
        naturals, jokers = int(state["known"][poor, rich]), int(state["known_jokers"][poor, rich])
        hands[rich] = (hands[rich][0] & ~naturals, hands[rich][1] - jokers)
        hands[poor] = (hands[poor][0] | naturals, hands[poor][1] + jokers)
        shown = notation.hand_signs(naturals, jokers)
        told.append(f"  player {poor}, {titles[poor]}, has to give {shown} to player {rich}, {titles[rich]}")
    lines += [*_hands(hands, titles), *_laid_away(state), "", *told]
    return lines if view["phase"] == EXCHANGE else [*lines, _lead(state)]
