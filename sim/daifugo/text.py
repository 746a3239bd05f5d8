"""Moves and positions of Daifugō as text: for scenarios, replays and people."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from sim import cards
from sim.daifugo import legal, notation, plays
from sim.daifugo.position import set_position
from sim.daifugo.state import ANSWER, DISCARD, EXCHANGE, GIVE, NAME, NO_TABLE, OVER, PLAY, TALLY
from sim.daifugo.story import narrate, opening
from sim.errors import IllegalMove, reading_move, unknown

__all__ = [
    "EXPECT",
    "canonical_cards",
    "canonical_move",
    "describe",
    "inspect",
    "move_of",
    "move_text",
    "narrate",
    "opening",
    "parse_move",
    "set_position",
    "verbs",
    "why_not",
]

_VERBS = {
    PLAY: ("play", "pass"),
    ANSWER: ("play", "pass"),
    GIVE: ("give",),
    DISCARD: ("discard",),
    NAME: ("name",),
    EXCHANGE: ("exchange",),
}
_PHASES = {
    PLAY: "play", ANSWER: "answer", GIVE: "give", DISCARD: "discard", NAME: "name", EXCHANGE: "exchange", OVER: "over",
}  # fmt: skip
_ALL_VERBS = ("play", "pass", "give", "discard", "name", "exchange")

EXPECT = {
    "hands": "list of cards",
    "table": "cards",
    "reversed": "truth",
    "revolution": "truth",
    "direction": "number",
    "suit_lock": "suits",
    "number_lock": "truth",
    "places": "list of numbers",
    "effects_off": "truth",
}
"""What a scenario may expect beside what every game has, and how it is written."""


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verbs of the moves of the player to move."""
    return _VERBS.get(int(view["phase"]), ())


def move_text(view: Any, move: int) -> str:
    """Return a move as text, such as ``play H8 H9 JK=H10``."""
    found = verbs(view)
    if found and found[0] == "name":
        return " ".join(["name", *notation.rank_names(move)])
    if move == 0:
        return "pass"
    return " ".join([*found[:1], *notation.names(move)])


def parse_move(text: str) -> tuple[str, int]:
    """Return (verb, move) of a move as text.

    Raises
    ------
    IllegalMove
        If it is one that no position allows.
    UserError
        If it is no move of this game.
    """
    verb, _, rest = text.strip().partition(" ")
    if verb not in _ALL_VERBS:
        raise unknown("verb", verb, _ALL_VERBS, f"move {text!r}")
    with reading_move(text):
        move = notation.parse_ranks(rest) if verb == "name" else notation.parse(rest)
        if (verb == "pass") != (move == 0):
            raise IllegalMove("a pass names no cards" if verb == "pass" else "names nothing")
    return verb, move


def move_of(view: Any, spoken: int) -> int:
    """Return the move that is meant by what `parse_move` read: itself, whatever the position."""
    return spoken


def canonical_cards(text: str) -> str:
    """Return a list of cards in the order in which `inspect` gives it."""
    return " ".join(notation.names(notation.parse(text)))


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    verb, move = parse_move(text)
    if verb == "pass":
        return verb
    return " ".join([verb, *(notation.rank_names(move) if verb == "name" else notation.names(move))])


# ---- refusals -------------------------------------------------------------------------------------------


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    return f"{move_text(view, move)}: {_reason(view, rules, move)}"


def _reason(view: Any, rules: Any, move: int) -> str:
    want = int(view["want"])
    if view["phase"] == NAME:
        ranks = notation.rank_names(move)
        if len(ranks) != want:
            return f"{want} to choose, not {len(ranks)}"
        return "the pack has no joker" if notation.JOKER in ranks else "it names more than there is"
    missing = int(plays.naturals_of(move)) & ~int(view["hand"])
    jokers = int(plays.jokers_of(move)) - int(view["jokers"])
    if missing or jokers > 0:
        return f"{notation.hand_signs(missing, jokers)} not in the hand"
    if view["phase"] in (PLAY, ANSWER):
        return _no_play(view, rules, move)
    if any(code > plays.BARE for code in notation.codes(move)):
        return f"a joker stands for no card here, so just {notation.JOKER}"
    count = len(notation.names(move))
    return "it is no set of cards" if count == want else f"{want} to choose, not {count}"


def _no_play(view: Any, rules: Any, move: int) -> str:
    table = notation.signs(int(view["table_move"]))
    if move == 0:
        return "not a legal play: who leads has to play"
    if plays.read(move, rules)[0] == NO_TABLE:
        return f"not a legal play: {_no_form(view, rules, move)}"
    if table:
        return f"not a legal play on {table}"
    return "not a legal play: the first of a game has to show ♦3"


