"""What commands have in common: options, printing, a bar of progress. Imports nothing that takes time."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from experiments import SEED


def width() -> int:
    """Return how many columns text may take."""
    return min(shutil.get_terminal_size((80, 24)).columns - 1, 100)


class _Path(click.Path):
    """A path; the empty text is none, and not the folder where we are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if value == "":
            self.fail("an empty path: name a file or a folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


def options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Put several options together."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def _run_file(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Run a user's file before the command looks for a game or a bot."""
    if path is not None:
        from strategies import registry

        registry.load_file(path)
    return path


def _file_option(*, passed: bool) -> Callable[[Any], Any]:
    return click.option(
        "--bots",
        "bots_file",
        type=PATH,
        metavar="FILE.py",
        callback=_run_file,
        expose_value=passed,
        help="A Python file with bots, or a game, of your own; it is run.",
    )


bots_option = _file_option(passed=True)
"""For commands that play and have to say with which file."""
known_file_option = _file_option(passed=False)
"""For commands that only need to know what there is."""
set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="TABLE.KEY=VALUE",
    help="Change an option on the fly, as rules.players=3 or points.K=-1. May be repeated.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=SEED, show_default=True, help="Names the deals; 0 or more."
)
threads_option = click.option("--threads", type=click.IntRange(min=1), help="Threads [default: one a core].")
save_options = options(
    threads_option,
    click.option(
        "--out",
        type=PATH,
        default=Path("results"),
        show_default=True,
        metavar="DIR",
        help="Where results go.",
    ),
    click.option(
        "--study", "study_name", metavar="NAME", help="Folder of the results in DIR [default: the drafts]."
    ),
    click.option("--no-save", is_flag=True, help="Write nothing."),
    click.option("--csv", is_flag=True, help="Write the tables as CSV too."),
    json_option,
    click.option("--brief", is_flag=True, help="Print the headline alone."),
    click.option("--all", "show_all", is_flag=True, help="Print every table in full."),
)
lineup_option = click.option(
    "--lineup",
    metavar="A,B,...",
    help="One bot for each player, or one name for all [default: heuristic, if the game has it].",
)
fixed_option = click.option("--fixed-seats", is_flag=True, help="Do not rotate the line-up over the seats.")
play_options = options(lineup_option, fixed_option, seed_option, set_option, bots_option, save_options)


def load(name: str, changes: tuple[str, ...]) -> Any:
    """Return a draft by its name or path, with the changes of ``--set``."""
    from sim import drafts

    return drafts.load(name, changes)


@contextlib.contextmanager
def progress(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal, and nothing in a pipe."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    wide = max(4, min(30, width() - 50))
    with click.progressbar(length=length, label=label, file=sys.stderr, show_pos=True, width=wide) as bar:

        def advance(done: int) -> None:
            bar.update(done - bar.pos)

        yield advance
