"""The bench: what it measures adds up; how fast that is, it alone can say."""

from __future__ import annotations

import json

import pytest

from experiments.cli import bench
from sim import drafts
from tests.support_cli import call


def test_the_command_measures_every_draft_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "bench", "uplink", "--seconds", "0.1", "--json")
    rows = json.loads(out)
    assert code == 0
    names = {f"uplink/{name}" for name in drafts.shipped("uplink")}
    matches = [row for row in rows if "per_second" in row]
    assert {(row["draft"], row["lineup"]) for row in matches} == {
        (name, bot) for name in names for bot in ("random", "heuristic")
    }
    assert all(row["per_second"] > 0 and row["shuffles"] > 0 and row["matches"] > 0 for row in matches)
    assert all(row["decisions"] == 104 for row in matches if row["draft"] == "uplink/v1.1")
    searches = [row for row in rows if "play_outs" in row]
    assert {row["draft"] for row in searches} == names
    assert all(row["play_outs"] > 1000 and row["decisions"] >= 5 for row in searches)


def test_the_terminal_shows_both(capsys: pytest.CaptureFixture[str]) -> None:
    speed = bench.Speed("uplink/v1.1", "random", 1, 1000, 5e5, 1, 104.0, 22.0)
    text = "\n".join(
        [
            *bench.lines([speed], 8e-8),
            *bench.search_lines([bench.SearchSpeed("uplink/v1.1", "search", 151234.4, 7)]),
        ]
    )
    assert "500,000" in text
    assert "52,000,000" in text
    assert "151,234" in text
