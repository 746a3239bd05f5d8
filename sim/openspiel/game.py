"""Game, state, observer and evaluator as OpenSpiel wants them; importing this imports OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from sim.errors import IllegalMove, UserError
from sim.openspiel.shared import Shared, stream_from

_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

_LONGEST = 10_000
"""Actions of a game, at the most; a match of the games that there are has some hundred."""


class LabGame(pyspiel.Game):  # type: ignore[misc]
    """A draft as a game of OpenSpiel.

    Parameters
    ----------
    shared : Shared
    """

    def __init__(self, shared: Shared) -> None:
        players = shared.draft.players
        least, most = {
            "win": (-1 / players, 1 - 1 / players),
            "ahead": (-0.5, 0.5),
            "score": (-np.inf, np.inf),
        }[shared.payoff]
        kind = pyspiel.GameType
        super().__init__(
            kind(
                short_name=f"tefuda_{shared.draft.game}",
                long_name=f"tefuda: {shared.draft.label}",
                dynamics=kind.Dynamics.SEQUENTIAL,
                chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
                information=kind.Information.IMPERFECT_INFORMATION,
                utility=kind.Utility.ZERO_SUM,
                reward_model=kind.RewardModel.TERMINAL,
                max_num_players=players,
                min_num_players=players,
                provides_information_state_string=True,
                provides_information_state_tensor=False,
                provides_observation_string=True,
                provides_observation_tensor=False,
            ),
            pyspiel.GameInfo(
                num_distinct_actions=shared.actions,
                max_chance_outcomes=shared.deals,
                num_players=players,
                min_utility=least,
                max_utility=most,
                utility_sum=0.0,
                max_game_length=_LONGEST * int(shared.draft.options.counted_games),
            ),
            {},
        )
        self.shared = shared

    def new_initial_state(self) -> LabState:
        """Return a match before the deal."""
        return LabState(self)

    def redealt(self, view: Any, random: Callable[[], float]) -> LabState:
        """Return a state in which the player to move sees a view; what is hidden is drawn.

        Parameters
        ----------
        view : VIEW record
            Of the seat to move.
        random : callable
            Gives random floats of [0, 1).
        """
        state = LabState(self)
        state.deal_anew(view, random)
        return state

    def random_evaluator(self, random: Callable[[], float]) -> RandomEvaluator:
        """Return an evaluator for OpenSpiel's searches in Python, much faster than its ``RandomRolloutEvaluator``.

        Parameters
        ----------
        random : callable
            Gives random floats of [0, 1); called once.
        """
        return RandomEvaluator(stream_from(random))

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        """Return what tells OpenSpiel information states; the same for every kind."""
        return Observer()

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: the deal."""
        return 1


