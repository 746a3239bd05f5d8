"""The command ``tefuda skill``."""

from __future__ import annotations

from typing import Any

import click

import experiments
from experiments.studies import lifecycle, options
from sim.errors import UserError

_MINUTES = 3.0


@click.command()
@click.argument("draft")
@click.option(
    "--minutes",
    "--budget",
    "minutes",
    type=float,
    help=f"About how long it may take on this machine; each measure gets its part. [default: {_MINUTES:g}]",
)
@click.option(
    "--matches",
    type=int,
    help="In place of --minutes: deals of the quickest measure; the slow ones get a hundredth.",
)
@click.option("--against", metavar="DRAFT", help="Another draft of the game, to set beside the first.")
@click.option("--beginner", metavar="A,B,...", help="Weak baseline players. [default: random,greedy]")
@click.option("--others", metavar="BOT", help="Who sits in all other seats. [default: heuristic]")
@click.option("--best", metavar="BOT", help="The strongest player that does not cheat. [default: search:100]")
@click.option(
    "--fictive",
    metavar="BOT",
    help="A reference player that sees hidden cards and future chance. [default: clairvoyant:100]",
)
@options.seed_option
@options.set_option
@options.bots_option
@options.save_options
def skill(draft: str, **settings: Any) -> None:
    """Tell how much luck and how much skill there is in a DRAFT, how fair, how tense, and which rule matters most.

    Every number has its interval, over deals. The usual players are those that the game has.
    """
    from experiments.studies.skill import play
    from experiments.studies.skill.spec import Spec, players_of

    if settings["minutes"] is not None and settings["matches"] is not None:
        raise UserError("skill: --minutes or --matches, not both")
    minutes = play.checked_minutes(_MINUTES if settings["minutes"] is None else settings["minutes"])
    loaded = options.load(draft, settings["changes"])
    against = settings["against"]
    spec = Spec(
        draft=loaded,
        players=players_of(
            loaded.game,
            beginners=settings["beginner"],
            others=settings["others"],
            best=settings["best"],
            fictive=settings["fictive"],
        ),
        seed=settings["seed"],
        bots_file=settings["bots_file"],
        against=None if against is None else options.load(against, settings["changes"]),
    )
    threads = settings["threads"] or experiments.threads()
    if settings["matches"] is not None:
        lifecycle.carry_out(play.by_matches(spec, settings["matches"]), settings)
    else:
        lifecycle.carry_out(spec, settings, lambda ready: play.by_minutes(ready, minutes, threads))


COMMANDS = (skill,)
