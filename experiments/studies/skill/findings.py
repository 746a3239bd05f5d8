"""What there is to say of luck and skill: six answers, then what each measure found."""

from __future__ import annotations

from experiments.metrics.ratings import FEW_DEALS
from experiments.report import options, words
from experiments.report.sections import Cell, Figure, Report, Row, Table
from experiments.report.sections import Section as Part
from experiments.report.words import listed, number, plural
from experiments.studies.skill.play import Suite, Suites
from experiments.studies.skill.section import Answer, Section

_ORDER = ("ledger", "strain", "ladder", "seats", "choice", "course", "rules")
"""Measures whose answers make the headline."""

_MOST = 6
"""Sentences of the headline."""


def report(played: Suites) -> Report:
    """Return what there is to say of a suite, or of two side by side."""
    suite, spec = played.suites[0], played.spec
    against = played.suites[1] if len(played.suites) > 1 else None
    title = f"{spec.draft.label}: how much luck, how much skill?"
    if against is not None:
        title = f"{spec.draft.label} beside {against.spec.draft.label}: how much luck, how much skill?"
    sections = [_part(section) for section in suite.sections]
    if against is not None:
        label = against.spec.draft.label
        sections = [_side_by_side(suite, against), *sections]
        sections += [_part(section, f"{label}: {section.title}") for section in against.sections]
    return Report(
        kicker="Luck and skill",
        title=title,
        headline=headline(suite, against),
        figure=_figure(suite),
        facts=_facts(played),
        sections=[
            *sections,
            Part(
                "options",
                "Every option of the draft",
                tables=[
                    options.table(spec.all_drafts, ["Value"] if against is None else ["First", "Second"])
                ],
                folded=True,
            ),
        ],
        terms=_terms(suite),
        made=_made(played),
        partial=partial(played),
        notes=spec.draft.notes,
    )


# ---- the headline ---------------------------------------------------------------------------------------


def _answers(suite: Suite) -> dict[str, Answer]:
    found = {section.name: section.answer for section in suite.sections}
    return {name: answer for name in _ORDER if (answer := found.get(name)) is not None}


def headline(suite: Suite, against: Suite | None = None) -> list[str]:
    """Answer how much luck and skill there is, how fair and how tense it is, and which rule matters most."""
    answers = _answers(suite)
    if not answers:
        return ["The run was too short to say anything; see what was measured."]
    if against is None:
        # Of games with symptoms, how often a turn has no choice is among them.
        told = [answer for name, answer in answers.items() if name != "choice" or "strain" not in answers]
        text = [answer.sentence for answer in told][:_MOST]
    else:
        others, name = _answers(against), against.spec.draft.label
        text = [
            f"{answer.topic}: {answer.short}; in {name}: {others[measure].short}."
            if measure in others
            else f"{answer.topic}: {answer.short}."
            for measure, answer in answers.items()
        ]
        strain = answers.get("strain")
        if strain is not None:
            beside = f" In {name}: {others['strain'].short}." if "strain" in others else ""
            rest = [line for line in text if not line.startswith((f"{strain.topic}: ", "Choice: "))]
            text = [strain.sentence + beside, *rest][:_MOST]
    few = min(section.deals for section in suite.sections if section.name in answers)
    if few < FEW_DEALS:
        text = text[: _MOST - 1]
        text.append(
            f"Some of this rests on only {few} deals: {FEW_DEALS} or more are needed for sound intervals."
        )
    return text


def partial(played: Suites) -> str:
    """Say how far an interrupted suite came; empty for a whole one."""
    if played.complete:
        return ""
    missing = [
        f"{name}: {number(suite.done.get(name, 0))} of {number(deals)} deals"
        for suite in played.suites
        for name, deals in suite.planned.items()
        if suite.done.get(name) != deals
    ]
    if len(played.suites) < len(played.spec.parts):
        missing.append(f"{played.spec.parts[-1].draft.label}: not begun")
    return f"Interrupted. Measures that are missing or have fewer deals than planned: {'; '.join(missing)}."


def _figure(suite: Suite) -> Figure | None:
    """Return the figure that shows the answer: how often the favourite wins, or else the seats."""
    by_name = {section.name: section for section in suite.sections}
    for name, question in (
        ("course", "When is it decided?"),
        ("seats", "What does each seat win?"),
        ("ladder", "How strong are the bots?"),
    ):
        section = by_name.get(name)
        if section is not None and section.figure is not None:
            return Figure(f"head-{name}", question, section.figure, "Mark: the value; bar: its 95% interval.")
    return None


# ---- sections -------------------------------------------------------------------------------------------


