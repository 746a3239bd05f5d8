"""How much there is to choose, and how often it matters."""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics import blocks, choice
from experiments.play.rollouts import COLUMNS, Choices
from experiments.report import words
from experiments.report.words import plural
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section, exactly
from experiments.studies.skill.spec import Spec
from strategies import search
from strategies.tree import MAX_CANDIDATES

_DECISIONS = "decisions a match, of one player"
_MOVES = "legal moves a decision"
_FORCED = "forced decisions (one legal move)"
_MATTER = "decisions seen to matter"
"""The numbers that the answer is made of."""

_ROLLOUTS = 100
_RATE = 0.25
"""Part of the matches whose decisions are weighed, all of them: those of one match have much in common, but the most important one
shows only among all."""

_FIRST_ALL = 20
"""Deals: a short run would have hardly a match whose decisions are weighed."""

_APART = 1e-9
"""Tells equal values apart, in the order in which the sampler named them."""


def read(spec: Spec, values: Any, errors: Any, legal: Any) -> Section:
    """Read the choices.

    Parameters
    ----------
    values : float array, shape (deals, 2, times, 3)
        See `sampler.weigh`.
    errors : float array, shape (deals, times)
    legal : int array, shape (deals, times)
    """
    deals = len(legal)
    block = np.repeat(np.arange(deals), (legal > 0).sum(axis=1))
    options = choice.options(legal[legal > 0], block, np.ones(deals))
    numbers = [
        Number(_DECISIONS, "", options.decisions, "number"),
        Number(_MOVES, "", options.branching, "number"),
        Number(_FORCED, "", options.forced, "share"),
        Number("legal moves looked at in a match, by one player", "", options.heaviness, "number"),
        Number("bits to write down one player's choices", "", options.bits, "number"),
    ]
    decisions, branching, forced = numbers[:3]
    text = f"A player decides {decisions.said} times in a match, among {branching.said} moves on average; {forced.said} of decisions are forced."
    findings = [Finding("Choice", text)]
    weighed = ~np.isnan(values[:, 0, :, 0])
    if weighed.any(axis=1).sum() > 1:
        for finding, more in (_stakes(values, errors, weighed), _killer(values, weighed)):
            findings.append(finding)
            numbers += more
    one_game = " These are single games, not whole matches." if spec.one_game is not spec.draft else ""
    caution = (
        "These are the decisions that come up when the player of the roll-outs sits in every seat. What a move is worth is estimated by "
        f"{_ROLLOUTS} roll-outs that see no deeper than that player, so differences of a few points stay hidden. Of more than "
        f"{MAX_CANDIDATES} moves so many are drawn at random and weighed.{one_game}"
    )
    return Section("choice", "Choice", findings, numbers, caution, deals, answer=_answer(numbers))


def _answer(numbers: list[Number]) -> Answer:
    """Return how much there is to choose."""
    found = {number.what: number.found.value for number in numbers}
    count = words.number(found[_DECISIONS], 0 if found[_DECISIONS] >= 10 else 1)
    moves, forced = words.number(found[_MOVES], 1), words.percent(found[_FORCED], 0)
    matter = words.percent(found[_MATTER], 0) if _MATTER in found else ""
    also = f", and of the others {matter} measurably matter" if matter else ""
    return Answer(
        "Choice",
        f"A player decides {count} times in a match, among {moves} moves on average; {forced} of decisions are forced{also}.",
        f"{count} decisions, {forced} forced" + (f", {matter} matter" if matter else ""),
    )


def _stakes(values: Any, errors: Any, weighed: Any) -> tuple[Finding, list[Number]]:
    first, second = (values[:, half][weighed] for half in range(2))
    block = np.nonzero(weighed)[0]
    first = first - _APART * np.arange(COLUMNS)
    stakes = choice.stakes(first, second, errors[weighed], block, bounds=(-1.0, 1.0))
    matter = Number(_MATTER, "of those with a choice", stakes.matter, "share")
    noise = Number("decisions that noise alone would show", "", exactly(stakes.by_noise, len(block)), "share")
    gap = Number("best less second-best move, in chance of winning", "", stakes.gap, "gap")
    stake = Number("best less worst move, in chance of winning", "", stakes.stake, "gap")
    text = (
        f"In {matter.said} of decisions with a choice the best move measurably beats the second-best (noise alone would show "
        f"{noise.said}). The best move is worth {gap.said} of win rate more than the second-best, and {stake.said} more than the worst."
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
        f"The most important move of a match is worth {killer.said} of win rate more than the second-best move there "
        f"({plural(len(gaps), 'match', 'matches')} weighed whole)."
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
