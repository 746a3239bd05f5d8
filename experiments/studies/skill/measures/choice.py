"""How much there is to choose, and how often it matters."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import blocks, choice
from experiments.play.rollouts import COLUMNS, Choices
from experiments.report.words import plural
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section, exactly
from experiments.studies.skill.spec import Spec
from strategies import search
from strategies.tree import MAX_CANDIDATES

_ROLLOUTS = 100
_RATE = 0.25
"""Part of the matches whose decisions are weighed, all of them: those of one match have much in common, but the one on which
most hung is seen only among all."""

_FIRST_ALL = 20
"""Deals: a short run would have hardly a match whose decisions are weighed."""

_APART = 1e-9
"""Tells equal values apart, in the order in which the sampler named them."""


def read(spec: Spec, values: Any, errors: Any, legal: Any) -> Section:
    """Read the choices.

    Parameters
    ----------
    spec : Spec
    values : float array, shape (deals, 2, times, 3)
        See `sampler.weigh`.
    errors : float array, shape (deals, times)
    legal : int array, shape (deals, times)
    """
    deals = len(legal)
    block = np.repeat(np.arange(deals), (legal > 0).sum(axis=1))
    found = choice.options(legal[legal > 0], block, np.ones(deals))
    numbers = [
        Number("decisions a match, of one player", "", found.decisions, "number"),
        Number("legal moves a decision", "", found.branching, "number"),
        Number("forced decisions (one legal move)", "", found.forced, "share"),
        Number("legal moves looked at in a match, by one player", "", found.heaviness, "number"),
        Number("bits to write down one player's choices", "", found.bits, "number"),
    ]
    decisions, branching, forced = numbers[:3]
    text = f"A player decides {decisions.said} times, among {branching.said} moves on average; {forced.said} of it is forced."
    findings = [Finding("Choice", text)]
    weighed = ~np.isnan(values[:, 0, :, 0])
    if weighed.any(axis=1).sum() > 1:
        for finding, more in (_stakes(values, errors, weighed), _killer(values, weighed)):
            findings.append(finding)
            numbers += more
    one_game = " Of single games, not of whole matches." if spec.one_game is not spec.draft else ""
    caution = (
        "Of the decisions that come up when the player of the play-outs sits everywhere. What moves are worth is found by "
        f"{_ROLLOUTS} play-outs that see no deeper than that player, so a difference of a few points is not seen, and more play-outs would "
        f"find more decisions that matter. Of more than {MAX_CANDIDATES} moves so many are drawn and weighed.{one_game}"
    )
    return Section("choice", "Choice", findings, numbers, caution, deals)


def _stakes(values: Any, errors: Any, weighed: Any) -> tuple[Finding, list[Number]]:
    first, second = (values[:, half][weighed] for half in range(2))
    block = np.nonzero(weighed)[0]
    first = first - _APART * np.arange(COLUMNS)
    found = choice.stakes(first, second, errors[weighed], block, bounds=(-1.0, 1.0))
    matter = Number("decisions seen to matter", "of those with a choice", found.matter, "share")
    noise = Number("decisions that noise alone would show", "", exactly(found.by_noise, len(block)), "share")
    gap = Number("best less second-best move, in chance of winning", "", found.gap, "gap")
    stake = Number("best less worst move, in chance of winning", "", found.stake, "gap")
    text = (
        f"In {matter.said} of decisions with a choice the best move is seen to beat the second-best (noise alone: {noise.said}). The "
        f"best is worth {gap.said} of a win more than the second-best, and {stake.said} more than the worst."
    )
    return Finding("Does it matter", text), [matter, noise, gap, stake]


def _killer(values: Any, weighed: Any) -> tuple[Finding, list[Number]]:
    gaps = (values[:, :, :, 0] - values[:, :, :, 1])[weighed.any(axis=1)]
    killer = Number(
        "killer move (by how much one move of a match beats the next best, at the most)",
        "",
        blocks.mean_within(choice.killer_move(gaps[:, 0], gaps[:, 1]), (0.0, 1.0)),
        "gap",
    )
    text = (
        f"The move of a match on which most hangs is worth {killer.said} of a win more to the player who makes it than that player's "
        f"second-best ({plural(len(gaps), 'match', 'matches')} weighed whole)."
    )
    return Finding("Killer move", text), [killer]


MEASURE = Measure(
    name="choice",
    rank=40,
    part=2.0,
    each=100.0,
    most=5_000,
    applies=lambda spec: search.searched(spec.draft.game) is not None,
    source=lambda spec: Choices(spec.setting, _ROLLOUTS, _RATE, _FIRST_ALL),
    read=read,
)