def _no_form(view: Any, rules: Any, move: int) -> str:
    """Say why cards are no play whatever lies on the table: mostly for what their jokers state, or do not."""
    naturals = int(plays.naturals_of(move))
    codes = notation.codes(move)
    ranks = {card // len(cards.SUITS) for card in cards.members(naturals)}
    stated = {notation.rank_of(code) for code in codes if code > plays.BARE}
    if stated and not ranks:
        return "jokers by themselves state nothing"
    if codes and len(ranks | stated) == 1:
        if not rules["lock_by_joker"]:
            return "a joker in a group states nothing under these rules"
        example = " ".join(notation.names(_stated(view, rules, naturals, len(codes))))
        return f"each joker has to state a suit that the group does not show, as in play {example}"
    if plays.BARE in codes and len(ranks) > 1:
        return f"a joker in a sequence has to state its card, as in {notation.JOKER}=H10"
    forms = ["group"]
    if rules["sequences"]:
        forms.append(f"sequence of {int(rules['sequence_min'])} or more")
    if rules["emperor"]:
        forms.append("emperor")
    return f"it is {' and '.join(f'no {form}' for form in forms)}"


def _stated(view: Any, rules: Any, naturals: int, jokers: int) -> int:
    """Return a group whose jokers state suits, if there is one that is legal now."""
    rank = cards.members(naturals)[0] // len(cards.SUITS)
    free = [suit for suit in range(len(cards.SUITS)) if not naturals >> (4 * rank + suit) & 1]
    ways = []
    for suits in combinations(free, min(jokers, len(free))):
        codes = [notation.code_of(rank, suit) for suit in suits]
        codes += [plays.BARE] * (jokers - len(codes)) + [0]
        ways.append(int(plays.encode(naturals, codes[0], codes[1])))
    return next((way for way in ways if legal.is_legal(view, rules, way)), ways[0])


# ---- positions ------------------------------------------------------------------------------------------


def _players(state: Any) -> range:
    return range(int(state["view"]["players"]))


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``, and what tests compare beside."""
    view = state["view"]
    players = _players(state)
    over = int(view["phase"]) == OVER
    scores = [int(view["scores"][player]) for player in players]
    previous = [int(view["previous"][player]) for player in players]
    return {
        "to_move": int(view["seat"]),
        "over": over,
        "hands": [notation.hand_names(int(state["hands"][p]), int(state["jokers"][p])) for p in players],
        "scores": scores,
        "winners": [player for player in players if over and scores[player] == max(scores)],
        "table": " ".join(notation.names(int(view["table_move"]))),
        "reversed": bool(view["revolution"] != view["temporary"]),
        "revolution": bool(view["revolution"]),
        "direction": int(view["direction"]),
        "suit_lock": "".join(
            suit for bit, suit in enumerate(cards.SUITS) if int(view["lock_suits"]) >> bit & 1
        ),
        "number_lock": bool(view["lock_number"]),
        "places": [int(view["places"][player]) for player in players],
        "effects_off": bool(view["effects_off"]),
        "phase": _PHASES[int(view["phase"])],
        "game": int(view["game"]),
        "previous_places": previous if any(previous) else [],
        "ring": [int(view["ring"][seat]) for seat in players],
        "leader_owner": int(view["owner"]),
        "events": {name: int(state["tally"][place]) for name, place in TALLY.items()},
    }


def describe(state: Any, rules: Any) -> str:
    """Return the position for people."""
    view = state["view"]
    found = inspect(state, rules)
    table = notation.signs(int(view["table_move"])) or "empty"
    locks = "".join(cards.SUIT_SIGNS[suit] for suit in found["suit_lock"]) + (
        " number" if found["number_lock"] else ""
    )
    order = "reversed" if found["reversed"] else "as usual"
    trick = (
        f"table: {table}; order {order}; locks: {locks.strip() or 'none'}; direction {found['direction']:+d}"
    )
    lines = [f"game {found['game']}, {found['phase']}; {trick}"]
    for player in _players(state):
        mark = ">" if player == found["to_move"] else " "
        place = found["places"][player]
        hand = notation.hand_signs(int(state["hands"][player]), int(state["jokers"][player]))
        lines.append(f"{mark} player {player}: {hand or '-'}{f'; place {place}' if place else ''}")
    return "\n".join(lines)
