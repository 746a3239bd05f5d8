"""The rules of Daifugō, and only they: what a move does, in the order of one turn, and the match around it.

Which moves are legal is in `legal`, how plays are written and counted in `plays`, deals and exchanges in `deal`.
"""

from __future__ import annotations

from typing import Any

from sim.daifugo import deal, knowledge, legal, plays, worlds
from sim.daifugo.places import active, active_count, next_active, rise, sink
from sim.daifugo.state import (
    AMBULANCE,
    ANSWER,
    BOMBER,
    CARDS_LEFT,
    COUP,
    DISCARD,
    DISCARD_EFFECT,
    EIGHT_CUT,
    ELEVEN_BACK,
    ELEVEN_BACK_TRIPLE,
    EMPEROR,
    EXCHANGE,
    GIVE,
    GROUP,
    JOKERS_ONLY,
    MAX_PLAYERS,
    NAME,
    NO_TABLE,
    OMEN,
    OVER,
    PASS_ON,
    PLAY,
    REVERSE,
    REVOLUTION,
    ROKUROKUBI,
    SANDSTORM,
    SEAT_TALLY_SIZE,
    SEQUENCE_REVOLUTION,
    SKIP,
    SPADE_THREE_CLEARS,
    STRONGEST_CLEARS,
    TALLY,
    TALLY_SIZE,
    TRANSITIONS,
)
from sim.jit import jit, popcount

WIN = 840
"""One whole win, divisible by any number of winners up to 8."""

_PLAYS, _PASSES, _FORCED = TALLY["plays"], TALLY["passes"], TALLY["forced_passes"]
_TRICKS, _REVOLUTIONS = TALLY["tricks"], TALLY["revolutions"]
_FIRST_EFFECT, _FIRST_FOUL = TALLY["eleven_back"], TALLY["foul_joker"]
_T_PASS_ON, _T_DISCARD, _T_BOMBER = TALLY["pass_on"], TALLY["discard"], TALLY["bomber"]
_T_CUT, _T_SKIP, _T_STORM = TALLY["eight_cut"], TALLY["skip"], TALLY["sandstorm"]
_T_REVERSE, _T_AMBULANCE, _T_ROKUROKUBI = TALLY["reverse"], TALLY["ambulance"], TALLY["rokurokubi"]
_T_ELEVEN, _T_OMEN, _T_COUP = TALLY["eleven_back"], TALLY["omen"], TALLY["coup"]
_T_FOUR_STOP, _T_SPADE, _T_STRONGEST = TALLY["four_stop"], TALLY["spade_three"], TALLY["strongest_clears"]
_T_MIYAKO, _T_GEKOKUJO, _T_STALEMATE = TALLY["miyako_ochi"], TALLY["gekokujo"], TALLY["stalemate_passes"]
_T_LEAD_CHANGES = TALLY["lead_changes"]
_T_SUIT_LOCK, _T_NUMBER_LOCK = TALLY["suit_lock"], TALLY["number_lock"]
_T_EMPEROR, _T_DOWN = TALLY["emperor"], TALLY["down_number"]
_T_RUN_REVOLUTION, _T_TRIPLE = TALLY["sequence_revolution"], TALLY["eleven_back_triple"]

_STAGE_GIVE, _STAGE_DISCARD, _STAGE_NAME, _STAGE_PLACES, _STAGE_CUT, _STAGE_END = range(6)
_BY_PLAY, _BY_PASS_ON, _BY_DISCARD, _BY_BOMBER = 1, 2, 3, 4
"""What emptied a hand."""

_PAIR_ONLY = ROKUROKUBI | AMBULANCE
_THREE_ONLY = OMEN | COUP | SANDSTORM
_TURNING = REVERSE | AMBULANCE | COUP
_ORDERING = REVOLUTION | SEQUENCE_REVOLUTION | ELEVEN_BACK | ELEVEN_BACK_TRIPLE | OMEN | COUP
_CLEARING = ROKUROKUBI | AMBULANCE | SANDSTORM | SPADE_THREE_CLEARS | STRONGEST_CLEARS
_FIRST_RANK_TWO = 15 << 48
_RANK_THREE = 15


# ---- legal moves ----------------------------------------------------------------------------------------


@jit
def is_legal(view: Any, rules: Any, move: int) -> bool:
    """Tell whether `move` is one of the legal moves of the player to move."""
    return legal.is_legal(view, rules, move)


