"""Cards, jokers and plays of Daifugō as text."""

from __future__ import annotations

from sim import cards
from sim.daifugo import plays
from sim.errors import TooMany, UserError

JOKER = "JK"
_PLACE_NAMES = ("<3", *cards.RANKS, ">2")


def _state(code: int) -> str:
    if code == plays.BARE:
        return JOKER
    place = rank_of(code) + 1
    return f"{JOKER}={cards.SUITS[(code - 2) % 4]}{_PLACE_NAMES[place] if place < len(_PLACE_NAMES) else '?'}"


def codes(move: int) -> list[int]:
    """Return the codes of a move's jokers: those stated, then the others."""
    found = [code for code in (int(plays.code_of(move, which)) for which in range(2)) if code]
    return sorted(found, key=lambda code: (code == plays.BARE, code))


def code_of(rank: int, suit: int) -> int:
    """Return the code of a joker that states a card; rank -1 is below 3, 13 above 2."""
    return 2 + 4 * (rank + 1) + suit


def rank_of(code: int) -> int:
    """Return the rank of a stated joker."""
    return (code - 2) // 4 - 1


def names(move: int) -> list[str]:
    """Return the cards of a move: naturals, then stated jokers, then jokers."""
    naturals = [cards.NAMES[card] for card in cards.members(int(plays.naturals_of(move)))]
    return [*naturals, *(_state(code) for code in codes(move))]


def signs(move: int) -> str:
    """Return the cards of a move for people."""
    found = " ".join(names(move))
    for suit, sign in cards.SUIT_SIGNS.items():
        found = found.replace(f"={suit}", f"={sign}")
    return " ".join(
        cards.SUIT_SIGNS[word[0]] + word[1:] if not word.startswith(JOKER) else word for word in found.split()
    )


def hand_names(naturals: int, jokers: int) -> str:
    """Return a hand as one string."""
    return " ".join([*(cards.NAMES[card] for card in cards.members(naturals)), *[JOKER] * int(jokers)])


def hand_signs(naturals: int, jokers: int) -> str:
    """Return a hand for people."""
    return " ".join([*(cards.SIGNS[card] for card in cards.members(naturals)), *[JOKER] * int(jokers)])


def parse(text: str) -> int:
    """Return cards as a move: naturals, ``JK``, and jokers stated as ``JK=H10``, ``JK=D<3``, ``JK=D>2``.

    Raises
    ------
    TooMany
        For a card that is named twice, or more than two jokers.
    UserError
        For an unknown card.
    """
    naturals = []
    found = []
    for word in text.split():
        if word.upper() == JOKER:
            found.append(plays.BARE)
        elif word.upper().startswith(JOKER + "="):
            found.append(_code(word))
        else:
            naturals.append(word)
    if len(found) > 2:
        raise TooMany(f"{len(found)} jokers in {text!r}: there are at most two")
    mask = cards.mask_of(cards.parse(" ".join(naturals)))
    first, second = (*found, 0, 0)[:2]
    return _signed(
        mask | (max(first, second) << plays.FIRST_CODE) | (min(first, second) << plays.SECOND_CODE)
    )


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _code(word: str) -> int:
    card = word.partition("=")[2]
    for suit, sign in cards.SUIT_SIGNS.items():
        card = card.replace(sign, suit)
    suit_name, place_name = card[:1].upper(), card[1:].upper()
    place_name = "10" if place_name == "T" else place_name
    if suit_name not in cards.SUITS or place_name not in _PLACE_NAMES:
        raise UserError(
            f"unknown card {word!r}: a joker stands for a suit of S H D C and a rank, or <3 or >2, as in JK=H10"
        )
    return code_of(_PLACE_NAMES.index(place_name) - 1, cards.SUITS.index(suit_name))


def rank_names(named: int) -> list[str]:
    """Return the ranks of a ``name`` move."""
    return [name for bit, name in enumerate((*cards.RANKS, JOKER)) if int(named) >> bit & 1]


def parse_ranks(text: str) -> int:
    """Return a ``name`` move from ranks and ``JK``.

    Raises
    ------
    TooMany
        For a rank that is named twice.
    UserError
        For an unknown rank.
    """
    known = (*cards.RANKS, JOKER)
    named = 0
    for word in text.split():
        rank = "10" if word.upper() == "T" else word.upper()
        if rank not in known:
            raise UserError(f"unknown rank {word!r} (one of {' '.join(known)})")
        bit = 1 << known.index(rank)
        if named & bit:
            raise TooMany(f"rank {rank} is named twice in {text!r}")
        named |= bit
    return named
