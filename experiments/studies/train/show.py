"""A training as text for a terminal."""

from __future__ import annotations

import textwrap
from pathlib import Path

from experiments.metrics.ratings import Duel
from experiments.report.words import percent, plural
from experiments.studies.train import store as training_store
from experiments.studies.train.play import Trained


def lines(trained: Trained, width: int, out: Path | None) -> list[str]:
    """Return a training as lines of about `width` columns.

    Parameters
    ----------
    trained : Trained
    width : int
    out : Path or None
        Where its weights were written.
    """
    spec = trained.spec
    found = _wrapped(head(trained), width)
    found += _wrapped(f"  {result(trained)}", width)
    found += _wrapped(f"  weights: {_weights(trained)}", width)
    if out is not None:
        found.append(f"weights: {out}")
        found.append(f"play it: {training_store.trial(spec, out)}")
    else:
        found.append(f"again: {training_store.command(spec, trained.generations)}")
    return found


def head(trained: Trained) -> str:
    """Say what was trained."""
    spec = trained.spec
    partial = "" if trained.complete else f" (partial: interrupted, {spec.generations} were planned)"
    return (
        f"{spec.draft.label}: trained in {plural(trained.generations, 'generation')}{partial} of "
        f"{trained.size} players, {plural(spec.deals, 'deal')} each, seed {spec.seed}, "
        f"{trained.seconds / 60:.1f} minutes"
    )


def result(trained: Trained) -> str:
    """Say how good it is."""
    spec, deals = trained.spec, len(trained.score.by_deal)
    ahead, wins = _share(trained.score), _share(trained.wins)
    fair = 1 / spec.draft.players
    if not spec.against:
        return (
            f"it finishes ahead of {trained.opponent} in {ahead} of cases, and wins {wins} of matches, half the seats "
            f"each ({plural(deals, 'fresh deal')}; equals: 50%, {percent(fair)})"
        )
    low, high = trained.wins.interval()
    others = plural(spec.draft.players - 1, "player")
    if low > fair:
        verdict = (
            f"{spec.against} can be exploited: by {100 * (trained.wins.value - fair):.1f} "
            f"[{100 * (low - fair):.1f}, {100 * (high - fair):.1f}] points of the win share or more"
        )
    else:
        verdict = (
            f"no way to exploit {spec.against} was found: the win share is not clearly above {percent(fair)}"
        )
    return (
        f"against {others} {spec.against} it wins {wins} where equals win {percent(fair)}, and finishes ahead of one in "
        f"{ahead} of cases ({plural(deals, 'fresh deal')}): {verdict}"
    )


def _share(duel: Duel) -> str:
    low, high = duel.interval()
    return f"{percent(duel.value)} [{percent(low)}, {percent(high)}]"


def _weights(trained: Trained) -> str:
    start = trained.spec.start
    return ", ".join(f"{name} {start[name]:g} -> {value:g}" for name, value in trained.values.items())


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text, width, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False
    )
