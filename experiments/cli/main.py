"""The command ``tefuda``. Modules that take time to import are imported by the command that needs them."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import click

import experiments
from experiments.interrupts import EXIT_CODE as INTERRUPTED
from experiments.interrupts import watched
from experiments.report import output as terminal
from experiments.report.output import complain, say, say_json
from experiments.studies import options as cli_parts
from experiments.studies.compare import command as cli_compare
from experiments.studies.fairness import command as cli_fairness
from experiments.studies.ladder import command as cli_ladder
from experiments.studies.options import (
    PATH,
    bots_option,
    json_option,
    known_file_option,
    seed_option,
    set_option,
    without_nan,
)
from experiments.studies.run import command as cli_run
from experiments.studies.skill import command as cli_skill
from experiments.studies.train import command as cli_train
from sim.errors import Interrupted, UserError, nearest

INTERNAL = 70
"""Exit code after a fault of the lab itself."""


class Commands(click.Group):
    """A group that suggests the nearest command for a mistyped one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or say which is nearest."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            raise UserError(
                f"unknown command {args[0]!r}{nearest(args[0], known)} (known: {', '.join(known)})"
            )
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tefuda", prog_name="tefuda")
def cli() -> None:
    """Play card games by the million, over rules that are data, and see what a change does.

    A DRAFT is a set of rules: GAME/NAME for one that ships (see `tefuda drafts`), or the path of a .toml
    file of your own.
    """


@cli.command()
@known_file_option
@json_option
def games(as_json: bool) -> None:
    """List the games."""
    from experiments.studies.run import show
    from sim import drafts, registry

    counts = {name: len(drafts.shipped(name)) for name in registry.names()}
    found = [(name, f"{count} draft{'' if count == 1 else 's'}") for name, count in counts.items()]
    if as_json:
        say_json([name for name, _ in found])
    else:
        say(show.table(found, cli_parts.width()))


@cli.command()
@click.argument("game_or_draft", required=False)
@known_file_option
@json_option
def drafts(game_or_draft: str | None, as_json: bool) -> None:
    """List the drafts that ship, of a GAME or of all; or print one DRAFT in full, ready to be edited."""
    from experiments.studies.run import show
    from sim import drafts as all_drafts
    from sim import registry

    if game_or_draft is not None and ("/" in game_or_draft or game_or_draft.endswith(".toml")):
        draft = all_drafts.load(game_or_draft)
        if as_json:
            say_json({"game": draft.game, "name": draft.name, "notes": draft.notes, **draft.tables()})
        else:
            terminal.say_data(all_drafts.to_toml(draft))
        return
    names = [registry.find(game_or_draft).name] if game_or_draft is not None else registry.names()
    found = [all_drafts.load(f"{game}/{name}") for game in names for name in all_drafts.shipped(game)]
    if as_json:
        say_json([{"draft": draft.label, "notes": draft.notes} for draft in found])
    else:
        say(show.table([(draft.label, draft.notes) for draft in found], cli_parts.width()))


@cli.command()
@click.argument("game")
@known_file_option
@json_option
def options(game: str, as_json: bool) -> None:
    """List every option of a GAME: default, range, clause, what it changes, whom it favours."""
    from dataclasses import asdict

    from experiments.studies.run import show
    from sim import registry

    rows = registry.find(game).options.rows()
    if as_json:
        say_json([asdict(row) for row in rows])
    else:
        say(show.option_lines(rows, cli_parts.width()))


@cli.command()
@click.argument("game", required=False)
@known_file_option
@json_option
def bots(game: str | None, as_json: bool) -> None:
    """List the bots, of a GAME or of all."""
    from experiments.studies.run import show
    from sim import registry
    from strategies import registry as strategies

    names = [registry.find(game).name] if game is not None else registry.names()
    found = [bot for name in names for bot in strategies.known(name)]
    if as_json:
        say_json(
            [
                {
                    "game": bot.game,
                    "bot": bot.name,
                    "summary": bot.summary,
                    "parameters": dict(bot.parameters),
                }
                for bot in found
            ]
        )
        return
    rows = []
    for bot in found:
        settings = "; ".join(f"{key}={value:g}" for key, value in bot.parameters)
        rows.append(
            (f"{bot.game} {bot.name}", bot.summary + (f" (parameters: {settings})" if settings else ""))
        )
    say(show.table(rows, cli_parts.width()))


