"""The answer of a comparison in a few sentences: what changed in the rules, and in what designers ask for."""

from __future__ import annotations

from experiments.play.matches import Key, Run
from experiments.report import options, words
from experiments.report.words import letter, listed, number, percent, plural, signed
from experiments.studies.compare import changes, lineups, verdicts
from experiments.studies.compare.changes import Change
from experiments.studies.compare.play import Comparison
from experiments.studies.compare.spec import Goal
from experiments.studies.run.measures import seat_name

_NAMED = 3
"""Options that a sentence names."""

_SENTENCES = 6
"""Of a headline, at most."""


def headline(comparison: Comparison) -> list[str]:
    """Return the answer."""
    drafts = comparison.studies[0].runs[1:]
    several_levels = len(comparison.studies) > 1
    text = []
    if several_levels:
        text.append(dependence(comparison))
    if len(drafts) == 1 and not several_levels:
        return [
            rules(drafts[0]),
            *_in_full(comparison, 0, drafts[0]),
            verdicts.undecided(comparison, comparison.judged),
        ]
    text += [rules(run) for run in drafts] if len(drafts) == 1 else []
    lines = [
        (level, study.runs[run.number]) for run in drafts for level, study in enumerate(comparison.studies)
    ]
    room = _SENTENCES - 1 - len(text)
    shown = lines if len(lines) <= room else lines[: room - 1]
    base = "" if len(drafts) == 1 else f"Compared with {_title(comparison.studies[0].runs[0])}, "
    for level, run in shown:
        text.append(base + _in_short(comparison, level, run))
        base = ""
    if len(lines) > len(shown):
        text.append(f"The other {number(len(lines) - len(shown))} are below.")
    return [*text, verdicts.undecided(comparison, comparison.judged)]


def rules(run: Run) -> str:
    """Say what a draft changes in the rules."""
    base = run.study.runs[0]
    different = options.settings([base.draft, run.draft], only_different=True)
    name = letter(run.number)
    if not different:
        return f"{name} has the same rules as {letter(0)}."
    named = [
        f"{setting.key} from {setting.values[0]} to {setting.values[1]}" for setting in different[:_NAMED]
    ]
    if len(different) > _NAMED:
        named = [*named[: _NAMED - 1], f"{number(len(different) - _NAMED + 1)} more options"]
    return f"{name} changes {listed(named)}."


# ---- one draft, in full ---------------------------------------------------------------------------------


def _in_full(comparison: Comparison, level: int, run: Run) -> list[str]:
    base, goals = run.study.runs[0], comparison.spec.goals
    text = []
    fairness = changes.of_seats(base, run)
    if fairness is not None:
        gains = _who_gains(comparison, level, run)
        text.append(f"{_seats(fairness, goals)} {gains}".strip())
    bot = changes.best_bot(base)
    skill = None if bot is None else changes.judged(comparison, level, run, ("win", "bot", bot))
    if skill is not None:
        text.append(_skill(skill, str(bot), goals))
    length = changes.judged(comparison, level, run, ("decisions",))
    if length is not None:
        text.append(_length(length, goals))
    lead = changes.of_lead(base, run)
    if lead is not None:
        text.append(_lead(lead, goals))
    return text


def _mark(change: Change, goal: Goal, goals: tuple[str, ...]) -> str:
    """Say whether a change is better or worse, where its goal is stated."""
    better = change.is_better(goal) if goal in goals else None
    return "" if better is None else " (better)" if better else " (worse)"


def _seats(change: Change, goals: tuple[str, ...]) -> str:
    before, after = percent(change.before), percent(change.after)
    ends = _ends(change)
    off = f"the largest deviation of any seat from a fair share is {_of_points(change)}"
    if change.way == "open":
        if before == after:
            return f"The seats are as fair as before, as far as can be measured ({ends})."
        return f"Whether the seats became fairer is not clear: {off} ({ends})."
    word = "less fair" if change.way == "up" else "fairer"
    return f"The seats became {word}{_mark(change, 'fairer', goals)}: {off} ({ends})."


def _of_points(change: Change) -> str:
    return f"{number(100 * change.after, 1)} instead of {number(100 * change.before, 1)} points"


def _ends(change: Change) -> str:
    return f"a change of {signed(100 * change.low, 1)} to {signed(100 * change.high, 1)} points"


