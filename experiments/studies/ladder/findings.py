"""What there is to say of a ladder: the order of the bots, how clear it is, and whether one ranking says it all."""

from __future__ import annotations

import math

from experiments.metrics.ratings import FEW_DEALS, Duel
from experiments.report import gains, intransitivity, options, words
from experiments.report.figures import Dots, Point
from experiments.report.sections import Cell, Figure, Report, Row, Section, Table
from experiments.report.words import listed, number, plural
from experiments.studies.ladder.play import Ladder, label, more_deals, option_of, undecided
from experiments.studies.ladder.spec import searches
from sim.bots import Bot


def report(ladder: Ladder) -> Report:
    """Return what there is to say of a ladder."""
    draft = ladder.spec.draft
    return Report(
        kicker="Ladder of bots",
        title=f"{draft.label}: which bot is the strongest?",
        headline=headline(ladder),
        figure=Figure(
            "ratings", "How strong is each bot?", dots(ladder), "Mark: the rating; bar: its 95% interval."
        ),
        facts=[
            ("Bots", str(len(ladder.bots))),
            ("Deals of each pair", deals(ladder)),
            *([("Matches", f"of {plural(ladder.games, 'game')}")] if ladder.games > 1 else []),
            ("Seed", str(ladder.spec.seed)),
        ],
        sections=[
            Section("ratings", "Ratings", tables=[_ratings(ladder)], notes=[_READING]),
            Section("duels", "Duels", _open_steps(ladder), tables=[matrix(ladder)], notes=[_judged(ladder)]),
            Section("fit", "How far the ratings can be trusted", _trust(ladder), folded=True),
            Section(
                "options",
                "Every option of the draft",
                tables=[options.table([draft], ["Value"])],
                folded=True,
            ),
        ],
        terms=_terms(ladder),
        made=[
            ("Deals of each pair, of those asked for", of_asked(ladder)),
            ("Bots", "; ".join(f"{label(bot)}: {bot.summary}" for bot in ladder.bots)),
        ],
        partial=partial(ladder),
        notes=draft.notes,
    )


# ---- the headline ---------------------------------------------------------------------------------------


def headline(ladder: Ladder) -> list[str]:
    """Say who is the strongest, how clear the order is, and whether one ranking describes all pairings."""
    text = [strongest(ladder), _order(ladder)]
    honest = [place for place, bot in enumerate(ladder.bots) if not bot.cheats]
    if ladder.bots[0].cheats and len(honest) > 1:
        text.append(f"Of those that do not cheat, {_leads(ladder, honest)}")
    if ladder.transitivity is not None:
        told = intransitivity.told(ladder.transitivity, ladder.standing.cycles)
        text.append(told.partition(" (")[0] + ".")
    slowest = max(range(len(ladder.bots)), key=lambda place: ladder.microseconds[place])
    fastest = min(range(len(ladder.bots)), key=lambda place: ladder.microseconds[place])
    text.append(
        f"A decision takes {ladder.labels[slowest]} {time_taken(ladder.microseconds[slowest])}, and {ladder.labels[fastest]} "
        f"{time_taken(ladder.microseconds[fastest])}."
    )
    if min(duel.deals for duel in ladder.standing.duels.values()) < FEW_DEALS:
        text.append(
            f"So few deals make these intervals too narrow: {FEW_DEALS} or more of each pair are needed."
        )
    return text


def strongest(ladder: Ladder) -> str:
    """Say who leads."""
    return _leads(ladder, list(range(len(ladder.bots))))


def _leads(ladder: Ladder, places: list[int]) -> str:
    first, *others = places
    labels, clear = ladder.labels, ladder.standing.clear
    rivals = [place for place in others if not clear[first, place]]
    if rivals:
        names = listed([labels[place] for place in rivals])
        return f"{labels[first]} is rated highest, but not clearly stronger than {names}."
    nearest = min(others, key=lambda place: ladder.standing.duel(first, place).value)
    ahead = words.percent(ladder.standing.duel(first, nearest).value)
    closest = f"the closest, {labels[nearest]}," if len(others) > 1 else labels[nearest]
    return f"{labels[first]} is the strongest: it finishes ahead of {closest} in {ahead} of cases."


def _order(ladder: Ladder) -> str:
    """Say in which order the bots stand, and which steps of it are clear."""
    row = "".join(
        f"{' > ' if ladder.standing.clear[place - 1, place] else ' ≥ '}{name}" if place else name
        for place, name in enumerate(ladder.labels)
    )
    steps = len(ladder.bots) - 1
    still = len(undecided(ladder.standing))
    if not still:
        return f"The order is {row}; {'every step is' if steps > 1 else 'the step is'} clear."
    return f"The order is {row}; {plural(still, 'step')} of {number(steps)} (≥) {'is' if still == 1 else 'are'} not clear."


# ---- how much was played --------------------------------------------------------------------------------


