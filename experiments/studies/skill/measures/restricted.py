"""What a player loses that may never make some kind of move, and what errors cost it."""

from __future__ import annotations

from typing import Any

from experiments.metrics import blocks, effects, variance
from experiments.play.move_bans import Restrained
from experiments.report import gains
from experiments.report.figures import Dots, Point
from experiments.report.words import listed
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Finding, Number, Section, unlisted
from experiments.studies.skill.spec import Spec
from strategies import kinds
from strategies.weights import NAME as TRAINED

_ERROR = 0.05
"""Part of the moves made at random, by which the cost of an error is measured."""


def _player(spec: Spec) -> str | None:
    """Return who is held back: the trained player, or else who sits in the other seats, if it can be told to."""
    for name in (TRAINED, spec.who.others):
        if (
            spec.has(name.partition(":")[0])
            and {"error", kinds.PARAMETER} <= dict(spec.bot(name).parameters).keys()
        ):
            return name
    return None


def _applies(spec: Spec) -> bool:
    return bool(kinds.of_game(spec.draft.game).kinds) and _player(spec) is not None


def _source(spec: Spec) -> Restrained:
    player = _player(spec)
    assert player is not None
    return Restrained(spec.setting, player, _ERROR)


def read(spec: Spec, wins: Any, usual: Any, forced: Any) -> Section:
    """Read what the restrictions cost.

    Parameters
    ----------
    wins, usual, forced : array
        See `Restrained.play`.
    """
    known, deals = kinds.of_game(spec.draft.game).kinds, len(wins)
    family_size = wins.shape[1]
    lost, numbers, made, gained = [], [], {}, {}
    for number, kind in enumerate(known):
        loss = effects.importance(wins[:, number], family_size)
        lost.append(Number("importance: win share lost if it is never made", kind.name, loss, "gap"))
        had_to = blocks.ratio(forced[:, number, 1], forced[:, number, 0], "share")
        of_all = blocks.ratio(usual[:, kind.number], usual[:, 0], "share")
        made[kind.name] = Number("decisions in which it is made, unrestricted", kind.name, of_all, "share")
        gained[kind.name] = _gain(wins[:, number])
        numbers += [
            lost[-1],
            made[kind.name],
            Number("decisions in which nothing else was left, restricted", kind.name, had_to, "share"),
        ]
    price = effects.scaled(effects.importance(wins[:, -1], family_size), 0.01 / _ERROR)
    numbers.append(
        Number("win share lost for each 1% of moves made at random", f"up to {_ERROR:.0%}", price, "gap")
    )
    # What nobody does is no restriction: unrestricted, all seats of a deal win 1/n each.
    gained = {name: gain for name, gain in gained.items() if made[name].found.value > 0}
    gained["moves made at random"] = _gain(wins[:, -1])
    saved = gains.of_seatings(list(gained.values()), "restriction")
    player = _player(spec)
    caution = (
        f"One {player} that never makes the move where it has a choice plays among {player} players that may, in each seat in turn. It "
        f"takes the best of the other moves by its own judgement; nobody was trained anew. All {family_size} losses hold at once."
    )
    return Section(
        "restricted",
        "Restricted play",
        [_kinds(spec, lost, made), _errors(numbers[-1]), *([Finding("Same deals", saved)] if saved else [])],
        [*numbers, *unlisted(gains.SEATINGS, gained)],
        caution,
        deals,
        _figure(lost),
    )


def _gain(wins: Any) -> Estimate:
    """Return what it saves to play each deal in all seats: the share unrestricted is 1/n either way and has no noise."""
    return variance.duplicate_gain(wins.mean(axis=1), (wins**2).mean(axis=1), wins.shape[1])


def _kinds(spec: Spec, lost: list[Number], made: dict[str, Number]) -> Finding:
    what = {kind.name: kind.summary for kind in kinds.of_game(spec.draft.game).kinds}
    order = sorted(lost, key=lambda loss: -loss.found.value)
    missed = [loss for loss in order if loss.found.low > 0]
    burden = [loss for loss in order if loss.found.high < 0]
    unclear = [loss.of for loss in order if loss.found.low <= 0 <= loss.found.high]
    idle = [name for name in unclear if made[name].found.value == 0]
    rest = [name for name in unclear if name not in idle]
    items = [
        f"{loss.of}: {loss.said}. {what[loss.of]}; made in {made[loss.of].shown.value} of decisions."
        for loss in missed
    ]
    text = (
        f"A player that may never make a kind of move loses part of its win rate of {1 / spec.draft.players:.1%}: {_most(missed)}."
        if missed
        else "No kind of move is measurably missed by a player that may never make it."
    )
    if rest:
        items.append(
            f"not measurably missed: {listed([f'{name} ({_meaning(what[name])})' for name in rest])}."
        )
    if burden:
        text += f" Better never made, at least by this player: {listed([f'{loss.of} {loss.said}' for loss in burden])}."
    if idle:
        text += f" Never made here: {listed(idle)}."
    return Finding("Which moves are missed", text, items)


def _meaning(summary: str) -> str:
    return summary[0].lower() + summary[1:]


def _most(missed: list[Number]) -> str:
    """Say which of those missed is so most, or which of them may be: whose interval reaches up to the highest lower end."""
    least = max(loss.found.low for loss in missed)
    most = [loss.of for loss in missed if loss.found.high >= least]
    return f"{most[0]} is missed most" if len(most) == 1 else f"missed most is one of {', '.join(most)}"


def _errors(price: Number) -> Finding:
    text = f"Each 1% of random moves costs {price.said} of win rate (measured at {_ERROR:.0%})"
    text += ", which is not measurably different from 0." if price.found.low <= 0 <= price.found.high else "."
    return Finding("What errors cost", text)


def _figure(lost: list[Number]) -> Dots:
    order = sorted(lost, key=lambda loss: -loss.found.value)
    return Dots(
        "Win rate lost by a player that may never make it",
        [loss.of for loss in order],
        [""],
        [
            Point(row, 0, *(100 * end for end in (loss.found.value, loss.found.low, loss.found.high)))
            for row, loss in enumerate(order)
        ],
        [(0.0, "not missed")],
        "pp",
    )


MEASURE = Measure(
    name="restricted",
    rank=45,
    part=1.5,
    each=100.0,
    most=20_000,
    applies=_applies,
    source=_source,
    read=read,
)