class LabState(pyspiel.State):  # type: ignore[misc]
    """A match between two actions.

    Parameters
    ----------
    game : LabGame
    """

    # OpenSpiel copies a state by a new one and a deep copy of the other's __dict__; what is in a slot it leaves alone.
    __slots__ = ("__dict__", "_shared")

    def __init__(self, game: LabGame) -> None:
        super().__init__(game)
        self._shared = game.shared
        self._states: Any = None  # a STATE array of one, once dealt
        self._player = _CHANCE
        self._first, self._count = 0, 0  # the moves that a choice in steps has come down to

    def current_player(self) -> int:
        """Return who is to move; OpenSpiel's numbers for chance and for the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Tell whether the match is over."""
        return self._player == _TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all equally likely."""
        deals = self._shared.deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(-(-self._count // self._width())))

    def _width(self) -> int:
        """Return how many moves an action stands for."""
        width = 1
        while self._count > self._shared.actions * width:
            width *= self._shared.actions
        return width

    def _range(self, action: int) -> tuple[int, int]:
        """Return the first of the moves that an action stands for, and their number."""
        width = self._width()
        if not 0 <= action * width < self._count:
            raise IllegalMove(f"action {action}: must be from 0 to {-(-self._count // width) - 1}")
        return self._first + action * width, min(width, self._count - action * width)

    def _apply_action(self, action: int) -> None:
        shared = self._shared
        if self._player == _CHANCE:
            if not 0 <= action < shared.deals:
                raise IllegalMove(f"deal {action}: must be from 0 to {shared.deals - 1}")
            self._states = np.zeros(1, shared.game.state.STATE)
            shared.game.engine.start(self._states[0], shared.rules, shared.seed, action)
            self._note(*shared.look(self._states, shared.rules))
            return
        first, count = self._range(action)
        if count == 1:
            self._note(*shared.make(self._states, shared.rules, first))
        else:
            self._first, self._count = first, count

    def _note(self, seat: int, count: int) -> None:
        """Note who is to move, and how many moves there are."""
        self._player = seat if seat >= 0 else _TERMINAL
        self._first, self._count = 0, count

    def _action_to_string(self, player: int, action: int) -> str:
        if self._player == _CHANCE:
            return f"deal {action}"
        if player != self._player:
            return f"action {action}"  # what it means only shows to who sees the choices
        first, count = self._range(action)
        if count > 1:
            return f"{first} to {first + count - 1}"
        game, view = self._shared.game, self._states[0]["view"]
        move = game.engine.nth_move(view, self._shared.rules, first)
        # With the number: where cards are alike, moves can read the same.
        return f"{first} {game.text.move_text(view, move)}"

    def returns(self) -> list[float]:
        """Return what the match is worth to each player; zeros before its end."""
        if self._player != _TERMINAL:
            return [0.0] * self._shared.draft.players
        return self._shared.utilities(self._states)

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> LabState:
        """Return a state that looks the same to the player to move, with all that is hidden dealt anew.

        Its history begins with it.

        Parameters
        ----------
        player : int
            Who is to move.
        random : callable
            Gives random floats of [0, 1).

        Raises
        ------
        UserError
            For another player than the one to move.
        """
        if player < 0 or player != self._player:
            raise UserError(f"player {player}: only who is to move can have the rest dealt anew")
        twin = self.get_game().redealt(self._states[0]["view"], random)
        twin._first, twin._count = self._first, self._count
        return twin

    def deal_anew(self, view: Any, random: Callable[[], float]) -> None:
        """Become a state in which the player to move sees `view` (see `LabGame.redealt`)."""
        shared = self._shared
        self._states = np.zeros(1, shared.game.state.STATE)
        shared.game.engine.redeal(view, shared.rules, stream_from(random), self._states[0])
        self._note(*shared.look(self._states, shared.rules))

    def seen(self, player: int) -> str:
        """Return what a player may know, the same text for the same knowledge."""
        if self._states is None:
            return f"{player} before the deal"
        steps = f" {self._first}+{self._count}" if player == self._player else ""
        return f"{player} {self._shared.knowledge(self._states, player)}{steps}"

    def random_end(self, stream: Any) -> list[float]:
        """Return what the match is worth to each player when all go on at random; the state stays as it is."""
        states = self._states.copy()
        self._shared.play_at_random(states, self._shared.rules, stream)
        return self._shared.utilities(states)

    def move(self, action: int) -> int | None:
        """Return the engine's move of an action, None where it is but a step of a choice."""
        first, count = self._range(action)
        shared = self._shared
        if count > 1:
            return None
        return int(shared.game.engine.nth_move(self._states[0]["view"], shared.rules, first))

    def __str__(self) -> str:
        """Return the position for people, hidden cards included."""
        if self._states is None:
            return "before the deal"
        told = str(self._shared.game.text.describe(self._states[0], self._shared.rules))
        return f"{told}\nmoves {self._first} to {self._first + self._count - 1}"


class Observer:
    """Tells OpenSpiel what a player sees of a state; strings alone."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: LabState, player: int) -> None:
        """Do nothing: there are no tensors."""

    def string_from(self, state: LabState, player: int) -> str:
        """Return what a player may know."""
        return state.seen(player)


class RandomEvaluator:
    """Judges a state by one random end, played in compiled code; otherwise as OpenSpiel's ``RandomRolloutEvaluator``."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def evaluate(self, state: LabState) -> Any:
        """Return what the end was worth to each player."""
        return np.array(state.random_end(self._stream))

    def prior(self, state: LabState) -> list[tuple[int, float]]:
        """Return the actions, all equally likely."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]
