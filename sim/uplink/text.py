"""Moves and positions of Uplink as text: for scenarios, replays and people."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.errors import reading_move, unknown
from sim.uplink import engine
from sim.uplink.position import set_position
from sim.uplink.state import BY_LEAD_POSITION, HEART_PAIRS, LEAVE, OVER, PLAY, PUT, SETS_OF_THREE, TRICKS

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

_VERBS = {PUT: "put", PLAY: "play", LEAVE: "leave"}

EXPECT = {
    "hands": "list of cards",
    "field": "cards",
    "piles": "list of cards",
    "game": "number",
    "trick": "number",
    "leader": "number",
    "pile_points": "list of numbers",
}
"""What a scenario may expect beside what every game has, and how it is written."""


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verbs of the moves of the seat to move."""
    phase = int(view["phase"])
    return (_VERBS[phase],) if phase in _VERBS else ()


def move_text(view: Any, move: int) -> str:
    """Return a move as text: ``put S3``, ``play HQ``, ``leave C5``, ``leave``."""
    return " ".join([*verbs(view), *cards.text(move).split()])


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
    if verb not in _VERBS.values():
        raise unknown("verb", verb, _VERBS.values(), f"move {text!r}")
    with reading_move(text):
        return verb, cards.mask_of(cards.parse(rest))


def move_of(view: Any, spoken: int) -> int:
    """Return the move that is meant by what `parse_move` read: itself, whatever the position."""
    return spoken


def canonical_cards(text: str) -> str:
    """Return a list of cards in the order in which `inspect` gives it."""
    return cards.text(cards.mask_of(cards.parse(text)))


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    verb, move = parse_move(text)
    return f"{verb} {cards.text(move)}".rstrip()


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    if move & ~cards.PACK:
        return f"{' '.join(verbs(view))} {move}: it is no set of cards"
    text = move_text(view, move)
    missing = move & ~int(view["choices"])
    if missing:
        place = "the field" if view["phase"] == LEAVE else "the hand"
        return f"{text}: {cards.signs(missing)} not in {place}"
    return f"{text}: {int(view['pick'])} card(s) to choose, not {len(cards.members(move))}"


def _seats(state: Any) -> range:
    return range(int(state["view"]["players"]))


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``, and what tests compare beside."""
    view = state["view"]
    seats = _seats(state)
    over = int(view["phase"]) == OVER
    scores = [int(view["scores"][seat]) for seat in seats]
    piles = [int(view["piles"][seat]) for seat in seats]
    decks = [
        [
            cards.NAMES[int(card)]
            for card in state["decks"][row][state["dealt"][row] : state["deck_size"][row]]
        ]
        for row in seats
    ]
    tally = [int(count) for count in state["tally"]]
    return {
        "to_move": int(view["seat"]),
        "over": over,
        "hands": [cards.text(state["hands"][seat]) for seat in seats],
        "scores": scores,
        "winners": [seat for seat in seats if over and scores[seat] == max(scores)],
        "field": cards.text(view["field"]),
        "piles": [cards.text(pile) for pile in piles],
        "game": int(view["game"]),
        "trick": int(view["trick"]),
        "leader": int(view["leader"]),
        "pile_points": [int(engine.pile_value(pile, rules)[0]) for pile in piles],
        "phase": _VERBS.get(int(view["phase"]), "over"),
        "trick_cards": {
            seat: cards.NAMES[int(view["played"][seat])] for seat in seats if view["played"][seat] >= 0
        },
        "stock": decks if rules["personal"] else decks[0],
        "events": {
            "heart_pairs": tally[HEART_PAIRS],
            "sets_of_three": tally[SETS_OF_THREE],
            "tricks_by_lead_position": tally[BY_LEAD_POSITION : BY_LEAD_POSITION + len(seats)],
            "tricks_by_seat": [int(state["seat_tally"][seat, TRICKS]) for seat in seats],
        },
    }


def describe(state: Any, rules: Any) -> str:
    """Return the position for people."""
    view = state["view"]
    game, games, trick, leader = (
        int(n) for n in (view["game"], rules["games"], view["trick"], view["leader"])
    )
    field = cards.signs(view["field"]) or "empty"
    lines = [f"game {game} of {games}, trick {trick}, led by seat {leader}; field: {field}"]
    for seat in _seats(state):
        played = int(view["played"][seat])
        played_text = f", played {cards.SIGNS[played]}" if played >= 0 else ""
        points = int(engine.pile_value(int(view["piles"][seat]), rules)[0])
        mark = ">" if seat == view["seat"] else " "
        lines.append(
            f"{mark} seat {seat}: hand {cards.signs(state['hands'][seat]) or '-'}{played_text}; "
            f"pile {cards.signs(view['piles'][seat]) or '-'} ({points:+d}); score {int(view['scores'][seat])}"
        )
    return "\n".join(lines)


def narrate(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    """Tell one move as a person would follow it.

    Parameters
    ----------
    before, after : STATE record
    move : int
    rules : RULES record
    names : list of str
        The bot in each seat.
    """
    view = before["view"]
    now = after["view"]
    seat = int(view["seat"])
    who = f"seat {seat} ({names[seat]})"
    lines = []
    if view["phase"] == PUT:
        lines.append(f"  {who} puts out {cards.signs(move)}")
        if now["phase"] == PLAY:
            lines += ["", *_trick_head(now)]
    elif view["phase"] == PLAY:
        lines.append(f"  {who} {'leads' if view['turn'] == 0 else 'plays'} {cards.signs(move)}")
    else:
        own = 1 << int(view["played"][seat])
        captured = (int(view["field"]) & ~move) | own
        pile = int(view["piles"][seat])
        points = int(engine.pile_value(pile | captured, rules)[0]) - int(engine.pile_value(pile, rules)[0])
        lines.append(
            f"  {who} takes the trick: captures {cards.signs(captured)} ({points:+d}), "
            f"leaves {cards.signs(move) or 'nothing'}"
        )
        lines += _after_trick(before, move, after, rules, names)
    return lines


def _trick_head(view: Any) -> list[str]:
    return [f"Game {int(view['game'])}, trick {int(view['trick'])}; field {cards.signs(view['field'])}"]


def _after_trick(before: Any, move: int, after: Any, rules: Any, names: list[str]) -> list[str]:
    view, now = before["view"], after["view"]
    if now["phase"] != OVER and now["game"] == view["game"]:
        return ["", *_trick_head(now)]
    lines = ["", f"End of game {int(view['game'])}"]
    for seat in _seats(before):
        pile = int(view["piles"][seat])
        if seat == view["seat"]:
            pile |= (int(view["field"]) & ~move) | (1 << int(view["played"][seat]))
        points, pairs, sets = (int(value) for value in engine.pile_value(pile, rules))
        extra = (f", {pairs} heart pair(s)" if pairs else "") + (f", {sets} set(s) of three" if sets else "")
        lines.append(
            f"  seat {seat} ({names[seat]}): {cards.signs(pile) or 'nothing'}: {points:+d}{extra}; "
            f"total {int(now['scores'][seat])}"
        )
    if now["phase"] != OVER:
        lines += ["", f"Game {int(now['game'])} dealt", *_hands(after), "", *_trick_head(now)]
    return lines


def _hands(state: Any) -> list[str]:
    return [f"  seat {seat}: {cards.signs(state['hands'][seat])}" for seat in _seats(state)]


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match: the hands as dealt."""
    return [
        "Dealt",
        *_hands(state),
        "",
        "The first field is put out face down",
    ]
