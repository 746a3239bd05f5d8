"""The command ``tefuda ladder``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.studies import lifecycle
from experiments.studies import options as cli_parts

if TYPE_CHECKING:
    from experiments.studies.ladder.play import Ladder


@click.command()
@click.argument("draft")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option(
    "--deals",
    type=int,
    default=experiments.DEALS,
    show_default=True,
    help="Deals of each pair of bots in which none searches, the same for all.",
)
@click.option(
    "--search-deals",
    type=int,
    help="Deals of each pair in which a bot searches, the first of the same deals "
    "[default: 200, or 60 where a match has several games; never more than --deals].",
)
@cli_parts.seed_option
@cli_parts.set_option
@cli_parts.bots_option
@cli_parts.save_options
def ladder(draft: str, bots: tuple[str, ...], **settings: Any) -> None:
    """Play every BOT against every other on the same deals of a DRAFT, and rate them.

    Without a BOT: all of the game that are fast and do not cheat, and search:1000. A BOT is named with its parameters,
    as heuristic, search:1000 or heuristic:keep=1. Those that search have the parameter iterations.
    """
    from experiments.studies.ladder.play import Spec
    from sim import drafts

    spec = Spec(
        drafts.load(draft, settings["changes"]),
        [name for word in bots for name in word.split(",")],
        settings["deals"],
        settings["seed"],
        settings["bots_file"],
        settings["search_deals"],
    )
    spec.prepare()
    lifecycle.prepare(KIND, spec, settings)
    lifecycle.carry_out(KIND, spec, settings)


def _lines(played: Ladder) -> list[str]:
    from experiments.studies.ladder import show as show_ladder

    return show_ladder.lines(played, cli_parts.width())


KIND = lifecycle.Kind(
    module="experiments.studies.ladder.store",
    page="experiments.report.ladder:page",
    play="experiments.studies.ladder.play:play",
    length=lambda spec: sum(spec.goals),
    unit="deals",
    lines=_lines,
)
