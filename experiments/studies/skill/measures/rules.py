"""Each rule of a draft: what changing it does to the seats, to the length and to skill, and how often it comes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.metrics import blocks, effects, variance
from experiments.metrics.ratings import FEW_DEALS
from experiments.play.variants import Trial, Trials, Variants, lengths_of, trials_of
from experiments.report import gains, words
from experiments.report.figures import Dots, Point
from experiments.report.words import listed, plural
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section, Unit, round_count, unlisted
from experiments.studies.skill.spec import Spec
from sim import registry, switches

_TOLD = 8
"""Changes of which all is told in words."""

_NAMED = 8
"""Changes that are named where too few deals were played to judge them; of more only the number is told."""

_MARGIN = 0.01
"""A change of a win rate that is worth knowing, as for `compare`."""

_VAGUE = 0.05
"""Win rates that may have changed by more are not said to be unchanged."""

_LENGTH_MARGIN = 0.05
"""The same of a length, as a part of it."""

_STRONG = "the stronger bot's win rate"
_BALANCE = "largest deviation of a seat from its fair share"


@dataclass(frozen=True)
class _Measured:
    """One measure of all drafts.

    Attributes
    ----------
    values : float array, shape (deals, drafts)
    most : float
        The greatest difference that there can be.
    margin : float
        A change that is worth knowing; smaller ones are called none.
    verb : str
        What happens more or less often, or of a length the noun of what there is more or less of.
    of_seat : bool
        It is a seat's.
    """

    what: str
    unit: Unit
    values: Any
    most: float
    margin: float
    verb: str
    of_seat: bool = False


@dataclass(frozen=True)
class _Change:
    """What a trial changes in one measure."""

    measured: _Measured
    number: Number
    gain: Estimate
    """Of playing the same deals with the change and without."""
    deals: float
    """After about so many the interval reaches no further than the margin to each side."""

    @property
    def seen(self) -> bool:
        """Whether it is larger than chance explains."""
        return _seen(self.number.found)

    @property
    def small(self) -> bool:
        """Whether it is smaller than what is worth knowing."""
        return _reach(self) < self.measured.margin


@dataclass(frozen=True)
class _Result:
    """What was found of a trial."""

    trial: Trial
    changes: list[_Change]
    balance: Number | None
    times: Number | None
    matches: Number | None
    winner: Number | None

    @property
    def size(self) -> float:
        """The largest change that is seen, in times what is worth knowing."""
        sizes = [
            abs(change.number.found.value) / change.measured.margin for change in self.changes if change.seen
        ]
        if self.balance is not None and _seen(self.balance.found):
            sizes.append(abs(self.balance.found.value) / _MARGIN)
        return max(sizes, default=0.0)

    @property
    def never(self) -> bool:
        return self.times is not None and self.times.found.value == 0

    @property
    def settled(self) -> bool:
        """Whether any change worth knowing would have been seen."""
        return all(change.small for change in self.changes)

    @property
    def numbers(self) -> list[Number]:
        counted = [self.balance, self.times, self.matches, self.winner]
        return [
            *(change.number for change in self.changes),
            *(number for number in counted if number is not None),
            *(
                number
                for change in self.changes
                for number in unlisted(
                    f"{gains.PAIRING} ({change.measured.what})", {self.trial.label: change.gain}
                )
            ),
        ]


def _seen(estimate: Estimate) -> bool:
    return estimate.low > 0 or estimate.high < 0


def _others(spec: Spec) -> tuple[str, str]:
    """Return who sits at the mirrored tables and is the stronger one, and the weaker."""
    return spec.who.others, spec.who.beginners[-1]


def read(
    spec: Spec, strong: Any, won: Any, lengths: Any, stays: Any, first: Any, winners: Any, came: Any
) -> Section:
    """Read the rules.

    Parameters
    ----------
    strong, won, lengths, stays, first, winners, came : array
        See `Variants.play`.
    """
    trials = trials_of(spec.draft)
    measured = _measures(spec, strong, won, lengths, stays, first)
    if not measured:
        text = "In none of the drafts does anything vary from deal to deal that could be compared."
        return Section("rules", "Rules", [Finding("What the rules change", text)], [], "", len(came))
    # The seats together have one interval more, of their balance.
    family = len(trials.tried) * (len(measured) + any(measure.of_seat for measure in measured))
    results = [
        _Result(
            trial,
            _changes(trial, number, measured, family, len(came)),
            _balance(trial, number, won, family),
            *_came(spec, trial, came[:, number - 1]),
            _winner(spec, trial, number, winners),
        )
        for number, trial in enumerate(trials.tried, 1)
    ]
    ranked = sorted(results, key=lambda result: -result.size)
    findings = [
        *_told(spec, ranked, len(came)),
        *_skill(ranked),
        *_never(spec, results, len(came)),
        *_same_deals(results),
        *_together(spec, trials),
        *_left_out(trials),
    ]
    numbers = [number for result in results for number in result.numbers]
    caution = _caution(spec, trials, family)
    answer = _answer(spec, ranked)
    return Section("rules", "Rules", findings, numbers, caution, len(came), _figure(ranked), answer)


def _answer(spec: Spec, ranked: list[_Result]) -> Answer:
    """Return which rule matters most."""
    first = ranked[0]
    if first.size == 0:
        text = "No change of a single rule has a measurable effect with so few deals."
        if all(result.settled for result in ranked):
            text = "No change of a single rule has a measurable effect."
        return Answer("Rules", text, "no rule matters measurably")
    effect = _short(spec, first).partition(" (")[2].removesuffix(")")
    return Answer(
        "Rules",
        f"The rule that matters most: with {first.trial.label}, {effect}.",
        f"most: {first.trial.label} ({effect})",
    )


def _measures(spec: Spec, strong: Any, won: Any, lengths: Any, stays: Any, first: Any) -> list[_Measured]:
    """Return what is compared; what no rule moves (Uplink has as many decisions in most drafts) is left out."""
    each = _each(spec)
    named = ["decisions", *lengths_of({event.name for event in _events(spec)})]
    every = [
        *(
            _Measured(
                f"win rate of seat {seat + 1}",
                "pp",
                won[:, :, seat],
                1.0,
                _MARGIN,
                f"seat {seat + 1} wins",
                True,
            )
            for seat in range(spec.draft.players)
        ),
        _Measured(_STRONG, "pp", strong, 1.0, _MARGIN, "the stronger bot wins"),
        *(
            _Measured(f"{name} a {each}", "number", column, math.inf, _LENGTH_MARGIN * _mean(column), name)
            for name, column in zip(named, np.moveaxis(lengths, 2, 0), strict=True)
        ),
        _Measured("players who keep their place", "pp", stays, 1.0, _MARGIN, "players keep their place"),
        _Measured("firsts who stay first", "pp", first, 1.0, _MARGIN, "who is first stays first"),
    ]
    return [measure for measure in every if measure.values.shape[1] and np.ptp(measure.values) > 0]


def _mean(column: Any) -> float:
    """Return the mean of a measure in the draft as it is."""
    return float(column[:, 0].mean())


def _events(spec: Spec) -> Any:
    return registry.find(spec.draft.game).state.EVENTS


def _each(spec: Spec) -> str:
    return "game" if spec.draft.options.counted_games > 1 else "match"


def _changes(trial: Trial, number: int, measured: list[_Measured], family: int, deals: int) -> list[_Change]:
    """Return what the draft with a number changes in each measure; where it has one."""
    changes = []
    for measure in measured:
        pair = measure.values[:, number], measure.values[:, 0]
        if np.isfinite(pair).all():
            change = effects.change(*pair, family, measure.most).found
            needed = effects.blocks_to_bound(*pair, measure.margin, family, measure.most)
            changes.append(
                _Change(
                    measure,
                    Number(f"change: {measure.what}", trial.label, change, measure.unit),
                    variance.pairing_gain(*pair),
                    needed * deals / len(measure.values),
                )
            )
    return changes


def _balance(trial: Trial, number: int, won: Any, family: int) -> Number | None:
    if np.ptp(won) == 0:
        return None
    change = effects.balance(won[:, number], won[:, 0], family)
    return Number(f"change: {_BALANCE}", trial.label, change, "pp")


def _came(spec: Spec, trial: Trial, counts: Any) -> tuple[Number | None, Number | None]:
    """Return how often the rule of a trial comes, and in how many matches; of what the game does not count, nothing."""
    if not trial.counted:
        return None, None
    what = "points it brings" if trial.switch.points else "times"
    rate = effects.rate(counts, spec.draft.options.counted_games)
    return (
        Number(f"{what} a {_each(spec)}", trial.label, rate, "number"),
        Number("matches in which it comes", trial.label, blocks.share(counts != 0), "share"),
    )


def _winner(spec: Spec, trial: Trial, number: int, winners: Any) -> Number | None:
    if trial.switch.later:
        return None
    which = "first game" if spec.draft.options.counted_games > 1 else "match"
    share = effects.others_win(winners[:, number], winners[:, 0])
    return Number(f"deals on which another wins the {which}", trial.label, share, "share")


# ---- in words -------------------------------------------------------------------------------------------


def _told(spec: Spec, ranked: list[_Result], deals: int) -> list[Finding]:
    """Tell what is seen, the largest first; then in a line each what changes nothing, and what cannot be judged yet."""
    seen = [result for result in ranked if result.size > 0]
    quiet = [result for result in ranked if result.size == 0]
    nothing = [result.trial.label for result in quiet if result.settled and not result.never]
    unjudged = [result for result in quiet if not result.settled]
    findings = []
    if seen or not unjudged:
        changed = plural(len(seen), "changes", "change") if seen else "none changes"
        text = f"Of {plural(len(ranked), 'change')} tried, one at a time, {changed} something measurably."
        items = [_sentence(spec, result) for result in seen[:_TOLD]]
        if seen[_TOLD:]:
            items.append(f"Smaller: {'; '.join(_short(spec, result) for result in seen[_TOLD:])}.")
        findings.append(
            Finding("What the rules change", text + " The largest first:" if items else text, items)
        )
    if nothing:
        findings.append(Finding("Nothing found", f"{listed(nothing)}. {_limits()}"))
    if unjudged:
        findings.append(_too_few(unjudged, deals))
    return findings


def _limits() -> str:
    return f"No win rate moves by {100 * _MARGIN:g} pp, and no length by {_LENGTH_MARGIN:.0%}."


def _too_few(unjudged: list[_Result], deals: int) -> Finding:
    needed = max(change.deals for result in unjudged for change in result.changes if not change.small)
    names = [result.trial.label for result in unjudged]
    named = f" ({listed(names)})" if len(names) <= _NAMED else ""
    text = (
        f"Not enough deals to judge {plural(len(names), 'change')}{named}. About {round_count(needed)} deals would show a change of "
        f"{100 * _MARGIN:g} pp in a win rate or {_LENGTH_MARGIN:.0%} in length; {words.number(deals)} were played."
    )
    return Finding("Too few deals", text)


def _sentence(spec: Spec, result: _Result) -> str:
    seats = [change for change in result.changes if change.measured.of_seat]
    moved = sorted((seat for seat in seats if seat.seen), key=lambda seat: -abs(seat.number.found.value))
    parts = [_moved(spec, change) for change in moved]
    reach = max((_reach(change) for change in seats), default=0.0)
    if seats and not moved and reach <= _VAGUE:
        parts.append(
            f"no seat's win rate changed measurably (by {words.bound(reach, reach, 'share')} at most)"
        )
    if result.balance is not None and _seen(result.balance.found):
        parts.append(_fairer(result.balance))
    for change in result.changes:
        if not change.measured.of_seat and change.seen:
            parts.append(_moved(spec, change))
        elif change.measured.what == _STRONG and _reach(change) <= _VAGUE:
            parts.append(f"{_STRONG} did not change measurably ({change.number.shown.interval})")
    vague = ["the seats"] if not moved and reach > _VAGUE else []
    vague += [
        "the stronger bot"
        for change in result.changes
        if change.measured.what == _STRONG and not change.seen and _reach(change) > _VAGUE
    ]
    if vague:
        parts.append(f"for {listed(vague)} there are too few deals to say")
    if result.winner is not None:
        parts.append(f"another seat wins {result.winner.shown.value} of the deals")
    if result.matches is not None:
        parts.append(f"the rule comes in {result.matches.shown.value} of matches")
    return f"{result.trial.label}: {'; '.join(parts)}."


def _reach(change: _Change) -> float:
    """Return how large a change may be at most."""
    return max(-change.number.found.low, change.number.found.high)


def _moved(spec: Spec, change: _Change) -> str:
    estimate = change.number.found
    size = _absolute(change.number)
    if change.measured.unit == "pp":
        more = "more" if estimate.value > 0 else "less"
        return f"{change.measured.verb} {size.shown.value} {more} often ({size.shown.interval})"
    more = "more" if estimate.value > 0 else "fewer"
    return f"a {_each(spec)} takes {size.shown.value} {more} {change.measured.verb} ({size.shown.interval})"


def _fairer(balance: Number) -> str:
    size = _absolute(balance)
    word, verb = ("less fair", "rises") if balance.found.value > 0 else ("fairer", "falls")
    return f"the seats become {word}: the {_BALANCE} {verb} by {size.said}"


def _absolute(number: Number) -> Number:
    """Return a change without its sign, which the words have."""
    change = number.found
    if change.value < 0:
        change = Estimate(-change.value, change.se, -change.high, -change.low, change.blocks)
    return Number(number.what, number.of, change, "gap" if number.unit == "pp" else number.unit)


def _short(spec: Spec, result: _Result) -> str:
    seen = [change for change in result.changes if change.seen]
    if not seen:
        return f"{result.trial.label} (the seats' fairness changes)"
    largest = max(seen, key=lambda change: abs(change.number.found.value) / change.measured.margin)
    return f"{result.trial.label} ({_moved(spec, largest).partition(' (')[0]})"


def _skill(ranked: list[_Result]) -> list[Finding]:
    """List by which changes the stronger bot wins more, and by which less."""
    pairs = [
        (result.trial.label, change)
        for result in ranked
        for change in result.changes
        if change.measured.what == _STRONG and change.seen
    ]
    pairs.sort(key=lambda pair: -abs(pair[1].number.found.value))
    parts = []
    for word, sign in (("more", 1), ("less", -1)):
        names = [
            f"{label} ({change.number.shown.value})"
            for label, change in pairs
            if sign * change.number.found.value > 0
        ]
        if names:
            parts.append(f"The stronger bot wins {word} often with {listed(names)}.")
    return [Finding("Luck or skill", " ".join(parts))] if parts else []


def _never(spec: Spec, results: list[_Result], deals: int) -> list[Finding]:
    never = [result for result in results if result.never]
    if not never or deals < FEW_DEALS:
        return []
    games = deals * spec.draft.options.counted_games
    names, heeded = (
        list(dict.fromkeys(_counted(result.trial) for result in some))
        for some in (never, [result for result in never if result.size > 0])
    )
    text = (
        f"In {words.number(games)} {_each(spec)}{'es' if _each(spec) == 'match' else 's'}: {listed(names)}."
    )
    if heeded:
        text += f" Even so, {listed(heeded)} changes how bots play: they avoid what it punishes."
    return [Finding("Never came", text)]


def _counted(trial: Trial) -> str:
    return trial.switch.name if trial.removes else trial.label


def _same_deals(results: list[_Result]) -> list[Finding]:
    """Tell what the same deals save, by the measure that comes first; where nothing is seen, nothing."""
    if not any(result.size for result in results):
        return []
    first = results[0].changes[0].measured.what
    compared = [
        change.gain for result in results for change in result.changes if change.measured.what == first
    ]
    text = gains.of_pairing(compared, "change", first)
    return [Finding("Same deals", text)] if text else []


def _together(spec: Spec, trials: Trials) -> list[Finding]:
    """Tell which rules do nothing any more once another is off, so that its effect has theirs in it."""
    items = []
    for trial in trials.tried:
        others = switches.silenced(trial.switch, spec.draft) if trial.removes else []
        if others:
            items.append(f"{trial.label}: {listed([other.name for other in others])}.")
    text = "These changes also put other rules out of play, so the effect is that of all together:"
    return [Finding("Goes with others", text, items)] if items else []


def _left_out(trials: Trials) -> list[Finding]:
    reasons: dict[str, list[str]] = {}
    for name, reason in trials.left_out:
        reasons.setdefault(reason, []).append(name)
    if not reasons:
        return []
    items = [f"{listed(names)}: {reason}." for reason, names in reasons.items()]
    return [Finding("Left out", "These could not be changed by themselves:", items)]


def _caution(spec: Spec, trials: Trials, family: int) -> str:
    player, weak = _others(spec)
    strong = "" if player == weak else f"; the stronger bot is {player} among {weak}"
    return (
        f"Seats and length are those of {player} in every seat{strong}. The bots were not trained anew for any change; people who learn "
        "to play with it may see another effect. Rules work together, so the effects of two changes do not add up. All "
        f"{words.number(family)} intervals of changes hold at once with 95% confidence ({plural(len(trials.tried), 'change')} × "
        f"{family // len(trials.tried)} measures, Bonferroni); those of how often a rule comes hold each by itself."
    )


def _figure(ranked: list[_Result]) -> Dots:
    """Return the seat that moves most and the stronger bot's win rate, by size of the effect."""
    points, series = [], ["seat that moves most", _STRONG]
    for row, result in enumerate(ranked):
        seats = [change.number.found for change in result.changes if change.measured.of_seat]
        shown = [(0, max(seats, key=lambda seat: abs(seat.value)))] if seats else []
        shown += [(1, change.number.found) for change in result.changes if change.measured.what == _STRONG]
        points += [
            Point(row, column, *(100 * end for end in (estimate.value, estimate.low, estimate.high)))
            for column, estimate in shown
        ]
    return Dots(
        "Change of a win rate, percentage points",
        [result.trial.label for result in ranked],
        series,
        points,
        [(0.0, "no effect")],
        "pp",
    )


MEASURE = Measure(
    name="rules",
    rank=80,
    part=3.0,
    each=100.0,
    most=10_000,
    applies=lambda spec: bool(trials_of(spec.draft).tried),
    source=lambda spec: Variants(spec.setting, trials_of(spec.draft).tried, *_others(spec)),
    read=read,
)