@jit
def count_moves(view: Any, rules: Any) -> int:
    """Return the number of legal moves of the player to move."""
    return view["count"]


@jit
def nth_move(view: Any, rules: Any, n: int) -> int:
    """Return legal move number `n`, counted from 0."""
    return legal.walk(view, rules, n)[1]


# ---- start ----------------------------------------------------------------------------------------------


@jit
def start(state: Any, rules: Any, seed: int, deal_number: int) -> None:
    """Begin a match: the first game is dealt (D3) and led (D5)."""
    view = state["view"]
    view["players"] = rules["players"]
    view["game"] = 0
    for player in range(MAX_PLAYERS):
        view["ring"][player] = player
        view["position"][player] = player
        view["scores"][player] = 0
        view["previous"][player] = 0
        view["places"][player] = 0
        for item in range(SEAT_TALLY_SIZE):
            state["seat_tally"][player, item] = 0
    for item in range(TALLY_SIZE):
        state["tally"][item] = 0
    view["single"] = 0
    view["fallback"] = 0
    state["ended"] = 0
    view["leader"] = -1
    state["seed"] = seed
    state["deal"] = deal_number
    begin_game(state, rules)


@jit
def begin_game(state: Any, rules: Any) -> None:
    """Deal the next game, exchange, and ask whoever is first (D10, D11)."""
    deal.next_game(state, rules)
    view = state["view"]
    if view["previous"][0] != 0:
        deal.exchange(state, rules)
    ask_first(state, rules)


@jit
def ask_first(state: Any, rules: Any) -> None:
    """Ask for the next free gift, or the first lead of the game (D11, D5)."""
    view = state["view"]
    if view["gifts"] > 0:
        ask(state, rules, EXCHANGE, view["gift_rich"][0], view["gift_count"][0])
    else:
        ask(state, rules, PLAY, deal.first_leader(state, rules), 0)


@jit
def ask(state: Any, rules: Any, phase: int, player: int, want: int) -> None:
    """Make `player` the one to move, with what they may know, and count their legal moves."""
    view = state["view"]
    view["phase"] = phase
    view["seat"] = player
    view["want"] = want
    view["hand"] = state["hands"][player]
    view["jokers"] = state["jokers"][player]
    knowledge.tell(state, player, view)
    view["count"] = legal.walk(view, rules, -1)[0]


# ---- moves ----------------------------------------------------------------------------------------------


@jit
def apply(state: Any, rules: Any, move: int) -> None:
    """Make a legal move of the player to move, with all that follows from it."""
    view = state["view"]
    phase = view["phase"]
    if phase == PLAY:
        if move == 0:
            _pass(state, rules)
        else:
            _put_down(state, rules, move)
    elif phase == ANSWER:
        _answer(state, rules, move)
    elif phase == EXCHANGE:
        deal.give_back(state, rules, move)
        ask_first(state, rules)
    else:
        _choose(state, rules, move)
    if state["ended"]:
        state["ended"] = 0
        _end_game(state, rules)


@jit
def _pass(state: Any, rules: Any) -> None:
    """Pass (D6 to D8); too many passes in a row draw the open places (D44)."""
    view = state["view"]
    player = view["seat"]
    state["tally"][_PASSES] += 1
    if view["count"] == 1:
        state["tally"][_FORCED] += 1
    view["passed"] |= 1 << player
    view["passes_in_row"] += 1
    if rules["leader_may_pass"] and view["passes_in_row"] >= rules["stalemate"]:
        state["tally"][_T_STALEMATE] += 1
        deal.draw_places(state, rules)
        state["ended"] = 1
        return
    _ask_next(state, rules, player)


@jit
def effects_of(kind: int, low: int, size: int, move: int, rules: Any) -> int:
    """Return what a play sets off by its own cards, as an effect mask (D15, D20 to D31)."""
    if kind == GROUP:
        if low == JOKERS_ONLY:
            return 0
        effects = rules["by_rank"][low]
        if size != 2:
            effects &= ~_PAIR_ONLY
        if size != 3:
            effects &= ~_THREE_ONLY
        elif (effects & ELEVEN_BACK) and rules["triple"]:
            effects = (effects & ~ELEVEN_BACK) | ELEVEN_BACK_TRIPLE
        if size >= 4 and rules["revolution"]:
            effects |= REVOLUTION
        return effects
    effects = 0
    if rules["sequence_effects"] != 0:
        for rank in range(max(low, 0), min(low + size - 1, 12) + 1):
            effects |= rules["by_rank"][rank] & rules["sequence_effects"]
    if rules["sequence_revolution"] != 0 and size >= rules["sequence_revolution"]:
        effects |= SEQUENCE_REVOLUTION
    return effects