def _part(section: Section, title: str = "") -> Part:
    """Return what a measure found as a section: sentences, its figure, and all its numbers folded away."""
    first, *rest = [
        [f"{finding.lead}. {finding.text}", *(f"– {item}" for item in finding.items)]
        for finding in section.told
    ] or [[]]
    listed_numbers = [found for found in section.numbers if found.listed]
    left = len(section.numbers) - len(listed_numbers)
    table = Table(
        "Numbers",
        ["Number", "Of", "Value", "n"],
        [
            Row(found.what, [found.of, _cell(found.shown), number(found.found.blocks)])
            for found in listed_numbers
        ],
        f"{number(left)} more are in numbers.parquet" if left else "",
        frozenset({1}),
    )
    figures = [] if section.figure is None else [Figure(section.name, section.title, section.figure)]
    return Part(
        section.name if not title else f"against-{section.name}",
        f"{title or section.title} ({plural(section.deals, 'deal')})",
        first,
        more=[sentence for sentences in rest for sentence in sentences],
        figures=figures,
        details=[table] if listed_numbers else [],
        notes=[section.caution] if section.caution else [],
        folded=bool(title),
    )


def _cell(shown: words.Shown) -> Cell:
    return Cell(shown.value, "" if shown.interval == words.MISSING else shown.interval)


def _side_by_side(suite: Suite, against: Suite) -> Part:
    """Return the answers of two drafts beside each other."""
    first, second = _answers(suite), _answers(against)
    rows = [
        Row(
            (first.get(name) or second[name]).topic,
            [found[name].short if name in found else words.MISSING for found in (first, second)],
        )
        for name in _ORDER
        if name in first or name in second
    ]
    labels = [each.spec.draft.label for each in (suite, against)]
    table = Table("The answers side by side", ["About", *labels], rows, texts=frozenset({1, 2}))
    return Part("beside", "Side by side", tables=[table])


# ---- how it was made ------------------------------------------------------------------------------------


def _facts(played: Suites) -> list[tuple[str, str]]:
    players, spec = played.spec.who, played.spec
    return [
        ("Players", str(spec.draft.players)),
        ("Weak baseline players", listed(list(players.beginners))),
        ("In all other seats", players.others),
        ("Strongest player", players.best),
        ("Sees hidden cards and future chance", players.fictive or words.MISSING),
        ("Seed", str(spec.seed)),
    ]


def _made(played: Suites) -> list[tuple[str, str]]:
    spec = played.spec
    _, bots = spec.seated()[0]
    deals = [
        f"{name} {number(suite.done.get(name, 0))} of {number(count)}"
        for suite in played.suites
        for name, count in suite.planned.items()
    ]
    return [("Deals", "; ".join(deals)), ("Bots", "; ".join(f"{bot.name}: {bot.summary}" for bot in bots))]


_TERMS = [
    (
        "Deal, n",
        (
            "All that is compared is played on the same deals: players in every seat, duels with the bots in every rotation. Matches of "
            "a deal are not independent, so n and the intervals count deals. (For R* n counts players.)"
        ),
    ),
    (
        "95% interval",
        (
            "A run is a sample: another seed would give slightly other numbers. The interval covers the true value in 95 of 100 runs. "
            "Four times as many deals halve it. A number without an interval follows from others, or rests on too little to bound it."
        ),
    ),
    (
        "Alone, with all its interactions",
        (
            "The two ends of a variance share (Sobol'). Alone: how much of the result you could foretell if you knew this cause and "
            "nothing else. With all its interactions: how much would stay open if you knew everything but this cause. Between the two "
            "lies what it does together with other causes: a deal may suit one player and not another."
        ),
    ),
    (
        "Relative skill",
        (
            "After Borm and van der Genugten: what the best player gains over a beginner, as a part of what the player gains that sees "
            "all chance. A best player that is not perfect makes it too small."
        ),
    ),
    (
        "Elo points",
        (
            "100 points mean that the stronger is ahead in 64% of cases, 200 in 76%, 400 in 91%. The spread is the standard deviation of "
            "the ratings, with what noise adds taken off."
        ),
    ),
    ("Roll-out", "A match played on to its end from some position, to estimate the chances there."),
]


def _terms(suite: Suite) -> list[tuple[str, str]]:
    who, draft = suite.spec.who, suite.spec.draft
    players, games = draft.players, int(draft.options.counted_games)
    weak = "player" if players == 2 else "players"
    cheat = (
        f" {who.fictive} cheats: it sees every card and all chance to come, but not what others draw at random when they decide."
        if who.fictive
        else ""
    )
    terms = [
        *_TERMS,
        (
            "Reference players",
            (
                f"Weak baseline players know the rules and no more: {listed(list(who.beginners))}. {who.best} is taken as the best honest "
                f"player there is, and {who.others} sits in the other seats.{cheat}"
            ),
        ),
        (
            "Luck meter",
            (
                f"One strong player among {players - 1} weak {weak}: if it wins a share p of matches, (p − 1/{players})/(1 − 1/{players}) "
                "of them are as if won for sure, and the rest as if drawn by lot. That rest is luck."
            ),
        ),
    ]
    if games > 1:
        text = f"A match has {games} games. Win rates are of first places over all games; who is ahead is judged by the points of the match."
        terms.append(("Game, match", text))
    return terms
