"""The command ``tefuda``. Modules that take time to import are imported by the command that needs them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import cli_parts, cli_skill, cli_train
from experiments.cli_compare import compare
from experiments.cli_fairness import fairness
from experiments.cli_ladder import ladder
from experiments.cli_parts import (
    MATCHES,
    PATH,
    bots_option,
    json_option,
    known_file_option,
    say,
    say_json,
    seed_option,
    set_option,
    threads_option,
    without_nan,
)
from experiments.interrupts import EXIT_CODE as INTERRUPTED
from experiments.interrupts import deferred
from sim.errors import UserError, nearest

if TYPE_CHECKING:
    from experiments.study import Spec, Study

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
    from experiments import show
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
    from experiments import show
    from sim import drafts as all_drafts
    from sim import registry

    if game_or_draft and ("/" in game_or_draft or game_or_draft.endswith(".toml")):
        draft = all_drafts.load(game_or_draft)
        if as_json:
            say_json({"game": draft.game, "name": draft.name, "notes": draft.notes, **draft.tables()})
        else:
            click.echo(all_drafts.to_toml(draft), nl=False)
        return
    names = [registry.find(game_or_draft).name] if game_or_draft else registry.names()
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

    from experiments import show
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
    from experiments import show
    from sim import registry
    from strategies import registry as strategies

    names = [registry.find(game).name] if game else registry.names()
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


@cli.command()
@click.argument("draft")
@click.option("--matches", type=int, default=MATCHES, show_default=True, help="Matches to play.")
@cli_parts.play_options
def run(draft: str, **settings: Any) -> None:
    """Play very many matches of a DRAFT; print what came, and leave a report."""
    from experiments import folders, show, store
    from experiments.study import Spec
    from sim import drafts as all_drafts

    spec = Spec(
        [all_drafts.load(draft, settings["changes"])],
        settings["lineup"],
        settings["matches"],
        settings["seed"],
        settings["fixed_seats"],
        settings["bots_file"],
    )
    spec.prepare()
    if not settings["no_save"]:
        folders.prepare(settings["out"], settings["study_name"] or store.study_name(spec))
    with deferred() as stop:
        study = _play(spec, settings["threads"], stop)
        folder = None if settings["no_save"] else _save(study, settings["out"], settings["study_name"])
        (found,) = study.runs
        if settings["as_json"]:
            say_json({**found.summary(), "results": None if folder is None else str(folder)})
        else:
            say([*show.run_lines(found), *cli_parts.report_line(folder)])
    if not study.complete:
        raise click.exceptions.Exit(INTERRUPTED)


cli.add_command(compare)
cli.add_command(fairness)


def _play(spec: Spec, threads: int | None, stop: Callable[[], bool]) -> Study:
    from experiments import study

    with cli_parts.progress(spec.matches, "matches") as on_progress:
        played = study.play(spec, threads=threads or cli_parts.threads(), on_progress=on_progress, stop=stop)
    if played.matches == 0:
        raise UserError("interrupted before a match was finished: nothing to report")
    return played


def _save(study: Study, root: Path, name: str | None) -> Path:
    from experiments import report, store

    return store.save(study, root, name=name, report=report.page)


@cli.command()
@click.argument("manifest", type=PATH)
@bots_option
@threads_option
@click.option("--out", type=PATH, default=Path("results"), show_default=True, metavar="DIR")
def rerun(manifest: Path, bots_file: Path | None, threads: int | None, out: Path) -> None:
    """Play a run again from its MANIFEST (or its folder) and compare the tables byte for byte."""
    from experiments import (
        cli_compare,
        cli_fairness,
        cli_ladder,
        comparison_store,
        fairness_store,
        ladder_store,
        store,
    )
    from experiments.skill import store as skill_store

    kinds: dict[Any, tuple[Any, Any, Any]] = {
        ladder_store.KIND: (ladder_store.spec_of, cli_ladder.play, cli_ladder.save),
        comparison_store.KIND: (comparison_store.spec_of, cli_compare.play, cli_compare.save),
        fairness_store.KIND: (fairness_store.spec_of, cli_fairness.play, cli_fairness.save),
        skill_store.KIND: (skill_store.job_of, cli_skill.play, cli_skill.save),
        None: (store.spec_of, _play, _save),
    }
    before = store.read_manifest(manifest)
    name, kind = str(before.get("study", "")) or None, before.get("kind")
    if kind not in kinds:
        raise UserError(f"{manifest}: the manifest of something that cannot be played again ({kind!r})")
    spec_of, play, save = kinds[kind]
    spec = spec_of(before, str(manifest), bots_file)
    spec.prepare()
    with deferred() as stop:
        played = play(spec, threads, stop)
        folder = save(played, out, name)
    tables = store.read_manifest(folder)["tables"]
    click.echo(f"report: {folder / 'report.html'}")
    if not played.complete:
        raise click.exceptions.Exit(INTERRUPTED)
    if tables != before.get("tables"):
        raise UserError(f"{manifest}: the tables differ from those of this run, {folder}")
    click.echo("the same tables, byte for byte")


cli.add_command(ladder)
cli.add_command(cli_skill.skill)
cli.add_command(cli_train.train)
cli.add_command(cli_train.probe)


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
    from experiments import replay as one_match
    from experiments.study import Spec
    from sim import drafts as all_drafts

    spec = Spec([all_drafts.load(draft, changes)], lineup, match + 1, seed, fixed_seats, bots_file)
    for line in one_match.lines(spec.batches[0], match):
        click.echo(line)


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
            _fail(str(error), 1)
            continue
        if failures:
            wrong += 1
            click.echo(f"{path}: {found.title}")
            for failure in failures:
                click.echo(str(failure))
    click.echo(f"{len(files) - wrong} of {len(files)} scenarios pass")
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

    from experiments import bench as measures
    from sim import drafts as all_drafts
    from sim import registry

    threads = sorted({1, cli_parts.threads()})
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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # suit signs, where the terminal has none
    warnings.showwarning = _notice
    try:
        code = cli.main(args=arguments, prog_name="tefuda", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 0
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        hint = f" (see {where.command_path} --help)" if where is not None else ""
        return _fail(error.format_message().rstrip(".") + hint, error.exit_code)
    except UserError as error:
        return _fail(str(error), 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone; keep Python from writing to it at exit.
        _drop_output()
        return 1
    except OSError as error:
        _drop_output()
        return _fail(f"the output cannot be written ({error.strerror})", 1)
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
    click.echo("tefuda: note: " + " ".join(str(message).split()), err=True)


def _drop_output() -> None:
    """Keep Python from writing what is left to an output that is gone."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    click.echo("tefuda: " + " ".join(message.split()), err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
