"""The small commands, which ask no question: what there is, one match told, rulings checked, speed measured."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

import experiments
from experiments.report import output
from experiments.report.output import complain, say, say_json
from experiments.studies import options as shared
from sim.errors import UserError


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return names with a text beside each, wrapped."""
    rows, width = list(rows), shared.width()
    indent = min(max((len(name) for name, _ in rows), default=0) + 2, 26)
    lines = []
    for name, text in rows:
        wrapped = textwrap.wrap(text, max(width - indent, 24)) or [""]
        if len(name) >= indent:
            lines.append(name)
            name = ""
        lines.append(f"{name:<{indent}}{wrapped[0]}".rstrip())
        lines += [" " * indent + line for line in wrapped[1:]]
    return lines


@click.command()
@shared.known_file_option
@shared.json_option
def games(as_json: bool) -> None:
    """List the games."""
    from sim import drafts, registry

    counts = {name: len(drafts.shipped(name)) for name in registry.names()}
    if as_json:
        say_json(list(counts))
    else:
        say(_table((name, f"{count} draft{'' if count == 1 else 's'}") for name, count in counts.items()))


@click.command()
@click.argument("game_or_draft", required=False)
@shared.known_file_option
@shared.json_option
def drafts(game_or_draft: str | None, as_json: bool) -> None:
    """List the drafts that ship, of a GAME or of all; or print one DRAFT in full, ready to be edited."""
    from sim import drafts as all_drafts
    from sim import registry

    if game_or_draft is not None and ("/" in game_or_draft or game_or_draft.endswith(".toml")):
        draft = all_drafts.load(game_or_draft)
        if as_json:
            say_json({"game": draft.game, "name": draft.name, "notes": draft.notes, **draft.tables()})
        else:
            output.say_data(all_drafts.to_toml(draft))
        return
    names = [registry.find(game_or_draft).name] if game_or_draft is not None else registry.names()
    shipped = [all_drafts.load(f"{game}/{name}") for game in names for name in all_drafts.shipped(game)]
    if as_json:
        say_json([{"draft": draft.label, "notes": draft.notes} for draft in shipped])
    else:
        say(_table((draft.label, draft.notes) for draft in shipped))


@click.command()
@click.argument("game")
@shared.known_file_option
@shared.json_option
def options(game: str, as_json: bool) -> None:
    """List every option of a GAME: default, range, clause, what it changes, whom it favours."""
    from dataclasses import asdict

    from sim import registry

    rows = registry.find(game).options.rows()
    if as_json:
        say_json([asdict(row) for row in rows])
        return
    lines = []
    for row in rows:
        lines.append(f"{row.key} = {row.default}   ({row.clause})")
        for text in (row.allowed, row.changes, f"favours: {row.favours}"):
            width = max(shared.width(), 30)
            lines += textwrap.wrap(text, width, initial_indent="    ", subsequent_indent="      ")
    say(lines)


@click.command()
@click.argument("game", required=False)
@shared.known_file_option
@shared.json_option
def bots(game: str | None, as_json: bool) -> None:
    """List the bots, of a GAME or of all."""
    from sim import registry
    from strategies import registry as strategies

    names = [registry.find(game).name] if game is not None else registry.names()
    known = [bot for name in names for bot in strategies.known(name)]
    if as_json:
        say_json(
            [
                {
                    "game": bot.game,
                    "bot": bot.name,
                    "summary": bot.summary,
                    "parameters": dict(bot.parameters),
                }
                for bot in known
            ]
        )
        return
    rows = []
    for bot in known:
        settings = "; ".join(f"{key}={value:g}" for key, value in bot.parameters)
        rows.append(
            (f"{bot.game} {bot.name}", bot.summary + (f" (parameters: {settings})" if settings else ""))
        )
    say(_table(rows))


@click.command()
@click.argument("draft")
@click.option(
    "--match",
    type=click.IntRange(0, 2**40 - 1),
    default=0,
    show_default=True,
    help="Number of the match in a run.",
)
@shared.lineup_option
@shared.fixed_option
@shared.seed_option
@shared.set_option
@shared.bots_option
def replay(draft: str, match: int, **settings: Any) -> None:
    """Tell one match of a run of DRAFT, move by move."""
    from experiments.cli import replay as told
    from experiments.studies.run.spec import Spec

    spec = Spec(
        draft=shared.load(draft, settings["changes"]),
        lineup=settings["lineup"],
        matches=match + 1,
        seed=settings["seed"],
        fixed_seats=settings["fixed_seats"],
        bots_file=settings["bots_file"],
    )
    for line in told.lines(spec.to_play.batches[0], match):
        say([line])


@click.command()
@click.argument("scenarios", nargs=-1, required=True, type=shared.PATH, metavar="SCENARIO...")
@shared.known_file_option
def check(scenarios: tuple[Path, ...]) -> None:
    """Check rulings: scenario files, or folders of them."""
    from sim import scenario

    files = scenario.find(list(scenarios))
    wrong = 0
    for path in files:
        try:
            ruling = scenario.read(path)
            failures = scenario.check(ruling)
        except UserError as error:
            wrong += 1
            complain(str(error))
            continue
        if failures:
            wrong += 1
            say([f"{path}: {ruling.title}", *(line for failure in failures for line in failure.lines())])
    say([f"{len(files) - wrong} of {len(files)} scenarios pass"])
    if wrong:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("game", required=False)
@click.option(
    "--lineup",
    help="Bot in every seat [default: random, then heuristic, then the play-outs of search].",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="For each line."
)
@shared.json_option
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
        say_json([*map(asdict, speeds), *map(asdict, searches)])
        return
    say(measures.lines(speeds, measures.shuffle_seconds()))
    if searches:
        say(["", *measures.search_lines(searches)])


COMMANDS = (games, drafts, options, bots, replay, check, bench)
