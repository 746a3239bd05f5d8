"""The program ``tefuda``. Imports what takes time only when Ctrl-C ends it with a line, and no traceback."""

from __future__ import annotations

import sys

from experiments import interrupts


def main() -> int:
    """Run the command line; return the exit code."""
    interrupts.end_at_once()
    from experiments.cli import main as cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
