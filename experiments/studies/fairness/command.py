"""The command ``tefuda fairness``."""

from __future__ import annotations

from typing import Any

import click

from experiments.studies import lifecycle, options
from sim.errors import UserError


@click.command()
@click.argument("draft")
@click.option(
    "--matches", type=click.IntRange(min=2), default=50_000, show_default=True, help="Matches of each cell."
)
@click.option(
    "--levels", metavar="A,B,...", help="Bots, each in every seat [default: greedy,heuristic, if known]."
)
@click.option("--players", metavar="N,N,...", help="Numbers of players [default: all that the game knows].")
@click.option(
    "--margin",
    default="1pp",
    show_default=True,
    metavar="AMOUNTpp",
    help="A seat within so many percentage points of its fair share is fair.",
)
@options.seed_option
@options.set_option
@options.bots_option
@options.save_options
def fairness(draft: str, **settings: Any) -> None:
    """Tell whether each seat of a DRAFT wins its fair share, for every number of players and several bots."""
    from experiments.play import margins
    from experiments.studies.fairness.spec import Spec, for_players

    margin = margins.read([f"share={settings['margin']}"])["share"]
    drafts, refused = for_players(draft, settings["changes"], _players(settings["players"]))
    spec = Spec(
        drafts=drafts,
        levels=tuple(_levels(drafts[0].game, settings["levels"])),
        matches=settings["matches"],
        seed=settings["seed"],
        margin=margins.absolute(margin, 0.0, 0.0),
        refused=tuple(refused),
        bots_file=settings["bots_file"],
    )
    lifecycle.carry_out(spec, settings)


def _players(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise UserError(
            f"--players {text}: must be numbers with commas between them, such as 2,3,4"
        ) from None
    if len(set(numbers)) < len(numbers):
        raise UserError(f"--players {text}: a number is named twice")
    return numbers


def _levels(game: str, text: str | None) -> list[str]:
    from strategies import registry as strategies

    if text is None:
        known = [bot.name for bot in strategies.known(game)]
        return [name for name in ("greedy", "heuristic") if name in known] or [strategies.default(game)]
    names = [name.strip() for name in text.split(",")]
    if not all(names) or len(set(names)) < len(names):
        raise UserError(f"--levels {text}: must be different bots with commas between them")
    return names


COMMANDS = (fairness,)