for _command in (
    cli_run.run,
    cli_compare.compare,
    cli_fairness.fairness,
    cli_run.rerun,
    cli_ladder.ladder,
    cli_skill.skill,
    cli_train.train,
    cli_train.probe,
):
    cli.add_command(_command)


@cli.command()
@click.argument("draft")
@click.option(
    "--match",
    type=click.IntRange(0, 2**40 - 1),
    default=0,
    show_default=True,
    help="Number of the match in a run.",
)
@cli_parts.lineup_option
@cli_parts.fixed_option
@seed_option
@set_option
@bots_option
def replay(
    draft: str,
    match: int,
    lineup: str | None,
    fixed_seats: bool,
    seed: int,
    changes: tuple[str, ...],
    bots_file: Path | None,
) -> None:
    """Tell one match of a run of DRAFT, move by move."""
    from experiments.cli import replay as one_match
    from experiments.play.matches import Spec
    from sim import drafts as all_drafts

    spec = Spec([all_drafts.load(draft, changes)], lineup, match + 1, seed, fixed_seats, bots_file)
    for line in one_match.lines(spec.batches[0], match):
        say([line])


@cli.command()
@click.argument("scenarios", nargs=-1, required=True, type=PATH, metavar="SCENARIO...")
@known_file_option
def check(scenarios: tuple[Path, ...]) -> None:
    """Check rulings: scenario files, or folders of them."""
    from sim import scenario

    files = scenario.find(list(scenarios))
    wrong = 0
    for path in files:
        try:
            found = scenario.read(path)
            failures = scenario.check(found)
        except UserError as error:
            wrong += 1
            complain(str(error))
            continue
        if failures:
            wrong += 1
            say([f"{path}: {found.title}", *(line for failure in failures for line in failure.lines())])
    say([f"{len(files) - wrong} of {len(files)} scenarios pass"])
    if wrong:
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("game", required=False)
@click.option(
    "--lineup",
    help="Bot in every seat [default: random, then heuristic, then the play-outs of search].",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="For each line."
)
@json_option
def bench(game: str | None, lineup: str | None, seconds: float, as_json: bool) -> None:
    """Measure the speed of the engines: one thread and all, also in shuffles, which travel between machines."""
    from dataclasses import asdict

    from experiments.cli import bench as measures
    from sim import drafts as all_drafts
    from sim import registry

    threads = sorted({1, experiments.threads()})
    names = [
        f"{name}/{draft}"
        for name in ([registry.find(game).name] if game else registry.names())
        for draft in all_drafts.shipped(name)
    ]
    speeds = [
        speed
        for name in names
        for bot in ([lineup] if lineup else ["random", "heuristic"])
        for speed in measures.measure(name, bot, threads, seconds)
    ]
    searches = [] if lineup else [measures.measure_search(name, seconds) for name in names]
    if as_json:
        rows = [asdict(speed) for speed in speeds] + [asdict(speed) for speed in searches]
        say_json(without_nan(rows))
        return
    say(measures.lines(speeds, measures.shuffle_seconds()))
    if searches:
        say(["", *measures.search_lines(searches)])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code. Every error is one line on stderr."""
    warnings.showwarning = _notice
    try:
        terminal.prepare()
        with watched():
            code = cli.main(args=arguments, prog_name="tefuda", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        say(error.ctx.get_help().split("\n") if error.ctx else [])
        return 0
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        hint = f" (see {where.command_path} --help)" if where is not None else ""
        return _fail(error.format_message().rstrip(".") + hint, error.exit_code)
    except Interrupted as error:
        return _fail(str(error), INTERRUPTED)
    except terminal.OutputGone as error:
        return _fail(str(error), 1) if str(error) else 1
    except UserError as error:
        return _fail(str(error), 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except OSError as error:
        terminal.silence(1)
        what = "the output cannot be written" if error.filename is None else error.filename
        return _fail(f"{what} ({error.strerror})", 1)
    except Exception as error:
        if os.environ.get("TEFUDA_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}".strip()
        return _fail(f"a fault of tefuda itself ({what}); TEFUDA_TRACEBACK=1 shows where", INTERNAL)
    return code if isinstance(code, int) else 0


def _notice(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    """Show a warning as a line of the command line's own (`warnings.showwarning`)."""
    complain(f"note: {message}")


def _fail(message: str, code: int) -> int:
    complain(message)
    return code


if __name__ == "__main__":
    sys.exit(main())
