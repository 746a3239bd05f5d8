"""What is printed: one line a line, nothing that hides or forges, in any encoding; ends of the output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import unicodedata
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.cli import main as cli
from experiments.report import output as terminal
from tests.support import ROOT
from tests.support_cli import call

FORGED = "842 of 842 scenarios pass"
EVIL = f"a\n{FORGED}\r\x1b[2J\x9b1m\x7f\x85\u2028{FORGED}\u2029\u202e\u2066\u200b\ufeff\U000e0041z"
"""Line ends of all kinds, controls (C0, C1, DEL), what turns the reading order, what has no width, a tag."""

LEGIT = "大富豪 手札 ō ♠3 −1 ±2 é 👍 ü"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(*words: str, encoding: str = "utf-8", **settings: object) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "experiments", *words],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding},
        **settings,  # type: ignore[call-overload]
    )


def shell(line: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell, in which ``tefuda`` is the program."""
    program = f'tefuda() {{ "{sys.executable}" -m experiments "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", program],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def has_only_harmless(text: str) -> bool:
    """Tell whether a text has no control but line ends, nothing that turns the order, and nothing without width."""
    return not [
        char for char in text if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")
    ]


# ---- printable ------------------------------------------------------------------------------------------


def test_what_a_person_writes_stays() -> None:
    assert terminal.printable(LEGIT) == LEGIT
    assert terminal.printable("手札\u3000\u00a0") == "手札\u3000\u00a0"


@given(st.text())
def test_a_printable_text_is_one_line_of_harmless_characters(text: str) -> None:
    shown = terminal.printable(text)
    assert shown.splitlines() in ([], [shown])
    assert has_only_harmless(shown)
    assert all(
        char in shown
        for char in text
        if char.isprintable() and char not in "\u034f\u3164\uffa0\u115f\u1160\u17b4\u17b5"
    )


@given(st.text())
def test_escapes_are_those_of_toml(text: str) -> None:
    inside = text.replace("\\", "").replace('"', "").encode(errors="ignore").decode()
    assert tomllib.loads(f'x = "{terminal.printable(inside)}"')["x"] == inside


# ---- strangers' texts -----------------------------------------------------------------------------------


def evil_scenario() -> Path:
    source = next((ROOT / "tests" / "scenarios" / "uplink").glob("u09-tied-top-later.toml")).read_text(
        encoding="utf-8"
    )
    head, _, _ = source.partition("[expect]")
    head = re.sub(
        r"^title = .*$",
        lambda _: f"title = {json.dumps(EVIL)}".replace("\x7f", "\\u007f").replace("\\udb40\\udc41", ""),
        head,
        flags=re.MULTILINE,
    )
    path = Path(f"file\n{FORGED}\x9b\u202e.toml")
    path.write_text(head + "[expect]\nto_move = 2\n", encoding="utf-8")
    return path


def test_a_title_forges_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "check", str(evil_scenario()))
    assert code == 1
    assert FORGED in out
    assert not [line for line in out.splitlines() if line.startswith("842")]
    assert out.splitlines()[-1] == "0 of 1 scenarios pass"
    assert has_only_harmless(out + err)


def test_nothing_of_a_draft_reaches_the_terminal_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("odd\u202e\x9b.toml")
    path.write_text(
        f'game = "uplink"\nnotes = "{EVIL}"\n'.replace(
            EVIL, json.dumps(EVIL.replace("\U000e0041", "").replace("\x7f", ""))[1:-1]
        ),
        encoding="utf-8",
    )
    for words in (
        ["run", str(path), "--matches", "40", "--lineup", "random", "--threads", "1"],
        ["replay", str(path), "--lineup", "random"],
        ["drafts", str(path)],
        ["drafts", str(path), "--json"],
        ["run", str(path), "--matches", "40", "--lineup", "random", "--json", "--no-save"],
        ["run", str(path), "--set", f"rules.{EVIL}=3"],
        ["run", "uplink/v1.1", "--lineup", EVIL],
        ["run", "uplink/v1.1", f"--{EVIL}"],
        ["run", "uplink/v1.1", "--seed", EVIL],
        ["run", EVIL],
        [EVIL],
        ["rerun", EVIL],
        ["check", EVIL],
        ["options", EVIL],
    ):
        code, out, err = call(capsys, *words)
        assert has_only_harmless(out + err), words
        assert err.count("\n") == (code != 0), words
        assert not [line for line in (out + err).splitlines() if line.startswith("842")], words
    (page,) = Path("results").rglob("report.html")
    assert has_only_harmless(page.read_text(encoding="utf-8"))


def test_data_reads_back_the_same_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.say_json({EVIL: LEGIT + EVIL})
    out = capsys.readouterr().out
    assert json.loads(out) == {EVIL: LEGIT + EVIL}
    assert has_only_harmless(out)
    assert LEGIT in out


def test_an_error_of_a_million_characters_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.complain("x" * 1_000_000)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert len(err) < 5000


