"""How far apart the bots of a fixed ladder are, and how many matches tell two of them apart."""

from __future__ import annotations

from typing import Any

from experiments.metrics import blocks, elo, intransitivity, sizes, skill, variance
from experiments.play import duels
from experiments.play.sources import Duels, all_pairs
from experiments.report import gains, words
from experiments.report.figures import Dots, Point
from experiments.report.findings import Finding
from experiments.stats import Estimate
from experiments.studies.ladder import ratings
from experiments.studies.ladder import words as ladder_words
from experiments.studies.ladder.ratings import Standing
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Number, Section, exactly, unlisted
from experiments.studies.skill.spec import Spec

_STEPS = (0.55, 0.6, 0.75)
"""How often the better must be ahead, for a rung."""

_SURE = (0.75, 0.95)


def read(spec: Spec, ahead: Any, squares: Any) -> Section:
    """Read the ladder.

    Parameters
    ----------
    spec : Spec
    ahead : float array, shape (deals, pairs)
        Of `all_pairs` of the ladder, how often the first is ahead.
    squares : float array, shape (deals, pairs)
        Of the same in the single matches of a deal, the mean of the squares.
    """
    names, deals = spec.ladder, len(ahead)
    shares = ahead.T
    standing = ratings.rate(len(names), shares, seed=1)
    spread, spread_numbers = _spread(spec, shares)
    depth, depth_numbers = _depth(spec, standing, shares)
    lengths, length_numbers = _lengths(spec, shares)
    circles_, circle_numbers = _circles(spec, shares, standing.cycles)
    gained, gain_numbers = _gain(spec, ahead, squares)
    order = [names[number] for number in standing.order]
    rated = [
        Estimate(float(value), float("nan"), float(low), float(high), deals)
        for value, low, high in zip(standing.ratings, standing.low, standing.high, strict=True)
    ]
    numbers = [Number("rating", bot, one, "Elo") for bot, one in zip(order, rated, strict=True)]
    figure = Dots(
        "Rating (Elo points)",
        order,
        [""],
        [Point(row, 0, one.value, one.low, one.high) for row, one in enumerate(rated)],
        [(0.0, "mean")],
    )
    caution = (
        f"The spread is one of the game and of who plays it: of this ladder ({words.listed(order[::-1])}), which is the same "
        "for every draft of the game. Among equals it is 0 in any game; do not set it beside spreads of people."
    )
    return Section(
        "ladder",
        "The ladder",
        [*lengths, *spread, *depth, *circles_, *gained],
        [*spread_numbers, *length_numbers, *depth_numbers, *circle_numbers, *numbers, *gain_numbers],
        caution,
        deals,
        figure,
    )


_Part = tuple[list[Finding], list[Number]]


def _spread(spec: Spec, shares: Any) -> _Part:
    size = len(spec.ladder)
    found = elo.ladder_spread(size, shares, seed=1)
    value, low, high = (elo.p_equivalent(s, size) for s in (found.s.value, found.s.low, found.s.high))
    spread = Number("Elo spread", "the ladder", found.s, "Elo")
    p = Number(
        "p-equivalent", "the ladder", Estimate(value, float("nan"), low, high, found.s.blocks), "share"
    )
    chance = Number("chance of a player one spread above", "the ladder", found.chance, "share")
    text = (
        f"The ratings spread by {spread.said} Elo points. As much as if in {p.said} of matches the better won for sure and a coin "
        "decided the rest (p-equivalent)."
    )
    return [Finding("Spread", text)], [spread, p, chance]


def _depth(spec: Spec, standing: Standing, shares: Any) -> _Part:
    names = spec.ladder
    whole = Number("depth in rungs of 75%", "the ladder", skill.depth(len(names), shares, seed=1), "number")
    numbers, told = [whole], []
    for step in _STEPS:
        chain = [names[standing.order[place]] for place in skill.rungs(standing, step)]
        count = len(chain) - 1
        numbers.append(
            Number(f"steps of {step:.0%} or more", "the ladder", exactly(count, shares.shape[1]), "number")
        )
        told.append(f"{step:.0%}: {' > '.join(chain) if count else 'none'}")
    text = (
        f"From the weakest to the strongest it is {whole.said} rungs, a rung being what makes one ahead in 75% of cases. Longest "
        "rows in which each is ahead of the next at least so often, by the lower ends of the intervals of all duels at once:"
    )
    return [Finding("Depth", text, told)], numbers


