"""How far the scores of two drafts lie apart, in words, for the page and the terminal."""

from __future__ import annotations

from experiments.metrics.scores import Distance, Distances
from experiments.play.matches import Run
from experiments.report.words import letter, number, percent, plural, show
from experiments.studies.compare import distances

_LEAST_P = 0.001


def heading(run: Run, found: Distances) -> str:
    """Say what is told, for the terminal; `METHOD` says the rest."""
    return f"how far the {_scores(run)} lie apart, over {_deals(run, found)} (not judged):"


METHOD = (
    "Distances of distributions are no claims and get no verdict. Points to move: how far a score has to move on average to "
    "turn one distribution into the other (Wasserstein); greatest gap: of the shares of scores up to some score (Kolmogorov). "
    "Noise alone stays below the number in parentheses in 95 of 100 cases. A difference of means, paired by deal, shows with "
    "fewer deals."
)


def verdict(one: Distance) -> str:
    """Say whether noise alone may be all there is, for a table."""
    return "beyond noise" if one.beyond_noise else "within noise"


def finding(base: Run, run: Run, found: Distances) -> tuple[str, list[str]]:
    """Say for the page how far the scores of a draft lie from those of the first: what is told, and both distances."""
    first, second, scores = letter(base.number), letter(run.number), _scores(run)
    points, share = found.wasserstein, found.kolmogorov
    over = f"over all seats and {_deals(run, found)}{_unpaired(base, run)}"
    if points.value.value == 0:
        return f"The {scores} of {first} and {second} came out distributed alike, {over}.", []
    moved, gap = show(points.value, "mean"), show(share.value, "share")
    text = (
        f"How far the {scores} of {first} and {second} lie apart, {over}. This is not among the claims and gets no verdict; a "
        "difference of means, paired by deal, shows with fewer deals."
    )
    moves = (
        f"To turn the one distribution into the other, a score has to move by {moved.value} points on average "
        f"({moved.interval}): {_against_noise(points, number(points.alike, _decimals(moved.value)))}."
    )
    differs = (
        f"The share of {scores} up to some score differs by {_pp(gap.value)} at the most ({_pp(gap.interval)}): "
        f"{_against_noise(share, _pp(percent(share.alike, _decimals(gap.value))))}."
    )
    return text, [moves, differs]


def _against_noise(one: Distance, limit: str) -> str:
    more = "more than noise" if one.beyond_noise else "no more than noise"
    p = f"p < {_LEAST_P}" if one.p < _LEAST_P else f"p = {one.p:.2g}"
    return f"{more}, which alone stays below {limit} in 95 of 100 cases ({p})"


def _deals(run: Run, found: Distances) -> str:
    deals = found.wasserstein.value.blocks
    return f"{'the first ' if deals < run.totals.blocks else ''}{plural(deals, 'deal')}"


def _unpaired(base: Run, run: Run) -> str:
    if distances.are_paired(base, run):
        return ""
    return f", not paired since there are {run.draft.players} players instead of {base.draft.players}"


def _scores(run: Run) -> str:
    return "totals of a match" if run.by_game else "scores"


def _pp(text: str) -> str:
    """Write a difference of shares in percentage points."""
    return text.replace("%", "\N{NO-BREAK SPACE}pp")


def _decimals(text: str) -> int:
    return len(text.rstrip("%").partition(".")[2])
