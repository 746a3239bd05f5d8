"""Bots of a user's own file, through the command line: each fault of theirs is one line that names file and line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments import interrupts
from sim.jit import DISABLED
from strategies import registry as strategies
from tests.support import ROOT
from tests.support_cli import call

compiled_only = pytest.mark.skipif(DISABLED, reason="nothing is compiled")
each_way = pytest.mark.parametrize("jit", [pytest.param(True, marks=compiled_only), False])

HEAD = """\
import numba
import numpy as np
from sim import rng
from sim.jit import jit, lowest
from strategies import strategy

low = lambda cards: cards & -cards
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be in a folder of one's own, and leave no bot of these files behind."""
    monkeypatch.chdir(tmp_path)
    yield
    for key, bot in list(strategies._bots.items()):
        if bot.decide.__module__.startswith("tefuda_bots_"):
            del strategies._bots[key]


def write(name: str, body: str, *, jit: bool = True, settings: str = "", before: str = "") -> int:
    """Write ``mine.py`` with a bot; return the number of the first line of its body."""
    head = (
        f"{HEAD}{before}\n@strategy('uplink', '{name}', jit={jit}{settings})\ndef decide(view, rules, me):\n"
    )
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    Path("mine.py").write_text(head + lines, encoding="utf-8")
    return head.count("\n") + 1


def run(
    capsys: pytest.CaptureFixture[str], name: str, *words: str, command: str = "run"
) -> tuple[int, str, str]:
    matches = [] if command == "replay" else ["--matches", "8", "--no-save", "--threads", "1"]
    line = f"{name},random,random,random"
    return call(capsys, command, "uplink/v1.1", "--bots", "mine.py", "--lineup", line, *matches, *words)


# ---- indices --------------------------------------------------------------------------------------------

LOW = "return view['choices'] & -view['choices']"

WRONG = {
    "view": ("view['scores'][40] = 99", "index 40 is out of bounds for axis 0 with size 4"),
    "far": ("view['scores'][100000000] = 99", "index 100000000 is out of bounds for axis 0 with size 4"),
    "below": ("view['scores'][-5] = 99", "index -5 is out of bounds for axis 0 with size 4"),
    "read": ("rules['points'][view['pick'] + 60]", "index 61 is out of bounds for axis 0 with size 52"),
    "params": ("me['params'][1000] = 1.0", "index 1000 is out of bounds for axis 0 with size 192"),
    "own": ("np.zeros(4)[view['trick'] * 4] = 7.5", "index 4 is out of bounds for axis 0 with size 4"),
    "lowest": (
        "np.zeros(64)[lowest(view['choices'] & (view['choices'] - view['choices']))] = 1",
        "index 64 is out of bounds for axis 0 with size 64",
    ),
    "rows": (
        "np.zeros((4, 3))[1, view['trick'] + 2] = 7.5",
        "index 3 is out of bounds for axis 1 with size 3",
    ),
    "shuffle": ("rng.shuffle(me['stream'], np.arange(5), 10000000)", "more cards to shuffle than there are"),
    "list": (
        "np.zeros(4)[np.array([0, view['trick'] + 8])] = 1",
        "index 9 is out of bounds for axis 0 with size 4",
    ),
}


@each_way
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_index_is_an_error_with_its_line(
    capsys: pytest.CaptureFixture[str], name: str, jit: bool
) -> None:
    statement, reason = WRONG[name]
    line = write(f"{name}{int(jit)}", f"{statement}\n{LOW}", jit=jit)
    for command in ("run", "replay"):
        code, _, err = run(capsys, f"{name}{int(jit)}", command=command)
        assert code == 2
        assert f"bot '{name}{int(jit)}' in seat " in err
        assert f"failed at mine.py:{line} ({statement}): IndexError: {reason}" in err
        assert err.count("\n") == 1


HELPERS = {
    "labs": "@jit\ndef put(table, at):\n    table[at] = 5",
    "numbas": "@numba.njit\ndef put(table, at):\n    table[at] = 5",
    "ready": "@numba.njit('void(f8[::1], i8)')\ndef put(table, at):\n    table[at] = 5",
    "below": "@numba.njit\ndef under(table, at):\n    table[at] = 5\n\n@jit\ndef put(table, at):\n    under(table, at)",
}


