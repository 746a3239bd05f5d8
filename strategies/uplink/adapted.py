"""The player of Uplink whose weights are trained for a draft."""

from __future__ import annotations

from strategies.uplink.heuristic import WEIGHTS, heuristic
from strategies.weights import Trainable, register, steps

register(Trainable("uplink", heuristic, None, WEIGHTS, steps(WEIGHTS, late=0.5, lead=1.0)))
