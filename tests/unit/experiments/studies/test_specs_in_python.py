"""A study from Python: what may be left out, how drafts and line-ups may be given, and what a mistake is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import experiments
from experiments.studies.compare import command as compare_command
from experiments.studies.compare.play import play as compare
from experiments.studies.compare.spec import Spec as CompareSpec
from experiments.studies.ladder import command as ladder_command
from experiments.studies.ladder.play import play as play_ladder
from experiments.studies.ladder.spec import Spec as LadderSpec
from experiments.studies.run import command as run_command
from experiments.studies.run.play import play
from experiments.studies.run.spec import Spec
from experiments.studies.skill.spec import Spec as SkillSpec
from experiments.studies.skill.spec import players_of
from experiments.studies.train.spec import Spec as TrainSpec
from sim import batch, drafts
from sim.errors import UserError
from strategies import registry as strategies

UPLINK = drafts.load("uplink/v1.1")


def test_a_draft_by_its_name_is_enough() -> None:
    spec = Spec("uplink/v1.1")
    assert spec == Spec(UPLINK) == Spec(UPLINK, None, experiments.MATCHES, 1, False, None)
    assert spec == Spec(draft="uplink/v1.1", seed=1)
    assert {bot.name for _, lineup in spec.seated() for bot in lineup} == {"heuristic"}


def test_what_is_left_out_is_what_the_command_line_takes() -> None:
    def default(command: Any, name: str) -> Any:
        return next(option.default for option in command.params if option.name == name)

    for spec, command, names in (
        (Spec("uplink/v1.1"), run_command.run, ("matches", "seed")),
        (LadderSpec("uplink/v1.1"), ladder_command.ladder, ("deals", "seed")),
        (CompareSpec(["uplink/v1.1"]), compare_command.compare, ("seed",)),
    ):
        for name in names:
            assert getattr(spec, name) == default(command, name)
    assert CompareSpec(["uplink/v1.1"]).matches == experiments.MATCHES


def test_a_spec_reads_back_from_its_own_json() -> None:
    for spec in (
        Spec("uplink/v1.1", "first,random,random,first", 40, 3, True),
        CompareSpec(["uplink/v1.1", "uplink/v1.1:points.K=1"], ["random", "first"], 40, goals="fairer"),
        LadderSpec("uplink/v1.1", ["random", "first"], 20),
    ):
        fields = json.loads(spec.model_dump_json())
        for name in ("draft", "drafts"):
            if name in fields:
                fields[name] = getattr(spec, name)
        assert type(spec)(**fields) == spec


def test_line_ups_files_and_numbers_may_be_given_as_python_has_them(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "uplink"\nname = "mine"\nextends = "v1.1"\n', encoding="utf-8")
    spec = Spec(file, ["first", "random", "random", "first"], np.int64(40), np.uint8(3))
    assert spec == Spec(str(file), "first,random,random,first", 40, 3)
    assert type(spec.matches) is type(spec.seed) is int
    assert spec.changed(matches=8).matches == 8
    assert play(spec).run.totals.matches == 40
    several = CompareSpec([file, str(file), "uplink/v1.1"])
    assert [draft.label for draft in several.drafts] == ["uplink/mine", "uplink/mine (2)", "uplink/v1.1"]


def test_bots_and_games_of_a_file_of_ones_own_can_be_named(tmp_path: Path) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(
        "from strategies import strategy\n\n"
        "@strategy('uplink', 'last_of_python', jit=False)\n"
        "def last_of_python(view, rules, me):\n"
        "    move, left = 0, int(view['choices'])\n"
        "    for _ in range(int(view['pick'])):\n"
        "        move |= left & -left\n"
        "        left &= left - 1\n"
        "    return move\n",
        encoding="utf-8",
    )
    spec = Spec("uplink/v1.1", "last_of_python", 4, bots_file=str(bots))
    assert play(spec, threads=1).run.totals.matches == 4


def test_without_threads_all_there_is_room_for_play(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    plain = batch.run

    def run(*args: Any, threads: int, **more: Any) -> Any:
        seen.append(threads)
        return plain(*args, threads=threads, **more)

    monkeypatch.setattr(batch, "run", run)
    spec = Spec("uplink/v1.1", "random", 40)
    by_one, by_all = play(spec, threads=1), play(spec)
    assert seen == [1, experiments.threads()]
    assert by_one.frames.estimates.equals(by_all.frames.estimates)


def test_a_study_is_compared_with_the_usual_margins() -> None:
    spec = CompareSpec(["uplink/v1.1", "uplink/personal-decks"], "random", 80)
    usual = spec.changed(margins=["share=1pp", "score=0.1sd", "count=5%"])
    assert compare(spec, threads=1).frames.verdicts.equals(compare(usual, threads=1).frames.verdicts)
    stated = spec.changed(margins=["share=3pp"], until_decided=True)
    assert str(stated.design.margins["share"]) == "3pp"
    assert stated.design.until_decided


def test_drafts_may_be_named_wherever_one_is_played() -> None:
    name: Any = "uplink/v1.1"
    assert LadderSpec(name).draft == UPLINK
    assert TrainSpec(name, "", 1, 20, 1).draft == UPLINK
    assert SkillSpec(name, players_of("uplink"), 1).draft == UPLINK


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "unknown draft": (lambda: Spec("uplink/v1.2"), r"unknown draft 'uplink/v1\.2'; did you mean 'uplink/v1\.1'\?"),
    "no draft": (lambda: CompareSpec([]), r"drafts = \[\]: must be at least one draft, such as"),
    "a number": (lambda: CompareSpec(3), "drafts = 3: must be a list of drafts, such as"),
    "a dictionary": (lambda: CompareSpec({"uplink/v1.1": 1}), "drafts = {'uplink/v1.1': 1}: must be a list of drafts"),
    "None of several": (lambda: CompareSpec(["uplink/v1.1", None]), r"drafts\[1\] = None: must be a draft, such as"),
    "a line-up": (lambda: Spec("uplink/v1.1", 4), "lineup = 4: must be names of bots with commas between"),
    "bots": (lambda: Spec("uplink/v1.1", ["first", 2]), r"lineup = \['first', 2\]: must be names of bots"),
    "matches": (lambda: Spec("uplink/v1.1", matches="5"), "matches = '5': must be a whole number, such as 1000"),
    "a float": (lambda: Spec("uplink/v1.1", matches=1e5), r"matches = 100000\.0: must be a whole number"),
    "truth": (lambda: Spec("uplink/v1.1", seed=True), "seed = True: must be a whole number"),
    "no truth": (lambda: Spec("uplink/v1.1", fixed_seats=1), "fixed_seats = 1: must be True or False"),
    "a file": (lambda: Spec("uplink/v1.1", bots_file=7), "bots_file = 7: must be a path"),
    "no file": (lambda: Spec("uplink/v1.1", bots_file="nowhere.py"), r"nowhere\.py: no such file"),
    "an unknown argument": (lambda: Spec("uplink/v1.1", match=3), "unknown argument 'match'; did you mean 'matches'"),
    "no argument": (lambda: Spec(), "'draft' is missing"),
    "too many": (lambda: Spec("uplink/v1.1", None, 1, 1, False, None, 7), "7 arguments, for 6"),
    "long": (lambda: CompareSpec(range(10**6)), r"drafts\[0\] = 0: must be a draft"),
    "no spec": (lambda: play("uplink/v1.1"), "spec = 'uplink/v1.1': must be a Spec of experiments.studies.run.spec"),
    "another spec": (lambda: play(LadderSpec("uplink/v1.1")), "must be a Spec of experiments.studies.run.spec"),
    "comparison": (lambda: compare(["uplink/v1.1"]), r"spec = \['uplink/v1\.1'\]: must be a Spec"),
    "a ladder": (lambda: play_ladder("uplink/v1.1"), "must be a Spec of experiments.studies.ladder"),
    "threads": (lambda: play(Spec("uplink/v1.1"), threads=0), "threads = 0: must be 1 or more"),
    "half threads": (lambda: play(Spec("uplink/v1.1"), threads=0.5), r"threads = 0\.5: must be a whole number"),
    "unknown bot": (lambda: play(Spec("uplink/v1.1", "heuristik")), "unknown bot 'heuristik'; did you mean 'heuristic'"),
    "too few bots": (lambda: play(Spec("uplink/v1.1", "first,random")), "2 bots for 4 players"),
    "no matches": (lambda: Spec("uplink/v1.1", matches=0), "matches = 0: must be from 1 to"),
    "no seed": (lambda: Spec("uplink/v1.1", seed=-1), "seed = -1: must be from 0 to"),
    "games": (lambda: CompareSpec(["uplink/v1.1", "ninepeak/draft11"]), r"different games \(uplink, ninepeak\)"),
    "a goal": (lambda: CompareSpec(["uplink/v1.1"], goals="fair"), "unknown goal 'fair'; did you mean 'fairer'"),
    "a ladder's draft": (lambda: LadderSpec("uplink/v1.2"), r"did you mean 'uplink/v1\.1'"),
    "no draft of a ladder": (lambda: LadderSpec(None), "draft = None: must be a draft"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_told_in_a_sentence(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    strategies.known("uplink")
    # Without what other tests have registered, which would stand in the list of what is known.
    ours = {
        key: bot for key, bot in strategies._bots.items() if bot.decide.__module__.startswith("strategies.")
    }
    monkeypatch.setattr(strategies, "_bots", ours)
    make, sentence = WRONG[case]
    with pytest.raises(UserError, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_a_run_says_which_it_is() -> None:
    played = play(Spec("uplink/v1.1", "random", 4), threads=1)
    assert repr(played.run) == "<Run of uplink/v1.1, 4 matches>"
    assert repr(played).startswith("uplink/v1.1\n")
    assert "uplink" in repr(UPLINK)
    assert len(repr(UPLINK)) < 500
