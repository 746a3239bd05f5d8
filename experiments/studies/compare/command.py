"""The command ``tefuda compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import experiments
from experiments.studies import lifecycle
from experiments.studies import options as cli_parts
from sim.errors import UserError

if TYPE_CHECKING:
    from experiments.studies.compare.play import Comparison, Spec

AT_MOST = 1_000_000


@click.command()
@click.argument("drafts", nargs=-1, required=True, metavar="DRAFT DRAFT...")
@click.option("--matches", type=int, help=f"Matches of each draft [default: {experiments.MATCHES}].")
@click.option(
    "--until-decided",
    is_flag=True,
    help="Play on until every verdict is in; drafts whose verdicts are in stop being played.",
)
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"With --until-decided: matches of each draft [default: {AT_MOST}].",
)
@click.option(
    "--margin",
    "stated",
    multiple=True,
    metavar="KIND=AMOUNT",
    help="A difference of no more is none: share=1pp, score=0.1sd (or 0.5points), count=5%; sd and % come to 0.01 "
    "at least. May be repeated.",
)
@click.option(
    "--levels",
    metavar="A,B,...",
    help="Compare under several line-ups: bots, each in every seat; or line-ups with ';' between them.",
)
@cli_parts.play_options
def compare(drafts: tuple[str, ...], **settings: Any) -> None:
    """Play DRAFTs on the same deals; judge each beside the first, and leave a report.

    Every measure gets a verdict: better or worse (higher or lower), equivalent within a margin, or undecided, and how many
    matches more that would take. Margins and method are fixed before the first match.
    """
    if len(drafts) < 2:
        raise UserError(f"compare {drafts[0]}: name two drafts or more")
    spec = _spec(drafts, settings)
    spec.prepare()
    lifecycle.prepare(KIND, spec, settings)
    lifecycle.carry_out(KIND, spec, settings)


def _spec(drafts: tuple[str, ...], settings: dict[str, Any]) -> Spec:
    """Return what the options ask for."""
    from experiments.play import margins
    from experiments.play import matches as study
    from experiments.studies.compare.play import Spec
    from sim import drafts as all_drafts

    margins.read(settings["stated"])  # so that a mistake shows at once
    matches = _matches(settings)
    loaded = [all_drafts.load(name, settings["changes"]) for name in drafts]
    studies = [
        study.Spec(loaded, lineup, matches, settings["seed"], settings["fixed_seats"], settings["bots_file"])
        for lineup in _levels(settings)
    ]
    return Spec.of(studies, settings["stated"], until_decided=settings["until_decided"])


def _matches(settings: dict[str, Any]) -> int:
    """Return how many matches are to be played, at most."""
    matches, at_most = settings["matches"], settings["at_most"]
    if settings["until_decided"]:
        if matches is not None:
            raise UserError(f"--matches {matches}: with --until-decided say --at-most {matches}")
        return AT_MOST if at_most is None else int(at_most)
    if at_most is not None:
        raise UserError(
            f"--at-most {at_most}: goes with --until-decided; for a run of one size say --matches {at_most}"
        )
    return experiments.MATCHES if matches is None else int(matches)


def _levels(settings: dict[str, Any]) -> list[str | None]:
    """Return the line-ups; a single one unless --levels names several."""
    text = settings["levels"]
    if text is None:
        return [settings["lineup"]]
    if settings["lineup"] is not None:
        raise UserError(f"--levels {text}: stands in place of --lineup {settings['lineup']}")
    found = [name.strip() for name in text.split(";" if ";" in text else ",")]
    if len(found) < 2 or not all(found):
        raise UserError(f"--levels {text}: name two line-ups or more; for one there is --lineup")
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"--levels {text}: {twice!r} is named twice")
    return found


def _lines(played: Comparison) -> list[str]:
    from experiments.studies.compare import show as show_comparison

    return show_comparison.lines(played)


def _summary(played: Comparison) -> dict[str, Any]:
    """Return what ``--json`` prints: drafts and differences, of several line-ups by line-up, and the verdicts of all."""
    from experiments.store import runs as store
    from experiments.studies.compare import lineups
    from experiments.studies.compare import store as comparison_store

    found = [
        {
            "drafts": [run.summary() for run in study.runs],
            "differences": cli_parts.without_nan(
                [row for run in study.runs[1:] for row in store.difference_rows(run)]
            ),
        }
        for study in played.studies
    ]
    by_level = {"levels": [{"level": name, **one} for name, one in zip(played.levels, found, strict=True)]}
    return {
        **(found[0] if len(found) == 1 else by_level),
        "verdicts": cli_parts.without_nan(comparison_store.verdict_rows(played)),
        "distances": comparison_store.distance_rows(played),
        "disagreements": lineups.disagreement_rows(played),
        "plan": comparison_store.plan(played),
        "complete": played.complete,
    }


KIND = lifecycle.Kind(
    module="experiments.studies.compare.store",
    page="experiments.report.page:comparison_page",
    play="experiments.studies.compare.play:play",
    length=lambda spec: sum(one.matches for one in spec.studies),
    unit="matches",
    lines=_lines,
    summary=_summary,
)
