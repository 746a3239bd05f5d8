"""How far apart the bots of a fixed ladder are, and how many matches tell two of them apart."""

from __future__ import annotations

from typing import Any

from experiments.metrics import blocks, elo, intransitivity, ratings, sizes, skill, variance
from experiments.metrics.ratings import Standing
from experiments.play import duels
from experiments.play.sources import Duels, all_pairs
from experiments.report import gains, words
from experiments.report import intransitivity as intransitivity_words
from experiments.report.figures import Dots, Point
from experiments.stats import Estimate
from experiments.studies.skill.measures import Measure
from experiments.studies.skill.section import Answer, Finding, Number, Section, exactly, unlisted
from experiments.studies.skill.spec import Spec

_STEPS = (0.55, 0.6, 0.75)
"""How often the better must be ahead, for a rung."""

_SURE = (0.75, 0.95)


def read(spec: Spec, ahead: Any, squares: Any) -> Section:
    """Read the ladder.

    Parameters
    ----------
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
    numbers = [Number("rating", bot, rating, "Elo") for bot, rating in zip(order, rated, strict=True)]
    figure = Dots(
        "Rating (Elo points)",
        order,
        [""],
        [Point(row, 0, rating.value, rating.low, rating.high) for row, rating in enumerate(rated)],
        [(0.0, "mean")],
    )
    caution = (
        f"The spread depends on the game and on who plays it: this ladder ({words.listed(order[::-1])}) is the same for every draft of "
        "the game. Among equal players it is 0 in any game; do not compare it with spreads of people."
    )
    return Section(
        "ladder",
        "The ladder",
        [*lengths, *spread, *depth, *circles_, *gained],
        [*spread_numbers, *length_numbers, *depth_numbers, *circle_numbers, *numbers, *gain_numbers],
        caution,
        deals,
        figure,
        _answer(spec, length_numbers),
    )


def _answer(spec: Spec, lengths: list[Number]) -> Answer | None:
    """Return after how many matches the best leads the player of the other seats."""
    best, rival = spec.who.best, spec.who.others
    if best == rival:
        rival = spec.who.beginners[-1]
    numbers = {(number.what, number.of): number for number in lengths}
    share = numbers.get((f"{best} is ahead of", rival))
    if share is None:
        return None
    leader, led = (best, rival) if share.found.value >= 0.5 else (rival, best)
    games = numbers[f"matches until {leader} is ahead, {_SURE[0]:.0%} sure", led]
    ahead, count = words.percent(share.found.value), games.shown.value
    matches = f"{count} match{'' if count == '1' else 'es'}"
    if share.found.low <= 0.5 <= share.found.high:
        return Answer(
            "Skill",
            f"{best} and {rival} are too close to say which is better: {best} is ahead in {ahead} of cases.",
            f"{best} ahead of {rival} in {ahead}: too close to say",
        )
    ahead = words.percent(max(share.found.value, 1 - share.found.value))
    return Answer(
        "Skill",
        f"The better player leads after {matches} ({games.shown.interval}) with 75% certainty: {leader} is ahead of "
        f"{led} in {ahead} of cases.",
        f"{leader} leads {led} after {matches}",
    )


_Part = tuple[list[Finding], list[Number]]


def _spread(spec: Spec, shares: Any) -> _Part:
    size = len(spec.ladder)
    result = elo.ladder_spread(size, shares, seed=1)
    value, low, high = (elo.p_equivalent(s, size) for s in (result.s.value, result.s.low, result.s.high))
    spread = Number("Elo spread", "the ladder", result.s, "Elo")
    p = Number(
        "p-equivalent", "the ladder", Estimate(value, float("nan"), low, high, result.s.blocks), "share"
    )
    chance = Number("chance of a player one spread above", "the ladder", result.chance, "share")
    text = (
        f"The ratings spread by {spread.said} Elo points. That is as if the better player won {p.said} of matches for sure and a coin "
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
        f"The ladder is {whole.said} steps deep, where a step means being ahead in 75% of cases. Longest chains in which each is ahead of "
        "the next at least so often, for sure:"
    )
    return [Finding("Depth", text, told)], numbers


def _lengths(spec: Spec, shares: Any) -> _Part:
    """Tell after how many matches the better is ahead, of the best and each of the others on the ladder."""
    best, numbers, told = spec.who.best, [], []
    for column, (first, second) in zip(shares, all_pairs(spec.ladder), strict=True):
        if best not in (first, second):
            continue
        rival = second if first == best else first
        ahead = blocks.share(column if first == best else 1 - column)
        share = Number(f"{best} is ahead of", rival, ahead, "share")
        leader, led, lead = (best, rival, ahead) if ahead.value >= 0.5 else (rival, best, _other(ahead))
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
        if ahead.low <= 0.5 <= ahead.high:
            least = Number("", "", exactly(games[1].found.low, ahead.blocks), "games").said
            told.append(
                f"{best} against {rival}: too close to say which is better ({best} is ahead in {share.said}); to be 95% sure takes {least} "
                "matches or more."
            )
            continue
        told.append(
            f"{best} against {rival}: {best} is ahead in {share.said}. {leader} leads after {games[0].said} matches with 75% certainty, "
            f"after {games[1].said} with 95%."
        )
    text = (
        f"How many matches until the better player leads, of {best} and each other bot. Each match has a deal of its own; on the same "
        "deals it would take fewer."
    )
    return [Finding("Matches until the better leads", text, told)], numbers


def _circles(spec: Spec, shares: Any, cycles: float) -> _Part:
    if len(spec.ladder) < 3 or (shares == 0.5).all():
        return [], []
    result = intransitivity.transitivity(len(spec.ladder), shares, seed=1)
    what = "transitive share of the log-odds"
    numbers = [
        Number(what, "the ladder", exactly(result.value, result.deals), "share"),
        Number(
            f"{what} if one scale were all there is, low end", "", exactly(result.low, result.deals), "share"
        ),
        Number(
            f"{what} if one scale were all there is, high end",
            "",
            exactly(result.high, result.deals),
            "share",
        ),
    ]
    return [Finding("Rock-paper-scissors", intransitivity_words.told(result, cycles))], numbers


def _gain(spec: Spec, ahead: Any, squares: Any) -> _Part:
    """Tell what it saves to play each deal in all seats, for every duel."""
    first, second = (spec.bot(name) for name in spec.ladder[:2])
    matches = duels.seatings(duels.lineups(spec.draft.players, first, second))
    saved = {
        f"{name} against {other}": variance.duplicate_gain(ahead[:, number], squares[:, number], matches)
        for number, (name, other) in enumerate(all_pairs(spec.ladder))
    }
    text = gains.of_seatings(list(saved.values()), "duel")
    return ([Finding("Same deals", text)] if text else []), unlisted(gains.SEATINGS, saved)


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
    source=lambda spec: Duels(spec.setting, all_pairs(spec.ladder), squares=True),
    read=read,
)
