"""The main findings of a study as sentences: what stands first on the page."""

from __future__ import annotations

from dataclasses import dataclass, field

from experiments.play.matches import Key, Run, Study
from experiments.report import spread, tables, words
from experiments.report.words import against, letter, listed, number, show
from experiments.stats import Estimate

_SURELY_ALIKE = 2
"""Bots of which one is above its fair share only if the other is below: no more need be settled."""


@dataclass(frozen=True)
class Finding:
    """One finding: a lead word, a sentence, and perhaps a list."""

    lead: str
    text: str
    items: list[str] = field(default_factory=list)


def lineup(run: Run) -> str:
    """Say who sat where."""
    names = [bot.name for bot in run.batch.lineup]
    if len(run.bots) == 1:
        return f"{names[0]} in every seat"
    if run.study.spec.fixed_seats:
        return "each bot in its own seat: " + listed(
            [f"{name} in seat {seat}" for seat, name in enumerate(names)]
        )
    return f"{listed(names)}, changing seats: each deal is played {number(run.batch.period)} times, the line-up moved on by a seat"


def mixed(run: Run) -> bool:
    """Tell whether seat and bot cannot be told apart."""
    return run.study.spec.fixed_seats and len(run.bots) > 1


def seats(run: Run) -> str:
    """Say whether a seat is favoured."""
    fair = 1 / run.draft.players
    found = {seat: run.estimates[("win", "seat", seat)] for seat in range(run.draft.players)}
    groups: dict[str, list[int]] = {"up": [], "down": [], "open": [], "unknown": []}
    for seat, share in found.items():
        groups[against(share, fair)].append(seat)
    if not groups["up"] and not groups["down"]:
        furthest = max(max(fair - share.low, share.high - fair) for share in found.values())
        whose = (
            "the interval of each seat's share of first places, over all games,"
            if run.by_game
            else "each seat's interval"
        )
        text = (
            f"No seat is seen to be favoured: {whose} contains the fair share of {words.fair_share(run.draft.players)}. "
            f"A seat may still be off by up to {_points(furthest)} percentage points."
        )
    else:
        winning = "Coming first in a game" if run.by_game else "Winning"
        parts = [
            _shares_of(found, groups[which], f"{winning} {word} often")
            for which, word in (("up", "more"), ("down", "less"))
        ]
        fair_for = "of the first places, over all games, for each seat" if run.by_game else "for each seat"
        text = f"Fair would be {words.fair_share(run.draft.players)} {fair_for}. " + " ".join(
            part for part in parts if part
        )
        if groups["open"]:
            text += f" For {_named(groups['open'])} no departure from it is seen."
    if mixed(run):
        text += " But each bot kept its seat, so this mixes what the seat does with what its bot does."
    return text


def _points(share: float) -> str:
    digits = 2 if share < 0.005 else 1
    return number(words.rounded_up(share * 100, digits), digits)


def _named(numbers: list[int]) -> str:
    return f"seat{'s' if len(numbers) > 1 else ''} {listed([str(seat) for seat in numbers])}"


def _shares_of(found: dict[int, Estimate], chosen: list[int], lead: str) -> str:
    if not chosen:
        return ""
    shares = [f"seat {seat}, {show(found[seat], 'share').together}" for seat in chosen]
    return f"{lead}: {'; '.join(shares)}."


def bots(run: Run) -> str:
    """Say which bot wins."""
    fair = 1 / run.draft.players
    found = {name: run.estimates[("win", "bot", name)] for name in run.bots}
    order = sorted(found, key=lambda name: -found[name].value)
    word = {
        "up": "above it",
        "down": "below it",
        "open": "no departure from it seen",
        "unknown": "too few matches",
    }
    shares = [
        f"{name} {show(found[name], 'share').together}, {word[against(found[name], fair)]}" for name in order
    ]
    fair_words = words.fair_share(run.draft.players)
    fair_part = (
        f"come first in {fair_words} of its games"
        if run.by_game
        else f"win {fair_words} of its places at the table"
    )
    text = f"A bot no better than the others would {fair_part}. Found: {'; '.join(shares)}."
    best, second = found[order[0]], found[order[1]]
    settled = best.low > second.high or (len(order) == _SURELY_ALIKE and against(best, fair) == "up")
    if mixed(run):
        return f"{text} But each bot kept its seat, so this mixes the bot with its seat."
    if settled:
        return f"{text} So {order[0]} is the strongest in this line-up."
    return f"{text} Whether {order[0]} or {order[1]} is the stronger is not settled."


def ties(run: Run) -> str:
    """Say how often a win is shared."""
    end = {
        "totals": "the highest total of points shared",
        "wins": "a shared win",
        "best scores": "the best score shared, and the rules say who of them wins",
    }[run.study.shared]
    return f"{show(run.estimates[('ties',)], 'share').together} of the matches end with {end}."


def length(run: Run) -> str:
    """Say how long a match is."""
    decisions, branching = run.estimates[("decisions",)], run.estimates[("branching",)]
    of_games = f" of {words.plural(run.games, 'game')}" if run.by_game else ""
    return (
        f"A match{of_games} takes {_mean(decisions)} decisions, of all players together; "
        f"at a decision there are {_mean(branching)} legal moves on average."
    )


def _mean(found: Estimate) -> str:
    text = show(found, "mean")
    return text.value if text.interval == words.CONSTANT else text.together


