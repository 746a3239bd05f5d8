"""Moves and positions of 9 Peak as text: for scenarios, replays and people."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sim.errors import IllegalMove, UserError, reading_move, unknown
from sim.ninepeak import cards, engine
from sim.ninepeak.position import set_position
from sim.ninepeak.score import set_points
from sim.ninepeak.state import EVENTS, KEEP, LABELS, OVER, OWN_VP, PEAK, SHAPE_BITS, TURN, VP_PARTS

__all__ = [
    "EXPECT",
    "canonical_cards",
    "canonical_move",
    "describe",
    "inspect",
    "label_text",
    "move_of",
    "move_text",
    "narrate",
    "opening",
    "parse_move",
    "set_position",
    "verbs",
    "why_not",
]

_NUMBER = re.compile(r"0|[1-9][0-9]*")
_SIZES = {str(size): size for size in range(1, PEAK + 1)}
_VERBS = {TURN: ("pass", "play"), KEEP: ("keep", "release")}

EXPECT = {
    "hands": "list of cards",
    "area": "cards",
    "peaks": "set of numbers",
    "won": "list of numbers",
    "sets": "list of lists of cards",
    "set_points": "list of lists of numbers",
}
"""What a scenario may expect beside what every game has, and how it is written."""


class Spoken(NamedTuple):
    """A move as text says it: which cards, not which places of a hand."""

    verb: str
    cards: tuple[int, ...] = ()
    value: int = 0
    taken: int = -1


def verbs(view: Any) -> tuple[str, ...]:
    """Return the verbs of the moves of the player to move."""
    return _VERBS.get(int(view["phase"]), ())


# ---- moves ----------------------------------------------------------------------------------------------


def parse_move(text: str) -> tuple[str, Spoken]:
    """Return (verb, what is said) of a move as text.

    Raises
    ------
    IllegalMove
        If it is one that no position allows.
    UserError
        If it is no move of this game.
    """
    verb, _, rest = text.strip().partition(" ")
    known = [verb for group in _VERBS.values() for verb in group]
    if verb not in known:
        raise unknown("verb", verb, known, f"move {text!r}")
    with reading_move(text):
        if verb == "play":
            return verb, _parse_play(rest)
        if verb == "pass":
            return verb, _parse_pass(rest)
        if cards.parse(rest):
            raise IllegalMove(f"{verb} stands alone")
    return verb, Spoken(verb)


def _parse_play(rest: str) -> Spoken:
    number, colon, names = rest.partition(":")
    value = number.strip()
    form = f"must be play N: CARDS with N from 1 to {PEAK}, such as play 2: S2 D2"
    if rest.strip() and not (colon and _NUMBER.fullmatch(value)):
        raise UserError(form)
    codes = tuple(cards.parse(names))
    if value not in _SIZES:
        raise IllegalMove(form)
    return Spoken("play", codes, _SIZES[value])


def _parse_pass(rest: str) -> Spoken:
    put, take, taken = rest.partition("take")
    codes, wanted = tuple(cards.parse(put)), tuple(cards.parse(taken))
    if (len(codes), len(wanted)) not in ((1, 0), (2, 1)) or (take and not wanted):
        raise IllegalMove("must be pass CARD, or pass CARD CARD take CARD")
    return Spoken("pass", codes, 0, wanted[0] if wanted else -1)


def _places(counts: Any, codes: tuple[int, ...]) -> list[int] | None:
    """Return places of a group that hold these cards, None if it lacks one."""
    held = cards.codes_of(counts)
    places: list[int] = []
    for code in codes:
        place = next((i for i, card in enumerate(held) if card == code and i not in places), None)
        if place is None:
            return None
        places.append(place)
    return places


def move_of(view: Any, spoken: Spoken) -> int:
    """Return the move that is meant; of cards alike the first in the hand.

    Raises
    ------
    IllegalMove
        If a card of it is not where it must be.
    """
    if spoken.verb in _VERBS[KEEP]:
        return engine.KEEP_MOVE if spoken.verb == "keep" else engine.RELEASE_MOVE
    places = _places(view["hand"], spoken.cards)
    if places is None:
        raise IllegalMove(f"{_spoken_text(spoken)}: not all of these cards are in the hand")
    move = sum(1 << place for place in places) | (spoken.value << engine.VALUE_SHIFT)
    if spoken.taken >= 0:
        in_area = _places(view["area"], (spoken.taken,))
        if in_area is not None:
            taken = in_area[0]
        elif spoken.taken in spoken.cards:
            # Of the two cards put, the first is the one at the lower place.
            taken = int(view["area_size"]) + (0 if spoken.taken == min(spoken.cards) else 1)
        else:
            raise IllegalMove(f"{_spoken_text(spoken)}: {cards.sign(spoken.taken)} is not in the area")
        move |= (taken + 1) << engine.TAKEN_SHIFT
    return move


def _meant(view: Any, move: int) -> Spoken:
    """Return a move of a turn with its cards."""
    hand = cards.codes_of(view["hand"])
    codes = tuple(hand[place] for place in range(len(hand)) if move >> place & 1)
    value = move >> engine.VALUE_SHIFT & 15
    taken = (move >> engine.TAKEN_SHIFT & 127) - 1
    if taken < 0:
        return Spoken("play" if value else "pass", codes, value)
    return Spoken("pass", codes, 0, [*cards.codes_of(view["area"]), *codes][taken])


def move_text(view: Any, move: int) -> str:
    """Return a move as text: ``pass S5``, ``pass S5 D6 take H3``, ``play 5: S5 …``, ``keep``."""
    if int(view["phase"]) == KEEP:
        return "keep" if move == engine.KEEP_MOVE else "release"
    return _spoken_text(_meant(view, int(move)))


def _spoken_text(spoken: Spoken) -> str:
    names = " ".join(cards.NAMES[code] for code in sorted(spoken.cards))
    if spoken.verb == "play":
        return f"play {spoken.value}: {names}"
    take = f" take {cards.NAMES[spoken.taken]}" if spoken.taken >= 0 else ""
    return f"{spoken.verb} {names}{take}".rstrip()


def canonical_cards(text: str) -> str:
    """Return a list of cards in the order in which `inspect` gives it."""
    return " ".join(cards.NAMES[code] for code in cards.parse(text))


def canonical_move(text: str) -> str:
    """Return a move as `move_text` writes it."""
    return _spoken_text(parse_move(text)[1])


def why_not(view: Any, rules: Any, move: int) -> str:
    """Say which move is refused, and why."""
    places = move & 0x3FFFFFF
    value = move >> engine.VALUE_SHIFT & 15
    taken = (move >> engine.TAKEN_SHIFT & 127) - 1
    whole = places | (taken + 1) << engine.TAKEN_SHIFT | value << engine.VALUE_SHIFT
    if int(view["phase"]) != TURN or move != whole or (value and taken >= 0):
        return f"make move {move}: it is none of 9 Peak here"
    if places >> int(view["held"][view["seat"]]):
        return f"make move {move}: it names cards beyond the hand"
    if taken >= int(view["area_size"]) + 2 or (taken >= int(view["area_size"]) and places.bit_count() != 2):
        return f"make move {move}: it takes a card that is not in the area"
    text = _spoken_text(_meant(view, move))
    size = places.bit_count()
    if value == 0:
        return f"{text}: a pass puts one card, or two and takes one"
    if size != value:
        return f"{text}: {size} cards, where a set of {value} has {value}"
    if value < int(view["smallest"]):
        return f"{text}: sets never shrink, so {int(view['smallest'])} or more"
    return f"{text}: not all of these cards can be used as {value} now"


# ---- positions ------------------------------------------------------------------------------------------


def _seats(state: Any) -> range:
    return range(int(state["view"]["players"]))


def _sets_of(view: Any) -> list[list[list[int]]]:
    """Return the sets of each seat, in the order of playing, as groups."""
    found: list[list[list[int]]] = [[] for _ in range(int(view["players"]))]
    for play in range(int(view["plays"])):
        words = [int(word) for word in view["play_cards"][play]]
        counts = [words[number // 3] >> (20 * (number % 3)) & 0xFFFFF for number in range(cards.NUMBERS)]
        found[int(view["play_seat"][play])].append(counts)
    return found


def _points(counts: list[int], rules: Any) -> int:
    codes = cards.codes_of(counts)
    return int(set_points(sum(1 << code % 32 for code in codes), len(codes), rules))


def inspect(state: Any, rules: Any) -> dict[str, Any]:
    """Return the position by the names of a scenario's ``expect``, and what tests compare beside."""
    view = state["view"]
    seats = _seats(state)
    over = int(view["phase"]) == OVER
    scores = [int(view["scores"][seat]) for seat in seats]
    sets = _sets_of(view)
    stock = state["deck"][state["dealt"] : state["dealt"] + view["stock"]]
    at = 0
    events: dict[str, Any] = {}
    for event in EVENTS:
        values = [int(value) for value in state["tally"][at : at + event.length]]
        events[event.name] = values if event.length > 1 else values[0]
        at += event.length
    return {
        "to_move": int(view["seat"]),
        "over": over,
        "hands": [cards.text(state["hands"][seat]) for seat in seats],
        "scores": scores,
        "winners": [scores.index(max(scores))] if over else [],
        "area": cards.text(view["area"]),
        "peaks": [number + 1 for number in range(cards.NUMBERS) if int(view["peaks"]) >> number & 1],
        "won": [int(view["won"][seat]) for seat in seats],
        "sets": [[cards.text(group) for group in own] for own in sets],
        "set_points": [[_points(group, rules) for group in own] for own in sets],
        "phase": {TURN: "turn", KEEP: "keep"}.get(int(view["phase"]), "over"),
        "round": int(view["round"]),
        "stock": [cards.NAMES[int(code)] for code in stock],
        "turned": cards.NAMES[int(state["turned"])] if state["turned"] >= 0 else "",
        "gone": cards.text(view["gone"]),
        "known": [cards.text(view["known"][seat]) for seat in seats],
        "vp": {
            name: [int(state["seat_tally"][seat, OWN_VP + part]) for seat in seats]
            for part, name in enumerate(VP_PARTS)
        },
        "events": events,
    }


