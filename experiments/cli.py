"""The command ``tefuda``. Modules that take time to import are imported by the command that needs them."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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


def _width() -> int:
    return min(shutil.get_terminal_size((80, 24)).columns - 1, 100)


def _say(lines: list[str]) -> None:
    click.echo("\n".join(lines))


def _say_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False))


def _threads() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_PATH = click.Path(path_type=Path)


def _options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
_bots_option = click.option(
    "--bots",
    "bots_file",
    type=_PATH,
    metavar="FILE.py",
    help="A Python file with bots of your own; it is run.",
)
_set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="TABLE.KEY=VALUE",
    help="Change an option on the fly, as rules.players=3 or points.K=-1. May be repeated.",
)
_lineup_option = click.option(
    "--lineup",
    metavar="A,B,…",
    help="One bot for each player, or one name for all [default: heuristic].",
)
_seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, help="Names the deals; 0 or more."
)
_fixed_option = click.option("--fixed-seats", is_flag=True, help="Do not rotate the line-up over the seats.")
_play_options = _options(
    click.option("--matches", type=int, default=100_000, show_default=True, help="Matches of each draft."),
    _lineup_option,
    _fixed_option,
    _seed_option,
    _set_option,
    _bots_option,
    click.option("--threads", type=click.IntRange(min=1), help="Threads [default: one a core]."),
    click.option(
        "--out",
        type=_PATH,
        default=Path("results"),
        show_default=True,
        metavar="DIR",
        help="Where results go.",
    ),
    click.option(
        "--study", "study_name", metavar="NAME", help="Folder of the results in DIR [default: the drafts]."
    ),
    click.option("--no-save", is_flag=True, help="Write nothing."),
    _json_option,
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tefuda", prog_name="tefuda")
def cli() -> None:
    """Play card games by the million, over rules that are data, and see what a change does.

    A DRAFT is a set of rules: GAME/NAME for one that ships (see `tefuda drafts`), or the path of a .toml
    file of your own.
    """


@cli.command()
@_json_option
def games(as_json: bool) -> None:
    """List the games."""
    from experiments import show
    from sim import drafts, registry

    found = [(name, f"{len(drafts.shipped(name))} drafts") for name in registry.names()]
    if as_json:
        _say_json([name for name, _ in found])
    else:
        _say(show.table(found, _width()))


@cli.command()
@click.argument("game_or_draft", required=False)
@_json_option
def drafts(game_or_draft: str | None, as_json: bool) -> None:
    """List the drafts that ship, of a GAME or of all; or print one DRAFT in full, ready to be edited."""
    from experiments import show
    from sim import drafts as all_drafts
    from sim import registry

    if game_or_draft and ("/" in game_or_draft or game_or_draft.endswith(".toml")):
        draft = all_drafts.load(game_or_draft)
        if as_json:
            _say_json({"game": draft.game, "name": draft.name, "notes": draft.notes, **draft.tables()})
        else:
            click.echo(all_drafts.to_toml(draft), nl=False)
        return
    names = [registry.find(game_or_draft).name] if game_or_draft else registry.names()
    found = [all_drafts.load(f"{game}/{name}") for game in names for name in all_drafts.shipped(game)]
    if as_json:
        _say_json([{"draft": draft.label, "notes": draft.notes} for draft in found])
    else:
        _say(show.table([(draft.label, draft.notes) for draft in found], _width()))


@cli.command()
@click.argument("game")
@_json_option
def options(game: str, as_json: bool) -> None:
    """List every option of a GAME: default, range, clause, what it changes, whom it favours."""
    from dataclasses import asdict

    from experiments import show
    from sim import registry

    rows = registry.find(game).options.rows()
    if as_json:
        _say_json([asdict(row) for row in rows])
    else:
        _say(show.option_lines(rows, _width()))


@cli.command()
@click.argument("game", required=False)
@_bots_option
@_json_option
def bots(game: str | None, bots_file: Path | None, as_json: bool) -> None:
    """List the bots, of a GAME or of all."""
    from experiments import show
    from sim import registry
    from strategies import registry as strategies

    if bots_file is not None:
        strategies.load_file(bots_file)
    names = [registry.find(game).name] if game else registry.names()
    found = [bot for name in names for bot in strategies.known(name)]
    if as_json:
        _say_json(
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
    _say(show.table(rows, _width()))


@cli.command()
@click.argument("draft")
@_play_options
def run(draft: str, **settings: Any) -> None:
    """Play very many matches of a DRAFT; print what came, and leave a report."""
    _study([draft], **settings)


@cli.command()
@click.argument("drafts", nargs=-1, required=True, metavar="DRAFT DRAFT...")
@_play_options
def compare(drafts: tuple[str, ...], **settings: Any) -> None:
    """Play DRAFTs on the same deals; print each beside the first, and leave a report."""
    if len(drafts) < 2:
        raise UserError(f"compare {drafts[0]}: name two drafts or more")
    _study(list(drafts), **settings)


def _study(names: list[str], **settings: Any) -> None:
    from experiments import store
    from experiments.study import Spec
    from sim import drafts as all_drafts

    spec = Spec(
        [all_drafts.load(name, settings["changes"]) for name in names],
        settings["lineup"],
        settings["matches"],
        settings["seed"],
        settings["fixed_seats"],
        settings["bots_file"],
    )
    spec.prepare()
    if not settings["no_save"]:
        store.prepare(settings["out"], settings["study_name"] or store.study_name(spec))
    with deferred() as stop:
        study = _play(spec, settings["threads"], stop)
        folder = None if settings["no_save"] else _save(study, settings["out"], settings["study_name"])
        _print(study, folder, settings["as_json"])
    if not study.complete:
        raise click.exceptions.Exit(INTERRUPTED)


def _play(spec: Spec, threads: int | None, stop: Callable[[], bool]) -> Study:
    from experiments import study

    with _progress(spec.matches) as on_progress:
        played = study.play(spec, threads=threads or _threads(), on_progress=on_progress, stop=stop)
    if played.matches == 0:
        raise UserError("interrupted before a match was finished: nothing to report")
    return played


@contextlib.contextmanager
def _progress(matches: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    wide = max(4, min(30, _width() - 50))
    with click.progressbar(
        length=matches, label="matches", file=sys.stderr, show_pos=True, width=wide
    ) as bar:

        def advance(done: int) -> None:
            bar.update(done - bar.pos)

        yield advance


def _save(study: Study, root: Path, name: str | None) -> Path:
    from experiments import report, store

    return store.save(study, root, name=name, report=report.page)


def _print(study: Study, folder: Path | None, as_json: bool) -> None:
    from experiments import show, store

    where = None if folder is None else str(folder)
    if as_json:
        summaries = [found.summary() for found in study.runs]
        if len(summaries) == 1:
            _say_json({**summaries[0], "results": where})
        else:
            rows = [row for found in study.runs[1:] for row in store.difference_rows(found)]
            _say_json({"drafts": summaries, "differences": _without_nan(rows), "results": where})
        return
    _say(show.run_lines(study.runs[0]) if len(study.runs) == 1 else show.compare_lines(study))
    if folder is not None:
        click.echo(f"report: {folder / 'report.html'}")


def _without_nan(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}
        for row in rows
    ]


@cli.command()
@click.argument("manifest", type=_PATH)
@_bots_option
@click.option("--threads", type=click.IntRange(min=1), help="Threads [default: one a core].")
@click.option("--out", type=_PATH, default=Path("results"), show_default=True, metavar="DIR")
def rerun(manifest: Path, bots_file: Path | None, threads: int | None, out: Path) -> None:
    """Play a run again from its MANIFEST (or its folder) and compare the tables byte for byte."""
    from experiments import store

    before = store.read_manifest(manifest)
    spec = store.spec_of(before, str(manifest), bots_file)
    spec.prepare()
    with deferred() as stop:
        study = _play(spec, threads, stop)
        folder = _save(study, out, str(before.get("study", "")) or None)
    tables = store.read_manifest(folder)["tables"]
    click.echo(f"report: {folder / 'report.html'}")
    if not study.complete:
        raise click.exceptions.Exit(INTERRUPTED)
    if tables != before.get("tables"):
        raise UserError(f"{manifest}: the tables differ from those of this run, {folder}")
    click.echo("the same tables, byte for byte")


@cli.command()
@click.argument("draft")
@click.option(
    "--match",
    type=click.IntRange(0, 2**40 - 1),
    default=0,
    show_default=True,
    help="Number of the match in a run.",
)
@_lineup_option
@_fixed_option
@_seed_option
@_set_option
@_bots_option
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
@click.argument("scenarios", nargs=-1, required=True, type=_PATH, metavar="SCENARIO...")
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
@click.option("--lineup", help="Bot in every seat [default: random, then heuristic].")
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="For each line."
)
@_json_option
def bench(game: str | None, lineup: str | None, seconds: float, as_json: bool) -> None:
    """Measure the speed of the engines: one thread and all, also in shuffles, which travel between machines."""
    from dataclasses import asdict

    from experiments import bench as measures
    from sim import drafts as all_drafts
    from sim import registry

    threads = sorted({1, _threads()})
    names = [registry.find(game).name] if game else registry.names()
    speeds = [
        speed
        for name in names
        for draft in all_drafts.shipped(name)
        for bot in ([lineup] if lineup else ["random", "heuristic"])
        for speed in measures.measure(f"{name}/{draft}", bot, threads, seconds)
    ]
    if as_json:
        _say_json(_without_nan([asdict(speed) for speed in speeds]))
    else:
        _say(measures.lines(speeds, measures.shuffle_seconds()))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code. Every error is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # suit signs, where the terminal has none
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


def _drop_output() -> None:
    """Keep Python from writing what is left to an output that is gone."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> int:
    click.echo("tefuda: " + " ".join(message.split()), err=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
