"""Positions of Daifugō set up by hand: the table ``[position]`` of a scenario. It covers one game."""

from __future__ import annotations

from typing import Any

from sim import cards
from sim.daifugo import deal, engine, notation
from sim.daifugo.state import PLAY
from sim.drafts import Draft
from sim.errors import UserError, check_keys

_KEYS = (
    "hands", "to_move", "scores", "stock", "revolution", "direction", "previous_places", "places", "phase",
)  # fmt: skip
_MAX_SCORE = 10**6


def set_position(state: Any, rules: Any, draft: Draft, fields: dict[str, Any], seed: int) -> None:
    """Write a position into `state`: an empty table before a lead, or before the exchange.

    Cards that no hand holds are out of the game.

    Raises
    ------
    UserError
        If it is impossible; the message names the key.
    """
    check_keys(fields, _KEYS, "position")
    players = draft.players
    hands = _hands(fields, players, int(rules["jokers"]))
    previous = _places(fields, "previous_places", players, whole=True)
    places = _places(fields, "places", players, whole=False)
    phase = fields.get("phase", "play")
    if phase not in ("play", "exchange"):
        raise UserError(f'position.phase = {phase!r}: must be "play" or "exchange"')
    if phase == "exchange" and (any(places) or not any(previous)):
        raise UserError(
            'position.phase = "exchange": needs previous_places, and nobody has a place of this game yet'
        )
    if not isinstance(fields.get("stock", ""), str) or fields.get("stock", "").strip():
        raise UserError("position.stock: Daifugō has no stock; cards that no hand holds are out of the game")
    for player, (naturals, jokers) in enumerate(hands):
        if bool(naturals or jokers) == bool(places[player]):
            has = "has a place, so no cards" if places[player] else "has no place, so must hold cards"
            raise UserError(f"position.hands[{player}]: player {player} {has}")

    engine.start(state, rules, seed, 0)
    view = state["view"]
    deal.clear_game(state)
    state["view"]["single"] = 1
    state["tally"][:] = 0
    held = 0
    held_jokers = 0
    for player, (naturals, jokers) in enumerate(hands):
        state["hands"][player], state["jokers"][player] = naturals, jokers
        view["held"][player] = len(cards.members(naturals)) + jokers
        view["previous"][player], view["places"][player] = previous[player], places[player]
        view["scores"][player] = _scores(fields, players)[player]
        held |= naturals
        held_jokers += jokers
    view["gone"] = cards.PACK & ~held
    view["gone_jokers"] = int(rules["jokers"]) - held_jokers
    _set_sunk(state, rules, places)
    view["revolution"] = int(_truth(fields, "revolution"))
    view["direction"] = _direction(fields)
    _ask(state, rules, fields, places, phase)


def _ask(state: Any, rules: Any, fields: dict[str, Any], places: list[int], phase: str) -> None:
    """Ask for a gift, the named player, or the leader by D5."""
    view = state["view"]
    to_move = fields.get("to_move")
    if to_move is not None and (type(to_move) is not int or not 0 <= to_move < len(places)):
        raise UserError(f"position.to_move = {to_move!r}: must be an integer from 0 to {len(places) - 1}")
    if to_move is not None and places[to_move]:
        raise UserError(f"position.to_move = {to_move}: player {to_move} has a place already")
    view["fallback"] = places.index(0) if to_move is None else to_move
    if phase == "exchange":
        deal.exchange(state, rules)
    if phase == "exchange" or to_move is None:
        engine.ask_first(state, rules)
    else:
        engine.ask(state, rules, PLAY, to_move, 0)


def _hands(fields: dict[str, Any], players: int, pack_jokers: int) -> list[tuple[int, int]]:
    hands = fields.get("hands")
    if (
        not isinstance(hands, list)
        or len(hands) != players
        or not all(isinstance(hand, str) for hand in hands)
    ):
        raise UserError(f"position.hands must be a list of {players} strings of cards, one a player")
    found = []
    seen: dict[int, int] = {}
    for player, hand in enumerate(hands):
        words = hand.split()
        jokers = [word for word in words if word.upper() == notation.JOKER]
        try:
            naturals = cards.parse(" ".join(word for word in words if word.upper() != notation.JOKER))
        except UserError as error:
            raise UserError(f"position.hands[{player}]: {error}") from None
        for card in naturals:
            if card in seen:
                raise UserError(
                    f"position: {cards.NAMES[card]} is in hands[{seen[card]}] and in hands[{player}]"
                )
            seen[card] = player
        found.append((cards.mask_of(naturals), len(jokers)))
    if sum(jokers for _, jokers in found) > pack_jokers:
        raise UserError(f"position.hands: more jokers than rules.jokers = {pack_jokers}")
    return found


def _places(fields: dict[str, Any], key: str, players: int, *, whole: bool) -> list[int]:
    places = fields.get(key, [0] * players)
    if (
        not isinstance(places, list)
        or any(type(place) is not int for place in places)
        or len(places) != players
    ):
        raise UserError(f"position.{key} must be a list of {players} integers")
    if whole and key in fields and sorted(places) != list(range(1, players + 1)):
        raise UserError(f"position.{key} = {places}: must have every place from 1 to {players} once")
    given = [place for place in places if place]
    if len(set(given)) != len(given) or any(not 1 <= place <= players for place in given):
        raise UserError(f"position.{key} = {places}: must be places from 1 to {players}, each once, or 0")
    if not whole:
        free = sorted(set(range(1, players + 1)) - set(given))
        if len(free) < 2 or free[-1] - free[0] != len(free) - 1:
            raise UserError(f"position.{key} = {places}: two or more places must be free, and lie together")
    return places


def _set_sunk(state: Any, rules: Any, places: list[int]) -> None:
    """The places below the free ones were taken by sinking (D39)."""
    players = len(places)
    sunk = []
    place = players
    while place in places:
        sunk.append(places.index(place))
        place -= 1
    if rules["latest_is_last"]:
        sunk.reverse()
    state["view"]["sunk"][: len(sunk)] = sunk
    state["view"]["sunk_count"] = len(sunk)


def _scores(fields: dict[str, Any], players: int) -> list[int]:
    scores = fields.get("scores", [0] * players)
    fine = isinstance(scores, list) and len(scores) == players
    if not fine or any(type(score) is not int or abs(score) > _MAX_SCORE for score in scores):
        raise UserError(
            f"position.scores = {scores!r}: must be a list of {players} integers up to {_MAX_SCORE:,}"
        )
    return list(scores)


def _truth(fields: dict[str, Any], key: str) -> bool:
    value = fields.get(key, False)
    if not isinstance(value, bool):
        raise UserError(f"position.{key} = {value!r}: must be true or false")
    return value


def _direction(fields: dict[str, Any]) -> int:
    value = fields.get("direction", 1)
    if type(value) is not int or value not in (1, -1):
        raise UserError(f"position.direction = {value!r}: must be 1 or -1")
    return value
