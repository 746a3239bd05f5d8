"""The findings of a ladder as sentences, for the page and the terminal."""

from __future__ import annotations

import math

from experiments.metrics.intransitivity import Transitivity
from experiments.metrics.ratings import FEW_DEALS, Duel
from experiments.report import gains, words
from experiments.report.findings import Finding
from experiments.report.words import listed, number, plural
from experiments.studies.ladder.play import Ladder, label, more_deals, option_of, searches, undecided
from sim.bots import Bot

READING = (
    "100 points between two bots mean that a player of the stronger finishes ahead of one of the weaker in 64% of cases, "
    "200 in 76%, 400 in 91%."
)


def findings(ladder: Ladder) -> list[Finding]:
    """Return the main findings, the verdict first."""
    found = [
        Finding("Strongest", strongest(ladder)),
        Finding("Clear steps", chain(ladder)),
        Finding("Not clear", *_open_steps(ladder)),
        Finding("Circles", circles(ladder)),
        Finding("Ratings", fit(ladder)),
        Finding("Same deals", gains.of_seatings(list(ladder.gains.values()), "duel")),
        Finding("Cheats", cheats(ladder)),
        Finding("All one way", one_sided(ladder)),
        Finding("Deals", tiers(ladder)),
        Finding("Few deals", few_deals(ladder)),
    ]
    return [finding for finding in found if finding.text]


def short_label(bot: Bot, length: int) -> str:
    """Return the name of a bot cut to a length, but never the mark of one that cheats."""
    name = label(bot)
    mark = name[len(bot.name) :]
    return words.shortened(bot.name, max(2, length - len(mark))) + mark


def deals(ladder: Ladder) -> str:
    """Say how many deals each pair played, and in how many matches."""
    played = ladder.played.deals
    return f"{plural(played, 'deal')} ({_matches(ladder, played)}) of each pair{_where_searching(ladder)}"


def counts(ladder: Ladder) -> str:
    """Say the same in numbers alone."""
    played = ladder.played.deals
    return f"{number(played)} ({_matches(ladder, played)}){_where_searching(ladder)}"


def _matches(ladder: Ladder, count: int) -> str:
    return plural(count * ladder.matches_a_deal, "match", "matches")


def _where_searching(ladder: Ladder) -> str:
    fewer = ladder.played.search_deals
    if fewer is None or ladder.played.even:
        return ""
    return f", or {number(fewer)} ({_matches(ladder, fewer)}) where a bot searches"


def of_asked(ladder: Ladder) -> str:
    """Say how many deals each pair played of those that were asked for."""
    played, asked = ladder.played, ladder.spec.asked
    text = f"{number(played.deals)} of {number(asked.deals)}"
    if played.even and asked.even:
        return text
    return f"{text}, or {number(played.search_deals)} of {number(asked.search_deals)} where a bot searches"


def share(duel: Duel) -> str:
    """Write the share of a duel with its interval."""
    low, high = duel.interval()
    digits = words.digits_of((high - low) / 2, "share")
    return (
        f"{words.percent(duel.value, digits)} ({words.percent(low, digits)} to {words.percent(high, digits)})"
    )


def strongest(ladder: Ladder) -> str:
    """Say who leads, and who leads of those that do not cheat."""
    honest = [place for place, bot in enumerate(ladder.bots) if not bot.cheats]
    text = _leads(ladder, list(range(len(ladder.bots))))
    if ladder.bots[0].cheats and len(honest) > 1:
        text += f" Of those that do not cheat, {_leads(ladder, honest)}"
    return text


