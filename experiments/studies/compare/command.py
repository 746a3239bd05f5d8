"""The command ``tefuda compare``."""

from __future__ import annotations

from typing import Any

import click

import experiments
from experiments.studies import lifecycle, options
from sim.errors import UserError

AT_MOST = 1_000_000
"""Matches of each draft, until decided."""


@click.command()
@click.argument("drafts", nargs=-1, required=True, metavar="DRAFT DRAFT...")
@click.option(
    "--matches", type=click.IntRange(min=1), help=f"Matches of each draft [default: {experiments.MATCHES}]."
)
@click.option(
    "--until-decided",
    is_flag=True,
    help="Play on until every verdict is in; drafts whose verdicts are in stop being played.",
)
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"With --until-decided: matches of each draft [default: {AT_MOST}].",
)
@click.option(
    "--margin",
    "stated",
    multiple=True,
    metavar="KIND=AMOUNT",
    help="A difference of no more is none: share=1pp, score=0.1sd (or 0.5points), count=5%; sd and % come to 0.01 "
    "at least. May be repeated.",
)
@click.option(
    "--levels",
    metavar="A,B,...",
    help="Compare under several line-ups: bots, each in every seat; or line-ups with ';' between them.",
)
@click.option(
    "--goal",
    "goals",
    metavar="A,B,...",
    help="What you want of a change: fairer, closer, skill or shorter. It makes higher and lower better and worse.",
)
@options.play_options
def compare(drafts: tuple[str, ...], **settings: Any) -> None:
    """Play DRAFTs on the same deals; tell what each changes beside the first.

    A DRAFT may carry changes of its own: uplink/v1.1:points.K=-1,rules.tied_top=second. Every measure gets a verdict:
    higher or lower, equivalent within a margin, or undecided, and how many more matches that would take.
    """
    from experiments.studies.compare.spec import Spec

    if len(drafts) < 2:
        raise UserError(f"compare {drafts[0]}: name two drafts or more")
    spec = Spec(
        drafts=[options.load(name, settings["changes"]) for name in drafts],
        lineups=_levels(settings),
        matches=_matches(settings),
        seed=settings["seed"],
        fixed_seats=settings["fixed_seats"],
        margins=settings["stated"],
        until_decided=settings["until_decided"],
        goals=settings["goals"] or (),
        bots_file=settings["bots_file"],
    )
    lifecycle.carry_out(spec, settings)


def _matches(settings: dict[str, Any]) -> int:
    """Return how many matches are to be played, at most."""
    matches, at_most = settings["matches"], settings["at_most"]
    if settings["until_decided"]:
        if matches is not None:
            raise UserError(f"--matches {matches}: with --until-decided say --at-most {matches}")
        return AT_MOST if at_most is None else int(at_most)
    if at_most is not None:
        raise UserError(
            f"--at-most {at_most}: goes with --until-decided; for a run of one size say --matches {at_most}"
        )
    return experiments.MATCHES if matches is None else int(matches)


def _levels(settings: dict[str, Any]) -> tuple[str | None, ...]:
    """Return the line-ups; a single one unless --levels names several."""
    text = settings["levels"]
    if text is None:
        return (settings["lineup"],)
    if settings["lineup"] is not None:
        raise UserError(f"--levels {text}: stands in place of --lineup {settings['lineup']}")
    named = tuple(name.strip() for name in text.split(";" if ";" in text else ","))
    if len(named) < 2 or not all(named):
        raise UserError(f"--levels {text}: name two line-ups or more; for one there is --lineup")
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"--levels {text}: {twice!r} is named twice")
    return named


COMMANDS = (compare,)
