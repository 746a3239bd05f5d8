"""Moves and positions of Daifugō as text: for scenarios, replays and people."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import notation
from sim.daifugo.position import set_position
from sim.daifugo.state import ANSWER, DISCARD, EXCHANGE, GIVE, NAME, OVER, PLAY, TALLY
from sim.errors import UserError, nearest

__all__ = [
    "EXPECT",
    "canonical_cards",
    "canonical_move",
    "describe",
    "inspect",
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
    UserError
        If it is no move of this game.
    """
    verb, _, rest = text.strip().partition(" ")
    if verb not in _ALL_VERBS:
        raise UserError(
            f"move {text!r}: unknown verb {verb!r}{nearest(verb, _ALL_VERBS)} (known: {', '.join(_ALL_VERBS)})"
        )
    if verb == "pass":
        if rest.strip():
            raise UserError(f"move {text!r}: a pass names no cards")
        return verb, 0
    if not rest.strip():
        raise UserError(f"move {text!r}: names nothing")
    return verb, notation.parse_ranks(rest) if verb == "name" else notation.parse(rest)


def canonical_cards(text: str) -> str:
    """Return a list of cards in the order in which `inspect` gives it."""
    return " ".join(notation.names(notation.parse(text)))


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    verb, move = parse_move(text)
    if verb == "pass":
        return verb
    return " ".join([verb, *(notation.rank_names(move) if verb == "name" else notation.names(move))])


def why_not(view: Any, move: int) -> str:
    """Say which move is refused, and why."""
    text = move_text(view, move)
    if view["phase"] in (PLAY, ANSWER):
        table = notation.signs(int(view["table_move"]))
        return f"{text}: not a legal play{f' on {table}' if table else ''}"
    return f"{text}: {int(view['want'])} to choose"


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


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it."""
    view, now = before["view"], after["view"]
    player = int(view["seat"])
    who = f"player {player} ({names[player]})"
    text = move_text(view, move)
    verb = text.partition(" ")[0]
    shown = " ".join(notation.rank_names(move)) if verb == "name" else notation.signs(move)
    table = f" on {notation.signs(int(view['table_move']))}" if view["table_move"] and verb == "play" else ""
    lines = [f"  {who} {_THIRD[verb]} {shown}".rstrip() + table]
    lines += _changes(before, after)
    if now["phase"] == OVER or now["game"] != view["game"]:
        places = now["places"] if now["phase"] == OVER else now["previous"]
        lines += ["", f"End of game {int(view['game'])}"]
        for other in _players(before):
            lines.append(
                f"  player {other} ({names[other]}): place {int(places[other])}, points {int(now['scores'][other])}"
            )
        if now["phase"] != OVER:
            lines += ["", *_dealt(after)]
    elif (view["table_move"] and not now["table_move"]) or (verb == "play" and not now["table_move"]):
        lines.append(f"  the table clears; player {int(now['seat'])} leads")
    return lines


_THIRD = {
    "play": "plays", "pass": "passes", "give": "passes on", "discard": "discards", "name": "names",
    "exchange": "gives back",
}  # fmt: skip


def _changes(before: Any, after: Any) -> list[str]:
    view, now = before["view"], after["view"]
    if view["game"] != now["game"]:
        return []
    lines = []
    if view["revolution"] != now["revolution"]:
        lines.append("    revolution")
    if view["temporary"] != now["temporary"] and now["table_move"]:
        lines.append("    the order turns until the table clears")
    if view["direction"] != now["direction"]:
        lines.append("    the direction turns")
    for player in _players(before):
        if now["places"][player] and not view["places"][player]:
            lines.append(f"    player {player} takes place {int(now['places'][player])}")
    return lines


def _dealt(state: Any) -> list[str]:
    lines = [f"Game {int(state['view']['game'])}"]
    for player in _players(state):
        hand = notation.hand_signs(int(state["hands"][player]), int(state["jokers"][player]))
        lines.append(f"  player {player}: {hand}")
    return [*lines, ""]


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match: the hands as dealt."""
    return _dealt(state)