def _who_gains(comparison: Comparison, level: int, run: Run) -> str:
    """Say which seat wins more than before, and which less."""
    moved: list[tuple[float, int, Change]] = []
    for seat in range(run.draft.players):
        key: Key = ("win", "seat", seat)
        change = changes.judged(comparison, level, run, key)
        if change is not None and change.way in ("up", "down"):
            moved.append((change.after - change.before, seat, change))
    if not moved:
        return ""
    parts = []
    for (gain, seat, change), word in ((max(moved), "gains"), (min(moved), "loses")):
        if (gain > 0) == (word == "gains"):
            parts.append(
                f"{seat_name(seat)} {word} most: it wins {percent(change.after)} instead of {percent(change.before)}"
            )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]} (fair: {words.fair_share(run.draft.players)})."


def _skill(change: Change, bot: str, goals: tuple[str, ...]) -> str:
    before, after = percent(change.before), percent(change.after)
    ends = _ends(change)
    if change.way == "same":
        return f"Skill counts as much as before: {bot}, the strongest bot, wins {after} of its matches (before: {before})."
    if change.way == "open":
        return f"Whether skill counts more is undecided: {bot}, the strongest bot, wins {after} instead of {before} ({ends})."
    word = "more" if change.way == "up" else "less"
    mark = _mark(change, "skill", goals)
    return f"Skill counts {word}{mark}: {bot}, the strongest bot, wins {after} instead of {before} of its matches ({ends})."


def _length(change: Change, goals: tuple[str, ...]) -> str:
    before, after = number(change.before, 1), number(change.after, 1)
    if change.way == "same":
        return f"Matches are as long as before: {after} decisions."
    if change.way == "open":
        return f"Whether matches became longer is undecided: {after} instead of {before} decisions."
    word = "longer" if change.way == "up" else "shorter"
    return f"Matches became {word}{_mark(change, 'shorter', goals)}: {after} instead of {before} decisions."


def _lead(change: Change, goals: tuple[str, ...]) -> str:
    before, after = number(change.before, 1), number(change.after, 1)
    if change.way == "open":
        return f"Scores are about as close as before: the winner leads by {after} points on average (before: {before})."
    word = "wider apart" if change.way == "up" else "closer together"
    return f"Scores lie {word}{_mark(change, 'closer', goals)}: the winner leads by {after} instead of {before} points on average."


# ---- several drafts or line-ups, in short ---------------------------------------------------------------


def _in_short(comparison: Comparison, level: int, run: Run) -> str:
    """Say in a sentence what a draft changes under a line-up."""
    base, goals = run.study.runs[0], comparison.spec.goals
    under = f" with {run.level}" if len(comparison.studies) > 1 else ""
    parts = []
    fairness = changes.of_seats(base, run)
    if fairness is not None:
        off = f"the worst seat is {_of_points(fairness)} off a fair share"
        word = {"up": "the seats are less fair", "down": "the seats are fairer"}.get(
            fairness.way, "the fairness of the seats did not change measurably"
        )
        parts.append(f"{word}{_mark(fairness, 'fairer', goals)} ({off})")
    bot = changes.best_bot(base)
    skill = None if bot is None else changes.judged(comparison, level, run, ("win", "bot", bot))
    if skill is not None and skill.way in ("up", "down"):
        word = "more" if skill.way == "up" else "less"
        parts.append(
            f"skill counts {word}{_mark(skill, 'skill', goals)} ({bot} wins {percent(skill.after)} instead of "
            f"{percent(skill.before)})"
        )
    length = changes.judged(comparison, level, run, ("decisions",))
    if length is not None and length.way in ("up", "down"):
        word = "longer" if length.way == "up" else "shorter"
        parts.append(
            f"matches are {word}{_mark(length, 'shorter', goals)} ({number(length.after, 1)} instead of "
            f"{number(length.before, 1)} decisions)"
        )
    lead = changes.of_lead(base, run)
    if lead is not None and lead.way in ("up", "down"):
        word = "wider apart" if lead.way == "up" else "closer"
        parts.append(f"scores are {word}{_mark(lead, 'closer', goals)}")
    return f"{_title(run)}{under}: {listed(parts)}."


def _title(run: Run) -> str:
    return f"{letter(run.number)} ({words.shortened(run.draft.label.partition('/')[2], 40)})"


def dependence(comparison: Comparison) -> str:
    """Say whether what the drafts change depends on who plays."""
    apart = lineups.disagreements(comparison)
    if not apart:
        return "What the drafts change does not depend measurably on who plays."
    opposite = sum(one.opposite for one in apart)
    how = f", on {number(opposite)} of them in opposite directions" if opposite else ""
    return f"What the drafts change depends on who plays: the line-ups disagree on {plural(len(apart), 'measure')}{how}."
