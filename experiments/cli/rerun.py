"""The command ``tefuda rerun``."""

from __future__ import annotations

from pathlib import Path

import click

from experiments import studies
from experiments.interrupts import deferred
from experiments.report.output import say
from experiments.studies import lifecycle, options
from sim.errors import Interrupted, UserError


@click.command()
@click.argument("manifest", type=options.PATH)
@options.bots_option
@options.threads_option
@click.option("--out", type=options.PATH, default=Path("results"), show_default=True, metavar="DIR")
def rerun(manifest: Path, bots_file: Path | None, threads: int | None, out: Path) -> None:
    """Play a run again from its MANIFEST (or its folder) and compare the tables byte for byte.

    Tables that an earlier version did not write yet are left out.
    """
    from experiments.store import folders, manifests

    before = manifests.read(manifest)
    where = str(manifest)
    question = studies.questions().get(str(before.get("question")))
    if question is None:
        raise UserError(
            f"{where}: the manifest of something that cannot be played again ({str(before.get('question'))[:40]!r})"
        )
    with manifests.reading(where):
        known, study = manifests.tables_of(before), manifests.study_of(before)
    spec = question.module("spec").Spec.read(before, where, bots_file)
    spec.prepare()
    study = study or spec.folder_name
    folders.prepare(out, study)
    with deferred() as stop:
        result = lifecycle.play(spec, threads, stop)
        folder = lifecycle.save(result, out, study)
        tables = manifests.read(folder)["tables"]
        say(lifecycle.report_line(folder))
        if not result.complete and stop():
            raise Interrupted(
                f"interrupted: only a part was played again, {folder}, so no tables were compared"
            )
    if {name: tables.get(name) for name in known} != known:
        raise UserError(f"{where}: the tables differ from those of this run, {folder}{_cause(bots_file)}")
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