def _leads(ladder: Ladder, places: list[int]) -> str:
    first, *others = places
    labels, clear = ladder.labels, ladder.standing.clear
    rival = [place for place in others if not clear[first, place]]
    if not rival:
        whom = "each of the others" if len(others) > 1 else labels[others[0]]
        nearest = min(others, key=lambda place: ladder.standing.duel(first, place).value)
        closest = f" Closest comes {labels[nearest]}:" if len(others) > 1 else ""
        return (
            f"{labels[first]} is the strongest: it clearly beats {whom}.{closest} {labels[first]} is ahead in "
            f"{share(ladder.standing.duel(first, nearest))} of all pairs of a player of the one and a player of the other."
        )
    names = listed([labels[place] for place in rival])
    return f"{labels[first]} is rated highest, but it is not clear that it is stronger than {names}."


def chain(ladder: Ladder) -> str:
    """Name the longest row of bots of which each clearly beats the next."""
    places = ladder.standing.chain
    if len(places) < 2:
        return f"No bot clearly beats another with {deals(ladder)}."
    row = " > ".join(ladder.labels[place] for place in places)
    whole = ": the whole ladder" if len(places) == len(ladder.bots) else ""
    return f"{row}. Each clearly beats the next ({plural(len(places) - 1, 'step')}{whole}). {_judged(ladder)}"


def _judged(ladder: Ladder) -> str:
    count = len(ladder.standing.duels)
    if count == 1:
        return "Of 20 ladders of equal bots, about one would show a clear step by chance."
    return (
        f"“Clear” takes into account that {count} duels are judged: of 20 ladders of equal bots, about one would show "
        "any clear step by chance."
    )


def _open_steps(ladder: Ladder) -> tuple[str, list[str]]:
    steps = open_steps(ladder)
    if not steps:
        return f"Nothing: with {deals(ladder)} every bot clearly beats the next.", []
    lead = (
        f"{plural(len(steps), 'step')} from one bot to the next {'is' if len(steps) == 1 else 'are'} not clear "
        f"with {deals(ladder)}. How many more would do is a guess: it takes the share found for the true one, and gives "
        "what would then suffice four times in five."
    )
    return lead, steps


def open_steps(ladder: Ladder) -> list[str]:
    """Say of each step to the next bot that is not clear how it stands, and what would decide it."""
    standing, found = ladder.standing, []
    for place in undecided(standing):
        upper, lower = ladder.labels[place], ladder.labels[place + 1]
        duel = standing.duels[place, place + 1]
        text = f"{upper} against {lower}: {share(duel)} in {_matches(ladder, duel.deals)}; "
        more = more_deals(standing, place)
        if standing.clear[place + 1, place]:
            text += f"{lower} clearly wins this duel, though it does worse against the others"
        elif duel.deviation == 0:
            text += "it came out alike on every deal"
        elif more is None:
            text += "so near to even that no sensible number of deals would decide it"
        else:
            more, option = _rounded(more), option_of(ladder, place)
            text += f"about {number(more)} more {option} would decide it"
            if option != "--deals" and duel.deals + more > ladder.spec.deals:
                text += " (with at least as many --deals)"
        found.append(text + ".")
    return found