@jit
def _is_strongest(kind: int, low: int, size: int, view: Any, rules: Any) -> bool:
    """Tell whether nothing can beat a play of its kind and size (D43), in the order before it acts."""
    if not rules["strongest"]:
        return False
    if kind == GROUP:
        return size == 4 + rules["jokers"]
    beyond = 1 if rules["beyond"] and kind != 3 else 0
    if legal.is_reversed(view):
        return low == -beyond
    return low + size - 1 == 12 + beyond


@jit
def _put_down(state: Any, rules: Any, move: int) -> None:
    """Put a play down; set the locks and the table; then its effects, in the order of one turn."""
    view = state["view"]
    player = view["seat"]
    kind, low, size, suits, _bare = plays.read(move, rules)
    effects = 0 if view["effects_off"] else effects_of(kind, low, size, move, rules)
    if _is_strongest(kind, low, size, view, rules):
        effects |= STRONGEST_CLEARS
    returns = False
    if rules["spade_three"] and move == plays.SPADE_THREE and legal.returns_joker(view, rules):
        returns = True
        state["tally"][_T_SPADE] += 1
        if rules["spade_clears"]:
            effects |= SPADE_THREE_CLEARS
    elif rules["locks"] and not view["effects_off"]:
        suits_before = view["lock_suits"]
        number_before = view["lock_number"]
        _set_locks(kind, low, size, suits, plays.jokers_of(move), view, rules)
        state["tally"][_T_SUIT_LOCK] += 1 if view["lock_suits"] & ~suits_before else 0
        state["tally"][_T_NUMBER_LOCK] += 1 if view["lock_number"] > number_before else 0
    if view["table_kind"] == NO_TABLE:
        state["tally"][_TRICKS] += 1
    elif rules["down_number"] and move == legal.down_number(view, legal.is_reversed(view)):
        state["tally"][_T_DOWN] += 1
    if kind == EMPEROR:
        state["tally"][_T_EMPEROR] += 1
    view["begun"] = 1
    _lay(state, rules, player, move, kind, low, size, suits, returns)
    if effects == 0 and view["held"][player] > 0:
        _ask_next(state, rules, player)
        return
    _begin_turn(view, player, move, effects, _STAGE_GIVE)
    if effects & _ORDERING:
        _turn_order(state, rules)
    if view["turn_effects"] & _TURNING:
        view["direction"] = -view["direction"]
        if view["turn_effects"] & REVERSE:
            state["tally"][_T_REVERSE] += 1
        if view["turn_effects"] & AMBULANCE:
            state["tally"][_T_AMBULANCE] += 1
    _carry_out(state, rules)


@jit
def _begin_turn(view: Any, player: int, move: int, effects: int, stage: int) -> None:
    """Note the turn that is to be carried out; its play lies on the table."""
    view["turn_player"] = player
    view["turn_effects"] = effects
    view["turn_kind"] = view["table_kind"]
    view["turn_size"] = view["table_size"]
    view["turn_move"] = move
    view["turn_revolution"] = view["revolution"]
    view["turn_stage"] = stage
    view["turn_emptied"] = _BY_PLAY if view["held"][player] == 0 else 0
    view["victims"] = 0
    view["refused"] = 0


@jit
def _set_locks(kind: int, low: int, size: int, suits: int, jokers: int, view: Any, rules: Any) -> None:
    """Set the locks that a play on another of its kind and size makes (D18, D19), in the order before it acts."""
    if low == JOKERS_ONLY and size == 1 and rules["joker_clears"]:
        view["lock_suits"] = 0
        view["lock_number"] = 0
        return
    if kind != view["table_kind"] or size != view["table_size"]:
        return
    if rules["suit_lock"] != 0 and (rules["lock_by_joker"] or (jokers == 0 and view["table_jokers"] == 0)):
        shared = suits & view["table_suits"]
        if rules["suit_lock"] == 2:
            view["lock_suits"] |= shared
        elif suits == view["table_suits"]:
            view["lock_suits"] = suits
    if rules["number_lock"] and kind == GROUP:
        before = view["table_low"]
        if legal.is_reversed(view):
            before = 12 - before if before != JOKERS_ONLY else before
            low = 12 - low if low != JOKERS_ONLY else low
        if low - before == 1:
            view["lock_number"] = 1