@compiled_only
@pytest.mark.parametrize("name", HELPERS)
def test_so_is_that_of_a_helper(capsys: pytest.CaptureFixture[str], name: str) -> None:
    line = write(f"calls-{name}", f"put(np.zeros(4), 40)\n{LOW}", before=HELPERS[name])
    code, _, err = run(capsys, f"calls-{name}")
    assert code == 2
    lines = Path("mine.py").read_text(encoding="utf-8").splitlines()
    line = lines.index("    table[at] = 5") + 1
    assert f"failed at mine.py:{line} (table[at] = 5): IndexError: index 40 is out of bounds" in err


@compiled_only
def test_indices_are_left_alone_if_the_bot_asks(capsys: pytest.CaptureFixture[str]) -> None:
    # Within the record that holds the copies, so nothing breaks.
    write("hasty", f"view['scores'][4] = 99\n{LOW}", settings=", unchecked=True")
    assert run(capsys, "hasty")[0] == 0
    write(
        "hasty-too",
        f"put(view['scores'])\n{LOW}",
        before="@jit(unchecked=True)\ndef put(table):\n    table[4] = 9",
    )
    assert run(capsys, "hasty-too")[0] == 0


@compiled_only
def test_helpers_that_numba_keeps_cannot_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    kept = "@numba.njit(cache=True)\ndef put(table):\n    table[4] = 5"
    write("keeps", f"put(np.zeros(4))\n{LOW}", before=kept)
    code, _, err = run(capsys, "keeps")
    assert code == 2
    assert "bot 'keeps': mine.py:8: code that numba keeps (cache=True) may lack the checks of indices" in err


@compiled_only
def test_division_by_zero_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = write("divides", f"share = 12 // (view['trick'] - 1)\nif share > 3:\n    return 0\n{LOW}")
    code, _, err = run(capsys, "divides")
    assert code == 2
    assert f"failed at mine.py:{line} (share = 12 // (view['trick'] - 1)): ZeroDivisionError" in err


# ---- moves ----------------------------------------------------------------------------------------------


@each_way
def test_an_illegal_move_is_told_beside_the_legal_ones(capsys: pytest.CaptureFixture[str], jit: bool) -> None:
    write(f"wrong{int(jit)}", "return 3", jit=jit)
    code, _, err = run(capsys, f"wrong{int(jit)}", "--fixed-seats")
    assert run(capsys, f"wrong{int(jit)}", "--fixed-seats", command="replay")[::2] == (code, err)
    assert code == 2
    assert (
        f"match 0: bot 'wrong{int(jit)}' in seat 0 answered 3, which is not a legal move (mine.py:9); legal: "
        in err
    )
    told = err.split("legal: ")[1]
    assert told.count(" (put ") == told.count(", ") + 1 == 6
    assert err.count("\n") == 1


FLOATS = {
    "halves": ("return view['choices'] / 2", "a float"),
    "mixes": ("if view['trick'] > 0:\n    return 1\nreturn 0.5", "a float"),
    "tells": ("return view['pick'] == 1", "a truth value"),
    "forgets": ("view['pick']", "nothing (None)"),
}


@compiled_only
@pytest.mark.parametrize("name", FLOATS)
def test_a_compiled_bot_must_return_whole_numbers(capsys: pytest.CaptureFixture[str], name: str) -> None:
    body, kind = FLOATS[name]
    line = write(name, body)
    line += body.count("\n")
    code, _, err = run(capsys, name)
    assert code == 2
    assert (
        f"bot '{name}' cannot be compiled: mine.py:{line}: a move must be a whole number, and this returns {kind}"
        in err
    )
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("float", "float(low(view['choices']))", r" (float)"),
        ("numpy", "np.float64(low(view['choices']))", " (float64)"),
        ("bool", "view['pick'] == 1", "answered True (bool)"),
        ("plain-bool", "True", "answered True (bool)"),
        ("none", "None", "answered None (NoneType)"),
        ("text", "'S4'", "answered S4 (str)"),
        ("vast", "1 << 70", "answered a number of more than 64 bits"),
    ],
)
def test_so_must_one_in_plain_python(
    capsys: pytest.CaptureFixture[str], name: str, value: str, told: str
) -> None:
    write(name, f"return {value}", jit=False)
    code, _, err = run(capsys, name)
    assert run(capsys, name, command="replay")[::2] == (code, err)
    assert code == 2
    assert f"bot '{name}' in seat 0 answered " in err
    assert told in err
    assert "(mine.py:9)" in err
    assert err.count("\n") == 1


