"""The player of Daifugō whose weights are trained for a draft."""

from __future__ import annotations

from strategies.daifugo.heuristic import WEIGHTS, heuristic
from strategies.weights import Trainable, register, steps

register(
    Trainable(
        "daifugo",
        heuristic,
        None,
        WEIGHTS,
        steps(WEIGHTS, count=0.4, crowd=0.4, wide=0.2, patience=0.2),
        unseen=("games",),
    )
)