@jit
def _lay(
    state: Any,
    rules: Any,
    player: int,
    move: int,
    kind: int,
    low: int,
    size: int,
    suits: int,
    unbeatable: bool,
) -> None:
    """Move the cards from the hand to the table."""
    view = state["view"]
    naturals = plays.naturals_of(move)
    jokers = plays.jokers_of(move)
    state["tally"][_PLAYS] += 1
    state["hands"][player] &= ~naturals
    state["jokers"][player] -= jokers
    view["held"][player] -= size
    view["gone"] |= naturals
    view["gone_jokers"] += jokers
    knowledge.leave(state, rules, player, naturals, jokers)
    view["table_kind"] = kind
    view["table_low"] = low
    view["table_size"] = size
    view["table_suits"] = suits
    view["table_jokers"] = jokers
    view["table_move"] = move
    view["owner"] = player
    view["unbeatable"] = 1 if unbeatable else 0
    view["passes_in_row"] = 0
    view["skipped"] = 0
    if not rules["lockout"]:
        view["passed"] = 0


@jit
def _turn_order(state: Any, rules: Any) -> None:
    """Revolution, reversals, omen, coup, in this order."""
    view = state["view"]
    effects = view["turn_effects"]
    for effect in (REVOLUTION, SEQUENCE_REVOLUTION, ELEVEN_BACK, ELEVEN_BACK_TRIPLE, OMEN, COUP):
        if (effects & effect) == 0:
            continue
        if effect == ELEVEN_BACK:
            view["temporary"] = 1 if rules["stay"] else 1 - view["temporary"]
            state["tally"][_T_ELEVEN] += 1
            continue
        view["revolution"] = 1 - view["revolution"]
        state["tally"][_REVOLUTIONS] += 1
        if effect == SEQUENCE_REVOLUTION:
            state["tally"][_T_RUN_REVOLUTION] += 1
        if effect == ELEVEN_BACK_TRIPLE:
            state["tally"][_T_TRIPLE] += 1
        if effect == COUP:
            state["tally"][_T_COUP] += 1
        if effect == OMEN:
            # Plays after it have no effects; its own, on a shared rank, still act.
            state["tally"][_T_OMEN] += 1
            view["effects_off"] = 1
            view["lock_suits"] = 0
            view["lock_number"] = 0


@jit
def _carry_out(state: Any, rules: Any) -> None:
    """Go on with the turn until a choice is to be made, or the next player is asked."""
    view = state["view"]
    player = view["turn_player"]
    effects = view["turn_effects"]
    count = view["turn_size"] if view["turn_kind"] == GROUP else 1
    if view["turn_stage"] == _STAGE_GIVE:
        if (effects & PASS_ON) and view["held"][player] > 0:
            ask(state, rules, GIVE, player, min(count, view["held"][player]))
            return
        view["turn_stage"] = _STAGE_DISCARD
    if view["turn_stage"] == _STAGE_DISCARD:
        if (effects & DISCARD_EFFECT) and view["held"][player] > 0:
            ask(state, rules, DISCARD, player, min(count, view["held"][player]))
            return
        view["turn_stage"] = _STAGE_NAME
    if view["turn_stage"] == _STAGE_NAME:
        if effects & BOMBER:
            ask(state, rules, NAME, player, count)
            return
        view["turn_stage"] = _STAGE_PLACES
    if view["turn_stage"] == _STAGE_PLACES:
        if (view["turn_emptied"] != 0 or view["victims"] != 0) and _settle_places(state, rules):
            state["ended"] = 1
            return
        view["turn_stage"] = _STAGE_CUT
    if view["turn_stage"] == _STAGE_CUT:
        if effects & EIGHT_CUT:
            # After an omen, which may cut by a shared rank, nothing stops it.
            stops = (rules["four_stop"] or rules["storm_stops"]) and view["effects_off"] == 0
            if stops and _ask_answer(state, rules):
                return
            state["tally"][_T_CUT] += 1
        view["turn_stage"] = _STAGE_END
    _end_turn(state, rules, count)