@each_way
@pytest.mark.parametrize("kind", ["int", "np.uint64", "np.int64"])
def test_any_kind_of_whole_number_will_do(capsys: pytest.CaptureFixture[str], kind: str, jit: bool) -> None:
    name = f"{kind.replace('.', '-')}-{int(jit)}"
    # The lowest card where one is to be named, and the move that is legal for certain elsewhere.
    write(
        name,
        "return int(0)" if kind == "none" else f"return {kind}(view['choices'] & -view['choices'])",
        jit=jit,
    )
    code, _, err = run(capsys, name)
    assert (code, err) == (0, "") if kind != "np.int32" else code in (0, 2)


# ---- what numba objects to ------------------------------------------------------------------------------

OBJECTIONS = {
    "field": (
        "return view['choises']",
        0,
        "there is no field 'choises'; did you mean 'choices'? (known: seat,",
    ),
    "name": ("return nosuch", 0, "NameError: name 'nosuch' is not defined"),
    "kinds": ("x = view['pick'] + 'a'\nreturn 0", 0, "numba has no add(int64, a)"),
    "attribute": ("x = 1\nreturn view.choices.bit_count()", 1, "Unknown attribute 'bit_count' of type int64"),
    "file": (
        "with open('x') as file:\n    pass\nreturn 0",
        -2,
        "The 'with (context manager) as (variable):'",
    ),
    "empty": ("x = []\nreturn 0", 0, "Cannot infer the type of variable 'x'"),
    "record": ("return 3 if 3 in me else 4", 0, "numba has no contains(record, "),
}


@compiled_only
@pytest.mark.parametrize("name", OBJECTIONS)
def test_what_numba_cannot_compile_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    body, lines, reason = OBJECTIONS[name]
    line = write(f"odd-{name}", body) + lines
    code, _, err = run(capsys, f"odd-{name}")
    assert code == 2
    assert f"bot 'odd-{name}' cannot be compiled: mine.py:{line}: {reason}" in err
    assert err.endswith("mend it, or register it with jit=False\n")
    assert err.count("\n") == 1
    assert len(err) < 500


def test_a_bot_of_two_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(
        "from strategies import strategy\n@strategy('uplink', 'two')\ndef two(view, rules):\n    return 0\n",
        encoding="utf-8",
    )
    code, _, err = run(capsys, "two")
    assert code == 2
    assert "mine.py:2: bot 'two': must be a function of three, decide(view, rules, me)" in err


# ---- what would end the process -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raised", ["SystemExit", "SystemExit(0)", "MemoryError", "KeyboardInterrupt", "GeneratorExit"]
)
def test_whatever_a_bot_raises_is_its_fault(capsys: pytest.CaptureFixture[str], raised: str) -> None:
    name = "ends-" + raised.replace("(0)", "-0")
    line = write(name, f"raise {raised}", jit=False)
    code, _, err = run(capsys, name)
    assert run(capsys, name, command="replay")[::2] == (code, err)
    assert code == 2
    kind = raised.partition("(")[0]
    assert f"bot '{name}' in seat 0 failed at mine.py:{line} (raise {raised}): {kind}" in err


@compiled_only
def test_memory_that_a_compiled_bot_does_not_get_is_its_fault(capsys: pytest.CaptureFixture[str]) -> None:
    line = write("greedy-for-memory", f"table = np.zeros(view['pick'] << 55)\n{LOW}")
    code, _, err = run(capsys, "greedy-for-memory")
    assert code == 2
    assert (
        f"bot 'greedy-for-memory' in seat 0 failed at mine.py:{line} (table = np.zeros(view['pick'] << 55)): "
        in err
    )


