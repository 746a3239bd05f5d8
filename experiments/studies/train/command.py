"""The commands ``tefuda train`` and ``tefuda probe``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.interrupts import EXIT_CODE, deferred
from experiments.report import output as terminal
from experiments.studies import options as cli_parts
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.studies.train.play import Spec, Trained

_FOLDER = "weights"

_options = cli_parts.options(
    click.option(
        "--minutes",
        type=click.FloatRange(min=0.05, max=10_000),
        default=3.0,
        show_default=True,
        help="About how long; sets --deals, and fewer --generations where even the fewest deals take long.",
    ),
    click.option(
        "--generations", type=int, help="Of players tried [default: 60, or what there is time for]."
    ),
    click.option(
        "--deals",
        type=int,
        help="Of each player of a generation against each opponent; then --minutes is not looked at.",
    ),
    cli_parts.seed_option,
    cli_parts.set_option,
    cli_parts.bots_option,
    cli_parts.threads_option,
    cli_parts.json_option,
)


@click.command()
@click.argument("draft")
@click.option(
    "--out",
    type=cli_parts.PATH,
    metavar="FILE.toml",
    help="Where the weights go [default: weights/GAME-DRAFT.toml].",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that is there already.")
@_options
def train(draft: str, out: Path | None, overwrite: bool, **settings: Any) -> None:
    """Train a player for a DRAFT by play against its like; write its weights as a small file.

    The file can be named in a line-up as any bot: tefuda run DRAFT --lineup FILE.toml,heuristic,heuristic,heuristic.
    """
    from experiments.store import folders
    from experiments.studies.train import store as training_store

    spec, threads = _spec(draft, "", settings)
    out = out or Path(_FOLDER) / f"{training_store.file_name(spec.draft)}.toml"
    if out.suffix != ".toml":
        raise UserError(f"--out {out}: must end in .toml")
    if set(str(out)) & set(",:") or str(out) != str(out).strip():
        raise UserError(
            f"--out {out}: must have no ',' or ':', and no space at its ends, to be named in a line-up"
        )
    if out.exists() and not overwrite:
        raise UserError(f"--out {out}: there is such a file already; name another, or add --overwrite")
    folders.prepare_file(out)
    trained = _play(spec, threads, lambda trained: training_store.write(trained, out))
    _print(trained, settings["as_json"], out)


@click.command()
@click.argument("draft")
@click.argument("bot", default="heuristic")
@_options
def probe(draft: str, bot: str, **settings: Any) -> None:
    """Find how far a BOT can be exploited in a DRAFT: train a player against a table of it.

    What the trained player gains, on fresh deals, is the least that a perfect answer to the bot would gain.
    """
    if not bot.strip():
        raise UserError(f"probe {bot!r}: name a bot")
    spec, threads = _spec(draft, bot, settings)
    _print(_play(spec, threads, lambda trained: None), settings["as_json"], None)


def _spec(draft: str, against: str, settings: dict[str, Any]) -> tuple[Spec, int]:
    from experiments.studies.train import plan as training_plan
    from experiments.studies.train import play as training
    from sim import drafts

    threads, generations, deals = (
        settings["threads"] or experiments.threads(),
        settings["generations"],
        settings["deals"],
    )
    chosen = training.Spec(
        drafts.load(draft, settings["changes"]),
        against,
        training.GENERATIONS if generations is None else generations,
        training.LEAST_DEALS if deals is None else deals,
        settings["seed"],
        settings["bots_file"],
        draft,
    )
    chosen.prepare()
    if deals is None:
        chosen = training_plan.fitted(chosen, settings["minutes"], threads, fixed=generations is not None)
    return chosen, threads


def _play(spec: Spec, threads: int, keep: Callable[[Trained], None]) -> Trained:
    from experiments.studies.train import play as training

    with deferred() as stop:
        with cli_parts.progress(spec.generations, "generations") as on_progress:
            trained = training.train(spec, threads=threads, on_progress=on_progress, stop=stop)
        keep(trained)
    return trained


def _print(trained: Trained, as_json: bool, out: Path | None) -> None:
    from experiments.studies.train import show as show_training
    from experiments.studies.train import store as training_store

    if as_json:
        terminal.say_json(
            {**training_store.summary(trained), "weights_file": None if out is None else str(out)}
        )
    else:
        terminal.say(show_training.lines(trained, cli_parts.width(), out))
    if not trained.complete:
        raise click.exceptions.Exit(EXIT_CODE)