@jit
def _choose(state: Any, rules: Any, move: int) -> None:
    """Carry out the choice of D25, D27 or D28."""
    view = state["view"]
    player = view["seat"]
    phase = view["phase"]
    if phase == NAME:
        _bomb(state, rules, move)
    else:
        naturals = plays.naturals_of(move)
        jokers = plays.jokers_of(move)
        if phase == DISCARD:
            state["hands"][player] &= ~naturals
            state["jokers"][player] -= jokers
            view["held"][player] -= popcount(naturals) + jokers
            view["gone"] |= naturals
            view["gone_jokers"] += jokers
            knowledge.leave(state, rules, player, naturals, jokers)
            state["tally"][_T_DISCARD] += 1
        else:
            deal.hand_over(state, naturals, jokers, player, next_active(view, player))
            state["tally"][_T_PASS_ON] += 1
    if view["held"][player] == 0 and view["turn_emptied"] == 0:
        view["turn_emptied"] = (
            _BY_PASS_ON if phase == GIVE else (_BY_DISCARD if phase == DISCARD else _BY_BOMBER)
        )
    view["turn_stage"] += 1
    _carry_out(state, rules)


@jit
def _bomb(state: Any, rules: Any, named: int) -> None:
    """Every active player discards all cards of the named ranks (D28)."""
    view = state["view"]
    state["tally"][_T_BOMBER] += 1
    hit = 0
    for rank in range(13):
        if (named >> rank) & 1:
            hit |= 15 << (4 * rank)
    all_jokers = (named >> 13) & 1
    for player in range(rules["players"]):
        if not active(view, player):
            continue
        lost = state["hands"][player] & hit
        jokers = state["jokers"][player] if all_jokers else 0
        size = popcount(lost) + jokers
        if size == 0:
            continue
        state["hands"][player] &= ~lost
        state["jokers"][player] -= jokers
        view["held"][player] -= size
        view["gone"] |= lost
        view["gone_jokers"] += jokers
        if view["held"][player] == 0 and player != view["turn_player"]:
            view["victims"] |= 1 << player
        knowledge.leave(state, rules, player, lost, jokers)
    knowledge.lie_aside(
        state, hit & ~view["gone"], rules["jokers"] - view["gone_jokers"] if all_jokers else 0
    )


# ---- places and fouls -----------------------------------------------------------------------------------


@jit
def _settle_places(state: Any, rules: Any) -> bool:
    """Give places to those whose hands are empty (D9, D33 to D41); return whether the game is over.

    The player first, then a bomber's victims in turn order. When one active player is left, that player takes
    the best free place, and nobody else is looked at.
    """
    view = state["view"]
    player = view["turn_player"]
    if view["turn_emptied"] != 0 and _leave_game(state, rules, player, _broken_by_player(state, rules)):
        return True
    other = player
    for _ in range(rules["players"] - 1):
        other = _neighbour(view, other)
        if (view["victims"] >> other) & 1 and active(view, other):
            broken = 1 << 7 if rules["foul_bomber"] and view["effects_off"] == 0 else 0
            if _leave_game(state, rules, other, broken):
                return True
    return False


@jit
def _neighbour(view: Any, player: int) -> int:
    """Return the next player in the ring in the current direction, active or not."""
    place = view["position"][player] + view["direction"]
    if place < 0:
        place += view["players"]
    elif place >= view["players"]:
        place -= view["players"]
    return view["ring"][place]


@jit
def _broken_by_player(state: Any, rules: Any) -> int:
    """Return the fouls of the player's own finish, as a mask in the order of `state.FOULS`."""
    view = state["view"]
    emptied = view["turn_emptied"]
    if view["effects_off"] and emptied != _BY_PLAY:
        return 0
    if emptied == _BY_PASS_ON:
        return (1 << 5) if rules["foul_pass_on"] else 0
    if emptied == _BY_DISCARD:
        return (1 << 6) if rules["foul_discard"] else 0
    if emptied == _BY_BOMBER:
        return (1 << 7) if rules["foul_bomber"] else 0
    move = view["turn_move"]
    naturals = plays.naturals_of(move)
    effects = view["turn_effects"]
    broken = 0
    if rules["foul_joker"] and plays.jokers_of(move) > 0:
        broken |= 1
    if rules["foul_two"] and (naturals & (_RANK_THREE if view["turn_revolution"] else _FIRST_RANK_TWO)) != 0:
        broken |= 2
    if rules["foul_spade"] == 1 and (naturals & plays.SPADE_THREE) != 0:
        broken |= 4
    if rules["foul_spade"] == 2 and move == plays.SPADE_THREE:
        broken |= 4
    if view["turn_kind"] == GROUP and view["effects_off"] == 0:
        if rules["foul_eleven_back"] and (effects & ELEVEN_BACK):
            broken |= 8
        if rules["foul_eight_cut"] and (effects & EIGHT_CUT):
            broken |= 16
    return broken


