"""The lab's games as games of OpenSpiel (``pyspiel``), for its algorithms and bots."""

from __future__ import annotations

from typing import Any

from sim.batch import MAX_SEED
from sim.drafts import Draft
from sim.errors import UserError, unknown

PAYOFFS = ("win", "ahead", "score")
"""What an end is worth to a player; each sums to zero over the players.

win
    the part of the win, less the mean 1/players. In Daifugō it is the part of all first places; in a state dealt anew, of
    those since, as a player does not see the earlier ones.
ahead
    the share of the other players who have fewer points, ties halved, less 1/2.
score
    the points, less the mean of all players. No bound of it is known, so that the game's utilities have none.
"""

MAX_DEALS = 1_000_000
MAX_ACTIONS = 1_000_000


def load(draft: Draft, *, payoff: str = "win", seed: int = 0, deals: int = 10_000, actions: int = 128) -> Any:
    """Return a draft as a game of OpenSpiel.

    A match begins with one chance node, whose outcome k is the deal k of the seed, the same as of
    ``Table(draft, seed=seed, deal=k)``; all later chance of the match goes with it. A player who looks ahead from a copy
    of a state therefore sees what is hidden: an honest one asks for ``state.resample_from_infostate(player, random)``,
    which deals anew, from all deals that there are and not those of the seed alone, what the player to move does not see.

    An action is the number of a move, as `Table.moves` counts them. Where there are more than `actions`, the player chooses
    in steps: first a range of moves, then one within it. Moves made at once, such as the cards put out in Uplink, are asked
    for in the order of the seats, and hidden until all have chosen.

    An information state is what the player sees (the game's ``VIEW``, and how far a choice in steps has come), not how it came
    about: what is no longer on the table is forgotten, as it is by the lab's own bots. There are no tensors.

    OpenSpiel's searches in C++ cannot play games that come from Python: their ``step`` ends the process, and its
    ``ISMCTSBot`` in C++ cannot deal anew. Those in ``open_spiel.python.algorithms`` can.

    Parameters
    ----------
    draft : Draft
    payoff : {"win", "ahead", "score"}
        See `PAYOFFS`.
    seed : int
        0 … 2**63 − 1.
    deals : int
        How many deals the chance node has, 1 … 1,000,000; listing them takes time with every new match.
    actions : int
        Distinct actions, 2 … 1,000,000.

    Returns
    -------
    pyspiel.Game
        Besides what every game of OpenSpiel has, ``game.redealt(view, random)`` gives a state that fits a view, and
        ``game.random_evaluator(random)`` what OpenSpiel's ``RandomRolloutEvaluator`` gives, played in compiled code.

    Raises
    ------
    UserError
        If OpenSpiel is not installed, or something is out of range.
    """
    if payoff not in PAYOFFS:
        raise unknown("payoff", payoff, PAYOFFS)
    for name, value, least, most in (
        ("seed", seed, 0, MAX_SEED),
        ("deals", deals, 1, MAX_DEALS),
        ("actions", actions, 2, MAX_ACTIONS),
    ):
        if not least <= value <= most:
            raise UserError(f"{name} = {value}: must be from {least} to {most}")
    try:
        import pyspiel  # noqa: F401
    except ImportError as error:
        raise UserError(f"needs the package open_spiel: pip install 'tefuda[openspiel]' ({error})") from None
    from sim.openspiel.game import LabGame
    from sim.openspiel.shared import Shared

    return LabGame(Shared(draft, payoff, seed, deals, actions))
