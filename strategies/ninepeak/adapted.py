"""The player of 9 Peak whose weights are trained for a draft."""

from __future__ import annotations

from strategies.ninepeak.heuristic import heuristic
from strategies.ninepeak.plan import WEIGHTS, prepare
from strategies.weights import Trainable, register, steps

register(Trainable("ninepeak", heuristic, prepare, WEIGHTS, steps(WEIGHTS)))