@jit
def _leave_game(state: Any, rules: Any, player: int, broken: int) -> bool:
    """Give a player with an empty hand a place; return whether the game is over."""
    view = state["view"]
    if broken != 0:
        for foul in range(8):
            state["tally"][_FIRST_FOUL + foul] += (broken >> foul) & 1
        sink(state, rules, player)
    else:
        _finish(state, rules, player)
    left = active_count(view)
    if left > 1:
        return False
    if left == 1:
        for last in range(rules["players"]):
            if active(view, last):
                rise(state, last)
    return True


@jit
def _finish(state: Any, rules: Any, player: int) -> None:
    """Take the best free place; a first one may bring D41 or D40."""
    view = state["view"]
    rise(state, player)
    if view["places"][player] != 1 or view["previous"][0] == 0:
        return
    players = rules["players"]
    if rules["gekokujo"] and view["previous"][player] == players:
        state["tally"][_T_GEKOKUJO] += 1
        for other in range(players):
            view["places"][other] = players + 1 - view["previous"][other]
        return
    if rules["miyako_ochi"] and view["previous"][player] != 1:
        daifugo = deal.class_of(view, 1)
        if active(view, daifugo):
            state["tally"][_T_MIYAKO] += 1
            sink(state, rules, daifugo)
            knowledge.fall(state, daifugo)
            state["hands"][daifugo] = 0
            state["jokers"][daifugo] = 0
            view["held"][daifugo] = 0


# ---- cut, skip, clear, next -----------------------------------------------------------------------------


@jit
def _ask_answer(state: Any, rules: Any) -> bool:
    """Ask the next player who can answer an eight cut (D23); return whether there is one."""
    view = state["view"]
    view["cut_kind"] = view["turn_kind"]
    view["cut_size"] = view["turn_size"]
    player = view["turn_player"]
    other = player
    for _ in range(rules["players"] - 1):
        other = _neighbour(view, other)
        bit = 1 << other
        if not active(view, other) or (view["refused"] & bit) != 0 or other == player:
            continue
        if rules["lockout"] and (view["passed"] & bit) != 0:
            continue
        if legal.answers(state["hands"][other], state["jokers"][other], -1, view, rules)[0] > 0:
            ask(state, rules, ANSWER, other, 0)
            return True
    return False


@jit
def _answer(state: Any, rules: Any, move: int) -> None:
    """Refuse, stop the cut with fours, or answer it with a sandstorm (D23, D31)."""
    view = state["view"]
    player = view["seat"]
    if move == 0:
        view["refused"] |= 1 << player
        knowledge.refuse(view, rules, player)
        _carry_out(state, rules)
        return
    kind, low, size, suits, _bare = plays.read(move, rules)
    if legal.is_storm(kind, low, size, view, rules):
        _put_down(state, rules, move)
        return
    state["tally"][_T_FOUR_STOP] += 1
    _lay(state, rules, player, move, kind, low, size, suits, True)
    _begin_turn(view, player, move, 0, _STAGE_PLACES)
    _carry_out(state, rules)


@jit
def _end_turn(state: Any, rules: Any, count: int) -> None:
    """Skip and clear (D24, D29, D31, D32, D43); then the next player is asked."""
    view = state["view"]
    effects = view["turn_effects"]
    player = view["turn_player"]
    clears = (effects & (EIGHT_CUT | _CLEARING)) != 0
    if effects & SKIP:
        state["tally"][_T_SKIP] += 1
        others = active_count(view) - (1 if active(view, player) else 0)
        if count >= others:
            clears = True
        elif not clears:
            _skip(view, player, count)
    if effects & ROKUROKUBI:
        state["tally"][_T_ROKUROKUBI] += 1
    if effects & SANDSTORM:
        state["tally"][_T_STORM] += 1
    if effects & STRONGEST_CLEARS:
        state["tally"][_T_STRONGEST] += 1
    if clears:
        _clear(state, rules)
    else:
        _ask_next(state, rules, player)


