"""The command ``tefuda run``."""

from __future__ import annotations

from typing import Any

import click

import experiments
from experiments.studies import lifecycle, options


@click.command()
@click.argument("draft")
@click.option(
    "--matches",
    type=click.IntRange(min=1),
    default=experiments.MATCHES,
    show_default=True,
    help="Matches to play.",
)
@options.play_options
def run(draft: str, **settings: Any) -> None:
    """Play many matches of a DRAFT: who wins, how long it takes, how the scores fall."""
    from experiments.studies.run.spec import Spec

    spec = Spec(
        draft=options.load(draft, settings["changes"]),
        lineup=settings["lineup"],
        matches=settings["matches"],
        seed=settings["seed"],
        fixed_seats=settings["fixed_seats"],
        bots_file=settings["bots_file"],
    )
    lifecycle.carry_out(spec, settings)


COMMANDS = (run,)
