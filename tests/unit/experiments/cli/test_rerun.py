"""``tefuda rerun`` of edited manifests of every kind, and of folders that cannot be written."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experiments.cli import main as cli
from experiments.studies import lifecycle
from sim.errors import UserError
from tests.support_cli import call

THREAD = ["--threads", "1"]
COMMANDS = {
    "run": ["run", "uplink/v1.1", "--matches", "8", "--lineup", "random,first,first,first", *THREAD],
    "compare": ["compare", "uplink/v1.1", "uplink/personal-decks", "--matches", "8", "--lineup", "first", *THREAD],
    "until": [
        "compare", "uplink/v1.1", "uplink/v1.1", "--until-decided", "--at-most", "40", "--levels", "random,first", *THREAD,
    ],
    "fairness": ["fairness", "uplink/v1.1", "--matches", "8", "--levels", "random", "--players", "2,3", *THREAD],
    "ladder": ["ladder", "uplink/v1.1", "random", "first", "--deals", "3", *THREAD],
    "skill": [
        "skill", "uplink/v1.1", "--matches", "10", "--best", "heuristic", "--fictive", "clairvoyant:1", *THREAD,
    ],
}  # fmt: skip
_MOST = 500
"""Matches, deals or parts of an edited run: more are as good a run, but take too long here."""

JUNK: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 10**6 + 1, 2**63, 10**400, 1.5, float("nan"), float("inf"), -1e308, "", "x", "1",
    "\u202e\n", "../up", "x" * 10_000, [], {}, [None], {"": None}, [[]], "uplink", "random,random,random,random", "random",
)  # fmt: skip


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the places of a manifest, inner ones too, of lists only the first."""
    inner = data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def deep(depth: int) -> Any:
    nested: Any = []
    for _ in range(depth):
        nested = [nested]
    return nested


def edited(manifest: Any, place: tuple[Any, ...], value: Any, how: str) -> Any:
    """Return a manifest with the value at a place replaced, left out, or with a key or an element more."""
    if not place:
        return value
    manifest = copy.deepcopy(manifest)
    inside = manifest
    for key in place[:-1]:
        inside = inside[key]
    if how == "leave out":
        del inside[place[-1]]
    elif how == "add" and isinstance(inside, dict):
        inside["more"] = value
    elif how == "add":
        inside.append(value)
    else:
        inside[place[-1]] = value
    return manifest


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, Any]]:
    """Return what plays a command once; gives its folder and manifest."""
    known: dict[str, tuple[Path, Any]] = {}

    def play(name: str) -> tuple[Path, Any]:
        if name not in known:
            out = tmp_path_factory.mktemp(name)
            assert cli.main([*COMMANDS[name], "--out", str(out)]) == 0
            (path,) = out.rglob("manifest.json")
            known[name] = path.parent, json.loads(path.read_text(encoding="utf-8"))
        return known[name]

    return play


def rerun_of(manifest: Any, folder: Path) -> list[str]:
    path = folder / "edited.json"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return ["rerun", str(path), *THREAD, "--out", str(folder / "again")]


@pytest.mark.parametrize("name", COMMANDS)
@settings(
    max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
)
@given(data=st.data())
def test_an_edited_manifest_gives_its_tables_or_one_line(
    name: str,
    data: st.DataObject,
    played: Callable[[str], tuple[Path, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, manifest = played(name)
    if name == "skill":  # two of its measures, so that it takes moments; its tables differ then
        (deals,) = manifest["played"]["deals"]
        manifest = {**manifest, "played": {"deals": [dict(list(deals.items())[:2])]}}
    read = ("spec", "played", "files", "study", "tables", "question", "format", "game", "rules_version")
    place = data.draw(st.sampled_from([place for place in places(manifest) if not place or place[0] in read]))
    value = data.draw(st.one_of(st.sampled_from(JUNK), st.builds(deep, st.sampled_from([50, 900]))))
    changed = edited(manifest, place, value, data.draw(st.sampled_from(["replace", "leave out", "add"])))
    play = lifecycle.play

    def bounded(spec: Any, threads: Any, stop: Any) -> Any:
        if (sum(spec.deals.values()) if name == "skill" else spec.steps) > _MOST:
            raise UserError("a longer run, and a good one")
        return play(spec, threads, stop)

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "play", bounded)
        capsys.readouterr()
        code, out, err = call(capsys, *rerun_of(changed, folder))
    assert code in (0, 2), (place, err)
    assert err.count("\n") == (1 if code else 0), (place, err)
    assert len(err) < 5000
    assert ("byte for byte" in out) == (code == 0)


@pytest.mark.parametrize("deals", [0, -1, 10**7])
def test_a_measure_without_deals_is_a_damaged_manifest(
    deals: int, played: Callable[[str], tuple[Path, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, manifest = played("skill")
    (measured,) = manifest["played"]["deals"]
    changed = edited(manifest, ("played", "deals", 0, next(iter(measured))), deals, "replace")
    code, _, err = call(capsys, *rerun_of(changed, folder))
    assert code == 2
    assert "damaged manifest (" in err
    assert "from 1 to 1,000,000" in err


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("until", ("played", "method"), 0),
        ("until", ("played", "matches"), [0, 0]),
        ("until", ("spec", "margins"), {"share": "0pp"}),
        ("until", ("spec", "until_decided"), 1),
        ("compare", ("spec", "lineups"), []),
        ("fairness", ("played", "matches"), [0, 0]),
        ("run", ("played", "matches"), 0),
        ("run", ("spec", "fixed_seats"), "no"),
        ("run", ("tables",), {}),
        ("run", ("study",), "../up"),
    ],
)  # fmt: skip
def test_what_would_hang_or_mislead_is_a_damaged_manifest(
    name: str,
    place: tuple[Any, ...],
    value: Any,
    played: Callable[[str], tuple[Path, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, manifest = played(name)
    capsys.readouterr()
    code, out, err = call(capsys, *rerun_of(edited(manifest, place, value, "replace"), folder))
    assert (code, out) == (2, "")
    assert "damaged manifest" in err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_cannot_be_written_is_told_before_anything_is_played(
    name: str,
    played: Callable[[str], tuple[Path, Any]],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    folder, _ = played(name)
    (tmp_path / "file").write_text("", encoding="utf-8")
    begun: list[str] = []
    monkeypatch.setattr(lifecycle, "play", lambda *words: begun.append(name))
    capsys.readouterr()
    code, out, err = call(capsys, "rerun", str(folder), "--out", str(tmp_path / "file"))
    assert (code, out, begun) == (2, "", [])
    assert "cannot be written" in err
