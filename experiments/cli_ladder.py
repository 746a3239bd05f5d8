"""The command ``tefuda ladder``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import cli_parts
from experiments.interrupts import EXIT_CODE, deferred

if TYPE_CHECKING:
    from experiments.ladder import Ladder, Spec


@click.command()
@click.argument("draft")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option(
    "--deals",
    type=int,
    default=2000,
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
    from experiments import folders, ladder_store
    from experiments.ladder import Spec
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
    if not settings["no_save"]:
        folders.prepare(settings["out"], settings["study_name"] or ladder_store.study_name(spec))
    with deferred() as stop:
        played = play(spec, settings["threads"], stop)
        folder = None if settings["no_save"] else save(played, settings["out"], settings["study_name"])
        _print(played, folder, as_json=settings["as_json"])
    if not played.complete:
        raise click.exceptions.Exit(EXIT_CODE)


def play(spec: Spec, threads: int | None, stop: Callable[[], bool]) -> Ladder:
    """Play a ladder with a bar of progress."""
    from experiments import ladder

    with cli_parts.progress(sum(spec.goals), "deals") as on_progress:
        return ladder.play(spec, threads=threads or cli_parts.threads(), on_progress=on_progress, stop=stop)


def save(played: Ladder, root: Path, name: str | None) -> Path:
    """Write a ladder and its report."""
    from experiments import ladder_store
    from experiments.report import ladder

    return ladder_store.save(played, root, name=name, report=ladder.page)


def _print(played: Ladder, folder: Path | None, *, as_json: bool) -> None:
    from experiments import show_ladder

    if as_json:
        cli_parts.say_json({**played.summary(), "results": None if folder is None else str(folder)})
        return
    cli_parts.say([*show_ladder.lines(played, cli_parts.width()), *cli_parts.report_line(folder)])