def _rounded(value: int) -> int:
    """Round up to two digits."""
    step = 10 ** max(0, math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


def circles(ladder: Ladder) -> str:
    """Say how many threes beat each other in a circle, and how many chance would bring."""
    standing = ladder.standing
    threes = math.comb(len(ladder.bots), 3)
    if threes == 0:
        return ""
    count = round(standing.cycles * threes)
    digits = 0 if threes <= 100 else 1
    low, high = (words.percent(end, digits) for end in (standing.cycles_low, standing.cycles_high))
    text = (
        f"{number(count)} of {plural(threes, 'three')} of bots ({words.percent(standing.cycles, digits)}) "
        f"{'beats' if count == 1 else 'beat'} each other in a circle. If strength were all there is, the noise of so many "
        f"deals would make it {low} to {high}: "
    )
    if standing.cycles > standing.cycles_high:
        text += "there are circles that chance does not explain, and a single number a bot cannot say all."
    elif count == 0:
        text += "no circle speaks against ranking them in one row."
    else:
        text += "no more than chance brings."
    scale = ladder.transitivity
    return text if scale is None else f"{text} {one_scale(scale, standing.cycles)}"


def one_scale(found: Transitivity, cycles: float) -> str:
    """Say how much of who beats whom one scale of strength explains, and whether that is less than noise would leave.

    It can be less without any circle: where one beats the next by little, that the one after by little, and the first the
    third by far.

    Parameters
    ----------
    found : Transitivity
    cycles : float
        Share of threes that beat each other in a circle.
    """
    digits = words.digits_of((found.high - found.low) / 2, "share")
    value, low, high = (words.percent(one, digits) for one in (found.value, found.low, found.high))
    if found.value >= found.low:
        beyond = "so nothing speaks against it"
    else:
        beyond = (
            "it is less than in all but 1 of 40 such ladders, so how far one is ahead seems to hang on whom it plays, and a single "
            "rating does not say all"
        )
        if cycles == 0:
            beyond += ", though no three beat each other in a circle"
    return (
        f"One scale of strength explains {value} of the log-odds of the duels; were it all there is, noise would make it {low} to "
        f"{high}: {beyond}."
    )


def fit(ladder: Ladder) -> str:
    """Say how well a single number a bot tells the duels."""
    standing = ladder.standing
    if len(standing.duels) < 2:
        return ""
    off = {pair: duel.value - standing.expected(*pair) for pair, duel in standing.duels.items()}
    i, j = max(off, key=lambda pair: abs(off[pair]))
    points = number(words.rounded_up(abs(off[i, j]) * 100, 1), 1)
    return (
        f"They tell the share of every duel to within {points} percentage points. Furthest off is {ladder.labels[i]} against "
        f"{ladder.labels[j]}: {words.percent(standing.expected(i, j))} by the ratings, {share(standing.duels[i, j])} found."
    )


def cheats(ladder: Ladder) -> str:
    """Name those that cheat."""
    names = [bot.name for bot in ladder.bots if bot.cheats]
    if not names:
        return ""
    return (
        f"{listed(names)} {'sees' if len(names) == 1 else 'see'} every card and all chance to come: "
        f"{'a yardstick' if len(names) == 1 else 'yardsticks'} of what luck leaves open, no player."
    )


def one_sided(ladder: Ladder) -> str:
    """Name the duels that went all one way."""
    found = [
        f"{ladder.labels[i]} against {ladder.labels[j]}"
        for (i, j), duel in sorted(ladder.standing.duels.items())
        if duel.one_sided
    ]
    if not found:
        return ""
    return (
        f"{listed(found)}. Such a duel only says how far apart the two are at the least: where no others tell more, so does "
        "the rating."
    )


def tiers(ladder: Ladder) -> str:
    """Say which duels have fewer deals than the others, if any."""
    if ladder.played.even:
        return ""
    names = [name for name, bot in zip(ladder.labels, ladder.bots, strict=True) if searches(bot)]
    fewer, most = number(ladder.played.search_deals), number(ladder.played.deals)
    return (
        f"All duels of {listed(names)} are of {fewer} deals, the first of the {most} that the other duels are of: "
        "searching takes long. In the ratings a duel weighs as much as it has deals."
    )


def few_deals(ladder: Ladder) -> str:
    """Warn of intervals that rest on too few deals."""
    if min(duel.deals for duel in ladder.standing.duels.values()) >= FEW_DEALS:
        return ""
    return (
        f"With {deals(ladder)}, the intervals of the ratings are too narrow; {FEW_DEALS} or more of each pair are needed, "
        "and better some hundreds."
    )


def partial(ladder: Ladder) -> str:
    """Say how far an interrupted ladder came; empty for a whole one."""
    if ladder.complete:
        return ""
    return f"Interrupted. Deals that every pair played, of those asked for: {of_asked(ladder)}. All numbers are of these alone."


def time_taken(microseconds: float) -> str:
    """Write a time with two digits and its unit."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= 0.995 * size:
            return f"{_two_digits(microseconds / size)} {unit}"
    return f"{_two_digits(microseconds)} µs"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"