def test_a_failing_prepare_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    before = "def prepare(rules, params):\n    params[0] = {}['nokey']"
    write("prepares", LOW, settings=", prepare=prepare", before=before)
    code, _, err = run(capsys, "prepares")
    assert code == 2
    assert (
        "bot 'prepares': its prepare() failed at mine.py:9 (params[0] = {}['nokey']): KeyError: 'nokey'"
        in err
    )


@compiled_only
def test_so_is_a_compiled_one(capsys: pytest.CaptureFixture[str]) -> None:
    before = "@jit\ndef prepare(rules, params):\n    params[rules['players'] + 1000] = 3"
    write("prepares", LOW, settings=", prepare=prepare", before=before)
    code, _, err = run(capsys, "prepares")
    assert code == 2
    assert "bot 'prepares': its prepare() failed at mine.py:10 (params[rules['players'] + 1000] = 3)" in err
    assert "IndexError" in err


@compiled_only
def test_indices_are_checked_in_what_prepare_calls(capsys: pytest.CaptureFixture[str]) -> None:
    helper = "@numba.njit\ndef far(params, at):\n    params[at] = 3\n"
    before = f"{helper}\ndef prepare(rules, params):\n    far(params, 10 ** 9)"
    write("prepares", LOW, settings=", prepare=prepare", before=before)
    code, _, err = run(capsys, "prepares")
    assert code == 2
    assert "its prepare() failed at mine.py:13 (far(params, 10 ** 9)): IndexError" in err


def test_chance_in_prepare_and_behind_a_cache_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    prepare = "import random\ndef prepare(rules, params):\n    params[0] = random.random()"
    cached = "import functools, random\n@functools.cache\ndef draw(at):\n    return random.random()"
    listed = "import random\ndef draw(at):\n    return random.random()\nDRAWS = [draw]"
    cases = [
        (prepare, LOW, ", prepare=prepare", 10),
        (cached, f"draw(1)\n{LOW}", "", 11),
        (listed, f"DRAWS[0](1)\n{LOW}", "", 10),
    ]
    for before, body, settings, line in cases:
        write("dicey", body, jit=False, settings=settings, before=before)
        code, _, err = run(capsys, "dicey")
        assert code == 2
        assert f"mine.py:{line}: bot 'dicey': random.random draws chance" in err


def test_what_has_no_name_is_no_bot(capsys: pytest.CaptureFixture[str]) -> None:
    text = "from functools import partial\n\ndef low(view, rules, me, more):\n    return 1\n"
    Path("mine.py").write_text(
        f"{HEAD}{text}strategy('uplink', 'part', jit=False)(partial(low, more=1))\n", encoding="utf-8"
    )
    code, _, err = call(capsys, "bots", "uplink", "--bots", "mine.py")
    assert code == 2
    assert "bot 'part': must be a function of three" in err


