"""The commands ``tefuda train`` and ``tefuda probe``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.interrupts import deferred
from experiments.report import output
from experiments.studies import lifecycle, options
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.studies.result import Result
    from experiments.studies.train.spec import Spec

_FOLDER = "weights"

_options = options.options(
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
    options.seed_option,
    options.set_option,
    options.bots_option,
    options.threads_option,
    options.json_option,
)


@click.command()
@click.argument("draft")
@click.option(
    "--out",
    type=options.PATH,
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
    from experiments.studies.train import weights_file

    spec, threads = _spec(draft, "", settings)
    out = out or Path(_FOLDER) / f"{weights_file.file_name(spec.draft)}.toml"
    if out.suffix != ".toml":
        raise UserError(f"--out {out}: must end in .toml")
    if set(str(out)) & set(",:") or str(out) != str(out).strip():
        raise UserError(
            f"--out {out}: must have no ',' or ':', and no space at its ends, to be named in a line-up"
        )
    if out.exists() and not overwrite:
        raise UserError(f"--out {out}: there is such a file already; name another, or add --overwrite")
    folders.prepare_file(out)
    trained = _play(spec, threads, lambda result: weights_file.write(result, out))
    _tell(trained, settings, [f"weights: {out}", f"play it: {weights_file.trial(spec, out)}"], out)


@click.command()
@click.argument("draft")
@click.argument("bot", default="heuristic")
@_options
def probe(draft: str, bot: str, **settings: Any) -> None:
    """Find how far a BOT can be exploited in a DRAFT: train a player against a table of it.

    What the trained player gains, on fresh deals, is the least that a perfect answer to the bot would gain.
    """
    from experiments.studies.train import weights_file

    if not bot.strip():
        raise UserError(f"probe {bot!r}: name a bot")
    spec, threads = _spec(draft, bot, settings)
    trained: Any = _play(spec, threads, lambda result: None)
    _tell(trained, settings, [f"again: {weights_file.command(spec, trained.generations)}"], None)


def _spec(draft: str, against: str, settings: dict[str, Any]) -> tuple[Spec, int]:
    from experiments.studies.train import plan
    from experiments.studies.train.spec import GENERATIONS, LEAST_DEALS, Spec

    threads, generations, deals = (
        settings["threads"] or experiments.threads(),
        settings["generations"],
        settings["deals"],
    )
    spec = Spec(
        draft=options.load(draft, settings["changes"]),
        against=against,
        generations=GENERATIONS if generations is None else generations,
        deals=LEAST_DEALS if deals is None else deals,
        seed=settings["seed"],
        bots_file=settings["bots_file"],
        source=draft,
    )
    spec.prepare()
    if deals is None:
        spec = plan.fitted(spec, settings["minutes"], threads, fixed=generations is not None)
    return spec, threads


def _play(spec: Spec, threads: int, keep: Callable[[Any], None]) -> Result:
    with deferred() as stop:
        trained = lifecycle.play(spec, threads, stop)
        keep(trained)
    return trained


def _tell(trained: Result, settings: dict[str, Any], last: list[str], out: Path | None) -> None:
    if settings["as_json"]:
        output.say_json({**trained.summary(), "weights_file": None if out is None else str(out)})
    else:
        from experiments.report import terminal

        output.say([*terminal.lines(trained.report, options.width()), *last])
    lifecycle.leave(trained)


COMMANDS = (train, probe)