@jit
def _skip(view: Any, player: int, count: int) -> None:
    """Skip the next `count` active players, fewer than there are (D24)."""
    other = player
    for _ in range(count):
        other = next_active(view, other)
        view["skipped"] |= 1 << other


@jit
def _ask_next(state: Any, rules: Any, player: int) -> None:
    """Ask the next after `player` who has yet to pass, or else clear the table (D7, D8).

    Who was skipped counts as having passed, until the next play (D24).
    """
    view = state["view"]
    done = view["passed"] | view["skipped"]
    chosen = -1
    first = -1  # whoever is next, passed or not
    other = player
    for _ in range(rules["players"]):
        other = _neighbour(view, other)
        if not active(view, other):
            continue
        if first < 0:
            first = other
        if ((done >> other) & 1) == 0 and (rules["all_passed"] or other != view["owner"]):
            chosen = other
            break
    if chosen >= 0:
        ask(state, rules, PLAY, chosen, 0)
    elif view["table_kind"] == NO_TABLE:
        view["passed"] = 0
        ask(state, rules, PLAY, first, 0)
    else:
        _clear(state, rules)


@jit
def _clear(state: Any, rules: Any) -> None:
    """Clear the table; its owner leads, or the next active player after the owner (D8)."""
    view = state["view"]
    owner = view["owner"]
    leader = owner if active(view, owner) else next_active(view, owner)
    view["table_kind"] = NO_TABLE
    view["table_size"] = 0
    view["table_suits"] = 0
    view["table_jokers"] = 0
    view["table_move"] = 0
    view["owner"] = -1
    view["lock_suits"] = 0
    view["lock_number"] = 0
    view["temporary"] = 0
    view["unbeatable"] = 0
    view["passed"] = 0
    view["skipped"] = 0
    ask(state, rules, PLAY, leader, 0)


# ---- the end of a game ----------------------------------------------------------------------------------


@jit
def _end_game(state: Any, rules: Any) -> None:
    """Score the places (D10); deal the next game, or end the match."""
    view = state["view"]
    for player in range(rules["players"]):
        place = view["places"][player]
        view["scores"][player] += rules["points"][place - 1]
        state["seat_tally"][player, place - 1] += 1
        state["seat_tally"][player, CARDS_LEFT] += view["held"][player]
        if view["previous"][player] != 0:
            state["tally"][TRANSITIONS + MAX_PLAYERS * (view["previous"][player] - 1) + place - 1] += 1
    _note_leader(state, rules)
    if view["single"] or view["game"] == rules["games"]:
        view["phase"] = OVER
        view["seat"] = -1
        view["count"] = 0
        view["want"] = 0
        return
    for player in range(rules["players"]):
        view["previous"][player] = view["places"][player]
    begin_game(state, rules)


@jit
def _note_leader(state: Any, rules: Any) -> None:
    """Count whether another player has the most points now; a tie changes nothing."""
    view = state["view"]
    best = 0
    for player in range(1, rules["players"]):
        if view["scores"][player] > view["scores"][best]:
            best = player
    before = view["leader"]
    if before >= 0 and view["scores"][before] == view["scores"][best]:
        return
    if before >= 0:
        state["tally"][_T_LEAD_CHANGES] += 1
    view["leader"] = best


@jit
def result(state: Any, rules: Any, wins: Any, scores: Any) -> int:
    """Write each player's place points, and first places in units of 1/`WIN`; return 1 if the top total is shared."""
    view = state["view"]
    best = view["scores"][0]
    for player in range(rules["players"]):
        scores[player] = view["scores"][player]
        wins[player] = WIN * state["seat_tally"][player, 0]
        best = max(best, view["scores"][player])
    winners = 0
    for player in range(rules["players"]):
        winners += 1 if scores[player] == best else 0
    return 1 if winners > 1 else 0


@jit
def label(state: Any, rules: Any, labels: Any) -> None:
    """Tell nothing apart: the game has no labels."""


# ---- what a player sees ---------------------------------------------------------------------------------


@jit
def observe(state: Any, rules: Any, player: int, views: Any) -> None:
    """Write into ``views[0]`` what `player` may know; only the one to move has moves to count."""
    views[0] = state["view"]
    view = views[0]
    view["hand"] = state["hands"][player]
    view["jokers"] = state["jokers"][player]
    knowledge.tell(state, player, view)
    if player != view["seat"]:
        view["count"] = 0
        view["want"] = 0


redeal = worlds.redeal
reshuffle = worlds.reshuffle
