"""The command ``tefuda fairness``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experiments.studies import lifecycle
from experiments.studies import options as cli_parts
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.studies.fairness.play import Matrix, Spec


@click.command()
@click.argument("draft")
@click.option(
    "--matches", type=click.IntRange(min=2), default=50_000, show_default=True, help="Matches of each cell."
)
@click.option(
    "--levels", metavar="A,B,...", help="Bots, each in every seat [default: greedy,heuristic, if known]."
)
@click.option("--players", metavar="N,N,...", help="Numbers of players [default: all that the game knows].")
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
    spec = _spec(draft, settings)
    spec.prepare()
    lifecycle.prepare(KIND, spec, settings)
    lifecycle.carry_out(KIND, spec, settings)


def _spec(draft: str, settings: dict[str, Any]) -> Spec:
    from experiments.play import margins
    from experiments.studies.fairness import play as fairness

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


def _lines(played: Matrix) -> list[str]:
    from experiments.studies.fairness import show as show_fairness

    return show_fairness.lines(played)


KIND = lifecycle.Kind(
    module="experiments.studies.fairness.store",
    page="experiments.report.fairness:page",
    play="experiments.studies.fairness.play:play",
    length=lambda spec: sum(spec.matches),
    unit="matches",
    lines=_lines,
)
