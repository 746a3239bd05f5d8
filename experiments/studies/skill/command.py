"""The command ``tefuda skill``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.studies import lifecycle
from experiments.studies import options as cli_parts
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.studies.skill.play import Job, Suite

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
@click.option(
    "--beginner", metavar="A,B,...", help="Who know the rules and no more. [default: random,greedy]"
)
@click.option("--others", metavar="BOT", help="Who sits in all other seats. [default: heuristic]")
@click.option("--best", metavar="BOT", help="The strongest that does not cheat. [default: search:100]")
@click.option("--fictive", metavar="BOT", help="Who is told how chance falls. [default: clairvoyant:100]")
@cli_parts.seed_option
@cli_parts.set_option
@cli_parts.bots_option
@cli_parts.save_options
def skill(draft: str, **settings: Any) -> None:
    """Tell how strong luck is in a DRAFT, and what there is besides: skill, seats, scores, choice.

    Every number has its interval, over deals. The usual players are those that the game has.
    """
    from experiments.studies.skill.play import Job, checked_minutes
    from experiments.studies.skill.spec import Spec, players_of
    from sim import drafts

    if settings["minutes"] is not None and settings["matches"] is not None:
        raise UserError("skill: --minutes or --matches, not both")
    minutes = checked_minutes(_MINUTES if settings["minutes"] is None else settings["minutes"])
    loaded = drafts.load(draft, settings["changes"])
    players = players_of(
        loaded.game,
        beginners=settings["beginner"],
        others=settings["others"],
        best=settings["best"],
        fictive=settings["fictive"],
    )
    job = Job(Spec(loaded, players, settings["seed"], bots_file=settings["bots_file"]))
    if settings["matches"] is not None:
        job = job.by_matches(settings["matches"])
    job.prepare()
    lifecycle.prepare(KIND, job, settings)
    if settings["matches"] is None:
        job = job.by_minutes(minutes, settings["threads"] or experiments.threads())
    lifecycle.carry_out(KIND, job, settings)


def _length(job: Job) -> int:
    from experiments.studies.skill import play as suite

    return len(job.spec.deals) * suite.STEPS


def _lines(played: Suite) -> list[str]:
    from experiments.studies.skill import show

    return show.lines(played, cli_parts.width())


def _summary(played: Suite) -> dict[str, Any]:
    from experiments.studies.skill import verdict

    found = played.summary()
    answer = verdict.headline(played)
    # Before what it rests on.
    measures = found.pop("measures")
    return {**found, "answer": {"about": answer.lead, "text": answer.text}, "measures": measures}


KIND = lifecycle.Kind(
    module="experiments.studies.skill.store",
    page="experiments.report.skill:page",
    play="experiments.studies.skill.play:play",
    length=_length,
    unit="parts",
    lines=_lines,
    summary=_summary,
)