def label_text(name: str, key: int) -> str:
    """Return a label (`state.LABELS`) for people: a shape as ``1·3·4·5``."""
    if name != LABELS[0].name:
        return str(key)
    sizes = [
        str(size + 1)
        for size in range(PEAK)
        for _ in range(key >> (SHAPE_BITS * size) & ((1 << SHAPE_BITS) - 1))
    ]
    return "·".join(sizes) or "none"


def describe(state: Any, rules: Any) -> str:
    """Return the position for people."""
    view = state["view"]
    peaks = ", ".join(str(n + 1) for n in range(cards.NUMBERS) if int(view["peaks"]) >> n & 1) or "none"
    last = " (the last)" if view["last_round"] else ""
    area = cards.signs(view["area"]) or "empty"
    stock = f"{int(view['stock'])} cards in the stock"
    lines = [f"round {int(view['round'])}{last}; area: {area}; peaks: {peaks}; {stock}"]
    for seat, own in enumerate(_sets_of(view)):
        mark = ">" if seat == view["seat"] else " "
        sets = " | ".join(f"{cards.signs(group)} ({_points(group, rules)})" for group in own) or "-"
        end = f"; score {int(view['scores'][seat])}" if view["phase"] == OVER else ""
        lines.append(
            f"{mark} seat {seat}: hand {cards.signs(state['hands'][seat]) or '-'}; sets {sets}; "
            f"won {int(view['won'][seat])} card(s){end}"
        )
    return "\n".join(lines)


