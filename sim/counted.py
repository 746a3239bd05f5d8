"""What the columns of a batch's rows are read as: the measures that a run reports, and their keys."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from sim import loop, registry
from sim.drafts import Draft
from sim.moments import Measure, Measures


def measures_of(draft: Draft, names: list[str]) -> Measures:
    """List what a run of a draft reports, by the bots' names.

    Keys are tuples: ``("win" | "score", "seat", seat)``, ``(…, "bot", name)``, ``(…, "cell", name, seat)``,
    ``("ties",)``, ``("decisions",)``, ``("branching",)``; of a game's own counts ``("event", name, place)``,
    and of those counted by seat ``("event", name, seat, place)`` and ``("bot_event", name, bot, place)``.
    """
    games = float(draft.options.counted_games)
    players, cells = draft.players, len(names) * draft.players
    plays = np.arange(cells).reshape(len(names), players) + loop.FIXED
    win = games * registry.find(draft.game).engine.WIN
    found: list[Measure] = []
    for kind, shift, scale in (("win", cells, win), ("score", 2 * cells, games)):
        groups: list[tuple[tuple[Any, ...], Any]] = [
            (("seat", seat), plays[:, seat]) for seat in range(players)
        ]
        groups += [(("bot", name), plays[number]) for number, name in enumerate(names)]
        for number, name in enumerate(names if len(names) > 1 else []):
            groups += [(("cell", name, seat), plays[number, seat]) for seat in range(players)]
        for key, chosen in groups:
            found.append(Measure((kind, *key), _columns(chosen + shift), _columns(chosen), scale))
    found.append(Measure(("ties",), (loop.TIES,), (loop.MATCHES,)))
    found.append(Measure(("decisions",), (loop.DECISIONS,), (loop.MATCHES,)))
    found.append(Measure(("branching",), (loop.BRANCHING,), (loop.DECISIONS,)))
    return Measures(
        [*found, *_event_measures(draft, games, cells), *_seat_event_measures(draft, names, games, plays)]
    )


def _columns(chosen: Any) -> tuple[int, ...]:
    return tuple(int(column) for column in np.ravel(chosen))


def _event_measures(draft: Draft, games: float, cells: int) -> Iterator[Measure]:
    """Yield the measures of what a game counts for the match."""
    state = registry.find(draft.game).state
    column = loop.FIXED + (loop.CELL_ITEMS + state.SEAT_TALLY_SIZE) * cells
    for event in state.EVENTS:
        side = math.isqrt(event.length)
        for number, place in enumerate(event.places(draft.players)):
            denominator: tuple[int, ...] = (loop.MATCHES,)
            if event.kind == "share":
                denominator = tuple(range(column, column + event.length))
            elif event.kind == "rows":
                first = column + place // side * side
                denominator = tuple(range(first, first + side))
            scale = games if event.kind == "mean" else 1.0
            yield Measure(("event", event.name, number), (column + place,), denominator, scale)
        column += event.length


def _seat_event_measures(draft: Draft, names: list[str], games: float, plays: Any) -> Iterator[Measure]:
    """Yield the measures of what a game counts for each seat, by seat and by bot."""
    cells = plays.size
    first = loop.CELL_ITEMS
    for event in registry.find(draft.game).state.SEAT_EVENTS:
        for place in event.places(draft.players):
            shift = (first + place) * cells
            everything = (first + np.arange(event.length)) * cells
            by_seat = [(("event", event.name, seat, place), plays[:, seat]) for seat in range(draft.players)]
            by_bot = [
                (("bot_event", event.name, name, place), plays[number]) for number, name in enumerate(names)
            ]
            for key, chosen in [*by_seat, *by_bot]:
                denominator = _columns(chosen)
                if event.kind == "share":
                    denominator = _columns(np.add.outer(everything, np.ravel(chosen)))
                elif event.kind == "split":
                    denominator = _columns(plays + shift)
                scale = games if event.kind == "mean" else 1.0
                yield Measure(key, _columns(chosen + shift), denominator, scale)
        first += event.length