def _lengths(spec: Spec, shares: Any) -> _Part:
    """Tell after how many matches the better is ahead, of the best and each of the others on the ladder."""
    best, numbers, told = spec.players.best, [], []
    for column, (one, other) in zip(shares, all_pairs(spec.ladder), strict=True):
        if best not in (one, other):
            continue
        rival = other if one == best else one
        found = blocks.share(column if one == best else 1 - column)
        share = Number(f"{best} is ahead of", rival, found, "share")
        leader, led, lead = (best, rival, found) if found.value >= 0.5 else (rival, best, _other(found))
        games = [
            Number(
                f"matches until {leader} is ahead, {sure:.0%} sure",
                led,
                _estimate(sizes.games_until_ahead(lead, sure)),
                "games",
            )
            for sure in _SURE
        ]
        numbers += [share, *games]
        if found.low <= 0.5 <= found.high:
            least = Number("", "", exactly(games[1].found.low, found.blocks), "games").said
            told.append(
                f"{rival}: {best} is ahead in {share.said}: which is better, if any, is not seen, and it takes {least} matches or "
                "more to be 95% sure."
            )
            continue
        told.append(
            f"{rival}: {best} is ahead in {share.said}; after {games[0].said} matches {leader} has won more of them with 75% "
            f"certainty, after {games[1].said} with 95%."
        )
    text = (
        f"How many matches it takes until the better of two, {best} and one other, has been ahead more often than not. Cards are "
        "dealt anew for each match; on shared deals it would take fewer."
    )
    return [Finding("Matches to tell", text, told)], numbers


def _circles(spec: Spec, shares: Any, cycles: float) -> _Part:
    if len(spec.ladder) < 3 or (shares == 0.5).all():
        return [], []
    found = intransitivity.transitivity(len(spec.ladder), shares, seed=1)
    what = "transitive share of the log-odds"
    numbers = [
        Number(what, "the ladder", exactly(found.value, found.deals), "share"),
        Number(
            f"{what} if one scale were all there is, low end", "", exactly(found.low, found.deals), "share"
        ),
        Number(
            f"{what} if one scale were all there is, high end", "", exactly(found.high, found.deals), "share"
        ),
    ]
    return [Finding("Circles", ladder_words.one_scale(found, cycles))], numbers


def _gain(spec: Spec, ahead: Any, squares: Any) -> _Part:
    """Tell what it saves to play each deal in all seats, for every duel."""
    first, second = (spec.bot(name) for name in spec.ladder[:2])
    matches = duels.seatings(duels.lineups(spec.draft.players, first, second))
    found = {
        f"{one} against {other}": variance.duplicate_gain(ahead[:, number], squares[:, number], matches)
        for number, (one, other) in enumerate(all_pairs(spec.ladder))
    }
    text = gains.of_seatings(list(found.values()), "duel")
    return ([Finding("Same deals", text)] if text else []), unlisted(gains.SEATINGS, found)


def _other(share: Estimate) -> Estimate:
    """Return the share of the other of two."""
    return Estimate(1 - share.value, share.se, 1 - share.high, 1 - share.low, share.blocks)


def _estimate(games: sizes.Games) -> Estimate:
    low, high = sorted((games.low, games.high))
    return Estimate(games.value, float("nan"), low, high, games.blocks)


MEASURE = Measure(
    name="ladder",
    rank=1,
    part=4.0,
    each=100.0,
    most=5_000,
    applies=lambda spec: len(spec.ladder) > 1,
    source=lambda spec: Duels(spec, all_pairs(spec.ladder), squares=True),
    read=read,
)