# ---- replays --------------------------------------------------------------------------------------------


def opening(state: Any) -> list[str]:
    """Return the lines before the first move of a match: the area and the hands as dealt."""
    view = state["view"]
    peaked = [str(n + 1) for n in range(cards.NUMBERS) if int(view["peaks"]) >> n & 1]
    lines = ["Dealt", *(f"  seat {seat}: {cards.signs(state['hands'][seat])}" for seat in _seats(state))]
    lines += ["", f"Round 1; area {cards.signs(view['area']) or 'empty'}"]
    if peaked:
        lines.append(f"  already at its peak: {', '.join(peaked)}")
    return lines


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
    view, now = before["view"], after["view"]
    seat = int(view["seat"])
    who = f"seat {seat} ({names[seat]})"
    if view["phase"] == KEEP:
        does = "keeps the card turned up" if move == engine.KEEP_MOVE else "lets the card turned up go"
        lines = [f"  {who} {does}, {cards.sign(int(view['turned']))}"]
    else:
        lines = _told(before, _meant(view, int(move)), after, rules, who)
    lines += _peaks_told(view, now, who)
    if now["held"][seat] == 0 and now["phase"] != KEEP:
        lines.append(f"  {who} is out: this round is the last")
    if now["phase"] == OVER:
        lines += ["", "End of the match", *_totals(after, names)]
    elif now["round"] != view["round"]:
        lines += ["", f"Round {int(now['round'])}; area {cards.signs(now['area']) or 'empty'}"]
    return lines


def _told(before: Any, meant: Spoken, after: Any, rules: Any, who: str) -> list[str]:
    put = " ".join(cards.sign(code) for code in meant.cards)
    if meant.verb == "pass":
        take = f" and takes {cards.sign(meant.taken)}" if meant.taken >= 0 else ""
        return [f"  {who} passes: puts {put}{take}"]
    points = _points(cards.counts_of(list(meant.cards)), rules)
    lines = [f"  {who} plays {meant.value}: {put} ({points:+d} VP)"]
    if before["view"]["stock"] > 0 and after["view"]["phase"] != KEEP:
        lines.append(f"  turned up: {cards.sign(int(before['deck'][before['dealt']]))}")
    return lines


def _peaks_told(view: Any, now: Any, who: str) -> list[str]:
    lines = []
    seat = int(view["seat"])
    for number in range(cards.NUMBERS):
        if (int(now["peaks"]) & ~int(view["peaks"])) >> number & 1:
            gained = int(now["won"][seat]) > int(view["won"][seat])
            end = f"{who} wins its cards" if gained else "its cards are discarded"
            lines.append(f"  {number + 1} peaks: {end}")
    return lines


def _totals(state: Any, names: list[str]) -> list[str]:
    lines = []
    for seat in _seats(state):
        parts = ", ".join(
            f"{name.removeprefix('vp_').replace('_', ' ')} {int(state['seat_tally'][seat, OWN_VP + part])}"
            for part, name in enumerate(VP_PARTS)
            if state["seat_tally"][seat, OWN_VP + part] != 0
        )
        lines.append(
            f"  seat {seat} ({names[seat]}): {int(state['view']['scores'][seat])} VP ({parts or 'none'})"
        )
    return lines