def scores(run: Run) -> str:
    """Say where the scores lie."""
    found = spread.spread(run.histogram())
    assert found is not None
    means = [run.estimates[("score", "seat", seat)] for seat in range(run.draft.players)]
    low, high = (
        min(range(len(means)), key=lambda s: means[s].value),
        max(range(len(means)), key=lambda s: means[s].value),
    )
    what = f"match totals, of {words.plural(run.games, 'game')}," if run.by_game else "match scores"
    middle = f"Half of all {what} lie from {number(found.quantiles[1])} to {number(found.quantiles[3])}; "
    mean = "A game brings on average, by seat, from" if run.by_game else "By seat the mean goes from"
    points = " points" if run.by_game else ""
    return (
        f"{middle}the lowest was {number(found.low)}, the highest {number(found.high)}. {mean} "
        f"{_mean(means[low])}{points} in seat {low} to {_mean(means[high])} in seat {high}."
    )


def of_run(run: Run) -> list[Finding]:
    """Return the findings of a single run."""
    found = [Finding("Seats", seats(run))]
    if len(run.bots) > 1:
        found.append(Finding("Bots", bots(run)))
    return [
        *found,
        Finding(f"Shared {run.study.shared}", ties(run)),
        Finding("Length", length(run)),
        Finding("Scores", scores(run)),
    ]


# ---- comparisons ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Changes:
    """What a draft changed against the first, in words."""

    changed: list[str]
    open: list[str]
    unknown: list[str]

    @property
    def counted(self) -> int:
        """Differences that could be judged."""
        return len(self.changed) + len(self.open)


def is_main(base: Run, run: Run, key: Key) -> bool:
    """Tell whether a difference belongs to the first lines of the page."""
    if key[0] == "win":
        # Shares of the win differ by the number of players alone.
        return (
            base.draft.players == run.draft.players
            and key[1] != "cell"
            and (key[1] != "bot" or len(run.bots) > 1)
        )
    return key[0] in ("ties", "decisions", "branching") or (key[:2] == ("score", "bot"))


def changes(base: Run, run: Run, *, main: bool) -> Changes:
    """Sort the measures of two runs by what their difference shows.

    Parameters
    ----------
    base, run : Run
    main : bool
        Only the measures of the first lines, or all.
    """
    found = Changes([], [], [])
    for _, keys in tables.grouped([base, run]):
        for key in keys:
            if key not in run.differences or (main and not is_main(base, run, key)):
                continue
            difference, kind = run.differences[key], tables.kind(run, key)
            which = words.verdict(difference)
            text = f"{tables.label(run, key)}: {words.reading(difference, kind)}"
            if which in ("up", "down"):
                before, after = show(base.estimates[key], kind).value, show(run.estimates[key], kind).value
                found.changed.append(f"{text} ({before} → {after})")
            else:
                (found.open if which == "open" else found.unknown).append(text)
    return found


def rules_words(base: Run, run: Run) -> str:
    """Name the options that differ."""
    different = tables.settings([base.draft, run.draft], only_different=True)
    if not different:
        return "No option differs."
    shown = [f"{setting.key} {setting.values[0]} → {setting.values[1]}" for setting in different[:6]]
    more = len(different) - len(shown)
    rest = [f"and {words.plural(more, 'more option')}"] if more > 0 else []
    return f"The rules differ in: {'; '.join([*shown, *rest])}."


def pairing(base: Run, run: Run) -> str:
    """Say whether the two were played on the same deals, and what that was worth."""
    found = [
        run.differences[key]
        for _, keys in tables.grouped([base, run])
        for key in keys
        if key in run.differences
    ]
    if any(difference.paired for difference in found):
        gain = words.gain_words(found)
        return f"Paired: both drafts were played on the same shuffles of the pack, with the same bots in the same seats. {gain}".strip()
    text = (
        "Not paired: the two drafts were not played on the same shuffles by the same seats, so the intervals of the "
        "differences are wider than those of paired ones would be."
    )
    if base.draft.players != run.draft.players:
        text += (
            f" With {run.draft.players} players instead of {base.draft.players}, whatever is shared out among them "
            "changes by that alone: the fair share of the win goes from "
            f"{words.fair_share(base.draft.players)} to {words.fair_share(run.draft.players)}."
        )
    return text


def of_comparison(study: Study) -> list[Finding]:
    """Return the findings of a comparison: what each draft changed against the first, then each draft alone."""
    base, *others = study.runs
    found = [finding for run in others for finding in _compared(base, run)]
    found += [Finding(f"{letter(run.number)}, seats", seats(run)) for run in study.runs]
    if len(base.bots) > 1:
        found += [Finding(f"{letter(run.number)}, bots", bots(run)) for run in study.runs]
    return found


def _compared(base: Run, run: Run) -> list[Finding]:
    pair = (letter(base.number), letter(run.number))
    names = f"{pair[1]} against {pair[0]}"
    main, everything = (changes(base, run, main=which) for which in (True, False))
    rest = everything.counted - main.counted
    further = len(everything.changed) - len(main.changed)
    tail = (
        f" Of {words.plural(rest, 'further measure')} in the table below, {number(further) if further else 'none'} changed."
        if rest
        else ""
    )
    if base.draft.players != run.draft.players:
        tail += (
            f" With {run.draft.players} players instead of {base.draft.players} the fair share itself is another, "
            "so compare each draft's win shares with its own."
        )
    rules = Finding(names, rules_words(base, run))
    if main.changed:
        changed = Finding(
            f"{names}, changed", "These differences are larger than chance explains." + tail, main.changed
        )
    elif main.unknown and not main.open:
        changed = Finding(f"{names}, changed", "One block cannot show a change: play more matches.")
    else:
        changed = Finding(
            f"{names}, changed", "No change in the main measures is larger than chance explains." + tail
        )
    found = [rules, changed]
    if main.open:
        found.append(
            Finding(f"{names}, no change seen", "For these, no change can be told from chance.", main.open)
        )
    return found
