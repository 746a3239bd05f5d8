"""An outside measure: a bot of the lab against the ISMCTS bot that comes with OpenSpiel.

``python -m experiments.cli.outside DRAFT`` plays it. The bot is OpenSpiel's in Python, since the one in C++ cannot deal anew the
states of a game that is written in Python. It decides on states of `sim.openspiel` that are dealt from what the seat sees.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from experiments.interrupts import deferred
from experiments.metrics.ratings import Duel
from experiments.play import decision_time
from experiments.report import output as terminal
from experiments.studies import options as cli_parts
from experiments.studies.ladder.spec import Spec
from sim import drafts, openspiel, rng
from sim.drafts import Draft
from sim.errors import Interrupted, UserError
from strategies import registry as strategies

NAME = "openspiel"
"""Of the bot, for this measure alone."""

FINAL = ("MAX_VISIT_COUNT", "MAX_VALUE", "NORMALIZED_VISITED_COUNT")
"""OpenSpiel's names of how the bot chooses when it has searched: the most visits, the best mean, or by lot."""

ROLLOUTS = ("own", "compiled")
"""Who plays on at random: OpenSpiel's ``RandomRolloutEvaluator``, or the adapter in its stead, the same but faster."""

_PACE_SECONDS = 60.0


@dataclass(frozen=True)
class Outsider:
    """OpenSpiel's bot as it is set; by default as it chose best in Uplink of the settings that were tried.

    Attributes
    ----------
    simulations : int
        Of a decision.
    uct_c : float
        Weight of exploration, in units of the payoff.
    final : str
        One of `FINAL`.
    payoff : str
        What it plays for: one of `sim.openspiel.PAYOFFS`.
    rollouts : str
        One of `ROLLOUTS`.
    """

    simulations: int = 1000
    uct_c: float = 30.0
    final: str = FINAL[0]
    payoff: str = "score"
    rollouts: str = ROLLOUTS[0]

    def register(self, draft: Draft) -> None:
        """Make it a bot of the lab, named `NAME`, that plays this draft.

        Raises
        ------
        UserError
            If OpenSpiel is not installed.
        """
        game = openspiel.load(draft, payoff=self.payoff)
        from open_spiel.python.algorithms import ismcts, mcts

        def decide(view: Any, rules: Any, me: Any) -> int:
            """Plays as OpenSpiel's ISMCTS does."""
            dice = np.random.RandomState(int(rng.below(me["stream"], 2**32 - 1)))
            judge = mcts.RandomRolloutEvaluator(1, dice)
            if self.rollouts == "compiled":
                judge = game.random_evaluator(dice.random_sample)
            bot = ismcts.ISMCTSBot(
                game,
                judge,
                self.uct_c,
                self.simulations,
                random_state=dice,
                final_policy_type=ismcts.ISMCTSFinalPolicyType[self.final],
            )
            # Its own way to deal anew takes chance that no seed governs.
            bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, dice.random_sample))
            state = game.redealt(view, dice.random_sample)
            while True:
                action = int(bot.step(state))
                move = state.move(action)
                if move is not None:
                    return int(move)
                state.apply_action(action)

        strategies.strategy(draft.game, NAME, jit=False)(decide)


def play(
    spec: Spec,
    on_progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Duel:
    """Play the deals of a ladder of two bots, in every rotation of the seats.

    Parameters
    ----------
    on_progress : callable
        Told the deals done.
    stop : callable
        Asked after every deal whether to end early.

    Returns
    -------
    Duel
        Told from the side of the bot whose name comes first.

    Raises
    ------
    UserError
        If something does not fit, or fewer than two deals were played.
    """
    (table,) = spec.duels
    table.warm_up()
    shares: list[float] = []
    while len(shares) < spec.deals and not stop():
        shares += list(table.play(len(shares), 1).ahead)
        on_progress(len(shares))
    if len(shares) < 2:
        raise Interrupted("interrupted before two deals: nothing to keep")
    return Duel(np.array(shares))


@click.command()
@click.argument("draft_name", metavar="DRAFT")
@click.option("--bot", default="search:1000", show_default=True, help="The lab's bot.")
@click.option("--deals", type=int, default=20, show_default=True, help="Each in all rotations of the seats.")
@click.option(
    "--simulations",
    type=click.IntRange(min=1),
    default=Outsider.simulations,
    show_default=True,
    help="Of a decision of OpenSpiel's bot.",
)
@click.option(
    "--uct-c", type=float, default=Outsider.uct_c, show_default=True, help="Its weight of exploration."
)
@click.option(
    "--final",
    type=click.Choice(FINAL),
    default=Outsider.final,
    show_default=True,
    help="How it chooses when it has searched.",
)
@click.option(
    "--payoff",
    type=click.Choice(openspiel.PAYOFFS),
    default=Outsider.payoff,
    show_default=True,
    help="What it plays for.",
)
@click.option(
    "--rollouts",
    type=click.Choice(ROLLOUTS),
    default=Outsider.rollouts,
    show_default=True,
    help="Play on by OpenSpiel's own code, or by compiled code, for the same strength in less time.",
)
@cli_parts.seed_option
@cli_parts.set_option
def main(draft_name: str, bot: str, deals: int, seed: int, changes: tuple[str, ...], **settings: Any) -> None:
    """Play a BOT of the lab against OpenSpiel's ISMCTS, half the seats each, and time their decisions."""
    draft = drafts.load(draft_name, changes)
    outsider = Outsider(**settings)
    outsider.register(draft)
    spec = Spec(draft=draft, bots=(bot, NAME), deals=deals, seed=seed)
    with deferred() as stop, cli_parts.progress(deals, "deals") as on_progress:
        duel = play(spec, on_progress, stop)
    if spec.players[0].name == NAME:
        duel = duel.turned()
    low, high = duel.interval()
    ours, theirs = (decision_time.microseconds(draft, name, _PACE_SECONDS) for name in (bot, NAME))
    terminal.say(
        [
            f"{bot} against OpenSpiel's ISMCTS in {draft.label} ({', '.join(f'{k} {v}' for k, v in settings.items())})",
            f"share ahead: {duel.value:.3f}, 95% interval {low:.3f} to {high:.3f}, {len(duel.by_deal)} deals",
            f"a decision: {ours:,.0f} µs and {theirs:,.0f} µs, {theirs / ours:,.0f} times as long",
        ]
    )


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        terminal.complain(str(error))
        sys.exit(1)
