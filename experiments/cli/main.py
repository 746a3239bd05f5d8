"""The command ``tefuda``. Modules that take time to import are imported by the command that needs them."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import click

from experiments import studies
from experiments.cli import commands, rerun
from experiments.interrupts import EXIT_CODE as INTERRUPTED
from experiments.interrupts import watched
from experiments.report import output
from experiments.report.output import complain, say
from sim.errors import Interrupted, UserError, nearest

INTERNAL = 70
"""Exit code after a fault of the lab itself."""


class Commands(click.Group):
    """The commands of all questions beside the others; it suggests the nearest for a mistyped one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *_of_questions()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        return super().get_command(ctx, cmd_name) or _of_questions().get(cmd_name)

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
    file of your own; changes may follow a colon, as in uplink/v1.1:points.K=-1.
    """


for _command in (*commands.COMMANDS, rerun.rerun):
    cli.add_command(_command)


def _of_questions() -> dict[str, click.Command]:
    """Return the commands of all questions by name."""
    return {
        command.name: command
        for question in studies.questions().values()
        for command in question.module("command").COMMANDS
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code. Every error is one line on stderr."""
    warnings.showwarning = _notice
    try:
        output.prepare()
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
    except output.OutputGone as error:
        return _fail(str(error), 1) if str(error) else 1
    except UserError as error:
        return _fail(str(error), 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except OSError as error:
        output.silence(1)
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