def deals(ladder: Ladder) -> str:
    """Say how many deals each pair played, and in how many matches."""
    played = ladder.budget.deals
    return f"{number(played)} ({_matches(ladder, played)}){_where_searching(ladder)}"


def _matches(ladder: Ladder, count: int) -> str:
    return plural(count * ladder.matches_a_deal, "match", "matches")


def _where_searching(ladder: Ladder) -> str:
    fewer = ladder.budget.search_deals
    if fewer is None or ladder.budget.even:
        return ""
    return f", or {number(fewer)} ({_matches(ladder, fewer)}) where a bot searches"


def of_asked(ladder: Ladder) -> str:
    """Say how many deals each pair played of those that were asked for."""
    played, asked = ladder.budget, ladder.spec.asked
    text = f"{number(played.deals)} of {number(asked.deals)}"
    if played.even and asked.even:
        return text
    return f"{text}, or {number(played.search_deals)} of {number(asked.search_deals)} where a bot searches"


def partial(ladder: Ladder) -> str:
    """Say how far an interrupted ladder came; empty for a whole one."""
    if ladder.complete:
        return ""
    return f"Interrupted. Deals that every pair played, of those asked for: {of_asked(ladder)}. All numbers are of these alone."


# ---- tables and figures ---------------------------------------------------------------------------------


def short_label(bot: Bot, length: int) -> str:
    """Return the name of a bot cut to a length, but never the mark of one that cheats."""
    name = label(bot)
    mark = name[len(bot.name) :]
    return words.shortened(bot.name, max(2, length - len(mark))) + mark


def dots(ladder: Ladder) -> Dots:
    """Return the ratings with their intervals as a figure."""
    standing = ladder.standing
    points = [
        Point(place, 0, *(float(column[place]) for column in (standing.ratings, standing.low, standing.high)))
        for place in range(len(ladder.bots))
    ]
    rows = [short_label(bot, 20) for bot in ladder.bots]
    return Dots("Rating (Elo points)", rows, [""], points, [(0.0, "mean")])


_READING = (
    "100 points between two bots mean that a player of the stronger finishes ahead of one of the weaker in 64% of cases, "
    "200 in 76%, 400 in 91%."
)


def _ratings(ladder: Ladder) -> Table:
    standing = ladder.standing
    rows = [
        Row(
            str(place + 1),
            [
                name,
                Cell(
                    number(standing.ratings[place]),
                    f"{number(standing.low[place])} to {number(standing.high[place])}",
                ),
                time_taken(ladder.microseconds[place]),
            ],
        )
        for place, name in enumerate(ladder.labels)
    ]
    return Table("", ["", "Bot", "Elo points", "A decision"], rows, texts=frozenset({1}))


def matrix(ladder: Ladder) -> Table:
    """Return how often each bot finishes ahead of each other as a square table."""
    places = range(len(ladder.bots))
    return Table(
        "How often a player of the bot on the left finishes ahead of one of the bot above",
        ["", *(short_label(bot, 14) for bot in ladder.bots)],
        [
            Row(short_label(ladder.bots[row], 24), [_cell(ladder, row, column) for column in places])
            for row in places
        ],
        f"{deals(ladder)} of each pair",
    )


def _cell(ladder: Ladder, row: int, column: int) -> Cell:
    if row == column:
        return Cell(words.MISSING)
    duel, clear = ladder.standing.duel(row, column), ladder.standing.clear
    low, high = duel.interval()
    digits = words.digits_of((high - low) / 2, "share")
    interval = f"{words.percent(low, digits)} to {words.percent(high, digits)}"
    mark = "up" if clear[row, column] else "down" if clear[column, row] else "open"
    return Cell(words.percent(duel.value, digits), interval, mark, duel.value)  # type: ignore[arg-type]


def share(duel: Duel) -> str:
    """Write the share of a duel with its interval."""
    low, high = duel.interval()
    digits = words.digits_of((high - low) / 2, "share")
    return (
        f"{words.percent(duel.value, digits)} ({words.percent(low, digits)} to {words.percent(high, digits)})"
    )


# ---- what is not clear ----------------------------------------------------------------------------------


def _judged(ladder: Ladder) -> str:
    count = len(ladder.standing.duels)
    if count == 1:
        return "Of 20 ladders of equal bots, about one would show a clear step by chance."
    return f"“Clear” accounts for all {count} duels: of 20 ladders of equal bots, about one would show any clear step by chance."


