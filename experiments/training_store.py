"""What a training leaves: a small file of weights that can be read, and the numbers behind it."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

from experiments import folders, stats, store
from experiments.ratings import Duel
from experiments.training import Spec, Trained
from sim import drafts, registry
from sim.drafts import Draft, toml_tables
from strategies import weights

_SCORE_DIGITS = 5


def file_name(draft: Draft) -> str:
    """Return what the file of a draft is called, without its ending."""
    return store.as_folder(draft.label)


def summary(trained: Trained) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    spec = trained.spec
    return {
        "game": spec.draft.game,
        "draft": spec.draft.label,
        "players": spec.draft.players,
        "against": trained.opponent,
        "table_of_it": bool(spec.against),
        "training": _training(trained),
        "complete": trained.complete,
        "confidence": stats.CONFIDENCE,
        "ahead": _number(trained.score),
        "win_share": _number(trained.wins),
        "fair_win_share": 1 / spec.draft.players,
        "score_deals": len(trained.score.by_deal),
        "weights": trained.values,
        "seconds": trained.seconds,
    }


def _number(duel: Duel) -> dict[str, float]:
    low, high = duel.interval()
    return {"value": duel.value, "low": low, "high": high}


def _training(trained: Trained) -> dict[str, Any]:
    """Return what the weights depend on."""
    spec = trained.spec
    return {
        "seed": spec.seed,
        "generations": trained.generations,
        "players": trained.size,
        "deals": spec.deals,
        "champions": trained.champions,
        "rules_version": registry.find(spec.draft.game).state.RULES_VERSION,
        "tefuda": metadata.version("tefuda"),
        "command": command(spec, trained.generations),
    }


def command(spec: Spec, generations: int) -> str:
    """Return the command that trains the same player again."""
    draft = f"{spec.draft.game}/{spec.draft.name}"
    if spec.draft.name not in drafts.shipped(spec.draft.game):
        draft = "DRAFT.toml"
    words = ["tefuda", "probe" if spec.against else "train", draft]
    words += [spec.against] if spec.against else []
    words += [f"--set {change}" for change in spec.draft.changes]
    words += [f"--generations {generations}", f"--deals {spec.deals}", f"--seed {spec.seed}"]
    words += [f"--bots {spec.bots_file}"] if spec.bots_file is not None else []
    return " ".join(words)


def write(trained: Trained, path: Path) -> None:
    """Write the weights of a trained player as a file that `strategies.weights.read` takes.

    Raises
    ------
    UserError
        If it cannot be written.
    """
    draft = trained.spec.draft
    low, high = trained.score.interval()
    score = {
        "against": trained.opponent,
        "ahead": round(trained.score.value, _SCORE_DIGITS),
        "interval": [round(low, _SCORE_DIGITS), round(high, _SCORE_DIGITS)],
        "deals": len(trained.score.by_deal),
    }
    head = {"format": weights.FORMAT, "game": draft.game, "name": draft.name}
    tables = {"training": _training(trained), "score": score, "weights": trained.values}
    about = "`score`: how often it finishes ahead, over fresh deals. `draft`: the rules it was trained for."
    lines = [
        f"# A player trained by play. {about}",
        *toml_tables({"": head})[2:],
        *toml_tables(tables),
        *toml_tables(draft.tables(), "draft."),
    ]
    folders.write_file(path, "\n".join(lines) + "\n")