# ---- encodings ------------------------------------------------------------------------------------------

SIGNS = "suits ♠♥♦♣ minus −1 ± ≥ ≤ × → … “x” daifugō ½ 大富豪 \udc80"
IN = {
    "ascii": r'suits SHDC minus -1 +/- >= <= x -> ... "x" daifugo 1/2 \u5927\u5bcc\u8c6a \udc80',
    "cp1252": r"suits SHDC minus -1 ± >= <= × -> … “x” daifugo ½ \u5927\u5bcc\u8c6a \udc80",
    "cp932": r"suits SHDC minus －1 ± >= <= × → … “x” daifugo 1/2 大富豪 \udc80",
    "utf-8": SIGNS.replace("\udc80", r"\udc80"),
}


@pytest.mark.parametrize("encoding", IN)
def test_what_an_encoding_lacks_is_written_in_ascii(encoding: str) -> None:
    program = f"from experiments.report import output as terminal; terminal.prepare(); terminal.say([{SIGNS!r}]); terminal.complain({SIGNS!r})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.stdout.decode(encoding) == IN[encoding] + "\n"
    assert done.stderr.decode(encoding) == f"tefuda: {IN[encoding]}\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp932"])
def test_commands_in_other_encodings(encoding: str) -> None:
    cases = {
        ("replay", "ninepeak/draft11", "--lineup", "random"): ("seat 0: H1 D1 S2 H2", "?1"),
        ("replay", "daifugo/author", "--lineup", "random"): ("player 0: D3 C3 S4", "?3"),
        ("options", "daifugo"): ("whether the first lead must hold D3", "?3"),
        ("check", "none\u2660"): ("noneS: no such file", "?"),
    }
    for words, (part, absent) in cases.items():
        done = start(*words, encoding=encoding)
        text = (done.stdout + done.stderr).decode(encoding)
        assert part in text, words
        assert absent not in text, words
        assert b"fault" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp932", "utf-8"])
def test_a_draft_sent_to_a_file_loads_again_whatever_the_encoding(encoding: str) -> None:
    Path("mine.toml").write_text(
        f'game = "uplink"\nname = "{LEGIT}"\nnotes = "\u202e\u009b"\n', encoding="utf-8"
    )
    done = start("drafts", "mine.toml", encoding=encoding)
    data = tomllib.loads(done.stdout.decode("utf-8"))
    assert (data["name"], data["notes"]) == (LEGIT, "\u202e\u009b")
    as_json = json.loads(start("drafts", "mine.toml", "--json", encoding=encoding).stdout.decode("utf-8"))
    assert (as_json["name"], as_json["notes"]) == (LEGIT, "\u202e\u009b")


def test_help_is_ascii() -> None:
    context = click.Context(cli.cli)
    for name in cli.cli.list_commands(context):
        command = cli.cli.get_command(context, name)
        assert command is not None
        assert command.get_help(click.Context(command, info_name=name)).isascii(), name


# ---- outputs that end -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["games", "run uplink/v1.1 --matches 40 --lineup random", "--help"])
def test_a_closed_output_is_one_line_before_anything_is_played(words: str) -> None:
    done = shell(f"tefuda {words} >&-")
    assert done.returncode == 1
    assert done.stderr.decode() == "tefuda: the output cannot be written (standard output is closed)\n"
    assert not Path("results").exists()


def test_closed_error_and_input_do_no_harm() -> None:
    played = "run uplink/v1.1 --matches 40 --lineup random --threads 1"
    done = shell(f"tefuda {played} <&- 2>&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"report: " in done.stdout
    assert shell("tefuda run none 2>&-").returncode == 2
    assert shell(f"tefuda {played} >&- 2>&-").returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["games", "games --json", "drafts uplink/v1.1", "--help"])
def test_a_full_disk_is_one_line(words: str) -> None:
    done = shell(f"tefuda {words} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.decode() == "tefuda: the output cannot be written (No space left on device)\n"


@pytest.mark.parametrize("words", ["games", "replay daifugo/author --lineup random", "--help"])
def test_a_pipe_that_is_gone_is_silent(words: str) -> None:
    done = shell(f"tefuda {words} | true; exit ${{PIPESTATUS[0]}}")
    assert done.returncode in (0, 1)
    assert done.stderr == b""


@pytest.mark.parametrize(
    "words", [["check", ""], ["rerun", ""], ["run", ""], ["run", "uplink/v1.1", "--out", ""], ["run", "uplink/v1.1", "--bots", ""],
              ["check", "x" * 5000], ["rerun", "x" * 5000], ["run", "x" * 5000], ["run", "uplink/v1.1", "--out", "x" * 5000],
              ["run", "uplink/v1.1", "--bots", "x" * 5000 + ".py"]],
)  # fmt: skip
def test_a_path_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, out, err = call(capsys, *words)
    assert (code in (1, 2), out, err.count("\n")) == (True, "", 1)
    assert "fault" not in err
    assert "the output cannot be written" not in err
