"""What there is to say of a training: how much stronger the player became, or how far a bot can be exploited."""

from __future__ import annotations

from experiments.metrics.ratings import Duel
from experiments.report.sections import Report, Row, Section, Table
from experiments.report.words import number, percent, plural
from experiments.studies.train.play import Trained


def report(trained: Trained) -> Report:
    """Return what there is to say of a training."""
    spec = trained.spec
    start = spec.start
    weights = Table(
        "Weights",
        ["Weight", "Before", "After"],
        [Row(name, [f"{start[name]:g}", f"{value:g}"]) for name, value in trained.values.items()],
    )
    return Report(
        kicker="Probing a bot" if spec.against else "Training a player",
        title=f"{spec.draft.label}: {f'can {spec.against} be exploited?' if spec.against else 'a player trained by play'}",
        headline=headline(trained),
        figure=None,
        facts=[
            ("Draft", spec.draft.label),
            (
                "Generations",
                f"{number(trained.generations)} of {trained.size} players, {plural(spec.deals, 'deal')} each",
            ),
            ("Seed", str(spec.seed)),
            ("Time", f"{trained.seconds / 60:.1f} minutes"),
        ],
        sections=[Section("weights", "What was learned", tables=[weights])],
        terms=[("Ahead", "How often a player has more points at the end than another; ties count half.")],
        partial=""
        if trained.complete
        else f"Interrupted: {number(spec.generations)} generations were planned.",
        notes=spec.draft.notes,
    )


def headline(trained: Trained) -> list[str]:
    """Say how good the player is on deals that nothing was chosen by."""
    spec, deals = trained.spec, plural(len(trained.score.by_deal), "fresh deal")
    ahead, wins, fair = _share(trained.score), _share(trained.wins), 1 / spec.draft.players
    if spec.against:
        return [_exploited(trained), f"It finishes ahead of one of them in {ahead} of cases ({deals})."]
    low, high = trained.score.interval()
    better = (
        "is stronger than"
        if low > 0.5
        else "is weaker than"
        if high < 0.5
        else "is not clearly stronger than"
    )
    return [
        f"The trained player {better} {trained.opponent}: it finishes ahead in {ahead} of cases (equals: 50%).",
        f"With half the seats each it wins {wins} of matches (equals: {percent(fair)}), over {deals}.",
    ]


def _exploited(trained: Trained) -> str:
    """Say by how much a bot can be exploited at least."""
    spec, fair = trained.spec, 1 / trained.spec.draft.players
    low, high = trained.wins.interval()
    others = f"{plural(spec.draft.players - 1, 'player')} {spec.against}"
    if low <= fair:
        return (
            f"No way to exploit {spec.against} was found: against {others} the trained player wins {_share(trained.wins)}, not clearly "
            f"more than a fair {percent(fair)}."
        )
    gain, least, most = (number(100 * (value - fair), 1) for value in (trained.wins.value, low, high))
    return (
        f"{spec.against} can be exploited: against {others} the trained player wins {percent(trained.wins.value)} instead of "
        f"{percent(fair)}, {gain} points more ({least} to {most}), and a better player may win more still."
    )


def _share(duel: Duel) -> str:
    low, high = duel.interval()
    return f"{percent(duel.value)} ({percent(low)} to {percent(high)})"
