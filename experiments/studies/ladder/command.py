"""The command ``tefuda ladder``."""

from __future__ import annotations

from typing import Any

import click

import experiments
from experiments.studies import lifecycle, options


@click.command()
@click.argument("draft")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option(
    "--deals",
    type=click.IntRange(min=2),
    default=experiments.DEALS,
    show_default=True,
    help="Deals of each pair of bots in which none searches, the same for all.",
)
@click.option(
    "--search-deals",
    type=click.IntRange(min=2),
    help="Deals of each pair in which a bot searches, the first of the same deals "
    "[default: 200, or 60 where a match has several games; never more than --deals].",
)
@options.seed_option
@options.set_option
@options.bots_option
@options.save_options
def ladder(draft: str, bots: tuple[str, ...], **settings: Any) -> None:
    """Play every BOT against every other on the same deals of a DRAFT, and rate them.

    Without a BOT: all of the game that are fast and do not cheat, and search:1000. A BOT is named with its parameters,
    as heuristic, search:1000 or heuristic:keep=1. Those that search have the parameter iterations.
    """
    from experiments.studies.ladder.spec import Spec

    spec = Spec(
        draft=options.load(draft, settings["changes"]),
        bots=tuple(name for word in bots for name in word.split(",")),
        deals=settings["deals"],
        seed=settings["seed"],
        bots_file=settings["bots_file"],
        search_deals=settings["search_deals"],
    )
    lifecycle.carry_out(spec, settings)


COMMANDS = (ladder,)
