"""The command ``tefuda skill``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import cli_parts
from experiments.interrupts import EXIT_CODE, deferred
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.skill.suite import Job, Suite

_MINUTES = 3.0


@click.command()
@click.argument("draft")
@click.option(
    "--minutes",
    type=float,
    help=f"About how long it may take on this machine; each measure gets its part. [default: {_MINUTES:g}]",
)
@click.option(
    "--matches",
    type=int,
    help="In place of --minutes: deals of the quickest measure; the slow ones get a hundredth.",
)
@click.option("--beginner", metavar="A,B,…", help="Who know the rules and no more. [default: random,greedy]")
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
    from experiments import folders
    from experiments.skill import store
    from experiments.skill.spec import Spec, players_of
    from experiments.skill.suite import Job, checked_minutes
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
    if not settings["no_save"]:
        folders.prepare(settings["out"], settings["study_name"] or store.study_name(job.spec))
    if settings["matches"] is None:
        job = job.by_minutes(minutes, settings["threads"] or cli_parts.threads())
    with deferred() as stop:
        played = play(job, settings["threads"], stop)
        folder = None if settings["no_save"] else save(played, settings["out"], settings["study_name"])
        _print(played, folder, as_json=settings["as_json"])
    if not played.complete:
        raise click.exceptions.Exit(EXIT_CODE)


def play(job: Job, threads: int | None, stop: Callable[[], bool]) -> Suite:
    """Do a job with a bar of progress."""
    from experiments.skill import suite

    with cli_parts.progress(len(job.spec.deals) * suite.STEPS, "parts") as on_progress:
        return suite.play(job, threads=threads or cli_parts.threads(), on_progress=on_progress, stop=stop)


def save(played: Suite, root: Path, name: str | None) -> Path:
    """Write a suite and its report."""
    from experiments.report import skill
    from experiments.skill import store

    return store.save(played, root, name=name, report=skill.page)


def _print(played: Suite, folder: Path | None, *, as_json: bool) -> None:
    from experiments.skill import show

    if as_json:
        cli_parts.say_json({**played.summary(), "results": None if folder is None else str(folder)})
        return
    cli_parts.say([*show.lines(played, cli_parts.width()), *cli_parts.report_line(folder)])
