"""What several test files need: drafts from tables, the chance of the engine, checks of a position."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from sim import bots, cards, drafts, registry, rng
from sim.batch import Batch, Totals
from sim.drafts import Draft
from sim.table import Table
from tests.reference import uplink as twin

ROOT = Path(__file__).resolve().parent.parent
UPLINK = registry.find("uplink")
ENGINE = UPLINK.engine
RULES_KEYS = tuple(twin.DEFAULT_RULES)


# ---- drafts ---------------------------------------------------------------------------------------------


def draft_of(rules: dict[str, Any] | None = None, points: dict[str, int] | None = None) -> Draft:
    """Return an Uplink draft with some options set."""
    tables: dict[str, Any] = {"rules": rules or {}, "points": points or {}}
    return Draft("uplink", "test", "", drafts.complete("uplink", tables, "test"))


def dealable(rules: dict[str, Any]) -> bool:
    """Tell whether the deals can be made: the table "Deals that are refused" of RULES.md, line by line."""
    n, h, games, left = (rules[key] for key in ("players", "hand_size", "games", "left_behind"))
    lines: list[bool] = []
    if rules["variant"] == "personal_decks":
        lines.append((h if games == 1 else 2 * h) + 1 <= 13)
        if games >= 3:
            lines.append((h if games == 3 else 2 * h) + left + 1 <= 13)
    else:
        lines.append(n * ((h if games == 1 else 2 * h) + 1) <= 52)
        if games >= 3:
            lines.append(n - 1 + left + (h if games == 3 else 2 * h) * n <= 52)
    return left <= n and all(lines)


def odd_points(dice: random.Random) -> dict[str, int]:
    """Return a points table by rank and by card, with entries of small, large, negative and equal worth."""
    limit = dice.choice([1, 5, 60, 999])
    keys = [*dice.sample(cards.RANKS, dice.randint(0, 13)), *dice.sample(cards.NAMES, dice.randint(0, 12))]
    return {key: dice.randint(-limit, limit) for key in keys}


# ---- the engine's chance, for the twin ------------------------------------------------------------------


def new_stream(*start: int) -> Any:
    """Return a `STREAM` record, opened at (seed, index, purpose, part) if they are given."""
    stream = np.zeros(1, rng.STREAM)[0]
    if start:
        rng.open_stream(stream, *start)
    return stream


def _shuffled(numbers: Iterable[int], seed: int, deal: int, part: int) -> list[str]:
    order = np.array(list(numbers), dtype=np.int64)
    rng.shuffle(new_stream(seed, deal, rng.DEAL, part), order, len(order))
    return [cards.NAMES[int(number)] for number in order]


def twin_match(draft: Draft, seed: int, deal: int) -> twin.Match:
    """Return the twin of ``Table(draft, seed=seed, deal=deal)``, with the same chance."""

    def pack_order(cycle: int) -> list[str]:
        return _shuffled(range(52), seed, deal, cycle)

    def deck_order(cycle: int, seat: int) -> list[str]:
        return [name for name in pack_order(cycle) if name[0] == cards.SUITS[seat]]

    return twin.Match(draft.tables(), pack_order, deck_order)


# ---- positions ------------------------------------------------------------------------------------------


def deck_rows(state: Any) -> list[list[int]]:
    """Return the undealt cards of each deck in order."""
    return [
        [int(card) for card in state["decks"][row][state["dealt"][row] : state["deck_size"][row]]]
        for row in range(len(state["deck_size"]))
    ]


def owned(draft: Draft) -> int:
    """Return the cards in play as a mask: the pack, or the suits that have an owner."""
    if draft.options.rules.variant == "none":
        return cards.PACK
    return sum(cards.suit_mask(seat) for seat in range(draft.players))


def assert_conserved(state: Any, draft: Draft) -> None:
    """Check that every card is in exactly one place."""
    view = state["view"]
    places = [int(view["field"]), int(view["trick_cards"]), int(view["out"])]
    places += [int(state["hands"][seat]) for seat in range(4)]
    places += [int(view["piles"][seat]) for seat in range(4)]
    everything = 0
    count = 0
    for place in places:
        everything |= place
        count += place.bit_count()
    for row in deck_rows(state):
        count += len(row)
        everything |= cards.mask_of(row)
    assert everything == owned(draft), cards.text(everything ^ owned(draft))
    assert count == owned(draft).bit_count(), "a card is in two places"
    assert int(view["stock"]) == sum(len(row) for row in deck_rows(state))
    for seat in range(draft.players):
        assert int(view["held"][seat]) == int(state["hands"][seat]).bit_count()


def random_move(table: Table, dice: random.Random) -> int:
    """Return one of the legal moves."""
    return int(ENGINE.nth_move(table.state["view"], table.rules, dice.randrange(table.count_moves())))


def play_out(table: Table, dice: random.Random) -> None:
    """Play a table to its end at random, with every card accounted for after each move."""
    while not table.over:
        table.apply(random_move(table, dice))
        assert_conserved(table.state, table.draft)


# ---- chance ---------------------------------------------------------------------------------------------


def chi_square_p(
    counts: Sequence[int] | Any, expected: Sequence[float] | float, freedom: int | None = None
) -> float:
    """Return the p value of counts against what was expected of them."""
    observed = np.asarray(counts, dtype=float)
    wanted = np.broadcast_to(np.asarray(expected, dtype=float), observed.shape)
    statistic = float(((observed - wanted) ** 2 / wanted).sum())
    return float(stats.chi2.sf(statistic, observed.size - 1 if freedom is None else freedom))


# ---- runs -----------------------------------------------------------------------------------------------


def same_totals(one: Totals, other: Totals) -> bool:
    """Tell whether two runs counted the same, time aside."""
    return (
        one.keys == other.keys
        and bool((one.sums == other.sums).all())
        and one.scores == other.scores
        and one.labels == other.labels
        and np.array_equal(one.kept, other.kept)
        and (one.blocks, one.matches) == (other.blocks, other.matches)
    )


def replayed(the_batch: Batch, match: int) -> tuple[Table, int, int]:
    """Play one match of a batch by hand: the table, its decisions and how many legal moves they had."""
    players, turn = the_batch.draft.players, match % the_batch.period
    table = Table(the_batch.draft, seed=the_batch.seed, deal=match // the_batch.period)
    records = bots.players(the_batch.lineup, the_batch.draft.record())
    seats = []
    for seat in range(players):
        slot = (seat - turn) % players
        rng.open_stream(records[slot]["stream"], the_batch.seed, match, rng.SEAT, seat)
        seats.append((bots.compiled(the_batch.lineup[slot]), records[slot]))
    decisions = branching = 0
    while not table.over:
        decide, me = seats[table.to_move]
        decisions, branching = decisions + 1, branching + table.count_moves()
        table.apply(int(decide(table.view(), table.rules, me)))
    return table, decisions, branching


# ---- other processes ------------------------------------------------------------------------------------


def run_python(code: str, cwd: Path = ROOT, **environment: str | None) -> str:
    """Run Python code in a process of its own and return what it prints; None removes a variable."""
    env = {**os.environ, "PYTHONPATH": str(cwd)}
    for name, value in environment.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
