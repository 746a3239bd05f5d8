"""The command ``tefuda fairness``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import cli_parts
from experiments.interrupts import EXIT_CODE, deferred
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.fairness import Matrix, Spec


@click.command()
@click.argument("draft")
@click.option(
    "--matches", type=click.IntRange(min=1), default=50_000, show_default=True, help="Matches of each cell."
)
@click.option(
    "--levels", metavar="A,B,…", help="Bots, each in every seat [default: greedy,heuristic, if known]."
)
@click.option("--players", metavar="N,N,…", help="Numbers of players [default: all that the game knows].")
@click.option(
    "--margin",
    default="1pp",
    show_default=True,
    metavar="AMOUNTpp",
    help="So far off its due a seat is still fair.",
)
@cli_parts.seed_option
@cli_parts.set_option
@cli_parts.bots_option
@cli_parts.save_options
def fairness(draft: str, **settings: Any) -> None:
    """Tell whether each seat of a DRAFT wins its due, for every number of players and several bots."""
    from experiments import fairness_store, folders

    spec = _spec(draft, settings)
    spec.prepare()
    if not settings["no_save"]:
        folders.prepare(settings["out"], settings["study_name"] or fairness_store.study_name(spec))
    with deferred() as stop:
        played = play(spec, settings["threads"], stop)
        folder = None if settings["no_save"] else save(played, settings["out"], settings["study_name"])
        _print(played, folder, as_json=settings["as_json"])
    if not played.complete:
        raise click.exceptions.Exit(EXIT_CODE)


def _spec(draft: str, settings: dict[str, Any]) -> Spec:
    from experiments import fairness, margins

    margin = margins.read([f"share={settings['margin']}"])["share"]
    found, refused = fairness.for_players(draft, settings["changes"], _players(settings["players"]))
    levels = _levels(found[0].game, settings["levels"])
    return fairness.Spec(
        found,
        levels,
        [settings["matches"]] * (len(found) * len(levels)),
        settings["seed"],
        margins.absolute(margin, 0.0, 0.0),
        refused,
        settings["bots_file"],
    )


def _players(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise UserError(
            f"--players {text}: must be numbers with commas between them, such as 2,3,4"
        ) from None
    if len(set(found)) < len(found):
        raise UserError(f"--players {text}: a number is named twice")
    return found


def _levels(game: str, text: str | None) -> list[str]:
    from strategies import registry as strategies

    if text is None:
        known = [bot.name for bot in strategies.known(game)]
        return [name for name in ("greedy", "heuristic") if name in known] or [strategies.default(game)]
    found = [name.strip() for name in text.split(",")]
    if not all(found) or len(set(found)) < len(found):
        raise UserError(f"--levels {text}: must be different bots with commas between them")
    return found


def play(spec: Spec, threads: int | None, stop: Callable[[], bool]) -> Matrix:
    """Play a matrix with a bar of progress."""
    from experiments import fairness

    with cli_parts.progress(sum(spec.matches), "matches") as on_progress:
        return fairness.play(spec, threads=threads or cli_parts.threads(), on_progress=on_progress, stop=stop)


def save(played: Matrix, root: Path, name: str | None) -> Path:
    """Write a matrix and its report."""
    from experiments import fairness_store
    from experiments.report import fairness

    return fairness_store.save(played, root, name=name, report=fairness.page)


def _print(played: Matrix, folder: Path | None, *, as_json: bool) -> None:
    from experiments import show_fairness

    if as_json:
        cli_parts.say_json({**played.summary(), "results": None if folder is None else str(folder)})
        return
    cli_parts.say([*show_fairness.lines(played), *cli_parts.report_line(folder)])