def _open_steps(ladder: Ladder) -> list[str]:
    """Say of each step to the next bot that is not clear how it stands, and what should settle it."""
    standing, told = ladder.standing, []
    for place in undecided(standing):
        upper, lower = ladder.labels[place], ladder.labels[place + 1]
        duel = standing.duels[place, place + 1]
        text = f"{upper} against {lower} is not clear: {share(duel)} in {_matches(ladder, duel.deals)}; "
        more = more_deals(standing, place)
        if standing.clear[place + 1, place]:
            text += f"{lower} clearly wins this duel, though it does worse against the others"
        elif duel.deviation == 0:
            text += "every deal came out alike"
        elif more is None:
            text += "so near to even that no sensible number of deals would settle it"
        else:
            more, option = _rounded(more), option_of(ladder, place)
            text += f"about {number(more)} more {option} should settle it"
            if option != "--deals" and duel.deals + more > ladder.spec.deals:
                text += " (with at least as many --deals)"
        told.append(f"{text}.")
    return told


def _rounded(value: int) -> int:
    """Round up to two digits."""
    step = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


# ---- how far ratings can be trusted ---------------------------------------------------------------------


def _trust(ladder: Ladder) -> list[str]:
    told = [_cycles(ladder), _fit(ladder), gains.of_seatings(list(ladder.gains.values()), "duel")]
    told += [_cheats(ladder), _one_sided(ladder), _budget(ladder)]
    if ladder.transitivity is not None:
        told.insert(0, intransitivity.told(ladder.transitivity, ladder.standing.cycles))
    return [text for text in told if text]


def _cycles(ladder: Ladder) -> str:
    """Say how many threes beat each other in a circle, and how many chance would bring."""
    standing = ladder.standing
    threes = math.comb(len(ladder.bots), 3)
    if threes == 0:
        return ""
    count = round(standing.cycles * threes)
    digits = 0 if threes <= 100 else 1
    low, high = (words.percent(end, digits) for end in (standing.cycles_low, standing.cycles_high))
    verdict = (
        "more than chance explains, so a single rating cannot say all"
        if standing.cycles > standing.cycles_high
        else "no more than chance brings"
    )
    return (
        f"{number(count)} of {plural(threes, 'three')} of bots {'beats' if count == 1 else 'beat'} each other in a circle "
        f"({words.percent(standing.cycles, digits)}; by chance {low} to {high}): {verdict}."
    )


def _fit(ladder: Ladder) -> str:
    """Say how well the ratings predict the duels."""
    standing = ladder.standing
    if len(standing.duels) < 2:
        return ""
    off = {pair: duel.value - standing.expected(*pair) for pair, duel in standing.duels.items()}
    i, j = max(off, key=lambda pair: abs(off[pair]))
    points = number(words.rounded_up(abs(off[i, j]) * 100, 1), 1)
    return (
        f"The ratings predict every duel to within {points} points. The largest difference: {ladder.labels[i]} against "
        f"{ladder.labels[j]}, {words.percent(standing.expected(i, j))} by the ratings and {share(standing.duels[i, j])} in the duel."
    )


def _cheats(ladder: Ladder) -> str:
    """Name those that cheat."""
    names = [bot.name for bot in ladder.bots if bot.cheats]
    if not names:
        return ""
    return (
        f"{listed(names)} cheats: it sees every card and all chance to come, and shows what luck leaves open."
    )


def _one_sided(ladder: Ladder) -> str:
    """Name the duels that went all one way."""
    pairs = [
        f"{ladder.labels[i]} against {ladder.labels[j]}"
        for (i, j), duel in sorted(ladder.standing.duels.items())
        if duel.one_sided
    ]
    if not pairs:
        return ""
    return f"{listed(pairs)}: won on every deal, so it only says how far apart the two are at least."


def _budget(ladder: Ladder) -> str:
    """Say which duels have fewer deals than the others, if any."""
    if ladder.budget.even:
        return ""
    names = [name for name, bot in zip(ladder.labels, ladder.bots, strict=True) if searches(bot)]
    fewer, most = number(ladder.budget.search_deals), number(ladder.budget.deals)
    return (
        f"All duels of {listed(names)} have {fewer} deals, the first of the {most} of the other duels, since searching takes long. In "
        "the ratings a duel weighs as much as it has deals."
    )


def time_taken(microseconds: float) -> str:
    """Write a time with two digits and its unit."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= 0.995 * size:
            return f"{_two_digits(microseconds / size)} {unit}"
    return f"{_two_digits(microseconds)} µs"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"


def _terms(ladder: Ladder) -> list[tuple[str, str]]:
    return [
        ("Elo points", f"A scale of strength with mean 0. {_READING}"),
        (
            "Duel",
            (
                f"Two bots at one table of {ladder.spec.draft.players}, half the seats each. Each deal is played {ladder.matches_a_deal} "
                "times, so that both bots have every hand; intervals count deals."
            ),
        ),
        (
            "Ahead",
            "Of all pairs of a player of each bot: how often the first has more points at the end; ties count half.",
        ),
        ("Clear", "Beyond chance, with all duels of the ladder judged at once."),
        ("≥", "Rated higher, but not clearly stronger."),
        ("A decision", "The time that the bot takes for a decision on this machine."),
    ]
