"""What a training leaves: a small file of weights that can be read, and the numbers behind it."""

from __future__ import annotations

import shlex
from importlib import metadata
from pathlib import Path
from typing import Any

from experiments import stats
from experiments.metrics.ratings import Duel
from experiments.store import folders, frames, manifests
from experiments.store.frames import Frames
from experiments.store.tables import Stored
from experiments.studies.train.play import SCORE, WEIGHTS, Trained
from experiments.studies.train.spec import Spec
from sim import drafts, registry
from sim.drafts import Draft, toml_tables
from strategies import weights

_SCORE_DIGITS = 5


def file_name(draft: Draft) -> str:
    """Return what the file of a draft is called, without its ending."""
    return folders.as_name(draft.label)


def summary(trained: Trained) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    spec = trained.spec
    return {
        "game": spec.draft.game,
        "draft": spec.draft.label,
        "players": spec.draft.players,
        "against": trained.opponent,
        "table_of_it": bool(spec.against),
        "training": _training(trained, whole=True),
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


def _training(trained: Trained, *, whole: bool) -> dict[str, Any]:
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
        "command": command(spec, trained.generations, whole=whole),
    }


def command(spec: Spec, generations: int, *, whole: bool = True) -> str:
    """Return the command that trains the same player again, ready for a shell.

    Parameters
    ----------
    whole : bool
        False to name files without their folders, which are nobody else's business.
    """
    words = ["tefuda", "probe" if spec.against else "train", _source(spec, whole)]
    words += [spec.against] if spec.against else []
    words += _options(spec, whole)
    words += ["--generations", str(generations), "--deals", str(spec.deals), "--seed", str(spec.seed)]
    return shlex.join(words)


def trial(spec: Spec, weights_file: Path) -> str:
    """Return the command that plays a draft with the player trained for it among `heuristic`, ready for a shell."""
    lineup = ",".join([str(weights_file), *[weights.BEGINNING] * (spec.draft.players - 1)])
    return shlex.join(["tefuda", "run", _source(spec, True), *_options(spec, True), "--lineup", lineup])


def _source(spec: Spec, whole: bool) -> str:
    """Return the draft as it was named."""
    game, name = spec.draft.game, spec.draft.name
    if spec.source in ("", *(f"{game}/{shipped}" for shipped in drafts.shipped(game))):
        return spec.source or f"{game}/{name}"
    return spec.source if whole else Path(spec.source).name


def _options(spec: Spec, whole: bool) -> list[str]:
    """Return what was changed in the draft, and the user's own file."""
    # Changes behind a colon are part of how the draft was named.
    changes = [change for change in spec.draft.changes if change not in spec.source]
    words = [word for change in changes for word in ("--set", change)]
    if spec.bots_file is not None:
        words += ["--bots", str(spec.bots_file) if whole else spec.bots_file.name]
    return words


def read(path: Path) -> Frames:
    """Read a file that `write` wrote: its tables, and how it was made as their manifest.

    Raises
    ------
    UserError
        If it is none.
    """
    _, player = weights.read(path)
    data = drafts.read_toml(path)
    with manifests.reading(str(path)):
        score, (low, high) = data["score"], data["score"]["interval"]
        numbers = {"ahead": score["ahead"], "low": low, "high": high}
        if (
            any(type(value) not in (int, float) for value in numbers.values())
            or type(score["deals"]) is not int
        ):
            raise KeyError("score")
        row = {"against": str(score["against"]), **numbers, "deals": score["deals"]}
        about = {name: data[name] for name in ("game", "name", "training")}
    rows = [{"weight": name, "value": value} for name, value in player.values.items()]
    return frames.of([Stored(WEIGHTS, rows), Stored(SCORE, [row])], about)


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
    tables = {"training": _training(trained, whole=False), "score": score, "weights": trained.values}
    about = "`score`: how often it finishes ahead, over fresh deals. `draft`: the rules it was trained for."
    lines = [
        f"# A player trained by play. {about}",
        *toml_tables({"": head})[2:],
        *toml_tables(tables),
        *toml_tables(draft.tables(), "draft."),
    ]
    folders.write_file(path, "\n".join(lines) + "\n")
