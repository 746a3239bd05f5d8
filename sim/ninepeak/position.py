"""Positions set up by hand: the table ``[position]`` of a scenario."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import rng
from sim.drafts import Draft
from sim.errors import UserError, check_keys
from sim.ninepeak import cards, engine
from sim.ninepeak.state import MAX_HAND, PEAK

_KEYS = ("hands", "to_move", "stock", "area", "peaks", "sets", "won")


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write a position into `state`: the start of a turn.

    An empty hand means that this round is the last (P14). Cards that the position leaves out are won cards as far
    as it says how many there are, and otherwise the rest of the stock.

    Raises
    ------
    UserError
        If it is impossible; the message names the key.
    """
    check_keys(fields, _KEYS, "position")
    players = draft.players
    to_move = fields.get("to_move", 0)
    if type(to_move) is not int or not 0 <= to_move < players:
        raise UserError(f"position.to_move = {to_move!r}: must be an integer from 0 to {players - 1}")
    hands = [_cards(text, f"hands[{seat}]") for seat, text in enumerate(_lists(fields, "hands", "", players))]
    sets = _sets(fields, players)
    area = _cards(fields.get("area", ""), "area")
    stock = _cards(fields.get("stock", ""), "stock")
    peaks = _peaks(fields, area)
    won = _won(fields, players)
    rest = _rest(hands, sets, area, stock, seed)
    if not any(hands):
        raise UserError("position.hands: nobody holds a card, so nobody can move")

    engine.clear(state, rules)
    view = state["view"]
    view["area"][:] = cards.counts_of(area)
    view["area_size"] = len(area)
    view["peaks"] = sum(1 << (number - 1) for number in peaks)
    for seat in range(players):
        if len(hands[seat]) > MAX_HAND:
            raise UserError(f"position.hands[{seat}]: {len(hands[seat])} cards: must be {MAX_HAND} or fewer")
        state["hands"][seat][:] = cards.counts_of(hands[seat])
        view["held"][seat] = len(hands[seat])
        view["won"][seat] = won[seat]
        engine.note_jokers(state, seat)
        for group in sets[seat]:
            _lay(state, rules, seat, group)
    rest = _set_won_aside(view, rest, sum(won), peaks)
    order = [*_in_order(fields.get("stock", "")), *rest]
    state["deck"][: len(order)] = order
    view["stock"] = len(order)
    view["last_round"] = 0 if all(hands) else 1
    engine.give_turn(state, rules, to_move)


def _lists(fields: dict[str, Any], key: str, empty: Any, players: int) -> list[Any]:
    value = fields.get(key, [empty] * players)
    if not isinstance(value, list) or len(value) != players:
        raise UserError(f"position.{key} must be a list of {players}, one a seat")
    return value


def _cards(text: Any, key: str) -> list[int]:
    if not isinstance(text, str):
        raise UserError(f'position.{key} = {text!r}: must be a list of cards in one string, such as "S3 J4"')
    try:
        return cards.parse(text)
    except UserError as error:
        raise UserError(f"position.{key}: {error}") from None


def _in_order(text: str) -> list[int]:
    return [cards.code_of(name) for name in text.split()]


def _sets(fields: dict[str, Any], players: int) -> list[list[list[int]]]:
    found = []
    for seat, groups in enumerate(_lists(fields, "sets", [], players)):
        if not isinstance(groups, list):
            raise UserError(f"position.sets[{seat}] = {groups!r}: must be a list of strings of cards")
        own = [_cards(text, f"sets[{seat}][{number}]") for number, text in enumerate(groups)]
        for number, group in enumerate(own):
            if not 1 <= len(group) <= PEAK:
                raise UserError(
                    f"position.sets[{seat}][{number}]: {len(group)} cards: a set has from 1 to {PEAK}"
                )
        found.append(own)
    return found


def _peaks(fields: dict[str, Any], area: list[int]) -> list[int]:
    peaks = fields.get("peaks", [])
    allowed = range(1, cards.NUMBERS + 1)
    if not isinstance(peaks, list) or any(
        type(number) is not int or number not in allowed for number in peaks
    ):
        raise UserError(f"position.peaks = {peaks!r}: must be a list of numbers from 1 to {cards.NUMBERS}")
    if len(set(peaks)) < len(peaks):
        raise UserError(f"position.peaks = {peaks}: names a number twice")
    for number in allowed:
        width = sum(code // 32 == number - 1 for code in area)
        if number + width >= PEAK and number not in peaks:
            raise UserError(
                f"position.area: {width} cards of number {number}, which is at its peak: it must be among peaks"
            )
    return peaks


def _won(fields: dict[str, Any], players: int) -> list[int]:
    won = _lists(fields, "won", 0, players)
    if any(type(count) is not int or not 0 <= count <= cards.PACK_SIZE for count in won):
        raise UserError(f"position.won = {won!r}: must be {players} numbers of cards, one a seat")
    return won


def _rest(
    hands: list[list[int]], sets: list[list[list[int]]], area: list[int], stock: list[int], seed: int
) -> list[int]:
    """Return the cards that the position does not name, in an order drawn from the seed."""
    placed = [*area, *stock, *(code for hand in hands for code in hand)]
    placed += [code for own in sets for group in own for code in group]
    rest = [int(code) for code in cards.PACK]
    for code in placed:
        if code not in rest:
            copies = 1 if code % 32 == cards.JOKER_SHIFT else 3
            raise UserError(
                f"position: {cards.NAMES[code]} is there {placed.count(code)} times, the pack holds {copies}"
            )
        rest.remove(code)
    order = np.array(rest, dtype=np.uint8)
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, seed, 0, rng.REST, 0)
    rng.shuffle(stream, order, len(order))
    return [int(code) for code in order]


def _lay(state: Any, rules: Any, seat: int, group: list[int]) -> None:
    """Put a set before a player, as a play does."""
    view = state["view"]
    play = int(view["plays"])
    counts = cards.counts_of(group)
    view["plays"] += 1
    view["play_seat"][play] = seat
    for word in range(2):
        view["play_cards"][play, word] = sum(counts[3 * word + i] << (20 * i) for i in range(3))
    for number in range(cards.NUMBERS):
        view["gone"][number] += counts[number]
    engine.lay(state, rules, seat, sum(1 << code % 32 for code in group), len(group))


def _set_won_aside(view: Any, rest: list[int], count: int, peaks: list[int]) -> list[int]:
    """Take cards that were won out of the rest, of peaked numbers first; return what is left."""
    if count > len(rest):
        raise UserError(f"position.won: {count} cards, but only {len(rest)} are not elsewhere")
    chosen = sorted(range(len(rest)), key=lambda place: rest[place] // 32 + 1 not in peaks)[:count]
    for place in chosen:
        view["gone"][rest[place] // 32] += 1 << rest[place] % 32
    return [code for place, code in enumerate(rest) if place not in chosen]
