"""Positions set up by hand: the table ``[position]`` of a scenario."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim import cards, rng
from sim.drafts import Draft
from sim.errors import UserError, check_keys
from sim.uplink import engine
from sim.uplink.state import PLAY, PUT

_KEYS = ("hands", "to_move", "scores", "stock", "field", "piles", "game", "leader", "put_out")
_MAX_SCORE = 10**6


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write a position into `state`: the start of a trick, or of the match with ``put_out = false``.

    Raises
    ------
    UserError
        If it is impossible; the message names the key.
    """
    check_keys(fields, _KEYS, "position")
    players = draft.players
    put_out = fields.get("put_out", True)
    if not isinstance(put_out, bool):
        raise UserError(f"position.put_out = {put_out!r}: must be true or false")
    game = _number(fields, "game", 1, 1, int(rules["games"]))
    leader = _leader(fields, players)
    hands = _card_lists(fields, "hands", players)
    piles = _card_lists(fields, "piles", players)
    field = cards.mask_of(_cards(fields, "field"))
    stock = _cards(fields, "stock")
    _check_once(hands, piles, field, stock)
    if not put_out and (game != 1 or leader != 0 or field or any(piles)):
        raise UserError(
            "position.put_out = false: the match has just begun, so game 1, seat 0, no field and no piles"
        )
    _check_hands(hands, rules, put_out=put_out)
    if rules["personal"]:
        _check_suits(hands, piles, field, stock, players)

    engine.start(state, rules, seed, 0)
    view = state["view"]
    left = len(cards.members(hands[0])) - (0 if put_out else 1)
    view["game"], view["leader"], view["field"] = game, leader, field
    view["trick"] = int(rules["hand_size"]) - left + 1
    for seat in range(players):
        state["hands"][seat] = hands[seat]
        view["held"][seat] = len(cards.members(hands[seat]))
        view["piles"][seat] = piles[seat]
    for seat, score in enumerate(_scores(fields, players)):
        view["scores"][seat] = score
    _set_stock(state, rules, stock, seed)
    engine.ask(state, PLAY if put_out else PUT, leader)


def _set_stock(state: Any, rules: Any, known: list[int], seed: int) -> None:
    """Put the rest of the pack into the stock or out of play, the known next cards first."""
    view = state["view"]
    players = int(rules["players"])
    used = int(view["field"])
    for seat in range(players):
        used |= int(state["hands"][seat]) | int(view["piles"][seat])
    rest = np.array(cards.members(cards.PACK & ~used & ~cards.mask_of(known)), dtype=np.int8)
    stream = np.zeros(1, rng.STREAM)[0]
    rng.open_stream(stream, seed, 0, rng.REST, 0)
    rng.shuffle(stream, rest, len(rest))
    order = [*known, *(int(card) for card in rest)]
    size = int(rules["hand_size"])
    fresh = int(view["game"]) % 2 == 1
    view["stock"] = 0
    for row in range(players):
        if rules["personal"]:
            deck = [card for card in order if card % 4 == row]
            in_play = 13 - 2 * size - 1
        else:
            deck = order if row == 0 else []
            in_play = cards.PACK_SIZE - players * (2 * size + 1) if row == 0 else 0
        # In every second game the cards of the game before are out of play (U16).
        kept = len(deck) if fresh else min(len(deck), max(in_play, 0))
        next_deal = size * (1 if rules["personal"] or row > 0 else players)
        if fresh and view["game"] < rules["games"] and kept < next_deal and (row == 0 or rules["personal"]):
            raise UserError(
                f"position: {kept} cards are left to deal for the next game, which needs {next_deal}"
            )
        view["out"] |= cards.mask_of(deck[kept:])
        state["decks"][row][:kept] = deck[:kept]
        state["deck_size"][row] = kept
        state["dealt"][row] = 0
        view["stock"] += kept
    if rules["personal"]:
        owned = sum(cards.suit_mask(seat) for seat in range(players))
        view["out"] &= owned


def _number(fields: dict[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = fields.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise UserError(f"position.{key} = {value!r}: must be an integer from {low} to {high}")
    return value


def _leader(fields: dict[str, Any], players: int) -> int:
    leader = _number(fields, "leader", _number(fields, "to_move", 0, 0, players - 1), 0, players - 1)
    if "to_move" in fields and fields["to_move"] != leader:
        raise UserError(
            f"position.to_move = {fields['to_move']}: a position is the start of a trick, "
            f"so the leader ({leader}) is to move"
        )
    return leader


def _scores(fields: dict[str, Any], players: int) -> list[int]:
    scores = fields.get("scores", [0] * players)
    if not isinstance(scores, list) or len(scores) != players:
        raise UserError(f"position.scores = {scores!r}: must be a list of {players} integers")
    for score in scores:
        if type(score) is not int or abs(score) > _MAX_SCORE:
            raise UserError(f"position.scores = {scores!r}: must be integers up to {_MAX_SCORE:,}")
    return scores


def _cards(fields: dict[str, Any], key: str) -> list[int]:
    text = fields.get(key, "")
    if not isinstance(text, str):
        raise UserError(f'position.{key} = {text!r}: must be a list of cards in one string, such as "S3 H10"')
    try:
        return cards.parse(text)
    except UserError as error:
        raise UserError(f"position.{key}: {error}") from None


def _card_lists(fields: dict[str, Any], key: str, players: int) -> list[int]:
    lists = fields.get(key, [""] * players)
    if not isinstance(lists, list) or len(lists) != players:
        raise UserError(f"position.{key} must be a list of {players} strings of cards, one a seat")
    return [
        cards.mask_of(_cards({f"{key}[{seat}]": text}, f"{key}[{seat}]")) for seat, text in enumerate(lists)
    ]


def _check_once(hands: list[int], piles: list[int], field: int, stock: list[int]) -> None:
    places = [
        *((f"hands[{seat}]", mask) for seat, mask in enumerate(hands)),
        *((f"piles[{seat}]", mask) for seat, mask in enumerate(piles)),
        ("field", field),
        ("stock", cards.mask_of(stock)),
    ]
    seen: dict[int, str] = {}
    for place, mask in places:
        for card in cards.members(mask):
            if card in seen:
                raise UserError(f"position: {cards.NAMES[card]} is in {seen[card]} and in {place}")
            seen[card] = place


def _check_hands(hands: list[int], rules: Any, *, put_out: bool) -> None:
    sizes = [len(cards.members(hand)) for hand in hands]
    low = 1 if put_out else int(rules["hand_size"]) + 1
    high = int(rules["hand_size"]) + (0 if put_out else 1)
    if len(set(sizes)) > 1:
        raise UserError(f"position.hands: {sizes} cards: at the start of a trick all hands are equal")
    if not low <= sizes[0] <= high:
        allowed = f"from {low} to {high}" if put_out else f"{high}, as dealt, before the put-out"
        raise UserError(f"position.hands: {sizes[0]} cards each: must be {allowed}")


def _check_suits(hands: list[int], piles: list[int], field: int, stock: list[int], players: int) -> None:
    for seat, hand in enumerate(hands):
        foreign = hand & ~cards.suit_mask(seat)
        if foreign:
            raise UserError(
                f"position.hands[{seat}]: {cards.text(foreign)}: in personal_decks seat {seat} "
                f"holds only {cards.SUITS[seat]}"
            )
    owned = sum(cards.suit_mask(seat) for seat in range(players))
    unowned = (field | cards.mask_of(stock) | sum(piles)) & ~owned
    if unowned:
        raise UserError(f"position: {cards.text(unowned)} has no owner with {players} players")