@pytest.mark.parametrize(
    "words",
    [
        ["run", "uplink/v1.1", "--lineup", ""],
        ["run", "uplink/v1.1", "--study", ""],
        ["probe", "uplink/v1.1", ""],
        ["drafts", ""],
        ["bots", ""],
        ["fairness", "uplink/v1.1", "--matches", "1"],
    ],
)
def test_what_is_empty_or_too_little_is_refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, out, err = call(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not Path("results").exists()


def test_a_file_that_fails_names_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    for statement, reason in (("1 / 0", "ZeroDivisionError"), ("raise SystemExit", "SystemExit")):
        Path("mine.py").write_text(f"x = 1\n\n{statement}\n", encoding="utf-8")
        code, _, err = call(capsys, "bots", "uplink", "--bots", "mine.py")
        assert code == 2
        assert err.startswith(f"tefuda: --bots mine.py:3 ({statement}): {reason}")


# ---- what a bot prints ----------------------------------------------------------------------------------


@each_way
@pytest.mark.parametrize("threads", ["1", "2"])
def test_what_a_bot_prints_is_no_result(capfd: pytest.CaptureFixture[str], jit: bool, threads: str) -> None:
    name = f"prints{int(jit)}{threads}"
    write(name, f"print('pick', view['pick'])\n{low_of_all()}", jit=jit, before="print('read')")
    words = (
        "--bots",
        "mine.py",
        "--lineup",
        name,
        "--matches",
        "8",
        "--no-save",
        "--json",
        "--threads",
        threads,
    )
    assert call(capfd, "run", "uplink/v1.1", *words)[0] == 0
    code, out, err = call(capfd, "run", "uplink/v1.1", *words)
    assert code == 0
    assert json.loads(out)["matches"] == 8
    assert "pick 1" in err


def low_of_all() -> str:
    """Return the body of a bot that takes the lowest cards."""
    return (
        "move, rest = 0, view['choices']\n"
        "for _ in range(view['pick']):\n"
        "    card = rest & -rest\n"
        "    move |= card\n"
        "    rest &= ~card\n"
        "return move"
    )


# ---- chance and memory ----------------------------------------------------------------------------------


def test_a_bot_with_chance_of_its_own_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = write("dice", "x = 1\nreturn np.random.choice(4)") + 1
    for words in (["bots", "uplink"], ["run", "uplink/v1.1", "--lineup", "random"]):
        code, out, err = call(capsys, *words, "--bots", "mine.py")
        assert (code, out) == (2, "")
        assert err.startswith(f"tefuda: mine.py:{line}: bot 'dice': np.random.choice draws chance")
        assert err.count("\n") == 1


def test_tables_that_differ_name_what_a_bot_may_do(capsys: pytest.CaptureFixture[str]) -> None:
    """By memory that no source shows: which of the cards is taken alternates for as long as the process lives."""
    memory = "seen = []"
    body = "seen.append(1)\ncards = [1 << n for n in range(60) if int(view['choices']) >> n & 1]\n" + (
        "start = len(seen) // 7 % 2 * (len(cards) - int(view['pick']))\nreturn sum(cards[start : start + int(view['pick'])])"
    )
    write("remembers", body, jit=False, before=memory)
    words = ("--bots", "mine.py", "--lineup", "remembers,random,random,random", "--matches", "12")
    assert call(capsys, "run", "uplink/v1.1", *words, "--study", "it")[0] == 0
    (folder,) = Path("results/it").iterdir()
    code, _, err = call(capsys, "rerun", str(folder), "--bots", "mine.py")
    assert code == 2
    assert "the tables differ" in err
    assert (
        "The likely cause is a bot of mine.py that draws chance outside me['stream'], asks the clock, or remembers"
        in err
    )


# ---- bots that never come back --------------------------------------------------------------------------

ENDLESS = (
    "x = 0\nwhile view['pick'] > 0:\n    x = (x * 3 + 1) & 1023\n    if x == 5000:\n        break\nreturn x"
)


def press(process: subprocess.Popen[str]) -> str:
    """Press Ctrl-C and return the next line of the standard error."""
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    return process.stderr.readline()


def end(process: subprocess.Popen[str], presses: int) -> str:
    """Press Ctrl-C once the bot is asked, and return what is said from the last press on."""
    assert process.stderr is not None
    assert process.stderr.readline() == "asked\n"
    time.sleep(0.5)
    told = press(process)
    if presses == 2:
        assert "press Ctrl-C again to stop at once" in told.lower().replace("ctrl-c", "Ctrl-C")
        assert process.poll() is None
        told = press(process)
    return told + process.stderr.read()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Ctrl-C is no signal here")
@each_way
@pytest.mark.parametrize("command", ["run", "replay"])
def test_the_second_ctrl_c_ends_a_bot_that_never_answers(jit: bool, command: str) -> None:
    write("endless", ENDLESS, jit=jit, before="import sys")
    lines = Path("mine.py").read_text(encoding="utf-8")
    # Says when it is about to be asked: by then all is compiled.
    Path("mine.py").write_text(
        lines.replace("    x = 0\n", "    x = 0\n    print('asked')\n"), encoding="utf-8"
    )
    line = "endless,endless,endless,endless"
    words = [command, "uplink/v1.1", "--bots", "mine.py", "--lineup", line]
    words += ["--no-save", "--threads", "1"] if command == "run" else []
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    code += "from experiments.cli.main import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            rest = end(process, presses=1 if command == "replay" and not jit else 2)
            assert process.wait(timeout=20) == interrupts.EXIT_CODE
        finally:
            process.kill()  # else a failure would wait for it for ever
    assert rest.strip().endswith("tefuda: interrupted")
