"""The commands ``tefuda run`` and ``tefuda rerun``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.interrupts import deferred
from experiments.report.output import say
from experiments.studies import lifecycle
from experiments.studies import options as cli_parts
from experiments.studies.compare import command as cli_compare
from experiments.studies.fairness import command as cli_fairness
from experiments.studies.ladder import command as cli_ladder
from experiments.studies.skill import command as cli_skill
from sim.errors import Interrupted, UserError

if TYPE_CHECKING:
    from experiments.play.matches import Study


@click.command()
@click.argument("draft")
@click.option("--matches", type=int, default=experiments.MATCHES, show_default=True, help="Matches to play.")
@cli_parts.play_options
def run(draft: str, **settings: Any) -> None:
    """Play very many matches of a DRAFT; print what came, and leave a report."""
    from experiments.play.matches import Spec
    from sim import drafts

    spec = Spec(
        [drafts.load(draft, settings["changes"])],
        settings["lineup"],
        settings["matches"],
        settings["seed"],
        settings["fixed_seats"],
        settings["bots_file"],
    )
    spec.prepare()
    lifecycle.prepare(KIND, spec, settings)
    lifecycle.carry_out(KIND, spec, settings)


@click.command()
@click.argument("manifest", type=cli_parts.PATH)
@cli_parts.bots_option
@cli_parts.threads_option
@click.option("--out", type=cli_parts.PATH, default=Path("results"), show_default=True, metavar="DIR")
def rerun(manifest: Path, bots_file: Path | None, threads: int | None, out: Path) -> None:
    """Play a run again from its MANIFEST (or its folder) and compare the tables byte for byte.

    Tables that an earlier version did not write yet are left out.
    """
    from experiments.store import folders
    from experiments.store import runs as store

    before = store.read_manifest(manifest)
    kind = _kind_of(before, manifest)
    with store.reading(str(manifest)):
        known, study_name = store.tables_of(before), store.study_of(before)
    spec = kind.store.spec_of(before, str(manifest), bots_file)
    spec.prepare()
    study_name = study_name or kind.store.study_name(spec)
    folders.prepare(out, study_name)
    with deferred() as stop:
        played = kind.played(spec, threads, stop)
        folder = kind.save(played, out, study_name)
        tables = store.read_manifest(folder)["tables"]
        say(cli_parts.report_line(folder))
        if not played.complete and stop():
            raise Interrupted(
                f"interrupted: only a part was played again, {folder}, so no tables were compared"
            )
    if {name: tables.get(name) for name in known} != known:
        raise UserError(f"{manifest}: the tables differ from those of this run, {folder}{_cause(bots_file)}")
    new = ", ".join(sorted(tables.keys() - known.keys()))
    say([f"the same tables, byte for byte{f' (new, so not compared: {new})' if new else ''}"])


def _cause(bots_file: Path | None) -> str:
    """Say what most likely makes tables differ, where bots of a user's own played."""
    if bots_file is None:
        return ""
    return (
        f". The likely cause is a bot of {bots_file} that draws chance outside me['stream'], asks the clock, or remembers "
        "something from one decision to the next"
    )


def _kind_of(before: dict[str, Any], manifest: Path) -> lifecycle.Kind:
    known = (KIND, cli_compare.KIND, cli_fairness.KIND, cli_ladder.KIND, cli_skill.KIND)
    for kind in known:
        if before.get("kind") == kind.store.KIND:
            return kind
    raise UserError(
        f"{manifest}: the manifest of something that cannot be played again ({str(before.get('kind'))[:40]!r})"
    )


def _lines(played: Study) -> list[str]:
    from experiments.studies.run import show

    return show.run_lines(played.runs[0])


def _summary(played: Study) -> dict[str, Any]:
    return played.runs[0].summary()


KIND = lifecycle.Kind(
    module="experiments.store.runs",
    page="experiments.report.page:page",
    play="experiments.play.matches:play",
    length=lambda spec: int(spec.matches),
    unit="matches",
    lines=_lines,
    summary=_summary,
)
